// A routine as what its caller gives it leaves it: branches that literal arguments decide are decided, rows that constants tell are known for one, and loops over written-out lists for short. It looks up no name.
import {
  type Block,
  type Branch,
  type Call,
  FIRED_ROWS,
  type Given,
  isConnection,
  isHandedOn,
  isObject,
  isText,
  isThere,
  type Loop,
  type Name,
  namedBy,
  type Routine,
  type Scope,
  type Sign,
  type Step,
  type Trigger,
  type Verb,
} from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { canonical, isAnyTable, lastPart, schemaOf } from '../definitions/sqlname.ts';
import { add as addTo } from '../lists.ts';
import { isSuffix, lastWord, ownerOf } from '../names/dotted.ts';
import { holds, rewrite } from '../rewrite.ts';

export interface Variants {
  /** What this call makes of the routine that it means: the routine itself, or one that takes fewer ways. */
  of(to: Linked, call: Call, from: Linked): Linked;
  /** A callback that is told this by its parameters. */
  told(to: Linked, tells: Record<string, Given>): Linked;
  /** A trigger as this verb or tag fires it, or an UPDATE that leaves some columns as they were, or so many rows; nothing where there are too many. */
  fired(to: Linked, by: FiredBy): { now: Linked | undefined; made: Iterable<Linked> };
  /** Whether calls were asked what they make of it. */
  has(to: Linked): boolean;
  /** The step that a step of a variant was copied from. */
  original(step: Step): Step;
  /** Remembers of which step this is a copy. */
  copy(step: Step, before: Step): Step;
  /** Forgets all, and says which steps were made for it. */
  clear(): Step[];
}

/** What fires a trigger, as far as its function asks. */
export interface FiredBy {
  says: string;
  /** It asks which verb, or tag, it is. */
  asked: boolean;
  unchanged: string[];
  rows: number | null;
}

type Values = Map<string, Given>;
type Flags = NonNullable<Routine['flags']>[number];
type Fired = NonNullable<Flags['fired']>;
type Flag = Pick<Flags, 'position' | 'columns'>;

const NOTHING: string[] = [];
const MOST_OF_ONE = 24;
/** By its verbs or tags, and by what updates leave. */
const MOST_OF_FIRED = 12;
/** One function may serve many tables, each in several ways. */
const MOST_OF_TRIGGERED = 40;
/** One may run what a hundred callers write. */
const MOST_OF_TEXTS = 100;
/** A text may be handed on by some who hand it on. */
const MOST_OF_TEXT = 4;
/** Far more than programs come to: a product of 1,400 files came to 2,000. Where they run out, the ones that are missing hang on which files were read. */
const MOST = 10_000;

/** How many a program can come to. */
export const mostVariants = ({ linked }: Program): number =>
  Math.min(
    MOST,
    linked.reduce((sum, one) => sum + mostBy(one), 0),
  );

function mostBy(one: Linked): number {
  const { routine, trigger } = one;
  if (routine?.flags) return mostOf(one);
  if (routine?.kind === 'anonymous' && routine.implied) return MOST_OF_TEXT;
  if (trigger?.via === 'model callback') return MOST_OF_ONE;
  return isAsked(trigger) ? MOST_OF_FIRED : 0;
}

const isAsked = (trigger: Trigger | undefined) =>
  (trigger?.via === 'trigger' &&
    (trigger.verbs.length > 1 || trigger.verbs.includes('update') || trigger.transitions !== undefined)) ||
  (trigger?.via === 'event trigger' && trigger.tags?.length !== 1);

const mostOf = ({ routine }: Linked): number =>
  routine?.flags?.some(({ fired }) => fired) ? MOST_OF_TRIGGERED : MOST_OF_ONE;

