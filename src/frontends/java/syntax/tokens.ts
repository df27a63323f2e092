// The kinds of Java's tokens, its keywords and its operators, as tables. It reads no text.
import { wordTable } from '../../words.ts';

export enum Kind {
  END,
  /** What no token begins with, or a string without its end. */
  WRONG,
  // Names: those after NAME are words only where a declaration or a statement says so.
  NAME,
  RECORD,
  SEALED,
  PERMITS,
  MODULE,
  OPEN,
  YIELD,
  // What stands for a value
  NUMBER,
  CHARACTER,
  STRING,
  TRUE,
  FALSE,
  NULL,
  THIS,
  SUPER,
  NEW,
  SWITCH,
  PRIMITIVE,
  VOID,
  // Modifiers
  PUBLIC,
  PROTECTED,
  PRIVATE,
  STATIC,
  ABSTRACT,
  FINAL,
  DEFAULT,
  SYNCHRONIZED,
  /** Any other. */
  MODIFIER,
  // Declarations
  CLASS,
  INTERFACE,
  ENUM,
  EXTENDS,
  IMPLEMENTS,
  THROWS,
  PACKAGE,
  IMPORT,
  // Statements
  IF,
  ELSE,
  FOR,
  WHILE,
  DO,
  CASE,
  TRY,
  CATCH,
  FINALLY,
  RETURN,
  THROW,
  BREAK,
  CONTINUE,
  ASSERT,
  // Brackets and marks
  LPAR,
  RPAR,
  LSQB,
  RSQB,
  LBRACE,
  RBRACE,
  COMMA,
  SEMICOLON,
  COLON,
  COLONS,
  DOT,
  ELLIPSIS,
  AT,
  ARROW,
  QUESTION,
  /** `=`, `+=`, but not `>>=`: that is a `>` and a `>=`. */
  ASSIGN,
  TILDE,
  NOT,
  INCREMENT,
  // Operators
  OR,
  AND,
  OR_BITS,
  XOR,
  AND_BITS,
  EQUAL,
  LESS,
  /** Always alone: two of them side by side may close two lists of types. */
  GREATER,
  LESS_EQUAL,
  GREATER_EQUAL,
  INSTANCEOF,
  LEFT,
  PLUS,
  MINUS,
  TIMES,
  DIVIDE,
  COUNT,
}

export const isName = (kind: number): boolean => kind >= Kind.NAME && kind <= Kind.YIELD;
export const isModifier = (kind: number): boolean => kind >= Kind.PUBLIC && kind <= Kind.MODIFIER;

/** How strongly an operator binds; 0 for what is none. */
export const BINDS = new Uint8Array(Kind.COUNT);
export const SHIFT = 8;
const binds: [number, Kind[]][] = [
  [1, [Kind.OR]],
  [2, [Kind.AND]],
  [3, [Kind.OR_BITS]],
  [4, [Kind.XOR]],
  [5, [Kind.AND_BITS]],
  [6, [Kind.EQUAL]],
  [7, [Kind.LESS, Kind.GREATER, Kind.LESS_EQUAL, Kind.GREATER_EQUAL, Kind.INSTANCEOF]],
  [SHIFT, [Kind.LEFT]],
  [9, [Kind.PLUS, Kind.MINUS]],
  [10, [Kind.TIMES, Kind.DIVIDE]],
];
for (const [strength, kinds] of binds) for (const kind of kinds) BINDS[kind] = strength;

/** Whether it can follow `(Type)` in a cast: no sign, for `(a) - b` is a difference. */
export const FOLLOWS_CAST = new Uint8Array(Kind.COUNT);
for (let kind = Kind.NAME; kind <= Kind.VOID; kind++) FOLLOWS_CAST[kind] = 1;
for (const kind of [Kind.LPAR, Kind.NOT, Kind.TILDE]) FOLLOWS_CAST[kind] = 1;

/** No expression goes on with these: a statement begins. */
export const BEGINS_STATEMENT = new Uint8Array(Kind.COUNT);
for (let kind = Kind.IF; kind <= Kind.ASSERT; kind++) BEGINS_STATEMENT[kind] = 1;
BEGINS_STATEMENT[Kind.SWITCH] = 1;

const WORDS: [Kind, string][] = [
  [Kind.RECORD, 'record'], [Kind.SEALED, 'sealed'], [Kind.PERMITS, 'permits'], [Kind.MODULE, 'module'],
  [Kind.OPEN, 'open'], [Kind.YIELD, 'yield'], [Kind.TRUE, 'true'], [Kind.FALSE, 'false'], [Kind.NULL, 'null'],
  [Kind.THIS, 'this'], [Kind.SUPER, 'super'], [Kind.NEW, 'new'], [Kind.SWITCH, 'switch'], [Kind.VOID, 'void'],
  [Kind.PRIMITIVE, 'byte short int long char float double boolean'], [Kind.PUBLIC, 'public'], [Kind.PROTECTED, 'protected'],
  [Kind.PRIVATE, 'private'], [Kind.STATIC, 'static'], [Kind.ABSTRACT, 'abstract'], [Kind.FINAL, 'final'],
  [Kind.DEFAULT, 'default'], [Kind.SYNCHRONIZED, 'synchronized'], [Kind.MODIFIER, 'strictfp native transient volatile'],
  [Kind.CLASS, 'class'], [Kind.INTERFACE, 'interface'], [Kind.ENUM, 'enum'], [Kind.EXTENDS, 'extends'],
  [Kind.IMPLEMENTS, 'implements'], [Kind.THROWS, 'throws'], [Kind.PACKAGE, 'package'], [Kind.IMPORT, 'import'],
  [Kind.IF, 'if'], [Kind.ELSE, 'else'], [Kind.FOR, 'for'], [Kind.WHILE, 'while'], [Kind.DO, 'do'], [Kind.CASE, 'case'],
  [Kind.TRY, 'try'], [Kind.CATCH, 'catch'], [Kind.FINALLY, 'finally'], [Kind.RETURN, 'return'], [Kind.THROW, 'throw'],
  [Kind.BREAK, 'break'], [Kind.CONTINUE, 'continue'], [Kind.ASSERT, 'assert'], [Kind.INSTANCEOF, 'instanceof'],
]; // biome-ignore format: a table

export const wordKind = wordTable(WORDS);
