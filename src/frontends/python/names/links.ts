// Which connection it is that a call makes or a parameter holds, where there is more than one: its own name tells it apart. Not what is open on it.
import { child, type Syntax } from '../../syntax.ts';
import { hasWord } from '../../words.ts';
import { functionAround } from './assignments.ts';
import { isHandle, isLink, isOfLink, lineage } from './knowledge.ts';
import { ofParameter } from './parameters.ts';
import { type ClassInfo, kept, type Place, type Type, textOf } from './scope.ts';
import { resolve } from './values.ts';

type InFile = Pick<Place, 'file'>;

/** A call whose result has a name: the name, and as long as what it is there. */
interface Named {
  name: string;
  call: Syntax;
  until: number;
}

/**
 * How the connection is called that this call gives, where another one is there already: in the routine, or among what the module or
 * the object keeps. The first one is the usual, which has no name.
 */
export function labelOf(c: Place, call: Syntax, type: string): string | undefined {
  if (call.type !== 'call' || !isLink(type)) return undefined;
  const around = functionAround(call);
  const own = namedBy(c, call);
  if (!own || handsOn(c, call)) return undefined;
  const ofObject = own.name.startsWith('self.');
  const cls = ofObject ? classAround(call) : undefined;
  if (ofObject ? !cls : isUnsure(call)) return undefined;
  // What a module keeps may be a factory: only those that are connections themselves are known to be two.
  if (!around && !lineage(type).some(isHandle)) return undefined;
  const others = namedIn(c, cls ?? around ?? c.file.root).filter(
    (one) =>
      one.call.start < call.start &&
      one.name !== own.name &&
      one.until >= call.end &&
      (!around || ofObject || isUsedIn(c, one.name, call.end, own.until)),
  );
  const isOther = (one: Named) => {
    const its = resolve(c, one.call)?.type?.path;
    return its !== undefined && (around ? isLink(its) : its === type);
  };
  if (!others.some(isOther) && !(around && isApart(c, around, own.name))) return undefined;
  return cls ? `${textOf(c.file, child(cls, 'name'))}.${own.name.slice('self.'.length)}` : own.name;
}

/** While the second is there nobody asks the first: then it is one of its own, whatever is open outside. */
const isUsedIn = ({ file }: Place, name: string, from: number, to: number): boolean =>
  hasWord(file.text.slice(from, to), name);

/** It stays in the routine, and beside it there are objects with connections of their own. */
function isApart(c: Place, around: Syntax, name: string): boolean {
  if (!/^\w+$/.test(name) || classAround(around)) return false;
  const text = textOf(c.file, around);
  const holds = ({ path, fields }: ClassInfo) =>
    text.includes(path.slice(path.lastIndexOf('.') + 1)) &&
    [...fields.values()].some((type) => isLink(type.path));
  if (![...c.file.classes.values()].some(holds)) return false;
  // `row = conn.execute(…)`, `with connect() as conn:`, `conn = connect()`: it is asked, and never handed on.
  const all = [...text.matchAll(/\w+/g)].filter(([word]) => word === name);
  return all.every(({ index }) => {
    const before = text.slice(Math.max(0, index - 4), index);
    return (
      text[index + name.length] === '.' ||
      before.endsWith(' as ') ||
      /^ *=(?!=)/.test(text.slice(index + name.length, index + name.length + 3))
    );
  });
}

/** A session over a connection that is there already has that one. */
const handsOn = (c: Place, call: Syntax): boolean =>
  (child(call, 'arguments')?.children ?? []).some((one) => {
    const value = one.type === 'keyword_argument' ? child(one, 'value') : one;
    return isLink(resolve(c, value)?.type?.path ?? '') || CONNECTION.test(textOf(c.file, value));
  });

const CONNECTION = /(^|[._])conn(ection)?$/;

/** Of two ways one is taken: what the other has by another name may be all there is. */
function isUnsure(call: Syntax): boolean {
  for (let at: Syntax | null = call; at && at.type !== 'function_definition'; at = at.parent) {
    if (at.type === 'with_statement') return false;
    if (/^(if_statement|else_clause|elif_clause|except_clause|conditional_expression)$/.test(at.type))
      return true;
  }
  return false;
}

function classAround(call: Syntax): Syntax | undefined {
  let at: Syntax | null = call;
  while (at && at.type !== 'class_definition') at = at.parent;
  return at ?? undefined;
}

/** `dst = await connect()`, `with connect() as dst`, `dst = stack.enter_context(connect())`, `self.dst = connect()` */
function namedBy(c: InFile, call: Syntax): Named | undefined {
  let at: Syntax = call;
  let up = at.parent;
  for (; up && PASSES.test(up.type); up = at.parent) {
    if (up.type === 'call' && !/enter_(async_)?context$/.test(textOf(c.file, child(up, 'function'))))
      return undefined;
    at = up;
  }
  if (up?.type === 'assignment' && child(up, 'right') === at) {
    const left = child(up, 'left');
    const name = left && /^(identifier|attribute)$/.test(left.type) ? textOf(c.file, left) : '';
    return /^(self\.)?\w+$/.test(name) ? { name, call, until: closedAt(c, up, name) } : undefined;
  }
  const alias = up?.type === 'as_pattern' ? child(up, 'alias')?.children[0] : undefined;
  if (alias?.type !== 'identifier') return undefined;
  while (up && up.type !== 'with_statement') up = up.parent;
  return up ? { name: textOf(c.file, alias), call, until: up.end } : undefined;
}

const PASSES = /^(await|parenthesized_expression|argument_list|call)$/;

/** As long as nobody closes it. */
function closedAt(c: InFile, assignment: Syntax, name: string): number {
  const closed = c.file.text.indexOf(`${name}.close()`, assignment.end);
  return closed < 0 ? c.file.text.length : closed;
}

/** All that a routine, a class or a module names so; what stands in a routine is the routine's. */
const namedIn = kept((c, container: Syntax): Named[] => {
  const out: Named[] = [];
  const ofClass = container.type === 'class_definition';
  const look = (node: Syntax, depth: number): void => {
    if (depth > DEEPEST) return;
    for (const one of node.children) {
      if (one.type === 'class_definition' || (!ofClass && one.type === 'function_definition')) continue;
      const named = one.type === 'call' ? namedBy(c, one) : undefined;
      if (named && named.name.startsWith('self.') === ofClass) out.push(named);
      look(one, depth + 1);
    }
  };
  look(container, 0);
  return out;
});

const DEEPEST = 60;

/** The parameter of the routine itself that this belongs to, of which callers may say which connection it is. */
export function linkOf(c: Place, type: Type | undefined): string | undefined {
  const link = type?.on === undefined ? type?.link : undefined;
  if (link === undefined || !c.keeps || ofParameter(c, link).parameter === undefined) return undefined;
  c.keeps.flags = true;
  return link;
}

/** A connection that has a name, or what belongs to one, where it is handed over. */
export function linkGiven(c: Place, node: Syntax): { on: string } | undefined {
  const type = resolve(c, node)?.type;
  return type?.on !== undefined && isOfLink(type.path) ? { on: type.on } : undefined;
}
