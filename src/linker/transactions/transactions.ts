// What each transaction costs from begin to end: how many subtransactions count, and what it waits for. Not where it begins.

import { PLACES } from '../../ir.ts';
import { weaker } from '../certainty.ts';
import type { Transaction } from '../model.ts';
import type { Begun } from '../run/record.ts';
import { once } from '../run/run.ts';
import { frames } from '../run/trail.ts';
import { sixtyFifth } from './overflow.ts';
import { beginning, placeOf, type Telling } from './stretch.ts';
import { waits } from './waiting.ts';

export function transaction(begun: Begun, telling: Telling): Transaction | null {
  if (!begun.open) return null;
  const { linked, block, entry, role } = begun;
  const steps = telling.stretch(begun);
  const summaries = telling.summaries.on(begun.step?.on);
  const summary = summaries.ofSteps(steps, linked.file, block);
  // A stretch of steps ends where it ends; a routine that ends several is as bad as its worst.
  const how = begun.step?.kind === 'begin' ? 'head' : 'peak';
  const first = summary.most[how];
  // A trigger that begins by nature: where rows come one by one, as to a view, it is not repeated.
  const perRow = begun.step === null && begun.trail?.repeats === true;
  const counts = first === 0 ? 0 : perRow ? Number.POSITIVE_INFINITY : first;
  if (counts === 0) return null;
  const least = perRow ? 0 : summary.least[how];
  const place = startOf(begun);
  const found = once(() => (counts > PLACES ? sixtyFifth(steps, begun, { ...telling, summaries }) : null));
  return {
    ...place,
    counts,
    least,
    get overflow() {
      const path = found();
      const trail = frames(begun.trail);
      // Calls may add up to the 65th before what has no bound comes.
      if (path) return { at: path.at, witness: [...trail, ...path.witness], unbounded: path.unbounded };
      return perRow ? { at: trail.at(-1)!, witness: trail, unbounded: true } : undefined;
    },
    waits: summary.waits ? waits(steps, begun, [...frames(begun.trail), ...beginning(begun)], telling) : [],
    get certainty() {
      const path = found();
      // How deep a recursion goes is known when it runs; what it does once through is not in doubt.
      const deep = path?.recursion && least <= PLACES ? 'possible' : undefined;
      return weaker(weaker(begun.certainty, path?.certainty), deep);
    },
    entry,
    role,
  };
}

/** What a wrapper begins is told where it is handed what runs in it. */
function startOf({ step, linked, block }: Begun): Pick<Transaction, 'file' | 'at' | 'routine'> {
  let outer = block;
  while (outer?.by) outer = outer.by;
  if (outer && (outer.linked !== linked || outer !== block))
    return { file: outer.linked.file, at: outer.at, routine: outer.linked.name };
  const { file, at } = step ? { file: linked.file, at: step.at } : placeOf(linked);
  return { file, at, routine: linked.name };
}
