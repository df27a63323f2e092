// The last words of names, by which files are searched: `order place` of `ruby:Shop::Order#place`. Not which files have them.

export type Split = (name: string) => [owner: string, last: string];

/** The last two identifiers of a name, lower case: files are searched without regard to case. Equal words are one text. */
export function splitting(): Split {
  const known = new Map<string, string>();
  const word = (text: string): string => {
    const one = known.get(text);
    if (one !== undefined) return one;
    const small = text.toLowerCase();
    known.set(text, small);
    return small;
  };
  return (name) => {
    const first = name.indexOf(':') + 1;
    const lastEnd = wordEnd(name, name.length, first);
    const lastStart = wordStart(name, lastEnd, first);
    const ownerEnd = wordEnd(name, lastStart, first);
    const owner = name.slice(wordStart(name, ownerEnd, first), ownerEnd);
    return [word(owner), word(name.slice(lastStart, lastEnd))];
  };
}

/** Letters, digits, `_`, `$` and all beyond ASCII. */
export const isWord = (c: number) =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36 || c >= 128;

/** Behind the last identifier before `from`. */
function wordEnd(name: string, from: number, first: number): number {
  let at = from;
  while (at > first && !isWord(name.charCodeAt(at - 1))) at--;
  return at;
}

function wordStart(name: string, end: number, first: number): number {
  let at = end;
  while (at > first && isWord(name.charCodeAt(at - 1))) at--;
  return at;
}
