// Kotlin's types, as references and as a look ahead that only asks where one ends. It knows no expression.
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
  if (depth > DEEP) return -1;
  let i = typeModifiersEnd(x, from);
  if (kinds[i] === Kind.LPAR) i = x.behind(i);
  else {
    if (!isName(kinds[i]!)) return -1;
    for (;;) {
      i++;
      if (kinds[i] === Kind.LESS) {
        i = listEnd(x, i, depth);
        if (i < 0) return -1;
      }
      if (kinds[i] !== Kind.DOT || !isName(kinds[i + 1]!)) break;
      i++;
    }
  }
  while (kinds[i] === Kind.QUESTION) i++;
  if (kinds[i] === Kind.AND_TYPE) return typeEnd(x, i + 1, depth + 1);
  if ((kinds[i] === Kind.DOT || kinds[i] === Kind.SAFE) && kinds[i + 1] === Kind.LPAR) i = x.behind(i + 1);
  return kinds[i] === Kind.ARROW && kinds[i - 1] === Kind.RPAR ? typeEnd(x, i + 1, depth + 1) : i;
}

/** Behind `<A, out B<*>>`. */
export function listEnd(x: Reader, from: number, depth = 0): number {
  const { kinds } = x;
  let i = from + 1;
  for (;;) {
    i = annotationsEnd(x, i, true);
    if (kinds[i] === Kind.TIMES) i++;
    else {
      if (isVariance(x, i)) i++;
      i = typeEnd(x, i, depth + 1);
      if (i < 0) return -1;
    }
    if (kinds[i] === Kind.COMMA) i++;
    else if (kinds[i] !== Kind.GREATER) return -1;
    if (kinds[i] === Kind.GREATER) return i + 1;
  }
}

/** `in`, and `out` where a type follows: a name, an annotation of it, or a function's parameters. */
function isVariance({ kinds }: Reader, at: number): boolean {
  if (kinds[at] === Kind.IN) return true;
  const next = kinds[at + 1]!;
  return kinds[at] === Kind.MODIFIER && (isName(next) || next === Kind.AT || next === Kind.LPAR);
}

/** Behind annotations, `suspend` and `context(…)`. */
function typeModifiersEnd(x: Reader, from: number): number {
  const { kinds } = x;
  let i = annotationsEnd(x, from, true);
  if (kinds[i] === Kind.SUSPEND && (kinds[i + 1] === Kind.LPAR || isName(kinds[i + 1]!))) i++;
  return kinds[i] === Kind.CONTEXT && kinds[i + 1] === Kind.LPAR ? x.behind(i + 1) : i;
}

/** In a type, what stands in parentheses behind a blank is the type's own. */
export function annotationsEnd(x: Reader, from: number, inType = false): number {
  const { kinds } = x;
  let i = from;
  while (kinds[i] === Kind.AT) {
    let at = i + 1;
    if (isName(kinds[at]!) && kinds[at + 1] === Kind.COLON) at += 2;
    if (kinds[at] === Kind.LSQB) {
      i = x.behind(at);
      continue;
    }
    if (!isName(kinds[at]!)) return i;
    i = at + 1;
    while (kinds[i] === Kind.DOT && isName(kinds[i + 1]!)) i += 2;
    if (kinds[i] === Kind.LESS) {
      const end = listEnd(x, i);
      if (end > 0) i = end;
    }
    if (kinds[i] === Kind.LPAR && !x.isLineStart(i) && (!inType || x.isJoined(i))) i = x.behind(i);
  }
  return i;
}

// ---- reading

const NONE: TypeRef[] = [];
/** Their arguments: on what it is called, what it is given, what it gives. */
const functionOf = (all: TypeRef[]): TypeRef => ({
  name: 'kotlin.Function',
  arguments: all,
  isFunction: true,
});

