// Reads CREATE FUNCTION, CREATE PROCEDURE, CREATE AGGREGATE and DO: options, and the body in its language. The signature has a file of its own.
import { RESULT, type Routine, type Step } from '../../../ir.ts';
import { lowerBody } from '../../plpgsql/body.ts';
import { deciding } from '../../plpgsql/decides.ts';
import { askedFor } from '../../plpgsql/fired.ts';
import { inRow, pieces, type Source, within } from '../../source.ts';
import { textHash } from '../../texthash.ts';
import { type Bag, expression } from '../queries/expression.ts';
import { flagsOf, isText } from '../queries/handed.ts';
import { lowerStatement, lowerValue, schemas } from '../statement.ts';
import { hold } from '../text/held.ts';
import type { Token } from '../text/lexer.ts';
import {
  at,
  declaredName,
  isUnplaced,
  isWords,
  mark,
  nameAt,
  type Reader,
  reader,
  type SqlScope,
  scopeWith,
  word,
} from '../text/reader.ts';
import { statements } from '../text/split.ts';
import { allOn, roleAt, type Switched, setOwn } from '../text/switched.ts';
import { parameters, textsAmong, typesOf, valuesOf } from './signature.ts';
import { asksTemporary } from './tags.ts';

/** Definitions inside definitions inside strings: a function that creates a function. */
const DEEPEST = 5;

/** From the word after FUNCTION or PROCEDURE. */
export function createRoutine(
  r: Reader,
  from: number,
  to: number,
  kind: 'function' | 'procedure',
  start: number,
): void {
  const declare = r.scope.declare;
  const named = nameAt(r, from, to);
  if (!declare || !named) return;
  // A name that a template computes is nobody's, but the body is there.
  const name: Routine['name'] =
    declaredName(r, named) ?? `sql:"${declare.file}"."${kind} ${declare.routines.length + 1}"`;
  const open = named.next;
  const signature = parameters(r, open, to, kind);
  const options = readOptions(r, signature.next, to);
  const language = options.language ?? (options.from !== undefined ? 'sql' : 'unknown');
  const reads = options.volatility === 'stable' || options.volatility === 'immutable';
  // A query that SQL gives rows of becomes a part of the one around it, locks and all.
  const locks = language === 'sql' && signature.givesRows;
  const scope: SqlScope = {
    variables: new Set(signature.variables),
    types: typesOf(signature.parameters, language),
    declare,
    held: r.scope.held,
    searchPath: options.searchPath ?? r.scope.searchPath,
    prepared: undefined,
    switched: options.switched,
    fires: signature.isTrigger ? { sets: null } : undefined,
    refuses: reads ? (locks ? 'writes' : 'writes and row locks') : undefined,
    depth: (r.scope.depth ?? 0) + 1,
  };
  if (language === 'sql') scope.values = valuesOf(signature.variables);
  const texts = textsAmong(signature.parameters);
  if (texts) scope.given = (one) => (texts.has(one) ? one : undefined);
  const routine: Routine = {
    name, at: at(r, named.from, named.next), kind, language, entry: 'called', startsIn: 'caller', parameters: signature.parameters, body: [],
  }; // biome-ignore format: what is known at once
  const path = options.searchPath ?? r.scope.searchPath;
  if (path && path.length > 0) routine.searchPath = path;
  if (isUnplaced(r, named)) routine.unplaced = true;
  if (signature.ofEvents && asksTemporary(r, start, to)) routine.asksTemporary = true;
  if (options.parallel) routine.parallel = options.parallel;
  if (options.volatility) routine.volatility = options.volatility;
  if (options.strict) routine.strict = true;
  if (signature.givesRows) routine.givesRows = true;
  else if (signature.columns !== null && kind === 'function') routine.columns = signature.columns;
  routine.text = textOf(r, start, to, language, options);
  const own = declare.routines.push(routine);
  const before = declare.changes.length;
  if (options.from !== undefined)
    routine.body = unquotedBody(r, options.from, options.to!, scope, signature.givesValue);
  else if (language === 'c') routine.body = compiled(routine);
  else if (options.body) routine.body = quotedBody(r, options.body, language, scope, signature.givesValue);
  else if (options.pieces)
    routine.body = [{ kind: 'opaque', at: routine.at, why: 'the body is put together' }];
  if (scope.fires) routine.triggered = scope.fires.outermost ? 'outermost' : 'any';
  if (scope.fires?.setting) routine.setting = scope.fires.setting;
  if (scope.fires?.sets) routine.sets = scope.fires.sets;
  const nameless = declare.routines
    .slice(own)
    .filter((one) => one.name.startsWith(`sql:"${declare.file}"."`));
  if (nameless.length > 0) routine.makes = nameless.map((one) => one.name);
  if (r.scope.held) hold(r.scope.held, name, declare, before);
  const fired = language === 'plpgsql' ? askedFor(routine.body) : [];
  const computed: typeof fired = signature.defaults.map(({ name, position }) => ({
    name, position, value: null, otherwise: 'something',
  })); // biome-ignore format: a row
  const names = signature.parameters.names ?? [];
  const arrays = signature.parameters.types?.some((type) => type?.endsWith('[]'));
  const handed = texts || arrays ? flagsOf(routine.body, names) : [];
  const rest = signature.parameters.total === null ? names.length - 1 : -1;
  const decides = texts && language === 'plpgsql' ? deciding(routine.body, names) : [];
  const places = new Set(computed.map(({ position }) => position));
  const others: typeof fired = [];
  for (const one of [...decides, ...handed]) {
    if (places.has(one.position)) continue;
    places.add(one.position);
    const value = signature.values.get(one.position!);
    others.push({
      ...one,
      ...(value !== undefined && { value }),
      ...(one.position === rest && { rest: true }),
    });
  }
  if (fired.length + computed.length + others.length > 0) routine.flags = [...fired, ...computed, ...others];
  routine.body = [...signature.defaults.map(({ branch }) => branch), ...routine.body];
}

