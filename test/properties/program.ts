// Random programs of routines, triggers and a script, as trees that can be shrunk. Not their SQL, and not what they should do.
import fc, { type Arbitrary } from 'fast-check';
import { ANYWHERE } from './shapes.ts';

/** What runs a function without naming it, or names one that does not run: the objects of `TABLES`, and MERGE. */
export const WAYS = [
  'defaulted', 'checked', 'computed', 'domained', 'parted', 'through', 'ruled', 'merged', 'listed', 'strict', 'commented',
] as const; // biome-ignore format: one line

/** How many rows a statement has; `where` may match none. */
export type Rows = { how: 'values' | 'select' | 'table'; n: number };

export type Stmt =
  | { k: 'write' }
  | { k: 'insert'; table: number; view: boolean; rows: Rows }
  | { k: 'update'; table: number; view: boolean; which: 'one' | 'all' | 'none'; column: 'n' | 'm' }
  | { k: 'delete'; table: number; view: boolean; which: 'one' | 'all' | 'none' }
  | { k: 'upsert'; into: 'acc' | 0 | 1; does: 'nothing' | 'update'; hits: boolean; where: boolean }
  | { k: 'into'; what: (typeof WAYS)[number]; rows: Rows }
  | { k: 'shape'; of: keyof typeof ANYWHERE; which: number; n: number }
  | { k: 'read' }
  | { k: 'execute' }
  | { k: 'lock'; strength: 'KEY SHARE' | 'SHARE' | 'NO KEY UPDATE' | 'UPDATE' }
  | { k: 'change'; how: 'update' | 'delete' }
  | { k: 'child' }
  | { k: 'block'; body: Stmt[]; catches: string; handler: Stmt[] | 'rethrow' }
  | { k: 'labelled'; body: Stmt[] }
  | { k: 'loop'; how: 'for' | 'while' | 'query' | 'table' | 'foreach' | 'exit when' | 'cursor' | 'dynamic'; times: number; body: Stmt[] }
  | { k: 'if'; when: string; then: Stmt[]; else: Stmt[] | null }
  | { k: 'fail'; how: 'raise' | 'divide' | 'duplicate' }
  | { k: 'leave'; how: 'exit' | 'continue' | 'return'; when: string | null; out: number }
  | { k: 'call'; to: number; how: 'perform' | 'assign' | 'rows' | 'table'; n: number }
  | { k: 'commit'; rollback: boolean }; // biome-ignore format: one a line

export interface Routine {
  /** One in Python is one in PL/pgSQL where the server has no Python. */
  kind: 'function' | 'procedure' | 'sql' | 'python';
  /** It calls itself so many times. */
  recursion: number;
  body: Stmt[];
}

export interface Trigger {
  table: number;
  /** INSTEAD OF is of the view of that table. */
  timing: 'BEFORE' | 'AFTER' | 'INSTEAD OF';
  each: 'ROW' | 'STATEMENT';
  verbs: ('INSERT' | 'UPDATE' | 'DELETE')[];
  when: string | null;
  /** UPDATE OF. */
  column: 'n' | 'm' | null;
  deferred: boolean;
  /** It asks pg_trigger_depth() first. */
  outermost: boolean;
  /** A statement's goes over what it calls its rows. */
  over: boolean;
  skips: boolean;
  body: Stmt[];
}

export type Item =
  | { k: 'savepoint' | 'release' | 'rollback to'; name: string }
  | { k: 'do'; body: Stmt[] }
  | { k: 'plain'; stmt: Stmt }
  | { k: 'prepared'; stmt: Stmt; times: number }
  | { k: 'fetched'; some: number; more: number | null; sorted: boolean }
  | { k: 'error' };

export interface Transaction {
  how: 'block' | 'alone';
  items: Item[];
}

export interface Program {
  routines: Routine[];
  triggers: Trigger[];
  script: Transaction[];
}

const TIMES = [0, 1, 2, 3, 5, 8, 13, 21, 33, 63, 64, 65, 65, 70, 70];
const times = fc.constantFrom(...TIMES);
const CONDITIONS = ['true', 'false', 'c % 2 = 0', 'c > 2', 'c = 1', '(SELECT count(*) FROM log) % 3 = 0'];
const condition = fc.constantFrom(...CONDITIONS);
const which = fc.constantFrom('one', 'all', 'none') as Arbitrary<'one' | 'all' | 'none'>;
const column = fc.constantFrom('n', 'm') as Arbitrary<'n' | 'm'>;
const rows: Arbitrary<Rows> = fc.record({
  how: fc.constantFrom('values', 'select', 'table'),
  n: fc.constantFrom(1, 1, 1, 2, 3, 13, 64, 70),
});
const table = fc.nat(1);
const seldom = fc.integer({ min: 0, max: 5 }).map((n) => n === 0);
const view = seldom;

