// How a trace says what happens, with the real names. Not which trace, and not what a rule says of it.
import {
  type Call,
  type Loop,
  type Name,
  OF_FRAMEWORK,
  type Read,
  type RowLock,
  type Savepoint,
  type Scope,
  type Trigger,
  type Write,
} from '../ir.ts';
import type { Linked } from './definitions/program.ts';
import { isAnyTable, isDomain } from './definitions/sqlname.ts';
import type { Fired } from './graph/fired.ts';

export { isAnyTable, isDomain };

/** `Order.save()`, `shop.place_orders()`, `Shop::Order#save`, `db/seed.sql`. */
export function nameOf({ name, routine, trigger, file }: Linked): string {
  if (trigger)
    return `the ${trigger.via === 'trigger' ? `${trigger.each} trigger` : trigger.via} ${trigger.name}`;
  if (routine!.kind === 'script') return file;
  if (routine!.kind === 'anonymous') {
    const [, text, kind, number] = /(\/[\da-f]{8})?"\."(DO|job) (\d+)"$/.exec(name) ?? [];
    const said = kind === 'DO' ? 'DO block' : kind;
    // Those of a program's texts have no numbers.
    const what = said && (text ? `a ${said}` : `${said} ${number}`);
    return `${what ? `${what} of` : routine!.implied ? 'SQL in' : 'a block in'} ${base(file)}`;
  }
  if (routine!.surrounds) return `${AROUND[routine!.surrounds]}${spoken(name)}`;
  const unnamed = name.startsWith('sql:"') ? UNNAMED.exec(name) : null;
  return unnamed ? `${unnamed[1]} of ${base(file)}` : `${spoken(name)}()`;
}

/** Whether it begins with a large letter, as the names of classes do, in any alphabet that has such. */
export const isLarge = (word: string): boolean => word.charAt(0) !== word.charAt(0).toLowerCase();

const base = (file: string) => file.slice(file.lastIndexOf('/') + 1);

/** What is written above a routine, or put around it, and is no call. */
export const AROUND = { annotation: '@', advice: 'the advice ' };

/** A function whose name is computed is called by its file. */
const UNNAMED = /^sql:"[^"]*"\."(\w+ \d+)"$/;

export function spoken(name: Name): string {
  const space = name.slice(0, name.indexOf(':'));
  const path = name.slice(space.length + 1);
  if (space === 'sql') return path.startsWith('public.') ? path.slice(7) : path;
  if (space === 'ruby') return path;
  const parts = unmarked(path).split('.');
  const last = path.endsWith(OF_FRAMEWORK) ? `super().${parts.at(-1)}` : parts.at(-1)!;
  const owner = parts.at(-2);
  // A method is told with its class; a function of a module without the module.
  return owner && (isLarge(owner) || owner.endsWith(')')) ? `${owner}.${last}` : last;
}

/** A twin past the proxy, and what an annotation puts around a class, go by the name of what they belong to. Few have such marks. */
export const unmarked = (path: string): string =>
  /['@~(]/.test(path) ? path.replace(/'$|[@~]\w*$|@(?=\.)|\(\w+=\w+\)$|[\w$]+~\./g, '') : path;

const LOOPS: Record<Loop['over'], string> = {
  rows: 'loops over rows',
  items: 'loops over items',
  range: 'loops over a range',
  retry: 'tries again',
  unknown: 'loops',
  query: 'runs a query that does this for each row',
  columns: 'runs a query that does this for each column of a row',
};

export function saysLoop(loop: Loop, inside: Linked): string {
  const times =
    loop.times !== null && loop.over !== 'query' && loop.over !== 'columns'
      ? `loops ${loop.atMost ? 'at most ' : ''}${loop.times === 1 ? 'once' : `${loop.times} times`}`
      : LOOPS[loop.over];
  const size = loop.chunk ? ` of ${loop.chunk}` : '';
  return `${nameOf(inside)} ${times}${loop.chunk === undefined ? '' : ` in chunks${size}`}`;
}

/** A trigger's call is its own; and what does nothing but run the block that it was given is no step of the way. */
export const isSilent = (inside: Linked, { body }: Linked): boolean =>
  inside.trigger !== undefined || (body.length === 1 && body[0]!.kind === 'yield');

export function saysCall(call: Call, inside: Linked, to: Linked | null): string {
  if (/@(?:\.|$)/.test(call.callee)) return `${nameOf(inside)} runs as ${spoken(call.callee)} declares`;
  const isText = to?.routine?.kind === 'anonymous' && to.routine.implied;
  const around = to?.routine?.surrounds;
  const verb = around
    ? { annotation: 'is annotated with', advice: 'runs within' }[around]
    : call.decorates
      ? 'is decorated with'
      : isText
        ? 'runs'
        : 'calls';
  return `${nameOf(inside)} ${verb} ${to ? nameOf(to) : `${spoken(call.callee)}()`}`;
}

const VERBS: Record<Write['verb'], string> = {
  insert: 'inserts into',
  update: 'updates',
  delete: 'deletes rows of',
  merge: 'merges into',
  truncate: 'truncates',
  copy: 'copies into',
  ddl: 'changes',
};

export function saysWrite(step: Write | Read | RowLock, inside: Linked, relation: string | null): string {
  if (step.kind === 'write' && step.verb === 'ddl' && step.tag)
    return `${nameOf(inside)} runs ${step.tag.toUpperCase()}`;
  const what = step.kind === 'write' ? VERBS[step.verb] : step.kind === 'read' ? 'reads' : 'locks rows of';
  return `${nameOf(inside)} ${what} ${relation ?? 'a table'}`;
}

/** What fired it does so by that statement of `relation`. */
export function saysFired({ to, on, along }: Fired, relation: string | null): string {
  const says = saysTrigger(to.trigger!, on ?? relation ?? 'its table');
  return along ? `${says}, of which ${along === 'one' ? 'a row goes' : 'rows go'} along` : says;
}

export function saysTrigger(trigger: Trigger, relation: string): string {
  if (trigger.via === 'event trigger') return `the event trigger ${trigger.name} runs on ${trigger.event}`;
  // What a domain has by itself stands on no table.
  if (isDomain(trigger.relation))
    return `the ${trigger.via === 'domain' ? 'check' : trigger.via} of the domain ${trigger.name} runs`;
  const what = trigger.via === 'trigger' ? `${trigger.each} trigger` : trigger.via;
  // A name may be computed, too.
  const called = trigger.name && ` ${trigger.name}`;
  const where = isAnyTable(trigger.relation) ? 'a table whose name is computed' : relation;
  return `the ${what}${called} ${trigger.via === 'trigger' ? 'fires' : 'runs'} on ${where}`;
}

export const saysOpening = (origin: Scope | Savepoint, inside: Linked): string =>
  `${labelOf(origin)} in ${nameOf(inside)}`;

export function labelOf(origin: Scope | Savepoint): string {
  return origin.kind === 'scope'
    ? origin.label
    : origin.name === null
      ? 'SAVEPOINT'
      : `SAVEPOINT ${origin.name}`;
}
