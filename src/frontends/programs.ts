// Whose programs a tree has, by the endings of their names: what no front end reads must be said. It reads no file.
import type { Unit } from '../ir.ts';

/** Programs for Node and for a browser end alike; only a driver in a manifest tells that they speak to a database. */
const BROWSERS = ['JavaScript', 'TypeScript'];

/** Languages that a front end reads, to say what the others are a part of. */
const READ: Record<string, string> = {
  py: 'Python',
  rb: 'Ruby',
  rake: 'Ruby',
  java: 'Java',
  kt: 'Kotlin',
  sql: 'SQL',
};

const UNREAD: Record<string, string> = {
  c: 'C',
  cc: 'C++',
  cpp: 'C++',
  clj: 'Clojure',
  cs: 'C#',
  erl: 'Erlang',
  ex: 'Elixir',
  exs: 'Elixir',
  fs: 'F#',
  go: 'Go',
  groovy: 'Groovy',
  hs: 'Haskell',
  js: 'JavaScript',
  cjs: 'JavaScript',
  mjs: 'JavaScript',
  lua: 'Lua',
  pas: 'Pascal',
  php: 'PHP',
  pl: 'Perl',
  pm: 'Perl',
  rs: 'Rust',
  scala: 'Scala',
  swift: 'Swift',
  ts: 'TypeScript',
  cts: 'TypeScript',
  mts: 'TypeScript',
  vb: 'Visual Basic',
};

/** How many files there are of each language. */
export type Programs = Record<string, number>;

/** The language of a program's file that no front end reads as one. */
export function unreadLanguage(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(UNREAD, ending) ? UNREAD[ending] : undefined;
}

/** The language of any program's file. */
export function languageOf(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(READ, ending) ? READ[ending] : unreadLanguage(path);
}

/** A few scripts beside a program are not worth a word. */
const PART = 0.1;

/** Languages of a good part of the programs that nobody reads, the largest first. */
export function unreadOf(programs: Programs, node: boolean): { language: string; files: number }[] {
  const counted = Object.entries(programs).filter(([language]) => node || !BROWSERS.includes(language));
  const all = counted.reduce((sum, [, files]) => sum + files, 0);
  const read = Object.values(READ);
  return counted
    .filter(([language, files]) => !read.includes(language) && files >= all * PART)
    .map(([language, files]) => ({ language, files }))
    .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}

/** A manifest of npm's brings a driver for PostgreSQL. */
export const speaksNode = (units: Unit[]): boolean =>
  units.some(({ settings, packages }) =>
    settings.some(
      ({ of, key, value }) =>
        of === 'driver' && value === 'postgresql' && packages.some(({ name }) => name === `npm:${key}`),
    ),
  );
