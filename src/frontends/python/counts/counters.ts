// How often a loop turns, or goes one way, that counts by hand: `while tries < 3`, `if i > 5: break`, `if first:`. It asks nobody what the loop goes over.
import { child, type Syntax } from '../../syntax.ts';
import { argument, keyword } from '../names/arguments.ts';
import { functionAround, given, outermost, standing } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { numberOf } from './counted.ts';
import { growsBy, type Times } from './lengths.ts';
import { least } from './made.ts';

/** `while tries < 3`, `while left and more:`, `while steps: step = steps.pop()`: the first that is through ends it. */
export const countedBy = (c: Place, loop: Syntax, times: Times): number | null =>
  least(
    all(c, child(loop, 'condition'), 'and').map((one) => {
      const stays = compared(c, one);
      const counter = stays && counterOf(c, loop, stays.name);
      return counter ? turnsWhile(counter, stays) : drained(c, loop, one, times);
    }),
  );

/** `if i > 5: break` on the way of each turn: how often what stands behind it runs, or what stands before it too. */
export function leftAfter(c: Place, loop: Syntax): number | null {
  const body = bodyOf(loop);
  let most: number | null = null;
  let isWorking = false;
  for (const [place, one] of body.entries()) {
    if (one.type === 'if_statement' && LEAVES.test(child(one, 'consequence')?.children.at(-1)?.type ?? ''))
      for (const asks of all(c, child(one, 'condition'), 'or')) {
        const ends = compared(c, asks);
        const counter = ends && counterOf(c, loop, ends.name);
        if (!counter || counter.by <= 0) continue;
        const whole = turnsUntil(
          { ...counter, from: counter.from + (counter.at >= 0 && counter.at < place ? counter.by : 0) },
          ends,
        );
        most = least([most, whole === null ? null : whole + (isWorking ? 1 : 0)]);
      }
    if (/\bcontinue\b/.test(textOf(c.file, one))) break;
    isWorking ||= !COUNTS.test(one.children[0]?.type ?? '') && one.type !== 'if_statement';
  }
  return most;
}

const LEAVES = /^(?:break|return|raise)_statement$/;
const COUNTS = /^(?:augmented_assignment|assignment)$/;

/** In how many turns of the loop around a condition holds: `first` that is set to False then, `i == 0`, `not i`, `i < 5`. */
export function turnsIn(c: Place, clause: Syntax): number | null {
  let loop = clause.parent;
  while (loop && !LOOP.test(loop.type)) loop = loop.parent;
  if (!loop || loop.type === 'function_definition') return null;
  return least(
    all(c, child(clause, 'condition'), 'and').map((one) => {
      if (isFlag(c, loop, clause, one)) return 1;
      const holds = compared(c, one);
      const counter = holds && counterOf(c, loop, holds.name);
      if (!counter) return null;
      if (holds.sign === '==') return 1;
      return counter.by > 0 && holds.sign.startsWith('<') ? turnsWhile(counter, holds) : null;
    }),
  );
}

const LOOP = /^(?:for|while)_statement$|^function_definition$/;

/** What an operator takes together. */
function all(c: Place, node: Syntax | undefined, sign: 'and' | 'or'): Syntax[] {
  const out: Syntax[] = [];
  const stack = node ? [node] : [];
  for (let one = stack.pop(); one; one = stack.pop())
    if (one.type === 'boolean_operator' && textOf(c.file, child(one, 'operator')) === sign)
      stack.push(...[child(one, 'right'), child(one, 'left')].filter((side) => side !== undefined));
    else out.push(one);
  return out;
}

interface Compared {
  name: string;
  sign: string;
  to: number;
}

/** `i > 5`, `5 < i`; `left` asks whether it is any number but 0, and `not i` whether it is that. */
function compared(c: Place, node: Syntax): Compared | undefined {
  if (node.type === 'identifier') return { name: textOf(c.file, node), sign: '!=', to: 0 };
  if (node.type === 'not_operator') {
    const held = node.children.at(-1);
    return held?.type === 'identifier' ? { name: textOf(c.file, held), sign: '==', to: 0 } : undefined;
  }
  const [left, sign, right, more] = node.type === 'comparison_operator' ? node.children : [];
  if (!left || !right || more) return undefined;
  const isTurned = left.type !== 'identifier';
  const [variable, number] = isTurned ? [right, left] : [left, right];
  const to = variable.type === 'identifier' ? numberOf(c, number) : null;
  const written = textOf(c.file, sign);
  const how = isTurned ? written.replace(/[<>]/, (one) => (one === '<' ? '>' : '<')) : written;
  return to === null ? undefined : { name: textOf(c.file, variable), sign: how, to };
}

interface Counter {
  from: number;
  by: number;
  /** Which statement of the loop's body counts; -1: the loop itself. */
  at: number;
}

/** What has a number before the loop, and in each turn a next one: `for i, row in enumerate(rows)`, `tries += 1`. */
function counterOf(c: Place, loop: Syntax, name: string): Counter | null {
  const around = functionAround(loop);
  const whole = around ? (child(around, 'body') ?? around) : outermost(loop);
  const changes = (given(c, whole).get(name) ?? []).filter(
    ({ start, end }) => loop.start <= start && end <= loop.end,
  );
  const [step, another] = changes;
  if (!step || another) return null;
  if (step === loop) {
    const from = enumerated(c, loop, name);
    return from === null ? null : { from, by: 1, at: -1 };
  }
  const body = bodyOf(loop);
  const at = body.indexOf(step.parent!);
  const by = at < 0 ? null : stepOf(c, step, name);
  const before = standing(c, loop, name);
  const from = before ? numberOf(c, before) : null;
  if (by === null || from === null) return null;
  // What goes on with the next turn before it does not count.
  const skips = body.slice(0, at).some((one) => /\bcontinue\b/.test(textOf(c.file, one)));
  return skips ? null : { from, by, at };
}

