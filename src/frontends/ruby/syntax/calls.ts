// What a call is given, as nodes: arguments with and without parentheses, pairs, blocks.
import { as, node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { blockParameters, bodyStatement } from './definitions.ts';
import { expression, matched, argument as value } from './expressions.ts';
import { beginsSymbol, matchEnd } from './literals.ts';
import { beginsOperand } from './operands.ts';
import { finish, statements } from './parse.ts';
import type { Reader } from './reader.ts';
import { BEGINS, isWord, Kind, MAY_BEGIN } from './tokens.ts';

/** Adds to a call what it is given. `free`: its name is no local variable, so that `foo -1` hands over a number. */
export function given(x: Reader, parts: Syntax[], free: boolean): Syntax[] {
  if (x.kind === Kind.LPAR && !x.space) parts.push(as('arguments', argumentList(x)));
  else if (beginsArgument(x, !free)) parts.push(as('arguments', commandArguments(x)));
  takeBlock(x, parts);
  return parts;
}

export function takeBlock(x: Reader, parts: Syntax[]): void {
  if (x.kind === Kind.LBRACE && !x.noBrace) parts.push(as('block', block(x)));
  else if (x.kind === Kind.DO && !x.noDo) parts.push(as('block', doBlock(x)));
}

const HEREDOC = /<<[~-]?(?:["'`]|[A-Za-z_\x80-\uffff])/y;
const PERCENT = /%(?:[wWiIqQrsx]?[^\w\s]|[wWiIqQrsx]?[([{<|!/])/y;
/** `?a` as an argument, and no `a ?b : c`. */
const LONELY = /\?(?:\\.|[^\s\\])(?!\w|\s+:\s)/y;

const CLOSES = /\s*\)/y;

/** Whether an argument of a call without parentheses begins here. */
export function beginsArgument(x: Reader, local: boolean): boolean {
  const { kind, text } = x;
  if (BEGINS[kind] === 1) return x.space || kind >= Kind.INSTANCE || isMarked(x);
  switch (kind) {
    case Kind.LPAR:
      return x.space;
    case Kind.COLON:
      return x.space && !x.ternary && !/\s/.test(text[x.end]!) && beginsSymbol(x);
    case Kind.LBRACE:
    case Kind.NEWLINE:
    case Kind.COMMA:
    case Kind.DOT:
    case Kind.RPAR:
      return false;
  }
  if (MAY_BEGIN[kind] === 1) {
    if (local || !x.space || !x.command) return false;
    const next = text[x.end]!;
    switch (kind) {
      case Kind.LSQB:
        return true;
      case Kind.LEFT:
        return matchEnd(HEREDOC, text, x.start) > 0;
      case Kind.PERCENT:
        return matchEnd(PERCENT, text, x.start) > 0;
      case Kind.QUESTION:
        return matchEnd(LONELY, text, x.start) > 0;
      case Kind.COLONS:
        return /[A-Z]/.test(next) && !x.ternary;
      default:
        return !/\s/.test(next);
    }
  }
  return (x.space || isMarked(x)) && isWord(kind) && isLabel(x);
}

/** The name before ends in its mark or is a sign, and needs no white space behind it: `create!name: 1`, `a.&b`. */
const isMarked = (x: Reader): boolean => /[!?&|^<>=~+\-*/%]/.test(x.text[x.start - 1]!);

/** `a:` */
export const isLabel = (x: Reader): boolean =>
  x.text.charCodeAt(x.end) === 58 && x.text.charCodeAt(x.end + 1) !== 58 && isWord(x.kind);

/** `foo a, b: c` */
export function commandArguments(x: Reader): Syntax {
  const { start, noDo, command } = x;
  x.noDo = true;
  const list = several(x);
  x.noDo = noDo;
  x.command = command;
  return x.close('argument_list', start, list);
}

export function several(x: Reader): Syntax[] {
  x.command = true;
  const list = [argument(x)];
  while (x.accept(Kind.COMMA)) {
    x.skipLines();
    list.push(argument(x));
  }
  return list;
}

export function argumentList(x: Reader): Syntax {
  const { start } = x;
  return x.close('argument_list', start, arguments_(x, Kind.RPAR));
}

/** From an opening bracket to its closing one. */
export function arguments_(x: Reader, close: Kind): Syntax[] {
  const list: Syntax[] = [];
  x.next();
  x.free(() => {
    x.skipLines();
    while (x.kind !== close) {
      x.statement = -1;
      list.push(argument(x));
      x.skipLines();
      if (!x.accept(Kind.COMMA)) break;
      x.skipLines();
    }
  });
  x.expect(close);
  return list;
}

function argument(x: Reader): Syntax {
  const { start, kind } = x;
  switch (kind) {
    case Kind.STAR:
      return splat(x);
    case Kind.POWER:
    case Kind.AMPERSAND: {
      x.next();
      const inside = beginsValue(x) ? [value(x)] : [];
      return x.close(kind === Kind.POWER ? 'hash_splat_argument' : 'block_argument', start, inside);
    }
    case Kind.RANGE:
      if (matchEnd(CLOSES, x.text, x.end) > 0) return x.leaf('forward_argument');
  }
  if (isWord(kind) && isLabel(x)) {
    const key = node('hash_key_symbol', start, x.end);
    x.end++;
    x.jump(x.end);
    return pair(x, key);
  }
  const one = expression(x);
  if (x.kind === Kind.ROCKET) {
    x.next();
    x.skipLines();
    return x.close('pair', start, [as('key', one), as('value', value(x))]);
  }
  if (x.kind === Kind.COLON && one.type === 'string' && x.start === one.end) {
    x.next();
    return pair(x, one);
  }
  return x.kind === Kind.IN ? matched(x, start, one) : one;
}

function pair(x: Reader, key: Syntax): Syntax {
  const { end } = key;
  x.skipLines();
  if (!beginsValue(x)) {
    x.last = end + 1;
    return node('pair', key.start, x.last, [as('key', key)]);
  }
  return x.close('pair', key.start, [as('key', key), as('value', value(x))]);
}

/** Here no modifier can stand: `a: if b then c end`. */
const beginsValue = (x: Reader): boolean =>
  beginsOperand(x) ||
  x.kind === Kind.IF ||
  x.kind === Kind.UNLESS ||
  x.kind === Kind.WHILE ||
  x.kind === Kind.RETURN ||
  x.kind === Kind.NEXT;

/** `*a` */
export function splat(x: Reader): Syntax {
  const { start } = x;
  x.next();
  return x.close('splat_argument', start, beginsValue(x) ? [value(x)] : []);
}

// ---- blocks

export function block(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = x.scoped(true, () => {
    const made: Syntax[] = [];
    x.skipLines();
    if (x.is(Kind.PIPE) || x.is(Kind.OROR)) made.push(as('parameters', blockParameters(x)));
    const from = x.start;
    const all = statements(x);
    if (all.length > 0) made.push(as('body', x.close('block_body', from, all)));
    return made;
  });
  x.expect(Kind.RBRACE);
  return x.close('block', start, parts);
}

export function doBlock(x: Reader): Syntax {
  const { start } = x;
  x.next();
  const parts = x.scoped(true, () => {
    const made: Syntax[] = [];
    x.terminators();
    if (x.is(Kind.PIPE) || x.is(Kind.OROR)) made.push(as('parameters', blockParameters(x)));
    const body = bodyStatement(x, start);
    if (body) made.push(as('body', body));
    return made;
  });
  finish(x, start);
  return x.close('do_block', start, parts);
}
