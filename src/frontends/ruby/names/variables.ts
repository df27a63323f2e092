// Which variable a name means, where other methods, or other blocks of this one, have one of that name. It knows no types and lowers nothing.
import { RESULT, type Step, YIELDED } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { unbroken } from '../../unbroken.ts';
import { hasWord } from '../../words.ts';
import { type Arguments, parts, type Text, textOf } from '../syntax.ts';
import type { Body } from './file.ts';
import { holderOf } from './held.ts';
import { passedIn } from './passed.ts';

/** The blocks that have a variable of one name, in their order: they are given it, or give it a value. And where it gets one. */
interface Named {
  scopes: Map<Syntax, { given?: true; assigned?: true }>;
  assignments: Syntax[];
  /** Those of them, by the block, that give it another row. */
  renewed: Map<Syntax, Syntax[]>;
}
type Having = Map<string, Named>;

const ROUTINE = new Set(['method', 'singleton_method', 'class', 'module', 'singleton_class', 'program']);
const ASSIGNMENT = new Set(['assignment', 'operator_assignment']);
const SCOPE = new Set(['block', 'do_block', 'lambda']);

/**
 * `order.line`, in words that no other method has for an order of its own, nor another block of this one; of a method,
 * that no other class has. What callers give goes by its own name: the linker knows what they hand over for it.
 */
export const variable = (body: Body, node: Syntax, written: string): string =>
  called(body, node, written, false).at(-1)!;

/** So much of what is written as tells one row from another. */
export const told = (written: string) => unbroken(written.slice(0, 240)).slice(0, 80);

/** By its name, which others mostly have for the same row, and by which one it is. */
export const named = (body: Body, node: Syntax, written: string): string[] => [
  ...new Set(called(body, node, written, false)),
];

/** The variable that is given what comes of a call, and what the method hands on of that. */
export const holdersOf = (body: Body, node: Syntax): string[] =>
  holderOf(body.file, node).flatMap(({ name, at }) => {
    const its = called(body, at ?? node, name, at === undefined);
    return [...new Set(its), ...passedAs(body, node, name, its[1])];
  });

/** A variable that the method gives its block or its caller: what it is for those. */
export const passedOn = (body: Body, node: Syntax): string[] =>
  passedAs(body, node, textOf(body.file, node), variable(body, node, textOf(body.file, node)));

function passedAs(body: Body, node: Syntax, name: string, which: string): string[] {
  const { yielded, last } = passedIn(body.file, routineOf(node));
  const isIt = (one: Syntax) => textOf(body.file, one) === name && variable(body, one, name) === which;
  const out = yielded.flatMap((one) => (isIt(one.node) ? [YIELDED + one.place] : []));
  if (last && isIt(last)) out.push(RESULT);
  return out;
}

const DEEP = 4;

/** As it is called, and which one it is, from here on or, of what it `gets` here, behind that. What it has of another variable is that one's. */
function called(body: Body, node: Syntax, written: string, gets: boolean, depth = 0): [string, string] {
  const { file, owner, method } = body;
  const name = /^[a-z_]\w*/.exec(written)?.[0];
  const routine = routineOf(node);
  if (name === undefined) return [written, written];
  const rest = written.slice(name.length);
  const its = (whose: string) => `${name}$${whose.replace(/[^\w$]/g, '_')}${rest}`;
  const having = havingIn(file, routine).get(name);
  if (!having) return [written, owner.attributes.has(name) ? `@${written}` : its(owner.name)];
  const scope = scopeOf(node, having.scopes);
  const passed = passedAt(file, node, name, scope, having, gets);
  const value = passed.last && child(passed.last, 'right');
  if (value?.type === 'identifier' && depth < DEEP && !gets)
    return called(body, value, textOf(file, value) + rest, false, depth + 1);
  const given = scope === routine && having.scopes.get(scope)?.given;
  const which = passed.count - (given ? 0 : 1);
  const now = which > 0 ? `$${which}` : '';
  if (given && !now) return [written, written];
  const index = [...having.scopes.keys()].indexOf(scope);
  return [`${name}${now}${rest}`, its(`${owner.name}$${method ?? ''}$${index}${now}`)];
}

/** The assignment that gave the variable the row that it has at this place, and how many did so before and there. */
function passedAt(
  file: Text,
  node: Syntax,
  name: string,
  scope: Syntax,
  having: Named,
  gets: boolean,
): { last: Syntax | undefined; count: number } {
  const all = having.renewed.get(scope) ?? renewedIn(file, name, scope, having);
  having.renewed.set(scope, all);
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { start, end } = all[middle]!;
    if ((gets ? start : end) <= node.start) low = middle + 1;
    else high = middle;
  }
  return { last: all[low - 1], count: low };
}

