// A block whose handlers only raise again: a subtransaction for nothing.
import { type Fix, type Handler, type Model, ofEach, rule, type Subtransaction } from '../../src/rule.ts';
import { blockOf } from '../guards.ts';
import { offered } from '../mend.ts';
import { about, routineName, runsOnce, weigh, where } from '../say.ts';

export default rule({
  id: 'exception-block-that-rethrows',
  severity: 'warning',
  summary: 'A block whose handlers only raise the same error again',
  check: ofEach((model, one) => {
    const { handlers } = blockOf(one) ?? {};
    if (!handlers?.every(onlyRaisesAgain)) return [];
    const writes = one.effects.writes !== 'no';
    return [
      {
        ...about(one),
        rule: 'exception-block-that-rethrows',
        severity: weigh(writes && !runsOnce(model, one) ? 'warning' : 'note', where(model, one)),
        message:
          `The ${one.label} in ${routineName(one.routine, model)} only raises the same error again. ` +
          (writes
            ? "What it wrote is rolled back with the rest anyway, and each run that writes takes a transaction ID and one of the session's 64 places for subtransactions."
            : 'It takes no transaction ID, since nothing inside writes, but changes nothing either.'),
        fixes: handlers.every(({ bare }) => bare) ? withoutHandlers(model, one) : undefined,
        remedy: `Take the EXCEPTION clause away: the error reaches the caller, with its own context, by itself${
          handlers.some(({ restores }) => restores) ? ', and takes back what set_config() has set' : ''
        }.`,
      },
    ];
  }),
});

/**
 * Without the section the error takes the same way, with the same rollback of all that the block did. A COMMIT in it
 * fails with the block and ends the transaction without it; whoever executes what nobody can read may run one.
 */
function withoutHandlers(model: Model, one: Subtransaction): Fix[] | undefined {
  const section = one.origin.kind === 'scope' ? one.origin.section : undefined;
  if (!section || model.terminations.some(({ inside }) => inside === one)) return undefined;
  return offered(model, one.file, {
    title: 'Take the EXCEPTION clause away',
    safe: !one.effects.opaque || model.routine(one.routine)?.routine.kind === 'function',
    edits: [{ file: one.file, at: section, replacement: '' }],
  });
}

/** One that says something first, or remembers something, is there for that. */
function onlyRaisesAgain({ body, bare, restores }: Handler): boolean {
  const [first] = body;
  return (bare ?? restores) === true && first?.kind === 'exit' && first.how === 'raise';
}
