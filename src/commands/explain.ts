// `subxact explain RULE` and `subxact explain FILE:LINE`: a page, or what the analysis read at a line and why.
import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { together } from '../../rules/together.ts';
import { describe } from '../describe.ts';
import { inside, type Span, type Step, type Unit } from '../ir.ts';
import { link } from '../linker/link.ts';
import type { Context, Model, Subtransaction } from '../linker/model.ts';
import type { FoundConfig } from '../project/config/config.ts';
import { baseOf, isBelow, settleFindings, unitSettler } from '../project/config/settle.ts';
import { repositoryRoot, rootOf } from '../project/files/files.ts';
import { plural, printable } from '../reporters/report.ts';
import type { Finding } from '../rule.ts';
import { configFor } from './configuration.ts';
import { courtFor, foundIn } from './judge.ts';
import { Mistake } from './mistake.ts';
import type { Invocation, Values } from './options.ts';
import { print } from './outputs.ts';
import { rulePageText } from './pages.ts';
import { type ProgramRead, readOptions, readProgram, type Shown } from './program.ts';

export async function explain({ paths, values, cwd }: Invocation): Promise<number> {
  if (paths.length === 0) throw new Mistake('explain what? Give a rule or FILE:LINE');
  for (const what of paths) {
    if (rules.some((rule) => rule.id === what)) print(rulePageText(what));
    else print(lines(await explainPlace(what, values, cwd)));
  }
  return 0;
}

/** Names of routines and tables are text from files too. */
const lines = (text: string) => text.split('\n').map(printable).join('\n');

async function explainPlace(what: string, values: Values, cwd: string): Promise<string> {
  const match = /^(.*?)(?::(\d+))?(?::\d+)?$/s.exec(what)!;
  const full = resolve(cwd, match[1]!);
  if (!existsSync(full)) throw new Mistake(`${what} is neither a rule nor a file (see subxact rules)`);
  if (!statSync(full).isFile())
    throw new Mistake(
      `${match[1]} is ${statSync(full).isDirectory() ? 'a folder' : 'no file'}: name a file and a line`,
    );
  // Contexts come from the whole repository, or from the folder that `check` would read; else a file stands for itself.
  const around = repositoryRoot(dirname(full)) ?? (isBelow(cwd, full) ? cwd : undefined);
  const paths = around ? [around, full] : [full];
  const found = configFor(paths, values, cwd);
  const program = await readProgram(paths, cwd, readOptions(values, found, rootOf(paths, cwd)));
  const file = relative(program.root, full).replaceAll('\\', '/');
  const unit = program.units.find((one) => one.file === file);
  if (!unit) return `${match[1]}: nothing in this file was read\n`;
  const base = baseOf(found, program.root);
  const model = link(program.units.map(unitSettler(found, base)), { postgres: found.config.postgres });
  const line = match[2] === undefined ? undefined : Number(match[2]);
  const { starts, text } = program.lines(file);
  const last = Math.max(1, starts.length - (/[\r\n]$/.test(text) ? 1 : 0));
  if (line !== undefined && (line < 1 || line > last))
    throw new Mistake(`${match[1]} has ${plural(last, 'line')}`);
  const said = [
    ...declarations(unit, program, line),
    ...routines(unit, program, line),
    ...subtransactions(model, unit, program, line),
    ...findingsOf(model, unit, program, { found, values, cwd }, line),
  ];
  const none = `  nothing that matters was read ${line === undefined ? 'here' : `on line ${line}`}`;
  return [...header(unit), ...(said.length > 0 ? said : [none]), ''].join('\n');
}

function header(unit: Unit): string[] {
  const problems = unit.problems.map(
    (p) => `  problem: ${p.message}${p.partial ? ' (partly analysed)' : ''}`,
  );
  const series = unit.series ? `, series ${unit.series.name} at ${unit.series.position}` : '';
  return [`${unit.file}: ${unit.language}, ${unit.dialect} dialect, ${unit.role}${series}`, ...problems];
}

function lineOf(at: Span, unit: Unit, shown: Shown): number {
  return shown.region({ file: unit.file, at }).line;
}

function declarations(unit: Unit, shown: Shown, line?: number): string[] {
  const out: string[] = [];
  const add = (at: Span, says: string) => {
    const at1 = lineOf(at, unit, shown);
    if (line === undefined || at1 === line) out.push(`  ${at1}: ${says}`);
  };
  for (const t of unit.triggers) {
    add(t.at, `${t.via} ${t.name}: ${t.timing} ${t.verbs.join('/')} on ${t.relation}, each ${t.each}`);
    if (line === undefined || lineOf(t.at, unit, shown) === line)
      out.push(...steps(t.body, unit, shown, '    '));
  }
  for (const r of unit.relations)
    add(r.at, `${r.kind} ${r.name}${r.parents ? ` of ${r.parents.join(', ')}` : ''}`);
  for (const k of unit.foreignKeys) add(k.at, `foreign key ${k.child} → ${k.parent}`);
  for (const t of unit.types)
    add(
      t.at,
      `type ${t.name} < ${t.bases.join(', ') || 'nothing'}${t.relation ? `, table ${t.relation}` : ''}`,
    );
  for (const s of unit.settings) add(s.at, `setting ${s.of} ${s.key}=${s.value}: ${s.effect}`);
  for (const c of unit.changes) add(c.at, `${c.does} ${c.name}`);
  if (line === undefined) {
    for (const a of unit.aliases) out.push(`  ${a.from} means ${a.to}`);
    for (const p of unit.packages) out.push(`  package ${p.name} ${p.version}${p.exact ? '' : ' (range)'}`);
  }
  return out;
}

