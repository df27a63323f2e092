// Makes one program of many units.
import { type Name, PLACES, type Step, type Unit } from '../ir.ts';
import { rank } from './certainty.ts';
import type { Linked, Program } from './definitions/program.ts';
import { canonical } from './definitions/sqlname.ts';
import { again, type Base, base, type Edited } from './graph/base.ts';
import { concernOf } from './graph/concern.ts';
import { closure, type Graph } from './graph/graph.ts';
import { add } from './lists.ts';
import { createLocks } from './locks/locks.ts';
import { reach } from './locks/reach.ts';
import type {
  Effects,
  Frame,
  KnownRoutine,
  Model,
  Place,
  Subtransaction,
  Transaction,
  Visit,
} from './model.ts';
import { type Concerned, type Summaries, summarise } from './run/effects.ts';
import { isAbove, type Known, lastOf, type Seen, type Site, sameSite } from './run/record.ts';
import { once } from './run/run.ts';
import { frames } from './run/trail.ts';
import { createWalk } from './run/walk.ts';
import { otherConnections, otherDatabases } from './settled/databases.ts';
import { requesting } from './settled/requests.ts';
import { createStretch } from './transactions/stretch.ts';
import { termination } from './transactions/terminations.ts';
import { transaction } from './transactions/transactions.ts';
import { labelOf, saysOpening } from './words.ts';

export interface LinkOptions {
  /** The server's major version, when the user says it. */
  postgres?: number;
  /** Files that were passed over, for the statistics. */
  passed?: string[];
}

export function link(units: Unit[], options: LinkOptions = {}): Model {
  return createModel(base(units, options))(null, options);
}

/** Links one program again and again, as an editor does; what an edit of bodies does not touch is left as it was. */
export function createLinker(): (units: Unit[], options?: LinkOptions) => Model {
  let last: { base: Base; model: Again } | null = null;
  return (units, options = {}) => {
    const before = last;
    last = null; // whatever fails now leaves nothing half done
    const edited = before && again(before.base, units);
    if (before && edited) {
      last = edited.redirected ? before : { ...before, model: createModel(before.base) };
      return last.model(edited.redirected && edited, options);
    }
    const made = base(units, { ...options, edited: true });
    last = { base: made, model: createModel(made) };
    return last.model(null, options);
  };
}

/** The model of a base, anew after each edit of bodies. */
type Again = (edited: Edited | null, options: LinkOptions) => Model;

function createModel(base: Base): Again {
  const { program, graph } = base;
  const summaries = summarise(program, graph);
  const walk = createWalk(program, graph, summaries, requesting(settingsOf(program), program.units));
  const conflicts = createLocks(program, graph, summaries);
  let sites = new Map<Step, { site: Site; told: Subtransaction }>();
  let begunBefore: Known<{ told: Transaction | null }> = new Map();
  // Asks for what is told now: a transaction that stays as it was would keep all that its own walk told.
  const told = (origin: Step) => sites.get(graph.original(origin))?.told;

  return (edited, options) => {
    const settings = settingsOf(program);
    const concerned = edited && summaries.renew(edited.changed);
    const walked = walk(edited, concerned);
    const others = otherConnections(settings);
    const isOthers = (on: string | undefined) => on !== undefined && others.has(on);
    const begun = others.size === 0 ? walked.begun : walked.begun.filter(({ step }) => !isOthers(step?.on));
    const touched = edited && concerned && touchedBy(edited, concerned, graph);

    const before = sites;
    sites = new Map();
    for (const seen of walked.sites) {
      const site = others.size === 0 ? seen : without(seen, isOthers);
      if (isNever(site) || isOthers(site.origin.on)) continue;
      const { index } = site.linked;
      const last =
        touched?.above[index] === 0 && touched.callers[index] === 0 ? before.get(site.origin) : null;
      const told =
        last && sameSite(last.site, site) ? last.told : subtransaction(site, program, graph, summaries);
      sites.set(site.origin, { site, told });
    }
    const stretch = createStretch(graph);
    const transactions = begun.map((begun) => {
      const before = touched && !isAbove(touched.above, begun) ? lastOf(begunBefore, begun) : null;
      // What waits tells of subtransactions that may be told anew.
      return before && !before.told?.waits.length
        ? before
        : { begun, told: transaction(begun, { graph, summaries, stretch, told }) };
    });
    begunBefore = new Map();
    for (const one of transactions) add(begunBefore, one.begun.step ?? one.begun.linked, one);

    return {
      units: program.units,
      subtransactions: [...sites.values()].sort(inOrder(graph)).map((one) => one.told),
      transactions: transactions.flatMap((one) => one.told ?? []).sort(byPlace),
      lockConflicts: conflicts(begun, stretch, touched?.above ?? null).sort(
        (a, b) => byPlace(a.change, b.change) || byPlace(a.lock, b.lock),
      ),
      terminations: walked.terminated
        .flatMap((one) => termination(one, walked.site, told, graph) ?? [])
        .sort(byPlace),
      settings,
      postgres: version(options.postgres, settings),
      get resolution() {
        return graph.resolution;
      },
      get otherDatabases() {
        return otherDatabases(base.units);
      },
      get concern() {
        return concernOf(base.units, program, graph);
      },
      ...finders(program, graph, summaries),
      relation: (step) => graph.relation(step) ?? ('relation' in step ? (step.relation ?? null) : null),
    };
  };
}

