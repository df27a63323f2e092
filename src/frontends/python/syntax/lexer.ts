// Python's text as tokens, one at a time: lines, indentation, strings. It knows no statement and no expression.
import { Cursor, FAULT } from '../../cursor.ts';
import { characters, hashed } from '../../words.ts';
import { Kind, wordKind } from './tokens.ts';

/** Part of a word, by its code below 128. */
const WORD = characters(/\w/);
const TAB = 8;

export class Lexer extends Cursor<Kind> {
  /** Open brackets, among them that of the current token: line breaks mean nothing inside. */
  depth = 0;
  /** The depth directly inside the braces of a string's hole: there `:` and `!` end the expression. */
  hole = -1;
  /** How far the current logical line is indented. */
  column = 0;
  /** The string that the current token opens. */
  quote = 0;
  triple = false;
  raw = false;
  /** Where strings of several lines begin and end, in pairs. */
  readonly long: number[] = [];
  protected fresh = true;
  private backslash = -1;
  /** From here on no such quotes close anything. */
  private readonly unclosed = [Infinity, Infinity];

  constructor(text: string) {
    // A carriage return alone is a line break too.
    super(text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text, Kind.NEWLINE);
  }

  /** Goes on reading at the start of a line, outside of all brackets. */
  restart(at: number): void {
    this.at = at;
    this.fresh = true;
    this.depth = 0;
    this.hole = -1;
    this.forget(at);
    this.next();
  }

  /** What was read from here on is read again. */
  forget(at: number): void {
    while (this.long.length > 0 && this.long[this.long.length - 1]! > at) this.long.length -= 2;
  }

