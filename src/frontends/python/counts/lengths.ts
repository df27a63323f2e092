// How many items a collection has that is written out and that nobody changes afterwards. Loops and arguments ask.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { defined, isLeft, members } from '../classes/classes.ts';
import { constantOfClass } from '../classes/constants.ts';
import { assignments, functionAround, given, isConstantName, outermost } from '../names/assignments.ts';
import { isSettings } from '../names/knowledge.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** Null where there is no end of them; Infinity where they are few, and how many another file says. */
export type Times = (node: Syntax | undefined) => number | null;

const WRITTEN = new Set(['list', 'tuple', 'set', 'dictionary']);
/** What stands behind a name that something is added to. */
const ADDS = /\s*(\.\s*(append|extend|insert|add|update|setdefault)\b|\[[^\]]*\]\s*=(?!=))/y;
/** The end and the beginning of an argument. Those who only look at what they are given keep none of it. */
const ENDS = /\s*[,)]/y;
const BEGINS =
  /(?<!\b(len|enumerate|sorted|reversed|list|tuple|set|dict|zip|any|all|sum|print|str|repr|iter)\s*)[(,]/y;

/**
 * The collection that an expression is: the literal itself, a constant of the module, a variable that stays as it was
 * and is handed on so often at most.
 */
export function collection(c: Place, node: Syntax, handed = 0): Syntax | undefined {
  if (WRITTEN.has(node.type)) return node;
  if (node.type === 'attribute') return ofClass(c, node);
  if (node.type !== 'identifier') return undefined;
  const { code } = resolve(c, node) ?? {};
  if (!code || !WRITTEN.has(code.type)) return undefined;
  const name = textOf(c.file, node);
  // A registry is filled by others, before or after.
  if (isConstantName(name)) return isFilled(c, name) ? undefined : code;
  // What is empty is filled somewhere.
  const stays = code.children.length > 0 && isGivenOnce(c, node, name) && !grows(c, node, name, handed);
  return stays ? code : undefined;
}

export const isFilled = ({ file }: Place, name: string): boolean =>
  file.text.includes(`${name}.`) &&
  new RegExp(`\\b${name}\\.(append|extend|insert|add|update|setdefault)\\(`).test(file.text);

/** By the function around it, or by the module: `rows = […]` before the functions that go over it. */
function isGivenOnce(c: Place, node: Syntax, name: string): boolean {
  const times = assignments(c, node, name);
  return times === 1 || (times === 0 && given(c, outermost(node)).get(name)?.length === 1);
}

/** A list of a class's own. */
function ofClass(c: Place, node: Syntax): Syntax | undefined {
  const code = constantOfClass(c, node);
  return code && WRITTEN.has(code.type) && code.children.length > 0 ? code : undefined;
}

/** What another file calls such a collection: a constant that is imported, or one of a class there. */
export function listedElsewhere(c: Place, node: Syntax | undefined): Name[] | undefined {
  if (!node || !/^(identifier|attribute)$/.test(node.type)) return undefined;
  const owner = node.type === 'attribute' ? resolve(c, child(node, 'object')) : undefined;
  const above = owner?.path ?? owner?.type?.path;
  const name = textOf(c.file, child(node, 'attribute'));
  const path = owner ? above && `${above}.${name}` : resolve(c, node)?.path;
  const last = path?.slice(path.lastIndexOf('.') + 1) ?? '';
  // Of an object it may be another one.
  if (!isConstantName(last) && !(owner?.path && CLASS.test(owner.path))) return undefined;
  return path?.includes('.') && /^[\w.]+$/.test(path) && !(c.file.isForeign(path) && !isSettings(above))
    ? [`python:${path}`]
    : undefined;
}

/** What `self.groups` is called, which nobody here sets: its class says what it is, or those that descend from it do. */
export function ofObject(c: Place, node: Syntax): Name[] | undefined {
  if (node.type !== 'attribute') return undefined;
  const name = textOf(c.file, child(node, 'attribute'));
  const path = resolve(c, child(node, 'object'))?.type?.path ?? '';
  const cls = c.file.classes.get(path);
  if (!cls || isConstantName(name)) return undefined;
  const says = namedIn(c, cls.node).get(name) ?? [];
  if (says.some((one) => one.children[0]?.type !== 'assignment' && !isLeft(c, one))) return undefined;
  return setIn(c, c.file.root).has(name) ? undefined : [`python:${path}.${name}`];
}

/** How many `self.groups` has by what its own class writes out. */
export function ofOwnClass(c: Place, node: Syntax, times: Times): number | null {
  const path = resolve(c, child(node, 'object'))?.type?.path ?? '';
  const cls = c.file.classes.get(path);
  const says = cls ? namedIn(c, cls.node).get(textOf(c.file, child(node, 'attribute'))) : undefined;
  const assignment = says?.length === 1 ? says[0]!.children[0] : undefined;
  if (assignment?.type !== 'assignment') return null;
  return written(c, path, assignment, true, times)[0]?.items ?? null;
}

/** What a class has under each name, whatever decorates it. */
const namedIn = kept(({ file }, cls: Syntax) => {
  const all = new Map<string, Syntax[]>();
  for (const one of members(cls)) {
    const its = one.children[0]?.type === 'assignment' ? one.children[0] : undefined;
    const name = textOf(file, its ? child(its, 'left') : child(defined(one), 'name'));
    all.set(name, [...(all.get(name) ?? []), one]);
  }
  return all;
});

/** How often the file sets an attribute, of whatever object, or has it as a word: `setattr(self, "groups", groups)`. */
export const setIn = kept(({ file }, _: Syntax) => {
  const out = new Map<string, number>();
  for (const [, attribute, word] of file.text.matchAll(SETS)) {
    const name = attribute ?? word!;
    out.set(name, (out.get(name) ?? 0) + 1);
  }
  return out;
});

const SETS = /\.(\w+)(?=\s*(?:[+|]?=(?!=)|[:,][^\n=]{1,99}=(?!=)))|['"](\w+)['"]/g;

/** By custom. */
const CLASS = /(?:^|\.)_?[A-Z]\w*[a-z]\w*$/;

/** Constants that are written out, by name and length, or number; what is added to is as long as nobody knows. */
export function written(
  c: Place,
  owner: string,
  assignment: Syntax,
  /** What a class has is one in small letters too. */
  small: boolean,
  times: Times,
): { name: Name; items: number }[] {
  const [left, right] = [child(assignment, 'left'), child(assignment, 'right')];
  const type = child(assignment, 'type');
  // Who makes an object may give it another one of a field that has a type, and not of what is the class's own or the module's.
  if (left?.type !== 'identifier' || (type && owner !== c.file.module && !isOfClass(c, type))) return [];
  const name = textOf(c.file, left);
  if (!small && !isConstantName(name)) return [];
  const items = right ? itemsIn(c, right, name, times) : null;
  if (items === null || changedIn(c, c.file.root).has(name)) return [];
  return [{ name: `python:${owner}.${name}`, items }];
}

/** A number is as many turns of a loop that counts up to it; more than that are too many to tell from none. */
export const MOST = 64;

function itemsIn(c: Place, right: Syntax, name: string, times: Times): number | null {
  if (WRITTEN.has(right.type) && right.children.length === 0) return null;
  if (WRITTEN.has(right.type) && lengthOf(right) !== null) return lengthOf(right);
  const isSize = right.type === 'integer' && SIZES.test(name);
  if (isSize) return Number(textOf(c.file, right)) || null;
  if (!isConstantName(name)) return null;
  if (right.type === 'integer') {
    const number = Number(textOf(c.file, right));
    return number > 0 && number <= MOST ? number : null;
  }
  const isMade =
    right.type === 'call' ? MAKES.test(textOf(c.file, child(right, 'function'))) : OF_OTHERS.test(right.type);
  const items = isMade ? times(right) : null;
  return items !== null && items > 0 && items < Number.POSITIVE_INFINITY ? items : null;
}

/** Attributes of classes that say how many there are at once; a class below may say more than anybody counts. */
const SIZES = /(?:^|_)(?:size|limit|batch|chunk|chunks|count|max|maximum|page|by)(?:_|$)/;

/** What makes a list of others: `[*EDITOR, "publish"]`, `EDITOR + ["publish"]`, `tuple(…)`. */
const OF_OTHERS = /^(?:list|tuple|set|dictionary|binary_operator)$|_comprehension$/;
const MAKES = /^(?:list|tuple|set|frozenset|sorted|dict)$/;

/** `ClassVar[list[str]]`, `Final`. */
function isOfClass(c: Place, type: Syntax): boolean {
  let outer: Syntax | undefined = type;
  while (outer && /^(?:type|generic_type|subscript)$/.test(outer.type)) outer = outer.children[0];
  return /(?:^|\.)(?:ClassVar|Final)$/.test(resolve(c, outer)?.path ?? '');
}

/** What the file makes another list, or a longer one: of what is written out no other method adds to it. Looked for once, for a file of error codes has hundreds. */
const changedIn = kept(
  ({ file }, _: Syntax) => new Set([...file.text.matchAll(CHANGES)].map(([, name]) => name!)),
);

const CHANGES =
  /\b(\w+)\b\s*(?:[+|]=|\.(?:append|extend|insert|add|update|setdefault)\b|\[[^\]]*\]\s*=[^=])/g;

const isWord = (text: string, at: number) => at >= 0 && /\w/.test(text[at]!);

/** Null where more is unpacked into it. */
export function lengthOf({ children }: Syntax): number | null {
  if (children.some((one) => /_splat$/.test(one.type))) return null;
  return children.filter((one) => one.type !== 'comment').length;
}

/** It is handed to those who could add to it. */
export function isHandedOver(c: Place, node: Syntax, name: string): boolean {
  const whole = functionAround(node);
  return !whole || countHanded(c.file.text.slice(whole.start, whole.end), name, false) > 0;
}

/** Somebody in the file is handed it. */
export const isHanded = (c: Place, text: string): boolean => countHanded(c.file.text, text, false) > 0;

/** Something in the function adds to it. */
export const growsBy = (c: Place, node: Syntax, name: string): boolean =>
  grows(c, node, name, Number.MAX_SAFE_INTEGER);

/** Something in the function adds to it, or it is handed to those who could more often than that. */
function grows(c: Place, node: Syntax, name: string, often: number): boolean {
  let whole: Syntax | undefined;
  for (let at: Syntax | null = node; at; at = at.parent) if (at.type === 'function_definition') whole = at;
  if (assignments(c, node, name) === 0) whole = outermost(node);
  return !whole || timesHanded(c, whole, name) > often;
}

/** Anybody in the file adds to it, or is handed it. */
export const mayGrow = (c: Place, text: string): boolean => timesHanded(c, c.file.root, text) > 0;

const handedBy = kept((_, __: Syntax) => new Map<string, number>());

/** How often a function hands a variable to those who could add to it; no end where it adds to it itself. */
function timesHanded(c: Place, whole: Syntax, name: string): number {
  const names = handedBy(c, whole);
  const times = names.get(name) ?? countHanded(c.file.text.slice(whole.start, whole.end), name);
  names.set(name, times);
  return times;
}

function countHanded(text: string, name: string, adds = true): number {
  let handed = 0;
  /** Up to here it is read: of two in a row the comma between them is the first one's. */
  let read = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isWord(text, at - 1)) continue;
    const end = at + name.length;
    if (adds && stands(ADDS, text, end)) return Infinity;
    let before = at - 1;
    while (before > read && /\s/.test(text[before]!)) before--;
    if (before < read || !stands(ENDS, text, end) || !stands(BEGINS, text, before)) continue;
    handed++;
    read = ENDS.lastIndex;
  }
  return handed;
}

function stands(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
