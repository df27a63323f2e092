// What the parts of the parser share: its place among the tokens, asking for one, and small nodes. No grammar.
import { FAULT } from '../../cursor.ts';
import type { Method, Name, Node, Several, TypeBody } from '../../jvm/syntax.ts';
import { DEPTH } from '../../syntax.ts';
import { lex, type Tokens } from './lexer.ts';
import { isName, Kind } from './tokens.ts';

export class Reader {
  readonly text: string;
  readonly kinds: Tokens['kinds'];
  readonly starts: Tokens['starts'];
  readonly ends: Tokens['ends'];
  readonly count: number;
  /** The current token. */
  i = 0;
  /** How deep the tree is here. */
  level = 0;
  /** How high the chains below are: `a.b().c()` makes a deep tree without depth in the text. */
  links = 0;
  cut = false;
  broken = false;
  /** A definition whose head is being read: when the head is broken, its body is still its own. */
  begun: Method | TypeBody | null = null;
  /** Tokens that were read more than once because of errors. */
  wasted = 0;

  constructor(text: string) {
    this.text = text;
    const { kinds, starts, ends, count } = lex(text);
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
    this.count = count;
  }

  get kind(): number {
    return this.kinds[this.i]!;
  }

  get start(): number {
    return this.starts[this.i]!;
  }

  /** Where the token before ended. */
  get last(): number {
    return this.i > 0 ? this.ends[this.i - 1]! : 0;
  }

  /** Nothing more is read a second time, so that the whole costs no more than the text's length. */
  get exhausted(): boolean {
    return this.wasted > this.count + 50_000;
  }

  fail(): never {
    throw FAULT;
  }

  next(): void {
    if (this.i < this.count) this.i++;
  }

  is(kind: Kind): boolean {
    return this.kinds[this.i] === kind;
  }

  peek(by = 1): number {
    return this.kinds[this.i + by]!;
  }

  accept(kind: Kind): boolean {
    if (this.kinds[this.i] !== kind) return false;
    this.i++;
    return true;
  }

  expect(kind: Kind): void {
    if (this.kinds[this.i] !== kind) throw FAULT;
    this.i++;
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

  /** The current token's place. */
  place(): { start: number; end: number } {
    return { start: this.starts[this.i]!, end: this.ends[this.i]! };
  }

  nameNode(): Name {
    const start = this.starts[this.i]!;
    const end = this.ends[this.i]!;
    this.i++;
    return { kind: 'name', start, end, text: this.text.slice(start, end) };
  }

  literal(): Node {
    const start = this.starts[this.i]!;
    const end = this.ends[this.i]!;
    this.i++;
    return { kind: 'literal', start, end, text: this.text.slice(start, end) };
  }

  several(start: number, items: Node[]): Several {
    return { kind: 'several', start, end: this.last, items };
  }

  /** One level deeper, unless that is too deep. */
  enter(by = 1): boolean {
    this.level += by;
    if (this.level <= DEPTH) return true;
    this.level -= by;
    this.cut = true;
    return false;
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
