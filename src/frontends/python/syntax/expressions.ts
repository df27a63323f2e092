// Python's expressions, with the nodes that tree-sitter-python gives them. Statements are elsewhere.
import { as } from '../../nodes.ts';
import { DEPTH, type Syntax } from '../../syntax.ts';
import { parameters } from './parameters.ts';
import type { Reader } from './reader.ts';
import { strings } from './strings.ts';
import { AS, BEGINS, BINDS, COMPARISON, CONDITIONAL, isName, Kind, NAMED, NOT, POWER } from './tokens.ts';

/** An expression of operators that bind at least so strongly. */
export function expression(x: Reader, least = AS): Syntax {
  if (++x.level > DEPTH) {
    x.level--;
    return x.pass();
  }
  const { start } = x;
  let left: Syntax;
  if (x.kind === Kind.NOT) {
    if (least > NOT) x.fail();
    x.next();
    const argument = as('argument', expression(x, NOT));
    left = x.close('not_operator', start, [argument]);
  } else if (x.kind === Kind.LAMBDA) {
    if (least > NOT) x.fail();
    left = lambda(x, least);
  } else left = operand(x);
  const whole = BINDS[x.kind] === 0 ? left : operators(x, left, least, start);
  x.level--;
  return whole;
}

/** `start`: where it begins, which may be a parenthesis before the first. */
export function operators(x: Reader, first: Syntax, least: number, start = first.start): Syntax {
  let left = first;
  for (;;) {
    const { kind } = x;
    const binds = BINDS[kind]!;
    if (binds === 0 || binds < least) return left;
    x.link();
    if (binds > COMPARISON) left = binary(x, left, binds, start);
    else if (binds === COMPARISON) left = comparison(x, left, start);
    else if (binds > NAMED) left = boolean(x, left, binds, start);
    else if (kind === Kind.IF) left = conditional(x, left, start);
    else if (kind === Kind.AS) {
      x.next();
      const from = x.start;
      const alias = as('alias', x.close('as_pattern_target', from, [expression(x, NAMED)]));
      left = x.close('as_pattern', start, [left, alias]);
    } else {
      if (left.type !== 'identifier') x.fail();
      x.next();
      const value = as('value', expression(x, least > CONDITIONAL ? NAMED : CONDITIONAL));
      left = x.close('named_expression', start, [as('name', left), value]);
    }
  }
}

/** The operator itself is a node too: it stands in a field. */
function operator(x: Reader, field: string): Syntax {
  return as(field, x.leaf(x.text.slice(x.start, x.end)));
}

function binary(x: Reader, left: Syntax, binds: number, start: number): Syntax {
  const sign = operator(x, 'operator');
  const right = expression(x, binds === POWER ? POWER : binds + 1);
  return x.close('binary_operator', start, [as('left', left), sign, as('right', right)]);
}

function boolean(x: Reader, left: Syntax, binds: number, start: number): Syntax {
  const sign = operator(x, 'operator');
  const right = expression(x, binds + 1);
  return x.close('boolean_operator', start, [as('left', left), sign, as('right', right)]);
}

function comparison(x: Reader, left: Syntax, start: number): Syntax {
  const parts = [left];
  while (BINDS[x.kind] === COMPARISON) {
    const { start: from, kind } = x;
    const written = x.text.slice(from, x.end);
    x.next();
    let type = written;
    if (kind === Kind.NOT) {
      x.expect(Kind.IN);
      type = 'not in';
    } else if (kind === Kind.IS && x.accept(Kind.NOT)) type = 'is not';
    parts.push(as('operators', x.close(type, from, [])), expression(x, COMPARISON + 1));
  }
  return x.close('comparison_operator', start, parts);
}

function conditional(x: Reader, yes: Syntax, start: number): Syntax {
  x.next();
  const condition = expression(x);
  x.expect(Kind.ELSE);
  return x.close('conditional_expression', start, [yes, condition, expression(x, CONDITIONAL)]);
}

