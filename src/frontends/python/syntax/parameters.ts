// The parameters of functions and lambdas.
import { as } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { annotation, expression } from './expressions.ts';
import type { Reader } from './reader.ts';
import { CONDITIONAL, Kind } from './tokens.ts';

/** Up to the token that ends them; `typed`: a colon begins an annotation, as it does not in a lambda. */
export function parameters(x: Reader, end: Kind, typed: boolean): Syntax[] {
  const all: Syntax[] = [];
  while (x.kind !== end) {
    all.push(parameter(x, typed));
    if (!x.accept(Kind.COMMA)) break;
  }
  return all;
}

function parameter(x: Reader, typed: boolean): Syntax {
  const { start, kind } = x;
  if (kind === Kind.DIVIDE) return x.leaf('positional_separator');
  if (kind === Kind.TIMES || kind === Kind.POWER) {
    x.next();
    if (kind === Kind.TIMES && (x.kind === Kind.COMMA || x.kind === Kind.RPAR || x.kind === Kind.COLON))
      return x.close('keyword_separator', start, []);
    const type = kind === Kind.TIMES ? 'list_splat_pattern' : 'dictionary_splat_pattern';
    const rest = x.close(type, start, [x.name()]);
    return typed && x.accept(Kind.COLON)
      ? x.close('typed_parameter', start, [rest, as('type', annotation(x))])
      : rest;
  }
  const what = kind === Kind.LPAR ? tuple(x) : x.name();
  const type = typed && x.accept(Kind.COLON) ? as('type', annotation(x)) : undefined;
  if (!x.accept(Kind.ASSIGN)) return type ? x.close('typed_parameter', start, [what, type]) : what;
  const value = as('value', expression(x, CONDITIONAL));
  return type
    ? x.close('typed_default_parameter', start, [as('name', what), type, value])
    : x.close('default_parameter', start, [as('name', what), value]);
}

/** Python 2: `def f(a, (b, c)):` */
function tuple(x: Reader): Syntax {
  const { start } = x;
  if (++x.level > 100) x.fail();
  x.next();
  const all: Syntax[] = [];
  while (x.kind !== Kind.RPAR) {
    all.push(x.kind === Kind.LPAR ? tuple(x) : x.name());
    if (!x.accept(Kind.COMMA)) break;
  }
  x.expect(Kind.RPAR);
  x.level--;
  return x.close('tuple_pattern', start, all);
}
