// What PostgreSQL's own functions, casts and operators do that matters here: wait, write, fail. All others do nothing.
import { opensBlocks } from '../../../frameworks/platforms.ts';
import type { Call, Span, Step } from '../../../ir.ts';
import { isHarmless, OF_EXTENSIONS } from '../text/builtins.ts';
import { HOLE, identifier, type Token } from '../text/lexer.ts';
import { at, find, mark, type Named, nameAt, type Reader, word } from '../text/reader.ts';
import { setBy } from '../text/switched.ts';
import { castType, isServers, pastType } from '../text/types.ts';

const WAITS: [RegExp, 'sleep' | 'lock' | 'network'][] = [
  [/^pg_sleep(_for|_until)?$/, 'sleep'],
  [/^pg_advisory_(xact_)?lock(_shared)?$/, 'lock'],
];
/** Of large objects, and of PostGIS' topologies, which are tables. */
const WRITERS = new Set(
  `lo_create lo_creat lo_import lo_from_bytea lo_put lowrite lo_unlink lo_truncate lo_truncate64
   st_addedgemodface st_addedgenewfaces st_addisoedge st_addisonode st_changeedgegeom st_createtopogeo st_inittopogeo
   st_modedgeheal st_modedgesplit st_moveisonode st_newedgeheal st_newedgessplit st_remedgemodface st_remedgenewface
   st_remisonode st_removeisoedge st_removeisonode`.split(/\s+/),
);
const PARSERS: Record<string, string> = {
  to_date: 'date',
  to_timestamp: 'timestamptz',
  to_number: 'numeric',
};

/** Whether they fail is up to the value, and no input function tells: a block is there for more than a cast beside them. */
const FAILING = new Set(
  `convert convert_from convert_to decode unistr make_date make_time make_timestamp make_timestamptz to_tsquery
   json_populate_record json_populate_recordset jsonb_populate_record jsonb_populate_recordset
   dearmor decrypt pgp_pub_decrypt pgp_pub_decrypt_bytea pgp_sym_decrypt pgp_sym_decrypt_bytea
   acos asin div exp ln log log10 mod power sqrt`.split(/\s+/),
);

export const mayFail = (place: Span): Step => ({ kind: 'read', at: place, relation: null, rows: 'none' });

/** `a / b`, `a % b`, `a ^ b`: by zero, or out of range. A number that is written there was chosen to fit. */
export function canFailBy(r: Reader, i: number, to: number): boolean {
  const { text } = r.tokens[i]!;
  if (text !== '/' && text !== '%' && text !== '^') return false;
  return i + 1 < to && !isFitting(r.tokens[i + 1]!);
}

const isFitting = ({ kind, text }: Token) => kind === 'number' && Number(text) !== 0;

export function builtinSteps(r: Reader, own: string, name: Named, close: number): Step[] {
  const place = at(r, name.from, name.next);
  if (own.startsWith('pg_'))
    for (const [pattern, what] of WAITS)
      if (pattern.test(own)) return [{ kind: 'wait', at: place, for: what }];
  if (WRITERS.has(own)) return [{ kind: 'write', verb: 'insert', at: place, relation: null, rows: 'one' }];
  if (own === 'pg_logical_emit_message' && word(r, name.next + 1) === 'true')
    return [{ kind: 'write', verb: 'insert', at: place, relation: null, rows: 'one' }];
  if (own === 'set_config') {
    searchPathFrom(r, name.next, close);
    setBy(r, name.next);
  }
  // One that nobody has set is an error, unless a second argument says otherwise: a block may be there for that.
  if (own === 'current_setting' && r.scope.variables && find(r, name.next + 1, close, ',') >= close)
    return [{ kind: 'read', at: place, relation: 'sql:pg_catalog.pg_settings', rows: 'one' }];
  if (r.scope.variables && FAILING.has(own) && !isFitting(r.tokens[close - 1]!)) return [mayFail(place)];
  const type = r.scope.variables && PARSERS[own];
  return type ? [{ kind: 'cast', at: place, to: type, by: own }] : [];
}

