// Lowers a script: its statements in order, psql's commands and branches, and what all of them declare.
import type { Branch, Setting, Span, Step } from '../../ir.ts';
import { pathFrom } from '../paths.ts';
import { pieces, type Source, span, within } from '../source.ts';
import { executed } from './gexec.ts';
import { nothingSent, type Sent, send, setTo, tellSent } from './sent.ts';
import { copy, lowerWhole, startsStatement } from './statement.ts';
import { HOLE, type Token, tokens as tokenize } from './text/lexer.ts';
import { type Reader, reader, type SqlScope, word } from './text/reader.ts';
import { CREATE } from './text/sorts.ts';
import { statements } from './text/split.ts';
import { allOn } from './text/switched.ts';

export interface ScriptOptions {
  psql: boolean;
  /** More than stands there runs under what it sets. */
  isForOthers?: boolean;
  from?: number;
  to?: number;
}

/** The steps between two places of the text; declarations go to the scope's `declare`. */
export function lowerScript(source: Source, scope: SqlScope, options: ScriptOptions): Step[] {
  const script: Script = {
    source, scope, steps: [], arms: [], variables: new Map(), unsure: new Set(), autocommit: true, inTransaction: false, unused: null,
    sent: nothingSent(!options.psql || options.isForOthers === true || source.text.includes(HOLE)),
  }; // biome-ignore format: what is known at once
  scope.prepared ??= new Map();
  scope.cursors ??= new Map();
  scope.switched ??= allOn();
  for (const piece of statements(source.text, options)) {
    if (piece.kind === 'problem') {
      script.sent.isUnseen = true;
      if (scope.declare) scope.declare.broken = true;
      scope.declare?.problems.push({
        at: span(source, piece.start, piece.end),
        message: piece.message,
        partial: true,
      });
    } else if (piece.kind === 'meta') {
      if (piece.name === 'q' && script.arms.every(({ runs }) => runs === 'surely')) break;
      meta(script, piece.token, piece.name, piece.query);
      if (!QUIET.has(piece.name)) script.unused = null;
    } else if (isPassedOver(script)) continue;
    else {
      script.unused = null;
      if (piece.tokens[0]!.kind === 'variable') expanded(script, piece.tokens);
      else statement(script, piece.tokens);
    }
  }
  while (script.arms.length > 0) endIf(script);
  tellSent(script.sent);
  return script.steps;
}

interface Script {
  source: Source;
  scope: SqlScope;
  /** Where steps go now: the script's own, or an arm of \if. */
  steps: Step[];
  arms: Arms[];
  /** What \set gave, with its place. */
  variables: Map<string, { text: string; start: number; end: number }>;
  /** Those that some arm of a branch gave. */
  unsure: Set<string>;
  autocommit: boolean;
  inTransaction: boolean;
  /** What was set and no statement has run under yet: whoever sets it back means nothing by it. */
  unused: Setting | null;
  sent: Sent;
  /** What `delimiter d//` says, found when somebody asks. */
  delimiters?: Set<string>;
}

/** \if up to \endif. */
interface Arms {
  outer: Step[];
  branch: Branch;
  /** Whether the arm that is read now runs. */
  runs: 'surely' | 'perhaps' | 'never';
  /** Whether one of those before it runs. */
  before: 'surely' | 'perhaps' | 'never';
}

/** In an arm that never runs psql passes over all but what ends it. */
const isPassedOver = ({ arms }: Script) => arms.some(({ runs }) => runs === 'never');

function statement(script: Script, all: Token[]): void {
  const { scope, source } = script;
  const isStart = (token: Token, i: number) =>
    (token.kind === 'word' && !token.quoted && begins(source.text, token, i)) || token.text === '(';
  const start = isStart(all[0]!, 0) ? 0 : all.findIndex(isStart);
  // What stands before is another tool's delimiter, a macro, or text that is not SQL.
  const isText = start !== 0 && all[0]!.kind === 'word' && !all[0]!.text.includes(HOLE);
  if (isText && !isDelimiter(script, all[0]!)) {
    const { start: from, end } = all[0]!;
    const message = `a statement that starts with ${source.text.slice(from, end)}`;
    scope.declare?.problems.push({ at: span(source, from, end), message, partial: true });
  }
  if (start < 0) return;
  const tokens = start === 0 ? all : all.slice(start);
  const r = reader(source, tokens, scope);
  if (scope.declare && (r.sorts & CREATE) !== 0 && swallows(tokens)) scope.declare.broken = true;
  const steps = lowerWhole(r);
  if (!script.autocommit) implicit(script, steps, tokens);
  send(script.sent, word(r, 0) || tokens[0]!.text, steps, script.inTransaction);
  for (const step of scope.variables ? steps : asOne(steps, r)) script.steps.push(step);
}