const settingsOf = ({ units }: Program): Model['settings'] =>
  units.flatMap(({ settings, file, role }) => settings.map((setting) => ({ role, ...setting, file })));

/** Routines above what was changed, and those below it whose callers may be others now. */
function touchedBy({ redirected }: Edited, { above }: Concerned, graph: Graph) {
  return { above, callers: closure(redirected!, graph.leadsTo, graph.traits.length) };
}

/** By place; of two at one place the one that stands first in the steps. */
function inOrder(graph: Graph) {
  // Many may be at one place, as where a constant's lambda is called: each routine is gone over once.
  const places = new Map<Linked, Map<Step, number>>();
  const placeOf = ({ origin, linked }: Site) => {
    const known = places.get(linked) ?? placesIn(graph, linked);
    places.set(linked, known);
    return known.get(origin) ?? known.size;
  };
  return (
    { site: a, told: one }: { site: Site; told: Place },
    { site: b, told: other }: { site: Site; told: Place },
  ) => byPlace(one, other) || a.linked.index - b.linked.index || placeOf(a) - placeOf(b);
}

function placesIn(graph: Graph, { body }: Linked): Map<Step, number> {
  const places = new Map<Step, number>();
  const stack: Step[] = [...body].reverse();
  for (let step = stack.pop(); step; step = stack.pop()) {
    if (!places.has(step)) places.set(step, places.size);
    stack.push(...graph.inside(step).flat().reverse());
  }
  return places;
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

/** It nests where something is open, and it never is: only to see what a loop leaves, it was asked what that would do. */
const isNever = ({ origin, visits }: Site): boolean =>
  visits.size === 0 && origin.kind === 'scope' && origin.opens === 'transaction';

/** A caller may have named a connection to another database. */
function without(site: Site, isOthers: (on: string | undefined) => boolean): Site {
  const visits = [...site.visits].filter(([, { on }]) => !isOthers(on));
  return visits.length === site.visits.size ? site : { ...site, visits: new Map(visits) };
}

function subtransaction(site: Site, program: Program, graph: Graph, summaries: Summaries): Subtransaction {
  const { origin, linked } = site;
  const visits = once(() => [...site.visits.values()].sort(worstFirst).map((seen) => visit(seen, site)));
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
    ends: ending(origin, site.ends),
    ...(isLastOne(site) && { onlyLast: true }),
    leak: site.leak,
    ...(site.released && { partly: true }),
  };
}

function visit({ linked, trail, on, begun, way, ...seen }: Seen, { origin, ends, endsOf }: Site): Visit {
  const witness = once((): Frame[] => {
    const says = saysOpening(origin, linked);
    return [...frames(trail, on, null, begun), { file: linked.file, at: origin.at, says }];
  });
  return {
    ...seen,
    ends: ending(origin, endsOf.get(way) ?? ends),
    get witness() {
      return witness();
    },
  };
}

const ROLES: Visit['role'][] = ['product', 'migration', 'example', 'test'];
const TX = ['yes', 'unknown', 'no'];
const BY = ['loop', 'row trigger', 'query rows', 'chunks', null];

/** A few turns of a known number are less than rows that nobody counts. */
const often = ({ context: { repeatedBy, times } }: Seen) =>
  repeatedBy === null ? 2 : times !== null && times <= PLACES ? 1 : 0;

