// Formats of one line for each finding: gcc's, for editors and compilers' readers, and GitHub's workflow commands.
import {
  bySeverity,
  COMMENT,
  linkOf,
  plural,
  printable,
  type Report,
  where,
  wrongComments,
} from './report.ts';

export function gcc(report: Report): string {
  return [
    ...report.findings.map(
      (f) => `${where(report, f)}: ${f.severity}: ${printable(f.message)} [${f.rule}]\n`,
    ),
    ...wrongComments(report).map(
      ({ file, line, message }) =>
        `${printable(report.display(file))}:${line}:1: warning: ${printable(message)} [${COMMENT}]\n`,
    ),
  ].join('');
}

/** GitHub shows ten errors and ten warnings of a step. */
const SHOWN = 10;

export function github(report: Report): string {
  const data = (text: string) => printable(text).replaceAll('%', '%25');
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const out: string[] = [];
  for (const f of [...report.findings].sort(bySeverity)) {
    const { line, column, endLine, endColumn } = report.region(f);
    const kind = f.severity === 'note' ? 'notice' : f.severity;
    const columns = line === endLine ? `,col=${column},endColumn=${endColumn}` : '';
    out.push(
      `::${kind} file=${property(f.file)},line=${line},endLine=${endLine}${columns},title=${property(f.rule)}::${data(`${f.message} ${f.remedy}`)}%0A${data(linkOf(report, f))}\n`,
    );
  }
  for (const { file, line, message } of wrongComments(report))
    out.push(`::warning file=${property(file)},line=${line},title=${COMMENT}::${data(message)}\n`);
  const partial = report.notices.filter((one) => one.partial).length;
  if (partial > 0) out.push(`${plural(partial, 'file')} only partly analysed\n`);
  const more = report.findings.length;
  if (more > SHOWN)
    out.push(
      `${more} findings; GitHub shows ${SHOWN} of each kind beside the code, the rest is in this log\n`,
    );
  return out.join('');
}
