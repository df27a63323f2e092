// What is left of a routine once some of its parameters are known: branches, loops, calls, rows. Not who says what they are.
import {
  type Block,
  type Branch,
  type Call,
  FIRED_ROWS,
  type Given,
  isConnection,
  isHandedOn,
  isObject,
  isText,
  type Loop,
  type Name,
  namedBy,
  type Scope,
  type Sign,
  type Step,
  type TypeDeclaration,
  type When,
} from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { rewrite } from '../rewrite.ts';
import { begins, ownersIn } from './asked.ts';
import {
  andSo,
  handed,
  isAtMost,
  isConstant,
  isUnchanged,
  itemsOf,
  textOf,
  textsIn,
  type Values,
} from './values.ts';

/** The class of that name as it is declared; null where it is none of this program. */
export type ClassOf = (name: Name) => Class | null;
type Class = Pick<TypeDeclaration, 'name' | 'bases' | 'relation'>;

/** The very same list where nothing is decided. */
export function decided(to: Linked, values: Values, originals: Map<Step, Step>, classOf: ClassOf): Step[] {
  const owners = ownersIn(to).flatMap(([parameter, owner]): Owner[] => {
    const value = values.get(parameter);
    return isObject(value) ? [{ owner, is: value.is, likely: value.likely }] : [];
  });
  return rewrite(to.body, (inner, step) => {
    if (inner.kind === 'branch') return branch(inner, values, originals, classOf);
    const copy = changed(owners.length > 0 ? owned(inner, owners) : inner, values);
    if (copy !== step) originals.set(copy, originals.get(step) ?? step);
    return [copy];
  });
}

/** What names begin with, and of which class that is. */
interface Owner {
  owner: string;
  is: Name;
  likely: true | undefined;
}

/** What is asked of a parameter is asked of an object of its class. */
function owned(step: Step, owners: Owner[]): Step {
  const of = (name: Name) => owners.find(({ owner }) => begins(name, owner));
  const named = (name: Name): Name => {
    const { owner, is } = of(name) ?? {};
    if (!owner || !is) return name;
    const rest = name.slice(owner.length);
    if (!is.endsWith('[]')) return `${is}${rest}` as Name;
    return rest.startsWith('[]') ? (`${is.slice(0, -2)}${rest.slice(2)}` as Name) : name;
  };
  if (step.kind === 'call') {
    const callee = named(step.callee);
    const given = Object.entries(step.given ?? {});
    const hands = given.some(([, one]) => isObject(one) && named(one.is) !== one.is);
    if (callee === step.callee && !hands) return step;
    const now = given.map(([key, one]): [string, Given] => {
      if (!isObject(one)) return [key, one];
      const isGuess = one.likely || of(one.is)?.likely;
      return [key, { ...one, is: named(one.is), ...(isGuess && { likely: true }) }];
    });
    const isGuess = step.certainty === undefined && of(step.callee)?.likely;
    return {
      ...step,
      callee,
      ...(isGuess && { certainty: 'likely' }),
      ...(hands && { given: Object.fromEntries(now) }),
    };
  }
  if (!('relation' in step) || !step.relation) return step;
  const relation = named(step.relation);
  return relation === step.relation ? step : ({ ...step, relation } as Step);
}

function changed(before: Step, values: Values): Step {
  const { onBy, link } = before;
  const handedOver = link === undefined ? undefined : values.get(link);
  const step =
    onBy !== undefined && values.has(onBy)
      ? { ...before, on: textOf(values.get(onBy)) ?? onBy, onBy: undefined }
      : isConnection(handedOver)
        ? { ...before, on: handedOver.on, link: undefined }
        : before;
  if (step.kind === 'call') return call(step, values);
  if (step.kind === 'scope') return scope(step, values);
  if (step.kind === 'block') return block(step, values);
  if (step.kind === 'write') return step.tells ? { ...step, tells: handedOn(step.tells, values) } : step;
  return step.kind === 'loop' ? loop(step, values) : step;
}

