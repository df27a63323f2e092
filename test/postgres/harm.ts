// What each rule's harm looks like on a server, so that a page's examples can be held to it.
import type { Seen } from './session.ts';

/** What was seen, or null when no harm was done. */
type Harm = (seen: Seen[]) => string | null;

const find = (seen: Seen[], bad: (one: Seen) => boolean, what: (one: Seen) => string) => {
  const one = seen.find(bad);
  return one ? `${what(one)} at: ${one.text.replace(/\s+/g, ' ').slice(0, 60)}` : null;
};
/** More than fit into the cache, counting those rolled back: they cost a transaction ID too. */
const crowd: Harm = (seen) =>
  find(
    seen,
    (one) => one.subtransactions > 64,
    (one) => `${one.subtransactions} subtransactions`,
  );
const overflow: Harm = (seen) =>
  find(
    seen,
    (one) => one.overflowed,
    () => 'an overflowed snapshot',
  );
const any: Harm = (seen) =>
  find(
    seen,
    (one) => one.subtransactions > 0,
    (one) => `${one.subtransactions} subtransactions`,
  );
/** Open levels when the transaction is about to end. */
const levels: Harm = (seen) =>
  find(
    seen.filter((_, i) => /^(commit|end)\b/i.test(seen[i + 1]?.text ?? '')),
    (one) => one.locks > 2,
    (one) => `${one.locks - 1} open subtransactions`,
  );
const multixact: Harm = (seen) =>
  find(
    seen,
    (one) => one.multixacts > 0,
    (one) => `${one.multixacts} multixacts`,
  );
const refused =
  (...codes: string[]): Harm =>
  (seen) =>
    find(
      seen,
      (one) => codes.includes(one.error ?? ''),
      (one) => `error ${one.error}`,
    );

export const harms: Record<string, Harm> = {
  'subtransaction-in-loop': crowd,
  'subtransaction-per-row': crowd,
  'subtransaction-overflow': overflow,
  'savepoint-not-released': levels,
  'row-lock-across-subtransaction': multixact,
  'statement-savepoints': (seen) =>
    find(
      seen,
      (one) => one.subtransactions > 1,
      (one) => `${one.subtransactions} subtransactions`,
    ),
  'exception-block-for-cast': any,
  'exception-block-for-upsert': any,
  'savepoint-without-rollback': any,
  'exception-block-that-rethrows': any,
  // Refused, or its rows are lost in silence.
  'commit-inside-subtransaction': (seen) =>
    refused('2D000')(seen) ??
    find(
      seen,
      (one) => /count\(\*\)/.test(one.text) && one.value === '0',
      () => 'no row',
    ),
  'subtransaction-in-long-transaction': (seen) =>
    find(
      seen,
      (one) => /pg_sleep/.test(one.text) && one.subtransactions > 0,
      (one) => `${one.subtransactions} subtransactions`,
    ),
  'exception-block-in-parallel-safe-function': refused('25000'),
  subtransaction: any,
};

/** Rules whose harm later versions do not do. */
export const lastVersion: Record<string, number> = { 'exception-block-in-parallel-safe-function': 16 };
