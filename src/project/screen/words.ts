// Which identifiers each file has, and which of them it seems to define: an index over bytes, by hash, without a parser.
import { createPlaces, type Places } from './places.ts';

export interface WordIndex {
  /** Reads some more files and says whether any are left; what is asked reads the rest first. */
  more(): boolean;
  /** The files that have this identifier, as numbers; case does not count. */
  uses(word: string): Int32Array;
  /** Those where it stands as definitions do: after a keyword or a type, or before `=` at a line's start. */
  defines(word: string): Int32Array;
  /** Those where it is declared as a class, a module or the like. */
  declares(word: string): Int32Array;
  /** Those where it stands in the line that declares one, behind its name: what that descends from. */
  extends(word: string): Int32Array;
  /** Those where it is capitalized and stands behind `=`, `->` or `return`, before `.new` or alone on a line, as a class does of which one is kept or given. */
  holds(word: string): Int32Array;
}

/** Few enough files that threads do not wait for their next work meanwhile. */
const AT_ONCE = 32;

/** Letters, digits, `_`, `$` and all beyond ASCII; upper case folded. 0: no part of a word. */
const PART = Uint8Array.from({ length: 256 }, (_, c) =>
  (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || c === 95 || c === 36 || c >= 128
    ? c
    : c >= 65 && c <= 90
      ? c + 32
      : 0,
);

/** Whether this byte is part of a word. */
export const isWord = (byte = 0): boolean => PART[byte] !== 0;

const hash = (word: string) => {
  let h = 0x811c9dc5;
  for (const byte of Buffer.from(word, 'utf8')) h = Math.imul(h ^ (PART[byte] || byte), 0x01000193);
  return h | 0;
};
/** What may stand between words of one line: a carriage return too, as Windows ends lines with one. */
const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;

/** A word after one of these is used there, not defined. */
const USERS = new Set(
  'return new throw else in not and or await yield import from if elif elsif unless while until case when raise assert del is include extend require extends implements throws as do then puts print super global nonlocal select where into update join on set call execute perform'
    .split(' ')
    .map(hash),
);
/** All words of its head are defined after one of these: `def self.place`, `fun Order.place`. */
const HEADS = new Set(['def', 'fun'].map(hash));
/** What follows one of these is a type: `class Shop::Order`. */
const TYPES = new Set(['class', 'module', 'interface', 'object', 'enum', 'record', 'trait'].map(hash));
/** Nearly every word is none of these: by the last bits of its hash this says so without looking it up. */
const BITS = 4095;
const MAY_BE = new Uint8Array(BITS + 1);
for (const word of [...USERS, ...HEADS, ...TYPES]) MAY_BE[word & BITS] = 1;

const RETURN = hash('return');
const [NEWLINE, PAREN, DOT, COLON, EQUALS, MORE, BRACKET, A, Z] = [10, 40, 46, 58, 61, 62, 93, 65, 90];
const [SMALL_E, SMALL_N, SMALL_W] = [101, 110, 119];

/** What a routine ends with it gives: `Order.new`, and `Order` on a line of its own. */
const isMade = (bytes: Uint8Array, at: number, before: number): boolean =>
  bytes[at] === DOT
    ? bytes[at + 1] === SMALL_N && bytes[at + 2] === SMALL_E && bytes[at + 3] === SMALL_W
    : bytes[at] === NEWLINE && before === NEWLINE;

/**
 * Files may be added at the end of the list as long as nothing was asked. Of some it is known which words stand before
 * what they define; in others any word may, but those that use.
 */
export function createWordIndex(
  files: readonly unknown[],
  bytesOf: (file: number) => Uint8Array,
  definersOf: (file: number) => readonly string[] | undefined = () => undefined,
): WordIndex {
  const used = createPlaces();
  const defined = createPlaces();
  const declared = createPlaces();
  const extended = createPlaces();
  const held = createPlaces();
  let next = 0;
  const more = () => {
    const end = Math.min(files.length, next + AT_ONCE);
    while (next < end) scan(bytesOf(next), next, hashed(definersOf(next++)));
    return next < files.length;
  };
  const hashes = new Map<string, number>();
  const known = new Map<readonly string[], Set<number>>();
  const hashed = (words: readonly string[] | undefined) => {
    if (!words) return undefined;
    let set = known.get(words);
    if (!set) {
      set = new Set(words.map(hash));
      known.set(words, set);
      for (const word of set) MAY_BE[word & BITS] = 1;
    }
    return set;
  };
  const from = (places: Places) => (word: string) => {
    while (next < files.length) more();
    let h = hashes.get(word);
    if (h === undefined) {
      h = hash(word);
      hashes.set(word, h);
    }
    return places.of(h);
  };
  return {
    more,
    uses: from(used),
    defines: from(defined),
    declares: from(declared),
    extends: from(extended),
    holds: from(held),
  };

  function scan(bytes: Uint8Array, file: number, definers: Set<number> | undefined): void {
    let previous = 0; // the word before, when only blanks stand between; else 0
    let mark = NEWLINE; // the last character that is neither a blank nor part of a word
    let after = false; // it is one of those that stand before a name
    let head = false;
    let type = false;
    let bases = false;
    const length = bytes.length;
    for (let i = 0; i < length; ) {
      let c = PART[bytes[i]!]!;
      if (c === 0) {
        const byte = bytes[i++]!;
        if (isBlank(byte)) continue;
        mark = byte;
        previous = 0;
        after = false;
        if (byte === NEWLINE || byte === PAREN) head = false;
        if (byte === NEWLINE) bases = false;
        if (byte !== COLON) type = false;
        continue;
      }
      const first = bytes[i]!;
      let h = 0x811c9dc5;
      do {
        h = Math.imul(h ^ c, 0x01000193);
        c = ++i < length ? PART[bytes[i]!]! : 0;
      } while (c !== 0);
      h |= 0;
      used.add(h, file);
      const known = MAY_BE[h & BITS] === 1;
      let next = i;
      while (isBlank(bytes[next])) next++;
      const follows = bytes[next];
      if (
        head ||
        after ||
        (previous !== 0 && !definers && !(MAY_BE[previous & BITS] === 1 && USERS.has(previous))) ||
        ((follows === PAREN || follows === EQUALS) && (mark === MORE || mark === BRACKET)) ||
        (follows === EQUALS && mark === NEWLINE && previous === 0)
      )
        defined.add(h, file);
      if (type) declared.add(h, file);
      else if (bases) extended.add(h, file);
      if (
        first <= Z &&
        first >= A &&
        (mark === EQUALS || mark === MORE || previous === RETURN || isMade(bytes, next, mark))
      )
        held.add(h, file);
      if (known && HEADS.has(h)) head = true;
      type = (known && TYPES.has(h) && (!definers || definers.has(h))) || (type && follows === COLON);
      bases ||= type;
      after = known && definers?.has(h) === true;
      previous = h;
    }
  }
}
