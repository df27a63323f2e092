// What stands between operators as nodes: names, literals, brackets, and the calls that follow them with a dot.
import { as } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { argumentList, arguments_, beginsArgument, commandArguments, given, takeBlock } from './calls.ts';
import { beginBlock, caseOf, forLoop, ifElse, leave, loop } from './control.ts';
import { classDefinition, lambda, method, moduleDefinition } from './definitions.ts';
import { destructured, isTargets, number } from './expressions.ts';
import {
  backticked,
  character,
  heredoc,
  matchEnd,
  OPERATOR,
  percent,
  regex,
  strings,
  symbol,
} from './literals.ts';
import { statements } from './parse.ts';
import type { Reader } from './reader.ts';
import { BEGINS, isWord, Kind } from './tokens.ts';

/** Whether the current token can begin an operand where one must stand. */
export function beginsOperand(x: Reader): boolean {
  if (BEGINS[x.kind] === 1) return true;
  switch (x.kind) {
    case Kind.LPAR:
    case Kind.LSQB:
    case Kind.LBRACE:
    case Kind.MINUS:
    case Kind.PLUS:
    case Kind.COLONS:
    case Kind.LEFT:
    case Kind.SLASH:
    case Kind.PERCENT:
    case Kind.STAR:
    case Kind.POWER:
    case Kind.RANGE:
    case Kind.OPERATE:
      return true;
    case Kind.COLON:
      return !x.ternary || /[^\s]/.test(x.text[x.end]!);
    case Kind.QUESTION:
      return /\S/.test(x.text[x.end]!);
    default:
      return false;
  }
}

export function operand(x: Reader): Syntax {
  const { start } = x;
  return postfix(x, start, primary(x));
}

function primary(x: Reader): Syntax {
  switch (x.kind) {
    case Kind.IDENTIFIER:
    case Kind.SUFFIXED:
    case Kind.CONSTANT:
      return name(x);
    case Kind.INSTANCE:
      return x.leaf('instance_variable');
    case Kind.CLASS_VARIABLE:
      return x.leaf('class_variable');
    case Kind.GLOBAL:
      return x.leaf('global_variable');
    case Kind.NUMBER:
      return number(x);
    case Kind.QUOTE:
      return strings(x);
    case Kind.BACKTICK:
      return backticked(x);
    case Kind.COLON:
      return symbol(x);
    case Kind.QUESTION:
      return character(x);
    case Kind.COLONS: {
      const { start } = x;
      x.next();
      if (!x.is(Kind.CONSTANT)) x.fail();
      return x.close('scope_resolution', start, [as('name', x.leaf('constant'))]);
    }
    case Kind.LPAR:
      return inParentheses(x);
    case Kind.LSQB: {
      const { start } = x;
      return x.close('array', start, arguments_(x, Kind.RSQB));
    }
    case Kind.LBRACE: {
      const { start } = x;
      return x.close('hash', start, arguments_(x, Kind.RBRACE));
    }
    case Kind.ARROW:
      return lambda(x);
    case Kind.SLASH:
      return regex(x);
    case Kind.PERCENT:
      return percent(x);
    case Kind.OPERATE:
      if (x.text[x.start] === '/') return regex(x);
      return x.text[x.start] === '%' ? percent(x) : x.fail();
    case Kind.LEFT:
      return heredoc(x) ?? x.fail();
    default:
      return keyword(x);
  }
}

function keyword(x: Reader): Syntax {
  switch (x.kind) {
    case Kind.NIL:
      return x.leaf('nil');
    case Kind.TRUE:
      return x.leaf('true');
    case Kind.FALSE:
      return x.leaf('false');
    case Kind.SELF:
      return x.leaf('self');
    case Kind.FILE:
    case Kind.LINE:
    case Kind.ENCODING:
      return x.leaf('identifier');
    case Kind.SUPER: {
      const { start } = x;
      const one = x.leaf('super');
      const list = given(x, [one], true);
      if (list.length === 1) return one;
      as('method', one);
      return x.close('call', start, list);
    }
    case Kind.YIELD: {
      const { start } = x;
      x.next();
      const list = x.is(Kind.LPAR) && !x.space ? argumentList(x) : undefined;
      if (list) return x.close('yield', start, [list]);
      return x.close('yield', start, beginsArgument(x, false) ? [commandArguments(x)] : []);
    }
    case Kind.RETURN:
      return leave(x, 'return');
    case Kind.BREAK:
      return leave(x, 'break');
    case Kind.NEXT:
      return leave(x, 'next');
    case Kind.REDO:
      return x.leaf('redo');
    case Kind.RETRY:
      return x.leaf('retry');
    case Kind.IF:
      return ifElse(x, 'if');
    case Kind.UNLESS:
      return ifElse(x, 'unless');
    case Kind.WHILE:
      return loop(x, 'while');
    case Kind.UNTIL:
      return loop(x, 'until');
    case Kind.FOR:
      return forLoop(x);
    case Kind.CASE:
      return caseOf(x);
    case Kind.BEGIN:
      return beginBlock(x);
    case Kind.DEF:
      return method(x);
    case Kind.CLASS:
      return classDefinition(x);
    case Kind.MODULE:
      return moduleDefinition(x);
    default:
      return x.fail();
  }
}

