// Which database the programs of a repository speak to, as far as settings and drivers tell. Not whose SQL a file has.
import type { Language, Setting, Unit } from '../../ir.ts';
import { above, folderOf } from '../folders.ts';
import { add } from '../lists.ts';
import type { Model } from '../model.ts';
import { programsIn } from './programs.ts';

/** Tests run on these whatever the product speaks to. */
const IN_MEMORY = /^(?:h2|hsqldb|derby|sqlite)$/;
const TOLD_APART: Unit['language'][] = ['sql', 'settings'];

/** What is left of units, and what of them speaks to other databases. */
interface Judged {
  units: Unit[];
  others: Model['otherDatabases'];
}

/** All units, or those left when settings and drivers name other databases and PostgreSQL nowhere. */
export const withPostgres = (units: Unit[]): Unit[] => judged(units).units;

/** Which code was left out, and by what: all of it, that in some languages, or that of some programs of a repository. */
export const otherDatabases = (units: Unit[]): Model['otherDatabases'] => judged(units).others;

function judged(units: Unit[]): Judged {
  const settings = catalogued(units);
  const other = otherDatabase(units, settings);
  if (!other) return withoutOtherPrograms(withoutOtherModules(units, settings), settings);
  const left = units.filter(
    (unit) => isToldApart(unit) || (other.languages && !other.languages.includes(unit.language)),
  );
  return { units: left, others: [other] };
}

/**
 * The one that they name instead, and where; null where they name PostgreSQL too, or nothing, or there is no code to leave
 * out. What one language's packages name says nothing of another's programs.
 */
function otherDatabase(units: Unit[], settings: Settings): Model['otherDatabases'][number] | null {
  const languages = new Set<Language>();
  for (const unit of units) {
    if (unit.dialect === 'postgresql') return null;
    if (!isToldApart(unit)) languages.add(unit.language);
  }
  if (languages.size === 0) return null;
  const isProduct = units.some((unit) => unit.role === 'product' && !isToldApart(unit));
  let used: (Setting & { file: string })[] = [];
  // Where tests bring ours, what they bring besides says nothing.
  const isTested = units.some((unit) => settings(unit).some((one) => isOfTests(one) && isPostgres(one)));
  for (const unit of units)
    for (const setting of settings(unit))
      if (isTested && isOfTests(setting)) continue;
      else if (
        setting.effect === 'uses database' &&
        !(unit.role === 'test' && IN_MEMORY.test(setting.value))
      ) {
        if (isPostgres(setting)) return null;
        if (!isProduct || !isOfSample(unit, setting)) used.push({ ...setting, file: unit.file });
      }
  // What one engine speaks to says nothing where another one's address comes from elsewhere.
  if (used.some(isUnknown)) used = used.filter(({ of }) => of !== 'engine');
  const told = used.find(({ languages: its }) => !its || its.some((one) => languages.has(one)));
  if (!told) return null;
  const left = [...languages].filter((one) => used.some(({ languages: its }) => !its || its.includes(one)));
  return {
    value: told.value,
    file: told.file,
    ...(left.length < languages.size ? { languages: left } : {}),
  };
}

/** Connections, by name, of which all settings that list them say that they are to other databases. */
export function otherConnections(settings: Setting[]): Set<string> {
  const names = new Set<string>();
  const ours = new Set<string>();
  for (const setting of settings)
    if (setting.listed && setting.on !== undefined && setting.effect === 'uses database')
      (isPostgres(setting) ? ours : names).add(setting.on);
  for (const name of ours) names.delete(name);
  return names;
}

/** What the programs of documentation and samples bring says nothing of the product beside them; a sample of its configuration does. */
const isOfSample = ({ role, language }: Unit, setting: Setting) =>
  role === 'example' && (isDriver(setting) || language !== 'settings');

const isToldApart = ({ language }: Unit) => TOLD_APART.includes(language);

type Placed = Setting & { file: string };

