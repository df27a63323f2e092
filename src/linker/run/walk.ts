// Visits every routine in every context that reaches it, the surest and shortest way first.
import type { Routine, Savepoint, Scope, Step, Trigger, Unit } from '../../ir.ts';
import { rank } from '../certainty.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { isOfSession } from '../definitions/temporary.ts';
import type { Edited } from '../graph/base.ts';
import { ASKS, CHANGES, closure, type Graph, OPENS, spread } from '../graph/graph.ts';
import { add } from '../lists.ts';
import type { Connections } from '../settled/requests.ts';
import { nameOf, saysTrigger } from '../words.ts';
import { createClosures } from './closures.ts';
import { type Context, createContexts, idOf } from './contexts.ts';
import type { Concerned, Summaries } from './effects.ts';
import { createRun, MOST_UNSEEN } from './flow.ts';
import { createRecorder, type Now, type SiteIds, siteIds, type Walked } from './record.ts';
import { type Closure, type Env, type Listener, returning, type Way } from './run.ts';
import { idle, isPlain, lessSure, repeated, type State, set, start } from './state.ts';
import { pushOn, type Trail } from './trail.ts';
import { trailOf } from './ways.ts';

const ROLES: Unit['role'][] = ['product', 'migration', 'test', 'example'];

interface Item {
  to: Linked;
  state: State;
  block: Closure | null;
  trail: Trail | null;
  entry: Routine['entry'];
  context: Context;
  sure: number;
}

/** A visit, with all that it told; it is told again as long as nothing that it looked at is another. */
interface Visited {
  item: Item;
  told: ((see: Listener) => void)[];
}

const NOTHING: Visited['told'] = [];

/** On which connections a routine of a file runs in a transaction where a request asks for it. */
export type Requests = (routine: Routine, file: string) => Connections;

/** Walks one base again and again; `edited` and `concerned` are null for the first time. */
export type Walk = (edited: Edited | null, concerned: Concerned | null) => Walked;

export function createWalk(program: Program, graph: Graph, summaries: Summaries, requests: Requests): Walk {
  const starts = createStarts(program, requests);
  let before: (Pick<Visits, 'visited'> & { marks: Marks; unseen: number; ids: SiteIds }) | null = null;
  return (edited, concerned) => {
    const marks = marked(program, graph);
    const last =
      before && edited && concerned
        ? {
            ...before,
            stale: staleRoutines(program, graph, summaries, edited, concerned, before.marks, marks),
          }
        : null;
    before = null; // whatever fails now leaves nothing half done
    const ids = last?.ids ?? siteIds();
    const keeps = edited !== null; // most programs are linked once
    const { walked, visited, budget } = walk(program, graph, summaries, marks, { ids, starts, keeps, last });
    const unseen = (last?.unseen ?? 0) + budget.runs;
    // What a bound cuts off depends on the order of all visits.
    const whole = !budget.cut && unseen <= MOST_UNSEEN;
    if (last && !whole)
      return walk(program, graph, summaries, marks, { ids: siteIds(), starts, keeps: false, last: null })
        .walked;
    if (keeps && whole && ids.known() <= 2 * walked.sites.length + 1000)
      before = { visited, marks, unseen, ids };
    return walked;
  };
}

/** Those whose visits may tell something else: by their own steps, or by what those they call leave or do. */
function staleRoutines(
  program: Program,
  { calledFrom, traits }: Graph,
  summaries: Summaries,
  { changed }: Edited,
  { above, other }: Concerned,
  before: Marks,
  { flat, opens }: Marks,
): Uint8Array {
  const start = new Set(changed.map(({ index }) => index));
  for (let index = 0; index < above.length; index++)
    if (above[index] && traits[index]! & ASKS) start.add(index);
  for (const index of other) for (const caller of calledFrom(index)) start.add(caller);
  for (let index = 0; index < flat.length; index++)
    if (flat[index] !== before.flat[index] || opens[index] !== before.opens[index]) {
      start.add(index);
      for (const caller of calledFrom(index)) start.add(caller);
    }
  const tells = (index: number) => {
    const linked = program.linked[index]!;
    return flat[index] === 1 || summaries.of(linked).yields > 0 || linked.routine?.keepsBlock === true;
  };
  return closure(start, calledFrom, traits.length, tells);
}

