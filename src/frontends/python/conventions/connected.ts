// How many statements that may write one transaction of a connection comes to, where all that is executed through it can be seen. Which connections matter, who asks knows.
import { plain } from '../../source.ts';
import { lowerEmbeddedUnit } from '../../sql/queries/embedded.ts';
import { child, type Syntax } from '../../syntax.ts';
import { texts } from '../calls/text.ts';
import { api, canonical } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** Of the DB API's objects, as all drivers have them: what gives a cursor, sends statements, ends a transaction, and sends nothing. */
const GIVES = /^cursor$/;
const SENDS = /^execute$/;
const SENDS_MANY = /^executemany$/;
const ENDS = /^(?:commit|rollback)$/;
const HARMLESS =
  /^(?:close|fetch\w+|nextset|description|rowcount|cancel|timeout|fast_executemany|add_output_converter|set(?:en|de)coding|setinputsizes|__enter__|__exit__)$/;
/** They take what a cursor gives and keep nothing of it. */
const COLLECTS = /^(?:list|tuple|set|dict|sorted|enumerate|zip|next|len|bool)$/;

interface Seen {
  c: Place;
  /** Where the connection is made: it is another one in each turn of a loop around it. */
  made: Syntax;
  /** Each call that sends a statement, and whether that only reads. */
  sent: { node: Syntax; reads: boolean; many: boolean; known: boolean }[];
  /** Each that ends a transaction. */
  ends: Syntax[];
}

/** Infinity where a loop may write in one transaction; null where not all of it can be seen. */
export function writesThrough(c: Place, root: Syntax, place: number): number | null {
  const makers = connecting(c, root, place);
  if (!makers) return null;
  let most = 0;
  for (const made of makers) {
    const seen: Seen = { c, made, sent: [], ends: [] };
    const goes = following(seen, made, scopeOf(made));
    if (!goes) return null;
    const its = comesTo(seen);
    if (its === null) return null;
    most = Math.max(most, its);
  }
  return most;
}

/** The calls that are handed the text which stands there, by itself or by the one name that it has. */
function connecting(c: Place, root: Syntax, place: number): Syntax[] | null {
  let node: Syntax = deepest(root, place);
  while (node.parent && PARTS.has(node.parent.type)) node = node.parent;
  const { parent } = node;
  if (parent?.type === 'call') return isConnect(c, parent) ? [parent] : null;
  const name = parent?.type === 'assignment' && node.field === 'right' ? child(parent, 'left') : undefined;
  if (name?.type !== 'identifier') return null;
  const out: Syntax[] = [];
  for (const use of named(c, root, textOf(c.file, name)!)) {
    if (use === name) continue;
    let part = use;
    while (part.parent && PARTS.has(part.parent.type)) part = part.parent;
    if (part.parent?.type !== 'call' || !isConnect(c, part.parent)) return null;
    out.push(part.parent);
  }
  return out.length > 0 ? out : null;
}

const PARTS = new Set([
  'string', 'concatenated_string', 'binary_operator', 'parenthesized_expression', 'interpolation', 'keyword_argument',
  'argument_list',
]); // biome-ignore format: words

const isConnect = (c: Place, call: Syntax) =>
  /(?:^|\.)connect$/.test(textOf(c.file, child(call, 'function')) ?? '');

function deepest(root: Syntax, place: number): Syntax {
  let node = root;
  for (let next: Syntax | undefined = root; next; ) {
    node = next;
    next = node.children.find(({ start, end }) => start <= place && place < end);
  }
  return node;
}

const isScope = ({ type }: Syntax) =>
  type === 'function_definition' || type === 'lambda' || type === 'module';

function scopeOf(node: Syntax): Syntax {
  let scope = node;
  while (scope.parent && !isScope(scope)) scope = scope.parent;
  return scope;
}

/** All identifiers of this name below, but for those of attributes and keywords. */
function named(c: Place, below: Syntax, name: string): Syntax[] {
  const out: Syntax[] = [];
  const look = (node: Syntax): void => {
    if (node.type === 'identifier') {
      const isName =
        node.field === 'attribute' || (node.field === 'name' && node.parent?.type === 'keyword_argument');
      if (!isName && textOf(c.file, node) === name) out.push(node);
    } else node.children.forEach(look);
  };
  look(below);
  return out;
}

