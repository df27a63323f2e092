// Reads CREATE TABLE: foreign keys, parents, and the expressions that run for each row that is written.
import type { ForeignKey, Name, Relation, Span, Step, Trigger, Write } from '../../../ir.ts';
import { expression } from '../queries/expression.ts';
import { query } from '../queries/query.ts';
import { statement } from '../statement.ts';
import { isBuiltin } from '../text/builtins.ts';
import { startsQuery } from '../text/clauses.ts';
import { identifier } from '../text/lexer.ts';
import {
  at,
  declaredName,
  find,
  isWords,
  mark,
  type Named,
  nameAt,
  past,
  type Reader,
  skipIf,
  split,
  word,
} from '../text/reader.ts';
import { isServers, typeText } from '../text/types.ts';
import { ddl } from './changes.ts';

// ---- CREATE TABLE ----------------------------------------------------------------------------------------------

/** From the place after TABLE. */
export function createTable(r: Reader, from: number, to: number, start: number): Step[] {
  const named = nameAt(r, skipIf(r, from), to);
  if (!named) return [];
  const table = declaredName(r, named);
  const steps: Step[] = [ddl(r, start, named.next, table)];
  const relation: Relation | null = table && {
    name: table,
    at: at(r, named.from, named.next),
    kind: named.parts[0] === 'pg_temp' && named.parts.length > 1 ? 'temporary table' : kindOf(r, start, from),
  };
  const parents: Name[] = [];
  let i = named.next;
  if (isWords(r, i, 'partition', 'of')) {
    const parent = nameAt(r, i + 2, to);
    if (parent?.name) parents.push(declaredName(r, parent)!);
    i = parent?.next ?? i + 2;
  } else if (word(r, i) === 'of') i = nameAt(r, i + 1, to)?.next ?? i + 1;
  if (mark(r, i) === '(') {
    const close = Math.min(r.closes[i]!, to);
    const query = isColumnList(r, i + 1, close) && find(r, close, to, 'as') < to;
    const elements = split(r, i + 1, close);
    if (!query && relation) {
      for (const [a, b] of elements)
        if (word(r, a) === 'like') copy(r, a, b, relation);
        else element(r, a, b, relation);
      // What LIKE and a partition's parent bring is not known here.
      if (parents.length > 0 || elements.some(([a]) => word(r, a) === 'like')) delete relation.columns;
    }
    i = past(r, i, to);
  }
  for (; i < to; i++) {
    if (word(r, i) === 'inherits' && mark(r, i + 1) === '(')
      for (const [a, b] of split(r, i + 2, Math.min(r.closes[i + 1]!, to))) {
        const parent = nameAt(r, a, b);
        if (parent?.name && relation) relation.inherits = true;
        if (parent?.name) parents.push(declaredName(r, parent)!);
      }
    if (relation && word(r, i) === 'with' && isCatalog(r, i + 1, to)) relation.catalog = true;
    if (word(r, i) === 'as' && startsQuery(r, i + 1, to)) {
      if (!withNoData(r, to)) steps.push(...query(r, i + 1, to, false).steps);
      break;
    }
    if (isWords(r, i, 'partition', 'by') && relation) {
      const open = find(r, i, to, '(');
      runs(r, open, past(r, open, to), {
        via: 'partition key',
        verbs: ['insert'],
        name: bare(relation),
        at: at(r, i, i + 2),
        relation: relation.name,
      });
    }
    if (isWords(r, i, 'as', 'execute') && !withNoData(r, to)) steps.push(...statement(r, i + 1, to));
    if (mark(r, i) === '(') i = r.closes[i]!;
  }
  if (relation && parents.length > 0) relation.parents = parents;
  if (relation) r.scope.declare?.relations.push(relation);
  return steps;
}

/** WITH (user_catalog_table [= true], …) */
function isCatalog(r: Reader, bracket: number, to: number): boolean {
  if (mark(r, bracket) !== '(') return false;
  const close = Math.min(r.closes[bracket]!, to);
  const i = find(r, bracket + 1, close, 'user_catalog_table');
  return i < close && (mark(r, i + 1) !== '=' || /^(?:true|on|yes|1)$/.test(r.tokens[i + 2]?.text ?? ''));
}

function kindOf(r: Reader, start: number, from: number): Relation['kind'] {
  for (let i = start; i < from; i++) {
    if (word(r, i) === 'temp' || word(r, i) === 'temporary') return 'temporary table';
    if (word(r, i) === 'foreign') return 'foreign table';
  }
  return 'table';
}

/** Names and commas only, as before AS. */
function isColumnList(r: Reader, from: number, to: number): boolean {
  for (let i = from; i < to; i++)
    if ((i - from) % 2 === 1 ? mark(r, i) !== ',' : r.tokens[i]!.kind !== 'word') return false;
  return to > from;
}

