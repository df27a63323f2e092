// `subxact check` and `subxact inventory`: analyses and reports.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { check as findings } from '../analyse.ts';
import { link } from '../linker/link.ts';
import { json } from '../reporters/json.ts';
import type { Report } from '../reporters/report.ts';
import { text } from '../reporters/text.ts';
import { rulePage, tool } from '../tool.ts';
import { Mistake } from './mistake.ts';
import type { Invocation } from './options.ts';
import { rulePageText } from './pages.ts';
import { pathsOf, readProgram } from './program.ts';
import { wantsColor } from './terminal.ts';

export async function check({ command, paths, values, cwd }: Invocation): Promise<number> {
  const started = performance.now();
  const only = command === 'inventory' ? ['subtransaction'] : values.rule;
  for (const id of only ?? [])
    if (!rules.some((rule) => rule.id === id))
      throw new Mistake(`no rule is called ${id} (see subxact rules)`);
  const program = await readProgram(pathsOf(paths, cwd), cwd, {
    cache: values['no-cache'] ? false : values['cache-dir'],
    everything: values['no-screen'],
  });
  const model = link(program.units);
  const report: Report = {
    tool,
    rules: rules.map((rule) => ({ ...rule, link: rulePage(rule.id), page: () => rulePageText(rule.id) })),
    findings: findings(model, only),
    notices: program.notices,
    counts: {
      files: program.files,
      parsed: program.units.length,
      milliseconds: performance.now() - started,
    },
    resolution: model.resolution,
    region: program.region,
    line: program.line,
    display: program.display,
  };
  emit(values, cwd, (color) => render(report, values.format ?? 'text', color));
  if (values.stats) process.stderr.write(stats(report));
  return command === 'check' && report.findings.some((finding) => finding.severity !== 'note') ? 1 : 0;
}

function render(report: Report, format: string, color: boolean): string {
  if (format === 'text') return text(report, { color, links: color && process.stdout.isTTY === true });
  if (format === 'json') return json(report);
  throw new Mistake(`no format is called ${format}: text, json`);
}

function emit(values: Invocation['values'], cwd: string, make: (color: boolean) => string): void {
  if (values.output) writeFileSync(resolve(cwd, values.output), make(false));
  else process.stdout.write(make(wantsColor(process.stdout)));
}

function stats(report: Report): string {
  const lines = [`files ${report.counts.files}, parsed ${report.counts.parsed}`];
  for (const [namespace, calls] of Object.entries(report.resolution?.calls ?? {})) {
    const all = calls.resolved + calls.explained + calls.unresolved;
    const share = all === 0 ? 0 : Math.round(((calls.resolved + calls.explained) / all) * 100);
    lines.push(
      `${namespace}: ${all} calls, ${calls.resolved} found their routine, ${calls.explained} a framework explains, ${calls.unresolved} unresolved (${share} % understood)`,
    );
  }
  for (const { name, times } of report.resolution?.unresolved.slice(0, 20) ?? [])
    lines.push(`unresolved ${times} ×  ${name}`);
  return `${lines.join('\n')}\n`;
}
