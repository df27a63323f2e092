// Python's text as the nodes that tree-sitter-python would give: compound statements, and what is done about errors.
import { FAULT } from '../../cursor.ts';
import { as, node, prune } from '../../nodes.ts';
import { DEPTH, type Parsed, type Syntax } from '../../syntax.ts';
import {
  annotation,
  argumentList,
  element,
  expression,
  expressions,
  targets,
  typeParameters,
} from './expressions.ts';
import { parameters } from './parameters.ts';
import { Reader } from './reader.ts';
import { simpleStatements } from './simple.ts';
import { Kind } from './tokens.ts';

export function parse(text: string): Parsed {
  const x = new Reader(text);
  x.next();
  const root = node('module', 0, text.length, statements(x, -1));
  const cut = x.chained && prune(root);
  return { root, cut: cut || x.cut, error: x.error };
}

/** All statements that are indented so far or farther. */
function statements(x: Reader, column: number): Syntax[] {
  const all: Syntax[] = [];
  while (x.kind !== Kind.END && x.column >= column) {
    if (x.kind === Kind.NEWLINE) {
      x.next();
      continue;
    }
    attempt(x, all, statement);
  }
  return all;
}

/** Reads one statement into the list, or an ERROR in its place. */
function attempt(x: Reader, all: Syntax[], read: (x: Reader, into: Syntax[]) => void): void {
  const { start, kind, column, level } = x;
  const before = all.length;
  try {
    read(x, all);
  } catch (error) {
    if (error !== FAULT) throw error;
    x.level = level;
    // `a; b c` is a statement and an error.
    all.push(recover(x, all.length > before ? x.start : start, kind, column));
  }
}

function statement(x: Reader, into: Syntax[]): void {
  switch (x.kind) {
    case Kind.IF:
      into.push(ifStatement(x));
      return;
    case Kind.FOR:
      into.push(forStatement(x, x.start));
      return;
    case Kind.WHILE:
      into.push(whileStatement(x));
      return;
    case Kind.TRY:
      into.push(tryStatement(x));
      return;
    case Kind.WITH:
      into.push(withStatement(x, x.start));
      return;
    case Kind.DEF:
      into.push(functionDefinition(x, x.start));
      return;
    case Kind.CLASS:
      into.push(classDefinition(x));
      return;
    case Kind.AT:
      into.push(decorated(x));
      return;
    case Kind.ASYNC: {
      const made = asynchronous(x);
      if (made) into.push(made);
      else simpleStatements(x, into);
      return;
    }
    case Kind.MATCH: {
      const made = matchStatement(x);
      if (made) into.push(made);
      else simpleStatements(x, into);
      return;
    }
    default:
      simpleStatements(x, into);
  }
}

/** What follows a colon: statements on the same line, or an indented block. `column`: that of the statement. */
function suite(x: Reader, column: number): Syntax {
  x.expect(Kind.COLON);
  if (x.kind !== Kind.NEWLINE && x.kind !== Kind.END) {
    const all: Syntax[] = [];
    const { start } = x;
    simpleStatements(x, all);
    return node('block', start, all.at(-1)!.end, all);
  }
  const { last } = x;
  x.begun = null;
  if (x.kind === Kind.NEWLINE) x.next();
  return block(x, column) ?? node('block', last, last);
}

/** The indented lines that follow, if they are. */
function block(x: Reader, column: number): Syntax | undefined {
  if (x.kind === Kind.END || x.column <= column) return undefined;
  x.level += 2;
  if (x.level > DEPTH) {
    const { start } = x;
    x.cut = true;
    while (!x.is(Kind.END) && x.column > column) x.passLine();
    x.level -= 2;
    return node('block', start, x.last);
  }
  const all = statements(x, x.column);
  x.level -= 2;
  return all.length > 0 ? node('block', all[0]!.start, all.at(-1)!.end, all) : undefined;
}

/** A compound statement's node ends where its last part does. */
const whole = (type: string, start: number, parts: Syntax[]): Syntax =>
  node(type, start, parts.at(-1)!.end, parts);

function ifStatement(x: Reader): Syntax {
  const { start, column } = x;
  x.next();
  const parts = [as('condition', expression(x))];
  parts.push(as('consequence', suite(x, column)));
  while (x.kind === Kind.ELIF && x.column >= column) {
    const from = x.start;
    x.next();
    const condition = as('condition', expression(x));
    const body = as('consequence', suite(x, column));
    parts.push(as('alternative', whole('elif_clause', from, [condition, body])));
  }
  otherwise(x, column, parts, 'alternative');
  return whole('if_statement', start, parts);
}

