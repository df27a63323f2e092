// Makes one program of many units.
import type { Name, Step, Unit } from '../ir.ts';
import { again, type Base, base } from './base.ts';
import { type Summaries, summarise } from './effects.ts';
import type { Graph } from './graph.ts';
import { createLocks } from './locks.ts';
import type { Effects, Frame, LockConflict, Model, Place, Subtransaction, Visit } from './model.ts';
import type { Linked, Program } from './program.ts';
import { reach } from './reach.ts';
import type { Begun, Seen, Site } from './record.ts';
import { frames, once } from './run.ts';
import { canonical } from './sqlname.ts';
import { rank, SLOTS } from './state.ts';
import { termination } from './terminations.ts';
import { createStretch, type Stretch, transaction } from './transactions.ts';
import { walk } from './walk.ts';
import { labelOf, nameOf } from './words.ts';

export interface LinkOptions {
  /** The server's major version, when the user says it. */
  postgres?: number;
  /** Files that were passed over, for the statistics. */
  passed?: string[];
}

export function link(units: Unit[], options: LinkOptions = {}): Model {
  return model(base(units, options.passed), options);
}

/** Links one program again and again, as an editor does; an edit that changes bodies alone leaves the rest as it was. */
export function createLinker(): typeof link {
  let last: Base | null = null;
  return (units, options = {}) => {
    const before = last;
    last = null; // whatever fails now leaves nothing half done
    last = (before && again(before, units)) ?? base(units, options.passed);
    return model(last, options);
  };
}

function model({ program, graph }: Base, options: LinkOptions): Model {
  const summaries = summarise(program, graph);
  const settings = program.units.flatMap((unit) =>
    unit.settings.map((setting) => ({ ...setting, file: unit.file, role: unit.role })),
  );
  const requests = settings.some(
    ({ effect, role }) => effect === 'requests run in a transaction' && role === 'product',
  );
  const walked = walk(program, graph, summaries, { requests });
  const byOrigin = new Map<Step, Subtransaction>();
  for (const site of walked.sites) byOrigin.set(site.origin, subtransaction(site, program, graph, summaries));
  const told = (origin: Step) => byOrigin.get(graph.original(origin));
  const stretch = createStretch(graph);
  return {
    units: program.units,
    subtransactions: [...byOrigin.values()].sort(byPlace),
    transactions: walked.begun
      .flatMap((begun) => transaction(begun, { graph, summaries, stretch, told }) ?? [])
      .sort(byPlace),
    lockConflicts: conflicts(walked.begun, graph, summaries, stretch),
    terminations: walked.terminated
      .flatMap((one) => termination(one, walked.sites, told, graph) ?? [])
      .sort(byPlace),
    settings,
    postgres: version(options.postgres, settings),
    get resolution() {
      return graph.resolution;
    },
    routine: finder(program, graph, summaries),
  };
}

function conflicts(begun: Begun[], graph: Graph, summaries: Summaries, stretch: Stretch): LockConflict[] {
  const locks = createLocks(graph, summaries);
  for (const one of begun) locks.run(one, stretch(one));
  return locks.found().sort((a, b) => byPlace(a.change, b.change) || byPlace(a.lock, b.lock));
}

function byPlace(a: Place, b: Place): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.at.start - b.at.start;
}

function version(asked: number | undefined, settings: Model['settings']): Model['postgres'] {
  if (asked !== undefined) return { version: asked, from: 'the command line' };
  // Where several are named the oldest is what the code must live with.
  const found = settings
    .filter(({ effect, value }) => effect === 'postgres version' && /^\d+/.test(value))
    .map(({ value, file }) => ({ version: Number.parseInt(value, 10), from: file }))
    .sort((a, b) => a.version - b.version);
  return found[0] ?? { version: null, from: 'the default' };
}

// ---- subtransactions

function subtransaction(site: Site, program: Program, graph: Graph, summaries: Summaries): Subtransaction {
  const { origin, linked } = site;
  const visits = once(() => [...site.visits.values()].sort(worstFirst).map((seen) => visit(seen, origin)));
  const called = once(() => callers(linked, program, graph));
  const effects = once(() => effectsOf(site, graph, summaries));
  return {
    file: linked.file,
    at: origin.at,
    label: labelOf(origin),
    routine: linked.name,
    origin,
    get visits() {
      return visits();
    },
    get callers() {
      return called();
    },
    get effects() {
      return effects();
    },
    ends: ending(site),
    leak: site.leak,
  };
}

