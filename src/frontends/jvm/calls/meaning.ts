// Turns what a framework's table says of a call or an annotation into steps.
import type { Meaning, Argument as Where } from '../../../framework.ts';
import type { Name, Span, Step } from '../../../ir.ts';
import type { Source } from '../../source.ts';
import { begins, ends } from '../../spans.ts';
import { lowerEmbeddedUnit } from '../../sql/queries/embedded.ts';
import { calledBy } from '../../sql/queries/fragment.ts';
import { elementOf, isMany } from '../names/collections.ts';
import { rowOf } from '../names/known.ts';
import type { Constants, Created } from '../names/scope.ts';
import { snake } from '../names/snake.ts';
import type { Typed } from '../names/typed.ts';
import type { Annotation, Argument, Call, Node } from '../syntax/syntax.ts';
import { mostOf } from '../texts/numbers.ts';
import { textOf } from '../texts/text.ts';
import { limitOf, reading, type Turns, UNKNOWN } from '../texts/written.ts';
import { hostOf } from './bound.ts';
import { published } from './events.ts';

/** An annotation, and what a table says of it. */
export interface Found {
  annotation: Annotation;
  full: string;
  /** Null for an annotation of the project's own. */
  meaning: Meaning | null;
}

/** Those that say something beside the others. */
export const saying = (all: Found[]): Found[] =>
  all.filter(({ meaning }) => !meaning?.unless?.some((other) => all.some(({ full }) => full === other)));

export interface Site {
  at: Span;
  /** `TransactionTemplate.execute()`, `@Transactional`. */
  label: string;
  callee: Name;
  arguments: Argument[];
  /** The variable that holds what was prepared, and where it is executed. */
  executed?: { name: string; at: number };
  /** The types of the arguments, in the same order. */
  types: (Typed | null)[];
  receiver: Typed | null;
  /** What it runs: callbacks, or the annotated routine. */
  body: Step[];
  /** The variable that takes the result. */
  handle?: string;
  /** The variable that it is called on. */
  on?: string;
  /** By what names somebody else may have made what it is called on. */
  handed?: string[];
  /** Whether a variable is of this type. */
  sees?: (type: string) => boolean;
  constants: Constants;
  /** The file's text. */
  text?: string;
  /** The full name of what an expression names in another file. */
  named?: (node: Node) => Name | null;
  /** The texts that a variable of a loop holds one after the other. */
  among?: (name: string) => Node[] | undefined;
  /** Whether a caller handed over what this expression names. */
  isHanded?: (node: Node) => boolean;
  /** The parameter that a text is made of. */
  parameter?: (node: Node) => string | undefined;
  /** Whether a type is of other people. */
  isForeign?: (name: string) => boolean;
  /** The full name of a class that text names. */
  classOf?: (name: string) => string | null;
  /** Where what its SQL creates is told. */
  creates?: (from: number, made: Created) => void;
  certainty?: 'likely' | 'possible';
}

export const jvm = (type: Typed): Name => `jvm:${type.name}`;

/** The first variation that holds, merged over the rest. */
export function vary(meaning: Meaning, site: Site): Meaning {
  const told = asTold(meaning, site);
  const beside = told.beside?.find(({ type }) => site.sees?.(type));
  return beside ? { ...told, ...beside.then } : told;
}

function asTold(meaning: Meaning, site: Site): Meaning {
  for (const { argument, is, then } of meaning.when ?? []) {
    const index = find(argument, site);
    if (index < 0) continue;
    if (is !== undefined && !saysSo(is, site.arguments[index]!.value, site.types[index] ?? null, site))
      continue;
    return { ...meaning, ...then };
  }
  return meaning;
}

function find(where: Where, { arguments: given }: Site): number {
  if (typeof where === 'number') return given[where] && !given[where].name ? where : -1;
  if (typeof where === 'string') return given.findIndex(({ name }) => name === where);
  const named = given.findIndex(({ name }) => name === where.keyword);
  if (named >= 0) return named;
  return given[where.position] && !given[where.position]!.name ? where.position : -1;
}

export const argumentOf = (where: Where, site: Site): Argument | undefined =>
  site.arguments[find(where, site)];

const WITHOUT_PARAMETERS = 'block without parameters';

const THAT_CALLS = 'block that calls ';

function saysSo(is: string, value: Node, type: Typed | null, { constants, text }: Site): boolean {
  if (is === WITHOUT_PARAMETERS) return value.kind === 'lambda' && value.parameters.length === 0;
  if (is.startsWith(THAT_CALLS))
    return (
      isCode(value) &&
      text?.slice(value.start, value.end).includes(`.${is.slice(THAT_CALLS.length)}(`) === true
    );
  if (is.startsWith('type ')) return type?.name === is.slice(5);
  if (word(value) === is || textOf(value, constants)?.text === is) return true;
  const named = value.kind === 'name' || value.kind === 'member' ? constants(value) : null;
  return named !== null && word(named) === is;
}

