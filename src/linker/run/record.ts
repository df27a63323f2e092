// What is seen on the way, kept once for each place: subtransactions, transactions, their ends. Not where the way leads.
import type { Certainty, Routine, Savepoint, Scope, Step, Unit } from '../../ir.ts';
import { rank } from '../certainty.ts';
import type { Linked } from '../definitions/program.ts';
import type { Effects, Frame, Visit } from '../model.ts';
import { type Closures, givenBy, sameGiven } from './closures.ts';
import type { Summaries } from './effects.ts';
import type { Given, Listener } from './run.ts';
import { contextOf, get, type Open, wayOf } from './state.ts';
import { frameOf, type Trail } from './trail.ts';

type Ending = 'released' | 'rolled back' | 'left open';
type Ends = Set<Ending>;

/** A place that opens a subtransaction, with all that was seen of it. */
export interface Site {
  id: number;
  origin: Scope | Savepoint;
  linked: Linked;
  visits: Map<string, Seen>;
  writes: Effects['writes'];
  ends: Ends;
  /** … of what was opened on one way. */
  endsOf: Map<string, Ends>;
  /** Something ended it before its transaction ended. */
  released?: true;
  /** It was seen open more than once at a time. */
  piles?: true;
  leak?: Frame;
  /** Whoever leaves it open there does so again and again. */
  leaksOften?: true;
}

/** One way to a place; its trace is told when all is walked. */
export interface Seen extends Omit<Visit, 'witness' | 'ends'> {
  linked: Linked;
  way: string;
  trail: Trail | null;
  /** Its connection, which a caller may have named. */
  on?: string;
  /** Where its transaction began, if no scope on the way is that. */
  begun?: Trail;
}

/** A place where COMMIT or ROLLBACK was reached inside a subtransaction. */
export interface Terminated {
  step: Step;
  linked: Linked;
  open: readonly Open[];
  trail: Trail | null;
  certainty: Certainty;
}

/** A place where a transaction begins. */
export interface Begun {
  step: Step | null;
  linked: Linked;
  /** What its yields run: a wrapper begins another transaction for each block that it is handed. */
  block: Given | null;
  trail: Trail | null;
  certainty: Certainty;
  /** False when nobody knows whether one is open. */
  open: boolean;
  entry: Routine['entry'];
  role: Unit['role'];
}

export const sameBegun = (a: Begun, b: Begun): boolean =>
  a.step === b.step &&
  a.linked === b.linked &&
  sameGiven(a.block, b.block) &&
  a.trail === b.trail &&
  a.certainty === b.certainty &&
  a.open === b.open &&
  a.entry === b.entry &&
  a.role === b.role;

/** What is told of transactions, by where they begin: several of one step have other blocks. */
export type Known<Told> = Map<Step | Linked, (Told & { begun: Begun })[]>;

export const lastOf = <Told>(known: Known<Told>, begun: Begun): (Told & { begun: Begun }) | undefined =>
  known.get(begun.step ?? begun.linked)?.find((one) => sameBegun(one.begun, begun));

/** All whose steps it runs without a call. */
export function isAbove(above: Uint8Array, { linked, block }: Begun): boolean {
  if (above[linked.index]) return true;
  for (let at = block; at; at = at.by) if (above[at.linked.index]) return true;
  return false;
}

/** What was seen of a place is what was seen of it before. */
export function sameSite(a: Site, b: Site): boolean {
  if (
    a.linked !== b.linked ||
    a.writes !== b.writes ||
    a.piles !== b.piles ||
    a.leaksOften !== b.leaksOften ||
    a.leak?.at !== b.leak?.at
  )
    return false;
  if (
    a.released !== b.released ||
    a.leak?.says !== b.leak?.says ||
    a.visits.size !== b.visits.size ||
    a.ends.size !== b.ends.size ||
    a.endsOf.size !== b.endsOf.size
  )
    return false;
  const [seen, others] = [[...a.visits.values()], [...b.visits.values()]];
  const alike = (one: Ends, other: Ends | undefined) =>
    one.size === other?.size && [...one].every((how) => other.has(how));
  if (![...a.endsOf].every(([way, ends]) => alike(ends, b.endsOf.get(way)))) return false;
  return alike(a.ends, b.ends) && seen.every((one, i) => sameSeen(one, others[i]!));
}

const sameSeen = (a: Seen, b: Seen): boolean =>
  a.linked === b.linked &&
  a.trail === b.trail &&
  a.begun === b.begun &&
  a.certainty === b.certainty &&
  a.entry === b.entry &&
  a.role === b.role &&
  a.idle === b.idle &&
  a.context.inTransaction === b.context.inTransaction &&
  a.context.repeatedBy === b.context.repeatedBy &&
  a.context.times === b.context.times &&
  a.context.depth === b.context.depth;

export interface Walked {
  sites: Site[];
  site(id: number): Site | undefined;
  terminated: Terminated[];
  begun: Begun[];
}

/** Who started what is walked now. */
export interface Now {
  role: Unit['role'];
  entry: Routine['entry'];
}

const MOST_VISITS = 20;
/** No text is as long. */
const LONGEST = 2 ** 30;

/** Numbers for places, the same in each walk of one base. */
export interface SiteIds {
  of(origin: Scope | Savepoint, linked: Linked): number;
  meant(id: number): { origin: Scope | Savepoint; linked: Linked } | undefined;
  known(): number;
}

