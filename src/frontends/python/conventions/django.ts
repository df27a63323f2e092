// Django's conventions that are no calls: settings, migrations. Its calls are a table under frameworks.
import type { Alias, Name, Setting, Step, Unit } from '../../../ir.ts';
import { seriesBeside } from '../../sql/tools/home.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Body, expr } from '../bodies/expressions.ts';
import { type Maker, newBody } from '../bodies/routines.ts';
import { attributeOf, members } from '../classes/classes.ts';
import { bound } from '../counts/bounds.ts';
import { mostOf } from '../counts/counted.ts';
import { argument, keyword } from '../names/arguments.ts';
import { given, isConstantName } from '../names/assignments.ts';
import { replacedBy, settingsObjects } from '../names/knowledge.ts';
import { labelled } from '../names/labels.ts';
import { type ClassInfo, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { listed } from './middleware.ts';

// ---- settings

/** `AUTH_USER_MODEL = "shop.User"`: the class that takes the place of the framework's. */
export function replacements(place: Place, root: Syntax): Alias[] {
  return root.children.flatMap((one): Alias[] => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const [left, right] =
      assignment?.type === 'assignment' ? [child(assignment, 'left'), child(assignment, 'right')] : [];
    const to = right?.type === 'string' ? labelled(constantText(place, right)) : undefined;
    return to
      ? replacedBy(textOf(place.file, left)).map((from) => ({ from: `python:${from}`, to: `python:${to}` }))
      : [];
  });
}

/** `OUTBOX_BATCH = 20`: others ask the framework's object for it. A number that the environment may say is usually so many. */
export function numbers(place: Place, root: Syntax): NonNullable<Unit['lists']> {
  if (!SETTINGS.test(place.file.module) && !APPS.test(place.file.text)) return [];
  const all = given(place, root);
  return root.children.flatMap((one) => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const [left, right] =
      assignment?.type === 'assignment' ? [child(assignment, 'left'), child(assignment, 'right')] : [];
    const name = textOf(place.file, left);
    if (!right || !isConstantName(name) || all.get(name)?.length !== 1) return [];
    const items = mostOf(place, right);
    const usually = items === null && bound(place, right)?.certainty === 'likely';
    if (items === null ? !usually : items < 1) return [];
    return settingsObjects.map((path) => ({
      name: `python:${path}.${name}` as Name,
      items: items ?? 0,
      ...(usually && { usually: true as const }),
    }));
  });
}

const SETTINGS = /(?:^|\.)settings(?:\.|$)/;
const APPS = /^INSTALLED_APPS\b/m;

/** Says something of the database of this alias. */
type Says = (alias: string | undefined) => void;

/** What a file says of its databases: the settings so far, and what its variables say of whatever database they are given for. */
interface Said extends Place {
  out: Setting[];
  variables: Map<string, Says[]>;
}

/** DATABASES, wherever it stands and however it is made. */
export function settings(place: Place, root: Syntax): Setting[] {
  const said: Said = { ...place, out: [], variables: new Map() };
  const look = (list: Syntax[], depth: number) => {
    for (const one of list) {
      const statement = one.type === 'expression_statement' ? one.children[0] : undefined;
      if (statement?.type === 'assignment') database(said, statement);
      else if (statement?.type === 'call') updated(said, statement);
      else if (depth < 4 && /^(if|try|with)_statement$|_clause$|^block$/.test(one.type))
        look(one.children, depth + 1);
      else if (depth < 4 && one.type === 'class_definition')
        look(members(one), depth + 1); // django-configurations
      else if (one.type === 'for_statement') ofEach(said, one);
    }
  };
  look(root.children, 0);
  const below = programOf(place.file.file);
  return said.out.map((one) => ({ ...one, below }));
}

/** The folder of the program whose settings a file has: that of `shop/settings.py` and `shop/settings/base.py` is the one above `shop`. */
const programOf = (file: string): string =>
  file
    .replace(/[^/]+$/, '')
    .replace(/(^|\/)settings\/$/, '$1')
    .replace(/[^/]+\/$/, '');

