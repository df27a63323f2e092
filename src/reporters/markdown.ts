// For a comment on a pull request or a step's summary: one table, and each finding unfolded on request.
import type { Finding } from '../rule.ts';
import {
  bySeverity,
  countsOf,
  heldBack,
  leftOut,
  linkOf,
  plural,
  printable,
  type Report,
  wrongComments,
} from './report.ts';

/** GitHub refuses a comment of more than 65,536 characters. */
const LONGEST = 55_000;
const MOST_COMMENTS = 10;

export function markdown(report: Report): string {
  const { findings } = report;
  const held = heldBack(report);
  const read = `in ${plural(report.counts.files, 'file')}${held && `; ${held}`}`;
  const counts = countsOf(report).map(([count]) => count);
  if (counts.length === 0) counts.push(held ? 'nothing new' : 'nothing found');
  if (findings.length === 0) return `**${report.tool.name}**: ${counts.join(', ')} ${read}.\n${said(report)}`;
  let out = `**${report.tool.name}**: ${counts.join(', ')} ${read}.\n\n| | rule | where | what |\n|---|---|---|---|\n`;
  let shown = 0;
  for (const finding of [...findings].sort(bySeverity)) {
    const row = `| ${finding.severity} | [${finding.rule}](${linkOf(report, finding)}) | \`${code(`${finding.file}:${report.region(finding).line}`)}\` | ${cell(report, finding)} |\n`;
    if (out.length + row.length > LONGEST) break;
    out += row;
    shown++;
  }
  if (shown < findings.length) out += `\n${findings.length - shown} more are not shown here.\n`;
  return out + said(report);
}

/** What was not read in full, and comments for us that are wrong. */
function said(report: Report): string {
  const comments = wrongComments(report);
  const partial = report.notices.filter((one) => one.partial).length;
  const shown = comments.slice(0, MOST_COMMENTS);
  const rows = shown.map(
    ({ file, line, message }) => `- \`${code(`${file}:${line}`).slice(0, 500)}\` ${escaped(message)}\n`,
  );
  if (comments.length > shown.length) rows.push(`- ${comments.length - shown.length} more\n`);
  const why = leftOut(report);
  if (why) rows.push(`- ${escaped(why)}\n`);
  if (partial > 0) rows.push(`- ${plural(partial, 'file')} only partly analysed\n`);
  return rows.length > 0 ? `\n${rows.join('')}` : '';
}

function cell(report: Report, finding: Finding): string {
  const steps = finding.trace.map(
    (step) =>
      `<li>${escaped(step.says)} <code>${escaped(`${step.file}:${report.region(step).line}`)}</code></li>`,
  );
  const way =
    steps.length > 1
      ? `<details><summary>how it is reached</summary><ol>${steps.join('')}</ol></details>`
      : '';
  return `${escaped(finding.message)}<br>*Instead:* ${escaped(finding.remedy)}${way}`;
}

const code = (text: string) => printable(text).replaceAll('`', "'").replaceAll('|', '\\|');
/** Neither markup nor a mention may come out of names in the code. */
const escaped = (text: string) =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|#~]/g, '\\$&')
    .replaceAll('@', '&#64;');
