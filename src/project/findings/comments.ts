// Where the comments of a text are, each in the form of its language. It knows strings only as far as not to be fooled by them.

export interface Comment {
  start: number;
  end: number;
  /** What it says, between its marks. */
  from: number;
  to: number;
}

/** `open` is an expression; without `close` the line's end is one. */
interface Form {
  open: string;
  close?: string;
  nested?: boolean;
  /** An expression for what belongs to it behind that. */
  tail?: string;
}

interface Family {
  files: RegExp;
  forms: Form[];
  /** Strings that end on their line, and strings of many lines, in which SQL may stand. */
  strings: string;
  texts?: string;
  /** A line that ends so goes on in the next one, and what is said of one of them is said of all. */
  continues?: string;
  /** How a line is written that is a comment. */
  write?: [before: string, after: string];
}

const FIRST = '(?<=^[ \\t]*)';
const APART = '(?<=^|\\s)';
const QUOTED = `'(?:[^'\\\\\\n]|\\\\.)*'|"(?:[^"\\\\\\n]|\\\\.)*"`;
const THRICE = `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''`;
const BLOCK: Form = { open: '/\\*', close: '*/' };
const NESTED: Form = { ...BLOCK, nested: true };

/** Also in other languages' strings. Languages whose functions stand in SQL have other marks. */
const SQL: Pick<Family, 'forms' | 'strings'> = {
  forms: [
    { open: '--' },
    NESTED,
    { open: '<%#', close: '%>' },
    { open: '\\{#', close: '#}' },
    { open: `${FIRST}(?:#|//)` },
    { open: '(?:#|//)(?=[ \\t]*subxact)' },
  ],
  strings: `[eE]'(?:[^'\\\\\\n]|\\\\.|'')*'|'(?:[^'\\n]|'')*'|"[^"\\n]*"`,
};
const EMBEDDED: Pick<Family, 'forms' | 'strings'> = { forms: [{ open: '--' }, BLOCK], strings: SQL.strings };
const SQL_LINES: Form = { open: `${FIRST}--(?=[ \\t]|subxact)` };

/** The first that fits. */
const FAMILIES: Family[] = [
  { files: /\.json$/i, forms: [], strings: QUOTED },
  { files: /\.(?:sql|psql|pgsql|ddl|plpgsql|pg|pgbench)(?:\.|$)|sql_in$|psqlrc$/i, ...SQL, write: ['-- ', ''] },
  { files: /\.pyw?$/i, forms: [{ open: '#' }], strings: QUOTED, texts: THRICE, write: ['# ', ''] },
  {
    files: /\.(?:rb|rake|ru|arb|gemspec)$|^(?:Rakefile|Gemfile)$/i,
    forms: [{ open: `${APART}#` }, { open: '^=begin\\b', close: '\n=end' }],
    strings: QUOTED,
    texts: '<<[~-]?(["\'`]?)(?<end>[A-Z_]\\w*)\\1[\\s\\S]*?\\n[ \\t]*\\k<end>\\b',
    write: ['# ', ''],
  },
  {
    files: /\.(?:java|kts?|gradle|groovy|scala|sc|sbt|cs|fs|pas|dfm|php|prisma)$/i,
    forms: [{ open: '//' }, BLOCK],
    strings: QUOTED,
    texts: THRICE,
    write: ['// ', ''],
  },
  {
    files: /\.[cm]?[jt]s$/i,
    forms: [{ open: '//' }, BLOCK],
    strings: QUOTED,
    texts: '`(?:[^`\\\\]|\\\\[\\s\\S])*`',
    write: ['// ', ''],
  },
  {
    files: /\.(?:xml|[a-z]+proj|props|config)$/i,
    forms: [{ open: '<!--', close: '-->' }, SQL_LINES, BLOCK],
    strings: QUOTED,
    write: ['<!-- ', ' -->'],
  },
  { files: /\.(?:clj|cljc|edn)$/i, forms: [{ open: ';' }], strings: QUOTED, write: ['; ', ''] },
  {
    files: /\.(?:bat|cmd)$/i,
    forms: [{ open: `(?:${FIRST}@?|& *)[rR][eE][mM]\\b` }, { open: `${FIRST}::` }],
    strings: QUOTED,
    continues: '^',
    write: ['rem ', ''],
  },
  {
    files: /./,
    forms: [
      { open: `${APART}(?:#|//|;)` },
      { open: `${FIRST}!` },
      SQL_LINES,
      { open: `${FIRST}/\\*`, close: '*/' },
      { open: '\\{\\{-?[ \\t]*/\\*', close: '*/', tail: '[ \\t]*-?\\}\\}' },
    ],
    strings: QUOTED,
    continues: '\\',
    write: ['# ', ''],
  },
]; // biome-ignore format: a table

const familyOf = (file: string) => {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return FAMILIES.find(({ files }) => files.test(name))!;
};

export function commentsOf(file: string, text: string): Comment[] {
  const family = familyOf(file);
  // Kotlin and Scala nest theirs.
  const forms = /\.(?:kts?|scala|sc)$/i.test(file)
    ? family.forms.map((f) => (f === BLOCK ? NESTED : f))
    : family.forms;
  return scan(text, 0, text.length, { ...family, forms });
}

/** What ends a line that goes on in the next one; undefined where a line is a line. */
export const continuedBy = (file: string): string | undefined => familyOf(file).continues;

/** Undefined where nothing can be said in a comment, as in JSON. */
export function commentFor(file: string, says: string): string | undefined {
  const { write } = familyOf(file);
  return write && `${write[0]}${says}${write[1]}`;
}

function scan(
  text: string,
  start: number,
  end: number,
  by: Pick<Family, 'forms' | 'strings' | 'texts'>,
): Comment[] {
  const found: Comment[] = [];
  const forms = by.forms.map(({ open }, i) => `(?<f${i}>${open})`);
  const next = new RegExp(
    [...(by.texts ? [`(?<text>${by.texts})`] : []), `(?<string>${by.strings})`, ...forms].join('|'),
    'gm',
  );
  next.lastIndex = start;
  for (let match = next.exec(text); match && match.index < end; match = next.exec(text)) {
    const { groups = {}, index } = match;
    if (groups.text !== undefined) found.push(...scan(text, index + 3, index + match[0].length, EMBEDDED));
    if (groups.text !== undefined || groups.string !== undefined) continue;
    const form = by.forms.find((_, i) => groups[`f${i}`] !== undefined)!;
    const from = index + match[0].length;
    const to = endOf(text, from, form, match[0]);
    const closed = form.close === undefined ? to : Math.min(text.length, to + form.close.length);
    const tail = form.tail ? new RegExp(form.tail, 'y') : undefined;
    if (tail) tail.lastIndex = closed;
    const last = closed + (tail?.exec(text)?.[0].length ?? 0);
    found.push({ start: index, end: last, from, to });
    next.lastIndex = Math.max(last, from);
  }
  return found;
}

function endOf(text: string, from: number, { close, nested }: Form, open: string): number {
  if (close === undefined) {
    const at = text.slice(from).search(/[\r\n]/);
    return at < 0 ? text.length : from + at;
  }
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(close, at)) depth--;
    else if (nested && text.startsWith(open, at)) depth++;
    else continue;
    if (depth === 0) return at;
    at += close.length - 1;
  }
  return text.length;
}

/** The text with blanks for its comments. */
export function withoutComments(text: string, comments: Comment[]): string {
  let out = '';
  let at = 0;
  for (const { start, end } of comments) {
    if (start < at) continue;
    out += text.slice(at, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  return out + text.slice(at);
}