const CONSTRAINTS = new Set(['constraint', 'check', 'foreign', 'primary', 'unique', 'exclude', 'not']);

/** Of the columns that LIKE copies their types always come along, and what else is named. */
const BROUGHT: Record<string, Trigger['via'][]> = {
  defaults: ['default'],
  generated: ['generated column'],
  constraints: ['check constraint'],
  indexes: ['index'],
  all: ['default', 'generated column', 'check constraint', 'index'],
};

/** LIKE source [{INCLUDING | EXCLUDING} {DEFAULTS | …}] … */
function copy(r: Reader, from: number, to: number, relation: Relation): void {
  const source = nameAt(r, from + 1, to);
  if (!source?.name) return;
  const brings = new Set<Trigger['via']>(['domain']);
  for (let i = source.next; i < to; i += 2)
    for (const via of BROUGHT[word(r, i + 1)] ?? [])
      if (word(r, i) === 'including') brings.add(via);
      else brings.delete(via);
  relation.copies ??= [];
  relation.copies.push({
    of: source.name,
    brings: [...brings],
    ...(brings.has('index') && { keys: true as const }),
  });
}

/** A column or a table constraint. */
export function element(r: Reader, from: number, to: number, relation: Relation): void {
  const isConstraint =
    CONSTRAINTS.has(word(r, from)) && r.tokens[from + 1] !== undefined && !isType(r, from + 1);
  const column = isConstraint ? null : nameAt(r, from, to);
  if (column?.parts[0] !== undefined) {
    relation.columns ??= {};
    relation.columns[column.parts[0]] = columnType(r, column.next, to);
  }
  constraints(r, column ? column.next : from, to, relation, column);
}

/** As PostgreSQL prints one of its own; of another's the name without its schema. */
function columnType(r: Reader, from: number, to: number): string {
  const type = nameAt(r, from, to);
  if (!type) return '';
  let end = type.next;
  if (word(r, end) === 'precision' || word(r, end) === 'varying') end++;
  if (mark(r, end, to) === '(') end = past(r, end, to);
  if (isWords(r, end + 1, 'time', 'zone')) end += 3;
  while (mark(r, end, to) === '[') end = past(r, end, to);
  const text = typeText(r, from, end) ?? '';
  const own = type.parts.at(-1) ?? '';
  return isServers(text) ? text : (SERIALS[own] ?? own);
}

const SERIALS: Record<string, string> = {
  serial: 'integer',
  serial4: 'integer',
  bigserial: 'bigint',
  serial8: 'bigint',
};

/** PRIMARY KEY and UNIQUE, called as PostgreSQL calls them. */
function key(
  r: Reader,
  i: number,
  to: number,
  relation: Relation,
  given: string,
  column: Named | null,
): string {
  const primary = word(r, i) === 'primary';
  let open = primary ? i + 2 : i + 1;
  while (['nulls', 'not', 'distinct'].includes(word(r, open))) open++;
  const columns = column
    ? [column.parts[0] ?? '']
    : mark(r, open, to) === '('
      ? split(r, open + 1, Math.min(r.closes[open]!, to)).map(([a, b]) => nameAt(r, a, b)?.parts[0] ?? '')
      : [];
  // USING INDEX: the index says it.
  if (columns.length === 0 || columns.includes('')) return nameAt(r, open + 2, to)?.parts[0] ?? '';
  const name =
    given || (primary ? `${bare(relation)}_pkey` : `${[bare(relation), ...columns].join('_')}_key`);
  relation.keys = [...(relation.keys ?? []), { name, columns }];
  return name;
}

export const bare = ({ name }: { name: Name }) => name.slice(name.lastIndexOf('.') + 1).replace(/^sql:/, '');

/** A column may be named like a keyword that is not reserved. */
function isType(r: Reader, i: number): boolean {
  return ['text', 'integer', 'int', 'boolean', 'varchar', 'numeric', 'bigint'].includes(word(r, i));
}

