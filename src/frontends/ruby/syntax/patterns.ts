// What `in` and `=>` compare with, as nodes: arrays, hashes, alternatives, names that are bound.
import { as, node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { isLabel } from './calls.ts';
import { expressionStatement, number } from './expressions.ts';
import { strings } from './literals.ts';
import { operand } from './operands.ts';
import type { Reader } from './reader.ts';
import { isWord, Kind } from './tokens.ts';

/** As it stands behind `in` and `=>`: lists need no brackets. */
export function casePattern(x: Reader): Syntax {
  const { start } = x;
  if (isKey(x) || x.kind === Kind.POWER) return x.close('hash_pattern', start, pairs(x, Kind.NEWLINE));
  const first = x.kind === Kind.STAR ? splat(x) : alternatives(x);
  if (x.kind !== Kind.COMMA && first.type !== 'splat_parameter') return first;
  return listed(x, start, [], items(x, [first], Kind.NEWLINE));
}

export const patternTop = (x: Reader): Syntax => {
  const { noPipe } = x;
  x.noPipe = true;
  const made = casePattern(x);
  x.noPipe = noPipe;
  return made;
};

const isKey = (x: Reader): boolean => (isWord(x.kind) && isLabel(x)) || (x.kind === Kind.QUOTE && keyed(x));

/** `"a":` */
const keyed = (x: Reader): boolean => /^(["'])[^"'\n\\#]*\1:(?!:)/.test(x.text.slice(x.start, x.start + 80));

/** `[a, *b]` is an array, `[*, a, *]` one that is searched. */
function listed(x: Reader, start: number, head: Syntax[], list: Syntax[]): Syntax {
  const finds =
    list.length > 2 && list[0]!.type === 'splat_parameter' && list.at(-1)!.type === 'splat_parameter';
  return x.close(finds ? 'find_pattern' : 'array_pattern', start, [...head, ...list]);
}

function items(x: Reader, list: Syntax[], close: Kind): Syntax[] {
  while (list.length === 0 ? x.kind !== close : x.accept(Kind.COMMA)) {
    x.skipLines();
    if (x.is(close) || x.is(Kind.THEN) || x.is(Kind.SEMICOLON)) {
      if (list.length > 0) list.push(node('splat_parameter', x.last - 1, x.last));
      break;
    }
    list.push(x.is(Kind.STAR) ? splat(x) : alternatives(x));
    if (close !== Kind.NEWLINE) x.skipLines();
  }
  return list;
}

function splat(x: Reader): Syntax {
  const { start } = x;
  x.next();
  return x.close('splat_parameter', start, x.is(Kind.IDENTIFIER) ? [as('name', bound(x))] : []);
}

function bound(x: Reader): Syntax {
  x.declare(x.text.slice(x.start, x.end));
  return x.leaf('identifier');
}

function pairs(x: Reader, close: Kind): Syntax[] {
  const list: Syntax[] = [];
  do {
    x.skipLines();
    if (x.is(close)) break;
    const { start } = x;
    if (x.is(Kind.POWER)) {
      x.next();
      const none = x.accept(Kind.NIL);
      const name = x.is(Kind.IDENTIFIER) ? [as('name', bound(x))] : [];
      list.push(x.close(none ? 'hash_splat_nil' : 'hash_splat_parameter', start, name));
    } else {
      if (!isKey(x)) x.fail();
      let key: Syntax;
      if (x.is(Kind.QUOTE)) {
        key = strings(x);
        x.expect(Kind.COLON);
      } else {
        key = node('hash_key_symbol', start, x.end);
        if (x.is(Kind.IDENTIFIER)) x.declare(x.text.slice(start, x.end));
        x.end++;
        x.jump(x.end);
      }
      const parts = [as('key', key)];
      if (begins(x)) parts.push(as('value', alternatives(x)));
      list.push(x.close('keyword_pattern', start, parts));
    }
    if (close !== Kind.NEWLINE) x.skipLines();
  } while (x.accept(Kind.COMMA));
  return list;
}

function begins(x: Reader): boolean {
  switch (x.kind) {
    case Kind.COMMA:
    case Kind.RBRACE:
    case Kind.RPAR:
    case Kind.RSQB:
    case Kind.NEWLINE:
    case Kind.SEMICOLON:
    case Kind.THEN:
    case Kind.IF:
    case Kind.UNLESS:
    case Kind.AND:
    case Kind.OR:
    case Kind.END:
    case Kind.FINISH:
    case Kind.ANDAND:
    case Kind.QUESTION:
      return false;
    default:
      return true;
  }
}

/** `A | B => c` */
function alternatives(x: Reader): Syntax {
  const { start } = x;
  x.deeper();
  let made = basic(x);
  if (x.kind === Kind.PIPE) {
    const list = [as('alternatives', made)];
    while (x.accept(Kind.PIPE)) {
      x.skipLines();
      list.push(as('alternatives', basic(x)));
    }
    made = x.close('alternative_pattern', start, list);
  }
  while (x.kind === Kind.ROCKET) {
    x.next();
    made = x.close('as_pattern', start, [as('value', made), as('name', bound(x))]);
  }
  x.level--;
  return made;
}

function basic(x: Reader): Syntax {
  const { start } = x;
  switch (x.kind) {
    case Kind.IDENTIFIER:
      return bound(x);
    case Kind.LSQB: {
      x.next();
      return closed(x, start, [], Kind.RSQB);
    }
    case Kind.LBRACE: {
      x.next();
      x.skipLines();
      const list = x.is(Kind.RBRACE) ? [] : pairs(x, Kind.RBRACE);
      x.expect(Kind.RBRACE);
      return x.close('hash_pattern', start, list);
    }
    case Kind.LPAR: {
      x.next();
      x.skipLines();
      const inside = alternatives(x);
      x.skipLines();
      x.expect(Kind.RPAR);
      return x.close('parenthesized_pattern', start, [inside]);
    }
    case Kind.CARET: {
      x.next();
      if (!x.is(Kind.LPAR)) return x.close('variable_reference_pattern', start, [as('name', operand(x))]);
      x.next();
      const value = as('value', x.free(expressionStatement));
      x.expect(Kind.RPAR);
      return x.close('expression_reference_pattern', start, [value]);
    }
    case Kind.CONSTANT:
    case Kind.COLONS:
      return ranged(x, start, constant(x));
    case Kind.RANGE:
      return ranged(x, start, undefined);
    default:
      return ranged(x, start, primitive(x));
  }
}

function ranged(x: Reader, start: number, from: Syntax | undefined): Syntax {
  if (x.kind !== Kind.RANGE) return from ?? x.fail();
  const parts = from ? [as('begin', from)] : [];
  parts.push(x.sign('operator'));
  if (begins(x) && !x.is(Kind.PIPE) && !x.is(Kind.ROCKET)) parts.push(as('end', primitive(x)));
  return x.close('range', start, parts);
}

function primitive(x: Reader): Syntax {
  if (x.kind !== Kind.MINUS) return operand(x);
  const { start } = x;
  const sign = x.sign('operator');
  return x.close('unary', start, [sign, as('operand', number(x))]);
}

function constant(x: Reader): Syntax {
  const { start } = x;
  let made: Syntax | undefined;
  if (x.kind === Kind.CONSTANT) made = x.leaf('constant');
  while (x.accept(Kind.COLONS)) {
    if (x.kind !== Kind.CONSTANT) x.fail();
    const name = as('name', x.leaf('constant'));
    made = x.close('scope_resolution', start, made ? [as('scope', made), name] : [name]);
  }
  if (x.space || (x.kind !== Kind.LPAR && x.kind !== Kind.LSQB)) return made!;
  const close = x.kind === Kind.LPAR ? Kind.RPAR : Kind.RSQB;
  x.next();
  return closed(x, start, [as('class', made!)], close);
}

function closed(x: Reader, start: number, head: Syntax[], close: Kind): Syntax {
  x.skipLines();
  if (isKey(x) || x.is(Kind.POWER)) {
    const list = pairs(x, close);
    x.expect(close);
    return x.close('hash_pattern', start, [...head, ...list]);
  }
  const list = items(x, [], close);
  x.expect(close);
  return listed(x, start, head, list);
}
