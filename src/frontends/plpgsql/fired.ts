// What a condition asks of the trigger that runs the function, TG_OP, TG_TABLE_NAME, TG_ARGV and their kin, and whether a parameter is one of some texts. No other conditions.
import { type Branch, FIRED_ROWS, inside, type Routine, type Step, type When } from '../../ir.ts';
import { changedIn } from '../sql/queries/changed.ts';
import { columnOfCommand, tagsOf } from './commands.ts';
import { type Context, find, mark, word } from './context.ts';
import { valuesOf } from './survey.ts';
import type { ChoiceNode, Range, Statement } from './tree.ts';

type Flag = NonNullable<Routine['flags']>[number];
export type Asked = When & { among: string[] };

/** What the variables say, and the words of Trigger that the server spells in capitals. */
const FIRED: Record<string, { fired: NonNullable<Flag['fired']>; words?: string[] }> = {
  tg_op: { fired: 'verb', words: ['insert', 'update', 'delete', 'truncate'] },
  tg_when: { fired: 'timing', words: ['before', 'after', 'instead'] },
  tg_level: { fired: 'each', words: ['row', 'statement'] },
  tg_table_name: { fired: 'relation' },
  tg_relname: { fired: 'relation' },
  tg_table_schema: { fired: 'schema' },
  tg_name: { fired: 'name' },
  tg_event: { fired: 'event' },
  tg_tag: { fired: 'tag' },
  tg_nargs: { fired: 'arguments' },
};

/** The variables that branches of a body ask for. */
export function askedFor(steps: Step[]): Flag[] {
  const names = new Set<string>();
  const look = (list: Step[]): void => {
    for (const step of list) {
      if (step.kind === 'branch')
        for (const one of [step.when, step.when?.also]) if (one?.among) names.add(one.parameter);
      if (step.kind === 'loop' && step.each?.startsWith(FIRED_ROWS)) names.add(step.each);
      for (const inner of inside(step)) look(inner);
    }
  };
  look(steps);
  return [...names].flatMap((name): Flag[] => {
    const argument = ARGUMENT.exec(name);
    if (argument) return [{ name, fired: 'argument', position: Number(argument[1]) }];
    if (name.startsWith(NEW))
      return [{ name, fired: 'unchanged', columns: JSON.parse(name.slice(NEW.length)) as string[] }];
    if (name.startsWith(FIRED_ROWS))
      return [{ name, fired: 'rows', columns: name.slice(FIRED_ROWS.length).split(',') }];
    return FIRED[name] ? [{ name, fired: FIRED[name].fired }] : [];
  });
}

const ARGUMENT = /^tg_argv\[(\d+)\]$/;

/** `or`: what stands for one that is not there. */
interface Told {
  name: string;
  or?: string;
}

/** `TG_OP`, `TG_ARGV[0]`, a parameter that is a text: what stands here, and where it ends. */
function variable(c: Context, from: number, to: number): (Told & { next: number }) | null {
  const name = word(c, from, to);
  if (Object.hasOwn(FIRED, name)) return { name, next: from + 1 };
  const parameter = c.scope.given?.(name);
  if (parameter !== undefined) return { name: parameter, next: from + 1 };
  const value = atHead(c, name, from);
  const its = value && handed(c, value);
  if (its) return { ...its, next: from + 1 };
  const next = from + (name === 'coalesce' ? 9 : 4);
  const here = next <= to ? handed(c, { from, to: next }) : null;
  return here && { ...here, next };
}

/** `TG_ARGV[0]`, `coalesce(TG_ARGV[0], 'none')` */
function handed(c: Context, { from, to }: Range): Told | null {
  const name = argument(c, { from, to });
  if (name !== undefined) return { name };
  const text = c.tokens[from + 7];
  if (word(c, from) !== 'coalesce' || to !== from + 9 || text?.kind !== 'string') return null;
  const first = argument(c, { from: from + 2, to: from + 6 });
  const whole = mark(c, from + 6) === ',' && mark(c, from + 8) === ')' && text.text.startsWith("'");
  return first !== undefined && whole ? { name: first, or: unquoted(text.text) } : null;
}

/** `only`: it holds where something else does, besides. */
export function askedOf(c: Context, node: ChoiceNode, condition: Range): Branch['when'] | null {
  if (node.kind === 'if' || node.on.from >= node.on.to) {
    const one = asked(c, condition);
    const columns = changedAs(c, condition);
    return one && columns ? { ...one, also: columns } : (one ?? columns);
  }
  const on = variable(c, node.on.from, node.on.to);
  return on?.next === node.on.to ? among(c, on, condition, false) : null;
}