/** `classOf`: how the class of that name is called where it is declared; null where it is none of this program. */
export function createVariants(
  program: Program,
  classOf: (name: Name, from: Linked) => Name | null,
): Variants {
  const byValues = new Map<Linked, Map<string, Linked>>();
  const originals = new Map<Step, Step>();
  const known = new WeakMap<Linked, Asked>();
  const asked = (to: Linked): Asked => {
    const found = known.get(to) ?? asks(to);
    known.set(to, found);
    return found;
  };
  const parents = new Set(
    program.relations.flatMap(({ relation }) =>
      (relation.inherits ? [] : (relation.parents ?? [])).map((one) => unquoted(lastPart(canonical(one)))),
    ),
  );
  let classes: Map<string, string[]> | undefined;
  /** Whether this class is what a maker's name means: a package may hand it on, or a folder of sources stand before it, unless there is another one of that name. */
  const isMade = (owner: string, of: string): boolean => {
    if (owner === of) return true;
    if (lastWord(owner) !== lastWord(of)) return false;
    if (!classes) {
      classes = new Map();
      for (const { type } of program.types) addTo(classes, lastWord(type.name), type.name);
    }
    const others = classes.get(lastWord(of)) ?? NOTHING;
    return !others.some((one) => one !== owner && (isSuffix(one, of) || isSuffix(of, one)));
  };
  /** The one spelling of a class, or of a list of its objects; what gives such a list is one. */
  const ofClass = (name: Name, from: Linked): Name | null => {
    const its = classOf(name, from);
    if (its) return its;
    const item = name.endsWith('[]') ? name.slice(0, -2) : name.endsWith(')') ? `${name}[]` : null;
    const listed = item === null ? null : classOf(item as Name, from);
    return listed && (`${listed}[]` as Name);
  };
  let room = mostVariants(program);
  const made = (to: Linked): Map<string, Linked> => {
    const all = byValues.get(to) ?? new Map<string, Linked>();
    byValues.set(to, all);
    return all;
  };
  const add = (one: Linked): Linked => {
    program.linked.push(one);
    room--;
    return one;
  };
  return {
    of(to, call, from) {
      const said = given(to, call, from, parents, isMade);
      if (said.size === 0) return to;
      const all = made(to);
      const values = answers(said, asked(to), (name) => ofClass(name, from));
      if (values.size === 0) return to;
      const key = JSON.stringify([...values]);
      let found = all.get(key);
      if (!found) {
        const most = [...values.values()].some(isText) ? MOST_OF_TEXTS : mostOf(to);
        const full = all.size >= most || room === 0;
        const body = full ? to.body : decided(to, values, originals);
        const { original = to } = to;
        found = body === to.body ? to : add({ ...to, body, index: program.linked.length, original });
        all.set(key, found);
      }
      return found;
    },
    fired(to, { says: by, asked, unchanged, rows }) {
      const all = made(to);
      const { verbs, via } = to.trigger!;
      // Of the verbs all are made at once: what no statement here does, others may.
      const others = via === 'event trigger' ? [by] : asked || unchanged.length > 0 ? verbs : [];
      const some = unchanged.length > 0 ? `${by} but ${unchanged}` : by;
      const key = rows === null ? some : `${some} of ${rows}`;
      const missing = [...new Set([...others, key])].filter((one) => !all.has(one));
      if (missing.length <= Math.min(room, MOST_OF_FIRED - all.size))
        for (const one of missing) {
          const said: Partial<Trigger> =
            via === 'event trigger' ? { tags: [one] }
            : one !== key ? { verbs: [one as Verb] }
            : { verbs: [by as Verb], ...(unchanged.length > 0 && { unchanged }), ...(rows !== null && { rows }) }; // biome-ignore format: a table
          // What a call leads to is kept by the call.
          const body = to.body.map((step) => (step.kind === 'call' ? { ...step } : step));
          for (const [i, step] of body.entries()) if (step !== to.body[i]) originals.set(step, to.body[i]!);
          const trigger = { ...to.trigger!, ...said };
          all.set(one, add({ ...to, trigger, body, index: program.linked.length, original: to }));
        }
      return { now: all.get(key) ?? all.get(by), made: all.values() };
    },
    told(to, tells) {
      const all = made(to);
      const key = JSON.stringify(tells);
      let found = all.get(key);
      if (!found) {
        const full = room === 0 || all.size >= MOST_OF_ONE;
        const body = rewrite(to.body, (step, before) => {
          if (step.kind !== 'call') return [step];
          const copy = { ...step, given: { ...step.given, ...tells } };
          originals.set(copy, originals.get(before) ?? before);
          return [copy];
        });
        const { original = to } = to;
        found = full ? to : add({ ...to, body, index: program.linked.length, original });
        all.set(key, found);
      }
      return found;
    },
    copy(step, before) {
      if (step !== before) originals.set(step, originals.get(before) ?? before);
      return step;
    },
    has: (to) => byValues.has(to),
    original: (step) => originals.get(step) ?? step,
    clear() {
      const made = [...originals.keys()];
      originals.clear();
      byValues.clear();
      room = mostVariants(program);
      return made;
    },
  };
}

