// What the server calls for each row of a query that a framework makes: `where("normalise(name) = ?", name)`. It reads no whole statement.
import type { Step } from '../../../ir.ts';
import { computedBy, once } from '../../sql/queries/fragment.ts';
import { child, type Syntax } from '../../syntax.ts';
import { often } from '../counts/lengths.ts';
import type { Body } from '../names/file.ts';
import { textHeldBy } from '../names/held.ts';
import { computing } from '../names/meaning.ts';
import { type Arguments, argumentsOf, stringSource, textOf } from '../syntax.ts';

/** What the arguments of a call do, `given`, as it is done where the call is such a part of a query. */
export function computed(
  body: Body,
  node: Syntax,
  name: string | undefined,
  args: Arguments,
  given: Step[],
): Step[] {
  const computes = name === undefined ? undefined : computing(name);
  if (!computes || computes === 'one') return given;
  const steps = given.map((step): Step => (isOfServer(step) ? eachRow(step) : step));
  const [first, ...others] = args.positional;
  const written = computes === 'values' ? [] : computes === 'all' ? args.positional : first ? [first] : [];
  for (const text of written) steps.push(...readText(body, text));
  // Of a hash only what says that it is SQL is no value.
  const values = [...[...args.keywords.values()].map(({ value }) => value), ...others];
  for (const value of computes === 'values' && first ? [first, ...values] : values)
    if (value.type === 'call' && !written.includes(value)) steps.push(...readText(body, value));
  if (steps.length === given.length && steps.every((step, i) => step === given[i])) return given;
  return isOne(body, node, name!, args) ? once(steps) : steps;
}

const isOfServer = (step: Step): boolean => step.kind === 'call' && step.callee.startsWith('sql:');

/** A query may be made and never asked. */
const eachRow = (step: Step): Step => ({
  kind: 'loop',
  at: step.at,
  over: 'query',
  times: null,
  certainty: 'likely',
  body: [step],
});

function readText(body: Body, node: Syntax): Step[] {
  if (!TEXT.test(node.type) || (node.type === 'string' && !textOf(body.file, node).includes('('))) return [];
  const source = stringSource(body.file, node, (one) => textHeldBy(body, one));
  if (!source) return [];
  return computedBy(source, body.file.unit.file).map((step) => ({ ...step, certainty: 'likely' }));
}

const TEXT =
  /^(string|chained_string|heredoc_beginning|call|array|binary|identifier|constant|scope_resolution)$/;

/** The key of a row picks it, or who asks takes one. */
function isOne(body: Body, node: Syntax, name: string, args: Arguments): boolean {
  if (often(body, child(node, 'receiver'), name, args).times === 1) return true;
  for (let at = node; at.parent?.type === 'call' && child(at.parent, 'receiver') === at; at = at.parent) {
    const asked = textOf(body.file, child(at.parent, 'method') ?? at.parent);
    if (computing(asked) === 'one') return true;
    const { positional } = argumentsOf(body.file, at.parent);
    if (asked === 'limit' && positional[0] && /^\d{1,2}$/.test(textOf(body.file, positional[0]))) return true;
  }
  return false;
}
