// Java's types and their members, and what is done about those that are broken: each costs itself alone.
import { FAULT } from '../../cursor.ts';
import type { Argument, Field, Method, Node, TypeBody, TypeParameter } from '../../jvm/syntax/syntax.ts';
import { emptyType } from '../../jvm/syntax/tree.ts';
import { argumentList, value } from './operands.ts';
import { annotationValue, type Modifiers, modifiers, parameters } from './parameters.ts';
import type { Reader } from './reader.ts';
import { block } from './statements.ts';
import { isModifier, isName, Kind } from './tokens.ts';
import { annotationsEnd, dimensions, listEnd, typeEnd, typeList, typeParameters, typeRef } from './types.ts';

// ---- looking ahead

/** Behind annotations and modifiers. */
function modifiersEnd(x: Reader, from: number): number {
  const { kinds } = x;
  let i = from;
  for (;;) {
    if (kinds[i] === Kind.AT && isName(kinds[i + 1]!)) i = annotationsEnd(x, i);
    else if (isModifier(kinds[i]!)) i++;
    else if (kinds[i] === Kind.SEALED && (kinds[i + 1] === Kind.CLASS || kinds[i + 1] === Kind.INTERFACE))
      i++;
    else if (kinds[i] === Kind.NAME && kinds[i + 1] === Kind.MINUS && kinds[i + 2] === Kind.SEALED) i += 3;
    else return i;
  }
}

/** Whether a class, an interface, an enum or a record begins here, perhaps with its modifiers. */
export function isType(x: Reader): boolean {
  const { kind } = x;
  if (kind === Kind.NAME && x.peek() !== Kind.MINUS) return false;
  if (kind !== Kind.AT && !isModifier(kind) && !isName(kind)) return begins(x, x.i);
  return begins(x, modifiersEnd(x, x.i));
}

function begins(x: Reader, i: number): boolean {
  const { kinds } = x;
  const kind = kinds[i];
  if (kind === Kind.CLASS || kind === Kind.INTERFACE || kind === Kind.ENUM) return true;
  if (kind === Kind.AT) return kinds[i + 1] === Kind.INTERFACE;
  return (
    kind === Kind.RECORD &&
    isName(kinds[i + 1]!) &&
    (kinds[i + 2] === Kind.LPAR || kinds[i + 2] === Kind.LESS)
  );
}

const isAccess = (kind: number): boolean => kind >= Kind.PUBLIC && kind <= Kind.PRIVATE;

/** In a block: whether a member of a class begins here, so that the block's end is missing. */
export function memberAhead(x: Reader): boolean {
  const { kinds, kind } = x;
  if (isAccess(kind)) return true;
  if (
    kind === Kind.NAME &&
    x.peek() !== Kind.DOT &&
    x.peek() !== Kind.LESS &&
    !isName(x.peek()) &&
    x.peek() !== Kind.LSQB
  )
    return false;
  if (kind === Kind.SYNCHRONIZED && x.peek() === Kind.LPAR) return false;
  if (kind === Kind.YIELD || kind === Kind.RECORD) return false;
  const mayBe = kind === Kind.PRIMITIVE || kind === Kind.VOID || kind === Kind.AT;
  if (!mayBe && !isName(kind) && !isModifier(kind)) return false;
  let i = modifiersEnd(x, x.i);
  for (let j = x.i; j < i; j++) if (isAccess(kinds[j]!)) return true;
  if (kinds[i] === Kind.LESS) {
    i = listEnd(x, i);
    if (i < 0) return false;
  }
  if (kinds[i] === Kind.VOID) return isName(kinds[i + 1]!) && kinds[i + 2] === Kind.LPAR;
  if (kinds[i] === Kind.RECORD) return false;
  const end = typeEnd(x, i);
  return end > 0 && isName(kinds[end]!) && kinds[end + 1] === Kind.LPAR;
}

// ---- types

/** From the keyword on; `start`: that of the modifiers. */
export function typeDeclaration(x: Reader, start: number, said: Modifiers): TypeBody {
  const { kind } = x;
  if (kind === Kind.AT) x.next();
  x.next();
  const at = x.place();
  const type = emptyType({ start, end: start }, at, []);
  if (kind === Kind.INTERFACE) type.is = 'interface';
  else if (kind === Kind.ENUM) type.is = 'enum';
  else if (kind === Kind.AT) type.is = 'annotation';
  type.isRecord = kind === Kind.RECORD;
  type.name = x.name();
  type.abstract = type.is === 'interface' || said.isAbstract;
  type.annotations = said.annotations;
  x.begun = type;
  if (x.kind === Kind.LESS) type.typeParameters = typeParameters(x);
  if (type.isRecord)
    for (const one of parameters(x)) type.fields.push({ ...one, start, end: start, static: false });
  for (;;)
    if (x.accept(Kind.EXTENDS) || x.accept(Kind.IMPLEMENTS)) typeList(x, type.bases);
    else if (x.accept(Kind.PERMITS)) typeList(x, []);
    else break;
  if (x.kind !== Kind.LBRACE) x.fail();
  x.begun = null;
  if (type.is === 'enum') enumBody(x, type);
  else classBody(x, type);
  type.end = x.last;
  return type;
}

