// Which types stand above a name's own, which below, and what a name is an import of, by what all files say. It copies nothing.
import type { Name, Unit } from '../../ir.ts';
import { add } from '../lists.ts';
import { endOf, isSuffix, splitLast } from '../names/dotted.ts';

export interface Line {
  /** The types above one. */
  types(name: Name): Name[];
  /** What it is an import of, and the same name in the types above its own: what a type does not say itself it has from those. */
  above(name: Name): Name[];
  /** In those below it. */
  below(name: Name): Name[];
}

const MOST_OF_LINE = 50;

/** One type below another, by the names that its file has for both. */
interface Tie {
  below: Name;
  above: Name;
}

/** Few ask for that. */
export function ancestry(units: Unit[]): Line {
  let known: ReturnType<typeof relatives> | undefined;
  type Next = (one: Name, all: NonNullable<typeof known>) => readonly Name[];
  const from = (name: Name, next: Next, more: (one: Name, next: Next) => Name[] = () => []): Name[] => {
    known ??= relatives(units);
    const line = new Set([name]);
    for (const one of line)
      if (line.size < MOST_OF_LINE)
        for (const other of [...next(one, known), ...more(one, next)]) line.add(other);
    return [...line].slice(1);
  };
  /** The same name in what its owner leads to. */
  const within = (one: Name, next: Next): Name[] => {
    const cut = splitLast(one);
    return cut
      ? next(cut.owner as Name, known!).map((owner) => `${owner}${cut.mark}${cut.last}` as Name)
      : [];
  };
  const along = (name: Name, next: Next): Name[] => from(name, next, within);
  const up: Next = (one, { ties, stars }) =>
    [ties, stars].flatMap((all) =>
      (all.get(endOf(one)) ?? []).filter(({ below }) => isMeant(one, below)).map(({ above }) => above),
    );
  return {
    types: (name) => from(name, up),
    above: (name) => along(name, up),
    below: (name) =>
      along(name, (one, { heirs }) =>
        (heirs.get(endOf(one)) ?? []).filter(({ above }) => isMeant(above, one)).map(({ below }) => below),
      ),
  };
}

/** Another source root may be left out of it. */
const isMeant = (says: Name, name: Name): boolean =>
  says === name || (splitLast(says) !== null && isSuffix(says, name));

/** Bases of types, and what names stand for, by the last part of the lower name and of the upper one. */
function relatives(units: Unit[]) {
  const ties = new Map<string, Tie[]>();
  const heirs = new Map<string, Tie[]>();
  /** Modules that others hand on whole. */
  const stars = new Map<string, Tie[]>();
  const tie = (below: Name, above: Name) => {
    add(ties, endOf(below), { below, above });
    add(heirs, endOf(above), { below, above });
  };
  for (const { types, aliases } of units) {
    for (const type of types) for (const base of type.bases) tie(type.name, base);
    for (const { from, to } of aliases)
      if (from.endsWith('.*')) {
        const [below, above] = [from.slice(0, -2) as Name, to.replace(/\.\*$/, '') as Name];
        add(stars, endOf(below), { below, above });
      } else tie(from, to);
  }
  return { ties, heirs, stars };
}
