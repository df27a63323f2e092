// By which step a routine is entered, and how a trace tells it. Not in which state.
import type { Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { isPerRow } from '../graph/fired.ts';
import type { Graph } from '../graph/graph.ts';
import { kept } from '../kept.ts';
import { isSilent, saysCall, saysFired, saysWrite } from '../words.ts';
import type { Way } from './run.ts';
import { some } from './scopes.ts';
import { push, pushOn, type Trail } from './trail.ts';

export function trailOf(way: Way, graph: Graph): Trail | null {
  if (way.trail === undefined) way.trail = told(way, graph);
  return way.trail;
}

function told({ env, step, to, fired }: Way, graph: Graph): Trail | null {
  const { linked } = env;
  if (step.kind === 'call')
    return isSilent(linked, to)
      ? env.trail
      : {
          ...push(env, step.at, () => saysCall(step, linked, to), false, step.own),
          into: to,
          ...(step.fresh && { fresh: true }),
        };
  const trigger = to.trigger!;
  const relation = graph.relation(step);
  const statement = push(env, step.at, () => saysWrite(step, linked, relation ?? 'its table'));
  const says = () => saysFired(fired!, relation);
  return { ...pushOn(statement, to.file, trigger.at, says, isPerRow(fired!, step)), fires: trigger };
}

/** The way from a wrapper into the block that it was given: where it does nothing else, its call is not told. */
export const handedOn = (trail: Trail | null, linked: Linked): Trail | null =>
  trail?.into === linked && onlyHandsOn(linked.body) ? { ...trail, silent: true } : trail;

const onlyHandsOn = kept((body: readonly Step[]) => !some(body, ({ kind }) => DOES.has(kind)));

const DOES = new Set<Step['kind']>([
  'scope', 'loop', 'begin', 'commit', 'rollback', 'savepoint', 'release', 'rollback to', 'row lock', 'write',
]); // biome-ignore format: short
