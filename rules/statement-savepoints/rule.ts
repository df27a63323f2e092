// A driver or session setting that opens a savepoint for every statement.
import { inside, kept, type Model, PLACES, rule, type Step } from '../../src/rule.ts';
import { weigh } from '../say.ts';

export default rule({
  id: 'statement-savepoints',
  severity: 'error',
  summary: 'A setting of a driver or of psql that opens a savepoint for every statement of a transaction',
  check(model) {
    return model.settings.flatMap((setting) => {
      const every = setting.effect === 'savepoint per statement';
      if (!every && setting.effect !== 'savepoint per failing statement') return [];
      const most = setting.most === undefined || isRunBySome(model, setting.file) ? Infinity : setting.most;
      if (most === 0) return [];
      const fits = most <= PLACES;
      const name = `${setting.key}=${setting.value}`;
      const piles = setting.releases === false ? ', and never releases it' : '';
      const counted = fits ? `: at most ${most} in what runs under it` : '';
      const tool = TOOLS[setting.of];
      return [
        {
          rule: 'statement-savepoints',
          file: setting.file,
          at: setting.at,
          severity: fits ? 'note' : weigh(every ? 'error' : 'warning', { role: setting.role }),
          certainty: setting.certainty ?? 'certain',
          message:
            `${name} makes ${setting.of} open a savepoint for ${every ? 'every statement' : 'many statements'} of a transaction${piles}${counted}. ` +
            costOf(fits, setting.releases !== false) +
            (tool?.trips && setting.releases !== tool.pipelinesWhereReleased ? ` ${tool.trips}` : ''),
          remedy:
            tool?.remedy ??
            'Turn it off, and open a savepoint by hand around the one statement that may fail.',
          trace: [],
          subject: `${setting.of} ${setting.key}`,
        },
      ];
    });
  },
});

function costOf(fits: boolean, isReleased: boolean): string {
  if (fits)
    return `The ${PLACES} places of a session hold them: no snapshot of another one overflows for it.`;
  return isReleased
    ? 'From the 65th statement that writes on, every session must look up pg_subtrans until the transaction ends.'
    : 'Once 65 of them are open the next write makes every session look up pg_subtrans until the transaction ends, even if the others only read.';
}

/** `trips`: what it costs besides, where that was measured. */
const TOOLS: Record<string, { remedy: string; trips?: string; pipelinesWhereReleased?: true }> = {
  pgjdbc: {
    remedy:
      'Set autosave=never (the default); against “cached plan must not change result type” set prepareThreshold=0 or reconnect after DDL.',
    trips: 'Each one is another round trip.',
    pipelinesWhereReleased: true,
  },
  psql: {
    remedy: 'Set ON_ERROR_ROLLBACK to interactive or off; scripts should run with psql -X.',
    trips: 'Each one is another round trip, and so is its release.',
  },
  psqlodbc: {
    remedy: 'Set Protocol=7.4-1: an error then fails the transaction, as it does everywhere else.',
  },
};

/** Another script has it run, in a transaction of its own perhaps, and goes on under what it set. */
const isRunBySome = (model: Model, file: string): boolean => scriptsRun(model).has(`sql:"${file}"`);

const scriptsRun = kept(({ units }: Model): Set<string> => {
  const out = new Set<string>();
  const look = (step: Step): void => {
    if (step.kind === 'call' && step.callee?.startsWith('sql:"')) out.add(step.callee);
    for (const inner of inside(step)) inner.forEach(look);
  };
  for (const { routines } of units)
    for (const { kind, body } of routines) if (kind === 'script') body.forEach(look);
  return out;
});
