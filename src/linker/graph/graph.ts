// What each step leads to: the routine called, the trigger fired. Found once, asked often; it says nothing of contexts.
import {
  type Block,
  type Call,
  type ForeignKey,
  inside,
  isHandedOn,
  type Name,
  type Read,
  type Step,
  type Trigger,
  type Write,
} from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { add } from '../lists.ts';
import type { Resolution } from '../model.ts';
import { ownerOf } from '../names/dotted.ts';
import type { Names, Target } from '../names/names.ts';
import { createVersions } from '../settled/versions.ts';
import { createVariants, mostVariants } from '../variants/variants.ts';
import { type Fired, rowsOf } from './fired.ts';
import { beforeUpdate, triggersByRelation, verbOf } from './firing.ts';
import { createHeirs, mostHeirs } from './heirs.ts';
import { leading } from './leading.ts';
import { createMaking } from './making.ts';
import { createStatistics } from './statistics.ts';

export interface Reference {
  parent: string;
  key: ForeignKey;
}

export interface Graph {
  target(call: Call): Target;
  /** The step that stands in the file, of one that a variant has. */
  original(step: Step): Step;
  fires(step: Read | Write): readonly Fired[];
  relation(step: Step): string | null;
  /** Whether it runs once: what makes the row that was missing does. */
  once(step: Block, file: string): Block['once'];
  /** Whether a write locks rows before it changes them, or those that it refers to. */
  locksFirst(step: Write): boolean;
  /** Foreign keys by their child, with relations in their one spelling. */
  parents: Map<string, Reference[]>;
  /** Tables whose rows an UPDATE locks first: they have a BEFORE UPDATE row trigger. */
  lockedFirst: Set<string>;
  /** Whether the packages in use take this step. */
  holds(step: Pick<Step, 'since'>, file: string): boolean;
  /** The lists of steps inside one that can run: of meanings only the chosen one. */
  inside(step: Step): Step[][];
  /**
   * Edges by index, each once. What a routine leads to is found when it is asked for; who calls it is known where it
   * opens or changes anything, or leads to such, or lies below.
   */
  leadsTo: Edges;
  calledFrom: Edges;
  /** By routine, of its own steps: OPENS, CHANGES, TOUCHES, NESTS; longer than there are routines. */
  traits: Uint8Array;
  /** Counted when it is asked for. */
  readonly resolution: Resolution;
  /**
   * Takes the bodies that these have now for those that they had; tells to whom they lead only now or no more, null where
   * that is found anew.
   */
  renew(changed: readonly { linked: Linked; old: Step[] }[]): Set<number> | null;
  /** How many steps it knows that were taken for others. */
  outdated: number;
  /** Nested deeper than anybody writes; what is inside is not looked at. */
  tooDeep: Set<Step>;
}

export type Edges = (index: number) => readonly number[];

/** It opens subtransactions; it changes what is open for its caller; it writes or locks rows, or runs what may. */
export const OPENS = 1;
export const CHANGES = 2;
export const TOUCHES = 4;
/** What it opens is a subtransaction wherever it runs, and not only inside a transaction. */
export const NESTS = 8;
/** Some of it runs once only where it makes a row that was missing. */
export const ASKS = 16;
const MOST_NESTED = 200;
/** One of the words that a trigger tells its function, which are several: by which of them it was fired now. */
interface What {
  asked: 'verb' | 'tag';
  says: string;
}

const NO_TARGET: Target = { routines: [] };
const NOTHING: readonly Fired[] = [];
const NO_STEPS: Step[][] = [];
const NO_COLUMNS: string[] = [];
/** Most routines call nobody here, or are called by nobody: nobody adds to a list of these. */
const NO_EDGES: number[] = [];

export interface GraphOptions {
  /** Files that were passed over, for the statistics. */
  passed?: string[];
  /** Bodies will be others, and then anybody may lead to what matters: who leads where is found for all. */
  edited?: boolean;
}

