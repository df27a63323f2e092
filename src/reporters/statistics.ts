// Counts for --statistics and --stats.
import { countOf, plural, type Report, SEVERITIES } from './report.ts';

/** Findings by rule, and what was held back and why. */
export function statistics(report: Report): string {
  const lines = report.rules
    .map(({ id }) => ({ id, of: report.findings.filter((finding) => finding.rule === id) }))
    .filter(({ of }) => of.length > 0)
    .map(({ id, of }) => {
      const parts = SEVERITIES.map((severity) => [countOf(of, severity), severity] as const).filter(
        ([n]) => n > 0,
      );
      return `${String(of.length).padStart(6)}  ${id} (${parts.map(([n, severity]) => plural(n, severity)).join(', ')})`;
    });
  const held = (by: string) => report.held.filter((one) => one.by === by).length;
  const back: [number, string][] = [
    [held('suppression'), 'allowed by comments'],
    [held('baseline'), 'in the baseline'],
    [report.elsewhere, 'outside of the change'],
  ];
  return `${[...lines, ...back.map(([n, where]) => `${String(n).padStart(6)}  ${where}`)].join('\n')}\n`;
}

/** How much was read and understood: silence is documented. */
export function stats(report: Report): string {
  const { files, parsed, milliseconds } = report.counts;
  const lines = [`${plural(files, 'file')}, ${parsed} of them parsed, ${Math.round(milliseconds)} ms`];
  for (const [namespace, calls] of Object.entries(report.resolution?.calls ?? {})) {
    const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
    const concern = calls.resolved + calls.explained + calls.unresolved;
    const share = concern === 0 ? 100 : Math.round(((calls.resolved + calls.explained) / concern) * 100);
    lines.push(
      `${namespace}: ${all} calls, ${calls.resolved} found their routine, ${calls.explained} a framework explains, ${calls.outside} of libraries, ${calls.passed} of files passed over, ${calls.unresolved} unresolved (${share} % understood of what is the project's)`,
    );
  }
  for (const { name, times } of report.resolution?.unresolved.slice(0, 20) ?? [])
    lines.push(`unresolved ${times} times: ${name}`);
  return `${lines.join('\n')}\n`;
}