/** In their order, where they all stand in one list of statements, so that each holds from there on; what it has of itself is the same row. */
function renewedIn(file: Text, name: string, scope: Syntax, { scopes, assignments }: Named): Syntax[] {
  const all = assignments.filter((one) => scopeOf(one, scopes) === scope);
  const list = all[0]?.parent;
  const isPlain = (one: Syntax) =>
    one.type === 'assignment' && one.parent === list && child(one, 'left')?.type === 'identifier';
  if (!list || !LIST.test(list.type) || !all.every(isPlain)) return [];
  return all.filter((one) => !hasWord(textOf(file, child(one, 'right') ?? one), name));
}

const LIST = /^(body_statement|block_body|then|program)$/;

/** What a call hands over for the parameters of the method and for its `self`, as far as that is a variable. */
export function handsOver(
  body: Body,
  { positional, keywords, block, blockArgument }: Arguments,
  receiver?: Syntax,
  given?: Step[] | null,
): Record<string, string> | undefined {
  let out: Record<string, string> | undefined;
  const hand = (place: number | string, node: Syntax) => {
    const written = textOf(body.file, node).replace(/:$/, '');
    if (HANDED.test(node.type) && PLAIN.test(written) && !body.owner.attributes.has(written))
      out = { ...out, [place]: variable(body, node, written) };
  };
  for (const [i, one] of positional.entries()) {
    if (one.type === 'splat_argument') break;
    hand(i, one);
  }
  for (const [name, { value }] of keywords) hand(name, value);
  if (receiver?.type === 'identifier') hand('self', receiver);
  if (block && given?.length) {
    for (const [i, one] of parts(child(block, 'parameters')).entries())
      if (one.type === 'identifier')
        out = { ...out, [YIELDED + i]: variable(body, one, textOf(body.file, one)) };
  } else if (blockArgument && isOwn(body, blockArgument))
    for (const place of PLACES) out = { ...out, [YIELDED + place]: YIELDED + place };
  return out;
}

/** Few blocks take more. */
const PLACES = [0, 1];

/** `&block`, `&`, `...` of the method itself: who runs that is given it as it is given here. */
function isOwn({ file, blockName }: Body, argument: Syntax): boolean {
  const given = argument.type === 'block_argument' ? parts(argument)[0] : undefined;
  return given
    ? textOf(file, given) === blockName
    : blockName !== null || argument.type === 'forward_argument';
}

const HANDED = /^(identifier|hash_key_symbol|call)$/;
const PLAIN = /^[a-z_]\w*(\.id)?$/;

/** Parameters of a method that its body gives other values. */
export const variesIn = (file: Text, routine: Syntax): string[] =>
  [...havingIn(file, routine)].flatMap(([name, { scopes }]) => {
    const { given, assigned } = scopes.get(routine) ?? {};
    return given && assigned ? [name] : [];
  });

/** Of those around, the next that is given it, or else the outermost that gives it a value. */
function scopeOf(node: Syntax, having: Named['scopes']): Syntax {
  let found = node;
  for (let one: Syntax | null = node; one; one = one.parent) {
    const how = having.get(one);
    if (how) found = one;
    if (how?.given || ROUTINE.has(one.type)) break;
  }
  return found;
}

/** The method, class or file that it stands in. */
export function routineOf(node: Syntax): Syntax {
  let one = node;
  while (one.parent && !ROUTINE.has(one.type)) one = one.parent;
  return one;
}

const known = new WeakMap<Syntax, Having>();

function havingIn(file: Text, routine: Syntax): Having {
  const found = known.get(routine);
  if (found) return found;
  const out: Having = new Map();
  known.set(routine, out);
  const has = (scope: Syntax, name: Syntax, by: Syntax | null) => {
    if (name.type !== 'identifier') return;
    const text = textOf(file, name);
    const all: Named = out.get(text) ?? { scopes: new Map(), assignments: [], renewed: new Map() };
    out.set(text, all);
    all.scopes.set(scope, { ...all.scopes.get(scope), ...(by ? { assigned: true } : { given: true }) });
    if (by) all.assignments.push(by);
  };
  const given = (scope: Syntax, list: Syntax | undefined): void => {
    for (const one of parts(list))
      if (one.type === 'destructured_parameter') given(scope, one);
      else has(scope, child(one, 'name') ?? one, null);
  };
  const within = (node: Syntax, scope: Syntax): void => {
    for (const one of node.children) {
      if (one.children.length === 0 || ROUTINE.has(one.type)) continue;
      const own = SCOPE.has(one.type) ? one : scope;
      if (own === one) given(own, child(one, 'parameters'));
      const left = ASSIGNMENT.has(one.type) ? child(one, 'left') : undefined;
      if (left) for (const name of left.type === 'identifier' ? [left] : left.children) has(scope, name, one);
      within(one, own);
    }
  };
  given(routine, child(routine, 'parameters'));
  within(routine, routine);
  return out;
}
