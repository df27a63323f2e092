// What the frameworks mean by a call of a class that they speak of, and of whom they may speak. It looks nothing up: the linker decides.
import type { Call, Certainty, MeantBy, Name } from '../../../ir.ts';
import type { Asked, Body, Type } from '../names/file.ts';
import { pluralize } from '../names/inflect.ts';
import { handed } from '../names/jumps.ts';
import { liken, likenedTypes } from '../names/likened.ts';
import { associates, models, SAVED, stepsOf, typedMeanings } from '../names/meaning.ts';
import { isRelationMethod, typeOf } from '../names/types.ts';
import { handsOver, holdersOf } from '../names/variables.ts';
import { spanOf } from '../syntax.ts';
import { givenBy } from './flags.ts';
import { asksItself, isMadeFor } from './same.ts';
import { handing } from './site.ts';

export function calling(body: Body, { node, at, receiver, args, block, type }: Asked, callee: Name): Call {
  const given = givenBy(body, args);
  const hands = handsOver(body, args, receiver, block);
  const holders = holdersOf(body, node);
  const into = holders.findLast((one) => !one.startsWith('$')) ?? holders[0];
  return {
    kind: 'call',
    at: spanOf(at),
    callee,
    ...given,
    ...(hands ? { hands } : {}),
    ...(into === undefined ? {} : { into }),
    ...(type?.kind === 'one' && type.fresh ? { given: { ...given.given, [SAVED]: null } } : {}),
    ...(type?.kind === 'one' && type.fresh && isMadeFor(body, node, receiver) ? { fresh: true } : {}),
    ...(asksItself(node, receiver, args) ? { own: true } : {}),
    ...(block ? { block: args.block ? handed(block) : block } : {}),
  };
}
export const meanings = (list: MeantBy[]) => (list.length > 0 ? { meanings: list } : {});

export const markOf = (type: Type, name: string): '.' | '#' =>
  type.kind === 'class' || type.kind === 'many' || (type.kind === 'some' && isRelationMethod(name))
    ? '.'
    : '#';

/** What the frameworks mean by it, for each class that they speak of. */
export function typed(body: Body, asked: Asked, certainty: Certainty = 'certain'): MeantBy[] {
  const { type, name } = asked;
  if (!type) return [];
  const out: MeantBy[] = [];
  const here = type.kind === 'some' ? undefined : body.file.owners.get(type.name.slice('ruby:'.length));
  const library = libraryOf(here?.superclass ?? '');
  const fits = ({ receiver }: { receiver: Name }) =>
    here?.role !== 'model' || libraryOf(receiver.slice('ruby:'.length)) === library;
  const marks = type.kind === 'some' ? ['#', '.'] : [markOf(type, name)];
  for (const mark of marks)
    for (const { receiver, meaning } of known(typedMeanings(`${mark}${name}`), type.name).filter(fits))
      out.push({ receiver, steps: stepsOf([meaning], { ...handing(body, asked), certainty }) });
  return out;
}

/** Whose models those are that descend from this: by its first word, or the one that is meant where that says nothing. */
const libraryOf = (above: string): string => {
  const first = (name: string) => /^\w*/.exec(name.replace(/^::/, ''))![0];
  return models.find((model) => first(model) === first(above)) ?? models[0]!;
};

/** A model that this very file declares: no more needs to be said. */
export const isModelHere = (body: Body, type: Type) =>
  body.file.owners.get(type.name.slice('ruby:'.length))?.role === 'model' && type.kind !== 'some';

/** A class of the framework itself is that one and none of the others. */
function known<T extends { receiver: Name }>(list: T[], type: Name): T[] {
  const same = list.filter(({ receiver }) => receiver === type);
  return same.length > 0 ? same : list;
}

/** A new record of this type is saved with another one. */
export function saveOf(body: Body, asked: Asked, name: Name): Call {
  const meant = typed(body, {
    ...asked,
    name: 'save',
    type: { name, kind: 'one', fresh: true },
    block: null,
  });
  return {
    kind: 'call',
    at: spanOf(asked.at),
    callee: `${name}#save` as Name,
    meanings: [...meant, { steps: [] }],
  };
}

/** `order.create_invoice!`, where a model has one, and `order.add_line`, where it has many. */
export function ofAssociation(body: Body, asked: Asked, record: Name): MeantBy[] {
  const [, word, one, bang] = /^([a-z]+)_(\w+?)(!?)$/.exec(asked.name) ?? [];
  const meant = word === undefined ? undefined : associates.get(word);
  if (!one || !meant) return [];
  const { does, of, receiver } = meant;
  const [name, field] = of === 'one' ? [`${does}${bang}`, one] : [does, pluralize(one)];
  const type: Type = {
    name: `${record}#${field}()`,
    kind: 'class',
    ...(of === 'many' ? isNew(body, asked) : {}),
  };
  const made = typed(body, { ...asked, name, type });
  const callee = `${type.name}.${name}` as Name;
  return [{ receiver, steps: [{ ...calling(body, asked, callee), meanings: made }] }];
}

/** Of its columns alone it is made; a record was made, or found, or nobody knows. */
function isNew(body: Body, { args: { positional, keywords } }: Asked): { fresh?: boolean } {
  if (keywords.size > 0 || positional[0]?.type === 'hash') return { fresh: true };
  const given = typeOf(body, positional[0]);
  return given?.kind === 'one' && given.fresh !== undefined ? { fresh: given.fresh } : {};
}

/** Where only the name of a variable tells whose it is: `order.save!` is what it is of an Order, if that is a model, and what it is of anybody else. */
export function likened(body: Body, asked: Asked, others: MeantBy[]): Pick<Call, 'like' | 'meanings'> {
  const { name, receiver } = asked;
  const types = ofModels(name) ? likenedTypes(body, receiver) : [];
  if (types.length === 0) return { ...liken(body, name, receiver), ...meanings(others) };
  const like = types.map((type): Name => `${type.name}#${name}` as Name);
  return { like, ...meanings([...typedAlike(body, asked), ...others]) };
}

/** What the frameworks mean by it for each class that the names tell. */
export function typedAlike(body: Body, asked: Asked): MeantBy[] {
  const types = ofModels(asked.name) ? likenedTypes(body, asked.receiver) : [];
  return types.flatMap((type) => {
    const its = [...typed(body, { ...asked, type }, 'likely'), ...ofAssociation(body, asked, type.name)];
    return its.map((one): MeantBy => ({ ...one, of: type.name }));
  });
}

/** Something of a record, or of those that another one has: `order.lines.create!`, `order.create_invoice!`. */
function ofModels(name: string): boolean {
  const before = ofModel.get(name);
  if (before !== undefined) return before;
  const is =
    associates.has(/^[a-z]+(?=_)/.exec(name)?.[0] ?? '') ||
    ['#', '.'].some((mark) =>
      typedMeanings(`${mark}${name}`).some(
        ({ meaning }) => meaning.write ?? meaning.rowLock ?? meaning.inside,
      ),
    );
  if (ofModel.size < MOST_NAMES) ofModel.set(name, is);
  return is;
}

const ofModel = new Map<string, boolean>();
const MOST_NAMES = 10_000;
