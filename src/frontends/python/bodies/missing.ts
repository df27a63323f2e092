// What runs only where a query found no row, and makes one: get_or_create(), written out by hand. It reads conditions, and lowers nothing.
import type { Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { isQueried, python, relationOf } from '../calls/rows.ts';
import { methodOf } from '../classes/classes.ts';
import { once, seldom } from '../conditions/once.ts';
import { sameRows } from '../counts/same.ts';
import { argument } from '../names/arguments.ts';
import { standing } from '../names/assignments.ts';
import { chained, isType, member } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { isClassLike, resolve } from '../names/values.ts';

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

/** The arm of an `if`, an `elif` or an `else` that runs only where a row is missing. */
export function whereNone(c: Place, clause: Syntax, steps: Step[]): Step[] {
  if (steps.length === 0) return steps;
  const found = missing(c, child(clause, 'condition'));
  if (found?.holds) return making(c, found, steps);
  const branch = clause.type === 'if_statement' ? null : clause.parent;
  for (const one of branch ? [branch, ...branch.children.slice(0, FEW)] : []) {
    if (one === clause) break;
    const before = missing(c, child(one, 'condition'));
    if (before && !before.holds) return making(c, before, steps);
  }
  return steps;
}

/** Nobody asks in more arms than these whether a row is there. */
const FEW = 20;

/** What `if order: return order` asked for is missing behind it. */
export function missingBehind(c: Place, node: Syntax): ((steps: Step[]) => Step[]) | undefined {
  if (node.type !== 'if_statement') return undefined;
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
  const found = query?.type === 'call' ? asksForRows(c, query, 0) : undefined;
  return found ? making(c, found, steps) : seldom(steps);
}

/** Who makes the row that every turn asks for makes it once; of a row for each turn nobody says how many are missing. */
function making(c: Place, { query, away }: Missing, steps: Step[]): Step[] {
  const less = seldom(steps);
  const { same, sameFor } = sameRows(c, query, away);
  const [first] = less;
  const makes = first && rowsOf(c, query);
  if (!makes) return less;
  if (same) return once(less, same === 'always' ? 'ever' : 'in loops', makes);
  return [{ kind: 'block', at: first.at, makes, ...(sameFor && { sameFor }), body: less }];
}

/** What it asks for rows of. */
function rowsOf(c: Place, query: Syntax): Name | null {
  const object = child(child(query, 'function')!, 'object');
  const of = classAsked(c, object);
  return of ? python(of) : (relationOf(resolve(c, object)?.type) ?? relationOf(resolve(c, query)?.type));
}

/** `Kind.shown.filter(…)`, by whatever manager the class has in another file. */
function classAsked(c: Place, object: Syntax | undefined): string | undefined {
  for (let at = object; at; at = child(at, at.type === 'call' ? 'function' : 'object')) {
    const path = at.type === 'call' || at === object ? undefined : resolve(c, at)?.path;
    if (path && isClassLike(c, path)) return path;
  }
  return undefined;
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
    case 'subscript':
      return node.children.at(-1)?.type === 'slice' ? inner(child(node, 'value')) : undefined;
    default:
      return undefined;
  }
}

const turned = (one: Missing | undefined): Missing | undefined => one && { ...one, holds: !one.holds };

const COMPARES = /\s*(is\s+None|==\s*None|==\s*0|<\s*1|is\s+not\s+None|!=\s*None|!=\s*0|>\s*0|>=\s*1)$/;
const IS_NONE = /^(?:is\s+None|==\s*None|==\s*0|<\s*1)$/;

const WRAPS = /^(?:len|bool|list)$/;

function asksForRows(c: Place, node: Syntax, depth: number): Missing | undefined {
  const callee = child(node, 'function');
  if (callee?.type === 'identifier')
    return WRAPS.test(textOf(c.file, callee)) ? missing(c, argument(node, 0), depth + 1) : undefined;
  if (callee?.type !== 'attribute') return undefined;
  const [object, name] = [child(callee, 'object'), textOf(c.file, child(callee, 'attribute'))];
  if (!chained().finds.has(name)) return ofOwn(c, node, depth);
  // `cls.roots().exists()`, `roots.count()`
  const alone = (child(node, 'arguments')?.children.length ?? 0) === 0;
  const of = alone && object && LEADS.has(object.type) ? missing(c, object, depth + 1) : undefined;
  return of ?? (findsRows(c, node, object, name) ? { query: node, holds: false } : undefined);
}

const LEADS = new Set(['call', 'identifier']);

/** Whether it is a query, or asks one for a row, whether there is any or how many: of what nobody knows it is not. */
function findsRows(c: Place, node: Syntax, object: Syntax | undefined, name: string): boolean {
  const type = resolve(c, object)?.type;
  const its = type && isType(type.path) ? member(type.path, name) : undefined;
  if (its?.read || its?.returns?.startsWith('item') || isQueried(resolve(c, node)?.type)) return true;
  return classAsked(c, object) !== undefined;
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
