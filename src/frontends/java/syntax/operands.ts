// What stands between Java's operators: names, calls, literals, `new`, and the chains that they make.
import { FAULT } from '../../cursor.ts';
import type { Argument, Call, Node } from '../../jvm/syntax/syntax.ts';
import { emptyType, quoted } from '../../jvm/syntax/tree.ts';
import { plain } from '../../source.ts';
import { DEPTH } from '../../syntax.ts';
import { classBody } from './declarations.ts';
import { expression, plainType, typeNode } from './expressions.ts';
import type { Reader } from './reader.ts';
import { switching } from './statements.ts';
import { isName, Kind } from './tokens.ts';
import { annotationsEnd, listEnd, simpleType, typeArguments, typeEnd } from './types.ts';

/** A value and all that follows it with points and brackets. */
export function operand(x: Reader): Node {
  const above = x.links;
  x.links = 0;
  const from = x.i;
  const { start } = x;
  let left = primary(x);
  for (;;) {
    switch (x.kind) {
      case Kind.DOT:
        left = selected(x, left, start, from);
        break;
      case Kind.LSQB:
        if (x.peek() === Kind.RSQB) {
          if (typeEnd(x, from) <= x.i) throw FAULT;
          left = ofType(x, from);
        } else {
          x.next();
          const index = expression(x);
          x.close(Kind.RSQB);
          left = x.several(start, [left, index]);
        }
        break;
      case Kind.COLONS:
        left = reference(x, left, start);
        break;
      case Kind.INCREMENT:
        x.next();
        left = x.several(start, [left]);
        break;
      case Kind.LESS: {
        // `List<String>::new`
        const end = isName(x.kinds[x.i - 1] ?? Kind.END) && isTyped(x, x.i) ? typeEnd(x, from) : -1;
        if (end > x.i && (x.kinds[end] === Kind.COLONS || x.kinds[end] === Kind.DOT)) {
          left = ofType(x, from);
          break;
        }
        x.links = Math.max(above, x.links);
        return left;
      }
      case Kind.AT: {
        // `a @B []::new`
        if (typeEnd(x, from) <= x.i) throw FAULT;
        left = ofType(x, from);
        break;
      }
      default:
        x.links = Math.max(above, x.links);
        return left;
    }
    if (++x.links > DEPTH) {
      x.cut = true;
      x.links = 0;
      left = x.several(start, []);
    }
  }
}

/** Whether what begins with this `<` is a list of types before `::`. */
function isTyped(x: Reader, at: number): boolean {
  const end = listEnd(x, at);
  const kind = end < 0 ? Kind.END : x.kinds[end];
  return kind === Kind.COLONS || kind === Kind.LSQB || kind === Kind.DOT;
}

/** What began as a value is a type: `String[]::new`, `Foo[].class`. */
function ofType(x: Reader, from: number): Node {
  x.i = from;
  const start = x.starts[from]!;
  const type = typeNode(x);
  if (x.kind === Kind.COLONS) return reference(x, type, start);
  x.expect(Kind.DOT);
  x.expect(Kind.CLASS);
  return x.several(start, [type]);
}

function primary(x: Reader): Node {
  const { kind } = x;
  switch (kind) {
    case Kind.STRING:
      return string(x);
    case Kind.NUMBER:
    case Kind.CHARACTER:
    case Kind.TRUE:
    case Kind.FALSE:
    case Kind.NULL:
      return x.literal();
    case Kind.LPAR: {
      x.next();
      const inside = expression(x);
      x.close(Kind.RPAR);
      return inside;
    }
    case Kind.NEW:
      return creation(x, x.start);
    case Kind.SWITCH:
      return switching(x);
    case Kind.PRIMITIVE:
    case Kind.VOID:
      return ofType(x, x.i);
    case Kind.AT:
      return ofType(x, x.i);
    default:
      if (!isName(kind) && kind !== Kind.THIS && kind !== Kind.SUPER) throw FAULT;
      if (x.peek() !== Kind.LPAR) return x.nameNode();
      // `this(…)` and `super(…)` are statements; `super(…)` may follow others.
      return call(x, null, x.start);
  }
}

function string(x: Reader): Node {
  const { start, end } = x.place();
  const marks = end - start >= 6 && x.text.startsWith('"""', start) ? 3 : 1;
  x.next();
  const escaped = x.text.indexOf('\\', start);
  const source =
    escaped < 0 || escaped >= end
      ? plain(x.text, start + marks, end - marks)
      : quoted(x.text, start + marks, end - marks);
  return { kind: 'text', start, end, source, holes: [] };
}

