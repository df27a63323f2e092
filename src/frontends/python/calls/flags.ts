// Parameters that decide which way a routine goes, and what callers give for them. Which way that is, the linker says.

import type { Meaning } from '../../../framework.ts';
import {
  type Branch,
  type Call,
  type Given,
  isHandedOn,
  isObject,
  isThere,
  type Name,
  type Routine,
} from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { methodOf } from '../classes/classes.ts';
import { keptAttribute, keptOf, parametersOf } from '../classes/kept.ts';
import { isAskedFor } from '../conditions/there.ts';
import { mostIn } from '../counts/chunks.ts';
import { collection, lengthOf, listedElsewhere } from '../counts/lengths.ts';
import { isUnchanged } from '../counts/same.ts';
import { asksForRow, isKeyOfRow, opposite } from '../counts/saved.ts';
import { withTexts } from '../counts/written.ts';
import { argument, given as argumentGiven } from '../names/arguments.ts';
import {
  assignments,
  assignmentsOf,
  functionAround,
  givingOf,
  isConstantName,
  usualValue,
} from '../names/assignments.ts';
import { forwardedBy, isForwarded } from '../names/forwarded.ts';
import { isReplaced, isType } from '../names/knowledge.ts';
import { linkGiven } from '../names/links.ts';
import { isParameter } from '../names/parameters.ts';
import { type ClassInfo, kept, lookup, type Place, type Type, textOf } from '../names/scope.ts';
import { isCapital } from '../names/types.ts';
import { isClassLike, resolve } from '../names/values.ts';
import { handedName, handedText, WRITTEN } from './handed.ts';
import { madeFrom } from './text.ts';
import { askedAs, asksIn } from './told.ts';
import { ofCaller } from './whose.ts';

