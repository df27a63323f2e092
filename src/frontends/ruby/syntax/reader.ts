// What the parts of the parser share beside a place in the text: local variables, and what surrounds an expression. No grammar.
import { FAULT } from '../../cursor.ts';
import { as } from '../../nodes.ts';
import { DEPTH, type Syntax } from '../../syntax.ts';
import { Lexer } from './lexer.ts';
import { readBodies } from './literals.ts';
import { Kind } from './tokens.ts';

/** The local variables that are known so far; a block sees those around it. */
export interface Locals {
  names: Set<string>;
  around: Locals | null;
}

export class Reader extends Lexer {
  locals: Locals = { names: new Set(), around: null };
  /** The texts of heredocs, by where they are opened. */
  readonly heredocs = new Map<number, Syntax>();

  // ---- what surrounds an expression: cleared inside brackets

  /** A `do` here belongs to something farther out. */
  noDo = false;
  /** So does a brace: `-> a = b { c }`. */
  noBrace = false;
  /** A `|` ends the parameters of a block. */
  noPipe = false;
  /** Between the `?` and the `:` of a conditional: `a ? b :c`. */
  ternary = false;
  /** `in` belongs to a `for` or a `case`. */
  noIn = false;
  /** A call without parentheses may stand here, whose argument begins with an operator: `foo -1`. */
  command = true;
  /** Where the statement begins: only its own assignment takes `a, b`. */
  statement = -1;
  /** An `end` that is indented less than what it would close is another's: looked at only where a text is broken. */
  readonly indentation: boolean;

  constructor(text: string, indentation: boolean) {
    super(text);
    this.indentation = indentation;
  }

  protected bodies(at: number): number {
    return readBodies(this, at);
  }

  /** A line ends inside a literal, and heredocs were opened on it. */
  atBodies(at: number): number {
    return this.bodies(at);
  }

  /** From where on nothing closes a literal that ends with this character or word. */
  private readonly never = new Map<number | string, number>();

  /** The literal that begins here has no end: all that follows was looked at in vain. */
  unclosed(from: number, close: number | string): never {
    this.wasted += this.length - from;
    if (close !== 0) this.never.set(close, Math.min(from, this.never.get(close) ?? from));
    throw FAULT;
  }

  /** Fails where a look at what follows would be in vain again. */
  mayClose(from: number, close: number | string): void {
    if (close === 0 ? this.exhausted : from >= (this.never.get(close) ?? Infinity)) throw FAULT;
  }

  /** Goes on at the start of a line. */
  restart(at: number): void {
    this.pending.length = 0;
    this.end = Math.min(at, this.length);
    this.jump(this.lines(this.end));
  }

  /** Where the line after this place begins, or the text ends. */
  lineAfter(at: number): number {
    const end = this.text.indexOf('\n', at);
    return end < 0 ? this.length : end + 1;
  }

  skipLines(): void {
    while (this.kind === Kind.NEWLINE) this.next();
  }

  /** A line break or semicolon, or several. */
  terminators(): void {
    while (this.kind === Kind.NEWLINE || this.kind === Kind.SEMICOLON) this.next();
  }

  /** An operator or the like, as a node whose type is what is written. */
  sign(field: string): Syntax {
    return as(field, this.leaf(this.text.slice(this.start, this.end)));
  }

  deeper(): void {
    if (++this.level > DEPTH / 4) this.chained = true;
    if (this.level > DEPTH) {
      this.cut = true;
      throw FAULT;
    }
  }

  // ---- local variables

  isLocal(name: string): boolean {
    for (let one: Locals | null = this.locals; one; one = one.around) if (one.names.has(name)) return true;
    return false;
  }

  declare(name: string): void {
    this.locals.names.add(name);
  }

  declareNode(one: Syntax): void {
    if (one.type === 'identifier') this.declare(this.text.slice(one.start, one.end));
    else if (/^(?:left_assignment_list|destructured_left_assignment|rest_assignment)$/.test(one.type))
      for (const inner of one.children) this.declareNode(inner);
  }

  /** Reads something with local variables of its own, and with those around it when `open`. */
  scoped<T>(open: boolean, read: (x: this) => T): T {
    const around = this.locals;
    this.locals = { names: new Set(), around: open ? around : null };
    const made = this.free(read);
    this.locals = around;
    return made;
  }

  /** Reads something in brackets or up to an `end`: what surrounds them means nothing there. */
  free<T>(read: (x: this) => T): T {
    const { noDo, noBrace, noPipe, ternary, noIn, command, statement } = this;
    this.noDo = this.noBrace = this.noPipe = this.ternary = this.noIn = false;
    this.command = true;
    this.deeper();
    const made = read(this);
    this.level--;
    this.noDo = noDo;
    this.noBrace = noBrace;
    this.noPipe = noPipe;
    this.ternary = ternary;
    this.noIn = noIn;
    this.command = command;
    this.statement = statement;
    return made;
  }

  /** After an error, all as it was. */
  state() {
    const { level, noDo, noBrace, noPipe, ternary, noIn, command, statement, locals } = this;
    return { level, noDo, noBrace, noPipe, ternary, noIn, command, statement, locals };
  }

  restore(state: ReturnType<Reader['state']>): void {
    Object.assign(this, state);
    this.pending.length = 0;
  }

  // ---- where a token stands

  /** Whether it is the first of its line. */
  isFirst(): boolean {
    for (let at = this.line; at < this.start; at++) {
      const c = this.text.charCodeAt(at);
      if (c !== 32 && c !== 9) return false;
    }
    return true;
  }

  /** How far the line is indented that this place is in. */
  indent(place: number): number {
    const from = this.text.lastIndexOf('\n', place - 1) + 1;
    let at = from;
    while (this.text.charCodeAt(at) === 32 || this.text.charCodeAt(at) === 9) at++;
    return at - from;
  }
}
