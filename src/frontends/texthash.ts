// Whether two texts are one but for white space. For telling copies of a definition; no secret.

/** FNV-1a over the text with each run of white space as one blank. */
export function textHash(text: string, from = 0, to = text.length): string {
  let h = 0x811c9dc5;
  let blank = false;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    const space = c === 32 || (c >= 9 && c <= 13);
    if (space && blank) continue;
    blank = space;
    h = Math.imul(h ^ (space ? 32 : c), 0x01000193);
  }
  return (h >>> 0).toString(16).padStart(8, '0');
}
