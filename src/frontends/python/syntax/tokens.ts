// The kinds of Python's tokens, its keywords and its operators, as tables. It reads no text.

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

const WORDS: Record<string, Kind> = {
  print: Kind.PRINT,
  exec: Kind.EXEC,
  match: Kind.MATCH,
  case: Kind.CASE,
  type: Kind.TYPE,
  async: Kind.ASYNC,
  await: Kind.AWAIT,
  in: Kind.IN,
  is: Kind.IS,
  not: Kind.NOT,
  and: Kind.AND,
  or: Kind.OR,
  if: Kind.IF,
  else: Kind.ELSE,
  as: Kind.AS,
  lambda: Kind.LAMBDA,
  True: Kind.TRUE,
  False: Kind.FALSE,
  None: Kind.NONE,
  yield: Kind.YIELD,
  from: Kind.FROM,
  for: Kind.FOR,
  while: Kind.WHILE,
  try: Kind.TRY,
  except: Kind.EXCEPT,
  finally: Kind.FINALLY,
  with: Kind.WITH,
  def: Kind.DEF,
  class: Kind.CLASS,
  elif: Kind.ELIF,
  return: Kind.RETURN,
  raise: Kind.RAISE,
  import: Kind.IMPORT,
  pass: Kind.PASS,
  break: Kind.BREAK,
  continue: Kind.CONTINUE,
  global: Kind.GLOBAL,
  nonlocal: Kind.NONLOCAL,
  del: Kind.DEL,
  assert: Kind.ASSERT,
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

export function wordKind(text: string, start: number, length: number, hash: number): Kind {
  for (let slot = hash & (SLOTS - 1); words[slot] !== ''; slot = (slot + 1) & (SLOTS - 1))
    if (words[slot]!.length === length && text.startsWith(words[slot]!, start)) return kinds[slot]!;
  return Kind.NAME;
}