export function siteIds(): SiteIds {
  const ids = new Map<Step, number>();
  const all: { origin: Scope | Savepoint; linked: Linked }[] = [];
  return {
    of(origin, linked) {
      let id = ids.get(origin);
      if (id === undefined) {
        id = all.push({ origin, linked }) - 1;
        ids.set(origin, id);
      }
      return id;
    },
    meant: (id) => all[id],
    known: () => all.length,
  };
}

export interface Recorder {
  sites: Site[];
  site(id: number): Site | undefined;
  begun: Map<number | string, Begun>;
  terminated: Map<Step, Terminated>;
  siteOf(origin: Scope | Savepoint, linked: Linked): number;
  listener: Omit<Listener, 'enter'>;
}

/** `original`: the step that stands in the file. */
export function createRecorder(
  now: Now,
  ids: SiteIds,
  original: (step: Step) => Step,
  { blockOf }: Pick<Closures, 'blockOf'>,
  { isIdle }: Pick<Summaries, 'isIdle'>,
): Recorder {
  const sites: Site[] = [];
  const byId = new Map<number, Site>();
  const begun: Recorder['begun'] = new Map();
  const terminated = new Map<Step, Terminated>();

  /** Steps that two routines share are those of the one that comes first. */
  const site = (id: number, of?: Linked): Site | undefined => {
    const known = byId.get(id);
    const meant = known ? undefined : ids.meant(id);
    if (!meant) return known;
    const { origin } = meant;
    const linked = itself(of ?? meant.linked);
    const made: Site = {
      id,
      origin,
      linked,
      visits: new Map(),
      writes: 'no',
      ends: new Set(),
      endsOf: new Map(),
    };
    sites.push(made);
    byId.set(id, made);
    return made;
  };

  const siteOf = (origin: Scope | Savepoint, linked: Linked): number =>
    site(ids.of(original(origin) as Site['origin'], linked), linked)!.id;

  const listener: Recorder['listener'] = {
    subtransaction(origin, state, env) {
      const { linked, trail } = env;
      const { visits } = site(siteOf(origin, linked))!;
      const connection = get(state, origin.on);
      const context = contextOf(connection);
      const block = blockOf(origin, env);
      const idle = isIdle(origin, linked.file, block && givenBy(block));
      const way = `${now.role} ${wayOf(context)}`;
      const id = `${way} ${idle}`;
      const known = visits.get(id);
      const { certainty } = state;
      if (known ? !better(certainty, trail, now.entry, known) : visits.size >= MOST_VISITS) return;
      visits.set(id, {
        context,
        linked,
        way,
        trail,
        on: origin.on,
        begun: connection.begun,
        certainty,
        entry: now.entry,
        role: now.role,
        ...(idle && { idle }),
      });
    },
    transaction(step, { certainty }, env) {
      const { linked, trail } = env;
      const closure = blockOf(step, env);
      // What several classes inherit is another transaction for each.
      const place = linked.index * LONGEST + step.at.start;
      const id = closure ? `${place} ${closure.id()}` : place;
      const known = begun.get(id);
      if (known && rank(known.certainty) <= rank(certainty)) return;
      const block = closure && givenBy(closure);
      begun.set(id, { step, linked, block, trail, certainty, open: true, ...now });
    },
    wrote(open, how) {
      for (const one of open) {
        const opened = site(one.site);
        // What is open because it failed is over, and not all of them fail: what is written now is not its own.
        const isOver = one.failed && !one.undone;
        if (isOver && opened?.origin.kind === 'scope' && opened.origin.releases === 'on success') continue;
        if (opened && opened.writes !== 'yes') opened.writes = how;
      }
    },
    ended(gone, how, leak, often) {
      for (const { site: id, emptied, many, alone, under } of gone) {
        const one = site(id);
        if (!one) continue;
        const piles = many || gone.filter((other) => other.site === id).length > 1;
        const left = emptied ? 'rolled back' : 'left open';
        const way = `${now.role} ${wayOf(under)}`;
        const said = (end: Ending) => one.endsOf.set(way, (one.endsOf.get(way) ?? new Set()).add(end));
        // What goes with a subtransaction around may have piled up until then; a handle may have gone to somebody who releases it.
        if (how === 'inside') {
          if (!piles) said('released');
          else if (alone || emptied) said(left);
          continue;
        }
        if (piles) one.piles = true;
        if (how === 'released') one.released = true;
        const end = how === 'over' ? 'released' : how === 'left open' ? left : how;
        said(end);
        one.ends.add(end);
        if (leak) one.leak ??= frameOf(leak);
        if (often) one.leaksOften = true;
      }
    },
    terminated(step, { certainty }, { open }, { linked, trail }) {
      const known = terminated.get(step);
      if (known && rank(known.certainty) <= rank(certainty)) return;
      terminated.set(step, { step, linked, open, trail, certainty });
    },
  };
  return { sites, site, begun, terminated, siteOf, listener };
}

const itself = (linked: Linked): Linked => linked.original ?? linked;

/** The surer one, then one that begins where something starts by itself, then the shorter one. */
function better(certainty: Certainty, trail: Trail | null, entry: Routine['entry'], known: Seen): boolean {
  const difference =
    rank(certainty) - rank(known.certainty) ||
    Number(entry === 'called') - Number(known.entry === 'called') ||
    (trail?.length ?? 0) - (known.trail?.length ?? 0);
  return difference < 0;
}