function lambda(x: Reader, least: number): Syntax {
  const { start } = x;
  x.next();
  const parts: Syntax[] = [];
  if (x.kind !== Kind.COLON) {
    const from = x.start;
    const list = parameters(x, Kind.COLON, false);
    parts.push(as('parameters', x.close('lambda_parameters', from, list)));
  }
  x.expect(Kind.COLON);
  parts.push(as('body', expression(x, least > CONDITIONAL ? NAMED : CONDITIONAL)));
  return x.close('lambda', start, parts);
}

// ---- operands

/** Without operators between operands: what `for` and `await` take. */
export function operand(x: Reader): Syntax {
  const { start, kind } = x;
  if (kind === Kind.NAME) {
    const name = x.leaf('identifier');
    return trailers(x, name);
  }
  if (kind === Kind.MINUS || kind === Kind.PLUS || kind === Kind.TILDE) {
    const sign = operator(x, 'operator');
    return x.close('unary_operator', start, [sign, as('argument', expression(x, POWER))]);
  }
  if (kind === Kind.AWAIT) {
    const name = x.leaf('identifier');
    if (BEGINS[x.kind] === 0 || x.kind === Kind.NOT || x.kind === Kind.LAMBDA || x.kind === Kind.TIMES)
      return trailers(x, name);
    return x.close('await', start, [expression(x, POWER)]);
  }
  return trailers(x, atom(x), start);
}

/** `start`: where it begins, which may be a parenthesis before the first. */
export function trailers(x: Reader, first: Syntax, start = first.start): Syntax {
  let left = first;
  for (;;) {
    if (x.kind === Kind.DOT) {
      x.next();
      const name = as('attribute', x.name());
      left = x.close('attribute', start, [as('object', left), name]);
    } else if (x.kind === Kind.LPAR) {
      const given = as('arguments', argumentList(x, true));
      left = x.close('call', start, [as('function', left), given]);
    } else if (x.kind === Kind.LSQB) left = subscript(x, left, start);
    else return left;
    x.link();
  }
}

function atom(x: Reader): Syntax {
  switch (x.kind) {
    case Kind.STRING:
    case Kind.TEMPLATE:
      return strings(x);
    case Kind.INTEGER:
      return x.leaf('integer');
    case Kind.FLOAT:
      return x.leaf('float');
    case Kind.TRUE:
      return x.leaf('true');
    case Kind.FALSE:
      return x.leaf('false');
    case Kind.NONE:
      return x.leaf('none');
    case Kind.ELLIPSIS:
      return x.leaf('ellipsis');
    case Kind.LPAR:
      return parenthesized(x);
    case Kind.LSQB:
      return list(x);
    case Kind.LBRACE:
      return braces(x);
    default:
      return x.name();
  }
}

/** What may stand in a list of values: `*rest` and `yield` too. */
export function element(x: Reader): Syntax {
  if (x.kind === Kind.TIMES) return splat(x, 'list_splat');
  return x.kind === Kind.YIELD ? yielding(x) : expression(x);
}

function splat(x: Reader, type: string): Syntax {
  const { start } = x;
  x.next();
  return x.close(type, start, [expression(x, CONDITIONAL)]);
}

export function yielding(x: Reader): Syntax {
  const { start } = x;
  x.next();
  if (x.accept(Kind.FROM)) return x.close('yield', start, [expression(x)]);
  return x.close('yield', start, BEGINS[x.kind] ? [expressions(x)] : []);
}

/** One expression, or several with commas between them: a tuple, as in parentheses. */
export function expressions(x: Reader): Syntax {
  const { start } = x;
  const first = element(x);
  if (x.kind !== Kind.COMMA) return first;
  const all = [first];
  more(x, all);
  return x.close('tuple', start, all);
}

/** The rest of a list, from its first comma on. */
export function more(x: Reader, all: Syntax[]): void {
  while (x.accept(Kind.COMMA) && (BEGINS[x.kind] === 1 || x.kind === Kind.YIELD)) all.push(element(x));
}

/** What stands in parentheses alone is itself: whoever looks at it need not look through them. */
function parenthesized(x: Reader): Syntax {
  const { start } = x;
  x.next();
  if (x.accept(Kind.RPAR)) return x.close('tuple', start, []);
  const first = element(x);
  if (x.accept(Kind.RPAR)) return first.type === 'list_splat' ? x.close('tuple', start, [first]) : first;
  if (isClause(x)) return comprehension(x, 'generator_expression', start, first, Kind.RPAR);
  const all = [first];
  more(x, all);
  x.expect(Kind.RPAR);
  return x.close('tuple', start, all);
}

