// Kotlin's classes, functions and properties, and what is done about those that are broken: each costs itself alone.

import type { Span } from '../../../ir.ts';
import { FAULT } from '../../cursor.ts';
import type { Call, Field, Method, Node, TypeBody, TypeParameter, TypeRef } from '../../jvm/syntax/syntax.ts';
import { emptyType } from '../../jvm/syntax/tree.ts';
import { expression } from './expressions.ts';
import { argumentList } from './operands.ts';
import { classParameters, type Modifiers, modifiers, modifiersEnd, NONE, parameters } from './parameters.ts';
import type { Reader } from './reader.ts';
import { block } from './statements.ts';
import { isAccess, isModifier, isName, Kind } from './tokens.ts';
import { annotationsEnd, constraints, receiver, typeParameters, typeRef } from './types.ts';

// ---- looking ahead

/** Whether a class, a function or a property begins here, perhaps with its modifiers. */
export function declarationAhead(x: Reader, from: number): boolean {
  const { kinds } = x;
  const kind = kinds[from]!;
  const i = kind === Kind.AT || isModifier(kind) || kind === Kind.CONTEXT ? modifiersEnd(x, from) : from;
  const next = kinds[i + 1]!;
  switch (kinds[i]) {
    case Kind.CLASS:
    case Kind.INTERFACE:
    case Kind.TYPEALIAS:
      return true;
    case Kind.VAL:
    case Kind.VAR:
      return true;
    case Kind.OBJECT:
      return isName(next);
    case Kind.FUN:
      if (next !== Kind.LPAR) return true;
      // An extension of a function.
      return kinds[x.behind(i + 1)] === Kind.DOT && kinds[x.behind(i + 1) + 1] !== Kind.LPAR;
    default:
      return false;
  }
}

/** In a block: whether a member of a class begins here, so that the block's end is missing. */
export function memberAhead(x: Reader): boolean {
  const { kind } = x;
  if (x.byColumn && isBefore(x) && declarationAhead(x, x.i)) return true;
  if (kind === Kind.COMPANION) return x.peek() === Kind.OBJECT;
  if (!isAccess(kind) && kind !== Kind.AT) return false;
  const end = modifiersEnd(x, x.i);
  for (let i = end - 1; i >= x.i && isModifier(x.kinds[i]!); i--)
    if (isAccess(x.kinds[i]!)) return x.kinds[end] === Kind.CONSTRUCTOR || declarationAhead(x, end);
  return false;
}

/** Whether a line begins here that stands no deeper than the member around. */
const isBefore = (x: Reader): boolean => x.isLineStart(x.i) && x.columnOf(x.i) <= x.column;

// ---- what stands in a block

export function localDeclaration(x: Reader): Node {
  const { start } = x;
  const said = modifiers(x);
  switch (x.kind) {
    case Kind.VAL:
    case Kind.VAR: {
      const { field, value } = property(x, said, false);
      if (!field) return value ?? x.several(start, []);
      const { name, type } = field;
      return { kind: 'local', start: field.start, end: field.end, name, type, value };
    }
    case Kind.TYPEALIAS:
      typeAlias(x);
      return x.several(start, []);
    case Kind.FUN: {
      if (x.peek() === Kind.INTERFACE) return typeDeclaration(x, start, said);
      const made = method(x, start, said);
      x.begun = null;
      const { name, end } = made;
      const body = made.body ?? x.several(start, []);
      const value: Node = {
        kind: 'lambda', start, end, parameters: made.parameters, body, label: name, isFunction: true,
      }; // biome-ignore format: short
      return { kind: 'local', start, end, name, value };
    }
    default:
      return typeDeclaration(x, start, said);
  }
}

/** `typealias A<T> = B` */
export function typeAlias(x: Reader): { name: string; type: TypeRef } {
  x.next();
  const name = x.name();
  typeParameters(x);
  x.expect(Kind.ASSIGN);
  return { name, type: typeRef(x) };
}

// ---- types

/** From the keyword on; `start`: that of the modifiers. */
function typeDeclaration(x: Reader, start: number, said: Modifiers): TypeBody {
  if (x.accept(Kind.FUN) && x.kind !== Kind.INTERFACE) throw FAULT;
  const { kind } = x;
  x.next();
  const hasName = isName(x.kind) && !(said.isCompanion && x.isLineStart(x.i));
  if (!hasName && !said.isCompanion) throw FAULT;
  const type = emptyType({ start, end: start }, hasName ? x.place() : { start, end: start + 9 }, []);
  type.name = hasName ? x.name() : 'Companion';
  type.is = kind === Kind.OBJECT ? 'object' : kind === Kind.INTERFACE ? 'interface' : said.is;
  type.abstract = type.is === 'interface' || said.isAbstract;
  type.annotations = said.annotations;
  x.begun = type;
  type.typeParameters = typeParameters(x);
  if (kind === Kind.CLASS) primaryConstructor(x, type);
  const base = x.accept(Kind.COLON) ? supers(x, type) : null;
  if (base) {
    type.baseArguments = base.arguments;
    type.initialisers.push(base);
  }
  constraints(x);
  x.begun = null;
  if (x.kind === Kind.LBRACE) classBody(x, type);
  type.end = x.last;
  return type;
}

