// Kotlin's statements, and what is done about those that are broken: each costs itself alone.
import { FAULT } from '../../cursor.ts';
import type { Node, Parameter, Repeat, Sequence, Try } from '../../jvm/syntax/syntax.ts';
import { declarationAhead, localDeclaration, memberAhead } from './declarations.ts';
import { arrowEnd, expression, isLabel, lambda } from './expressions.ts';
import type { Reader } from './reader.ts';
import { BEGINS, isName, Kind } from './tokens.ts';
import { annotationsEnd, typeRef } from './types.ts';

/** `{ … }`. Where the next member of the class begins, its closing brace is missing. */
export function block(x: Reader): Sequence {
  const { start } = x;
  x.expect(Kind.LBRACE);
  let items: Node[] = [];
  if (x.enter()) {
    items = x.within(false, statements);
    x.level--;
  } else x.passInside();
  x.closeBrace();
  return { kind: 'sequence', start, end: x.last, items };
}

const endsBlock = (kind: number): boolean =>
  kind === Kind.RBRACE || kind === Kind.END || kind === Kind.HOLE_CLOSE || kind === Kind.STRING_CLOSE;

/** Up to a closing brace, or to what must follow one. */
export function statements(x: Reader): Node[] {
  const items: Node[] = [];
  for (;;) {
    const { kind } = x;
    if (endsBlock(kind)) return items;
    if (memberAhead(x)) {
      x.broken = true;
      return items;
    }
    if (x.accept(Kind.SEMICOLON)) continue;
    attempt(x, items);
    // What stands behind it in the same line is read for itself.
    if (!x.isNewLine && x.kind !== Kind.SEMICOLON && !endsBlock(x.kind)) x.broken = true;
  }
}

export function attempt(x: Reader, items: Node[], one = statement): void {
  const { i, level, links, flat, bare } = x;
  try {
    items.push(one(x));
    if (x.i === i) x.next();
  } catch (error) {
    if (error !== FAULT) throw error;
    Object.assign(x, { level, links, flat, bare });
    x.begun = null;
    recover(x, i, items);
  }
}

/** Goes on in the next line, or before the brace that ends the block. Blocks in between are read for themselves. */
function recover(x: Reader, from: number, items: Node[]): void {
  x.broken = true;
  const failed = Math.max(x.i, from);
  const again = !x.exhausted;
  if (again) x.wasted += failed - from;
  let i = again ? from : failed;
  for (; i < x.count; i++) {
    const kind = x.kinds[i]!;
    if (endsBlock(kind)) break;
    if (kind === Kind.LBRACE) {
      x.i = i;
      if (x.enter()) {
        const inside = braces(x);
        items.push(inside.kind === 'lambda' ? inside.body : inside);
        x.level--;
      } else x.i = x.behind(i);
      i = x.i - 1;
      if (i >= failed) {
        i++;
        break;
      }
    } else if (i > from && x.isLineStart(i)) break;
    else if (i >= failed && kind === Kind.SEMICOLON) {
      i++;
      break;
    }
  }
  x.i = Math.min(x.count, Math.max(i, from + 1));
}

export function statement(x: Reader): Node {
  if (!x.enter()) return x.pass();
  const made = read(x);
  x.level--;
  return made;
}

function read(x: Reader): Node {
  const { start, kind } = x;
  if (declarationAhead(x, x.i)) return localDeclaration(x);
  if (kind === Kind.AT) {
    const { i } = x;
    x.i = annotationsEnd(x, i);
    if (x.i === i) x.fail();
    const inner = statement(x);
    return x.several(start, [inner]);
  }
  if (isLabel(x)) {
    const label = x.name();
    x.next();
    const inner = statement(x);
    if (inner.kind === 'repeat') inner.label = label;
    return inner;
  }
  const target = expression(x);
  if ((x.kind !== Kind.ASSIGN && x.kind !== Kind.CHANGE) || x.isNewLine) return target;
  const isElement = target === x.index;
  x.next();
  const value = expression(x);
  // `props["autosave"] = "always"`
  if (isElement && target.kind === 'call')
    return { ...target, name: 'set', arguments: [...target.arguments, { value }] };
  return { kind: 'assign', start, end: x.last, target, value };
}

