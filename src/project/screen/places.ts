// In which files each word stands: pairs are gathered, and sorted once somebody asks. Not what a word does there.

export interface Places {
  /** Files come in rising order. */
  add(word: number, file: number): void;
  /** In rising order, each once; nothing is added any more. */
  of(word: number): Int32Array;
}

const NONE = new Int32Array();

/** Each word is asked for by the last bits of its hash whether the same file had it before: files repeat their words. */
const BITS = 4095;

/** So many pairs first; each further piece is as long as all before it, up to this. */
const FIRST = 1 << 10;
const LONGEST = 1 << 18;

/** A piece: words at even places, each one's file behind it. */
type Pairs = Int32Array;

interface Sorted {
  words: Int32Array;
  /** Where each word's files begin, and behind the last where they end. */
  starts: Int32Array;
  files: Int32Array;
}

export function createPlaces(): Places {
  const lastWords = new Int32Array(BITS + 1);
  const lastFiles = new Int32Array(BITS + 1).fill(-1);
  const full: Pairs[] = [];
  let count = 0;
  let piece: Pairs = new Int32Array(2 * FIRST);
  let at = 0;
  let sorted: Sorted | null = null;

  return { add, of };

  function add(word: number, file: number): void {
    const bits = word & BITS;
    if (lastWords[bits] === word && lastFiles[bits] === file) return;
    lastWords[bits] = word;
    lastFiles[bits] = file;
    if (at === piece.length) {
      full.push(piece);
      count += at / 2;
      piece = new Int32Array(2 * Math.min(LONGEST, count));
      at = 0;
    }
    piece[at++] = word;
    piece[at++] = file;
  }

  function of(word: number): Int32Array {
    if (!sorted) {
      full.push(piece.subarray(0, at));
      piece = NONE;
      sorted = sort(full, count + at / 2);
    }
    const { words, starts, files } = sorted;
    const i = placeOf(words, word);
    return words[i] === word ? files.subarray(starts[i], starts[i + 1]) : NONE;
  }
}

/** By the words alone, from their last bits to their first: files of one word stay in their order. */
function sort(pieces: Pairs[], count: number): Sorted {
  const once = new Int32Array(2 * count);
  scatter(pieces, once, 0);
  // Of millions of pairs these are as much as either of the others.
  pieces.length = 0;
  const twice = new Int32Array(2 * count);
  scatter([once], twice, RADIX);
  scatter([twice], once, 2 * RADIX);
  return spansOf(once);
}

/** Three rounds of so many bits are enough for 32. */
const RADIX = 11;
const DIGITS = 1 << RADIX;
/** The first bit of all says that a number is negative: those stand before the others. */
const SIGN = 1 << 31;

const digit = (word: number, shift: number) => ((word ^ SIGN) >>> shift) & (DIGITS - 1);

function scatter(pieces: Pairs[], to: Pairs, shift: number): void {
  const next = new Int32Array(DIGITS + 1);
  for (const pairs of pieces)
    for (let i = 0; i < pairs.length; i += 2) next[digit(pairs[i]!, shift) + 1]! += 2;
  for (let i = 1; i <= DIGITS; i++) next[i]! += next[i - 1]!;
  for (const pairs of pieces)
    for (let i = 0; i < pairs.length; i += 2) {
      const bits = digit(pairs[i]!, shift);
      const place = next[bits]!;
      to[place] = pairs[i]!;
      to[place + 1] = pairs[i + 1]!;
      next[bits] = place + 2;
    }
}

function spansOf(pairs: Pairs): Sorted {
  let [words, places] = [0, 0];
  const isNewWord = (i: number) => i === 0 || pairs[i] !== pairs[i - 2];
  const isNewPlace = (i: number) => isNewWord(i) || pairs[i + 1] !== pairs[i - 1];
  for (let i = 0; i < pairs.length; i += 2) {
    if (isNewWord(i)) words++;
    if (isNewPlace(i)) places++;
  }
  const out: Sorted = {
    words: new Int32Array(words),
    starts: new Int32Array(words + 1).fill(places),
    files: new Int32Array(places),
  };
  let [word, place] = [0, 0];
  for (let i = 0; i < pairs.length; i += 2) {
    if (isNewWord(i)) {
      out.words[word] = pairs[i]!;
      out.starts[word++] = place;
    }
    if (isNewPlace(i)) out.files[place++] = pairs[i + 1]!;
  }
  return out;
}

/** Where a number stands in a sorted list, or would. */
export function placeOf(list: Int32Array, one: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < one) low = middle + 1;
    else high = middle;
  }
  return low;
}
