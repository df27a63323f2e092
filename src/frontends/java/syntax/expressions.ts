// Java's expressions of operators, casts and lambdas. What operators stand between is elsewhere.
import { FAULT } from '../../cursor.ts';
import type { Concat, Lambda, Node, Parameter, TypeRef } from '../../jvm/syntax/syntax.ts';
import { operand } from './operands.ts';
import { parameters } from './parameters.ts';
import type { Reader } from './reader.ts';
import { block } from './statements.ts';
import { BINDS, FOLLOWS_CAST, isName, Kind, SHIFT } from './tokens.ts';
import { annotationsEnd, dimensions, simpleType, typeEnd, typeRef } from './types.ts';

export function expression(x: Reader): Node {
  if (!x.enter(2)) return x.pass();
  const { start } = x;
  let left = binary(x, 0);
  if (x.accept(Kind.QUESTION)) {
    const yes = expression(x);
    x.expect(Kind.COLON);
    const no = expression(x);
    left = { kind: 'choice', start, end: x.last, tests: [left], arms: [yes, no], exhaustive: true };
  } else {
    const length = assigns(x);
    if (length > 0) {
      x.i += length;
      const value = expression(x);
      left = { kind: 'assign', start, end: x.last, target: left, value };
    }
  }
  x.level -= 2;
  return left;
}

/** The tokens of an assignment's operator: `>>=` is two, `>>>=` three. */
function assigns(x: Reader): number {
  if (x.kind === Kind.ASSIGN) return 1;
  if (x.kind !== Kind.GREATER) return 0;
  const length = shifts(x);
  return x.peek(length - 1) === Kind.GREATER_EQUAL ? length : 0;
}

/** How many tokens without a blank between them begin with this `>`. */
function shifts(x: Reader): number {
  const { kinds, starts, ends, i } = x;
  let length = 1;
  while (length < 3 && starts[i + length] === ends[i + length - 1]) {
    const kind = kinds[i + length];
    if (kind !== Kind.GREATER && kind !== Kind.GREATER_EQUAL) break;
    length++;
    if (kind === Kind.GREATER_EQUAL) break;
  }
  return length;
}

function binary(x: Reader, least: number): Node {
  const { start } = x;
  let left = unary(x);
  // `a + b + c` is one list, however long.
  let chain: Concat | null = null;
  for (;;) {
    const { kind } = x;
    let binds = BINDS[kind]!;
    if (binds === 0) return left;
    let length = 1;
    if (kind === Kind.GREATER) {
      length = shifts(x);
      if (length > 1) {
        if (x.peek(length - 1) === Kind.GREATER_EQUAL) return left;
        binds = SHIFT;
      }
    }
    if (binds <= least) return left;
    x.i += length;
    if (kind === Kind.INSTANCEOF) {
      left = instance(x, start, left);
      chain = null;
      continue;
    }
    const right = binary(x, binds);
    if (chain) {
      chain.parts.push(right);
      chain.end = x.last;
    } else left = chain = { kind: 'concat', start, end: x.last, parts: [left, right] };
  }
}

/** `x instanceof Type name`, `x instanceof Point(int a, var b)` */
function instance(x: Reader, start: number, value: Node): Node {
  x.accept(Kind.FINAL);
  const items = [value, typeNode(x)];
  if (x.kind === Kind.LPAR) x.i = x.behind(x.i);
  else if (isName(x.kind)) items.push(x.nameNode());
  return x.several(start, items);
}

/** A type where a value stands: its name, and its dimensions for themselves. */
export function typeNode(x: Reader): Node {
  const { start } = x;
  const type = plainType(x);
  const from = x.start;
  dimensions(x, NOTHING);
  if (x.last <= from) return type;
  return x.several(start, [
    type,
    { kind: 'literal', start: from, end: x.last, text: x.text.slice(from, x.last) },
  ]);
}

export function plainType(x: Reader): Node {
  x.i = annotationsEnd(x, x.i);
  const { start } = x;
  const kind = x.kind === Kind.PRIMITIVE || x.kind === Kind.VOID ? 'literal' : 'name';
  const { name } = simpleType(x);
  return { kind, start, end: x.last, text: name };
}

