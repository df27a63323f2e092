// The frameworks' tables, turned so that a name finds its meaning at once; says nothing of its own.
import type { Computes, Framework, Meaning } from '../../../framework.ts';
import { frameworks as tables } from '../../../frameworks/jvm/index.ts';
import type { Typed } from './typed.ts';

/** Put together when it is first asked for: what few files need waits. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const merged = <T>(pick: (table: Framework) => Record<string, T> | undefined): Map<string, T> =>
  new Map(tables.flatMap((table) => Object.entries(pick(table) ?? {})));

/** Functions and annotations by full name. */
export const apis = merged((table) => table.apis);
export const types = merged((table) => table.types);
/** By name alone. */
export const methods = merged((table) => table.methods);
export const entries = merged((table) => table.entries);
export const implemented = merged((table) => table.implemented);

/** What an argument of a type may be in truth, and all that are so. */
export const special = merged((table) => table.special);
export const specials = new Set(special.values());
const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);
const maySpecial = new Set([...special.keys()].map(lastPart));
/** Most types need no look at what they are. */
export const mayBeSpecial = (name: string) => maySpecial.has(lastPart(name));

/** Of types whose objects have as many items as a call says of something: the name of that. */
export const counted = merged((table) => table.counted);

/** Of several names of one type, the one that the tables tell. */
export const same = merged((table) => table.same);

/** Of types whose object a framework makes where the project has none: what is said of that. */
export const instead = merged((table) => table.instead);

const compared = (which: keyof NonNullable<Framework['comparing']>) =>
  new Set(tables.flatMap((table) => table.comparing?.[which] ?? []));
/** Which of the words that build a statement pick its rows. */
export const comparing = {
  equal: compared('equal'),
  within: compared('within'),
  either: compared('either'),
  skips: compared('skips'),
};

const computes = (...which: Computes[]) =>
  new Set(tables.flatMap((table) => which.flatMap((one) => table.computes?.[one]?.split(' ') ?? [])));
/** Parts of a query that the server computes for each row, as they are called; what says that it has rows of a table, or gives one. */
export const computing = {
  parts: computes('columns', 'values'),
  columns: computes('columns'),
  tables: computes('table'),
  compared: computes('compared'),
  one: computes('one'),
};
/** What stands for a call of a function of the database, by its last name. */
export const expressing = (name: string): Meaning | undefined => expressions().get(name);
const expressions = once(
  () =>
    new Map(
      [...apis, ...[...types.values()].flatMap((own) => Object.entries(own))].flatMap(
        ([full, meaning]): [string, Meaning][] =>
          (meaning.expression ?? meaning.piece) === undefined ? [] : [[lastPart(full), meaning]],
      ),
    ),
);

const isOwn = (meaning: Meaning) => meaning.connects === true;
/** Whether such an object gives a connection of its own. */
export const givesConnections = (type: string): boolean => Object.values(types.get(type) ?? {}).some(isOwn);
/** Whether it is what those give. */
export const isConnection = (type: Typed | null | undefined): type is Typed =>
  type ? connections().has(type.name) : false;
const connections = once(
  () =>
    new Set(
      [...types.values()].flatMap((own) =>
        Object.values(own).flatMap((one) => (isOwn(one) ? one.returns! : [])),
      ),
    ),
);
/** One that has this name in a routine. */
export const connectionOf = (type: Typed | null, on: string): Typed | null =>
  isConnection(type) ? { ...type, on } : type;
const sharing = tables.flatMap((table) => table.sharing ?? []);
/** Whether a file that imports this is of a container whose sources give none. */
export const shares = (path: string): boolean => sharing.some((start) => path.startsWith(start));

const mocks = tables.flatMap((table) => table.mocks ?? []);
/** Of such objects nothing is known but that nothing happens on them. */
export const isMock = (type: Typed | null) => mocks.some(({ is }) => is === type?.name);
/** The type of the objects that this annotation of a field asks for. */
export const mockedBy = (annotation: string): Typed | undefined => {
  const found = mocks.find(({ annotations }) => annotations.includes(annotation));
  return found && { name: found.is, arguments: [] };
};

/** Types whose objects manage transactions. */
export const managers = new Set(tables.flatMap((table) => table.managers ?? []));

/** Annotations of classes whose objects a framework makes. */
export const managed = new Set(tables.flatMap((table) => table.managed ?? []));
/** Those of interfaces whose methods only compute, whoever implements them. */
export const pure = new Set(tables.flatMap((table) => table.pure ?? []));
/** Annotations of classes that have a table, and those that name it. */
export const entities = new Set(tables.flatMap((table) => table.entities ?? []));
export const tableNames = new Set(tables.flatMap((table) => table.tableNames ?? []));
export const flushes = new Set(tables.flatMap((table) => table.flushed ?? []));
/** Bases of classes whose attributes are columns, and what finds their rows. */
export const tracked = new Set(tables.flatMap((table) => table.tracked ?? []));
export const finders = new Set(tables.flatMap((table) => table.finders ?? []));
const tracking = tables.flatMap((table) => (table.tracked && table.speaks) ?? []);
/** Whether a file that imports this is about such rows. */
export const tracks = (path: string) => tracking.some((start) => path.startsWith(start));
export const repositories = new Set(tables.flatMap((table) => table.repositories ?? []));

/** The same by the interface, for a lambda that is one. */
export const implementer = new Map(
  [...implemented].map(([name, meaning]) => [name.slice(0, name.lastIndexOf('.')), meaning]),
);

