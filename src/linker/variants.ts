// A routine as what its caller gives it leaves it: branches that literal arguments decide are decided, and rows that constants tell are known for one. It looks up no name.
import type { Branch, Call, Given, Scope, Step } from '../ir.ts';
import type { Linked, Program } from './program.ts';
import { holds, within } from './rewrite.ts';

export interface Variants {
  /** What this call makes of the routine that it means: the routine itself, or one that takes fewer ways. */
  of(to: Linked, call: Call): Linked;
  /** Whether calls were asked what they make of it. */
  has(to: Linked): boolean;
  /** The step that a step of a variant was copied from. */
  original(step: Step): Step;
  /** Forgets all, and says which steps were made for it. */
  clear(): Step[];
}

type Values = Map<string, Given>;

const MOST_OF_ONE = 8;
const MOST = 1_000;

/** How many a program can come to. */
export const mostVariants = ({ linked }: Program): number =>
  Math.min(MOST, MOST_OF_ONE * linked.filter(({ routine }) => routine?.flags).length);

export function createVariants(program: Program): Variants {
  const byValues = new Map<Linked, Map<string, Linked>>();
  const originals = new Map<Step, Step>();
  let room = mostVariants(program);
  return {
    of(to, call) {
      const values = given(to, call);
      if (values.size === 0) return to;
      const all = byValues.get(to) ?? new Map<string, Linked>();
      byValues.set(to, all);
      const key = JSON.stringify([...values]);
      let found = all.get(key);
      if (!found) {
        const full = all.size >= MOST_OF_ONE || room === 0;
        const body = full ? to.body : decided(to.body, values, originals);
        if (body === to.body) found = to;
        else {
          found = { ...to, body, index: program.linked.length, original: to };
          program.linked.push(found);
          room--;
        }
        all.set(key, found);
      }
      return found;
    },
    has: (to) => byValues.has(to),
    original: (step) => originals.get(step) ?? step,
    clear() {
      const made = [...originals.keys()];
      originals.clear();
      byValues.clear();
      room = mostVariants(program);
      return made;
    },
  };
}

/** The parameters of which this call says something, in their order. */
function given({ routine }: Linked, { args, given: known }: Call): Values {
  const out: Values = new Map();
  if (args === undefined) return out; // some are not seen
  for (const { name, position, value, otherwise = 'unknown' } of routine?.flags ?? []) {
    const byPlace = position !== undefined && position < args ? (known?.[position] ?? otherwise) : value;
    const now = known && Object.hasOwn(known, name) ? known[name] : byPlace;
    if (now !== undefined && now !== 'unknown' && !isHandedOn(now)) out.set(name, now);
  }
  return out;
}

const isHandedOn = (value: Given | undefined): value is { parameter: string } =>
  typeof value === 'object' && value !== null;

// ---- what is left

/** The very same list where nothing is decided. */
function decided(steps: Step[], values: Values, originals: Map<Step, Step>): Step[] {
  const concerns = (step: Step) =>
    (step.kind === 'branch' && step.when !== undefined && values.has(step.when.parameter)) ||
    (step.kind === 'scope' && step.sameFor?.some((parameter) => isConstant(values.get(parameter)))) ||
    (step.kind === 'call' && handed(step).some((parameter) => values.has(parameter)));
  if (!holds(steps, concerns)) return steps;
  const again = (inner: Step[]) => decided(inner, values, originals);
  return steps.flatMap((step): Step[] => {
    if (!holds([step], concerns)) return [step];
    const inner = within(step, again);
    if (inner.kind === 'branch') return branch(inner, values);
    const copy =
      inner.kind === 'call' ? call(inner, values) : inner.kind === 'scope' ? scope(inner, values) : inner;
    originals.set(copy, originals.get(step) ?? step);
    return [copy];
  });
}

const handed = ({ given: known }: Call): string[] =>
  Object.values(known ?? {}).flatMap((value) => (isHandedOn(value) ? [value.parameter] : []));

function call(step: Call, values: Values): Call {
  if (!step.given) return step;
  const now = Object.entries(step.given).map(([name, value]): [string, Given] => [
    name,
    isHandedOn(value) ? (values.get(value.parameter) ?? value) : value,
  ]);
  return { ...step, given: Object.fromEntries(now) };
}

/** A row that only constants tell is the same each time. */
function scope(step: Scope, values: Values): Scope {
  if (!step.sameFor) return step;
  const sameFor = step.sameFor.filter((parameter) => !isConstant(values.get(parameter)));
  return sameFor.length > 0 ? { ...step, sameFor } : { ...step, same: 'always', sameFor: undefined };
}

const isConstant = (value: Given | undefined): boolean =>
  value !== undefined && value !== 'something' && value !== 'unknown' && !isHandedOn(value);

function branch(step: Branch, values: Values): Step[] {
  const { when, arms, exhaustive } = step;
  const value = when && values.get(when.parameter);
  const answer = when && value !== undefined ? isSo(value, when.is) : undefined;
  if (answer === undefined || (answer && when!.only)) return [step];
  if (answer) return arms[0] ?? [];
  const rest = arms.slice(1);
  if (rest.length === 0) return [];
  return rest.length === 1 && exhaustive ? rest[0]! : [{ ...step, arms: rest, when: undefined }];
}

function isSo(value: Given, is: NonNullable<Branch['when']>['is']): boolean | undefined {
  if (value === 'constant') return undefined;
  if (is === 'null' || is === 'not null') return (value === null) === (is === 'null');
  return typeof value === 'string' ? undefined : Boolean(value) === (is === 'true');
}