/** `for i, row in enumerate(rows, 1)`: with which number it begins. */
function enumerated(c: Place, loop: Syntax, name: string): number | null {
  const [first] = child(loop, 'left')?.children ?? [];
  const call = child(loop, 'right');
  if (textOf(c.file, first) !== name || call?.type !== 'call') return null;
  if (textOf(c.file, child(call, 'function')) !== 'enumerate') return null;
  const start = keyword(c, call, 'start') ?? argument(call, 1);
  return start ? numberOf(c, start) : 0;
}

/** `tries += 1`, `left = left - 1` */
function stepOf(c: Place, step: Syntax, name: string): number | null {
  const right = child(step, 'right');
  const isLonger = step.type === 'augmented_assignment';
  const sign = isLonger
    ? textOf(c.file, child(step, 'operator')).replace('=', '')
    : right?.type === 'binary_operator' && textOf(c.file, child(right, 'left')) === name
      ? textOf(c.file, child(right, 'operator'))
      : '';
  const size = isLonger ? right : right && child(right, 'right');
  const by = size && /^[+-]$/.test(sign) ? numberOf(c, size) : null;
  return by === null ? null : sign === '-' ? -by : by;
}

function turnsWhile({ from, by }: Counter, { sign, to }: Compared): number | null {
  if (by === 0 || sign === '==' || !/^(?:!=|[<>]=?)$/.test(sign)) return null;
  const way = to - from;
  // What goes past it never ends.
  if (sign === '!=') return way % by === 0 && way / by >= 0 ? way / by : null;
  if (sign.startsWith('<') !== by > 0) return null;
  return Math.max(0, sign.endsWith('=') ? Math.floor(way / by) + 1 : Math.ceil(way / by));
}

/** How many turns are over before the condition holds. */
function turnsUntil(counter: Counter, { sign, to }: Compared): number | null {
  const other = { '>': '<=', '>=': '<', '==': '!=' }[sign];
  return other === undefined ? null : turnsWhile(counter, { name: '', sign: other, to });
}

/** `while steps: step = steps.pop()`, where nothing is added to them. */
function drained(c: Place, loop: Syntax, asks: Syntax, times: Times): number | null {
  const [, name] = /^(?:len\()?(\w+)\)?(?:\s*(?:>|!=)\s*(?:0|\[\]))?$/.exec(textOf(c.file, asks)) ?? [];
  const value = name === undefined ? undefined : standing(c, loop, name);
  if (!value || growsBy(c, asks, name!)) return null;
  const takes = new RegExp(`^(?!.*\\blambda\\b).*\\b${name}\\.(?:pop|popleft|popitem)\\(`, 's');
  const body = bodyOf(loop);
  const at = body.findIndex(
    (one) => one.type === 'expression_statement' && takes.test(textOf(c.file, one).slice(0, 500)),
  );
  const isAlways = at >= 0 && !body.slice(0, at).some((one) => /\bcontinue\b/.test(textOf(c.file, one)));
  const around = functionAround(loop);
  const isAnew =
    around &&
    (given(c, child(around, 'body') ?? around).get(name!) ?? []).some(
      ({ start, end }) => loop.start <= start && end <= loop.end,
    );
  return isAlways && !isAnew ? times(value) : null;
}

/**
 * `if first: …; first = False`, where it was True before the loop and nothing in that sets it back; `if batch is None: …
 * batch = Batch.objects.create()`, where it was None.
 */
function isFlag(c: Place, loop: Syntax, clause: Syntax, asks: Syntax): boolean {
  const isNot = asks.type === 'not_operator';
  const [, missing] = /^(\w+) is None$/.exec(textOf(c.file, asks)) ?? [];
  const held = isNot ? asks.children.at(-1) : asks;
  const name = missing ?? (held?.type === 'identifier' ? textOf(c.file, held) : undefined);
  const before = name === undefined ? undefined : standing(c, loop, name)?.type;
  if (before !== (missing ? 'none' : isNot ? 'false' : 'true') && !(isNot && before === 'none')) return false;
  const around = functionAround(loop);
  const whole = around ? (child(around, 'body') ?? around) : outermost(loop);
  const changes = (given(c, whole).get(name!) ?? []).filter(
    ({ start, end }) => loop.start <= start && end <= loop.end,
  );
  const ends = (value: string) =>
    before === 'none' ? !/^(?:none|false)$/.test(value) : value === (isNot ? 'true' : 'false');
  return (
    changes.every((one) => one.type === 'assignment' && ends(child(one, 'right')?.type ?? 'none')) &&
    changes.some((one) => isAlwaysIn(one, child(clause, 'consequence')))
  );
}

/** It runs where all of the block does: by itself, or within a `with`. */
function isAlwaysIn(node: Syntax, block: Syntax | undefined): boolean {
  let above = node.parent?.parent;
  while (above && above !== block && above.parent?.type === 'with_statement') above = above.parent.parent;
  return above !== undefined && above === block;
}

const bodyOf = (loop: Syntax): Syntax[] =>
  (child(loop, 'body')?.children ?? []).filter(({ type }) => type !== 'comment');