function otherwise(x: Reader, column: number, parts: Syntax[], field: string | null): void {
  if (x.kind !== Kind.ELSE || x.column < column) return;
  const from = x.start;
  x.next();
  const clause = whole('else_clause', from, [as('body', suite(x, column))]);
  clause.field = field;
  parts.push(clause);
}

function forStatement(x: Reader, start: number): Syntax {
  const { column } = x;
  x.next();
  const parts = [as('left', targets(x))];
  x.expect(Kind.IN);
  parts.push(as('right', expressions(x)));
  parts.push(as('body', suite(x, column)));
  otherwise(x, column, parts, 'alternative');
  return whole('for_statement', start, parts);
}

function whileStatement(x: Reader): Syntax {
  const { start, column } = x;
  x.next();
  const parts = [as('condition', expression(x))];
  parts.push(as('body', suite(x, column)));
  otherwise(x, column, parts, 'alternative');
  return whole('while_statement', start, parts);
}

function tryStatement(x: Reader): Syntax {
  const { start, column } = x;
  x.next();
  const parts = [as('body', suite(x, column))];
  while (x.kind === Kind.EXCEPT && x.column >= column) parts.push(exceptClause(x, column));
  otherwise(x, column, parts, null);
  if (x.kind === Kind.FINALLY && x.column >= column) {
    const from = x.start;
    x.next();
    parts.push(whole('finally_clause', from, [suite(x, column)]));
  }
  return whole('try_statement', start, parts);
}

/** `except A as e:`, `except* A:`, `except A, B:` (Python 3.14, and Python 2, where B is a variable) */
function exceptClause(x: Reader, column: number): Syntax {
  const { start } = x;
  x.next();
  x.accept(Kind.TIMES);
  const parts: Syntax[] = [];
  if (x.kind !== Kind.COLON)
    do parts.push(as('value', expression(x)));
    while (x.accept(Kind.COMMA));
  parts.push(suite(x, column));
  return whole('except_clause', start, parts);
}

function withStatement(x: Reader, start: number): Syntax {
  const { column } = x;
  x.next();
  const from = x.start;
  const item = () => {
    const { start } = x;
    const value = as('value', element(x));
    return x.close('with_item', start, [value]);
  };
  let items = [item()];
  while (x.accept(Kind.COMMA) && x.kind !== Kind.COLON) items.push(item());
  const { last } = x;
  // `with (a as b, c):` looked like a tuple so far.
  const only = items.length === 1 ? items[0]!.children[0]! : undefined;
  if (only?.type === 'tuple' && only.end === last && only.children.length > 0)
    items = only.children.map((one) => node('with_item', one.start, one.end, [as('value', one)]));
  const clause = node('with_clause', from, last, items);
  return whole('with_statement', start, [clause, as('body', suite(x, column))]);
}

// ---- definitions

function functionDefinition(x: Reader, start: number): Syntax {
  const { column } = x;
  x.next();
  const parts = [as('name', x.name())];
  x.begun = { type: 'function_definition', start, name: parts[0]! };
  if (x.kind === Kind.LSQB) parts.push(as('type_parameters', typeParameters(x)));
  const from = x.start;
  x.expect(Kind.LPAR);
  const list = parameters(x, Kind.RPAR, true);
  x.expect(Kind.RPAR);
  parts.push(as('parameters', x.close('parameters', from, list)));
  if (x.accept(Kind.ARROW)) parts.push(as('return_type', annotation(x)));
  parts.push(as('body', suite(x, column)));
  x.begun = null;
  return whole('function_definition', start, parts);
}

function classDefinition(x: Reader): Syntax {
  const { start, column } = x;
  x.next();
  const parts = [as('name', x.name())];
  x.begun = { type: 'class_definition', start, name: parts[0]! };
  if (x.kind === Kind.LSQB) parts.push(as('type_parameters', typeParameters(x)));
  if (x.kind === Kind.LPAR) parts.push(as('superclasses', argumentList(x, false)));
  parts.push(as('body', suite(x, column)));
  x.begun = null;
  return whole('class_definition', start, parts);
}

