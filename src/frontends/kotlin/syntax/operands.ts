// What stands between Kotlin's operators: names, calls, literals, objects, and the chains that they make.
import { FAULT } from '../../cursor.ts';
import type { Argument, Call, Node, TypeRef } from '../../jvm/syntax/syntax.ts';
import { emptyType, quoted } from '../../jvm/syntax/tree.ts';
import { plain } from '../../source.ts';
import { classBody, functionBody, supers } from './declarations.ts';
import { expression, isLabel, lambda } from './expressions.ts';
import { parameters } from './parameters.ts';
import type { Reader } from './reader.ts';
import { conditional, leaving, looping, trying, whening } from './statements.ts';
import { isName, Kind } from './tokens.ts';
import { annotationsEnd, constraints, listEnd, receiver, typeArguments, typeRef } from './types.ts';

/** A name that may be called: `name(…)`, `object.name(…)`. */
interface Named {
  object: Node | null;
  name: string;
  at: { start: number; end: number };
}

/** A value and all that follows it with points and brackets. */
export function operand(x: Reader): Node {
  const above = x.links;
  x.links = 0;
  const from = x.i;
  const { start } = x;
  const isPlain = isName(x.kind);
  let left = x.kind === Kind.COLONS ? reference(x, null, start) : primary(x);
  let named: Named | null =
    isPlain && left.kind === 'name' ? { object: null, name: left.text, at: { start, end: left.end } } : null;
  for (;;) {
    const { kind } = x;
    if (x.isNewLine && kind !== Kind.DOT && kind !== Kind.SAFE) break;
    if (kind === Kind.DOT || kind === Kind.SAFE) {
      x.next();
      named = selector(x, left);
      left = { kind: 'member', start, end: named.at.end, object: left, name: named.name, at: named.at };
    } else if (callFollows(x, kind)) {
      left = call(x, start, left, named);
      named = null;
    } else if (kind === Kind.LSQB) {
      left = index(x, start, left);
      named = null;
    } else if (kind === Kind.SURE) x.next();
    else if (kind === Kind.INCREMENT) {
      x.next();
      left = x.several(start, [left]);
      named = null;
    } else if (kind === Kind.COLONS) {
      left = reference(x, left, start);
      named = null;
    } else if (isType(x, kind)) {
      // `List<String>::size`
      x.i = from;
      const { name } = typeRef(x);
      left = { kind: 'name', start, end: x.last, text: name };
      named = null;
    } else if (ofTypeFollows(x, kind)) {
      typeArguments(x);
      continue;
    } else break;
    left = x.linked(left);
  }
  x.links = Math.max(above, x.links);
  return left;
}

/** What follows a point. */
function selector(x: Reader, object: Node): Named {
  const at = x.place();
  if (isName(x.kind)) return { object, name: x.word(x.i++), at };
  // `a.(f)(b)`: what is called is a value.
  if (x.kind !== Kind.LPAR) throw FAULT;
  x.next();
  x.within(true, expression);
  x.close(Kind.RPAR);
  return { object, name: 'invoke', at };
}

function isType(x: Reader, kind: number): boolean {
  if (kind === Kind.QUESTION) return x.peek() === Kind.COLONS;
  if (kind !== Kind.LESS || !isName(x.peek(-1))) return false;
  const end = listEnd(x, x.i);
  return (
    end > 0 &&
    (x.kinds[end] === Kind.COLONS || (x.kinds[end] === Kind.QUESTION && x.kinds[end + 1] === Kind.COLONS))
  );
}

/** `Response<Unit>.error(404)`: its arguments say nothing of what is called on it. */
function ofTypeFollows(x: Reader, kind: number): boolean {
  if (kind !== Kind.LESS || !isName(x.peek(-1))) return false;
  const end = listEnd(x, x.i);
  return end > 0 && (x.kinds[end] === Kind.DOT || x.kinds[end] === Kind.SAFE);
}

// ---- calls

function callFollows(x: Reader, kind: number): boolean {
  switch (kind) {
    case Kind.LPAR:
      return true;
    case Kind.LESS: {
      const end = listEnd(x, x.i);
      return (
        end > 0 &&
        (x.kinds[end] === Kind.LPAR || (x.kinds[end] === Kind.LBRACE && !x.bare)) &&
        !x.isLineStart(end)
      );
    }
    default:
      return lambdaFollows(x, kind);
  }
}

