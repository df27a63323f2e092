// A subtransaction for each turn of a loop, inside one transaction.
import {
  byRole,
  byWrites,
  type Finding,
  routineName,
  rule,
  type Subtransaction,
  type Visit,
} from '../../src/rule.ts';

export default rule({
  id: 'subtransaction-in-loop',
  severity: 'error',
  summary: 'A loop opens one subtransaction for each turn inside one transaction.',
  check: (model) =>
    model.subtransactions.flatMap((opened) => {
      const visit = opened.visits.find(({ context }) => context.repeatedBy !== null);
      return visit?.context.repeatedBy === 'loop' ? [found(opened, visit)] : [];
    }),
});

function found(opened: Subtransaction, visit: Visit): Finding {
  const { file, at, label, routine, visits, callers } = opened;
  const { times } = visit.context;
  const bounded = times !== null && times * Math.max(opened.effects.counts, 1) <= 64;
  const severity = bounded ? 'warning' : 'error';
  const others = visits.filter((other) => other !== visit && other.context.repeatedBy !== null);
  return {
    rule: 'subtransaction-in-loop',
    file,
    at,
    severity: byRole(byWrites(severity, opened), visit),
    certainty: visit.certainty,
    message: `${label} in ${routineName(routine)} opens a subtransaction for each turn of a loop inside one transaction. ${cost(opened, times, bounded)}${callers > 1 ? ` ${callers} call sites lead to it.` : ''}`,
    remedy:
      'Put one subtransaction around the whole loop, do the work in one statement (INSERT … ON CONFLICT, MERGE), or commit each turn.',
    trace: visit.witness,
    others: others.map((other) => other.witness),
    subject: `${label} in ${routine}`,
    routine,
  };
}

function cost({ effects }: Subtransaction, times: number | null, bounded: boolean): string {
  if (effects.writes === 'no')
    return 'Nothing inside writes or locks a row, so it takes no transaction ID and no slot; what remains is CPU time.';
  const each = effects.writes === 'yes' ? 'Each one that writes' : 'Each one, if it writes,';
  if (bounded)
    return `${each} takes a transaction ID and one of the 64 slots of its session; with ${times} of them it stays below the overflow.`;
  return `${each} takes a transaction ID and one of the 64 slots of its session, also when it is released; the 65th overflows, and then every session looks up pg_subtrans to see rows.`;
}
