// What runs by the answer whether a transaction is open: the steps of an arm where one is, or where none is. Not who is asked, and in which words.
import { inside, type Scope, type Span, type Step } from '../ir.ts';

/** What is sure of the transaction where the condition holds, and where it does not. */
export interface Asked {
  holds?: 'open' | 'none';
  otherwise?: 'open' | 'none';
}

export const not = (its: Asked | undefined): Asked | undefined =>
  its && { ...(its.otherwise && { holds: its.otherwise }), ...(its.holds && { otherwise: its.holds }) };

/** Of two conditions, of which both must hold, or one. */
export function together(sides: (Asked | undefined)[], both: boolean): Asked | undefined {
  const answer = sides.map((one) => (both ? one?.holds : one?.otherwise)).find(Boolean);
  return answer && (both ? { holds: answer } : { otherwise: answer });
}

/** The steps of an arm, or of what follows a statement that leaves. */
export function where(is: 'open' | 'none' | undefined, steps: Step[]): Step[] {
  if (is === undefined || steps.length === 0) return steps;
  return is === 'open' ? whereOneIsOpen(steps) : whereNoneIsOpen(steps);
}

/** What is open is not begun again; a savepoint that needs one is none where there is none. */
const whereOneIsOpen = (steps: Step[]): Step[] =>
  steps.flatMap((step): Step[] => {
    if (step.kind === 'begin') return [];
    const nests = step.kind === 'scope' && step.opens === 'subtransaction' && step.whenNested === 'savepoint';
    return [nests ? { ...step, opens: 'transaction' } : step];
  });

const CONTROL = /^(begin|commit|rollback|savepoint|release|rollback to)$/;

/**
 * A transaction that is begun there joins one that is open, as if nobody had asked: what it surrounds is in one. The rest
 * runs as on a connection on which nothing is open.
 */
function whereNoneIsOpen(steps: Step[]): Step[] {
  const begins = steps.some(beginsOne);
  if (begins || steps.some(({ kind }) => CONTROL.test(kind))) return steps.map(joined);
  return [connection(steps[0]!.at, steps)];
}

const beginsOne = (step: Step): boolean =>
  isTransaction(step) ||
  ((step.kind === 'attempt' || step.kind === 'branch') && inside(step).some((list) => list.some(beginsOne)));

const isTransaction = (step: Step): step is Scope => step.kind === 'scope' && step.opens === 'transaction';

function joined(step: Step): Step {
  if (isTransaction(step)) return joins(step);
  const all = (list: Step[]) => list.map(joined);
  if (step.kind === 'branch') return { ...step, arms: step.arms.map(all) };
  if (step.kind === 'attempt')
    return {
      ...step,
      body: all(step.body),
      handlers: step.handlers.map((one) => ({ ...one, body: all(one.body) })),
    };
  return CONTROL.test(step.kind) || step.kind === 'exit' ? step : connection(step.at, [step]);
}

function joins({ joins: _, ...scope }: Scope): Scope {
  return { ...scope, whenNested: 'join' };
}

const connection = (at: Span, body: Step[]): Scope => ({
  kind: 'scope',
  at,
  opens: 'connection',
  whenNested: 'separate',
  label: 'connection',
  body,
});
