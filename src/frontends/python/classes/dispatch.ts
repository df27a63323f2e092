// functools.singledispatch: functions that are registered with another one, which chooses among them. It lowers nothing itself.
import type { Routine, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** `@price.register` and `@price.register(int)`: the function that chooses by the type of its argument. */
export function registeredTo(place: Place, decorators: Syntax[]): string | undefined {
  for (const { children } of decorators) {
    const mark = children[0]?.type === 'call' ? child(children[0], 'function') : children[0];
    if (mark?.type !== 'attribute' || textOf(place.file, child(mark, 'attribute')) !== 'register') continue;
    const path = resolve(place, child(mark, 'object')!)?.path;
    if (path !== undefined && place.file.functions.has(path)) return path;
  }
  return undefined;
}

/** Which of them runs, the argument says. */
export function alsoRuns(general: Routine, { name, at }: Routine): void {
  const [first] = general.body;
  const call: Step = { kind: 'call', at, callee: name };
  if (general.body.length === 1 && first?.kind === 'branch' && first.at === general.at)
    first.arms.push([call]);
  else general.body = [{ kind: 'branch', at: general.at, arms: [general.body, [call]], exhaustive: true }];
}
