// Where what the analysis says of a program and what happened contradict one another.
import { analyse, check, lower } from '../../../src/analyse.ts';
import type { Unit } from '../../../src/ir.ts';
import type { Finding, Frame, Place, Subtransaction, Visit } from '../../../src/rule.ts';
import type { Rendered } from './spelling.ts';
import { type Happened, type Ran, transactions } from './truth.ts';

const OVERFLOWS = ['subtransaction-in-loop', 'subtransaction-per-row', 'subtransaction-overflow'];
const APPLICATION = /\.(py|rb|java)$/;
const speaksOf = ({ rule, also }: Finding, id: string) => rule === id || also?.includes(id) === true;
const isCertain = ({ certainty, severity }: Finding) => certainty === 'certain' && severity !== 'note';
/** It names a number, and not what has no bound. */
const isCounted = ({ message }: Finding) => !message.includes('Nothing in the code bounds');
const groups = <T>(all: T[], key: (one: T) => string) => {
  const by = new Map<string, T[]>();
  for (const one of all) by.set(key(one), [...(by.get(key(one)) ?? []), one]);
  return by;
};

export async function contradictions(
  { files, straight, fails, uncounted }: Rendered,
  ran: Ran,
): Promise<string[]> {
  const units: Unit[] = [];
  for (const [file, text] of Object.entries(files)) units.push((await lower(file, text))!);
  const { model } = analyse(units);
  const findings = check(model, undefined, true);
  const lineOf = ({ file, at }: Place) =>
    `${file}:${files[file]?.slice(0, at.start).split('\n').length ?? 0}`;
  const wrong: string[] = [];
  if (/^(Syntax|Name|Import|Attribute|Type|UnboundLocal|NoMethod|Load|NotValid)Error/.test(ran.error ?? ''))
    wrong.push(`the program is not valid: ${ran.error}`);
  for (const unit of units)
    for (const problem of unit.problems) wrong.push(`${unit.file}: ${problem.message}`);
  const asWritten = !fails && ran.error === null;
  const truths = transactions(ran, (line) => opener(files, line), isWrapper);
  const places = groups(model.subtransactions, lineOf);
  const said = groups(model.transactions, lineOf);

  const decorators = [...said].flatMap(([at, here]) => (/^ *@/.test(textAt(files, at)) ? here : []));

  for (const truth of truths) {
    for (const one of repeated(truth)) {
      // What another method saves joins nothing either: known to be missed (fixtures/frameworks/activerecord.md).
      if (uncounted && !one.at.startsWith('app/run.')) continue;
      const visits = (places.get(one.at) ?? []).flatMap(({ visits }) => visits);
      const inside = visits.filter(({ context }) => context.inTransaction !== 'no');
      if (!places.has(one.at)) wrong.push(`missed: ${one.at} opened a savepoint`);
      else if (inside.length === 0) wrong.push(`missed: ${one.at} opened a savepoint in a transaction`);
      // How often a loop tries again is not counted.
      else if (
        one.times > 1 &&
        !inside.some(({ context }) => context.repeatedBy !== null) &&
        !one.stack.some((line) => isRetried(files, line))
      )
        wrong.push(
          `missed: ${one.at} opened ${one.times} by ${one.stack.join(' < ')}, and nothing repeats it`,
        );
    }
    if (truth.byItself || uncounted) continue;
    // What a method runs on the context that it was handed is thought to join the caller's transaction (fixtures/frameworks/jvm.md).
    if (truth.beside) continue;
    // What a decorator runs is told where the decorator stands, and not where the function is called.
    const here = said.get(truth.at) ?? decorators;
    const most = Math.max(0, ...here.map(({ counts }) => counts));
    // What a jump or an error leaves open, which the way without it ends, is not added up: known to be missed
    // (fixtures/languages/java.md).
    if (truth.left.some((line) => isJumped(files, line))) continue;
    if (truth.peak > most) wrong.push(`missed: ${truth.at} had ${truth.peak} slots, at most ${most} said`);
  }
  if (asWritten)
    for (const [at, here] of said) {
      const least = Math.min(65, ...here.map((one) => one.least));
      // One that an error ends has not come through.
      const through = truths.filter((truth) => truth.at === at && truth.committed);
      const peak = Math.min(65, ...through.map(({ peak }) => peak));
      if (least > peak) wrong.push(`${at} had ${peak} slots, at least ${least} said`);
    }

  const told = (id: string) => findings.filter((one) => speaksOf(one, id));
  const overflows = OVERFLOWS.flatMap(told).filter(({ severity }) => severity !== 'note');
  const overflowed = truths.some(({ peak }) => peak > 64);
  // Where a transaction begins by itself, only savepoints say that one is open, and nobody adds up those of different places.
  const isTold = (truth: Happened) =>
    truth.peak > 64 && (!truth.byItself || repeated(truth).some(({ times }) => times > 64));
  if (!uncounted && truths.some(isTold) && overflows.length === 0)
    wrong.push('missed: an overflow, and no finding says so');
  // One that nothing repeats is no pile, nor is the last one of a loop each of whose turns ends the one before.
  const isOne = ({ onlyLast, visits }: Subtransaction) =>
    onlyLast || visits.every(({ context }) => context.repeatedBy === null && context.depth === 0);
  const isAlone = (line: string) => places.get(line)?.every(isOne) === true;
  // A handler that is not for an error is thought to be (fixtures/languages/java.md): what it does not end stays.
  const throws = Object.values(files).some((text) => /throw new Illegal/.test(text));
  const isPassed = (line: string) =>
    throws && /catch \(SQLException/.test(files[line.slice(0, line.indexOf(':'))] ?? '');
  const piles = truths.some(({ levels, left, committed }) => {
    const kept = left.filter((line) => !isPassed(line));
    return (
      committed && levels > 1 && kept.length > 1 && (new Set(kept).size < kept.length || !kept.every(isAlone))
    );
  });
  // What holds a savepoint may be handed on: how that ends is not always known.
  const unsure = model.subtransactions.some(({ ends, visits }) => ends === 'unknown' && visits.length > 0);
  if (piles && !unsure && told('savepoint-not-released').length === 0)
    wrong.push('missed: savepoints pile up, and no finding says so');
  const multixacts = truths.some(({ multixacts }) => multixacts > 0);
  // A failure may leave a level of ActiveRecord's open, in which all that follows runs; and where a transaction begins by
  // itself, what was locked before its first savepoint is not known (fixtures/frameworks/sqlalchemy.md).
  const isKnown = ({ multixacts, levels, stayed, byItself, savepoints }: Happened) =>
    multixacts > 0 &&
    levels === 0 &&
    (!stayed || straight) &&
    !byItself &&
    !savepoints.some(({ stack }) => stack.some((line) => isRetried(files, line)));
  if (truths.some(isKnown) && model.lockConflicts.length === 0)
    wrong.push('missed: multixacts, and no conflict of locks is found');

  if (asWritten && straight) {
    const lines = new Set(ran.lines);
    // The program is started by its own function, and not by the last line of the file.
    const happened = (place: Place) =>
      !APPLICATION.test(place.file) ||
      lines.has(lineOf(place)) ||
      /^ *(run\(\)|Run\.run\b)/.test(textAt(files, lineOf(place)));
    const opened = new Set(truths.flatMap(({ savepoints }) => savepoints.map(({ stack }) => stack[0])));
    for (const [at, here] of places)
      for (const { visits, label, file, origin, effects } of here) {
        if (!APPLICATION.test(file) || (origin.kind === 'scope' && origin.onMiss)) continue;
        // Where nothing is known to be sent inside, a lazy one may be no savepoint at all; what a wrapper's does, only some
        // of those do that hand it something.
        if (origin.kind === 'scope' && origin.lazy && (effects.writes !== 'yes' || isWrapper(at))) continue;
        const surely = ({ certainty, context, witness }: Visit) =>
          certainty !== 'possible' && context.inTransaction === 'yes' && witness.every(happened);
        if (lines.has(at) && visits.some(surely) && !opened.has(at))
          wrong.push(`false: ${at} opens one (${label}), and opened none`);
      }
    // How many items a generator of another file gives is not counted.
    const isSeen = (place: Place) =>
      happened(place) && !/ in numbers\([01]\):/.test(textAt(files, lineOf(place)));
    // The line of a `with suppress()` says nothing of whether there was an error.
    const isHandled = ({ says, ...place }: Frame) =>
      says.startsWith('an error is handled') && /^ *with\b/.test(textAt(files, lineOf(place)));
    const ranIn = (one: Finding) => [one, ...one.trace].every(isSeen) && !one.trace.some(isHandled);
    const isUndone = (one: Finding) => {
      const opens = ran.events.filter((event) => event.do === 'SAVEPOINT' && event.at.includes(lineOf(one)));
      const names = new Set(opens.map(({ name }) => name));
      return ran.events.some((event) => event.do === 'ROLLBACK TO' && names.has(event.name));
    };
    const claims: [Finding[], boolean, string][] = [
      [told('subtransaction-overflow').filter(isCounted), overflowed, 'no overflow'],
      // Beside another one it may speak of what a failure leaves; and so does one that is rolled back to where nothing failed.
      [
        findings.filter(
          (one) =>
            one.rule === 'savepoint-not-released' && (!/rolled back to/.test(one.message) || isUndone(one)),
        ),
        truths.some(({ open, piled }) => open > 1 || piled > 1),
        'nothing piles up',
      ],
      [told('row-lock-across-subtransaction'), multixacts, 'no multixact'],
    ];
    for (const [some, true_, what] of claims)
      if (!true_)
        for (const one of some.filter(isCertain).filter(ranIn))
          wrong.push(`false: ${what}, and one is said to be certain: ${lineOf(one)} ${one.message}`);
  }
  return [...new Set(wrong)];
}

/** Wrappers of the program's own that begin for whoever hands them something. */
const isWrapper = (line: string) => /^app\/(?:models\/)?(guarded|layers|known|helpers)\./i.test(line);

function textAt(files: Record<string, string>, line: string): string {
  const [file, number] = line.split(':') as [string, string];
  return files[file]?.split('\n')[Number(number) - 1] ?? '';
}

/** `for … in range(2):` right around `try:`, in Python. */
function isRetried(files: Record<string, string>, line: string): boolean {
  const [file, number] = line.split(':') as [string, string];
  if (!file.endsWith('.py')) return false;
  const lines = files[file]?.split('\n') ?? [];
  const indent = (text: string) => text.search(/\S/);
  let at = Number(number) - 1;
  for (let up = at - 1; up >= 0; up--) {
    if (lines[up]!.trim() === '' || indent(lines[up]!) >= indent(lines[at]!)) continue;
    if (/^ *try:$/.test(lines[up]!) && /^ *(for|while)\b/.test(lines[up - 1] ?? '')) return true;
    at = up;
  }
  return false;
}

/** Something in its file ends the savepoint that this line opens by hand. */
function isJumped(files: Record<string, string>, line: string): boolean {
  const name = /(\w+) = \w+\.(?:setSavepoint|getTransaction)\(|"SAVEPOINT (\w+)"/.exec(textAt(files, line));
  const ends =
    name &&
    new RegExp(
      `(release\\w*|rollback|commit)\\(${name[1]}\\)|"(RELEASE|ROLLBACK TO)( SAVEPOINT)? ${name[2]}"`,
    );
  return ends?.test(files[line.slice(0, line.indexOf(':'))] ?? '') === true;
}

/** `with held:` enters what another line has made, and that is where it is told. */
function opener(files: Record<string, string>, line: string): string {
  const held = /^ *with (held\d+):/.exec(textAt(files, line))?.[1];
  const file = line.slice(0, line.indexOf(':'));
  const lines = files[file]?.split('\n') ?? [];
  return held ? `${file}:${lines.findIndex((text) => text.includes(`${held} = `)) + 1}` : line;
}

/** Savepoints of one stack at one depth, and how often it opened one. */
function repeated({ savepoints }: Happened): { at: string; stack: string[]; times: number }[] {
  return [...groups(savepoints, ({ stack, depth }) => `${depth} ${stack}`).values()].map((some) => ({
    at: some[0]!.stack[0] ?? '',
    stack: some[0]!.stack,
    times: some.length,
  }));
}
