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

interface Names {
  of: string[];
  /** It is another one in each turn of the loop that gives them. */
  each: boolean;
}

/** `:save`, `kind` of `%i[…].each`, and `"apply_#{kind}"` of that; null where what one is called does not stand there. */
export function namesIn(body: Body, node: Syntax): Names | null {
  const { of, each } = choices(body, node);
  const found: Names = { of: [], each };
  for (const one of of) {
    const name = nameIn(body, one);
    const filled = name === null ? filledIn(body, one) : { of: [name], each: false };
    if (!filled) return null;
    found.of.push(...filled.of);
    found.each ||= filled.each;
  }
  return found;
}

function filledIn(body: Body, node: Syntax): Names | null {
  const written = piecesOf(body, node);
  const [hole, ...more] = written?.holes ?? [];
  const held = hole && more.length === 0 ? parts(hole)[0] : undefined;
  if (!written || held?.type !== 'identifier') return null;
  const { of, each } = choices(body, held);
  const names = of.map((one) => nameIn(body, one));
  const [before, after] = written.pieces;
  return names.includes(null) ? null : { of: names.map((one) => `${before}${one}${after}`), each };
}

/** What stands around the holes of a text, and those. */
function piecesOf({ file }: Body, node: Syntax): { pieces: string[]; holes: Syntax[] } | null {
  if (!/^(string|delimited_symbol)$/.test(node.type)) return null;
  const holes = parts(node).filter(({ type }) => type === 'interpolation');
  const pieces: string[] = [];
  let at = node.start + (node.type === 'string' ? 1 : 2);
  for (const one of holes) {
    pieces.push(file.text.slice(at, one.start));
    at = one.end;
  }
  return { pieces: [...pieces, file.text.slice(at, node.end - 1)], holes };
}

/** `send("apply_#{kind}")`: the methods of the class itself whose names are like that. */
export function namesLike(body: Body, node: Syntax): string[] {
  const { owner, singleton } = body;
  const written = owner.kind === 'file' ? null : piecesOf(body, node);
  if (!written || written.holes.length === 0) return [];
  const { pieces } = written;
  if (!/^[\w ]+[?!=]?$/.test(pieces.join(' ')) || pieces.join('').length < LEAST_WRITTEN) return [];
  const named = new RegExp(`^${pieces.join('\\w+')}$`);
  const found = owner.methods.filter((one) => one.singleton === singleton && named.test(one.name));
  return found.length > MOST_ALIKE ? [] : found.map(({ name }) => name);
}