/** The parameters that a routine asks anything of: how many items they have, whether they are one of these texts, what SQL they are. */
type Asked = Map<
  string,
  { items: boolean; texts: Set<string>; sql: boolean; name: boolean; same?: true; owner?: true }
>;

function asks(to: Linked): Asked {
  const out: Asked = new Map();
  const owners = ownersIn(to);
  const ask = (name: string, items: boolean, texts: string[] = NOTHING, sql = false, named = false) => {
    const one = out.get(name) ?? { items: false, texts: new Set(), sql: false, name: false };
    out.set(name, one);
    one.items ||= items;
    one.sql ||= sql;
    one.name ||= named;
    for (const text of texts) one.texts.add(text);
  };
  holds(to.body, (step) => {
    for (const name of owners.length > 0 ? namesIn(step) : NOTHING)
      for (const [parameter, owner] of owners)
        if (begins(name, owner)) {
          ask(parameter, false);
          out.get(parameter)!.owner = true;
        }
    if (step.link !== undefined) ask(step.link, false);
    if (step.onBy !== undefined) ask(step.onBy, false, NOTHING, false, true);
    if (step.kind === 'branch')
      for (const one of [step.when, step.when?.also])
        if (one) ask(one.parameter, one.than !== undefined, one.among ?? one.has, false, one.like);
    if (step.kind === 'scope' || step.kind === 'block')
      for (const parameter of step.sameFor ?? []) {
        ask(parameter, false);
        out.get(parameter)!.same = true;
      }
    if ((step.kind === 'loop' || step.kind === 'branch') && step.each !== undefined) ask(step.each, true);
    const tells = step.kind === 'write' ? step.tells : undefined;
    if (step.kind !== 'call' && !tells) return false;
    for (const parameter of handed(step.kind === 'call' ? step.given : tells)) {
      ask(parameter, true, NOTHING, true, true);
      out.get(parameter)!.same = true;
      out.get(parameter)!.owner = true;
    }
    if (step.kind !== 'call') return false;
    if (step.named !== undefined) ask(step.named, false, NOTHING, false, true);
    if (step.runs !== undefined) ask(step.runs, false, NOTHING, true);
    return false;
  });
  return out;
}

