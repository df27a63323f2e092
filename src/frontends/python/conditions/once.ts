// Code that leaves its result behind and asks for it first: guards, lazy attributes, caching decorators. It lowers nothing itself.
import type { Block, Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { closed } from '../../unbroken.ts';
import { argument } from '../names/arguments.ts';
import { assignments, assignmentsOf, isConstantName } from '../names/assignments.ts';
import { lookup, type Place, textOf } from '../names/scope.ts';

const CACHES = /(^|\.)(lru_cache|cache|cached|cached_property|memoize|memoized|memoize_method|alru_cache)$/;

export const isCache = (written: string): boolean => CACHES.test(written);

/** What a decorator that caches remembers: the one result, or one for each of the arguments. */
export const remembers = (c: Place, written: string): Block['once'] =>
  !/cached_property$/.test(written) &&
  [...c.scope.names].some(([name, { parameter }]) => parameter && !/^(self|cls)$/.test(name))
    ? 'by key'
    : true;

/** The steps as a block that runs while its result is missing, or in the turn of a loop whose item it names. */
export function once(steps: Step[], how: Block['once'] = true, makes?: Name): Step[] {
  const [first] = steps;
  return first ? [{ kind: 'block', at: first.at, once: how, ...(makes && { makes }), body: steps }] : [];
}

/** The arm of an `if` or `elif`, which may be one that runs once. */
export function arm(c: Place, clause: Syntax, steps: Step[]): Step[] {
  const how = fills(c, clause) ?? (follows(c, clause) ? true : undefined);
  if (how) return once(steps, how);
  return picks(c, clause) ? once(steps, 'in loop') : steps;
}

/** `if order.done: return` at the top of a function that later sets `order.done`: what follows runs once for that order. */
export function guards(c: Place, node: Syntax, list: Syntax[], next: number): Block['once'] {
  if (node.parent?.parent?.type !== 'function_definition') return undefined;
  const rest = list[next];
  const answer = rest && (node.type === 'try_statement' ? tried(node) : returning(node));
  return answer && leaves(c, answer, rest.start, list.at(-1)!.end);
}

/** `try: return rates[day]` before what finds it out. */
function tried(node: Syntax): Syntax | undefined {
  const [first, second] = child(node, 'body')?.children ?? [];
  return first?.type === 'return_statement' && !second ? first.children[0] : undefined;
}

/** `except KeyError: …; rates[day] = rate` behind such a `try`. */
export function handles(c: Place, node: Syntax, clause: Syntax, steps: Step[]): Step[] {
  const answer = tried(node);
  const how = answer && leaves(c, answer, clause.start, clause.end);
  return how ? once(steps, how) : steps;
}

/** They run where no row is there, which nobody says of every turn. */
export const seldom = (steps: Step[]): Step[] =>
  steps.map((one) =>
    (one.kind === 'call' || one.kind === 'scope') && !one.certainty ? { ...one, certainty: 'likely' } : one,
  );

/** What the `if` asks whose end is a return, perhaps behind one that asks whether there is a cache at all. */
function returning(node: Syntax): Syntax | undefined {
  if (node.type !== 'if_statement' || node.children.some((one) => one.field === 'alternative'))
    return undefined;
  const last = child(node, 'consequence')?.children.findLast((one) => one.type !== 'comment');
  if (last?.type === 'if_statement') return returning(last);
  return last?.type === 'return_statement' ? child(node, 'condition') : undefined;
}

/** `if self._rate is None: self._rate = …` */
function fills(c: Place, node: Syntax): Block['once'] {
  const body = child(node, 'consequence');
  const condition = child(node, 'condition');
  return body && condition && leaves(c, condition, body.start, body.end);
}

/** What was asked for is left behind there: by the object that has it, or by a container for each of its keys. */
function leaves(c: Place, condition: Syntax, start: number, end: number): Block['once'] {
  const text = closed(c.file.text.slice(start, end));
  const kept = FILLS.test(text) ? keeps(c, condition, text) : undefined;
  if (kept) return kept;
  for (const name of asked(c, condition)) if (assigned(text, name)) return true;
  return undefined;
}

/** `if changed:`, where the flag is set to True only beside what such an `if` fills. */
function follows(c: Place, node: Syntax): boolean {
  const condition = child(node, 'condition');
  if (condition?.type !== 'identifier') return false;
  const name = textOf(c.file, condition);
  // Most flags are parameters.
  if (assignments(c, condition, name) < 2) return false;
  let held = false;
  for (const assignment of assignmentsOf(c, condition, name)) {
    const value = child(assignment, 'right')?.type;
    if (value === 'false') continue;
    const clause = assignment.parent?.parent?.parent;
    if (value !== 'true' || !clause || !/^(if_statement|elif_clause)$/.test(clause.type)) return false;
    if (!fills(c, clause)) return false;
    held = true;
  }
  return held;
}

const NAMES_ONE = /^(id|pk|uuid|slug|codename|(\w+_)?name)$/;

/** An item that is itself what tells it from the others: of a dictionary, of a form, of files. */
const IS_ONE = /^(k|key|field|uuid|slug|codename|name|\w+_(name|key|id|slug))$/;

/** `for role in roles: … if role.name == "owner":`, `for key, value in data.items(): … if key == "total":` */
function picks(c: Place, node: Syntax): boolean {
  const condition = child(node, 'condition');
  const loop = loopAround(node);
  if (!condition || !loop) return false;
  const items = (textOf(c.file, child(loop, 'left')).match(/\w+/g) ?? []) as string[];
  return equals(c, condition).some(([asked, value]) => {
    if (!isConstant(c, value)) return false;
    const text = textOf(c.file, asked).replace(/\.(lower|upper|casefold|strip)\(\)/g, '');
    if (/^\w+$/.test(text)) return items.includes(text) && IS_ONE.test(text);
    const match = /^(\w+)(?:\._\w+)?(?:\.|\[["'])(\w+)(?:["']\])?$/.exec(text);
    return match !== null && items.includes(match[1]!) && NAMES_ONE.test(match[2]!);
  });
}

/** The `for` that this stands in, of the same routine and with no other loop between. */
function loopAround(node: Syntax): Syntax | undefined {
  let loop = node.parent;
  while (loop && !/^(for_statement|while_statement|function_definition|lambda)$/.test(loop.type))
    loop = loop.parent;
  return loop?.type === 'for_statement' ? loop : undefined;
}

const isConstant = (c: Place, node: Syntax) =>
  /^(string|integer)$/.test(node.type)
    ? node.children.every(({ type }) => type !== 'interpolation')
    : isConstantName(textOf(c.file, node).replace(/^.*\./, ''));

/** The two sides of each `==` that must hold, both ways around. */
function equals(c: Place, node: Syntax): [Syntax, Syntax][] {
  if (node.type === 'boolean_operator') {
    if (textOf(c.file, child(node, 'operator')) !== 'and') return [];
    return [child(node, 'left'), child(node, 'right')].flatMap((one) => (one ? equals(c, one) : []));
  }
  const [left, right] = node.children.filter(({ field }) => field !== 'operators');
  if (node.type !== 'comparison_operator' || !left || !right) return [];
  if (c.file.text.slice(left.end, right.start).trim() !== '==') return [];
  return [
    [left, right],
    [right, left],
  ];
}

/** How a container that was asked so is told; `session.get(Order, 1)` before `session.add(order)` asks a database. */
const BY_GET = ['.set(', '.setex(', '.setdefault('];
const BY_IN = ['.add(', '.append(', '.setdefault('];
/** What most texts lack that could fill one. */
const FILLS = /\.(?:set|setex|set_many|setdefault|add|append|update)\(|\][ \t]*(?:,[\w, \t]{0,60})?=(?!=)/;
/** Several keys at once. */
const MANY = /^\.(?:set_many|update)\(/;
const ANEW = /^(?:dictionary|set|list)|^(?:dict|set|list|defaultdict|OrderedDict|Counter)\(/;
const CONTAINER = /^[A-Za-z_][\w.]*(?:\[["']\w+["']\])?$/;

/** What is handed over may be the row itself, unless it is called so. */
const KNOWN = /cache|memo|seen|known/i;

interface Container {
  name: string;
  key: string;
  stored: string[];
}

/** `rates[day] = rate`, `rates.set(day, rate)`: for the key that was asked for. */
function isFilled(text: string, { name, key, stored }: Container): boolean {
  if (stored.some((how) => text.includes(name + how + key)) || assigned(text, `${name}[${key}]`)) return true;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (MANY.test(text.slice(at + name.length, at + name.length + 12))) return true;
  return false;
}

/**
 * A condition looks for a key, itself or in what it is called by, in a container that this text fills: one that outlives
 * the call, or one that was made before the loop.
 */
function keeps(c: Place, condition: Syntax, text: string): Block['once'] {
  const found = (
    node: Syntax | undefined,
    stored: string[],
    asked: Syntax | undefined,
  ): Block['once'] | false => {
    const name = textOf(c.file, node);
    const key = textOf(c.file, asked);
    const root = /^\w+/.exec(name)?.[0];
    if (!node || !asked || !root || !CONTAINER.test(name) || key === '' || /^["'\d]/.test(key)) return false;
    if (!isFilled(text, { name, key, stored })) return false;
    if (root !== 'self' && !KNOWN.test(name) && lookup(c.file, c.scope, root)?.parameter) return false;
    const made = assignmentsOf(c, node, root).map((one) => child(one, 'right'));
    if (made.length !== assignments(c, node, root) || made.length > 1) return false;
    const anew = made.find((one) => ANEW.test(one?.type ?? '') || ANEW.test(textOf(c.file, one)));
    if (assigned(text, `${name}[${key}]`) && sharesKeys(c, condition, anew, asked)) return 'in loop';
    return !anew && 'by key';
  };
  const stack = [condition];
  const followed = new Set<string>();
  for (let node = stack.pop(); node; node = stack.pop()) {
    const callee = node.type === 'call' ? child(node, 'function') : undefined;
    if (
      callee?.type === 'attribute' &&
      /^(get|has|exists|__contains__)$/.test(textOf(c.file, child(callee, 'attribute')))
    ) {
      const kept = found(child(callee, 'object'), BY_GET, argument(node, 0));
      if (kept) return kept;
    } else if (node.type === 'subscript') {
      const kept = found(child(node, 'value'), BY_GET, child(node, 'subscript'));
      if (kept) return kept;
    } else if (node.type === 'comparison_operator' && /^(not )?in$/.test(node.children[1]!.type)) {
      const kept = found(node.children.at(-1), BY_IN, node.children[0]);
      if (kept) return kept;
    } else if (node.type === 'identifier' && followed.size < 2 && !followed.has(textOf(c.file, node))) {
      followed.add(textOf(c.file, node));
      const value = setBefore(c, condition, textOf(c.file, node));
      if (value?.type === 'call') stack.push(value);
    }
    stack.push(...node.children);
  }
  return undefined;
}

/** What a name was given last in the statements before the one that asks; elsewhere if that is all that it is ever given. */
function setBefore(c: Place, condition: Syntax, name: string): Syntax | undefined {
  const before = condition.parent?.parent?.children.filter(({ end }) => end < condition.start) ?? [];
  for (const statement of before.reverse()) {
    const one = statement.type === 'expression_statement' ? statement.children[0] : undefined;
    if (one?.type === 'assignment' && textOf(c.file, child(one, 'left')) === name) return child(one, 'right');
  }
  const [one, another] = assignmentsOf(c, condition, name);
  return one && !another && one.end < condition.start ? child(one, 'right') : undefined;
}

/** Several turns of the loop may ask a container that is older than it for one key: that is neither the item nor what names it. */
function sharesKeys(c: Place, condition: Syntax, made: Syntax | undefined, asked: Syntax): boolean {
  const loop = loopAround(condition);
  if (!loop || (made && made.end > loop.start)) return false;
  const items = (textOf(c.file, child(loop, 'left')).match(/\w+/g) ?? []) as string[];
  const key = asked.type === 'identifier' ? textOf(c.file, asked) : '';
  const [one, another] =
    key === '' ? [asked] : assignmentsOf(c, asked, key).map((each) => child(each, 'right'));
  if (!one || another || items.includes(key)) return false;
  const match = /^(\w+)(?:\.|\[["'])(\w+)/.exec(textOf(c.file, one));
  return match !== null && items.includes(match[1]!) && !NAMES_ONE.test(match[2]!);
}

/** The attributes that a condition looks at, and the containers that it looks into. */
function asked(c: Place, condition: Syntax | undefined): Set<string> {
  const out = new Set<string>();
  const stack = condition ? [condition] : [];
  for (let node = stack.pop(); node && out.size < 8; node = stack.pop()) {
    const text = node.type === 'attribute' ? textOf(c.file, node) : '';
    if (/^\w+(\.\w+|\[["']\w+["']\]){1,3}$/.test(text)) {
      out.add(text);
      // `self._rates.get(day)` looks into `self._rates`.
      if (/\.(get|exists|has)$/.test(text)) out.add(text.replace(/\.\w+$/, ''));
    } else if (node.type === 'call' && /^hasattr\(/.test(textOf(c.file, node))) {
      const match = /^hasattr\(\s*(\w+)\s*,\s*["'](\w+)["']\s*\)$/.exec(textOf(c.file, node));
      if (match) out.add(`${match[1]}.${match[2]}`);
    }
    stack.push(...node.children);
  }
  return out;
}

/** `name =` or `name[…] =` stands there, and is not the end of a longer name. */
export function assigned(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (at > 0 && /[\w.]/.test(text[at - 1]!)) continue;
    let after = at + name.length;
    if (text[after] === '[') {
      const close = text.indexOf(']', after);
      if (close < 0 || text.slice(after, close).includes('\n')) continue;
      after = close + 1;
    }
    while (text[after] === ' ' || text[after] === '\t') after++;
    if (text[after] === '=' && text[after + 1] !== '=') return true;
    if (text[after] === ',' && begins(text, at) && AMONG.test(text.slice(after, after + 80))) return true;
  }
  return false;
}

/** `rates[day], _ = Rate.objects.get_or_create(day=day)`: one of several that are given a value there. */
const AMONG = /^(?:\s*,\s*\w+)+\s*=(?!=)/;

const begins = (text: string, at: number): boolean =>
  /^\s*(?:\w+\s*,\s*)*$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
