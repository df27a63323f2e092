// Flat control, error paths, ends, the 65th, COMMIT in the wrong place: on units written by hand.
import { expect, test } from 'vitest';
import type { Exit, Given, Routine, Scope, Step, Unit } from '../src/ir.ts';
import { createLinker, link } from '../src/linker/link.ts';
import {
  atomic, attempt, block, branch, call, exit, flat, loop, read, release, rollbackTo, routine, savepoint, script, trigger, unit, wait, write, yields,
} from './linker-build.ts'; // biome-ignore format: one list

const sql = (parts: Partial<Unit>) => link([unit('a.sql', parts)]);
const tx = (...body: Step[]) => [flat('begin'), ...body, flat('commit')];
const run = (...body: Step[]) => sql({ routines: [script('sql:"a.sql"', body)] });
const ends = (...body: Step[]) => run(...body).subtransactions.map((one) => one.ends);

test('how a savepoint ends', () => {
  expect(ends(...tx(savepoint('a'), write('sql:t'), release('a')))).toEqual(['released']);
  expect(ends(...tx(savepoint('a'), write('sql:t')))).toEqual(['left open']);
  expect(ends(...tx(savepoint('a'), write('sql:t'), rollbackTo('a')))).toEqual(['rolled back']);
  expect(ends(...tx(savepoint('a'), write('sql:t'), rollbackTo('a'), release('a')))).toEqual(['released']);
  // An outer name ends the inner ones; the same name hides the outer one.
  expect(ends(...tx(savepoint('a'), savepoint('b'), release('a')))).toEqual(['released', 'released']);
  expect(ends(...tx(savepoint('a'), savepoint('a'), release('a')))).toEqual(['left open', 'released']);
  expect(ends(...tx(savepoint('a'), branch([release('a')])))).toEqual(['left open']);
});

test('released on success and not on the error path', () => {
  const careless = run(...tx(attempt([savepoint('a'), write('sql:t'), release('a')], [])));
  expect(careless.subtransactions[0]!.ends).toBe('left open');
  expect(careless.subtransactions[0]!.leak?.says).toContain('stays open');
  const careful = run(
    ...tx(attempt([savepoint('a'), write('sql:t'), release('a')], [rollbackTo('a'), release('a')])),
  );
  expect(careful.subtransactions[0]).toMatchObject({ ends: 'released', leak: undefined });
  const rethrows = run(...tx(attempt([savepoint('a'), write('sql:t'), release('a')], [exit('raise')])));
  expect(rethrows.subtransactions[0]!.leak).toBeUndefined();
  const finallyReleases = run(...tx(savepoint('a'), attempt([write('sql:t')], [], [release('a')])));
  expect(finallyReleases.subtransactions[0]).toMatchObject({ ends: 'released', leak: undefined });
});

test('what a try leaves open is no pile, what a turn leaves is one', () => {
  const body = () => [attempt([atomic([write('sql:t')], { releases: 'on success' })], [])];
  const depths = (over: 'retry' | 'items') =>
    link([
      unit('a.py', { routines: [script('python:a', [atomic([loop(body(), { over })])])] }),
    ]).subtransactions[0]!.visits.map(({ context }) => context.depth);
  expect(depths('retry')).toEqual([0]);
  // Three of one place are told apart: a wrapper may stand within itself.
  expect(depths('items')).toEqual([0, 1, 2]);
});

test('a wrapper opens for its caller', () => {
  const open = routine('python:db.open', [savepoint('s')]);
  const close = routine('python:db.close', [release('s')]);
  const used = (...body: Step[]) =>
    link([unit('db.py', { routines: [open, close, script('python:job', tx(...body))] })]).subtransactions[0]!;
  const turn = [call('python:db.open'), write('sql:t'), call('python:db.close')];
  expect(used(...turn)).toMatchObject({ ends: 'released', effects: { writes: 'yes' } });
  expect(used(call('python:db.open'), write('sql:t'))).toMatchObject({ ends: 'left open' });
  expect(used(loop(turn)).visits[0]!.context).toMatchObject({
    repeatedBy: 'loop',
    inTransaction: 'yes',
    depth: 0,
  });
  // Whoever calls it elsewhere may write.
  const alone = link([unit('db.py', { routines: [open] })]).subtransactions[0]!;
  expect(alone.effects.writes).toBe('unknown');
  // Those of earlier turns are still open.
  const piled = used(loop([call('python:db.open'), write('sql:t')]));
  expect(piled.ends).toBe('left open');
  expect(piled.visits[0]!.context.depth).toBeGreaterThan(0);
});

