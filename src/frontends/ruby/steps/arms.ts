// The steps of what stands under a condition, where that holds in one or a few turns of the loops around alone. It reads no condition.
import type { Name, Step } from '../../../ir.ts';
import { where } from '../../asked.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Seldom } from '../counts/around.ts';
import { whileNothing } from '../counts/first.ts';
import { whileMissing } from '../counts/keyed.ts';
import { seldom, seldomOf } from '../counts/seldom.ts';
import type { Body } from '../names/file.ts';
import { parts } from '../syntax.ts';
import { asked } from './asks.ts';
import { missingWhere } from './missing.ts';
import { leftBehind } from './remembered.ts';

/** `@total ||= …` runs while there is no total, `Course.find_by(first: true) || …` while there is no such row. */
export function once(
  steps: Step[],
  how: true | 'by key' | 'ever' | Seldom['of'] = true,
  makes?: Name,
): Step[] {
  return steps[0]
    ? [{ kind: 'block', at: steps[0].at, once: how, ...(makes && { makes }), body: steps }]
    : [];
}

/** Where the condition holds, or does not: the arm is made of these nodes. */
export function armOf(
  body: Body,
  { condition, wanted }: Where,
  nodes: Syntax[],
  lower: () => Step[],
  makes = missingWhere(body, condition, wanted), // before the arm gives what it asks for another value
): Step[] {
  const steps = lower();
  const [arm] = nodes;
  if (!condition || !arm || steps.length === 0) return steps;
  const its = asked(body, condition);
  if (its) return where(wanted ? its.holds : its.otherwise, steps);
  const some = seldom(body, { condition, wanted, arm: firstOf(arm) });
  if (makes && !some) return once(steps, 'ever', makes);
  const left = some ? null : leftBehind(body, condition, wanted, nodes);
  return left ? once(steps, left) : inTurns(some, steps);
}

/** An `elsif` is one of the ways on itself. */
const firstOf = (arm: Syntax): Syntax => (/^(then|else)$/.test(arm.type) ? (parts(arm)[0] ?? arm) : arm);

/** `when "a", "b" then …` of a `case`. */
export function whenOf(body: Body, value: Syntax | undefined, when: Syntax, steps: Step[]): Step[] {
  const patterns = parts(when).flatMap((one) =>
    one.field !== 'pattern' ? [] : one.type === 'pattern' ? parts(one) : [one],
  );
  const arm = child(when, 'body');
  const [first, ...more] = patterns;
  if (!arm || !first || steps.length === 0) return steps;
  if (value) return inTurns(seldomOf(body, value, patterns, arm), steps);
  return more.length === 0 ? armOf(body, { condition: first, wanted: true }, [arm], () => steps) : steps;
}

/** `batch ||= …`, `cache[r.country] ||= …` */
export const madeOnce = (body: Body, name: Syntax, steps: Step[]): Step[] =>
  steps.length === 0
    ? steps
    : inTurns(name.type === 'element_reference' ? whileMissing(body, name) : whileNothing(body, name), steps);

function inTurns(some: Seldom | null, steps: Step[]): Step[] {
  const [first] = steps;
  if (!some || !first) return steps;
  const { turns, of } = some;
  if (turns === 1) return once(steps, of);
  return once([{ kind: 'loop', at: first.at, over: 'items', times: turns, atMost: true, body: steps }], of);
}

export interface Where {
  condition: Syntax | undefined;
  wanted: boolean;
}

/** `next unless first`: what follows in the turn is for where it does not hold. */
export function goesOnWhere(node: Syntax): Where | null {
  if (!ASKS.has(node.type)) return null; // most statements ask nothing
  const condition = child(node, 'condition');
  if (!condition || child(node, 'alternative')) return null;
  const then = child(node, 'body') ?? child(node, 'consequence');
  const [leaves, more] = then?.type === 'then' ? parts(then) : [then];
  return condition && /^(next|break|return)$/.test(leaves?.type ?? '') && !more
    ? { condition, wanted: node.type.startsWith('unless') }
    : null;
}

const ASKS = new Set(['if', 'unless', 'if_modifier', 'unless_modifier']);
