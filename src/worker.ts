// A thread that lowers files for the command line: gets bytes, gives units as JSON.
import { parentPort } from 'node:worker_threads';
import { lower } from './analyse.ts';
import type { Lowered } from './project/cache/cache.ts';
import { decode } from './project/files/decode.ts';

parentPort!.on('message', async ({ id, path, bytes }: { id: number; path: string; bytes: ArrayBuffer }) => {
  const decoded = decode(new Uint8Array(bytes));
  const unit = decoded && (await lower(path, decoded.text));
  const lowered: Lowered = { unit, latin1: decoded?.encoding === 'latin-1' };
  // One string crosses the border faster than a tree of objects.
  parentPort!.postMessage({ id, lowered: JSON.stringify(lowered) });
});
