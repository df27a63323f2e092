// What the two rules about repetition share: a subtransaction that runs many times in one transaction, and what that costs.
import {
  type Call,
  type Effects,
  type Finding,
  inside,
  type KnownRoutine,
  kept,
  type Model,
  type Name,
  type Relation,
  type Scope,
  type Step,
  type Subtransaction,
  type TypeDeclaration,
  type Visit,
  type Write,
} from '../src/rule.ts';
import { blockOf, castGuard, createsMissing, takesOnConflict, upsert } from './guards.ts';
import { asJoining } from './mend.ts';
import { about, everyStep, intoTable, isTable, named, plain, routineName, tableName, weigh } from './say.ts';

/** Places for subtransactions that one session has. */
const PLACES = 64;

/** More than there are places for, or nobody knows how many. */
export function isTooOften({ effects }: Subtransaction, { context: { repeatedBy, times } }: Visit): boolean {
  // Where it has no number itself, what repeats inside of it is told there.
  const each = Number.isFinite(effects.counts) ? Math.max(effects.counts, 1) : 1;
  return repeatedBy !== null && (times === null || times * each > PLACES);
}

export function repeatedFinding(
  model: Model,
  one: Subtransaction,
  rule: { id: string; when: string; remedy(visit: Visit): string },
  applies: (visit: Visit) => boolean,
): Finding[] {
  const visit = one.visits.find((each) => isTooOften(one, each));
  // A cast that runs for every row costs CPU time alone: exception-block-for-cast tells that.
  if (!visit || !applies(visit) || castGuard(model, one)) return [];
  const writes = writesOn(one, visit);
  const severity = { yes: 'error', unknown: 'warning', no: 'note' } as const;
  const chunks = visit.context.repeatedBy === 'chunks';
  const more =
    one.callers > 1
      ? ` ${one.callers >= 1000 ? 'A thousand or more' : one.callers} call sites lead to it.`
      : '';
  return [
    {
      ...about(one),
      rule: rule.id,
      severity: weigh(
        (chunks || isUndone(one) || createsMissing(one)) && writes === 'yes'
          ? 'warning'
          : one.effects.behind === 'unknown'
            ? 'note'
            : severity[writes],
        visit,
      ),
      certainty: visit.certainty,
      message: `The ${one.label} in ${routineName(one.routine, model)} opens a subtransaction${onMiss(one) ? ', where the row is missing,' : ''} ${rule.when}${chunks ? ' over chunks' : ''} in one transaction. ${consequence(model, one, visit)}${hit(one)}${more}`,
      remedy: remedyFor(model, one, visit) ?? rule.remedy(visit),
      trace: visit.witness,
      others: others(one, visit),
      fixes: asJoining(model, one),
    },
  ];
}

/** On this way, of all that it may do. */
const writesOn = ({ effects }: Subtransaction, { idle }: Visit): Effects['writes'] =>
  idle ? 'no' : effects.writes;

const onMiss = ({ origin }: Subtransaction): boolean => origin.kind === 'scope' && origin.onMiss === true;

const hit = ({ origin }: Subtransaction): string =>
  origin.kind === 'scope' && origin.insertsFirst
    ? ' A row that is there already leaves a dead row and a burnt transaction ID instead.'
    : '';

function others({ visits }: Subtransaction, worst: Visit) {
  const rest = visits.filter((visit) => visit !== worst && visit.context.repeatedBy !== null);
  return rest.length > 0 ? rest.map(({ witness }) => witness) : undefined;
}

function consequence(model: Model, one: Subtransaction, visit: Visit): string {
  const writes = writesOn(one, visit);
  if (writes === 'no')
    return `${visit.idle ? 'On this way nothing' : 'Nothing'} inside writes or locks a row, so it takes no transaction ID and none of the session's 64 places: it costs CPU time alone.`;
  if (one.effects.behind)
    return 'Nothing inside writes or locks a row, but its savepoint is never released: the next write behind it in that transaction takes a transaction ID for each one that is open, and from the 65th on every session must look up pg_subtrans until the transaction ends.';
  const { tables, foreign } = written(model, one);
  const what = tables.length > 0 ? ` (${tables.join(', ')})` : '';
  if (foreign)
    return `It writes to foreign tables only${what}: the remote session gets a savepoint for each, and with the 65th the remote server's snapshots overflow.`;
  if (isUndone(one)) {
    const does = writes === 'yes' ? `writes${what}, takes` : 'that writes takes';
    return `It is always undone: each one ${does} a transaction ID and is rolled back. The primary gives its place back, but on a standby every query must look up pg_subtrans from the 64th on until the transaction ends.`;
  }
  const each =
    writes === 'unknown'
      ? 'Each one that writes'
      : locksAlone(one)
        ? 'Each one that locks a row which the transaction has not locked before'
        : createsMissing(one)
          ? 'Each one that finds nothing there and creates it'
          : isConditional(model, one)
            ? `Each one that writes${what}`
            : what
              ? `Each one writes${what} and`
              : 'Each one';
  const enough = visit.context.repeatedBy === 'chunks' ? 'where there are more than 64 chunks, ' : '';
  return `${each} takes a transaction ID, which RELEASE does not give back; ${enough}from the 65th on every session must look up pg_subtrans until the transaction ends.`;
}

