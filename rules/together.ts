// One finding for one subtransaction: of the rules that speak of the same place the one with the best remedy does, and names the others.
import type { Certainty, Finding, Severity } from '../src/rule.ts';

/** Rules about one place that opens subtransactions; the first has the remedy that cures the others too. */
const ORDER = [
  'exception-block-for-upsert',
  'exception-block-that-rethrows',
  'exception-block-for-cast',
  'savepoint-without-rollback',
  'subtransaction-in-loop',
  'subtransaction-per-row',
  'savepoint-not-released',
  'subtransaction-in-long-transaction',
];
const SEVERITY: Severity[] = ['note', 'warning', 'error'];
const CERTAINTY: Certainty[] = ['certain', 'likely', 'possible'];

/** `joined` is told the new finding and the one that it is foremost. */
export function together(
  findings: Finding[],
  joined: (one: Finding, first: Finding) => void = () => {},
): Finding[] {
  const places = new Map<string, Finding[]>();
  for (const finding of findings) {
    const place = ORDER.includes(finding.rule)
      ? `${finding.file}@${finding.at.start}-${finding.at.end}`
      : `${places.size}`;
    const there = places.get(place);
    if (there) there.push(finding);
    else places.set(place, [finding]);
  }
  return [...places.values()].map((all) => {
    const said = one(all);
    if (said !== all[0]) joined(said, all[0]!);
    return said;
  });
}

function one(all: Finding[]): Finding {
  const [first, ...others] = all.sort((a, b) => ORDER.indexOf(a.rule) - ORDER.indexOf(b.rule));
  const more = others.filter(
    ({ rule }, i) => rule !== first!.rule && others.findIndex((o) => o.rule === rule) === i,
  );
  if (more.length === 0) return first!;
  const worst = all.reduce((a, b) => (SEVERITY.indexOf(b.severity) > SEVERITY.indexOf(a.severity) ? b : a));
  const said = more.map(({ message, rule }) => `${firstSentence(message)} (${rule})`);
  return {
    ...first!,
    severity: worst.severity,
    certainty: CERTAINTY[Math.max(CERTAINTY.indexOf(first!.certainty), CERTAINTY.indexOf(worst.certainty))]!,
    message: `${first!.message} Also: ${said.join('; ')}.`,
    trace: worst.trace.length > 0 ? worst.trace : first!.trace,
    others: worst.others ?? first!.others,
    fixes: first!.fixes ?? more.find(({ fixes }) => fixes)?.fixes,
    also: more.map(({ rule }) => rule),
  };
}

/** The first sentence of a message stands alone. */
function firstSentence(message: string): string {
  const end = message.search(/\. (?=[A-Z])|\.$/);
  return end < 0 ? message : message.slice(0, end);
}
