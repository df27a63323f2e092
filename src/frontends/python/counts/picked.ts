// Whether what a query asks for is one row: it says one value of a key. It asks no database, and what another file declares it does not know.
import { isKeyByName } from '../../sql/queries/predicate.ts';
import { child, type Syntax } from '../../syntax.ts';
import { members } from '../classes/classes.ts';
import { chained, isKeyOf } from '../names/knowledge.ts';
import { type Place, type Type, textOf } from '../names/scope.ts';

/** Of a chain, from its last call: `Order.objects.filter(pk=pk).order_by("at")`. */
export function picksOne(c: Place, query: Syntax | undefined, of: Type | undefined): boolean {
  let at = query;
  for (let i = 0; at?.type === 'call' && i < 20; i++) {
    const name = textOf(c.file, child(child(at, 'function')!, 'attribute'));
    if (!chained().passes.has(name)) return false;
    if (chained().picks.has(name) && asksForKey(c, at, of)) return true;
    at = askedOf(at);
  }
  return false;
}

/** Of a statement that is put together: what is asked of it further on, `update(Order).where(Order.id == pk)`. */
export function narrowsToOne(c: Place, statement: Syntax): boolean {
  let at = statement;
  for (let up = at.parent; up?.type === 'attribute' && up.parent?.type === 'call'; up = at.parent) {
    at = up.parent;
    if (chained().picks.has(textOf(c.file, child(up, 'attribute'))) && asksForKey(c, at)) return true;
  }
  return false;
}

/** The call that this one is asked of; of a plain name too, where that is all the same. */
export function askedOf(call: Syntax, plain = false): Syntax | undefined {
  const callee = child(call, 'function');
  const object = callee?.type === 'attribute' ? child(callee, 'object') : undefined;
  if (object?.type !== 'call') return undefined;
  return plain || child(object, 'function')?.type === 'attribute' ? object : undefined;
}

/** `pk=pk`, `Order.id == pk`: all that is asked for must hold, so one such is enough. */
function asksForKey(c: Place, call: Syntax, of?: Type): boolean {
  return (child(call, 'arguments')?.children ?? []).some((one) => {
    if (one.type === 'keyword_argument')
      return isKey(c, textOf(c.file, child(one, 'name')).replace(/__exact$/, ''), of);
    const [left, sign, right, more] = one.type === 'comparison_operator' ? one.children : [];
    // A column that equals another's joins two tables.
    if (left?.type !== 'attribute' || sign?.type !== '==' || more) return false;
    if (!right || COLUMN.test(textOf(c.file, right))) return false;
    // A key of a table that is joined says nothing of how many rows this one has beside it.
    const table = lastOf(textOf(c.file, child(left, 'object')));
    if (table !== lastOf((of?.item ?? of)?.path ?? made(c, call) ?? '')) return false;
    return isKey(c, textOf(c.file, child(left, 'attribute')), of);
  });
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** What a statement is made of: `Order` of `update(Order).where(…)`, of `Order.update(…).where(…)`. */
function made(c: Place, call: Syntax): string | undefined {
  let first: Syntax | undefined = call;
  for (let above = askedOf(call, true); above; above = askedOf(above, true)) first = above;
  const callee = child(first, 'function');
  if (callee?.type === 'attribute') return textOf(c.file, child(callee, 'object'));
  const [table] = child(first, 'arguments')?.children ?? [];
  return table && textOf(c.file, table);
}

const COLUMN = /^[A-Z]\w*\.\w+$/;

function isKey(c: Place, name: string, of: Type | undefined): boolean {
  const path = (of?.item ?? of)?.path ?? '';
  const table = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return isKeyByName(name, `sql:${table}`) || isKeyOf(path, name) || isDeclared(c, path, name);
}

/** `code = models.CharField(unique=True)`, where the class stands in this file. */
function isDeclared(c: Place, path: string, name: string): boolean {
  const info = c.file.classes.get(path.replace(/[()^].*$/, ''));
  return (info ? members(info.node) : []).some((one) => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    if (assignment?.type !== 'assignment' || textOf(c.file, child(assignment, 'left')) !== name) return false;
    return /\b(?:unique|primary_key)\s*=\s*True\b/.test(textOf(c.file, child(assignment, 'right')));
  });
}