function enumBody(x: Reader, type: TypeBody): void {
  x.expect(Kind.LBRACE);
  for (;;) {
    const end = annotationsEnd(x, x.i);
    if (!isName(x.kinds[end]!)) break;
    x.i = end + 1;
    entry(type, x.word(end), x.is(Kind.LPAR) ? argumentList(x) : []);
    // What a constant says of itself counts as the enum's own.
    if (x.is(Kind.LBRACE)) classBody(x, type);
    if (!x.accept(Kind.COMMA)) break;
  }
  x.accept(Kind.COMMA);
  if (x.accept(Kind.SEMICOLON)) members(x, type);
  if (!x.accept(Kind.RBRACE)) {
    if (!x.is(Kind.END)) x.fail();
    x.broken = true;
  }
}

function entry(type: TypeBody, name: string, given: Argument[]): void {
  type.statics.push(...given.map(({ value }) => value));
  type.entries ??= [];
  type.entries.push({ name, given });
}

export function classBody(x: Reader, type: TypeBody): void {
  x.expect(Kind.LBRACE);
  if (x.enter()) {
    members(x, type);
    x.level--;
  } else x.pass();
  if (!x.accept(Kind.RBRACE)) x.broken = true;
}

/** Up to a closing brace. */
function members(x: Reader, type: TypeBody): void {
  while (x.kind !== Kind.RBRACE && x.kind !== Kind.END) member(x, type);
}

/** Reads one member, or passes over what is none. */
export function member(x: Reader, type: TypeBody): void {
  const { i, level, links } = x;
  try {
    if (!x.accept(Kind.SEMICOLON)) read(x, type);
  } catch (error) {
    if (error !== FAULT) throw error;
    x.level = level;
    x.links = links;
    recover(x, i, type);
  }
}

function read(x: Reader, type: TypeBody): void {
  const { start } = x;
  if (x.kind === Kind.LBRACE || (x.kind === Kind.STATIC && x.peek() === Kind.LBRACE)) {
    const into = x.accept(Kind.STATIC) ? type.statics : type.initialisers;
    into.push(block(x));
    return;
  }
  const said = modifiers(x);
  if (begins(x, x.i)) {
    type.types.push(typeDeclaration(x, start, said));
    return;
  }
  if (x.accept(Kind.AT)) {
    // Its name is still missing.
    x.broken = true;
    return;
  }
  const generic: TypeParameter[] = x.kind === Kind.LESS ? typeParameters(x) : [];
  x.i = annotationsEnd(x, x.i);
  if (isName(x.kind) && (x.peek() === Kind.LPAR || x.peek() === Kind.LBRACE)) {
    method(x, type, methodOf(x, start, said, generic, true));
    return;
  }
  const returns = typeRef(x);
  if (isName(x.kind) && x.peek() === Kind.LPAR) {
    const made = methodOf(x, start, said, generic, false);
    made.returns = returns;
    method(x, type, made);
    return;
  }
  const isStatic = type.is === 'interface' || said.isStatic;
  do {
    const from = x.start;
    const name = x.name();
    dimensions(x, returns);
    const given = x.accept(Kind.ASSIGN) ? value(x) : undefined;
    const field: Field = {
      start: from, end: x.last, name, type: returns, value: given, annotations: said.annotations, static: isStatic,
    }; // biome-ignore format: short
    type.fields.push(field);
  } while (x.accept(Kind.COMMA));
  x.semicolon();
}

// ---- methods

/** Its head up to its name. */
function methodOf(
  x: Reader,
  start: number,
  said: Modifiers,
  generic: TypeParameter[],
  isConstructor: boolean,
): Method {
  const at = x.place();
  return {
    start, end: at.end, name: x.name(), at, isConstructor, annotations: said.annotations, parameters: [],
    typeParameters: generic, returns: undefined, private: said.isPrivate, static: said.isStatic, abstract: said.isAbstract, body: undefined,
  }; // biome-ignore format: short
}

/** The rest, from its parameters on. A compact constructor has none. */
function method(x: Reader, type: TypeBody, made: Method): void {
  x.begun = made;
  if (x.kind === Kind.LPAR) made.parameters = parameters(x);
  if (made.returns) dimensions(x, made.returns);
  if (x.accept(Kind.THROWS)) typeList(x, []);
  if (x.accept(Kind.DEFAULT)) annotationValue(x);
  x.begun = null;
  if (x.kind === Kind.LBRACE) made.body = block(x);
  else x.semicolon();
  finish(x, type, made);
}

function finish(x: Reader, type: TypeBody, made: Method): void {
  made.end = x.last;
  made.abstract = !made.body && (made.abstract || type.is === 'interface');
  type.methods.push(made);
}

// ---- errors

/**
 * A broken member ends with its semicolon, with its block, before the brace that ends the class, or before the next line that
 * begins with a modifier. A definition with a broken head keeps its name and its body.
 */
function recover(x: Reader, from: number, type: TypeBody): void {
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
      else if (isAccess(kind) && begun && i > from && x.isLineStart(i)) {
        // No parameter begins so.
        x.i = i;
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
    } else if (kind === Kind.RBRACE) {
      if (depth === 0) break;
      if (--depth === 0) {
        i++;
        break;
      }
    } else if (kind === Kind.SEMICOLON && depth === 0) {
      i++;
      break;
    } else if (i > from && (isModifier(kind) || kind === Kind.AT) && x.isLineStart(i)) {
      if (kind !== Kind.FINAL && kind !== Kind.SYNCHRONIZED && (depth === 0 || isAccess(kind))) break;
    }
  }
  x.i = Math.min(x.count, Math.max(i, x.kinds[i] === Kind.RBRACE ? i : from + 1));
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
  begun.body = inside as Method['body'];
  finish(x, type, begun);
}
