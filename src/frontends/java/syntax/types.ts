// Java's types, as references and as a look ahead that only asks where one ends. It knows no expression.
import { FAULT } from '../../cursor.ts';
import type { TypeParameter, TypeRef } from '../../jvm/syntax/syntax.ts';
import type { Reader } from './reader.ts';
import { isName, Kind } from './tokens.ts';

/** Nobody writes lists of types that lie deeper; a longer look ahead would be made again for each `<`. */
const DEEP = 50;

// ---- looking ahead

/** Behind the type that begins at a token; less than 0 where none does. */
export function typeEnd(x: Reader, from: number, depth = 0): number {
  const { kinds } = x;
  let i = annotationsEnd(x, from);
  if (kinds[i] === Kind.PRIMITIVE || kinds[i] === Kind.VOID) return dimensionsEnd(x, i + 1);
  for (;;) {
    i = annotationsEnd(x, i);
    if (!isName(kinds[i]!)) return -1;
    i++;
    if (kinds[i] === Kind.LESS) {
      i = listEnd(x, i, depth);
      if (i < 0) return -1;
    }
    if (kinds[i] !== Kind.DOT || (!isName(kinds[i + 1]!) && kinds[i + 1] !== Kind.AT)) break;
    i++;
  }
  return dimensionsEnd(x, i);
}

/** Behind `<A, B<? extends C>>`. */
export function listEnd(x: Reader, from: number, depth = 0): number {
  const { kinds } = x;
  if (depth > DEEP) return -1;
  let i = from + 1;
  if (kinds[i] === Kind.GREATER) return i + 1;
  for (;;) {
    i = annotationsEnd(x, i);
    if (kinds[i] === Kind.QUESTION) {
      i++;
      if (kinds[i] === Kind.EXTENDS || kinds[i] === Kind.SUPER) i = typeEnd(x, i + 1, depth + 1);
    } else i = typeEnd(x, i, depth + 1);
    if (i < 0) return -1;
    if (kinds[i] === Kind.GREATER) return i + 1;
    if (kinds[i] !== Kind.COMMA) return -1;
    i++;
  }
}

/** Behind `[][]`; a bracket with something inside belongs to an expression. */
function dimensionsEnd(x: Reader, from: number): number {
  const { kinds } = x;
  let i = from;
  for (;;) {
    const open = kinds[i] === Kind.AT ? annotationsEnd(x, i) : i;
    if (kinds[open] !== Kind.LSQB || kinds[open + 1] !== Kind.RSQB) return i;
    i = open + 2;
  }
}

export function annotationsEnd(x: Reader, from: number): number {
  const { kinds } = x;
  let i = from;
  while (kinds[i] === Kind.AT && isName(kinds[i + 1]!)) {
    i += 2;
    while (kinds[i] === Kind.DOT && isName(kinds[i + 1]!)) i += 2;
    if (kinds[i] === Kind.LPAR) i = x.behind(i);
  }
  return i;
}

/** Whether a declaration of a variable begins here: a type, then a name. */
export function isDeclaration(x: Reader): boolean {
  const { kind } = x;
  if (kind === Kind.PRIMITIVE) return x.peek() !== Kind.DOT && x.peek() !== Kind.COLONS;
  if (!isName(kind)) return kind === Kind.FINAL || kind === Kind.AT;
  const next = x.peek();
  if (isName(next)) return true;
  if (next !== Kind.DOT && next !== Kind.LESS && next !== Kind.LSQB && next !== Kind.AT) return false;
  const end = typeEnd(x, x.i);
  return end > 0 && isName(x.kinds[end]!);
}

// ---- reading

const NONE: TypeRef[] = [];

export function typeRef(x: Reader): TypeRef {
  return dimensions(x, simpleType(x));
}

/** Without dimensions: what `new` takes. */
export function simpleType(x: Reader): TypeRef {
  x.i = annotationsEnd(x, x.i);
  if (x.kind === Kind.PRIMITIVE || x.kind === Kind.VOID) return { name: x.word(x.i++), arguments: NONE };
  let name = x.name();
  let given = NONE;
  for (;;) {
    given = x.kind === Kind.LESS ? typeArguments(x) : NONE;
    if (x.kind !== Kind.DOT || (!isName(x.peek()) && x.peek() !== Kind.AT)) break;
    x.next();
    x.i = annotationsEnd(x, x.i);
    name += `.${x.name()}`;
  }
  return { name, arguments: given };
}

/** However many there are, it is one array of its elements. */
export function dimensions(x: Reader, element: TypeRef): TypeRef {
  const end = dimensionsEnd(x, x.i);
  if (end === x.i) return element;
  x.i = end;
  return { name: '[]', arguments: [element] };
}

export function typeArguments(x: Reader): TypeRef[] {
  x.expect(Kind.LESS);
  if (!x.enter()) throw FAULT;
  const all: TypeRef[] = [];
  while (x.kind !== Kind.GREATER) {
    all.push(typeArgument(x));
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.GREATER);
  x.level--;
  return all;
}

/** `? extends Order` is an `Order`, as far as anybody can tell. */
function typeArgument(x: Reader): TypeRef {
  const plain = annotationsEnd(x, x.i);
  if (x.kinds[plain] !== Kind.QUESTION) return typeRef(x);
  x.i = plain + 1;
  if (!x.accept(Kind.EXTENDS) && !x.accept(Kind.SUPER)) return { name: '?', arguments: NONE };
  const bound = typeRef(x);
  return { name: bound.name === '[]' ? bound.arguments[0]!.name : bound.name, arguments: NONE };
}

export function typeParameters(x: Reader): TypeParameter[] {
  const all: TypeParameter[] = [];
  if (!x.accept(Kind.LESS)) return all;
  while (x.kind !== Kind.GREATER) {
    x.i = annotationsEnd(x, x.i);
    const name = x.name();
    let bound: TypeRef | undefined;
    if (x.accept(Kind.EXTENDS)) {
      bound = { name: typeRef(x).name, arguments: NONE };
      while (x.accept(Kind.AND_BITS)) typeRef(x);
    }
    all.push({ name, bound });
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.GREATER);
  return all;
}

/** `A, B, C` */
export function typeList(x: Reader, into: TypeRef[]): void {
  do into.push(typeRef(x));
  while (x.accept(Kind.COMMA));
}