const NOTHING: TypeRef = { name: '', arguments: [] };

export function unary(x: Reader): Node {
  const { start, kind } = x;
  switch (kind) {
    case Kind.PLUS:
    case Kind.MINUS:
    case Kind.NOT:
    case Kind.TILDE:
    case Kind.INCREMENT: {
      if (!x.enter()) return x.pass();
      const items: Node[] = [];
      if (kind === Kind.INCREMENT) x.next();
      else items.push(x.literal());
      items.push(unary(x));
      x.level--;
      return x.several(start, items);
    }
    case Kind.LPAR:
      switch (parenthesis(x)) {
        case Paren.CAST:
          return cast(x);
        case Paren.LAMBDA:
          return lambda(x);
        default:
          return operand(x);
      }
    default:
      if (isName(kind) && x.peek() === Kind.ARROW) return lambda(x);
      return operand(x);
  }
}

// ---- what a parenthesis begins

enum Paren {
  VALUE,
  CAST,
  LAMBDA,
}

/** Looks only as far as names, types and commas go. */
function parenthesis(x: Reader): Paren {
  const { kinds } = x;
  let i = x.i + 1;
  const first = kinds[i]!;
  if (first === Kind.RPAR) return Paren.LAMBDA;
  if (first === Kind.FINAL) return Paren.LAMBDA;
  if (first === Kind.AT) i = annotationsEnd(x, i);
  else if (!isName(first) && first !== Kind.PRIMITIVE && first !== Kind.VOID) return Paren.VALUE;
  if (isName(first)) {
    if (kinds[i + 1] === Kind.RPAR) {
      if (kinds[i + 2] === Kind.ARROW) return Paren.LAMBDA;
      return FOLLOWS_CAST[kinds[i + 2]!] === 1 ? Paren.CAST : Paren.VALUE;
    }
    if (kinds[i + 1] === Kind.COMMA) return Paren.LAMBDA;
  }
  let end = typeEnd(x, i);
  if (end < 0) return Paren.VALUE;
  if (isName(kinds[end]!) || kinds[end] === Kind.ELLIPSIS || kinds[end] === Kind.THIS) return Paren.LAMBDA;
  const several = kinds[end] === Kind.AND_BITS;
  while (kinds[end] === Kind.AND_BITS) {
    end = typeEnd(x, end + 1);
    if (end < 0) return Paren.VALUE;
  }
  if (kinds[end] !== Kind.RPAR) return Paren.VALUE;
  // `(int) -1`
  if (!several && first === Kind.PRIMITIVE) return Paren.CAST;
  return FOLLOWS_CAST[kinds[end + 1]!] === 1 ? Paren.CAST : Paren.VALUE;
}

function cast(x: Reader): Node {
  const { start } = x;
  if (!x.enter()) return x.pass();
  x.next();
  const type: TypeRef = typeRef(x);
  while (x.accept(Kind.AND_BITS)) typeRef(x);
  x.expect(Kind.RPAR);
  const value = unary(x);
  x.level--;
  return { kind: 'cast', start, end: x.last, type, value };
}

// ---- lambdas

function lambda(x: Reader): Node {
  const { start } = x;
  if (!x.enter()) return x.pass();
  const given = x.kind === Kind.LPAR ? lambdaParameters(x) : [{ name: x.name() }];
  x.expect(Kind.ARROW);
  const body = x.kind === Kind.LBRACE ? block(x) : expression(x);
  x.level--;
  const made: Lambda = { kind: 'lambda', start, end: x.last, parameters: given, body };
  return made;
}

function lambdaParameters(x: Reader): Parameter[] {
  const next = x.peek(2);
  if (!isName(x.peek()) || (next !== Kind.COMMA && next !== Kind.RPAR)) return parameters(x);
  x.next();
  const all: Parameter[] = [];
  do all.push({ name: x.name() });
  while (x.accept(Kind.COMMA));
  if (!x.accept(Kind.RPAR)) throw FAULT;
  return all;
}