test('control flow decides what is open', () => {
  expect(ends(...tx(loop([savepoint('a'), branch([exit('break')]), release('a')])))).toEqual(['left open']);
  expect(ends(...tx(loop([savepoint('a'), branch([release('a'), exit('continue')]), release('a')])))).toEqual(
    ['released'],
  );
  const early = routine(
    'sql:p',
    [loop([block([write('sql:t')]), branch([flat('commit'), exit('continue')]), flat('commit')])],
    { kind: 'procedure' },
  );
  expect(sql({ routines: [early] }).subtransactions[0]!.visits.map((v) => v.context.repeatedBy)).toEqual([
    null,
  ]);
  const chained = [
    loop([savepoint('a'), write('sql:t'), release('a'), { ...flat('commit'), chain: true } as Step]),
  ];
  expect(run(flat('begin'), ...chained).subtransactions[0]!.visits.map((v) => v.context.repeatedBy)).toEqual([
    null,
  ]);
});

test('the 65th, and what has no bound', () => {
  const counts = (...body: Step[]) => run(...body).transactions.map((one) => one.counts);
  const one = () => [savepoint('a'), write('sql:t'), release('a')];
  expect(counts(...tx(...one(), ...one()))).toEqual([2]);
  expect(counts(...tx(savepoint('a'), savepoint('b'), write('sql:t')))).toEqual([2]);
  expect(counts(...tx(savepoint('a'), write('sql:t'), rollbackTo('a')))).toEqual([1]);
  expect(counts(...tx(savepoint('a'), write('sql:t'), rollbackTo('a'), release('a'), ...one()))).toEqual([1]);
  expect(counts(...tx(loop(one(), { times: 40 })))).toEqual([40]);
  expect(counts(...tx(loop(one())))).toEqual([Infinity]);
  expect(counts(...tx(branch(one(), [...one(), ...one()])))).toEqual([2]);
  expect(counts(...tx(...one()), ...tx(...one()))).toEqual([1, 1]);
  // What leaves before the COMMIT has taken its places in what that would end.
  const leaving = loop([loop(one(), { times: 65 }), exit('return')], { times: 1 });
  const undone = [flat('rollback'), exit('raise')];
  expect(counts(flat('begin'), attempt([...one(), leaving, flat('commit')], undone))).toEqual([66]);
  const many = run(...tx(loop([loop(one(), { times: 9 })], { times: 8 }), savepoint('last'), write('sql:t')));
  expect(many.transactions[0]!.counts).toBe(73);
  expect(many.transactions[0]!.overflow).toMatchObject({
    unbounded: false,
    at: { says: 'SAVEPOINT a in a.sql' },
  });
  expect(run(...tx(loop(one()))).transactions[0]!.overflow).toMatchObject({
    unbounded: true,
    at: { says: 'a.sql loops over rows' },
  });
  // The loop is not to blame where calls have added up before it.
  const added = run(...tx(...Array.from({ length: 65 }, one).flat(), loop(one())));
  expect(added.transactions[0]).toMatchObject({ counts: Infinity, overflow: { unbounded: false } });
});

