// What one call begins and another one ends, told by what the first gave, is a scope around all between them. Where no end is in sight, each stays what it is.
import type { ScopeMeaning } from '../framework.ts';
import type { Scope, Step } from '../ir.ts';

const begun = new WeakMap<Step, { handle: string; scope: ScopeMeaning; label: string }>();
const ended = new WeakMap<Step, string>();

export function begins(step: Step, handle: string, scope: ScopeMeaning, label: string): void {
  begun.set(step, { handle, scope, label });
}

export function ends(step: Step, handle: string): void {
  ended.set(step, handle);
}

/** Behind these it ends, whether anybody says so: what they begin is a resource of a block, and was rolled back where nothing ended it. */
export function closed(steps: Step[], resources: number): void {
  for (const [place, step] of steps.slice(0, resources).entries()) {
    const begin = begun.get(step);
    if (!begin || steps.slice(place + 1).some((one) => isEndedIn(one, begin.handle))) continue;
    const end: Step = { kind: 'rollback', at: step.at };
    ends(end, begin.handle);
    steps.push(end);
  }
}

/** It does nothing by itself: what has this handle will be rolled back, and not committed. */
export function dooms(step: Step, handle: string): void {
  ends(step, handle);
  doomed.add(step);
}
const doomed = new WeakSet<Step>();

/** Something in it tells so, on whatever way. */
export const isDoomedIn = (steps: Step[], handle: string): boolean =>
  steps.some((step) => isDoom(step, handle) || inside(step).some((list) => isDoomedIn(list, handle)));

/** A scope whose body was told such a handle of it. */
export function asDoomed(scope: Scope, handle: string): Step {
  if (!scope.body.some((step) => isEndedIn(step, handle))) return scope;
  const body = without(scope.body, handle, true);
  const whole = { ...scope, body };
  return isUndoneIn(body) ? caught(whole) : whole;
}

/** Puts scopes into a list of steps, from that place on; says which handles they had. */
export function spanned(steps: Step[], from: number): string[] {
  const handles: string[] = [];
  for (let start = steps.length - 1; start >= from; start--) {
    const first = steps[start]!;
    const begin = begun.get(first);
    if (!begin) continue;
    const last = steps.findLastIndex((step, index) => index > start && isEndedIn(step, begin.handle));
    if (last < 0) continue;
    const body = without(steps.slice(start + 1, last + 1), begin.handle, true);
    const { at, certainty } = first;
    const { label, scope } = { ...begin, scope: { ...begin.scope, label: undefined } };
    const whole: Step = { kind: 'scope', at, certainty, ...scope, label, body };
    steps.splice(start, last - start + 1, isUndoneIn(body) ? caught(whole) : whole);
    handles.push(begin.handle);
  }
  return handles;
}

/** What handles an error in such a scope ends it no more. */
export const unended = (steps: Step[], handles: string[]): Step[] =>
  handles.reduce((rest, handle) => without(rest, handle, false), steps);

/** As whoever begins and ends it by hand sees it: what was undone raises nothing. */
const caught = (step: Step): Step => ({
  kind: 'attempt',
  at: step.at,
  body: [step],
  handlers: [{ at: step.at, catches: [UNDONE], body: [] }],
});
const UNDONE = 'a rollback by hand';

const isUndoneIn = (steps: Step[]): boolean =>
  steps.some((step) => (step.kind === 'exit' && step.raises === UNDONE) || inside(step).some(isUndoneIn));

const isEndedIn = (step: Step, handle: string): boolean =>
  ended.get(step) === handle || inside(step).some((list) => list.some((one) => isEndedIn(one, handle)));

/** Without the ends; where nothing comes behind a rollback, and `last` says so, all of it was undone. */
function without(steps: Step[], handle: string, last: boolean): Step[] {
  const told = last ? steps.find((step) => isToldIn(steps, step, handle)) : undefined;
  const rest = within(steps, handle, last);
  return told ? [...rest, { kind: 'exit', how: 'raise', raises: UNDONE, at: told.at }] : rest;
}

/** What was told goes on to its end: one that leaves at once has reached it. */
const isToldIn = (steps: Step[], step: Step, handle: string) =>
  isDoom(step, handle) && !leavesBehind(steps, steps.indexOf(step), handle);
const isDoom = (step: Step, handle: string) => doomed.has(step) && ended.get(step) === handle;
/** Whether this one tells it, and the next one leaves. */
const leavesBehind = (steps: Step[], index: number, handle: string) =>
  index >= 0 && isDoom(steps[index]!, handle) && steps[index + 1]?.kind === 'exit';

function within(steps: Step[], handle: string, last: boolean): Step[] {
  return steps.flatMap((step, index): Step[] => {
    const isLast = last && steps.slice(index + 1).every((one) => ended.get(one) === handle);
    if (leavesBehind(steps, index - 1, handle)) return [];
    const undoes = leavesBehind(steps, index, handle) || (isLast && UNDOES.has(step.kind));
    if (ended.get(step) === handle)
      return undoes ? [{ kind: 'exit', how: 'raise', raises: UNDONE, at: step.at }] : [];
    if (!isEndedIn(step, handle)) return [step];
    const amid = (list: Step[]) => without(list, handle, false);
    const ending = (list: Step[]) => without(list, handle, isLast);
    switch (step.kind) {
      case 'branch':
        return [{ ...step, arms: step.arms.map(ending) }];
      case 'attempt':
        return [
          {
            ...step,
            body: amid(step.body),
            handlers: step.handlers.map((one) => ({
              ...one,
              body: step.finally ? amid(one.body) : ending(one.body),
            })),
            ...(step.finally && { finally: amid(step.finally) }),
          },
        ];
      case 'block':
        return [{ ...step, body: ending(step.body) }];
      case 'loop':
      case 'scope':
        return [{ ...step, body: amid(step.body) }];
      default:
        return [step];
    }
  });
}

const UNDOES = new Set<Step['kind']>(['rollback', 'rollback to']);

/** The lists of steps that run in the routine itself. */
function inside(step: Step): Step[][] {
  switch (step.kind) {
    case 'branch':
      return step.arms;
    case 'attempt':
      return [step.body, ...step.handlers.map(({ body }) => body), step.finally ?? []];
    case 'loop':
    case 'block':
    case 'scope':
      return [step.body];
    default:
      return [];
  }
}
