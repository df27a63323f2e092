// What a method does with the block that it is given besides running it: it keeps it, or has somebody run it elsewhere. Not what the block does.
import { inside, type Span, type Step } from '../../../ir.ts';
import { isLater } from '../../later.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { isParameter, mentionsOf } from '../names/mentions.ts';
import { spanOf, textOf } from '../syntax.ts';

/** The block runs where nothing of this is open: on a connection of its own, or later. */
export const runElsewhere = (at: Span): Step => ({
  kind: 'scope',
  at,
  opens: 'connection',
  whenNested: 'separate',
  label: 'block that is kept',
  body: [{ kind: 'yield', at }],
});

const DEEP = 20;

export const yields = (steps: readonly Step[], depth = 0): boolean =>
  steps.some(
    (step) => step.kind === 'yield' || (depth < DEEP && inside(step).some((list) => yields(list, depth + 1))),
  );

/** What it does with its block by a name: `@done = block`, `@hooks << block`, `hooks.push(block)`. */
export function keeping({ file, blockName }: Body, method: Syntax): Step[] {
  const kept = blockName === null ? undefined : mentionsOf(file, blockName, [method]).find(isKept);
  return kept ? [runElsewhere(spanOf(kept))] : [];

  function isKept({ field, parent }: Syntax): boolean {
    if (parent?.type === 'argument_list' && parent.parent?.type === 'call') {
      const method = child(parent.parent, 'method');
      return method !== undefined && isLater(textOf(file, method));
    }
    const to = parent && field === 'right' ? child(parent, 'left') : undefined;
    if (!to || !PLACE.test(to.type)) return false;
    const isAdded = parent!.type === 'binary' && textOf(file, child(parent!, 'operator') ?? to) === '<<';
    return isAdded || /assignment$/.test(parent!.type);
  }
}

const PLACE = /^(instance_variable|class_variable|global_variable|element_reference|call|constant)$/;

/** It runs its block, as is seen, and does nothing else with it: whatever the method is called, it does not keep it. */
export function onlyRuns({ file, blockName }: Body, method: Syntax, steps: readonly Step[]): boolean {
  if (!yields(steps)) return false;
  const all = blockName === null ? [] : mentionsOf(file, blockName, [method]);
  return all.every((one) => isParameter(one) || isRun(one));
}

/** `block.call`, `&block`, `if block` */
const isRun = ({ field, parent }: Syntax): boolean =>
  field === 'receiver' || field === 'condition' || parent?.type === 'block_argument';
