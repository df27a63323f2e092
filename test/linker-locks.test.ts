// Row locks across subtransactions, and slots: cases that were measured, and random scripts against a small model of the server.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step, Unit } from '../src/ir.ts';
import { link } from '../src/linker/link.ts';
import {
  atomic, attempt, block, branch, call, exit, flat, lock, loop, release, rollbackTo, routine, savepoint, script, trigger, unit, write, yields,
} from './linker-build.ts'; // biome-ignore format: one list

const BEFORE = {
  routines: [routine('sql:z', [])],
  triggers: [trigger('z', 'sql:t', 'sql:z', { timing: 'before', verbs: ['update'] })],
};
const program = (body: Step[], parts: Partial<Unit> = {}) =>
  link([
    unit('a.sql', {
      ...parts,
      routines: [...(parts.routines ?? []), script('sql:"a.sql"', [flat('begin'), ...body, flat('commit')])],
    }),
  ]);
const conflicts = (body: Step[], parts?: Partial<Unit>) =>
  program(body, parts).lockConflicts.map((one) => one.certainty);

const keys = ['id=1'];
const take = (strength = 'update') => lock('sql:t', { strength, keys });
const update = () => write('sql:t', { verb: 'update', keys });
const upsert = () => write('sql:t', { onConflict: 'update', keys });
const sp = (...body: Step[]) => [savepoint('a'), ...body, release('a')];

test('a block that nobody is seen to run is no certain one', () => {
  // Made before they are called, as in a script that runs.
  const handed = (parts: Step[]) => ({ routines: [routine('sql:f', parts)] });
  const [runs, doesNot] = [handed([yields()]), handed([])];
  const steps = [...sp(update()), take()];
  const twice = [call('sql:f', { block: steps }), call('sql:f', { block: steps })];
  expect(conflicts([call('sql:f', { block: steps })], runs)).toEqual([]);
  expect(conflicts(twice, runs)).toEqual(['certain']);
  expect(conflicts(twice, doesNot)).toEqual(['likely']);
});

test('how deep a recursion goes nobody says: its second turn is no certain one', () => {
  const turn = [...sp(take(), update()), branch([call('sql:f')], [])];
  expect(conflicts([call('sql:f')], { routines: [routine('sql:f', turn)] })).toEqual(['likely']);
});

test('whether a loop has another turn its ways out say', () => {
  const turn = [...sp(update(), take())];
  expect(conflicts([loop(turn)])).toEqual(['certain', 'certain']);
  expect(conflicts([loop([...turn, exit('return')])])).toEqual([]);
  expect(conflicts([loop([...turn, branch([exit('break')])])])).toEqual(['likely', 'likely']);
  expect(conflicts([loop([...turn, branch([exit('continue')])])])).toEqual(['certain', 'certain']);
  expect(conflicts([loop([...turn, branch([exit('continue')]), exit('break')])])).toEqual([
    'likely',
    'likely',
  ]);
  // … and of what stands in an arm nobody knows whether it runs in two of them.
  expect(conflicts([loop([branch(turn, [])])])).toEqual(['likely', 'likely']);
});

test('what the callback of a new row changes of itself was not there when others were locked', () => {
  const written = (verb: 'insert' | 'update', own: Step[] = []) => {
    const change = write('sql:t', { verb: 'update', keys: ['self'], withoutCallbacks: true });
    const parts = {
      routines: [routine('sql:number', [...own, ...sp(change)])],
      triggers: [trigger('m', 'sql:t', 'sql:number', { via: 'model callback', verbs: [verb] })],
    };
    const before = lock('sql:t', { keys: ['id=p'] });
    return conflicts([before, write('sql:t', { verb, keys: ['made'] })], parts);
  };
  expect(written('insert')).toEqual([]);
  expect(written('update')).toEqual(['possible']);
  expect(written('insert', [lock('sql:t', { keys: ['self'] })])).toEqual(['likely']);
});

