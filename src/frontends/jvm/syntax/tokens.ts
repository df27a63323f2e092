// The tokens of a text in Java or Kotlin, all cut at once, and a reader's place among them. No kind of token, and no grammar.
import { FAULT } from '../../cursor.ts';
import { DEPTH } from '../../syntax.ts';
import type { Method, Node, Several, TypeBody } from './syntax.ts';

export interface Tokens {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  /** 1 where a line begins before the token, for whom lines matter. */
  lines: Uint8Array;
  /** Without the END tokens behind the last one, of which there are enough to look ahead without care. */
  count: number;
}

const AHEAD = 8;
/** Files of this size share the room for their tokens. */
const SHARED = 1 << 18;
const shared = room(SHARED);

/** For the tokens of a text that is so long; they hold until the next one asks. */
export const roomFor = (length: number): Tokens => (length <= SHARED ? shared : room(length));

function room(length: number): Tokens {
  const size = length + AHEAD;
  return {
    kinds: new Uint8Array(size),
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    lines: new Uint8Array(size),
    count: 0,
  };
}

/** With tokens of the kind END behind the last one, each at the text's end and on a line of its own. */
export function ended(tokens: Tokens, count: number, length: number, end: number): Tokens {
  tokens.kinds.fill(end, count, count + AHEAD);
  tokens.starts.fill(length, count, count + AHEAD);
  tokens.ends.fill(length, count, count + AHEAD);
  tokens.lines.fill(1, count, count + AHEAD);
  tokens.count = count;
  return tokens;
}

/** Whether a number begins here: with a digit, or with a point before one. */
export const isNumber = (text: string, at: number, c: number): boolean => {
  const first = c === 46 ? text.charCodeAt(at + 1) : c;
  return first >= 48 && first <= 57;
};

/** Beyond ASCII, where all else may be part of a name. */
export const isBlank = (one: string): boolean =>
  one === '\uFEFF' || one === '\u200B' || one === '\u2060' || /\s/.test(one);

export class TokenReader<Kind extends number> {
  readonly text: string;
  readonly kinds: Tokens['kinds'];
  readonly starts: Tokens['starts'];
  readonly ends: Tokens['ends'];
  readonly lines: Tokens['lines'];
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

  constructor(text: string, { kinds, starts, ends, lines, count }: Tokens) {
    this.text = text;
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
    this.lines = lines;
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

  /** The current token's place. */
  place(): { start: number; end: number } {
    return { start: this.starts[this.i]!, end: this.ends[this.i]! };
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
}
