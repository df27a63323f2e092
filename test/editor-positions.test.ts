// Positions: any offset goes to the client and comes back, in each encoding, whatever the line ends.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, offsetAt, positionAt } from '../src/editor/positions.ts';

test('an offset survives the way to the client and back', () => {
  const piece = fc.constantFrom('a', 'é', '語', '😀', '\n', '\r\n', '\r', '\t', 'SELECT');
  fc.assert(
    fc.property(fc.array(piece), fc.nat(), (pieces, seed) => {
      const lines = linesOf(pieces.join(''));
      let offset = seed % (lines.text.length + 1);
      const inside = lines.text.charCodeAt(offset);
      if (inside >= 0xdc00 && inside < 0xe000) offset--; // not between the halves of one character
      if (lines.text[offset] === '\n' && lines.text[offset - 1] === '\r') offset--; // nor between CR and LF
      for (const encoding of ['utf-8', 'utf-16', 'utf-32'] as const)
        expect(offsetAt(lines, positionAt(lines, offset, encoding), encoding)).toBe(offset);
    }),
  );
});

test('characters are counted in the agreed unit', () => {
  const lines = linesOf('-- 😀é SAVEPOINT a');
  const offset = lines.text.indexOf('SAVEPOINT');
  expect(positionAt(lines, offset, 'utf-16')).toEqual({ line: 0, character: 7 });
  expect(positionAt(lines, offset, 'utf-8')).toEqual({ line: 0, character: 10 });
  expect(positionAt(lines, offset, 'utf-32')).toEqual({ line: 0, character: 6 });
});