function database(c: Said, node: Syntax): void {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return;
  const text = textOf(c.file, left);
  if (/^MIDDLEWARE(?:_CLASSES)?$/.test(text)) c.out.push(...listed(c, right));
  if (text === 'DATABASES') {
    const made = right.type === 'call' && textOf(c.file, child(right, 'function')) === 'dict';
    for (const pair of made ? (child(right, 'arguments')?.children ?? []) : right.children) {
      const key = child(pair, 'key') ?? child(pair, 'name');
      const value = child(pair, 'value');
      const alias = key && (made ? textOf(c.file, key) : constantText(c, key));
      if (key && value) connection(c, alias, value);
    }
    return;
  }
  const at = /^DATABASES\[["'](\w+)["']\](?:\[["'](\w+)["']\])?$/.exec(text);
  if (at?.[2]) option(c, at[1], at[2], left, right);
  else if (at) connection(c, at[1], right);
  else if (left.type === 'identifier') c.variables.set(text, says(c, right));
  const [, variable, key] = /^(\w+)\[["'](\w+)["']\]$/.exec(text) ?? [];
  c.variables.get(variable!)?.push((alias) => option(c, alias, key, left, right));
}

/** `DATABASES["default"].update({"ATOMIC_REQUESTS": True})`, or with keywords. */
function updated(c: Said, call: Syntax): void {
  const callee = textOf(c.file, child(call, 'function'));
  const its = argument(call, 0) ?? call;
  const alias = /^DATABASES\[["'](\w+)["']\]\.update$/.exec(callee)?.[1];
  if (alias) connection(c, alias, its);
  const variable = /^(\w+)\.update$/.exec(callee)?.[1];
  c.variables.get(variable!)?.push(...says(c, its));
}

/** `for database in DATABASES.values(): database["ATOMIC_REQUESTS"] = True` */
function ofEach(c: Said, loop: Syntax): void {
  if (!/^DATABASES\b/.test(textOf(c.file, child(loop, 'right')))) return;
  for (const { children } of child(loop, 'body')?.children ?? []) {
    const left = children[0]?.type === 'assignment' ? child(children[0], 'left') : undefined;
    const key = left && /\[["'](\w+)["']\]$/.exec(textOf(c.file, left))?.[1];
    if (key) option(c, 'default', key, left, child(children[0]!, 'right')!);
  }
}

function connection(c: Said, alias: string | undefined, value: Syntax): void {
  for (const say of says(c, value)) say(alias);
}

/** What a value says of the database that it is given for; what is done to a variable later, it does not say. */
function says(c: Said, value: Syntax): Says[] {
  if (value.type === 'identifier') return [...(c.variables.get(textOf(c.file, value)) ?? [])];
  // BASE | {"NAME": "shop"}
  if (value.type === 'binary_operator') return value.children.flatMap((one) => says(c, one));
  if (value.type === 'dictionary')
    return value.children.flatMap((pair) => {
      const key = child(pair, 'key');
      const inner = child(pair, 'value');
      // {**BASE, "NAME": "shop"}
      if (pair.type === 'dictionary_splat') return says(c, pair.children[0]!);
      return key && inner ? [(alias) => option(c, alias, constantText(c, key), key, inner)] : [];
    });
  if (value.type !== 'call') return [];
  // BASE.copy()
  const callee = child(value, 'function');
  const copied = /\.copy$/.test(textOf(c.file, callee)) ? child(callee!, 'object') : undefined;
  const all = copied ? says(c, copied) : [];
  // env.db('DATABASE_URL', default='postgres://…'), dj_database_url.config(default=…), dict(ENGINE=…), deepcopy(BASE)
  for (const one of child(value, 'arguments')?.children ?? []) {
    const word = one.type === 'keyword_argument' ? child(one, 'name') : undefined;
    const inner = word ? child(one, 'value') : one;
    const url = inner && constantText(c, inner);
    if (url && /^[\w+]+:\/\//.test(url))
      all.push((alias) => uses(alias, url.split(/[:+]/, 1)[0]!, inner, c.out));
    if (word && inner) all.push((alias) => option(c, alias, textOf(c.file, word), word, inner));
    else if (one.type === 'identifier') all.push(...says(c, one));
    else if (one.type === 'dictionary_splat') all.push(...says(c, one.children[0]!));
  }
  return all;
}

function option(
  c: Said,
  alias: string | undefined,
  key: string | undefined,
  at: Syntax,
  value: Syntax,
): void {
  if (key === 'ENGINE') {
    const engine = constantText(c, value);
    if (engine) uses(alias, engine, value, c.out);
  }
  if (key !== 'ATOMIC_REQUESTS') return;
  const written = value.type === 'call' ? (keyword(c, value, 'default') ?? argument(value, 1)) : value;
  if (!written || textOf(c.file, written) !== 'True') return;
  c.out.push({
    at: { start: at.start, end: at.end },
    key: 'ATOMIC_REQUESTS',
    value: 'True',
    effect: 'requests run in a transaction',
    of: 'django',
    ...(alias && alias !== 'default' ? { on: alias } : {}),
  });
}

function uses(alias: string | undefined, engine: string, at: Syntax, out: Setting[]): void {
  const value = /postg|pgsql|timescale|cockroach/i.test(engine)
    ? 'postgresql'
    : (/mysql|mariadb|sqlite|oracle|mssql|sqlserver/i.exec(engine)?.[0].toLowerCase() ?? undefined);
  if (!value) return;
  out.push({
    at: { start: at.start, end: at.end },
    key: 'ENGINE',
    value: value === 'mssql' ? 'sqlserver' : value,
    effect: 'uses database',
    of: 'django',
    listed: true,
    ...(alias && alias !== 'default' ? { on: alias } : {}),
  });
}

/** `label` of an AppConfig: the tables of the app's models begin with it, and others name the models by it. */
export function appConfig(place: Place, info: ClassInfo, unit: Unit): void {
  if (!info.bases.some((base) => base.endsWith('AppConfig'))) return;
  const said = (name: string) => {
    const value = attributeOf(place, info.node, name);
    return value && constantText(place, value);
  };
  const folder = place.file.module.split('.').slice(0, -1);
  const [label, usual] = [said('label'), folder.at(-1)];
  const its = said('name')?.split('.').at(-1) === usual;
  if (!label || !usual || !its || label === usual) return;
  const below: Name = `python:${folder.join('.')}`;
  unit.prefixes ??= [];
  unit.prefixes.push({ below, usual: usual.toLowerCase(), says: label.toLowerCase() });
  unit.aliases.push({ from: `python:${label}.models`, to: `${below}.models` });
}

// ---- migrations

/** `operations` of a Migration, run in order; a transaction surrounds them unless `atomic = False`. */
export function migration(place: Place, maker: Maker, info: ClassInfo, unit: Unit): void {
  if (!info.bases.includes('django.db.migrations.Migration')) return;
  let atomic = true;
  const word = child(info.node, 'name')!;
  const c: Body = newBody({ ...place, cls: info }, maker, place.scope, false);
  const body: Step[] = [];
  for (const one of members(info.node)) {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const left = assignment?.type === 'assignment' ? child(assignment, 'left') : undefined;
    if (!left) continue;
    const right = child(assignment!, 'right');
    if (textOf(place.file, left) === 'atomic' && right?.type === 'false') atomic = false;
    if (textOf(place.file, left) === 'operations') body.push(...expr(c, right));
  }
  const position = place.file.module.split('.').at(-1)!;
  unit.role = 'migration';
  // Files of SQL beside them are what some of them read, and are run with those.
  const name = seriesBeside(unit.file) ?? `django:${place.file.module.split('.').slice(0, -1).join('.')}`;
  unit.series = { name, position };
  if (body.length === 0) return;
  maker.out.push({
    name: `python:${info.path}`,
    at: { start: word.start, end: word.end },
    kind: 'script',
    entry: 'migration',
    startsIn: atomic ? 'transaction' : 'autocommit',
    body,
  });
}

/** The functions that only take a migration back: `RunPython(make, unmake)`. */
export function goingBack(place: Place, root: Syntax): Set<string> {
  const out = new Set<string>();
  const waiting = place.file.text.includes('RunPython') ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    waiting.push(...node.children);
    const callee = node.type === 'call' ? child(node, 'function') : undefined;
    if (!callee || resolve(place, callee)?.path !== 'django.db.migrations.RunPython') continue;
    const [there, back] = [
      argument(node, 0) ?? keyword(place, node, 'code'),
      argument(node, 1) ?? keyword(place, node, 'reverse_code'),
    ].map((one) => (one ? resolve(place, one)?.path : undefined));
    if (back !== undefined && back !== there) out.add(back);
  }
  return out;
}
