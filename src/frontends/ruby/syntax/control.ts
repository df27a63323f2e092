// What decides and repeats, as nodes: `if`, `case`, loops, `begin`, and what leaves them.
import { as } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { several, splat } from './calls.ts';
import { guarded } from './definitions.ts';
import { argument, expressionStatement, target, targets } from './expressions.ts';
import { beginsOperand } from './operands.ts';
import { finish, statement, statements } from './parse.ts';
import { patternTop } from './patterns.ts';
import type { Reader } from './reader.ts';
import { Kind } from './tokens.ts';

/** What stands between a keyword and its `then` or line break. */
function condition(x: Reader): Syntax {
  return x.free((it) => {
    it.skipLines();
    return statement(it);
  });
}

/** What follows a condition: undefined where nothing does. */
function then(x: Reader, opener: number): Syntax | undefined {
  const { start } = x;
  x.terminators();
  const word = x.accept(Kind.THEN);
  if (!word && x.start === start) x.fail();
  const all = x.free((it) => statements(it, opener));
  return word || all.length > 0 ? x.close('then', start, all) : undefined;
}

const push = (parts: Syntax[], field: string, one: Syntax | undefined) => {
  if (one) parts.push(as(field, one));
};

export function ifElse(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  const parts = [as('condition', condition(x))];
  push(parts, 'consequence', then(x, start));
  push(parts, 'alternative', alternative(x, start));
  finish(x, start);
  return x.close(type, start, parts);
}

/** A chain of `elsif` is as deep as it is long. */
function alternative(x: Reader, opener: number): Syntax | undefined {
  const heads: { start: number; parts: Syntax[] }[] = [];
  while (x.kind === Kind.ELSIF) {
    const { start } = x;
    x.next();
    const parts = [as('condition', condition(x))];
    push(parts, 'consequence', then(x, opener));
    heads.push({ start, parts });
    x.link();
  }
  let made = otherwise(x, opener);
  for (const { start, parts } of heads.reverse()) {
    push(parts, 'alternative', made);
    made = x.close('elsif', start, parts);
  }
  return made;
}

function otherwise(x: Reader, opener: number): Syntax | undefined {
  if (x.kind !== Kind.ELSE) return undefined;
  const { start } = x;
  x.next();
  const all = x.free((it) => statements(it, opener));
  return x.close('else', start, all);
}

export function loop(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  const test = x.free((it) => {
    it.noDo = true;
    it.skipLines();
    return statement(it);
  });
  return x.close(type, start, [as('condition', test), as('body', turns(x, start))]);
}

function turns(x: Reader, opener: number): Syntax {
  const { start } = x;
  if (!x.accept(Kind.DO) && !x.is(Kind.NEWLINE) && !x.is(Kind.SEMICOLON)) x.fail();
  const all = x.free((it) => {
    it.terminators();
    it.accept(Kind.DO);
    return statements(it, opener);
  });
  finish(x, opener);
  return x.close('do', start, all);
}

export function forLoop(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const from = x.start;
  const { noIn } = x;
  x.noIn = true;
  const list = [target(x)];
  const many = x.is(Kind.COMMA);
  targets(x, list);
  x.noIn = noIn;
  const pattern = many ? x.close('left_assignment_list', from, list) : list[0]!;
  x.declareNode(pattern);
  const within = x.start;
  x.expect(Kind.IN);
  const values = x.free((it) => {
    it.noDo = true;
    it.statement = -1;
    return several(it);
  });
  const value = x.close('in', within, values);
  return x.close('for', start, [as('pattern', pattern), as('value', value), as('body', turns(x, start))]);
}

export function caseOf(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts: Syntax[] = [];
  x.skipLines();
  if (x.kind !== Kind.WHEN && x.kind !== Kind.SEMICOLON)
    parts.push(
      as(
        'value',
        x.free((it) => {
          it.noIn = true;
          return statement(it);
        }),
      ),
    );
  x.terminators();
  const type = x.kind === Kind.IN ? 'case_match' : 'case';
  for (;;) {
    x.terminators();
    if (x.is(Kind.WHEN)) parts.push(when(x, start));
    else if (x.is(Kind.IN)) parts.push(as('clauses', inClause(x, start)));
    else break;
  }
  const other = otherwise(x, start);
  if (other) parts.push(type === 'case' ? other : as('else', other));
  finish(x, start);
  return x.close(type, start, parts);
}

function when(x: Reader, opener: number): Syntax {
  const { start } = x;
  x.next();
  x.skipLines();
  const parts: Syntax[] = [];
  do {
    x.skipLines();
    const from = x.start;
    x.statement = -1;
    const one = x.is(Kind.STAR) ? splat(x) : argument(x);
    parts.push(as('pattern', x.close('pattern', from, [one])));
  } while (x.accept(Kind.COMMA));
  push(parts, 'body', then(x, opener));
  return x.close('when', start, parts);
}

function inClause(x: Reader, opener: number): Syntax {
  const { start } = x;
  x.next();
  const parts = [as('pattern', patternTop(x))];
  if (x.kind === Kind.IF || x.kind === Kind.UNLESS) {
    const from = x.start;
    const type = x.kind === Kind.IF ? 'if_guard' : 'unless_guard';
    x.next();
    parts.push(as('guard', x.close(type, from, [as('condition', expressionStatement(x))])));
  }
  push(parts, 'body', then(x, opener));
  return x.close('in_clause', start, parts);
}

export function beginBlock(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const all = x.free((it) => guarded(it, start));
  finish(x, start);
  return x.close('begin', start, all);
}

export function rescueClause(x: Reader, opener: number): Syntax {
  const { start } = x;
  x.next();
  const parts: Syntax[] = [];
  if (
    x.kind !== Kind.NEWLINE &&
    x.kind !== Kind.THEN &&
    x.kind !== Kind.ROCKET &&
    x.kind !== Kind.SEMICOLON
  ) {
    const from = x.start;
    const list: Syntax[] = [];
    do {
      x.skipLines();
      x.statement = -1;
      list.push(x.is(Kind.STAR) ? splat(x) : argument(x));
    } while (x.accept(Kind.COMMA));
    parts.push(as('exceptions', x.close('exceptions', from, list)));
  }
  if (x.kind === Kind.ROCKET) {
    const from = x.start;
    x.next();
    const name = target(x);
    x.declareNode(name);
    parts.push(as('variable', x.close('exception_variable', from, [name])));
  }
  push(parts, 'body', then(x, opener));
  return x.close('rescue', start, parts);
}

/** `return a, b`; in `return(a)` the parentheses are the argument's. */
export function leave(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  if (!beginsOperand(x) || x.kind === Kind.OPERATE) return x.close(type, start, []);
  const { command } = x;
  const from = x.start;
  const list = several(x);
  x.command = command;
  const [only] = list;
  const inside =
    list.length === 1 && only!.type === 'parenthesized_statements' && x.text[start + type.length] === '(';
  return x.close(type, start, [x.close('argument_list', from, inside ? only!.children : list)]);
}