/** `{ … }`, `label@ { … }`, `@A { … }` */
function lambdaFollows(x: Reader, kind: number): boolean {
  if (x.bare) return false;
  if (kind === Kind.LBRACE) return true;
  if (kind === Kind.AT && !x.isNewLine) return x.kinds[annotationsEnd(x, x.i)] === Kind.LBRACE;
  return isName(kind) && isLabel(x) && x.peek(2) === Kind.LBRACE;
}

/** `(…)`, `{ … }`, `<A>(…) { … }` behind what is called. */
function call(x: Reader, start: number, callee: Node, named: Named | null): Call {
  const types = x.kind === Kind.LESS ? typeArguments(x) : undefined;
  const given = x.kind === Kind.LPAR ? argumentList(x) : [];
  while (lambdaFollows(x, x.kind)) {
    x.i = annotationsEnd(x, x.i);
    const label = x.kind === Kind.LBRACE ? undefined : x.name();
    if (label !== undefined) x.next();
    given.push({ value: { ...lambda(x), label } });
  }
  for (const { value } of given) if (value.kind === 'lambda' && named) value.label ??= named.name;
  return {
    kind: 'call', start, end: x.last, object: named ? named.object : callee,
    // What an expression gives is called: `factory()()`.
    name: named ? named.name : 'invoke', at: named ? named.at : { start, end: start + 1 },
    arguments: given, typeArguments: types,
  }; // biome-ignore format: short
}

export function argumentList(x: Reader): Argument[] {
  x.expect(Kind.LPAR);
  const all = x.within(true, list);
  x.close(Kind.RPAR);
  return all;
}

function list(x: Reader): Argument[] {
  const all: Argument[] = [];
  while (x.kind !== Kind.RPAR) {
    const name = isName(x.kind) && x.peek() === Kind.ASSIGN ? x.name() : undefined;
    if (name !== undefined) x.next();
    x.accept(Kind.TIMES);
    const value = expression(x);
    all.push(name === undefined ? { value } : { name, value });
    if (!x.accept(Kind.COMMA)) break;
  }
  return all;
}

/** `props["autosave"]` is `props.get("autosave")`. */
function index(x: Reader, start: number, object: Node): Node {
  const from = x.last;
  x.next();
  const given = x.within(true, elements).map((value) => ({ value }));
  x.close(Kind.RSQB);
  const at = { start: from, end: from + 1 };
  const made: Call = { kind: 'call', start, end: x.last, object, name: 'get', at, arguments: given };
  x.index = made;
  return made;
}

function elements(x: Reader): Node[] {
  const all: Node[] = [];
  while (x.kind !== Kind.RSQB) {
    all.push(expression(x));
    if (!x.accept(Kind.COMMA)) break;
  }
  return all;
}

/** `a::b`, `A::class`, `::c` */
function reference(x: Reader, object: Node | null, start: number): Node {
  x.next();
  const at = x.place();
  if (x.kind === Kind.CLASS && object && !x.isLineStart(x.i)) {
    x.next();
    return { kind: 'member', start, end: at.end, object, name: 'class', at };
  }
  return { kind: 'reference', start, end: at.end, object, name: x.name(), at };
}

// ---- values

function primary(x: Reader): Node {
  const { kind, start } = x;
  switch (kind) {
    case Kind.STRING:
    case Kind.STRING_OPEN:
      return string(x);
    case Kind.NUMBER:
    case Kind.CHARACTER:
      return x.literal();
    case Kind.LPAR: {
      x.next();
      const inside = x.within(true, expression);
      x.close(Kind.RPAR);
      return inside;
    }
    case Kind.LSQB: {
      x.next();
      const items = x.within(true, elements);
      x.close(Kind.RSQB);
      return x.several(start, items);
    }
    case Kind.LBRACE:
      return lambda(x);
    case Kind.THIS:
    case Kind.SUPER:
      return self(x, start, kind === Kind.THIS ? 'this' : 'super');
    case Kind.IF:
      return conditional(x);
    case Kind.WHEN:
      return whening(x);
    case Kind.TRY:
      return trying(x);
    case Kind.FOR:
    case Kind.WHILE:
    case Kind.DO:
      return looping(x);
    case Kind.RETURN:
    case Kind.THROW:
    case Kind.BREAK:
    case Kind.CONTINUE:
      return leaving(x, kind);
    case Kind.OBJECT:
      return object(x, start);
    case Kind.FUN:
      return anonymous(x, start);
    default:
      if (!isName(kind)) throw FAULT;
      return x.nameNode();
  }
}

