// What the terminal can show.
import { fstatSync, readlinkSync } from 'node:fs';

/** Whether standard output is one. Asked of the file first, and of its name: Node's streams take long to load. */
export function isTerminal(): boolean {
  try {
    if (!fstatSync(1).isCharacterDevice()) return false;
    const name = nameOnLinux();
    return name.startsWith('/dev/pts/') || (name !== '/dev/null' && process.stdout.isTTY === true);
  } catch {
    return false;
  }
}

function nameOnLinux(): string {
  try {
    return readlinkSync('/proc/self/fd/1');
  } catch {
    return '';
  }
}

/** NO_COLOR and FORCE_COLOR as people agreed on them: any value but the empty one; `0` forces none. */
export function wantsColor(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return TERM !== 'dumb' && isTerminal();
}

/** Milliseconds from some moment on. Node's `performance` would load more than a small run needs. */
export const clock = (): number => Number(process.hrtime.bigint() / 1_000_000n);

export interface Progress {
  show(done: number, of: number): void;
  end(): void;
}

/** One line that overwrites itself, on a terminal only, and only when a run takes longer than a second. */
export function createProgress(): Progress {
  const started = clock();
  let shown = 0;
  return {
    show(done, of) {
      const now = clock();
      if (now - started < 1000 || now - shown < 100 || !process.stderr.isTTY) return;
      shown = now;
      process.stderr.write(
        `\r\u001b[Kparsing ${done} of ${of} files, ${Math.round((done / (now - started)) * 1000)} a second`,
      );
    },
    end() {
      if (shown > 0) process.stderr.write('\r\u001b[K');
    },
  };
}

/**
 * Ctrl-C ends the program at once, but for the moment in which a file is written: then it ends right after. It would
 * leave half a file beside the whole one.
 */
export async function uninterrupted(write: () => void): Promise<void> {
  const signals = { SIGINT: 130, SIGTERM: 143 } as const;
  const handlers = Object.entries(signals).map(
    ([signal, code]) => [signal, () => process.exit(code)] as const,
  );
  for (const [signal, end] of handlers) process.on(signal, end);
  try {
    write();
    // A signal that came meanwhile is told in the next turn.
    await new Promise((next) => setImmediate(next));
  } finally {
    for (const [signal, end] of handlers) process.off(signal, end);
  }
}
