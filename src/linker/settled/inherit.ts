// What an ancestor's annotation or a configuration says around methods of other files. It changes no unit, it copies.
import type { Call, Name, Place, Routine, Step, TypeDeclaration, Unit, Weave } from '../../ir.ts';
import { holds, rewrite } from '../rewrite.ts';

/** Makes the methods of a unit run within what the class or the interface above them declares, and what is woven around. */
export function inheriting(units: Unit[]): (unit: Unit) => Unit {
  const woven = units.flatMap(({ weaves, role }) => (role === 'test' ? [] : (weaves ?? [])));
  if (woven.length === 0 && !units.some(({ types }) => types.some(({ around }) => around)))
    return (unit) => unit;
  const types = declarations(units);
  const weaver = woven.length > 0 ? weaving(woven, units, types) : () => [];
  return (unit) => {
    const wrapped = new Map<Name, Name[]>();
    for (const routine of unit.routines) {
      const above = routine.inherits && wrapper(routine.name, types);
      const all = [...weaver(routine), ...(above ? [above] : [])];
      if (all.length > 0) wrapped.set(routine.name, all);
    }
    if (wrapped.size === 0) return unit;
    const onItself = calledOnItself(unit.routines, wrapped);
    return { ...unit, routines: unit.routines.flatMap((one) => within(one, wrapped, onItself)) };
  };
}

/**
 * A pattern that names one class means its objects; one that means many means those that the framework makes. The class
 * or what it descends from has the method under that name.
 */
function weaving(
  woven: Weave[],
  units: Unit[],
  types: Map<Name, TypeDeclaration>,
): (routine: Routine) => Name[] {
  const all = woven.map(({ also = [], unless = [], ways, ...place }) => ({
    is: fitting(place),
    also: also.map(fitting),
    unless: unless.map(fitting),
    isMethod: pattern(place.method),
    isOne: [place, ...also].some(({ type }) => !/\*|\.\./.test(type)),
    // A name without a star is the closest, then the longest.
    ways: ways
      .map((way) => ({
        ...way,
        length: way.method.includes('*') ? way.method.length : 1000,
        is: pattern(way.method),
      }))
      .sort((a, b) => b.length - a.length),
  }));
  const known = new Set(units.flatMap(({ routines }) => routines.map(({ name }) => name)));
  const made = new Set(units.flatMap(({ makes, role }) => (role === 'test' ? [] : (makes ?? []))));
  return ({ name, kind, implied }) => {
    const owner = types.get(ownerOf(name));
    if (kind !== 'method' || implied || !owner || owner.abstract) return [];
    const method = name.slice(cut(name) + 1);
    const fit = all.filter(
      (one) => one.isMethod(method) && (one.isOne || owner.managed || made.has(owner.name)),
    );
    if (fit.length === 0) return [];
    const declaring = lineage(owner, types).filter((type) => known.has(`${type.name}.${method}`));
    const names = declaring.map(({ name }) => name.slice(name.indexOf(':') + 1));
    const here = fit.filter(
      ({ is, also, unless }) =>
        [is, ...also].every((fits) => fits(names, method)) && !unless.some((fits) => fits(names, method)),
    );
    return here.flatMap(({ ways }) => ways.find(({ is }) => is(method))?.by ?? []);
  };
}

/** Whether one of these classes, the method's own first, has it in this place. */
function fitting({ type, method, own }: Place): (types: string[], name: string) => boolean {
  const [isType, isMethod] = [pattern(type), pattern(method)];
  return (types, name) => isMethod(name) && (own ? types.slice(0, 1) : types).some(isType);
}

/** `com.acme..*Service`, `add*`: a star stands for letters of one part, two dots for any parts between. */
function pattern(text: string): (name: string) => boolean {
  const parts = text.split('.').map((part) => [...part]);
  return (name) =>
    fits(parts, name.split('.'), isEmpty, (part, word) => fits(part, [...word], isStar, (a, b) => a === b));
}

