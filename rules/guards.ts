// What a block that catches errors is there for: an upsert, a cast, nothing at all. Used by rules; reports nothing.
import {
  type Cast,
  type Handler,
  kept,
  type Model,
  type Name,
  type Scope,
  type Step,
  type Subtransaction,
  type Write,
} from '../src/rule.ts';
import { meetsNoKey, onConflict } from './conflicts.ts';
import { everyStep } from './say.ts';

const UNIQUE =
  /unique_?violation|\b23505\b|integrity_?error|record_?not_?unique|duplicate_?key|unique_?constraint|data_?integrity_?violation/i;
/** Text that does not read as the type. Overflows alone are caught for arithmetic, which nothing can ask about before. */
const CAST =
  /invalid_text_representation|invalid_datetime_format|invalid_json_text|data_exception|\b(?:22P02|22007|22032|22000)\b/i;

/** The EXCEPTION block of a subtransaction, if it is one. */
export function blockOf(one: Subtransaction): (Scope & { handlers: Handler[] }) | null {
  const { origin } = one;
  return origin.kind === 'scope' && origin.handlers && origin.handlers.length > 0
    ? (origin as Scope & { handlers: Handler[] })
    : null;
}

/** Table, schema, type, function: what is named here is there already. */
const THERE = /^(?:duplicate_(?:table|schema|object|function)|42P0[67]|42710|42723)$/i;

/** What CREATE makes, and nothing else, where a handler is for what is there already: then it fails before it takes a transaction ID. */
export function createsMissing(one: Subtransaction): Write[] | null {
  const block = blockOf(one);
  if (!block?.handlers.some(({ catches }) => catches.some((word) => THERE.test(word)))) return null;
  const changing = [...everyStep(block.body)].filter(({ step }) => !HARMLESS.has(step.kind));
  const made = changing.flatMap(({ step }) =>
    step.kind === 'write' && step.tag?.startsWith('create ') ? [step] : [],
  );
  return made.length > 0 && made.length === changing.length ? made : null;
}

const HARMLESS = new Set<Step['kind']>(['read', 'cast', 'branch', 'block', 'wait', 'exit']);

export const raises = (steps: Step[]) =>
  [...everyStep(steps)].some(({ step }) => step.kind === 'exit' && step.how === 'raise');

/**
 * Nothing but INSERTs of plain rows into one table in the block, and a handler for the duplicate key that goes on instead of raising
 * another error: what ON CONFLICT is for.
 */
export function upsert(body: Step[], handlers: Handler[]): { insert: Write; handler: Handler } | null {
  const handler = handlers.find((each) =>
    each.catches.some((word) => word !== 'others' && UNIQUE.test(word)),
  );
  if (!handler || handler.asksWhich || raises(handler.body) || insertsAgain(handler.body)) return null;
  if (handlers.some((each) => !raises(each.body) && each.catches.some(isOtherError))) return null;
  const writes: Write[] = [];
  for (const { step } of everyStep(body)) {
    if (step.kind === 'write') writes.push(step);
    // Whoever raises behind it wants the duplicate key, to see that it is refused, or asks whether there was anything to insert.
    const isMeant = step.kind === 'exit' && step.how === 'raise' && writes.length > 0;
    if (step.kind === 'opaque' || isMeant) return null;
  }
  const insert = writes.find((write) => write.verb === 'insert');
  const plain = writes.every((write) => write.verb === 'insert' && !write.onConflict);
  // A duplicate in one of several tables undoes what went into the others, and ON CONFLICT would keep that.
  const alone = writes.every(({ relation }) => relation === insert?.relation);
  return insert && plain && alone ? { insert, handler } : null;
}

/** Another error of PostgreSQL's, as a missing parent: ON CONFLICT does not prevent it, and the block is needed all the same. */
const isOtherError = (word: string) =>
  /^(?:[a-z]+(?:_[a-z]+)+|[0-9A-Z]{5})$/.test(word) && !UNIQUE.test(word);