/** Which of the types that projects extend have a method of this name, and of those that they hand on what opens or ends anything. */
export const ownersOf = (name: string): readonly string[] => owners().get(name) ?? NOBODY;
const NOBODY: readonly string[] = [];
const owners = once(() => {
  const found = new Map<string, string[]>();
  const own = (type: string, opens: (meaning: Meaning) => boolean): void => {
    for (const [name, meaning] of Object.entries(types.get(type) ?? {})) {
      if (!opens(meaning)) continue;
      const all = found.get(name);
      if (all) all.push(type);
      else found.set(name, [type]);
    }
  };
  for (const { extended } of tables) for (const type of extended ?? []) own(type, () => true);
  for (const { handles } of tables) for (const type of handles ?? []) own(type, opens);
  return found;
});

/** A statement that somebody executes later opens nothing yet. */
const opens = ({ scope, flat, gives, returns }: Meaning): boolean =>
  Boolean(scope ?? gives) || flat === 'begin' || (flat !== undefined && returns === undefined);

/** Whether this word, given to an annotation, changes what it means. */
export const varies = (word: string): boolean => varying().has(word);
const varying = once(
  () =>
    new Set(
      [...apis.values()].flatMap(({ proxied, when }) =>
        proxied ? (when ?? []).flatMap(({ is }) => is ?? []) : [],
      ),
    ),
);

export const isKnown = (fullName: string) => named().has(fullName);
const named = once(() => {
  // `…ItemWriter.write` is an entry and `…DSL.using` a function, `…ItemWriter` and `…DSL` what people import.
  const owned = [...entries.keys(), ...implemented.keys(), ...apis.keys()].map((name) =>
    name.slice(0, name.lastIndexOf('.')),
  );
  const plain = [apis, types, entries, same].flatMap((table) => [...table.keys()]);
  return new Set([...plain, ...owned, ...repositories]);
});

const speaking = tables.flatMap((table) => table.speaks ?? []);
/** Methods that send something, by their names; those that only make or ask are called otherwise. */
const SENDS =
  /^(insert|update|upsert|delete|remove|merge|save|persist|store|execute(?!Query)|exec$|flush|batch|call|copy|truncate|drop|alter|do[A-Z])/;

/** A foreign object's method of which no table tells: nobody knows what it sends to the database. */
export const mayWrite = (type: string, method: string) =>
  SENDS.test(method) && speaking.some((start) => type.startsWith(start));

const nestedBy = (type: string) =>
  Object.values(types.get(type) ?? {}).find((meaning) => meaning.nestedBy)?.nestedBy;

/** Of these somebody else may have made the object so that it nests. */
export const mayNest = (type: string) => nestedBy(type) !== undefined;

/** What such objects are called, and whether one of this type was seen to nest. */
export function nesting(type: string): { of: string; nests: boolean } | null {
  const plain = type.replace(/\.(?:nested|new)$/, '');
  const by = nestedBy(plain);
  return by ? { of: by.of, nests: type === `${plain}.nested` } : null;
}

/** A container's object that stands for those of a type: `Instance<Step>`. */
export const givesItems = (type: string) =>
  Object.values(types.get(type) ?? {}).some(({ returns }) => returns === 'item');

/** Whether some table tells a method of this name. */
export const isTold = (method: string): boolean => told().has(method);
const told = once(() => new Set([...types.values()].flatMap((own) => Object.keys(own))));

export function methodOf(type: string, name: string): Meaning | undefined {
  const own = types.get(type);
  if (own && Object.hasOwn(own, name)) return own[name];
  const row = type.endsWith('Record') ? rowOf(type) : null;
  if (row) return types.get(row.are)?.[name];
  return type.includes('Stub') ? ofGenerated(type, name) : undefined;
}

const rows = tables.flatMap((table) => table.rows ?? []);
export const areRows = new Set(rows.map(({ are }) => are));
/** `shop.db.tables.records.OrderLineRecord`: what it is, and the name of its table as a class is named. */
export function rowOf(type: string): { are: string; table: string } | null {
  const found = rows.find(({ within, ending }) => type.includes(within) && type.endsWith(ending));
  if (!found) return null;
  const table = type.slice(type.lastIndexOf('.') + 1, -found.ending.length);
  return { are: found.are, table };
}

const routines = tables.flatMap((table) => table.routines ?? []);
/** Above the classes that stand for one function of a database each. */
export const ofRoutine = new Set(routines.map(({ above }) => above));
/** Whose methods are all functions of a database. */
export const holdsRoutines = (type: string) =>
  routines.some(({ all }) => all.some((end) => type.endsWith(end)));

const generated = [...merged((table) => table.generated)];

/** `stub.withDeadlineAfter(1, SECONDS).pay(request)` */
function ofGenerated(type: string, name: string): Meaning | undefined {
  if (name.startsWith('with')) return undefined;
  const made = type.replace(/(\.with\w+\(\))+$/, '');
  return generated.find(([ending]) => made.endsWith(ending))?.[1];
}

/** `DSLContext inner = cfg.dsl()`: what a framework gave says more than the declared type, which may be an ancestor's. */
export function surest(declared: Typed | null, found: Typed | null): Typed | null {
  if (!declared || !found) return declared ?? found;
  const better =
    isMock(found) ||
    // `TransactionOperations nested = new TransactionTemplate(…)`
    (nesting(found.name)?.nests === true && mayNest(declared.name)) ||
    (found.name.startsWith(`${declared.name}.`) && !found.name.includes('(')) ||
    ((found.perhaps || found.told) && found.name === declared.name) ||
    (types.has(found.name) && !types.has(declared.name));
  const surer = better ? found : declared;
  return found.on === undefined || surer.on !== undefined ? surer : { ...surer, on: found.on };
}