/** What an `if`, an arrow or a loop leads to. */
function branch(x: Reader): Node {
  return x.kind === Kind.LBRACE ? braces(x) : statement(x);
}

/** A block, unless it has parameters. */
const braces = (x: Reader): Node => (arrowEnd(x) < 0 ? block(x) : lambda(x));

/** `(…)` */
function condition(x: Reader): Node {
  x.expect(Kind.LPAR);
  const made = x.within(true, expression);
  x.close(Kind.RPAR);
  return made;
}

// ---- leaving

export function leaving(x: Reader, kind: number): Node {
  const { start } = x;
  x.next();
  const label = x.label();
  if (kind === Kind.BREAK || kind === Kind.CONTINUE)
    return { kind: 'leave', start, end: x.last, how: kind === Kind.BREAK ? 'break' : 'continue', label };
  if (kind === Kind.THROW) {
    const value = expression(x);
    return { kind: 'leave', start, end: x.last, how: 'raise', value };
  }
  const value = BEGINS[x.kind] === 1 && !x.isNewLine ? expression(x) : undefined;
  return { kind: 'leave', start, end: x.last, how: 'return', label, value };
}

// ---- if and when

/** `if … else if … else` is one choice with many arms. */
export function conditional(x: Reader): Node {
  const { start } = x;
  const tests: Node[] = [];
  const arms: Node[] = [];
  let exhaustive = false;
  for (;;) {
    x.next();
    tests.push(condition(x));
    arms.push(x.kind === Kind.ELSE || x.kind === Kind.SEMICOLON ? x.several(x.start, []) : branch(x));
    if (x.kind === Kind.SEMICOLON && x.peek() === Kind.ELSE) x.next();
    // `else ->` is the next entry of a `when` around.
    if (x.peek() === Kind.ARROW || !x.accept(Kind.ELSE)) break;
    if (x.kind === Kind.IF) continue;
    arms.push(x.kind === Kind.SEMICOLON ? x.several(x.start, []) : branch(x));
    exhaustive = true;
    break;
  }
  return { kind: 'choice', start, end: x.last, tests, arms, exhaustive };
}

export function whening(x: Reader): Node {
  const { start } = x;
  x.next();
  const tests = x.accept(Kind.LPAR) ? [x.within(true, subject)] : [];
  x.expect(Kind.LBRACE);
  const arms: Node[] = [];
  let exhaustive = false;
  if (x.enter()) {
    exhaustive = x.within(false, (inside) => entries(inside, tests, arms));
    x.level--;
  } else x.passInside();
  x.closeBrace();
  return { kind: 'choice', start, end: x.last, tests, arms, exhaustive };
}

/** `(val it = …)` */
function subject(x: Reader): Node {
  x.i = annotationsEnd(x, x.i);
  let made: Node;
  if (x.accept(Kind.VAL)) {
    const { start } = x;
    const name = x.name();
    const type = x.accept(Kind.COLON) ? typeRef(x) : undefined;
    x.expect(Kind.ASSIGN);
    const value = expression(x);
    made = { kind: 'local', start, end: x.last, name, type, value };
  } else made = expression(x);
  x.close(Kind.RPAR);
  return made;
}

/** Whether one of them takes all. */
function entries(x: Reader, tests: Node[], arms: Node[]): boolean {
  let all = false;
  while (!endsBlock(x.kind)) {
    if (memberAhead(x)) {
      x.broken = true;
      break;
    }
    if (x.kind === Kind.ELSE && x.peek() !== Kind.IF) all = true;
    attempt(x, arms, (inside) => entry(inside, tests));
    x.accept(Kind.SEMICOLON);
  }
  return all;
}