/** `this@Outer`, `super<A>@Outer` */
function self(x: Reader, start: number, text: 'this' | 'super'): Node {
  x.next();
  if (text === 'super' && x.kind === Kind.LESS && x.isJoined(x.i)) typeArguments(x);
  x.label();
  return { kind: 'name', start, end: x.last, text };
}

/** `object : Runnable { … }` is handed over like an anonymous class. */
function object(x: Reader, start: number): Node {
  const at = { start, end: start + 6 };
  const body = emptyType({ start, end: start }, at, []);
  x.next();
  const above = x.accept(Kind.COLON) ? supers(x, body) : null;
  if (above) body.initialisers.push(...above.arguments.map(({ value }) => value));
  classBody(x, body);
  body.end = x.last;
  const creates: TypeRef = body.bases[0] ?? { name: '', arguments: [] };
  return {
    kind: 'call', start, end: x.last, object: null, name: creates.name, at, creates, body, arguments: [],
  }; // biome-ignore format: short
}

/** `fun(a: A) = …`, `fun A.(b: B): C { … }` */
function anonymous(x: Reader, start: number): Node {
  x.next();
  if (x.kind !== Kind.LPAR || x.kinds[x.behind(x.i)] === Kind.DOT) receiver(x, () => false, true);
  const given = parameters(x);
  if (x.accept(Kind.COLON)) typeRef(x);
  constraints(x);
  const body = functionBody(x) ?? x.several(start, []);
  return { kind: 'lambda', start, end: x.last, parameters: given, body, isFunction: true };
}

// ---- strings

function string(x: Reader): Node {
  const { start } = x;
  const { text } = x;
  let open = start;
  while (text.charCodeAt(open) === 36) open++;
  const marks = text.startsWith('"""', open) && x.ends[x.i]! - open >= 3 ? 3 : 1;
  const inside = open + marks;
  if (x.kind === Kind.STRING) {
    const end = x.ends[x.i++]! - marks;
    const escaped = marks === 1 ? text.indexOf('\\', inside) : -1;
    const source = escaped < 0 || escaped >= end ? plain(text, inside, end) : quoted(text, inside, end);
    return { kind: 'text', start, end: x.last, source, holes: [] };
  }
  const cut: { start: number; end: number }[] = [];
  const holes: Node[] = [];
  x.next();
  for (;;) {
    const { kind } = x;
    if (kind === Kind.HOLE) {
      cut.push(x.place());
      const at = x.start + x.text.slice(x.start, x.ends[x.i]).lastIndexOf('$') + 1;
      holes.push({
        kind: 'name',
        start: at,
        end: x.ends[x.i]!,
        text: x.text.slice(at, x.ends[x.i]).replaceAll('`', ''),
      });
    } else if (kind === Kind.HOLE_OPEN) {
      const from = x.start;
      hole(x, holes);
      cut.push({ start: from, end: x.last });
      continue;
    } else break;
    x.next();
  }
  const end = x.kind === Kind.STRING_CLOSE ? x.start : x.last;
  if (!x.accept(Kind.STRING_CLOSE)) {
    x.broken = true;
    if (x.kind === Kind.WRONG) x.next();
  }
  return { kind: 'text', start, end: x.last, source: quoted(text, inside, end, cut, marks === 1), holes };
}

/** `${ … }`: what is wrong in it costs it alone. */
function hole(x: Reader, into: Node[]): void {
  const { i, level, links, flat, bare } = x;
  const end = x.behind(i);
  try {
    if (!x.enter()) throw FAULT;
    x.next();
    into.push(x.within(true, expression));
    x.level--;
    if (x.i + 1 !== end) throw FAULT;
  } catch (error) {
    if (error !== FAULT) throw error;
    Object.assign(x, { level, links, flat, bare });
    x.broken = true;
  }
  x.i = Math.max(end, i + 1);
}
