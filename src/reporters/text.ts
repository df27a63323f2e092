// For people at a terminal: each finding with its code, the way to it, and what to write instead.
import type { Finding, Frame, Place } from '../rule.ts';
import {
  COMMENT, countsOf, heldBack, leftOut, type Notice, plural, printable, type Report, where, wrongComments,
} from './report.ts'; // biome-ignore format: one list

export interface TextOptions {
  color: boolean;
  /** Link the rule's name instead of printing its address; for terminals only. */
  links: boolean;
}

export function text(report: Report, options: TextOptions): string {
  const paint = painter(options.color);
  const out: string[] = [];
  for (const finding of report.findings) out.push(one(report, finding, paint, options));
  const wrong = new Set<Notice>(wrongComments(report));
  for (const notice of report.notices) {
    const at = printable(report.display(notice.file)) + (notice.line ? `:${notice.line}` : '');
    const kind = wrong.has(notice)
      ? `${paint.warning('warning')} ${paint.bold(COMMENT)} `
      : `${paint.dim('file')}: `;
    out.push(`${kind}${at}: ${printable(notice.message)}\n`);
  }
  out.push(...waysOut(report).map((line) => `${paint.dim(line)}\n`), summary(report, paint));
  return out.join('');
}

/** So many at once are no change's, but an old code base's on its first day. */
const MANY = 10;

/** What somebody can do whom a hook stops and who means it so. */
function waysOut({ findings, baseline }: Report): string[] {
  const serious = findings.filter(({ severity }) => severity !== 'note');
  if (serious.length === 0) return [];
  const all = serious.length > MANY && !baseline;
  return [
    'meant so? a comment on the line before allows it: subxact: allow RULE, because REASON',
    ...(all ? ['is all of this old? subxact baseline keeps it, and only what is new fails'] : []),
  ];
}

function one(report: Report, finding: Finding, paint: Paint, options: TextOptions): string {
  const link = report.rules.find((rule) => rule.id === finding.rule)?.link ?? '';
  const name = options.links ? hyperlink(link, finding.rule) : finding.rule;
  const tint = paint[finding.severity];
  const lines = [
    `${tint(finding.severity)} ${paint.bold(name)}${sure(finding)} ${paint.bold(where(report, finding))}`,
    ...wrap(printable(finding.message), '  '),
    ...frame(report, finding, tint, '  '),
  ];
  if (finding.trace.length > 1) {
    lines.push(`  ${paint.dim('how it is reached')}`);
    for (const [index, step] of finding.trace.entries()) lines.push(...traced(report, step, index, paint));
  }
  if (finding.others?.length)
    lines.push(`  ${paint.dim(`and in ${plural(finding.others.length, 'other way')}`)}`);
  lines.push(...wrap(`${paint.good('instead')} ${printable(finding.remedy)}`, '  '));
  for (const fix of finding.fixes ?? [])
    lines.push(`  ${paint.good(fix.safe ? 'fix (--fix)' : 'suggestion')} ${printable(fix.title)}`);
  if (!options.links) lines.push(`  ${paint.dim(link)}`);
  return `${lines.join('\n')}\n\n`;
}

const sure = (finding: Finding) => (finding.certainty === 'certain' ? '' : ` (${finding.certainty})`);

function traced(report: Report, step: Frame, index: number, paint: Paint): string[] {
  const { line } = report.region(step);
  const code = printable(report.line(step.file, line).trim().replaceAll('\t', ' '));
  const short = code.length > 90 ? `${code.slice(0, 89)}…` : code;
  return [
    `    ${index + 1}. ${printable(step.says)} ${paint.dim(where(report, step))}`,
    `       ${paint.dim(short)}`,
  ];
}

/** The line with its words underlined. A tab is shown as two blanks, so that the underline stands where it should. */
function frame(report: Report, place: Place, tint: (text: string) => string, indent: string): string[] {
  const region = report.region(place);
  const raw = report.line(place.file, region.line);
  const shown = (part: string) => printable(part.replaceAll('\t', '  '));
  const end = region.endLine === region.line ? region.endColumn - 1 : raw.length;
  // A minified line is cut around the place.
  const from = region.column > 120 ? region.column - 40 : 0;
  const before = shown(raw.slice(from, region.column - 1));
  const words = shown(raw.slice(region.column - 1, Math.min(end, from + 240)));
  const after = shown(raw.slice(end, Math.max(end, from + 160)));
  const number = String(region.line);
  return [
    `${indent}${number} | ${before}${words}${after}`,
    `${indent}${' '.repeat(number.length)} | ${' '.repeat(cells(before))}${tint('^'.repeat(Math.max(1, cells(words))))}`,
  ];
}

const PLAIN = /^[ -~]*$/;
const NONE = /[\p{Mn}\p{Me}\u200b-\u200f]/u;
const TWO =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** How many places of a terminal a text takes: some characters take two, and accents none. */
function cells(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let count = 0;
  for (const c of text) count += TWO.test(c) ? 2 : NONE.test(c) ? 0 : 1;
  return count;
}

function summary(report: Report, paint: Paint): string {
  const read = `${plural(report.counts.files, 'file')} in ${(report.counts.milliseconds / 1000).toFixed(1)} s`;
  const partial = new Set(report.notices.filter((notice) => notice.partial).map((notice) => notice.file))
    .size;
  const held = heldBack(report);
  const why = leftOut(report);
  const rest = `${held && `; ${held}`}${partial > 0 ? `; ${plural(partial, 'file')} only partly analysed` : ''}${why && `; ${why}`}`;
  const counts = countsOf(report).map(([said, severity]) => paint[severity](said));
  if (counts.length === 0) counts.push(paint.good(held ? 'nothing new' : 'nothing found'));
  return `${counts.join(', ')} in ${read}${rest}\n`;
}

/** Breaks between words at about 100 columns. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length > 100) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(indent + line);
  return lines;
}

const hyperlink = (address: string, text: string) => `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;

type Paint = Record<'error' | 'warning' | 'note' | 'bold' | 'dim' | 'good', (text: string) => string>;

export function painter(color: boolean): Paint {
  const style = (open: number, close: number) => (text: string) =>
    color ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    error: style(31, 39),
    warning: style(33, 39),
    note: style(36, 39),
    good: style(32, 39),
    bold: style(1, 22),
    dim: style(2, 22),
  };
}
