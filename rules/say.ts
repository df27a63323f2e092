// How rules name things and how heavily they speak; it finds nothing itself.
import {
  AROUND,
  type Finding,
  inside,
  kept,
  type Model,
  type Name,
  type Severity,
  type Step,
  type Subtransaction,
  unitsOf,
  unmarked,
} from '../src/rule.ts';

/** A routine as people say it: `put_account()`, `OrderService.place()`, `db/seed.sql`. */
export function routineName(name: Name, model: Model): string {
  const known = model.routine(name);
  if (known?.routine.kind === 'script') return known.file;
  const path = plain(name);
  if (known?.routine.surrounds) return AROUND[known.routine.surrounds] + path;
  // What has no name of its own: a DO block, a change set; those of a program's texts have no numbers.
  const part = /^"(?:[^"]+\.\w+|[^"]*(\/[\da-f]{8}))"\."([^"]+)"$/.exec(path);
  if (name.startsWith('sql:') && part && known) {
    const base = known.file.slice(known.file.lastIndexOf('/') + 1);
    // A text that somebody executes.
    if (known.routine.implied) return `SQL in ${base}`;
    const what = part[2]!.replace(/^DO /, 'DO block ');
    return `${part[1] ? `a ${what.replace(/ \d+$/, '')}` : what} of ${base}`;
  }
  if (name.startsWith('sql:"') && path.includes('/')) return path.replaceAll('"', '');
  if (/^"[^"]+\.\w+"(?:\."[^"]+")?$/.test(path)) return path.replaceAll('"', '');
  return `${path}()`;
}

/** `orders` for `sql:public.orders`; a class with its method, a function without its module. */
export function plain(name: Name | null): string {
  if (name === null) return 'a table';
  const path = name.slice(name.indexOf(':') + 1);
  if (name.startsWith('sql:')) return path.replace(/^(public|pg_catalog)\./, '');
  if (name.startsWith('ruby:')) return path;
  const parts = unmarked(path).split('.');
  const owner = parts.at(-2);
  return owner && /^[A-Z]/.test(owner) ? `${owner}.${parts.at(-1)}` : parts.at(-1)!;
}

/** Whether it names a table or the class of one, and not how to come by it: `Order`, and not `order().lines[]`. */
export const isTable = (relation: Name | null): relation is Name =>
  relation !== null && (relation.startsWith('sql:') || /^[\w.:$]+$/.test(relation));

/** ` INTO accounts`, or nothing where the name is computed. */
export const intoTable = (relation: Name | null, model: Model) =>
  isTable(relation) ? ` INTO ${tableName(relation, model)}` : '';

/** A table, or the class of one, by the name that it has. */
export const tableName = (relation: Name, model: Model) => plain(named(relation, model));

/** The name under which it is declared, of one that another file gives another. */
export const named = (name: Name, model: Model): Name => realNames(model).get(name) ?? name;

/**
 * A constant is named from where it is written, as if it were of the innermost module; what it is, is a class further
 * out. One that nobody has read is called as it is written.
 */
const realNames = kept(({ units }: Model): Map<Name, Name> => {
  const types = new Set(units.flatMap((unit) => unit.types.map(({ name }) => name)));
  const out = new Map<Name, Name>();
  for (const { aliases } of units)
    for (const { from, to } of aliases)
      if (!types.has(from) && !types.has(out.get(from) ?? from) && (types.has(to) || isFurtherOut(to, from)))
        out.set(from, to);
  return out;
});

const isFurtherOut = (to: Name, from: Name) => from.includes('::') && from.endsWith(`::${plain(to)}`);

/** What only tests, migrations and examples do is worth a note. */
export function weigh(severity: Severity, from: { entry?: string; role?: string }): Severity {
  const product = from.role === undefined || from.role === 'product';
  return product && from.entry !== 'test' && from.entry !== 'migration' ? severity : 'note';
}

/** The role of the file that something stands in. */
export const roleOf = (model: Model, file: string) => unitsOf(model).get(file)?.[0]?.role;

/** Who runs a subtransaction, for its weight: the worst visit, or the file when nothing reaches it. */
export const where = (model: Model, one: Subtransaction) =>
  one.visits[0] ?? { role: roleOf(model, one.file) };

/** A DO block that no loop is around: what it costs it costs once. */
export const runsOnce = (model: Model, one: Subtransaction) =>
  model.routine(one.routine)?.routine.kind === 'anonymous' &&
  one.visits.every(({ context }) => context.repeatedBy === null);

/** What every finding about one subtransaction shares: its place, its worst visit as the trace, the other ones apart. */
export function about(one: Subtransaction): Omit<Finding, 'rule' | 'severity' | 'message' | 'remedy'> {
  const [worst, ...others] = one.visits;
  return {
    file: one.file,
    at: one.at,
    certainty: certaintyOf(one),
    trace: worst?.witness ?? [],
    others: others.length > 0 ? others.map((visit) => visit.witness) : undefined,
    subject: `${one.routine} ${one.label}`,
    routine: one.routine,
  };
}

/** Wherever it runs it is one; what nests is one only where something is open. */
export const isAlways = ({ origin }: Subtransaction): boolean =>
  origin.kind === 'savepoint' || origin.opens === 'subtransaction';

/** What nests is a subtransaction no more surely than something is open around it. */
function certaintyOf(one: Subtransaction): Finding['certainty'] {
  const nested = isAlways(one) ? undefined : one.visits[0]?.certainty;
  return nested ?? one.origin.certainty ?? 'certain';
}

/** A step and what it stands in. */
export interface Placed {
  step: Step;
  parent: Placed | null;
}

/** All steps, outermost first. It does not recurse: nesting may be deep. */
export function* everyStep(steps: Step[], parent: Placed | null = null): Generator<Placed> {
  const waiting: Placed[] = [];
  const push = (list: Step[], above: Placed | null) => {
    for (let i = list.length - 1; i >= 0; i--) waiting.push({ step: list[i]!, parent: above });
  };
  push(steps, parent);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const lists = inside(next.step); // the step's own, which stay as they are
    for (let i = lists.length - 1; i >= 0; i--) push(lists[i]!, next);
  }
}