/** Under another key: that was not there to be found, but had to be a new one. */
const insertsAgain = (steps: Step[]) =>
  [...everyStep(steps)].some(({ step }) => step.kind === 'write' && step.verb === 'insert');

/**
 * Whether ON CONFLICT can be written there: PostgreSQL takes it, and the table has a key that the row may meet. A handler that names
 * the duplicate key knows of one; for all that violates a constraint, a missing parent may be what it is there for.
 */
export const takesOnConflict = (
  model: Model,
  { insert, handler }: { insert: Write; handler: Handler },
  file: string,
) =>
  insert.relation === null ||
  (onConflict(model, insert, file) !== 'refused' &&
    !isKeyless(model, insert.relation) &&
    (handler.catches.some((word) => DUPLICATE.test(word)) || !meetsNoKey(model, insert, file)));

const DUPLICATE = /unique|duplicate|23505/i;

/** The file of a model may be below another root than those who import it say. */
function isKeyless(model: Model, relation: Name): boolean {
  const all = keyless(model);
  if (all.has(relation)) return true;
  const end = `.${relation.slice(relation.indexOf(':') + 1)}`;
  return end.lastIndexOf('.') > 0 && [...all].some((one) => one.endsWith(end));
}

/** Models that say all of their table, and no key but one that the database makes: nothing that is inserted is there before. */
const keyless = kept(({ units }: Model) => {
  const out = new Set<Name>();
  for (const { types } of units)
    for (const { name, relation, keys } of types)
      if (keys?.length === 0) {
        out.add(name);
        if (relation) out.add(relation);
      }
  // An index that a migration adds makes one.
  for (const { relations } of units)
    for (const { name, keys } of relations)
      if (keys?.some(({ columns }) => columns.join() !== 'id')) out.delete(name);
  return out;
});

/** Nothing in the block can fail but casts, and a handler is there for just that: the first such cast, and all that they are to. */
export function castGuard(model: Model, one: Subtransaction): { cast: Cast; types: string[] } | null {
  const block = blockOf(one);
  if (!block || one.effects.writes !== 'no') return null;
  let first: Cast | null = null;
  const types = new Set<string>();
  for (const { step } of everyStep(block.body)) {
    if (step.kind === 'cast') {
      first ??= step;
      if (!step.by) types.add(step.to);
    } else if (!harmless(model, step)) return null;
  }
  if (!first) return null;
  const caught = block.handlers.flatMap(({ catches }) => catches);
  const missing = MISSING[first.to];
  if (!caught.some((word) => word === 'others' || CAST.test(word) || missing?.test(word))) return null;
  // Whoever catches what no value causes guards something else as well, as a setting that may be missing.
  const values = /^reg[a-z]/.test(first.to) ? OF_NAMES : OF_VALUES;
  return caught.every((word) => values.test(word)) ? { cast: first, types: [...types] } : null;
}

/** What a name raises of which there is nothing, by what it is a name of. */
const MISSING: Record<string, RegExp> = {
  regclass: /^(?:undefined_table|42P01)$/i,
  regproc: /^(?:undefined_function|42883)$/i,
  regtype: /^(?:undefined_object|42704)$/i,
  regrole: /^(?:undefined_object|42704)$/i,
  regnamespace: /^(?:invalid_schema_name|3F000)$/i,
};

const OF_VALUES =
  /^(?:others|assert_failure|query_canceled|invalid_\w+|\w*(?:overflow|out_of_range|truncation|exception|mismatch|violation|cast_error)|cannot_coerce|22\w{3}|4284[67])$/i;
const OF_NAMES = new RegExp(`${OF_VALUES.source}|^undefined_|^ambiguous_|^42\\w{3}$|^3F000$`, 'i');

/** Built-in functions may stand beside the cast; whatever raises, reads tables or is defined in the repository may fail itself. */
function harmless(model: Model, step: Step): boolean {
  switch (step.kind) {
    case 'exit':
      return step.how !== 'raise';
    case 'branch':
    case 'block':
      return true;
    case 'call':
      return model.called(step).length === 0;
    default:
      return false;
  }
}