const leaf: Arbitrary<Stmt> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Stmt>({ k: 'write' }) },
  { weight: 4, arbitrary: fc.record({ k: fc.constant('insert' as const), table, view, rows }) },
  { weight: 2, arbitrary: fc.record({ k: fc.constant('update' as const), table, view, which, column }) },
  { weight: 1, arbitrary: fc.record({ k: fc.constant('delete' as const), table, view, which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      k: fc.constant('upsert' as const),
      into: fc.constantFrom('acc' as const, 0 as const, 1 as const),
      does: fc.constantFrom('nothing' as const, 'update' as const, 'update' as const),
      hits: fc.boolean(),
      where: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    }),
  },
  { weight: 3, arbitrary: fc.record({ k: fc.constant('into' as const), what: fc.constantFrom(...WAYS), rows }) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom('asked' as const, 'whole' as const, 'coded' as const, 'coded' as const)
      .chain((of) =>
        fc.record({
          k: fc.constant('shape' as const),
          of: fc.constant(of),
          which: fc.nat(ANYWHERE[of].length - 1),
          n: fc.constantFrom(1, 2, 3, 13, 64, 70),
        }),
      ),
  },
  { weight: 2, arbitrary: fc.constant<Stmt>({ k: 'read' }) },
  { weight: 1, arbitrary: fc.constant<Stmt>({ k: 'execute' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      k: fc.constant('lock' as const),
      strength: fc.constantFrom('KEY SHARE', 'SHARE', 'NO KEY UPDATE', 'UPDATE'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ k: fc.constant('change' as const), how: fc.constantFrom('update', 'delete') }) },
  { weight: 1, arbitrary: fc.constant<Stmt>({ k: 'child' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      k: fc.constant('call' as const),
      to: fc.nat(3),
      how: fc.constantFrom('perform', 'perform', 'assign', 'rows', 'table'),
      n: fc.constantFrom(1, 2, 5, 13, 33, 65),
    }),
  },
  { weight: 1, arbitrary: fc.record({ k: fc.constant('fail' as const), how: fc.constantFrom('raise', 'divide', 'duplicate') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      k: fc.constant('leave' as const),
      how: fc.constantFrom('exit', 'continue', 'return'),
      when: fc.option(condition),
      out: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ k: fc.constant('commit' as const), rollback: fc.boolean() }) },
) as Arbitrary<Stmt>; // biome-ignore format: one a line

function statement(depth: number): Arbitrary<Stmt> {
  if (depth === 0) return leaf;
  const body = list(depth - 1);
  return fc.oneof(
    { weight: 8, arbitrary: leaf },
    {
      weight: 5,
      arbitrary: fc.record({
        k: fc.constant('block' as const),
        body,
        catches: fc.constantFrom('OTHERS', 'OTHERS', 'division_by_zero', 'raise_exception', 'unique_violation'),
        handler: fc.oneof(fc.constant<Stmt[]>([]), body, fc.constant('rethrow' as const)),
      }),
    },
    { weight: 1, arbitrary: fc.record({ k: fc.constant('labelled' as const), body }) },
    {
      weight: 4,
      arbitrary: fc.record({
        k: fc.constant('loop' as const),
        how: fc.constantFrom('for', 'for', 'while', 'query', 'table', 'foreach', 'exit when', 'cursor', 'dynamic'),
        times,
        body,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ k: fc.constant('if' as const), when: condition, then: body, else: fc.option(body) }),
    },
  ) as Arbitrary<Stmt>; // biome-ignore format: one a line
}

const list = (depth: number) => fc.array(statement(depth), { minLength: 1, maxLength: 3, size: 'max' });

const routine: Arbitrary<Routine> = fc.record({
  kind: fc.constantFrom('function', 'function', 'function', 'procedure', 'sql', 'python'),
  recursion: fc.constantFrom(0, 0, 0, 0, 1, 2, 5, 20, 70),
  body: list(3),
});

const trigger: Arbitrary<Trigger> = fc.record({
  table,
  timing: fc.constantFrom('BEFORE', 'AFTER', 'AFTER', 'AFTER', 'INSTEAD OF'),
  each: fc.constantFrom('ROW', 'ROW', 'STATEMENT'),
  verbs: fc.subarray(['INSERT', 'UPDATE', 'DELETE'] as const, { minLength: 1 }),
  when: fc.option(fc.constantFrom('true', 'false', 'NEW.n > 3', 'pg_trigger_depth() < 1'), { freq: 2 }),
  column: fc.option(column),
  deferred: fc.boolean(),
  outermost: seldom,
  over: fc.boolean(),
  skips: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
  body: list(2),
}) as Arbitrary<Trigger>;

const name = fc.constantFrom('a', 'b', 'c');
const item: Arbitrary<Item> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ k: fc.constant('savepoint' as const), name }) },
  { weight: 2, arbitrary: fc.record({ k: fc.constant('release' as const), name }) },
  { weight: 2, arbitrary: fc.record({ k: fc.constant('rollback to' as const), name }) },
  { weight: 5, arbitrary: fc.record({ k: fc.constant('plain' as const), stmt: leaf }) },
  { weight: 3, arbitrary: fc.record({ k: fc.constant('do' as const), body: list(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      k: fc.constant('prepared' as const),
      stmt: leaf,
      times: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      k: fc.constant('fetched' as const),
      some: fc.constantFrom(1, 5, 33, 64),
      more: fc.option(fc.constantFrom(1, 3, 40)),
      sorted: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Item>({ k: 'error' }) },
);

export const program: Arbitrary<Program> = fc.record({
  routines: fc.array(routine, { maxLength: 3, size: 'max' }),
  triggers: fc.array(trigger, { maxLength: 2, size: 'max' }),
  script: fc.array(
    fc.record({
      how: fc.constantFrom('block', 'block', 'alone'),
      items: fc.array(item, { minLength: 1, maxLength: 7, size: 'max' }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
