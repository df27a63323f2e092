// Runs one example and compares what came with what its comments say, strictly both ways.
import { analyse, check, lower } from '../src/analyse.ts';
import { describe } from '../src/describe.ts';
import { inside, type Span, type Step, type Unit } from '../src/ir.ts';
import type { Finding } from '../src/rule.ts';
import type { Annotation, Example } from './markdown.ts';

/** Events that a fixture must name where it names any; calls, reads and structure are named when they matter. */
const LOUD = new Set(['savepoint', 'scope', 'release', 'rollback to']);

const isLoud = (step: Step) =>
  LOUD.has(step.kind) && !(step.kind === 'scope' && (step.opens === 'connection' || step.implied));

/** Complaints, each with `file:line`, what was expected, what came, and the witness. Empty: all is as annotated. */
export async function run(example: Example, options: { rules?: string[] } = {}): Promise<string[]> {
  const units: Unit[] = [];
  for (const file of example.files) {
    const unit = await lower(file.path, file.text);
    if (unit) units.push(unit);
  }
  const named = example.annotations
    .filter((a) => a.word === 'expect' || a.word === 'missed' || a.word === 'spurious')
    .map((a) => a.what);
  const { model, findings } = analyse(units);
  const seen = options.rules
    ? check(model, [...new Set([...options.rules, ...named])])
    : [...findings, ...check(model, named).filter((extra) => !findings.some((f) => f.rule === extra.rule))];
  return [...compareFindings(example, seen), ...compareEvents(example, units)];
}