/** The constraints of a column, or one of a table: DEFAULT, CHECK, GENERATED, REFERENCES, FOREIGN KEY, EXCLUDE. */
function constraints(r: Reader, from: number, to: number, relation: Relation, column: Named | null): void {
  const table = relation.name;
  let i = column && from < to ? typeEnd(r, from, to, table) : from;
  const own = column?.parts[0] ?? '';
  let name = '';
  let called = '';
  let keys = column ? [column.parts[0] ?? ''] : undefined;
  for (; i < to; i++) {
    const w = word(r, i);
    if (w === 'constraint') {
      name = nameAt(r, ++i, to)?.parts[0] ?? '';
      continue;
    }
    const given = name;
    if (w === 'primary' || w === 'unique') called = key(r, i, to, relation, given, column);
    else if (called && (w === 'deferrable' || w === 'deferred') && word(r, i - 1) !== 'not')
      relation.deferrable = [...new Set([...(relation.deferrable ?? []), called])];
    else if (w === 'default') {
      const end = endOfDefault(r, i + 1, to);
      runs(r, i + 1, end, {
        via: 'default',
        verbs: ['insert'],
        name: own,
        at: at(r, i, i + 1),
        relation: table,
      });
      i = end - 1;
    } else if (w === 'check' && mark(r, i + 1) === '(') {
      runs(r, i + 1, past(r, i + 1, to), {
        via: 'check constraint',
        verbs: ['insert', 'update'],
        name:
          given || free(r, 'check constraint', relation, column ? [own] : checked(r, i + 1, to, relation)),
        at: at(r, i, i + 1),
        relation: table,
      });
      i = past(r, i + 1, to) - 1;
    } else if (isWords(r, i, 'generated', 'always', 'as') && mark(r, i + 3) === '(') {
      const close = past(r, i + 3, to);
      const stored = word(r, close) === 'stored';
      runs(r, i + 3, close, {
        via: 'generated column',
        verbs: stored ? ['insert', 'update'] : ['read'],
        name: own,
        at: at(r, i, i + 1),
        relation: table,
        ...(stored && { columns: columnsIn(r, i + 4, close - 1) }),
      });
      i = close - 1;
    } else if (w === 'exclude') {
      relation.excludes = true;
      called = '';
      const open = find(r, i, to, '(');
      const where = find(r, open, to, 'where');
      runs(r, open, where < to ? past(r, where + 1, to) : past(r, open, to), {
        via: 'index',
        verbs: ['insert', 'update'],
        name: given || `${bare(relation)}_excl`,
        at: at(r, i, i + 1),
        relation: table,
      });
    } else if (w === 'foreign' && mark(r, i + 2) === '(') {
      keys = split(r, i + 3, Math.min(r.closes[i + 2]!, to)).map(([a, b]) => nameAt(r, a, b)?.parts[0] ?? '');
      i = past(r, i + 2, to) - 1;
    } else if (w === 'references') i = references(r, i, to, relation, given, keys) - 1;
    else if (mark(r, i) === '(') i = r.closes[i]!;
    if (w !== 'not' && w !== 'null' && w !== 'foreign') name = '';
  }
}

/** The words of an expression that may be columns: an UPDATE that sets none of them leaves what it gives as it is. */
function columnsIn(r: Reader, from: number, to: number): string[] {
  const words = r.tokens
    .slice(from, to)
    .filter((token, i) => token.kind === 'word' && mark(r, from + i + 1) !== '(');
  return [...new Set(words.map(identifier))];
}

/** What PostgreSQL calls a constraint without a name: a second one has a number. */
function free(r: Reader, via: Trigger['via'], relation: Relation, columns: string[]): string {
  const name = [bare(relation), ...columns, 'check'].join('_');
  const others = (r.scope.declare?.triggers ?? []).filter(
    (one) => one.via === via && one.relation === relation.name && one.name.startsWith(name),
  );
  return others.length === 0 ? name : `${name}${others.length}`;
}

/** A check of one column alone is called after it. */
function checked(r: Reader, open: number, to: number, { columns }: Relation): string[] {
  const named = new Set<string>();
  for (let i = open + 1; i < Math.min(r.closes[open]!, to); i++) {
    const token = r.tokens[i]!;
    if (token.kind === 'word' && columns && Object.hasOwn(columns, token.text)) named.add(token.text);
  }
  return named.size === 1 ? [...named] : [];
}

/** Past the type of a column. One that is not PostgreSQL's own may be a domain: its checks run as a parent's triggers do. */
export function typeEnd(r: Reader, from: number, to: number, table: Name): number {
  const type = nameAt(r, from, to);
  if (!type) return from;
  if (type.name && !isBuiltin(type.parts[type.parts.length - 1]!) && r.tokens[from]!.kind === 'word')
    r.scope.declare?.relations.push({
      name: table,
      at: at(r, from, type.next),
      kind: 'table',
      parents: [domainOf(type.name)],
    });
  return type.next;
}

/** Domains share a namespace with tables, but must not be taken for one. */
export function domainOf(name: Name): Name {
  const dot = name.lastIndexOf('.');
  const schema = dot < 0 ? '' : name.slice(4, dot + 1);
  return `sql:${schema}"domain ${name.slice(dot < 0 ? 4 : dot + 1).replaceAll('"', '')}"`;
}

