// What the parts of the parser share beside its place among the tokens: ends of statements, names, brackets. No grammar.
import { FAULT } from '../../cursor.ts';
import type { Name, Several } from '../../jvm/syntax/syntax.ts';
import { TokenReader } from '../../jvm/syntax/tokens.ts';
import { lex } from './lexer.ts';
import { isName, Kind } from './tokens.ts';

export class Reader extends TokenReader<Kind> {
  constructor(text: string) {
    super(text, lex(text));
  }

  /** A statement's end. Where it is missing before the next line or brace, nothing is lost. */
  semicolon(): void {
    if (this.accept(Kind.SEMICOLON)) return;
    if (this.kind !== Kind.RBRACE && !this.isLineStart(this.i)) throw FAULT;
    this.broken = true;
  }

  /** A closing bracket; where a statement ends without it, nothing is lost. */
  close(kind: Kind): void {
    if (this.accept(kind)) return;
    if (this.kind !== Kind.SEMICOLON) throw FAULT;
    this.broken = true;
  }

  isLineStart(i: number): boolean {
    if (i === 0) return true;
    const { text } = this;
    for (let at = this.ends[i - 1]!; at < this.starts[i]!; at++) if (text.charCodeAt(at) === 10) return true;
    return false;
  }

  word(i: number): string {
    return this.text.slice(this.starts[i], this.ends[i]);
  }

  /** The current token, which must be a name. */
  name(): string {
    if (!isName(this.kinds[this.i]!)) throw FAULT;
    return this.word(this.i++);
  }

  nameNode(): Name {
    const start = this.starts[this.i]!;
    const end = this.ends[this.i]!;
    this.i++;
    return { kind: 'name', start, end, text: this.text.slice(start, end) };
  }

  /** Behind the bracket that closes the one here. */
  behind(from: number): number {
    let depth = 0;
    for (let i = from; i < this.count; i++) {
      const kind = this.kinds[i]!;
      if (kind === Kind.LPAR || kind === Kind.LSQB || kind === Kind.LBRACE) depth++;
      else if (kind === Kind.RPAR || kind === Kind.RSQB || kind === Kind.RBRACE) {
        if (--depth <= 0) return i + 1;
      }
    }
    this.broken = true; // nothing closes it
    return this.count;
  }

  /** Passes over all that stands up to the end of the surrounding bracket, or of the statement. */
  pass(): Several {
    const { start } = this;
    let depth = 0;
    for (; this.i < this.count; this.i++) {
      const { kind } = this;
      if (kind === Kind.LPAR || kind === Kind.LSQB || kind === Kind.LBRACE) depth++;
      else if (kind === Kind.RPAR || kind === Kind.RSQB || kind === Kind.RBRACE) {
        if (--depth < 0) break;
      } else if (depth === 0 && (kind === Kind.SEMICOLON || kind === Kind.COMMA)) break;
    }
    return this.several(start, []);
  }
}
