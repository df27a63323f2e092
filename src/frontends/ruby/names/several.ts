// What a receiver may be of several classes, and a name of several methods, where what is written out tells. It lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { parts, textOf } from '../syntax.ts';
import { choices, nameIn } from './choices.ts';
import type { Body, Type } from './file.ts';
import { resultOf, typeOf } from './types.ts';

interface Types {
  of: Type[];
  /** It is another one in each turn of the loop that gives them. */
  each: boolean;
}

const DEEP = 4;
const NAMED = /^(safe_)?constantize$/;
/** A name for a class or a table of them: `HANDLER`, `HANDLERS[kind]`. */
const HELD = /^[A-Z][A-Z0-9_]+$/;

/** `(late ? Later : Now).new`, `HANDLERS.fetch(kind).new`; null where nothing tells, or the expression alone. */
export function typesOf(body: Body, node: Syntax, depth = 0): Types | null {
  if (depth > DEEP) return null;
  const [above, asked] = node.type === 'call' ? [child(node, 'receiver'), child(node, 'method')] : [];
  const method = asked ? textOf(body.file, asked) : '';
  if (above && NAMED.test(method)) return constantized(body, above);
  if (above && method) {
    const found = typesOf(body, above, depth + 1);
    const of = found?.of.map((one) => resultOf(one, method));
    if (found || method !== 'fetch')
      return found && of?.every((one) => one !== null) ? { of, each: found.each } : null;
  }
  const name = /^(identifier|parenthesized_statements)$/.test(node.type);
  const held =
    node.type === 'constant'
      ? HELD.test(textOf(body.file, node))
      : node.type === 'element_reference' || above;
  if (!name && !held) return null;
  const { of, each } = choices(body, node);
  if (of.length < 2 && (name || of[0] === node)) return null;
  const types = of.map((one) => typeOf(body, one)).filter((one) => one !== null && one.kind !== 'builtin');
  const names = new Set(types.map((one) => one!.name));
  return names.size > (name ? 1 : 0) ? { of: types as Type[], each } : null;
}

/** What begins with the variable of a loop over several that are written out: `handler.new(row)` of `HANDLERS.each`. */
export function isOneOf(body: Body, node: Syntax): boolean {
  let one: Syntax | undefined = node;
  for (let i = 0; one?.type === 'call' && i < DEEP; i++) one = child(one, 'receiver');
  return one?.type === 'identifier' && body.locals.get(textOf(body.file, one))?.among !== undefined;
}

/** `HANDLERS[kind].constantize`: classes that stand there as texts. */
function constantized(body: Body, node: Syntax): Types | null {
  const { of, each } = choices(body, node);
  const names = of.map((one) => nameIn(body, one));
  if (!names.every((one) => one !== null && /^(::)?[A-Z]\w*(::[A-Z]\w*)*$/.test(one))) return null;
  return { of: names.map((one): Type => ({ name: `ruby:${one!.replace(/^::/, '')}`, kind: 'class' })), each };
}

const MOST_ALIKE = 12;
const LEAST_WRITTEN = 3;

/** `send("apply_#{kind}")`: the methods of the class itself whose names are like that. */
export function namesLike({ file, owner, singleton }: Body, node: Syntax): string[] {
  if (!/^(string|delimited_symbol)$/.test(node.type) || owner.kind === 'file') return [];
  const holes = parts(node).filter(({ type }) => type === 'interpolation');
  let like = '';
  let at = node.start + (node.type === 'string' ? 1 : 2);
  for (const one of holes) {
    like += `${file.text.slice(at, one.start)} `;
    at = one.end;
  }
  like += file.text.slice(at, node.end - 1);
  if (holes.length === 0 || !/^[\w ]+[?!=]?$/.test(like) || like.length - holes.length < LEAST_WRITTEN)
    return [];
  const named = new RegExp(`^${like.replaceAll(' ', '\\w+')}$`);
  const found = owner.methods.filter((one) => one.singleton === singleton && named.test(one.name));
  return found.length > MOST_ALIKE ? [] : found.map(({ name }) => name);
}
