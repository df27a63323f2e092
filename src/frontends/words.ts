// The words of a language: what they are made of, and its keywords by their hash, with open addresses. It knows no language.

/** Which characters below 128 a pattern matches. */
export const characters = (pattern: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, c) => (pattern.test(String.fromCharCode(c)) ? 1 : 0));

/** Whether it begins with a large letter, as the names of classes do, or a small one, in any alphabet that has both. */
export const isLarge = (word: string): boolean => word.charAt(0) !== word.charAt(0).toLowerCase();
export const isSmall = (word: string): boolean => word.charAt(0) !== word.charAt(0).toUpperCase();

/** What a name is made of, in a class of characters: no language's sign stands among the letters of others. */
export const LETTERS = '\\w\\u00aa-\\uffff';

/** The names right before each place where `mark` stands: of a whole file far cheaper than a pattern that begins with any word. */
export function namesBefore(text: string, mark: string): Set<string> {
  const names = new Set<string>();
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    let start = at;
    while (isPart(text.charCodeAt(start - 1))) start--;
    if (start < at) names.add(text.slice(start, at));
  }
  return names;
}

/** Whether it stands there as a word of its own. */
export function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0 && at < text.length; at = text.indexOf(word, at + 1))
    if (!isPart(text.charCodeAt(at - 1)) && !isPart(text.charCodeAt(at + word.length))) return true;
  return false;
}

/** Whether a name may have it, as LETTERS says. */
export const isPart = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || c === 95 || c >= 170;

const SLOTS = 256;

export const hashed = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** The kind of the keyword that stands there, else `other`. */
export type WordKind = (text: string, start: number, length: number, hash: number, other: number) => number;

/** Each row has words with blanks between them. A word is compared only where one may stand. */
export function wordTable(rows: [number, string][]): WordKind {
  const words: string[] = new Array(SLOTS).fill('');
  const kinds = new Uint8Array(SLOTS);
  for (const [kind, list] of rows)
    for (const word of list.split(' ')) {
      let hash = 0;
      for (let i = 0; i < word.length; i++) hash = hashed(hash, word.charCodeAt(i));
      let slot = hash & (SLOTS - 1);
      while (words[slot] !== '') slot = (slot + 1) & (SLOTS - 1);
      words[slot] = word;
      kinds[slot] = kind;
    }
  return (text, start, length, hash, other) => {
    for (let slot = hash & (SLOTS - 1); words[slot] !== ''; slot = (slot + 1) & (SLOTS - 1))
      if (words[slot]!.length === length && text.startsWith(words[slot]!, start)) return kinds[slot]!;
    return other;
  };
}
