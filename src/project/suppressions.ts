// Comments that allow a finding: `subxact: allow RULE, because REASON`. A wrong one is told and allows nothing.
import type { Finding } from '../rule.ts';
import { nearest } from './config.ts';
import { type Lines, lineText, positionAt } from './lines.ts';

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

const COMMENT =
  /^(.*?)(--|#|\/\/|\/\*+|<!--|;|\*|\\echo|%)[ \t]*subxact:[ \t]*(.*?)[ \t]*(?:\*\/|-->)?[ \t]*$/i;
const ALLOW = /^allow(-file|-begin|-end)?[ \t]+([\w, \t-]*?)(?:,?[ \t]+because\b[ \t:]*(.*))?$/i;
const ONLY_COMMENT = /^\s*(?:--|#|\/\/|\/\*|\*|<!--|;|$)/;
const FORM = 'write `subxact: allow RULE, because REASON`';

export function readSuppressions(lines: Lines, rules: string[]): Suppressions {
  const found: Suppressions = { list: [], wrong: [] };
  if (!/subxact:/i.test(lines.text)) return found;
  const open: Suppression[] = [];
  const last = lines.starts.length;
  for (let line = 1; line <= last; line++) {
    const match = COMMENT.exec(lineText(lines, line));
    if (!match) continue;
    const allow = ALLOW.exec(match[3]!);
    const complain = (message: string) => found.wrong.push({ line, message });
    if (!allow) {
      complain(`this comment is not understood: ${FORM}`);
      continue;
    }
    const kind = (allow[1] ?? '').toLowerCase();
    const named = allow[2]!.split(/[\s,]+/).filter(Boolean);
    const reason = (allow[3] ?? '').trim();
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
      else if (kind === '-begin') open.push(one);
      else if (match[1]!.trim() === '') one.from = one.to = codeAfter(lines, line);
      if (kind !== '-begin') found.list.push(one);
      else Object.assign(one, { to: last });
      if (kind === '-begin') found.list.push(one);
    }
  }
  for (const one of open) {
    found.list.splice(found.list.indexOf(one), 1);
    found.wrong.push({ line: one.line, message: 'this allow-begin has no allow-end, so it allows nothing' });
  }
  return found;
}

function end(open: Suppression[], named: string[], line: number, complain: (message: string) => void): void {
  const index = open.findLastIndex((one) => one.rules.join() === named.join());
  if (index < 0) complain(`this allow-end ends nothing: no allow-begin of ${named.join(', ')} is open`);
  else open.splice(index, 1)[0]!.to = line;
}

/** Alone on its line a comment means the next line that holds more than comments. */
function codeAfter(lines: Lines, line: number): number {
  let next = line + 1;
  while (next < lines.starts.length && ONLY_COMMENT.test(lineText(lines, next))) next++;
  return next;
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
  const byFile = new Map(files.map((file) => [file, readSuppressions(options.lines(file), options.rules)]));
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
  const complaints: (Complaint & { file: string })[] = [];
  for (const [file, { list, wrong }] of byFile) {
    for (const one of wrong) complaints.push({ file, ...one });
    if (!options.complete) continue;
    for (const { line, rules } of list)
      for (const rule of rules)
        if (options.ran(rule) && !used.has(`${file}\n${line}\n${rule}`))
          complaints.push({
            file,
            line,
            message: `nothing here needs this comment: ${rule} is not found, so take it away`,
          });
  }
  return {
    left,
    allowed,
    complaints: complaints.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  };
}
