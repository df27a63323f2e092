// Reads Liquibase's change logs in XML, YAML and JSON: the SQL inside, one change set a transaction. No other change is read.
import {
  emptyUnit,
  type ForeignKey,
  type Name,
  type Routine,
  type Span,
  type Step,
  type Unit,
  type Verb,
} from '../../../ir.ts';
import { pieces, type Source } from '../../source.ts';
import { lowerScript } from '../script.ts';
import { dialectOf } from '../text/dialect.ts';
import { holes } from '../text/holes.ts';
import type { SqlScope } from '../text/reader.ts';
import { isOurs } from './migrations.ts';

interface Part {
  text: string;
  start: number;
  end: number;
}

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'settings');
  if (!text.includes('databaseChangeLog')) return unit;
  unit.role = 'migration';
  unit.dialect = dialectOf(file, '');
  if (unit.dialect === 'other') return unit;
  unit.series = { name: `liquibase ${file.slice(0, file.lastIndexOf('/') + 1) || '.'}`, position: file };
  const log = createLog(unit);
  if (/\.xml$/i.test(file)) readXml(text, log);
  else if (/\.json$/i.test(file)) readJson(text, log);
  else readYaml(text, log);
  return unit;
}

// ---- what all three have in common -----------------------------------------------------------------------------

interface Log {
  property(name: string, value: string): void;
  changeSet(id: string, at: Span, runInTransaction: boolean): void;
  sql(parts: Part[]): void;
  file(path: string, relative: boolean, at: Span): void;
  include(path: string, relative: boolean, all: boolean): void;
  write(verb: Verb, table: string, at: Span): void;
  foreignKey(child: string, parent: string, at: Span, deferred: boolean): void;
}

const ident = (name: string) => (/^\w+$/.test(name) ? name.toLowerCase() : `"${name}"`);
const table = (name: string): Name => `sql:${name.split('.').map(ident).join('.')}`;