function worstFirst(a: Seen, b: Seen): number {
  return (
    Number(a.certainty === 'possible') - Number(b.certainty === 'possible') ||
    ROLES.indexOf(a.role) - ROLES.indexOf(b.role) ||
    Number(a.idle ?? false) - Number(b.idle ?? false) ||
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
  for (let next = queue.pop(); next !== undefined && sites < MOST_CALLERS; next = queue.pop()) {
    // What its callers' arguments leave of a routine is written nowhere else than in the routine.
    const { original } = program.linked[next]!;
    const counted = original && new Set(graph.calledFrom(original.index));
    for (const caller of graph.calledFrom(next)) {
      const { unit, original, routine } = program.linked[caller]!;
      if (unit.role === 'test') continue;
      if (!original && !routine?.implied && !counted?.has(caller)) sites++;
      if (!seen.has(caller)) {
        seen.add(caller);
        queue.push(caller);
      }
    }
  }
  return sites;
}

function effectsOf(
  { origin, linked, writes: seen, ends }: Site,
  graph: Graph,
  summaries: Summaries,
): Effects {
  // Of a savepoint that its routine leaves open, and that nobody was followed to the end of, less is known than was seen.
  const writes = origin.kind === 'savepoint' && seen === 'no' && ends.size === 0 ? 'unknown' : seen;
  if (origin.kind === 'savepoint')
    return { writes, counts: writes === 'yes' ? 1 : 0, locks: [], waits: [], opaque: false };
  const body = summaries.on(origin.on).ofSteps(origin.body, linked.file);
  if (isSaidToRead(linked) && body.writes !== 'yes' && writes !== 'yes')
    return effects({ writes: 'no', counts: body.most.peak, opaque: body.opaque }, origin.body, linked, graph);
  const may = body.writes === 'yes' || writes === 'yes' ? 'yes' : body.writes === 'no' ? writes : body.writes;
  const counts = body.most.peak + (may === 'yes' ? 1 : 0);
  const writing = body.writes === 'yes' ? (body.normally === 'yes' ? 'yes' : 'unknown') : may;
  // Which of the ways writes behind it, nobody has kept; what a wrapper is handed writes inside.
  const readsAlone = body.writes === 'no' && body.yields === 0;
  const stays = (origin.releases ?? 'always') !== 'always';
  const behind = stays && readsAlone && writes !== 'no' ? writes : undefined;
  // Where not all inside was read, what was seen to write may as well stand behind it.
  const isSure = origin.releases !== 'never' || body.writes !== 'unknown' || body.yields > 0;
  const known: Pick<Effects, 'writes' | 'behind'> = behind
    ? { writes: 'unknown', behind }
    : { writes: isSure ? writing : 'unknown' };
  return effects({ ...known, counts, opaque: body.opaque }, origin.body, linked, graph);
}

/** Who declares a function stable says of all that it calls that it does not write, of what a view calls as well. */
const isSaidToRead = ({ routine }: Linked): boolean =>
  routine?.volatility === 'stable' || routine?.volatility === 'immutable';

/** What is locked and waited for is looked up when somebody asks. */
function effects(
  known: Pick<Effects, 'writes' | 'behind' | 'counts' | 'opaque'>,
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
function ending(origin: Site['origin'], ends: Site['ends']): Subtransaction['ends'] {
  if (ends.has('left open')) return 'left open';
  if (ends.has('rolled back')) return 'rolled back';
  if (ends.has('released')) return 'released';
  return origin.kind === 'scope' && (origin.releases ?? 'always') === 'always' ? 'released' : 'unknown';
}

/** Each turn ends that of the turn before, or an error ends the loop: the last one alone is open until the transaction ends. */
function isLastOne({ origin, released, leak, leaksOften, piles, visits }: Site): boolean {
  const inLoop = ({ context }: Seen) => context.repeatedBy === 'loop' || context.repeatedBy === 'chunks';
  const all = [...visits.values()];
  if (piles || (!leak && !released)) return false;
  // Without a loop it is told: whoever calls may repeat it. The first turn may begin the transaction.
  if (leak && origin.kind === 'savepoint') return !leaksOften && all.some(inLoop);
  return all.every((one) => inLoop(one) || (leak && one.context.depth === 0));
}

// ---- asking by name

function finders(program: Program, graph: Graph, summaries: Summaries): Pick<Model, 'routine' | 'called'> {
  const byName = once(
    () =>
      new Map(
        program.linked.flatMap((one) => (one.routine && !one.original ? [[canonical(one.name), one]] : [])),
      ),
  );
  const told = (linked: Linked | undefined): KnownRoutine | undefined => {
    if (!linked?.routine) return undefined;
    const { writes, most, opaque } = summaries.of(linked);
    const all = effects({ writes, counts: most.peak, opaque }, linked.body, linked, graph);
    return { file: linked.file, at: linked.routine.at, routine: linked.routine, effects: all };
  };
  const routine = (name: Name) => told(byName().get(canonical(name)));
  return {
    routine,
    called(call) {
      const { routines } = graph.target(call);
      return (routines.length > 0 ? routines.map(({ to }) => told(to)) : [routine(call.callee)]).filter(
        (one) => one !== undefined,
      );
    },
  };
}
