// What scripts that bring an older version up have left behind: the sources beside them do not have it any more. Not what a series replaces.

import { above, folderOf } from '../folders.ts';
import { add } from '../lists.ts';
import { type Linked, signature } from './definitions.ts';
import { canonical } from './sqlname.ts';

/** So many of the names that scripts define, of five, the sources define too, where these are all that a new installation gets. */
const MOST_OF_FIVE = 4;
/** Of fewer names nothing can be said. */
const FEWEST = 5;

export interface Places {
  isSource(linked: Linked): boolean;
  /** It stands in a script that brings an older version up. */
  isUpgrade(linked: Linked): boolean;
}

/** Beside sources that are whole, what only the scripts define is not there any more: a new installation has never had it. */
export function withoutOutdated(linked: Linked[], { isSource, isUpgrade }: Places): Linked[] {
  const upgrades = new Map<string, Linked[]>();
  for (const one of linked) if (lasts(one) && isUpgrade(one)) add(upgrades, scriptsOf(one.file), one);
  if (upgrades.size === 0) return linked;
  const sources = linked.filter((one) => lasts(one) && isSource(one));
  const gone = new Set<Linked>();
  for (const [folder, made] of upgrades) {
    const around = above(folder);
    const near = sources.filter(({ file }) => file.startsWith(around));
    const known = new Set(near.map(nameOf));
    const units = [...new Set(made.map(({ unit }) => unit))];
    const computed = new Set(units.flatMap(({ routines }) => routines.flatMap(({ makes = [] }) => makes)));
    const names = new Set(made.filter(({ name }) => !computed.has(name)).map(nameOf));
    const both = [...names].filter((name) => known.has(name)).length;
    if (names.size < FEWEST || both * 5 < names.size * MOST_OF_FIVE) continue;
    const there = new Set(near.map(exactly));
    for (const one of made) if (!there.has(exactly(one))) gone.add(one);
  }
  return gone.size === 0 ? linked : linked.filter((one) => !gone.has(one));
}

/** It stays when its script has run. */
const lasts = ({ server, until, routine }: Linked): boolean =>
  server && until === undefined && routine?.kind !== 'anonymous';

const nameOf = ({ name, trigger }: Linked): string =>
  trigger ? `${trigger.via} ${trigger.name} on ${canonical(trigger.relation)}` : canonical(name);

/** An older overload is gone as well. */
const exactly = (one: Linked): string => (one.routine ? signature(one.routine) : nameOf(one));

/** All that lies below `updates/` belongs together, however it is sorted: `sql/updates/2.x/app--2.0--2.1.sql`. */
export const scriptsOf = (file: string): string => BELOW.exec(file)?.[0] ?? folderOf(file);

const BELOW = /^(?:[^/]+\/)*?(?:[^/]*[_.-])?(?:up(?:grade|date)s?|patch(?:es)?|hotfix(?:es)?|deltas?)\//i;
