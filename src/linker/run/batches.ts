// Batches: loops that end the transaction every so many turns. Not whether a turn opens anything.
import { type Loop, PLACES, type Step } from '../../ir.ts';

const MOST_NESTED = 50;

/**
 * After how many turns a COMMIT under a condition comes, where the condition says it: `IF i % 100 = 0 THEN COMMIT`. Where
 * more turns may pass than it says, it says something only if those are too many already.
 */
export function batchOf(loop: Loop): number | null {
  let least: number | null = null;
  for (const step of flattened(loop.body))
    if (step.kind === 'branch' && step.every !== undefined && ends(step.arms[0] ?? []))
      if (!step.orMore || step.every > PLACES)
        least = Math.min(least ?? Number.POSITIVE_INFINITY, step.every);
  return least;
}

function* flattened(steps: readonly Step[], depth = 0): Generator<Step> {
  for (const step of steps)
    if (step.kind === 'block' && depth < MOST_NESTED) yield* flattened(step.body, depth + 1);
    else yield step;
}

function ends(steps: readonly Step[]): boolean {
  for (const { kind } of flattened(steps)) if (kind === 'commit' || kind === 'rollback') return true;
  return false;
}