function list(x: Reader): Syntax {
  const { start } = x;
  x.next();
  if (x.accept(Kind.RSQB)) return x.close('list', start, []);
  const all = [element(x)];
  if (isClause(x)) return comprehension(x, 'list_comprehension', start, all[0]!, Kind.RSQB);
  more(x, all);
  x.expect(Kind.RSQB);
  return x.close('list', start, all);
}

/** A dictionary or a set. */
function braces(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const all: Syntax[] = [];
  let type = 'dictionary';
  while (x.kind !== Kind.RBRACE) {
    const first = x.kind === Kind.POWER ? splat(x, 'dictionary_splat') : pair(x);
    if (all.length === 0 && !/^(pair|dictionary_splat)$/.test(first.type)) type = 'set';
    if (all.length === 0 && isClause(x))
      return comprehension(
        x,
        type === 'set' ? 'set_comprehension' : 'dictionary_comprehension',
        start,
        first,
        Kind.RBRACE,
      );
    all.push(first);
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RBRACE);
  return x.close(type, start, all);
}

function pair(x: Reader): Syntax {
  const { start } = x;
  const key = element(x);
  if (!x.accept(Kind.COLON)) return key;
  const value = as('value', expression(x));
  return x.close('pair', start, [as('key', key), value]);
}

// ---- comprehensions

const isClause = (x: Reader) => x.kind === Kind.FOR || x.kind === Kind.ASYNC;

function comprehension(x: Reader, type: string, start: number, body: Syntax, end: Kind): Syntax {
  const parts = [as('body', body)];
  while (x.kind !== end) {
    const from = x.start;
    if (x.accept(Kind.IF)) parts.push(x.close('if_clause', from, [expression(x, NAMED)]));
    else parts.push(forIn(x));
  }
  x.next();
  return x.close(type, start, parts);
}

function forIn(x: Reader): Syntax {
  const { start } = x;
  x.accept(Kind.ASYNC);
  x.expect(Kind.FOR);
  const parts = [as('left', targets(x))];
  x.expect(Kind.IN);
  do parts.push(as('right', expression(x, NAMED)));
  while (x.accept(Kind.COMMA) && BEGINS[x.kind] === 1);
  return x.close('for_in_clause', start, parts);
}

/** What `for` binds. */
export function targets(x: Reader): Syntax {
  const { start } = x;
  const first = target(x);
  if (x.kind !== Kind.COMMA) return first;
  const all = [first];
  while (x.accept(Kind.COMMA) && !x.is(Kind.IN)) all.push(target(x));
  return x.close('tuple_pattern', start, all);
}

/** No operator: `in` is the loop's own. */
function target(x: Reader): Syntax {
  const { start } = x;
  if (!x.accept(Kind.TIMES)) return pattern(operand(x));
  return x.close('list_splat_pattern', start, [operand(x)]);
}

const PATTERNS: Record<string, string> = {
  list: 'list_pattern',
  tuple: 'tuple_pattern',
  list_splat: 'list_splat_pattern',
};

/** An expression that turned out to be a target. */
export function pattern(one: Syntax): Syntax {
  const type = PATTERNS[one.type];
  if (type) {
    one.type = type;
    for (const part of one.children) pattern(part);
  }
  return one;
}

// ---- calls and subscripts

/** `generators`: whether a generator may stand for the whole list. */
export function argumentList(x: Reader, generators: boolean): Syntax {
  const { start } = x;
  x.level++;
  x.next();
  const all: Syntax[] = [];
  while (x.kind !== Kind.RPAR) {
    const begins = x.start;
    const one = argument(x);
    if (isClause(x)) {
      const from = all.length === 0 && generators ? start : begins;
      const made = comprehension(x, 'generator_expression', from, one, Kind.RPAR);
      x.level--;
      if (from === start) return made;
      all.push(made);
      return x.close('argument_list', start, all);
    }
    all.push(one);
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RPAR);
  x.level--;
  return x.close('argument_list', start, all);
}

