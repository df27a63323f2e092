// Conditions that ask whether a transaction is open, and what runs by their answer. Which calls tell it, the tables say.
import { inside, type Scope, type Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { understand } from '../calls/calls.ts';
import { connection } from '../calls/opens.ts';
import type { Understood } from '../calls/understood.ts';
import { argument } from '../names/arguments.ts';
import { assignments, assignmentsOf } from '../names/assignments.ts';
import { isType, tellsOpen } from '../names/knowledge.ts';
import { type File, kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** What is sure of the transaction where the condition holds, and where it does not. */
export interface Asked {
  holds?: 'open' | 'none';
  otherwise?: 'open' | 'none';
}

const LEAVES = /^(return|raise|continue|break)_statement$/;
/** How many names stand for one another, at the most. */
const DEEPEST = 5;

/** Most files ask nobody. */
const asks = kept((_, file: File) => tellsOpen().words.test(file.text));

/** `if connection.in_atomic_block:`, its opposite, and either beside something else. */
export function asked(c: Place, condition: Syntax | undefined, depth = 0): Asked | undefined {
  if (!condition || depth > DEEPEST || !asks(c, c.file)) return undefined;
  const inner = (node: Syntax | undefined) => asked(c, node, depth + 1);
  switch (condition.type) {
    case 'parenthesized_expression':
    case 'await':
      return inner(condition.children[0]);
    case 'named_expression':
      return inner(child(condition, 'value'));
    case 'not_operator':
      return not(inner(condition.children.at(-1)));
    case 'comparison_operator': {
      const match = /\s(is|is\s+not|==|!=|>)\s+(None|True|False|0)$/.exec(textOf(c.file, condition));
      const first = match ? inner(condition.children[0]) : undefined;
      const same = /not|!=|>/.test(match?.[1] ?? '') !== (match?.[2] === 'True');
      return same ? first : not(first);
    }
    case 'boolean_operator': {
      const sides = [inner(child(condition, 'left')), inner(child(condition, 'right'))];
      const both = textOf(c.file, child(condition, 'operator')) === 'and';
      const answer = sides.map((one) => (both ? one?.holds : one?.otherwise)).find(Boolean);
      return answer && (both ? { holds: answer } : { otherwise: answer });
    }
    case 'identifier': {
      const name = textOf(c.file, condition);
      const value = assignments(c, condition, name) === 1 ? assignmentsOf(c, condition, name)[0] : undefined;
      return value && value.end < condition.start ? inner(child(value, 'right')) : undefined;
    }
    case 'call':
      if (textOf(c.file, child(condition, 'function')) === 'bool') return inner(argument(condition, 0));
      return tells(c, condition) ? { holds: 'open', otherwise: 'none' } : undefined;
    case 'attribute':
      return tells(c, condition) ? { holds: 'open', otherwise: 'none' } : undefined;
    default:
      return undefined;
  }
}

const not = (its: Asked | undefined): Asked | undefined =>
  its && { ...(its.otherwise && { holds: its.otherwise }), ...(its.holds && { otherwise: its.holds }) };

/**
 * Of a receiver that nobody knows the name is enough, as nothing else is called so: taken for an answer, a condition
 * makes fewer things nest. Of another framework's object, or of one whose class says something else, it is not.
 */
function tells(c: Place, node: Syntax): boolean {
  const callee = node.type === 'call' ? child(node, 'function') : node;
  const name = callee?.type === 'attribute' ? textOf(c.file, child(callee, 'attribute')) : '';
  if (!tellsOpen().names.has(name)) return false;
  const call = understand(c, node);
  if (call?.meaning) return call.meaning.tellsOpen === true;
  const type = resolve(c, child(callee!, 'object'))?.type?.path;
  return type === undefined || !isType(type);
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
  return [connection({ at: steps[0]!.at }, steps)];
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
  return CONTROL.test(step.kind) || step.kind === 'exit' ? step : connection({ at: step.at }, [step]);
}

function joins({ joins: _, ...scope }: Scope): Scope {
  return { ...scope, whenNested: 'join' };
}

/** What is sure behind a statement: it left, or refused, where it was otherwise. */
export function askedBefore(c: Place, node: Syntax): 'open' | 'none' | undefined {
  if (node.type === 'assert_statement') return asked(c, node.children[0])?.holds;
  if (node.type !== 'if_statement' || node.children.some((one) => one.field === 'alternative'))
    return undefined;
  const last = child(node, 'consequence')?.children.findLast((one) => one.type !== 'comment');
  return LEAVES.test(last?.type ?? '') ? asked(c, child(node, 'condition'))?.otherwise : undefined;
}

/** `begin_nested() if session.in_transaction() else begin()`: one of two scopes, by what is open. */
export function chosenBy(
  c: Place,
  condition: Syntax | undefined,
  [yes, no]: (Understood | undefined)[],
): Understood | undefined {
  const its = asked(c, condition);
  if (!its?.holds || !its.otherwise) return undefined;
  const [open, none] = its.holds === 'open' ? [yes, no] : [no, yes];
  const call = open ?? none;
  const scope = call?.meaning?.scope;
  if (!scope) return undefined;
  const meaning = { ...call.meaning };
  delete meaning.flat;
  meaning.scope = open ? { ...scope, opens: 'transaction' } : { ...scope, whenNested: 'join' };
  if (!open) delete meaning.scope.joinsWith;
  return { ...call, meaning };
}