// ---- options ---------------------------------------------------------------------------------------------------

interface Options {
  language?: string;
  volatility?: Routine['volatility'];
  parallel?: Routine['parallel'];
  strict?: boolean;
  searchPath?: string[] | null;
  /** SET session_replication_role, SET app.skip. */
  switched?: Switched;
  /** AS '…', which may go on in further strings on lines of their own. */
  body?: Token[];
  /** AS concatenated or from a variable. */
  pieces?: boolean;
  /** BEGIN ATOMIC … END or RETURN …: where it stands among the tokens. */
  from?: number;
  to?: number;
}

function readOptions(r: Reader, from: number, to: number): Options {
  const options: Options = {};
  for (let i = from; i < to; i++) {
    const w = word(r, i, to);
    if (w === 'create' && options.body) break; // a semicolon is missing
    if (w === 'language' && i + 1 < to) options.language = languageName(r.tokens[++i]!);
    else if (w === 'immutable' || w === 'stable' || w === 'volatile') options.volatility = w;
    else if (w === 'strict' || isWords(r, i, 'returns', 'null', 'on')) options.strict = true;
    else if (w === 'parallel') options.parallel = word(r, ++i) as Options['parallel'];
    else if (w === 'set' && word(r, i + 1) === 'search_path') {
      // FROM CURRENT: as the script has it.
      if (word(r, i + 2) !== 'from') options.searchPath = schemas(r, i + 3, endOfSet(r, i + 3, to));
      i += 2;
    } else if (w === 'set' && word(r, i + 1) === 'session_replication_role')
      options.switched = {
        ...(options.switched ?? allOn()),
        replica: roleAt(r, i + 3) === 'replica' ? 'session' : null,
      };
    else if (w === 'set' && mark(r, i + 2) === '.') {
      options.switched ??= allOn();
      setOwn(options.switched, r, i + 1, i + 6, false);
      i += 5;
    } else if (w === 'as' && i + 1 < to) {
      const token = r.tokens[++i]!;
      if (token.kind === 'dollar' || token.kind === 'unterminated') options.body = [token];
      else if (token.kind === 'string') {
        options.body = [token];
        while (r.tokens[i + 1]?.kind === 'string') options.body.push(r.tokens[++i]!);
      } else options.pieces = true;
    } else if ((w === 'begin' && word(r, i + 1) === 'atomic') || w === 'return') {
      options.from = i;
      options.to = to;
      break;
    }
  }
  return options;
}