/** `delimiter d//` on a line, or on another one what it says: who runs the script takes it away. */
function isDelimiter(script: Script, { start }: Token): boolean {
  const { text } = script.source;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end).trim();
  script.delimiters ??= new Set(Array.from(text.matchAll(DELIMITER), ([, said]) => said!));
  return script.delimiters.has(line) || /^delimiter\s+\S+$/i.test(line);
}

const DELIMITER = /^[ \t]*delimiter[ \t]+(\S+)[ \t\r]*$/gim;

/** What one statement does is one transaction, where none is open; what CALL and DO run may end theirs. */
function asOne(steps: Step[], r: Reader): Step[] {
  if (steps.length < 2 || NOT_ONE.has(word(r, 0))) return steps;
  let doing = 0;
  for (const { kind } of steps) if (kind === 'call' || kind === 'write' || kind === 'loop') doing++;
  if (doing < 2) return steps;
  const at = { start: steps[0]!.at.start, end: steps[0]!.at.end };
  return [
    { kind: 'scope', at, opens: 'transaction', whenNested: 'join', label: 'statement', implied: true, body: steps },
  ]; // biome-ignore format: one step
}

/** They may end transactions, as a trigger's function never does; what is defined is one thing. */
const NOT_ONE = new Set(['call', 'do', 'create', 'alter', 'drop', 'comment']);

/** A statement without an end goes on through the definition of the next routine. */
function swallows(tokens: Token[]): boolean {
  for (let i = 1; i < tokens.length - 3; i++)
    if (tokens[i]!.text === 'create' && tokens[i]!.kind === 'word') {
      const what = tokens[tokens[i + 1]!.text === 'or' ? i + 3 : i + 1]!.text;
      if (what === 'function' || what === 'procedure') return true;
    }
  return false;
}

/** `:name …`: what \set put into the variable starts the statement, or is all of it. */
function expanded(script: Script, tokens: Token[]): void {
  const { source, scope } = script;
  const [first] = tokens as [Token];
  const known = script.variables.get(first.text.slice(1));
  const end = tokens[tokens.length - 1]!.end;
  script.sent.isUnseen = true;
  if (!known) {
    const at = span(source, first.start, first.end);
    script.steps.push({ kind: 'opaque', at, why: 'the statement is in a variable' });
    return;
  }
  const rest = { text: source.text.slice(first.end, end), start: first.end, end };
  const steps = lowerScript(within(source, pieces([known, rest])), scope, { psql: false });
  for (const step of steps) script.steps.push(step);
}

/** The first word of a statement, or one later that starts a line. */
function begins(text: string, token: Token, index: number): boolean {
  if (!startsStatement(token.text)) return false;
  if (index === 0) return true;
  let i = token.start - 1;
  while (i >= 0 && (text[i] === ' ' || text[i] === '\t')) i--;
  return i < 0 || text[i] === '\n' || text[i] === '\r';
}

/** With AUTOCOMMIT off psql sends BEGIN before the first statement of each transaction. */
function implicit(script: Script, steps: Step[], tokens: Token[]): void {
  const kind = steps[0]?.kind;
  if (!script.inTransaction && isAlone(tokens)) return;
  if (!script.inTransaction && kind !== 'begin' && kind !== 'commit' && kind !== 'rollback') {
    const at = span(script.source, tokens[0]!.start, tokens[0]!.end);
    script.steps.push({ kind: 'begin', at });
  }
  script.inTransaction = kind !== 'commit' && kind !== 'rollback';
}

/** What psql sends as it is, for it cannot run in a transaction. */
const ALONE =
  /^(?:(?:commit|rollback) prepared|vacuum|(?:create|drop) (?:database|tablespace)|alter system|discard all|(?:create|drop|reindex) .*\bconcurrently|reindex (?:database|system))\b/;

