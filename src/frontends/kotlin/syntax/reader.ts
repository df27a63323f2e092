// What the parts of the parser share beside its place among the tokens: lines, names, brackets. No grammar.
import { FAULT } from '../../cursor.ts';
import type { Name, Node, Several } from '../../jvm/syntax/syntax.ts';
import { TokenReader } from '../../jvm/syntax/tokens.ts';
import { DEPTH } from '../../syntax.ts';
import { lex } from './lexer.ts';
import { isName, Kind } from './tokens.ts';

export class Reader extends TokenReader<Kind> {
  /** Inside of parentheses, where the end of a line says nothing. */
  flat = false;
  /** Behind `by` in the head of a class, whose body is no lambda. */
  bare = false;
  /** The last range that was read. */
  range: Node | null = null;
  /** The last element of a list or a map that was read. */
  index: Node | null = null;
  /** A brace is missing at the end of the file. */
  isOpen = false;
  /** Members end what stands before them by where they stand in their line: that of the member around is the least. */
  byColumn = false;
  column = 0;
  /** For each bracket that opens the token that closes it; made when it is first asked. */
  private closers: Int32Array | null = null;

  constructor(text: string) {
    super(text, lex(text));
  }

  /** A line that counts ends before the current token. */
  get isNewLine(): boolean {
    return this.lines[this.i] === 1 && !this.flat;
  }

  /** A closing bracket; where a line begins or a block ends without it, nothing is lost. */
  close(kind: Kind): void {
    if (this.accept(kind)) return;
    if (!this.isLineStart(this.i) && this.kind !== Kind.RBRACE) throw FAULT;
    this.broken = true;
  }

  /** The brace that ends a block, a lambda or a class. */
  closeBrace(): void {
    if (this.accept(Kind.RBRACE)) return;
    this.broken = true;
    if (this.kind === Kind.END) this.isOpen = true;
  }

  /** How far from its line's begin a token stands. */
  columnOf(i: number): number {
    const start = this.starts[i]!;
    return start - this.text.lastIndexOf('\n', start - 1) - 1;
  }

  isLineStart(i: number): boolean {
    return this.lines[i] === 1;
  }

  /** Whether no blank stands before a token: `return@label`. */
  isJoined(i: number): boolean {
    return this.starts[i] === this.ends[i - 1];
  }

  /** A name without its backquotes. */
  word(i: number): string {
    const start = this.starts[i]!;
    const end = this.ends[i]!;
    return this.text.charCodeAt(start) === 96
      ? this.text.slice(start + 1, end - 1)
      : this.text.slice(start, end);
  }

  /** The current token, which must be a name. */
  name(): string {
    if (!isName(this.kinds[this.i]!)) throw FAULT;
    return this.word(this.i++);
  }

  /** `@name` right behind `return`, `this` and their like. */
  label(): string | undefined {
    if (this.kind !== Kind.AT || !this.isJoined(this.i) || !isName(this.peek())) return undefined;
    this.i++;
    return this.word(this.i++);
  }

  nameNode(): Name {
    const { start, end } = this.place();
    return { kind: 'name', start, end, text: this.word(this.i++) };
  }

  /** Reads something in brackets, where lines count or not. */
  within<T>(flat: boolean, read: (x: Reader) => T): T {
    const before = this.flat;
    const { bare } = this;
    this.flat = flat;
    this.bare = false;
    const made = read(this);
    this.flat = before;
    this.bare = bare;
    return made;
  }

  /** What is left of a chain that has grown by a link: nothing, when it is too long. */
  linked(made: Node): Node {
    if (++this.links <= DEPTH) return made;
    this.cut = true;
    this.links = 0;
    return this.several(made.start, []);
  }

  /** Behind the bracket that closes the one here. */
  behind(from: number): number {
    this.closers ??= closersOf(this);
    return this.closers[from]! + 1;
  }

  /** Passes over what stands in the bracket that was just opened. */
  passInside(): void {
    this.i = Math.max(this.i, this.behind(this.i - 1) - 1);
  }

  /** Passes over all that stands up to the end of the surrounding bracket, or of the line. */
  pass(): Several {
    const { start } = this;
    while (this.i < this.count && !isEnd(this.kind)) {
      if (opens(this.kind)) this.i = this.behind(this.i);
      else this.i++;
      if (this.isNewLine) break;
    }
    return this.several(start, []);
  }
}

const opens = (kind: number): boolean =>
  kind === Kind.LPAR ||
  kind === Kind.LSQB ||
  kind === Kind.LBRACE ||
  kind === Kind.HOLE_OPEN ||
  kind === Kind.STRING_OPEN;
const closes = (kind: number): boolean =>
  kind === Kind.RPAR ||
  kind === Kind.RSQB ||
  kind === Kind.RBRACE ||
  kind === Kind.HOLE_CLOSE ||
  kind === Kind.STRING_CLOSE;
const isEnd = (kind: number): boolean => closes(kind) || kind === Kind.COMMA || kind === Kind.SEMICOLON;

/** Where brackets do not match, each closes the last that is open. */
function closersOf({ kinds, count }: Reader): Int32Array {
  const out = new Int32Array(count + 1).fill(count - 1);
  const open: number[] = [];
  for (let i = 0; i < count; i++)
    if (opens(kinds[i]!)) open.push(i);
    else if (closes(kinds[i]!) || (kinds[i] === Kind.WRONG && kinds[open.at(-1) ?? 0] === Kind.STRING_OPEN)) {
      const begun = open.pop();
      if (begun !== undefined) out[begun] = i;
    }
  return out;
}