/** A constant as people name it: the last part of `Propagation.NESTED`, a number, `true`. */
/** As many as the limit of the query that is given first. */
function rowsOf({ arguments: given, text, constants }: Site): Turns {
  const [query] = given;
  const most = (node: Node | undefined) => mostOf(node, reading(text ?? '', constants));
  const found = query && text ? limitOf(query.value, text, constants, most) : null;
  return found ? { times: found.most, atMost: true } : UNKNOWN;
}

export function word(value: Node): string | null {
  if (value.kind === 'several' && value.items.length === 1) return word(value.items[0]!);
  // Propagation.NESTED.value()
  if (value.kind === 'call' && value.name === 'value' && value.object) return word(value.object);
  return value.kind === 'name' || value.kind === 'literal'
    ? value.text
    : value.kind === 'member'
      ? value.name
      : null;
}

/** `TransactionTemplate.execute()` */
export function labelOf({ name, creates }: Call, type: Typed | null): string {
  // `…TransactionTemplate.nested` is a state of the type; a package is no owner at all.
  const owner = type && !creates && /([A-Z]\w*)(?:\.[a-z]\w*)*$/.exec(type.name)?.[1];
  return `${owner ? `${owner}.` : ''}${name}()`;
}

export function steps(asked: Meaning, site: Site): Step[] {
  const meaning = vary(asked, site);
  const base = { at: site.at, certainty: site.certainty, since: meaning.since };
  const turns = meaning.turns === undefined ? undefined : { of: [`jvm:${meaning.turns}` as Name] };
  const out: Step[] = [];
  if (meaning.flat) out.push(flat(meaning, site, base));
  if (meaning.sql !== undefined || meaning.executes) {
    const run = sql(meaning, site);
    // Over rows goes what is done with them.
    const again = meaning.loops === 'items' && run.length > 0;
    out.push(
      ...(again
        ? [{ kind: 'loop' as const, over: 'items' as const, times: null, ...turns, body: run, ...base }]
        : run),
    );
  }
  if (meaning.publishes !== undefined) {
    const callee = published(site.types[find(meaning.publishes, site)], site.isForeign);
    out.push({ kind: 'call', callee, args: 1, ...base });
  }
  if (meaning.query !== undefined) out.push(...ofClasses(meaning.query, site));
  if (meaning.called !== undefined) {
    const name = calledAs(meaning.called, site);
    if (name) out.push({ kind: 'call', callee: name, ...base });
  }
  if (meaning.routine !== undefined) out.push(ofDatabase(meaning.routine, site));
  if (meaning.mapped !== undefined) return [...out, ...ofMapper(meaning.mapped, meaning, site)];
  if (meaning.wait) out.push({ kind: 'wait', for: meaning.wait, ...base });
  if (meaning.rowLock) {
    const { relation, rows } = model(meaning, site);
    out.push({ kind: 'row lock', relation, rows: rows ?? 'unknown', ...meaning.rowLock, ...base });
  }
  if (meaning.read) out.push({ kind: 'read', ...model(meaning, site, meaning.read.rows), ...base });
  if (meaning.write) {
    const { verb, onConflict } = meaning.write;
    const write = {
      kind: 'write' as const,
      onConflict,
      ...model(meaning, site, meaning.write.rows),
      ...base,
    };
    if (verb !== 'save') out.push({ ...write, verb });
    else
      out.push({
        kind: 'branch',
        exhaustive: true,
        arms: [[{ ...write, verb: 'insert' }], [{ ...write, verb: 'update' }]],
        ...base,
      });
  }
  let body = meaning.inside ? meaning.inside.flatMap((one) => steps(one, site)) : site.body;
  if (meaning.loops && body.length > 0)
    body = [{ kind: 'loop', over: meaning.loops, ...rowsOf(site), ...turns, body, ...base }];
  if (meaning.elsewhere) {
    if (body.length > 0)
      out.push({ kind: 'call', callee: site.callee, elsewhere: true, block: body, ...base });
  } else if (meaning.scope) {
    const { label, ...scope } = meaning.scope;
    const { nestedBy: by } = meaning;
    const elsewhere = by &&
      site.handed && { setting: by.setting, nestedBy: site.handed.map((name) => `${by.of} ${name}`) };
    const manager = meaning.managedBy && managerIn(meaning.managedBy.arguments, site);
    out.push({
      kind: 'scope',
      label: label ?? site.label,
      ...scope,
      ...elsewhere,
      ...(manager ? { manager } : {}),
      ...(manager && manager === meaning.managedBy?.usual ? { usual: true as const } : {}),
      body,
      ...base,
    });
  } else out.push(...body);
  return out;
}

