// The names of types: one spelling for each, and which are the server's own. It resolves none.
import type { Name, Unit } from '../../../ir.ts';
import { declaredName, isWords, mark, type Named, nameAt, past, type Reader, split, word } from './reader.ts';

/** As PostgreSQL prints the type, without lengths. */
export function typeText(r: Reader, from: number, to: number): string | null {
  const out: string[] = [];
  let array = '';
  for (let i = from; i < to; i++) {
    const m = mark(r, i);
    if (m === '(') i = r.closes[i]!;
    else if (m === '[') {
      array = '[]'; // of however many dimensions
      i = r.closes[i]!;
    } else if (word(r, i) === 'array' && i > from) array = '[]';
    else if (m === '.' || m === '%') out.push(m);
    else {
      const last = out[out.length - 1];
      out.push(
        last === undefined || last === '.' || last === '%' ? r.tokens[i]!.text : ` ${r.tokens[i]!.text}`,
      );
    }
  }
  const text = out.join('').replace(/^pg_catalog\./, '');
  return text === '' ? null : `${SPELLINGS[text] ?? text}${array}`;
}

/** The type of a cast, with the length or precision that it refuses values for; to the others values are cut or rounded. */
export function castType(r: Reader, from: number, end: number): string {
  const text = typeText(r, from, end) ?? '';
  if (/^bit\b/.test(text)) return text.replace(/^bit(?: varying)?/, 'bit varying'); // bit alone is of one
  let open = from + 1;
  while (open < end && mark(r, open) !== '(') open++;
  if (open >= end || /^(?:double|time|interval)/.test(text)) return text;
  const within = r.tokens.slice(open, r.closes[open]! + 1).map(({ text }) => text);
  return text.replace(/(?:\[\])?$/, (many) => within.join('') + many);
}

/** Past the type whose name ends here: PRECISION or VARYING, a length, WITH TIME ZONE, brackets. */
export function pastType(r: Reader, from: number, to: number): number {
  let i = from;
  if (word(r, i, to) === 'precision' || word(r, i, to) === 'varying') i++;
  if (mark(r, i, to) === '(') i = past(r, i, to);
  if (isWords(r, i, 'with', 'time', 'zone') || isWords(r, i, 'without', 'time', 'zone')) i += 3;
  if (word(r, i, to) === 'array') i++;
  while (mark(r, i, to) === '[') i = past(r, i, to);
  return i;
}

const SPELLINGS: Record<string, string> = {
  int: 'integer', int4: 'integer', int8: 'bigint', int2: 'smallint', bool: 'boolean', varchar: 'character varying', float8: 'double precision',
  float: 'double precision', float4: 'real', decimal: 'numeric', dec: 'numeric', timestamptz: 'timestamp with time zone', timetz: 'time with time zone',
  'timestamp without time zone': 'timestamp', 'time without time zone': 'time', char: 'character', bpchar: 'character',
}; // biome-ignore format: a table

const OWN = new Set([
  'bigint', 'boolean', 'bytea', 'character', 'character varying', 'date', 'double precision', 'inet', 'integer', 'interval', 'json',
  'jsonb', 'name', 'numeric', 'oid', 'real', 'record', 'regclass', 'smallint', 'text', 'timestamp', 'timestamp with time zone', 'uuid', 'xml',
]); // biome-ignore format: a list

/** As PostgreSQL prints a type of its own that is written as one word. */
export function serversType(word: string): string | null {
  const type = SPELLINGS[word] ?? word;
  return isServers(type) ? type : null;
}

/** A table's rows, or a type of one's own: what it has for columns, another file may say. */
export const rowOf = (type: string) => `${type}%rowtype`;

/** A type that is what its name says in every schema. */
export const isServers = (type: string) => OWN.has(type.replace(/\[\]$/, ''));

/** RETURNS a type of one's own, which may be a row's. */
export function rowType(r: Reader, i: number): Name | null {
  if (word(r, i) !== 'returns') return null;
  const type = nameAt(r, i + 1);
  if (!type?.name || mark(r, type.next) === '[') return null;
  return type.parts.length === 1 && NO_ROW.test(type.parts[0]!) ? null : type.name;
}

const NO_ROW =
  /^(?:void|trigger|event_trigger|anyelement|u?int\d?|float\d|bool|double|varchar|timestamptz|bigint|boolean|integer|numeric|text|jsonb?|uuid|date|bytea|interval|record)$/;

/** CREATE TYPE name AS (column type, …), from the place after TYPE: a row of that many columns; AS ENUM ('a', …): so many labels. */
export function createType(r: Reader, from: number, to: number): void {
  const named = nameAt(r, from, to);
  const name = declaredName(r, named);
  if (!named || !name || word(r, named.next) !== 'as') return;
  const isEnum = word(r, named.next + 1) === 'enum';
  const open = named.next + (isEnum ? 2 : 1);
  if (mark(r, open, to) !== '(') return;
  const items = split(r, open + 1, Math.min(r.closes[open]!, to)).length;
  list(r, { name: isEnum ? labelsOf(named) : name, items });
}

/** ALTER TYPE name ADD VALUE 'a', from the place after TYPE. */
export function alterType(r: Reader, from: number, to: number): void {
  const named = nameAt(r, from, to);
  if (named && isWords(r, named.next, 'add', 'value'))
    list(r, { name: labelsOf(named), items: 1, added: true });
}

/** What holds the labels of an enum, in whichever schema: few have two of one name. */
export const labelsOf = ({ parts }: Named): Name => `sql:${parts[parts.length - 1]}`;

function list(r: Reader, one: NonNullable<Unit['lists']>[number]): void {
  const unit = r.scope.declare;
  if (unit) unit.lists = [...(unit.lists ?? []), one];
}
