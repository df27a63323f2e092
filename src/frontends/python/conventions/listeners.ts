// Functions that SQLAlchemy calls for each object that a flush writes: `event.listens_for(Order, "after_insert")`, `event.listen(…)`. Not its sessions' events.
import type { Trigger } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { underline } from '../calls/calls.ts';
import { argument } from '../names/arguments.ts';
import { canonical, isType, signal } from '../names/knowledge.ts';
import { textOf } from '../names/scope.ts';
import { constantText, type Place, resolve } from '../names/values.ts';

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
