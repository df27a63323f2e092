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
    return { file, before, after: encode({ ...decoded, text: withEdits(decoded.text, edits) }) };
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
 * As `diff -u` writes it, so that `git apply` takes it: one hunk from the first to the last changed line. In bytes, since
 * a file's own encoding, byte order mark and line ends must be there again.
 */
export function unifiedDiff({ file, before, after }: ChangedFile): Buffer {
  const [old, now] = [splitLines(before), splitLines(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, now.length) - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const from = Math.max(0, head - CONTEXT);
  const rest = Math.max(0, tail - CONTEXT);
  const range = (count: number) => `${count === 0 ? from : from + 1},${count}`;
  const show = (mark: string, lines: string[]) =>
    lines
      .map((line) =>
        line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
      )
      .join('');
  const body = [
    `@@ -${range(old.length - rest - from)} +${range(now.length - rest - from)} @@\n`,
    show(' ', old.slice(from, head)),
    show('-', old.slice(head, old.length - tail)),
    show('+', now.slice(head, now.length - tail)),
    show(' ', old.slice(old.length - tail, old.length - rest)),
  ].join('');
  const names = `--- ${diffName(`a/${file}`)}\n+++ ${diffName(`b/${file}`)}\n`;
  return Buffer.concat([Buffer.from(names, 'utf8'), Buffer.from(body, 'latin1')]);
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