function routines(unit: Unit, shown: Shown, line?: number): string[] {
  const out: string[] = [];
  for (const routine of unit.routines) {
    const from = lineOf(routine.at, unit, shown);
    const lines = allLines(routine.body, unit, shown);
    if (line !== undefined && !(from <= line && line <= Math.max(from, ...lines))) continue;
    out.push(
      `  ${from}: ${routine.kind} ${routine.name}: entry ${routine.entry}, starts in ${routine.startsIn}`,
      ...steps(routine.body, unit, shown, '    '),
    );
  }
  return out;
}

function allLines(body: Step[], unit: Unit, shown: Shown): number[] {
  const lines: number[] = [];
  const pending = [...body];
  for (let step = pending.pop(); step; step = pending.pop()) {
    lines.push(lineOf(step.at, unit, shown));
    for (const list of inside(step)) for (const one of list) pending.push(one);
  }
  // Spreading very many numbers overflows the stack; only the largest is needed.
  return [lines.reduce((a, b) => Math.max(a, b), 0)];
}

/** An indented list; very deep nesting is cut. */
function steps(body: Step[], unit: Unit, shown: Shown, indent: string): string[] {
  const out: string[] = [];
  if (indent.length > 100) return [`${indent}…`];
  for (const step of body) {
    if (step.kind === 'scope' && step.implied) {
      out.push(...steps(step.body, unit, shown, indent));
      continue;
    }
    out.push(`${String(lineOf(step.at, unit, shown)).padStart(5)}${indent}${describe(step)}`);
    const lists = inside(step);
    const names = partNames(step);
    lists.forEach((list, index) => {
      const name = names[index];
      if (name) out.push(`     ${indent}  ${name}`);
      out.push(...steps(list, unit, shown, `${indent}${name ? '    ' : '  '}`));
    });
  }
  return out;
}

function partNames(step: Step): (string | undefined)[] {
  const handler = (h: { catches: string[] }) => `when ${h.catches.join(', ')}`;
  if (step.kind === 'scope') return [undefined, ...(step.handlers ?? []).map(handler)];
  if (step.kind === 'attempt') return [undefined, ...step.handlers.map(handler), 'finally'];
  if (step.kind === 'branch') return step.arms.map((_, index) => `arm ${index + 1}`);
  if (step.kind === 'call')
    return [
      ...(step.block ? ['the block'] : []),
      ...(step.meanings ?? []).map((m) => (m.receiver ? `if it is a ${m.receiver}` : 'it means')),
    ];
  return [];
}

function subtransactions(model: Model, unit: Unit, shown: Shown, line?: number): string[] {
  const here = model.subtransactions.filter(
    (s) => s.file === unit.file && (line === undefined || lineOf(s.at, unit, shown) === line),
  );
  return here.flatMap((s) => ['', ...subtransaction(s, shown)]);
}

function subtransaction(s: Subtransaction, shown: Shown): string[] {
  const { line } = shown.region(s);
  const { effects } = s;
  const out = [
    `subtransaction ${s.label} in ${s.routine} (line ${line}): ends ${s.ends}, ${plural(s.callers, 'call site')} ${s.callers === 1 ? 'leads' : 'lead'} here`,
    `  effects: writes ${effects.writes}, counts ${effects.counts}, ${plural(effects.locks.length, 'row lock')}, ${plural(effects.waits.length, 'wait')}${effects.opaque ? ', opaque' : ''}`,
  ];
  if (s.visits.length === 0) out.push('  nothing reaches it');
  for (const visit of s.visits) {
    out.push(
      `  ${context(visit.context)}; ${visit.certainty}; from ${visit.entry} (${visit.role})${visit.idle ? '; nothing inside writes' : ''}`,
    );
    for (const frame of visit.witness)
      out.push(`    ${printable(frame.file)}:${shown.region(frame).line} ${printable(frame.says)}`);
  }
  return out;
}

function context(c: Context): string {
  const repeated = c.repeatedBy
    ? `repeated by ${c.repeatedBy}${c.times === null ? '' : ` ${c.times} times`}`
    : 'once';
  return `in a transaction: ${c.inTransaction}, ${repeated}, depth ${c.depth}`;
}

/** As configured: what counts, what a comment or the baseline holds back, and what is off. */
function findingsOf(
  model: Model,
  unit: Unit,
  shown: ProgramRead,
  { found, values, cwd }: { found: FoundConfig; values: Values; cwd: string },
  line?: number,
): string[] {
  const every = foundIn(
    model,
    rules.map(({ id }) => id),
  );
  const on = settleFindings(every, rules, found.config, baseOf(found, shown.root));
  const baseline = values['no-baseline'] ? false : values.baseline;
  const { fresh, held } = courtFor(found, shown.root, { baseline, cwd }).judge(
    on,
    shown.marked,
    shown.lines,
    false,
  );
  const isHere = (f: Finding) =>
    f.file === unit.file && (line === undefined || lineOf(f.at, unit, shown) === line);
  const said = (f: Finding) => `${f.rule} (${f.certainty}): ${printable(f.message)}`;
  const told = new Set(on.map(said));
  const holds = { suppression: 'a comment allows', baseline: 'the baseline holds' };
  return [
    ...together(fresh.filter(isHere)).map((f) => `finding: ${f.severity} ${said(f)}`),
    ...held.flatMap(({ finding, by, reason }) =>
      isHere(finding)
        ? `${holds[by]}: ${finding.severity} ${said(finding)}${by === 'suppression' ? ` Because: ${printable(reason)}` : ''}`
        : [],
    ),
    ...every.flatMap((f) => (isHere(f) && !told.has(said(f)) ? `off: ${said(f)}` : [])),
  ];
}