/** How many they are tells nothing apart where only what they are is asked, nor does a text that nobody asks for. */
function answers(said: Values, asked: Asked, ofClass: (name: Name) => Name | null): Values {
  const out: Values = new Map();
  for (const [name, all] of said) {
    const what = asked.get(name);
    const its = isObject(all) ? all : null;
    const is = its && what?.owner ? ofClass(its.is) : null;
    if (is) {
      out.set(name, {
        is,
        ...(its!.likely && { likely: true }),
        ...(its!.there && { there: true }),
        ...(what!.same && its!.unchanged && { unchanged: true }),
      });
      continue;
    }
    const value = its ? withoutClass(its) : all;
    const text = textOf(value);
    if (value === 'unknown') {
      if (what?.same) out.set(name, value);
      continue;
    }
    if (isUnchanged(value) && !what?.same) {
      if (what && isThere(value)) out.set(name, { there: true });
      continue;
    }
    if (what && isText(value)) out.set(name, what.sql ? value : 'literal');
    else if (what && text !== undefined)
      out.set(name, { text: what.name || what.texts.has(text) ? text : '' });
    else if (what) out.set(name, asAsked(value, what));
  }
  return out;
}

/** Of a collection, which of the texts that are asked for it has, or whether there is anything in it. */
function asAsked(value: Given, { items, texts }: { items: boolean; texts: Set<string> }): Given {
  const count = itemsOf(value);
  if (count === undefined || items) return value;
  const all = texts.size > 0 ? textsIn(value) : undefined;
  if (all) {
    const asked = all.filter((text) => texts.has(text)).sort();
    return { items: asked.length < count ? asked.length + 1 : count, texts: asked };
  }
  return count > 0 && !isAtMost(value) ? { there: true } : 'something';
}

function withoutClass({ there, unchanged }: { there?: true; unchanged?: true }): Given {
  if (there) return unchanged ? { there, unchanged } : { there };
  return unchanged ? 'unchanged' : 'unknown';
}

/** How names begin that are asked of its parameters, or of what its object keeps of its maker's. */
function ownersIn({ name, routine }: Linked): [parameter: string, owner: string][] {
  const own = ownerOf(name);
  const language = name.slice(0, name.indexOf(':') + 1);
  return (routine?.flags ?? []).flatMap((flag): [string, string][] => {
    if (flag.made === undefined) return [[flag.name, `${language}(${flag.name})`]];
    const kept = /^self\.([\w\u00aa-\uffff]+)$/.exec(flag.name)?.[1];
    return own && kept ? [[flag.name, `${own}().${kept}`]] : [];
  });
}

/** What a step names that may be asked of a parameter. */
function namesIn(step: Step): readonly string[] {
  if (step.kind === 'call') {
    const handed = Object.values(step.given ?? {}).flatMap((one) => (isObject(one) ? [one.is] : []));
    return handed.length > 0 ? [step.callee, ...handed] : [step.callee];
  }
  return 'relation' in step && step.relation ? [step.relation] : NOTHING;
}