/** What becomes of a connection or a cursor that this expression gives; false where it goes out of sight. */
function following(seen: Seen, given: Syntax, scope: Syntax): boolean {
  let node = given;
  while (node.parent && (node.parent.type === 'await' || node.parent.type === 'parenthesized_expression'))
    node = node.parent;
  const parent = node.parent;
  switch (parent?.type) {
    case 'expression_statement':
    case 'with_item':
    case 'delete_statement':
    case 'if_statement':
    case 'not_operator':
    case 'comparison_operator':
    case 'for_in_clause':
      return true;
    case 'for_statement':
      return node.field === 'right';
    case 'assignment':
      return node.field === 'right' && through(seen, child(parent, 'left'), scope);
    case 'as_pattern': {
      const target = child(parent, 'alias');
      return through(seen, target?.children[0], scope);
    }
    case 'attribute':
      return uses(seen, parent, scope);
    case 'keyword_argument':
    case 'argument_list': {
      const list = parent.type === 'argument_list' ? parent : parent.parent;
      const call = list?.parent;
      const callee = call ? child(call, 'function') : undefined;
      const its = api(canonical(resolve(seen.c, callee)?.path ?? ''));
      if (its?.enters !== undefined) return following(seen, call!, scope);
      if (its?.read) seen.sent.push({ node: call!, reads: true, many: false, known: true });
      return its?.read !== undefined || COLLECTS.test(textOf(seen.c.file, callee));
    }
    default:
      return false;
  }
}

/** All that is done with it under a name, which means nothing else there, and in no function within. */
function through(seen: Seen, name: Syntax | undefined, scope: Syntax): boolean {
  if (name?.type !== 'identifier') return false;
  const said = textOf(seen.c.file, name)!;
  for (const use of named(seen.c, scope, said)) {
    if (use === name) continue;
    if (scopeOf(use) !== scope) return false;
    const { parent } = use;
    const isTarget = use.field === 'left' && parent?.type === 'assignment';
    if (isTarget) {
      const value = textOf(seen.c.file, child(parent, 'right'));
      if (
        value !== 'None' &&
        value !== textOf(seen.c.file, name.parent ? child(name.parent, 'right') : undefined)
      )
        return false;
    } else if (parent?.type === 'as_pattern_target' || !following(seen, use, scope)) return false;
  }
  return true;
}

/** `connection.cursor()`, `cursor.execute(…)`, `connection.commit()` */
function uses(seen: Seen, attribute: Syntax, scope: Syntax): boolean {
  const name = textOf(seen.c.file, child(attribute, 'attribute')) ?? '';
  const call = attribute.parent?.type === 'call' && attribute.field === 'function' ? attribute.parent : null;
  if (!call) return HARMLESS.test(name) || (name === 'autocommit' && attribute.field === 'left');
  if (HARMLESS.test(name)) return true;
  if (ENDS.test(name)) return seen.ends.push(call) > 0;
  if (GIVES.test(name)) return following(seen, call, scope);
  const many = SENDS_MANY.test(name);
  if (!many && !SENDS.test(name)) return false;
  const all = texts(seen.c, child(call, 'arguments')?.children[0]).map((one) =>
    one.map(({ text }) => text).join(''),
  );
  seen.sent.push({ node: call, reads: all.length > 0 && all.every(onlyReads), many, known: all.length > 0 });
  return following(seen, call, scope);
}

function onlyReads(text: string): boolean {
  const { steps } = lowerEmbeddedUnit(plain(text), '');
  return (
    /^\s*(?:set|show|reset)\b/i.test(text) || (steps.length > 0 && steps.every(({ kind }) => kind === 'read'))
  );
}

/** A bound: what stands in one turn of a loop that ends its transaction, and all beside it. */
function comesTo({ made, sent, ends }: Seen): number | null {
  if (sent.length === 0) return null;
  let writes = 0;
  for (const { node, reads, many, known } of sent) {
    if (reads) continue;
    if (many) return Infinity;
    const loop = loopAround(node, made);
    if (loop && !ends.some((end) => isInEachTurn(end, loop))) return known ? Infinity : null;
    writes++;
  }
  // The first statement of a transaction needs none.
  return sent.some(({ reads }) => reads) ? writes : Math.max(0, writes - 1);
}

const LOOPS = /^(?:for_statement|while_statement|\w+_comprehension|generator_expression)$/;

/** The innermost one, which runs in one connection. */
function loopAround(node: Syntax, made: Syntax): Syntax | null {
  for (let one = node.parent; one && !isScope(one); one = one.parent)
    if (LOOPS.test(one.type)) return one.start <= made.start && made.end <= one.end ? null : one;
  return null;
}

const PLAINLY = new Set([
  'expression_statement',
  'block',
  'with_statement',
  'try_statement',
  'await',
  'finally_clause',
]);

function isInEachTurn(end: Syntax, loop: Syntax): boolean {
  let node = end.parent;
  while (node && node !== loop && PLAINLY.has(node.type)) node = node.parent;
  return node === loop;
}
