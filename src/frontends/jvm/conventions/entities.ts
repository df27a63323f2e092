// Entities and their tables, repositories and what their methods do: Spring Data, JPA and Exposed by their conventions.
import type { Name, Routine, Step } from '../../../ir.ts';
import { COMPILED } from '../calls/computed.ts';
import { argumentOf, type Site, steps, vary, word } from '../calls/meaning.ts';
import { says, skipLocked } from '../calls/picked.ts';
import {
  apis,
  areRows,
  entities,
  finders,
  ofRoutine,
  repositories,
  rowOf,
  tableNames,
  types,
} from '../names/known.ts';
import type { Class, Constants, World } from '../names/scope.ts';
import { snake } from '../names/snake.ts';
import type { Typed } from '../names/typed.ts';
import type { Annotation, Method, Node } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import { keysOfName, keysOfQuery } from './asked.ts';

interface Relation {
  relation?: Name;
  otherRelations?: Name[];
}

export function relationOf(described: Class, world: World, constants: Constants): Relation {
  const { body } = described;
  const find = (wanted: Set<string>) =>
    body.annotations.find(({ name }) =>
      world.names.annotation(name, described.around, (full) => wanted.has(full)),
    );
  const table = find(tableNames);
  if (table) {
    const given =
      argument(table, 'name') ?? argument(table, 'value') ?? table.arguments.find(({ name }) => !name)?.value;
    if (given) return named(given, argument(table, 'schema'), described, world, constants);
  }
  const entity = find(entities) ?? table;
  if (entity) {
    const given = argument(entity, 'name');
    const plain = (given && textOf(given, constants)?.text) || body.name;
    // Spring's naming strategy makes snake_case; without it the server folds the name.
    return spellings([snake(plain), plain.toLowerCase()]);
  }
  const finder = body.companionArguments?.[0]?.value;
  if (described.tracked && finder) return held(finder, described, world);
  const kept = kind(described);
  if (kept) return { relation: `jvm:${kept.name}` };
  return rowsTable(described) ?? exposedTable(described, constants);
}

/** What a constructor hands to the one above it first. */
function handedUp({ body }: Class): Node | undefined {
  for (const { isConstructor, body: own } of body.methods)
    if (isConstructor && own?.kind === 'sequence')
      for (const node of own.items)
        if (node.kind === 'call' && !node.object && node.name === 'super') return node.arguments[0]?.value;
  return body.baseArguments[0]?.value;
}

/** `class OrderLineRecord extends UpdatableRecordImpl { OrderLineRecord() { super(OrderLine.ORDER_LINE); } }` */
function rowsTable(described: Class): Relation | null {
  if (!described.bases.some(({ name }) => areRows.has(name))) return null;
  const given = handedUp(described);
  const said = given && word(given);
  if (said && /^[A-Z][A-Z0-9_]*$/.test(said)) return { relation: `sql:${said.toLowerCase()}` };
  const row = rowOf(described.full);
  return row && { relation: `sql:${snake(row.table)}` };
}

/**
 * The class that stands for a function of the database: whoever executes its object calls that, or the server for each row
 * of the query in which it stands.
 */
export function routineMethods(described: Class, constants: Constants): Routine[] {
  const method = described.bases.some(({ name }) => ofRoutine.has(name))
    ? 'execute'
    : described.bases.some(({ name }) => apis.get(name)?.expression !== undefined)
      ? COMPILED
      : null;
  const given = method && handedUp(described);
  const name = given && textOf(given, constants)?.text.toLowerCase();
  const { at } = described.body;
  return name && /^\w+$/.test(name)
    ? [routine(`jvm:${described.full}.${method}`, at, [{ kind: 'call', callee: `sql:${name}`, at }])]
    : [];
}

/** Of what a repository of the project's own is, which extends one that is generic: `interface Lines extends Base<Line, Long>`. */
const kind = ({ body, bases }: Class): Typed | undefined =>
  body.is === 'interface'
    ? bases.find(
        ({ name, arguments: [of] }) =>
          of && !of.name.includes('?') && /(Repository|Repo|Dao|DAO)$/.test(name),
      )?.arguments[0]
    : undefined;

