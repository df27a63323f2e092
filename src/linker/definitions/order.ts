// In which order files run: by their places in a series, and by what plans and master change logs say of them.
import type { Mention, Name, Routine, Unit } from '../../ir.ts';
import { canonical, schemaOf } from './sqlname.ts';

/** Units in the order in which their definitions replace each other. It does not depend on the order given. */
export function inOrder(given: Unit[]): Unit[] {
  const units = mentioned(withExtensions(given));
  const key = (unit: Unit) => unit.series?.name ?? '';
  const sorted = [...units].sort(
    (a, b) =>
      order(key(a), key(b)) ||
      (a.series && b.series ? natural(a.series.position, b.series.position) : 0) ||
      order(a.file, b.file),
  );
  return followed(sorted);
}

/** A place in a file. */
export interface Moment {
  file: string;
  at: number;
}

/** Whether one thing is known to happen after another: in one file, or in one series of files. */
export function following(units: Unit[]): (later: Moment, earlier: Moment) => boolean {
  const places = new Map(
    inOrder(units).map(({ file, series }, index) => [file, { series: series?.name, index }]),
  );
  return (later, earlier) => {
    if (later.file === earlier.file) return later.at > earlier.at;
    const [a, b] = [places.get(later.file), places.get(earlier.file)];
    return a?.series !== undefined && a.series === b?.series && a.index > b.index;
  };
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** `2` before `10`, `1.9` before `1.10`. */
function natural(a: string, b: string): number {
  const split = (text: string) => text.match(/\d+|\D+/g) ?? [];
  const [left, right] = [split(a), split(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i]!, right[i]!];
    if (x === y) continue;
    const numeric = /^\d/.test(x) && /^\d/.test(y);
    return numeric ? Number(x) - Number(y) || order(x, y) : order(x, y);
  }
  return left.length - right.length;
}

// ---- versions of an extension

/**
 * Versions of an extension follow each other: `pgtap--1.0.sql`, `pgtap--1.0--1.1.sql`, and `pgtap.sql.in`, which is
 * what the next one will be. Scripts from one version to the next may leave the name out: `updates/2.1.0--2.1.1.sql`.
 */
function extensionSeries(file: string): Unit['series'] {
  const nameless = /^((?:.*\/)?)v?\d[\d.]*(?:-\w+)?--(\d[^/]*)\.sql(?:\.in)?$/.exec(file);
  if (nameless) return { name: `${nameless[1]}--`, position: nameless[2]! };
  const update = /^(.*?)--(.*--)?([^/]+?)\.sql(?:\.in)?$/.exec(file);
  if (update) {
    const [, name, from, position] = update;
    const whole = !from && /(?:^|\/)[a-z_][^/]*$/i.test(name!) && /^(?:\d|dev)/.test(position!);
    return { name: `${name}--`, position: position!, ...(whole && { whole }) };
  }
  const next = /^(.*?)\.sql(?:\.in)?$/.exec(file);
  return next ? { name: `${next[1]}--`, position: '\uffff' } : undefined;
}

/** It goes from one version of an extension to the next. */
export const isStep = ({ file }: Unit): boolean => /\d[^/]*--\d[^/]*\.sql(?:\.in)?$/.test(file);

/** The script that is to be the next version has no number in its name: it comes last. */
function withExtensions(units: Unit[]): Unit[] {
  const isVersion = ({ file }: Unit) => /--[^/]*\.sql(\.in)?$/.test(file);
  const extensions = new Set(units.filter(isVersion).map(({ file }) => extensionSeries(file)?.name));
  if (extensions.size === 0) return units;
  return units.map((unit) => {
    if (unit.language !== 'sql' || (unit.series && !isVersion(unit))) return unit;
    const series = extensionSeries(unit.file);
    if (!series || !extensions.has(series.name)) return unit;
    return { ...unit, series: { ...series, name: above(series.name, extensions) } };
  });
}

/** `old_versions/pgtap--1.0.sql` is of the series in the folder above, where that has versions of the same. */
function above(name: string, extensions: Set<string | undefined>): string {
  const folders = name.split('/');
  const base = folders.pop()!;
  for (let i = 0; base !== '--' && i < folders.length; i++) {
    const other = [...folders.slice(0, i), base].join('/');
    if (extensions.has(other)) return other;
  }
  return name;
}

// ---- files that name the one before

/** Within a series whose files name their predecessors, each comes after those; else the order given stays. */
function followed(sorted: Unit[]): Unit[] {
  const out: Unit[] = [];
  for (let i = 0; i < sorted.length; ) {
    const name = sorted[i]!.series?.name;
    let end = i + 1;
    while (name !== undefined && end < sorted.length && sorted[end]!.series?.name === name) end++;
    const group = sorted.slice(i, end);
    for (const unit of group.some(({ series }) => series?.after) ? chain(group) : group) out.push(unit);
    i = end;
  }
  return out;
}

/** Each unit once, after all that it follows. One that follows itself, by however many others, stays where it is. */
function chain(group: Unit[]): Unit[] {
  const at = new Map(group.map((unit) => [unit.series!.position, unit]));
  const done = new Set<Unit>();
  const entered = new Set<Unit>();
  for (const first of group) {
    const stack = [first];
    for (let unit = stack.at(-1); unit; unit = stack.at(-1)) {
      const before = (unit.series!.after ?? []).map((position) => at.get(position));
      const next = entered.has(unit) ? [] : before.filter((one) => one && !entered.has(one));
      entered.add(unit);
      if (next.length > 0) for (const one of next) stack.push(one!);
      else {
        stack.pop();
        done.add(unit);
      }
    }
  }
  return [...done];
}

// ---- what other files say