/** It writes nothing; a row that the transaction holds already is locked again for nothing. */
function locksAlone({ origin }: Subtransaction): boolean {
  if (origin.kind !== 'scope') return false;
  const touching = new Set<Step['kind']>(['write', 'call', 'opaque', 'yield', 'scope', 'row lock']);
  const found = [...everyStep(origin.body)].filter(({ step }) => touching.has(step.kind));
  return found.length > 0 && found.every(({ step }) => step.kind === 'row lock');
}

/** It may end without having written: what does stands in branches that may be passed by, here or in what is called. */
function isConditional(model: Model, { origin }: Subtransaction): boolean {
  if (origin.kind !== 'scope') return false;
  return [...everyStep(origin.body)].some(({ step }) => touches(model, step)) && !surely(model, origin.body);
}

const touches = (model: Model, step: Step): boolean =>
  step.kind === 'write' ||
  step.kind === 'row lock' ||
  step.kind === 'opaque' ||
  step.kind === 'yield' ||
  (step.kind === 'call' && (step.block !== undefined || mayWrite(model.called(step))));

/** What nobody here has written may. */
const mayWrite = (called: KnownRoutine[]): boolean =>
  called.length === 0 || called.some(({ effects }) => effects.writes !== 'no');

function surely(model: Model, steps: Step[]): boolean {
  for (const step of steps) {
    if (step.kind === 'branch') {
      if (step.exhaustive && step.arms.every((arm) => surely(model, arm))) return true;
      if (step.arms.some(mayLeave)) return false;
    } else if (step.kind === 'call' && step.block === undefined) {
      if (touches(model, step) && surelyCalled(model, step)) return true;
    } else if (step.kind === 'write') {
      if (surelyWrites(step)) return true;
    } else if (touches(model, step) || ('body' in step && runs(step) && surely(model, step.body)))
      return true;
    if (step.kind === 'exit') return false;
  }
  return false;
}

/** A loop may have no turn; what is tried again is tried once. */
const runs = (step: Step): boolean =>
  step.kind !== 'loop' || step.over === 'retry' || ((step.times ?? 0) > 0 && !step.atMost);

/** An UPDATE and an INSERT of what a query gives may find no row, some definitions all as it should be; what a program saves is there. */
function surelyWrites({ verb, relation, rows, times, atMost, onConflict }: Write): boolean {
  if (atMost || onConflict === 'nothing') return false;
  if (verb === 'ddl' || verb === 'truncate') return true;
  const isObject = relation !== null && !relation.startsWith('sql:');
  return (verb === 'insert' || isObject) && (rows === 'one' || times !== undefined);
}

/** What nobody here has written may do anything or nothing, unless a framework tells; what calls itself says nothing more. */
function surelyCalled(model: Model, call: Call): boolean {
  const called = model.called(call);
  if (called.length === 0) return call.meanings?.some(({ steps }) => surely(model, steps)) ?? false;
  const known = calledIn(model);
  return called.every(({ routine: { name, body } }) => {
    let found = known.get(name);
    if (found === undefined) {
      known.set(name, true);
      found = surely(model, body);
      known.set(name, found);
    }
    return found;
  });
}

const calledIn = kept((_: Model) => new Map<Name, boolean>());

/** An error is no way out: what it undoes has cost nothing. */
const mayLeave = (steps: Step[]): boolean =>
  [...everyStep(steps)].some(({ step }) => step.kind === 'exit' && step.how !== 'raise');

/**
 * What is tried only to see whether it would fail: it raises by itself, or is rolled back, whenever nothing else did. Where that leaves its
 * savepoint open, the next one takes a place for both.
 */
function isUndone({ origin }: Subtransaction): boolean {
  if (origin.kind !== 'scope' || (origin.releases ?? 'always') !== 'always') return false;
  if (!origin.body.some(({ kind }) => kind === 'exit')) return false;
  const exits = [...everyStep(origin.body)].filter(({ step }) => step.kind === 'exit');
  return exits.every(({ step }) => step.kind === 'exit' && step.how === 'raise');
}