const begins = (name: string, owner: string): boolean =>
  name.startsWith(owner) && (name.length === owner.length || /[.#[]/.test(name[owner.length]!));

/** The parameters of which this call says something, in their order. */
function given(
  to: Linked,
  call: Call,
  { trigger, routine: caller }: Linked,
  parents: Set<string>,
  isMade: (owner: string, of: string) => boolean,
): Values {
  const out: Values = new Map();
  const { args, given: known } = call;
  for (const flag of to.routine?.flags ?? []) {
    const { name, position, value, otherwise = 'unknown', rest, connection, fired, columns, made } = flag;
    if (made !== undefined) {
      const owner = ownerOf(to.name);
      const its =
        known && Object.hasOwn(known, name)
          ? known[name]
          : call.made && owner && isMade(owner, call.made.of)
            ? ofMaker(flag, call.made)
            : undefined;
      const now = isHandedOn(its) ? handedBy(caller, its, otherwise) : its;
      if (now !== undefined && now !== 'unknown') out.set(name, now);
      continue;
    }
    const isTold = columns?.every((table) => trigger?.transitions?.includes(table));
    if (fired === 'rows' && trigger?.rows !== undefined && isTold) out.set(name, { items: trigger.rows });
    const fires = fired && trigger && told(trigger, fired, parents, { position, columns });
    if (fires !== undefined) out.set(name, { text: fires });
    if (fired) continue;
    const text = position === undefined ? undefined : known?.[position];
    if (args === undefined && isText(text)) out.set(name, text);
    if (args === undefined && !(known && Object.hasOwn(known, name))) continue; // some are not seen
    if (rest && args !== undefined) out.set(name, { items: Math.max(0, args - (position ?? 0)) });
    if (rest) continue;
    if (connection) {
      const isPlaced = position !== undefined && position < (args ?? 0);
      const said = known?.[name] ?? (isPlaced ? (known?.[position] ?? 'unknown') : undefined);
      if (said === undefined) continue;
      if (!saysUsual(said, connection, caller))
        out.set(name, textOf(said) === undefined ? 'something' : said);
      else if (value === undefined) out.set(name, null);
      continue;
    }
    // `None` is what a caller says too.
    const here = position === undefined ? undefined : known?.[position];
    const byPlace =
      position !== undefined && position < (args ?? 0) ? (here === undefined ? otherwise : here) : value;
    const said = known && Object.hasOwn(known, name) ? known[name] : byPlace;
    const now = isHandedOn(said) ? handedBy(caller, said, otherwise) : said;
    // Where that is not what it is for who says nothing, whoever it hands it on to has to know.
    if (now !== undefined && (now !== 'unknown' || otherwise !== 'unknown')) out.set(name, now);
  }
  return out;
}

/** What the object keeps of this parameter of its maker. */
function ofMaker(
  { made, position, value }: Flags,
  { args, given }: NonNullable<Call['made']>,
): Given | undefined {
  if (args === undefined) return undefined;
  if (given && Object.hasOwn(given, made!)) return given[made!];
  return position !== undefined && position < args ? given?.[position] : value;
}

/** What a parameter of the caller is, where no call says it; what an object took from around where it was made, nobody knows. */
function handedBy(caller: Linked['routine'], handed: HandedOn, otherwise: Given): Given {
  const { is, likely } = handed;
  return andSo(unsaid(caller, handed, otherwise), {
    ...(is !== undefined && { is, ...(likely && { likely }) }),
  });
}

type HandedOn = Extract<Given, { parameter: string }>;

/** What is said of it where nothing is known for sure, and what who hands it on says besides. */
function andSo(said: Given, more: Pick<HandedOn, 'is' | 'likely' | 'there' | 'unchanged'>): Given {
  if (said !== 'unknown' && said !== 'unchanged' && !isThere(said) && !isObject(said)) return said;
  const known: Pick<HandedOn, 'there' | 'unchanged'> = typeof said === 'string' ? {} : said;
  const is = isObject(said) ? said.is : more.is;
  const there = more.there || known.there;
  const unchanged = more.unchanged || said === 'unchanged' || known.unchanged;
  const stays = unchanged ? ({ unchanged: true } as const) : {};
  const isGuess = isObject(said) ? said.likely : more.likely;
  if (is !== undefined)
    return { is, ...(isGuess && { likely: true }), ...(there && { there: true }), ...stays };
  if (there) return { there: true, ...stays };
  return unchanged ? 'unchanged' : 'unknown';
}

function unsaid(
  caller: Linked['routine'],
  { parameter, unchanged, there }: HandedOn,
  otherwise: Given,
): Given {
  if (there) return unchanged ? { there, unchanged } : { there };
  if (unchanged) return 'unchanged';
  return caller?.flags?.some(({ name }) => name === parameter) ? otherwise : 'unknown';
}

/** Whether a call names the usual connection; a caller that has a usual one itself hands that on. */
const saysUsual = (said: Given, usual: string, caller: Linked['routine']): boolean =>
  said === null || (isHandedOn(said) ? hasUsual(caller, said.parameter) : textOf(said) === usual);

const hasUsual = (routine: Linked['routine'], parameter: string): boolean =>
  routine?.flags?.some(({ name, value }) => name === parameter && value !== undefined) ?? false;

/**
 * What a trigger tells the function that it runs: nothing of its verbs, where they are several, nor of its table, where
 * the rows may be in a partition of it.
 */
function told(trigger: Trigger, what: Fired, parents: Set<string>, asked: Flag): string | undefined {
  if (what === 'rows') return undefined;
  if (what === 'argument') return trigger.args?.[asked.position!];
  if (what === 'unchanged')
    return asked.columns!.every((one) => trigger.unchanged?.includes(one)) ? what : undefined;
  if (what === 'verb') return trigger.verbs.length === 1 ? trigger.verbs[0] : undefined;
  if (what === 'tag') return trigger.tags?.length === 1 ? trigger.tags[0]!.toUpperCase() : undefined;
  if (what !== 'relation' && what !== 'schema') return trigger[what];
  if (isAnyTable(trigger.relation)) return undefined;
  const table = unquoted(lastPart(canonical(trigger.relation)));
  if (parents.has(table)) return undefined;
  if (what === 'relation') return table;
  const schema = schemaOf(trigger.relation.slice('sql:'.length));
  return schema === null ? undefined : unquoted(schema);
}

const unquoted = (name: string) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);

const itemsOf = (value: Given | undefined): number | undefined =>
  typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;

const textsIn = (value: Given | undefined): string[] | undefined =>
  typeof value === 'object' && value !== null && 'texts' in value ? value.texts : undefined;

/** There may be fewer, or none: that decides nothing. */
const isAtMost = (value: Given | undefined): boolean =>
  typeof value === 'object' && value !== null && 'items' in value && value.atMost === true;

const textOf = (value: Given | undefined): string | undefined =>
  typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;

// ---- what is left

/** The very same list where nothing is decided. */
function decided(to: Linked, values: Values, originals: Map<Step, Step>): Step[] {
  const owners = ownersIn(to).flatMap(([parameter, owner]): Owner[] => {
    const value = values.get(parameter);
    return isObject(value) ? [{ owner, is: value.is, likely: value.likely }] : [];
  });
  return rewrite(to.body, (inner, step) => {
    if (inner.kind === 'branch') return branch(inner, values, originals);
    const copy = changed(owners.length > 0 ? owned(inner, owners) : inner, values);
    if (copy !== step) originals.set(copy, originals.get(step) ?? step);
    return [copy];
  });
}

/** What names begin with, and of which class that is. */
interface Owner {
  owner: string;
  is: Name;
  likely: true | undefined;
}

/** What is asked of a parameter is asked of an object of its class. */
function owned(step: Step, owners: Owner[]): Step {
  const of = (name: Name) => owners.find(({ owner }) => begins(name, owner));
  const named = (name: Name): Name => {
    const { owner, is } = of(name) ?? {};
    if (!owner || !is) return name;
    const rest = name.slice(owner.length);
    if (!is.endsWith('[]')) return `${is}${rest}` as Name;
    return rest.startsWith('[]') ? (`${is.slice(0, -2)}${rest.slice(2)}` as Name) : name;
  };
  if (step.kind === 'call') {
    const callee = named(step.callee);
    const given = Object.entries(step.given ?? {});
    const hands = given.some(([, one]) => isObject(one) && named(one.is) !== one.is);
    if (callee === step.callee && !hands) return step;
    const now = given.map(([key, one]): [string, Given] => {
      if (!isObject(one)) return [key, one];
      const isGuess = one.likely || of(one.is)?.likely;
      return [key, { ...one, is: named(one.is), ...(isGuess && { likely: true }) }];
    });
    const isGuess = step.certainty === undefined && of(step.callee)?.likely;
    return {
      ...step,
      callee,
      ...(isGuess && { certainty: 'likely' }),
      ...(hands && { given: Object.fromEntries(now) }),
    };
  }
  if (!('relation' in step) || !step.relation) return step;
  const relation = named(step.relation);
  return relation === step.relation ? step : ({ ...step, relation } as Step);
}

function changed(before: Step, values: Values): Step {
  const { onBy, link } = before;
  const handedOver = link === undefined ? undefined : values.get(link);
  const step =
    onBy !== undefined && values.has(onBy)
      ? { ...before, on: textOf(values.get(onBy)) ?? onBy, onBy: undefined }
      : isConnection(handedOver)
        ? { ...before, on: handedOver.on, link: undefined }
        : before;
  if (step.kind === 'call') return call(step, values);
  if (step.kind === 'scope') return scope(step, values);
  if (step.kind === 'block') return block(step, values);
  if (step.kind === 'write') return step.tells ? { ...step, tells: handedOn(step.tells, values) } : step;
  return step.kind === 'loop' ? loop(step, values) : step;
}

/** Over what the caller wrote out, it has as many turns. */
function loop(step: Loop, values: Values): Loop {
  const value = step.each === undefined ? undefined : values.get(step.each);
  const said = value === null ? 0 : itemsOf(value);
  // Of none there are as many as usual: `limit or 20`.
  const items = said === 0 ? (step.usually ?? (value === null ? undefined : said)) : said;
  if (items === undefined || step.times !== null) return step;
  const times = Math.max(0, items + (step.more ?? 0));
  // An UPDATE may find no row, and a trigger before it may take it away.
  const isMost = step.each!.startsWith(FIRED_ROWS) || isAtMost(value);
  const turns = isMost ? { ...step, times, atMost: true as const } : { ...step, times };
  return step.usually === undefined ? turns : { ...turns, certainty: undefined };
}

const handed = (known: Call['given']): string[] => {
  if (!known) return NOTHING;
  return Object.values(known).flatMap((value) => (isHandedOn(value) ? [value.parameter] : []));
};

function call(step: Call, values: Values): Call {
  const text = step.runs === undefined ? undefined : values.get(step.runs);
  if (isText(text)) return { ...step, callee: text.sql, runs: undefined };
  const callee = step.named === undefined ? undefined : namedBy(values.get(step.named), step.callee);
  if (callee) return { ...step, callee, named: undefined, meanings: undefined };
  if (!handed(step.given).some((parameter) => values.has(parameter))) return step;
  return { ...step, given: handedOn(step.given!, values) };
}

/** What a routine hands on, as its caller gave it. */
const handedOn = (given: Record<string, Given>, values: Values): Record<string, Given> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]): [string, Given] => [
      name,
      isHandedOn(value) && values.has(value.parameter) ? andSo(values.get(value.parameter)!, value) : value,
    ]),
  );

