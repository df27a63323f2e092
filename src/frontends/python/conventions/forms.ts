// What forms and serializers save, by methods that nobody wrote. Which classes those are is said elsewhere.
import type { Routine, Step } from '../../../ir.ts';
import { methodOn } from '../calls/calls.ts';
import type { Understood } from '../calls/understood.ts';
import { modelOf, savingMethods } from '../classes/metas.ts';
import type { ClassInfo, Place } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** `form.save()` saves an Order, unless it is told `commit=False`. */
export function saving(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  const methods = savingMethods(c, info);
  const model = methods.length > 0 ? modelOf(c, info) : undefined;
  const path = resolve(c, model)?.path;
  if (!model || !path) return [];
  const at = { start: model.start, end: model.end };
  const call = methodOn(c, model, at, { path }, 'save');
  const steps = call ? calling(call) : [];
  if (steps.length === 0) return [];
  return methods.map((name): Routine => {
    const commits = name === 'save';
    return {
      name: `python:${info.path}.${name}${info.methods.has(name) ? '~model' : ''}`,
      at,
      kind: 'method',
      entry: 'called',
      startsIn: 'caller',
      implied: true,
      ...(commits && { flags: [{ name: 'commit', position: 0, value: true }] }),
      body: commits
        ? [
            {
              kind: 'branch',
              at,
              arms: [steps],
              exhaustive: false,
              when: { parameter: 'commit', is: 'true' },
            },
          ]
        : steps,
    };
  });
}