test('a recursion has no bound, mutual or not; how deep it goes nobody knows before', () => {
  const f = routine('sql:f', [block([write('sql:t')]), call('sql:g')]);
  const told = (...g: Step[]) =>
    sql({
      routines: [f, routine('sql:g', g), script('sql:"a.sql"', [call('sql:f')])],
    }).transactions.map(({ counts, certainty }) => [counts, certainty]);
  expect(told(call('sql:f'))).toEqual([[Infinity, 'possible']]);
  // The loop alone has no bound.
  expect(told(loop([call('sql:f')]))).toEqual([[Infinity, 'certain']]);
  expect(told(loop([block([write('sql:t')])]), call('sql:f'))).toEqual([[Infinity, 'certain']]);
});

test('a program that calls itself has no bound where a loop repeats that; what it leaves in a queue repeats nothing', () => {
  const told = (again: Step) => {
    const f = routine('python:f', [
      atomic([write('sql:t'), branch([call('python:f')])], { opens: 'transaction' }),
      loop([again]),
    ]);
    return link([unit('a.py', { language: 'python', routines: [f] })]).transactions[0]!.counts;
  };
  expect(told(call('python:f'))).toBe(Infinity);
  expect(told({ ...call('python:f'), elsewhere: true } as Step)).toBeLessThan(64);
});

test('what routines come to that reach each other does not depend on who was asked first', () => {
  const units = (first: Step[], start: Step[]) => {
    const log = routine('sql:log_it', [...first, write('sql:audit'), flat('commit')]);
    const pay = routine('sql:pay', [block([write('sql:accounts', { verb: 'update' }), call('sql:log_it')])]);
    return [unit('a.sql', { routines: [log, pay, script('sql:"a.sql"', start)] })];
  };
  const edited = createLinker();
  edited(units([], [call('sql:pay')]));
  const later = units([call('sql:pay')], [flat('begin')]);
  const counts = edited(later).transactions.map((one) => one.counts);
  expect(counts).toEqual([Infinity]);
  expect(link(later).transactions.map((one) => one.counts)).toEqual(counts);
});

test('what makes the row that a query found missing runs once, and what makes another one does not', () => {
  const missing = (body: Step[]): Step => ({
    ...branch(),
    kind: 'block',
    once: 'ever',
    makes: 'sql:kinds',
    body,
  });
  const make = routine('sql:make', [block([call('sql:fill')])]);
  const start = script('sql:"b.sql"', tx(loop([missing([call('sql:make')])])));
  const calling = unit('b.sql', { routines: [make, start] });
  const units = (makes: Step[]) => [unit('a.sql', { routines: [routine('sql:fill', makes)] }), calling];
  const kind = write('sql:kinds');
  const edited = createLinker();
  const counts = (...makes: Step[]) => {
    const all = [edited(units(makes)), link(units(makes))];
    return all.map(({ transactions, subtransactions }) => [
      transactions[0]!.counts,
      subtransactions[0]!.visits[0]!.context.repeatedBy,
    ]);
  };
  const once = [1, null];
  const often = [Infinity, 'loop'];
  expect(counts(kind)).toEqual([once, once]);
  expect(counts(write('sql:others'))).toEqual([often, often]);
  expect(counts(write('sql:kinds', { verb: 'update' }))).toEqual([often, often]);
  expect(counts(kind)).toEqual([once, once]);
});

test('a trigger adds to the transaction of the statement', () => {
  const audit = routine('sql:audit', [block([write('sql:log')])]);
  const made = (rows: 'one' | 'many') =>
    sql({
      triggers: [trigger('z', 'sql:o', 'sql:audit')],
      routines: [audit, script('sql:"a.sql"', tx(write('sql:o', { rows }), write('sql:o')))],
    }).transactions[0];
  expect(made('one')!.counts).toBe(2);
  expect(made('many')).toMatchObject({
    counts: Infinity,
    overflow: { unbounded: true, at: { says: 'the row trigger z fires on o' } },
  });
});