/** What it means to call this function of an extension, where the repository defines none by that name. */
export function ofExtension(parts: string[], place: Span): Step[] | null {
  if (isHarmless(parts)) return [];
  const blocks = opensBlocks.get(parts.join('.'));
  if (blocks) return blocks(place);
  const name = parts.at(-1)!;
  if (parts.length > 2 || (parts.length === 2 && !OF_EXTENSIONS.test(parts[0]!))) return null;
  if (HTTP.test(name)) return [{ kind: 'wait', at: place, for: 'network' }];
  // What it does is done in a session of its own, and takes no transaction ID in this one.
  return /^dblink(?:_|$)/.test(name) ? [] : null;
}

/** pgsql-http's. */
const HTTP = /^http(?:_(?:get|post|put|patch|delete|head))?$/;

/** set_config('search_path', 'app, public', false), as pg_dump writes it. */
function searchPathFrom(r: Reader, bracket: number, close: number): void {
  const [key, , value] = r.tokens.slice(bracket + 1, close);
  if (key?.kind !== 'string' || key.text.toLowerCase() !== "'search_path'" || value?.kind !== 'string')
    return;
  r.scope.searchPath = value.text
    .slice(1, -1)
    .split(',')
    .map((schema) => schema.trim())
    .filter(Boolean);
}

const CANNOT_FAIL = /^(?:text|character(?: varying)?|name|unknown)\b/;

/** `value::type`: it can fail, and a type of one's own may have a function for it. */
export function castStep(r: Reader, operand: number, from: number, to: number, into: Step[]): void {
  const value = r.tokens[operand];
  const type = nameAt(r, from, to);
  // A string is read by its type's input function.
  if (!type?.name || !value || value.kind === 'string') return;
  const end = pastType(r, type.next, to);
  if (r.scope.variables && value.kind !== 'number' && !isNull(value))
    into.push(...canFail(r, operand, from, end));
  if (!isOwnType(type) || mark(r, type.next, to) === '[' || !hasType(value) || isRow(r, operand)) return;
  into.push(convert(at(r, from - 1, type.next), type));
}

/** ROW(…), of which no function makes another type: its fields are converted one by one. */
function isRow(r: Reader, operand: number): boolean {
  let open = operand;
  if (mark(r, operand) === ')') while (open > 0 && r.closes[open] !== operand) open--;
  return word(r, open - 1) === 'row' || word(r, open + 1) === 'row';
}

/** A value becomes one of this type, which may have a function for that. */
export const convert = (place: Span, type: Named): Step => ({
  kind: 'call', at: place, callee: `sql:operator(${castTo(type)})`, args: 1, certainty: 'likely', meanings: [{ steps: [] }],
}); // biome-ignore format: a row

/** A variable of this type takes a value: a domain checks it, and no cast that must be written runs. */
export const assigned = (place: Span, { parts }: Pick<Named, 'parts'>): Call => ({
  kind: 'call', at: place, callee: `sql:operator(:=${parts.at(-1)})`, args: 1, certainty: 'likely', meanings: [{ steps: [] }],
}); // biome-ignore format: a row

/** A literal fails when the statement is read, or never, and NULL fits. Only bodies have something to guard it. */
function canFail(r: Reader, operand: number, from: number, end: number): Step[] {
  const to = castType(r, from, end);
  const is = typeOf(r, operand);
  if (CANNOT_FAIL.test(to) || is === to || (is && WIDER[is]?.includes(to))) return [];
  const was = is && is !== 'record' && !CANNOT_FAIL.test(is) && isServers(is) ? { was: is } : null;
  return [{ kind: 'cast', at: at(r, from - 1, end), to, ...was }];
}

