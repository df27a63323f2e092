// The way to a change by where the row was locked, as frames. Not which lock the change meets.
import type { Frame } from '../model.ts';
import { frameOf, frames, isTold, type Trail } from '../run/trail.ts';

/** A subtransaction: where it was opened, and the way there. */
export interface Opened {
  id: number;
  trail: Trail | null;
  told(): Frame;
}

/** What locks the row or changes it, the way there and the subtransactions around. */
export interface Met {
  frame: Frame;
  trail: Trail | null;
  under: readonly Opened[];
}

/** First to the lock, then from where both ways part to the change; each with the subtransactions that the other is not in. */
export function wayBy(lock: Met, change: Met): Frame[] {
  const above = together(lock.trail, change.trail);
  const [first, then] = [down(lock, above, change), down(change, above, lock)];
  // What runs twice, as in two turns of a loop, is told once.
  const parts = first.findIndex((frame, i) => !sameFrame(frame, then[i]));
  return [...frames(above), ...first, ...then.slice(parts < 0 ? first.length : parts)];
}

/** The last place of both ways. */
function together(a: Trail | null, b: Trail | null): Trail | null {
  while (a !== b)
    if ((a?.length ?? 0) >= (b?.length ?? 0)) a = a?.up ?? null;
    else b = b?.up ?? null;
  return a;
}

/** The frames of a way, down from there, and of what stands at its end. A helper that opened a savepoint is beside the way. */
function down({ trail, under, frame: { file, at, says } }: Met, above: Trail | null, other: Met): Frame[] {
  const steps: Trail[] = [];
  for (let step = trail; step && step !== above; step = step.up) steps.push(step);
  const out: Frame[] = [];
  const own = under.filter(({ id }) => !other.under.some((one) => one.id === id));
  const depths = own.map((opened) => together(opened.trail, trail)?.length ?? 0);
  let told = 0;
  const opened = (before: number) => {
    for (; told < own.length && depths[told]! < before; told++) out.push(own[told]!.told());
  };
  for (const step of steps.reverse()) {
    opened(step.length);
    if (isTold(step)) out.push(frameOf(step));
  }
  opened(Infinity);
  return [...out, { file, at, says }];
}

const sameFrame = (a: Frame, b: Frame | undefined) =>
  a.file === b?.file && a.at.start === b.at.start && a.says === b.says;
