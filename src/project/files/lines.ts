// Where the lines of a text begin, so that an offset becomes a line and a column.

export interface Position {
  /** Both from 1; the column in UTF-16 code units. */
  line: number;
  column: number;
}

export interface Lines {
  text: string;
  /** Offset of each line's first character. */
  starts: number[];
}

export function linesOf(text: string): Lines {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
    return { text, starts };
  }
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return { text, starts };
}

export function positionAt(lines: Lines, offset: number): Position {
  const { starts } = lines;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}

/** One line's text, from 1, without its end. */
export function lineText(lines: Lines, line: number): string {
  const start = lines.starts[line - 1];
  if (start === undefined) return '';
  return lines.text.slice(start, lines.starts[line] ?? lines.text.length).replace(/[\r\n]+$/, '');
}