/** The columns stand in the parameter's name, after the word for the row. */
function changedAs(c: Context, condition: Range): Asked | null {
  const changed = changedIn(c.tokens, condition);
  if (!changed) return null;
  const parameter = NEW + JSON.stringify(changed.columns);
  const among = ['unchanged'];
  return changed.then === 'yes'
    ? { parameter, is: 'true', among }
    : { parameter, is: 'false', among, only: true };
}

const NEW = 'new ';

function asked(c: Context, { from, to }: Range): Asked | null {
  const either = parts(c, { from, to }, 'or');
  if (either.length > 1) return anyOf(either.map((part) => asked(c, part)));
  const both = parts(c, { from, to }, 'and');
  if (both.length > 1) return allOf(both.map((part) => asked(c, part)));
  if (word(c, from) === 'not') return otherwise(asked(c, { from: from + 1, to }));
  if (mark(c, from) === '(' && mark(c, to - 1) === ')') return asked(c, { from: from + 1, to: to - 1 });
  return comparison(c, { from, to });
}

/** Between the words that stand outside of brackets. */
function parts(c: Context, { from, to }: Range, between: string): Range[] {
  const out: Range[] = [];
  for (let at = from; at <= to; ) {
    const end = find(c, { from: at, to }, between);
    out.push({ from: at, to: end });
    at = end + 1;
  }
  return out;
}

/** One of them holds where not all of them fail. */
function anyOf(all: (Asked | null)[]): Asked | null {
  const some = all.some((one) => one?.only);
  const fail = all.includes(null) ? null : allOf(all.map((one) => otherwise({ ...one!, only: undefined })));
  const one = fail && !fail.only ? otherwise(fail) : null;
  return one && some ? { ...one, only: true } : one;
}

function allOf(all: (Asked | null)[]): Asked | null {
  const first = all.find((one) => one !== null);
  if (!first) return null;
  const { parameter } = first;
  const same = all.filter((one): one is Asked => one?.parameter === parameter);
  if (same.some(({ like }) => like)) return allLike(same, same.length < all.length);
  const yes = same.filter(({ is }) => is === 'true').map(({ among }) => among);
  const no = same.filter(({ is }) => is === 'false').flatMap(({ among }) => among);
  const only = same.length < all.length || same.some((one) => one.only);
  const more = only ? { only: true as const } : {};
  if (yes.length === 0) return { parameter, is: 'false', among: no, ...more };
  const among = yes[0]!.filter((text) => yes.every((one) => one.includes(text)) && !no.includes(text));
  return { parameter, is: 'true', among, ...more };
}

/** None of several patterns is one question; of others only the first is asked. */
function allLike(same: Asked[], more: boolean): Asked {
  const first = same.find(({ like }) => like)!;
  const none = same.every(({ like, is, only }) => like && is === 'false' && !only);
  if (none && !more) return { ...first, among: same.flatMap(({ among }) => among) };
  return same.length > 1 || more ? { ...first, only: true } : first;
}

const otherwise = (one: Asked | null): Asked | null =>
  one && !one.only ? { ...one, is: one.is === 'true' ? 'false' : 'true' } : null;

/** `TG_OP = 'INSERT'`, `'INSERT' <> TG_OP`, `TG_OP [NOT] IN (…)`, `TG_OP = ANY (ARRAY[…])` */
function comparison(c: Context, { from, to }: Range): Asked | null {
  const turned = variable(c, from + 2, to);
  if (turned?.next === to) {
    const sign = mark(c, from + 1, to);
    return SIGNS.has(sign) ? among(c, turned, { from, to: from + 1 }, sign !== '=') : null;
  }
  const none = word(c, from + 1, to) === 'is' ? ofNone(c, { from, to }) : null;
  if (none) return none;
  const here = variable(c, from, to);
  if (!here) return ofCommand(c, { from, to });
  const { name, next } = here;
  const not = word(c, next, to) === 'not';
  const sign = mark(c, next, to);
  const open = next + (not ? 2 : 1);
  if (word(c, open - 1, to) === 'like') {
    const found =
      FIRED[name]?.words || to !== open + 1 || here.or !== undefined
        ? null
        : among(c, here, { from: open, to }, not);
    return found && { ...found, like: true };
  }
  if (word(c, open - 1, to) === 'in' || (sign === '=' && word(c, open, to) === 'any'))
    return among(c, here, { from: open, to }, not);
  if (to !== next + 2) return null;
  if (SIGNS.has(sign)) return among(c, here, { from: open, to }, sign !== '=');
  return name === 'tg_nargs' ? ofNumber(name, sign, Number(c.tokens[open]!.text)) : null;
}

/** `TG_NARGS > 1`: none of those up to it. */
function ofNumber(parameter: string, sign: string, number: number): Asked | null {
  if (!Object.hasOwn(BELOW, sign) || !Number.isInteger(number) || number > MOST_ARGUMENTS) return null;
  const { and, is } = BELOW[sign]!;
  const among = Array.from({ length: number + and }, (_, i) => String(i));
  return { parameter, is, among };
}

