// An INSERT in a block that catches the duplicate key; what ON CONFLICT does without a subtransaction.
import {
  type Attempt,
  type Finding,
  type Fix,
  type Handler,
  kept,
  type Model,
  ofEach,
  rule,
  type Scope,
  type Step,
  type Subtransaction,
  unitsOf,
  type Write,
} from '../../src/rule.ts';
import { onConflict } from '../conflicts.ts';
import { blockOf, takesOnConflict, upsert } from '../guards.ts';
import { offered } from '../mend.ts';
import { about, everyStep, intoTable, type Placed, routineName, runsOnce, weigh, where } from '../say.ts';

export default rule({
  id: 'exception-block-for-upsert',
  severity: 'warning',
  summary: 'An INSERT in a block that catches unique_violation, where ON CONFLICT needs no subtransaction',
  check: ofEach((model, one) => {
    if (one.origin.kind !== 'scope') return [];
    const handlers = blockOf(one)?.handlers ?? attemptAround(model, one.file, one.origin)?.handlers;
    return handlers ? report(model, one, one.origin, handlers) : [];
  }),
});

function report(model: Model, one: Subtransaction, scope: Scope, handlers: Handler[]): Finding[] {
  const found = upsert(scope.body, handlers);
  if (!found || !takesOnConflict(model, found, one.file)) return [];
  const into = intoTable(found.insert.relation, model);
  const many = found.insert.rows === 'many';
  const once = runsOnce(model, one);
  if ((once && !many) || (many && asksWhich(model, found)) || triesAgain(model, one.file, scope)) return [];
  const updates = updatesIn(found.handler.body).length > 0 || triesUpdateFirst(model, one, found.insert);
  return [
    {
      ...about(one),
      rule: 'exception-block-for-upsert',
      severity: weigh(once ? 'note' : 'warning', where(model, one)),
      message:
        `The ${one.label} in ${routineName(one.routine, model)} catches the duplicate key of an INSERT${into}: ${many ? 'each run' : 'every new row'} takes a transaction ID and one of the session's 64 places for subtransactions. ` +
        (many
          ? 'One existing row undoes all the others, and leaves them as dead rows.'
          : `${looksFirst(model, one, found.insert) ? 'One that another session makes meanwhile' : 'An existing row'} leaves a dead row and a burnt transaction ID instead.`),
      fixes: asOnConflict(model, one, scope, handlers, found.insert),
      remedy: `INSERT${into} … ON CONFLICT … DO ${updates ? 'UPDATE' : 'NOTHING'} needs no subtransaction and no second try${many ? ', and keeps the rows that are new' : ''}${inWords(one)}${doesMore(scope, found.insert) ? '; do the rest of the block only where it inserts a row, and keep the block only if that rest meets duplicate keys of its own' : ''}.`,
    },
  ];
}

/** All rows or none, and the handler tells which were there: ON CONFLICT would keep the others. */
const asksWhich = (model: Model, { insert, handler }: NonNullable<ReturnType<typeof upsert>>): boolean => {
  const steps = [...everyStep(handler.body)].map(({ step }) => step);
  return (
    steps.some((step) => step.kind === 'read' && model.relation(step) === model.relation(insert)) &&
    !steps.some((step) => step.kind === 'write')
  );
};

const updatesIn = (steps: Step[]): Step[] =>
  [...everyStep(steps)].flatMap(({ step }) => (step.kind === 'write' && step.verb === 'update' ? step : []));

/** LOOP UPDATE …; INSERT …; END LOOP: after the duplicate key the next turn updates the row. */
function triesUpdateFirst(model: Model, one: Subtransaction, insert: Write): boolean {
  const steps = model.routine(one.routine)?.routine.body ?? [];
  const relation = model.relation(insert);
  for (let at = [...everyStep(steps)].find(({ step }) => step === one.origin) ?? null; at; at = at.parent)
    if (at.step.kind === 'loop')
      return (
        relation !== null && updatesIn(at.step.body).some((update) => model.relation(update) === relation)
      );
  return false;
}

/** Where a query has found the row, nothing is inserted. */
function looksFirst(model: Model, one: Subtransaction, insert: Write): boolean {
  const steps = model.routine(one.routine)?.routine.body ?? [];
  const relation = model.relation(insert);
  let at = [...everyStep(steps)].find(({ step }) => step === one.origin) ?? null;
  for (; at; at = at.parent)
    if (at.step.kind === 'block' && at.step.makes && relation !== null)
      return model.relation(at.step) === relation;
  return false;
}

