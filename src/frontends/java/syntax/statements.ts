// Java's statements, and what is done about those that are broken: each costs itself alone.
import { FAULT } from '../../cursor.ts';
import type { Local, Node, Parameter, Repeat, Sequence, Try } from '../../jvm/syntax/syntax.ts';
import { isType, memberAhead, typeDeclaration } from './declarations.ts';
import { expression } from './expressions.ts';
import { value } from './operands.ts';
import { modifiers } from './parameters.ts';
import type { Reader } from './reader.ts';
import { BEGINS_STATEMENT, isName, Kind } from './tokens.ts';
import { dimensions, isDeclaration, typeArguments, typeRef } from './types.ts';

/** `{ … }`. Where the next member of the class begins, its closing brace is missing. */
export function block(x: Reader): Sequence {
  const { start } = x;
  x.expect(Kind.LBRACE);
  const items: Node[] = [];
  if (x.enter()) {
    statements(x, items);
    x.level--;
  } else x.pass();
  if (!x.accept(Kind.RBRACE)) x.broken = true;
  return { kind: 'sequence', start, end: x.last, items };
}

/** Up to a closing brace, or to what must follow one. */
function statements(x: Reader, items: Node[]): void {
  for (;;) {
    const { kind } = x;
    if (kind === Kind.RBRACE || kind === Kind.END || kind === Kind.CASE) return;
    if (kind === Kind.DEFAULT && (x.peek() === Kind.COLON || x.peek() === Kind.ARROW)) return;
    if (memberAhead(x)) {
      x.broken = true;
      return;
    }
    if (!x.accept(Kind.SEMICOLON)) attempt(x, items);
  }
}

function attempt(x: Reader, items: Node[], one = statement): void {
  const { i, level, links } = x;
  try {
    items.push(one(x));
    // A bracket that closes nothing, where it is too deep for a statement.
    if (x.i === i) x.next();
  } catch (error) {
    if (error !== FAULT) throw error;
    x.level = level;
    x.links = links;
    x.begun = null;
    recover(x, i, items);
  }
}

/**
 * Goes on behind the broken statement: behind its semicolon, before the brace that ends the block, before the next line that
 * begins with a keyword of statements. Blocks in it are read for themselves.
 */
function recover(x: Reader, from: number, items: Node[]): void {
  x.broken = true;
  const failed = Math.max(x.i, from);
  const again = !x.exhausted;
  if (again) x.wasted += failed - from;
  let i = again ? from : failed;
  for (; i < x.count; i++) {
    const kind = x.kinds[i]!;
    if (kind === Kind.RBRACE) break;
    if (kind === Kind.LBRACE) {
      x.i = i;
      if (!opensBlock(x, i)) x.i = x.behind(i);
      else if (x.enter()) {
        items.push(block(x));
        x.level--;
      } else x.pass();
      i = x.i - 1;
      if (i > failed) {
        i++;
        break;
      }
    } else if (i < failed) continue;
    else if (kind === Kind.SEMICOLON) {
      i++;
      break;
    } else if (i > from && x.isLineStart(i)) {
      if (BEGINS_STATEMENT[kind] === 1 || x.kinds[i - 1] === Kind.WRONG) break;
      x.i = i;
      if (memberAhead(x)) break;
    }
  }
  x.i = Math.min(x.count, Math.max(i, from + 1));
}

/** A list of values has something else before its brace. */
function opensBlock(x: Reader, i: number): boolean {
  const before = i > 0 ? x.kinds[i - 1]! : Kind.END;
  const isList = before === Kind.ASSIGN || before === Kind.RSQB || before === Kind.COMMA;
  return !isList && before !== Kind.LBRACE && before !== Kind.LPAR;
}

/** A statement that must be there. An empty one says nothing. */
function statement(x: Reader): Node {
  if (!x.enter()) return x.pass();
  const made = read(x);
  x.level--;
  return made;
}