/** The object that is the table: `IntEntityClass<Order>(Orders)`. */
function held(given: Node, { around }: Class, { names }: World): Relation {
  const written = given.kind === 'name' ? given.text : given.kind === 'member' ? given.name : null;
  const full = written && names.typeNamed(written, around);
  return full ? { relation: `jvm:${full}` } : {};
}

function named(
  given: Node,
  schema: Node | undefined,
  described: Class,
  world: World,
  constants: Constants,
): Relation {
  const text = textOf(given, constants)?.text;
  const space = schema && textOf(schema, constants)?.text;
  if (text !== undefined) {
    const prefix = space ? `${sqlName(space)}.` : '';
    return spellings([prefix + sqlName(text), prefix + snake(text)]);
  }
  // A constant in another file: the class that declares it says what it stands for.
  if (given.kind === 'member' && given.object.kind === 'name') {
    const full = world.names.typeNamed(given.object.text, described.around);
    return full ? { relation: `jvm:${full}.${given.name}` } : {};
  }
  if (given.kind !== 'name') return {};
  const path = world.names.function(given.text);
  return path ? { relation: `jvm:${path}` } : {};
}

const spellings = (all: string[]): Relation => {
  const [first, ...others] = [...new Set(all)];
  return {
    relation: `sql:${first}`,
    ...(others.length > 0 && { otherRelations: others.map((one): Name => `sql:${one}`) }),
  };
};

const sqlName = (text: string) =>
  text
    .replace(/[`"]/g, '')
    .split('.')
    .map((part) => part.toLowerCase())
    .join('.');

/** `object Orders : IntIdTable("orders")` */
function exposedTable({ body, bases }: Class, constants: Constants): Relation {
  const isTable = bases.some(({ name }) => /^org\.jetbrains\.exposed\..*\.\w*Table$/.test(name));
  if (!isTable || body.abstract) return {};
  const given = body.baseArguments[0]?.value;
  const text =
    given &&
    (!body.baseArguments[0]!.name || body.baseArguments[0]!.name === 'name') &&
    textOf(given, constants)?.text;
  return { relation: `sql:${sqlName(text || body.name.replace(/Table$/, ''))}` };
}

const argument = ({ arguments: given }: Annotation, wanted: string) =>
  given.find(({ name }) => name === wanted)?.value;

// ---- repositories

/** An interface that extends Spring Data's has its methods for its own entity. */
export function repositoryMethods(described: Class, world: World, constants: Constants): Routine[] {
  const base = described.bases.find(({ name }) => repositories.has(name));
  const entity = base ? base.arguments[0] : kind(described);
  const { body, full } = described;
  const made: Routine[] = [];
  const isOurs = base && entity && !entity.name.includes('?');
  const usual = (isOurs && types.get('org.springframework.data.repository.Repository')) || {};
  const inherited = (name: string) => steps(usual[name]!, siteOf(described, name, entity ?? null, constants));
  for (const name of Object.keys(usual))
    if (!described.methods.has(name))
      made.push({ ...routine(`jvm:${full}.${name}`, body.at, inherited(name)), implied: true });
  const remote = body.is === 'interface' ? waiting(described, world) : undefined;
  for (const method of body.methods) {
    if (method.body) continue;
    const said = declared(method, described, entity ?? null, world, constants);
    // One that it has anyway, declared again for an annotation.
    const own = said.length === 0 && Object.hasOwn(usual, method.name) ? inherited(method.name) : said;
    const found =
      own.length > 0 || !remote
        ? own
        : steps(remote, { ...siteOf(described, method.name, null, constants), at: method.at });
    if (found.length > 0 || base) made.push(routine(`jvm:${full}.${method.name}`, method.at, found));
  }
  return made;
}

/** A client's interface, which a library implements: `@FeignClient interface Payments`. */
const waiting = ({ body, around }: Class, { names }: World) =>
  body.annotations
    .map(({ name }) => apis.get(names.annotation(name, around, (full) => apis.has(full)) ?? ''))
    .find((meaning) => meaning?.wait);

/** What the companion of a class whose objects are rows has for it: `Order.new { … }`. */
export function finderMethods(described: Class, world: World, constants: Constants): Routine[] {
  const { body, full, around, methods, fields } = described;
  const base = body.companionBases
    ?.map(({ name }) => world.names.typeNamed(name, around))
    .find((name) => name && finders.has(name));
  if (!base || !described.tracked) return [];
  const itself: Typed = { name: full, arguments: [] };
  const found = Object.entries(types.get(base) ?? {}).map(([name, meaning]) => {
    const site = {
      ...siteOf(described, name, itself, constants),
      body: [{ kind: 'yield' as const, at: body.at }],
    };
    return {
      ...routine(`jvm:${full}.${name}`, body.at, steps(meaning, site)),
      ...(meaning.returns && { returns: `jvm:${full}` as Name }),
      implied: true as const,
    };
  });
  const site = siteOf(described, 'set', itself, constants);
  const set = [...fields.keys()].map((name) => ({
    ...routine(
      `jvm:${full}.set${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      body.at,
      steps({ write: { verb: 'update', rows: 'one' } }, site),
    ),
    implied: true as const,
  }));
  return [...found, ...set].filter(({ name }) => !methods.has(name.slice(name.lastIndexOf('.') + 1)));
}