/** A variable, or a method of self with its arguments and its block. */
function name(x: Reader): Syntax {
  const { start, kind } = x;
  const written = kind === Kind.IDENTIFIER ? x.text.slice(start, x.end) : '';
  const type = kind === Kind.CONSTANT ? 'constant' : 'identifier';
  const upper = kind === Kind.SUFFIXED && x.text.charCodeAt(start) < 91;
  const one = x.leaf(upper ? 'constant' : type);
  const list = given(x, [one], kind !== Kind.IDENTIFIER || !x.isLocal(written));
  if (list.length === 1 && kind !== Kind.SUFFIXED) return one;
  return x.close('call', start, [as('method', one), ...list.slice(1)]);
}

export function inParentheses(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const inside = x.free((it) => statements(it));
  x.expect(Kind.RPAR);
  return isTargets(inside[0])
    ? destructured(x, start, inside[0]!)
    : x.close('parenthesized_statements', start, inside);
}

/** What follows an operand: `.foo(1)`, `&.foo`, `::Bar`, `[1]`. */
export function postfix(x: Reader, start: number, first: Syntax): Syntax {
  let left = first;
  for (;;) {
    switch (x.kind) {
      case Kind.DOT:
      case Kind.SAFE_DOT:
        left = call(x, start, left);
        break;
      case Kind.COLONS:
        if (x.space && x.ternary) return left;
        left = scope(x, start, left);
        break;
      case Kind.LSQB: {
        const parts = [as('object', left), ...arguments_(x, Kind.RSQB)];
        takeBlock(x, parts);
        left = x.close('element_reference', start, parts);
        break;
      }
      default:
        return left;
    }
    x.link();
  }
}

function call(x: Reader, start: number, receiver: Syntax): Syntax {
  const parts = [as('receiver', receiver)];
  if (x.kind === Kind.SAFE_DOT) parts.push(x.sign('operator'));
  else x.next();
  const lines = x.is(Kind.NEWLINE);
  x.skipLines();
  // What was to be typed behind the dot is not the next line's `end`.
  if (lines && x.indentation && x.kind >= Kind.ALIAS) x.fail();
  return called(x, start, parts);
}

function scope(x: Reader, start: number, receiver: Syntax): Syntax {
  const sign = x.sign('operator');
  x.skipLines();
  if (x.kind !== Kind.CONSTANT || (x.text[x.end] === '(' && x.text[x.end - 1] !== '('))
    return called(x, start, [as('receiver', receiver), sign]);
  const constant = x.leaf('constant');
  if (x.space && x.command && beginsArgument(x, !x.is(Kind.LEFT)))
    return x.close('call', start, given(x, [as('receiver', receiver), sign, as('method', constant)], true));
  return x.close('scope_resolution', start, [as('scope', receiver), as('name', constant)]);
}

/** From the method's name on; there may be none: `f.(1)`. */
function called(x: Reader, start: number, parts: Syntax[]): Syntax {
  if (x.kind === Kind.LPAR) {
    parts.push(as('arguments', argumentList(x)));
    takeBlock(x, parts);
    return x.close('call', start, parts);
  }
  parts.push(as('method', methodNamed(x)));
  return x.close('call', start, given(x, parts, true));
}

function methodNamed(x: Reader): Syntax {
  if (isWord(x.kind)) {
    const c = x.text.charCodeAt(x.start);
    return x.leaf(c > 64 && c < 91 ? 'constant' : 'identifier');
  }
  const end = matchEnd(OPERATOR, x.text, x.start);
  if (end < 0) x.fail();
  x.end = x.at = end;
  return x.leaf('operator');
}
