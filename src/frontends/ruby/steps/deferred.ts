// Calls that do nothing until what they give is asked for, which is elsewhere: `OrderMailer.placed(order).deliver_later`.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body, RubyFile } from '../names/file.ts';
import { deferring } from '../names/meaning.ts';
import { routineOf } from '../names/variables.ts';
import { textOf } from '../syntax.ts';

/** What the receiver's own call runs, it runs when that is asked for that it gives. */
export const askedBy = (steps: Step[], receiver: Syntax, name: string | undefined): Step[] =>
  name !== undefined && deferring.has(name) ? elsewhere(steps, receiver) : steps;

/** `mail = OrderMailer.placed(order)`, and what is asked of `mail` is to be sent later. */
export function keptFor(body: Body, variable: Syntax, value: Syntax, steps: Step[]): Step[] {
  if (value.type !== 'call' || !speaksOfThem(body.file)) return steps;
  const text = textOf(body.file, routineOf(value));
  const asked = [
    ...text.matchAll(new RegExp(`(?<![\\w.@])${textOf(body.file, variable)}&?\\.(\\w+!?)`, 'g')),
  ];
  const names = asked.map(([, name]) => name!);
  return names.some((name) => deferring.has(name)) && !names.some((name) => /^deliver(_now)?!?$/.test(name))
    ? elsewhere(steps, value)
    : steps;
}

const known = new WeakMap<RubyFile, boolean>();

function speaksOfThem(file: RubyFile): boolean {
  const speaks = known.get(file) ?? [...deferring].some((name) => file.text.includes(`.${name}`));
  known.set(file, speaks);
  return speaks;
}

function elsewhere(steps: Step[], call: Syntax): Step[] {
  const at = child(call, 'method')?.start;
  return steps.map((step) =>
    step.kind === 'call' && step.at.start === at ? { ...step, elsewhere: true } : step,
  );
}
