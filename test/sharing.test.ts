// Equal texts of units are one object, and nothing that can be read is another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lowered } from '../src/project/cache.ts';
import { createSharing } from '../src/project/sharing.ts';

const parsed = (value: unknown): Lowered => JSON.parse(JSON.stringify(value));

test('what was shared says what it said', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 6 })), (values) => {
      const shared = createSharing();
      for (const value of [...values, ...values]) expect(shared(parsed(value))).toEqual(parsed(value));
    }),
  );
});

test('lists of texts are one, steps stay each their own', () => {
  const shared = createSharing();
  const step = () => ({ kind: 'write', at: { start: 1, end: 2 }, keys: ['customer_number', 'tenant'] });
  const one = shared(parsed({ unit: [step()] })).unit as never as ReturnType<typeof step>[];
  const other = shared(parsed({ unit: [step()] })).unit as never as ReturnType<typeof step>[];
  expect(one[0]).toEqual(other[0]);
  expect(one[0]).not.toBe(other[0]);
  expect(one[0]!.keys).toBe(other[0]!.keys);
});

test('nesting that a front end lets through is no danger', () => {
  const deep = JSON.parse(`${'{"body":['.repeat(2000)}"a long text"${']}'.repeat(2000)}`);
  expect(() => createSharing()(deep)).not.toThrow();
});