/** What stands behind the INSERT is done for new rows alone, for an error leaves it out. */
function doesMore({ body }: Scope, insert: Write): boolean {
  const its = body.findIndex((one) => [...everyStep([one])].some(({ step }) => step === insert));
  return [...everyStep(body.slice(its + 1))].some(
    ({ step }) => (step.kind === 'call' && !step.reads) || step.kind === 'write',
  );
}

/** How the API that opened it writes ON CONFLICT. */
function inWords({ label }: Subtransaction): string {
  if (label.includes('atomic')) return ' (Django: bulk_create with ignore_conflicts or update_conflicts)';
  if (label.includes('requires_new')) return ' (ActiveRecord: insert, insert_all, upsert)';
  if (label.includes('begin_nested')) return ' (SQLAlchemy: postgresql.insert().on_conflict_do_nothing())';
  return '';
}

/**
 * One INSERT of one row, one handler that does nothing: ON CONFLICT DO NOTHING does the same, for whichever unique index
 * it is, where nothing else of the table fails or runs. Of many rows the block keeps none where one is there already, and
 * ON CONFLICT keeps those that are new.
 */
function asOnConflict(
  model: Model,
  one: Subtransaction,
  scope: Scope,
  handlers: Handler[],
  insert: Write,
): Fix[] | undefined {
  const [handler, ...more] = handlers;
  const only = scope.single && scope.body.length === 1 && scope.body[0] === insert && more.length === 0;
  const plainly = handler?.bare && handler.body.length === 0 && handler.catches.join() === 'unique_violation';
  if (!only || !plainly || insert.rows !== 'one' || !insert.last || !scope.section) return undefined;
  const does = onConflict(model, insert, one.file);
  if (does === 'other' || does === 'refused') return undefined;
  const end = { start: insert.last.end, end: insert.last.end };
  const unless = does === 'same' ? '' : ', unless a trigger or an exclusion constraint of the table needs it';
  return offered(model, one.file, {
    title: `Write ON CONFLICT DO NOTHING instead of the EXCEPTION clause${unless}`,
    safe: does === 'same',
    edits: [
      { file: one.file, at: end, replacement: ' ON CONFLICT DO NOTHING' },
      { file: one.file, at: scope.section, replacement: '' },
    ],
  });
}

/** In application code the savepoint stands in a try statement: `try: with atomic(): … except IntegrityError:`. */
function attemptAround(model: Model, file: string, scope: Scope): Attempt | undefined {
  for (const unit of unitsOf(model).get(file) ?? []) {
    const attempt = attemptsIn(unit).get(scope);
    if (attempt) return attempt;
  }
  return undefined;
}

/** Another turn, or another call of the same routine, follows a failure alone, under another key: ON CONFLICT would not say that this one was taken. */
const triesAgain = (model: Model, file: string, scope: Scope): boolean =>
  (unitsOf(model).get(file) ?? []).some((unit) => triedIn(unit).has(scope));

const triedIn = kept(({ routines }: Model['units'][number]): Set<Scope> => {
  const found = new Set<Scope>();
  for (const { name, body } of routines)
    for (const { step, parent } of everyStep(body)) {
      const attempt = step.kind === 'scope' && parent?.step.kind === 'attempt' ? parent : undefined;
      const loop = outOfBlocks(attempt?.parent)?.step;
      const isTurn = loop?.kind === 'loop' && loop.over === 'retry';
      if (attempt && (isTurn || callsItself(attempt.step as Attempt, name))) found.add(step as Scope);
    }
  return found;
});

/** What runs only where a row is missing is as much a turn of the loop around. */
const outOfBlocks = (at: Placed | null | undefined): Placed | null | undefined =>
  at?.step.kind === 'block' ? outOfBlocks(at.parent) : at;

const callsItself = ({ handlers }: Attempt, name: string): boolean =>
  handlers.some(({ body }) =>
    [...everyStep(body)].some(({ step }) => step.kind === 'call' && step.callee === name),
  );

const attemptsIn = kept(({ routines }: Model['units'][number]): Map<Scope, Attempt> => {
  const found = new Map<Scope, Attempt>();
  for (const { body } of routines)
    for (const { step, parent } of everyStep(body))
      if (step.kind === 'scope' && parent?.step.kind === 'attempt' && parent.step.body.includes(step))
        found.set(step, parent.step);
  return found;
});
