// Annotations, modifiers and the parameters of methods, records and lambdas.
import { FAULT } from '../../cursor.ts';
import type { Annotation, Argument, Node, Parameter } from '../../jvm/syntax/syntax.ts';
import { expression } from './expressions.ts';
import type { Reader } from './reader.ts';
import { isModifier, isName, Kind } from './tokens.ts';
import { annotationsEnd, dimensions, typeRef } from './types.ts';

export interface Modifiers {
  annotations: Annotation[];
  isPrivate: boolean;
  isStatic: boolean;
  isAbstract: boolean;
}

const NO_ANNOTATIONS: Annotation[] = [];
const NONE: Modifiers = { annotations: NO_ANNOTATIONS, isPrivate: false, isStatic: false, isAbstract: false };

/** Annotations and modifiers in any order; none are always the same object. */
export function modifiers(x: Reader): Modifiers {
  let made = NONE;
  for (;;) {
    const { kind } = x;
    if (kind === Kind.AT && isName(x.peek())) {
      if (made === NONE) made = { ...NONE };
      if (made.annotations === NO_ANNOTATIONS) made.annotations = [];
      made.annotations.push(annotation(x));
    } else if (isModifier(kind)) {
      // `default ->` and `synchronized (…)` are no modifiers.
      if (made === NONE) made = { ...NONE };
      if (kind === Kind.PRIVATE) made.isPrivate = true;
      else if (kind === Kind.STATIC) made.isStatic = true;
      else if (kind === Kind.ABSTRACT) made.isAbstract = true;
      x.next();
    } else if (kind === Kind.SEALED && isDefinition(x.peek())) x.next();
    else if (kind === Kind.NAME && x.peek(2) === Kind.SEALED && x.peek() === Kind.MINUS) x.i += 3;
    else return made;
  }
}

const isDefinition = (kind: number) => isModifier(kind) || kind === Kind.CLASS || kind === Kind.INTERFACE;

function annotation(x: Reader): Annotation {
  const { start } = x;
  x.next();
  const from = x.start;
  x.name();
  while (x.kind === Kind.DOT && isName(x.peek())) x.i += 2;
  const end = x.last;
  const made: Annotation = { start, end, name: x.text.slice(from, end), arguments: [] };
  if (x.kind === Kind.LPAR) annotationArguments(x, made.arguments);
  return made;
}

function annotationArguments(x: Reader, into: Argument[]): void {
  x.next();
  while (x.kind !== Kind.RPAR) {
    if (isName(x.kind) && x.peek() === Kind.ASSIGN) {
      const name = x.word(x.i);
      x.i += 2;
      into.push({ name, value: annotationValue(x) });
    } else into.push({ value: annotationValue(x) });
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RPAR);
}

export function annotationValue(x: Reader): Node {
  const { start } = x;
  if (!x.enter()) return x.pass();
  let made: Node;
  if (x.kind === Kind.AT) {
    const { name, arguments: given, end } = annotation(x);
    made = { kind: 'call', object: null, name, at: { start, end }, start, end, arguments: given };
  } else if (x.accept(Kind.LBRACE)) {
    const items: Node[] = [];
    while (x.kind !== Kind.RBRACE) {
      if (x.kind !== Kind.COMMA) items.push(annotationValue(x));
      if (!x.accept(Kind.COMMA)) break;
    }
    x.expect(Kind.RBRACE);
    made = x.several(start, items);
  } else made = expression(x);
  x.level--;
  return made;
}

type Declared = Parameter & { annotations: Annotation[] };

/** `(final A a, B... b)`; the receiver `A this` is none. */
export function parameters(x: Reader): Declared[] {
  x.expect(Kind.LPAR);
  const all: Declared[] = [];
  while (x.kind !== Kind.RPAR) {
    const one = parameter(x);
    if (one) all.push(one);
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RPAR);
  return all;
}

function parameter(x: Reader): Declared | null {
  const { annotations } = modifiers(x);
  let type = typeRef(x);
  x.i = annotationsEnd(x, x.i);
  if (x.accept(Kind.ELLIPSIS)) {
    type = { name: '[]', arguments: [type] };
    x.i = annotationsEnd(x, x.i);
  }
  if (x.kind === Kind.THIS || (isName(x.kind) && x.peek() === Kind.DOT)) {
    while (x.kind !== Kind.THIS) {
      x.name();
      if (!x.accept(Kind.DOT)) throw FAULT;
    }
    x.next();
    return null;
  }
  const name = x.name();
  dimensions(x, type);
  return { name, type, annotations };
}