const LITERAL = new Set(['string', 'float']);
const LISTED = new Set(['tuple', 'list', 'set']);
/** What may be a part of something; more than so many in one are too many to tell from no end. */
const PARTS = new Set(['identifier', 'attribute', 'subscript', 'call']);
const MANY = 64;
/** What may name something: `using='reports'`. */
const NAME = /^(['"])(\w{1,63})\1$/;
const THERE = new Set([
  'list', 'dictionary', 'set', 'tuple', 'string', 'concatenated_string', 'lambda', 'list_comprehension',
  'dictionary_comprehension', 'set_comprehension', 'generator_expression',
]); // biome-ignore format: words

/** `add_all(Permissions)`: a class of the project's own, which may be an enumeration. */
function classGiven(c: Place, node: Syntax): Name | undefined {
  if (!NAMED.has(node.type)) return undefined;
  const path = resolve(c, node)?.path;
  const isOwn = path?.includes('.') && /^[\w.]+$/.test(path) && isClassLike(c, path);
  return isOwn && !c.file.isForeign(path!) ? `python:${path}` : undefined;
}

const NAMED = new Set(['identifier', 'attribute']);

/** A class has more that are spelt so, most of them no lists. */
const OF_MODULE = /^python:[a-z\d_.]+\.[A-Z\d_]+$/;

/** What an argument is, as far as anybody sees. */
export function given(c: Place, node: Syntax, depth = 0): Given {
  if (WRITTEN.has(node.type)) {
    const sql = handedText(c, node);
    if (sql) return { sql };
    // `statement.strip()` is as much as that to who runs it.
    const from = node.type === 'call' ? madeFrom(c, node) : undefined;
    if (from && isParameter(c, from, resolve(c, from))) return handsParameter(c, textOf(c.file, from));
  }
  if (node.type === 'true') return true;
  if (node.type === 'false') return false;
  if (node.type === 'none') return null;
  if (node.type === 'integer') return { items: Number(textOf(c.file, node).replaceAll('_', '')) };
  const name = node.type === 'string' ? NAME.exec(textOf(c.file, node)) : null;
  if (name) return { text: name[2]! };
  if (LITERAL.has(node.type) && node.children.every(({ type }) => type !== 'interpolation')) return 'literal';
  const items = depth === 0 ? collection(c, node, 1) : undefined;
  const length = items ? lengthOf(items) : null;
  if (length !== null) return { items: length };
  const most = depth === 0 && PARTS.has(node.type) ? mostIn(c, node) : null;
  if (most !== null && most <= MANY) return { items: most, atMost: true };
  if (THERE.has(node.type)) return 'something';
  if (isKeyOfRow(c, node)) return { there: true };
  const sql = node.type === 'identifier' || node.type === 'attribute' ? handedName(c, node) : undefined;
  if (sql) return { sql };
  const of = depth === 0 ? listedElsewhere(c, node) : undefined;
  if (of && OF_MODULE.test(of[0]!)) return { of };
  const cls = depth === 0 ? classGiven(c, node) : undefined;
  if (cls) return { of: [cls] };
  if (node.type === 'attribute' && isConstantName(textOf(c.file, child(node, 'attribute'))))
    return 'constant';
  const link = linkGiven(c, node);
  if (link) return link;
  const unknown = depth === 0 ? ofClass(c, node, isAskedFor(c, node)) : 'unknown';
  if (node.type !== 'identifier' || depth > 0) return unknown;
  const called = textOf(c.file, node);
  const value = lookup(c.file, c.scope, called);
  if (isParameter(c, node, value))
    return unknown === 'unknown' ? handsParameter(c, called) : { ...handsParameter(c, called), ...unknown };
  const its = value?.code && assignments(c, node, called) === 1 ? given(c, value.code, 1) : 'unknown';
  if (its !== 'unknown') return its;
  return isConstantName(called) ? { of: [`python:${c.file.module}.${called}`] } : unknown;
}

/** Of which class it is, as far as this file tells or who calls this routine will. */
function ofClass(c: Place, node: Syntax, there: boolean): Unsaid {
  const found = resolve(c, node);
  // Called like a class it is likely one of that, and no more.
  const type = found?.guessed ? undefined : found?.type;
  const path = type ? classIn(c, type) : ofCaller(c, node);
  const isAsked = path !== undefined && (type !== undefined || !isName(path));
  if (isAsked && !type && c.keeps) c.keeps.flags = true;
  if (!isAsked) return there ? { there } : 'unknown';
  const isGuess = type?.among || (type?.certainty !== undefined && type.certainty !== 'certain');
  return { is: `python:${path}`, ...(isGuess && { likely: true }), ...(there && { there }) };
}

type Unsaid = 'unknown' | { there: true } | { is: Name; likely?: true; there?: true };
/** The parameter itself is handed on as such. */
const isName = (path: string) => path.endsWith(')') && path.startsWith('(') && !/[.[]/.test(path);

function classIn(c: Place, { path, item, lists }: Type): string | undefined {
  if (isReplaced(path)) return path;
  const isFew = item && (isType(path) || !path.includes('.'));
  const its = isFew ? item.path : path;
  if (lists || isType(its) || its.includes('?') || its.endsWith('^') || !/[.(]/.test(its)) return undefined;
  return c.file.isForeign(its) ? undefined : isFew ? `${its}[]` : its;
}

/** Where nobody says what it is, it may be the same in each turn. */
function inLoops(c: Place, call: Syntax, value: Syntax, its: Given): Given {
  if (its !== 'unknown' && !isHandedOn(its) && !isThere(its) && !isObject(its)) return its;
  if (!isUnchanged(c, call, value)) return its;
  return its === 'unknown' ? 'unchanged' : { ...its, unchanged: true };
}

function handsParameter({ keeps }: Place, parameter: string): { parameter: string } {
  if (keeps) keeps.flags = true;
  return { parameter };
}

/** What a call says by its arguments; how many they are, where all of them are seen. After `*rest` nobody knows which place it is. */
export function argumentsOf(c: Place, node: Syntax): Pick<Call, 'args' | 'given'> {
  const list = node.type === 'call' ? child(node, 'arguments') : undefined;
  if (list?.type !== 'argument_list') return {};
  let out: Record<string, Given> | undefined;
  let args = 0;
  let spreads = false;
  let isPlaced = true;
  for (const one of list.children) {
    if (one.type === 'comment') continue;
    if (one.type === 'list_splat' || one.type === 'dictionary_splat') {
      spreads = true;
      if (one.type === 'list_splat') isPlaced = false;
      continue;
    }
    if (one.type === 'keyword_argument') {
      const name = child(one, 'name');
      const value = child(one, 'value');
      if (name && value) {
        out ??= {};
        out[textOf(c.file, name)] = inLoops(c, node, value, withTexts(c, value, given(c, value)));
      }
      continue;
    }
    const its = isPlaced ? inLoops(c, node, one, given(c, one)) : 'unknown';
    if (its !== 'unknown') {
      out ??= {};
      out[args] = its;
    }
    args++;
  }
  return { ...(!spreads && { args }), ...(out && { given: out }) };
}

/** `if flag:`, `if not flag:`, `if flag is None:`, and these before `and`, or on both sides of it. */
export function decidedBy(c: Place, condition: Syntax | undefined): Branch['when'] {
  if (!condition) return undefined;
  const about = (node: Syntax | undefined, is: NonNullable<Branch['when']>['is']): Branch['when'] => {
    if (node?.type === 'attribute')
      return asksForRow(c, node, is) ?? asksMaker(c, node, is) ?? asksTold(c, node, is);
    if (node?.type === 'call' || node?.type === 'subscript') return asksTold(c, node, is);
    if (node?.type !== 'identifier') return undefined;
    const name = textOf(c.file, node);
    const value = lookup(c.file, c.scope, name);
    if (!isParameter(c, node, value))
      return answered(c, node, value?.code, is) ?? asksForRow(c, node, is) ?? asksTold(c, node, is);
    if (c.keeps) c.keeps.flags = true;
    return { parameter: name, is };
  };
  switch (condition.type) {
    case 'identifier':
    case 'attribute':
      return about(condition, 'true');
    case 'call': {
      const called = textOf(c.file, child(condition, 'function'));
      if (called === 'bool') return decidedBy(c, argument(condition, 0));
      if (called === 'isinstance') return asksClass(c, condition);
      return asksForRow(c, condition, 'true') ?? asksTold(c, condition, 'true');
    }
    case 'subscript':
      return asksTold(c, condition, 'true');
    case 'not_operator': {
      const operand = condition.children.at(-1);
      const row = operand?.type === 'attribute' && asksForRow(c, operand, 'false');
      if (row) return row;
      const inner = decidedBy(c, operand);
      return inner && !inner.only && !inner.also ? opposite(inner) : undefined;
    }
    case 'comparison_operator': {
      const match = /\s(is|is\s+not)\s+None$/.exec(textOf(c.file, condition));
      return match && condition.children.length === 3
        ? about(condition.children[0], match[1] === 'is' ? 'null' : 'not null')
        : asksIn(c, condition);
    }
    case 'boolean_operator': {
      if (!/^and\b/.test(textOf(c.file, child(condition, 'operator') ?? condition))) return undefined;
      const left = decidedBy(c, child(condition, 'left'));
      const right = decidedBy(c, child(condition, 'right'));
      if (left && right && ![left, right].some(({ also, unsure }) => also || unsure))
        return { ...left, also: right };
      const first = left ?? right;
      return first && { ...first, only: true };
    }
    default:
      return undefined;
  }
}

const BUILT_IN = new Set(['str', 'int', 'bytes', 'dict', 'list', 'tuple', 'set', 'float', 'bool']);

/** `if isinstance(tag, Tag):`, `if isinstance(tag, (Tag, str)):` */
function asksClass(c: Place, call: Syntax): Branch['when'] {
  const [object, cls] = [argument(call, 0), argument(call, 1)];
  if (object?.type !== 'identifier' || !cls) return undefined;
  const all = cls.type === 'tuple' ? cls.children.filter(({ type }) => type !== 'comment') : [cls];
  const of = all.flatMap((one) => classAsked(c, one) ?? []);
  const parameter = textOf(c.file, object);
  if (
    of.length === 0 ||
    of.length < all.length ||
    !isParameter(c, object, lookup(c.file, c.scope, parameter), givingOf)
  )
    return undefined;
  if (c.keeps) c.keeps.flags = true;
  return { parameter, is: 'true', of };
}

function classAsked(c: Place, cls: Syntax): Name | undefined {
  const called = textOf(c.file, cls);
  return BUILT_IN.has(called) ? `python:${called}` : classGiven(c, cls);
}

const asksTold = (c: Place, node: Syntax, is: NonNullable<Branch['when']>['is']): Branch['when'] => {
  const parameter = askedAs(c, node);
  return parameter === undefined ? undefined : { parameter, is };
};

/** `if self.atomic:` after `self.atomic = atomic`: whoever makes the object decides, and of who enters it must say so. */
function asksMaker(c: Place, node: Syntax, is: NonNullable<Branch['when']>['is']): Branch['when'] {
  const [, attribute] = /^self\.(\w+)$/.exec(textOf(c.file, node)) ?? [];
  if (!attribute || !c.cls || !c.keeps) return undefined;
  const parameter = keptOf(c, c.cls, attribute);
  if (parameter === undefined) return undefined;
  c.keeps.flags = true;
  if (ENTERS.test(textOf(c.file, child(around(node) ?? node, 'name')))) {
    c.keeps.made = methodOf(c, c.cls.node, '__init__')!;
    return { parameter, is, unsure: true };
  }
  c.keeps.ofMaker ??= new Set();
  c.keeps.ofMaker.add(attribute);
  return { parameter: `self.${attribute}`, is };
}

const ENTERS = /^__a?(enter|exit)__$/;

/** `self.order.pay()`: what that is, whoever made the object said. */
export function asksKept(c: Place, object: Syntax | undefined): void {
  const attribute = c.keeps ? keptAttribute(c, object) : undefined;
  if (attribute === undefined) return;
  c.keeps!.flags = true;
  c.keeps!.ofMaker ??= new Set();
  c.keeps!.ofMaker.add(attribute);
}

const ASKED = /\b(?:(?:if|elif|not|and|while) self\.(\w+)|self\.(\w+)\.\w)/g;
const KEEPS = /^ +self\.(\w+)(?:: [^=\n]+)? = [a-z_]\w*$/gm;

/** Those attributes that a class keeps of its maker, as it seems, and that conditions of its methods ask for. */
const askedIn = kept(({ file }, { node, methods }: ClassInfo): string[] => {
  if (!methods.has('__init__')) return NONE;
  const text = textOf(file, node);
  const asked = new Set([...text.matchAll(ASKED)].map(([, name, owner]) => (name ?? owner)!));
  return asked.size === 0
    ? NONE
    : [...new Set([...text.matchAll(KEEPS)].map(([, name]) => name!))].filter((name) => asked.has(name));
});

const NONE: string[] = [];

/** `self.save(row)`: what the object was made with, it has there too. */
export function keptHere(c: Place, call: Syntax): Record<string, Given> | undefined {
  const { cls, keeps } = c;
  const asked = cls && keeps ? askedIn(c, cls) : NONE;
  if (asked.length === 0) return undefined;
  const callee = child(call, 'function');
  if (callee?.type !== 'attribute' || textOf(c.file, child(callee, 'object')) !== 'self') return undefined;
  const all = asked.filter((one) => keptOf(c, cls!, one) !== undefined);
  if (all.length === 0) return undefined;
  keeps!.flags = true;
  keeps!.ofMaker ??= new Set();
  for (const one of all) keeps!.ofMaker.add(one);
  return Object.fromEntries(all.map((one) => [`self.${one}`, { parameter: `self.${one}` }]));
}

/** `Importer(rows, dry=True).run()`, and of a variable that holds such an object and lets nobody change it here. */
export function madeWith(c: Place, call: Syntax, callee: Name): Pick<Call, 'made'> {
  const of = callee.slice(0, callee.lastIndexOf('.')) as Name;
  const method = isCapital(of) ? child(call, 'function') : undefined;
  const object = method?.type === 'attribute' ? child(method, 'object') : undefined;
  const maker = object && makerOf(c, object);
  if (!maker || `python:${resolve(c, child(maker, 'function'))?.path}` !== of) return {};
  const { args, given } = argumentsOf(c, maker);
  return args === undefined ? {} : { made: { of, args, ...(given && { given }) } };
}

function makerOf(c: Place, object: Syntax): Syntax | undefined {
  if (object.type === 'call') return object;
  if (object.type !== 'identifier') return undefined;
  const name = textOf(c.file, object);
  const [one, another] = assignmentsOf(c, object, name);
  const value = one && !another && one.end < object.start ? child(one, 'right') : undefined;
  if (value?.type !== 'call' || !isCapital(textOf(c.file, child(value, 'function')))) return undefined;
  const changes = new RegExp(`\\b${name}\\.\\w+ *=(?!=)`);
  return changes.test(c.file.text.slice(value.end, object.start)) ? undefined : value;
}

/** `is_new = self.pk is None`, and then `if is_new:`. */
function answered(
  c: Place,
  node: Syntax,
  code: Syntax | undefined,
  is: NonNullable<Branch['when']>['is'],
): Branch['when'] {
  // `found = not found` asks for what it was before.
  if (!code || code.end > node.start) return undefined;
  if (!/^(comparison_operator|not_operator|attribute)$/.test(code.type)) return undefined;
  const inner = assignments(c, node, textOf(c.file, node)) === 1 ? decidedBy(c, code) : undefined;
  if (is === 'true' || !inner) return inner;
  return inner.only || inner.also ? undefined : opposite(inner);
}

/** `super().save(**kwargs)`: what callers say by this keyword, the callee is told. */
export function handsOn(c: Place, node: Syntax, keyword: string | undefined): Pick<Branch, 'when'> {
  // What goes on in `**options` is not among them where the caller says nothing of it.
  if (!keyword || !isForwarded(c, node, { name: keyword, value: false })) return {};
  return { when: { parameter: keyword, is: 'true' } };
}

function around(node: Syntax): Syntax | undefined {
  let at: Syntax | null = node;
  while (at && at.type !== 'function_definition') at = at.parent;
  return at ?? undefined;
}

/**
 * The parameters that a routine has for its callers to decide by; `sure`: no decorator stands between that gives them.
 * What such give is an object, where None is usual, and no true or false.
 */
export function flagsOf(c: Place, node: Syntax, isBound: boolean, sure: boolean): Routine['flags'] {
  const list = parametersOf(node).filter((one) => one.type !== 'comment');
  const out: NonNullable<Routine['flags']> = [];
  out.push(...forwardedBy(c, node));
  for (const [name, value] of c.keeps?.saved ?? []) out.push({ name, ...(value !== undefined && { value }) });
  for (const attribute of c.keeps?.ofMaker ?? []) out.push(...flagsOfMaker(c, attribute));
  let position: number | null = isBound ? -1 : 0;
  for (const one of list) {
    if (/splat|separator/.test(one.type) || /splat/.test(one.children[0]?.type ?? '')) {
      const all = allGiven(c, one);
      if (all && all === c.keeps?.all && position !== null && position >= 0)
        out.push({ name: all, position, rest: true });
      if (!/positional_separator/.test(one.type)) position = null;
      continue;
    }
    const name = one.type === 'identifier' ? one : (child(one, 'name') ?? one.children[0]);
    const value = child(one, 'value');
    const depth = value && LISTED.has(value.type) ? 0 : 1;
    const usual = value && (sure || /^(true|false)$/.test(value.type)) ? given(c, value, depth) : 'unknown';
    if (name && position !== -1)
      out.push({
        name: textOf(c.file, name),
        ...(position === null ? {} : { position }),
        ...(usual === 'unknown' ? {} : { value: usual }),
        ...(textOf(c.file, name) === c.keeps?.connection && { connection: 'default' }),
      });
    if (position !== null) position++;
  }
  return out;
}

function flagsOfMaker(c: Place, attribute: string): NonNullable<Routine['flags']> {
  const { cls, keeps: _, ...place } = c;
  const init = cls && methodOf(c, cls.node, '__init__');
  const made = cls && keptOf(c, cls, attribute);
  const { name: __, ...its } = flagsOf(place, init!, true, true)!.find(({ name }) => name === made) ?? {
    name: '',
  };
  return [{ ...its, name: `self.${attribute}`, made: made! }];
}

/** `*names`: all that stand there. */
function allGiven(c: Place, parameter: Syntax): string | undefined {
  const star = parameter.type === 'list_splat_pattern' ? parameter : parameter.children[0];
  return star?.type === 'list_splat_pattern' ? textOf(c.file, star.children[0]) : undefined;
}

/** Whether the function around calls all that it is given by place so, and nothing else. */
export const isAllGiven = (c: Place, node: Syntax, name: string): boolean =>
  parametersOf(functionAround(node) ?? undefined).some((one) => allGiven(c, one) === name) &&
  assignments(c, node, name) === 0;

/** The option of a call that is a parameter, and what it makes of the meaning where that is so. */
export function optionGiven(c: Place, node: Syntax, its: Meaning) {
  for (const variation of its.when ?? []) {
    const option = /^(True|False)$/.test(variation.is ?? '')
      ? argumentGiven(c, node, variation.argument)
      : undefined;
    if (option?.type === 'identifier' && isParameter(c, option, resolve(c, option))) {
      const parameter = textOf(c.file, option);
      const usual = usualValue(c, option, parameter);
      return { variation, parameter, usual: textOf(c.file, usual) === 'True' };
    }
    const named = typeof variation.argument === 'object' && !option && variation.argument.keyword;
    const usual = variation.is === 'False';
    if (
      named &&
      /^(True|False)$/.test(variation.is ?? '') &&
      isForwarded(c, node, { name: named, value: usual })
    )
      return { variation, parameter: named, usual };
  }
  return undefined;
}