test('the orders that were measured', () => {
  expect(conflicts([take(), ...sp(update())])).toEqual(['certain']);
  expect(conflicts([take('key share'), ...sp(update())])).toEqual(['certain']);
  expect(conflicts(sp(take(), update()))).toEqual([]);
  expect(conflicts([...sp(take()), update()])).toEqual(['certain']);
  expect(conflicts([...sp(take()), ...sp(update())])).toEqual(['certain']);
  expect(conflicts([savepoint('a'), take(), rollbackTo('a'), update()])).toEqual([]);
  expect(conflicts([take(), ...sp(write('sql:other')), update()])).toEqual([]);
  expect(conflicts([update(), ...sp(update())])).toEqual([]);
  expect(conflicts([take(), update(), ...sp(update())])).toEqual(['certain']);
  expect(conflicts([upsert(), ...sp(update())])).toEqual(['likely']);
  expect(conflicts([update(), ...sp(update())], BEFORE)).toEqual(['certain']);
  expect(conflicts([take(), ...sp(take('share'))])).toEqual([]);
  expect(conflicts([take('share'), ...sp(take())])).toEqual(['certain']);
});

test('rows are the same by what picks them', () => {
  const pair = (a?: string[], b?: string[]) =>
    conflicts([lock('sql:t', { keys: a }), ...sp(write('sql:t', { verb: 'update', keys: b }))]);
  expect(pair(['id=1'], ['id=1'])).toEqual(['certain']);
  expect(pair(['id=1'], ['id=2'])).toEqual([]);
  expect(pair(['p_id'], ['p_id'])).toEqual(['likely']);
  expect(pair(['p_id'], ['p_other'])).toEqual(['possible']);
  expect(pair(undefined, ['p_id'])).toEqual(['possible']);
  // A constant beside a variable says little: state 1 have many.
  expect(pair(['state=1', 'id=p_a', 'p_a'], ['state=1', 'id=p_b', 'p_b'])).toEqual(['possible']);
  expect(pair(['state=1', 'id=p_a', 'p_a'], ['state=1', 'id=p_a', 'p_a'])).toEqual(['likely']);
  expect(pair(['state=1'], ['state=1', 'id=p_b', 'p_b'])).toEqual(['certain']);
  expect(pair(['state=1', 'kind=2'], ['state=1', 'kind=3'])).toEqual([]);
});

test('a loop over locked rows, and one that locks and changes in each turn', () => {
  const row = { keys: ['r'] };
  const [lockRows, change] = [
    lock('sql:t', { rows: 'many', ...row }),
    write('sql:t', { verb: 'update', ...row }),
  ];
  const over = program([lockRows, loop([block([change])])]).lockConflicts;
  expect(over).toMatchObject([{ certainty: 'likely', repeated: true, relation: 'sql:t' }]);
  expect(over[0]!.witness.map((frame) => frame.says)).toEqual([
    'a.sql begins a transaction',
    'a.sql locks rows of t',
    'a.sql loops over rows',
    'EXCEPTION block in a.sql',
    'a.sql updates t',
  ]);
  expect(conflicts([loop([block([lock('sql:t', row), change])])])).toEqual(['possible', 'possible']); // the next turn has another row
  expect(conflicts([loop([block([lock('sql:t', { keys }), update()])])])).toEqual(['certain']); // the same row each time
  const one = { keys: ['state=1', 'id=r', 'r'] };
  const [lockOne, changeOne] = [lock('sql:t', one), write('sql:t', { verb: 'update', ...one })];
  expect(conflicts([loop([block([lockOne, changeOne])])])).toEqual(['possible', 'possible']); // another one in that state
});

test('foreign keys lock the parent', () => {
  const parts = {
    foreignKeys: [{ at: { start: 0, end: 1 }, child: 'sql:item', parent: 'sql:t' }],
  } as Partial<Unit>;
  const insert = write('sql:item', { keys });
  expect(conflicts([insert, ...sp(update())], parts)).toEqual(['likely']);
  expect(conflicts([update(), ...sp(insert)], parts)).toEqual([]);
  expect(conflicts([...sp(insert), update()], parts)).toEqual(['likely']);
  const [found] = program([insert, ...sp(update())], parts).lockConflicts;
  expect(found!.lock.says).toBe('a.sql inserts into item, which refers to t');
  expect(found!.change.says).toBe('a.sql updates t');
});

test('a table that refers to itself: the row that is locked is another one than the new one', () => {
  const parts = {
    foreignKeys: [{ at: { start: 0, end: 1 }, child: 'sql:t', parent: 'sql:t' }],
  } as Partial<Unit>;
  expect(
    conflicts(
      [write('sql:t', { keys: ['p_id'] }), ...sp(write('sql:t', { verb: 'update', keys: ['p_id'] }))],
      parts,
    ),
  ).toEqual(['possible']);
});