function createLog(unit: Unit): Log {
  let current: Routine | undefined;
  const properties = new Map<string, string>();
  const scope: SqlScope = { declare: unit, searchPath: null };
  const add = (steps: Step[]) => {
    if (steps.length === 0 || !current) return;
    if (current.body.length === 0) unit.routines.push(current);
    for (const step of steps) current.body.push(step);
  };
  return {
    changeSet(id, at, runInTransaction) {
      current = {
        name: `sql:"${unit.file}"."${id.replaceAll('"', "'")}"`, at, kind: 'script', entry: 'migration',
        startsIn: runInTransaction ? 'transaction' : 'autocommit', body: [],
      }; // biome-ignore format: what is known at once
    },
    property(name, value) {
      if (!properties.has(name) && IN_NAMES.test(value)) properties.set(name, value);
    },
    sql(parts) {
      const said = pieces(properties.size > 0 ? parts.flatMap((part) => filled(part, properties)) : parts);
      const source: Source = { text: holes(said.text), at: said.at };
      add(lowerScript(source, scope, { psql: false }));
    },
    file(path, relative, at) {
      add([{ kind: 'call', at, callee: `sql:"${locate(unit.file, path, relative)}"`, args: 0 }]);
    },
    include(path, relative, all) {
      const file = locate(unit.file, path, relative).replace(/\/*$/, all ? '/' : '');
      unit.mentions = [...(unit.mentions ?? []), { file, runs: true }];
    },
    write(verb, name, at) {
      add([{ kind: 'write', verb, at, relation: table(name), rows: verb === 'insert' ? 'one' : 'unknown' }]);
    },
    foreignKey(child, parent, at, deferred) {
      const key: ForeignKey = { at, child: table(child), parent: table(parent) };
      if (deferred) key.deferred = true;
      unit.foreignKeys.push(key);
    },
  };
}

/** Values that stand for names or parts of them; the first that a log gives counts. */
const IN_NAMES = /^\w+(?:\.\w+)*$/;

/** `${schema}.orders`, with what the log says of it. */
function filled({ text, start, end }: Part, properties: Map<string, string>): Part[] {
  if (!text.includes('${') || end - start !== text.length) return [{ text, start, end }];
  const parts: Part[] = [];
  let last = 0;
  for (const { 0: all, 1: name, index } of text.matchAll(/\$\{([\w.-]+)\}/g)) {
    const value = properties.get(name!);
    if (value === undefined) continue;
    if (index > last) parts.push({ text: text.slice(last, index), start: start + last, end: start + index });
    last = index + all.length;
    parts.push({ text: value, start: start + index, end: start + last });
  }
  if (last < text.length) parts.push({ text: text.slice(last), start: start + last, end });
  return parts;
}

/** A path is relative to the log, or to a root that holds the log as well: `src/main/resources`. */
function locate(file: string, path: string, relative: boolean): string {
  const clean = path.replace(/^(?:classpath:)?\/?/, '');
  const parts = file.split('/').slice(0, -1);
  if (!relative) {
    const root = parts.indexOf(clean.split('/')[0]!);
    return [...parts.slice(0, Math.max(0, root)), clean].join('/');
  }
  for (const part of clean.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  return parts.join('/');
}

/** `true` alone says so: the default differs. */
const isTrue = (value: string | undefined) => value?.trim().replace(/["']/g, '').toLowerCase() === 'true';
const isFalse = (value: string | undefined) => value?.trim().replace(/["']/g, '').toLowerCase() === 'false';

// ---- XML -------------------------------------------------------------------------------------------------------

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;
const TEXTS = new Set(['sql', 'createprocedure', 'createfunction', 'createtrigger']);

function readXml(text: string, log: Log): void {
  let collecting: Part[] | null = null;
  let last = 0;
  let skipping = 0;
  let ours = true;
  let logIsOurs = true;
  let inChangeSet = false;
  let inTable = '';
  /** What is open inside of the conditions that must hold before a change set, or the whole log, runs. */
  let conditions: string[] | null = null;
  for (const match of text.matchAll(MARKUP)) {
    const [all, data, closing, tag, attributes] = match;
    const start = match.index;
    if (collecting) entities(text, last, start, collecting);
    last = start + all.length;
    if (data !== undefined) {
      collecting?.push({ text: data, start: start + 9, end: start + 9 + data.length });
      continue;
    }
    if (tag === undefined) continue;
    const name = tag.slice(tag.indexOf(':') + 1).toLowerCase();
    const at = { start: start + 1, end: start + 1 + tag.length };
    const get = (...keys: string[]) =>
      new RegExp(`\\s(?:${keys.join('|')})\\s*=\\s*["']([^"']*)["']`).exec(attributes ?? '')?.[1];
    const alone = match[5] === '/';
    if (closing) {
      if (name === 'rollback' && skipping > 0) skipping--;
      if (name === 'preconditions') conditions = null;
      conditions?.pop();
      if (collecting && TEXTS.has(name)) {
        if (ours && skipping === 0) log.sql(collecting);
        collecting = null;
      }
      continue;
    }
    if (name === 'rollback' && !alone) skipping++;
    // With a warning it runs all the same.
    if (name === 'preconditions' && !alone && get('onFail') !== 'WARN') conditions = [];
    else if (conditions && name === 'dbms' && another(get('type'), conditions)) {
      if (inChangeSet) ours = false;
      else logIsOurs = false;
    }
    if (conditions && name !== 'preconditions' && !alone) conditions.push(name);
    if (name === 'changeset') {
      inChangeSet = true;
      ours = logIsOurs && isOurs(get('dbms'));
      log.changeSet(`${get('author') ?? ''}:${get('id') ?? ''}`, at, !isFalse(get('runInTransaction')));
    }
    if (name === 'createtable') inTable = get('tableName') ?? '';
    if (skipping > 0 || !ours) continue;
    if (TEXTS.has(name) && !alone && isOurs(get('dbms'))) collecting = [];
    else if (name === 'sqlfile' && isOurs(get('dbms')) && get('path'))
      log.file(get('path')!, isTrue(get('relativeToChangelogFile')), at);
    else if (name === 'property' && isOurs(get('dbms')) && get('name') && get('value'))
      log.property(get('name')!, get('value')!);
    else if ((name === 'include' || name === 'includeall') && get('file', 'path'))
      log.include(get('file', 'path')!, isTrue(get('relativeToChangelogFile')), name === 'includeall');
    else if ((name === 'insert' || name === 'update' || name === 'delete') && get('tableName'))
      log.write(name, get('tableName')!, at);
    else if (name === 'addforeignkeyconstraint' && get('baseTableName') && get('referencedTableName'))
      log.foreignKey(
        get('baseTableName')!,
        get('referencedTableName')!,
        at,
        isTrue(get('initiallyDeferred')),
      );
    else if (name === 'constraints' && inTable && get('references'))
      log.foreignKey(
        inTable,
        get('references')!.replace(/\s*\(.*$/, ''),
        at,
        isTrue(get('initiallyDeferred')),
      );
  }
}

/** Whether a condition on the database keeps PostgreSQL out; of several that may hold none does. */
function another(dbms: string | undefined, within: string[]): boolean {
  if (!dbms || within.includes('or')) return false;
  return within.includes('not') ? /postgres/i.test(dbms) : !isOurs(dbms);
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function entities(text: string, from: number, to: number, parts: Part[]): void {
  let last = from;
  for (let i = text.indexOf('&', from); i >= 0 && i < to; i = text.indexOf('&', i + 1)) {
    const found = /^&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([\da-f]+));/i.exec(text.slice(i, i + 12));
    if (!found) continue;
    if (i > last) parts.push({ text: text.slice(last, i), start: last, end: i });
    const code = found[2] ? Number(found[2]) : Number.parseInt(found[3] ?? '20', 16);
    parts.push({
      text: ENTITIES[found[1] ?? ''] ?? String.fromCharCode(code),
      start: i,
      end: i + found[0].length,
    });
    last = i + found[0].length;
  }
  if (to > last) parts.push({ text: text.slice(last, to), start: last, end: to });
}

// ---- YAML and JSON ---------------------------------------------------------------------------------------------

/** Lines `key: value`, with block texts below; enough for the texts that a change log holds. */
function readYaml(text: string, log: Log): void {
  const lines: Part[] = [];
  for (const { 0: whole, 1: line, index } of text.matchAll(/([^\r\n]*)(?:\r?\n|\r|$)/g))
    lines.push({ text: line!, start: index, end: index + whole.length });
  let rollback = Number.POSITIVE_INFINITY;
  for (let i = 0; i < lines.length; i++) {
    const { text: line, start } = lines[i]!;
    const key = /^(\s*(?:-\s+)*)(["']?)([\w.]+)\2\s*:\s*(.*)$/.exec(line);
    if (!key) continue;
    const indent = key[1]!.length;
    if (indent <= rollback) rollback = Number.POSITIVE_INFINITY;
    const name = key[3]!;
    const at = { start: start + indent, end: start + indent + name.length };
    if (name === 'changeSet') {
      const head = headOf(lines, i + 1);
      const dbms = /^[ \t]*(?:-\s+)?dbms[ \t]*:[ \t]*["']?([^"'\s][^"'\n]*)/m.exec(head)?.[1];
      const must = /\bdbms\s*:\s*\{?\s*["']?type["']?\s*:\s*["']?([\w, !]+)/.exec(head)?.[1];
      const within = [...head.matchAll(/\b(or|not)\s*:/g)].map((match) => match[1]!);
      const ours = isOurs(/^\{/.test(dbms ?? '') ? undefined : dbms) && !another(must, within);
      const id = /^[ \t]*(?:-\s+)?["']?id["']?\s*:\s*["']?([^"'\n]*)/m.exec(head)?.[1] ?? '';
      log.changeSet(id.trim(), at, !/^[ \t]*(?:-\s+)?runInTransaction\s*:\s*["']?false/m.test(head));
      // What is another database's is passed over as what rolls back is.
      if (!ours) rollback = indent;
    } else if (name === 'include' || name === 'includeAll' || name === 'sqlFile')
      mention(
        log,
        name,
        lines
          .slice(i, i + 6)
          .map((next) => next.text)
          .join('\n'),
        at,
      );
    else if (name === 'rollback') rollback = indent;
    else if (name === 'property') {
      const own = ownOf(
        lines
          .slice(i, i + 6)
          .map((next) => next.text)
          .join('\n'),
      );
      if (isOurs(saidOf(own, 'dbms')) && saidOf(own, 'name') && saidOf(own, 'value'))
        log.property(saidOf(own, 'name')!, saidOf(own, 'value')!);
    } else if (
      (name === 'sql' || name === 'procedureBody') &&
      key[4] !== '' &&
      rollback === Number.POSITIVE_INFINITY
    ) {
      const block = /^[|>]/.test(key[4]!);
      if (block) i = blockOf(lines, i, indent, log);
      else log.sql([quoted(line, start, line.length - key[4]!.length)]);
    }
  }
}

/** The lines that say what a change set is, up to the next one's. */
function headOf(lines: Part[], from: number): string {
  const head = lines.slice(from, from + 14).map((next) => next.text);
  const next = head.findIndex((line) => /\bchangeSet["']?\s*:/.test(line));
  return head.slice(0, next < 0 ? head.length : next).join('\n');
}

/** Up to the next of a list. */
const ownOf = (text: string): string => text.replace(/(?!^)\n\s*-[\s\S]*$|\}[\s\S]*$/, '');
const saidOf = (own: string, key: string) =>
  new RegExp(`["']?\\b${key}["']?\\s*:\\s*["']?([^"'\\s,}]+)`).exec(own)?.[1];

/** What `include`, `includeAll` and `sqlFile` name in the lines that follow, up to the next of a list. */
function mention(log: Log, name: string, text: string, at: Span): void {
  const own = ownOf(text);
  const get = (key: string) => saidOf(own, key);
  const path = get('file') ?? get('path');
  if (!path) return;
  const relative = isTrue(get('relativeToChangelogFile'));
  if (name === 'sqlFile') log.file(path, relative, at);
  else log.include(path, relative, name === 'includeAll');
}

/** The deeper lines under `sql: |`; returns the last of them. */
function blockOf(lines: Part[], key: number, indent: number, log: Log): number {
  const parts: Part[] = [];
  let i = key + 1;
  for (; i < lines.length; i++) {
    const { text, start, end } = lines[i]!;
    if (text.trim() !== '' && text.search(/\S/) <= indent) break;
    parts.push({ text, start, end: start + text.length }, { text: '\n', start: start + text.length, end });
  }
  log.sql(parts);
  return i - 1;
}

function quoted(line: string, start: number, from: number): Part {
  const value = line.slice(from).trimEnd();
  const inner = /^(["'])(.*)\1$/.exec(value);
  const shift = inner ? 1 : 0;
  const said = inner ? inner[2]! : value;
  return { text: said, start: start + from + shift, end: start + from + shift + said.length };
}

const JSON_KEYS =
  /"(changeSet|sql|procedureBody|include|includeAll|sqlFile|rollback)"\s*:\s*(?:"((?:[^"\\]|\\.)*)")?/g;

/** After the object, list or string that starts here. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (const match of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (match[0] === '{' || match[0] === '[') depth++;
    else if (match[0] === '}' || match[0] === ']') depth--;
    if (depth <= 0) return from + match.index + match[0].length;
  }
  return text.length;
}

function readJson(text: string, log: Log): void {
  let from = 0;
  for (const match of text.matchAll(JSON_KEYS)) {
    if (match.index < from) continue;
    const at = { start: match.index, end: match.index + match[1]!.length + 2 };
    if (match[1] === 'changeSet') {
      const head = text.slice(match.index + 11, match.index + 600).split('"changeSet"', 1)[0]!;
      const must = /"dbms"\s*:\s*\{\s*"type"\s*:\s*"([^"]*)"/.exec(head)?.[1];
      const within = [...head.matchAll(/"(or|not)"\s*:/g)].map((inner) => inner[1]!);
      if (!isOurs(/"dbms"\s*:\s*"([^"]*)"/.exec(head)?.[1]) || another(must, within))
        from = endOfValue(text, match.index + 11);
      log.changeSet(
        /"id"\s*:\s*"?([^",}]*)/.exec(head)?.[1] ?? '',
        at,
        !/"runInTransaction"\s*:\s*"?false/.test(head),
      );
    } else if (match[1] === 'rollback') from = endOfValue(text, match.index + 10);
    else if (/^(?:include|sqlFile)/.test(match[1]!))
      mention(log, match[1]!, text.slice(match.index, match.index + 600), at);
    else if (match[2] !== undefined)
      log.sql(escapes(match[2], match.index + match[0].length - 1 - match[2].length));
  }
}

function escapes(value: string, start: number): Part[] {
  const said: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
  return [...value.matchAll(/\\(.)|[^\\]+/g)].map((match) => ({
    text: match[1] === undefined ? match[0] : (said[match[1]] ?? match[1]),
    start: start + match.index,
    end: start + match.index + match[0].length,
  }));
}
