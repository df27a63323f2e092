// The Python front end: one file of Python as a unit.

import type { Meaning } from '../../framework.ts';
import { emptyUnit, type Name, PLACES, type Routine, type Setting, type Step, type Unit } from '../../ir.ts';
import { isOfConnection, readHandedOver } from '../settings/savepoints.ts';
import { pieces } from '../source.ts';
import { blocksOf, handedRoutine, lowerEmbeddedUnit } from '../sql/queries/embedded.ts';
import type { Declarations } from '../sql/text/reader.ts';
import { child, noteFaults, type Syntax } from '../syntax.ts';
import { callbacks, called, calling } from './bodies/expressions.ts';
import { countOf, membersOf } from './bodies/loops.ts';
import { routineOf } from './bodies/managers.ts';
import { classRoutines, type Maker, newBody, renamed, routine, script } from './bodies/routines.ts';
import { boundBy } from './calls/bound.ts';
import { understand } from './calls/calls.ts';
import { startOf } from './calls/handed.ts';
import { dropping, texts } from './calls/text.ts';
import { handedApart, keptApart } from './classes/apart.ts';
import { calledAttributes } from './classes/attributes.ts';
import { makes } from './classes/chosen.ts';
import {
  byLabel,
  declareClass,
  foreignKeys,
  goesWith,
  madeTypes,
  manages,
  members,
  readFields,
  typeDeclaration,
} from './classes/classes.ts';
import { attributesOf, lends } from './classes/declares.ts';
import { alsoRuns, registeredTo } from './classes/dispatch.ts';
import { allKeys } from './classes/keys.ts';
import { madeOf } from './classes/managers.ts';
import { readViews } from './classes/metas.ts';
import { alembicSeries, withoutMarks } from './conventions/alembic.ts';
import { writesThrough } from './conventions/connected.ts';
import { appConfig, goingBack, migration, numbers, replacements, settings } from './conventions/django.ts';
import { engines } from './conventions/engines.ts';
import { saving } from './conventions/forms.ts';
import { middleware } from './conventions/middleware.ts';
import { connected, listening, ownModel, receivers } from './conventions/signals.ts';
import { written } from './counts/lengths.ts';
import {
  another,
  classesOf,
  foreignTo,
  givesAnother,
  isOpener,
  isShared,
  lineage,
  linksBy,
  member,
} from './names/knowledge.ts';
import { bindImport, type File, moduleOf, type Place, scope, type Type, textOf } from './names/scope.ts';
import type { Piece } from './names/strings.ts';
import { isClassLike, resolve } from './names/values.ts';
import { becomes, bindTarget, setting } from './names/variables.ts';
import { parse } from './syntax/parse.ts';

