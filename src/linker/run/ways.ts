// By which step a routine is entered, and how a trace tells it. Not in which state.
import type { Read, Write } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Graph } from '../graph/graph.ts';
import { isSilent, saysCall, saysTrigger, saysWrite } from '../words.ts';
import { push, pushOn, type Trail, type Way } from './run.ts';

export const isPerRow = ({ trigger }: Linked, step: Read | Write): boolean =>
  trigger!.each === 'row' && step.rows !== 'one';

export function trailOf(way: Way, graph: Graph): Trail | null {
  if (way.trail === undefined) way.trail = told(way, graph);
  return way.trail;
}

function told({ env, step, to }: Way, graph: Graph): Trail | null {
  const { linked } = env;
  if (step.kind === 'call')
    return isSilent(linked, to)
      ? env.trail
      : push(env, step.at, () => saysCall(step, linked, to), false, step.own);
  const trigger = to.trigger!;
  const relation = graph.relation(step) ?? 'its table';
  const statement = push(env, step.at, () => saysWrite(step, linked, relation));
  const says = () => saysTrigger(trigger, relation);
  return { ...pushOn(statement, to.file, trigger.at, says, isPerRow(to, step)), fires: trigger };
}
