// Our SHA-256 gives what Node's gives: fingerprints in baselines are made of it.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../src/project/findings/sha256.ts';

const theirs = (text: string) => createHash('sha256').update(text).digest('hex');

test('of every length around a block, and of any text', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'é'.repeat(length);
    expect(sha256(text)).toBe(theirs(text));
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256(text) === theirs(text)),
  );
});