interface Found {
  classes: { node: Syntax; path: string }[];
  functions: { node: Syntax; path: string }[];
}

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'python');
  const parsed = parse(text);
  const { root } = parsed;
  noteFaults(unit, parsed);
  const { module, isPackage } = moduleOf(file);
  const top = scope('module', module, null);
  const its: File = {
    file,
    text,
    module,
    isPackage,
    isForeign: foreignTo(module),
    root,
    top,
    stars: [],
    imported: new Set(),
    classes: new Map(),
    made: new Map(),
    functions: new Set(),
    managers: new Set(),
    properties: new Set(),
    handed: new Map(),
    run: new Set(),
    lengthened: new Map(),
    lent: new Set(),
    kept: new Map(),
  };
  const place: Place = { file: its, scope: top, known: new Map() };
  unit.role = roleOf(file);
  const found: Found = { classes: [], functions: [] };
  names(place, root.children, found, unit, 0);
  unit.dialect = dialectOf(its);
  place.known.clear(); // what was asked before all names were known may be wrong
  for (const { path } of found.classes) readFields(place, its.classes.get(path)!);
  for (const { path } of found.classes) readViews(place, its.classes.get(path)!);
  place.known.clear();
  const maker: Maker = {
    out: unit.routines,
    role: unit.role,
    isCommand: /(^|\/)management\/commands\//.test(file),
    shared: {
      callbacksOf: callbacks,
      sql: (c, node, only) => sql(c, node, unit, only),
      exit: (type) => {
        const flat = member(type.path, '__exit__')?.flat;
        return flat === 'commit' || flat === 'rollback' ? flat : undefined;
      },
    },
  };
  routines(place, maker, root, found, unit);
  const returns = new Map(
    unit.routines.flatMap((one) => (one.returns ? [[one.name, one.returns]] : [])) as [string, Name][],
  );
  for (const { path } of found.classes) {
    const info = its.classes.get(path)!;
    const attributes = attributesOf(place, info);
    const lent = lends(place, info);
    const keys = allKeys(place, info);
    const apart = keptApart(place, info);
    const along = goesWith(place, info);
    unit.types.push({
      ...typeDeclaration(place, info, returns),
      ...(attributes && { attributes }),
      ...(keys && { keys }),
      ...(apart && { apart }),
      ...(along.length > 0 && { goesWith: along }),
      ...(lent.length > 0 && { lends: lent }),
    });
    unit.foreignKeys.push(...foreignKeys(place, info));
    unit.aliases.push(...byLabel(place, info));
    const small = !TOLD.test(path);
    for (const one of members(info.node))
      if (one.children[0]?.type === 'assignment')
        lists(unit, written(place, path, one.children[0], small, countOf(place)));
    const items = membersOf(info);
    if (items) lists(unit, [{ name: `python:${path}`, items }]);
    appConfig(place, info, unit);
  }
  unit.types.push(...madeTypes(its));
  for (const name of its.lent)
    for (const { of, gives } of linksBy(name))
      unit.aliases.push({ from: `python:${of}.${name}()`, to: `python:${gives}` });
  const apart = handedApart(place, root);
  if (apart.length > 0) unit.apart = apart;
  if (/DATABASES/.test(text)) unit.settings.push(...settings(place, root));
  lists(unit, numbers(place, root));
  unit.settings.push(...middleware(place, root, unit));
  unit.settings.push(...engines(place, root, unit.role));
  if (/^AUTH_USER_MODEL\b/m.test(text)) unit.aliases.push(...replacements(place, root));
  handedTexts(its, unit);
  readHandedOver(text, unit);
  if (unit.settings.some(isOfConnection))
    unit.settings = unit.settings.flatMap((one) => weighed(place, root, one));
  return unit;
}

/** What nobody wrote down is nothing where it comes to little, and sure where it comes to much. */
function weighed(place: Place, root: Syntax, setting: Setting): Setting[] {
  const most = isOfConnection(setting) ? writesThrough(place, root, setting.at.start) : null;
  if (most === null) return [setting];
  const { certainty, ...known } = setting;
  if (most > PLACES) return [known];
  return certainty === undefined ? [{ ...known, most }] : [];
}

function routines(place: Place, maker: Maker, root: Syntax, found: Found, unit: Unit): void {
  const series = unit.role === 'migration' ? alembicSeries(unit.file, place.file.text) : undefined;
  if (series) unit.series = series;
  for (const { path } of found.classes) migration(place, maker, place.file.classes.get(path)!, unit);
  const back = goingBack(place, root);
  maker.role = unit.role;
  const made = new Map<string, Routine>();
  const registered = new Map<string, number>();
  for (const { node, path } of found.functions) {
    const definition = node.type === 'decorated_definition' ? child(node, 'definition')! : node;
    const decorators = node.children.filter((one) => one.type === 'decorator');
    withoutMarks(unit, path, back.has(path), () => {
      const general = made.get(registeredTo(place, decorators) ?? '');
      // What is registered is mostly called `_`, all of it.
      const nth = (registered.get(path) ?? 0) + 1;
      const its = routine(place, maker, definition, decorators, general ? `${path}~${nth}` : path);
      if (general) {
        alsoRuns(general, its);
        registered.set(path, nth);
      } else {
        const other = made.get(path);
        // `if sys.version_info …: def work(): … else: def work(): …`
        if (other && isConditional(node)) {
          const arms = [other.body, its.body];
          other.body = [{ kind: 'branch', at: other.at, arms, exhaustive: true }];
          return;
        }
        made.set(path, its);
      }
      maker.out.push(its);
    });
    unit.triggers.push(...receivers(place, node, path));
  }
  for (const { node, path } of found.classes) classRoutines(place, maker, node, path);
  for (const one of root.children) {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const [left, right] = [assignment && child(assignment, 'left'), assignment && child(assignment, 'right')];
    if (assignment?.type !== 'assignment' || left?.type !== 'identifier' || !right) continue;
    const path = `${place.file.module}.${textOf(place.file, left)}`;
    renamed(place, maker, right, path);
    // `again = logged(work)`, `again = lambda row: work(row)`
    const runs =
      right.type === 'lambda' || makes(place, right)
        ? called(newBody(place, maker, place.scope, false), right)
        : null;
    if (runs?.some(({ kind }) => kind === 'call'))
      maker.out.push({ ...routineOf(right, path, runs), implied: true });
    const steps = STATEMENT.test(place.file.text.slice(right.start, right.end)) && ofText(place, right, unit);
    if (steps && steps.length > 0) maker.out.push({ ...routineOf(right, path, steps), implied: true });
  }
  place.known.clear(); // what a name is where the module stands still is another where it runs
  const own = script(place, maker, root);
  if (own) maker.out.push(own);
  for (const info of place.file.classes.values()) {
    const saves = newBody({ ...place, cls: info }, maker, place.scope, false);
    maker.out.push(...saving(place, info, (call) => calling(saves, call, { callbacks: [] })));
  }
  for (const info of place.file.classes.values())
    calledAttributes(place, info, maker.out, (at, node) => called(newBody(at, maker, at.scope, false), node));
  if (listens(place.file.text)) connections(place, root, unit);
}

