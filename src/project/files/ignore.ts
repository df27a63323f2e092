// Git's ignore patterns: reads .gitignore text and says whether it excludes a path. It does not look for the files.
import { bytesOf, globRegex, isGlob } from './glob.ts';

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
  for (const raw of bytesOf(text.replace(/^\uFEFF|\r$/g, '')).split(/\r?\n/)) {
    let line = withoutBlanks(raw);
    if (line === '' || line.startsWith('#')) continue;
    const negated = line.startsWith('!');
    if (negated) line = line.slice(1);
    const folderOnly = line.endsWith('/');
    if (folderOnly) line = line.slice(0, -1);
    const anchored = line.includes('/');
    if (line.startsWith('/')) line = line.slice(1);
    if (line === '') continue;
    const pattern: Pattern = { negated, folderOnly, anchored };
    if (isGlob(line)) pattern.regex = globRegex(line);
    else pattern.literal = line;
    patterns.push(pattern);
  }
  return { base, patterns };
}

/** Blanks at the end count only behind a backslash, and a backslash may stand behind another. */
function withoutBlanks(line: string): string {
  if (!line.endsWith(' ')) return line;
  const blanks = / +$/.exec(line)!.index;
  const slashes = /\\*$/.exec(line.slice(0, blanks))![0].length;
  return line.slice(0, blanks + (slashes % 2));
}

/** The last pattern that matches decides, the innermost file first. `null`: none says anything. */
export function ignored(files: IgnoreFile[], path: string, isFolder: boolean): boolean {
  const name = bytesOf(path.slice(path.lastIndexOf('/') + 1));
  for (let f = files.length - 1; f >= 0; f--) {
    const { base, patterns } = files[f]!;
    const local = bytesOf(base === '' ? path : path.slice(base.length + 1));
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

/** `{a,b}{a,b}…` doubles with each pair; nobody means so many characters, and a pattern that does is taken as it is written. */
const MOST_CHARACTERS = 100_000;

/** `*.{sql,py}` is `*.sql` and `*.py`. */
function alternatives(pattern: string): string[] {
  const written = pattern.replace(/^\.\//, '');
  let all = [written];
  for (;;) {
    const next = all.flatMap((one) => {
      const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(one);
      return match ? match[2]!.split(',').map((choice) => `${match[1]}${choice}${match[3]}`) : [one];
    });
    if (next.reduce((sum, one) => sum + one.length, 0) > MOST_CHARACTERS) return [written];
    if (next.every((one, i) => one === all[i])) return all;
    all = next;
  }
}