  override next(): Kind {
    const { text } = this;
    this.last = this.end;
    let at = this.at;
    if (this.fresh) at = this.line(at);
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 32) at++;
      else if (c > 96 ? c < 123 : (c > 64 && c < 91) || c === 95) return this.word(at);
      else if (c === 10) {
        if (at >= this.length) return this.token(Kind.END, this.length, 0);
        at++;
        if (this.depth > 0) continue;
        this.fresh = true;
        return this.token(Kind.NEWLINE, at - 1, 1);
      } else if (c === 9 || c === 12 || c === 13) at++;
      else if (c === 35) at = text.indexOf('\n', at);
      else if (c === 92) {
        const after = this.continued(at);
        if (after < 0) return this.token(Kind.WRONG, at, 1);
        at = after;
      } else if (c < 128) return this.mark(c, at);
      else if (isBlank(text, at)) at++;
      else return this.word(at);
    }
  }

  /** The first token of the next line that has one; its column is the line's. */
  protected line(from: number): number {
    const { text } = this;
    let column = 0;
    let at = from;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 32) column++;
      else if (c === 9) column += TAB - (column % TAB);
      else if (c === 10 && at < this.length) column = 0;
      else if (c === 12 || c === 13) column = 0;
      else if (c === 35) {
        at = text.indexOf('\n', at);
        continue;
      } else if (c === 92 && this.continued(at) >= 0) {
        at = this.continued(at);
        continue;
      } else if (c < 128 || !isBlank(text, at)) break;
      at++;
    }
    this.fresh = false;
    this.column = column;
    return at;
  }

  /** After a backslash that joins two lines; less than 0 where it joins nothing. */
  private continued(at: number): number {
    const { text } = this;
    const next = text.charCodeAt(at + 1) === 13 ? at + 2 : at + 1;
    return text.charCodeAt(next) === 10 ? Math.min(next + 1, this.length) : -1;
  }

  private word(start: number): Kind {
    const { text } = this;
    let hash = 0;
    let at = start;
    let c = text.charCodeAt(at);
    do {
      hash = hashed(hash, c);
      c = text.charCodeAt(++at);
    } while (c < 128 ? WORD[c] === 1 : !isBlank(text, at));
    if ((c === 34 || c === 39) && at - start <= 3 && /^[rbuft]+$/i.test(text.slice(start, at)))
      return this.string(start, at, /[ft]/i.test(text.slice(start, at)));
    return this.token(wordKind(text, start, at - start, hash, Kind.NAME), start, at - start);
  }

  private number(start: number): Kind {
    const { text } = this;
    const base = text.charCodeAt(start) === 48 ? text.charCodeAt(start + 1) | 32 : 0;
    const based = base === 120 || base === 111 || base === 98;
    // `0or 1` is a number and a word.
    if (based && /[\da-f_]/i.test(text[start + 2]!)) return this.based(start);
    let at = this.digits(start);
    let float = false;
    if (text.charCodeAt(at) === 46) {
      float = true;
      at = this.digits(at + 1);
    }
    if ((text.charCodeAt(at) | 32) === 101) {
      const sign = text.charCodeAt(at + 1);
      const first = sign === 43 || sign === 45 ? at + 2 : at + 1;
      const end = this.digits(first);
      if (end > first) {
        float = true;
        at = end;
      }
    }
    const suffix = text.charCodeAt(at) | 32;
    // `1j` is a number; `1jar` is one and a word, as `1if` is.
    if ((suffix === 106 || (suffix === 108 && !float)) && WORD[text.charCodeAt(at + 1)] !== 1) at++;
    return this.token(float ? Kind.FLOAT : Kind.INTEGER, start, at - start);
  }

  private digits(from: number): number {
    let at = from;
    for (let c = this.text.charCodeAt(at); (c >= 48 && c <= 57) || (c === 95 && at > from); )
      c = this.text.charCodeAt(++at);
    return at;
  }

  /** `0xff`, `0b1`, `0o7`, and Python 2's `0xffL`. */
  private based(start: number): Kind {
    const { text } = this;
    const digit = (text.charCodeAt(start + 1) | 32) === 120 ? /[0-9a-f_]/i : /[0-9_]/;
    let at = start + 2;
    while (digit.test(text[at]!)) at++;
    if ((text.charCodeAt(at) | 32) === 108) at++;
    return this.token(Kind.INTEGER, start, at - start);
  }

  private mark(c: number, at: number): Kind {
    const { text } = this;
    const next = text.charCodeAt(at + 1);
    switch (c) {
      case 40:
        this.depth++;
        return this.token(Kind.LPAR, at, 1);
      case 41:
        return this.closer(Kind.RPAR, at);
      case 44:
        return this.token(Kind.COMMA, at, 1);
      case 46:
        if (next >= 48 && next <= 57) return this.number(at);
        if (next === 46 && text.charCodeAt(at + 2) === 46) return this.token(Kind.ELLIPSIS, at, 3);
        return this.token(Kind.DOT, at, 1);
      case 34:
      case 39:
      case 96:
        return this.string(at, at, false);
      case 61:
        return next === 61 ? this.token(Kind.COMPARE, at, 2) : this.token(Kind.ASSIGN, at, 1);
      case 58:
        return next === 61 && this.depth !== this.hole
          ? this.token(Kind.WALRUS, at, 2)
          : this.token(Kind.COLON, at, 1);
      case 91:
        this.depth++;
        return this.token(Kind.LSQB, at, 1);
      case 93:
        return this.closer(Kind.RSQB, at);
      case 123:
        this.depth++;
        return this.token(Kind.LBRACE, at, 1);
      case 125:
        return this.closer(Kind.RBRACE, at);
      default:
        if (c >= 48 && c <= 57) return this.number(at);
        return this.operator(c, next, at);
    }
  }

  private closer(kind: Kind, at: number): Kind {
    if (this.depth > 0) this.depth--;
    return this.token(kind, at, 1);
  }

  private operator(c: number, next: number, at: number): Kind {
    switch (c) {
      case 43:
        return this.augmented(Kind.PLUS, next, at, 1);
      case 45:
        return next === 62 ? this.token(Kind.ARROW, at, 2) : this.augmented(Kind.MINUS, next, at, 1);
      case 42:
        return next === 42 ? this.doubled(Kind.POWER, at) : this.augmented(Kind.TIMES, next, at, 1);
      case 47:
        return next === 47 ? this.doubled(Kind.FLOOR, at) : this.augmented(Kind.DIVIDE, next, at, 1);
      case 37:
        return this.augmented(Kind.MODULO, next, at, 1);
      case 64:
        return this.augmented(Kind.AT, next, at, 1);
      case 124:
        return this.augmented(Kind.OR_BITS, next, at, 1);
      case 38:
        return this.augmented(Kind.AND_BITS, next, at, 1);
      case 94:
        return this.augmented(Kind.XOR, next, at, 1);
      case 60:
        if (next === 60) return this.doubled(Kind.LEFT, at);
        return this.token(Kind.COMPARE, at, next === 61 || next === 62 ? 2 : 1);
      case 62:
        if (next === 62) return this.doubled(Kind.RIGHT, at);
        return this.token(Kind.COMPARE, at, next === 61 ? 2 : 1);
      case 33:
        return next === 61 ? this.token(Kind.COMPARE, at, 2) : this.token(Kind.BANG, at, 1);
      case 59:
        return this.token(Kind.SEMICOLON, at, 1);
      case 126:
        return this.token(Kind.TILDE, at, 1);
      default:
        return this.token(Kind.WRONG, at, 1);
    }
  }

  private augmented(kind: Kind, next: number, at: number, length: number): Kind {
    return next === 61 ? this.token(Kind.AUGMENTED, at, length + 1) : this.token(kind, at, length);
  }

  private doubled(kind: Kind, at: number): Kind {
    return this.augmented(kind, this.text.charCodeAt(at + 2), at, 2);
  }

  // ---- strings

  private string(start: number, quote: number, template: boolean): Kind {
    const { text } = this;
    this.quote = text.charCodeAt(quote);
    this.triple =
      this.quote !== 96 &&
      text.charCodeAt(quote + 1) === this.quote &&
      text.charCodeAt(quote + 2) === this.quote;
    const inside = quote + (this.triple ? 3 : 1);
    if (template) {
      if (this.triple && this.closing(inside, this.quote, true) < 0) return this.token(Kind.WRONG, start, 3);
      this.raw = /r/i.test(text.slice(start, quote));
      return this.token(Kind.TEMPLATE, start, inside - start);
    }
    const end = this.closing(inside, this.quote, this.triple);
    if (end < 0) return this.token(Kind.WRONG, start, inside - start);
    if (this.triple) this.long.push(start, end);
    return this.token(Kind.STRING, start, end - start);
  }

  /** Behind the quotes that close the string whose inside begins here; less than 0 when there are none. */
  closing(inside: number, quote: number, triple: boolean): number {
    const { text } = this;
    if (triple) return this.closingTriple(inside, quote);
    for (let at = inside; ; at++) {
      const c = text.charCodeAt(at);
      if (c === quote) return at + 1;
      if (c === 10) return -1;
      if (c === 92) at += text.charCodeAt(at + 1) === 13 && text.charCodeAt(at + 2) === 10 ? 2 : 1;
      if (at >= this.length) return -1;
    }
  }

  private closingTriple(inside: number, quote: number): number {
    const { text } = this;
    const quotes = quote === 34 ? '"""' : "'''";
    const which = quote === 34 ? 0 : 1;
    if (inside >= this.unclosed[which]!) return -1;
    let at = inside;
    let end = text.indexOf(quotes, at);
    while (end >= 0) {
      if (this.backslash < at) {
        const found = text.indexOf('\\', at);
        this.backslash = found < 0 ? Infinity : found;
      }
      if (this.backslash >= end) return end + 3;
      at = this.backslash + 2;
      if (end < at) end = text.indexOf(quotes, at);
    }
    this.unclosed[which] = inside;
    return -1;
  }

  /** Reads the text of a string with holes from `at` to its next hole (true) or behind its end (false). */
  toHole(quote: number, triple: boolean, raw: boolean): boolean {
    const { text } = this;
    for (let at = this.at; at < this.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 123) {
        if (text.charCodeAt(at + 1) !== 123) {
          this.at = at;
          return true;
        }
        at++;
      } else if (c === quote) {
        if (!triple || (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)) {
          this.at = at + (triple ? 3 : 1);
          return false;
        }
      } else if (c === 92) {
        const next = text.charCodeAt(at + 1);
        if (next === 78 && !raw && text.charCodeAt(at + 2) === 123) {
          const end = text.indexOf('}', at);
          at = end < 0 ? this.length : end;
        } else if (next === 13 && text.charCodeAt(at + 2) === 10) at += 2;
        else if (next !== 123 && next !== 125) at++;
      } else if (c === 10 && !triple) break;
    }
    this.at = this.length;
    throw FAULT;
  }

  /** Reads a hole's format from `at` to its own next hole (true) or to the brace that ends it (false). */
  toFormatHole(quote: number, triple: boolean): boolean {
    const { text } = this;
    for (let at = this.at; at < this.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 123 || c === 125) {
        this.at = at;
        return c === 123;
      }
      if (c === quote && !triple) break;
    }
    throw FAULT;
  }
}

/** White space beyond ASCII, as editors and word processors leave it. */
function isBlank(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return c >= 128 && (c === 0xfeff || c === 0x200b || c === 0x2060 || /\s/.test(text[at]!));
}
