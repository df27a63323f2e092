// What is seen on the way, kept once for each place: subtransactions, transactions, their ends. Not where the way leads.
import type { Certainty, Routine, Savepoint, Scope, Step, Unit } from '../ir.ts';
import type { Context, Effects, Frame, Visit } from './model.ts';
import type { Linked } from './program.ts';
import { frameOf, type Listener, type Trail } from './run.ts';
import { get, type Open, rank, SLOTS } from './state.ts';

/** A place that opens a subtransaction, with all that was seen of it. */
export interface Site {
  id: number;
  origin: Scope | Savepoint;
  linked: Linked;
  visits: Map<string, Seen>;
  writes: Effects['writes'];
  ends: Set<'released' | 'rolled back' | 'left open'>;
  leak?: Frame;
}

/** One way to a place; its trace is told when all is walked. */
export interface Seen extends Omit<Visit, 'witness'> {
  linked: Linked;
  trail: Trail | null;
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
  trail: Trail | null;
  certainty: Certainty;
  /** False when nobody knows whether one is open. */
  open: boolean;
  entry: Routine['entry'];
  role: Unit['role'];
}

export interface Walked {
  sites: Site[];
  terminated: Terminated[];
  begun: Begun[];
}

/** Who started what is walked now. */
export interface Now {
  role: Unit['role'];
  entry: Routine['entry'];
}

const MOST_VISITS = 20;

export interface Recorder {
  sites: Site[];
  begun: Map<string, Begun>;
  terminated: Map<Step, Terminated>;
  siteOf(origin: Scope | Savepoint, linked: Linked): number;
  listener: Omit<Listener, 'enter'>;
}

/** `original`: the step that stands in the file. */
export function createRecorder(now: Now, original: (step: Step) => Step): Recorder {
  const sites: Site[] = [];
  const bySite = new Map<Step, Site>();
  const begun = new Map<string, Begun>();
  const terminated = new Map<Step, Terminated>();

  const siteOf = (origin: Scope | Savepoint, linked: Linked): number => {
    const written = original(origin) as Site['origin'];
    let site = bySite.get(written);
    if (!site) {
      const visits: Site['visits'] = new Map();
      site = {
        id: sites.length,
        origin: written,
        linked: itself(linked),
        visits,
        writes: 'no',
        ends: new Set(),
      };
      sites.push(site);
      bySite.set(written, site);
    }
    return site.id;
  };

  const listener: Recorder['listener'] = {
    subtransaction(origin, state, { linked, trail }) {
      const { visits } = sites[siteOf(origin, linked)]!;
      const { tx, repeatedBy, times, open } = get(state, origin.on);
      const few = times !== null && times <= SLOTS;
      const id = `${now.role} ${tx} ${repeatedBy} ${few} ${Math.min(open.length, 3)}`;
      const known = visits.get(id);
      const { certainty } = state;
      if (known ? !better(certainty, trail, known) : visits.size >= MOST_VISITS) return;
      const context: Context = { inTransaction: tx, repeatedBy, times, depth: open.length };
      visits.set(id, { context, linked, trail, certainty, entry: now.entry, role: now.role });
    },
    transaction(step, { certainty }, { linked, trail }) {
      const id = `${itself(linked).index}@${step.at.start}`;
      const known = begun.get(id);
      if (known && rank(known.certainty) <= rank(certainty)) return;
      begun.set(id, { step, linked, trail, certainty, open: true, entry: now.entry, role: now.role });
    },
    wrote(open, how) {
      for (const { site } of open) if (sites[site] && sites[site].writes !== 'yes') sites[site].writes = how;
    },
    ended(gone, how, leak) {
      for (const { site, emptied } of gone) {
        const one = sites[site];
        if (!one) continue;
        one.ends.add(how === 'left open' && emptied ? 'rolled back' : how);
        if (leak) one.leak ??= frameOf(leak);
      }
    },
    terminated(step, { certainty }, { open }, { linked, trail }) {
      const known = terminated.get(step);
      if (known && rank(known.certainty) <= rank(certainty)) return;
      terminated.set(step, { step, linked, open, trail, certainty });
    },
  };
  return { sites, begun, terminated, siteOf, listener };
}

const itself = (linked: Linked): Linked => linked.original ?? linked;

function better(certainty: Certainty, trail: Trail | null, known: Seen): boolean {
  const difference = rank(certainty) - rank(known.certainty);
  return difference < 0 || (difference === 0 && (trail?.length ?? 0) < (known.trail?.length ?? 0));
}