/** Over what the caller wrote out, it has as many turns. */
function loop(step: Loop, values: Values): Loop {
  const value = step.each === undefined ? undefined : values.get(step.each);
  const said = value === null ? 0 : itemsOf(value);
  // Of none there are as many as usual: `limit or 20`.
  const items = said === 0 ? (step.usually ?? (value === null ? undefined : said)) : said;
  if (items === undefined || step.times !== null) return step;
  const times = Math.max(0, items + (step.more ?? 0));
  // An UPDATE may find no row, and a trigger before it may take it away.
  const isMost = step.each!.startsWith(FIRED_ROWS) || isAtMost(value);
  const turns = isMost ? { ...step, times, atMost: true as const } : { ...step, times };
  return step.usually === undefined ? turns : { ...turns, certainty: undefined };
}

function call(step: Call, values: Values): Call {
  const text = step.runs === undefined ? undefined : values.get(step.runs);
  if (isText(text)) return { ...step, callee: text.sql, runs: undefined };
  const callee = step.named === undefined ? undefined : namedBy(values.get(step.named), step.callee);
  if (callee) return { ...step, callee, named: undefined, meanings: undefined };
  if (!handed(step.given).some((parameter) => values.has(parameter))) return step;
  return { ...step, given: handedOn(step.given!, values) };
}

/** What a routine hands on, as its caller gave it. */
const handedOn = (given: Record<string, Given>, values: Values): Record<string, Given> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]): [string, Given] => [
      name,
      isHandedOn(value) && values.has(value.parameter) ? andSo(values.get(value.parameter)!, value) : value,
    ]),
  );

/** A row that only constants tell is the same each time. */
function scope(step: Scope, values: Values): Scope {
  if (!step.sameFor) return step;
  const sameFor = step.sameFor.filter((parameter) => !isConstant(values.get(parameter)));
  // In another turn of a loop farther out it may be another one.
  if (sameFor.length > 0 && sameFor.every((parameter) => isUnchanged(values.get(parameter))))
    return { ...step, certainty: 'possible', sameFor: undefined };
  if (sameFor.length === step.sameFor.length) return step;
  return sameFor.length > 0 ? { ...step, sameFor } : { ...step, same: 'always', sameFor: undefined };
}

/** So is one that a query by such constants found missing. */
function block(step: Block, values: Values): Block {
  const isSame = step.sameFor?.every((parameter) => isConstant(values.get(parameter)));
  return isSame ? { ...step, once: 'ever', sameFor: undefined } : step;
}

function branch(before: Branch, values: Values, originals: Map<Step, Step>, classOf: ClassOf): Step[] {
  const step = everySo(before, values);
  const { when, arms, exhaustive } = step;
  const answer = when && whether(when, values, classOf);
  if (answer === undefined) return [step];
  if (answer) return when!.unsure ? sure(arms[0] ?? [], originals) : (arms[0] ?? []);
  const rest = arms.slice(1);
  if (rest.length === 0) return [];
  return rest.length === 1 && exhaustive ? rest[0]! : [{ ...step, arms: rest, when: undefined }];
}

/** In one of as many turns as the caller says. */
function everySo(step: Branch, values: Values): Branch {
  const value = step.each === undefined ? undefined : values.get(step.each);
  const items = isAtMost(value) ? undefined : itemsOf(value);
  const every = items === undefined ? 0 : items + (step.more ?? 0);
  return every > 0 ? { ...step, every, each: undefined, more: undefined } : step;
}

/** Whether the first arm runs; unknown where it asks for more than this. */
function whether(when: NonNullable<Branch['when']>, values: Values, classOf: ClassOf): boolean | undefined {
  const both = when.also ? [when, when.also] : [when];
  const answers = both.map((one) => {
    const value = values.get(one.parameter);
    return value === undefined ? undefined : one.of ? isOneOf(value, one, one.of, classOf) : isSo(value, one);
  });
  if (answers.includes(false)) return false;
  return answers.includes(undefined) || both.some(({ only }) => only) ? undefined : true;
}

