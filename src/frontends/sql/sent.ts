// How many statements that may write a script sends in one transaction while a setting puts a savepoint around each. It reads no statement.
import type { Setting, Step } from '../../ir.ts';

export interface Sent {
  /** In force now, and what was sent under it. */
  under: { setting: Setting; statements: number; here: number; most: number } | null;
  isOpen: boolean;
  /** Something is sent that does not stand in the script. */
  isUnseen: boolean;
  /** Those that are told once the script has ended. */
  counted: NonNullable<Sent['under']>[];
}

export const nothingSent = (isUnseen: boolean): Sent => ({
  under: null,
  isOpen: false,
  isUnseen,
  counted: [],
});

/** Statements that take no transaction ID, where nothing in them does. */
const READS = new Set([
  'select', 'values', 'table', 'with', 'show', 'set', 'reset', 'explain', 'declare', 'fetch', 'move', 'close', 'prepare',
  'deallocate', 'discard', 'listen', 'unlisten', 'begin', 'start', 'savepoint', 'release', '(',
]); // biome-ignore format: words

/** A statement of the script, by its first word and what it does. */
export function send(sent: Sent, first: string, steps: Step[], begins: boolean): void {
  const kind = steps[0]?.kind;
  if (kind === 'begin' || begins) sent.isOpen = true;
  if (sent.under) {
    sent.under.statements++;
    const reads = READS.has(first) && steps.every((step) => READING.has(step.kind));
    if (sent.isOpen && !reads && kind !== 'commit' && kind !== 'rollback') sent.under.here++;
    sent.under.most = Math.max(sent.under.most, sent.under.here);
  }
  if (kind !== 'commit' && kind !== 'rollback') return;
  sent.isOpen = (steps[0] as { chain?: boolean }).chain === true;
  if (sent.under) sent.under.here = 0;
}

const READING = new Set<Step['kind']>(['read', 'begin', 'savepoint', 'release', 'rollback to']);

/** The setting is on from here on, or off: what was counted under it before is all that it comes to. */
export function setTo(sent: Sent, setting: Setting | null): void {
  if (sent.under) sent.counted.push(sent.under);
  sent.under = setting && { setting, statements: 0, here: 0, most: 0 };
}

/** Who sets it and sends nothing sets it for others. */
export function tellSent(sent: Sent): void {
  setTo(sent, null);
  for (const { setting, statements, most } of sent.counted)
    if (!sent.isUnseen && statements > 0) setting.most = most;
}