function decorated(x: Reader): Syntax {
  const { start, column } = x;
  const parts: Syntax[] = [];
  while (x.kind === Kind.AT) {
    const from = x.start;
    x.next();
    parts.push(x.close('decorator', from, [expression(x)]));
    x.expect(Kind.NEWLINE);
    if (x.column !== column) x.fail(); // what follows belongs to something else
  }
  const definition =
    x.kind === Kind.CLASS
      ? classDefinition(x)
      : x.kind === Kind.DEF
        ? functionDefinition(x, x.start)
        : asynchronous(x);
  if (definition?.type !== 'function_definition' && definition?.type !== 'class_definition') x.fail();
  parts.push(as('definition', definition));
  return whole('decorated_definition', start, parts);
}

/** `async def`, `async for`, `async with`; undefined where `async` is a name. */
function asynchronous(x: Reader): Syntax | undefined {
  if (x.kind !== Kind.ASYNC) return undefined;
  const { start, end } = x;
  x.next();
  if (x.is(Kind.DEF)) return functionDefinition(x, start);
  if (x.is(Kind.FOR)) return forStatement(x, start);
  if (x.is(Kind.WITH)) return withStatement(x, start);
  x.back(Kind.ASYNC, start, end);
  return undefined;
}

// ---- match

/** Undefined where `match` is a name: only the line's end and the `case` under it tell. */
function matchStatement(x: Reader): Syntax | undefined {
  const { start, end, column, level } = x;
  const subjects: Syntax[] = [];
  try {
    x.next();
    if (x.kind !== Kind.ASSIGN && x.kind !== Kind.DOT) {
      do subjects.push(as('subject', element(x)));
      while (x.accept(Kind.COMMA) && x.kind !== Kind.COLON);
      x.expect(Kind.COLON);
      x.expect(Kind.NEWLINE);
    }
  } catch (error) {
    if (error !== FAULT) throw error;
    x.level = level;
  }
  if (x.kind === Kind.CASE && x.column > column)
    return whole('match_statement', start, [...subjects, as('body', cases(x))]);
  x.back(Kind.MATCH, start, end, column);
  return undefined;
}

function cases(x: Reader): Syntax {
  const { column } = x;
  const all: Syntax[] = [];
  while (x.kind === Kind.CASE && x.column >= column) attempt(x, all, caseClause);
  return node('block', all[0]!.start, all.at(-1)!.end, all);
}

function caseClause(x: Reader, into: Syntax[]): void {
  const { start, column } = x;
  x.next();
  const parts: Syntax[] = [];
  do parts.push(casePattern(x));
  while (x.accept(Kind.COMMA) && x.kind !== Kind.COLON && x.kind !== Kind.IF);
  const from = x.start;
  if (x.accept(Kind.IF)) parts.push(as('guard', x.close('if_clause', from, [expression(x)])));
  parts.push(as('consequence', suite(x, column)));
  into.push(as('alternative', whole('case_clause', start, parts)));
}

/** A leaf: what it binds is nobody's business here. */
function casePattern(x: Reader): Syntax {
  const { start, depth } = x;
  const opens = x.kind === Kind.LPAR || x.kind === Kind.LSQB || x.kind === Kind.LBRACE;
  const outside = opens ? depth - 1 : depth;
  do {
    if (x.kind === Kind.NEWLINE || x.kind === Kind.END || x.kind === Kind.WRONG) x.fail();
    x.next();
  } while (x.depth > outside || (x.kind !== Kind.COLON && x.kind !== Kind.COMMA && x.kind !== Kind.IF));
  return x.close('case_pattern', start, []);
}

// ---- errors

/**
 * A statement that is not Python becomes an ERROR up to the next line that can begin another one: a line that is not
 * indented farther, or one with a keyword that stands in no expression. A broken head keeps its block.
 */
function recover(x: Reader, start: number, kind: Kind, column: number): Syntax {
  const { begun } = x;
  x.begun = null;
  x.error ??= node('ERROR', x.start, x.end);
  const head = HEADS.has(kind);
  const end = x.resume(start, column, head);
  const body = head ? block(x, column) : undefined;
  if (!body) return node('ERROR', start, end);
  if (begun) return node(begun.type, begun.start, body.end, [begun.name, as('body', body)]);
  return node('ERROR', start, body.end, [body]);
}

/** What begins a statement with a block. */
const HEADS = new Set([
  Kind.IF,
  Kind.ELIF,
  Kind.ELSE,
  Kind.FOR,
  Kind.WHILE,
  Kind.TRY,
  Kind.EXCEPT,
  Kind.FINALLY,
  Kind.WITH,
  Kind.DEF,
  Kind.CLASS,
  Kind.AT,
  Kind.ASYNC,
  Kind.CASE,
]);
