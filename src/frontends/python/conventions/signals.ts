// Functions that a framework calls for each object that is written: Django's receivers, SQLAlchemy's listeners. Not its sessions' events.
import type { Call, Name, Span, Trigger } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { underline } from '../calls/calls.ts';
import { groupOf, isSwitchedBack } from '../calls/switched.ts';
import { defined } from '../classes/classes.ts';
import { argument, keyword } from '../names/arguments.ts';
import { canonical, isType, signal } from '../names/knowledge.ts';
import { labelled } from '../names/labels.ts';
import { type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { sendersOf } from './senders.ts';

/** `@receiver(post_save, sender=Order)` over a function, and SQLAlchemy's kin. */
export function receivers(place: Place, node: Syntax, path: string): Trigger[] {
  return node.children
    .filter((one) => one.type === 'decorator' && one.children[0]?.type === 'call')
    .flatMap((one) => {
      const call = one.children[0]!;
      const by = resolve(place, child(call, 'function'))?.path ?? '';
      if (!/(^|\.)receiver$/.test(by)) return listener(place, call, by, path);
      const first = argument(call, 0);
      const list = first && /^(list|tuple)$/.test(first.type) ? first.children : first ? [first] : [];
      const definition = child(node, 'definition');
      return list.flatMap((what) =>
        trigger(place, what, keyword(place, call, 'sender'), path, call, definition),
      );
    });
}

/** `post_save.connect(notify, sender=Order)` at the top of a module or in `ready()`. */
export function connected(place: Place, call: Syntax): Trigger[] {
  const callee = child(call, 'function');
  if (callee?.type !== 'attribute' || textOf(place.file, child(callee, 'attribute')!) !== 'connect')
    return [];
  const handler = argument(call, 0) ?? keyword(place, call, 'receiver');
  const path = handler && resolve(place, handler)?.path;
  if (!path || isSwitchedBack(place, call)) return [];
  const signals = child(callee, 'object')!;
  const definition = functionOf(place, path);
  return senders(place, keyword(place, call, 'sender') ?? argument(call, 1)).flatMap((one) =>
    trigger(place, signals, one, path, call, definition),
  );
}

/** A function of this module. */
const functionOf = ({ file }: Place, path: string): Syntax | undefined =>
  file.root.children
    .map(defined)
    .find(
      (one) =>
        one?.type === 'function_definition' && `${file.module}.${textOf(file, child(one, 'name'))}` === path,
    );

/** `for model in (Order, Line): post_save.connect(notify, sender=model)` */
function senders(place: Place, sender: Syntax | undefined): (Syntax | undefined)[] {
  const name = sender?.type === 'identifier' ? textOf(place.file, sender) : undefined;
  for (let at = name === undefined ? null : sender!.parent; at; at = at.parent)
    if (at.type === 'for_statement' && textOf(place.file, child(at, 'left')) === name) {
      const over = child(at, 'right');
      return over && /^(list|tuple|set)$/.test(over.type) ? over.children : [];
    }
  return [sender];
}

/** `Order = self.get_model("Order")` in an app's configuration, whose models stand beside it. */
export function ownModel(place: Place, node: Syntax | undefined): string | undefined {
  const callee = node?.type === 'call' ? child(node, 'function') : undefined;
  if (!callee || textOf(place.file, callee) !== 'self.get_model') return undefined;
  const name = argument(node!, 0) && constantText(place, argument(node!, 0)!);
  return name && `${place.file.module.split('.').slice(0, -1).join('.')}.models.${name}`;
}

function trigger(
  place: Place,
  what: Syntax,
  sender: Syntax | undefined,
  path: string,
  at: Syntax,
  definition: Syntax | undefined,
): Trigger[] {
  const by = resolve(place, what)?.path;
  const its = by ? signal(canonical(by)) : undefined;
  const named =
    sender &&
    (its?.related ? relatedBy(place, sender) : (resolve(place, sender)?.path ?? ownModel(place, sender)));
  const model = named ? canonical(named) : sender && labelled(constantText(place, sender));
  const sent = canonical(by ?? '');
  const asks = its?.origin !== undefined && textOf(place.file, definition).split(/\W+/).includes(its.origin);
  const written = {
    at: underline(place, child(at, 'function')!),
    by: underline(place, what),
    ...(asks && { asksOrigin: true as const }),
  };
  if (its?.of && !sender && definition) {
    const isWhole = child(at, 'arguments')?.children.every(({ type }) => type !== 'dictionary_splat');
    const from = isWhole ? sendersOf(place, definition) : undefined;
    const but = from?.but.map((one) => `python:${one}` as Name) ?? [];
    const all = from && (from.only ?? [its.of]);
    return (all ?? []).flatMap((one) =>
      callbacks(its, one, path, sent, written).map((callback) => {
        const { exact: _, ...its } = callback;
        return { ...(from!.exact ? callback : its), ...(but.length > 0 && { but }) };
      }),
    );
  }
  return its && model ? callbacks(its, model, path, sent, written) : [];
}

/** `Order.tags.through`: what a relation's manager changes is no row that anybody else writes. */
function relatedBy(place: Place, sender: Syntax): string | undefined {
  const found = resolve(place, sender);
  const path = (found?.path ?? found?.type?.path)?.replace('()', '').replace(/\.through$/, '');
  return path && `${path}.through`;
}

function callbacks(
  its: NonNullable<ReturnType<typeof signal>>,
  model: string,
  path: string,
  sent: string,
  { by, ...written }: { at: Span; by: Span; asksOrigin?: true },
): Trigger[] {
  const deletes = its.verbs.includes('delete') && !its.related;
  const name = path.split('.').at(-1)!;
  const callback = (as: string, verbs: typeof its.verbs, given?: Call['given']): Trigger => ({
    ...written,
    name: as,
    relation: `python:${model}`,
    verbs,
    // save() is one object; a queryset's delete() sends its signals for each, in its transaction.
    each: deletes ? 'row' : 'statement',
    timing: its.timing,
    via: 'model callback',
    group: groupOf(sent, path, model),
    // What descends from a model with a table is deleted there as well, and saved as itself alone; a relation is changed in a transaction.
    ...(deletes || its.related ? {} : { beside: true, exact: true }),
    body: [{ kind: 'call', at: by, callee: `python:${path}`, ...(given && { given }) }],
  });
  const { tells, related } = its;
  if (related) return [callback(name, its.verbs)];
  if (tells === undefined) return [callback(`${name} (${deletes ? 'deleted' : its.timing})`, its.verbs)];
  const others = its.verbs.filter((verb) => verb !== 'insert');
  return [
    callback(name, ['insert'], { [tells]: true }),
    callback(`${name} (not new)`, others, { [tells]: false }),
  ];
}

/** `event.listen(Order, "after_insert", note)` */
export function listening(place: Place, call: Syntax): Trigger[] {
  const callee = child(call, 'function');
  if (!callee || !/\blisten$/.test(textOf(place.file, callee))) return [];
  const handler = argument(call, 2);
  const path = handler && resolve(place, handler)?.path;
  return path ? listener(place, call, `${resolve(place, callee)?.path ?? ''}s_for`, path) : [];
}

/** `@event.listens_for(Order, "after_insert")` over the function of this path. */
export function listener(place: Place, call: Syntax, by: string, path: string): Trigger[] {
  const [target, event] = [argument(call, 0), argument(call, 1)];
  const its = event && signal(`${by}.${constantText(place, event)}`);
  const of = its && target && resolve(place, target)?.path;
  const model = of && canonical(of);
  // Those of all models, `Mapper` or a base class, are nobody's of their own.
  if (!its || !model || isType(model)) return [];
  return [
    {
      name: path.slice(path.lastIndexOf('.') + 1),
      at: underline(place, child(call, 'function')!),
      relation: `python:${model}`,
      verbs: its.verbs,
      each: 'row',
      timing: its.timing,
      via: 'model callback',
      body: [{ kind: 'call', at: underline(place, target), callee: `python:${path}` }],
    },
  ];
}