/** What follows a point. */
function selected(x: Reader, object: Node, start: number, from: number): Node {
  x.next();
  const { kind } = x;
  if (isName(kind)) {
    if (x.peek() === Kind.LPAR) return call(x, object, start);
    const at = x.place();
    const name = x.word(x.i++);
    return { kind: 'member', start, end: at.end, object, name, at };
  }
  switch (kind) {
    case Kind.LESS: {
      const types = typeArguments(x);
      const made = call(x, object, start);
      made.typeArguments = types;
      return made;
    }
    case Kind.THIS: {
      const at = x.place();
      x.next();
      return { kind: 'member', start, end: at.end, object, name: 'this', at };
    }
    case Kind.SUPER: {
      // `Outer.super.f()`, `Outer.super::f`; `outer.super()`
      if (x.peek() === Kind.LPAR) return call(x, null, start);
      x.next();
      if (x.kind !== Kind.DOT || !isName(x.peek()) || x.peek(2) !== Kind.LPAR) {
        return { kind: 'name', start, end: x.last, text: 'super' };
      }
      x.next();
      const made = call(x, null, start);
      made.object = { kind: 'name', start, end: made.end, text: 'super' };
      return made;
    }
    case Kind.CLASS: {
      const end = x.ends[x.i - 2]!;
      x.next();
      const text = x.text.slice(x.starts[from], end).replace(/\s+/g, '');
      return x.several(start, [{ kind: 'name', start, end, text }]);
    }
    case Kind.NEW:
      return creation(x, start);
    default:
      throw FAULT;
  }
}

/** `name(…)` */
function call(x: Reader, object: Node | null, start: number): Call {
  const at = x.place();
  const name = x.word(x.i++);
  const given = argumentList(x);
  return {
    kind: 'call', start, end: x.last, object, name, at, arguments: given, typeArguments: undefined,
  }; // biome-ignore format: short
}

export function argumentList(x: Reader): Argument[] {
  x.expect(Kind.LPAR);
  const all: Argument[] = [];
  if (x.accept(Kind.RPAR)) return all;
  do all.push({ value: expression(x) });
  while (x.accept(Kind.COMMA));
  x.close(Kind.RPAR);
  return all;
}

/** `a::b`, `A::new` */
function reference(x: Reader, object: Node, start: number): Node {
  x.next();
  if (x.kind === Kind.LESS) typeArguments(x);
  if (x.accept(Kind.NEW)) {
    const end = x.last;
    return { kind: 'reference', start, end, object, name: 'new', at: { start, end } };
  }
  const at = x.place();
  const name = x.name();
  return { kind: 'reference', start, end: at.end, object, name, at };
}

// ---- new

function creation(x: Reader, start: number): Node {
  x.next();
  if (x.kind === Kind.LESS) typeArguments(x);
  x.i = annotationsEnd(x, x.i);
  const from = x.i;
  const at = x.start;
  const creates = simpleType(x);
  const end = x.last;
  if (x.kind === Kind.LSQB || x.kind === Kind.AT) {
    x.i = from;
    return array(x, start, plainType(x));
  }
  const given = argumentList(x);
  const made: Call = {
    kind: 'call', start, end, object: null, name: creates.name, at: { start: at, end }, creates, body: undefined,
    arguments: given,
  }; // biome-ignore format: short
  if (x.kind === Kind.LBRACE) {
    const own = { start: x.start, end: x.start + 1 };
    made.body = emptyType(own, own, [creates]);
    classBody(x, made.body);
    made.body.end = x.last;
  }
  made.end = x.last;
  return made;
}

function array(x: Reader, start: number, type: Node): Node {
  const items = [type];
  for (;;) {
    const from = x.i;
    const empty = x.start;
    x.i = annotationsEnd(x, x.i);
    if (x.kind !== Kind.LSQB) {
      x.i = from;
      break;
    }
    if (x.peek() === Kind.RSQB) {
      while (x.kind === Kind.LSQB && x.peek() === Kind.RSQB) x.i += 2;
      items.push({ kind: 'literal', start: empty, end: x.last, text: x.text.slice(empty, x.last) });
      continue;
    }
    x.next();
    const length = expression(x);
    x.close(Kind.RSQB);
    items.push(x.several(empty, [length]));
  }
  if (x.kind === Kind.LBRACE) items.push(initializer(x));
  return x.several(start, items);
}

/** What a variable is given: an expression, or `{ … }`. */
export const value = (x: Reader): Node => (x.kind === Kind.LBRACE ? initializer(x) : expression(x));

function initializer(x: Reader): Node {
  const { start } = x;
  if (!x.enter()) return x.pass();
  x.next();
  const items: Node[] = [];
  x.accept(Kind.COMMA); // `{,}` is none
  while (x.kind !== Kind.RBRACE) {
    items.push(value(x));
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RBRACE);
  x.level--;
  if (items.length > 0) return x.several(start, items);
  return { kind: 'literal', start, end: x.last, text: x.text.slice(start, x.last) };
}