export function typeRef(x: Reader): TypeRef {
  if (!x.enter()) throw FAULT;
  x.i = typeModifiersEnd(x, x.i);
  let made = x.kind === Kind.LPAR ? parenthesised(x) : named(x, NOWHERE);
  for (;;)
    if (x.accept(Kind.QUESTION)) continue;
    else if ((x.kind === Kind.DOT || x.kind === Kind.SAFE) && x.peek() === Kind.LPAR) {
      x.next();
      const { isFunction, arguments: all } = parenthesised(x);
      if (isFunction) made = { ...functionOf([made, ...all]), ofReceiver: true };
    } else break;
  // `T & Any` is a `T`.
  if (x.accept(Kind.AND_TYPE)) typeRef(x);
  x.level--;
  return made;
}

/** `(A)`, or a function's `(A, b: B) -> C`. */
function parenthesised(x: Reader): TypeRef {
  x.next();
  const all: TypeRef[] = [];
  while (x.kind !== Kind.RPAR) {
    x.i = annotationsEnd(x, x.i, true);
    if (isName(x.kind) && x.peek() === Kind.COLON) x.i += 2;
    all.push(typeRef(x));
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RPAR);
  if (x.accept(Kind.ARROW)) return functionOf([...all, typeRef(x)]);
  return all.at(-1) ?? functionOf(all);
}

const NOWHERE = () => false;

/** `A.B<C>`; `stops` where the next name is no part of it any more. */
function named(x: Reader, stops: (i: number) => boolean): TypeRef {
  let name = x.name();
  let given: TypeRef[] | null = null;
  for (;;) {
    if (x.kind === Kind.LESS) {
      const list = typeArguments(x);
      given ??= list;
    }
    if (x.kind !== Kind.DOT || !isName(x.peek()) || stops(x.i + 1)) break;
    x.next();
    name += `.${x.name()}`;
  }
  return { name, arguments: given ?? NONE };
}

/** What stands before the name of an extension, up to its point; `isOwn` is asked whether a name is that of the extension. */
export function receiver(x: Reader, isOwn: (i: number) => boolean, isAnonymous = false): TypeRef | undefined {
  x.i = annotationsEnd(x, x.i, true);
  if (isName(x.kind) && isOwn(x.i)) return undefined;
  x.i = typeModifiersEnd(x, x.i);
  let made = x.kind === Kind.LPAR ? parenthesised(x) : named(x, isOwn);
  while (x.accept(Kind.QUESTION));
  if (!isAnonymous && (x.kind === Kind.DOT || x.kind === Kind.SAFE) && x.peek() === Kind.LPAR) {
    x.next();
    made = parenthesised(x);
  }
  if (!x.accept(Kind.DOT) && !x.accept(Kind.SAFE)) throw FAULT;
  return made;
}

export function typeArguments(x: Reader): TypeRef[] {
  x.expect(Kind.LESS);
  if (!x.enter()) throw FAULT;
  const all: TypeRef[] = [];
  while (x.kind !== Kind.GREATER) {
    x.i = annotationsEnd(x, x.i, true);
    if (!x.accept(Kind.TIMES)) {
      if (isVariance(x, x.i)) x.next();
      all.push(typeRef(x));
    }
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.GREATER);
  x.level--;
  return all;
}

const NO_PARAMETERS: TypeParameter[] = [];

export function typeParameters(x: Reader): TypeParameter[] {
  if (!x.accept(Kind.LESS)) return NO_PARAMETERS;
  const all: TypeParameter[] = [];
  while (x.kind !== Kind.GREATER) {
    x.i = annotationsEnd(x, x.i);
    while (x.kind === Kind.IN || (x.kind === Kind.MODIFIER && isName(x.peek()))) x.next();
    const name = x.name();
    all.push({ name, bound: x.accept(Kind.COLON) ? typeRef(x) : undefined });
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.GREATER);
  return all;
}

/** `where T : A, U : B` */
export function constraints(x: Reader): void {
  if (!x.accept(Kind.WHERE)) return;
  do {
    x.i = annotationsEnd(x, x.i);
    x.name();
    x.expect(Kind.COLON);
    typeRef(x);
  } while (x.accept(Kind.COMMA));
}