function visit({ linked, trail, ...seen }: Seen, origin: Site['origin']): Visit {
  const witness = once((): Frame[] => {
    const says = `${labelOf(origin)} in ${nameOf(linked)}`;
    return [...frames(trail, origin.on), { file: linked.file, at: origin.at, says }];
  });
  return {
    ...seen,
    get witness() {
      return witness();
    },
  };
}

const ROLES: Visit['role'][] = ['product', 'migration', 'example', 'test'];
const TX = ['yes', 'unknown', 'no'];
const BY = ['loop', 'row trigger', 'query rows', null];

/** A few turns of a known number are less than rows that nobody counts. */
const often = ({ context: { repeatedBy, times } }: Seen) =>
  repeatedBy === null ? 2 : times !== null && times <= SLOTS ? 1 : 0;

function worstFirst(a: Seen, b: Seen): number {
  return (
    Number(a.certainty === 'possible') - Number(b.certainty === 'possible') ||
    ROLES.indexOf(a.role) - ROLES.indexOf(b.role) ||
    often(a) - often(b) ||
    BY.indexOf(a.context.repeatedBy) - BY.indexOf(b.context.repeatedBy) ||
    TX.indexOf(a.context.inTransaction) - TX.indexOf(b.context.inTransaction) ||
    rank(a.certainty) - rank(b.certainty) ||
    (a.trail?.length ?? 0) - (b.trail?.length ?? 0) ||
    a.context.depth - b.context.depth
  );
}

const MOST_CALLERS = 1000;

/** Call sites outside of tests that lead here, directly or not; counting stops where the number says no more. */
function callers({ index }: Linked, program: Program, graph: Graph): number {
  const seen = new Set([index]);
  const queue = [index];
  let sites = 0;
  for (let next = queue.pop(); next !== undefined && sites < MOST_CALLERS; next = queue.pop())
    for (const caller of graph.calledFrom[next]!) {
      if (program.linked[caller]!.unit.role === 'test') continue;
      sites++;
      if (!seen.has(caller)) {
        seen.add(caller);
        queue.push(caller);
      }
    }
  return sites;
}

function effectsOf({ origin, linked, writes }: Site, graph: Graph, summaries: Summaries): Effects {
  if (origin.kind === 'savepoint')
    return { writes, counts: writes === 'yes' ? 1 : 0, locks: [], waits: [], opaque: false };
  const body = summaries.on(origin.on).ofSteps(origin.body, linked.file);
  const writing =
    body.writes === 'yes' || writes === 'yes' ? 'yes' : body.writes === 'no' ? writes : body.writes;
  const counts = body.most.peak + (writing === 'yes' ? 1 : 0);
  return effects({ writes: writing, counts, opaque: body.opaque }, origin.body, linked, graph);
}

/** What is locked and waited for is looked up when somebody asks. */
function effects(
  known: Pick<Effects, 'writes' | 'counts' | 'opaque'>,
  steps: Step[],
  { file }: Linked,
  graph: Graph,
): Effects {
  return {
    ...known,
    get locks() {
      return reach(steps, file, graph).locks;
    },
    get waits() {
      return reach(steps, file, graph).waits;
    },
  };
}

/** The worst of what was seen. */
function ending({ origin, ends }: Site): Subtransaction['ends'] {
  if (ends.has('left open')) return 'left open';
  if (ends.has('rolled back')) return 'rolled back';
  if (ends.has('released')) return 'released';
  return origin.kind === 'scope' && (origin.releases ?? 'always') === 'always' ? 'released' : 'unknown';
}

// ---- asking by name

function finder(program: Program, graph: Graph, summaries: Summaries): Model['routine'] {
  const byName = once(
    () =>
      new Map(
        program.linked.flatMap((one) => (one.routine && !one.original ? [[canonical(one.name), one]] : [])),
      ),
  );
  return (name: Name) => {
    const linked = byName().get(canonical(name));
    if (!linked) return undefined;
    const { writes, most, opaque } = summaries.of(linked);
    const all = effects({ writes, counts: most.peak, opaque }, linked.body, linked, graph);
    return { file: linked.file, at: linked.routine!.at, routine: linked.routine!, effects: all };
  };
}
