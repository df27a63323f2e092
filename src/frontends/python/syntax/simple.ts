// Python's simple statements: what stands on one logical line, between semicolons.
import { as } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { annotation, element, expression, expressions, more, pattern, yielding } from './expressions.ts';
import type { Reader } from './reader.ts';
import { BEGINS, COMPARISON, isName, Kind } from './tokens.ts';

/** All of the line; its end is passed over. */
export function simpleStatements(x: Reader, into: Syntax[]): void {
  do {
    x.links = 0;
    into.push(simple(x));
    if (!x.accept(Kind.SEMICOLON)) break;
  } while (x.kind !== Kind.NEWLINE && x.kind !== Kind.END);
  if (x.kind !== Kind.END) x.expect(Kind.NEWLINE);
}

function simple(x: Reader): Syntax {
  switch (x.kind) {
    case Kind.RETURN:
      return listed(x, 'return_statement');
    case Kind.DEL:
      return listed(x, 'delete_statement');
    case Kind.RAISE:
      return raising(x);
    case Kind.IMPORT:
      return importing(x);
    case Kind.FROM:
      return importingFrom(x);
    case Kind.PASS:
      return x.leaf('pass_statement');
    case Kind.BREAK:
      return x.leaf('break_statement');
    case Kind.CONTINUE:
      return x.leaf('continue_statement');
    case Kind.GLOBAL:
      return declared(x, 'global_statement');
    case Kind.NONLOCAL:
      return declared(x, 'nonlocal_statement');
    case Kind.ASSERT:
      return asserting(x);
    case Kind.PRINT:
    case Kind.EXEC:
    case Kind.TYPE:
      return soft(x) ?? expressionStatement(x);
    default:
      return expressionStatement(x);
  }
}

function listed(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  return x.close(type, start, BEGINS[x.kind] === 1 ? [expressions(x)] : []);
}

function raising(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = BEGINS[x.kind] === 1 ? [expressions(x)] : [];
  if (x.accept(Kind.FROM)) parts.push(as('cause', expression(x)));
  return x.close('raise_statement', start, parts);
}

function asserting(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = [expression(x)];
  while (x.accept(Kind.COMMA)) parts.push(expression(x));
  return x.close('assert_statement', start, parts);
}

/** `global a, b`: a leaf. */
function declared(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  x.name();
  while (x.accept(Kind.COMMA)) x.name();
  return x.close(type, start, []);
}

// ---- expressions and assignments

function expressionStatement(x: Reader): Syntax {
  const { start } = x;
  const first = element(x);
  if (x.kind === Kind.NEWLINE) return x.close('expression_statement', start, [first]);
  const all = [first];
  const isList = x.kind === Kind.COMMA;
  if (isList) more(x, all);
  if (x.kind !== Kind.ASSIGN && x.kind !== Kind.COLON && x.kind !== Kind.AUGMENTED)
    return x.close('expression_statement', start, all);
  const left = isList ? x.close('tuple', start, all) : first;
  return x.close('expression_statement', start, [assignment(x, left, start)]);
}

/** `a = b = c` is an assignment of an assignment: the lefts are gathered first, for they may be many. */
function assignment(x: Reader, first: Syntax, begins: number): Syntax {
  const pending: { start: number; parts: Syntax[] }[] = [];
  let left = first;
  let start = begins;
  for (;;) {
    const parts = [as('left', pattern(left))];
    pending.push({ start, parts });
    if (x.kind === Kind.AUGMENTED) parts.push(as('operator', x.leaf(x.text.slice(x.start, x.end))));
    else {
      if (x.accept(Kind.COLON)) parts.push(as('type', annotation(x)));
      if (!x.accept(Kind.ASSIGN)) break;
    }
    start = x.start;
    const right = x.kind === Kind.YIELD ? yielding(x) : expressions(x);
    x.link();
    if (x.kind !== Kind.ASSIGN && x.kind !== Kind.AUGMENTED) {
      parts.push(as('right', right));
      break;
    }
    left = right;
  }
  let made: Syntax | undefined;
  for (let one = pending.pop(); one; one = pending.pop()) {
    if (made) one.parts.push(as('right', made));
    const type = one.parts[1]?.field === 'operator' ? 'augmented_assignment' : 'assignment';
    made = x.close(type, one.start, one.parts);
  }
  return made!;
}

