// How many calls found what they mean, and why the others did not. It is for people; nothing is concluded from it.
import type { Call, Name } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import type { Resolution } from '../model.ts';
import type { Names, Target } from '../names/names.ts';

type Kind = 'outside' | 'passed' | 'unresolved';

/** `passed`: files that were found and not read, since they say nothing that matters. */
export function createStatistics(program: Program, names: Names, passed: string[]) {
  const times = new Map<Call['callee'], number>();
  const kinds = new Map<string, Kind>();
  const done: Resolution = { calls: {}, unresolved: [] };
  /** Parts of names that follow each other somewhere here; a part alone too. */
  let known: Set<string> | undefined;
  let unread: Set<string> | undefined;
  return {
    done,
    count(call: Call, target: Target, from: Linked) {
      const space = call.callee.slice(0, call.callee.indexOf(':'));
      done.calls[space] ??= { resolved: 0, explained: 0, outside: 0, passed: 0, unresolved: 0 };
      const row = done.calls[space];
      if (target.routines.length > 0) row.resolved++;
      else if (target.meaning || call.elsewhere) row.explained++;
      else {
        const kind = space === 'sql' ? 'unresolved' : kindOf(call.callee, from);
        row[kind]++;
        if (kind === 'unresolved') times.set(call.callee, (times.get(call.callee) ?? 0) + 1);
      }
    },
    finish() {
      done.unresolved = [...times]
        .map(([name, count]) => ({ name, times: count }))
        .sort((a, b) => b.times - a.times || (a.name < b.name ? -1 : 1))
        .slice(0, 100);
    },
  };

  /** What a call on a call gives belongs to where the first of them belongs. */
  function kindOf(callee: Name, from: Linked): Kind {
    const end = callee.search(/[(^]/);
    const base = (end < 0 ? callee : callee.slice(0, end)) as Name;
    let kind = kinds.get(base);
    if (!kind) {
      kind = judge(base, from, end >= 0);
      kinds.set(base, kind);
    }
    return kind;
  }

  function judge(base: Name, from: Linked, isChain: boolean): Kind {
    const parts = partsOf(base);
    if (parts[0] === '?' || parts.length < 2) return 'unresolved';
    unread ??= new Set(passed.flatMap((path) => pairs(fileParts(path)).slice(-1)));
    if (pairs(parts).some((pair) => unread!.has(pair.toLowerCase().replaceAll('_', '')))) return 'passed';
    known ??= knownParts(program);
    const owner = parts.slice(0, -1);
    const near = pairs(owner).slice(-2);
    const isHere = owner.length === 1 ? known.has(owner[0]!) : near.some((pair) => known!.has(pair));
    if (!isHere) return 'outside';
    if (isChain) {
      const [first] = names.call({ kind: 'call', callee: base, at: { start: 0, end: 0 } }, from).routines;
      return first?.to.routine?.returnsForeign ? 'outside' : 'unresolved';
    }
    // Inherited from a library, as far as anybody can tell.
    const lineage = names.lineage(ownerOf(base), from);
    return lineage.some((name) => name !== ownerOf(base) && isForeign(name)) ? 'outside' : 'unresolved';
  }

  function isForeign(name: string): boolean {
    const near = pairs(partsOf(name)).slice(-2);
    return near.length > 0 && !near.some((pair) => known!.has(pair));
  }
}

function knownParts(program: Program): Set<string> {
  const known = new Set<string>();
  const owners = new Set<string>();
  for (const { name } of program.linked)
    if (!name.startsWith('sql:') && /[.#]/.test(name)) owners.add(ownerOf(name));
  for (const { type } of program.types) owners.add(type.name);
  for (const owner of owners) {
    const parts = partsOf(owner);
    for (const part of parts) known.add(part);
    for (const pair of pairs(parts)) known.add(pair);
  }
  return known;
}

/** Without the file's scope that a name was looked for in. */
const partsOf = (name: string) =>
  name
    .slice(name.indexOf(':') + 1)
    .replace(/^.*~\./, '')
    .split(/[.#]|::/);
const fileParts = (path: string) =>
  path
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replaceAll('_', '')
    .split('/');
const pairs = (parts: string[]) => parts.slice(1).map((part, i) => `${parts[i]} ${part}`);
const ownerOf = (name: string) =>
  name.slice(0, Math.max(name.lastIndexOf('.'), name.lastIndexOf('#'))) as Name;
