// What every reporter is given: findings with the means to show them. Reporters return strings and print nothing.
import type { Span } from '../ir.ts';
import type { Finding, Model, Place, Resolution, Severity } from '../rule.ts';

/** A place as people count: lines and columns from 1, the end column one past the last. */
export interface Region {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface RuleInfo {
  id: string;
  severity: Severity | 'off';
  summary: string;
  link: string;
  /** The text of its rule.md. */
  page(): string;
}

/** A line about a file that could not be read in full. */
export interface Notice {
  file: string;
  line?: number;
  message: string;
  partial: boolean;
}

export interface Counts {
  files: number;
  /** Files that were read in full by a parser, now or earlier; the screen rejected the rest. */
  parsed: number;
  milliseconds: number;
}

/** A finding that does not count: its place says why in a comment, or the baseline has it. */
export interface Held {
  finding: Finding;
  by: 'suppression' | 'baseline';
  reason: string;
}

export interface Report {
  tool: { name: string; version: string; homepage: string };
  rules: RuleInfo[];
  findings: Finding[];
  held: Held[];
  /** Whether findings were compared with a baseline. */
  baseline: boolean;
  /** What was asked about, empty for the whole repository: the same for the same paths. */
  part: string;
  /** How many were left out since the change that was asked about has no part in them. */
  elsewhere: number;
  notices: Notice[];
  counts: Counts;
  /** The database that settings name, where it is another one and application code was left out. */
  otherDatabases?: Model['otherDatabases'];
  /** Languages of a good part of the programs that no front end reads, the largest first. */
  unread?: { language: string; files: number }[];
  resolution?: Resolution;
  /** The same finding has the same one after edits elsewhere, moved lines and renamed files. */
  fingerprint(finding: Finding): string;
  region(place: Place): Region;
  /** A line's text, from 1. */
  line(file: string, line: number): string;
  /** The whole file as UTF-8 gives it, with its byte order mark. */
  raw(file: string): string;
  /** The file as this user would name it, for people; machines get the name itself. */
  display(file: string): string;
}

export const SEVERITIES: Severity[] = ['error', 'warning', 'note'];

export function countOf(findings: Finding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** `2 in the baseline, 1 allowed by a comment`: what a short answer would drop in silence; empty when there is none. */
export function heldBack({ held, elsewhere }: Report): string {
  const count = (by: Held['by']) => held.filter((one) => one.by === by).length;
  const said: [number, string][] = [
    [count('baseline'), 'in the baseline'],
    [count('suppression'), 'allowed by comments'],
    [elsewhere, 'outside of the change'],
  ];
  return said.flatMap(([n, where]) => (n > 0 ? `${n} ${where}` : [])).join(', ');
}

/** Of which application code there is nothing to say, and why; empty when all was judged. */
export function leftOut({ otherDatabases = [], unread = [], display }: Report): string {
  const shown = (path: string) => printable(display(path));
  const why = otherDatabases
    .slice(0, MOST_SHOWN)
    .map(
      (one) =>
        `${codeOf(one, shown)} is not judged, as settings name ${one.value} and not PostgreSQL (${shown(one.file)})`,
    );
  if (otherDatabases.length > MOST_SHOWN)
    why.push(`nor is that of ${plural(otherDatabases.length - MOST_SHOWN, 'other program')}`);
  const count = unread.reduce((sum, { files }) => sum + files, 0);
  if (count > 0)
    why.push(
      `programs in ${listed(unread.map(({ language }) => language))} are not read (${plural(count, 'file')})`,
    );
  return why.join('; ');
}

/** A repository may have a module for each of many databases. */
const MOST_SHOWN = 3;

const codeOf = ({ languages, below }: Model['otherDatabases'][number], shown: (path: string) => string) =>
  below === undefined
    ? `${languages ? listed(languages.map(titled)) : 'application'} code`
    : below === ''
      ? 'code outside of its other programs'
      : `code in ${shown(below)}`;

const listed = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');

const titled = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/**
 * Text from files and file names must not steer a terminal: control and direction characters are shown as codes. So are
 * the two that are no characters, which XML has no way to hold.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g,
    (c) => `\\u{${c.charCodeAt(0).toString(16)}}`,
  );
}

/** JSON in which no control character stands raw: JSON itself would leave those from DEL on as they are. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/[\u007f-\u009f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)}\n`;
}

/** What XML has as text or in an attribute; it allows few control characters. */
export function xml(text: string): string {
  const marks: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return printable(text).replace(/[&<>"']/g, (c) => marks[c]!);
}

/** Comments for us that are wrong: they fail a run as warnings do, so every format that lists warnings has them. */
export const wrongComments = ({ notices }: Report) =>
  notices.filter((one): one is Notice & { line: number } => one.line !== undefined && !one.partial);

/** `2 errors`, `1 wrong comment`: what fails a run, and the notes; the worst first. */
export function countsOf(report: Report): [said: string, severity: Severity][] {
  const said = SEVERITIES.map((severity): [number, string, Severity] => [
    countOf(report.findings, severity),
    severity,
    severity,
  ]);
  said.splice(2, 0, [wrongComments(report).length, `wrong ${COMMENT}`, 'warning']);
  return said.flatMap(([count, what, severity]) => (count > 0 ? [[plural(count, what), severity]] : []));
}

/** What they are called where a rule is. */
export const COMMENT = 'comment';

export const linkOf = (report: Report, finding: Finding) =>
  report.rules.find((rule) => rule.id === finding.rule)?.link ?? '';

/** The worst first, else in the order of places. */
export const bySeverity = (a: Finding, b: Finding) =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);

/** Where a finding stands, whole: for reporters that print one line each. */
export function where(report: Report, place: Place & { at: Span }): string {
  const { line, column } = report.region(place);
  return `${printable(report.display(place.file))}:${line}:${column}`;
}
