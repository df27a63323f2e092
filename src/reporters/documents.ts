// Formats that other programs read whole: GitLab's code quality, JUnit, Checkstyle and reviewdog's rdjson.
import type { Finding, Severity } from '../rule.ts';
import { COMMENT, jsonText, linkOf, plural, type Report, wrongComments, xml } from './report.ts';

const GITLAB: Record<Severity, string> = { error: 'major', warning: 'minor', note: 'info' };

export function gitlab(report: Report): string {
  const issues = report.findings.map((f) => {
    const { line, endLine } = report.region(f);
    return {
      type: 'issue',
      check_name: f.rule,
      description: `${f.message} ${f.remedy}`,
      categories: ['Performance'],
      fingerprint: report.fingerprint(f),
      severity: GITLAB[f.severity],
      location: { path: f.file, lines: { begin: line, end: endLine } },
    };
  });
  const comments = wrongComments(report).map(({ file, line, message }) => ({
    type: 'issue',
    check_name: COMMENT,
    description: message,
    categories: ['Clarity'],
    fingerprint: `${COMMENT}:${file}:${line}:${message}`,
    severity: GITLAB.warning,
    location: { path: file, lines: { begin: line, end: line } },
  }));
  return jsonText([...issues, ...comments]);
}

/** One test case for each finding, or one that passes; notes do not fail. */
export function junit(report: Report): string {
  const failing = report.findings.filter((f) => f.severity !== 'note');
  const seconds = (report.counts.milliseconds / 1000).toFixed(3);
  const cases = failing.map((f) => {
    const place = `${f.file}:${report.region(f).line}`;
    // Jenkins takes the first thing that looks like a place for the finding's own, an address too.
    return `    <testcase name="${xml(f.rule)}" classname="${xml(f.file)}" file="${xml(f.file)}" line="${report.region(f).line}" time="0">
      <failure type="${f.severity}" message="${xml(`${place}: ${f.message}`)}">${xml(place)}
${tracedLines(report, f)}${xml(f.remedy)}
${xml(linkOf(report, f))}</failure>
    </testcase>
`;
  });
  for (const { file, line, message } of wrongComments(report))
    cases.push(`    <testcase name="${COMMENT}" classname="${xml(file)}" file="${xml(file)}" line="${line}" time="0">
      <failure type="warning" message="${xml(`${file}:${line}: ${message}`)}">${xml(`${file}:${line}`)}</failure>
    </testcase>
`);
  const failures = cases.length;
  if (cases.length === 0)
    cases.push(
      `    <testcase name="${plural(report.counts.files, 'file')}" classname="${report.tool.name}" time="${seconds}"/>\n`,
    );
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" time="${seconds}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${report.tool.name}" ${counts}>
  <testsuite name="${report.tool.name}" ${counts}>
${cases.join('')}  </testsuite>
</testsuites>
`;
}

const tracedLines = (report: Report, f: Finding) =>
  f.trace.map((step) => `${xml(`${step.file}:${report.region(step).line} ${step.says}`)}\n`).join('');

export function checkstyle(report: Report): string {
  const level = (severity: Severity) => (severity === 'note' ? 'info' : severity);
  const comments = wrongComments(report);
  const files = [...new Set([...report.findings, ...comments].map((f) => f.file))].map((file) => {
    const errors = report.findings
      .filter((f) => f.file === file)
      .map((f) => {
        const { line, column } = report.region(f);
        return `    <error line="${line}" column="${column}" severity="${level(f.severity)}" message="${xml(`${f.message} ${f.remedy}`)}" source="${report.tool.name}.${f.rule}"/>\n`;
      });
    for (const { line, message } of comments.filter((one) => one.file === file))
      errors.push(
        `    <error line="${line}" severity="warning" message="${xml(message)}" source="${report.tool.name}.${COMMENT}"/>\n`,
      );
    return `  <file name="${xml(file)}">\n${errors.join('')}  </file>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${files.join('')}</checkstyle>\n`;
}

const RDJSON: Record<Severity, string> = { error: 'ERROR', warning: 'WARNING', note: 'INFO' };

export function rdjson(report: Report): string {
  const range = (place: Parameters<Report['region']>[0]) => {
    const { line, column, endLine, endColumn } = report.region(place);
    // Its columns are bytes of UTF-8.
    return {
      start: { line, column: bytesTo(report, place.file, line, column) },
      end: { line: endLine, column: bytesTo(report, place.file, endLine, endColumn) },
    };
  };
  const diagnostics = report.findings.map((f) => ({
    message: `${f.message} ${f.remedy}`,
    location: { path: f.file, range: range(f) },
    severity: RDJSON[f.severity],
    code: { value: f.rule, url: linkOf(report, f) },
    suggestions: (f.fixes ?? [])
      .filter((fix) => fix.edits.every((edit) => edit.file === f.file))
      .flatMap((fix) => fix.edits.map((edit) => ({ range: range(edit), text: edit.replacement }))),
  }));
  const source = { name: report.tool.name, url: report.tool.homepage };
  const comments = wrongComments(report).map(({ file, line, message }) => ({
    message,
    location: { path: file, range: { start: { line } } },
    severity: RDJSON.warning,
    code: { value: COMMENT },
  }));
  return jsonText({ source, diagnostics: [...diagnostics, ...comments] });
}

function bytesTo(report: Report, file: string, line: number, column: number): number {
  return new TextEncoder().encode(report.line(file, line).slice(0, column - 1)).length + 1;
}
