// String literals as nodes: whole, but for the holes of f"…" and t"…".

import { FAULT } from '../../cursor.ts';
import { as, node } from '../../nodes.ts';
import { DEPTH, type Syntax } from '../../syntax.ts';
import { expressions, yielding } from './expressions.ts';
import type { Reader } from './reader.ts';
import { Kind } from './tokens.ts';

/** A hole in a hole costs more of the stack than a bracket in a bracket. */
const LEVELS = 4;

/** One literal, or several side by side. */
export function strings(x: Reader): Syntax {
  const first = literal(x);
  if (x.kind !== Kind.STRING && x.kind !== Kind.TEMPLATE) return first;
  const all = [first];
  while (x.kind === Kind.STRING || x.kind === Kind.TEMPLATE) all.push(literal(x));
  return x.close('concatenated_string', first.start, all);
}

const literal = (x: Reader): Syntax => (x.kind === Kind.STRING ? x.leaf('string') : template(x));

function template(x: Reader): Syntax {
  const { start, quote, triple, depth, hole, level } = x;
  const inside = x.end;
  let holes: Syntax[] = [];
  try {
    if (x.exhausted) x.fail();
    holes = content(x, quote, triple);
  } catch (error) {
    if (error !== FAULT) throw error;
    // A hole that is not Python costs the holes of this string alone.
    x.error ??= node('ERROR', start, x.end);
    const end = x.closing(inside, quote, triple);
    if (end < 0) throw error;
    x.wasted += Math.max(0, x.at - end);
    x.at = end;
  }
  Object.assign(x, { depth, hole, level });
  const end = x.at;
  if (triple) x.long.push(start, end);
  x.end = end;
  x.next();
  return node('string', start, end, holes);
}

function content(x: Reader, quote: number, triple: boolean): Syntax[] {
  const { raw } = x;
  const holes: Syntax[] = [];
  while (x.toHole(quote, triple, raw)) holes.push(interpolation(x, 'interpolation', quote, triple));
  return holes;
}

/** From an opening brace to the one that closes it; the token after it is not read. */
function interpolation(x: Reader, type: string, quote: number, triple: boolean): Syntax {
  const start = x.at;
  const outer = x.hole;
  x.level += LEVELS;
  if (x.level > DEPTH) {
    x.cut = true;
    x.fail();
  }
  x.at++;
  x.hole = ++x.depth;
  x.next();
  const parts = [as('expression', x.kind === Kind.YIELD ? yielding(x) : expressions(x))];
  x.accept(Kind.ASSIGN);
  if (x.kind === Kind.BANG) {
    const from = x.start;
    x.next();
    x.name();
    parts.push(as('type_conversion', x.close('type_conversion', from, [])));
  }
  if (x.kind === Kind.COLON) {
    const from = x.start;
    const inner: Syntax[] = [];
    while (x.toFormatHole(quote, triple)) inner.push(interpolation(x, 'format_expression', quote, triple));
    parts.push(as('format_specifier', node('format_specifier', from, x.at, inner)));
    x.at++;
    x.depth--;
  } else if (x.kind !== Kind.RBRACE) x.fail();
  x.hole = outer;
  x.level -= LEVELS;
  return node(type, start, x.at, parts);
}
