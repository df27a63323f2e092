// The hash of each line that GitHub's own client makes, so that an alert keeps its identity when lines move.

const BLOCK = 100;
const [TAB, LF, CR, SPACE, END] = [9, 10, 13, 32, 65535];
const MASK = (1n << 64n) - 1n;
const FACTOR = 37n;
const FIRST = (FACTOR ** BigInt(BLOCK)) & MASK;

/** By line, from 1: a rolling hash over the hundred characters from the line's start, blanks left out, and a count. */
export function lineHashes(text: string): Map<number, string> {
  const window = new Array<number>(BLOCK).fill(0);
  const lines = new Array<number>(BLOCK).fill(0);
  const counts = new Map<string, number>();
  const out = new Map<number, string>();
  let hash = 0n;
  let index = 0;
  let line = 0;
  let atStart = true;
  const give = () => {
    if (lines[index] === 0) return;
    const value = hash.toString(16);
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    out.set(lines[index]!, `${value}:${count}`);
    lines[index] = 0;
  };
  const roll = (code: number) => {
    hash = (FACTOR * hash + BigInt(code) - FIRST * BigInt(window[index]!)) & MASK;
    window[index] = code;
    index = (index + 1) % BLOCK;
  };
  for (let i = 0; i <= text.length; i++) {
    let code = i === text.length ? END : text.charCodeAt(i);
    if (code === SPACE || code === TAB || (code === LF && text.charCodeAt(i - 1) === CR)) continue;
    if (code === CR) code = LF;
    give();
    if (atStart) {
      lines[index] = ++line;
      atStart = false;
    }
    if (code === LF) atStart = true;
    roll(code);
  }
  for (let i = 0; i < BLOCK; i++) {
    give();
    roll(0);
  }
  return out;
}
