// Changes of text: applies them to files as they are encoded, and shows them as a diff.
import { readFileSync, statSync } from 'node:fs';
import type { Finding, Fix } from '../../rule.ts';
import { type Decoded, decode, isWide } from '../files/decode.ts';

interface Edit {
  start: number;
  end: number;
  replacement: string;
}

export interface ChangedFile {
  file: string;
  before: Buffer;
  after: Buffer;
  /** Where they differ, in this order. */
  changes: ChangedLines[];
}

/** From this line up to that one, the first being 0, so many others stand now. */
interface ChangedLines {
  from: number;
  to: number;
  now: number;
}

interface Changes {
  files: ChangedFile[];
  applied: number;
  /** They overlap others: for the next run. */
  waiting: number;
  refused: { file: string; why: string }[];
}

/** The safe fixes of all findings, file by file; one that overlaps an earlier one waits for the next run. */
export function changedFiles(
  findings: Finding[],
  fullOf: (file: string) => string,
  options: { readAt: number; writes: boolean; isOther?(file: string): boolean },
): Changes {
  const taken = new Map<string, Edit[]>();
  const refusals = new Map<string, string | undefined>();
  const refusal = (file: string) => {
    if (!refusals.has(file))
      refusals.set(
        file,
        options.isOther?.(file) ? 'it has changes that are not staged' : whyNot(fullOf(file), options),
      );
    return refusals.get(file);
  };
  let [applied, waiting] = [0, 0];
  for (const finding of findings) {
    const fix = finding.fixes?.find(({ safe }) => safe);
    if (!fix || fix.edits.some(({ file }) => refusal(file))) continue;
    if (fits(fix, taken)) {
      for (const { file, at, replacement } of fix.edits) {
        const list = taken.get(file) ?? [];
        taken.set(file, list);
        list.push({ ...at, replacement });
      }
      applied++;
    } else waiting++;
  }
  const files = [...taken].map(([file, edits]) => {
    const before = readFileSync(fullOf(file));
    const decoded = decode(before)!;
    const after = encode({ ...decoded, text: withEdits(decoded.text, edits) });
    return { file, before, after, changes: linesOf(decoded.text, edits) };
  });
  const refused = [...refusals].flatMap(([file, why]) => (why ? [{ file, why }] : []));
  return { files, applied, waiting, refused };
}

/** Why a file is left alone. Places are those of the text that was analysed: of another text they would cut anything. */
function whyNot(full: string, { readAt, writes }: { readAt: number; writes: boolean }): string | undefined {
  const { mode, mtimeMs } = statSync(full);
  if (mtimeMs > readAt) return 'it changed since it was read; run this again';
  if (writes && (mode & 0o222) === 0) return 'it is read-only';
  if (!writes && isWide(readFileSync(full))) return 'a diff cannot show UTF-16';
  return undefined;
}

/** Two insertions at one place overlap as well: nothing says which comes first. */
function fits(fix: Fix, taken: Map<string, Edit[]>): boolean {
  return fix.edits.every(({ file, at }) =>
    (taken.get(file) ?? []).every(
      (other) => at.start !== other.start && (other.end <= at.start || at.end <= other.start),
    ),
  );
}

function withEdits(text: string, edits: Edit[]): string {
  let out = text;
  for (const { start, end, replacement } of [...edits].sort((a, b) => b.start - a.start))
    out = out.slice(0, start) + replacement + out.slice(end);
  return out;
}

/** Lines as a diff counts them. Edits of one line, or of lines that follow each other, are one change. */
function linesOf(text: string, edits: Edit[]): ChangedLines[] {
  const out: ChangedLines[] = [];
  let [line, place] = [0, 0];
  for (const { start, end, replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    const from = line + ends(text.slice(place, start));
    line = from + ends(text.slice(start, end));
    place = end;
    const now = 1 + ends(replacement);
    const last = out.at(-1);
    if (last && from < last.to) {
      last.now += now + from - last.to;
      last.to = line + 1;
    } else out.push({ from, to: line + 1, now });
  }
  return out;
}

const ends = (text: string) => text.split('\n').length - 1;

function encode({ text, encoding }: Decoded): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8 with BOM':
      return Buffer.from(`\ufeff${text}`, 'utf8');
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'latin-1':
      return Buffer.from(text, 'latin1');
  }
}

const CONTEXT = 3;

/**
 * As `diff -u` writes it, so that `git apply` takes it. In bytes, since a file's own encoding, byte order mark and line
 * ends must be there again.
 */
export function unifiedDiff({ file, before, after, changes }: ChangedFile): Buffer {
  const [old, now] = [splitLines(before), splitLines(after)];
  const parts: string[] = [];
  let added = 0;
  for (let i = 0; i < changes.length; ) {
    let next = i + 1;
    while (next < changes.length && changes[next]!.from - changes[next - 1]!.to <= 2 * CONTEXT) next++;
    const some = changes.slice(i, next);
    parts.push(hunk(some, added, old, now));
    added += some.reduce((sum, one) => sum + one.now - (one.to - one.from), 0);
    i = next;
  }
  const names = `--- ${diffName(`a/${file}`)}\n+++ ${diffName(`b/${file}`)}\n`;
  return Buffer.concat([Buffer.from(names, 'utf8'), Buffer.from(parts.join(''), 'latin1')]);
}

/** Changes with three lines around them; before them so many lines were added to the file. */
function hunk(changes: ChangedLines[], added: number, old: string[], now: string[]): string {
  const from = Math.max(0, changes[0]!.from - CONTEXT);
  const to = Math.min(old.length, changes.at(-1)!.to + CONTEXT);
  const body: [mark: string, line: string][] = [];
  const put = (mark: string, lines: string[]) => {
    for (const line of lines) body.push([mark, line]);
  };
  let [at, shift] = [from, added];
  for (const one of changes) {
    put(' ', old.slice(at, one.from));
    const [was, is] = [old.slice(one.from, one.to), now.slice(one.from + shift, one.from + shift + one.now)];
    let head = 0;
    while (head < Math.min(was.length, is.length) && was[head] === is[head]) head++;
    let tail = 0;
    while (tail < Math.min(was.length, is.length) - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
    put(' ', was.slice(0, head));
    put('-', was.slice(head, was.length - tail));
    put('+', is.slice(head, is.length - tail));
    put(' ', was.slice(was.length - tail));
    at = one.to;
    shift += one.now - (one.to - one.from);
  }
  put(' ', old.slice(at, to));
  const count = (mark: string) => body.filter(([one]) => one === ' ' || one === mark).length;
  const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`;
  const lines = body.map(([mark, line]) =>
    line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`,
  );
  return `@@ -${range(from, count('-'))} +${range(from + added, count('+'))} @@\n${lines.join('')}`;
}

/** As git writes names: in C's quotes where a character would be misread, and with a tab behind a name with blanks. */
function diffName(name: string): string {
  if (!/["\\\u0000-\u001f\u007f]/.test(name)) return name.includes(' ') ? `${name}\t` : name;
  const escaped = name
    .replace(/["\\]/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"${escaped}"`;
}

/** A character for each byte. */
const splitLines = (bytes: Buffer) => bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
