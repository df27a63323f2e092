// Rewrites that keep what a program does: a savepoint that joins the transaction around it, a RELEASE that is missing; and where a rewrite is no more than a suggestion.
import {
  type Fix,
  kept,
  type Model,
  type Routine,
  type Scope,
  type Step,
  type Subtransaction,
  unitsOf,
} from '../src/rule.ts';
import { everyStep, type Placed } from './say.ts';

/**
 * What a migration tool has run once stays as it is: some refuse to go on where its text is another one than they ran,
 * and the others do not run it again. What it defines is changed by the next one.
 */
export function offered(model: Model, file: string, fix: Fix): Fix[] {
  const unit = unitsOf(model).get(file)?.[0];
  const again = unit?.series?.position.startsWith('~'); // a tool runs it again when it changes
  if (unit?.role !== 'migration' || again) return [fix];
  return [{ ...fix, title: `In a new migration: ${fix.title}`, safe: false }];
}

/**
 * A nested scope that joins the one around it sends no savepoint. Where nothing between the two catches, an error rolls
 * back both, with or without one. It is safe when everything inside is known: what is called could catch as well. Where a
 * caller begins the transaction it is left to people, who know all callers.
 */
export function asJoining(model: Model, one: Subtransaction): Fix[] | undefined {
  const { origin } = one;
  if (origin.kind !== 'scope' || !origin.joins) return undefined;
  const placed = placeOf(model, one);
  const outer = placed && transactionAround(placed, origin);
  if (!outer || rollsBack(model, origin.body)) return undefined;
  const { at, text } = origin.joins;
  const provided = outer === 'here' ? 'since nothing' : 'if no caller';
  return offered(model, one.file, {
    title: `Write ${text.replace(/^[(,\s]+|\)$/g, '')}, ${provided} catches between it and the transaction around it`,
    safe:
      outer === 'here' &&
      [...everyStep(origin.body)].every(({ step }) => harmless(model, step)) &&
      !callbacks(model),
    edits: [{ file: one.file, at, replacement: text }],
  });
}

function placeOf(model: Model, one: Subtransaction): Placed | undefined {
  for (const routine of routinesOf(model, one))
    for (const placed of everyStep(routine.body)) if (placed.step === one.origin) return placed;
  return undefined;
}

const routinesOf = (model: Model, { file, routine }: Subtransaction): Routine[] =>
  (unitsOf(model).get(file) ?? []).flatMap(({ routines }) => routines.filter(({ name }) => name === routine));

/** Where the scope's transaction begins, if loops and branches alone stand between: with a scope of its kind, or in a caller. */
function transactionAround({ parent }: Placed, origin: Scope): 'here' | 'in a caller' | undefined {
  const kind = (label: string) => label.replace(/\(.*/, '');
  for (let at = parent; at; at = at.parent) {
    const { step } = at;
    if (step.kind === 'scope')
      return step.opens === 'transaction' && step.on === origin.on && kind(step.label) === kind(origin.label)
        ? 'here'
        : undefined;
    if (step.kind !== 'branch' && !(step.kind === 'loop' && step.over !== 'retry')) return undefined;
  }
  return 'in a caller';
}

/** It needs its savepoint: something inside, or in what that calls, goes back to one without an error. */
function rollsBack(model: Model, steps: Step[], seen = new Set<Routine>()): boolean {
  for (const { step } of everyStep(steps)) {
    if (step.kind === 'rollback to' || (step.kind === 'block' && step.dooms)) return true;
    if (step.kind !== 'call') continue;
    for (const { routine } of model.called(step))
      if (!seen.has(routine) && rollsBack(model, routine.body, seen.add(routine))) return true;
  }
  return false;
}

/** What runs when a model is saved may catch as well. */
const callbacks = ({ units }: Model) =>
  units.some(({ triggers }) => triggers.some(({ via }) => via === 'model callback'));

/** It is what it says: no handler, nothing of the repository's own, nothing that could not be read. */
function harmless(model: Model, step: Step): boolean {
  switch (step.kind) {
    case 'read':
    case 'write':
    case 'row lock':
    case 'branch':
    case 'loop':
    case 'scope':
      return true;
    case 'exit':
      return step.how !== 'raise' || !step.again;
    case 'call':
      return (
        step.meanings !== undefined &&
        step.meanings.length > 0 &&
        step.block === undefined &&
        !theirs(model).has(lastPart(step.callee))
      );
    default:
      return false;
  }
}

const lastPart = (name: string) => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1);

/** The names of the repository's own routines without their owners: a class may have inherited any of them. */
const theirs = kept(
  ({ units }: Model) => new Set(units.flatMap(({ routines }) => routines.map(({ name }) => lastPart(name)))),
);

/**
 * In a script that runs from top to bottom: the savepoint before this one is released where this one begins, if nothing
 * speaks of it afterwards. What follows sees the same rows, and an error fails the script at the same statement.
 */
export function asReleased(model: Model, one: Subtransaction): Fix[] | undefined {
  const [script, ...others] = routinesOf(model, one);
  if (!script || others.length > 0 || script.kind !== 'script' || !script.name.startsWith('sql:'))
    return undefined;
  const here = script.body.indexOf(one.origin);
  if (here < 0 || !script.body.every(isFlat)) return undefined;
  const open = lastOpen(script.body.slice(0, here));
  if (open === undefined || mentionedLater(script.body.slice(here), open)) return undefined;
  const at = { start: one.at.start, end: one.at.start };
  return offered(model, one.file, {
    title: `RELEASE SAVEPOINT ${open} before the next one`,
    safe: true,
    edits: [{ file: one.file, at, replacement: `RELEASE SAVEPOINT ${open}; ` }],
  });
}

const FLAT = new Set<Step['kind']>([
  'begin',
  'savepoint',
  'release',
  'rollback to',
  'read',
  'write',
  'row lock',
  'commit',
  'cast',
]);
const isFlat = (step: Step) => FLAT.has(step.kind) && !('name' in step && step.name === null);

/** The innermost savepoint that is open at the end of these steps, in the transaction that they end in. */
function lastOpen(steps: Step[]): string | undefined {
  const open: string[] = [];
  for (const step of steps) {
    if (step.kind === 'begin' || step.kind === 'commit') open.length = 0;
    else if (step.kind === 'savepoint') open.push(step.name!);
    else if (step.kind === 'release') open.splice(Math.max(0, open.lastIndexOf(step.name!)));
    else if (step.kind === 'rollback to') open.splice(open.lastIndexOf(step.name!) + 1);
  }
  return open.at(-1);
}

/** Until the transaction ends something needs the older savepoint: a name that is set anew means the newer one. */
function mentionedLater([first, ...rest]: Step[], name: string): boolean {
  const renewed = first?.kind === 'savepoint' && first.name === name;
  for (const step of rest) {
    if (step.kind === 'commit') return false;
    if (step.kind === 'release' && step.name === name) return true;
    if (step.kind === 'rollback to' && step.name === name && !renewed) return true;
  }
  return false;
}
