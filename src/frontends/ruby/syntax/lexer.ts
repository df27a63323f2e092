// Ruby's text as tokens, one at a time. What `/`, `%`, `?`, `:` and `<<` begin, the parser knows: here they are operators.
import { Cursor } from '../../cursor.ts';
import { characters, hashed } from '../../words.ts';
import { Kind, wordKind } from './tokens.ts';

/** Part of a word, by its code below 128. */
const WORD = characters(/\w/);
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[dD][\d_]+|0[oO]?[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)(?:ri|r|i)?/y;
const GLOBAL = /\$(?:-\w|[!@&`'+~=/\\,;.<>*$?:"]|\d+|[^\W\d]\w*|[^\0-\x7f][^\0-/:-@[-^`{-\x7f]*)/y;

export abstract class Lexer extends Cursor<Kind> {
  /** White space stands before the token. */
  space = true;
  /** Where the line of the token begins. */
  line = 0;
  /** Heredocs that were opened on this line. */
  readonly pending: Heredoc[] = [];

  constructor(text: string) {
    super(text, Kind.NEWLINE);
    this.at = this.lines(text.charCodeAt(0) === 0xfeff ? 1 : 0);
  }

  /** Reads the bodies of the heredocs that were opened on the line that ends here, and says where they end. */
  protected abstract bodies(at: number): number;

  /** Goes on reading somewhere else. */
  jump(at: number): void {
    this.at = at;
    this.next();
  }

  override next(): Kind {
    const { text } = this;
    this.last = this.end;
    let at = this.at;
    const from = at;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 32) at++;
      else if (c > 96 ? c < 123 : (c > 64 && c < 91) || c === 95) {
        this.space = at > from;
        return this.word(at);
      } else if (c === 10) {
        if (at >= this.length) return this.token(Kind.END, this.length, 0);
        const begin = at;
        at = this.pending.length > 0 ? this.bodies(at) : at;
        // What closes the last heredoc may be the last line.
        if (at >= this.length) return this.token(Kind.END, this.length, 0);
        at = this.lines(at + 1);
        if (this.continues(at)) continue;
        this.token(Kind.NEWLINE, begin, 1);
        this.at = at;
        this.space = true;
        return Kind.NEWLINE;
      } else if (c === 9 || c === 12 || c === 13 || c === 11 || c === 0xa0) at++;
      else if (c === 35) at = text.indexOf('\n', at);
      else if (c === 92) {
        const next = text.charCodeAt(at + 1) === 13 ? at + 2 : at + 1;
        this.space = true;
        if (text.charCodeAt(next) !== 10 || next >= this.length) return this.token(Kind.WRONG, at, 1);
        this.line = next + 1;
        at = next + 1;
      } else {
        this.space = at > from;
        return c < 128 ? this.mark(c, at) : this.word(at);
      }
    }
  }

  /** A line that begins with `.foo` or `&.foo` goes on with the one before; from Ruby 4 so does `&& foo`, `|| foo`, `and foo`. */
  private continues(at: number): boolean {
    const { text } = this;
    const c = text.charCodeAt(at);
    if (c === 46) return text.charCodeAt(at + 1) !== 46;
    if (c === 38) return text.charCodeAt(at + 1) === 46 || text.charCodeAt(at + 1) === 38;
    if (c === 124) return text.charCodeAt(at + 1) === 124;
    return (
      (c === 97 && text.charCodeAt(at + 3) === 32 && text.startsWith('and', at)) ||
      (c === 111 && text.charCodeAt(at + 2) === 32 && text.startsWith('or', at))
    );
  }

  /** From a line's begin over empty lines and comments to the first character of a token. */
  protected lines(from: number): number {
    const { text } = this;
    let at = from;
    this.line = at;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 32 || c === 9 || c === 13 || c === 12) at++;
      else if (c === 35) at = text.indexOf('\n', at);
      else if (c === 10) {
        if (at >= this.length) return this.length;
        this.line = ++at;
      } else if (c === 61 && at === this.line && /\s/.test(text[at + 6]!) && text.startsWith('=begin', at)) {
        const end = text.indexOf('\n=end', at);
        if (end < 0) return this.length;
        at = text.indexOf('\n', end + 1);
      } else if (c === 95 && at === this.line && text.startsWith('__END__', at) && this.isAlone(at + 7))
        return this.length;
      else return at;
    }
  }

  private isAlone(at: number): boolean {
    const c = this.text.charCodeAt(at);
    return c === 10 || (c === 13 && this.text.charCodeAt(at + 1) === 10);
  }

  /** Where the word that begins here ends. */
  protected wordEnd(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c < 128 ? WORD[c] === 0 : c === 0xa0 || c === 0xfeff) return at;
      at++;
    }
  }

  private word(start: number): Kind {
    const { text } = this;
    const first = text.charCodeAt(start);
    if (first === 0xa0 || first === 0xfeff) return this.token(Kind.WRONG, start, 1);
    let hash = 0;
    let at = start;
    let c = first;
    do {
      hash = hashed(hash, c);
      c = text.charCodeAt(++at);
    } while (c < 128 ? WORD[c] === 1 : c !== 0xa0 && c !== 0xfeff);
    if ((c === 33 || c === 63) && this.isSuffix(at)) {
      hash = hashed(hash, c);
      return this.token(wordKind(text, start, at + 1 - start, hash, Kind.SUFFIXED), start, at + 1 - start);
    }
    const kind = first > 64 && first < 91 ? Kind.CONSTANT : Kind.IDENTIFIER;
    return this.token(wordKind(text, start, at - start, hash, kind), start, at - start);
  }

  /** `a?`, `a!`, but not `a != b`. */
  private isSuffix(at: number): boolean {
    if (this.text.charCodeAt(at + 1) !== 61) return true;
    const c = this.text.charCodeAt(at + 2);
    return c === 61 || c === 126 || c === 62;
  }

  private matched(kind: Kind, pattern: RegExp, start: number): Kind {
    pattern.lastIndex = start;
    return this.token(
      pattern.test(this.text) ? kind : Kind.WRONG,
      start,
      Math.max(1, pattern.lastIndex - start),
    );
  }

  private mark(c: number, at: number): Kind {
    const { text } = this;
    const d = text.charCodeAt(at + 1);
    switch (c) {
      case 40:
        return this.token(Kind.LPAR, at, 1);
      case 41:
        return this.token(Kind.RPAR, at, 1);
      case 91:
        return this.token(Kind.LSQB, at, 1);
      case 93:
        return this.token(Kind.RSQB, at, 1);
      case 123:
        return this.token(Kind.LBRACE, at, 1);
      case 125:
        return this.token(Kind.RBRACE, at, 1);
      case 44:
        return this.token(Kind.COMMA, at, 1);
      case 59:
        return this.token(Kind.SEMICOLON, at, 1);
      case 34:
      case 39:
        return this.token(Kind.QUOTE, at, 1);
      case 96:
        return this.token(Kind.BACKTICK, at, 1);
      case 46:
        if (d !== 46) return this.token(Kind.DOT, at, 1);
        return this.token(Kind.RANGE, at, text.charCodeAt(at + 2) === 46 ? 3 : 2);
      case 58:
        return d === 58 ? this.token(Kind.COLONS, at, 2) : this.token(Kind.COLON, at, 1);
      case 63:
        return this.token(Kind.QUESTION, at, 1);
      case 61:
        if (d === 62) return this.token(Kind.ROCKET, at, 2);
        if (d === 126) return this.token(Kind.EQUALITY, at, 2);
        if (d !== 61) return this.token(Kind.ASSIGN, at, 1);
        return this.token(Kind.EQUALITY, at, text.charCodeAt(at + 2) === 61 ? 3 : 2);
      case 33:
        if (d === 61 || d === 126) return this.token(Kind.EQUALITY, at, 2);
        return this.token(Kind.BANG, at, 1);
      case 126:
        return this.token(Kind.TILDE, at, 1);
      case 64: {
        const from = d === 64 ? at + 2 : at + 1;
        const end = this.wordEnd(from);
        if (end === from) return this.token(Kind.WRONG, at, 1);
        return this.token(d === 64 ? Kind.CLASS_VARIABLE : Kind.INSTANCE, at, end - at);
      }
      case 36:
        return this.matched(Kind.GLOBAL, GLOBAL, at);
      default:
        return c > 47 && c < 58 ? this.matched(Kind.NUMBER, NUMBER, at) : this.operator(c, d, at);
    }
  }

  private operator(c: number, d: number, at: number): Kind {
    const { text } = this;
    switch (c) {
      case 43:
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.PLUS, at, 1);
      case 45:
        if (d === 62) return this.token(Kind.ARROW, at, 2);
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.MINUS, at, 1);
      case 42:
        if (d === 42)
          return text.charCodeAt(at + 2) === 61
            ? this.token(Kind.OPERATE, at, 3)
            : this.token(Kind.POWER, at, 2);
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.STAR, at, 1);
      case 47:
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.SLASH, at, 1);
      case 37:
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.PERCENT, at, 1);
      case 94:
        return d === 61 ? this.token(Kind.OPERATE, at, 2) : this.token(Kind.CARET, at, 1);
      case 38:
        if (d === 46) return this.token(Kind.SAFE_DOT, at, 2);
        return this.doubled(c, d, at, Kind.AMPERSAND, Kind.ANDAND);
      case 124:
        return this.doubled(c, d, at, Kind.PIPE, Kind.OROR);
      case 62:
        if (d === 61) return this.token(Kind.COMPARE, at, 2);
        return this.doubled(c, d, at, Kind.COMPARE, Kind.RIGHT);
      case 60:
        if (d === 61)
          return text.charCodeAt(at + 2) === 62
            ? this.token(Kind.EQUALITY, at, 3)
            : this.token(Kind.COMPARE, at, 2);
        return this.doubled(c, d, at, Kind.COMPARE, Kind.LEFT);
      default:
        return this.token(Kind.WRONG, at, 1);
    }
  }

  /** `&`, `&=`, `&&`, `&&=` */
  private doubled(c: number, d: number, at: number, single: Kind, double: Kind): Kind {
    if (d === 61) return this.token(Kind.OPERATE, at, 2);
    if (d !== c) return this.token(single, at, 1);
    return this.text.charCodeAt(at + 2) === 61 ? this.token(Kind.OPERATE, at, 3) : this.token(double, at, 2);
  }
}

/** `<<~SQL`, whose text comes with the next line. */
export interface Heredoc {
  start: number;
  word: string;
  /** `<<~` and `<<-`: the word that ends it may be indented. */
  indented: boolean;
  raw: boolean;
}