test('through calls, branches, handlers and connections', () => {
  const locks = routine('sql:locks', [take()]);
  const changes = routine('sql:changes', [block([update()])]);
  const both = (...body: Step[]) => conflicts(body, { routines: [locks, changes] });
  expect(both(call('sql:locks'), call('sql:changes'))).toEqual(['certain']);
  expect(both(branch([call('sql:locks')], [call('sql:changes')]))).toEqual([]);
  expect(both(branch([call('sql:locks'), exit('return')]), call('sql:changes'))).toEqual([]);
  expect(both(attempt([call('sql:locks')], [call('sql:changes')]))).toEqual(['certain']);
  // All ways out of the branch leave what was tried, with the lock.
  const leaves = { ...branch([call('sql:locks'), exit('raise')], [exit('raise')]), exhaustive: true } as Step;
  expect(both(attempt([leaves], [call('sql:changes')]))).toEqual(['certain']);
  expect(
    both(
      call('sql:locks'),
      block([write('sql:other')], {
        handlers: [{ at: { start: 0, end: 1 }, catches: ['others'], body: [update()] }],
      }),
    ),
  ).toEqual([]);
  const app = (body: Step[], startsIn: 'autocommit' | 'unknown') =>
    link([
      unit('a.py', {
        routines: [routine('python:f', body, { startsIn, entry: startsIn === 'unknown' ? 'called' : 'job' })],
      }),
    ]).lockConflicts.map((one) => one.certainty);
  expect(app([take(), atomic([update()])], 'autocommit')).toEqual([]);
  expect(app([take(), atomic([update()])], 'unknown')).toEqual([]);
  expect(app([take(), block([update()])], 'unknown')).toEqual(['certain']);
  expect(app([atomic([take(), atomic([update()])])], 'autocommit')).toEqual(['certain']);
});

// ---- random scripts against a model of the server, which itself was compared with four versions of it

const LOCKS = { 'key share': 1, share: 2, 'no key update': 3, update: 4 } as const;
type Op =
  | keyof typeof LOCKS
  | 'change'
  | 'upsert'
  | 'other'
  | 'savepoint'
  | 'release'
  | 'rollback to'
  | 'block'
  | 'failing block';

interface Level {
  wrote: boolean;
  slots: number;
  lock: { owner: Level; strength: number } | null;
}

/** One row, its lock, and the subtransactions of the session; `slots` is the most that are taken at once. */
function server(ops: Op[], trigger: boolean): { multixact: boolean; slots: number } {
  const level = (lock: Level['lock']): Level => ({ wrote: false, slots: 0, lock });
  const levels = [level(null)];
  let lock: Level['lock'] = null;
  let multixact = false;
  let most = 0;
  const top = () => levels.at(-1)!;
  const assign = () => {
    levels.forEach((one, i) => {
      if (!one.wrote && i > 0) one.slots++;
      one.wrote = true;
    });
    most = Math.max(
      most,
      levels.reduce((sum, one) => sum + one.slots, 0),
    );
  };
  const take = (strength: number) => {
    if (lock && strength <= lock.strength) return;
    if (lock && lock.owner !== top()) multixact = true;
    assign();
    lock = { owner: top(), strength: Math.max(strength, lock?.strength ?? 0) };
  };
  const change = () => {
    if (trigger) take(3);
    if (lock && lock.owner !== top()) multixact = true;
    assign();
    if (lock) lock = { owner: lock.owner, strength: 1 };
  };
  const pop = (back: boolean) => {
    const gone = levels.pop()!;
    if (back) lock = gone.lock;
    else top().slots += gone.slots;
  };
  for (const op of ops)
    if (op in LOCKS) take(LOCKS[op as keyof typeof LOCKS]);
    else if (op === 'change') change();
    else if (op === 'upsert') {
      take(3);
      change();
    } else if (op === 'other') assign();
    else if (op === 'savepoint') levels.push(level(lock));
    else if (op === 'release') {
      if (levels.length > 1) pop(false);
    } else if (op === 'rollback to') {
      if (levels.length > 1) {
        pop(true);
        levels.push(level(lock));
      }
    } else {
      levels.push(level(lock));
      change();
      pop(op === 'failing block');
    }
  return { multixact, slots: most };
}

