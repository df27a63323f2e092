// Whether a statement speaks of one row, by the keys of its relations where a declaration lists them. It copies, it changes no unit.
import type { Key, Name, Picked, Relation, Step, Unit, Write } from '../../ir.ts';
import { droppedKeys } from '../definitions/dropped.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { add } from '../lists.ts';
import { bySuffix, endOf } from '../names/dotted.ts';
import { answered, isPlace, PICKS } from './asks.ts';
import { ancestry } from './line.ts';

/** Makes the loops and rows of a unit say what the keys in all of these make of them. */
export function keying(units: Unit[]): (unit: Unit) => Unit {
  const declared = declarations(units);
  const keysOf = declaredKeys(units, declared);
  const keysOfType = saidByTypes(units);
  return (unit) =>
    answered(unit, PICKS, (step, of) => {
      const once = 'kind' in of && of.kind === 'script';
      const named = step.kind === 'write' ? byName(step, declared, unit.file) : step;
      return settle(named, (name) =>
        name.startsWith('sql:')
          ? keysOf(name, unit.file, once ? step.at.start : null)
          : keysOfType(name, unit.file),
      );
    });
}

interface Said {
  name: Name;
  keys: string[][];
  file: string;
}

/** What the type of such a name says of its rows, and those above it; null where none says anything. */
function saidByTypes(units: Unit[]): (name: Name, file: string) => Key[][] | null {
  const said = new Map<string, Said[]>();
  for (const { types, file } of units)
    for (const { name, keys } of types) if (keys) add(said, endOf(name), { name, keys, file });
  const line = ancestry(units);
  const find = (name: Name, file: string): string[][] => {
    const all = said.get(endOf(name));
    return (
      (all?.find((one) => one.name === name) ?? bySuffix(name, all, { file }, (one) => one.name))?.keys ?? []
    );
  };
  return (name, file) => {
    const keys = [name, ...line.types(name)].flatMap((one) => find(one, file));
    return keys.length > 0 ? [keys.map((columns) => ({ name: '', columns }))] : null;
  };
}

/** What stands at a place is of the column that all declarations have there. */
function byName(step: Write, declared: Declarations, file: string): Write {
  if (!step.relation || !step.keys?.some(isPlace)) return step;
  const tables = declared(step.relation, file).chosen.map(({ relation }) => Object.keys(relation.columns!));
  const nameOf = (place: number) => {
    const [name, ...others] = new Set(tables.map((columns) => columns[place]));
    return others.length > 0 ? undefined : name;
  };
  const name = (key: string) => key.replace(/^\d+(?==)/, (place) => nameOf(Number(place)) ?? place);
  return { ...step, keys: step.keys.map(name), ...(step.same && { same: step.same.map(name) }) };
}

/** The keys of each declaration that may be meant; null when none lists the columns. */
type KeysOf = (relation: Name) => Key[][] | null;

function settle(step: Step, keysOf: KeysOf): Step[] {
  if (!('picked' in step) || !step.picked) return [step];
  const { one, known, most, scarce } = rowsOf(step.picked, keysOf);
  const { picked: _, ...rest } = step;
  const few = most === null ? {} : { times: most, atMost: true as const };
  if (rest.kind === 'loop' && scarce && !one) rest.certainty = 'possible';
  if (rest.kind === 'loop') {
    // What leaves a loop that a program writes leaves that one.
    if (rest.over === 'rows') return [one ? { ...rest, times: 1, atMost: true } : { ...rest, ...few }];
    if (one) return rest.body.map(perhaps);
    const loop = rest.times !== null && rest.times <= (most ?? rest.times) ? rest : { ...rest, ...few };
    return [known || rest.certainty ? loop : { ...loop, certainty: 'likely' }];
  }
  const rows = one ? 'one' : rest.rows === 'one' ? 'unknown' : rest.rows;
  return [{ ...rest, rows, ...(rest.kind === 'write' && !one && few) } as Step];
}

/** That row may not be there. */
const perhaps = (step: Step): Step => (step.kind === 'call' ? { ...step, perhaps: true } : step);

interface Count {
  one: boolean;
  /** Keys decided it. */
  known: boolean;
  /** Where keys are among so many values. */
  most: number | null;
  /** Where nobody knows how many, they are few. */
  scarce: boolean;
}