function read(x: Reader): Node {
  const { start } = x;
  switch (x.kind) {
    case Kind.LBRACE:
      return block(x);
    case Kind.SEMICOLON:
      x.next();
      return x.several(start, []);
    case Kind.IF:
      return conditional(x);
    case Kind.FOR:
      return forLoop(x);
    case Kind.WHILE: {
      x.next();
      const every = [condition(x)];
      return { ...repeat(x, start, 'while'), every, body: statement(x), end: x.last };
    }
    case Kind.DO: {
      x.next();
      const body = statement(x);
      x.expect(Kind.WHILE);
      const every = [condition(x)];
      x.semicolon();
      return { ...repeat(x, start, 'while'), every, body };
    }
    case Kind.SWITCH: {
      const made = switching(x);
      return x.is(Kind.DOT) ? x.fail() : made;
    }
    case Kind.TRY:
      return attempted(x);
    case Kind.RETURN:
    case Kind.THROW: {
      const how = x.kind === Kind.THROW ? 'raise' : 'return';
      x.next();
      const given = x.is(Kind.SEMICOLON) || x.is(Kind.RBRACE) ? undefined : expression(x);
      x.semicolon();
      return { kind: 'leave', start, end: x.last, how, value: given };
    }
    case Kind.BREAK:
    case Kind.CONTINUE: {
      const how = x.kind === Kind.BREAK ? 'break' : 'continue';
      x.next();
      const label = isName(x.kind) ? x.name() : undefined;
      x.semicolon();
      return { kind: 'leave', start, end: x.last, how, label };
    }
    case Kind.ASSERT: {
      x.next();
      const items = [expression(x)];
      if (x.accept(Kind.COLON)) items.push(expression(x));
      x.semicolon();
      return x.several(start, items);
    }
    case Kind.SYNCHRONIZED: {
      x.next();
      const items = [condition(x), block(x)];
      return x.several(start, items);
    }
    case Kind.LESS:
      typeArguments(x);
      return called(x, start);
    case Kind.THIS:
    case Kind.SUPER:
      return x.peek() === Kind.LPAR ? called(x, start) : expressionStatement(x);
    case Kind.YIELD:
      if (x.peek() === Kind.ASSIGN || x.peek() === Kind.DOT || x.peek() === Kind.LSQB || isCall(x)) break;
      x.next();
      return expressionStatement(x);
    default:
      if (isName(x.kind) && x.peek() === Kind.COLON) return labelled(x);
  }
  if (isType(x)) return typeDeclaration(x, start, modifiers(x));
  return isDeclaration(x) ? locals(x, true) : expressionStatement(x);
}

/** `yield();` of a Thread, as it was written before Java 14. */
const isCall = (x: Reader) =>
  x.peek() === Kind.LPAR && x.peek(2) === Kind.RPAR && x.peek(3) === Kind.SEMICOLON;

function expressionStatement(x: Reader): Node {
  const made = expression(x);
  x.semicolon();
  return made;
}

/** `this(…);` and `super(…);` */
function called(x: Reader, start: number): Node {
  const made = expression(x);
  x.semicolon();
  made.start = start;
  made.end = x.last;
  return made;
}

function labelled(x: Reader): Node {
  const label = x.name();
  x.next();
  const inner = statement(x);
  if (inner.kind === 'repeat') inner.label = label;
  return inner;
}

/** `(…)` */
function condition(x: Reader): Node {
  x.expect(Kind.LPAR);
  const made = expression(x);
  x.expect(Kind.RPAR);
  return made;
}

// ---- variables

/** `final List<A> a = …, b[];`, in the head of a loop without its semicolon. */
function locals(x: Reader, ends: boolean): Node {
  const { start } = x;
  modifiers(x);
  // A class of its own with modifiers.
  if (isType(x)) return typeDeclaration(x, start, modifiers(x));
  const type = typeRef(x);
  const declared = type.name === 'var' ? undefined : type;
  const items: Node[] = [];
  do {
    const from = x.start;
    const name = x.name();
    dimensions(x, type);
    const given = x.accept(Kind.ASSIGN) ? value(x) : undefined;
    const made: Local = { kind: 'local', start: from, end: x.last, name, value: given, type: declared };
    items.push(made);
  } while (x.accept(Kind.COMMA));
  if (ends) x.semicolon();
  return x.several(start, items);
}

// ---- if and switch

/** `if … else if … else` is one choice with many arms. */
function conditional(x: Reader): Node {
  const { start } = x;
  const tests: Node[] = [];
  const arms: Node[] = [];
  let exhaustive = false;
  for (;;) {
    x.next();
    tests.push(condition(x));
    arms.push(statement(x));
    if (!x.accept(Kind.ELSE)) break;
    if (x.kind === Kind.IF) continue;
    arms.push(statement(x));
    exhaustive = true;
    break;
  }
  return { kind: 'choice', start, end: x.last, tests, arms, exhaustive };
}

