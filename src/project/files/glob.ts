// A glob as git's wildmatch takes it, as one expression over the bytes of a path. It knows neither lists of globs nor files.

/** Nobody writes a longer glob; thousands of stars would be an expression for which the stack does not suffice. */
const LONGEST = 1000;
const NOTHING = /(?!)/;
const STAR = Symbol('*');

/** One byte as an expression, or a star. */
type Atom = string | typeof STAR;

/** What means more than itself. */
export const isGlob = (text: string) => /[*?[\\]/.test(text);

/** Git compares bytes: a character for each. */
export function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/**
 * `*` stays in its folder, `**` does not. What is between two stars is taken where it first fits and never tried
 * elsewhere, since a later place is no better: a pattern of many stars would otherwise be tried in more ways than there
 * is time.
 */
export function globRegex(glob: string): RegExp {
  const plain = /^[^*?[\\]*/.exec(glob)![0];
  // Git compares what stands before the first sign as it is; of what follows `**` may be the beginning.
  const segments = glob.length > LONGEST ? null : segmentsOf(glob.slice(plain.length));
  if (!segments) return NOTHING;
  let atoms = 0;
  const once = (body: string) => {
    atoms++;
    return `(?=(?<a${atoms}>${body}))\\k<a${atoms}>`;
  };
  const segment = (parts: Atom[]) => {
    const [first, ...chunks] = chunksOf(parts);
    return (
      first! + chunks.map((one, i) => (i < chunks.length - 1 ? once(`[^/]*?${one}`) : `[^/]*${one}`)).join('')
    );
  };
  const runs: string[][] = [[]];
  for (const parts of segments) {
    if (parts.length < 2 || parts.some((one) => one !== STAR)) runs.at(-1)!.push(segment(parts));
    else if (runs.length === 1 || runs.at(-1)!.length > 0) runs.push([]);
  }
  const out = runs.map((run, i) => {
    const last = i === runs.length - 1;
    if (run.length === 0) return last ? '[^]*' : '';
    const body = run.join('/') + (last ? '' : '/');
    if (i === 0) return body;
    return last ? `(?:[^/]*/)*${body}` : once(`(?:[^/]*/)*?${body}`);
  });
  return new RegExp(`^${[...plain].map(literal).join('')}${out.join('')}$`);
}

const literal = (c: string) => c.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');

/** What stands between the stars of one folder's name. */
function chunksOf(parts: Atom[]): string[] {
  const chunks = [''];
  for (const [i, part] of parts.entries()) {
    if (part !== STAR) chunks[chunks.length - 1] += part;
    else if (parts[i - 1] !== STAR) chunks.push('');
  }
  return chunks;
}

/** The folders' names in it; `null` where a class has no end or a backslash nothing behind it: such a glob fits nothing. */
function segmentsOf(glob: string): Atom[][] | null {
  const segments: Atom[][] = [[]];
  const add = (atom: Atom) => segments.at(-1)!.push(atom);
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '/') segments.push([]);
    else if (c === '*') add(STAR);
    else if (c === '?') add('[^/]');
    else if (c === '\\') {
      if (++i === glob.length) return null;
      add(literal(glob[i]!));
    } else if (c === '[') {
      const found = classAt(glob, i);
      if (!found) return null;
      add(found.regex);
      i = found.end;
    } else add(literal(c));
  }
  return segments;
}

const CLASSES: Record<string, string> = {
  alnum: '0-9A-Za-z', alpha: 'A-Za-z', blank: ' \\t', cntrl: '\\0-\\x1f\\x7f', digit: '0-9', graph: '!-.0-~', lower: 'a-z',
  print: ' -.0-~', punct: '!-.:-@[-`{-~', space: ' \\t\\n\\r', upper: 'A-Z', xdigit: '0-9A-Fa-f',
}; // biome-ignore format: a table

/** `[a-z]`, `[!a]`, `[[:digit:]]`; no class has a slash. `end` is its last bracket. */
function classAt(glob: string, start: number): { regex: string; end: number } | null {
  const hex = (c: string) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const negated = /[!^]/.test(glob[start + 1] ?? '');
  let set = '';
  let before: string | undefined; // what a range may begin with
  const first = start + (negated ? 2 : 1);
  for (let i = first; i < glob.length; i++) {
    let c = glob[i]!;
    if (c === ']' && i > first) {
      const regex = negated ? `[^/${set}]` : set === '' ? '(?!)' : `(?!/)[${set}]`;
      return { regex, end: i };
    }
    const isRange = c === '-' && before !== undefined && glob[i + 1] !== ']';
    if (isRange) c = glob[++i] ?? '';
    if (c === '\\') c = glob[++i] ?? '';
    if (c === '') return null;
    if (isRange) {
      if (before! <= c) set += `${hex(before!)}-${hex(c)}`;
      before = undefined;
      continue;
    }
    const named = c === '[' && glob[i - 1] !== '\\' && glob[i + 1] === ':' ? glob.indexOf(']', i + 2) : -1;
    if (named > 0 && glob[named - 1] === ':' && named > i + 2) {
      const known = CLASSES[glob.slice(i + 2, named - 1)];
      if (known === undefined) return null;
      set += known;
      i = named;
      before = undefined;
    } else {
      set += hex(c);
      before = c;
    }
  }
  return null;
}