interface Visits {
  /** By certainty and context. */
  visited: Map<string | number, Visited>[];
  /** Routines of which another visit may tell something else. */
  stale: Uint8Array;
}

interface Kept {
  ids: SiteIds;
  starts: Starts;
  /** Another walk comes after this one. */
  keeps: boolean;
  last: Visits | null;
}

function walk(
  program: Program,
  graph: Graph,
  summaries: Summaries,
  marks: Marks,
  { ids, starts, keeps, last }: Kept,
) {
  const { flat } = marks;
  // Routines that reach a subtransaction, or the end of a transaction.
  const matters = spread(graph, OPENS | CHANGES);
  const opens = spread(withTwins(program, graph), OPENS);
  const isFlat = ({ index }: Linked) => flat[index] === 1;
  const now: Now = { role: 'product', entry: 'called' };
  const closures = createClosures(graph);
  const recorder = createRecorder(now, ids, graph.original, closures, summaries);
  const { sites, site, begun, terminated, siteOf, listener } = recorder;
  const contexts = createContexts(program.linked.length, ({ body }) => stepsIn(body, graph));
  const reached = new Uint8Array(program.linked.length);
  /** Itself, and not as some of its callers leave it. */
  const whole = new Uint8Array(program.linked.length);
  const queues: (Item | null)[][] = [[], [], []];
  const visited: Visits['visited'] = [new Map(), new Map(), new Map()];
  const plain: Listener = { ...listener, enter };

  /** Those that a call may mean among others, and how surely each was reached. */
  const among = new Uint8Array(program.linked.length);
  const surest = new Uint8Array(program.linked.length).fill(queues.length);

  function enter(way: Way, state: State, block: Closure | null): void {
    if (way.step.kind === 'call' && graph.target(way.step).routines.length > 1) among[way.to.index] = 1;
    const context = unknown(way.to, state, block);
    if (context !== null) wait(way.to, state, block, trailOf(way, graph), context);
  }

  /** What tells this visit from others; null where none is needed, or one as sure is known. */
  function unknown(to: Linked, state: State, block: Closure | null): Context | null {
    if (!block && (!matters[to.index] || (!opens[to.index] && isPlain(state)))) return null;
    const context = contexts.of(to, state, block, isFlat(to), ROLES.indexOf(now.role));
    return contexts.isKnown(to, context, rank(state.certainty)) ? null : context;
  }

  function wait(
    to: Linked,
    state: State,
    block: Closure | null,
    trail: Trail | null,
    context: Context,
  ): void {
    const sure = rank(state.certainty);
    contexts.know(to, context, sure);
    queues[sure]!.push({ to, state, block, trail, entry: now.entry, context, sure });
  }
  const { run, budget, end } = createRun(graph, summaries, closures, {
    flat: isFlat,
    opens: ({ index }) => marks.opens[index] === 1,
    siteOf,
  });

  function visit(item: Item): void {
    const { to, context, sure } = item;
    const id = last || keeps ? idOf(to, context) : '';
    reached[to.index] = whole[to.index] = 1;
    surest[to.index] = Math.min(surest[to.index]!, sure);
    if (to.original) reached[to.original.index] = 1;
    now.entry = item.entry;
    const before = last && !last.stale[to.index] ? last.visited[sure]!.get(id) : undefined;
    if (before && sameItem(before.item, item)) {
      visited[sure]!.set(id, before);
      for (const tell of before.told) tell(plain);
    } else {
      const told = visitAnew(item);
      if (keeps) visited[sure]!.set(id, { item, told });
    }
  }

  function visitAnew(item: Item): Visited['told'] {
    const { to, state, block, trail } = item;
    const record = keeps ? recording(plain) : null;
    const see = record?.see ?? plain;
    const env: Env = {
      linked: to,
      trail,
      block,
      see,
      failing: null,
      caught: false,
      loops: 0,
      outer: [],
      first: null,
    };
    const out = run(to.body, [state], env);
    if (trail === null || trail === starts.requested(to)) {
      for (const { main } of returning(out)) {
        const left = main.open.filter((o) => o.flat);
        // What nobody here calls may open a savepoint for a caller elsewhere, who may write; an error ends the transaction.
        if (to.routine?.entry === 'called') see.wrote(left, 'unknown');
        else see.ended(left, 'left open', null);
      }
    }
    record?.done();
    return record?.told ?? NOTHING;
  }

  function drain(): void {
    const at = [0, 0, 0];
    for (let sure = 0; sure < queues.length; ) {
      const queue = queues[sure]!;
      const item = queue[at[sure]!];
      if (!item) sure++;
      else {
        queue[at[sure]!++] = null; // what was visited is not kept
        visit(item);
        sure = 0;
      }
    }
    for (const queue of queues) queue.length = 0;
  }

  function root(to: Linked, state: State, trail: Trail | null = null): void {
    now.entry = to.routine?.entry ?? 'called';
    const { certainty, main } = state;
    const open = main.tx === 'yes';
    if (main.tx !== 'no' && opens[to.index])
      begun.set(-1 - to.index, { step: null, linked: to, block: null, trail, certainty, open, ...now });
    const context = unknown(to, state, null);
    if (context !== null) wait(to, state, null, trail, context);
  }

  const candidates = program.linked.filter((linked) => matters[linked.index] && !linked.original);
  const inherited = program.linked.filter(({ index, startedByHeir }) => matters[index] && startedByHeir);
  /** A trigger that some statements fire, as those of its verbs do that are not among them. */
  const parts = program.linked.filter(
    ({ index, trigger, original }) => matters[index] && trigger && original,
  );
  const { startOf, byNature, requested } = starts;
  for (const role of ROLES) {
    now.role = role;
    const mine = candidates.filter((linked) => roleOf(linked) === role);
    for (const linked of mine) if (startsItself(linked)) root(linked, startOf(linked), requested(linked));
    for (const linked of inherited)
      if (roleOf(linked) === role) root(linked, startOf(linked), requested(linked));
    drain();
    for (const linked of mine)
      if (
        linked.trigger &&
        !isIdle(linked.trigger) &&
        !reached[linked.index] &&
        !linked.until &&
        !isOfSession(linked)
      )
        root(linked, ...byNature(linked));
    drain();
    for (const linked of parts)
      if (
        roleOf(linked) === role &&
        !reached[linked.index] &&
        !whole[linked.original!.index] &&
        !linked.until &&
        !isOfSession(linked)
      )
        root(linked, ...byNature(linked));
    drain();
    // Those that nobody calls, then those that only call each other.
    const orphan = ({ index, routine, until, unit }: Linked) =>
      routine !== undefined &&
      !routine.implied &&
      !reached[index] &&
      // What a migration drops again is gone; another file may hold the way down in it.
      !(until !== undefined && unit.role === 'migration');
    const uncalled = ({ index }: Linked) =>
      graph.calledFrom(index).every((caller) => !matters[caller] || roleOf(program.linked[caller]!) !== role);
    for (const linked of mine) if (orphan(linked) && uncalled(linked)) root(linked, startOf(linked));
    drain();
    for (const linked of mine)
      if (orphan(linked)) {
        root(linked, startOf(linked));
        drain();
      }
    // Somebody calls what was only reached as one of several: what it does by itself is as sure as if nobody did.
    for (const linked of mine)
      if (linked.routine && among[linked.index] && surest[linked.index] === rank('possible')) {
        root(linked, startOf(linked));
        drain();
      }
  }
  for (const linked of candidates) if (graph.traits[linked.index]! & OPENS) register(linked, graph, siteOf);
  const walked: Walked = { sites, site, terminated: [...terminated.values()], begun: [...begun.values()] };
  end();
  budget.cut ||= contexts.isCut();
  return { walked, visited, budget };
}

