// What runs only where a query found no row, and makes one: get_or_create(), written out by hand. It reads conditions, and lowers nothing.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { relationOf } from '../calls/rows.ts';
import { methodOf } from '../classes/classes.ts';
import { once, seldom } from '../conditions/once.ts';
import { sameRows } from '../counts/same.ts';
import { argument } from '../names/arguments.ts';
import { standing } from '../names/assignments.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** A query, and when its rows are missing: where the condition holds, or where it does not. */
interface Missing {
  query: Syntax;
  /** It stands in another method, which asks for nothing. */
  away?: true;
  holds: boolean;
}

/** Who raises where a row is there expects it to be missing. */
const LEAVES = /^(?:return|continue|break)_statement$/;
/** How many names stand for one another, at the most. */
const DEEPEST = 6;
const ASKS =
  /\b(?:a?(?:first|last|exists|count)|one_or_none|scalar(?:_one_or_none)?|get_or_none|filter(?:_by)?|all|objects)\b/;

/** Most files ask for no rows. */
const mayAsk = kept((_, file: { text: string }) => ASKS.test(file.text));

/** The arm of an `if`, an `elif` or an `else` that runs only where a row is missing. */
export function whereNone(c: Place, clause: Syntax, steps: Step[]): Step[] {
  if (steps.length === 0 || !mayAsk(c, c.file)) return steps;
  const found = missing(c, child(clause, 'condition'));
  if (found?.holds) return making(c, found, steps);
  const branch = clause.type === 'if_statement' ? null : clause.parent;
  for (const one of branch ? [branch, ...branch.children] : []) {
    if (one === clause) break;
    const before = missing(c, child(one, 'condition'));
    if (before && !before.holds) return making(c, before, steps);
  }
  return steps;
}

/** What `if order: return order` asked for is missing behind it. */
export function missingBehind(c: Place, node: Syntax): ((steps: Step[]) => Step[]) | undefined {
  if (node.type !== 'if_statement' || !mayAsk(c, c.file)) return undefined;
  const leaves = LEAVES.test(child(node, 'consequence')?.children.at(-1)?.type ?? '');
  if (!leaves || node.children.some(({ field }) => field === 'alternative')) return undefined;
  const found = missing(c, child(node, 'condition'));
  if (!found || found.holds) return undefined;
  return (steps) => making(c, found, steps);
}

const NOT_FOUND = /^((Object)?DoesNotExist|NoResultFound)$/;

/** `except Order.DoesNotExist:` is as seldom as what `get_or_create()` does where no row is there. */
export function whereNotFound(c: Place, clause: Syntax, catches: string[], steps: Step[]): Step[] {
  if (catches.length === 0 || !catches.every((one) => NOT_FOUND.test(one))) return steps;
  const [first] = child(clause.parent!, 'body')?.children ?? [];
  const value = first?.type === 'expression_statement' ? first.children[0] : first;
  const query = (value && child(value, 'right')) ?? value?.children.at(-1);
  const asks = query?.type === 'call' && GETS.test(textOf(c.file, child(query, 'function')));
  return asks ? making(c, { query, holds: true }, steps) : seldom(steps);
}

const GETS = /\.(?:get|one)$/;

/** Who makes the row that every turn asks for makes it once; of a row for each turn nobody says how many are missing. */
function making(c: Place, { query, away }: Missing, steps: Step[]): Step[] {
  const less = seldom(steps);
  const same = sameRows(c, query, away);
  const object = same && child(child(query, 'function')!, 'object');
  const makes = object && relationOf(resolve(c, object)?.type ?? resolve(c, query)?.type);
  return makes ? once(less, same === 'always' ? 'ever' : 'in loops', makes) : less;
}

function missing(c: Place, node: Syntax | undefined, depth = 0): Missing | undefined {
  if (!node || depth > DEEPEST) return undefined;
  const inner = (one: Syntax | undefined) => missing(c, one, depth + 1);
  switch (node.type) {
    case 'await':
    case 'parenthesized_expression':
      return inner(node.children.at(-1));
    case 'named_expression':
      return inner(child(node, 'value'));
    case 'not_operator':
      return turned(inner(node.children.at(-1)));
    case 'boolean_operator': {
      const both = textOf(c.file, child(node, 'operator')) === 'and';
      return [child(node, 'left'), child(node, 'right')].map(inner).find((one) => one && one.holds === both);
    }
    case 'comparison_operator': {
      const [, sign] = COMPARES.exec(textOf(c.file, node)) ?? [];
      const found = sign === undefined ? undefined : inner(node.children[0]);
      return sign && IS_NONE.test(sign) ? turned(found) : found;
    }
    case 'identifier':
      return inner(standing(c, node, textOf(c.file, node)));
    case 'call':
      return asksForRows(c, node, depth);
    default:
      return undefined;
  }
}

const turned = (one: Missing | undefined): Missing | undefined => one && { ...one, holds: !one.holds };

const COMPARES = /\s*(is\s+None|==\s*None|==\s*0|<\s*1|is\s+not\s+None|!=\s*None|!=\s*0|>\s*0|>=\s*1)$/;
const IS_NONE = /^(?:is\s+None|==\s*None|==\s*0|<\s*1)$/;

const WRAPS = /^(?:len|bool|list|sync_to_async)$/;
const GIVES = /^(?:a?(?:first|last|exists|count)|one_or_none|scalar|scalar_one_or_none|get_or_none)$/;
const ROWS = /^(?:filter|filter_by|exclude|all|order_by|select_for_update|values_list)$/;

function asksForRows(c: Place, node: Syntax, depth: number): Missing | undefined {
  const callee = child(node, 'function');
  const name = textOf(c.file, callee?.type === 'attribute' ? child(callee, 'attribute') : callee);
  if (callee?.type === 'identifier')
    return WRAPS.test(name) ? missing(c, argument(node, 0), depth + 1) : undefined;
  if (callee?.type !== 'attribute') return undefined;
  if (GIVES.test(name) || (ROWS.test(name) && ASKS_OBJECTS.test(textOf(c.file, callee))))
    return within(c, node, depth) ?? { query: node, holds: false };
  return ofOwn(c, node, depth);
}

const ASKS_OBJECTS = /\.objects\b|\.query\b|\.query\(|\bselect\(/;

/** `cls.roots().exists()`, `roots.count()`: what the receiver asks for. */
function within(c: Place, node: Syntax, depth: number): Missing | undefined {
  const object = child(child(node, 'function')!, 'object');
  if ((child(node, 'arguments')?.children.length ?? 0) > 0) return undefined;
  return object?.type === 'call' || object?.type === 'identifier' ? missing(c, object, depth + 1) : undefined;
}

/** `cls.roots()`, whose one statement returns a query. */
function ofOwn(c: Place, node: Syntax, depth: number): Missing | undefined {
  const [, owner, name] = /^(self|cls)\.(\w+)\(\)$/.exec(textOf(c.file, node)) ?? [];
  const method = owner && c.cls && methodOf(c, c.cls.node, name!);
  const body = (method && child(method, 'body')?.children) || [];
  const returns = body.filter(({ type }) => type === 'return_statement');
  const last = body.at(-1);
  if (returns.length !== 1 || last !== returns[0]) return undefined;
  const found = missing(c, last!.children.at(-1), depth + 1);
  return found && { ...found, away: true };
}
