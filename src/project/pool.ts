// Threads that lower files side by side. A file that kills its thread, or takes for ever, costs only itself.
import { Worker } from 'node:worker_threads';
import { emptyUnit } from '../ir.ts';
import type { Lowered } from './cache/cache.ts';

export interface Pool {
  lower(file: Waiting): Promise<Lowered | null>;
  /** A thread would begin at once, or nearly so, with what it is given now. */
  idle(): boolean;
  /** One more thread. */
  grow(): void;
  /** Takes back what would come last, if it is such a one, for the caller to do. */
  spare(such: (file: Waiting) => boolean): Spared | undefined;
  close(): void;
}

/** A file is read when its turn comes: whole trees do not fit in memory. */
export interface Waiting {
  path: string;
  size: number;
  /** `null` when it went away. */
  read(): Uint8Array | null;
}

export interface Spared {
  file: Waiting;
  done(lowered: Lowered | null): void;
}

interface Job extends Spared {
  id: number;
}

/** How long one file may take. The slowest sound one met took two seconds. */
const LIMIT = 60_000;
/** Jobs given to a thread ahead of its answers, so that it never waits for the next; */
const AHEAD = 8;
/** of large files fewer, for what a thread has it does alone when the others are done. */
const MUCH = 40_000;

export function createPool(script: URL, size: number): Pool {
  const waiting: Job[] = [];
  const threads = Array.from({ length: size }, start);
  let next = 0;
  let closed = false;

  interface Thread {
    worker: Worker;
    running: Job[];
    timer?: NodeJS.Timeout;
  }

  function start(): Thread {
    const thread: Thread = { worker: new Worker(script), running: [] };
    thread.worker.unref();
    thread.worker.on('message', ({ id, lowered }: { id: number; lowered: string }) => {
      const index = thread.running.findIndex((job) => job.id === id);
      const [job] = thread.running.splice(index, 1);
      feed(thread);
      job!.done(JSON.parse(lowered));
    });
    thread.worker.on('error', (error) => lost(thread, error.message));
    thread.worker.on('exit', () => lost(thread, 'its thread ended'));
    return thread;
  }

  /** The job that runs is the first; those that wait behind it go to the thread's successor. */
  function lost(thread: Thread, why: string): void {
    const index = threads.indexOf(thread);
    if (closed || index < 0) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    const [culprit, ...rest] = thread.running;
    if (culprit) {
      const unit = emptyUnit(culprit.file.path, 'settings');
      unit.problems.push({ message: `could not be read: ${why}`, partial: true });
      culprit.done({ unit, latin1: false, lost: true });
    }
    waiting.unshift(...rest);
    threads[index] = start();
    feed(threads[index]);
  }

  function hasRoom({ running }: Thread): boolean {
    if (running.length < 2) return true;
    return running.length < AHEAD && running.reduce((sum, { file }) => sum + file.size, 0) < MUCH;
  }

  function feed(thread: Thread): void {
    while (hasRoom(thread)) {
      const job = waiting.shift();
      if (!job) break;
      const read = job.file.read();
      if (!read) {
        job.done(null);
        continue;
      }
      thread.running.push(job);
      // A copy of its own, for small buffers share one piece of memory.
      const bytes = new Uint8Array(read).buffer;
      thread.worker.postMessage({ id: job.id, path: job.file.path, bytes }, [bytes]);
    }
    clearTimeout(thread.timer);
    if (thread.running.length > 0) {
      thread.worker.ref();
      thread.timer = setTimeout(() => lost(thread, `it took more than ${LIMIT / 1000} s`), LIMIT);
    } else thread.worker.unref();
  }

  return {
    lower(file) {
      return new Promise((done) => {
        waiting.push({ id: next++, file, done });
        const idle = threads.reduce((a, b) => (b.running.length < a.running.length ? b : a));
        if (hasRoom(idle)) feed(idle);
      });
    },
    idle: () => threads.some(hasRoom),
    grow() {
      threads.push(start());
      feed(threads[threads.length - 1]!);
    },
    spare(such) {
      const last = waiting[waiting.length - 1];
      return last && such(last.file) ? waiting.pop() : undefined;
    },
    close() {
      closed = true;
      for (const thread of threads) {
        clearTimeout(thread.timer);
        void thread.worker.terminate();
      }
    },
  };
}