function argument(x: Reader): Syntax {
  if (x.kind === Kind.POWER) return splat(x, 'dictionary_splat');
  const one = element(x);
  if (x.kind !== Kind.ASSIGN || one.type !== 'identifier') return one;
  x.next();
  const value = as('value', element(x));
  return x.close('keyword_argument', one.start, [as('name', one), value]);
}

function subscript(x: Reader, value: Syntax, start: number): Syntax {
  x.next();
  const parts = [as('value', value)];
  while (x.kind !== Kind.RSQB) {
    parts.push(as('subscript', slice(x)));
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RSQB);
  return x.close('subscript', start, parts);
}

export function slice(x: Reader): Syntax {
  const { start } = x;
  const parts: Syntax[] = [];
  if (x.kind !== Kind.COLON) parts.push(element(x));
  if (x.kind !== Kind.COLON) return parts[0]!;
  for (let i = 0; i < 2 && x.accept(Kind.COLON); i++) if (BEGINS[x.kind] === 1) parts.push(expression(x));
  return x.close('slice', start, parts);
}

// ---- types

/** An annotation: a `type` node, in which `List[int]` is no subscript. */
export function annotation(x: Reader): Syntax {
  const { start } = x;
  let generic = false;
  let inner: Syntax;
  if (x.kind === Kind.TIMES || x.kind === Kind.POWER) {
    x.next();
    const what = expression(x, COMPARISON + 1);
    inner = x.close(what.type === 'identifier' ? 'splat_type' : 'list_splat', start, [what]);
  } else if (isName(x.kind) && x.kind !== Kind.AWAIT) {
    const name = x.leaf('identifier');
    generic = x.kind === Kind.LSQB;
    inner = generic ? withParameters(x, name) : operators(x, trailers(x, name), CONDITIONAL);
  } else inner = expression(x, CONDITIONAL);
  let whole = x.close('type', start, [inner]);
  while (generic) {
    if (x.accept(Kind.DOT)) whole = typed(x, 'member_type', [whole, x.name()]);
    else if (x.accept(Kind.OR_BITS)) whole = typed(x, 'union_type', [whole, operandType(x)]);
    else break;
    x.link();
  }
  return whole;
}

const typed = (x: Reader, type: string, parts: Syntax[]): Syntax =>
  x.close('type', parts[0]!.start, [x.close(type, parts[0]!.start, parts)]);

/** The right side of `|`: one generic type, or all that follows. */
function operandType(x: Reader): Syntax {
  const { start } = x;
  if (!isName(x.kind) || x.kind === Kind.AWAIT) return x.close('type', start, [expression(x, CONDITIONAL)]);
  const name = x.leaf('identifier');
  const inner = x.kind === Kind.LSQB ? withParameters(x, name) : operators(x, trailers(x, name), CONDITIONAL);
  return x.close('type', start, [inner]);
}

function withParameters(x: Reader, name: Syntax): Syntax {
  const list = typeParameters(x);
  const generic = x.close('generic_type', name.start, [name, list]);
  const goes =
    x.kind === Kind.LPAR || x.kind === Kind.LSQB || (BINDS[x.kind] !== 0 && x.kind !== Kind.OR_BITS);
  return goes && x.kind !== Kind.AS ? operators(x, trailers(x, generic), CONDITIONAL) : generic;
}

/** `[T]`, `[T: int = str]`, `[*Ts]` */
export function typeParameters(x: Reader): Syntax {
  const { start } = x;
  if (++x.level > DEPTH) {
    x.level--;
    return x.pass();
  }
  x.expect(Kind.LSQB);
  const all: Syntax[] = [];
  while (x.kind !== Kind.RSQB) {
    const one = x.kind === Kind.COLON ? slice(x) : annotation(x);
    all.push(x.accept(Kind.COLON) ? typed(x, 'constrained_type', [one, annotation(x)]) : one);
    if (x.accept(Kind.ASSIGN)) all.push(annotation(x));
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RSQB);
  x.level--;
  return x.close('type_parameter', start, all);
}
