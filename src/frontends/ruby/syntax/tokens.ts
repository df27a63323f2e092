// The kinds of Ruby's tokens, its keywords and how its operators bind, as tables. It reads no text.
import { wordTable } from '../../words.ts';

export enum Kind {
  END,
  NEWLINE,
  SEMICOLON,
  /** What no token begins with. */
  WRONG,
  // Names: a local variable or method, one with `?` or `!`, a constant, and those with a mark before them.
  IDENTIFIER,
  SUFFIXED,
  CONSTANT,
  INSTANCE,
  CLASS_VARIABLE,
  GLOBAL,
  NUMBER,
  /** An opening quote. */
  QUOTE,
  BACKTICK,
  // Brackets and marks
  LPAR,
  RPAR,
  LSQB,
  RSQB,
  LBRACE,
  RBRACE,
  COMMA,
  DOT,
  SAFE_DOT,
  COLON,
  COLONS,
  QUESTION,
  ASSIGN,
  /** `+=` and its like. */
  OPERATE,
  ROCKET,
  ARROW,
  BANG,
  TILDE,
  // Binary operators
  RANGE,
  OROR,
  ANDAND,
  EQUALITY,
  COMPARE,
  PIPE,
  CARET,
  AMPERSAND,
  LEFT,
  RIGHT,
  PLUS,
  MINUS,
  STAR,
  SLASH,
  PERCENT,
  POWER,
  // Keywords
  ALIAS,
  AND,
  BEGIN,
  BEGIN_BLOCK,
  BREAK,
  CASE,
  CLASS,
  DEF,
  DEFINED,
  DO,
  ELSE,
  ELSIF,
  FINISH,
  END_BLOCK,
  ENSURE,
  FALSE,
  FOR,
  IF,
  IN,
  MODULE,
  NEXT,
  NIL,
  NOT,
  OR,
  REDO,
  RESCUE,
  RETRY,
  RETURN,
  SELF,
  SUPER,
  THEN,
  TRUE,
  UNDEF,
  UNLESS,
  UNTIL,
  WHEN,
  WHILE,
  YIELD,
  ENCODING,
  FILE,
  LINE,
  COUNT,
}

/** What may be a method's name after a dot, or a key before a colon. */
export const isWord = (kind: Kind): boolean =>
  kind === Kind.IDENTIFIER || kind === Kind.SUFFIXED || kind === Kind.CONSTANT || kind >= Kind.ALIAS;

const WORDS: [Kind, string][] = [
  [Kind.ALIAS, 'alias'], [Kind.AND, 'and'], [Kind.BEGIN, 'begin'], [Kind.BEGIN_BLOCK, 'BEGIN'], [Kind.BREAK, 'break'],
  [Kind.CASE, 'case'], [Kind.CLASS, 'class'], [Kind.DEF, 'def'], [Kind.DEFINED, 'defined?'], [Kind.DO, 'do'],
  [Kind.ELSE, 'else'], [Kind.ELSIF, 'elsif'], [Kind.FINISH, 'end'], [Kind.END_BLOCK, 'END'], [Kind.ENSURE, 'ensure'],
  [Kind.FALSE, 'false'], [Kind.FOR, 'for'], [Kind.IF, 'if'], [Kind.IN, 'in'], [Kind.MODULE, 'module'],
  [Kind.NEXT, 'next'], [Kind.NIL, 'nil'], [Kind.NOT, 'not'], [Kind.OR, 'or'], [Kind.REDO, 'redo'],
  [Kind.RESCUE, 'rescue'], [Kind.RETRY, 'retry'], [Kind.RETURN, 'return'], [Kind.SELF, 'self'], [Kind.SUPER, 'super'],
  [Kind.THEN, 'then'], [Kind.TRUE, 'true'], [Kind.UNDEF, 'undef'], [Kind.UNLESS, 'unless'], [Kind.UNTIL, 'until'],
  [Kind.WHEN, 'when'], [Kind.WHILE, 'while'], [Kind.YIELD, 'yield'], [Kind.ENCODING, '__ENCODING__'],
  [Kind.FILE, '__FILE__'], [Kind.LINE, '__LINE__'],
]; // biome-ignore format: a table

export const wordKind = wordTable(WORDS);

/** How strongly an operator binds; 0: it is none. */
export const BINDS = new Uint8Array(Kind.COUNT);
export const DEFINED = 10;
export const CONDITIONAL = 20;
export const RANGE = 25;
export const POWER = 80;
const binds: [Kind, number][] = [
  [Kind.QUESTION, CONDITIONAL],
  [Kind.RANGE, RANGE],
  [Kind.OROR, 30],
  [Kind.ANDAND, 35],
  [Kind.EQUALITY, 40],
  [Kind.COMPARE, 45],
  [Kind.PIPE, 50],
  [Kind.CARET, 50],
  [Kind.AMPERSAND, 55],
  [Kind.LEFT, 60],
  [Kind.RIGHT, 60],
  [Kind.PLUS, 65],
  [Kind.MINUS, 65],
  [Kind.STAR, 70],
  [Kind.SLASH, 70],
  [Kind.PERCENT, 70],
  [Kind.POWER, POWER],
];
for (const [kind, strength] of binds) BINDS[kind] = strength;

/** An argument begins with it for certain, whatever white space is around. */
export const BEGINS = new Uint8Array(Kind.COUNT);
for (const kind of [
  Kind.IDENTIFIER,
  Kind.SUFFIXED,
  Kind.CONSTANT,
  Kind.INSTANCE,
  Kind.CLASS_VARIABLE,
  Kind.GLOBAL,
  Kind.NUMBER,
  Kind.QUOTE,
  Kind.BACKTICK,
  Kind.ARROW,
  Kind.TILDE,
  Kind.BANG,
  Kind.BEGIN,
  Kind.CASE,
  Kind.CLASS,
  Kind.DEF,
  Kind.DEFINED,
  Kind.FALSE,
  Kind.FOR,
  Kind.MODULE,
  Kind.NIL,
  Kind.NOT,
  Kind.SELF,
  Kind.SUPER,
  Kind.TRUE,
  Kind.YIELD,
  Kind.ENCODING,
  Kind.FILE,
  Kind.LINE,
])
  BEGINS[kind] = 1;

/** With white space before it and none behind it, one of these begins an argument of a method without parentheses. */
export const MAY_BEGIN = new Uint8Array(Kind.COUNT);
for (const kind of [
  Kind.LSQB,
  Kind.COLONS,
  Kind.AMPERSAND,
  Kind.LEFT,
  Kind.PLUS,
  Kind.MINUS,
  Kind.STAR,
  Kind.SLASH,
  Kind.PERCENT,
  Kind.POWER,
  Kind.QUESTION,
])
  MAY_BEGIN[kind] = 1;