/** Whether it says by a call who is told of what is written. */
const listens = (text: string): boolean =>
  (text.includes('.connect(') && /(pre|post)_(save|delete)/.test(text)) ||
  (text.includes('listen(') && /(before|after)_(insert|update|delete)/.test(text));

/** One of several definitions of a name, as a condition of the module says. */
const isConditional = (node: Syntax): boolean => {
  const around = node.parent?.type === 'block' ? node.parent.parent?.type : undefined;
  return (
    around !== undefined &&
    /^(if_statement|else_clause|elif_clause|except_clause|try_statement)$/.test(around)
  );
};

function connections(place: Place, root: Syntax, unit: Unit): void {
  const stack = [...root.children];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'import_from_statement' && node.parent?.parent?.type === 'function_definition')
      bindImport(place.file, place.scope, node);
    if (node.type === 'assignment') {
      const path = ownModel(place, child(node, 'right'));
      if (path) bindTarget(place, child(node, 'left')!, { path });
    }
    if (node.type === 'call') unit.triggers.push(...connected(place, node), ...listening(place, node));
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
}

/** What the top level of a module names, also under `if`, `try` and `with`. */
function names(place: Place, list: Syntax[], found: Found, unit: Unit, depth: number): void {
  const { file, scope: top } = place;
  for (const node of list) {
    if (node.type === 'import_statement' || node.type === 'import_from_statement') {
      for (const { name, path, relative } of bindImport(file, top, node))
        if (name === '*') unit.aliases.push({ from: `python:${file.module}.*`, to: `python:${path}.*` });
        else if (relative || file.isPackage || isOwn(file.module, path) || isOpener(path))
          unit.aliases.push({ from: `python:${file.module}.${name}`, to: `python:${path}` });
    } else if (/_definition$/.test(node.type)) define(place, node, found);
    else if (node.type === 'expression_statement') assign(place, node, unit);
    else if (depth < 12 && /^(if|try|with|for|while)_statement$|_clause$|^block$|^ERROR$/.test(node.type))
      names(place, node.children, found, unit, depth + 1);
  }
}

/** A package that this file is in too: what is imported from it may be imported from here. */
const isOwn = (module: string, path: string) => module.split('.').includes(path.split('.', 1)[0]!);

function define(place: Place, node: Syntax, found: Found): void {
  const definition = node.type === 'decorated_definition' ? child(node, 'definition') : node;
  const name = definition && child(definition, 'name');
  if (!definition || !name) return;
  const path = `${place.file.module}.${textOf(place.file, name)}`;
  place.scope.names.set(textOf(place.file, name), { path });
  if (definition.type === 'class_definition') {
    declareClass(place, definition, path);
    found.classes.push({ node, path });
  } else {
    place.file.functions.add(path);
    if (manages(place.file, node)) place.file.managers.add(path);
    found.functions.push({ node, path });
  }
}

