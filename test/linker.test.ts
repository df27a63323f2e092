// What the linker makes of units written by hand: contexts, triggers, names, effects.
import { expect, test } from 'vitest';
import { analyse, check } from '../src/analyse.ts';
import type { Routine, Step, Trigger, Unit } from '../src/ir.ts';
import { link } from '../src/linker/link.ts';
import {
  atomic, attempt, block, branch, call, exit, flat, lock, loop, perRow, routine, script, trigger, unit, wait, write, yields,
} from './linker-build.ts'; // biome-ignore format: one list

/** Rules that fire, with the certainty where it is not full. */
const found = (...units: Unit[]) =>
  check(link(units), ['subtransaction-in-loop', 'subtransaction-per-row'], true).map(
    ({ rule, certainty }) => rule + (certainty === 'certain' ? '' : ` (${certainty})`),
  );
const traces = (...units: Unit[]) =>
  analyse(units).findings.map(({ trace }) => trace.map((frame) => frame.says));
const sql = (parts: Partial<Unit>) => unit('a.sql', parts);
const guarded = routine('sql:guarded', [block([write('sql:t')])]);

test('a block in a loop of a function, its callee, and a query', () => {
  expect(found(sql({ routines: [routine('sql:f', [loop([block([write('sql:t')])])])] }))).toEqual([
    'subtransaction-in-loop',
  ]);
  expect(found(sql({ routines: [guarded, routine('sql:f', [loop([call('sql:guarded')])])] }))).toEqual([
    'subtransaction-in-loop',
  ]);
  expect(found(sql({ routines: [guarded, routine('sql:f', [perRow([call('sql:guarded')])])] }))).toEqual([
    'subtransaction-per-row',
  ]);
  expect(found(sql({ routines: [guarded] }))).toEqual([]);
});

test('without a transaction each statement of a loop is one by itself', () => {
  const body = [loop([call('sql:guarded')])];
  expect(found(sql({ routines: [guarded, script('sql:"a.sql"', body)] }))).toEqual([]);
  expect(
    found(sql({ routines: [guarded, script('sql:"a.sql"', body, { startsIn: 'transaction' })] })),
  ).toEqual(['subtransaction-in-loop']);
  expect(
    found(sql({ routines: [guarded, script('sql:"a.sql"', [flat('begin'), ...body, flat('commit')])] })),
  ).toEqual(['subtransaction-in-loop']);
  expect(found(sql({ routines: [guarded, script('sql:"a.sql"', body, { startsIn: 'unknown' })] }))).toEqual([
    'subtransaction-in-loop (possible)',
  ]);
  expect(found(sql({ routines: [guarded, script('sql:"a.sql"', [perRow([call('sql:guarded')])])] }))).toEqual(
    ['subtransaction-per-row'],
  );
});

test('a transaction that ends in the loop resets the count', () => {
  const turn = [block([write('sql:t')]), flat('commit')];
  expect(found(sql({ routines: [routine('sql:p', [loop(turn)], { kind: 'procedure' })] }))).toEqual([]);
  expect(
    found(
      sql({
        routines: [
          routine('sql:p', [loop([block([write('sql:t')]), branch([flat('commit')])])], {
            kind: 'procedure',
          }),
        ],
      }),
    ),
  ).toEqual(['subtransaction-in-loop (possible)']);
  const outer = routine('python:a.outer', [loop([atomic([call('python:a.inner')])])]);
  const inner = routine('python:a.inner', [atomic([write('sql:t')])]);
  expect(
    found(unit('a.py', { routines: [{ ...outer, startsIn: 'autocommit', entry: 'job' }, inner] })),
  ).toEqual([]);
});

test('what begins a transaction and has no body stands in its place on the way', () => {
  const load = routine('sql:load', [loop([call('sql:guarded')])]);
  const between = [flat('begin'), call('sql:load'), flat('commit')];
  const job = (body: Step[]) => routine('python:a.job', body, { startsIn: 'autocommit', entry: 'job' });
  const told = (body: Step[]) =>
    traces(sql({ routines: [guarded, load] }), unit('a.py', { routines: [job(body)] }))[0];
  const way = ['job() calls load()', 'load() loops over rows', 'load() calls guarded()'];
  expect(told(between)).toEqual(['job() begins a transaction', ...way, 'EXCEPTION block in guarded()']);
  expect(told([loop(between)])).toEqual([
    'job() loops over rows', 'job() begins a transaction', ...way, 'EXCEPTION block in guarded()',
  ]); // biome-ignore format: one way
  expect(told([flat('begin'), flat('commit'), call('sql:load')])).toEqual([
    ...way,
    'EXCEPTION block in guarded()',
  ]);
});