function primaryConstructor(x: Reader, type: TypeBody): void {
  const end = modifiersEnd(x, x.i);
  if (x.kinds[end] === Kind.CONSTRUCTOR) x.i = end + 1;
  if (x.kind !== Kind.LPAR) return;
  const { start } = x;
  const made = methodOf({ start, end: start + 1 }, start, type.name, NONE, []);
  made.isConstructor = true;
  made.parameters = classParameters(x, type.fields);
  made.end = x.last;
  type.methods.push(made);
}

/** `A(…), B by c, () -> D`: gives the call of the constructor above. */
export function supers(x: Reader, type: TypeBody): Call | null {
  const { bare } = x;
  let above: Call | null = null;
  do {
    x.i = annotationsEnd(x, x.i);
    const at = x.place();
    const base = typeRef(x);
    type.bases.push(base);
    if (x.kind === Kind.LPAR) {
      const given = argumentList(x);
      above ??= {
        kind: 'call', start: at.start, end: x.last, object: null, name: base.name, at, arguments: given, creates: base,
      }; // biome-ignore format: short
    } else if (x.accept(Kind.BY)) {
      x.bare = true;
      type.initialisers.push(expression(x));
      x.bare = bare;
    }
  } while (x.accept(Kind.COMMA));
  return above;
}

export function classBody(x: Reader, type: TypeBody): void {
  x.expect(Kind.LBRACE);
  if (x.enter()) {
    x.within(false, () => {
      if (type.is === 'enum') enumEntries(x, type);
      while (x.kind !== Kind.RBRACE && x.kind !== Kind.END && x.kind !== Kind.HOLE_CLOSE) {
        if (x.byColumn && isBefore(x)) break;
        member(x, type);
      }
    });
    x.level--;
  } else x.passInside();
  x.closeBrace();
}

/** What a constant says of itself counts as the enum's own. */
function enumEntries(x: Reader, type: TypeBody): void {
  for (;;) {
    const i = annotationsEnd(x, x.i);
    const next = x.kinds[i + 1]!;
    const isEntry =
      next === Kind.COMMA ||
      next === Kind.LPAR ||
      next === Kind.LBRACE ||
      next === Kind.SEMICOLON ||
      next === Kind.RBRACE;
    if (!isName(x.kinds[i]!) || !isEntry) break;
    x.i = i + 1;
    const given = x.is(Kind.LPAR) ? argumentList(x) : [];
    type.statics.push(...given.map(({ value }) => value));
    type.entries ??= [];
    type.entries.push({ name: x.word(i), given });
    if (x.is(Kind.LBRACE)) classBody(x, { ...type, is: 'class' });
    if (!x.accept(Kind.COMMA)) break;
  }
}

/** Reads one member, or passes over what is none. */
function member(x: Reader, type: TypeBody): void {
  const { i, level, links, flat, bare, column } = x;
  if (x.byColumn && x.isLineStart(i)) x.column = x.columnOf(i);
  try {
    if (!x.accept(Kind.SEMICOLON)) declaration(x, type, false);
  } catch (error) {
    if (error !== FAULT) throw error;
    Object.assign(x, { level, links, flat, bare });
    recover(x, i, type, false);
  }
  x.column = column;
}

/** A member of a class, or of a file. */
export function declaration(x: Reader, type: TypeBody, isTop: boolean): void {
  const { start } = x;
  if (x.kind === Kind.INIT && x.peek() === Kind.LBRACE) {
    x.next();
    type.initialisers.push(block(x));
    return;
  }
  const said = modifiers(x);
  switch (x.kind) {
    case Kind.VAL:
    case Kind.VAR: {
      const { field, value, of } = property(x, said, isTop || type.is === 'object');
      if (field) {
        type.fields.push(field);
        accessors(x, type, field, of);
      } else if (value) type.initialisers.push(value);
      return;
    }
    case Kind.FUN:
      if (x.peek() === Kind.INTERFACE) break;
      finish(x, type, method(x, start, said));
      return;
    case Kind.CONSTRUCTOR:
      secondaryConstructor(x, start, said, type);
      return;
    case Kind.TYPEALIAS:
      typeAlias(x);
      return;
    case Kind.CLASS:
    case Kind.INTERFACE:
    case Kind.OBJECT:
      break;
    default:
      throw FAULT;
  }
  const made = typeDeclaration(x, start, said);
  if (said.isCompanion && !isTop) companion(made, type);
  else type.types.push(made);
}

