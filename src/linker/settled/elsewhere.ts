// What a setting is whose value stands in another file, by the name of a variable or a key. It changes no unit, it copies.
import type { Setting, Unit } from '../../ir.ts';

/** DB_AUTOSAVE, db.autosave and db.auto-save are bound to one property. */
const loosely = (name: string) => name.toLowerCase().replace(/[._-]/g, '');
/** A variable of the environment, wherever in a file it stands. */
const isVariable = (name: string) => /^[A-Z][A-Z0-9_]*$/.test(name);

/** Gives such settings their value where all files that say it agree; who knows which of them holds otherwise? */
export function saying(units: Unit[]): (unit: Unit) => Unit {
  const said = new Map<string, Set<string>>();
  for (const { settings, role } of units)
    for (const { effect, key, value } of settings) {
      if (effect !== 'is said here' || role === 'test') continue;
      const last = key.slice(key.lastIndexOf('.') + 1);
      for (const name of new Set([loosely(key), ...(isVariable(last) ? [loosely(last)] : [])]))
        said.set(name, (said.get(name) ?? new Set()).add(value));
    }
  if (said.size === 0) return (unit) => unit;
  const settle = (setting: Setting): Setting => {
    if (setting.effect !== 'is said by another') return setting;
    const [value, ...more] = said.get(loosely(setting.value)) ?? [];
    if (value === undefined || more.length > 0 || !Object.hasOwn(setting.means ?? {}, value)) return setting;
    return { ...setting, value, effect: setting.means![value]! };
  };
  return (unit) =>
    unit.settings.some(({ effect }) => effect === 'is said by another')
      ? { ...unit, settings: unit.settings.map(settle) }
      : unit;
}
