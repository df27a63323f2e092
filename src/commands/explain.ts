// `subxact explain RULE` and `subxact explain FILE:LINE`: a page, or what the analysis read at a line and why.
import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { together } from '../../rules/together.ts';
import { describe } from '../describe.ts';
import { inside, type Routine, type Span, type Step, type Unit } from '../ir.ts';
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
  return [...header(unit, program), ...(said.length > 0 ? said : [none]), ''].join('\n');
}

function header(unit: Unit, { display }: Shown): string[] {
  const problems = unit.problems.map(
    (p) => `  problem: ${p.message}${p.partial ? ' (partly analysed)' : ''}`,
  );
  const series = unit.series ? `, series ${unit.series.name} at ${unit.series.position}` : '';
  return [
    `${display(unit.file)}: ${unit.language}, ${DIALECTS[unit.dialect]}${ROLES[unit.role]}${series}`,
    ...problems,
  ];
}

const DIALECTS: Record<Unit['dialect'], string> = {
  postgresql: 'for PostgreSQL',
  other: 'for another database',
  unknown: 'for whatever database the program speaks to',
};

const ROLES: Record<Unit['role'], string> = {
  product: '',
  test: ', test code',
  migration: ', runs once',
  example: ', an example',
};

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
      `  ${from}: ${routine.kind} ${routine.name}: ${ENTRIES[routine.entry]}, ${STARTS[routine.startsIn]}`,
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
  const calls = `${s.callers === 0 ? 'no' : s.callers} call${s.callers === 1 ? ' leads' : 's lead'} to it`;
  const out = [
    `subtransaction ${s.label} in ${s.routine} (line ${line}): ${ENDS[s.ends]}, ${calls}`,
    `  ${costs(s)}`,
  ];
  if (s.visits.length === 0) out.push('  no code here reaches it');
  for (const { context, certainty, entry, role, idle, witness } of s.visits) {
    const who = entry === 'unknown' ? 'whoever runs it' : STARTERS[entry];
    out.push(
      `  for ${who}${ROLES[role]}: ${around(context)}${idle ? '; nothing inside writes then' : ''} (${certainty})`,
    );
    for (const frame of witness)
      out.push(
        `    ${printable(shown.display(frame.file))}:${shown.region(frame).line} ${printable(frame.says)}`,
      );
  }
  return out;
}

const ENTRIES: Record<Routine['entry'], string> = {
  called: 'other code calls it',
  script: 'a script that people run',
  request: 'requests run it',
  migration: 'a migration tool runs it',
  job: 'a job runs it',
  test: 'a test runs it',
  command: 'a command runs it',
};

const STARTERS: Record<Routine['entry'], string> = {
  called: 'its callers',
  script: 'a script',
  request: 'a request',
  migration: 'a migration',
  job: 'a job',
  test: 'a test',
  command: 'a command',
};

const STARTS: Record<Routine['startsIn'], string> = {
  caller: 'in the transaction of its caller, if there is one',
  transaction: 'in a transaction that is begun for it',
  autocommit: 'with no transaction open',
  unknown: 'perhaps in a transaction that is begun for it',
};

const ENDS: Record<Subtransaction['ends'], string> = {
  released: 'it is released',
  'rolled back': 'it is always rolled back',
  'left open': 'it is left open',
  unknown: 'how it ends is not known',
};

/** What it takes of the server. */
function costs({ effects: { writes, counts, locks, waits, opaque } }: Subtransaction): string {
  const most = Number.isFinite(counts)
    ? `${counts} of the session's 64 places for subtransactions each time it runs`
    : "any number of the session's 64 places for subtransactions";
  const says = {
    no: 'nothing inside writes or locks a row, so it takes no transaction ID',
    yes: `rows are written or locked inside, so it takes a transaction ID, and ${most}`,
    unknown: `whether anything inside writes is not known${counts > 0 ? `: it takes up to ${most}` : ''}`,
  };
  return [
    says[writes],
    ...(locks.length > 0 ? [`${plural(locks.length, 'statement')} inside lock rows`] : []),
    ...(waits.length > 0 ? [`${plural(waits.length, 'statement')} inside wait`] : []),
    ...(opaque ? ['something inside could not be read'] : []),
  ].join('; ');
}

/** What is open around it there, and what repeats it. */
function around({ inTransaction, repeatedBy, times, depth }: Context): string {
  const open = {
    yes: 'a transaction is open around it',
    no: 'no transaction is open around it',
    unknown: 'whether a transaction is open around it is not known',
  };
  const turns = times === null ? '' : `, ${times} times`;
  const repeated = {
    loop: `a loop repeats it${turns}`,
    chunks: `a loop over parts of the rows repeats it${turns}`,
    'row trigger': `it runs for each row that fires a trigger${turns}`,
    'query rows': `it runs for each row of a query${turns}`,
  };
  const inside = depth === 0 ? '' : `, and ${plural(depth, 'other subtransaction')}`;
  return `${open[inTransaction]}${inside}; ${repeatedBy === null ? 'nothing repeats it in one transaction' : repeated[repeatedBy]}`;
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
