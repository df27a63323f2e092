// Which files git keeps, by its index: what is in it no ignore pattern leaves out. It starts no git and writes nothing.
import { join } from 'node:path';
import { gitFolder } from './gitfolder.ts';
import { readRegular } from './regular.ts';

export interface Tracked {
  has(file: string): boolean;
  hasBelow(folder: string): boolean;
}

/** Of so many files nobody has an index. */
const LARGEST_INDEX = 1_000_000_000;

/** `null` where there is none, or one that says not all by itself. */
export function trackedIn(root: string): Tracked | null {
  try {
    const folder = gitFolder(root);
    const names = folder && namesIn(readRegular(join(folder, 'index'), LARGEST_INDEX));
    return names ? asTracked(names) : null;
  } catch {
    return null;
  }
}

/** Names are in the order of their bytes. */
interface Names {
  bytes: Buffer;
  starts: Uint32Array;
  ends: Uint32Array;
}

function asTracked({ bytes, starts, ends }: Names): Tracked {
  /** The first name that is not before this one. */
  const from = (name: Buffer): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bytes.compare(name, 0, name.length, starts[middle], ends[middle]) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const begins = (at: number, name: Buffer) =>
    at < starts.length && bytes.compare(name, 0, name.length, starts[at], starts[at]! + name.length) === 0;
  return {
    has(file) {
      const name = Buffer.from(file);
      const at = from(name);
      return begins(at, name) && ends[at]! - starts[at]! === name.length;
    },
    hasBelow(folder) {
      const name = Buffer.from(`${folder}/`);
      return begins(from(name), name);
    },
  };
}

/** Times, numbers and a mode of ten words stand before the hash of the content; behind that two bytes of flags. */
const BEFORE_HASH = 40;
const HEADER = 12;

function namesIn(index: Buffer): Names | null {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null;
  return entries(index, version, 20) ?? entries(index, version, 32); // SHA-1, SHA-256
}

/** Null where it does not end as it must: the hash is of another length. It asks of each byte itself, as calls would take ten times as long. */
function entries(index: Buffer, version: number, hash: number): Names | null {
  const count = index.readUInt32BE(8);
  const end = index.length - hash;
  if (count * (BEFORE_HASH + hash) > index.length) return null;
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  const whole = version === 4 ? createWhole(index) : null;
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    const flags = at + BEFORE_HASH + hash;
    if (flags + 2 > end) return null;
    const said = ((index[flags]! & 0xf) << 8) | index[flags + 1]!;
    const name = flags + (index[flags]! & 0x40 ? 4 : 2);
    let close: number;
    if (whole) {
      close = whole.add(name);
      starts[i] = whole.start;
      ends[i] = whole.end;
      at = close + 1;
    } else {
      close = said < LONG ? name + said : index.indexOf(0, name);
      starts[i] = name;
      ends[i] = close;
      at += (close - at + 8) & ~7;
    }
    if (close < name || close >= end || index[close] !== 0) return null;
    if (said < LONG && said !== ends[i]! - starts[i]!) return null;
  }
  return isAll(index, at, end) ? { bytes: whole?.bytes ?? index, starts, ends } : null;
}

/** A name of so many bytes or more. */
const LONG = 0xfff;
/** Each name may go on where one of 64 kB stood, so that all of them, written whole, would fill any memory; git's are twice the index. */
const MOST_NAMES = 16;

/** What git adds by and by; `link`: most names stand in another file. */
function isAll(index: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if (index.toString('latin1', at, at + 4) === 'link') return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}

/** Of a name only its end is written, and how much of the one before it does not go on. */
function createWhole(index: Buffer) {
  const whole = { bytes: Buffer.alloc(4 * index.length), start: 0, end: 0, add };
  return whole;

  /** From the number that stands before the rest of a name; gives where that ends. */
  function add(from: number): number {
    let at = from;
    // As packs write offsets: seven bits a byte, and one more for each byte but the first.
    let gone = index[at]! & 0x7f;
    while (index[at]! & 0x80) gone = (gone + 1) * 128 + (index[++at]! & 0x7f);
    const [before, kept] = [whole.start, Math.max(0, whole.end - whole.start - gone)];
    let used = whole.end;
    if (used + kept > MOST_NAMES * index.length)
      throw new Error('its names are longer than any that git writes');
    whole.start = used;
    if (used + kept + index.length - at > whole.bytes.length)
      whole.bytes = Buffer.concat([whole.bytes, Buffer.alloc(whole.bytes.length)]);
    const { bytes } = whole;
    for (let i = 0; i < kept; i++) bytes[used++] = bytes[before + i]!;
    for (at++; at < index.length && index[at] !== 0; at++) bytes[used++] = index[at]!;
    whole.end = used;
    return at;
  }
}