/** Tells what is told, and keeps it. What is kept outlives the walk, so that it must let go of it when it is `done`. */
function recording(walk: Listener): { told: Visited['told']; see: Listener; done(): void } {
  const told: Visited['told'] = [];
  let listening: Listener | null = walk;
  const say = (tell: Visited['told'][number]) => {
    told.push(tell);
    tell(listening!);
  };
  const see: Listener = {
    subtransaction: (...all) => say((to) => to.subtransaction(...all)),
    transaction: (...all) => say((to) => to.transaction(...all)),
    wrote: (...all) => say((to) => to.wrote(...all)),
    ended: (...all) => say((to) => to.ended(...all)),
    terminated: (...all) => say((to) => to.terminated(...all)),
    enter: (...all) => say((to) => to.enter(...all)),
  };
  const done = () => {
    listening = null;
  };
  return { told, see, done };
}

const sameItem = (a: Item, b: Item): boolean =>
  a.to === b.to && a.state === b.state && a.block === b.block && a.trail === b.trail && a.entry === b.entry;

/** The states in which routines start by themselves, each made once: what comes of the same one is the same. */
type Starts = ReturnType<typeof createStarts>;

function createStarts(program: Program, requests: Requests) {
  const known = new Map<string, State>();
  const startOf = (linked: Linked): State => {
    const how = startsIn(linked);
    const begins = begunFor(linked, requests);
    const id = [how, linked.server, ...begins.map(String)].join(' ');
    let state = known.get(id);
    if (!state) {
      state = start(how, linked.server);
      for (const on of begins) state = set(state, on, idle('yes'));
      known.set(id, state);
    }
    return state;
  };
  const fired = new WeakMap<Trigger, [State, Trail]>();
  const trails = new WeakMap<Routine, Trail>();
  return {
    startOf,
    /** The step by which a request has its transaction, where a setting begins it, or the framework. */
    requested(linked: Linked): Trail | null {
      const { routine, file } = linked;
      if (routine?.entry !== 'request') return null;
      const known = trails.get(routine);
      if (known) return known;
      const [its] =
        startsIn(linked) === 'transaction'
          ? [{ on: undefined }]
          : begunFor(linked, requests).map((on) => ({ on }));
      if (!its) return null;
      const says = () =>
        `the request of ${nameOf(linked)} begins a transaction${its.on ? ` on ${its.on}` : ''}`;
      const trail = { ...pushOn(null, file, routine.at, says, false), begins: its };
      trails.set(routine, trail);
      return trail;
    },
    byNature(linked: Linked): [State, Trail] {
      const one = fired.get(linked.trigger!) ?? byNature(linked, program);
      fired.set(linked.trigger!, one);
      return one;
    },
  };
}

