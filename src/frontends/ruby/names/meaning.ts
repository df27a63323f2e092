// Turns a framework's meaning of one call into steps; which meaning holds is decided by calls.ts.
import type { Argument, Meaning, ScopeMeaning, Variation, WriteMeaning } from '../../../framework.ts';
import { frameworks as ruby } from '../../../frameworks/ruby/index.ts';
import {
  type Call,
  type Certainty,
  inside,
  type Loop,
  type Name,
  type Scope,
  type Since,
  type Span,
  type Step,
  type Verb,
} from '../../../ir.ts';
import { computingOf } from '../../computing.ts';
import { begins, ends } from '../../spans.ts';
import type { Arguments } from '../syntax.ts';
import { contained, OF_BLOCK } from './jumps.ts';
import type { Option } from './options.ts';

/** By method name, all tables that know it; by class and by constant. */
const byMethod = new Map<string, Meaning[]>();
const byType = new Map<string, { receiver: Name; meaning: Meaning }[]>();
const byConstant = new Map<string, Meaning>();
/** What a relation is asked through: it says which rows; it gives one of them, those or others; of a record, that itself. */
export const chained = {
  picks: new Set<string>(),
  passes: new Set<string>(),
  item: new Set<string>(),
  items: new Set<string>(),
  record: new Set<string>(),
  /** They give no more than an argument says: its name, or null for the only one. */
  limits: new Map<string, string | null>(),
};
/** What says of an insert how it is done: `insert_conflict(target: :name)`. */
export const altering = new Map<string, Meaning>();
/** Parts of a query that the server computes for each row, as they are called. Of two tables the one counts that reads more. */
export const computing = computingOf(ruby);
for (const table of ruby) {
  for (const [name, meaning] of Object.entries(table.methods ?? {})) push(byMethod, name, meaning);
  for (const [type, methods] of Object.entries(table.types ?? {}))
    for (const [name, meaning] of Object.entries(methods)) {
      const { returns, limits } = meaning;
      if (limits !== undefined) chained.limits.set(name.slice(1), typeof limits === 'string' ? limits : null);
      if (meaning.alters) altering.set(name.slice(1), meaning);
      if (returns !== undefined) giving(name, returns, meaning.picks);
      if (returns === undefined || !saysNoMore(meaning))
        push(byType, name, { receiver: `ruby:${type}` as Name, meaning });
    }
  for (const [name, meaning] of Object.entries(table.apis ?? {})) byConstant.set(name, meaning);
}

/** What is asked of a call's result, by which the call itself runs elsewhere. */
export const deferring = new Set(
  [...byMethod].flatMap(([name, all]) => (all.some(({ defers }) => defers) ? [name] : [])),
);

/** Options of a call that make it nest, and what each is then. */
const nesting = new Map<string, Set<string>>();
for (const meanings of byMethod.values())
  for (const { when } of meanings)
    for (const { argument, is, then } of when ?? [])
      if (typeof argument === 'string' && is !== undefined && then.scope?.whenNested === 'savepoint')
        nesting.set(argument, (nesting.get(argument) ?? new Set()).add(is));

/** Whether an option that stands in a constant makes nest who is given that; null of any other option. */
export const nestsBy = (option: string, literal: string | null): boolean | null =>
  nesting.has(option) && literal !== null ? nesting.get(option)!.has(literal) : null;

/** What a file says of an option in a constant of its own, and those who are given that ask for. */
export const saidBy = (constant: Name, option: string): string => `${constant} ${option}`;

/** What it gives is all that a table says of it: who has such a method does nothing else. */
function saysNoMore(meaning: Meaning): boolean {
  for (const field in meaning) if (!/^(returns|picks|limits|alters|when)$/.test(field)) return false;
  return true;
}

