// One surface's thread: it begins with the seeds, changes texts, and keeps those that reach code in a way that none did before.
import { parentPort, workerData } from 'node:worker_threads';
import { mutated, randomOf } from './mutate.ts';
import { surfaces } from './surfaces.ts';

interface Job {
  surface: string;
  runs: number;
  seed: number;
  /** For whoever finds this thread hanging or dead: how many texts it has run, and the one that it runs now. */
  shared: SharedArrayBuffer;
}

const { surface: name, runs, seed, shared } = workerData as Job;
const [did, length] = [new Int32Array(shared, 0, 1), new Int32Array(shared, 4, 1)];
const place = new Uint16Array(shared, 8);

/** What the instrumented bundle counts: how often each branch was taken. */
const counters: number[][] = [];
const { __coverage__ } = globalThis as unknown as {
  __coverage__: Record<string, { b: Record<string, number[]> }>;
};
for (const { b } of Object.values(__coverage__)) counters.push(...Object.values(b));

/** For each branch which of once, twice, up to 8, 64 and more were seen, as bits. */
const seen = new Uint8Array(counters.reduce((sum, one) => sum + one.length, 0));
let reached = 0;

/** Whether a branch was taken as often as never before; all counters begin again. */
function isNew(): boolean {
  let found = false;
  let i = 0;
  for (const one of counters)
    for (let arm = 0; arm < one.length; arm++, i++) {
      const times = one[arm]!;
      if (times === 0) continue;
      one[arm] = 0;
      const bit = times === 1 ? 1 : times === 2 ? 2 : times <= 8 ? 4 : times <= 64 ? 8 : 16;
      if (seen[i]! & bit) continue;
      if (seen[i] === 0) reached++;
      seen[i]! |= bit;
      found = true;
    }
  return found;
}

const { seeds, run, more } = await surfaces[name]!();
const corpus = [...new Set(seeds.filter((one) => one.length < 6000))];
const given = corpus.length;
const words = [...new Set(corpus.flatMap((text) => text.match(/\w+|[^\w\s]+/g) ?? []))];
const random = randomOf(seed);
const failures = new Set<string>();
/** Of the whole process: with other surfaces beside it a text seems slower than it is, and never faster. */
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let slowest = { milliseconds: 0, text: '' };
isNew();

for (let i = 0; i < runs; i++) {
  const fresh = i < given;
  // Half of the time what was kept last, where the newest ground is.
  const from = random(2) ? corpus.length - 1 - random(Math.min(50, corpus.length)) : random(corpus.length);
  const text = fresh ? corpus[i]! : mutated(corpus[from]!, corpus[random(corpus.length)]!, words, random);
  length[0] = Math.min(text.length, place.length);
  for (let at = 0; at < length[0]; at++) place[at] = text.charCodeAt(at);
  did[0] = i;
  const start = spent();
  try {
    await run(text);
    if (isNew()) {
      if (!fresh) corpus.push(text);
      await more?.(text);
      isNew();
    }
  } catch (error) {
    // One of a kind is enough: the first line, and where it was thrown.
    const [line, thrown] = (error as Error).stack!.split('\n');
    const kind = `${line} ${thrown?.trim() ?? ''}`.replace(/\d+/g, '0');
    if (!failures.has(kind)) parentPort!.postMessage({ failed: (error as Error).stack, text });
    failures.add(kind);
  }
  const milliseconds = spent() - start;
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text };
}
parentPort!.postMessage({
  done: { runs, kept: corpus.length - given, reached, of: seen.length, slowest },
});
