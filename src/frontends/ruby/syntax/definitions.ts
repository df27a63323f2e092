// Definitions as nodes: methods, classes, modules, lambdas, parameters, and bodies with `rescue` and `ensure`.
import { as, node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { block, doBlock, isLabel } from './calls.ts';
import { rescueClause } from './control.ts';
import { argument, expression, expressionStatement } from './expressions.ts';
import { matchEnd, OPERATOR, symbol } from './literals.ts';
import { operand, postfix } from './operands.ts';
import { finish, statements } from './parse.ts';
import type { Reader } from './reader.ts';
import { isWord, Kind } from './tokens.ts';

export function method(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts: Syntax[] = [];
  let one: Syntax;
  if (x.kind === Kind.LPAR) {
    x.next();
    one = expression(x);
    x.expect(Kind.RPAR);
  } else one = methodName(x);
  if (x.kind === Kind.DOT || (x.kind === Kind.COLONS && !x.space)) {
    x.next();
    const text = x.text.slice(one.start, one.end);
    parts.push(as('object', text === 'self' ? node('self', one.start, one.end) : one));
    one = methodName(x);
  }
  parts.push(as('name', one));
  x.scoped(false, () => methodRest(x, start, parts));
  return x.close(parts[0]!.field === 'object' ? 'singleton_method' : 'method', start, parts);
}

function methodRest(x: Reader, start: number, parts: Syntax[]): void {
  if (x.kind === Kind.LPAR) parts.push(as('parameters', parameters(x, Kind.RPAR, 'method_parameters')));
  else if (x.kind !== Kind.NEWLINE && x.kind !== Kind.SEMICOLON && x.kind !== Kind.ASSIGN) {
    const from = x.start;
    const list = parameterList(x, Kind.NEWLINE);
    parts.push(as('parameters', x.close('method_parameters', from, list)));
  }
  if (x.kind === Kind.ASSIGN) {
    x.next();
    x.skipLines();
    const from = x.start;
    const value = expression(x);
    if (!x.is(Kind.RESCUE)) parts.push(as('body', value));
    else {
      x.next();
      const handler = as('handler', expression(x));
      parts.push(as('body', x.close('rescue_modifier', from, [as('body', value), handler])));
    }
    return;
  }
  const body = bodyStatement(x, start);
  if (body) parts.push(as('body', body));
  finish(x, start);
}

/** A name as `def`, `alias` and `undef` take it. */
export function methodName(x: Reader): Syntax {
  const { start, text } = x;
  switch (x.kind) {
    case Kind.COLON:
      return symbol(x);
    case Kind.INSTANCE:
      return x.leaf('instance_variable');
    case Kind.CLASS_VARIABLE:
      return x.leaf('class_variable');
    case Kind.GLOBAL:
      return x.leaf('global_variable');
  }
  if (!isWord(x.kind)) {
    const end = matchEnd(OPERATOR, text, start);
    if (end < 0) x.fail();
    x.end = x.at = end;
    return x.leaf('operator');
  }
  const c = text.charCodeAt(start);
  const { end } = x;
  const type = c > 64 && c < 91 ? 'constant' : 'identifier';
  const after = text[end + 1]!;
  const setter =
    text[end] === '=' &&
    x.kind !== Kind.SUFFIXED &&
    !/[~>]/.test(after) &&
    (after !== '=' || text[end + 2] === '>');
  if (!setter) return x.leaf(type);
  const inside = node(type, start, end);
  x.end = x.at = end + 1;
  x.next();
  return node('setter', start, end + 1, [as('name', inside)]);
}

// ---- parameters

/** From a bracket to its partner. */
export function parameters(x: Reader, close: Kind, type: string): Syntax {
  const { start } = x;
  x.next();
  x.skipLines();
  const list = parameterList(x, close);
  if (x.kind === Kind.SEMICOLON || (x.kind === Kind.NEWLINE && close === Kind.PIPE)) {
    x.terminators();
    while (x.is(Kind.IDENTIFIER)) {
      x.declare(x.text.slice(x.start, x.end));
      list.push(as('locals', x.leaf('identifier')));
      if (!x.accept(Kind.COMMA)) break;
    }
    x.skipLines();
  }
  x.expect(close);
  return x.close(type, start, list);
}

export function blockParameters(x: Reader): Syntax {
  if (x.kind === Kind.OROR) return x.leaf('block_parameters');
  x.noPipe = true;
  const made = parameters(x, Kind.PIPE, 'block_parameters');
  x.noPipe = false;
  return made;
}

/** `close` is NEWLINE where there are no brackets. */
function parameterList(x: Reader, close: Kind): Syntax[] {
  const list: Syntax[] = [];
  while (x.kind !== close && x.kind !== Kind.SEMICOLON) {
    list.push(parameter(x, close));
    if (close !== Kind.NEWLINE) x.skipLines();
    if (!x.accept(Kind.COMMA)) break;
    x.skipLines();
  }
  return list;
}

function parameter(x: Reader, close: Kind): Syntax {
  const { start, kind } = x;
  switch (kind) {
    case Kind.STAR:
      x.next();
      return x.close('splat_parameter', start, parameterName(x));
    case Kind.POWER:
      x.next();
      if (x.accept(Kind.NIL)) return x.close('hash_splat_nil', start, []);
      return x.close('hash_splat_parameter', start, parameterName(x));
    case Kind.AMPERSAND:
      x.next();
      return x.close('block_parameter', start, parameterName(x));
    case Kind.RANGE:
      return x.leaf('forward_parameter');
    case Kind.LPAR:
      x.deeper();
      try {
        return parameters(x, Kind.RPAR, 'destructured_parameter');
      } finally {
        x.level--;
      }
  }
  if (!isWord(kind)) x.fail();
  x.declare(x.text.slice(start, x.end));
  if (isLabel(x)) {
    const parts = [as('name', node('identifier', start, x.end))];
    x.end++;
    x.jump(x.end);
    const { end } = parts[0]!;
    if (close !== Kind.NEWLINE) x.skipLines();
    if (x.is(Kind.COMMA) || x.is(close) || x.is(Kind.NEWLINE) || x.is(Kind.SEMICOLON))
      return node('keyword_parameter', start, end + 1, parts);
    parts.push(as('value', argument(x)));
    return x.close('keyword_parameter', start, parts);
  }
  if (kind !== Kind.IDENTIFIER) x.fail();
  const one = x.leaf('identifier');
  if (!x.accept(Kind.ASSIGN)) return one;
  x.skipLines();
  return x.close('optional_parameter', start, [as('name', one), as('value', argument(x))]);
}

function parameterName(x: Reader): Syntax[] {
  if (x.kind !== Kind.IDENTIFIER) return [];
  x.declare(x.text.slice(x.start, x.end));
  return [as('name', x.leaf('identifier'))];
}

/** `-> (a) { b }` */
export function lambda(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts: Syntax[] = [];
  const around = x.locals;
  x.locals = { names: new Set(), around };
  if (x.kind === Kind.LPAR) parts.push(as('parameters', parameters(x, Kind.RPAR, 'lambda_parameters')));
  else if (x.kind !== Kind.LBRACE && x.kind !== Kind.DO) {
    const from = x.start;
    const list: Syntax[] = [];
    const { noDo, noBrace } = x;
    x.noDo = x.noBrace = true;
    do {
      x.skipLines();
      list.push(parameter(x, Kind.LBRACE));
    } while (x.accept(Kind.COMMA));
    Object.assign(x, { noDo, noBrace });
    parts.push(as('parameters', x.close('lambda_parameters', from, list)));
  }
  if (x.kind === Kind.LBRACE) parts.push(as('body', block(x)));
  else if (x.kind === Kind.DO) parts.push(as('body', doBlock(x)));
  else x.fail();
  x.locals = around;
  return x.close('lambda', start, parts);
}

// ---- classes and modules

export function classDefinition(x: Reader): Syntax {
  const { start } = x;
  x.next();
  if (x.kind === Kind.LEFT) {
    x.next();
    const parts = [as('value', expressionStatement(x))];
    if (!x.is(Kind.NEWLINE) && !x.is(Kind.SEMICOLON)) x.fail();
    definitionBody(x, start, parts);
    return x.close('singleton_class', start, parts);
  }
  const parts = [as('name', definedName(x))];
  if (x.kind === Kind.COMPARE) {
    const from = x.start;
    x.next();
    x.skipLines();
    x.statement = -1;
    parts.push(as('superclass', x.close('superclass', from, [expressionStatement(x)])));
    if (!x.is(Kind.NEWLINE) && !x.is(Kind.SEMICOLON)) x.fail();
  }
  definitionBody(x, start, parts);
  return x.close('class', start, parts);
}

export function moduleDefinition(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = [as('name', definedName(x))];
  definitionBody(x, start, parts);
  return x.close('module', start, parts);
}

const NAME_BELOW = /(?:\s|#[^\n]*\n)+(?:::|[A-Z])/y;

/** It may stand on a line of its own; where nothing like it stands there, it is still to be typed. */
function definedName(x: Reader): Syntax {
  if (x.kind === Kind.NEWLINE && matchEnd(NAME_BELOW, x.text, x.start) > 0) x.skipLines();
  return constantPath(x);
}

function constantPath(x: Reader): Syntax {
  const { start } = x;
  const { command } = x;
  x.command = false;
  const made = x.kind === Kind.CONSTANT ? postfix(x, start, x.leaf('constant')) : operand(x);
  x.command = command;
  if (made.type !== 'constant' && made.type !== 'scope_resolution') x.fail();
  return made;
}

function definitionBody(x: Reader, start: number, parts: Syntax[]): void {
  x.scoped(false, () => {
    const body = bodyStatement(x, start);
    if (body) parts.push(as('body', body));
    finish(x, start);
  });
}

/** Statements with `rescue`, `else` and `ensure` behind them; undefined: there is nothing. */
export function bodyStatement(x: Reader, opener: number): Syntax | undefined {
  x.terminators();
  const { start } = x;
  const all = guarded(x, opener);
  return all.length > 0 ? x.close('body_statement', start, all) : undefined;
}

export function guarded(x: Reader, opener: number): Syntax[] {
  const all = statements(x, opener);
  for (;;) {
    const { start } = x;
    if (x.kind === Kind.RESCUE) all.push(rescueClause(x, opener));
    else if (x.kind === Kind.ELSE || x.kind === Kind.ENSURE) {
      const type = x.kind === Kind.ELSE ? 'else' : 'ensure';
      x.next();
      const inside = statements(x, opener);
      all.push(x.close(type, start, inside));
    } else return all;
  }
}