/** What it does by its text: the body, and what is said of it. How the rest is spelled, and in which order, makes no other routine. */
function textOf(r: Reader, start: number, to: number, language: string, options: Options): string {
  const { body, from, volatility, parallel, strict } = options;
  const first = body?.[0] ?? r.tokens[from ?? start]!;
  const last = body?.[body.length - 1] ?? r.tokens[to - 1]!;
  const hash = textHash(r.source.text, (first.inner ?? first).start, (last.inner ?? last).end);
  return body || from !== undefined
    ? [hash, language, volatility, parallel, strict && 'strict'].join(' ').trimEnd()
    : hash;
}

const languageName = (token: Token) =>
  (token.kind === 'string' ? token.text.slice(1, -1) : token.text).toLowerCase();

/** SET search_path = a, b ends where no comma goes on. */
function endOfSet(r: Reader, from: number, to: number): number {
  let i = from + 1;
  while (i < to && mark(r, i) === ',') i += 2;
  return Math.min(i, to);
}

// ---- bodies ----------------------------------------------------------------------------------------------------

/** The content of a string as it is read, every character with its place in the file. */
export function content(r: Pick<Reader, 'source'>, token: Token): Source {
  const inner = token.inner ?? { start: token.start, end: token.end };
  const text = r.source.text;
  if (!token.escaped)
    return within(r.source, {
      text: text.slice(inner.start, inner.end),
      at: (offset) => inner.start + offset,
    });
  const parts: { text: string; start: number; end: number }[] = [];
  const backslash = text.charCodeAt(token.start) !== 39;
  let from = inner.start;
  for (let i = inner.start; i < inner.end; i++) {
    const c = text.charCodeAt(i);
    const length = c === 39 ? 2 : c === 92 && backslash ? 2 : 0;
    if (length === 0) continue;
    if (i > from) parts.push({ text: text.slice(from, i), start: from, end: i });
    const next = text[i + 1] ?? '';
    const said = c === 39 ? "'" : next === 'n' ? '\n' : next === 't' ? '\t' : next === 'r' ? '\r' : next;
    parts.push({ text: said, start: i, end: Math.min(i + 2, inner.end) });
    i++;
    from = i + 1;
  }
  if (from < inner.end) parts.push({ text: text.slice(from, inner.end), start: from, end: inner.end });
  return within(r.source, pieces(parts));
}

function quotedBody(r: Reader, body: Token[], language: string, scope: SqlScope, givesValue = false): Step[] {
  const [token] = body as [Token];
  if (token.kind === 'unterminated')
    scope.declare?.problems.push({
      at: at(r, r.tokens.indexOf(token), 0),
      message: 'the body has no end',
      partial: true,
    });
  const source = body.length > 1 ? inRow(body.map((part) => content(r, part))) : content(r, token);
  if (language === 'internal') return [];
  if ((scope.depth ?? 0) > DEEPEST)
    return [{ kind: 'opaque', at: { start: source.at(0), end: source.at(0) }, why: 'nested too deeply' }];
  if (language === 'sql') return sqlBody(source, scope, givesValue);
  const lowered = lowerBody(language, source, scope);
  scope.declare?.problems.push(...lowered.problems);
  return lowered.steps;
}

/** In C it may do anything, except where its author says that it only reads or may run in parallel workers, which cannot write. */
const compiled = ({ at, volatility, parallel }: Routine): Step[] =>
  volatility === 'immutable' || volatility === 'stable' || parallel === 'safe'
    ? []
    : [{ kind: 'opaque', at, why: 'a body in C' }];

/** A SQL-language body: its statements in a row. */
export function sqlBody(source: Source, scope: SqlScope, givesValue = false): Step[] {
  const inner = scopeWith(scope, scope.variables ?? new Set(), scope.types);
  inner.switched ??= allOn();
  inner.given = scope.given;
  inner.values = scope.values;
  const parts: Token[][] = [];
  for (const piece of statements(source.text, { psql: false }))
    if (piece.kind === 'statement') parts.push(piece.tokens);
  return inRowOf(source, parts, inner, givesValue);
}

