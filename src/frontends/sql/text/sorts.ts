// Which sorts of token each word and sign is, as bits set when text is cut: one look then saves many later. Knows no statement.
import { AGGREGATES, ROW_SETS } from './builtins.ts';

/** `(` and `[`. */
export const OPENS = 1;
/** `)` and `]`. */
export const CLOSES = 2;
/** After a word: it is called, or there is more of the name. */
export const GOES_ON = 4;
export const EQUALS = 8;
/** What may end a statement or change what ends it. */
export const SPLITS = 16;
export const SET_OPERATION = 32;
/** Starts a clause of some statement. */
export const CLAUSE = 64;
/** Starts a query, or may. */
export const QUERY = 128;
/** AND and OR. */
export const LOGIC = 256;
export const CASE = 512;
export const AGGREGATE = 1024;
export const ROW_SET = 2048;
export const CREATE = 4096;

const WORDS: [number, Iterable<string>][] = [
  [SPLITS, ['atomic', 'case', 'end', 'go', '/', '//', '@', '@@', '^']],
  [SET_OPERATION, ['union', 'intersect', 'except']],
  [
    CLAUSE,
    `into from where group having window order limit offset fetch for on returning set using union intersect except`.split(
      ' ',
    ),
  ],
  [QUERY, ['select', 'with', 'values', 'table', 'insert', 'update', 'delete', 'merge']],
  [LOGIC, ['and', 'or']],
  [CASE, ['case']],
  [AGGREGATE, AGGREGATES],
  [ROW_SET, ROW_SETS],
  [EQUALS, ['=']],
  [OPENS | GOES_ON, ['(']],
  [OPENS, ['[']],
  [CLOSES, [')', ']']],
  [CREATE, ['create']],
  [GOES_ON, ['.']],
  [SPLITS, [';']],
];

const sorts = new Map<string, number>();
for (const [bits, words] of WORDS) for (const word of words) sorts.set(word, (sorts.get(word) ?? 0) | bits);

export const sortsOf = (text: string): number => sorts.get(text) ?? 0;

/** In double quotes it is a name, which a function may have. */
export const QUOTED = AGGREGATE | ROW_SET;