/** One row when each is. */
function rowsOf(picked: Picked[], keysOf: KeysOf): Count {
  const keys = picked.map(({ relation }) => keysOf(relation));
  const one = picked.map(() => false);
  let known = true;
  const isOne = (index: number): boolean => {
    const { columns, joined, named } = picked[index]!;
    const declared = keys[index];
    if (!declared)
      return named === true || (joined ?? []).some((other) => other.named === true && one[other.with]);
    const given = [...columns, ...(joined ?? []).flatMap((other) => (one[other.with] ? [other.column] : []))];
    const covered = declared.filter((list) =>
      list.some((key) => key.columns.every((c) => given.includes(c))),
    );
    // Where declarations differ, one may be meant or another.
    return covered.length === declared.length || (covered.length > 0 && named === true);
  };
  for (let again = true; again; ) {
    again = false;
    for (let i = 0; i < picked.length; i++)
      if (!one[i] && isOne(i)) {
        one[i] = true;
        again = true;
      }
  }
  for (let i = 0; i < picked.length; i++) if (!keys[i] && picked[i]!.columns.length > 0) known = false;
  const counts = picked.map((_, i) => (one[i] ? 1 : few(picked[i]!, keys[i]!)));
  const most = counts.reduce<number | null>((a, b) => (a === null || b === null ? null : a * b), 1);
  const scarce = picked.every(({ few }, i) => one[i] || few);
  return { one: one.every(Boolean), known, most, scarce };
}

/** How many rows there can be where all columns of a key are given or among values. */
function few({ columns, among }: Picked, declared: Key[][] | null): number | null {
  if (!among) return null;
  if (!declared) {
    const counts = among.filter((one) => one.named).map(({ count }) => count);
    return counts.length > 0 ? Math.min(...counts) : null;
  }
  const counts = declared.map((list) => Math.min(...list.map((key) => product(key, columns, among))));
  const most = Math.max(...counts);
  return most < Number.POSITIVE_INFINITY ? most : null;
}

function product(key: Key, columns: string[], among: NonNullable<Picked['among']>): number {
  return key.columns.reduce((count, column) => {
    if (columns.includes(column)) return count;
    return count * (among.find((one) => one.column === column)?.count ?? Number.POSITIVE_INFINITY);
  }, 1);
}

/** Each row of each table has a place of its own. */
const PLACE: Key = { name: 'ctid', columns: ['ctid'] };

interface Declared {
  relation: Relation;
  file: string;
}

/** All declarations that a relation's name may mean in a file, and those of them that are chosen for their list of all columns. */
type Declarations = (relation: Name, file: string) => { meant: Declared[]; chosen: Declared[] };

function declarations(units: Unit[]): Declarations {
  const byLast = new Map<string, Declared[]>();
  for (const { relations, file, dialect } of units)
    if (dialect !== 'other')
      for (const relation of relations)
        if (relation.columns || relation.keys || relation.copies) {
          const last = lastPart(canonical(relation.name));
          const list = byLast.get(last);
          if (list) list.push({ relation, file });
          else byLast.set(last, [{ relation, file }]);
        }
  return (relation, file) => {
    const name = canonical(relation);
    const all = byLast.get(lastPart(name)) ?? [];
    const exact = all.filter((one) => canonical(one.relation.name) === name);
    const meant = exact.length > 0 || name.includes('.') ? exact : all;
    const whole = meant.filter((one) => one.relation.columns);
    const here = whole.filter((one) => one.file === file);
    return { meant, chosen: here.length > 0 ? here : whole };
  };
}

/** Of those declarations, with the keys that other statements add to them and without those that are dropped. */
function declaredKeys(
  units: Unit[],
  declared: Declarations,
): (relation: Name, file: string, at: number | null) => Key[][] | null {
  const isDropped = droppedKeys(units);
  const find = (relation: Name, file: string, at: number | null, depth = 0): Key[][] | null => {
    if (depth > 10) return null;
    const { meant, chosen } = declared(relation, file);
    const when = at === null ? null : { file, at };
    const keysOf = (one: Declared) =>
      (one.relation.keys ?? []).filter((key) => !isDropped(key, one.relation, one.file, when));
    const added = meant.filter((one) => !one.relation.columns).flatMap(keysOf);
    if (chosen.length > 0) return chosen.map((one) => [PLACE, ...keysOf(one), ...added]);
    // One table's keys, of which it is a copy; where it has more columns, those are of no key that it had.
    const copies = meant.flatMap((one) => one.relation.copies ?? []);
    const copied = copies.length === 1 && copies[0]!.keys ? find(copies[0]!.of, file, null, depth + 1) : null;
    return copied?.map((keys) => [...keys, ...added]) ?? null;
  };
  const known = new Map<string, Key[][] | null>();
  return (relation, file, at) => {
    const id = `${relation}\n${file}\n${at}`;
    const cached = known.get(id);
    if (cached !== undefined) return cached;
    const found = find(relation, file, at);
    known.set(id, found);
    return found;
  };
}
