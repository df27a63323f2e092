// Reads indexes and domains: keys, and the expressions that run for each row that is written or converted.
import type { Name, Span, Step } from '../../../ir.ts';
import { assigned, castTo, convert, isOwnType } from '../queries/meanings.ts';
import { computedColumn } from '../queries/predicate.ts';
import {
  at,
  declaredName,
  find,
  mark,
  type Named,
  nameAt,
  past,
  type Reader,
  split,
  word,
} from '../text/reader.ts';
import { ddl } from './changes.ts';
import { bare, domainOf, endOfDefault, runs } from './tables.ts';

/** CREATE [UNIQUE] INDEX [CONCURRENTLY] [name] ON [ONLY] table [USING method] (expressions) … [WHERE …] */
export function createIndex(r: Reader, from: number, to: number, start: number): Step[] {
  const on = find(r, from, to, 'on');
  const table = nameAt(r, word(r, on + 1) === 'only' ? on + 2 : on + 1, to);
  const steps: Step[] = [ddl(r, start, on, table?.name ?? null)];
  if (!table?.name) return steps;
  const named = on > from ? nameAt(r, on - 1, on)?.parts[0] : undefined;
  const declared = r.scope.declare?.triggers.length ?? 0;
  const place = at(r, on > from ? on - 1 : start, on > from ? on : start + 1);
  const relation = declaredName(r, table)!;
  const open = find(r, table.next, to, '(');
  const name = named && named !== 'concurrently' ? named : `${bare({ name: relation })}_expr_idx`;
  if (word(r, from - 2) === 'unique') uniqueIndex(r, open, to, relation, name, place);
  runs(r, open, to, { via: 'index', verbs: ['insert', 'update'], name, at: place, relation });
  const trigger = r.scope.declare?.triggers[declared];
  if (trigger) steps.push({ kind: 'loop', at: place, over: 'query', times: null, body: trigger.body });
  return steps;
}

/** On columns, or on what a function makes of one, and for all rows, it names one row. */
function uniqueIndex(r: Reader, open: number, to: number, relation: Name, name: string, place: Span): void {
  if (mark(r, open, to) !== '(' || find(r, open, to, 'where') < to) return;
  const parts = split(r, open + 1, Math.min(r.closes[open]!, to));
  const columns = parts.flatMap(([a, b]) => keyAt(r, a, b)?.parts.at(-1) ?? []);
  if (columns.length === parts.length)
    r.scope.declare?.relations.push({ name: relation, at: place, kind: 'table', keys: [{ name, columns }] });
}

function keyAt(r: Reader, from: number, to: number): Named | null {
  if (mark(r, from) === '(') return keyAt(r, from + 1, Math.min(r.closes[from]!, to));
  const name = nameAt(r, from, to);
  return name && mark(r, name.next, to) === '(' ? computedColumn(r, from, past(r, name.next, to)) : name;
}

/** CREATE DOMAIN name AS type [DEFAULT …] [CHECK (…)]; ALTER DOMAIN name ADD CHECK. */
export function createDomain(r: Reader, from: number, to: number, start: number): Step[] {
  const named = nameAt(r, from, to);
  const name = declaredName(r, named);
  if (!named || !name) return [];
  const place = at(r, named.from, named.next);
  const declare = r.scope.declare;
  const relation = domainOf(name);
  const declared = declare?.triggers.length ?? 0;
  const base = word(r, start) === 'create' ? baseOf(r, named.next, to) : null;
  const parents = base?.name ? [domainOf(base.name)] : undefined;
  if (word(r, start) === 'create')
    declare?.relations.push({ name: relation, at: place, kind: 'domain', ...(parents && { parents }) });
  for (let i = named.next; i < to; i++)
    if (word(r, i) === 'default') {
      const end = endOfDefault(r, i + 1, to);
      const what = { via: 'default', verbs: ['insert'], name: named.parts.join('.'), relation } as const;
      runs(r, i + 1, end, { ...what, verbs: [...what.verbs], at: at(r, i, i + 1) });
      i = end - 1;
    } else if (word(r, i) === 'check' && mark(r, i + 1) === '(') {
      runs(r, i + 1, past(r, i + 1, to), {
        via: 'domain',
        verbs: ['insert', 'update'],
        name: named.parts.join('.'),
        at: at(r, i, i + 1),
        relation,
      });
      i = past(r, i + 1, to) - 1;
    }
  // What is converted to it is checked, by the domain that it is made of before.
  const body = (declare?.triggers.slice(declared) ?? []).flatMap((one) =>
    one.via === 'domain' ? one.body : [],
  );
  if (base) body.unshift(convert(at(r, base.from, base.next), base));
  for (const name of body.length > 0 ? [`sql:operator(${castTo(named)})` as const, assigned(place, named).callee] : [])
    declare!.routines.push({
      name, at: place, kind: 'function', language: 'internal', entry: 'called', startsIn: 'caller', body,
    }); // biome-ignore format: what is known at once
  return [ddl(r, start, named.next, null)];
}

/** AS type, where that is one's own and may be a domain. */
function baseOf(r: Reader, from: number, to: number): Named | null {
  const type = nameAt(r, word(r, from) === 'as' ? from + 1 : from, to);
  return type && isOwnType(type) && mark(r, type.next, to) !== '[' ? type : null;
}
