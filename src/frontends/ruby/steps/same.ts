// Whether a call looks for the same row each time that it runs, or in every turn of the loops around it. It lowers nothing.
import { type Given, isObject } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { ofMethod } from '../names/held.ts';
import { chained, meaningsOf } from '../names/meaning.ts';
import { stays } from '../names/staying.ts';
import { type Arguments, argumentsOf, parts, textOf } from '../syntax.ts';
import { givenAs } from './flags.ts';

export interface Same {
  /** The local names that say which row of a class it is, where nothing else but constants does. */
  same?: string[];
  /** Nothing that says which row it is has another value in another turn. */
  sameInLoops?: true;
}

export function sameRow(body: Body, node: Syntax, receiver: Syntax | undefined, args: Arguments): Same {
  const { positional, keywords, splats } = args;
  if (positional.length + splats.length > 0) return {};
  const names = (receiver ? isClass(body, receiver) : isOfClass(body))
    ? namesIn(body, valuesOf(keywords))
    : null;
  if (names) return { same: names };
  const loops = outermostLoop(body, node);
  if (!loops) return {};
  const all = [...(receiver ? [receiver] : []), ...valuesOf(keywords)];
  return all.every((one) => stays(body, one, loops)) ? { sameInLoops: true } : {};
}

const valuesOf = (keywords: Arguments['keywords']) => [...keywords.values()].map(({ value }) => value);

/** The local names among what is constant but for them. */
function namesIn(body: Body, values: Syntax[]): string[] | null {
  const given = values.map((value) => givenAs(body, value));
  // A list that is written out may hold anything.
  const isOpen = (one: Given) =>
    one === 'unknown' || isObject(one) || (typeof one === 'object' && one !== null && 'items' in one);
  if (given.some(isOpen)) return null;
  return given.flatMap((one) =>
    typeof one === 'object' && one !== null && 'parameter' in one ? [one.parameter] : [],
  );
}

const CONSTANT = /^(constant|scope_resolution)$/;

/** `def self.named(name)`: who is asked is the class itself. */
export const isOfClass = ({ owner, singleton }: Body) => singleton && owner.kind === 'class';

/** A class by its name, with all of its rows, or a method here that gives nothing else. */
function isClass(body: Body, node: Syntax): boolean {
  if (CONSTANT.test(node.type)) return true;
  if (node.type === 'self') return isOfClass(body);
  const of = child(node, 'receiver');
  const asked = child(node, 'method') ?? node;
  if (/^(unscoped|create_with)$/.test(textOf(body.file, asked)))
    return of ? isClass(body, of) : isOfClass(body);
  const name = node.type === 'identifier' ? textOf(body.file, node) : '';
  const means = body.locals.has(name) ? undefined : body.owner.methods.find((one) => one.name === name);
  const [first, ...rest] = parts(means && child(means.node, 'body'));
  return first !== undefined && rest.length === 0 && CONSTANT.test(first.type);
}

/** `Course.find_by(first: true)`, `Tag.where("name = ?", NAME).first`, or a method here that gives nothing else: one row, whenever it is asked for. */
export function findsTheSame(body: Body, node: Syntax | undefined): boolean {
  const asked = node && ofMethod(body, node);
  const method = asked?.type === 'call' ? child(asked, 'method') : undefined;
  return method !== undefined && chained.item.has(textOf(body.file, method)) && isFixed(body, asked!);
}

const ASKS = /^(?:exists|any|none|empty|blank|present)\?$|^(?:count|size|length)$/;

/** The same, or whether there is any, or how many: `Tag.where(name: NAME).exists?`. */
export function asksTheSame(body: Body, node: Syntax): boolean {
  const asked = ofMethod(body, node);
  const [of, method] = [child(asked, 'receiver'), textOf(body.file, child(asked, 'method') ?? asked)];
  if (asked.type !== 'call' || !ASKS.test(method)) return findsTheSame(body, asked) || isFixed(body, asked);
  const { positional, keywords, splats } = argumentsOf(body.file, asked);
  const all = [...positional, ...valuesOf(keywords)].map(source);
  const ofClass = of ? isFixed(body, of) : isOfClass(body);
  return ofClass && splats.length === 0 && namesIn(body, all)?.length === 0;
}

/** What a class is asked by constants alone, with nothing that only the project knows. */
function isFixed(body: Body, node: Syntax): boolean {
  if (node.type !== 'call') return isClass(body, node);
  const [of, method] = [child(node, 'receiver'), textOf(body.file, child(node, 'method') ?? node)];
  const { positional, keywords, splats } = argumentsOf(body.file, node);
  const all = [...positional, ...valuesOf(keywords)].map(source);
  const asks = chained.item.has(method) || chained.passes.has(method);
  const ofClass = of ? isFixed(body, of) : isOfClass(body);
  return asks && ofClass && splats.length === 0 && namesIn(body, all)?.length === 0;
}

/** `HOST.downcase` is as fixed as HOST. */
function source(node: Syntax): Syntax {
  const receiver = node.type === 'call' && parts(node).length === 2 ? child(node, 'receiver') : undefined;
  return receiver ? source(receiver) : node;
}

// ---- in every turn of a loop

const ROUTINE = /^((singleton_)?method|class|module|lambda)$/;

/** `current_role` in a block: what the object keeps of its answer is there in the next turn. */
export function asksItself(node: Syntax, receiver: Syntax | undefined, { positional, keywords }: Arguments) {
  if ((receiver && receiver.type !== 'self') || positional.length + keywords.size > 0) return false;
  for (let one = node.parent; one && !ROUTINE.test(one.type); one = one.parent)
    if (/^((do_)?block|while|until|for)$/.test(one.type)) return true;
  return false;
}

/** `Importer.new(row).run`, and the same with a variable between that is given the object in the same block. */
export function isMadeFor({ locals, file }: Body, node: Syntax, receiver: Syntax | undefined): boolean {
  if (receiver?.type !== 'identifier' || textOf(file, receiver) === 'new') return receiver !== undefined;
  const made = locals.get(textOf(file, receiver))?.value;
  return made?.type === 'call' && blockAround(made) === blockAround(node);
}

function blockAround(node: Syntax): Syntax | null {
  let one = node.parent;
  while (one && !ROUTINE.test(one.type) && !/^((do_)?block|while|until|for)$/.test(one.type))
    one = one.parent;
  return one;
}

/** What runs its block once. */
const ONCE = /^(tap|then|yield_self|synchronize|instrument|benchmark|measure|silence|with_options|unscoped)$/;

/** The outermost loop of the routine that may turn around a call. */
function outermostLoop({ file }: Body, node: Syntax): Syntax | null {
  let found: Syntax | null = null;
  for (let one = node.parent; one && !ROUTINE.test(one.type); one = one.parent) {
    if (/^(while|until|for|while_modifier|until_modifier)$/.test(one.type)) found = one;
    if (!/^(do_)?block$/.test(one.type)) continue;
    const called = one.parent && child(one.parent, 'method');
    const name = called ? textOf(file, called) : '';
    if (!ONCE.test(name) && !meaningsOf(name)[0]?.scope) found = one;
  }
  return found;
}