/** A row that only constants tell is the same each time. */
function scope(step: Scope, values: Values): Scope {
  if (!step.sameFor) return step;
  const sameFor = step.sameFor.filter((parameter) => !isConstant(values.get(parameter)));
  // In another turn of a loop farther out it may be another one.
  if (sameFor.length > 0 && sameFor.every((parameter) => isUnchanged(values.get(parameter))))
    return { ...step, certainty: 'possible', sameFor: undefined };
  if (sameFor.length === step.sameFor.length) return step;
  return sameFor.length > 0 ? { ...step, sameFor } : { ...step, same: 'always', sameFor: undefined };
}

/** So is one that a query by such constants found missing. */
function block(step: Block, values: Values): Block {
  const isSame = step.sameFor?.every((parameter) => isConstant(values.get(parameter)));
  return isSame ? { ...step, once: 'ever', sameFor: undefined } : step;
}

const isUnchanged = (value: Given | undefined): boolean =>
  value === 'unchanged' || ((isThere(value) || isObject(value)) && value.unchanged === true);

const isConstant = (value: Given | undefined): boolean =>
  value !== undefined &&
  value !== 'something' &&
  value !== 'unchanged' &&
  value !== 'unknown' &&
  (typeof value !== 'object' || value === null || textOf(value) !== undefined);

