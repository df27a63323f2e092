// What the parts of the parser share beside a place in the text: looking back, passing over, going on after an error. No grammar.
import { FAULT } from '../../cursor.ts';
import { node } from '../../nodes.ts';
import type { Syntax } from '../../syntax.ts';
import { Lexer } from './lexer.ts';
import { isName, Kind } from './tokens.ts';

export class Reader extends Lexer {
  /** A definition whose head is being read: when the head is broken, its body is still its own. */
  begun: { type: string; start: number; name: Syntax } | null = null;

  name(): Syntax {
    if (!isName(this.kind)) throw FAULT;
    return this.leaf('identifier');
  }

  /** A word at a statement's start is current again, after a look at what follows it. */
  back(kind: Kind, start: number, end: number, column = this.column): void {
    this.kind = kind;
    this.start = start;
    this.end = this.at = end;
    this.depth = 0;
    this.fresh = false;
    this.column = column;
    this.forget(end);
  }

  /** Passes over all that stands up to the end of the surrounding bracket, or of the line. */
  pass(): Syntax {
    const { start } = this;
    const opens = this.kind === Kind.LPAR || this.kind === Kind.LSQB || this.kind === Kind.LBRACE;
    const outside = this.depth - (opens ? 1 : 0);
    this.cut = true;
    while (this.kind !== Kind.END && this.kind !== Kind.NEWLINE && this.depth >= outside) this.skip();
    return node('ERROR', start, this.last);
  }

  passLine(): void {
    while (this.kind !== Kind.END && this.kind !== Kind.NEWLINE) this.skip();
    if (this.kind === Kind.NEWLINE) this.next();
  }

  private skip(): void {
    if (this.kind === Kind.TEMPLATE) {
      this.end = this.at = this.closing(this.end, this.quote, this.triple);
      if (this.at < 0) throw FAULT;
    }
    this.next();
  }

  /**
   * After an error: goes on at the next line that can begin a statement, and says where that is. That is a line that is
   * indented no farther than the broken one, or one with a keyword that stands in no expression; after a broken head,
   * also the line after the error.
   */
  resume(start: number, column: number, head: boolean): number {
    const { text, length } = this;
    const seen = Math.max(this.start, Math.min(this.at, length));
    const first = BEGIN_STATEMENTS.has(this.kind) ? this.start : -1;
    const least = this.exhausted ? seen : 0;
    const failed = this.start;
    let at = start;
    let long = 0;
    for (;;) {
      at = text.indexOf('\n', at) + 1;
      if (at > length) break;
      while (long < this.long.length && this.long[long + 1]! <= at) long += 2;
      if (this.long[long]! < at) {
        at = this.long[long + 1]!;
        continue;
      }
      const token = this.line(at);
      const c = text.charCodeAt(token);
      const begins = token >= least && c !== 10 && c !== 41 && c !== 93 && c !== 125;
      if (begins && (this.column <= column || token === first || (head && token >= failed))) break;
      at = token;
    }
    at = Math.min(at, length);
    this.wasted += Math.max(0, seen - at);
    this.restart(at);
    return at;
  }
}

/** No expression goes on with these. */
const BEGIN_STATEMENTS = new Set([
  Kind.DEF,
  Kind.CLASS,
  Kind.WITH,
  Kind.WHILE,
  Kind.TRY,
  Kind.RETURN,
  Kind.RAISE,
  Kind.IMPORT,
  Kind.PASS,
  Kind.BREAK,
  Kind.CONTINUE,
  Kind.GLOBAL,
  Kind.NONLOCAL,
  Kind.DEL,
  Kind.ASSERT,
]);
