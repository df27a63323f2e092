// What a place of YAML stands under and beside, by the indentation of lines. Each line is looked at once, however often somebody asks.

export interface Outline {
  /** The keys that the place's line stands under, the outermost first. */
  keysAbove(at: number): string[];
  /** The line's own beginning, its neighbours and the lines that it stands under. */
  around(at: number): string;
}

interface Row {
  start: number;
  indent: number;
  text: string;
  key?: string;
  /** The nearest above that has a key and is indented less. */
  parent?: Row;
}

/** So many lines beside it tell whose a key is, and so much of each. */
const [NEAR, LONGEST] = [200, 1000];

/** The beginning of the line that a place is in, as far as anybody needs it. */
export function lineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - LONGEST), at);
  return near.slice(near.lastIndexOf('\n') + 1);
}

export function outlineOf(text: string): Outline {
  let made: Row[] | undefined;
  const rows = () => {
    made ??= rowsOf(text);
    return made;
  };

  function indexOf(at: number): number {
    let [low, high] = [0, rows().length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (rows()[middle]!.start <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    keysAbove: (at) => ancestors(rows()[indexOf(at)]!).map(({ key }) => key!),
    around(at) {
      const index = indexOf(at);
      const own = rows()[index]!;
      const out = [lineBefore(text, at), ...ancestors(own).map((row) => row.text)];
      let { indent } = own;
      for (let i = index - 1; i >= Math.max(0, index - NEAR); i--) {
        const row = rows()[i]!;
        if (row.text.trim() === '' || row.indent > indent) continue;
        ({ indent } = row);
        out.push(row.text);
        if (indent === 0 && !row.text.startsWith('-')) break;
      }
      for (const row of rows().slice(index + 1, index + NEAR)) {
        if (row.text.trim() === '' || row.indent > own.indent) continue;
        if (row.indent < own.indent) break;
        out.push(row.text);
      }
      return out.join('\n');
    },
  };
}

function ancestors(row: Row): Row[] {
  const out: Row[] = [];
  for (let at = row.parent; at; at = at.parent) out.push(at);
  return out.reverse();
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  const open: Row[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, Math.min(end < 0 ? text.length : end, start + LONGEST));
    const [, lead, key] = /^([ \t]*(?:- +)*)(?:["']?([\w.-]+)["']?:)?/.exec(line)!;
    const row: Row = { start, indent: lead!.length, text: line, key };
    row.parent = open.findLast((one) => one.indent < row.indent);
    if (key !== undefined) {
      while (open.length > 0 && open.at(-1)!.indent >= row.indent) open.pop();
      open.push(row);
    }
    rows.push(row);
    start = end < 0 ? text.length + 1 : end + 1;
  }
  return rows;
}