/** A name that stands there, or in a constant of this file. */
function managerIn(all: Where[], site: Site): string | undefined {
  if (site.arguments.length === 0) return undefined;
  for (const where of all) {
    const given = argumentOf(where, site);
    const text = given && textOf(given.value, site.constants)?.text;
    if (text && /^[\w.-]+$/.test(text)) return text;
  }
  return undefined;
}

function flat(meaning: Meaning, site: Site, base: { at: Span }): Step {
  const kind = meaning.flat!;
  const made = controls(kind, meaning, site, base);
  const isEnd = kind !== 'begin' && kind !== 'savepoint';
  const handle = meaning.spans ? site.handle : (nameIn(meaning, site) ?? (isEnd ? site.on : undefined));
  if (meaning.spans && handle) begins(made, handle, meaning.spans, site.label);
  else if (handle) ends(made, handle);
  return made;
}

function controls(
  kind: NonNullable<Meaning['flat']>,
  meaning: Meaning,
  site: Site,
  base: { at: Span },
): Step {
  if (kind !== 'savepoint' && kind !== 'release' && kind !== 'rollback to') return { kind, ...base };
  // The caller calls it as it likes.
  const handle =
    kind === 'savepoint' || meaning.name === undefined ? undefined : argumentOf(meaning.name, site);
  if (handle && site.isHanded?.(copied(handle.value, site))) return { kind, name: null, ...base };
  const name = (kind === 'savepoint' && site.handle) || nameIn(meaning, site);
  const { allowedBy } = meaning;
  const begins = kind === 'savepoint' && meaning.begins && { begins: true as const };
  return { kind, name, ...(allowedBy && { setting: allowedBy }), ...begins, ...base };
}

function nameIn(meaning: Meaning, site: Site): string | null {
  const index = meaning.name === undefined ? -1 : find(meaning.name, site);
  const value = site.arguments[index]?.value;
  const said = value && word(value) !== 'null';
  return said ? (textOf(value, site.constants)?.text ?? word(copied(value, site))) : null;
}

/** `final Savepoint last = savepoint;` is the same one. */
function copied(value: Node, { constants }: Site): Node {
  const held = value.kind === 'name' ? constants(value) : null;
  return held?.kind === 'name' ? held : value;
}

/** `(ConnectionCallback<Void>) connection -> …`, `new ConnectionCallback<>() { … }`: it is read for itself. */
const isCode = (node: Node): boolean =>
  node.kind === 'cast'
    ? isCode(node.value)
    : node.kind === 'lambda' ||
      node.kind === 'reference' ||
      (node.kind === 'call' && node.body !== undefined);

function sql(meaning: Meaning, site: Site): Step[] {
  const index = meaning.sql === undefined ? -1 : find(meaning.sql, site);
  const given = index < 0 ? undefined : site.arguments[index]!.value;
  const { at } = site;
  // In one turn of the loop each.
  const among = given?.kind === 'name' ? site.among?.(given.text) : undefined;
  if (among)
    return among.flatMap((one): Step[] => {
      const body = ofText(one, meaning, site);
      return body.length > 0 ? [{ kind: 'block', at, once: 'in loop', body }] : [];
    });
  const held = given?.kind === 'name' ? site.constants(given) : given;
  const arms = held?.kind === 'choice' && held.exhaustive && !held.isElse ? held.arms : [];
  if (arms.length === 0) return ofText(given, meaning, site);
  return [{ kind: 'branch', at, arms: arms.map((one) => ofText(one, meaning, site)), exhaustive: true }];
}

function ofText(given: Node | undefined, meaning: Meaning, site: Site): Step[] {
  const source = given && withoutEscape(textOf(given, site.constants));
  if (source) {
    const made = lowerEmbeddedUnit(source, '', hostOf(given, source, site));
    site.creates?.(source.at(0), made);
    return made.steps;
  }
  // What was prepared elsewhere has no text here.
  const unread = meaning.textOnly && (meaning.executes || (given && !isCode(given)));
  const steps: Step[] = unread
    ? [{ kind: 'opaque', at: site.at, why: 'SQL that is put together elsewhere' }]
    : [];
  const runs = given && site.parameter?.(given);
  if (runs) return [{ kind: 'call', at: site.at, callee: 'jvm:?', runs, meanings: [{ steps }] }];
  const callee = given && site.named?.(given);
  return callee ? [{ kind: 'call', at: site.at, callee, meanings: [{ steps }] }] : steps;
}

/** `{? = call total(?)}` of JDBC, which its driver turns into the call of a function. */
function withoutEscape(source: Source | null): Source | null {
  const opening = source && /^\s*\{\s*(?:\?\s*=\s*)?(?=call\b)/i.exec(source.text)?.[0];
  if (!source || !opening) return source;
  const rest = source.text.slice(opening.length);
  return { ...source, text: ' '.repeat(opening.length) + rest.replace(/\}(\s*)$/, ' $1') };
}

