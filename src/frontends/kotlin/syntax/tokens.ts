// The kinds of Kotlin's tokens, its keywords and its operators, as tables. It reads no text.
import { wordTable } from '../../words.ts';

export enum Kind {
  END,
  /** What no token begins with, or the place where a string lacks its end. */
  WRONG,
  // Names: those after NAME are words only where a declaration or a statement says so.
  NAME,
  /** `public`, `protected`, `internal`, `override`: what stands so in a block is no local declaration. */
  ACCESS,
  PRIVATE,
  /** `abstract`, `sealed` */
  ABSTRACT,
  ENUM,
  ANNOTATION,
  COMPANION,
  SUSPEND,
  /** Any other modifier. */
  MODIFIER,
  CONTEXT,
  CONSTRUCTOR,
  INIT,
  GET,
  SET,
  BY,
  WHERE,
  CATCH,
  FINALLY,
  IMPORT,
  // What stands for a value
  NUMBER,
  CHARACTER,
  /** A string without holes. */
  STRING,
  /** One with holes, up to the first of them. */
  STRING_OPEN,
  /** `$name` */
  HOLE,
  HOLE_OPEN,
  HOLE_CLOSE,
  STRING_CLOSE,
  THIS,
  SUPER,
  // Declarations
  PACKAGE,
  CLASS,
  INTERFACE,
  OBJECT,
  FUN,
  VAL,
  VAR,
  TYPEALIAS,
  // Statements, and what may stand for a value too
  IF,
  ELSE,
  FOR,
  WHILE,
  DO,
  WHEN,
  TRY,
  RETURN,
  THROW,
  BREAK,
  CONTINUE,
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
  /** `?.` */
  SAFE,
  AT,
  ARROW,
  QUESTION,
  /** `=` */
  ASSIGN,
  /** `+=` and its like. */
  CHANGE,
  INCREMENT,
  NOT,
  /** `!!` */
  SURE,
  AND_TYPE,
  // Operators
  OR,
  AND,
  EQUAL,
  LESS,
  /** Always alone: two of them side by side may close two lists of types. */
  GREATER,
  COMPARE,
  IN,
  IS,
  ELVIS,
  RANGE,
  PLUS,
  MINUS,
  TIMES,
  DIVIDE,
  AS,
  COUNT,
}

export const isName = (kind: number): boolean => kind >= Kind.NAME && kind <= Kind.IMPORT;
export const isModifier = (kind: number): boolean => kind >= Kind.ACCESS && kind <= Kind.MODIFIER;
export const isAccess = (kind: number): boolean => kind === Kind.ACCESS || kind === Kind.PRIVATE;

/** How strongly an operator binds; 0 for what is none. A name between two values binds too. */
export const BINDS = new Uint8Array(Kind.COUNT);
export const INFIX = 7;
const binds: [number, Kind[]][] = [
  [1, [Kind.OR]],
  [2, [Kind.AND]],
  [3, [Kind.EQUAL]],
  [4, [Kind.LESS, Kind.GREATER, Kind.COMPARE]],
  [5, [Kind.IN, Kind.IS]],
  [6, [Kind.ELVIS]],
  [8, [Kind.RANGE]],
  [9, [Kind.PLUS, Kind.MINUS]],
  [10, [Kind.TIMES, Kind.DIVIDE]],
  [11, [Kind.AS]],
];
for (const [strength, kinds] of binds) for (const kind of kinds) BINDS[kind] = strength;
for (let kind = Kind.NAME; kind <= Kind.IMPORT; kind++) BINDS[kind] = INFIX;

/** What goes on with an expression even at the beginning of a line. */
export const CONTINUES = new Uint8Array(Kind.COUNT);
for (const kind of [Kind.DOT, Kind.SAFE, Kind.AS, Kind.ELVIS, Kind.AND, Kind.OR]) CONTINUES[kind] = 1;

/** What an expression begins with. */
export const BEGINS = new Uint8Array(Kind.COUNT);
for (let kind = Kind.NAME; kind <= Kind.SUPER; kind++) BEGINS[kind] = 1;
for (let kind = Kind.IF; kind <= Kind.CONTINUE; kind++) BEGINS[kind] = 1;
for (const kind of [Kind.OBJECT, Kind.FUN, Kind.LPAR, Kind.LSQB, Kind.LBRACE, Kind.AT, Kind.COLONS])
  BEGINS[kind] = 1;
for (const kind of [Kind.PLUS, Kind.MINUS, Kind.NOT, Kind.SURE, Kind.INCREMENT]) BEGINS[kind] = 1;
for (const kind of [Kind.HOLE, Kind.HOLE_OPEN, Kind.HOLE_CLOSE, Kind.STRING_CLOSE, Kind.ELSE])
  BEGINS[kind] = 0;

const WORDS: [Kind, string][] = [
  [Kind.ACCESS, 'public protected internal override'], [Kind.PRIVATE, 'private'], [Kind.ABSTRACT, 'abstract sealed'],
  [Kind.ENUM, 'enum'], [Kind.ANNOTATION, 'annotation'], [Kind.COMPANION, 'companion'],
  [Kind.MODIFIER, 'final open data inner value lateinit tailrec operator infix inline external const vararg'],
  [Kind.SUSPEND, 'suspend'],
  [Kind.MODIFIER, 'noinline crossinline reified expect actual out'], [Kind.CONTEXT, 'context'],
  [Kind.CONSTRUCTOR, 'constructor'], [Kind.INIT, 'init'], [Kind.GET, 'get'], [Kind.SET, 'set'], [Kind.BY, 'by'],
  [Kind.WHERE, 'where'], [Kind.CATCH, 'catch'], [Kind.FINALLY, 'finally'], [Kind.IMPORT, 'import'],
  [Kind.THIS, 'this'], [Kind.SUPER, 'super'], [Kind.PACKAGE, 'package'], [Kind.CLASS, 'class'],
  [Kind.INTERFACE, 'interface'], [Kind.OBJECT, 'object'], [Kind.FUN, 'fun'], [Kind.VAL, 'val'], [Kind.VAR, 'var'],
  [Kind.TYPEALIAS, 'typealias'], [Kind.IF, 'if'], [Kind.ELSE, 'else'], [Kind.FOR, 'for'], [Kind.WHILE, 'while'],
  [Kind.DO, 'do'], [Kind.WHEN, 'when'], [Kind.TRY, 'try'], [Kind.RETURN, 'return'], [Kind.THROW, 'throw'],
  [Kind.BREAK, 'break'], [Kind.CONTINUE, 'continue'], [Kind.IN, 'in'], [Kind.IS, 'is'], [Kind.AS, 'as'],
]; // biome-ignore format: a table

export const wordKind = wordTable(WORDS);