function branch(before: Branch, values: Values, originals: Map<Step, Step>): Step[] {
  const step = everySo(before, values);
  const { when, arms, exhaustive } = step;
  const answer = when && whether(when, values);
  if (answer === undefined) return [step];
  if (answer) return when!.unsure ? sure(arms[0] ?? [], originals) : (arms[0] ?? []);
  const rest = arms.slice(1);
  if (rest.length === 0) return [];
  return rest.length === 1 && exhaustive ? rest[0]! : [{ ...step, arms: rest, when: undefined }];
}

/** In one of as many turns as the caller says. */
function everySo(step: Branch, values: Values): Branch {
  const value = step.each === undefined ? undefined : values.get(step.each);
  const items = isAtMost(value) ? undefined : itemsOf(value);
  const every = items === undefined ? 0 : items + (step.more ?? 0);
  return every > 0 ? { ...step, every, each: undefined, more: undefined } : step;
}

/** Whether the first arm runs; unknown where it asks for more than this. */
function whether(when: NonNullable<Branch['when']>, values: Values): boolean | undefined {
  const both = when.also ? [when, when.also] : [when];
  const answers = both.map((one) => {
    const value = values.get(one.parameter);
    return value === undefined ? undefined : isSo(value, one);
  });
  if (answers.includes(false)) return false;
  return answers.includes(undefined) || both.some(({ only }) => only) ? undefined : true;
}

