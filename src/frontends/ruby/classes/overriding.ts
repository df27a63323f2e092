// A method that a class writes itself takes the place of what a macro gives by that name, and `super` goes on to that. Not what macros give.
import type { Name, Routine } from '../../../ir.ts';
import { methodName, type Owner, type RubyFile, resolveConstant } from '../names/file.ts';
import { spanOf } from '../syntax.ts';

/** What macros give stands in a module of its own behind the class, as Rails keeps it; these names a class has itself. */
export function giveWay(file: RubyFile, owners: Owner[]): Set<Name> {
  const out = new Set<Name>();
  const made = new Map<Name, Routine[]>();
  for (const one of file.unit.routines)
    if (one.implied) made.set(one.name, [...(made.get(one.name) ?? []), one]);
  if (made.size === 0) return out;
  for (const owner of owners) {
    // `attr_writer :sign` keeps it, and does no more.
    for (const name of owner.writers) {
      const gone = made.get(methodName(owner, `${name}=`, false)) ?? [];
      file.unit.routines = file.unit.routines.filter((one) => !gone.includes(one));
    }
    for (const { name, singleton, at } of owner.methods) {
      const called = methodName(owner, name, singleton);
      if (singleton || out.has(called) || !made.has(called)) continue;
      out.add(called);
      const module = behind(file, owner, spanOf(at));
      for (const one of made.get(called)!) one.name = `${module}#${name}`;
    }
  }
  return out;
}

/** Modules that the class takes in are asked before it, and the class above after it. */
function behind(file: RubyFile, owner: Owner, at: Routine['at']): Name {
  const module: Name = `ruby:${owner.name}::GeneratedMethods`;
  const { bases } = owner.declaration;
  if (bases.includes(module)) return module;
  const above =
    owner.superclass === null
      ? -1
      : bases.indexOf(resolveConstant(file, owner.superclass, { ...owner, nesting: owner.nesting.slice(1) }));
  bases.splice(above < 0 ? bases.length : above, 0, module);
  file.unit.types.push({ name: module, at, bases: [] });
  return module;
}