/** What was merely possible, now that a caller says so. */
const sure = (steps: Step[], originals: Map<Step, Step>): Step[] =>
  steps.map((step) => {
    const copy: Step = { ...step, certainty: 'certain' };
    originals.set(copy, originals.get(step) ?? step);
    return copy;
  });

/** NULL compares with nothing, nor does NaN where it is not told to differ. */
const COMPARE: Record<Sign, (a: number, b: number) => boolean> = {
  '=': (a, b) => a === b, '<>': (a, b) => a < b || a > b, '<': (a, b) => a < b, '<=': (a, b) => a <= b,
  '>': (a, b) => a > b, '>=': (a, b) => a >= b,
}; // biome-ignore format: a table

/** `%` is any text, `_` any one character, and a backslash takes the next as it stands. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.match(/\\?[\s\S]/gu) ?? [];
  const source = parts.map((part) =>
    part === '%'
      ? '.*'
      : part === '_'
        ? '.'
        : part.replace(/^\\(?=.)/su, '').replace(/[\^$\\.*+?()[\]{}|/]/, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 'su').test(text);
}

function isOneOf(value: Given, { is }: When, all: Name[], classOf: ClassOf): boolean | undefined {
  const answers = all.map((one) => isOf(value, one, classOf));
  if (answers.includes(true)) return is === 'true';
  return answers.includes(undefined) ? undefined : is !== 'true';
}

/** An object of another class may be of one below it; one that has a table is nothing of the language's own. */
function isOf(value: Given, of: Name, classOf: ClassOf): boolean | undefined {
  const asked = classOf(of);
  if (isObject(value)) {
    const its = value.likely ? null : classOf(value.is);
    if (!its || (asked ? !descends(its, asked.name, classOf) : !its.relation)) return undefined;
    return asked !== null;
  }
  const isPlain =
    value === null || typeof value === 'boolean' || value === 'literal' || textOf(value) !== undefined;
  return asked && isPlain ? false : undefined;
}

const descends = (type: Class, from: Name, classOf: ClassOf, depth = 0): boolean =>
  type.name === from ||
  (depth < 8 &&
    type.bases.some((base) => {
      const above = classOf(base);
      return above !== null && descends(above, from, classOf, depth + 1);
    }));

function isSo(value: Given, when: NonNullable<Branch['when']>): boolean | undefined {
  const { is, among, like, than, has, whole } = when;
  const text = textOf(value);
  if (isAtMost(value)) return undefined;
  if (when.orNull !== undefined && value === null) return when.orNull === (is === 'true');
  if (has) {
    const all = textsIn(value);
    if (!all) return whole && value === null ? is !== 'true' : undefined;
    const isIn = whole ? itemsOf(value) === has.length && all.length === has.length : all.length > 0;
    return (isIn && has.some((one) => all.includes(one))) === (is === 'true');
  }
  if (than) {
    const number = value === null ? Number.NaN : itemsOf(value);
    return number === undefined ? undefined : COMPARE[than.sign](number, than.number) === (is === 'true');
  }
  if (like && among && text !== undefined)
    return among.some((pattern) => isLike(text, pattern)) === (is === 'true');
  if (among && typeof value === 'boolean') return is !== 'true';
  if (among) return text === undefined ? undefined : among.includes(text) === (is === 'true');
  if (value === 'constant' || value === 'unchanged') return undefined;
  if (isObject(value) && !value.there) return undefined;
  if (is === 'null' || is === 'not null') return (value === null) === (is === 'null');
  if (isText(value) || text !== undefined) return undefined;
  const items = itemsOf(value);
  if (items !== undefined) return items > 0 === (is === 'true');
  return typeof value === 'string' ? undefined : Boolean(value) === (is === 'true');
}
