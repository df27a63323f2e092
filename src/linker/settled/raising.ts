// What never comes back to who calls it: functions that always raise an error, told where they are called. It resolves no name: all that are called alike must be so.
import { inside, type Name, type Routine, type Step, type Unit } from '../../ir.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { holds, rewrite } from '../rewrite.ts';
import { leaves } from './leaves.ts';

/** Puts the error behind the calls of such, in a copy of the unit; the unit itself where it calls none. */
export function raising(units: Unit[]): (unit: Unit) => Unit {
  const names = alwaysRaise(units);
  if (names.size === 0) return (unit) => unit;
  const isOne = (step: Step) => raises(step, names);
  const after = (step: Step): Step[] =>
    isOne(step) ? [step, { kind: 'exit', how: 'raise', at: step.at }] : [step];
  // psql goes on behind a statement that fails: what follows is done once its transaction has ended.
  const ends = ({ kind, body }: Routine) => kind !== 'script' && holds(body, isOne);
  return (unit) => {
    if (!unit.routines.some(ends)) return unit;
    const routines = unit.routines.map((one) =>
      ends(one) ? { ...one, body: rewrite(one.body, after) } : one,
    );
    return { ...unit, routines };
  };
}

/** Which always raise, for each list of units that was asked. */
const known = new WeakMap<readonly Unit[], Set<string>>();

/**
 * Whether the same functions always raise as before, so that who calls them does what it did. An editor asks after every
 * change: only what was changed is looked at.
 */
export function raiseAlike(before: Unit[], units: Unit[]): boolean {
  const names = known.get(before) ?? alwaysRaise(before);
  known.set(before, names);
  const is = units.every((unit, i) => unit === before[i] || raiseInBoth(before[i]!, unit, names));
  if (is) known.set(units, names);
  return is;
}

function raiseInBoth(one: Unit, other: Unit, names: Set<string>): boolean {
  const [a, b] = [one, other].map(({ routines }) =>
    routines.filter(isAsked).map((each) => `${keyOf(each.name)} ${isRaising(each, names)}`),
  );
  return a!.length === b!.length && a!.every((said, i) => said === b![i]);
}

const isAsked = ({ kind }: Routine) => kind !== 'script';

/**
 * What they are called: of the server's functions the last part, for a call may leave out the schema; of a program's the
 * last two, for its sources may stand below any folder.
 */
function keyOf(name: Name): string {
  if (name.startsWith('sql:')) return lastPart(canonical(name));
  const end = name.lastIndexOf('.');
  return `${name.slice(0, name.indexOf(':') + 1)}${name.slice(name.lastIndexOf('.', end - 1) + 1)}`;
}

/** One may call one that calls one. */
const MOST_ROUNDS = 4;

function alwaysRaise(units: Unit[]): Set<string> {
  const out = new Set<string>();
  const all = units.flatMap(({ routines }) => routines).filter(isAsked);
  const some = all.filter(mayRaise);
  let never: Set<string> | undefined;
  for (let round = 0, before = -1; round < MOST_ROUNDS && out.size > before; round++) {
    before = out.size;
    const others: Routine[] = [];
    for (const one of some)
      if (isRaising(one, out)) out.add(keyOf(one.name));
      else others.push(one);
    // In most programs there is none.
    if (out.size === 0) break;
    never ??= new Set(all.filter((one) => !mayRaise(one)).map(({ name }) => keyOf(name)));
    for (const { name } of others) out.delete(keyOf(name));
    for (const key of out) if (never.has(key)) out.delete(key);
  }
  return out;
}

/** A function that is strict may not run at all, and in the place of a program's method there may be another one. */
const mayRaise = ({ name, kind, language, strict }: Routine): boolean =>
  name.startsWith('sql:') ? language === 'plpgsql' && !strict : kind === 'function';

function isRaising(one: Routine, known: Set<string>): boolean {
  if (!mayRaise(one)) return false;
  const { body } = one;
  const call = body.findIndex((step) => raises(step, known));
  return call < 0 ? leaves(body) === 'raise' && !returns(body, 0) : !returns(body.slice(0, call), 0);
}

const raises = (step: Step, names: Set<string>): boolean =>
  step.kind === 'call' &&
  !step.elsewhere &&
  !step.perhaps &&
  !step.decorates &&
  names.size > 0 &&
  names.has(keyOf(step.callee));

const MOST_NESTED = 50;

const returns = (steps: readonly Step[], depth: number): boolean =>
  depth > MOST_NESTED ||
  steps.some(
    (step) =>
      (step.kind === 'exit' && step.how === 'return') ||
      inside(step).some((list) => returns(list, depth + 1)),
  );