/** What was merely possible, now that a caller says so. */
const sure = (steps: Step[], originals: Map<Step, Step>): Step[] =>
  steps.map((step) => {
    const copy: Step = { ...step, certainty: 'certain' };
    originals.set(copy, originals.get(step) ?? step);
    return copy;
  });

/** NULL compares with nothing, nor does NaN where it is not told to differ. */
const COMPARE: Record<Sign, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b, '<>': (a, b) => a < b || a > b, '<': (a, b) => a < b, '<=': (a, b) => a <= b,
  '>': (a, b) => a > b, '>=': (a, b) => a >= b,
}; // biome-ignore format: a table

/** `%` is any text, `_` any one character, and a backslash takes the next as it stands. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.match(/\\?[\s\S]/gu) ?? NOTHING;
  const source = parts.map((part) =>
    part === '%'
      ? '.*'
      : part === '_'
        ? '.'
        : part.replace(/^\\(?=.)/su, '').replace(/[\^$\\.*+?()[\]{}|/]/, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 'su').test(text);
}

function isSo(value: Given, when: NonNullable<Branch['when']>): boolean | undefined {
  const { is, among, like, than, has, whole } = when;
  const text = textOf(value);
  if (isAtMost(value)) return undefined;
  if (has) {
    const all = textsIn(value);
    if (!all) return whole && value === null ? is !== 'true' : undefined;
    const isIn = whole ? itemsOf(value) === has.length && all.length === has.length : all.length > 0;
    return (isIn && has.some((one) => all.includes(one))) === (is === 'true');
  }
  if (than) {
    const number = value === null ? Number.NaN : itemsOf(value);
    return number === undefined ? undefined : COMPARE[than.sign](number, than.number) === (is === 'true');
  }
  if (like && among && text !== undefined)
    return among.some((pattern) => isLike(text, pattern)) === (is === 'true');
  if (among && typeof value === 'boolean') return is !== 'true';
  if (among) return text === undefined ? undefined : among.includes(text) === (is === 'true');
  if (value === 'constant' || value === 'unchanged') return undefined;
  if (isObject(value) && !value.there) return undefined;
  if (is === 'null' || is === 'not null') return (value === null) === (is === 'null');
  if (isText(value) || text !== undefined) return undefined;
  const items = itemsOf(value);
  if (items !== undefined) return items > 0 === (is === 'true');
  return typeof value === 'string' ? undefined : Boolean(value) === (is === 'true');
}
