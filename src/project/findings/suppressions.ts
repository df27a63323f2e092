// Comments that allow a finding: `subxact: allow RULE, because REASON`. A wrong one is told and allows nothing.
import type { Finding } from '../../rule.ts';
import { nearest } from '../config/config.ts';
import { type Lines, lineText, positionAt } from '../files/lines.ts';
import { type Comment, commentsOf, continuedBy, withoutComments } from './comments.ts';

export interface Suppression {
  rules: string[];
  reason: string;
  /** The comment's own line. */
  line: number;
  /** The lines it speaks of, both included. */
  from: number;
  to: number;
}

export interface Complaint {
  line: number;
  message: string;
}

export interface Suppressions {
  list: Suppression[];
  wrong: Complaint[];
}

/** In a comment, first or behind another tool's mark. Without the colon it is ours only if it gives an order. */
const OURS =
  /(?:^|#|--|\/\/|;)[ \t*!#/;-]*subxact\b(?:[ \t]*:[ \t]*|[ \t-]+(?=(?:allow|ignore|disable|suppress|skip|off)\b))(.*?)[ \t*-]*$/i;
const ALLOW = /^allow(-file|-begin|-end)?[ \t]+(.*)$/i;
const BECAUSE = /(?:^|[ \t])because\b[ \t:]*/i;
/** Nobody writes more in a line to us; expressions over a longer one would take their time. */
const LONGEST = 10_000;
/** Where a comment may only be a whole line, what follows a value is part of it. */
const SWALLOWED = /\.properties$/i;
const FORM = 'write `subxact: allow RULE, because REASON`';

/** What files that have no comment for us need not be asked. */
export const speaksToUs = (text: string) => /subxact/i.test(text);

export function readSuppressions(file: string, lines: Lines, rules: string[]): Suppressions {
  const found: Suppressions = { list: [], wrong: [] };
  if (!speaksToUs(lines.text)) return found;
  const comments = commentsOf(file, lines.text);
  const code = { ...lines, text: withoutComments(lines.text, comments) };
  const isBare = (line: number) => lineText(code, line).trim() === '';
  const mark = continuedBy(file);
  const goesOn = (line: number) =>
    mark !== undefined && line > 0 && isOdd(lineText(code, line).trimEnd(), mark);
  const open: Suppression[] = [];
  const last = lines.starts.length;
  for (const { line, text } of comments.flatMap((one) => linesIn(one, lines))) {
    const order = OURS.exec(text.slice(0, LONGEST))?.[1];
    if (order === undefined) continue;
    const complain = (message: string) => found.wrong.push({ line, message });
    const allow = ALLOW.exec(order);
    const said = allow?.[2] ?? '';
    const because = BECAUSE.exec(said);
    const words = said.slice(0, because?.index);
    const hasColon = /subxact\b[ \t]*:/i.test(text);
    if (!allow || !/^[\w, \t-]*$/.test(words) || !hasColon) {
      complain(`this comment is not understood: ${FORM}`);
      continue;
    }
    if (SWALLOWED.test(file) && !isBare(line)) {
      complain('here a comment must stand on a line of its own: this one is part of the value');
      continue;
    }
    const kind = (allow[1] ?? '').toLowerCase();
    const named = words.split(/[\s,]+/).filter(Boolean);
    const reason = because ? said.slice(because.index + because[0].length).trim() : '';
    const stranger = named.find((rule) => !rules.includes(rule));
    if (named.length === 0) complain(`this comment names no rule: ${FORM}`);
    else if (stranger !== undefined) {
      const near = nearest(stranger, rules);
      complain(`no rule is called ${stranger}${near ? `: did you mean ${near}?` : ' (see subxact rules)'}`);
    } else if (kind === '-end') end(open, named, line, complain);
    else if (reason === '') complain(`this comment gives no reason: ${FORM}`);
    else {
      const one: Suppression = { rules: named, reason, line, from: line, to: line };
      if (kind === '-file') Object.assign(one, { from: 1, to: last });
      else if (kind === '-begin') Object.assign(one, { to: last });
      else if (isBare(line)) one.from = one.to = codeAfter(line, last, isBare);
      if (kind === '') whole(one, last, goesOn);
      if (kind === '-begin') open.push(one);
      found.list.push(one);
    }
  }
  for (const one of open) {
    found.list.splice(found.list.indexOf(one), 1);
    found.wrong.push({ line: one.line, message: 'this allow-begin has no allow-end, so it allows nothing' });
  }
  return found;
}

/** A comment line by line, without its marks. */
function linesIn({ from, to }: Comment, lines: Lines): { line: number; text: string }[] {
  const first = positionAt(lines, from).line;
  return lines.text
    .slice(from, to)
    .split(/\r\n|\r|\n/)
    .map((text, i) => ({ line: first + i, text: text.trim() }));
}

function end(open: Suppression[], named: string[], line: number, complain: (message: string) => void): void {
  const index = open.findLastIndex((one) => one.rules.join() === named.join());
  if (index < 0) complain(`this allow-end ends nothing: no allow-begin of ${named.join(', ')} is open`);
  else open.splice(index, 1)[0]!.to = line;
}

/** Alone on its line a comment means the next line that holds more than comments. */
function codeAfter(line: number, last: number, isBare: (line: number) => boolean): number {
  let next = line + 1;
  while (next < last && isBare(next)) next++;
  return next;
}

/** A command that is written in several lines is one. */
function whole(one: Suppression, last: number, goesOn: (line: number) => boolean): void {
  while (goesOn(one.from - 1)) one.from--;
  while (one.to < last && goesOn(one.to)) one.to++;
}

/** A mark behind another one is a character. */
function isOdd(text: string, mark: string): boolean {
  let count = 0;
  while (text[text.length - 1 - count] === mark) count++;
  return count % 2 === 1;
}

export interface Allowed {
  finding: Finding;
  reason: string;
}

/** Splits findings; `complaints` are wrong comments and, where `complete`, those that no finding needs. */
export function applySuppressions(
  findings: Finding[],
  files: string[],
  options: { lines(file: string): Lines; rules: string[]; complete: boolean; ran(rule: string): boolean },
): { left: Finding[]; allowed: Allowed[]; complaints: (Complaint & { file: string })[] } {
  const byFile = new Map(
    files.map((file) => [file, readSuppressions(file, options.lines(file), options.rules)]),
  );
  const used = new Set<string>();
  const left: Finding[] = [];
  const allowed: Allowed[] = [];
  for (const finding of findings) {
    const list = byFile.get(finding.file)?.list ?? [];
    const line = list.length > 0 ? positionAt(options.lines(finding.file), finding.at.start).line : 0;
    const fits = list.filter((one) => one.rules.includes(finding.rule) && one.from <= line && line <= one.to);
    for (const one of fits) used.add(`${finding.file}\n${one.line}\n${finding.rule}`);
    if (fits[0]) allowed.push({ finding, reason: fits[0].reason });
    else left.push(finding);
  }
  const placesOf = (findings: Finding[], file: string, rule: string) =>
    findings
      .filter((one) => one.file === file && one.rule === rule)
      .map(({ at }) => positionAt(options.lines(file), at.start).line);
  const complaints: (Complaint & { file: string })[] = [];
  for (const [file, { list, wrong }] of byFile) {
    for (const one of wrong) complaints.push({ file, ...one });
    if (!options.complete) continue;
    for (const one of list)
      for (const rule of one.rules)
        if (options.ran(rule) && !used.has(`${file}\n${one.line}\n${rule}`))
          complaints.push({ file, line: one.line, message: unused(one, rule, placesOf(left, file, rule)) });
  }
  return {
    left,
    allowed,
    complaints: complaints.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  };
}

/** Whoever meant a finding a few lines away is told where it is. */
function unused({ from, to }: Suppression, rule: string, places: number[]): string {
  const away = (line: number) => Math.min(Math.abs(line - from), Math.abs(line - to));
  const [near] = places.sort((a, b) => away(a) - away(b));
  return near !== undefined && away(near) < 30
    ? `nothing needs this comment: ${rule} is not found on line ${from} but on line ${near}`
    : `nothing here needs this comment: ${rule} is not found, so take it away`;
}
