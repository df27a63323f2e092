// Ruby's text as the nodes that tree-sitter-ruby would give: statements, and what is done about errors.
import { FAULT } from '../../cursor.ts';
import { as, node, prune } from '../../nodes.ts';
import { DEPTH, type Parsed, type Syntax } from '../../syntax.ts';
import { methodName } from './definitions.ts';
import { expressionStatement } from './expressions.ts';
import { Reader } from './reader.ts';
import { Kind } from './tokens.ts';

export interface ParsedRuby extends Parsed {
  /** The texts of heredocs, by where they are opened. */
  heredocs: Map<number, Syntax>;
}

export function parse(text: string): ParsedRuby {
  const first = read(text, false);
  // An `end` too few or too many is told by indentation, which means nothing where all is right.
  return first.error ? read(text, true) : first;
}

function read(text: string, indentation: boolean): ParsedRuby {
  const x = new Reader(text, indentation);
  const all: Syntax[] = [];
  x.next();
  while (!x.is(Kind.END)) {
    statements(x, -1, all);
    if (x.is(Kind.END)) break;
    stray(x);
  }
  const root = node('program', 0, text.length, all);
  const cut = x.chained && prune(root);
  return { root, cut: cut || x.cut, error: x.error, heredocs: x.heredocs };
}

/** An `end` or a bracket that closes nothing. */
function stray(x: Reader): void {
  note(x);
  go(x);
}

/** The next token; where a heredoc that was opened before it has no end, the next line. */
function go(x: Reader): void {
  try {
    x.next();
  } catch (error) {
    if (error !== FAULT) throw error;
    x.pending.length = 0;
    x.restart(x.lineAfter(x.at));
  }
}

function note(x: Reader): void {
  x.error ??= node('ERROR', Math.min(x.start, x.length), Math.min(x.end, x.length));
}

/** No statement begins with these. */
const CLOSES = new Uint8Array(Kind.COUNT);
for (const kind of [
  Kind.END,
  Kind.RPAR,
  Kind.RSQB,
  Kind.RBRACE,
  Kind.ELSE,
  Kind.ELSIF,
  Kind.FINISH,
  Kind.ENSURE,
  Kind.IN,
  Kind.RESCUE,
  Kind.WHEN,
])
  CLOSES[kind] = 1;

/** All statements up to what closes them. `opener`: where that begins which an `end` closes. */
export function statements(x: Reader, opener = -1, all: Syntax[] = []): Syntax[] {
  for (;;) {
    x.terminators();
    if (x.indentation && x.kind === Kind.FINISH && opener >= 0 && isInside(x, opener)) {
      stray(x);
      continue;
    }
    if (CLOSES[x.kind] === 1) return all;
    if (x.indentation && opener >= 0 && isOutside(x, opener)) return all;
    attempt(x, all);
  }
}

/** The line begins farther left than the opener, or is a definition beside it: an `end` is missing. */
export function isOutside(x: Reader, opener: number): boolean {
  if (!x.isFirst()) return false;
  const [here, there] = [x.indent(x.start), x.indent(opener)];
  return (
    here < there ||
    (here === there && (x.kind === Kind.DEF || x.kind === Kind.CLASS || x.kind === Kind.MODULE))
  );
}

/** An `end` that is indented farther than the opener and its line closes nothing. */
function isInside(x: Reader, opener: number): boolean {
  const column = x.indent(x.start);
  const line = x.text.lastIndexOf('\n', opener - 1) + 1;
  return x.isFirst() && column > x.indent(opener) && column !== opener - line;
}

/** Reads the `end` of what began at `opener`; one that is not there is noted. */
export function finish(x: Reader, opener: number): void {
  const missing = x.kind === Kind.END || (x.indentation && isOutside(x, opener));
  if (!missing) x.expect(Kind.FINISH);
  else if (x.kind !== Kind.END || x.indentation || !x.error) note(x);
}

