// SQL text in Python: which texts an expression can be, piece by piece. It does not read SQL.
import type { Part } from '../../../framework.ts';
import { HOLE } from '../../sql/text/lexer.ts';
import { child, type Syntax } from '../../syntax.ts';
import { textOfClass } from '../classes/constants.ts';
import { argument, argumentOf, keyword } from '../names/arguments.ts';
import { assignments, isConstantName } from '../names/assignments.ts';
import { api, canonical } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { formatted, literal, type Piece } from '../names/strings.ts';
import { constantText, resolve } from '../names/values.ts';

const SAME_TEXT = new Set([
  'strip',
  'lstrip',
  'rstrip',
  'encode',
  'dedent',
  'cleandoc',
  'as_string',
  'replace',
  'bindparams',
  'execution_options',
]);

/** The texts, one for each statement list; none when it is computed. */
export function texts(c: Place, node: Syntax | undefined, depth = 0): Piece[][] {
  if (!node || depth > 12) return [];
  switch (node.type) {
    case 'string': {
      const pieces = literal(node, c.file.text);
      return pieces ? [filled(c, node, pieces)] : [];
    }
    case 'concatenated_string': {
      const all = node.children.map((one) => (one.type === 'string' ? literal(one, c.file.text) : []));
      return all.includes(null) ? [] : [all.flatMap((one, i) => filled(c, node.children[i]!, one!))];
    }
    case 'augmented_assignment':
      return longer(c, node, depth);
    case 'subscript': {
      const value = entryOf(c, node);
      return value ? texts(c, value, depth + 1) : [];
    }
    case 'await':
      return texts(c, node.children[0], depth + 1);
    case 'binary_operator':
      return operator(c, node, depth);
    case 'list':
    case 'tuple':
      // RunSQL takes a list of statements, each perhaps with its parameters.
      return node.children.flatMap((one) =>
        texts(c, one.type === 'tuple' ? one.children[0] : one, depth + 1),
      );
    case 'conditional_expression':
      return [node.children[0], node.children[2]].flatMap((one) => texts(c, one, depth + 1));
    case 'call':
      return ofCall(c, node, depth);
    case 'identifier':
    case 'attribute': {
      const code = resolve(c, node)?.code ?? (node.type === 'attribute' ? textOfClass(c, node) : undefined);
      return code && code !== node ? texts(c, code, depth + 1) : [];
    }
    default:
      return [];
  }
}

/** `f"{SCHEMA}.orders"`: holes that are constants are none. */
function filled(c: Place, node: Syntax, pieces: Piece[]): Piece[] {
  if (node.children.length === 0) return pieces;
  return pieces.map((piece) => {
    const hole = piece.text === HOLE ? node.children.find(({ start }) => start === piece.start) : undefined;
    const text = hole?.children.length === 1 ? constant(c, hole.children[0]!) : undefined;
    return text === undefined ? piece : { ...piece, text };
  });
}

/** What a name that is given one value holds. */
function constant(c: Place, node: Syntax): string | undefined {
  const isOne =
    node.type === 'identifier' ? assignments(c, node, textOf(c.file, node)) <= 1 : node.type === 'string';
  const isNamed = node.type === 'attribute' && isConstantName(textOf(c.file, child(node, 'attribute')));
  return isOne || isNamed ? constantText(c, node) : undefined;
}

/** `sql += " LIMIT 1"`, where it stands in one list with what came before. */
function longer(c: Place, node: Syntax, depth: number): Piece[][] {
  const before = c.file.lengthened.get(node);
  const [[first], [more]] = [texts(c, before, depth + 1), texts(c, child(node, 'right'), depth + 1)];
  const { start, end } = child(node, 'right') ?? node;
  return first ? [[...first, ...(more ?? [{ text: HOLE, start, end }])]] : [];
}

/** `QUERIES["refresh"]` */
function entryOf(c: Place, node: Syntax): Syntax | undefined {
  const held = resolve(c, child(node, 'value'))?.code;
  const key = constantText(c, child(node, 'subscript') ?? node);
  if (held?.type !== 'dictionary' || key === undefined) return undefined;
  const pair = held.children.find((one) => constantText(c, child(one, 'key') ?? one) === key);
  return pair && child(pair, 'value');
}

function operator(c: Place, node: Syntax, depth: number): Piece[][] {
  const sign = child(node, 'operator')?.type;
  const left = child(node, 'left');
  if (sign === '%') {
    const right = child(node, 'right');
    const given = right?.type === 'tuple' ? right.children : [right];
    const said = (mark: string, nth: number) =>
      /^%s$/.test(mark) && given[nth] ? constant(c, given[nth]) : undefined;
    return texts(c, left, depth + 1).map((one) => formatted(one, '%', said));
  }
  if (sign !== '+') return [];
  // A long sum leans to the left: take it apart in a loop.
  const terms: Syntax[] = [];
  let at: Syntax | undefined = node;
  while (at?.type === 'binary_operator' && child(at, 'operator')?.type === '+') {
    const right = child(at, 'right');
    if (right) terms.push(right);
    at = child(at, 'left');
  }
  if (at) terms.push(at);
  let known = false;
  const pieces = terms.reverse().flatMap((term): Piece[] => {
    const [first] = texts(c, term, depth + 1);
    if (first) known = true;
    return first ?? [{ text: HOLE, start: term.start, end: term.end }];
  });
  return known ? [pieces] : [];
}