test('a block counts at least as often as its callee surely runs it', () => {
  const least = (...callee: Step[]) =>
    sql({
      routines: [
        routine('sql:f', callee),
        script('sql:"a.sql"', tx(call('sql:f', { block: [block([write('sql:t')])] }))),
      ],
    }).transactions.map((one) => [one.least, one.counts]);
  expect(least(yields())).toEqual([[1, 1]]);
  expect(least(yields(), yields())).toEqual([[2, 2]]);
  expect(least(loop([yields()]))).toEqual([[0, Infinity]]);
  expect(least(branch([yields()]))).toEqual([[0, 1]]);
  expect(least({ ...branch([yields()], [yields(), yields()]), exhaustive: true } as Step)).toEqual([[1, 2]]);
  // Nobody sees it run.
  expect(least()).toEqual([[0, 1]]);
});

test('what leaves a loop out of the block of a callee leaves what stands behind it in the turn as well', () => {
  const least = (how: Partial<Exit>) =>
    sql({
      routines: [
        routine('sql:f', [yields()]),
        script(
          'sql:"a.sql"',
          tx(
            loop(
              [call('sql:f', { block: [{ ...exit('break'), ...how } as Step] }), block([write('sql:t')])],
              {
                times: 3,
              },
            ),
          ),
        ),
      ],
    }).transactions.map((one) => [one.least, one.counts]);
  expect(least({ leaves: 'loop', out: true })).toEqual([[0, 1]]);
  expect(least({ how: 'continue', out: true })).toEqual([[0, 3]]);
  // As Ruby means it, it ends the callee.
  expect(least({})).toEqual([[3, 3]]);
});

test('an INSERT of a row surely runs its trigger, an UPDATE may find no row', () => {
  const least = (verb: 'insert' | 'update', each: 'row' | 'statement' = 'row') =>
    sql({
      triggers: [trigger('z', 'sql:t', 'sql:f', { each })],
      routines: [
        routine('sql:f', [block([write('sql:log')])]),
        script('sql:"a.sql"', tx(write('sql:t', { verb }))),
      ],
    }).transactions.map((one) => [one.least, one.counts]);
  expect(least('insert')).toEqual([[1, 1]]);
  expect(least('update')).toEqual([[0, 1]]);
  expect(least('update', 'statement')).toEqual([[1, 1]]);
});

test('what it waits for after it wrote', () => {
  const waits = (...body: Step[]) => run(...tx(...body)).transactions.flatMap((one) => one.waits.length);
  const sub = () => atomic([write('sql:t')]);
  expect(waits(sub(), wait())).toEqual([1]);
  expect(waits(wait(), sub())).toEqual([0]);
  expect(waits(loop([wait(), sub()]))).toEqual([1]);
  expect(waits(atomic([write('sql:t'), wait()]))).toEqual([1]);
});

test('how surely it waits, once it wrote', () => {
  const sub = () => atomic([write('sql:t')]);
  const sure = (...body: Step[]) =>
    run(...tx(...body)).transactions.flatMap(({ waits }) => waits.map(({ certainty }) => certainty));
  expect(sure(sub(), wait())).toEqual(['certain']);
  expect(sure(sub(), branch([wait()]))).toEqual(['likely']);
  expect(sure(branch([sub(), wait()]))).toEqual(['certain']);
  const asks = routine('sql:ask', [branch([exit('return')]), wait()]);
  const among = (...body: Step[]) =>
    sql({ routines: [asks, script('sql:"a.sql"', tx(...body))] }).transactions[0]!.waits;
  expect(among(sub(), call('sql:ask'))).toMatchObject([{ certainty: 'likely' }]);
  expect(among(sub(), call('sql:ask', { certainty: 'possible' }))).toMatchObject([{ certainty: 'possible' }]);
});

test('the way to a wait begins at the transaction and passes the subtransaction', () => {
  const frames = (...routines: Routine[]) =>
    link([unit('a.py', { routines })]).transactions.flatMap(({ waits }) =>
      waits.map(({ witness }) => witness.map(({ says }) => says)),
    );
  const pays = routine('python:pay', [atomic([write('sql:t')])]);
  const asks = routine('python:ask', [wait()]);
  const both = routine('python:both', [call('python:pay'), call('python:ask')]);
  expect(frames(script('python:a', [atomic([call('python:both')])]), both, pays, asks)).toEqual([
    [
      'a.py begins a transaction',
      'a.py calls both()',
      'both() calls pay()',
      'atomic() in pay()',
      'both() calls ask()',
      'ask() waits for the network',
    ],
  ]);
});

