// The kinds of Ruby's tokens, its keywords and how its operators bind, as tables. It reads no text.

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

const WORDS: Record<string, Kind> = {
  alias: Kind.ALIAS,
  and: Kind.AND,
  begin: Kind.BEGIN,
  BEGIN: Kind.BEGIN_BLOCK,
  break: Kind.BREAK,
  case: Kind.CASE,
  class: Kind.CLASS,
  def: Kind.DEF,
  'defined?': Kind.DEFINED,
  do: Kind.DO,
  else: Kind.ELSE,
  elsif: Kind.ELSIF,
  end: Kind.FINISH,
  END: Kind.END_BLOCK,
  ensure: Kind.ENSURE,
  false: Kind.FALSE,
  for: Kind.FOR,
  if: Kind.IF,
  in: Kind.IN,
  module: Kind.MODULE,
  next: Kind.NEXT,
  nil: Kind.NIL,
  not: Kind.NOT,
  or: Kind.OR,
  redo: Kind.REDO,
  rescue: Kind.RESCUE,
  retry: Kind.RETRY,
  return: Kind.RETURN,
  self: Kind.SELF,
  super: Kind.SUPER,
  then: Kind.THEN,
  true: Kind.TRUE,
  undef: Kind.UNDEF,
  unless: Kind.UNLESS,
  until: Kind.UNTIL,
  when: Kind.WHEN,
  while: Kind.WHILE,
  yield: Kind.YIELD,
  __ENCODING__: Kind.ENCODING,
  __FILE__: Kind.FILE,
  __LINE__: Kind.LINE,
};

/** Keywords by their hash, with open addresses: a word is compared only where one may stand. */
const SLOTS = 256;
const words: string[] = new Array(SLOTS).fill('');
const kinds = new Uint8Array(SLOTS);
export const hashed = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

for (const [word, kind] of Object.entries(WORDS)) {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i));
  let slot = hash & (SLOTS - 1);
  while (words[slot] !== '') slot = (slot + 1) & (SLOTS - 1);
  words[slot] = word;
  kinds[slot] = kind;
}

/** The keyword that stands there, else `otherwise`. */
export function wordKind(text: string, start: number, length: number, hash: number, otherwise: Kind): Kind {
  for (let slot = hash & (SLOTS - 1); words[slot] !== ''; slot = (slot + 1) & (SLOTS - 1))
    if (words[slot]!.length === length && text.startsWith(words[slot]!, start)) return kinds[slot]!;
  return otherwise;
}

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
