// Where a parser of ours stands in its text, and what it asks of the token there. It knows no language and no grammar.
import { node } from './nodes.ts';
import { DEPTH, type Syntax } from './syntax.ts';

/** Thrown where a text is not of its language; made once, for its stack says nothing. */
export const FAULT = new Error('not of this language');
// With its stack it would keep all that was alive when this was loaded, and that is when the first file waits for it.
FAULT.stack = '';

export abstract class Cursor<Kind extends number> {
  /** With a line break and two zeros at its end, so that looking ahead needs no care. */
  readonly text: string;
  readonly length: number;
  kind: Kind;
  start = 0;
  end = 0;
  /** Where the token before ended. */
  last = 0;
  /** Where the next token is looked for. */
  at = 0;
  /** How deep the tree is here. */
  level = 0;
  /** Links of chains in this statement: `a.b().c` and `a + b + c` make deep trees without depth in the text. */
  links = 0;
  chained = false;
  cut = false;
  error: Syntax | null = null;
  /** Characters that were read more than once because of errors. */
  wasted = 0;

  constructor(text: string, kind: Kind) {
    this.length = text.length;
    this.text = `${text}\n\0\0`;
    this.kind = kind;
  }

  /** Reads the next token and gives its kind. */
  abstract next(): Kind;

  protected token(kind: Kind, start: number, length: number): Kind {
    this.kind = kind;
    this.start = start;
    this.end = this.at = start + length;
    return kind;
  }

  /** Nothing more is read a second time, so that the whole costs no more than the text's length. */
  get exhausted(): boolean {
    return this.wasted > this.length + 100_000;
  }

  fail(): never {
    throw FAULT;
  }

  is(kind: Kind): boolean {
    return this.kind === kind;
  }

  expect(kind: Kind): void {
    if (this.kind !== kind) throw FAULT;
    this.next();
  }

  accept(kind: Kind): boolean {
    if (this.kind !== kind) return false;
    this.next();
    return true;
  }

  /** The current token as a node without an inside. */
  leaf(type: string): Syntax {
    const { start, end } = this;
    this.next();
    return node(type, start, end);
  }

  /** A node from here to the end of the last token. */
  close(type: string, start: number, children: Syntax[]): Syntax {
    return node(type, start, this.last, children);
  }

  link(): void {
    if (++this.links > DEPTH / 4) this.chained = true;
  }
}
