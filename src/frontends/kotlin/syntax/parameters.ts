// Annotations, modifiers and the parameters of functions and constructors.
import type { Annotation, Field, Method, Node, Parameter } from '../../jvm/syntax/syntax.ts';
import { expression } from './expressions.ts';
import { argumentList } from './operands.ts';
import type { Reader } from './reader.ts';
import { isModifier, isName, Kind } from './tokens.ts';
import { annotationsEnd, typeRef } from './types.ts';

export interface Modifiers {
  annotations: Annotation[];
  isPrivate: boolean;
  isAbstract: boolean;
  is: 'class' | 'enum' | 'annotation';
  isCompanion: boolean;
}

const NO_ANNOTATIONS: Annotation[] = [];
export const NONE: Modifiers = {
  annotations: NO_ANNOTATIONS, isPrivate: false, isAbstract: false, is: 'class', isCompanion: false,
}; // biome-ignore format: short

/** Behind annotations, modifiers and `context(…)`: a word is a modifier where another word follows. */
export function modifiersEnd(x: Reader, from: number): number {
  const { kinds } = x;
  let i = from;
  for (;;) {
    const kind = kinds[i]!;
    if (kind === Kind.AT) {
      const end = annotationsEnd(x, i);
      if (end === i) return i;
      i = end;
    } else if (isModifier(kind) && goesOn(kinds[i + 1]!)) i++;
    else if (kind === Kind.CONTEXT && kinds[i + 1] === Kind.LPAR) i = x.behind(i + 1);
    else return i;
  }
}

const goesOn = (kind: number): boolean =>
  isName(kind) || (kind >= Kind.CLASS && kind <= Kind.TYPEALIAS) || kind === Kind.AT;

/** None are always the same object. */
export function modifiers(x: Reader): Modifiers {
  const end = modifiersEnd(x, x.i);
  if (end === x.i) return NONE;
  const made = { ...NONE };
  while (x.i < end) {
    switch (x.kind) {
      case Kind.AT:
        if (made.annotations === NO_ANNOTATIONS) made.annotations = [];
        annotation(x, made.annotations);
        continue;
      case Kind.CONTEXT:
        x.i = x.behind(x.i + 1);
        continue;
      case Kind.PRIVATE:
        made.isPrivate = true;
        break;
      case Kind.ABSTRACT:
        made.isAbstract = true;
        break;
      case Kind.ENUM:
        made.is = 'enum';
        break;
      case Kind.ANNOTATION:
        made.is = 'annotation';
        break;
      case Kind.COMPANION:
        made.isCompanion = true;
    }
    x.next();
  }
  return made;
}

/** `@A`, `@field:A(…)`, `@[A B]` */
function annotation(x: Reader, into: Annotation[]): void {
  const { start } = x;
  x.next();
  if (isName(x.kind) && x.peek() === Kind.COLON) x.i += 2;
  const isMany = x.accept(Kind.LSQB);
  do {
    const { name } = typeRef(x);
    const made: Annotation = { start, end: x.last, name, arguments: [] };
    if (x.kind === Kind.LPAR && !x.isLineStart(x.i)) made.arguments = argumentList(x);
    into.push(made);
  } while (isMany && x.kind !== Kind.RSQB);
  if (isMany) x.next();
}

/** `(vararg a: A, b: B = true)` */
export function parameters(x: Reader): Method['parameters'] {
  x.expect(Kind.LPAR);
  const all: Method['parameters'] = [];
  x.within(true, () => {
    while (x.kind !== Kind.RPAR) {
      const from = x.i;
      const { annotations } = modifiers(x);
      const isMany = hasVararg(x, from);
      const made: Method['parameters'][number] = { name: x.name(), annotations };
      if (x.accept(Kind.COLON)) made.type = typeRef(x);
      if (isMany && made.type) made.type = { name: '[]', arguments: [made.type] };
      if (x.accept(Kind.ASSIGN)) usual(made, expression(x));
      all.push(made);
      if (!x.accept(Kind.COMMA)) break;
    }
  });
  x.expect(Kind.RPAR);
  return all;
}

/** Among the modifiers that were just read. */
function hasVararg(x: Reader, from: number): boolean {
  for (let i = from; i < x.i; i++) if (x.word(i) === 'vararg') return true;
  return false;
}

function usual(of: Parameter, value: Node): void {
  const text = value.kind === 'name' || value.kind === 'literal' ? value.text : '';
  if (/^(true|false|null)$/.test(text)) of.usual = text === 'null' ? null : text === 'true';
  else of.otherwise = value;
}

/** `(private val a: A, b: B = …)`: each is a field too, for all that is known of it. */
export function classParameters(x: Reader, into: Field[]): Method['parameters'] {
  x.expect(Kind.LPAR);
  const all: Method['parameters'] = [];
  x.within(true, () => {
    while (x.kind !== Kind.RPAR) {
      const { start } = x;
      const from = x.i;
      const { annotations } = modifiers(x);
      const isMany = hasVararg(x, from);
      if (x.kind === Kind.VAL || x.kind === Kind.VAR) x.next();
      const made: Field = { start, end: start, name: x.name(), annotations, static: false };
      if (x.accept(Kind.COLON)) made.type = typeRef(x);
      if (isMany && made.type) made.type = { name: '[]', arguments: [made.type] };
      const { name, type } = made;
      const parameter: Method['parameters'][number] = { name, type, annotations };
      if (x.accept(Kind.ASSIGN)) usual(parameter, expression(x));
      made.end = x.last;
      into.push(made);
      all.push(parameter);
      if (!x.accept(Kind.COMMA)) break;
    }
  });
  x.expect(Kind.RPAR);
  return all;
}
