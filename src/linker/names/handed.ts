// What objects keep that their makers hand them: whose parameter it is given for, and in which attribute that stays. Not what is called on it.
import type { Name, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import type { Declared } from './defined.ts';

/** An object of this class, or the class itself. */
export interface Handed {
  type: Declared;
  itself: boolean;
}

interface Hand {
  is: Name;
  itself: boolean;
  from: Declared;
}

const MOST = 4;
const NOBODY: Handed[] = [];

/** `of`: which class a name means; `lineageOf`: it and those above. What a test hands over is a double. */
export function createHanded(
  units: readonly Unit[],
  of: (name: string, from: Declared) => Declared | null,
  lineageOf: (declared: Declared) => Declared[],
) {
  let kept: Map<Declared, Map<string, Hand[]>> | undefined;
  const known = new Map<Declared, Map<string, Handed[]>>();

  function collect(): Map<Declared, Map<string, Hand[]>> {
    const found = new Map<Declared, Map<string, Hand[]>>();
    for (const { hands, role, file } of units)
      for (const { to, method, parameter, is, itself = false } of role === 'test' ? [] : (hands ?? [])) {
        const from = { type: { name: to, at: NOWHERE, bases: [] }, file };
        const owner = of(to, from);
        if (owner) keep(found, owner, method, parameter, { is, itself, from });
      }
    return found;
  }

  /** Where a class above says what becomes of it, that one keeps it for all below, and this one has it so. */
  function keep(
    found: Map<Declared, Map<string, Hand[]>>,
    owner: Declared,
    method: string,
    parameter: string,
    hand: Hand,
  ): void {
    const line = lineageOf(owner);
    if (method.endsWith('=')) {
      // By whichever name it is read.
      for (const field of [method.slice(0, -1), `@${method.slice(0, -1)}`]) put(found, owner, field, hand);
      return;
    }
    const passes = line.some(({ type }) => type.passes?.includes(method));
    const asked = passes ? 'new' : method;
    const says = line.find(({ type }) => type.keeps && Object.hasOwn(type.keeps, asked));
    const keeps = says?.type.keeps?.[asked];
    const fields = keeps && Object.hasOwn(keeps, parameter) ? keeps[parameter]! : [];
    for (const field of fields) for (const one of new Set([owner, says!])) put(found, one, field, hand);
  }

  function put(found: Map<Declared, Map<string, Hand[]>>, owner: Declared, field: string, hand: Hand): void {
    const fields = found.get(owner) ?? new Map<string, Hand[]>();
    found.set(owner, fields);
    add(fields, field, hand);
  }

  /** All that this attribute may be of an object of that class; none where nobody tells, or too many do. */
  return (owner: Declared, field: string): readonly Handed[] => {
    const cache = known.get(owner) ?? new Map<string, Handed[]>();
    known.set(owner, cache);
    const before = cache.get(field);
    if (before) return before;
    cache.set(field, NOBODY); // what is handed on to itself
    kept ??= collect();
    for (const one of lineageOf(owner)) {
      const hands = kept.get(one)?.get(field);
      if (!hands) continue;
      const all: Handed[] = [];
      for (const { is, itself, from } of hands) {
        const type = of(is, from);
        if (type && !all.some((other) => other.type === type && other.itself === itself))
          all.push({ type, itself });
      }
      if (all.length <= MOST) cache.set(field, all);
      break;
    }
    return cache.get(field)!;
  };
}

const NOWHERE = { start: 0, end: 0 };