function isAlone(tokens: Token[]): boolean {
  const words = tokens.slice(0, 6).map(({ kind, quoted, text }) => (kind === 'word' && !quoted ? text : '.'));
  return ALONE.test(words.join(' '));
}

// ---- backslash commands ----------------------------------------------------------------------------------------

function meta(script: Script, token: Token, name: string, query: Token[]): void {
  const { source, scope } = script;
  const place = span(source, token.start, token.start + 1 + name.length);
  if (SENDS.has(name)) script.sent.isUnseen = true;
  if (branches(script, token, name, place) || isPassedOver(script)) return;
  if (query.length > 0) statement(script, query);
  switch (name) {
    case 'gexec':
      for (const step of executed(source, query, scope) ?? [opaque(place)]) script.steps.push(step);
      break;
    case 'gset':
    case 'getenv':
    case 'prompt':
      for (const known of script.variables.keys()) script.unsure.add(known);
      if (name === 'prompt') script.steps.push({ kind: 'wait', at: place, for: 'user' });
      break;
    case 'watch':
      script.steps.push({ kind: 'wait', at: place, for: 'sleep' });
      break;
    case 'i':
    case 'ir':
    case 'include':
    case 'include_relative':
      include(script, token, name);
      break;
    case 'copy':
      clientCopy(script, token);
      break;
    case 'set':
    case 'unset':
      setVariable(script, token, name);
      break;
    case 'password':
      script.steps.push({ kind: 'wait', at: place, for: 'user' });
      break;
    case 'sleep': // pgbench
      script.steps.push({ kind: 'wait', at: place, for: 'sleep' });
      break;
    case '!':
      script.steps.push({ kind: 'wait', at: place, for: 'process' });
      break;
    case 'c':
    case 'connect':
      scope.searchPath = null;
      break;
  }
}

/** What runs more than stands here, or the same again. */
const SENDS = new Set(['gexec', 'watch', 'i', 'ir', 'include', 'include_relative', 'c', 'connect']);

const opaque = (at: Span): Step => ({ kind: 'opaque', at, why: '\\gexec runs what the query gives' });

/** \if, \elif, \else, \endif: what a constant decides is decided. */
function branches(script: Script, token: Token, name: string, place: Span): boolean {
  if (name === 'endif') endIf(script);
  else if (name === 'else' || name === 'elif') nextArm(script, token, name);
  else if (name === 'if') {
    const branch: Branch = { kind: 'branch', at: place, arms: [], exhaustive: false };
    script.arms.push({ outer: script.steps, branch, runs: 'never', before: 'never' });
    nextArm(script, token, name);
  } else return false;
  return true;
}

function nextArm(script: Script, token: Token, name: string): void {
  const open = script.arms[script.arms.length - 1];
  if (!open) return;
  if (open.before !== 'surely' && open.runs !== 'never') open.before = open.runs;
  const holds = name === 'else' ? true : truth(script, token);
  const may = holds === true && open.before === 'never' ? 'surely' : 'perhaps';
  open.runs = holds === false || open.before === 'surely' ? 'never' : may;
  if (holds === true && open.before === 'perhaps') open.branch.exhaustive = true;
  script.steps = [];
  if (open.runs !== 'never') open.branch.arms.push(script.steps);
  // What comes after an arm whose condition always holds never runs.
  if (holds === true) open.before = 'surely';
}

function endIf(script: Script): void {
  const open = script.arms.pop();
  if (!open) return;
  const { outer, branch } = open;
  script.steps = outer;
  if (branch.arms.length === 1 && open.before === 'surely' && !branch.exhaustive)
    for (const step of branch.arms[0]!) outer.push(step);
  else if (branch.arms.some((arm) => arm.length > 0)) outer.push(branch);
}

/** A word that says true or false, perhaps in a variable that is set in one way. */
function truth(script: Script, token: Token): boolean | null {
  const [said, ...more] = args(token);
  const name = /^:(\w+)$/.exec(said ?? '')?.[1];
  const text =
    name === undefined ? said : script.unsure.has(name) ? undefined : script.variables.get(name)?.text;
  if (text === undefined || more.length > 0) return null;
  return ON.has(text.toLowerCase()) ? true : OFF.has(text.toLowerCase()) ? false : null;
}

