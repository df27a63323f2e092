// Random application programs of a few routines in two files, as trees that can be shrunk. Not their text in any
// language: `how` picks one of the spellings that a language or framework has, the first being the plainest.
import fc, { type Arbitrary } from 'fast-check';

export type Stmt =
  /** `fires`: the table has a row trigger whose function has an EXCEPTION block. */
  | { k: 'write'; how: number; fires: boolean; rows: number }
  /** get_or_create() and kin. */
  | { k: 'find'; how: number; hits: boolean }
  | { k: 'read' }
  | { k: 'scope'; how: number; body: Stmt[] }
  /** A savepoint by hand; it is released, rolled back to, both or neither. */
  | { k: 'savepoint'; how: number; ends: 'release' | 'back' | 'both' | 'nothing'; body: Stmt[] }
  | { k: 'loop'; how: number; times: number; body: Stmt[] }
  | { k: 'if'; when: number; then: Stmt[]; else: Stmt[] | null }
  | { k: 'try'; catches: number; body: Stmt[]; handler: Stmt[]; else: Stmt[] | null; finally: Stmt[] | null }
  | { k: 'fail'; how: number; when: number | null }
  | { k: 'leave'; how: 'return' | 'break' | 'continue'; when: number | null }
  /** `flag` is what the routine's parameter is told, null for nothing. */
  | { k: 'call'; how: number; to: number; flag: boolean | null }
  /** A function of its own within the routine, called so often. */
  | { k: 'local'; how: number; times: number; body: Stmt[] }; // biome-ignore format: one a line

export interface Routine {
  /** Function, method, decorated one: of what the language has. */
  how: number;
  /** What its flag is where the caller says nothing. */
  flag: boolean;
  body: Stmt[];
}

export interface Application {
  /** Each may call those before it; two stand in a file. */
  routines: Routine[];
  /** What the program does, in a third file. */
  run: Stmt[];
}

const how = fc.nat(59);
const of = <T>(k: string, fields: { [key: string]: Arbitrary<unknown> }, weight = 1) => ({
  weight,
  arbitrary: fc.record({ k: fc.constant(k), ...fields }) as Arbitrary<T>,
});
const rarely = fc.nat(3).map((n) => n === 0);
const condition = fc.nat(9);
const times = fc.constantFrom(0, 1, 2, 3, 5, 8, 21, 63, 64, 65, 70);

const plain = [
  of<Stmt>('write', { how, fires: rarely, rows: fc.constantFrom(1, 1, 2, 13, 65) }, 6),
  of<Stmt>('call', { how, to: fc.nat(3), flag: fc.option(fc.boolean()) }, 7),
  of<Stmt>('read', {}),
];
const chancy = [
  of<Stmt>('find', { how, hits: fc.boolean() }, 2),
  of<Stmt>('fail', { how, when: fc.option(condition) }),
  of<Stmt>('leave', { how: fc.constantFrom('return', 'break', 'continue'), when: fc.option(condition) }),
];

/** `calm` ones do the same whatever is in the tables. */
function statement(depth: number, calm: boolean): Arbitrary<Stmt> {
  const leaves = fc.oneof(...plain, ...(calm ? [] : chancy));
  if (depth === 0) return leaves;
  const body = list(depth - 1, calm);
  const perhaps = fc.option(body, { freq: 2 });
  return fc.oneof(
    { weight: 6, arbitrary: leaves },
    of<Stmt>('scope', { how, body }, 6),
    of<Stmt>('savepoint', { how, ends: fc.constantFrom('release', 'back', 'both', 'nothing'), body }),
    of<Stmt>('loop', { how, times, body }, 4),
    of<Stmt>('local', { how, times: fc.constantFrom(1, 1, 2), body }, 2),
    ...(calm
      ? []
      : [
          of<Stmt>('if', { when: condition, then: body, else: perhaps }, 2),
          of<Stmt>('try', { catches: fc.nat(5), body, handler: body, else: perhaps, finally: perhaps }, 2),
        ]),
  );
}

const list = (depth: number, calm: boolean) =>
  fc.array(statement(depth, calm), { minLength: 1, maxLength: 3, size: 'max' });
const whole = (calm: boolean): Arbitrary<Application> =>
  fc.record({
    routines: fc.array(fc.record({ how, flag: fc.boolean(), body: list(3, calm) }), {
      maxLength: 4,
      size: 'max',
    }),
    run: list(3, calm),
  });

export const application = fc.oneof(whole(false), whole(true));
