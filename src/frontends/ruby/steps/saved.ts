// Which methods save their own record, and which calls tell them that it is new. Whether it is, the linker decides.
import { type Call, inside, type Name, type Routine, type Step } from '../../../ir.ts';
import type { RubyFile } from '../names/file.ts';
import { SAVED } from '../names/meaning.ts';

/** `def place! = save!` asks it, and so does `def pay! = place!` of the same class, which hands on what it was told. */
export function askWhetherSaved({ text, unit }: RubyFile): void {
  if (!/\bsave!?(?![\w?=])/.test(text)) return;
  const methods = new Map<Name, Routine[]>();
  for (const routine of unit.routines)
    if (routine.name.includes('#'))
      methods.set(routine.name, [...(methods.get(routine.name) ?? []), routine]);
  const asking = new Set<Name>();
  const callers = new Map<Name, { call: Call; by: Name }[]>();
  for (const { name, body } of unit.routines) {
    const own = name.slice(0, name.indexOf('#') + 1);
    if (!own) continue;
    for (const step of everyStep(body))
      if (step.kind === 'branch' && step.when?.parameter === SAVED) asking.add(name);
      else if (step.kind === 'call' && step.callee.startsWith(own) && methods.has(step.callee))
        callers.set(step.callee, [...(callers.get(step.callee) ?? []), { call: step, by: name }]);
  }
  // Those that are added here are gone through as well.
  for (const name of asking)
    for (const { call, by } of callers.get(name) ?? [])
      if (!call.given || !Object.hasOwn(call.given, SAVED)) {
        call.given = { ...call.given, [SAVED]: { parameter: SAVED } };
        asking.add(by);
      }
  for (const name of asking)
    for (const routine of methods.get(name)!) routine.flags = [...(routine.flags ?? []), { name: SAVED }];
}

function* everyStep(steps: Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    for (const list of inside(step)) yield* everyStep(list);
  }
}
