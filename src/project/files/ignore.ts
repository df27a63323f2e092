// Git's ignore patterns: reads .gitignore text and says whether it excludes a path. It does not look for the files.

interface Pattern {
  negated: boolean;
  folderOnly: boolean;
  /** Without a slash in it a pattern means a base name at any depth. */
  anchored: boolean;
  literal?: string;
  regex?: RegExp;
}

/** The patterns of one ignore file; they hold for what lies under `base` (a path relative to the root, or ''). */
export interface IgnoreFile {
  base: string;
  patterns: Pattern[];
}

export function parseIgnore(text: string, base: string): IgnoreFile {
  const patterns: Pattern[] = [];
  for (const raw of text.split(/\r?\n/)) {
    // Trailing blanks count only when escaped.
    let line = raw.replace(/^\uFEFF/, '').replace(/(?<!\\)[ \t]+$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const negated = line.startsWith('!');
    if (negated) line = line.slice(1);
    const folderOnly = line.endsWith('/');
    if (folderOnly) line = line.slice(0, -1);
    const anchored = line.includes('/');
    if (line.startsWith('/')) line = line.slice(1);
    if (line === '') continue;
    const plain = !/[*?[\\]/.test(line);
    const pattern: Pattern = { negated, folderOnly, anchored };
    if (plain) pattern.literal = line;
    else pattern.regex = globRegex(line);
    patterns.push(pattern);
  }
  return { base, patterns };
}

/** The last pattern that matches decides, the innermost file first. `null`: none says anything. */
export function ignored(files: IgnoreFile[], path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let f = files.length - 1; f >= 0; f--) {
    const { base, patterns } = files[f]!;
    const local = base === '' ? path : path.slice(base.length + 1);
    for (let p = patterns.length - 1; p >= 0; p--) {
      const pattern = patterns[p]!;
      if (pattern.folderOnly && !isFolder) continue;
      const subject = pattern.anchored ? local : name;
      if (pattern.literal !== undefined ? pattern.literal === subject : pattern.regex!.test(subject))
        return !pattern.negated;
    }
  }
  return false;
}

/** Says whether a path, or a folder above it, fits one of the patterns; `{a,b}` is allowed besides git's syntax. */
export function createGlobs(patterns: string[], base: string): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const file = parseIgnore(patterns.flatMap(alternatives).join('\n'), base);
  return (path) => {
    if (base !== '' && !path.startsWith(`${base}/`)) return false;
    for (let end = path.length; end > base.length; end = path.lastIndexOf('/', end - 1))
      if (ignored([file], path.slice(0, end), end < path.length)) return true;
    return false;
  };
}

/** `{a,b}{a,b}…` doubles with each pair; nobody means more than these, and a pattern that does is taken as it is written. */
const MOST_ALTERNATIVES = 1000;

/** `*.{sql,py}` is `*.sql` and `*.py`. */
function alternatives(pattern: string): string[] {
  const written = pattern.replace(/^\.\//, '');
  let all = [written];
  for (;;) {
    const next = all.flatMap((one) => {
      const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(one);
      return match ? match[2]!.split(',').map((choice) => `${match[1]}${choice}${match[3]}`) : [one];
    });
    if (next.length > MOST_ALTERNATIVES) return [written];
    if (next.every((one, i) => one === all[i])) return all;
    all = next;
  }
}

/** Nobody writes a longer glob; thousands of stars would be an expression for which the stack does not suffice. */
const LONGEST = 1000;
const NOTHING = /(?!)/;

/**
 * A glob as one expression over a whole path: `*` stays in its folder, `**` does not. What is between two stars is taken
 * where it first fits and never tried elsewhere, since a later place is no better: a pattern of many stars would
 * otherwise be tried in more ways than there is time.
 */
function globRegex(glob: string): RegExp {
  if (glob.length > LONGEST) return NOTHING;
  let atoms = 0;
  const once = (body: string) => {
    atoms++;
    return `(?=(?<a${atoms}>${body}))\\k<a${atoms}>`;
  };
  const segment = (text: string) => {
    const [first, ...chunks] = chunksOf(text);
    return (
      first! + chunks.map((one, i) => (i < chunks.length - 1 ? once(`[^/]*?${one}`) : `[^/]*${one}`)).join('')
    );
  };
  const runs: string[][] = [[]];
  for (const one of glob.split('/')) {
    if (one !== '**') runs.at(-1)!.push(segment(one));
    else if (runs.length === 1 || runs.at(-1)!.length > 0) runs.push([]);
  }
  const out = runs.map((run, i) => {
    const last = i === runs.length - 1;
    if (run.length === 0) return last ? '.*' : '';
    const body = run.join('/') + (last ? '' : '/');
    if (i === 0) return body;
    return last ? `(?:[^/]*/)*${body}` : once(`(?:[^/]*/)*?${body}`);
  });
  try {
    return new RegExp(`^${out.join('')}$`);
  } catch {
    return NOTHING; // a character class that means nothing
  }
}

/** What stands between the stars of one folder's name. */
function chunksOf(glob: string): string[] {
  const chunks = [''];
  const add = (text: string) => {
    chunks[chunks.length - 1] += text;
  };
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '*') {
      if (glob[i - 1] !== '*' || chunks.at(-1) !== '') chunks.push('');
    } else if (c === '?') add('[^/]');
    else if (c === '[') {
      const end = glob.indexOf(']', glob[i + 1] === '!' || glob[i + 1] === '^' ? i + 3 : i + 2);
      if (end < 0) add('\\[');
      else {
        const set = glob
          .slice(i + 1, end)
          .replace(/^[!^]/, '')
          .replace(/[\\[]/g, '\\$&');
        add(`${/^[!^]/.test(glob.slice(i + 1)) ? '[^/' : '['}${set}]`);
        i = end;
      }
    } else if (c === '\\' && i + 1 < glob.length) add(glob[++i]!.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    else add(c.replace(/[.+^${}()|[\]\\]/g, '\\$&'));
  }
  return chunks;
}