test('a scope is a savepoint only where a transaction is open', () => {
  const save = routine('python:a.save', [atomic([write('sql:t')])]);
  const every = routine('python:a.every', [loop([call('python:a.save')])], {
    startsIn: 'autocommit',
    entry: 'job',
  });
  expect(found(unit('a.py', { routines: [save, every] }))).toEqual([]);
  expect(found(unit('a.py', { routines: [save, { ...every, body: [atomic(every.body)] }] }))).toEqual([
    'subtransaction-in-loop',
  ]);
  expect(found(unit('a.py', { routines: [save, { ...every, startsIn: 'unknown' }] }))).toEqual([
    'subtransaction-in-loop (possible)',
  ]);
});

test('an upsert fires surely what it fires for new rows and old ones', () => {
  const audit = routine('sql:audit', [block([write('sql:log')])]);
  const upsert = (more: object, on: Partial<Trigger>) => {
    const triggers = [trigger('audit_order', 'sql:orders', 'sql:audit', on)];
    const step = write('sql:orders', { rows: 'many', times: 100, ...more });
    return found(sql({ routines: [audit, script('sql:"a.sql"', [step])], triggers }));
  };
  const [sure, likely] = [['subtransaction-per-row'], ['subtransaction-per-row (likely)']];
  const [inserts, changes]: Partial<Trigger>[] = [{ verbs: ['insert'] }, { verbs: ['insert', 'update'] }];
  expect(upsert({ onConflict: 'nothing' }, inserts!)).toEqual(likely);
  expect(upsert({ onConflict: 'update' }, inserts!)).toEqual(likely);
  expect(upsert({ onConflict: 'nothing' }, { ...inserts, timing: 'before' })).toEqual(sure);
  expect(upsert({ onConflict: 'update' }, changes!)).toEqual(sure);
  expect(upsert({ onConflict: 'update', atMost: true }, changes!)).toEqual(likely);
  expect(upsert({ onConflict: 'nothing' }, changes!)).toEqual(likely);
});

test('row triggers carry the number of rows along', () => {
  const audit = routine('sql:audit', [block([write('sql:log')])]);
  const triggers = [trigger('audit_order', 'sql:orders', 'sql:audit')];
  const program = (rows: 'one' | 'many' | 'unknown', more: object = {}) =>
    sql({
      routines: [audit, script('sql:"a.sql"', [write('sql:public.orders', { rows })])],
      triggers: [{ ...triggers[0]!, ...more }],
    });
  expect(found(program('one'))).toEqual([]);
  expect(found(program('many'))).toEqual(['subtransaction-per-row']);
  expect(found(program('unknown'))).toEqual(['subtransaction-per-row (likely)']);
  expect(found(program('many', { each: 'statement' }))).toEqual([]);
  expect(found(program('many', { disabled: true }))).toEqual([]);
  expect(found(program('many', { conditional: true }))).toEqual(['subtransaction-per-row (likely)']);
  expect(found(sql({ routines: [audit], triggers }))).toEqual(['subtransaction-per-row (likely)']);
  expect(traces(program('many'))).toEqual([
    [
      'a.sql inserts into orders',
      'the row trigger audit_order fires on orders',
      'EXCEPTION block in audit()',
    ],
  ]);
});

test('from a loop in Python through a model to a trigger', () => {
  const app = unit('shop/orders.py', {
    routines: [
      routine('python:shop.orders.place', [
        atomic([
          loop([
            call('python:shop.orders.Order.save', {
              meanings: [{ receiver: 'python:lib.Model', steps: [write('python:shop.orders.Order')] }],
            }),
          ]),
        ]),
      ]),
    ],
    types: [
      {
        name: 'python:shop.orders.Order',
        at: { start: 0, end: 1 },
        bases: ['python:lib.Model'],
        relation: 'sql:shop_order',
      },
    ],
  });
  const schema = sql({
    routines: [
      routine('sql:audit', [call('sql:log_change')]),
      routine('sql:log_change', [block([write('sql:log')])]),
    ],
    triggers: [trigger('audit_order', 'sql:shop_order', 'sql:audit')],
  });
  expect(found(app, schema)).toEqual(['subtransaction-in-loop']);
  expect(traces(app, schema)[0]).toEqual([
    'place() begins a transaction',
    'place() loops over rows',
    'place() inserts into shop_order',
    'the row trigger audit_order fires on shop_order',
    'audit() calls log_change()',
    'EXCEPTION block in log_change()',
  ]);
});