/** Units with the series, and the start of their scripts, that a plan or a configuration beside them says. */
function mentioned(units: Unit[]): Unit[] {
  const speakers = units.filter((unit) => unit.mentions).sort((a, b) => order(a.file, b.file));
  if (speakers.length === 0) return units;
  const meant = createFinder(units, speakers);
  const series = planned(speakers, meant);
  const { run, unplaced } = placed(speakers, meant, series);
  const starts = startsOf(speakers, meant);
  const others = speakers.flatMap((unit) => unit.mentions!).filter(({ dialect }) => dialect);
  const foreign = new Set(others.flatMap(meant));
  return units.map((unit) => {
    if (foreign.has(unit) && unit.dialect === 'unknown') return { ...unit, dialect: 'other' };
    const planned = series.get(unit) ?? unit.series;
    const startsIn = starts.get(unit);
    if (planned === unit.series && !startsIn) return unit;
    const routines = unit.routines.map((one) =>
      startsIn && one.kind === 'script' && one.entry === 'migration' && !one.asOne
        ? { ...one, startsIn }
        : one,
    );
    // What a migration runs is done as often as that.
    const role = unit.role === 'product' && run.has(unit) ? 'migration' : unit.role;
    const whole = { ...unit, role, routines, ...(planned && { series: planned }) };
    return unplaced.has(unit) ? withoutSchemas(whole) : whole;
  });
}

type Finder = (mention: Mention) => Unit[];

/** By the whole path, or what a configuration says it stands for; else by the one path that ends so: a tool's root may be a folder of this repository. */
function createFinder(units: Unit[], speakers: Unit[]): Finder {
  const moved = speakers.flatMap(({ mentions }) => mentions!.filter(({ as }) => as !== undefined));
  const byFile = new Map(units.map((unit) => [unit.file, unit]));
  const byBase = new Map<string, Unit[]>();
  const base = (file: string) => file.slice(file.lastIndexOf('/') + 1);
  for (const unit of units) byBase.set(base(unit.file), [...(byBase.get(base(unit.file)) ?? []), unit]);
  return ({ file, tool }) => {
    const folder = file === './' ? '' : file;
    if (file.endsWith('/'))
      return units
        .filter((unit) => unit.file.startsWith(folder) && (!tool || unit.series?.name.startsWith(tool)))
        .sort((a, b) => order(a.file, b.file));
    const other = moved.find(({ as }) => file.startsWith(as!));
    const exact = byFile.get(file) ?? (other && byFile.get(other.file + file.slice(other.as!.length)));
    if (exact) return [exact];
    const near = (byBase.get(base(file)) ?? []).filter((unit) => unit.file.endsWith(`/${file}`));
    return near.length === 1 ? near : [];
  };
}

/** Those that a list has run are one series, from the list that no other list mentions. */
function planned(speakers: Unit[], meant: Finder): Map<Unit, Unit['series']> {
  const runs = new Map<Unit, Unit[]>();
  for (const unit of speakers) {
    const listed = unit.mentions!.filter(({ runs }) => runs === true).flatMap(meant);
    if (listed.length > 0) runs.set(unit, listed);
  }
  const listed = new Set([...runs].flatMap(([list, units]) => units.filter((unit) => unit !== list)));
  const out = new Map<Unit, Unit['series']>();
  for (const root of runs.keys()) {
    if (listed.has(root)) continue;
    const stack = [root];
    for (let unit = stack.pop(); unit; unit = stack.pop()) {
      if (out.has(unit)) continue;
      out.set(unit, { name: `as ${root.file} says`, position: String(out.size) });
      for (const next of [...(runs.get(unit) ?? [])].reverse()) stack.push(next);
    }
  }
  return out;
}

/** What a file runs that has a place itself stands behind it there; of two that run it the later one counts. Gives those, and whose schemas it sets. */
function placed(speakers: Unit[], meant: Finder, out: Map<Unit, Unit['series']>) {
  const run = new Set<Unit>();
  const unplaced = new Set<Unit>();
  const listing = speakers.filter(
    ({ series, mentions }) => series && mentions!.some(({ runs }) => runs === 'here'),
  );
  listing.sort((a, b) => natural(a.series!.position, b.series!.position) || order(a.file, b.file));
  for (const unit of listing) {
    const { name, position } = unit.series!;
    unit.mentions!.forEach((mention, i) => {
      if (mention.runs !== 'here') return;
      for (const one of meant(mention)) {
        if (one === unit) continue;
        out.set(one, { name, position: `${position}/${i}` });
        run.add(one);
        if (mention.unplaced) unplaced.add(one);
      }
    });
  }
  return { run, unplaced };
}

/** Its unqualified names are those of a schema that it does not say. */
function withoutSchemas(unit: Unit): Unit {
  const bare = ({ name }: { name: string }) => schemaOf(canonical(name as Name)) === null;
  return {
    ...unit,
    routines: unit.routines.map((one) => (bare(one) ? { ...one, unplaced: true as const } : one)),
    changes: unit.changes.map((one) => (bare(one) ? { ...one, unplaced: true as const } : one)),
  };
}

/** The start of migrations, from the widest word to the one that names the file. */
function startsOf(speakers: Unit[], meant: Finder): Map<Unit, Routine['startsIn']> {
  const out = new Map<Unit, Routine['startsIn']>();
  const words = speakers.flatMap((unit) => unit.mentions!).filter((mention) => mention.startsIn);
  const reach = ({ file }: Mention) => (file.endsWith('/') ? file.length : Number.MAX_SAFE_INTEGER);
  words.sort((a, b) => reach(a) - reach(b) || order(a.file, b.file));
  for (const word of words) for (const unit of meant(word)) out.set(unit, word.startsIn!);
  return out;
}