export function switching(x: Reader): Node {
  const { start } = x;
  if (!x.enter()) return x.pass();
  x.next();
  const tests = [condition(x)];
  x.expect(Kind.LBRACE);
  const arms: Node[] = [];
  let exhaustive = false;
  while (x.kind === Kind.CASE || x.kind === Kind.DEFAULT) {
    const from = x.start;
    const items: Node[] = [];
    exhaustive = label(x) || exhaustive;
    if (x.accept(Kind.ARROW)) attempt(x, items, ruled);
    else {
      x.next();
      statements(x, items);
    }
    const arm: Sequence = { kind: 'sequence', start: from, end: x.last, isSwitchArm: true, items };
    arms.push(arm);
  }
  if (!x.accept(Kind.RBRACE)) {
    // Something else than an arm.
    if (x.kind !== Kind.END && !memberAhead(x)) throw FAULT;
    x.broken = true;
  }
  x.level--;
  return { kind: 'choice', start, end: x.last, tests, arms, exhaustive };
}

/** What an arrow leads to: a `switch` is a value there. */
const ruled = (x: Reader): Node =>
  x.kind === Kind.LBRACE || x.kind === Kind.THROW ? statement(x) : expressionStatement(x);

/** `case A, B`, `case Point(int x, _) when x > 0`, `default`: what it says is passed over, but whether it takes all. */
function label(x: Reader): boolean {
  let all = false;
  let depth = 0;
  for (; ; x.next()) {
    const { kind } = x;
    if (kind === Kind.DEFAULT) all = true;
    else if (kind === Kind.LPAR || kind === Kind.LSQB) depth++;
    else if (kind === Kind.RPAR || kind === Kind.RSQB) depth--;
    else if (depth === 0 && (kind === Kind.COLON || kind === Kind.ARROW)) return all;
    else if (kind === Kind.SEMICOLON || kind === Kind.RBRACE || kind === Kind.END) throw FAULT;
  }
}

// ---- loops

function repeat(x: Reader, start: number, how: Repeat['how']): Repeat {
  const end = x.last;
  return { kind: 'repeat', start, end, body: x.several(start, []), how, first: [], every: [] };
}

function forLoop(x: Reader): Node {
  const { start } = x;
  x.next();
  x.expect(Kind.LPAR);
  const made = repeat(x, start, 'count');
  if (isDeclaration(x)) {
    const from = x.i;
    modifiers(x);
    const type = typeRef(x);
    const variable: Parameter = { name: x.name(), type: type.name === 'var' ? undefined : type };
    dimensions(x, type);
    if (x.accept(Kind.COLON)) {
      made.how = 'each';
      made.variable = variable;
    } else {
      x.i = from;
      made.first.push(locals(x, true));
    }
  } else {
    if (x.kind !== Kind.SEMICOLON) each(x, made.first);
    x.expect(Kind.SEMICOLON);
  }
  if (made.how === 'each') made.first.push(expression(x));
  else {
    if (x.kind !== Kind.SEMICOLON) made.every.push(expression(x));
    x.expect(Kind.SEMICOLON);
    if (x.kind !== Kind.RPAR) each(x, made.every);
  }
  x.expect(Kind.RPAR);
  made.body = statement(x);
  made.end = x.last;
  return made;
}

function each(x: Reader, into: Node[]): void {
  do into.push(expression(x));
  while (x.accept(Kind.COMMA));
}

// ---- try

function attempted(x: Reader): Node {
  const { start } = x;
  x.next();
  const resources: Node[] = [];
  if (x.accept(Kind.LPAR)) {
    while (x.kind !== Kind.RPAR) {
      resources.push(resource(x));
      if (!x.accept(Kind.SEMICOLON)) break;
    }
    x.expect(Kind.RPAR);
  }
  const body = block(x);
  const made: Try = { kind: 'try', start, end: x.last, resources, body, handlers: [], finally: undefined };
  while (x.kind === Kind.CATCH) made.handlers.push(handler(x));
  if (x.kind === Kind.FINALLY) {
    const from = x.start;
    x.next();
    const last = block(x);
    made.finally = x.several(from, [last]);
  }
  made.end = x.last;
  return made;
}

function resource(x: Reader): Node {
  const { start } = x;
  if (!isDeclaration(x)) return x.several(start, [expression(x)]);
  modifiers(x);
  const type = typeRef(x);
  const name = x.name();
  x.expect(Kind.ASSIGN);
  const given = expression(x);
  return {
    kind: 'local', start, end: x.last, name, type: type.name === 'var' ? undefined : type, value: given,
  }; // biome-ignore format: short
}

function handler(x: Reader): Try['handlers'][number] {
  const { start } = x;
  x.next();
  x.expect(Kind.LPAR);
  modifiers(x);
  const catches: string[] = [];
  do catches.push(typeRef(x).name);
  while (x.accept(Kind.OR_BITS));
  const name = x.name();
  x.expect(Kind.RPAR);
  return { at: { start, end: start + 5 }, catches, name, body: block(x) };
}