test('a block handed to a wrapper runs where the wrapper yields', () => {
  const wrapper = routine('ruby:Tx.nested', [block([yields()])]);
  const user = routine('ruby:Job#run', [
    atomic([loop([call('ruby:Tx.nested', { block: [write('sql:t')] })])]),
  ]);
  const [only] = link([unit('a.rb', { routines: [wrapper, user] })]).subtransactions;
  expect(only!.effects.writes).toBe('yes');
  expect(found(unit('a.rb', { routines: [wrapper, user] }))).toEqual(['subtransaction-in-loop']);
  const unresolved = routine('ruby:Job#run', [
    atomic([loop([call('ruby:?.each_thing', { block: [block([write('sql:t')])] })])]),
  ]);
  expect(found(unit('a.rb', { routines: [unresolved] }))).toEqual(['subtransaction-in-loop (likely)']);
});

test('what only a handler of WHEN OTHERS writes is written where something fails', () => {
  const catching = (catches: string, ...body: Step[]) =>
    routine('sql:f', [
      block(body, { handlers: [{ at: { start: 0, end: 1 }, catches: [catches], body: [write('sql:t')] }] }),
    ]);
  const writes = (inner: Routine) =>
    link([
      sql({ routines: [inner, routine('sql:g', [loop([block([call('sql:f')])])])] }),
    ]).subtransactions.map(({ effects }) => effects.writes);
  expect(writes(catching('others'))).toEqual(['no', 'unknown']);
  expect(writes(catching('unique_violation'))).toEqual(['no', 'yes']);
  expect(writes(catching('others', exit('raise')))).toEqual(['no', 'yes']);
  expect(writes(catching('others', write('sql:t')))).toEqual(['yes', 'yes']);
});

test('what only runs its block, as an annotation that means nothing here, is no step of the way', () => {
  const plain = routine('jvm:a.Cached', [yields()]);
  const block_ = [loop([block([write('sql:t')])])];
  const user = routine('jvm:a.Job.run', [atomic([call('jvm:a.Cached', { block: block_ })])]);
  const [only] = link([unit('a.kt', { routines: [plain, user] })]).subtransactions;
  expect(only!.visits[0]!.witness.map(({ says }) => says)).toEqual([
    'Job.run() begins a transaction',
    'Job.run() loops over rows',
    'EXCEPTION block in Job.run()',
  ]);
});

test('a wrapper is a step of the way where it does more than run its block, or leads on by itself', () => {
  const ways = (...wrapper: Step[]) => {
    const handed = call('ruby:Log.around', { block: [loop([block([write('sql:t')])])] });
    const routines = [
      routine('ruby:Log.write', [loop([block([write('sql:log')])])]),
      routine('ruby:Log.around', wrapper),
      routine('ruby:Job#run', [atomic([handed])]),
    ];
    const { subtransactions } = link([unit('a.rb', { routines })]);
    const all = subtransactions.flatMap(({ visits }) => visits.map(({ witness }) => witness));
    return all
      .filter(([first]) => first!.says === 'Job#run() begins a transaction')
      .map(([, second]) => second!.says);
  };
  const calls = 'Job#run() calls Log.around()';
  expect(ways(call('ruby:?.start'), attempt([yields()], []))).toEqual(['Job#run() loops over rows']);
  expect(ways(loop([yields()], { over: 'retry' }))).toEqual([calls]);
  expect(ways(block([yields()]))).toEqual([calls, calls]);
  expect(ways(call('ruby:Log.write'), yields()).sort()).toEqual([calls, 'Job#run() loops over rows']);
});

test('what is locked and waited for inside, also by callees', () => {
  const helper = routine('sql:helper', [lock('sql:t'), wait()]);
  const { subtransactions, routine: ask } = link([
    sql({ routines: [helper, routine('sql:f', [block([call('sql:helper')])])] }),
  ]);
  const { locks, waits } = subtransactions[0]!.effects;
  expect([locks.length, waits.length]).toEqual([1, 1]);
  expect(ask('sql:f')!.effects.waits[0]!.step.for).toBe('network');
});