/** Its members are called by the class's name. */
function companion(made: TypeBody, type: TypeBody): void {
  const { fields, methods, types, bases, baseArguments, initialisers } = made;
  type.fields.push(...fields.map((field) => ({ ...field, static: true })));
  type.methods.push(...methods.map((one) => ({ ...one, static: true })));
  type.types.push(...types);
  type.statics.push(...initialisers);
  type.companionBases = bases;
  type.companionArguments = baseArguments;
}

// ---- properties

/** `val <T> A<T>.b: C = …`, `val (a, b) = …`, `var c by …`, without what reads and writes it. */
function property(
  x: Reader,
  said: Modifiers,
  isStatic: boolean,
): { field?: Field; value?: Node; of?: TypeRef } {
  x.next();
  typeParameters(x);
  x.i = annotationsEnd(x, x.i);
  if (x.kind === Kind.LPAR && x.kinds[x.behind(x.i)] !== Kind.DOT) {
    x.i = x.behind(x.i);
    return { value: x.accept(Kind.ASSIGN) ? expression(x) : undefined };
  }
  const of = receiver(x, (i) => !isQualified(x.kinds[i + 1]!));
  const { start } = x;
  const name = x.name();
  const type = x.accept(Kind.COLON) ? typeRef(x) : undefined;
  const end = x.last;
  constraints(x);
  const value = x.accept(Kind.ASSIGN) || x.accept(Kind.BY) ? expression(x) : undefined;
  const field: Field = { start, end, name, type, value, annotations: said.annotations, static: isStatic };
  return { field, value, of };
}

const isQualified = (kind: number): boolean =>
  kind === Kind.DOT || kind === Kind.SAFE || kind === Kind.LESS || kind === Kind.QUESTION;