function assign(place: Place, node: Syntax, unit: Unit): void {
  const assignment = node.children[0];
  // `conn.set_session(autocommit=True)`
  if (assignment?.type === 'call' && child(assignment, 'function')?.type === 'attribute') {
    const path = understand(place, assignment)?.meaning?.becomes;
    if (path) becomes(place, child(child(assignment, 'function')!, 'object'), path);
  }
  if (assignment?.type !== 'assignment') return;
  const left = child(assignment, 'left');
  const right = child(assignment, 'right');
  if (!left || !right) return;
  lists(unit, written(place, place.file.module, assignment, false, countOf(place)));
  if (left.type === 'attribute') {
    const owner = child(left, 'object');
    becomes(place, owner, setting(place, resolve(place, owner)?.type?.path, child(left, 'attribute'), right));
  }
  // `except ImportError: psycopg = None`: whatever uses the name runs where it was found.
  if (right.type === 'none' && place.scope.names.get(textOf(place.file, left))?.path) return;
  const bases = left.type === 'identifier' ? madeOf(place, right) : undefined;
  if (bases) {
    const path = `${place.file.module}.${textOf(place.file, left)}`;
    place.file.made.set(path, { bases, node: right });
    place.scope.names.set(textOf(place.file, left), { path });
    return;
  }
  const value = resolve(place, right);
  if (
    left.type === 'identifier' &&
    makes(place, right) &&
    place.file.text.includes(`${textOf(place.file, left)}(`)
  ) {
    place.scope.names.set(textOf(place.file, left), {
      path: `${place.file.module}.${textOf(place.file, left)}`,
    });
    return;
  }
  bindTarget(place, left, value ?? { code: right }, child(assignment, 'type'));
  // `db = PostgresqlDatabase(…)`, `ledger = Ledger()`: other modules import the object.
  const held = left.type === 'identifier' && value?.type && sharedAs(place, value.type);
  if (held) {
    const from: Name = `python:${place.file.module}.${textOf(place.file, left)}`;
    // Whoever calls it calls the object, and makes no other one.
    if (!place.file.isForeign(held)) unit.aliases.push({ from, to: `python:${held}.__call__` });
    unit.aliases.push({ from, to: `python:${held}` });
    if (held === another)
      for (const name of givesAnother())
        unit.aliases.push({
          from: `${from}${name === '()' ? '' : '.'}${name.replace(/(?:\(\))?$/, '()')}` as Name,
          to: `python:${held}`,
        });
  }
  // `class Order(db.Model)`, wherever `db` is imported.
  for (const [attribute, path] of left.type === 'identifier' && value?.type ? classesOf(value.type.path) : [])
    unit.aliases.push({
      from: `python:${place.file.module}.${textOf(place.file, left)}.${attribute}`,
      to: `python:${path}`,
    });
  // `enqueue = queue.enqueue`: another name for the same routine; `Base = declarative_base()`: one for a class.
  if (left.type === 'identifier' && value?.path && /^(identifier|attribute|call)$/.test(right.type))
    unit.aliases.push({
      from: `python:${place.file.module}.${textOf(place.file, left)}`,
      to: `python:${value.path}` as Name,
    });
}

/** The class by whose name other modules may know the object: a framework's, or one of the project's own that is made here. */
const sharedAs = (place: Place, { path, fresh }: Type): string | undefined =>
  lineage(path).find(isShared) ??
  (fresh && isClassLike(place, path) && !place.file.isForeign(path) ? path : undefined);