test('COMMIT inside a block, also through a procedure, and hidden or not', () => {
  const commits = routine('sql:p', [flat('commit')], { kind: 'procedure' });
  const over = (...body: Step[]) =>
    sql({ routines: [commits, routine('sql:q', body, { kind: 'procedure' })] }).terminations;
  const handled = (body: Step[]) => [{ at: { start: 0, end: 1 }, catches: ['others'], body }];
  expect(over(block([flat('commit')]))).toMatchObject([{ silent: true, says: 'COMMIT in q()' }]);
  expect(over(block([call('sql:p')]))).toMatchObject([{ silent: true, says: 'COMMIT in p()' }]);
  expect(over(block([call('sql:p')], { handlers: handled([exit('raise')]) }))).toMatchObject([
    { silent: false },
  ]);
  expect(over(block([write('sql:t')], { handlers: handled([flat('commit')]) }))).toEqual([]);
  expect(over(loop([block([write('sql:t')]), flat('commit')]))).toEqual([]);
});

test('connections are apart', () => {
  const other = { on: 'replica' };
  const job = (body: Step[]) =>
    link([
      unit('a.py', {
        routines: [routine('python:job', [atomic(body)], { entry: 'job', startsIn: 'autocommit' })],
      }),
    ]);
  expect(job([loop([atomic([write('sql:t')], other)])]).subtransactions).toEqual([]);
  expect(job([loop([atomic([write('sql:t')])])]).subtransactions[0]!.visits[0]!.context.repeatedBy).toBe(
    'loop',
  );
  expect(job([loop([atomic([write('sql:t')], { whenNested: 'separate' })])]).subtransactions).toEqual([]);
  expect(job([loop([atomic([write('sql:t')], { whenNested: 'join' })])]).subtransactions).toEqual([]);
  // What cannot be joined is nested.
  const nested = atomic([loop([atomic([write('sql:t')], { whenNested: 'join' })])], { joinable: false });
  expect(link([unit('a.py', { routines: [script('python:job', [nested])] })]).subtransactions).toHaveLength(
    1,
  );
});

test('a savepoint that a transaction which joins leaves open is open after it', () => {
  const left = [savepoint('a'), write('sql:t'), rollbackTo('a')];
  const joins = atomic(left, { whenNested: 'join' });
  const job = (...body: Step[]) => {
    const routines = [script('python:job', [atomic([...body, block([write('sql:t')])])])];
    return link([unit('a.py', { routines })]).transactions[0]!.counts;
  };
  expect([job(...left), job(joins), job(joins, release('a'))]).toEqual([2, 2, 1]);
});

test('what nobody knows of an argument stays unknown where it is handed on', () => {
  const flags = [{ name: 'nested', position: 0, value: false, otherwise: false }];
  const arm = (whenNested: Scope['whenNested']) => [atomic([write('sql:t')], { whenNested })];
  const arms = [arm('savepoint'), arm('separate')];
  const saves: Step = { kind: 'branch', at: { start: 0, end: 1 }, arms, exhaustive: true, when: { parameter: 'nested', is: 'true' } }; // biome-ignore format: one step
  const hands = (given: Given) => call('jvm:save', { args: 1, given: { 0: given } });
  const counts = (given: Given) => {
    const between = script('jvm:between', [hands({ parameter: 'nested' })]);
    const routines = [
      script('jvm:save', [saves]),
      between,
      script('jvm:main', [atomic([call('jvm:between', { args: 1, given: { 0: given } })])]),
    ].map((one) => (one.name === 'jvm:main' ? one : { ...one, flags }));
    const { transactions } = link([unit('A.java', { routines })]);
    return transactions.find(({ routine }) => routine === 'jvm:main')?.counts;
  };
  expect([counts(true), counts(false), counts('unknown')]).toEqual([1, undefined, 1]);
});

