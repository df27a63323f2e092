// What a call, or a trigger, says of the parameters of the routine that it runs. Not whether that one asks.
import { type Call, type Given, isHandedOn, type Trigger } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { canonical, isAnyTable, lastPart, schemaOf } from '../definitions/sqlname.ts';
import { ownerOf } from '../names/dotted.ts';
import { andSo, type Flags, type HandedOn, textOf, type Values } from './values.ts';

type Fired = NonNullable<Flags['fired']>;
type Flag = Pick<Flags, 'position' | 'columns'>;

/** The parameters of which this call says something, in their order. */
export function given(
  to: Linked,
  call: Call,
  { trigger, routine: caller }: Linked,
  parents: Set<string>,
  isMade: (owner: string, of: string) => boolean,
): Values {
  const out: Values = new Map();
  const { args, given: known } = call;
  for (const flag of to.routine?.flags ?? []) {
    const { name, position, value, otherwise = 'unknown', rest, connection, fired, columns, made } = flag;
    if (made !== undefined) {
      const owner = ownerOf(to.name);
      const its =
        known && Object.hasOwn(known, name)
          ? known[name]
          : call.made && owner && isMade(owner, call.made.of)
            ? ofMaker(flag, call.made)
            : undefined;
      const now = isHandedOn(its) ? handedBy(caller, its, otherwise) : its;
      if (now !== undefined && now !== 'unknown') out.set(name, now);
      continue;
    }
    const isTold = columns?.every((table) => trigger?.transitions?.includes(table));
    if (fired === 'rows' && trigger?.rows !== undefined && isTold) out.set(name, { items: trigger.rows });
    const fires = fired && trigger && told(trigger, fired, parents, { position, columns });
    if (fires !== undefined) out.set(name, fires === null ? null : { text: fires });
    if (fired) continue;
    const here = position === undefined ? undefined : known?.[position];
    if (args === undefined && here === undefined && !(known && Object.hasOwn(known, name))) continue; // some are not seen
    if (rest && args !== undefined) out.set(name, { items: Math.max(0, args - (position ?? 0)) });
    if (rest) continue;
    const isPlaced = here !== undefined || (position !== undefined && position < (args ?? 0));
    if (connection) {
      const said = known?.[name] ?? (isPlaced ? (here ?? 'unknown') : undefined);
      if (said === undefined) continue;
      if (!saysUsual(said, connection, caller))
        out.set(name, textOf(said) === undefined ? 'something' : said);
      else if (value === undefined) out.set(name, null);
      continue;
    }
    // `None` is what a caller says too.
    const byPlace = isPlaced ? (here === undefined ? otherwise : here) : value;
    const said = known && Object.hasOwn(known, name) ? known[name] : byPlace;
    const now = isHandedOn(said) ? handedBy(caller, said, otherwise) : said;
    // Where that is not what it is for who says nothing, whoever it hands it on to has to know.
    if (now !== undefined && (now !== 'unknown' || otherwise !== 'unknown')) out.set(name, now);
  }
  return out;
}

/** What the object keeps of this parameter of its maker. */
function ofMaker(
  { made, position, value }: Flags,
  { args, given }: NonNullable<Call['made']>,
): Given | undefined {
  if (args === undefined) return undefined;
  if (given && Object.hasOwn(given, made!)) return given[made!];
  return position !== undefined && position < args ? given?.[position] : value;
}

/** What a parameter of the caller is, where no call says it; what an object took from around where it was made, nobody knows. */
function handedBy(caller: Linked['routine'], handed: HandedOn, otherwise: Given): Given {
  const { is, likely } = handed;
  return andSo(unsaid(caller, handed, otherwise), {
    ...(is !== undefined && { is, ...(likely && { likely }) }),
  });
}

function unsaid(
  caller: Linked['routine'],
  { parameter, unchanged, there }: HandedOn,
  otherwise: Given,
): Given {
  if (there) return unchanged ? { there, unchanged } : { there };
  if (unchanged) return 'unchanged';
  return caller?.flags?.some(({ name }) => name === parameter) ? otherwise : 'unknown';
}

/** Whether a call names the usual connection; a caller that has a usual one itself hands that on. */
const saysUsual = (said: Given, usual: string, caller: Linked['routine']): boolean =>
  said === null || (isHandedOn(said) ? hasUsual(caller, said.parameter) : textOf(said) === usual);

const hasUsual = (routine: Linked['routine'], parameter: string): boolean =>
  routine?.flags?.some(({ name, value }) => name === parameter && value !== undefined) ?? false;

/**
 * What a trigger tells the function that it runs: nothing of its verbs, where they are several, nor of its table, where
 * the rows may be in a partition of it.
 */
export function told(
  trigger: Trigger,
  what: Fired,
  parents: Set<string>,
  asked: Flag,
): string | null | undefined {
  if (what === 'rows') return undefined;
  if (what === 'argument') return trigger.args?.[asked.position!] ?? (trigger.allArgs ? null : undefined);
  if (what === 'arguments') return trigger.allArgs ? String(trigger.args?.length ?? 0) : undefined;
  if (what === 'unchanged')
    return asked.columns!.every((one) => trigger.unchanged?.includes(one)) ? what : undefined;
  if (what === 'verb') return trigger.verbs.length === 1 ? trigger.verbs[0] : undefined;
  if (what === 'tag') return trigger.tags?.length === 1 ? trigger.tags[0]!.toUpperCase() : undefined;
  if (what !== 'relation' && what !== 'schema') return trigger[what];
  if (isAnyTable(trigger.relation)) return undefined;
  const table = unquoted(lastPart(canonical(trigger.relation)));
  if (parents.has(table)) return undefined;
  if (what === 'relation') return table;
  const schema = schemaOf(trigger.relation.slice('sql:'.length));
  return schema === null ? undefined : unquoted(schema);
}

export const unquoted = (name: string) =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
