// Django's conventions that are no calls: settings, migrations. Its calls are a table under frameworks.
import type { Alias, Name, Setting, Step, Unit } from '../../../ir.ts';
import { seriesBeside } from '../../sql/tools/home.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Body, expr } from '../bodies/expressions.ts';
import { type Maker, newBody } from '../bodies/routines.ts';
import { members } from '../classes/classes.ts';
import { argument, keyword } from '../names/arguments.ts';
import { replacedBy } from '../names/knowledge.ts';
import { labelled } from '../names/labels.ts';
import { type ClassInfo, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';

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

/** DATABASES, wherever it stands and however it is made. */
export function settings(place: Place, root: Syntax): Setting[] {
  const out: Setting[] = [];
  const look = (list: Syntax[], depth: number) => {
    for (const one of list) {
      const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
      if (assignment?.type === 'assignment') database(place, assignment, out);
      else if (assignment?.type === 'call') updated(place, assignment, out);
      else if (depth < 4 && /^(if|try|with)_statement$|_clause$|^block$/.test(one.type))
        look(one.children, depth + 1);
      else if (depth < 4 && one.type === 'class_definition') look(members(one), depth + 1); // django-configurations
    }
  };
  look(root.children, 0);
  const below = programOf(place.file.file);
  return out.map((one) => ({ ...one, below }));
}

/** The folder of the program whose settings a file has: that of `shop/settings.py` and `shop/settings/base.py` is the one above `shop`. */
const programOf = (file: string): string =>
  file
    .replace(/[^/]+$/, '')
    .replace(/(^|\/)settings\/$/, '$1')
    .replace(/[^/]+\/$/, '');

function database(place: Place, node: Syntax, out: Setting[]): void {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return;
  const text = textOf(place.file, left);
  if (text === 'DATABASES') {
    const made = right.type === 'call' && textOf(place.file, child(right, 'function')) === 'dict';
    for (const pair of made ? (child(right, 'arguments')?.children ?? []) : right.children) {
      const key = child(pair, 'key') ?? child(pair, 'name');
      const value = child(pair, 'value');
      const alias = key && (made ? textOf(place.file, key) : constantText(place, key));
      if (key && value) connection(place, alias, value, out);
    }
    return;
  }
  const at = /^DATABASES\[["'](\w+)["']\](?:\[["'](\w+)["']\])?$/.exec(text);
  if (at?.[2]) option(place, at[1], at[2], left, right, out);
  else if (at) connection(place, at[1], right, out);
}

/** `DATABASES["default"].update({"ATOMIC_REQUESTS": True})`, or with keywords. */
function updated(place: Place, call: Syntax, out: Setting[]): void {
  const alias = /^DATABASES\[["'](\w+)["']\]\.update$/.exec(textOf(place.file, child(call, 'function')))?.[1];
  if (alias) connection(place, alias, argument(call, 0) ?? call, out);
}

function connection(place: Place, alias: string | undefined, value: Syntax, out: Setting[]): void {
  if (value.type === 'dictionary')
    for (const pair of value.children) {
      const key = child(pair, 'key');
      const inner = child(pair, 'value');
      if (key && inner) option(place, alias, constantText(place, key), key, inner, out);
    }
  else if (value.type === 'call') {
    // env.db('DATABASE_URL', default='postgres://…'), dj_database_url.config(default=…), dict(ENGINE=…)
    for (const one of child(value, 'arguments')?.children ?? []) {
      const inner = one.type === 'keyword_argument' ? child(one, 'value') : one;
      const url = inner && constantText(place, inner);
      if (url && /^[\w+]+:\/\//.test(url)) uses(alias, url.split(/[:+]/, 1)[0]!, inner, out);
      const name = one.type === 'keyword_argument' ? textOf(place.file, child(one, 'name')!) : undefined;
      if (name && inner) option(place, alias, name, child(one, 'name')!, inner, out);
    }
  }
}

function option(
  place: Place,
  alias: string | undefined,
  key: string | undefined,
  at: Syntax,
  value: Syntax,
  out: Setting[],
): void {
  if (key === 'ENGINE') {
    const engine = constantText(place, value);
    if (engine) uses(alias, engine, value, out);
  }
  if (key !== 'ATOMIC_REQUESTS') return;
  const written = value.type === 'call' ? (keyword(place, value, 'default') ?? argument(value, 1)) : value;
  if (!written || textOf(place.file, written) !== 'True') return;
  out.push({
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
    const found = members(info.node).find(
      (one) => textOf(place.file, child(one.children[0] ?? one, 'left')) === name,
    );
    const value = found && child(found.children[0]!, 'right');
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