/** A row trigger that no statement here fires: any statement of many rows would. */
function byNature(linked: Linked, { relations }: Program): [State, Trail] {
  const trigger = linked.trigger!;
  const state = start(trigger.beside ? 'unknown' : 'transaction', linked.server);
  // Models are saved one by one; a statement of many rows goes past their callbacks.
  const alone = trigger.oneByOne && !relations.some(({ relation }) => relation.name === trigger.relation);
  const perRow =
    trigger.each === 'row' && trigger.timing !== 'instead' && trigger.via !== 'model callback' && !alone;
  const by = trigger.via === 'trigger' ? 'row trigger' : 'query rows';
  const main = perRow ? repeated(state.main, by, null) : state.main;
  const relation = trigger.relation.slice(trigger.relation.indexOf(':') + 1).replace(/^public\./, '');
  const says = () => saysTrigger(trigger, relation);
  return [
    lessSure(set(state, undefined, main), 'likely'),
    { ...pushOn(null, linked.file, trigger.at, says, perRow), fires: trigger },
  ];
}

/** What is switched off, and what only follows from something else. */
const isIdle = ({ disabled, implied }: Trigger) => disabled || implied;

const startsItself = ({ routine }: Linked) =>
  routine !== undefined && (routine.entry !== 'called' || routine.kind === 'script');

