// A row that is locked in one subtransaction and changed in another of the same transaction.
import { type Finding, type LockConflict, type Model, rule } from '../../src/rule.ts';
import { plain, weigh } from '../say.ts';

export default rule({
  id: 'row-lock-across-subtransaction',
  severity: 'error',
  summary: 'A row locked and changed in different subtransactions of one transaction, which makes multixacts',
  check: (model) => byLock(byChange(model)).map(found),
});

const SURE = { certain: 0, likely: 1, possible: 2 };

/** One change may meet several locks: the surest pair is told, with the others behind it. */
function byChange(model: Model): LockConflict[][] {
  const groups = new Map<string, LockConflict[]>();
  for (const conflict of model.lockConflicts) {
    const key = `${conflict.change.file}@${conflict.change.at.start}`;
    groups.set(key, [...(groups.get(key) ?? []), conflict]);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => SURE[a.certainty] - SURE[b.certainty]));
}

/** A routine that changes the table again and again under one lock is told once, where it does so first; what is merely possible says nothing for the others. */
function byLock(changes: LockConflict[][]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const conflicts of changes) {
    const { lock, change, certainty } = conflicts[0]!;
    const sure = certainty !== 'possible';
    const key = `${lock.file}@${lock.at.start} ${change.file} ${change.says} ${sure}`;
    const known = causes.get(key);
    if (known) known.more.push(...conflicts);
    else causes.set(key, { conflicts, more: [] });
  }
  return [...causes.values()];
}

interface Cause {
  conflicts: LockConflict[];
  more: LockConflict[];
}

function found({ conflicts: [worst, ...rest], more }: Cause): Finding {
  const others = [...rest, ...more];
  const places = new Set(more.map(({ change }) => change.at.start)).size;
  const { change, lock, between, relation, certainty, witness } = worst!;
  const table = plain(relation);
  return {
    rule: 'row-lock-across-subtransaction',
    file: change.file,
    at: change.at,
    severity: weigh('error', worst!),
    certainty,
    message:
      `${told(worst!, table)}, though no other session is involved. ` +
      `The lock: ${lock.says}${lock.because ? ` (${lock.because})` : ''}${between ? `; after ${between} the row carries it as FOR KEY SHARE` : ''}; the change: ${change.says}. Whoever reads the row later must look both up in pg_multixact.${again(places)}`,
    remedy: `Lock the row of ${table} and change it at the same level: both inside the subtransaction, or both outside.`,
    trace: witness,
    others: others.length > 0 ? others.map((other) => other.witness) : undefined,
    subject: `${relation}: ${lock.says}, ${change.says}`,
  };
}

/** What may be other rows is not said to be one. */
function told({ change, repeated, certainty }: LockConflict, table: string): string {
  const how = change.step.kind === 'write' ? 'changed' : 'locked more strongly';
  const where = 'in another one of the same transaction';
  return certainty === 'possible'
    ? `Rows of ${table} are locked in one subtransaction, and some are ${how} ${where}: where they are the same, that makes a multixact${repeated ? ' on every such turn' : ''}`
    : `A row of ${table} is locked in one subtransaction and ${how} ${where}: ${repeated ? 'a multixact on every turn' : 'that makes a multixact'}`;
}

const again = (places: number) =>
  places === 0
    ? ''
    : ` ${places === 1 ? 'One more statement does' : `${places} more statements do`} the same.`;
