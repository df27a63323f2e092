// The kinds of Python's tokens, its keywords and its operators, as tables. It reads no text.
import { wordTable } from '../../words.ts';

export enum Kind {
  END,
  NEWLINE,
  /** What no token begins with, or a string without its end. */
  WRONG,
  // Names: those after NAME are words only where a statement says so.
  NAME,
  PRINT,
  EXEC,
  MATCH,
  CASE,
  TYPE,
  ASYNC,
  AWAIT,
  INTEGER,
  FLOAT,
  STRING,
  /** The opening quote of a string with holes. */
  TEMPLATE,
  // Brackets and marks
  LPAR,
  RPAR,
  LSQB,
  RSQB,
  LBRACE,
  RBRACE,
  COMMA,
  COLON,
  SEMICOLON,
  DOT,
  ELLIPSIS,
  ASSIGN,
  WALRUS,
  ARROW,
  BANG,
  TILDE,
  AUGMENTED,
  // Operators
  PLUS,
  MINUS,
  TIMES,
  DIVIDE,
  FLOOR,
  MODULO,
  POWER,
  AT,
  OR_BITS,
  AND_BITS,
  XOR,
  LEFT,
  RIGHT,
  COMPARE,
  // Keywords
  IN,
  IS,
  NOT,
  AND,
  OR,
  IF,
  ELSE,
  AS,
  LAMBDA,
  TRUE,
  FALSE,
  NONE,
  YIELD,
  FROM,
  FOR,
  WHILE,
  TRY,
  EXCEPT,
  FINALLY,
  WITH,
  DEF,
  CLASS,
  ELIF,
  RETURN,
  RAISE,
  IMPORT,
  PASS,
  BREAK,
  CONTINUE,
  GLOBAL,
  NONLOCAL,
  DEL,
  ASSERT,
  COUNT,
}

export const isName = (kind: Kind): boolean => kind >= Kind.NAME && kind <= Kind.AWAIT;

/** How strongly an operator binds: the grammar's numbers, and below them what is no operator there. */
export const AS = 1;
export const CONDITIONAL = 2;
export const NAMED = 3;
export const NOT = 12;
export const COMPARISON = 13;
export const POWER = 21;

export const BINDS = new Uint8Array(Kind.COUNT);
const binds: [Kind, number][] = [
  [Kind.AS, AS],
  [Kind.IF, CONDITIONAL],
  [Kind.WALRUS, NAMED],
  [Kind.OR, 10],
  [Kind.AND, 11],
  [Kind.COMPARE, COMPARISON],
  [Kind.IN, COMPARISON],
  [Kind.IS, COMPARISON],
  [Kind.NOT, COMPARISON],
  [Kind.OR_BITS, 14],
  [Kind.AND_BITS, 15],
  [Kind.XOR, 16],
  [Kind.LEFT, 17],
  [Kind.RIGHT, 17],
  [Kind.PLUS, 18],
  [Kind.MINUS, 18],
  [Kind.TIMES, 19],
  [Kind.DIVIDE, 19],
  [Kind.FLOOR, 19],
  [Kind.MODULO, 19],
  [Kind.AT, 19],
  [Kind.POWER, POWER],
];
for (const [kind, strength] of binds) BINDS[kind] = strength;

/** Whether an expression can begin with it. */
export const BEGINS = new Uint8Array(Kind.COUNT);
for (let kind = Kind.NAME; kind <= Kind.TEMPLATE; kind++) BEGINS[kind] = 1;
for (const kind of [
  Kind.LPAR,
  Kind.LSQB,
  Kind.LBRACE,
  Kind.ELLIPSIS,
  Kind.TILDE,
  Kind.PLUS,
  Kind.MINUS,
  Kind.TIMES,
  Kind.NOT,
  Kind.LAMBDA,
  Kind.TRUE,
  Kind.FALSE,
  Kind.NONE,
])
  BEGINS[kind] = 1;

const WORDS: [Kind, string][] = [
  [Kind.PRINT, 'print'], [Kind.EXEC, 'exec'], [Kind.MATCH, 'match'], [Kind.CASE, 'case'], [Kind.TYPE, 'type'],
  [Kind.ASYNC, 'async'], [Kind.AWAIT, 'await'], [Kind.IN, 'in'], [Kind.IS, 'is'], [Kind.NOT, 'not'], [Kind.AND, 'and'],
  [Kind.OR, 'or'], [Kind.IF, 'if'], [Kind.ELSE, 'else'], [Kind.AS, 'as'], [Kind.LAMBDA, 'lambda'], [Kind.TRUE, 'True'],
  [Kind.FALSE, 'False'], [Kind.NONE, 'None'], [Kind.YIELD, 'yield'], [Kind.FROM, 'from'], [Kind.FOR, 'for'],
  [Kind.WHILE, 'while'], [Kind.TRY, 'try'], [Kind.EXCEPT, 'except'], [Kind.FINALLY, 'finally'], [Kind.WITH, 'with'],
  [Kind.DEF, 'def'], [Kind.CLASS, 'class'], [Kind.ELIF, 'elif'], [Kind.RETURN, 'return'], [Kind.RAISE, 'raise'],
  [Kind.IMPORT, 'import'], [Kind.PASS, 'pass'], [Kind.BREAK, 'break'], [Kind.CONTINUE, 'continue'],
  [Kind.GLOBAL, 'global'], [Kind.NONLOCAL, 'nonlocal'], [Kind.DEL, 'del'], [Kind.ASSERT, 'assert'],
]; // biome-ignore format: a table

export const wordKind = wordTable(WORDS);