/** `var total: Int get() = … set(value) { … }` are methods. */
function accessors(x: Reader, type: TypeBody, property: Field, of: TypeRef | undefined): void {
  for (;;) {
    const from = x.kind === Kind.SEMICOLON ? x.i + 1 : x.i;
    const i = modifiersEnd(x, from);
    if (!isAccessor(x, i, from)) return;
    x.i = from;
    const { start } = x;
    const said = modifiers(x);
    const isGetter = x.kind === Kind.GET;
    x.next();
    if (x.kind !== Kind.LPAR) continue;
    const { start: at, name } = property;
    const called = `${isGetter ? 'get' : 'set'}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const made = methodOf({ start: at, end: at + nameLength(x, property) }, start, called, said, []);
    made.receiver = of;
    made.isAccessor = true;
    if (isGetter) made.returns = property.type;
    else if (isName(x.peek())) made.parameters = [setParameter(x, property)];
    x.i = x.behind(x.i);
    if (x.accept(Kind.COLON)) typeRef(x);
    made.body = functionBody(x);
    made.end = x.last;
    if (made.body) type.methods.push(made);
  }
}

const setParameter = (x: Reader, { type }: Field): Method['parameters'][number] => ({
  name: x.word(x.i + 1), type, annotations: [],
}); // biome-ignore format: short

const nameLength = (x: Reader, { start, name }: Field): number =>
  x.text.charCodeAt(start) === 96 ? name.length + 2 : name.length;

function isAccessor(x: Reader, i: number, from: number): boolean {
  const { kinds } = x;
  const next = kinds[i + 1]!;
  if (kinds[i] === Kind.GET && next === Kind.LPAR)
    return kinds[i + 2] === Kind.RPAR && hasBody(kinds[i + 3]!);
  if (kinds[i] === Kind.SET && next === Kind.LPAR) return hasBody(kinds[x.behind(i + 1)]!);
  if (kinds[i] !== Kind.GET && kinds[i] !== Kind.SET) return false;
  const ends = x.isLineStart(i + 1) || next === Kind.SEMICOLON || next === Kind.RBRACE;
  return ends && (i > from || x.isLineStart(i));
}

const hasBody = (kind: number): boolean =>
  kind === Kind.LBRACE || kind === Kind.ASSIGN || kind === Kind.COLON;

// ---- functions

export function functionBody(x: Reader): Node | undefined {
  if (x.kind === Kind.LBRACE) return block(x);
  const { start } = x;
  if (!x.accept(Kind.ASSIGN)) return undefined;
  const value = expression(x);
  return x.several(start, [value]);
}

function method(x: Reader, start: number, said: Modifiers): Method {
  x.next();
  const generic = typeParameters(x);
  const of = receiver(x, (i) => !isQualified(x.kinds[i + 1]!));
  const made = methodOf(x.place(), start, x.name(), said, generic);
  made.receiver = of;
  x.begun = made;
  made.parameters = parameters(x);
  if (x.accept(Kind.COLON)) made.returns = typeRef(x);
  constraints(x);
  x.begun = null;
  made.body = functionBody(x);
  made.end = x.last;
  return made;
}

function methodOf(at: Span, start: number, name: string, said: Modifiers, generic: TypeParameter[]): Method {
  return {
    start, end: at.end, name, at, isConstructor: false, annotations: said.annotations, parameters: [],
    typeParameters: generic, returns: undefined, receiver: undefined, private: said.isPrivate, static: false,
    abstract: said.isAbstract, body: undefined,
  }; // biome-ignore format: short
}

function finish(x: Reader, type: TypeBody, made: Method): void {
  made.end = x.last;
  made.abstract = !made.body && (made.abstract || type.is === 'interface');
  type.methods.push(made);
}

/** `constructor(a: A) : this(a, b) { … }` */
function secondaryConstructor(x: Reader, start: number, said: Modifiers, type: TypeBody): void {
  const made = methodOf(x.place(), start, type.name, said, []);
  x.next();
  made.isConstructor = true;
  x.begun = made;
  made.parameters = parameters(x);
  const first = x.accept(Kind.COLON) ? delegation(x) : null;
  x.begun = null;
  if (x.kind === Kind.LBRACE) made.body = block(x);
  if (first)
    made.body = { kind: 'sequence', start: first.start, end: x.last, items: [first, made.body ?? []].flat() };
  made.at = { start, end: x.last };
  finish(x, type, made);
}

/** `this(a, b)`, `super(a)` */
function delegation(x: Reader): Call {
  const at = x.place();
  const name = x.kind === Kind.THIS ? 'this' : 'super';
  if (!x.accept(Kind.THIS)) x.expect(Kind.SUPER);
  const given = argumentList(x);
  return { kind: 'call', start: at.start, end: x.last, object: null, name, at, arguments: given };
}

// ---- errors

/**
 * A broken member ends with its block, before the brace that ends the class, or before the next line that begins another one.
 * A definition with a broken head keeps its name and its body.
 */
export function recover(x: Reader, from: number, type: TypeBody, isTop: boolean): void {
  const { begun } = x;
  x.begun = null;
  x.broken = true;
  const failed = Math.max(x.i, from);
  // Inside of braces that the member opened.
  let depth = 0;
  if (!x.exhausted) {
    x.wasted += failed - from;
    for (let i = from; i < failed; i++) {
      const kind = x.kinds[i]!;
      if (kind === Kind.LBRACE) depth++;
      else if (kind === Kind.RBRACE && depth > 0) depth--;
      else if (depth === 0 && i > from && x.isLineStart(i) && beginsMember(x, i)) {
        // No parameter begins so, and no value.
        x.i = i;
        keep(x, begun, type);
        return;
      }
    }
  }
  let i = failed;
  for (; i < x.count; i++) {
    const kind = x.kinds[i]!;
    if (kind === Kind.LBRACE) {
      if (depth === 0) {
        x.i = i;
        body(x, begun, type);
        return;
      }
      depth++;
    } else if (kind === Kind.RBRACE || kind === Kind.HOLE_CLOSE) {
      if (depth === 0) break;
      if (--depth === 0) {
        i++;
        break;
      }
    } else if (kind === Kind.SEMICOLON && depth === 0) {
      i++;
      break;
    } else if (i > from && x.isLineStart(i) && (depth === 0 || isAccess(kind)) && beginsMember(x, i)) break;
  }
  const isEnd = x.kinds[i] === Kind.RBRACE && !isTop;
  x.i = Math.min(x.count, Math.max(i, isEnd ? i : from + 1));
  keep(x, begun, type);
}

function beginsMember(x: Reader, i: number): boolean {
  const kind = x.kinds[i];
  if (kind === Kind.INIT || kind === Kind.COMPANION) return true;
  return declarationAhead(x, i) || x.kinds[modifiersEnd(x, i)] === Kind.CONSTRUCTOR;
}

/** What has a head and no body. */
function keep(x: Reader, begun: Method | TypeBody | null, type: TypeBody): void {
  if (!begun) return;
  if ('kind' in begun) {
    begun.end = x.last;
    type.types.push(begun);
  } else finish(x, type, begun);
}

/** The first braces after a broken head. */
function body(x: Reader, begun: Method | TypeBody | null, type: TypeBody): void {
  if (begun && 'kind' in begun) {
    classBody(x, begun);
    begun.end = x.last;
    type.types.push(begun);
    return;
  }
  const inside: Node = block(x);
  if (!begun) return;
  begun.body = inside;
  finish(x, type, begun);
}
