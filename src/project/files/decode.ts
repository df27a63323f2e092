// Turns bytes into text and says what had to be assumed; it does not read the disk.
import { isUtf8 } from 'node:buffer';

/** Nothing that people write by hand is longer; dumps of data are. */
export const LARGEST = 20_000_000;

export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be' | 'latin-1';
}

/** A NUL near the start means that it is none, unless a byte order mark says how to read it. */
export function isText(bytes: Uint8Array): boolean {
  return isWide(bytes) || !bytes.subarray(0, 8000).includes(0);
}

const POINTER = 'version https://git-lfs.github.com/spec/';

/** What Git LFS leaves in the place of a file that it was not asked for. */
export const isPointer = (bytes: Uint8Array) =>
  bytes[0] === POINTER.charCodeAt(0) &&
  bytes.length > POINTER.length &&
  bytes.length < 1024 &&
  Buffer.from(bytes.buffer, bytes.byteOffset, POINTER.length).toString('latin1') === POINTER;

/** UTF-16, by its byte order mark. */
export const isWide = (bytes: Uint8Array) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

const hasMark = (bytes: Uint8Array) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** For who looks at bytes: the byte order mark of UTF-8 is none of the first word's. */
export const withoutMark = (bytes: Uint8Array) => (hasMark(bytes) ? bytes.subarray(3) : bytes);

/** `null`: it is no text. */
export function decode(bytes: Uint8Array): Decoded | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe)
    return { text: buffer.toString('utf16le', 2), encoding: 'utf-16le' };
  if (buffer[0] === 0xfe && buffer[1] === 0xff) {
    const swapped = Buffer.from(buffer.subarray(2, buffer.length - (buffer.length % 2))).swap16();
    return { text: swapped.toString('utf16le'), encoding: 'utf-16be' };
  }
  if (!isText(buffer)) return null;
  if (!isUtf8(buffer)) return { text: buffer.toString('latin1'), encoding: 'latin-1' };
  if (hasMark(buffer)) return { text: buffer.toString('utf8', 3), encoding: 'utf-8 with BOM' };
  return { text: buffer.toString('utf8'), encoding: 'utf-8' };
}