/** What takes IF NOT EXISTS. */
const IF_NOT_EXISTS = new Set(
  ['table', 'index', 'schema', 'sequence', 'materialized view'].map((what) => `create ${what}`),
);

function remedyFor(model: Model, one: Subtransaction, visit: Visit): string | null {
  if (writesOn(one, visit) === 'no')
    return 'Where it runs often enough to matter, check beforehand instead of catching after.';
  if (one.origin.kind === 'scope' && one.origin.instead) return one.origin.instead;
  const made = createsMissing(one);
  if (made?.every(({ tag }) => IF_NOT_EXISTS.has(tag!)))
    return 'CREATE … IF NOT EXISTS needs no block; better still, create it beforehand.';
  const block = blockOf(one);
  const found = block && upsert(block.body, block.handlers);
  return found && takesOnConflict(model, found, one.file)
    ? `INSERT${intoTable(found.insert.relation, model)} … ON CONFLICT … needs no block; better still, one INSERT … SELECT for all rows.`
    : null;
}

/** The tables that it writes itself, and whether all of them live on another server. */
function written(model: Model, one: Subtransaction): { tables: string[]; foreign: boolean } {
  if (one.origin.kind !== 'scope') return { tables: [], foreign: false };
  const writes = writesIn(model, (one.origin as Scope).body).filter(({ relation }) => relation !== null);
  const foreign = foreignTables(model);
  return {
    tables: [
      ...new Set(
        writes
          .map(({ relation }) => relation)
          .filter(isTable)
          .filter((relation) => !withoutTable(model).has(named(relation, model)))
          .map((relation) => tableName(relation, model)),
      ),
    ].slice(0, 3),
    foreign: writes.length > 0 && writes.every(({ relation }) => foreign.has(plain(relation))),
  };
}

/** What has no table, and is taken in by what has one: a module, an abstract class. */
const withoutTable = kept((model: Model): Set<string> => {
  const types = model.units.flatMap((unit) => unit.types);
  const above = new Set(
    types.flatMap(({ name, relation, abstract, bases }) =>
      relation ? bases.map((base) => named(base, model)) : abstract ? [name] : [],
    ),
  );
  for (const { name, relation } of types) if (relation) above.delete(name);
  return above;
});

/** In the order in which they stand. */
function writesIn(model: Model, body: Step[]): Write[] {
  const found: Write[] = [];
  const stack = [...body].reverse();
  for (let step = stack.pop(); step; step = stack.pop()) {
    if (step.kind === 'write') found.push(step);
    stack.push(...within(model, step).flat().reverse());
  }
  return found;
}

/** Of what a framework would mean by a call only what it means where that call is of such a class. */
function within(model: Model, step: Step): Step[][] {
  if (step.kind !== 'call' || !step.meanings) return inside(step);
  const own = model.called(step);
  const block = [step.block ?? []];
  // A routine that is the repository's own, and that writes nothing.
  if (own.length > 0 && own.every(({ effects }) => effects.writes !== 'yes')) return block;
  const above = lineage(model, classOf(own[0]?.routine.name ?? step.callee));
  const meant = step.meanings.filter(({ receiver }) => !above || !receiver || above.has(receiver));
  return [...block, ...meant.map(({ steps }) => steps)];
}

const classOf = (method: string) => method.slice(0, method.lastIndexOf('.')).replace(/(\(\)|\^)$/, '');

/** The classes of the repository, by the last part of their names. */
const declared = kept(({ units }: Model) => {
  const out = new Map<string, TypeDeclaration[]>();
  for (const { types } of units)
    for (const one of types) out.set(plain(one.name), [...(out.get(plain(one.name)) ?? []), one]);
  return out;
});

/** What a class of the repository's own descends from; null of one that nobody has read. */
function lineage(model: Model, name: string): Set<string> | null {
  const out = new Set<string>();
  const queue = [name];
  for (const one of queue) {
    // An import may leave out the folder in which the sources are.
    const path = `.${one.slice(one.indexOf(':') + 1)}`;
    const known = declared(model)
      .get(plain(one as Name))
      ?.find((type) => type.name === one || type.name.endsWith(path));
    if (out.has(one) || (!known && queue.length === 1)) continue;
    out.add(one);
    for (const base of known?.bases ?? []) queue.push(named(base, model));
  }
  return out.size > 0 ? out : null;
}

const foreignTables = kept(
  ({ units }: Model) =>
    new Set(units.flatMap(({ relations }) => relations.filter(isForeign).map(({ name }) => plain(name)))),
);
const isForeign = ({ kind }: Relation) => kind === 'foreign table';
