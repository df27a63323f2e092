// Which of several routines of one name a call can mean, by its arguments and their types. Not where they stand.
import type { Call } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';

type Parameters = NonNullable<Linked['routine']>['parameters'];

/** How many arguments it has, with those that SQL names. */
export function countOf({ args, given, callee }: Call): number | undefined {
  if (args === undefined || !given || !callee.startsWith('sql:')) return args;
  return args + Object.keys(given).filter((key) => !isPlace(key)).length;
}

const isPlace = (key: string) => /^\d/.test(key);

export function accepts(parameters: Parameters, call: Call): boolean {
  const args = countOf(call);
  if (args === undefined || !parameters) return true;
  if (!hasNamed(parameters, call)) return false;
  return args >= parameters.required && (parameters.total === null || args <= parameters.total);
}

/** Where a routine says the names of its parameters, an argument that has one is for the parameter of that name. */
function hasNamed({ names }: NonNullable<Parameters>, { given, callee }: Call): boolean {
  if (!names || !given) return true;
  // Of SQL one without a name may be one whose name was not read.
  if (callee.startsWith('sql:') && names.includes(null)) return true;
  return Object.keys(given).every((key) => isPlace(key) || key === 'this' || names.includes(key));
}

/** Of those that take a call as it is, the one that makes up the fewest arguments itself. */
export function byDefaults(found: Linked[]): Linked[] {
  const total = ({ routine }: Linked) => routine!.parameters?.total ?? Number.MAX_SAFE_INTEGER;
  const fewest = Math.min(...found.map(total));
  return found.filter((one) => total(one) === fewest);
}

/** Overloads with a known type that differs are out. */
export function byTypes(
  found: Linked[],
  call: Call,
  resolve: (type: string | null) => string | null = (type) => type,
): Linked[] {
  const types = call.types?.map(resolve);
  const args = countOf(call);
  const exact = found.filter(({ routine }) => routine!.parameters?.total === args);
  if (!types) return exact.length > 0 ? exact : found;
  // Defaults only count against one where all else is the same: what fits by its types may have some.
  const pool = exact.length > 0 && types.includes(null) ? exact : found;
  const typeAt = ({ routine }: Linked, i: number) => resolve(routine!.parameters?.types?.[i] ?? null);
  const fits = pool.filter((one) =>
    types.every((type, i) => type === null || type === 'unknown' || isOf(typeAt(one, i) ?? type, type)),
  );
  const near =
    fits.length > 0 ? fits : pool.filter((one) => types.every((type, i) => becomes(type, typeAt(one, i))));
  const likely = near.length > 0 ? near : pool;
  const left = likely.length > 1 && types.includes('unknown') ? bySpelling(likely, types, typeAt) : likely;
  const whole = left.filter((one) => exact.includes(one));
  return whole.length > 0 ? whole : left;
}

/** `*Supplier|*Callable`: the name of such a type ends so. */
const isOf = (parameter: string, type: string): boolean =>
  parameter === type ||
  (type.startsWith('*') && type.split('|').some((end) => parameter.endsWith(end.slice(1))));

/** Whether a value of this type is taken for that without a cast that is written; of a type that is not the server's, who knows. */
function becomes(type: string | null, parameter: string | null): boolean {
  if (type === null || type === 'unknown' || type === parameter || !isKnown(type) || !isKnown(parameter))
    return true;
  return WIDENS[type]?.includes(parameter!) === true;
}

const INEXACT = ['numeric', 'real', 'double precision'];
const WIDENS: Record<string, string[]> = {
  smallint: ['integer', 'bigint', ...INEXACT],
  integer: ['bigint', 'oid', 'regclass', ...INEXACT],
  bigint: ['oid', 'regclass', ...INEXACT],
  numeric: ['real', 'double precision'],
  real: ['double precision'],
  text: ['character varying', 'character', 'name', 'regclass'],
  'character varying': ['text', 'character', 'name', 'regclass'],
  character: ['text', 'character varying', 'name'],
  name: ['text', 'character varying', 'character'],
  date: ['timestamp', 'timestamp with time zone'],
  timestamp: ['timestamp with time zone'],
  oid: ['regclass'],
  regclass: ['oid'],
};

/** A quoted constant is for a parameter that is a string wherever some have one, and for `text` before `name`. */
function bySpelling(
  found: Linked[],
  types: (string | null)[],
  typeAt: (one: Linked, i: number) => string | null,
): Linked[] {
  // What fits another argument best counts more: nothing is known where that has no type.
  const told = types.every(
    (type, i) => type !== null || new Set(found.map((one) => typeAt(one, i))).size === 1,
  );
  let left = found;
  for (const wanted of told ? [STRINGS, TEXT] : []) {
    const places = types.flatMap((type, i) =>
      type === 'unknown' && left.some((one) => wanted.has(typeAt(one, i) ?? '')) ? [i] : [],
    );
    // A type of one's own may be a string too.
    const fits = left.filter((one) =>
      places.every((i) => wanted.has(typeAt(one, i) ?? '') || !isKnown(typeAt(one, i))),
    );
    if (fits.length === 0) break;
    left = fits;
  }
  return left;
}

const TEXT = new Set(['text']);
const STRINGS = new Set(['text', 'character varying', 'character', 'name']);
const OTHERS = new Set(
  'smallint,integer,bigint,numeric,real,double precision,boolean,date,timestamp,timestamp with time zone,interval,uuid,json,jsonb,bytea,oid,regclass'.split(
    ',',
  ),
);
const isKnown = (type: string | null) =>
  type !== null && (STRINGS.has(type) || OTHERS.has(type) || type.endsWith('[]'));
