// Says whether bytes contain any of some words, exactly as written: Wu and Manber's search with blocks of two bytes.
import { isWord } from './words.ts';

interface Needle {
  bytes: Buffer;
  /** It begins or ends where a word of the text does. */
  begins: boolean;
  ends: boolean;
}

/**
 * With no words every file passes. Words have two bytes at least. A `|` at either end says that a word of the text begins
 * or ends there: `|cursor(` is not in `to_cursor(`.
 */
export function createSearch(words: string[]): (bytes: Uint8Array) => boolean {
  if (words.length === 0) return () => true;
  const needles = words.map(needleOf);
  const shortest = Math.min(...needles.map(({ bytes }) => bytes.length));
  if (shortest < 2) throw new Error(`a needle is too short: ${words.find((word) => word.length < 2)}`);
  // How far the window may move when it ends in this pair; 0: a needle may begin at the window's start.
  const shift = new Uint8Array(65536).fill(Math.min(255, shortest - 1));
  const endingIn = new Map<number, Needle[]>();
  for (const needle of needles) {
    const { bytes } = needle;
    for (let end = 1; end < shortest; end++) {
      const pair = (bytes[end - 1]! << 8) | bytes[end]!;
      shift[pair] = Math.min(shift[pair]!, shortest - 1 - end);
    }
    const pair = (bytes[shortest - 2]! << 8) | bytes[shortest - 1]!;
    endingIn.set(pair, [...(endingIn.get(pair) ?? []), needle]);
  }
  return (bytes) => {
    let end = shortest - 1;
    while (end < bytes.length) {
      const pair = (bytes[end - 1]! << 8) | bytes[end]!;
      const move = shift[pair]!;
      if (move > 0) end += move;
      else {
        const start = end - shortest + 1;
        for (const needle of endingIn.get(pair)!) if (stands(needle, bytes, start)) return true;
        end++;
      }
    }
    return false;
  };
}

function needleOf(word: string): Needle {
  const begins = word.startsWith('|');
  const ends = word.endsWith('|');
  return { bytes: Buffer.from(word.slice(+begins, word.length - +ends), 'utf8'), begins, ends };
}

function stands({ bytes: needle, begins, ends }: Needle, bytes: Uint8Array, start: number): boolean {
  const end = start + needle.length;
  if (end > bytes.length) return false;
  for (let i = 0; i < needle.length; i++) if (bytes[start + i] !== needle[i]) return false;
  return !(begins && isWord(bytes[start - 1])) && !(ends && isWord(bytes[end]));
}