function giving(marked: string, returns: string, picks: true | undefined): void {
  const name = marked.slice(1);
  if (marked.startsWith('#')) chained.record.add(name);
  else if (returns === 'item') chained.item.add(name);
  else chained.items.add(name);
  if (returns === 'self' && marked.startsWith('.')) chained.passes.add(name);
  if (picks) chained.picks.add(name);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Objects that a framework's guide keeps in one place, by how that is asked and by its last word. */
const places = new Map<string, string>();
for (const { receivers } of ruby)
  for (const [written, type] of Object.entries(receivers ?? {}))
    for (const one of [written, written.slice(written.lastIndexOf('.') + 1)]) places.set(one, type);
export const keptAs = (written: string): string | undefined => places.get(written);

/** Libraries of which a method that these tables know means something else, and types whose rows are elsewhere. */
export const others = new Set(ruby.flatMap((table) => table.others ?? []));
export const otherRows = ruby.flatMap((table) => (table.elsewhere ?? []).map((one): Name => `ruby:${one}`));

/** Calls in the body of a class by which it is one of these. */
export const marks = new Map(ruby.flatMap((table) => Object.entries(table.marks ?? {})));

/** Calls in the body of a class by which a method keeps what it gave. */
export const memoizes = new Set(ruby.flatMap((table) => table.memoizes ?? []));

const lasting = ruby.flatMap((table) => table.lasting ?? []);
/** Collections that a program's configuration writes out. */
export const configured = new Set(ruby.flatMap((table) => table.configured ?? []));
/** Whether it says the same for as long as the program runs. */
export const lasts = (written: string): boolean =>
  lasting.some((one) =>
    one.endsWith('.*')
      ? written.startsWith(one.slice(0, -1)) && /^(\.[a-z]\w*)+$/.test(written.slice(one.length - 2))
      : written === one,
  );

/** Objects that are a database: by what they are called, or of which type they are; who gives the rows of a table. */
const databases = ruby.flatMap(({ database }) => database ?? []);
export const databaseCalled = new Map(databases.flatMap((one) => one.called.map((name) => [name, one])));
export const databaseOf = new Map(databases.flatMap((one) => one.types.map((type) => [type, one])));
/** By the method that a model has for it. */
export const databaseAs = new Map(databases.flatMap((one) => (one.of ? [[one.of, one] as const] : [])));
/** The type of a table's rows that no class stands for. */
export const rowsOf = new Set(databases.map(({ rows }): Name => `ruby:${rows}`));

export const migrations = new Map(ruby.flatMap((table) => Object.entries(table.migrations ?? {})));

/** What is run only where a migration is taken back. */
export const reverts = new Set(ruby.flatMap((table) => table.reverts ?? []));
/** Calls of migrations that run, or drop, what has a file for each version. */
export const versions = ruby.flatMap((table) => table.versions ?? []);

/** What models descend from, each of another framework. */
export const models = ruby.flatMap((table) => table.models ?? []);
/** By the word with which they begin: what methods mean that end with an association's name. */
export const associates = new Map(
  ruby.flatMap((table) =>
    Object.entries(table.associates ?? {}).map(
      ([word, meant]) => [word, { ...meant, receiver: `ruby:${table.models}` as Name }] as const,
    ),
  ),
);

/** Errors that come before the statement is sent that fails. */
export const early = new Set(ruby.flatMap((table) => table.early ?? []));

export const entryOf = new Map(ruby.flatMap((table) => Object.entries(table.entries ?? {})));

/** What a class descends from that such a call makes, and whose classes have callbacks as methods. */
export const makes = new Map(ruby.flatMap((table) => Object.entries(table.makes ?? {})));
export const hooked = new Set(ruby.flatMap((table) => table.hooked ?? []));

/** What else than `perform` of a job is run, by the class above. */
export const runsOf = new Map(ruby.flatMap((table) => Object.entries(table.runs ?? {})));

export const routes = new Set(ruby.flatMap((table) => table.routes ?? []));
const rowless = ruby.flatMap((table) => table.rowless ?? []);
export const hasNoRows = (above: string): boolean => rowless.some((one) => above.startsWith(one));

/** Meanings by name alone. */
export const meaningsOf = (method: string): Meaning[] => byMethod.get(method) ?? [];
/** Meanings for those whose class descends from the receiver; the method with its mark, `#save`. */
export const typedMeanings = (marked: string) => byType.get(marked) ?? [];
/** `Net::HTTP.get`, `Thread.new`, `sleep` of Kernel. */
export const constantMeaning = (constant: string, method: string): Meaning | undefined =>
  byConstant.get(`${constant}.${method}`) ?? byConstant.get(`${constant}.*`);

export interface Site {
  at: Span;
  method: string;
  arguments: Arguments;
  /** By position or keyword; undefined: it is not given. */
  option(argument: number | string): Option | undefined;
  /** The class that this argument is. */
  typeOf?(argument: number): Name | null;
  /** How many items this argument has, where it is surely a list. */
  listed(argument: number): Pick<Loop, 'times' | 'atMost'> | null;
  relation: Name | null;
  /** What that likely is where nobody knows it. */
  like?: Name;
  /** The class or object that it is asked of. */
  whose?: Name;
  keys(): string[];
  /** Of a variable that is locked: what it is for who gets it from the method. */
  passed?(): string[];
  /** What the query that it is asked of says of an insert. */
  altered?(): Meaning['alters'];
  /** What a new row is given that tells whom it refers to: `account_id=account`. */
  refers?(): string[];
  fresh?: boolean;
  /** It asks a class for a row by constants and these local variables alone. */
  same?(): { same?: string[]; sameInLoops?: true };
  block: Step[] | null;
  certainty?: Certainty;
  sql(argument: number): Step[];
  /** Known turns of a loop: the parameter whose items they are, or what holds them; how many of them a turn takes at once. */
  turns(): Pick<Loop, 'times' | 'atMost' | 'each' | 'of' | 'chunk'>;
}

/** What is asked of a record or an object without any argument that is seen. */
export const bareSite = (at: Span, method: string, relation: Name | null, key = 'self'): Site => ({
  at,
  method,
  arguments: { positional: [], keywords: new Map(), splats: [] },
  option: () => undefined,
  listed: () => null,
  relation,
  keys: () => [key],
  block: null,
  sql: () => [],
  turns: () => ({ times: null }),
});

interface Varied {
  meaning: Meaning;
  at: Span;
}

/** The variations whose option is given, merged over the rest: scopes field by field. */
export function vary(meanings: Meaning[], site: Site): Varied {
  let meaning: Meaning = meanings[0]!;
  let at = site.at;
  for (const { when } of meanings) {
    if (!when) continue;
    for (const variation of when) {
      const given = holds(variation, site);
      if (!given) continue;
      const { then } = variation;
      const scope = then.scope ? { ...then.scope } : meaning.scope;
      if (scope && then.scope && meaning.scope) {
        if (meaning.scope.joinable === false) scope.joinable = false;
        // `requires_new: true, joinable: false`: both hold.
        if (then.scope.joinable === false && meaning.scope.whenNested === 'savepoint')
          Object.assign(scope, meaning.scope, { joinable: false });
        scope.label ??= meaning.scope.label;
      }
      if (scope?.whenNested === 'savepoint' && then.scope) at = given.at;
      meaning = { ...meaning, ...then, scope };
    }
  }
  return { meaning, at };
}

function holds({ argument, is }: Variation, site: Site): { at: Span } | null {
  const asked = named(argument);
  const given = site.option(asked);
  if (!given || (is !== undefined && given.literal !== is)) return null;
  // Among options that are handed on it may be.
  const isSeen = given.literal !== null || (!given.among && given.parameter !== asked);
  return isSeen ? given : null;
}

/** The other side of a version: `>=7.0` is `<7.0`. */
const before = ({ package: name, range }: Since): Since => ({
  package: name,
  range: range.replace('>=', '<'),
});

export function stepsOf(meanings: Meaning[], site: Site): Step[] {
  return byCaller(meanings, site) ?? byOptions(meanings, site) ?? plainly(meanings, site);
}

/** What nests where a constant of another file says so, by whichever option it has. */
function byOptions(meanings: Meaning[], site: Site): Step[] | null {
  if (!meanings.some(({ when }) => when)) return null;
  const nested: Meaning[] = [];
  const nestedBy: string[] = [];
  for (const argument of nesting.keys()) {
    const among = site.option(argument)?.among;
    if (!among) continue;
    const told = { literal: 'true', at: site.at };
    const option = (asked: number | string) => (asked === argument ? told : site.option(asked));
    const { meaning } = vary(meanings, { ...site, option });
    if (meaning.scope?.whenNested !== 'savepoint') continue;
    nested.push(meaning);
    nestedBy.push(...among.map((one) => saidBy(one, argument)));
  }
  const [first] = nested;
  if (!first) return null;
  const scope: ScopeMeaning = { ...first.scope!, whenNested: 'join', nestedBy };
  return plainly([{ ...first, when: undefined, scope }], site);
}

/** What nests where the caller of the method says so: all ways, of which the linker takes one. A word is told from `true`. */
function byCaller(meanings: Meaning[], site: Site): Step[] | null {
  const all = meanings.flatMap(({ when = [] }) => when).filter(({ then }) => then.scope);
  const first = all.filter(({ argument, is }) => is === 'true' && site.option(named(argument))?.parameter);
  if (first.length === 0 || vary(meanings, site).meaning.scope?.whenNested === 'savepoint') return null;
  const isAsked = ({ argument, is = '' }: Variation) =>
    /^:/.test(is) && first.some((one) => one.argument === argument);
  const saying = (argument: Argument, value: Option | undefined): Step[] =>
    plainly(meanings, {
      ...site,
      option: (asked) =>
        first.some((one) => one.argument === asked)
          ? asked === argument
            ? value
            : undefined
          : site.option(asked),
    });
  return [...first, ...all.filter(isAsked)].reduce(
    (otherwise, { argument, is = '' }): Step[] => {
      const nests = saying(argument, { at: site.at, literal: is });
      const arms = [nests.map((step): Step => ({ ...step, certainty: 'possible' })), otherwise];
      const among = is === 'true' ? {} : { among: [is.slice(1)] };
      const parameter = site.option(named(argument))!.parameter!;
      return [
        {
          kind: 'branch',
          at: site.at,
          arms,
          exhaustive: true,
          when: { parameter, is: 'true', unsure: true, ...among },
        },
      ];
    },
    saying('', undefined),
  );
}

const named = (argument: Argument) => (typeof argument === 'object' ? argument.keyword : argument);

function plainly(meanings: Meaning[], site: Site): Step[] {
  const { meaning: varied, at } = vary(meanings, site);
  // Of tables that know one name, each has an error of its own.
  const swallows = meanings.find((one) => raisesIn(site.block ?? [], one.swallows))?.swallows;
  const meaning = swallows ? { ...varied, swallows } : varied;
  const steps = build(meaning, { ...site, at });
  const plain = meanings[0]!;
  if (!meaning.since || plain.since || !meaning.since.range.startsWith('>=')) return steps;
  // What an option means from some version on, it did not mean before: one of the two.
  const since = before(meaning.since);
  const other = build({ ...plain, when: undefined }, site).map((step): Step => ({ ...step, since }));
  return [{ kind: 'branch', at, arms: [steps, other], exhaustive: true }];
}

function sameOf(site: Site): Pick<Scope, 'same' | 'sameFor'> {
  const { same, sameInLoops } = site.same?.() ?? {};
  if (sameInLoops) return { same: 'in loops' };
  if (!same) return {};
  return same.length > 0 ? { sameFor: same } : { same: 'always' };
}

function build(meaning: Meaning, site: Site): Step[] {
  const base = {
    at: site.at,
    ...(site.certainty && site.certainty !== 'certain' ? { certainty: site.certainty } : {}),
  };
  const since = meaning.since ? { since: meaning.since } : {};
  const { swallows } = meaning;
  const inner = bodyOf(meaning, site, base);
  if (meaning.undone) inner.push({ kind: 'exit', at: site.at, how: 'raise', raises: String(swallows) });
  let steps = inner;
  if (meaning.scope) {
    const { label, ...scope } = meaning.scope;
    const whose = site.whose ? { whose: site.whose } : {};
    const same = scope.onMiss ? sameOf(site) : {};
    steps = [
      { ...base, kind: 'scope', label: label ?? site.method, ...whose, ...scope, ...same, body: inner },
    ];
  }
  if (raisesIn(inner, swallows))
    steps = [
      { ...base, kind: 'attempt', body: steps, handlers: [{ at: site.at, catches: [swallows], body: [] }] },
    ];
  const list = meaning.forEach === undefined ? null : site.listed(meaning.forEach);
  if (list && steps.length > 0) steps = [{ ...base, kind: 'loop', over: 'items', ...list, body: steps }];
  if (meaning.loops && steps.length > 0)
    steps = [{ ...base, kind: 'loop', over: meaning.loops, ...site.turns(), body: steps }];
  if (meaning.around)
    steps = [
      { ...base, kind: 'scope', ...meaning.around, label: meaning.around.label ?? site.method, body: steps },
    ];
  return meaning.since ? steps.map((step) => ({ ...step, ...since })) : steps;
}

const raisesIn = (steps: Step[], what: Meaning['swallows']): what is string =>
  typeof what === 'string' && steps.some((step) => isRaised(step, what));

/** `raise ActiveRecord::Rollback` asks the block around it to roll back, and goes no further. */
const isRaised = (step: Step, what: string): boolean =>
  (step.kind === 'exit' && step.raises?.endsWith(what) === true) ||
  (step.kind !== 'call' && inside(step).some((list) => list.some((one) => isRaised(one, what))));

type Base = { at: Span; certainty?: Certainty };

function bodyOf(meaning: Meaning, site: Site, base: Base): Step[] {
  const out: Step[] = [];
  const { relation, like } = site;
  if (meaning.rowLock)
    out.push({
      ...base, ...(like && { like, certainty: 'likely' }), kind: 'row lock', relation, rows: 'one', keys: [...site.keys(), ...(site.passed?.() ?? [])], ...meaning.rowLock,
    }); // biome-ignore format: short
  if (meaning.read) out.push({ ...base, kind: 'read', relation, rows: meaning.read.rows });
  if (meaning.write) out.push(...written(meaning.write, site, base));
  if (meaning.wait) out.push({ ...base, kind: 'wait', for: meaning.wait });
  if (meaning.raises) out.push({ kind: 'exit', at: base.at, how: 'raise', raises: meaning.raises });
  if (meaning.flat) out.push(flat(meaning, site, base));
  // A callback that the program has not runs nothing; of a command that is elsewhere nobody knows.
  const whose = typeof meaning.of === 'number' ? site.typeOf?.(meaning.of) : relation;
  for (const name of whose ? (meaning.calls ?? []) : [])
    out.push({
      kind: 'call',
      at: site.at,
      callee: `${whose}#${name}` as Name,
      ...(meaning.hands === undefined ? {} : wordHanded(site.option(meaning.hands))),
      ...(meaning.write ? { meanings: [{ steps: [] }] } : {}),
    });
  const routine = typeof meaning.routine === 'number' && site.option(meaning.routine)?.literal;
  if (routine)
    out.push({
      ...base,
      kind: 'call',
      callee: `sql:${routine.replace(/^:/, '')}`,
      meanings: [{ steps: [] }],
    });
  if (typeof meaning.sql === 'number') out.push(...site.sql(meaning.sql));
  for (const [i, one] of (meaning.inside ?? []).entries())
    out.push(...build(one, i === 0 ? site : { ...site, block: null }));
  if (meaning.either)
    out.push({
      ...base,
      kind: 'branch',
      arms: meaning.either.map((one) => build(one, { ...site, block: null })),
      exhaustive: true,
    });
  // A turn of a loop is left by its `next`; what runs once is left by `break` as well.
  if (site.block && !meaning.inside)
    out.push(...(meaning.loops ? site.block : contained(site.block, site.at, OF_BLOCK)));
  return out;
}

/** A word that stands there, or that the caller of the method gives. */
function wordHanded(given: Option | undefined): Pick<Call, 'args' | 'given'> {
  if (given?.parameter !== undefined) return { args: 1, given: { 0: { parameter: given.parameter } } };
  const said = given?.literal?.replace(/^:/, '');
  return said && /^\w+$/.test(said) ? { args: 1, given: { 0: { text: said } } } : {};
}

/** A connection has one stack of them, whatever it is called here and there. */
const OF_CONNECTION = 'connection';

function flat(meaning: Meaning, site: Site, base: Base): Step {
  const kind = meaning.flat!;
  if (kind === 'begin' || kind === 'commit' || kind === 'rollback') {
    const step: Step = { ...base, kind };
    if (meaning.spans) begins(step, OF_CONNECTION, meaning.spans, site.method);
    else if (meaning.endsSpan) ends(step, OF_CONNECTION);
    return step;
  }
  const given = typeof meaning.name === 'number' ? site.option(meaning.name) : undefined;
  return { ...base, kind, name: given ? (given.literal?.replace(/^:/, '') ?? null) : 'active_record' };
}

/** `update!(status: 1)` and `update_attribute(:status, 1)` say which columns they set. */
function columnsOf({ setsKeywords, sets }: WriteMeaning, site: Site): string[] | null {
  const { positional, keywords, splats } = site.arguments;
  if (setsKeywords)
    return positional.length + splats.length === 0 && keywords.size > 0 ? [...keywords.keys()] : null;
  const given = sets === undefined ? undefined : site.option(named(sets));
  const name = given?.literal?.replace(/^:|^["']|["']$/g, '');
  return name && /^\w+$/.test(name) ? [name] : null;
}

/** A record made here is inserted, one that was found is updated. */
function written(meaning: WriteMeaning, site: Site, base: Base): Step[] {
  const { verb, rows, onConflict, without, withoutCallbacks, ofOther } = meaning;
  const columns = verb === 'update' ? columnsOf(meaning, site) : null;
  const step = (does: Verb): Step => ({
    ...base,
    kind: 'write',
    verb: does,
    relation: ofOther ? null : site.relation,
    rows: rows === 'many' && site.turns().times === 1 ? 'one' : rows,
    keys: does === 'insert' && site.refers ? [...site.keys(), ...site.refers()] : site.keys(),
    ...(onConflict ? { onConflict } : does === 'insert' ? site.altered?.() : {}),
    ...(without ? { without } : {}),
    ...(withoutCallbacks ? { withoutCallbacks } : {}),
    ...(columns ? { columns } : {}),
    // Where nothing of the record has changed, the server is sent nothing.
    ...(does === 'update' && !withoutCallbacks && rows === 'one' ? { atMost: true } : {}),
  });
  if (verb !== 'save') return [step(verb)];
  if (site.fresh !== undefined) return [step(site.fresh ? 'insert' : 'update')];
  // What hangs on a table hangs on no unknown one, whether a row of it is new or not.
  if (site.relation === null) return [step('update')];
  // What another record has, has a row, unless it was built there. So has what saves itself, unless its caller made it.
  const own = site.keys()[0] === 'self' && /^save/.test(site.method);
  const insert: Step =
    own || isOfAnother(site) ? { ...step('insert'), certainty: 'possible' } : step('insert');
  const when = own ? { when: { parameter: SAVED, is: 'null', unsure: true } as const } : {};
  return [{ ...base, kind: 'branch', arms: [[insert], [step('update')]], exhaustive: true, ...when }];
}

/** What stands among what a method is given for whether its object has a row: nothing, where it was made there. */
export const SAVED = 'self.id';

/** `order.buyer.save`, and `buyer.save` in a class that has one, and `order.lines << line` of a line from elsewhere. */
const isOfAnother = ({ relation, method }: Site): boolean =>
  relation !== null && /#\w+\(\)$/.test(relation) && /^(save|<<)/.test(method);
