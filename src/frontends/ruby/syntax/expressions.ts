// Expressions with operators, assignments and conditionals as nodes. What stands between operators is operands.ts's.
import { as, node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { splat } from './calls.ts';
import { beginsOperand, inParentheses, operand, postfix } from './operands.ts';
import { casePattern } from './patterns.ts';
import type { Reader } from './reader.ts';
import { BINDS, CONDITIONAL, DEFINED, Kind, POWER, RANGE } from './tokens.ts';

/** `a and not b or c`, `a => {b:}`, and all below. */
export function expressionStatement(x: Reader): Syntax {
  const { start } = x;
  x.command = true;
  let left = negated(x);
  while (x.kind === Kind.AND || x.kind === Kind.OR) {
    const sign = x.sign('operator');
    x.skipLines();
    x.command = true;
    x.link();
    left = x.close('binary', start, [as('left', left), sign, as('right', negated(x))]);
  }
  return left;
}

function negated(x: Reader): Syntax {
  const { start } = x;
  if (x.kind === Kind.STAR) return multiple(x, []);
  const value = expression(x);
  if (x.kind === Kind.COMMA && value.start === x.statement && isTarget(value)) return multiple(x, [value]);
  return matched(x, start, value);
}

/** `value => pattern`, `value in pattern` */
export function matched(x: Reader, start: number, value: Syntax): Syntax {
  if (x.kind !== Kind.ROCKET && (x.kind !== Kind.IN || x.noIn)) return value;
  const type = x.kind === Kind.IN ? 'test_pattern' : 'match_pattern';
  x.next();
  return x.close(type, start, [as('value', value), as('pattern', casePattern(x))]);
}

/** Operators that bind at least so strongly. */
export function expression(x: Reader, least = 0): Syntax {
  const { start } = x;
  x.deeper();
  let left = unary(x);
  for (;;) {
    const { kind } = x;
    const strength = BINDS[kind]!;
    if (strength === 0 || strength < least || (kind === Kind.PIPE && x.noPipe)) break;
    x.link();
    if (kind === Kind.QUESTION) left = conditional(x, start, left);
    else if (kind === Kind.RANGE) left = range(x, start, left);
    else {
      const sign = x.sign('operator');
      x.skipLines();
      const right = kind === Kind.POWER || kind === Kind.EQUALITY ? strength : strength + 1;
      left = x.close('binary', start, [as('left', left), sign, as('right', argument(x, right))]);
    }
  }
  x.level--;
  return left;
}

/** Where no call without parentheses may stand, `foo -1` subtracts. */
export function argument(x: Reader, least = 0): Syntax {
  const { command } = x;
  x.command = false;
  const made = expression(x, least);
  x.command = command;
  return made;
}

function conditional(x: Reader, start: number, condition: Syntax): Syntax {
  const { ternary } = x;
  x.next();
  x.skipLines();
  x.ternary = true;
  const consequence = as('consequence', argument(x, CONDITIONAL));
  x.ternary = ternary;
  x.skipLines();
  x.expect(Kind.COLON);
  x.skipLines();
  const alternative = as('alternative', argument(x, CONDITIONAL));
  return x.close('conditional', start, [as('condition', condition), consequence, alternative]);
}

function range(x: Reader, start: number, from: Syntax | null): Syntax {
  const parts = from ? [as('begin', from)] : [];
  parts.push(x.sign('operator'));
  if (beginsOperand(x)) parts.push(as('end', argument(x, RANGE + 1)));
  else if (!from) x.fail();
  return x.close('range', start, parts);
}

function unary(x: Reader): Syntax {
  const { start } = x;
  switch (x.kind) {
    case Kind.BANG:
    case Kind.TILDE: {
      const sign = x.sign('operator');
      x.skipLines();
      x.deeper();
      const made = as('operand', unary(x));
      x.level--;
      return x.close('unary', start, [sign, made]);
    }
    case Kind.MINUS:
    case Kind.PLUS:
      return signed(x);
    case Kind.NOT:
      return not(x);
    case Kind.DEFINED: {
      const sign = x.sign('operator');
      if (!x.is(Kind.LPAR)) return x.close('unary', start, [sign, as('operand', expression(x, DEFINED))]);
      const inside = as('operand', inParentheses(x));
      return postfix(x, start, x.close('unary', start, [sign, inside]));
    }
    case Kind.RANGE:
      return range(x, start, null);
    default: {
      const made = operand(x);
      if (x.kind === Kind.ASSIGN && isTarget(made)) return assignment(x, made);
      if (x.kind === Kind.OPERATE && isTarget(made)) return operate(x, made);
      return made;
    }
  }
}

function not(x: Reader): Syntax {
  const { start } = x;
  const sign = x.sign('operator');
  if (x.kind !== Kind.LPAR || x.space) return x.close('unary', start, [sign, as('operand', expression(x))]);
  const made = as('operand', inParentheses(x));
  return postfix(x, start, x.close('unary', start, [sign, made]));
}

/** `-1` is a number, `-1 ** 2` is not. */
function signed(x: Reader): Syntax {
  const { start } = x;
  const digit = x.text.charCodeAt(x.end);
  const literal = digit > 47 && digit < 58;
  const sign = x.sign('operator');
  if (!literal) {
    x.skipLines();
    return x.close('unary', start, [sign, as('operand', expression(x, POWER))]);
  }
  const inside = x.start;
  const digits = number(x);
  if (x.kind !== Kind.POWER) return postfix(x, start, x.close('unary', start, [sign, as('operand', digits)]));
  const power = x.sign('operator');
  x.skipLines();
  const right = as('right', argument(x, POWER));
  return x.close('unary', start, [
    sign,
    as('operand', x.close('binary', inside, [as('left', digits), power, right])),
  ]);
}

export function number(x: Reader): Syntax {
  const written = x.text.slice(x.start, x.end);
  if (/[ri]$/.test(written)) return x.leaf(written.endsWith('i') ? 'complex' : 'rational');
  return x.leaf(/^\d[\d_]*$|^0[xXbBoOdD]/.test(written) ? 'integer' : 'float');
}

// ---- assignments

const TARGETS = new Set([
  'identifier',
  'constant',
  'instance_variable',
  'class_variable',
  'global_variable',
  'scope_resolution',
  'element_reference',
  'destructured_left_assignment',
]);

/** `a`, `a.b`, `a[b]`: what an assignment may name. */
function isTarget(one: Syntax): boolean {
  if (one.type !== 'call') return TARGETS.has(one.type);
  return one.children.length > 1 && one.children.at(-1)!.field === 'method';
}

function assignment(x: Reader, made: Syntax): Syntax {
  const alone = made.type === 'destructured_left_assignment';
  const left = alone ? node('left_assignment_list', made.start, made.end, [made]) : made;
  x.declareNode(left);
  const whole = left.start === x.statement;
  x.next();
  x.skipLines();
  return x.close('assignment', left.start, [as('left', left), as('right', assigned(x, whole))]);
}

function operate(x: Reader, left: Syntax): Syntax {
  x.declareNode(left);
  const sign = x.sign('operator');
  x.skipLines();
  return x.close('operator_assignment', left.start, [
    as('left', left),
    sign,
    as('right', assigned(x, false)),
  ]);
}

/** What is assigned; `whole`: the statement is this assignment, so that several values make a list. */
function assigned(x: Reader, whole: boolean): Syntax {
  const { start } = x;
  let value = x.kind === Kind.STAR ? splat(x) : expression(x);
  if (whole && x.kind === Kind.COMMA) {
    const all = [value];
    while (x.accept(Kind.COMMA)) {
      x.skipLines();
      all.push(x.is(Kind.STAR) ? splat(x) : argument(x));
    }
    value = x.close('right_assignment_list', start, all);
  }
  if (x.kind !== Kind.RESCUE) return value;
  x.next();
  return x.close('rescue_modifier', start, [as('body', value), as('handler', expression(x))]);
}

/** `a, *b, (c, d) = …`; a list in parentheses that a list goes on with is one with no assignment yet. */
function multiple(x: Reader, list: Syntax[]): Syntax {
  const start = list[0]?.start ?? x.start;
  if (list.length === 0) list.push(target(x));
  targets(x, list);
  if (x.kind === Kind.RPAR) return x.close('targets', start, list);
  const left = x.close('left_assignment_list', start, list);
  if (x.kind !== Kind.ASSIGN) x.fail();
  x.statement = start;
  return assignment(x, left);
}

/** More targets behind commas. */
export function targets(x: Reader, list: Syntax[]): void {
  while (x.accept(Kind.COMMA)) {
    if (x.is(Kind.ASSIGN) || x.is(Kind.IN) || x.is(Kind.RPAR) || x.is(Kind.PIPE)) break;
    x.skipLines();
    list.push(target(x));
  }
}

export function target(x: Reader): Syntax {
  const { start } = x;
  if (x.kind === Kind.STAR) {
    x.next();
    const ends = x.is(Kind.COMMA) || x.is(Kind.ASSIGN) || x.is(Kind.RPAR) || x.is(Kind.IN);
    return x.close('rest_assignment', start, ends ? [] : [target(x)]);
  }
  if (x.kind === Kind.LPAR) {
    x.next();
    x.deeper();
    const list = [target(x)];
    targets(x, list);
    x.level--;
    x.expect(Kind.RPAR);
    return x.close('destructured_left_assignment', start, list);
  }
  const { command } = x;
  x.command = false;
  const made = operand(x);
  x.command = command;
  if (!isTarget(made)) x.fail();
  return made;
}

/** What the parentheses of `(a, b), c = …` hold. */
export const isTargets = (one: Syntax | undefined): boolean => one?.type === 'targets';

export const destructured = (x: Reader, start: number, list: Syntax): Syntax =>
  node('destructured_left_assignment', start, x.last, list.children);