const isEmpty = (part: string[]) => part.length === 0;
const isStar = (letter: string) => letter === '*';

/** Goes back to the last gap alone: as a regular expression, many stars would take forever on names made for that. */
function fits<P, T>(
  pattern: P[],
  text: T[],
  isGap: (one: P) => boolean,
  alike: (one: P, other: T) => boolean,
) {
  let p = 0;
  let gap = -1;
  let from = 0;
  for (let t = 0; t < text.length; ) {
    if (p < pattern.length && isGap(pattern[p]!)) [gap, from] = [p++, t];
    else if (p < pattern.length && alike(pattern[p]!, text[t]!)) {
      p++;
      t++;
    } else if (gap >= 0) [p, t] = [gap + 1, ++from];
    else return false;
  }
  return pattern.slice(p).every(isGap);
}

/** Also by the names that whole imports give them. */
function declarations(units: Unit[]): Map<Name, TypeDeclaration> {
  const out = new Map(units.flatMap((unit) => unit.types.map((type) => [type.name, type] as const)));
  for (const unit of units)
    for (const base of unit.types.flatMap(({ bases }) => bases))
      for (const { from, to } of unit.aliases) {
        // A constant stands in one of the modules around, or at the top.
        if (from === base && !out.has(base) && out.has(to)) out.set(base, out.get(to)!);
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
  const owner = types.get(ownerOf(name));
  const without = new Set<string>();
  for (const type of owner ? lineage(owner, types) : []) {
    for (const one of [method, '*']) for (const each of type.unwraps?.[one] ?? []) without.add(each);
    const by = type === owner ? undefined : (type.around?.[method] ?? type.around?.['*']);
    if (by) return without.has(by.slice(cut(by) + 1)) ? undefined : asOf(owner!.name, by);
  }
  return undefined;
}

/** The class itself may have one of that name. */
const asOf = (owner: Name, by: Name): Name => (by.includes('#') ? `${owner}#${by.slice(cut(by) + 1)}` : by);

/** The type and what it descends from, nearest first. */
function lineage(owner: TypeDeclaration, types: Map<Name, TypeDeclaration>): TypeDeclaration[] {
  const line = [owner];
  for (let i = 0; i < line.length && line.length < 50; i++)
    for (const base of line[i]!.bases) {
      const found = types.get(base);
      if (found && !line.includes(found)) line.push(found);
    }
  return line;
}

/** What an object calls on itself goes past the proxy: the twin is the method alone. */
function within(routine: Routine, wrapped: Map<Name, Name[]>, onItself: Set<Name>): Routine[] {
  const body = rewrite(routine.body, (step): Step[] =>
    isOnItself(step, routine, wrapped) ? [{ ...step, callee: `${step.callee}'` }] : [step],
  );
  const by = wrapped.get(routine.name);
  const called = (block: Step[]): Routine => ({
    ...routine,
    body: (by ?? []).reduceRight(
      (inner, callee): Step[] => [{ kind: 'call', callee, at: routine.at, block: inner }],
      block,
    ),
  });
  if (!by) return [{ ...routine, body }];
  if (!onItself.has(routine.name)) return [called(body)];
  const twin: Name = `${routine.name}'`;
  return [
    called([{ kind: 'call', callee: twin, at: routine.at, args: routine.parameters?.total ?? undefined }]),
    { ...routine, name: twin, entry: 'called', startsIn: 'caller', body },
  ];
}

const isOnItself = (step: Step, { name }: Routine, wrapped: Map<Name, Name[]>): step is Call =>
  step.kind === 'call' && wrapped.has(step.callee) && ownerOf(step.callee) === ownerOf(name);

function calledOnItself(routines: Routine[], wrapped: Map<Name, Name[]>): Set<Name> {
  const out = new Set<Name>();
  for (const routine of routines)
    holds(routine.body, (step) => {
      if (isOnItself(step, routine, wrapped)) out.add(step.callee);
      return false;
    });
  return out;
}
