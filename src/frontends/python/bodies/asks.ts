// Conditions that ask whether a transaction is open, and what runs by their answer. Which calls tell it, the tables say.
import { type Asked, not, together } from '../../asked.ts';
import { child, type Syntax } from '../../syntax.ts';
import { understand } from '../calls/calls.ts';
import type { Understood } from '../calls/understood.ts';
import { argument } from '../names/arguments.ts';
import { assignments, assignmentsOf } from '../names/assignments.ts';
import { isType, tellsOpen } from '../names/knowledge.ts';
import { type File, kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

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
      return together(sides, textOf(c.file, child(condition, 'operator')) === 'and');
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
