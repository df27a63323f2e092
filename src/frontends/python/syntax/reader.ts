// What the parts of the parser share: its state, its nodes, and asking for a token. No grammar.
import { DEPTH, type Syntax } from '../../syntax.ts';
import { FAULT, Lexer } from './lexer.ts';
import { isName, Kind } from './tokens.ts';

const NONE: Syntax[] = [];

class Node implements Syntax {
  field: string | null = null;
  parent: Syntax | null = null;
  type: string;
  start: number;
  end: number;
  children: Syntax[];

  constructor(type: string, start: number, end: number, children: Syntax[]) {
    this.type = type;
    this.start = start;
    this.end = end;
    this.children = children;
    for (let i = 0; i < children.length; i++) children[i]!.parent = this;
  }
}

export const node = (type: string, start: number, end: number, children: Syntax[] = NONE): Syntax =>
  new Node(type, start, end, children);

/** Gives a node its place in its parent. */
export function as(field: string, one: Syntax): Syntax {
  one.field = field;
  return one;
}

export class Reader extends Lexer {
  /** How deep the tree is here. */
  level = 0;
  /** Links of chains in this statement: `a.b().c` and `a + b + c` make deep trees without depth in the text. */
  links = 0;
  chained = false;
  cut = false;
  error: Syntax | null = null;
  /** A definition whose head is being read: when the head is broken, its body is still its own. */
  begun: { type: string; start: number; name: Syntax } | null = null;

  /** Characters that were read more than once because of errors. */
  wasted = 0;

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
    return new Node(type, start, end, NONE);
  }

  name(): Syntax {
    if (!isName(this.kind)) throw FAULT;
    return this.leaf('identifier');
  }

  /** A node from here to the end of the last token. */
  close(type: string, start: number, children: Syntax[]): Syntax {
    return new Node(type, start, this.last, children);
  }

  link(): void {
    if (++this.links > DEPTH / 4) this.chained = true;
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
    return new Node('ERROR', start, this.last, NONE);
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
      if (token < least || c === 10 || c === 41 || c === 93 || c === 125) continue;
      if (this.column <= column || token === first || (head && token >= failed)) break;
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
