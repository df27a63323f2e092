// What an ancestor's annotation says around the methods of those who inherit from it. It changes no unit, it copies.
import type { Call, Name, Routine, Step, TypeDeclaration, Unit } from '../ir.ts';
import { holds, rewrite } from './rewrite.ts';

/** Makes the methods of a unit run within what the class or the interface above them declares. */
export function inheriting(units: Unit[]): (unit: Unit) => Unit {
  if (!units.some(({ types }) => types.some(({ around }) => around))) return (unit) => unit;
  const types = declarations(units);
  return (unit) => {
    const wrapped = new Map<Name, Name>();
    for (const { name, inherits } of unit.routines) {
      const by = inherits && wrapper(name, types);
      if (by) wrapped.set(name, by);
    }
    if (wrapped.size === 0) return unit;
    const onItself = calledOnItself(unit.routines, wrapped);
    return { ...unit, routines: unit.routines.flatMap((one) => within(one, wrapped, onItself)) };
  };
}

/** Also by the names that whole imports give them. */
function declarations(units: Unit[]): Map<Name, TypeDeclaration> {
  const out = new Map(units.flatMap((unit) => unit.types.map((type) => [type.name, type] as const)));
  for (const unit of units)
    for (const base of unit.types.flatMap(({ bases }) => bases))
      for (const { from, to } of unit.aliases) {
        const scope = from.slice(0, -1);
        if (out.has(base) || !from.endsWith('~.*') || !base.startsWith(scope)) continue;
        const meant = out.get(`${to.slice(0, -1)}${base.slice(scope.length)}` as Name);
        if (meant) out.set(base, meant);
      }
  return out;
}

/** Where the last part of a name begins; a method of an object stands behind `#` in Ruby. */
const cut = (name: Name) => Math.max(name.lastIndexOf('.'), name.lastIndexOf('#'));
const ownerOf = (name: Name) => name.slice(0, cut(name)) as Name;

/** Of the nearest ancestor that says anything, the method before the class. */
function wrapper(name: Name, types: Map<Name, TypeDeclaration>): Name | undefined {
  const method = name.slice(cut(name) + 1);
  const line = [types.get(ownerOf(name))];
  for (let i = 0; i < line.length && line.length < 50; i++)
    for (const base of line[i]?.bases ?? []) if (!line.includes(types.get(base))) line.push(types.get(base));
  for (const type of line.slice(1)) {
    const by = type?.around?.[method] ?? type?.around?.['*'];
    if (by) return by;
  }
  return undefined;
}

/** What an object calls on itself goes past the proxy: the twin is the method alone. */
function within(routine: Routine, wrapped: Map<Name, Name>, onItself: Set<Name>): Routine[] {
  const body = rewrite(routine.body, (step): Step[] =>
    isOnItself(step, routine, wrapped) ? [{ ...step, callee: `${step.callee}'` }] : [step],
  );
  const by = wrapped.get(routine.name);
  const called = (block: Step[]): Routine => ({
    ...routine,
    body: [{ kind: 'call', callee: by!, at: routine.at, block }],
  });
  if (!by) return [{ ...routine, body }];
  if (!onItself.has(routine.name)) return [called(body)];
  const twin: Name = `${routine.name}'`;
  return [
    called([{ kind: 'call', callee: twin, at: routine.at, args: routine.parameters?.total ?? undefined }]),
    { ...routine, name: twin, entry: 'called', startsIn: 'caller', body },
  ];
}

const isOnItself = (step: Step, { name }: Routine, wrapped: Map<Name, Name>): step is Call =>
  step.kind === 'call' && wrapped.has(step.callee) && ownerOf(step.callee) === ownerOf(name);

function calledOnItself(routines: Routine[], wrapped: Map<Name, Name>): Set<Name> {
  const out = new Set<Name>();
  for (const routine of routines)
    holds(routine.body, (step) => {
      if (isOnItself(step, routine, wrapped)) out.add(step.callee);
      return false;
    });
  return out;
}
