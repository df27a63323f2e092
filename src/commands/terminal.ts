// What the terminal can show.

/** NO_COLOR and FORCE_COLOR as people agreed on them: any value but the empty one; `0` forces none. */
export function wantsColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return stream.isTTY === true && TERM !== 'dumb';
}

export interface Progress {
  show(done: number, of: number): void;
  end(): void;
}

/** One line that overwrites itself, on a terminal only, and only when a run takes longer than a second. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  const started = performance.now();
  let shown = 0;
  return {
    show(done, of) {
      const now = performance.now();
      if (!stream.isTTY || now - started < 1000 || now - shown < 100) return;
      shown = now;
      stream.write(
        `\r\u001b[Kparsing ${done} of ${of} files, ${Math.round((done / (now - started)) * 1000)} a second`,
      );
    },
    end() {
      if (shown > 0) stream.write('\r\u001b[K');
    },
  };
}
