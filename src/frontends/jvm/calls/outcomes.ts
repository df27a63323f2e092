// What Kotlin's Result is told to do where it has one outcome or the other. It knows no other type.
import type { Branch, Step } from '../../../ir.ts';
import type { Call } from '../syntax/syntax.ts';

/** What Kotlin's `Result` runs at once, where it has one outcome or the other. */
const OUTCOMES = new Set(['onSuccess', 'onFailure', 'fold']);
const OF_RESULT = /^(?:onSuccess|onFailure|map|mapCatching|recover|recoverCatching|also)$/;

/** `runCatching { … }.map { … }.onSuccess { … }` */
export function isOutcome({ name, object }: Call): boolean {
  if (!OUTCOMES.has(name)) return false;
  for (let one = object; one?.kind === 'call'; one = one.object) {
    if (one.name === 'runCatching') return true;
    if (!OF_RESULT.test(one.name)) return false;
  }
  return false;
}

/** The last such call, and what was made of it. */
export interface Outcome {
  of: Call;
  branch: Branch;
}

/** What both outcomes are told to do are two arms of one branch. */
export function settled(of: Call, arms: Step[][], out: Step[], last: Outcome | null): Outcome {
  if (last && last.of === of.object && last.of.name !== of.name) {
    last.branch.arms.push(...arms);
    last.branch.exhaustive = true;
    return { of, branch: last.branch };
  }
  const branch: Branch = { kind: 'branch', at: of.at, arms, exhaustive: arms.length > 1 };
  out.push(branch);
  return { of, branch };
}