/** `is A, in b -> …`, `c if d -> …` */
function entry(x: Reader, tests: Node[]): Node {
  const { start } = x;
  if (!x.accept(Kind.ELSE))
    while (x.kind !== Kind.ARROW) {
      if (x.accept(Kind.IS)) typeRef(x);
      else {
        x.accept(Kind.IN);
        tests.push(expression(x));
      }
      if (x.kind === Kind.IF || !x.accept(Kind.COMMA)) break;
    }
  if (x.accept(Kind.IF)) tests.push(expression(x));
  x.expect(Kind.ARROW);
  const items = [branch(x)];
  return x.several(start, items);
}

// ---- loops

export function looping(x: Reader): Repeat {
  const { start, kind } = x;
  x.next();
  const made: Repeat = {
    kind: 'repeat', start, end: start, how: 'while', first: [], every: [], body: x.several(start, []),
  }; // biome-ignore format: short
  if (kind === Kind.FOR) {
    x.expect(Kind.LPAR);
    x.within(true, (inside) => over(inside, made));
    made.body = body(x, start);
  } else if (kind === Kind.WHILE) {
    made.every.push(condition(x));
    made.body = body(x, start);
  } else {
    if (x.kind !== Kind.WHILE) made.body = body(x, start);
    x.accept(Kind.SEMICOLON);
    x.expect(Kind.WHILE);
    made.every.push(condition(x));
  }
  made.end = x.last;
  return made;
}

/** A loop may have none. */
function body(x: Reader, start: number): Node {
  return x.kind === Kind.SEMICOLON || endsBlock(x.kind) ? x.several(start, []) : branch(x);
}

/** `(name: Type in …)`, `((a, b) in …)` */
function over(x: Reader, made: Repeat): void {
  x.i = annotationsEnd(x, x.i);
  if (x.kind === Kind.VAL || x.kind === Kind.VAR) x.next();
  if (x.kind === Kind.LPAR) {
    const from = x.i;
    x.i = x.behind(from);
    made.parts = [];
    for (let i = from; i < x.i; i++)
      if (isName(x.kinds[i]!) && x.kinds[i - 1] !== Kind.COLON) made.parts.push(x.word(i));
  } else {
    const variable: Parameter = { name: x.name() };
    if (x.accept(Kind.COLON)) variable.type = typeRef(x);
    made.variable = variable;
  }
  x.expect(Kind.IN);
  const { start } = x;
  const list = expression(x);
  made.first.push(list);
  const said = x.text.slice(start, Math.min(x.last, start + 100));
  const range = /^(\d+)\s*(\.\.<?|until)\s*(\d+)$/.exec(said);
  made.how = range || list === x.range ? 'count' : 'each';
  x.close(Kind.RPAR);
}

// ---- try

export function trying(x: Reader): Node {
  const { start } = x;
  x.next();
  const inner = block(x);
  const made: Try = {
    kind: 'try',
    start,
    end: x.last,
    resources: [],
    body: inner,
    handlers: [],
    finally: undefined,
  };
  while (x.kind === Kind.CATCH && x.peek() === Kind.LPAR) made.handlers.push(handler(x));
  if (x.kind === Kind.FINALLY && x.peek() === Kind.LBRACE) {
    const from = x.start;
    x.next();
    const last = block(x);
    made.finally = x.several(from, [last]);
  }
  made.end = x.last;
  return made;
}

function handler(x: Reader): Try['handlers'][number] {
  const { start } = x;
  x.i += 2;
  x.i = annotationsEnd(x, x.i);
  const name = isName(x.kind) ? x.name() : x.fail();
  x.expect(Kind.COLON);
  const type = typeRef(x);
  x.accept(Kind.COMMA);
  x.expect(Kind.RPAR);
  return { at: { start, end: start + 5 }, catches: [type.name], name, body: block(x) };
}