/** Reads one statement into the list, or an ERROR in its place. */
function attempt(x: Reader, all: Syntax[]): void {
  const { links } = x;
  const state = x.state();
  let from = x.start;
  try {
    all.push(statement(x));
    // `a) b` is a statement and an error.
    from = x.start;
    const ends = x.kind === Kind.NEWLINE || x.kind === Kind.SEMICOLON || CLOSES[x.kind] === 1;
    // Where an `end` was missing, the line break is read already.
    if (!ends && !(x.indentation && x.isFirst())) x.fail();
  } catch (error) {
    if (error !== FAULT) throw error;
    x.restore(state);
    all.push(recover(x, from));
  }
  x.links = links;
}

const MODIFIERS: Partial<Record<Kind, string>> = {
  [Kind.IF]: 'if_modifier',
  [Kind.UNLESS]: 'unless_modifier',
  [Kind.WHILE]: 'while_modifier',
  [Kind.UNTIL]: 'until_modifier',
  [Kind.RESCUE]: 'rescue_modifier',
};

export function statement(x: Reader): Syntax {
  const { start } = x;
  let one = plain(x);
  for (let type = MODIFIERS[x.kind]; type !== undefined; type = MODIFIERS[x.kind]) {
    const field = x.kind === Kind.RESCUE ? 'handler' : 'condition';
    x.next();
    x.skipLines();
    x.statement = x.start;
    one = x.close(type, start, [as('body', one), as(field, expressionStatement(x))]);
    x.link();
  }
  return one;
}

function plain(x: Reader): Syntax {
  const { start, kind } = x;
  x.statement = start;
  switch (kind) {
    case Kind.ALIAS: {
      x.next();
      const name = as('name', methodName(x));
      return x.close('alias', start, [name, as('alias', methodName(x))]);
    }
    case Kind.UNDEF: {
      const names: Syntax[] = [];
      do {
        x.next();
        names.push(methodName(x));
      } while (x.is(Kind.COMMA));
      return x.close('undef', start, names);
    }
    case Kind.BEGIN_BLOCK:
    case Kind.END_BLOCK: {
      x.next();
      x.expect(Kind.LBRACE);
      const all = x.free((it) => statements(it));
      x.expect(Kind.RBRACE);
      return x.close(kind === Kind.BEGIN_BLOCK ? 'begin_block' : 'end_block', start, all);
    }
    default:
      return expressionStatement(x);
  }
}

// ---- errors

/**
 * A statement that is not Ruby is an ERROR; lines below it that are indented farther are read as statements inside, and
 * an `end` that is indented as it is closes it.
 */
function recover(x: Reader, start: number): Syntax {
  note(x);
  const column = x.indent(start);
  const failed = Math.max(start, Math.min(x.at, x.length));
  const from = x.lineAfter(x.exhausted ? failed : start);
  x.wasted += Math.max(0, failed - from);
  x.restart(from);
  const inside: Syntax[] = [];
  x.level++;
  while (!x.is(Kind.END)) {
    if (x.is(Kind.NEWLINE) || x.is(Kind.SEMICOLON)) {
      go(x);
      continue;
    }
    const here = x.isFirst() ? x.indent(x.start) : Infinity;
    if (here < column || (here === column && CLOSES[x.kind] === 0)) break;
    if (CLOSES[x.kind] === 1) {
      const { kind } = x;
      // Its own `else` has more lines; its own `end` or bracket is its end.
      go(x);
      if (
        here === column &&
        (kind === Kind.FINISH || kind === Kind.RPAR || kind === Kind.RSQB || kind === Kind.RBRACE)
      )
        break;
    } else if (x.level > DEPTH) {
      x.cut = true;
      x.restart(x.lineAfter(x.start));
    } else attempt(x, inside);
  }
  x.level--;
  return node('ERROR', start, Math.max(start, Math.min(x.last, x.length)), inside);
}