// ---- imports

/** A leaf: its text says all. */
function dotted(x: Reader): Syntax {
  const { start } = x;
  x.name();
  while (x.accept(Kind.DOT)) x.name();
  return x.close('dotted_name', start, []);
}

function imported(x: Reader): Syntax {
  const name = dotted(x);
  if (!x.accept(Kind.AS)) return as('name', name);
  const alias = as('alias', x.name());
  return as('name', x.close('aliased_import', name.start, [as('name', name), alias]));
}

function importing(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = [imported(x)];
  while (x.accept(Kind.COMMA) && isName(x.kind)) parts.push(imported(x));
  return x.close('import_statement', start, parts);
}

function importingFrom(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const module = as('module_name', moduleName(x));
  const future = x.text.startsWith('__future__', module.start) && module.end - module.start === 10;
  const parts = future ? [] : [module];
  x.expect(Kind.IMPORT);
  if (x.kind === Kind.TIMES) parts.push(x.leaf('wildcard_import'));
  else {
    const bracket = x.accept(Kind.LPAR);
    do parts.push(imported(x));
    while (x.accept(Kind.COMMA) && isName(x.kind));
    if (bracket) x.expect(Kind.RPAR);
  }
  return x.close(future ? 'future_import_statement' : 'import_from_statement', start, parts);
}

function moduleName(x: Reader): Syntax {
  const { start } = x;
  if (x.kind !== Kind.DOT && x.kind !== Kind.ELLIPSIS) return dotted(x);
  while (x.kind === Kind.DOT || x.kind === Kind.ELLIPSIS) x.next();
  const parts = [x.close('import_prefix', start, [])];
  if (isName(x.kind)) parts.push(dotted(x));
  return x.close('relative_import', start, parts);
}

// ---- words that are statements only where nothing else fits

/** Python 2's `print` and `exec`, and `type`; undefined where the word is a name like others. */
function soft(x: Reader): Syntax | undefined {
  const { start, end, kind } = x;
  x.next();
  const next = x.kind;
  if (kind === Kind.TYPE && isName(next)) return typeAlias(x, start);
  if (kind === Kind.EXEC && (next === Kind.STRING || next === Kind.NAME)) return executing(x, start);
  if (kind === Kind.PRINT && next === Kind.RIGHT) return printing(x, start);
  const marks = next === Kind.PLUS || next === Kind.MINUS || next === Kind.TIMES || next === Kind.NOT;
  const goesOn = marks || next === Kind.LPAR || next === Kind.LSQB || next === Kind.ELLIPSIS;
  if (kind === Kind.PRINT && BEGINS[next] === 1 && (!goesOn || isNot(x))) return printing(x, start);
  x.back(kind, start, end);
  return undefined;
}

/** `print not a`, and not `print not in a`. */
const isNot = (x: Reader): boolean =>
  x.kind === Kind.NOT && !/^\s*in\b/.test(x.text.slice(x.end, x.end + 20));

function printing(x: Reader, start: number): Syntax {
  const parts: Syntax[] = [];
  const from = x.start;
  if (x.accept(Kind.RIGHT)) parts.push(x.close('chevron', from, [expression(x)]));
  else parts.push(as('argument', expression(x)));
  while (x.accept(Kind.COMMA) && BEGINS[x.kind] === 1) parts.push(as('argument', expression(x)));
  return x.close('print_statement', start, parts);
}

function executing(x: Reader, start: number): Syntax {
  const parts = [as('code', expression(x, COMPARISON + 1))];
  if (x.accept(Kind.IN)) {
    parts.push(expression(x));
    while (x.accept(Kind.COMMA)) parts.push(expression(x));
  }
  return x.close('exec_statement', start, parts);
}

function typeAlias(x: Reader, start: number): Syntax {
  const left = as('left', annotation(x));
  x.expect(Kind.ASSIGN);
  return x.close('type_alias_statement', start, [left, as('right', annotation(x))]);
}
