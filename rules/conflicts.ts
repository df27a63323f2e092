// What a table does with ON CONFLICT: it takes the place of a block, does something else, or is refused. Used by rules; reports nothing.
import {
  isAnyTable,
  isDomain,
  kept,
  type Model,
  type Name,
  type Relation,
  type Trigger,
  type Write,
} from '../src/rule.ts';

/**
 * `same`: ON CONFLICT DO NOTHING does what a block does that catches unique_violation and goes on. `unknown`: nobody here
 * knows the table, or something runs for its rows, whose work the block takes back or whose own errors it catches.
 * `other`: something else. `refused`: PostgreSQL does not take it there.
 */
export type OnConflict = 'same' | 'unknown' | 'other' | 'refused';

export function onConflict(model: Model, { relation }: Write, file: string): OnConflict {
  if (!relation?.startsWith('sql:')) return 'unknown';
  const known = tablesOf(model);
  const own = known.declared(relation);
  const wholly = (fits: (one: Declared) => boolean) => own.length > 0 && own.every(fits);
  const all = known.family(relation);
  const triggers = all.flatMap(known.triggers);
  const isOwn = (one: Trigger) => mayBe(one.relation, relation);
  const ruled = triggers.some((one) => one.via === 'rule' && one.verbs.some(isRefused) && isOwn(one));
  const instead = triggers.some((one) => one.timing === 'instead' && one.via === 'trigger' && isOwn(one));
  const keys = own.flatMap(({ keys }) => keys ?? []);
  const deferrable = new Set(own.flatMap(({ deferrable }) => deferrable ?? []));
  const noKeyLeft = deferrable.size > 0 && keys.every(({ name }) => deferrable.has(name));
  if (ruled || noKeyLeft || own.some(({ catalog }) => catalog)) return 'refused';
  if (instead && wholly(isNoTable)) return 'refused';
  const relations = all.flatMap(known.declared);
  if (wholly(isNoTable) || relations.some((one) => one.deferrable || one.excludes)) return 'other';
  const fires = triggers.some(({ verbs }) => verbs.includes('insert')) || known.firesAnywhere;
  return fires || own.some(isNoTable) || !known.isMade(relation, file) ? 'unknown' : 'same';
}

/**
 * Whether all of the table is written down, and the INSERT gives no key of it all of its columns: what is left out is
 * NULL, or made for the row.
 */
export function meetsNoKey(model: Model, { relation, gives }: Write, file: string): boolean {
  if (!relation?.startsWith('sql:')) return false;
  const known = tablesOf(model);
  if (!known.isMade(relation, file)) return false;
  const all = known.family(relation).flatMap(known.declared);
  if (all.some(({ kind, excludes }) => excludes || (kind !== 'table' && kind !== 'temporary table')))
    return false;
  const has = ({ columns }: Declared, column: string) =>
    gives === undefined ||
    gives === 'all' ||
    gives.includes(column) ||
    gives.includes(Object.keys(columns ?? {}).indexOf(column));
  const made = all.filter(({ columns }) => columns);
  return !all.some(({ keys }) =>
    keys?.some((key) => key.columns.every((column) => made.some((one) => has(one, column)))),
  );
}

/** Of a rule: PostgreSQL takes no ON CONFLICT beside it. */
const isRefused = (verb: Trigger['verbs'][number]) => verb === 'insert' || verb === 'update';

type Declared = Relation & { file: string; role: string; isSql: boolean };

const isNoTable = ({ kind }: Relation) => kind !== 'table' && kind !== 'temporary table';

interface Tables {
  /** Declarations of what the name may mean. */
  declared(name: Name): Declared[];
  /** It, and whose rows are its own or which it has something of: parents, partitions, what it is like. */
  family(name: Name): Name[];
  triggers(name: Name): Trigger[];
  /** A trigger of a table whose name is computed. */
  firesAnywhere: boolean;
  /** All of it is written down, and that of its family; what only a test makes is another one. */
  isMade(name: Name, file: string): boolean;
}

const tablesOf = kept(({ units }: Model): Tables => {
  const relations = new Map<string, Declared[]>();
  const triggers = new Map<string, Trigger[]>();
  const children = new Map<string, Name[]>();
  let firesAnywhere = false;
  const put = <T>(into: Map<string, T[]>, name: string, one: T) => {
    const there = into.get(last(name));
    if (there) there.push(one);
    else into.set(last(name), [one]);
  };
  for (const unit of units) {
    for (const one of unit.relations) {
      put(relations, one.name, { ...one, file: unit.file, role: unit.role, isSql: unit.language === 'sql' });
      for (const parent of one.parents ?? []) put(children, parent, one.name);
    }
    for (const one of unit.triggers) {
      if (isAnyTable(one.relation)) firesAnywhere ||= one.verbs.includes('insert');
      else put(triggers, one.relation, one);
    }
  }
  function isMade(name: Name, file: string, seen: Set<Name>): boolean {
    if (seen.has(name)) return true;
    seen.add(name);
    const own = declared(name).filter(
      (one) => one.isSql && (one.file === file || (one.role !== 'test' && one.role !== 'example')),
    );
    const of = own.flatMap(madeOf);
    return (
      (of.length > 0 || own.some(({ columns }) => columns)) && of.every((one) => isMade(one, file, seen))
    );
  }
  const declared = (name: Name) => (relations.get(last(name)) ?? []).filter((one) => mayBe(one.name, name));
  return {
    declared,
    triggers: (name) => (triggers.get(last(name)) ?? []).filter((one) => mayBe(one.relation, name)),
    firesAnywhere,
    family(name) {
      const found = new Set([name]);
      for (const one of found) {
        for (const { parents = [], copies = [] } of declared(one))
          for (const other of [...parents, ...copies.map(({ of }) => of)]) found.add(other);
        for (const child of children.get(last(one)) ?? []) found.add(child);
      }
      return [...found];
    },
    isMade: (name, file) => isMade(name, file, new Set()),
  };
});

/** Whose columns, keys and triggers are its own too; not the domains of its columns. */
const madeOf = ({ parents = [], copies = [] }: Relation): Name[] =>
  [...parents, ...copies.map(({ of }) => of)].filter((name) => !isDomain(name));

/** A name without a schema is found in any. */
function mayBe(a: Name, b: Name): boolean {
  if (a === b) return true;
  const [schema, other] = [schemaOf(a), schemaOf(b)];
  return last(a) === last(b) && (schema === '' || other === '' || schema === other);
}

const last = (name: string) => /(?:"(?:[^"]|"")*"|[^.":]+)$/.exec(name)?.[0] ?? name;
const schemaOf = (name: Name) => name.slice(4, name.length - last(name).length);