const MOST_ARGUMENTS = 100;
const BELOW: Record<string, { and: 0 | 1; is: 'true' | 'false' }> = {
  '<': { and: 0, is: 'true' },
  '<=': { and: 1, is: 'true' },
  '>': { and: 1, is: 'false' },
  '>=': { and: 0, is: 'false' },
};

/** `kind IS NULL`, where it holds NULLIF(TG_ARGV[1], 'null'), or what the trigger handed over. */
function ofNone(c: Context, { from, to }: Range): Asked | null {
  const not = word(c, from + 2, to) === 'not';
  if (to !== from + (not ? 4 : 3) || word(c, to - 1) !== 'null') return null;
  const name = word(c, from);
  const value = atHead(c, name, from);
  const wrapped = value && word(c, value.from) === 'nullif' && mark(c, value.from + 1) === '(';
  const [text, comma] = value ? [c.tokens[value.to - 2], mark(c, value.to - 3)] : [];
  const parameter = wrapped
    ? argument(c, { from: value.from + 2, to: value.to - 3 })
    : argumentIn(c, name, from);
  if (parameter === undefined) return null;
  if (!wrapped) return { parameter, is: not ? 'false' : 'true', among: [], orNull: true };
  if (comma !== ',' || text?.kind !== 'string' || !text.text.startsWith("'")) return null;
  return { parameter, is: not ? 'false' : 'true', among: [unquoted(text.text)], orNull: true };
}

/** The argument of the trigger that a variable holds, and nothing else. */
function argumentIn(c: Context, name: string, asked: number): string | undefined {
  const value = atHead(c, name, asked);
  return value ? argument(c, value) : undefined;
}

/** `TG_ARGV[1]` */
function argument(c: Context, { from, to }: Range): string | undefined {
  if (word(c, from) !== 'tg_argv' || to !== from + 4) return undefined;
  const name = `tg_argv[${c.tokens[from + 2]!.text}]`;
  return ARGUMENT.test(name) ? name : undefined;
}

/** All that a variable ever holds, where that is of TG_ARGV and put there on each way, before this. */
function atHead(c: Context, name: string, asked: number): Range | null {
  if (!c.scope.variables!.has(name)) return null;
  const { values, declared } = valuesOf(c, name);
  const [value] = values;
  if (declared !== 1 || values.length > 1 || !value || value.from > asked) return null;
  if (word(c, value.from) !== 'tg_argv' && word(c, value.from + 2) !== 'tg_argv') return null;
  const puts = (list: Statement[]): boolean =>
    list.some((node) =>
      node.kind === 'block'
        ? node.declarations.some(({ initial }) => initial === value) || puts(node.body)
        : node.kind === 'plain' && node.from <= value.from && value.to <= node.to,
    );
  return puts(c.statements) ? value : null;
}

/** `r.object_type = 'extension'`: it holds for what some commands make alone, and not for all of that. */
function ofCommand(c: Context, { from, to }: Range): Asked | null {
  const row = columnOfCommand(c, from);
  if (!row) return null;
  const isOne = mark(c, row.next, to) === '=' && (to === row.next + 2 || word(c, row.next + 1) === 'any');
  if (!isOne && word(c, row.next, to) !== 'in') return null;
  const found = among(c, { name: row.column }, { from: row.next + 1, to }, false);
  const tags = found && tagsOf(row.column, found.among);
  return tags && { parameter: 'tg_tag', is: 'true', among: tags, only: true };
}

const unquoted = (text: string): string => text.slice(1, -1).replaceAll("''", "'");

const SIGNS = new Set(['=', '<>', '!=']);
const AROUND = new Set(['any', 'array', '(', ')', '[', ']', ',']);

/** The texts that stand here, and nothing else. */
function among(c: Context, { name: parameter, or }: Told, { from, to }: Range, not: boolean): Asked | null {
  const texts: string[] = [];
  for (let i = from; i < to; i++) {
    const { kind, text } = c.tokens[i]!;
    if (kind === 'string' && text.startsWith("'")) texts.push(unquoted(text).replace(/ OF$/, ''));
    else if (kind === 'number' && parameter === 'tg_nargs') texts.push(text);
    else if (!AROUND.has(text)) return null;
  }
  if (texts.length === 0) return null;
  const words = FIRED[parameter]?.words;
  const known = words ? words.filter((one) => texts.includes(one.toUpperCase())) : texts;
  return {
    parameter,
    is: not ? 'false' : 'true',
    among: known,
    ...(or !== undefined && { orNull: known.includes(or) }),
  };
}
