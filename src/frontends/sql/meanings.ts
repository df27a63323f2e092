// What PostgreSQL's own functions, casts and operators do that matters here: wait, write, fail. All others do nothing.
import type { Step } from '../../ir.ts';
import { at, type Named, nameAt, type Reader, word } from './reader.ts';

const WAITS: [RegExp, 'sleep' | 'lock' | 'network'][] = [
  [/^pg_sleep(_for|_until)?$/, 'sleep'],
  [/^pg_advisory_(xact_)?lock(_shared)?$/, 'lock'],
];
const LARGE_OBJECTS = new Set(
  'lo_create lo_creat lo_import lo_from_bytea lo_put lowrite lo_unlink lo_truncate lo_truncate64'.split(' '),
);
const PARSERS: Record<string, string> = {
  to_date: 'date',
  to_timestamp: 'timestamptz',
  to_number: 'numeric',
};

export function builtinSteps(r: Reader, own: string, name: Named, close: number): Step[] {
  const place = at(r, name.from, name.next);
  if (own.startsWith('pg_'))
    for (const [pattern, what] of WAITS)
      if (pattern.test(own)) return [{ kind: 'wait', at: place, for: what }];
  if (LARGE_OBJECTS.has(own))
    return [{ kind: 'write', verb: 'insert', at: place, relation: null, rows: 'one' }];
  if (own === 'set_config') searchPathFrom(r, name.next, close);
  const type = r.scope.variables && PARSERS[own];
  return type ? [{ kind: 'cast', at: place, to: type }] : [];
}

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

const CANNOT_FAIL = new Set(['text', 'varchar', 'char', 'bpchar', 'character', 'name', 'unknown']);

/** `value::type`; of a literal it fails when the statement is read, or never. Only bodies have something to guard it. */
export function castStep(r: Reader, operand: number, from: number, to: number, into: Step[]): void {
  if (!r.scope.variables) return;
  const kind = r.tokens[operand]?.kind;
  if (kind === 'string' || kind === 'number') return;
  const type = nameAt(r, from, to);
  if (!type?.name) return;
  const written = type.name.slice(4).replace(/^pg_catalog\./, '');
  if (CANNOT_FAIL.has(written)) return;
  into.push({
    kind: 'cast',
    at: at(r, from - 1, type.next),
    to: written === 'double' && word(r, type.next) ? 'double precision' : written,
  });
}

/** Of PostgreSQL and of the extensions that come with it, PostGIS and pgvector; others are somebody's function. */
const OPERATORS = new Set(
  `+ - * / < > = <= >= <> != :: := => : .. ~ !~ ~* !~* ~~ !~~ ~~* !~~* ^ % @ & | # << >> || |/ ||/ @@ @@@ <-> <=> <#> <+>
   <~> <%> ## && &< &> <<| |>> &<| |&> <^ >^ ?# ?- ?| ?-| ?|| ~= ~== <@ @> << >> <<= >>= -|- -> ->> #> #>> #- @? @@ ? ?&
   ^@ !! *= *<> *< *> *<= *>= ~<~ ~<=~ ~>~ ~>=~ ~>~ ?@> ?<@ ?~ ?@ ^@> ^<@ <<-> <->> <<<-> <->>> %> <% %>> <<% #= %% %#
   |=| &&& &/& <<#>> <<->> <#-> ~>  @@> <@@ @~ <@> $ \\`.split(/\s+/),
);

export const isBuiltinOperator = (text: string) =>
  OPERATORS.has(text) ||
  text.length === 1 ||
  /^[<>=!~*/%^&|#@?]?[-+]+$/.test(text) ||
  /^(?:<>|<=|>=|[=<>*/+|-])[-+@?]+$/.test(text);
