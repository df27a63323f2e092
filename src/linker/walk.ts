// Visits every routine in every context that reaches it, the surest and shortest way first, and records what it sees there.
import type { Certainty, Routine, Savepoint, Scope, Step, Unit } from '../ir.ts';
import type { Summaries } from './effects.ts';
import { type Closure, changesState, createFlow, type Env, type Listener, type Trail } from './flow.ts';
import type { Graph } from './graph.ts';
import type { Context, Effects, Frame, Visit } from './model.ts';
import type { Linked, Program } from './program.ts';
import { get, idle, key, lessSure, type Open, rank, repeated, type State, set, start } from './state.ts';
import { labelOf, nameOf, saysTrigger } from './words.ts';

/** A place that opens a subtransaction, with all that was seen of it. */
export interface Site {
  id: number;
  origin: Scope | Savepoint;
  linked: Linked;
  visits: Map<string, Visit & { length: number }>;
  writes: Effects['writes'];
  ends: Set<'released' | 'rolled back' | 'left open'>;
  leak?: Frame;
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

export interface Walk {
  sites: Site[];
  terminated: Terminated[];
  begun: Begun[];
}

const ROLES: Unit['role'][] = ['product', 'migration', 'test', 'example'];
const MOST_VISITS = 20;

interface Item {
  to: Linked;
  state: State;
  block: Closure | null;
  trail: Trail | null;
  entry: Routine['entry'];
}

export function walk(
  program: Program,
  graph: Graph,
  summaries: Summaries,
  settings: { requests: boolean },
): Walk {
  const sites: Site[] = [];
  const bySite = new Map<Step, Site>();
  const matters = reaching(program, graph);
  const flat = flatRoutines(program, graph);
  const begun = new Map<string, Begun>();
  const terminated = new Map<Step, Terminated>();
  const visited = new Set<string>();
  const reached = new Uint8Array(program.linked.length);
  const queues: Item[][] = [[], [], []];
  let role: Unit['role'] = 'product';
  let entry: Routine['entry'] = 'called';

  const siteOf = (origin: Scope | Savepoint, linked: Linked): number => {
    let site = bySite.get(origin);
    if (!site) {
      site = { id: sites.length, origin, linked, visits: new Map(), writes: 'no', ends: new Set() };
      sites.push(site);
      bySite.set(origin, site);
    }
    return site.id;
  };

  const listener: Listener = {
    subtransaction(origin, state, env) {
      const site = sites[siteOf(origin, env.linked)]!;
      const { tx, repeatedBy, times, open } = get(state, origin.on);
      const context: Context = { inTransaction: tx, repeatedBy, times, depth: open.length };
      const k = `${role} ${tx} ${repeatedBy} ${Math.min(open.length, 3)}`;
      const known = site.visits.get(k);
      const length = (env.trail?.length ?? 0) + 1;
      const better =
        !known ||
        rank(state.certainty) < rank(known.certainty) ||
        (state.certainty === known.certainty && length < known.length);
      if (!better || (!known && site.visits.size >= MOST_VISITS)) return;
      const last: Frame = {
        file: env.linked.file,
        at: origin.at,
        says: `${labelOf(origin)} in ${nameOf(env.linked)}`,
      };
      site.visits.set(k, {
        context,
        witness: [...frames(env.trail), last],
        certainty: state.certainty,
        entry,
        role,
        length,
      });
    },
    transaction(step, state, env) {
      const k = `${env.linked.index}@${step.at.start}`;
      const known = begun.get(k);
      if (known && rank(known.certainty) <= rank(state.certainty)) return;
      const { linked, trail } = env;
      begun.set(k, { step, linked, trail, certainty: state.certainty, open: true, entry, role });
    },
    enter(to, state, _env, trail, block) {
      if (!matters[to.index] && !block) return;
      queues[rank(state.certainty)]!.push({ to, state, block, trail, entry });
    },
    wrote(open, how) {
      for (const { site } of open) if (sites[site] && sites[site].writes !== 'yes') sites[site].writes = how;
    },
    ended(gone, how, leak) {
      for (const { site, emptied } of gone) {
        const one = sites[site];
        if (!one) continue;
        one.ends.add(how === 'left open' && emptied ? 'rolled back' : how);
        if (leak && !one.leak) one.leak = { file: leak.file, at: leak.at, says: leak.says };
      }
    },
    terminated(step, state, connection, env) {
      const known = terminated.get(step);
      if (known && rank(known.certainty) <= rank(state.certainty)) return;
      terminated.set(step, {
        step,
        linked: env.linked,
        open: connection.open,
        trail: env.trail,
        certainty: state.certainty,
      });
    },
  };
  const flow = createFlow(graph, summaries, (linked) => flat[linked.index] === 1, siteOf);

  function visit({ to, state, block, trail, entry: from }: Item): void {
    const k = `${to.index} ${key(state, flat[to.index] === 1)} ${block?.id ?? ''} ${role}`;
    if (visited.has(k)) return;
    visited.add(k);
    reached[to.index] = 1;
    entry = from;
    const env: Env = { linked: to, trail, block, see: listener, failing: null };
    const out = flow.run(to.body, [state], env);
    if (trail === null)
      for (const end of [...out.normal, ...out.exits.map((exit) => exit.state)])
        listener.ended(
          end.main.open.filter((o) => o.flat),
          'left open',
          null,
        );
  }

  function drain(): void {
    const at = [0, 0, 0];
    for (;;) {
      const sure = queues.findIndex((queue, i) => at[i]! < queue.length);
      if (sure < 0) break;
      visit(queues[sure]![at[sure]!++]!);
    }
    for (const queue of queues) queue.length = 0;
  }

  function root(to: Linked, state: State, trail: Trail | null = null): void {
    entry = to.routine?.entry ?? 'called';
    const { certainty, main } = state;
    if (main.tx !== 'no')
      begun.set(`${to.index}`, {
        step: null,
        linked: to,
        trail,
        certainty,
        open: main.tx === 'yes',
        entry,
        role,
      });
    queues[rank(state.certainty)]!.push({ to, state, block: null, trail, entry });
  }

  const candidates = program.linked.filter((linked) => matters[linked.index]);
  const startOf = (linked: Linked) => start(startsIn(linked, settings.requests), linked.server);
  for (role of ROLES) {
    const mine = candidates.filter((linked) => roleOf(linked) === role);
    for (const linked of mine) if (startsItself(linked)) root(linked, startOf(linked));
    drain();
    for (const linked of mine)
      if (linked.trigger && !linked.trigger.disabled && !reached[linked.index])
        root(linked, ...byNature(linked));
    drain();
    // Those that nobody calls, then those that only call each other.
    const orphan = ({ index, routine }: Linked) => routine !== undefined && !reached[index];
    const uncalled = ({ index }: Linked) =>
      graph.calledFrom[index]!.every(
        (caller) => !matters[caller] || roleOf(program.linked[caller]!) !== role,
      );
    for (const linked of mine) if (orphan(linked) && uncalled(linked)) root(linked, startOf(linked));
    drain();
    for (const linked of mine)
      if (orphan(linked)) {
        root(linked, startOf(linked));
        drain();
      }
  }
  for (const linked of candidates) register(linked, graph, siteOf);
  return { sites, terminated: [...terminated.values()], begun: [...begun.values()] };
}

/** A row trigger that no statement here fires: any statement of many rows would. */
function byNature(linked: Linked): [State, Trail] {
  const trigger = linked.trigger!;
  const state = start('transaction', linked.server);
  const perRow = trigger.each === 'row' && trigger.timing !== 'instead';
  const by = trigger.via === 'trigger' || trigger.via === 'model callback' ? 'row trigger' : 'query rows';
  const main = perRow ? repeated(idle('yes'), by, null) : state.main;
  const relation = trigger.relation.slice(trigger.relation.indexOf(':') + 1).replace(/^public\./, '');
  const says = saysTrigger(trigger, relation);
  return [
    lessSure(set(state, undefined, main), 'likely'),
    { file: linked.file, at: trigger.at, says, repeats: perRow, up: null, length: 1 },
  ];
}

const startsItself = ({ routine }: Linked) =>
  routine !== undefined && (routine.entry !== 'called' || routine.kind === 'script');

function startsIn({ routine }: Linked, requests: boolean): Routine['startsIn'] {
  if (routine!.entry === 'request' && requests && routine!.startsIn !== 'autocommit') return 'transaction';
  return routine!.startsIn;
}

/** A function that a migration defines is part of the product; the migration's own run is not. */
function roleOf({ unit, server }: Linked): Unit['role'] {
  return server && unit.role === 'migration' ? 'product' : unit.role;
}

export function frames(trail: Trail | null): Frame[] {
  const out: Frame[] = [];
  for (let at = trail; at; at = at.up)
    out.push({ file: at.file, at: at.at, says: at.says, ...(at.repeats && { repeats: true }) });
  return out.reverse();
}

// ---- what is worth a visit

const opens = (step: Step) =>
  step.kind === 'savepoint' ||
  (step.kind === 'scope' &&
    (step.opens === 'subtransaction' || step.whenNested === 'savepoint' || step.joinable === false));

/** Which routines reach a subtransaction, or the end of a transaction. */
function reaching(program: Program, graph: Graph): Uint8Array {
  return spread(program, graph.calledFrom, (linked) =>
    some(linked, graph, (step) => opens(step) || changesState(step)),
  );
}

function flatRoutines(program: Program, graph: Graph): Uint8Array {
  const same = graph.calledFrom.map((callers, index) =>
    callers.filter((caller) => program.linked[caller]!.server === program.linked[index]!.server),
  );
  return spread(program, same, (linked) => some(linked, graph, changesState));
}

function spread(program: Program, backwards: number[][], seed: (linked: Linked) => boolean): Uint8Array {
  const marked = new Uint8Array(program.linked.length);
  const queue: number[] = [];
  for (const linked of program.linked)
    if (seed(linked)) {
      marked[linked.index] = 1;
      queue.push(linked.index);
    }
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const caller of backwards[next]!)
      if (!marked[caller]) {
        marked[caller] = 1;
        queue.push(caller);
      }
  return marked;
}

function some(linked: Linked, graph: Graph, test: (step: Step) => boolean): boolean {
  const stack = [linked.body];
  for (let steps = stack.pop(); steps; steps = stack.pop())
    for (const step of steps) {
      if (graph.holds(step, linked.file) && test(step)) return true;
      for (const inner of graph.inside(step)) stack.push(inner);
    }
  return false;
}

/** Places that nothing reaches are told too. */
function register(
  linked: Linked,
  graph: Graph,
  siteOf: (origin: Scope | Savepoint, linked: Linked) => number,
): void {
  some(linked, graph, (step) => {
    if (step.kind === 'savepoint' || (step.kind === 'scope' && step.opens === 'subtransaction'))
      siteOf(step, linked);
    return false;
  });
}