const AFTER_DEFAULT = new Set([
  'constraint',
  'check',
  'references',
  'primary',
  'unique',
  'generated',
  'collate',
  'not',
  'deferrable',
  'initially',
]);

export function endOfDefault(r: Reader, from: number, to: number): number {
  let i = from;
  while (i < to && (i === from || !AFTER_DEFAULT.has(word(r, i))) && !(i > from && word(r, i) === 'null'))
    i = mark(r, i) === '(' || mark(r, i) === '[' ? past(r, i, to) : i + 1;
  return i;
}

/** An expression that runs for each row; nothing is declared when it calls nothing. */
export function runs(
  r: Reader,
  from: number,
  to: number,
  trigger: Pick<Trigger, 'via' | 'verbs' | 'name' | 'at' | 'relation' | 'columns'>,
): boolean {
  const body: Step[] = [];
  expression(r, from, to, { once: body, row: body });
  if (!body.some((step) => step.kind !== 'read' && step.kind !== 'cast')) return false;
  const triggers = r.scope.declare?.triggers ?? [];
  triggers.push({ ...trigger, each: 'row', timing: 'before', body });
  return true;
}

/** When a constraint is checked. */
const CHECKED = new Set(['deferrable', 'initially', 'deferred', 'immediate']);

/** REFERENCES parent [(columns)] [ON DELETE CASCADE …] [DEFERRABLE …]; returns the index after it. */
function references(
  r: Reader,
  from: number,
  to: number,
  relation: Relation,
  given: string,
  columns: string[] | undefined,
): number {
  const child = relation.name;
  const parent = nameAt(r, from + 1, to);
  if (!parent?.name) return from + 1;
  const listed = mark(r, parent.next) === '(';
  const referred = listed
    ? split(r, parent.next + 1, Math.min(r.closes[parent.next]!, to)).flatMap(
        ([a, b]) => nameAt(r, a, b)?.parts[0] ?? [],
      )
    : undefined;
  let i = listed ? past(r, parent.next, to) : parent.next;
  const place = at(r, from, parent.next);
  const name = declaredName(r, parent)!;
  const called = given || [bare(relation), ...(columns ?? []), 'fkey'].join('_');
  const key: ForeignKey = { at: place, name: called, child, parent: name, ...(columns && { columns }) };
  r.scope.declare?.foreignKeys.push(key);
  for (; i < to; i++) {
    if (word(r, i) === 'match' || isWords(r, i, 'not', 'deferrable')) i++;
    else if (isWords(r, i, 'initially', 'deferred')) key.deferred = true;
    else if (CHECKED.has(word(r, i))) continue;
    else if (word(r, i) === 'on' && (word(r, i + 1) === 'delete' || word(r, i + 1) === 'update')) {
      cascade(r, i, { at: place, child, parent: name, name: called, columns, referred });
      i += word(r, i + 2) === 'no' || word(r, i + 2) === 'set' ? 3 : 2;
      if (mark(r, i + 1) === '(') i = past(r, i + 1, to) - 1;
    } else break;
  }
  return i;
}

interface Reference {
  at: Span;
  child: Name;
  parent: Name;
  name: string;
  columns: string[] | undefined;
  /** The parent's columns, where they are listed; else they are its primary key. */
  referred: string[] | undefined;
}

/** ON DELETE CASCADE, SET NULL, SET DEFAULT: the parent's row takes the children's rows with it. */
function cascade(
  r: Reader,
  on: number,
  { at: place, child, parent, name, columns, referred }: Reference,
): void {
  const event = word(r, on + 1) as 'delete' | 'update';
  const action = word(r, on + 2);
  if (action !== 'cascade' && action !== 'set') return;
  const verb = event === 'delete' && action === 'cascade' ? 'delete' : 'update';
  const body: Step[] = [{ kind: 'write', verb, at: place, relation: child, rows: 'unknown' }];
  if (verb === 'update' && columns) (body[0] as Write).columns = columns;
  if (word(r, on + 3) === 'default' && columns) (body[0] as Write).resets = columns;
  // An UPDATE that leaves the key alone does nothing to the children: few of them change it.
  if (event === 'update' && !referred) body[0]!.certainty = 'possible';
  r.scope.declare?.triggers.push({
    name: `${name} (on ${event} ${action === 'set' ? `set ${word(r, on + 3)}` : action})`,
    at: place, relation: parent, verbs: [event], each: 'row', timing: 'after', via: 'foreign key', body,
    ...(event === 'update' && referred && { columns: referred }),
  }); // biome-ignore format: a row
}

/** As pg_dump makes materialized views, to fill them later. */
export const withNoData = (r: Reader, to: number) => isWords(r, to - 3, 'with', 'no', 'data');
