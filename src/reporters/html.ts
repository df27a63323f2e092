// One page for people, whole in itself: the findings with their ways as pictures, and counts. It asks no network.
import type { Finding, Frame } from '../rule.ts';
import {
  bySeverity,
  countOf,
  leftOut,
  linkOf,
  plural,
  printable,
  type Report,
  SEVERITIES,
} from './report.ts';

export function html(report: Report): string {
  const { findings } = report;
  const why = leftOut(report);
  const sections = [...findings].sort(bySeverity).map((finding) => article(report, finding));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${report.tool.name}: ${plural(findings.length, 'finding')}</title>
<style>${STYLE}</style>
<h1>${report.tool.name}</h1>
<p>${SEVERITIES.map((s) => `<span class="${s}">${plural(countOf(findings, s), s)}</span>`).join(' · ')} in ${plural(report.counts.files, 'file')}${why && `; ${escaped(why)}`}</p>
<div class="counts">
${table('by rule', findings, (f) => f.rule)}
${table('by folder', findings, (f) => f.file.split('/').slice(0, -1).slice(0, 3).join('/') || '.')}
${table('by what opens it', findings, opener)}
</div>
${sections.join('\n')}
${notices(report)}
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --error: #c33; --warning: #b70; --note: #279; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
code, pre, text { font-family: ui-monospace, monospace; font-size: 13px; }
.error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
.counts { display: flex; flex-wrap: wrap; gap: 2rem; } table { border-collapse: collapse; }
caption { text-align: left; font-weight: bold; } td { padding: .1rem .8rem .1rem 0; border-top: 1px solid var(--line); }
article { border-top: 1px solid var(--line); padding: 1rem 0; } pre { overflow-x: auto; padding: .5rem; border-left: 3px solid var(--line); }
mark { background: #fc06; color: inherit; } svg { max-width: 100%; } svg text { fill: currentColor; } rect { fill: none; stroke: var(--line); }
rect.repeats { stroke: var(--warning); stroke-width: 2; } rect.cause { stroke: var(--error); stroke-width: 2; } path { stroke: currentColor; fill: none; }
`;

const escaped = (text: string) =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** `EXCEPTION block`, `transaction.atomic()`: the last frame names it, else the rule stands for it. */
const opener = (f: Finding) => /^(.*?) (?:opens|in)\b/.exec(f.trace.at(-1)?.says ?? '')?.[1] ?? f.rule;

function table(caption: string, findings: Finding[], by: (finding: Finding) => string): string {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(by(finding), (counts.get(by(finding)) ?? 0) + 1);
  const rows = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 30);
  return `<table><caption>${caption}</caption>${rows.map(([name, count]) => `<tr><td>${count}<td>${escaped(name)}`).join('')}</table>`;
}

function article(report: Report, finding: Finding): string {
  const { line, column, endLine, endColumn } = report.region(finding);
  const text = report.line(finding.file, line);
  const end = endLine === line ? endColumn - 1 : text.length;
  const code = `${escaped(text.slice(0, column - 1))}<mark>${escaped(text.slice(column - 1, end))}</mark>${escaped(text.slice(end))}`;
  return `<article>
<h2><span class="${finding.severity}">${finding.severity}</span> <a href="${escaped(linkOf(report, finding))}">${finding.rule}</a> <code>${escaped(finding.file)}:${line}</code></h2>
<p>${escaped(finding.message)}</p>
<pre>${line} | ${code}</pre>
${picture(report, finding)}
<p><b>Instead:</b> ${escaped(finding.remedy)}</p>
</article>`;
}

const ROW = 52;

/** All traces drawn as one graph: a frame that several share is one box. */
function picture(report: Report, finding: Finding): string {
  const traces = [finding.trace, ...(finding.others ?? [])].filter((trace) => trace.length > 0).slice(0, 6);
  if (traces.every((trace) => trace.length < 2)) return '';
  const boxes = new Map<string, { frame: Frame; row: number; column: number; cause: boolean }>();
  const lines = new Map<string, [from: string, to: string]>();
  for (const [column, trace] of traces.entries()) {
    // Rows count from the cause, so that ways that meet stay joined.
    const keys = trace.map((frame) => `${frame.file}:${frame.at.start}:${frame.says}`);
    for (const [index, frame] of trace.entries()) {
      const row = trace.length - 1 - index;
      if (!boxes.has(keys[index]!)) boxes.set(keys[index]!, { frame, row, column, cause: row === 0 });
      // What stands in a name must not end it: no name has a NUL.
      if (index > 0) lines.set(`${keys[index - 1]}\0${keys[index]}`, [keys[index - 1]!, keys[index]!]);
    }
  }
  const height = Math.max(...[...boxes.values()].map((box) => box.row)) + 1;
  const [wide, gap] = [430, 30];
  const x = (column: number) => column * (wide + gap);
  const y = (row: number) => (height - 1 - row) * ROW;
  const drawn = [...boxes.values()].map(({ frame, row, column, cause }) => {
    const kind = cause ? 'cause' : frame.repeats ? 'repeats' : '';
    const place = `${frame.file}:${report.region(frame).line}`;
    return `<g><title>${escaped(`${frame.says} — ${place}`)}</title><rect class="${kind}" x="${x(column) + 1}" y="${y(row) + 1}" width="${wide}" height="36" rx="4"/><text x="${x(column) + 8}" y="${y(row) + 16}">${escaped(short(frame.says))}</text><text x="${x(column) + 8}" y="${y(row) + 31}" opacity=".6">${escaped(short(place))}</text></g>`;
  });
  const joined = [...lines.values()].map((ends) => {
    const [from, to] = ends.map((key) => boxes.get(key)!);
    return `<path d="M${x(from!.column) + 20} ${y(from!.row) + 37} L${x(to!.column) + 20} ${y(to!.row) + 1}"/>`;
  });
  const width = x(Math.max(...[...boxes.values()].map((box) => box.column)) + 1);
  return `<svg viewBox="0 0 ${width} ${height * ROW}" width="${width}" role="img" aria-label="how it is reached">${joined.join('')}${drawn.join('')}</svg>`;
}

const short = (text: string) => (text.length > 54 ? `${text.slice(0, 53)}…` : text);

function notices(report: Report): string {
  if (report.notices.length === 0) return '';
  const lines = report.notices.map((one) => `<li><code>${escaped(one.file)}</code> ${escaped(one.message)}`);
  return `<h2>files</h2><ul>${lines.join('')}</ul>`;
}