function steps(ops: Op[]): Step[] {
  let depth = 0;
  return ops.flatMap((op): Step[] => {
    if (op in LOCKS) return [take(op)];
    switch (op) {
      case 'change':
        return [update()];
      case 'upsert':
        return [upsert()];
      case 'other':
        return [write('sql:other')];
      case 'savepoint':
        depth++;
        return [savepoint('a')];
      case 'release':
        return depth > 0 && depth-- ? [release('a')] : [];
      case 'rollback to':
        return depth > 0 ? [rollbackTo('a')] : [];
      case 'block':
        return [block([update()])];
      default:
        return [block([update(), exit('raise')])];
    }
  });
}

const ALL: Op[] = [
  'key share',
  'share',
  'no key update',
  'update',
  'change',
  'change',
  'upsert',
  'other',
  'savepoint',
  'savepoint',
  'release',
  'rollback to',
  'block',
  'failing block',
];

test('a routine is still looked into after thirty calls', () => {
  const parts = { routines: [routine('sql:f', [update()])] };
  const calls = Array.from({ length: 30 }, () => call('sql:f'));
  expect(conflicts([...calls, ...sp(take('key share')), call('sql:f')], parts)).toContain('certain');
});

test('what says nothing of a row that is locked and changed is not gone through on the way to one', () => {
  // More relations than have numbers of their own, more steps than one transaction is followed for.
  const others = Array.from({ length: 300 }, (_, i) =>
    routine(`sql:w${i}`, [write(`sql:t${i}`), exit('return')]),
  );
  const far = Array.from({ length: 300 }, (_, i) =>
    routine(
      `sql:f${i}`,
      Array.from({ length: 30 }, () => call(`sql:w${i}`)),
    ),
  );
  const between = far.map(({ name }) => call(name));
  const routines = [...others, ...far, routine('sql:locks', [take()]), routine('sql:changes', sp(update()))];
  expect(conflicts([call('sql:locks'), ...between, call('sql:changes')], { routines })).toEqual(['certain']);
  // One is given a block, which it runs.
  const runs = routine('sql:runs', [call('sql:w1'), yields()]);
  const handed = [call('sql:locks'), ...between, call('sql:runs', { block: sp(update()) })];
  expect(conflicts(handed, { routines: [...routines, runs] })).toEqual(['certain']);
  // What ends a transaction has a say though it touches no row.
  const ended = routine('sql:ends', [flat('commit'), flat('begin')]);
  const apart = [call('sql:locks'), call('sql:ends'), call('sql:changes')];
  expect(conflicts(apart, { routines: [...routines, ended] })).toEqual([]);
});

test('random scripts: a multixact is predicted when the model makes one, and only then', () => {
  let some = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...ALL), { minLength: 2, maxLength: 14 }),
      fc.boolean(),
      (ops, trigger) => {
        const { multixact } = server(ops, trigger);
        if (multixact) some++;
        expect(conflicts(steps(ops), trigger ? BEFORE : {}).length > 0).toBe(multixact);
      },
    ),
    { numRuns: 500, seed: 4 },
  );
  expect(some).toBeGreaterThan(200);
});

test('random scripts: as many subtransactions count as in the model', () => {
  const slots: Op[] = [
    'other',
    'savepoint',
    'savepoint',
    'savepoint',
    'release',
    'release',
    'rollback to',
    'block',
    'block',
    'block',
    'failing block',
  ];
  let most = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...slots), { minLength: 2, maxLength: 160, size: 'max' }), (ops) => {
      const expected = server(ops, false).slots;
      most = Math.max(most, expected);
      expect(program(steps(ops)).transactions[0]?.counts ?? 0).toBe(expected);
    }),
    { numRuns: 500, seed: 5 },
  );
  expect(most).toBeGreaterThan(64);
});

test('an error of one kind may have come before the lock; one that leaves a subtransaction rolled it back', () => {
  const tried = (catches: string, ...body: Step[]) => {
    const step = attempt(body, sp(update())) as Extract<Step, { kind: 'attempt' }>;
    return { ...step, handlers: step.handlers.map((one) => ({ ...one, catches: [catches] })) };
  };
  expect(conflicts([tried('others', take())])).toEqual(['certain']);
  expect(conflicts([tried('python:NoStock', take())])).toEqual(['possible']);
  // What was held before is held, and what every way holds in the end.
  expect(conflicts([take(), tried('python:NoStock', write('sql:other'))])).toEqual(['certain']);
  expect(conflicts([{ ...tried('python:NoStock', take()), handlers: [] }, ...sp(update())])).toEqual([
    'certain',
  ]);
  expect(conflicts([tried('others', block([take(), exit('raise')], { handlers: [] }))])).toEqual([]);
});
