// What a routine is given that was handed over by its name: what whoever was handed it calls it with. It copies, it changes no unit, and it looks no name up: all of one name must say the same.
import {
  type Call,
  type Given,
  inside,
  isHandedOn,
  type Routine,
  type Step,
  type Unit,
  type Yield,
} from '../../ir.ts';
import { kept } from '../kept.ts';
import { add } from '../lists.ts';
import { answered, POINTED } from './asks.ts';
import { lastOf } from './line.ts';

type Runs = Pick<Routine, 'name' | 'flags'> & { yields: Yield[] };

/** Tells routines that a call hands over by their names what they are given there. */
export function pointing(units: Unit[]): (unit: Unit) => Unit {
  let known: Map<string, Runs[]> | undefined;
  const tell = (step: Step): Step[] => {
    if (step.kind !== 'call' || !step.block?.some(isPointed)) return [step];
    known ??= runners(units);
    const all = known.get(lastOf(step.callee)) ?? [];
    const own = all.filter(({ name }) => name === step.callee);
    const block = told(step.block, step, own.length > 0 ? own : all, undefined);
    return block === step.block ? [step] : [{ ...step, block }];
  };
  return (unit) => answered(unit, POINTED, tell);
}

/** Whether routines call what they are handed as before. */
export const pointAlike = (before: Unit[], units: Unit[]): boolean =>
  before.every(
    (unit, i) => unit === units[i] || JSON.stringify(said(unit)) === JSON.stringify(said(units[i]!)),
  );

const said = (unit: Unit) =>
  running(unit).map(({ name, yields }) => [
    name,
    yields.map(({ parameter, given, args }) => [parameter, given, args]),
  ]);

function runners(units: Unit[]): Map<string, Runs[]> {
  const out = new Map<string, Runs[]>();
  for (const unit of units) for (const one of running(unit)) add(out, lastOf(one.name), one);
  return out;
}

/** Those that run what they are handed, with all the calls of it. */
const running = kept((unit: Unit): Runs[] =>
  unit.routines.flatMap(({ name, flags, body }) => {
    const yields = [...yieldsIn(body, 0)];
    return yields.some(({ given }) => given) ? [{ name, flags, yields }] : [];
  }),
);

const MOST_NESTED = 100;

function* yieldsIn(steps: readonly Step[], depth: number): Iterable<Yield> {
  for (const step of steps) {
    if (step.kind === 'yield') yield step;
    if (depth < MOST_NESTED) for (const list of inside(step)) yield* yieldsIn(list, depth + 1);
  }
}

/** Of several functions that are handed over each stands in a block of its own, perhaps in a branch. */
const isPointed = (step: Step): boolean =>
  step.kind === 'branch'
    ? step.arms.some((arm) => arm.some(isPointed))
    : step.kind === 'block'
      ? step.handed !== undefined && step.body.some(isPointed)
      : step.kind === 'call' && step.pointed === true;

function told(steps: Step[], call: Call, by: Runs[], place: string | number | undefined): Step[] {
  if (!steps.some(isPointed)) return steps;
  return steps.map((step): Step => {
    if (!isPointed(step)) return step;
    if (step.kind === 'branch') return { ...step, arms: step.arms.map((arm) => told(arm, call, by, place)) };
    if (step.kind === 'block') return { ...step, body: told(step.body, call, by, step.handed) };
    return { ...step, ...given(call, by, place) };
  });
}

/** What all of them call it with. */
function given(call: Call, by: Runs[], place: string | number | undefined): Pick<Call, 'args' | 'given'> {
  const all = by.flatMap((one) =>
    one.yields
      .filter(({ parameter }) => place === undefined || !parameter || parameter.place === place)
      .map((step) => ({ args: step.args, given: step.given && handedOn(step.given, call, one) })),
  );
  const [first] = all;
  const alike = first?.given && all.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return alike ? first : {};
}

/** What it was given itself it has from this call. */
const handedOn = (said: Record<string, Given>, call: Call, { flags }: Runs): Record<string, Given> =>
  Object.fromEntries(
    Object.entries(said).flatMap(([key, value]): [string, Given][] => {
      if (!isHandedOn(value)) return [[key, value]];
      const { position, name } = flags?.find((one) => one.name === value.parameter) ?? {
        name: value.parameter,
      };
      const own = call.given?.[name] ?? (position === undefined ? undefined : call.given?.[position]);
      return own === undefined ? [] : [[key, own]];
    }),
  );
