// Keywords by their hash, with open addresses: a word is compared only where one may stand. It knows no language.

const SLOTS = 256;

export const hashed = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

export type WordKind = (text: string, start: number, length: number, hash: number) => number;

/** Each row has words with blanks between them; `other` is the kind of what is in none. */
export function wordTable(rows: [number, string][], other: number): WordKind {
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
  return (text, start, length, hash) => {
    for (let slot = hash & (SLOTS - 1); words[slot] !== ''; slot = (slot + 1) & (SLOTS - 1))
      if (words[slot]!.length === length && text.startsWith(words[slot]!, start)) return kinds[slot]!;
    return other;
  };
}