export function createGraph(
  program: Program,
  names: Names,
  { passed = [], edited = false }: GraphOptions = {},
): Graph {
  const versions = createVersions(program.units);
  const targets = new Map<Call, Target>();
  const fired = new Map<Step, readonly Fired[]>();
  const relations = new Map<Step, string>();
  const lockedFirst = beforeUpdate(program, names);
  const { fires: byRelation, leaves } = triggersByRelation(program, names, lockedFirst);
  const parents = foreignKeys(program, names);
  const tooDeep = new Set<Step>();
  const plain = program.linked.length;
  const variants = createVariants(program, (name, from) => names.classOf(name, from)?.type ?? null);
  const heirs = createHeirs(program, names, variants);
  /** Tables that have partitions. */
  const divided = new Set(
    program.relations.flatMap(({ relation, unit }) =>
      (relation.inherits ? [] : (relation.parents ?? [])).map((one) =>
        names.relation(one, { file: unit.file } as Linked),
      ),
    ),
  );
  /** Those that call what their arguments may decide. */
  const deciding = new Set<Linked>();
  const edges: (number[] | undefined)[] = [];
  const callers: number[][] = [];
  const leadsTo: Edges = (index) => edges[index] ?? take(program.linked[index]!);
  const calledFrom: Edges = (index) => callers[index] ?? NO_EDGES;
  const traits = new Uint8Array(plain + mostVariants(program) + mostHeirs(program));
  let resolution: Resolution | null = null;

  const graph: Graph = {
    target: (call) => targets.get(call) ?? NO_TARGET,
    original: (step) => variants.original(step),
    fires: (step) => fired.get(step) ?? NOTHING,
    relation: (step) => relations.get(step) ?? null,
    once: (step, file) => (!step.once || !step.makes || making.makesRow(step, file) ? step.once : undefined),
    locksFirst(step) {
      const relation = graph.relation(step);
      if (step.onConflict === 'update') return true;
      if (step.without?.includes('all')) return false;
      return (
        relation !== null && (parents.has(relation) || (step.verb === 'update' && lockedFirst.has(relation)))
      );
    },
    parents,
    lockedFirst,
    holds: ({ since }, file) => since === undefined || versions.holds(since, file),
    inside(step) {
      if (tooDeep.has(step)) return NO_STEPS;
      if (step.kind !== 'call') return inside(step);
      const { meaning } = graph.target(step);
      if (!meaning) return step.block ? [step.block] : NO_STEPS;
      return step.block ? [meaning, step.block] : [meaning];
    },
    leadsTo,
    calledFrom,
    traits,
    get resolution() {
      resolution ??= counted();
      return resolution;
    },
    renew(changed) {
      resolution = null;
      making.clear();
      // What is known of the old steps stays, for others may share them; there is an end to that.
      for (const { old } of changed)
        everyStep(old, () => {
          graph.outdated++;
        });
      return redirected(changed.map(({ linked }) => linked)) ?? allAgain(changed);
    },
    outdated: 0,
    tooDeep,
  };

  const making = createMaking(graph);

  const out = new Set<number>();

  function take(from: Linked): number[] {
    traits[from.index] = 0;
    out.clear();
    const stack: { steps: Step[]; depth: number }[] = [{ steps: from.body, depth: 0 }];
    for (let top = stack.pop(); top; top = stack.pop())
      for (const step of top.steps) {
        if (step.kind === 'call') {
          const target = decided(step, names.call(step, from), from);
          // Most calls go to libraries: there are too many to keep that they mean nothing here.
          if (target.routines.length > 0 || target.meaning) targets.set(step, target);
          else targets.delete(step);
          for (const { to } of target.routines) out.add(to.index);
        } else if (step.kind === 'block' && step.makes) {
          relations.set(step, names.relation(step.makes, from) ?? step.makes);
        } else if (step.kind === 'write' || step.kind === 'read' || step.kind === 'row lock') {
          const like = step.kind === 'row lock' ? step.like : undefined;
          const relation = names.relation(step.relation, from) ?? (like ? names.relation(like, from) : null);
          if (relation !== null) relations.set(step, relation);
          else relations.delete(step);
          if (step.kind !== 'row lock') {
            const list = byRelation(step, relation, from).map((one) => firedBy(one, step, relation, from));
            if (list.length > 0) fired.set(step, list);
            for (const { to } of list) out.add(to.index);
          }
        }
        const trait = traitOf(step);
        if (trait > 0 && graph.holds(step, from.file)) traits[from.index]! |= trait;
        if (top.depth >= MOST_NESTED) {
          if (inside(step).length > 0) tooDeep.add(step);
        } else if (step.kind !== 'call' || step.block || step.meanings)
          for (const steps of graph.inside(step)) stack.push({ steps, depth: top.depth + 1 });
      }
    const all = out.size > 0 ? [...out] : NO_EDGES;
    edges[from.index] = all;
    return all;
  }

  function decided(step: Call, found: Target, from: Linked): Target {
    const target = step.null ? withoutStrict(found) : found;
    let routines: Target['routines'] | undefined;
    for (let i = 0; i < target.routines.length; i++) {
      const one = target.routines[i]!;
      const as = heirs.of(one.to, one.as ? { ...step, as: one.as } : step, from);
      const to = as.routine?.flags ? variants.of(as, step, from) : as;
      if (as.routine?.flags || heirs.has(one.to)) deciding.add(from);
      if (to === one.to) continue;
      routines ??= target.routines.slice();
      routines[i] = { ...one, to };
    }
    return routines ? { ...target, routines } : target;
  }

  /** What asks what fired it does less than all that it does for others. */
  function firedBy(fired: Fired, step: Read | Write, relation: string | null, from: Linked): Fired {
    const { to: one, ...rest } = fired;
    // Of what goes along the statement knows nothing.
    const to = rest.along ? one : toldBy(heirs.fired(one, step.relation, from), step, from);
    if (to !== one) {
      deciding.add(from);
      waiting.push(to);
    }
    const told = whatFired(to.trigger!, step, to);
    const what = told && asksFor(to).has(told.asked) ? told : null;
    const unchanged = relation === null ? NO_COLUMNS : unchangedBy(to, step, relation);
    const verb = verbOf(step, to.trigger!);
    const rows = verb !== null && asksFor(to).has('rows') ? rowsOf(fired, step) : null;
    if (!what && unchanged.length === 0 && rows === null) return { to, ...rest };
    deciding.add(from);
    const says = what?.says ?? verb ?? 'update';
    const { now, made } = variants.fired(to, { says, asked: what !== null, unchanged, rows });
    for (const one of made) waiting.push(one);
    return { to: now ?? to, ...rest };
  }

  /** A callback of a model, told what the statement says that its function asks for. */
  function toldBy(to: Linked, step: Read | Write, from: Linked): Linked {
    if (step.kind !== 'write' || !step.tells || to.trigger!.via !== 'model callback') return to;
    const asked = asksFor(to).get('told');
    const tells = Object.entries(step.tells).filter(
      ([name, value]) => asked?.includes(name) && !isHandedOn(value),
    );
    if (tells.length === 0) return to;
    deciding.add(from);
    return variants.told(to, Object.fromEntries(tells));
  }

  /** What one trigger may tell its function in several ways, and tells it now. */
  function whatFired(trigger: Trigger, step: Read | Write, to: Linked): What | null {
    const { via, verbs, tags } = trigger;
    const tag = step.kind === 'write' ? step.tag : undefined;
    if (via === 'event trigger')
      return tag === undefined || tags?.length === 1 ? null : { asked: 'tag', says: tag };
    const verb = verbs.length > 1 && via === 'trigger' ? verbOf(step, trigger) : null;
    // An UPDATE that moves a row to another partition is a DELETE there and an INSERT here.
    const moves = verb === 'update' && divided.has(names.relation(trigger.relation, to));
    return verb === null || moves ? null : { asked: 'verb', says: verb };
  }

  /** Of the columns that its function asks for, those that this UPDATE leaves as they were. */
  function unchangedBy(to: Linked, step: Read | Write, relation: string): string[] {
    const { via, each } = to.trigger!;
    if (via !== 'trigger' || each !== 'row' || step.kind !== 'write' || step.verb !== 'update')
      return NO_COLUMNS;
    const asked = asksFor(to).get('unchanged');
    const stays = asked && leaves(step, relation);
    return stays ? asked.filter(stays) : NO_COLUMNS;
  }

  /** Made and not followed yet: nobody may lead to them. */
  const waiting: Linked[] = [];
  const asking = new Map<Linked, Map<string, string[]>>();
  /** What the functions of a trigger ask of it, with the columns. */
  function asksFor(to: Linked): Map<string, string[]> {
    let asked = asking.get(to);
    if (asked) return asked;
    asked = new Map();
    asking.set(to, asked);
    for (const step of to.body)
      for (const one of step.kind === 'call' ? names.call(step, to).routines : [])
        for (const { name, fired, columns = NO_COLUMNS } of one.to.routine?.flags ?? []) {
          if (fired) asked.set(fired, [...new Set([...(asked.get(fired) ?? []), ...columns])]);
          else asked.set('told', [...(asked.get('told') ?? []), name]);
        }
    return asked;
  }

  /** All that these lead to, variants among them, each of which may call for more. */
  function follow(start: readonly Linked[]): void {
    const seen = new Set(start);
    for (const { index } of seen) {
      for (const to of leadsTo(index)) seen.add(program.linked[to]!);
      for (const one of waiting.splice(0)) seen.add(one);
    }
  }

  /**
   * A view that many inherit runs what each of them has of its own, and so does what a mixin has for views: nobody calls
   * it but who answers requests.
   */
  function startedByHeirs(): Linked[] {
    const plainly = program.linked.slice(0, plain);
    const views = new Set(
      plainly.flatMap(({ name, routine }) => (routine?.entry === 'request' ? (ownerOf(name) ?? []) : [])),
    );
    const asked = new Set(views.size > 0 ? edges.flatMap((all) => (all ? reached(all) : NO_EDGES)) : []);
    const isView = (heir: Name) => views.has(heir);
    return plainly.flatMap((linked) => {
      if (!edges[linked.index] || !linked.routine) return [];
      if (linked.routine.entry !== 'called') return heirs.started(linked);
      return views.size === 0 || asked.has(linked.index) ? [] : heirs.started(linked, isView);
    });
  }

  function called(): void {
    const all = program.linked.map(({ index }) => reached(edges[index] ?? NO_EDGES));
    const count = new Uint32Array(all.length);
    for (const list of all) for (const to of list) count[to]!++;
    // Of the right length at once: most have one caller or two.
    for (let index = 0; index < all.length; index++)
      callers[index] = count[index]! > 0 ? new Array(count[index]!) : NO_EDGES;
    for (let from = all.length - 1; from >= 0; from--)
      for (const to of all[from]!) callers[to]![--count[to]!] = from;
  }

  /** Who calls a variant calls the routine. */
  function reached(all: number[]): number[] {
    if (!all.some((to) => program.linked[to]!.original)) return all;
    const written = all.flatMap((to) => program.linked[to]!.original?.index ?? []);
    return [...new Set([...all, ...written])];
  }

  /**
   * Takes the bodies that were changed; to whom they lead only now or no more. Null where there are other variants now.
   * Callers stay in the order of the program.
   */
  function redirected(changed: Linked[]): Set<number> | null {
    const size = program.linked.length;
    const all = new Set<number>();
    for (const linked of changed) {
      if (variants.has(linked) || heirs.has(linked)) return null;
      const { index } = linked;
      const before = reached(edges[index]!);
      const after = reached(take(linked));
      if (program.linked.length > size) return null;
      const gone = before.filter((to) => !after.includes(to));
      const come = after.filter((to) => !before.includes(to));
      for (const to of gone) callers[to] = callers[to]!.filter((from) => from !== index);
      for (const to of come) callers[to] = [...callers[to]!, index].sort((a, b) => a - b);
      for (const to of [...gone, ...come]) all.add(to);
    }
    const unused = [...all].some((to) => to >= plain && callers[to]!.length === 0);
    // Whether anybody calls it decides whether it starts by itself.
    const starts = [...all].some((to) => {
      const linked = program.linked[to]!;
      const { kind, entry } = linked.routine ?? {};
      return kind === 'method' && entry === 'called' && (callers[to]!.length === 0 || heirs.has(linked));
    });
    return unused || starts ? null : all;
  }

  function allAgain(changed: readonly { linked: Linked }[]): null {
    program.linked.length = edges.length = callers.length = plain;
    traits.fill(0, plain);
    for (const made of variants.clear()) targets.delete(made as Call);
    heirs.clear();
    const again = new Set([
      ...changed.map(({ linked }) => linked),
      ...[...deciding].filter(({ original }) => !original),
    ]);
    deciding.clear();
    for (const { index } of again) edges[index] = undefined;
    follow([...again]);
    follow(startedByHeirs());
    called();
    return null;
  }

  /** What is inside a step is looked up before the step is told. */
  function everyStep(body: Step[], tell: (step: Step) => void): void {
    const stack = [body];
    for (let steps = stack.pop(); steps; steps = stack.pop())
      for (const step of steps) {
        stack.push(...graph.inside(step));
        tell(step);
      }
  }

  function counted(): Resolution {
    const statistics = createStatistics(program, names, passed);
    for (const from of program.linked.slice(0, plain)) {
      leadsTo(from.index);
      everyStep(from.body, (step) => {
        if (step.kind === 'call' && !step.reads) statistics.count(step, graph.target(step), from);
      });
    }
    statistics.finish();
    return statistics.done;
  }

  const fires = (step: Read | Write, from: Linked) =>
    byRelation(step, names.relation(step.relation, from), from);
  const matters = (step: Step) => (traitOf(step) & (OPENS | CHANGES)) > 0;
  follow(edited ? program.linked : leading(program, names, matters, fires));
  follow(startedByHeirs());
  called();
  return graph;
}