/** Where no file has it, or its name is put together, all that is known is what the call says of itself. */
function ofMapper(where: Where, meaning: Meaning, site: Site): Step[] {
  const instead = steps({ ...meaning, mapped: undefined, when: undefined }, site);
  const given = site.arguments[find(where, site)]?.value;
  const name = given && textOf(given, site.constants)?.text;
  if (!name || !/^[\w$-]+(?:\.[\w$-]+)+$/.test(name)) return instead;
  const cut = name.lastIndexOf('.');
  const callee: Name = `jvm:${name.slice(0, cut)}.xml${name.slice(cut)}`;
  return [{ kind: 'call', at: site.at, callee, meanings: [{ steps: instead }] }];
}

function ofDatabase(where: Where, site: Site): Step {
  const given = site.arguments[find(where, site)]?.value;
  const name = given && textOf(given, site.constants)?.text;
  return name && /^[\w.]+$/.test(name)
    ? { kind: 'call', at: site.at, callee: `sql:${name.toLowerCase()}` }
    : { kind: 'opaque', at: site.at, why: 'a function whose name is put together elsewhere' };
}

/** What is declared by a name: `@NamedStoredProcedureQuery(name = "total")`. */
export function calledAs(where: Where, site: Site): Name | null {
  const given = site.arguments[find(where, site)]?.value;
  const text = given && textOf(given, site.constants)?.text;
  return text && /^[\w.$-]+$/.test(text) ? `jvm:${text}@named` : null;
}

/** JPQL names classes instead of tables. */
function ofClasses(where: Where, site: Site): Step[] {
  const given = site.arguments[find(where, site)]?.value;
  const source = given && textOf(given, site.constants);
  const match =
    source && /^\s*(update|delete|insert)\s+(?:from\s+|into\s+)?([\w.\u00aa-\uffff]+)/i.exec(source.text);
  const full = match && site.classOf?.(match[2]!);
  const verb = match?.[1]?.toLowerCase() as 'update' | 'delete' | 'insert';
  const called = source ? calledBy(asSql(source), '') : [];
  return full
    ? [...called, { kind: 'write', verb, relation: `jvm:${full}`, rows: 'unknown', at: site.at }]
    : called;
}

/** `function('normalise', p.name)` is how JPQL calls one; Hibernate takes `normalise(p.name)` too. */
export const asSql = (source: Source): Source => ({
  ...source,
  text: source.text.replace(/\bfunction\s*\(\s*'([\w.]+)'\s*,?/gi, (all, name: string) =>
    `${name}(`.padStart(all.length),
  ),
});

/** The class that an argument names: `Order.class`, or a `Class<Order>`. */
export function typeIn({ of }: Meaning, site: Site): Typed | null {
  const index = of === undefined ? -1 : find(of, site);
  const type = site.types[index] ?? null;
  return type?.name === 'java.lang.Class' ? (type.arguments[0] ?? null) : type;
}

/** `ORDER_LINE`, `Tables.ORDER_LINE`, `table("order_line")` */
export function tableOf(where: Where, site: Site): Name | null {
  const value = site.arguments[find(where, site)]?.value;
  const given = value?.kind === 'call' && value.name === 'table' ? value.arguments[0]?.value : undefined;
  const named = given ?? (value?.kind === 'text' ? value : undefined);
  const text = named && textOf(named, site.constants)?.text;
  if (text !== undefined) return /^[\w.]+$/.test(text) ? `sql:${text.toLowerCase()}` : null;
  const name = value ? word(value) : null;
  return name && /^[A-Z][A-Z0-9_]*$/.test(name) ? `sql:${name.toLowerCase()}` : null;
}

/** The class whose table is touched. */
function model(meaning: Meaning, site: Site, rows?: 'none' | 'one' | 'many' | 'unknown') {
  if (meaning.table !== undefined) return { relation: tableOf(meaning.table, site), rows: rows ?? 'one' };
  const asked = meaning.ofItems ? (site.receiver?.arguments.at(-1) ?? null) : site.receiver;
  const type = meaning.of === undefined ? asked : typeIn(meaning, site);
  const one = isMany(type) ? elementOf(type) : type;
  const row = one && rowOf(one.name);
  if (row)
    return {
      relation: `sql:${snake(row.table)}` as const,
      rows: isMany(type) ? ('many' as const) : (rows ?? 'one'),
    };
  const relation = one && !/^(java|kotlin)\.|\?|\^/.test(one.name) ? jvm(one) : null;
  return { relation, rows: isMany(type) ? ('many' as const) : (rows ?? ('one' as const)) };
}
