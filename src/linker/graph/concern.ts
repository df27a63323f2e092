// Which routines a finding can depend on, and whether a file that says other things than before leaves all of those as they were. It links nothing.
import { inside, type Routine, type Step, type Unit } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import type { Concern } from '../model.ts';
import { lastWord } from '../names/dotted.ts';
import { CHANGES, closure, type Graph, OPENS, spread, traitOf } from './graph.ts';

/** Units as they were given, for only those are known of later. */
export function concernOf(units: Unit[], program: Program, graph: Graph): Concern {
  const leading = spread(graph, OPENS | CHANGES);
  const matters = ({ index }: Linked) => leading[index] === 1;
  const below = closure(
    program.linked.filter(matters).map(({ index }) => index),
    graph.leadsTo,
    graph.traits.length,
  );
  const concerned = program.linked.filter(({ index }) => below[index]);
  const places = new Set(concerned.map(({ file, routine }) => `${routine?.at.start} ${file}`));
  const routines: Concern['routines'] = {};
  for (const unit of units)
    for (const [index, { at }] of unit.routines.entries())
      if (places.has(`${at.start} ${unit.file}`)) {
        routines[unit.file] ??= [];
        routines[unit.file]!.push(index);
      }
  const words = new Set<string>();
  for (const one of program.linked)
    if (matters(one) || one.routine?.flags || (one.routine?.inherits && below[one.index]))
      words.add(lastWord(one.name));
  // A name that stands for another has the say of that.
  for (let size = -1; size < words.size; ) {
    size = words.size;
    for (const { from, to } of program.aliases) if (words.has(lastWord(to))) words.add(lastWord(from));
  }
  return { routines, words: [...words], fires: concerned.some((one) => one.trigger && matters(one)) };
}

/**
 * Whether two units that declare the same leave every finding as it is, though these routines have other bodies. None
 * may concern a finding, neither before nor now: they open and change nothing and begin to call nobody who does. What
 * concerns findings, and what that calls, is then what it was. SQL is left out: there places decide what is defined.
 */
export function leavesFindings(before: Unit, now: Unit, changed: number[], known: Concern): boolean {
  if (before.language === 'sql' || before.language === 'settings') return false;
  const concerned = known.routines[before.file] ?? [];
  const words = new Set(known.words);
  return changed.every((index) => {
    const [old, one] = [before.routines[index]!, now.routines[index]!];
    if (concerned.includes(index)) return false;
    const [said, says] = [saidBy(old, words, known.fires), saidBy(one, words, known.fires)];
    return (
      says !== null &&
      said !== null &&
      said.calls.join('\n') === says.calls.join('\n') &&
      [...says.touches].every((touch) => said.touches.has(touch))
    );
  });
}

/** The calls that may mean what concerns findings, and what may fire such; null where it opens or changes anything. */
function saidBy({ body }: Routine, words: Set<string>, fires: boolean) {
  const calls: string[] = [];
  const touches = new Set<string>();
  const waiting: Step[][] = [body];
  for (let steps = waiting.pop(); steps; steps = waiting.pop())
    for (const step of steps) {
      if ((traitOf(step) & (OPENS | CHANGES)) > 0) return null;
      if (step.kind === 'call') {
        if (words.has(lastWord(step.callee))) calls.push(meant(step));
      } else if (fires && (step.kind === 'read' || step.kind === 'write')) touches.add(meant(step));
      for (const list of inside(step)) waiting.push(list);
    }
  return { calls, touches };
}

/** All of it but its place and what is inside. */
const meant = (step: Step): string =>
  JSON.stringify(step, (key, value) =>
    key === 'at' || key === 'last' || key === 'block' ? undefined : value,
  );