/** Where an argument is NULL, a strict function does not run; a list of arguments that holds NULL is none itself. */
function withoutStrict(target: Target): Target {
  const runs = ({ to: { routine } }: Target['routines'][number]) =>
    !routine?.strict || routine.parameters?.total === null;
  if (target.routines.every(runs)) return target;
  const routines = target.routines.filter(runs);
  return { ...target, routines, ...(routines.length === 0 && { meaning: [] }) };
}

/** Those that lock the row while the transaction runs. */
function foreignKeys(program: Program, names: Names): Graph['parents'] {
  const out: Graph['parents'] = new Map();
  for (const { key, unit } of program.foreignKeys) {
    if (key.deferred) continue;
    const asked = { file: unit.file } as Linked;
    const child = names.relation(key.child, asked);
    const parent = names.relation(key.parent, asked);
    if (child !== null && parent !== null) add(out, child, { parent, key });
  }
  return out;
}

/** What a step does by itself. */
export function traitOf(step: Step): number {
  switch (step.kind) {
    case 'savepoint':
      return OPENS | CHANGES | NESTS;
    case 'begin':
    case 'commit':
    case 'rollback':
    case 'release':
    case 'rollback to':
      return CHANGES;
    case 'scope': {
      const opens =
        step.opens === 'subtransaction' || step.whenNested === 'savepoint' || step.joinable === false;
      return (
        (opens ? OPENS : 0) |
        (step.opens === 'subtransaction' ? NESTS : 0) |
        ((step.releases ?? 'always') === 'always' ? 0 : CHANGES)
      );
    }
    case 'write':
    case 'row lock':
    case 'yield':
      return TOUCHES;
    case 'block':
      return step.makes ? ASKS : 0;
    default:
      return 0;
  }
}

/** Marks the routines that have one of these traits, and all that lead to them over these edges. */
export function spread(
  { traits, calledFrom }: Pick<Graph, 'traits' | 'calledFrom'>,
  trait: number,
  counts?: (from: number, to: number) => boolean,
): Uint8Array {
  const some: number[] = [];
  for (let index = 0; index < traits.length; index++) if (traits[index]! & trait) some.push(index);
  return closure(some, calledFrom, traits.length, counts);
}

/** Marks these and all that can be reached from them, over the edges that count. */
export function closure(
  start: Iterable<number>,
  edges: Edges,
  size: number,
  counts: (from: number, to: number) => boolean = () => true,
): Uint8Array {
  const marked = new Uint8Array(size);
  const queue = [...start];
  for (const index of queue) marked[index] = 1;
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const to of edges(next))
      if (!marked[to] && counts(next, to)) {
        marked[to] = 1;
        queue.push(to);
      }
  return marked;
}

/** A step that leaves something else open than it found. */
export const changesState = (step: Step): boolean => (traitOf(step) & CHANGES) > 0;