/** What a variable is, or what is cast a second time: `name::regclass::oid`. */
function typeOf(r: Reader, operand: number): string | undefined {
  const token = r.tokens[operand]!;
  if (mark(r, operand - 1) === '::') return castType(r, operand, operand + 1);
  if (mark(r, operand - 1) === '.' || (token.kind !== 'word' && token.kind !== 'parameter')) return undefined;
  return r.scope.types?.get(token.kind === 'word' ? identifier(token) : token.text);
}

const INEXACT = ['real', 'double precision', 'numeric'];
const NUMBERS = ['oid', 'integer', 'bigint'];
const WIDER: Record<string, string[]> = {
  smallint: ['integer', 'bigint', ...INEXACT],
  integer: ['bigint', ...INEXACT],
  bigint: INEXACT,
  oid: ['integer', 'bigint'],
  ...Object.fromEntries(
    ['regclass', 'regproc', 'regprocedure', 'regtype', 'regrole', 'regnamespace'].map((one) => [
      one,
      NUMBERS,
    ]),
  ),
};

/** Parameters, holes and NULL take the type that they are cast to. */
const hasType = ({ kind, text }: Token) =>
  kind === 'number' ||
  text === ')' ||
  text === ']' ||
  (kind === 'word' && text !== 'null' && !text.includes(HOLE));

const isNull = ({ kind, text, quoted }: Token) => kind === 'word' && text === 'null' && !quoted;

/** The first words of the server's own types, and those that extensions of great use bring. */
const TYPES = new Set(
  `bigint bigserial bit bool boolean box bpchar bytea char character cid cidr circle date datemultirange daterange dec decimal
   double float float4 float8 inet int int2 int2vector int4 int4multirange int4range int8 int8multirange int8range integer
   interval json jsonb jsonpath line lseg macaddr macaddr8 money name national nchar numeric nummultirange numrange oid
   oidvector path pg_lsn pg_snapshot point polygon real record refcursor regclass regcollation regconfig regdictionary
   regnamespace regoper regoperator regproc regprocedure regrole regtype serial setof smallint text tid time timestamp
   timestamptz timetz tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot unknown uuid varbit varchar
   void xid xid8 xml citext cube geography geometry hstore ltree lquery vector`.split(/\s+/),
);

export const isOwnType = ({ name, parts }: Pick<Named, 'name' | 'parts'>) =>
  name !== null && parts[0] !== 'pg_catalog' && !(parts.length === 1 && TYPES.has(parts[0]!));

/** The operator that converts to this type; its schema is left out, as the search path is not known everywhere. */
export const castTo = ({ parts }: Named) => `::${parts.at(-1)}`;

/** Of PostgreSQL and of the extensions that come with it, PostGIS and pgvector; others are somebody's function. */
const OPERATORS = new Set(
  `+ - * / < > = <= >= <> != :: := => : .. ~ !~ ~* !~* ~~ !~~ ~~* !~~* ^ % @ & | # << >> || |/ ||/ @@ @@@ <-> <=> <#> <+>
   <~> <%> ## && &< &> <<| |>> &<| |&> <^ >^ ?# ?- ?| ?-| ?|| ~= ~== <@ @> << >> <<= >>= -|- -> ->> #> #>> #- @? @@ ? ?&
   ^@ !! *= *<> *< *> *<= *>= ~<~ ~<=~ ~>~ ~>=~ ~>~ ?@> ?<@ ?~ ?@ ^@> ^<@ <<-> <->> <<<-> <->>> %> <% %>> <<% #= %% %#
   |=| &&& &/& <<#>> <<->> <#-> ~>  @@> <@@ @~ <@> $ \\`.split(/\s+/),
);

export const isBuiltinOperator = (text: string) =>
  text.length === 1 ||
  OPERATORS.has(text) ||
  /^[<>=!~*/%^&|#@?]?[-+]+$/.test(text) ||
  /^(?:<>|<=|>=|[=<>*/+|-])[-+@?]+$/.test(text);