/** Of the last one's rows no more than the value is asked for. */
function inRowOf(source: Source, parts: Token[][], scope: SqlScope, givesValue: boolean): Step[] {
  const steps: Step[] = [];
  for (const [i, part] of parts.entries()) {
    const lower = givesValue && i === parts.length - 1 ? lowerValue : lowerStatement;
    for (const step of lower(source, part, scope)) {
      if (step.kind === 'row lock' && i === parts.length - 1) step.keys = [...(step.keys ?? []), RESULT];
      steps.push(step);
    }
  }
  return steps;
}

/** BEGIN ATOMIC a; b; END or RETURN expression. */
function unquotedBody(r: Reader, from: number, to: number, scope: SqlScope, givesValue: boolean): Step[] {
  const inner = reader(r.source, r.tokens.slice(from, to), scope);
  if (word(inner, 0) === 'return') {
    const steps: Step[] = [];
    const bag: Bag = { once: steps, row: steps };
    expression(inner, 1, inner.tokens.length, bag);
    return steps;
  }
  const parts: Token[][] = [];
  let start = 2;
  for (let i = 2; i <= inner.tokens.length; i++) {
    if (i < inner.tokens.length && inner.tokens[i]!.text !== ';') continue;
    const part = inner.tokens.slice(start, i);
    if (part[0] && part[0].text !== 'end') parts.push(part);
    start = i + 1;
  }
  return inRowOf(r.source, parts, scope, givesValue);
}

/** DO [LANGUAGE name] 'body': a routine of its own, called at once, for RETURN leaves only it. */
export function anonymous(r: Reader, from: number, to: number): Step[] {
  const options = readOptions(r, from + 1, to);
  const token = r.tokens
    .slice(from, to)
    .find((t) => t.kind === 'dollar' || t.kind === 'string' || t.kind === 'unterminated');
  const language = options.language ?? 'plpgsql';
  const declare = r.scope.declare;
  const body =
    r.tokens[from + 1] && token && languageIs(r, token)
      ? r.tokens
          .slice(from, to)
          .filter((t) => t.inner)
          .pop()
      : token;
  if (!body) return [{ kind: 'opaque', at: at(r, from, from + 1), why: 'the text of DO is computed' }];
  const scope = scopeWith(r.scope, new Set(), undefined, 1);
  const place = at(r, from, from + 1);
  if (!declare) return [{ kind: 'block', at: place, body: quotedBody(r, [body], language, scope) }];
  const number = declare.routines.filter((one) => one.kind === 'anonymous' && !isText(one)).length + 1;
  const routine: Routine = {
    name: `sql:"${declare.file}"."DO ${number}"`, at: place, kind: 'anonymous', language, entry: 'called', startsIn: 'caller', body: [],
  }; // biome-ignore format: what is known at once
  if (scope.searchPath?.length) routine.searchPath = scope.searchPath;
  routine.text = textHash(r.source.text, body.start, body.end);
  declare.routines.push(routine);
  routine.body = quotedBody(r, [body], language, scope);
  return [{ kind: 'call', at: place, callee: routine.name, args: 0 }];
}

function languageIs(r: Reader, token: Token): boolean {
  const i = r.tokens.indexOf(token);
  return word(r, i - 1) === 'language';
}

/** CREATE AGGREGATE name (…) (SFUNC = f, FINALFUNC = g): f runs for each row that it takes in. */
export function createAggregate(r: Reader, from: number, to: number): void {
  const named = nameAt(r, from, to);
  const name = declaredName(r, named);
  if (!r.scope.declare || !named || !name) return;
  const body: Step[] = [];
  for (let i = named.next; i < to; i++)
    if (['sfunc', 'sfunc1', 'finalfunc'].includes(word(r, i)) && mark(r, i + 1) === '=') {
      const called = nameAt(r, i + 2, to);
      if (!called?.name) continue;
      const step: Step = { kind: 'call', at: at(r, called.from, called.next), callee: called.name };
      // It runs once for each group, and there is one group mostly.
      if (word(r, i) === 'finalfunc') step.certainty = 'possible';
      body.push(step);
    }
  r.scope.declare.routines.push({
    name, at: at(r, named.from, named.next), kind: 'function', language: 'internal', entry: 'called', startsIn: 'caller', body,
  }); // biome-ignore format: what is known at once
}