/** A constant that other files may execute: SQL that does something. What it creates is said where it is executed. */
const STATEMENT =
  /^[^"']*["'\s]*(?:--.*[\r\n]\s*)*(?:select|insert|update|delete|with|merge|call|do|copy|lock|truncate|savepoint|release|rollback|begin)\b/i;

function ofText(c: Place, node: Syntax, unit: Unit): Step[] {
  if (unit.dialect === 'other') return [];
  return texts(c, node).flatMap((parts) => {
    const made = lowerEmbeddedUnit(pieces(parts), unit.file);
    unit.routines.push(...blocksOf(made));
    return made.steps;
  });
}

/** Classes of which a framework reads what they have, and no loop does. */
const TOLD = /\.(?:Meta|Config|Migration)$/;

function lists(unit: Unit, all: NonNullable<Unit['lists']>): void {
  if (all.length === 0) return;
  unit.lists ??= [];
  unit.lists.push(...all);
}

/** SQL in a string: its steps here, what it creates in the unit. */
function sql(
  c: Place,
  node: Syntax | undefined,
  unit: Unit,
  only?: Meaning['only'],
  depth = 0,
): Step[] | null {
  if (unit.dialect === 'other') return [];
  const host = { text: c.file.text, bound: node && boundBy(c, node) };
  const read = (all: Piece[][]) =>
    all.flatMap((parts) => {
      const made = lowerEmbeddedUnit(pieces(parts), unit.file, host);
      c.file.run.add(startOf(parts));
      declare(unit, only === 'creates' ? { ...made, changes: [] } : made);
      return only === 'creates' ? [] : made.steps;
    });
  if (only === 'drops') return node ? read(dropping(c, node)) : null;
  // `for statement in STATEMENTS:` runs each of them in one turn.
  const among = node?.type === 'identifier' ? resolve(c, node)?.among : undefined;
  const each = among?.map((one) => texts(c, one)) ?? [];
  if (node && each.length > 0 && each.every((its) => its.length > 0))
    return each.flatMap((its): Step[] => {
      const body = read(its);
      const at = { start: node.start, end: node.end };
      return body.length > 0 ? [{ kind: 'block', at, once: 'in loop', body }] : [];
    });
  const held = node?.type === 'identifier' ? resolve(c, node)?.code : node;
  if (node && held?.type === 'conditional_expression' && depth < 12) {
    const at = { start: node.start, end: node.end };
    const read = [held.children[0], held.children[2]].map((one) => sql(c, one, unit, only, depth + 1));
    if (read.every((arm) => arm === null)) return null;
    const arms = read.map(
      (arm): Step[] => arm ?? [{ kind: 'opaque', at, why: 'SQL that is put together elsewhere' }],
    );
    return [{ kind: 'branch', at, arms, exhaustive: true }];
  }
  const all = texts(c, node);
  return all.length > 0 ? read(all) : null;
}

function declare(unit: Unit, made: Declarations): void {
  unit.routines.push(...made.routines);
  unit.triggers.push(...made.triggers);
  unit.relations.push(...made.relations);
  unit.foreignKeys.push(...made.foreignKeys);
  unit.aliases.push(...made.aliases);
  unit.changes.push(...made.changes);
  unit.settings.push(...made.settings);
}

/** What calls hand over is created by whoever runs it, and nobody hands over what nobody runs. What a framework runs is said there. */
function handedTexts({ handed, run }: File, unit: Unit): void {
  if (unit.dialect === 'other') return;
  for (const { name, at, made } of handed.values()) {
    for (const one of made) if (!run.has(one.start)) declare(unit, one);
    unit.routines.push(
      handedRoutine(
        name,
        at,
        made.flatMap(({ steps }) => steps),
      ),
    );
  }
}

function roleOf(file: string): Unit['role'] {
  const base = file.slice(file.lastIndexOf('/') + 1);
  if (/test/i.test(file) && TESTS.test(file)) return 'test';
  // What behave runs, the steps of a feature.
  if (/(^|\/)features\/(steps\/[^/]+|environment)\.py$/.test(file)) return 'test';
  // `testing.py` has what tests make their objects with.
  if (/^(test_.*|.*_tests?|tests|testing|conftest)\.py$/i.test(base)) return 'test';
  if (/(^|\/)(settings|config|conf)\/(test|testing|ci|e2e)\.py$/i.test(file)) return 'test';
  if (/(^|\/)migrations\/|(^|\/)(alembic|migrations?)\/versions\//.test(file)) return 'migration';
  return /(^|\/)(examples?|samples?|docs?|demos?)\/|^sandbox\//i.test(file) ? 'example' : 'product';
}

const TESTS = /(^|\/)(tests?|testing|test_\w+|\w+_tests?|unittests?|functional_tests|integration_tests)\//i;

const OTHERS = [
  'sqlite3',
  'aiosqlite',
  'pymysql',
  'MySQLdb',
  'mysql',
  'aiomysql',
  'cx_Oracle',
  'oracledb',
  'pymssql',
  'duckdb',
  'clickhouse_driver',
  'snowflake',
];
const OURS = [
  'psycopg',
  'psycopg2',
  'asyncpg',
  'aiopg',
  'pg8000',
  'django',
  'sqlalchemy',
  'sqlmodel',
  'peewee',
  'tortoise',
  'alembic',
  'odoo',
];

/** A file that speaks to another database alone. */
function dialectOf(file: File): Unit['dialect'] {
  const has = (list: string[]) => list.some((one) => file.imported.has(one));
  if (has(OTHERS) && !has(OURS)) return 'other';
  return has(OURS.slice(0, 5)) && !has(OTHERS) ? 'postgresql' : 'unknown';
}
