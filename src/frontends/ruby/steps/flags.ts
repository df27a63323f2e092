// Parameters that decide which way a method goes, and what callers give for them. Which way that is, the linker says.
import {
  type Branch,
  type Call,
  type Given,
  inside,
  isHandedOn,
  isObject,
  type Name,
  type Routine,
  type Step,
} from '../../../ir.ts';
import { isNamedAsSql } from '../../sql/queries/embedded.ts';
import { child, type Syntax } from '../../syntax.ts';
import { LETTERS } from '../../words.ts';
import { lengthOf } from '../counts/lengths.ts';
import type { Body, RubyFile } from '../names/file.ts';
import { ofCaller } from '../names/given.ts';
import { namesOf } from '../names/held.ts';
import { lasts } from '../names/meaning.ts';
import { isAssigned } from '../names/staying.ts';
import { itemOf, typeOf } from '../names/types.ts';
import { type Arguments, literal, parts, textOf, word } from '../syntax.ts';
import { handedText, madeFrom, textElsewhere } from './embedded.ts';

const LITERALS: Record<string, Given> = { true: true, false: false, nil: null };

const written = (file: RubyFile, node: Syntax | undefined): string => (node ? textOf(file, node) : '');

/** A constant, and what the environment says for as long as the program runs. */
const CONSTANT = /^(([A-Z]\w*(::|\.))*[A-Z][A-Z0-9_]*|ENV(\.fetch\(|\[)(["'])\w+\5[)\]])$/;
const COUNTED = /^(array|string_array|symbol_array|hash|identifier|constant)$/;

/** What an argument is, as far as anybody sees: a local variable may be a parameter, which `flagsOf` knows. */
export function givenAs(body: Body, node: Syntax): Given {
  const text = written(body.file, node).replace(/:$/, '');
  if (Object.hasOwn(LITERALS, text)) return LITERALS[text]!;
  const sql = handedText(body, node) ?? (isNamedAsSql(text) ? textElsewhere(body, node) : undefined);
  if (sql) return { sql };
  const items = COUNTED.test(node.type) ? lengthOf(body, node)?.times : undefined;
  if (items !== undefined) return { items };
  const is = classIn(body, node);
  const isLocal = NAME.test(text) && body.locals.has(text);
  if (is && !(isLocal && !OF_CALLER.test(is))) return { is };
  if (isLocal) return { parameter: text, ...(is && { is }) };
  const parameter = node.type === 'call' ? madeFrom(body, node) : undefined;
  if (parameter !== undefined) return { parameter };
  const its = word(body.file, node);
  if (its !== null) return { text: its };
  if (literal(body.file, node) !== null) return 'literal';
  if (!CONSTANT.test(text)) return lasts(text) ? 'constant' : 'unknown';
  const of = namesOf(body, node);
  return of.length > 0 ? { of } : 'constant';
}

/** Of which class it is: `Order[]` where it is several. */
function classIn(body: Body, node: Syntax): Name | undefined {
  if (!/^(call|identifier|instance_variable|self)$/.test(node.type)) return undefined;
  const type = typeOf(body, node);
  const whose = type ? null : ofCaller(body, node);
  // A parameter itself is handed on as such.
  if (whose !== null) return /[#[]/.test(whose) ? `ruby:${whose}` : undefined;
  if (!type || /^ruby:\?/.test(type.name)) return undefined;
  if (type.kind === 'one') return type.name;
  const item = type.kind === 'some' || type.kind === 'many' ? itemOf(type) : null;
  return item ? `${item.name}[]` : undefined;
}

/** The arguments of a call in which all of them are seen. */
export function givenBy(
  body: Body,
  { positional, keywords, splats }: Arguments,
): Pick<Call, 'args' | 'given'> {
  if (splats.length > 0) return {};
  // Behind `*rows` nobody knows which argument is which.
  const splat = positional.findIndex(({ type }) => type === 'splat_argument');
  const counted = splat < 0;
  const out: Record<string, Given> = {};
  for (const [i, one] of (counted ? positional : positional.slice(0, splat)).entries()) {
    const its = givenAs(body, one);
    if (its !== 'unknown') out[i] = its;
  }
  for (const [name, { value }] of keywords) out[name] = givenAs(body, value);
  return {
    ...(counted && { args: positional.length + (keywords.size > 0 ? 1 : 0) }),
    ...(Object.keys(out).length > 0 && { given: out }),
  };
}

/** `if flag`, `unless flag`, `if flag.nil?`, and these before `&&`. */
export function decidedBy(body: Body, node: Syntax): { when?: NonNullable<Branch['when']> } {
  const when = about(body, child(node, 'condition'));
  if (!when) return {};
  if (!/^unless/.test(node.type)) return { when };
  return when.only ? {} : { when: { ...when, is: OPPOSITE[when.is] } };
}

function about(body: Body, node: Syntax | undefined): Branch['when'] {
  const text = written(body.file, node);
  const one = ASKS.exec(text);
  if (one && body.locals.has(one[2]!)) {
    const is = one[3] ? 'null' : 'true';
    return { parameter: one[2]!, is: one[1] ? OPPOSITE[is] : is };
  }
  if (node?.type !== 'binary' || !/^(&&|and)$/.test(written(body.file, child(node, 'operator'))))
    return undefined;
  const first = about(body, child(node, 'left')) ?? about(body, child(node, 'right'));
  return first && { ...first, only: true };
}

const OPPOSITE = { true: 'false', false: 'true', null: 'not null', 'not null': 'null' } as const;

/** The parameters that a method has for its callers to decide by, and that keep what they are given. */
export function flagsOf(
  file: RubyFile,
  list: Syntax | undefined,
  code: Syntax | undefined,
  steps: Step[],
  rest: Set<string>,
): Pick<Routine, 'flags'> {
  const asked = askedIn(steps);
  if (asked.size === 0) return {};
  const text = written(file, code);
  const out: NonNullable<Routine['flags']> = [];
  let position: number | null = 0;
  for (const one of parts(list)) {
    if (/splat|forward|block|destructured/.test(one.type)) {
      const name = written(file, child(one, 'name'));
      if (one.type === 'splat_parameter' && position !== null && asked.has(name) && !isAssigned(name, text))
        out.push({ name, position, rest: true });
      position = null;
      continue;
    }
    const name = written(file, one.type === 'identifier' ? one : child(one, 'name'));
    const keyword = one.type === 'keyword_parameter';
    const usual = written(file, child(one, 'value'));
    if (asked.has(name) && !isAssigned(name, text, !asked.get(name)))
      out.push({
        name,
        ...(keyword || position === null ? {} : { position }),
        ...(Object.hasOwn(LITERALS, usual) ? { value: LITERALS[usual]! } : {}),
      });
    if (!keyword && position !== null) position++;
  }
  // An option among others that are handed on: without it, it is not set.
  for (const name of rest) out.push({ name, value: false });
  return out.length > 0 ? { flags: out } : {};
}

const OF_CALLER = new RegExp(`^ruby:\\(([${LETTERS}]+)\\)`);
const NAME = new RegExp(`^[${LETTERS}]+$`);
const ASKS = new RegExp(`^(!?)([${LETTERS}]+)(\\.nil\\?)?$`);

/** Names that conditions ask, that calls are asked of, that tell a row, or that calls hand on: whether it is but their class that is asked for. */
function askedIn(body: Step[]): Map<string, boolean> {
  const out = new Map<string, boolean>();
  const add = (name: string) => out.set(name, false);
  const ask = (name: Name) => {
    const owner = OF_CALLER.exec(name)?.[1];
    if (owner !== undefined && !out.has(owner)) out.set(owner, true);
  };
  const stack = [body];
  for (let steps = stack.pop(); steps; steps = stack.pop())
    for (const step of steps) {
      if (step.kind === 'branch' && step.when) add(step.when.parameter);
      if (step.kind === 'loop' && step.each !== undefined) add(step.each);
      if (step.kind === 'scope') for (const name of step.sameFor ?? []) add(name);
      if (step.kind === 'call' && step.runs !== undefined) add(step.runs);
      if (step.kind === 'call') ask(step.callee);
      if (step.kind === 'call')
        for (const value of Object.values(step.given ?? {}))
          if (isHandedOn(value)) add(value.parameter);
          else if (isObject(value)) ask(value.is);
      stack.push(...inside(step));
    }
  return out;
}