/** The arguments of a backslash command, without their quotes. */
function args(token: Token): string[] {
  const rest = token.text.replace(/^\\(?:[a-zA-Z_]+|.)/, '');
  return [...rest.matchAll(/'((?:[^']|'')*)'|"([^"]*)"|([^\s'"]+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? '');
}

/** \ir is relative to this file. \i is relative to where psql was started, which is mostly the top of the tree. */
function include(script: Script, token: Token, name: string): void {
  // psql takes a semicolon at its end away.
  const path = args({ ...token, text: filled(script, token.text) })[0]?.replace(/;+$/, '');
  const file = script.scope.declare?.file;
  if (!path || !file || path.includes(':') || path.includes(HOLE)) return;
  const at = span(script.source, token.start, token.start + token.text.trimEnd().length);
  const near = pathFrom(file.slice(0, file.lastIndexOf('/') + 1), path);
  const top = pathFrom('', path);
  const calls = (name === 'i' || name === 'include' ? [...new Set([top, near])] : [near]).map(
    (target): Step => ({ kind: 'call', at, callee: `sql:"${target}"`, args: 0 }),
  );
  if (calls.length === 1) script.steps.push(calls[0]!);
  else script.steps.push({ kind: 'branch', at, arms: calls.map((one) => [one]), exhaustive: true });
}

/** With the variables that this file has set. */
const filled = ({ variables }: Script, text: string) =>
  text.replace(/:(?:'(\w+)'|"(\w+)"|(\w+))/g, (found, a, b, c) => variables.get(a ?? b ?? c)?.text ?? found);

/** \copy table from 'file': the client reads the file, the server copies as ever. */
function clientCopy(script: Script, token: Token): void {
  const r = reader(script.source, tokenize(script.source.text, token.start + 1, token.end), script.scope);
  const steps = copy(r, 0, r.tokens.length);
  send(script.sent, 'copy', steps, script.inTransaction);
  for (const step of steps) {
    step.at = { start: script.source.at(token.start), end: step.at.end };
    script.steps.push(step);
  }
}

/** Of one word or one string, which stands here as it is. */
function remember({ variables }: Script, token: Token, key: string, values: string[]): void {
  const text = values[0];
  const offset = text ? token.text.indexOf(text, token.text.indexOf(key) + key.length) : -1;
  const start = token.start + offset;
  if (text && offset >= 0 && values.length === 1)
    variables.set(key, { text, start, end: start + text.length });
  else variables.delete(key);
}

const ON = new Set(['on', '1', 'true', 'yes', 'tru', 'tr', 't', 'ye', 'y']);
const OFF = new Set(['off', '0', 'false', 'no', 'fals', 'fal', 'fa', 'f', 'n', 'of']);

function setVariable(script: Script, token: Token, command: string): void {
  const [key, ...rest] = args(token);
  const value = command === 'unset' ? 'off' : rest.join('');
  const at = span(script.source, token.start, token.start + token.text.trimEnd().length);
  if (key !== undefined) remember(script, token, key, rest);
  if (key !== undefined && script.arms.length > 0) script.unsure.add(key);
  if (key === 'AUTOCOMMIT') {
    script.autocommit = value === '' || ON.has(value.toLowerCase());
    if (!script.autocommit)
      script.scope.declare?.settings.push({ at, key, value, effect: 'autocommit is off', of: 'psql' });
  }
  if (key !== 'ON_ERROR_ROLLBACK') return;
  const settings = script.scope.declare?.settings;
  if (script.unused && script.arms.length === 0) settings?.splice(settings.indexOf(script.unused), 1);
  script.unused = null;
  if (script.arms.length === 0) setTo(script.sent, null);
  // `interactive` does nothing in a script; in .psqlrc it is for people at a terminal.
  if (command === 'unset' || (value !== '' && !ON.has(value.toLowerCase()))) return;
  const setting: Setting = {
    at,
    key,
    value: value || 'on',
    effect: 'savepoint per statement',
    of: 'psql',
    releases: true,
  };
  settings?.push(setting);
  script.unused = setting;
  setTo(script.sent, setting);
}

/** Commands under which nothing is sent. */
const QUIET = new Set(['set', 'unset', 'echo', 'pset', 'timing', 'qecho', 'warn', 'x', 'a', 't']);
