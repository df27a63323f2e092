// The way to a change by where the row was locked, as frames. Not which lock the change meets.
import type { Frame } from '../model.ts';
import { frames, type Trail } from '../run/run.ts';

/** First to the lock, then from where both ways part to the change. */
export function wayBy(toLock: Trail | null, lock: Frame, toChange: Trail | null, change: Frame): Frame[] {
  const above = together(toLock, toChange);
  const [first, then] = [ended(toLock, above, lock), ended(toChange, above, change)];
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

/** The frames of a way, down from there, and of what stands at its end. */
const ended = (trail: Trail | null, above: Trail | null, { file, at, says }: Frame): Frame[] => [
  ...frames(trail, undefined, above),
  { file, at, says },
];

const sameFrame = (a: Frame, b: Frame | undefined) =>
  a.file === b?.file && a.at.start === b.at.start && a.says === b.says;
