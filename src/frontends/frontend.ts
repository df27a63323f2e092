// What a front end is, and which file belongs to which; it loads none of them until asked.
import type { Language, Unit } from '../ir.ts';

/** Reads one language. `lower` is synchronous and never throws on bad input: it reports problems in the unit. */
export interface Frontend {
  lower(file: string, text: string): Unit;
}

export interface FrontendEntry {
  language: Language;
  /** By base name or extension, case-insensitively. */
  files: RegExp;
  /** And only in such folders. */
  folders?: RegExp;
  /** A file without any of these cannot open, lock, write or set anything that matters; empty: parse always. A `|` is where a word begins or ends. */
  needles: string[];
  /** Names the file in which a folder's names stand that others import from it: it is read with what the folder's files import. */
  ofFolder?: string;
  /** The words of which one stands before each name that is defined, where the language has such; `=` at a line's start defines too. */
  definers?: string[];
  /** The text by which a file hands on all names of another one, and says none of them. */
  handsOnAll?: string;
  load(): Promise<Frontend>;
}
