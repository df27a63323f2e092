// What V8's counters say of how much of a program ran; starts none.

export interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

/** The innermost range around a character says how often it ran. */
export function executed(ranges: Range[]): number {
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const open: Range[] = [];
  let [sum, at] = [0, 0];
  const go = (to: number) => {
    sum += (to - at) * (open.at(-1)?.count ?? 0);
    at = to;
  };
  const close = (upTo: number) => {
    for (let last = open.at(-1); last && last.endOffset <= upTo; last = open.at(-1)) {
      go(last.endOffset);
      open.pop();
    }
  };
  for (const range of ranges) {
    close(range.startOffset);
    go(range.startOffset);
    open.push(range);
  }
  close(Infinity);
  return sum;
}
