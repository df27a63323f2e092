// Changes of text: applies them to files as they are encoded, and shows them as a diff.
import { readFileSync } from 'node:fs';
import type { Finding, Fix } from '../rule.ts';
import { type Decoded, decode } from './decode.ts';

interface Edit {
  start: number;
  end: number;
  replacement: string;
}

export interface ChangedFile {
  file: string;
  before: string;
  after: string;
  bytes: Uint8Array;
}

/** The safe fixes of all findings, file by file; one that overlaps an earlier one waits for the next run. */
export function changedFiles(
  findings: Finding[],
  fullOf: (file: string) => string,
): { files: ChangedFile[]; applied: number; waiting: number } {
  const taken = new Map<string, Edit[]>();
  let applied = 0;
  let waiting = 0;
  for (const finding of findings) {
    const fix = finding.fixes?.find(({ safe }) => safe);
    if (!fix) continue;
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
    const decoded = decode(readFileSync(fullOf(file)))!;
    const after = withEdits(decoded.text, edits);
    return { file, before: decoded.text, after, bytes: encode({ ...decoded, text: after }) };
  });
  return { files, applied, waiting };
}

function fits(fix: Fix, taken: Map<string, Edit[]>): boolean {
  return fix.edits.every(({ file, at }) =>
    (taken.get(file) ?? []).every((other) => other.end <= at.start || at.end <= other.start),
  );
}

function withEdits(text: string, edits: Edit[]): string {
  let out = text;
  for (const { start, end, replacement } of [...edits].sort((a, b) => b.start - a.start))
    out = out.slice(0, start) + replacement + out.slice(end);
  return out;
}

function encode({ text, encoding }: Decoded): Uint8Array {
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

/** As `diff -u` writes it, so that `git apply` takes it: one hunk from the first to the last changed line. */
export function unifiedDiff({ file, before, after }: ChangedFile): string {
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
  return [
    `--- a/${file}\n+++ b/${file}\n`,
    `@@ -${range(old.length - rest - from)} +${range(now.length - rest - from)} @@\n`,
    show(' ', old.slice(from, head)),
    show('-', old.slice(head, old.length - tail)),
    show('+', now.slice(head, now.length - tail)),
    show(' ', old.slice(old.length - tail, old.length - rest)),
  ].join('');
}

const splitLines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
