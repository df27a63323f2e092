// Equal texts of units are one object, and nothing that can be read is another.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAULT } from '../src/frontends/cursor.ts';
import type { Lowered } from '../src/project/cache/cache.ts';
import { createSharing } from '../src/project/cache/sharing.ts';

const parsed = (value: unknown): Lowered => JSON.parse(JSON.stringify(value));

test('what was shared says what it said', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 6 })), (values) => {
      const shared = createSharing();
      for (const value of [...values, ...values]) {
        const unit = { value };
        expect(shared(parsed({ unit }))).toEqual(parsed({ unit }));
      }
    }),
    {
      examples: [
        [[[''], []]],
        [
          [
            ['a\0', 'b'],
            ['a', '\0b'],
          ],
        ],
      ],
    },
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

test('routines that take the same share what says so, and empty lists are one', () => {
  const shared = createSharing();
  const routine = (required: number) => ({
    parameters: { required, total: 2, types: ['int', null] },
    body: [],
  });
  const unit = { routines: [routine(1), routine(1), routine(2)] };
  const { routines } = shared(parsed({ unit })).unit!;
  expect({ routines }).toEqual(unit);
  expect(routines[0]!.parameters).toBe(routines[1]!.parameters);
  expect(routines[0]!.body).toBe(routines[1]!.body);
});

test('what is thrown where a text is not of its language keeps nothing of what ran when it was made', () => {
  expect(FAULT.stack).toBe('');
});
