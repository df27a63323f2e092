// Visits every routine in every context that reaches it, the surest and shortest way first.
import type { Routine, Savepoint, Scope, Unit } from '../ir.ts';
import type { Summaries } from './effects.ts';
import { createRun } from './flow.ts';
import { CHANGES, type Graph, OPENS, spread } from './graph.ts';
import type { Linked, Program } from './program.ts';
import { createRecorder, type Now, type Walked } from './record.ts';
import type { Closure, Env, Trail } from './run.ts';
import { CODES, code, key, lessSure, rank, repeated, type State, set, start } from './state.ts';
import { saysTrigger } from './words.ts';

const ROLES: Unit['role'][] = ['product', 'migration', 'test', 'example'];

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
): Walked {
  // Routines that reach a subtransaction, or the end of a transaction.
  const matters = spread(graph.traits, OPENS | CHANGES, graph.calledFrom);
  const flat = flatRoutines(program, graph);
  const isFlat = ({ index }: Linked) => flat[index] === 1;
  const now: Now = { role: 'product', entry: 'called' };
  const { sites, begun, terminated, siteOf, listener } = createRecorder(now, graph.original);
  /** Contexts that are visited or wait for it, by the surest way. */
  const known = new Map<string | number, number>();
  const reached = new Uint8Array(program.linked.length);
  const queues: Item[][] = [[], [], []];

  /** Most contexts are a number: the routine, what `code` says, the role. */
  function contextOf(to: Linked, state: State, block: Closure | null): string | number {
    const role = ROLES.indexOf(now.role);
    const short = block || isFlat(to) ? null : code(state);
    if (short !== null) return (to.index * CODES + short) * ROLES.length + role;
    return `${to.index} ${key(state, isFlat(to))} ${block?.id ?? ''} ${role}`;
  }

  function enter(to: Linked, state: State, block: Closure | null, trail: () => Trail | null): void {
    if (!matters[to.index] && !block) return;
    const sure = rank(state.certainty);
    const id = contextOf(to, state, block);
    const before = known.get(id);
    if (before !== undefined && before <= sure) return;
    known.set(id, sure);
    queues[sure]!.push({ to, state, block, trail: trail(), entry: now.entry });
  }
  const see = { ...listener, enter };
  const run = createRun(graph, summaries, isFlat, siteOf);

  function visit({ to, state, block, trail, entry }: Item): void {
    reached[to.index] = 1;
    if (to.original) reached[to.original.index] = 1;
    now.entry = entry;
    const env: Env = { linked: to, trail, block, see, failing: null, caught: false, loops: 0 };
    const out = run(to.body, [state], env);
    // What nobody here calls may open a savepoint for a caller elsewhere; an error ends the transaction.
    if (trail !== null || to.routine?.entry === 'called') return;
    const returned = out.exits.filter(({ step }) => step.how === 'return').map((exit) => exit.state);
    for (const { main } of [...out.normal, ...returned])
      listener.ended(
        main.open.filter((o) => o.flat),
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
    now.entry = to.routine?.entry ?? 'called';
    const { certainty, main } = state;
    const open = main.tx === 'yes';
    if (main.tx !== 'no')
      begun.set(`${to.index}`, { step: null, linked: to, trail, certainty, open, ...now });
    enter(to, state, null, () => trail);
  }

  const candidates = program.linked.filter((linked) => matters[linked.index] && !linked.original);
  const startOf = (linked: Linked) => start(startsIn(linked, settings.requests), linked.server);
  for (const role of ROLES) {
    now.role = role;
    const mine = candidates.filter((linked) => roleOf(linked) === role);
    for (const linked of mine) if (startsItself(linked)) root(linked, startOf(linked));
    drain();
    for (const linked of mine)
      if (linked.trigger && !linked.trigger.disabled && !reached[linked.index] && !linked.until)
        root(linked, ...byNature(linked));
    drain();
    // Those that nobody calls, then those that only call each other.
    const orphan = ({ index, routine }: Linked) =>
      routine !== undefined && !routine.implied && !reached[index];
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
  for (const linked of candidates) if (graph.traits[linked.index]! & OPENS) register(linked, graph, siteOf);
  return { sites, terminated: [...terminated.values()], begun: [...begun.values()] };
}

/** A row trigger that no statement here fires: any statement of many rows would. */
function byNature(linked: Linked): [State, Trail] {
  const trigger = linked.trigger!;
  const state = start(trigger.beside ? 'unknown' : 'transaction', linked.server);
  // Models are saved one by one; a statement of many rows goes past their callbacks.
  const perRow = trigger.each === 'row' && trigger.timing !== 'instead' && trigger.via !== 'model callback';
  const by = trigger.via === 'trigger' ? 'row trigger' : 'query rows';
  const main = perRow ? repeated(state.main, by, null) : state.main;
  const relation = trigger.relation.slice(trigger.relation.indexOf(':') + 1).replace(/^public\./, '');
  const says = () => saysTrigger(trigger, relation);
  return [
    lessSure(set(state, undefined, main), 'likely'),
    { file: linked.file, at: trigger.at, says, repeats: perRow, up: null, length: 1 },
  ];
}

const startsItself = ({ routine }: Linked) =>
  routine !== undefined && (routine.entry !== 'called' || routine.kind === 'script');

function startsIn({ routine }: Linked, requests: boolean): Routine['startsIn'] {
  // A request begins outside a transaction, unless a setting says otherwise.
  if (routine!.entry === 'request' && routine!.startsIn === 'caller')
    return requests ? 'transaction' : 'autocommit';
  return routine!.startsIn;
}

/** A function that a migration leaves behind is part of the product; what it runs itself, as in a DO block, is not. */
function roleOf({ unit, server, until, routine }: Linked): Unit['role'] {
  const stays = server && until === undefined && routine?.kind !== 'anonymous';
  return stays && unit.role === 'migration' ? 'product' : unit.role;
}

function flatRoutines(program: Program, { calledFrom, traits }: Graph): Uint8Array {
  const server = (index: number) => program.linked[index]!.server;
  const same = calledFrom.map((callers, index) =>
    callers.filter((caller) => server(caller) === server(index)),
  );
  return spread(traits, CHANGES, same);
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