test('deep nesting ends quietly', () => {
  let deep: Step[] = [write('sql:t')];
  for (let i = 0; i < 10_000; i++) deep = [i % 2 ? loop(deep) : block(deep)];
  expect(run(...deep).subtransactions.length).toBeGreaterThan(0);
  let open: Step[] = [yields()];
  for (let i = 0; i < 300; i++) open = [loop([savepoint(`s${i}`), ...open])];
  expect(run(...open).subtransactions.length).toBeGreaterThan(0);
});

test('what leaves the loop runs once', () => {
  const by = (...body: Step[]) => {
    const { subtransactions, transactions } = sql({ routines: [routine('sql:f', body)] });
    return [subtransactions[0]!.visits[0]!.context.repeatedBy, transactions[0]!.counts];
  };
  const sub = (...more: Step[]) => block([write('sql:t'), ...more]);
  expect(by(loop([sub()]))).toEqual(['loop', Infinity]);
  expect(by(loop([branch([sub(), exit('return')])]))).toEqual([null, 1]);
  expect(by(loop([branch([sub(), exit('break')])]))).toEqual([null, 1]);
  expect(by(loop([loop([branch([sub(), exit('break')])])]))).toEqual(['loop', Infinity]);
  expect(by(loop([loop([branch([sub(), exit('return')])])]))).toEqual([null, 1]);
  expect(by(loop([branch([sub(), exit('continue')])]))).toEqual(['loop', Infinity]);
  // Tries until it succeeds: what fails does not count.
  expect(by(loop([sub(exit('return'))]))).toEqual([null, 1]);
  expect(by(loop([branch([sub(), exit('raise')])]))).toEqual([null, 1]);
  expect(by(loop([attempt([branch([sub(), exit('raise')])], [])]))).toEqual(['loop', Infinity]);
});

test('where nothing is open, a turn of a loop that may end a transaction leaves nothing open for whoever rescues it', () => {
  const handled = (...ends: Step[]) => {
    const turns = loop([read('sql:t'), branch([write('sql:t'), ...ends])]);
    const { subtransactions } = run(loop([attempt([turns], [block([write('sql:t')])])]));
    return subtransactions[0]!.visits.some(({ context }) => context.inTransaction === 'yes');
  };
  expect(handled(flat('commit'))).toBe(false);
  expect(handled(flat('begin'))).toBe(true);
});

test('who handles an error farther out does so after what stands in finally', () => {
  const inner = attempt([write('sql:t')], [], [release('a')]) as Extract<Step, { kind: 'attempt' }>;
  const handled = run(...tx(attempt([savepoint('a'), { ...inner, handlers: [] }], [])));
  expect(handled.subtransactions[0]).toMatchObject({ ends: 'released', leak: undefined });
});

test('blocks of many routines that call each other are no savepoints to tell apart', () => {
  const names = Array.from({ length: 16 }, (_, i) => `sql:f${i}` as const);
  const handlers = () => [{ at: { start: 0, end: 1 }, catches: ['others'], body: [flat('rollback')] }];
  const body = () => [write('sql:t'), ...names.map((other) => call(other))];
  const routines = names.map((name) => routine(name, [block(body(), { handlers: handlers() })]));
  const { subtransactions, terminations } = sql({ routines });
  expect(subtransactions).toHaveLength(names.length);
  expect(terminations).toHaveLength(names.length);
}, 20_000);

test('savepoints of many routines that call each other are told apart up to a bound', () => {
  const names = Array.from({ length: 12 }, (_, i) => `python:m.f${i}` as const);
  const body = (i: number) => [
    savepoint(`s${i}`),
    write('sql:t'),
    ...names.map((other) => branch([call(other)])),
    release(`s${i}`),
  ];
  const { subtransactions } = sql({ routines: names.map((name, i) => routine(name, body(i))) });
  expect(subtransactions.map(({ ends }) => ends)).toEqual(names.map(() => 'released'));
}, 20_000);