/** A request begins outside a transaction, unless a setting says otherwise. */
const startsIn = ({ routine }: Linked): Routine['startsIn'] =>
  isRequest(routine!) ? 'autocommit' : routine!.startsIn;

/** The connections on which a setting says otherwise. */
const begunFor = ({ routine, file }: Linked, requests: Requests): Connections =>
  isRequest(routine!) ? requests(routine!, file) : NOWHERE;

const isRequest = ({ entry, startsIn }: Routine): boolean => entry === 'request' && startsIn === 'caller';
const NOWHERE: Connections = [];

/** A function that a migration leaves behind is part of the product; what it runs itself, as in a DO block, is not. */
function roleOf({ unit, server, until, routine }: Linked): Unit['role'] {
  const stays = server && until === undefined && routine?.kind !== 'anonymous';
  return stays && unit.role === 'migration' ? 'product' : unit.role;
}

/** By routine: whether it may change what is open for its caller, and whether it opens a subtransaction, itself or by whom it surely calls. */
interface Marks {
  flat: Uint8Array;
  opens: Uint8Array;
}

const marked = (program: Program, graph: Graph): Marks => ({
  flat: spread(graph, CHANGES, (from, to) => program.linked[from]!.server === program.linked[to]!.server),
  opens: openers(program, graph),
});

/** Who surely calls one that opens is one. Farther away there is always something that somebody might say or ask. */
const FARTHEST = 3;

function openers({ linked }: Program, graph: Graph): Uint8Array {
  const opens = graph.traits.map((traits) => (traits & OPENS ? 1 : 0));
  const callsOne = (steps: Step[]): boolean =>
    steps.some((step) => {
      if (step.kind === 'scope') return callsOne(step.body);
      if (step.kind !== 'call') return false;
      const [only, ...others] = graph.target(step).routines;
      return only && others.length === 0 && opens[only.to.index] === 1;
    });
  let last = linked.filter(({ index }) => opens[index]);
  for (let far = 0; far < FARTHEST; far++) {
    const callers = new Set(last.flatMap(({ index }) => graph.calledFrom(index)));
    last = [...callers]
      .map((index) => linked[index]!)
      .filter(({ index, body }) => !opens[index] && callsOne(body));
    for (const { index } of last) opens[index] = 1;
  }
  return opens;
}

/** Whoever calls what; a twin counts as its original's caller, for who visits one has been at the other. */
function withTwins({ linked }: Program, { traits, calledFrom }: Graph): Pick<Graph, 'traits' | 'calledFrom'> {
  const twins = new Map<number, number[]>();
  for (const { original, index } of linked) if (original) add(twins, original.index, index);
  if (twins.size === 0) return { traits, calledFrom };
  const both = (index: number, more = twins.get(index)) =>
    more ? [...calledFrom(index), ...more] : calledFrom(index);
  return { traits, calledFrom: (index) => both(index) };
}

function stepsIn(body: Step[], { inside }: Graph): number {
  const stack = [body];
  let count = 0;
  for (let steps = stack.pop(); steps; steps = stack.pop()) {
    count += steps.length;
    for (const step of steps) stack.push(...inside(step));
  }
  return count;
}

/** Places that nothing reaches are told too. */
function register(
  linked: Linked,
  graph: Graph,
  siteOf: (origin: Scope | Savepoint, linked: Linked) => number,
): void {
  const stack = [linked.body];
  for (let steps = stack.pop(); steps; steps = stack.pop())
    for (const step of steps) {
      const opens = step.kind === 'savepoint' || (step.kind === 'scope' && step.opens === 'subtransaction');
      if (opens && graph.holds(step, linked.file)) siteOf(step, linked);
      stack.push(...graph.inside(step));
    }
}
