// Reads a file that anybody may have put into a repository: a regular one, of a size that people write.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { LARGEST } from './decode.ts';

/** It throws, in words, what is in the way. */
export function readRegular(file: string, most?: number): Buffer {
  const why = unfit(statSync(file), most);
  if (why) throw new Error(why);
  return readFileSync(file);
}

/** Why a file is not read, whatever is in it: a pipe and a device have no end. */
export function unfit(stamp: Stats, most = LARGEST): string | undefined {
  if (stamp.isDirectory()) return 'it is a directory';
  if (!stamp.isFile()) return 'it is no regular file';
  return stamp.size > most ? `it has ${Math.round(stamp.size / 1e6)} MB` : undefined;
}
