// What a call writes: which verb, and through which method of the model. Which call writes at all is said elsewhere.

import type { Meaning } from '../../../framework.ts';
import type { Branch, Name, Rows, Span, Step } from '../../../ir.ts';
import { collection, lengthOf } from '../counts/lengths.ts';
import { askedOf, narrowsToOne, pickedOf, picksOne } from '../counts/picked.ts';
import { insertsUnlessSaved, lists, newGiven } from '../counts/saved.ts';
import { keyword, keywordsOnly } from '../names/arguments.ts';
import { fromAncestors, isType, tableRule } from '../names/knowledge.ts';
import type { Place } from '../names/scope.ts';
import { constantText } from '../names/values.ts';
import { handsOn } from './flags.ts';
import { python } from './rows.ts';
import { switchedOff } from './switched.ts';
import { tellsOf } from './tells.ts';
import type { Understood } from './understood.ts';

export const oneOf = (at: Span, arms: Step[][]): Branch => ({ kind: 'branch', at, arms, exhaustive: true });

/** One row inserted or updated, through the model's own method where it has one. */
export function write(
  c: Place,
  call: Understood,
  its: NonNullable<Meaning['write']>,
  base: { at: Span },
  relation: Name | null,
  keys: string[],
): Step[] {
  const verbs =
    its.verb !== 'save'
      ? [its.verb]
      : call.receiver?.fresh
        ? ['insert' as const]
        : call.receiver?.fresh === false || listed(c, call, its.updatesBy)
          ? ['update' as const]
          : ['insert' as const, 'update' as const];
  const columns =
    its.verb === 'update' && its.setsKeywords
      ? keywordsOnly(c, call.node)
      : columnsOf(c, call, its.updatesBy);
  const model = call.receiver?.item ?? call.receiver;
  const isOne = () => picksOne(c, askedOf(call.node), model) || narrowsToOne(c, call.node);
  const rows = its.rows === 'many' && isOne() ? 'one' : (its.rows as Rows);
  const picked = rows === 'many' ? pickedOf(c, askedOf(call.node), model, () => null) : undefined;
  const off = switchedOff(c, call.node);
  const tells = tellsOf(c, call.node, its);
  const one = (verb: (typeof verbs)[number]): Step => ({
    kind: 'write',
    ...base,
    verb,
    relation,
    rows,
    ...(picked && { picked }),
    ...(its.onConflict ? { onConflict: its.onConflict } : {}),
    ...(its.withoutCallbacks ? { withoutCallbacks: true } : {}),
    ...(columns && verb === 'update' ? { columns, ...(its.updatesBy && { exactly: true as const }) } : {}),
    ...(off.length > 0 ? { without: off } : {}),
    ...(Object.keys(tells).length > 0 ? { tells } : {}),
    ...(keys.length > 0 ? { keys } : {}),
  });
  const steps = verbs.length === 1 ? [one(verbs[0]!)] : [either(c, call, its.insertsBy, one)];
  if (!its.through || !model || isType(model.path) || model.relation) return steps;
  return [
    {
      kind: 'call',
      at: call.at,
      callee: python(`${model.path}.${its.through}`),
      ...(its.insertsBy && its.verb === 'insert'
        ? { args: 0, given: { [its.insertsBy]: true, ...newGiven(c, call.node) } }
        : {}),
      meanings: model.certainty === 'possible' ? ifSaved(its.through, steps) : [{ steps }],
    },
  ];
}

/** It is one of a relation, and whether that leads to a model only who knows all files can tell. */
const ifSaved = (through: string, steps: Step[]) =>
  fromAncestors(through).flatMap(({ receiver }) =>
    tableRule(receiver) ? [{ receiver: python(receiver), steps }] : [],
  );

/** `save(update_fields=["name"])` fails where there is no row. */
const listed = (c: Place, { node }: Understood, by: string | undefined): boolean =>
  by !== undefined && node.type === 'call' && lists(c, keyword(c, node, by));

/** The columns that are written out there. */
function columnsOf(c: Place, call: Understood, by: string | undefined): string[] | null {
  const list = listed(c, call, by) ? keyword(c, call.node, by!) : undefined;
  const written = list && collection(c, list);
  const names = written?.children.flatMap((one) => constantText(c, one) ?? []);
  return names && names.length > 0 && names.length === lengthOf(written!) ? names : null;
}

/** What its caller asks for, or knows of the object, decides. */
function either(
  c: Place,
  { at, node }: Understood,
  inserts: string | undefined,
  one: (verb: 'insert' | 'update') => Step,
): Step {
  const [insert, update] = [[one('insert')], [one('update')]];
  const byRow = { ...oneOf(at, [insert, update]), ...insertsUnlessSaved(c, node) };
  const asked = handsOn(c, node, inserts);
  return asked.when ? { ...oneOf(at, [insert, byRow.when ? [byRow] : update]), ...asked } : byRow;
}