/** `" ".join([…])`: the texts of a list that stands there, one behind the other. */
function together(c: Place, list: Syntax | undefined, depth: number): Piece[][] {
  if (!list || !/^(list|tuple)$/.test(list.type) || list.children.length === 0) return [];
  const parts = list.children.map((one) => texts(c, one, depth + 1)[0]);
  if (parts.every((one) => one === undefined)) return [];
  return [
    parts.flatMap((one, i): Piece[] => {
      const { start, end } = list.children[i]!;
      return [...(one ?? [{ text: HOLE, start, end }]), { text: '\n', start: end, end }];
    }),
  ];
}

function ofCall(c: Place, node: Syntax, depth: number): Piece[][] {
  const callee = child(node, 'function');
  if (!callee) return [];
  const path = resolve(c, callee)?.path;
  const its = path ? api(canonical(path)) : undefined;
  if (its?.returns === 'text 0') return texts(c, argument(node, 0), depth + 1);
  if (its?.text) return madeOf(c, node, its.text.creates, depth);
  if (callee.type !== 'attribute')
    return callee.type === 'identifier' && SAME_TEXT.has(textOf(c.file, callee))
      ? texts(c, argument(node, 0), depth + 1)
      : [];
  const name = textOf(c.file, child(callee, 'attribute')!);
  const before = child(callee, 'object');
  if (name === 'join') return together(c, argument(node, 0), depth);
  if (name === 'format') {
    const filled = (mark: string, nth: number) => named(c, node, /^\{(\w*)\}$/.exec(mark)?.[1], nth);
    return texts(c, before, depth + 1).map((one) => formatted(one, 'format', filled));
  }
  if (name === 'dedent' || name === 'cleandoc') return texts(c, argument(node, 0), depth + 1);
  return SAME_TEXT.has(name) ? texts(c, before, depth + 1) : [];
}

/** The text that drops what the one behind this name or call creates. */
export function dropping(c: Place, node: Syntax): Piece[][] {
  const call = node.type === 'call' ? node : resolve(c, node)?.code;
  const path = call?.type === 'call' ? resolve(c, child(call, 'function'))?.path : undefined;
  const drops = path ? api(canonical(path))?.text?.drops : undefined;
  return call && drops ? madeOf(c, call, drops, 0) : [];
}

/** What nobody wrote is told where the call stands. */
function madeOf(c: Place, call: Syntax, parts: Part[], depth: number): Piece[][] {
  const { start, end } = child(call, 'function') ?? call;
  const out: Piece[] = [];
  for (const part of parts) {
    const { position = -1, usual, quoted, ...by } = typeof part === 'string' ? { usual: part } : part;
    const value = 'keyword' in by ? (keyword(c, call, by.keyword) ?? argument(call, position)) : undefined;
    const [pieces] = value ? texts(c, value, depth + 1) : [];
    if (pieces) out.push(...(quoted ? inQuotes(pieces) : pieces));
    else if (!value && usual !== undefined) out.push({ text: usual, start, end });
    else return [];
  }
  return [out];
}

/** `toUpper(some_text text)`: the name alone, unless it is quoted already. */
function inQuotes(pieces: Piece[]): Piece[] {
  const [first, ...rest] = pieces;
  const name = /^[^"(.]+/.exec(first?.text ?? '')?.[0];
  if (!first || !name) return pieces;
  const { start, end } = first;
  const behind = { text: first.text.slice(name.length), start: start + name.length, end };
  return [
    { text: '"', start, end: start },
    { text: name.trim(), start, end: start + name.length },
    { text: '"', start, end: start },
    behind,
    ...rest,
  ];
}

/** The name of what a text is made of: `sql`, `text(sql)`, `sql.strip()`, `sql % names`. */
export function madeFrom(c: Place, node: Syntax | undefined, depth = 0): Syntax | undefined {
  if (!node || depth > 4) return undefined;
  const again = (one: Syntax | undefined) => madeFrom(c, one, depth + 1);
  if (node.type === 'binary_operator' && child(node, 'operator')?.type === '%')
    return again(child(node, 'left'));
  if (node.type !== 'call') return node.type === 'identifier' || node.type === 'attribute' ? node : undefined;
  const callee = child(node, 'function');
  const path = resolve(c, callee)?.path;
  if (path && api(canonical(path))?.returns === 'text 0') return again(argument(node, 0));
  const name = callee?.type === 'attribute' ? textOf(c.file, child(callee, 'attribute')) : '';
  return name === 'format' || SAME_TEXT.has(name) ? again(child(callee!, 'object')) : undefined;
}

/** `.format(sql.Identifier("stock", "take"))`: names that are written out. */
function named(c: Place, call: Syntax, key: string | undefined, nth: number): string | undefined {
  if (key === undefined) return undefined;
  const given = /^[a-z_]\w*$/i.test(key)
    ? keyword(c, call, key)
    : argumentOf(call, key === '' ? nth : Number(key));
  const plain = given && constant(c, given);
  if (plain !== undefined) return plain;
  if (given?.type !== 'call' || !/(^|\.)Identifier$/.test(textOf(c.file, child(given, 'function'))))
    return undefined;
  const parts = (child(given, 'arguments')?.children ?? []).map((one) => constantText(c, one));
  const isPlain =
    parts.length > 0 && parts.every((part) => part !== undefined && /^[a-z_][a-z0-9_]*$/.test(part));
  return isPlain ? parts.join('.') : undefined;
}
