// Kotlin's expressions of operators, prefixes and lambdas. What operators stand between is elsewhere.
import type { Choice, Concat, Lambda, Node, Parameter } from '../../jvm/syntax/syntax.ts';
import { operand } from './operands.ts';
import type { Reader } from './reader.ts';
import { statements } from './statements.ts';
import { BINDS, CONTINUES, INFIX, isName, Kind } from './tokens.ts';
import { annotationsEnd, typeEnd, typeRef } from './types.ts';

export function expression(x: Reader): Node {
  if (!x.enter(2)) return x.pass();
  const made = binary(x, 0);
  x.level -= 2;
  return made;
}

function binary(x: Reader, least: number): Node {
  const { start } = x;
  let left = prefixed(x);
  // `a + b + c` is one list, however long.
  let chain: Concat | null = null;
  for (;;) {
    const { kind } = x;
    const binds = BINDS[kind]!;
    if (binds <= least) return left;
    if (x.isNewLine && CONTINUES[kind] === 0) return left;
    if (binds === INFIX) {
      // A label before a lambda is none.
      if (isLabel(x)) return left;
      left = x.linked(infix(x, start, left));
    } else {
      x.next();
      switch (kind) {
        case Kind.IS:
          typeRef(x);
          left = x.linked(x.several(start, [left]));
          break;
        case Kind.AS: {
          const type = typeRef(x);
          left = x.linked({ kind: 'cast', start, end: x.last, type, value: left });
          break;
        }
        case Kind.IN:
        case Kind.RANGE: {
          const right = binary(x, binds);
          left = x.linked(x.several(start, [left, right]));
          if (kind === Kind.RANGE) x.range = left;
          break;
        }
        default: {
          const right = binary(x, binds);
          if (kind === Kind.ELVIS || (right.kind === 'leave' && (kind === Kind.AND || kind === Kind.OR))) {
            left = x.linked(otherwise(left, right, kind === Kind.ELVIS));
            break;
          }
          if (chain) {
            chain.parts.push(right);
            chain.end = x.last;
          } else left = chain = { kind: 'concat', start, end: x.last, parts: [left, right] };
          continue;
        }
      }
    }
    chain = null;
  }
}

/** `a ?: return`, `a || throw B()`: what stands behind may not run. */
const otherwise = (left: Node, right: Node, isElse: boolean): Choice => ({
  kind: 'choice', start: left.start, end: right.end, tests: [left], arms: [right], exhaustive: false, ...(isElse && { isElse: true }),
}); // biome-ignore format: short

/** What Kotlin's library has between two operands, and Exposed in its conditions. */
export const OPERATORS = new Set(
  'until downTo step and or xor shl shr ushr union intersect subtract zip matches eq neq less lessEq greater greaterEq inList notInList inSubQuery like notLike regexp shouldBe shouldNotBe shouldEqual'.split(
    ' ',
  ),
);

/** `"autosave" to "always"`, `orders eachInTransaction { … }`. */
function infix(x: Reader, start: number, left: Node): Node {
  const name = x.nameNode();
  const right = binary(x, INFIX);
  if (OPERATORS.has(name.text)) return x.several(start, [left, name, right]);
  const at = { start: name.start, end: name.end };
  return {
    kind: 'call', start, end: x.last, object: left, name: name.text, at, arguments: [{ value: right }],
  }; // biome-ignore format: short
}

/** `name@` */
export const isLabel = (x: Reader): boolean =>
  isName(x.kind) && x.peek() === Kind.AT && x.isJoined(x.i + 1) && !x.isLineStart(x.i + 1);

function prefixed(x: Reader): Node {
  const { start, kind } = x;
  switch (kind) {
    case Kind.PLUS:
    case Kind.MINUS:
    case Kind.NOT:
    case Kind.SURE:
    case Kind.INCREMENT: {
      if (!x.enter()) return x.pass();
      const items = [x.literal(), prefixed(x)];
      x.level--;
      return x.several(start, items);
    }
    case Kind.AT: {
      if (!x.enter()) return x.pass();
      const { i } = x;
      x.i = annotationsEnd(x, i);
      if (x.i === i) x.fail();
      const inner = prefixed(x);
      x.level--;
      return x.several(start, [inner]);
    }
    default: {
      if (!isLabel(x)) return operand(x);
      if (!x.enter()) return x.pass();
      const label = x.name();
      x.next();
      const inner = prefixed(x);
      x.level--;
      if (inner.kind === 'lambda') inner.label = label;
      return inner;
    }
  }
}

// ---- lambdas

/** Behind the arrow after a lambda's parameters; less than 0 where it has none. */
export function arrowEnd(x: Reader): number {
  const { kinds } = x;
  let i = x.i + 1;
  for (;;) {
    if (kinds[i] === Kind.ARROW) return i + 1;
    i = annotationsEnd(x, i);
    if (kinds[i] === Kind.LPAR) i = x.behind(i);
    else if (isName(kinds[i]!)) i++;
    else return -1;
    if (kinds[i] === Kind.COLON) i = typeEnd(x, i + 1);
    if (i < 0) return -1;
    if (kinds[i] === Kind.COMMA) i++;
    else if (kinds[i] !== Kind.ARROW) return -1;
  }
}

export function lambda(x: Reader): Lambda {
  const { start } = x;
  const made: Lambda = {
    kind: 'lambda', start, end: start, parameters: [], body: { kind: 'sequence', start, end: start, items: [] },
  }; // biome-ignore format: short
  const arrow = arrowEnd(x);
  x.next();
  if (x.enter()) {
    const isEmpty = x.kind === Kind.ARROW;
    while (x.i < arrow) lambdaParameter(x, made.parameters);
    if (arrow < 0 || isEmpty) made.parameters.push({ name: 'it' });
    const items = x.within(false, statements);
    x.level--;
    made.body = { kind: 'sequence', start, end: start, items };
  } else x.passInside();
  x.closeBrace();
  made.end = made.body.end = x.last;
  return made;
}

/** One of them, and what divides it from the next. */
function lambdaParameter(x: Reader, into: Parameter[]): void {
  x.i = annotationsEnd(x, x.i);
  if (isName(x.kind)) {
    const name = x.name();
    into.push({ name, type: x.accept(Kind.COLON) ? typeRef(x) : undefined });
  } else if (x.kind === Kind.COLON) {
    x.next();
    typeRef(x);
  } else x.next();
}