/** A module whose build or manifest, with those above it, brings drivers of other databases alone speaks to none of ours, unless something in it does. Drivers of languages that nobody reads make no module. */
function withoutOtherModules(units: Unit[], settings: Settings): Judged {
  const drivers = new Map<string, Placed[]>();
  for (const unit of units) {
    const { file } = unit;
    for (const setting of settings(unit))
      if (isDriver(setting) && setting.languages?.length !== 0 && !IN_MEMORY.test(setting.value))
        add(drivers, folderOf(file), { ...setting, file });
  }
  if ([...drivers.values()].every((all) => all.some(isPostgres))) return { units, others: [] };
  const known = new Map<string, Placed[]>();
  const within = (folder: string): Placed[] => {
    let all = known.get(folder);
    if (!all) {
      all = [...(drivers.get(folder) ?? []), ...(folder === '' ? [] : within(above(folder)))];
      known.set(folder, all);
    }
    return all;
  };
  const moduleOf = (folder: string): string =>
    folder === '' || drivers.has(folder) ? folder : moduleOf(above(folder));
  const ours = new Set(
    units.filter((unit) => speaksPostgres(unit, settings)).map(({ file }) => moduleOf(folderOf(file))),
  );
  return without(units, ({ file, language }) => {
    const below = moduleOf(folderOf(file));
    const all = within(below).filter(({ languages }) => languages?.includes(language));
    return all.length === 0 || all.some(isPostgres) || ours.has(below) ? null : { ...all[0]!, below };
  });
}

type Settings = (unit: Unit) => Setting[];

/** What builds bring by the names that a catalog in another file gives: whoever lists something there does not use it. */
function catalogued(units: Unit[]): Settings {
  const said = new Map<string, string>();
  for (const { settings } of units)
    for (const { effect, of, key, value } of settings)
      if (effect === 'is said here' && of === 'catalog') said.set(key, value);
  // What no catalog that was read lists is no database's driver, whatever it is called.
  const known = (one: Setting): Setting[] => {
    if (!isNamed(one)) return [one];
    const value = said.get(one.value);
    return value !== undefined && one.means?.[value] ? [{ ...one, value, effect: one.means[value] }] : [];
  };
  return ({ settings }) => (settings.some(isNamed) ? settings.flatMap(known) : settings);
}

/** A driver by the name that a catalog gives it. */
const isNamed = ({ effect, of }: Setting) =>
  effect === 'is said by another' && (of === 'driver' || of === 'test driver');

/** Tests alone bring it. */
const isOfTests = ({ of }: Setting) => of === 'test driver';

/** A build or a manifest brings it. */
const isDriver = ({ of }: Setting) => of === 'driver';

/** Of several programs of a repository, those whose own lists name other databases speak to none of ours, unless something beside them does. */
function withoutOtherPrograms({ units, others }: Judged, settings: Settings): Judged {
  const said = new Map<string, Placed>();
  for (const unit of units)
    for (const setting of unit.settings)
      if (setting.below !== undefined && unit.role === 'product' && setting.effect === 'uses database')
        if (!said.has(setting.below))
          said.set(setting.below, { ...setting, ...ofWhom(unit), file: unit.file });
  if (said.size < 2) return { units, others };
  const programOf = programsIn([...said.keys()]);
  const ours = new Set(
    units.filter((unit) => speaksPostgres(unit, settings)).map(({ file }) => programOf(file)),
  );
  ours.delete(null);
  if (ours.size === 0) return { units, others };
  const left = without(units, (unit) => {
    const its = isToldApart(unit) ? null : programOf(unit.file);
    const one = its === null || ours.has(its) ? undefined : said.get(its);
    return one && (one.languages ?? [unit.language]).includes(unit.language) ? one : null;
  });
  return { units: left.units, others: [...others, ...left.others] };
}

/** A program's own file speaks of what is written as it is, a configuration of all. */
const ofWhom = (unit: Unit): Pick<Setting, 'languages'> =>
  isToldApart(unit) ? {} : { languages: [unit.language] };

/** Those of which this gives nothing, and once for each program what it gives of the others. */
function without(units: Unit[], other: (unit: Unit) => Placed | null): Judged {
  const found = new Map<string, Model['otherDatabases'][number]>();
  const left = units.filter((unit) => {
    const one = other(unit);
    if (one) found.set(one.below!, { value: one.value, file: one.file, below: one.below });
    return one === null;
  });
  return { units: left, others: [...found.values()] };
}

const speaksPostgres = (unit: Unit, settings: Settings) =>
  unit.dialect === 'postgresql' ||
  settings(unit).some((one) => one.effect === 'uses database' && isPostgres(one) && !isOfTests(one));

const isUnknown = ({ value }: { value: string }) => value === 'unknown';
const isPostgres = ({ value }: { value: string }) => value === 'postgresql';