const routine = (name: Name, at: Routine['at'], body: Step[]): Routine => ({
  name, at, kind: 'method', entry: 'called', startsIn: 'caller', body,
}); // biome-ignore format: short

function siteOf({ body }: Class, name: string, entity: Typed | null, constants: Constants): Site {
  return {
    at: body.at, label: `${body.name}.${name}()`, callee: `jvm:${name}`, arguments: [], types: [], receiver: entity,
    body: [], constants,
  }; // biome-ignore format: short
}

/** A method without a body: its annotations say what it does, else its name. */
function declared(
  method: Method,
  described: Class,
  entity: Typed | null,
  world: World,
  constants: Constants,
): Step[] {
  const out: Step[] = [];
  let isAnnotated = false;
  let skips = false;
  let asked = keysOfName(method);
  for (const annotation of method.annotations) {
    const full = world.names.typeNamed(annotation.name, described.around);
    const meaning = full ? apis.get(full) : undefined;
    if (!meaning) continue;
    const { start, end } = annotation;
    const { skips: words } = meaning;
    skips ||= words !== undefined && annotation.arguments.some(({ value }) => says(value, words, world));
    const site: Site = {
      ...siteOf(described, method.name, entity, constants),
      at: { start, end }, label: `@${annotation.name}`, arguments: annotation.arguments, types: annotation.arguments.map(() => null),
      classOf: (name) => world.names.typeNamed(name, described.around) ?? entity?.name ?? null,
    }; // biome-ignore format: short
    if ((meaning.sql ?? meaning.query ?? meaning.routine) !== undefined) {
      isAnnotated = true;
      const { query } = vary(meaning, site);
      const given = query === undefined ? undefined : argumentOf(query, site);
      const text = given && textOf(given.value, constants)?.text;
      asked = text ? keysOfQuery(text, method) : undefined;
    }
    if (meaning.scope) continue;
    // `@Procedure Long total(Long of);` has the procedure's name.
    if (meaning.routine !== undefined && annotation.arguments.length === 0)
      out.push({ kind: 'call', at: site.at, callee: `sql:${method.name.toLowerCase()}` });
    else out.push(...steps(meaning, site));
  }
  if (skips) skipLocked(out);
  if (asked)
    for (const step of out) if (step.kind === 'row lock' || step.kind === 'write') step.keys ??= asked;
  if (isAnnotated || !entity) return out;
  const relation: Name = `jvm:${entity.name}`;
  const at = method.at;
  if (/^(delete|remove)/.test(method.name))
    out.push({ kind: 'write', verb: 'delete', relation, rows: 'unknown', at, keys: asked });
  else if (/^(find|get|read|query|search|stream|count|exists)/.test(method.name))
    out.push({ kind: 'read', relation, rows: 'unknown', at });
  return out;
}