function compareFindings(example: Example, findings: Finding[]): string[] {
  const complaints: string[] = [];
  const left = findings.map((finding) => ({
    finding,
    line: lineOf(example, finding.file, finding.at.start),
  }));
  const take = (a: Annotation) => {
    const index = left.findIndex(
      (f) => f.finding.rule === a.what && f.finding.file === a.file && f.line === a.line,
    );
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  for (const a of example.annotations) {
    if (a.word === 'expect' && !take(a))
      complaints.push(`${where(example, a)} expected ${a.what}, and nothing came${others(left, a)}`);
    if (a.word === 'missed' && take(a))
      complaints.push(
        `${where(example, a)} ${a.what} is found now: it is marked \`missed\`, so make it \`expect\``,
      );
    if (a.word === 'spurious' && !take(a))
      complaints.push(
        `${where(example, a)} the false alarm ${a.what} is gone: take the \`spurious\` comment away`,
      );
    if ((a.word === 'missed' || a.word === 'spurious') && !a.because)
      complaints.push(`${where(example, a)} \`${a.word}: ${a.what}\` gives no reason: write \`, because …\``);
  }
  for (const { finding, line } of left)
    complaints.push(
      `${where(example, { file: finding.file, line })} did not expect ${finding.rule}, but came: ${finding.message}${witness(example, finding)}`,
    );
  return complaints;
}

function compareEvents(example: Example, units: Unit[]): string[] {
  const expected = example.annotations.filter((a) => a.word === 'event');
  if (expected.length === 0) return [];
  const complaints: string[] = [];
  const named = expected.filter(({ what }) => what !== 'none');
  const came = units.flatMap((unit) =>
    [
      ...allSteps(unit).map((step) => ({ at: step.at, says: describe(step), loud: isLoud(step) })),
      ...declared(unit),
    ].map((event) => ({ ...event, file: unit.file, line: lineOf(example, unit.file, event.at.start) })),
  );
  for (const a of named) {
    const index = came.findIndex((c) => c.file === a.file && c.line === a.line && matches(c.says, a.what));
    if (index >= 0) came.splice(index, 1);
    else {
      const there = came.filter((c) => c.file === a.file && c.line === a.line).map((c) => c.says);
      complaints.push(
        `${where(example, a)} expected the event \`${a.what}\`, but this line has: ${there.join('; ') || 'none'}`,
      );
    }
  }
  for (const c of came)
    if (c.loud) complaints.push(`${where(example, c)} did not expect the event \`${c.says}\``);
  return complaints;
}

/** What a file declares, in words; a page names those it is about. */
function declared(unit: Unit): { at: Span; says: string; loud: boolean }[] {
  const bare = (name: string | undefined) => (name ?? '').replace(/^\w+:/, '');
  const said = [
    ...unit.routines.map((r) => ({
      // A script's word stands where its first step does: a comment cannot speak of the first line.
      at: r.kind === 'script' ? (r.body[0]?.at ?? r.at) : r.at,
      says:
        r.kind === 'script'
          ? `script starts in ${r.startsIn}`
          : `${r.kind} ${bare(r.name)}${r.language ? ` in ${r.language}` : ''}`,
    })),
    ...unit.triggers.map((t) => ({
      at: t.at,
      says: `${t.each} ${t.via} ${t.name} on ${bare(t.relation)} ${t.timing} ${t.verbs.join(', ')}`,
    })),
    ...unit.foreignKeys.map((key) => ({
      at: key.at,
      says: `foreign key ${bare(key.child)} to ${bare(key.parent)}`,
    })),
    ...unit.relations.map((r) => ({
      at: r.at,
      says: `${r.kind} ${bare(r.name)}${r.parents ? ` under ${r.parents.map(bare).join(', ')}` : ''}`,
    })),
    ...unit.changes.map((c) => ({
      at: c.at,
      says: `${c.does} ${bare(c.name)}${c.relation ? ` on ${bare(c.relation)}` : ''}${c.to ? ` to ${bare(c.to)}` : ''}`,
    })),
    ...unit.settings.map((s) => ({ at: s.at, says: `setting ${s.key}=${s.value}: ${s.effect}` })),
    ...unit.problems.flatMap((p) => (p.at ? [{ at: p.at, says: `problem ${p.message}` }] : [])),
  ];
  return said.map((event) => ({ ...event, loud: false }));
}

/** A page that names any event is checked for silence elsewhere; `event: none` asks for nothing else. A trailing `…` accepts any rest. */
const matches = (came: string, expected: string) =>
  expected.endsWith('…') ? came.startsWith(expected.slice(0, -1).trimEnd()) : came === expected;

export function allSteps(unit: Unit): Step[] {
  const out: Step[] = [];
  const walk = (steps: Step[]) => {
    for (const step of steps) {
      out.push(step);
      for (const list of inside(byItself(step))) walk(list);
    }
  };
  for (const routine of unit.routines) walk(routine.body);
  for (const trigger of unit.triggers) walk(trigger.body);
  return out;
}

/** Without what a name means only where another file says whose it is. */
const byItself = (step: Step): Step =>
  step.kind === 'call' && step.meanings?.some(({ is }) => is)
    ? { ...step, meanings: step.meanings.filter(({ is }) => !is) }
    : step;

function lineOf(example: Example, file: string, offset: number): number {
  const text = example.files.find((f) => f.path === file)?.text ?? '';
  return text.slice(0, offset).split('\n').length;
}

/** A page's own line numbers, so that an editor can jump there. */
function where(example: Example, place: { file: string; line: number }): string {
  const file = example.files.find((f) => f.path === place.file);
  if (!file) return `${place.file}:${place.line}`;
  const inPage = file.pageLine > 0;
  return `${file.page}:${place.line + file.pageLine}${inPage ? ` (${place.file}:${place.line})` : ''}`;
}

function others(left: { finding: Finding; line: number }[], a: Annotation): string {
  const near = left.filter((f) => f.finding.file === a.file && f.finding.rule === a.what).map((f) => f.line);
  return near.length > 0 ? ` on this line (it came on line ${near.join(', ')})` : '';
}

function witness(example: Example, finding: Finding): string {
  return finding.trace
    .map((frame) => `\n    ${frame.file}:${lineOf(example, frame.file, frame.at.start)} ${frame.says}`)
    .join('');
}
