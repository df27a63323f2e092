// The way to a step, which a trace tells. Not where it leads.
import type { Begin, Scope, Span, Trigger } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import type { Frame } from '../model.ts';
import { nameOf } from '../words.ts';

/** A trace under construction, innermost first. Most are never told, so the words wait. */
export interface Trail {
  file: string;
  at: Span;
  says(): string;
  repeats: boolean;
  /** A call of what its own object has. */
  own: boolean;
  /** A call of what an object has that is made for it. */
  fresh?: true;
  up: Trail | null;
  length: number;
  /** It begins a transaction on this connection; told of what happens on the same one. */
  begins?: { on: string | undefined };
  fires?: Trigger;
  /** The routine that this calls. */
  into?: Linked;
  /** What is called only runs the block that it was given, and the way leads there. */
  silent?: true;
}

/** What stands on a way, and where. */
interface Place {
  linked: Linked;
  trail: Trail | null;
}

export function push(env: Place, at: Span, says: () => string, repeats = false, own = false): Trail {
  return pushOn(env.trail, env.linked.file, at, says, repeats, own);
}

export function pushOn(
  up: Trail | null,
  file: string,
  at: Span,
  says: () => string,
  repeats: boolean,
  own = false,
): Trail {
  return { file, at, says, repeats, own, up, length: (up?.length ?? 0) + 1 };
}

export const frameOf = ({ file, at, says, repeats, fires }: Trail): Frame => ({
  file,
  at,
  says: says(),
  ...(repeats && { repeats }),
  ...(fires && { fires: { via: fires.via, timing: fires.timing, deferred: fires.deferred } }),
});

/** Of the three that make a finding this one is missed most: the loop, the subtransaction, and the transaction around. */
export const beginsAt = ({ at, on }: Scope | Begin, env: Place): Trail => ({
  ...push(env, at, () => `${nameOf(env.linked)} begins a transaction`),
  begins: { on },
});

/** Of what runs unseen: nothing stands on this way. */
export const NOWHERE: Trail = {
  file: '',
  at: { start: 0, end: 0 },
  says: () => '',
  repeats: true,
  own: false,
  up: null,
  length: 0,
};

/** Down from `above`, or from where the way begins; what began by itself on this way stands in its place. */
export function frames(trail: Trail | null, on?: string, above: Trail | null = null, begun?: Trail): Frame[] {
  const out: Frame[] = [];
  for (let at = trail; ; at = at.up) {
    if (begun?.up === at) out.push(frameOf(begun));
    if (!at || at === above) return out.reverse();
    if (isTold(at, on)) out.push(frameOf(at));
  }
}

export const isTold = ({ begins, silent }: Trail, on?: string): boolean =>
  !silent && (!begins || begins.on === on);
