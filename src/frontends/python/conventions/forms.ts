// What forms, serializers and views of these save, by methods that nobody wrote. Which classes those are is said elsewhere.
import { OF_FRAMEWORK, type Routine, type Span, type Step } from '../../../ir.ts';
import { child } from '../../syntax.ts';
import { methodOn } from '../calls/calls.ts';
import type { Understood } from '../calls/understood.ts';
import { metaOf } from '../classes/classes.ts';
import { modelOf, OF_LIST, registeredFor, savingMethods, servedBy } from '../classes/metas.ts';
import { lists, registering } from '../names/knowledge.ts';
import { type ClassInfo, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

export function saving(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  return [savingModel, savingMade, savingList, served, registered].flatMap((its) => its(c, info, calling));
}

/** What a class that is registered for a model does with its rows, where nobody says how: in a transaction that its framework begins. */
function registered(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  const name = child(info.node, 'name')!;
  const at = { start: name.start, end: name.end };
  return registering.flatMap(({ does }) =>
    Object.entries(does).flatMap(([hook, { of, method }]): Routine[] => {
      const type = info.methods.has(hook) ? undefined : registeredFor(c, info, of);
      const call = type && methodOn(c, name, at, type, method);
      if (!call) return [];
      const { implied: _, ...its } = implied(`${info.path}.${hook}`, at);
      return [{ ...its, entry: 'request', startsIn: 'transaction', body: calling(call) }];
    }),
  );
}

/** A view leaves it to the framework to have a request's row made by its serializer; what it does itself around that may call it or not. */
function served(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  const name = child(info.node, 'name')!;
  const at = { start: name.start, end: name.end };
  return [...servedBy(c, info)].flatMap(([hook, type]): Routine[] => {
    const own = type.only === '' || info.methods.has(hook);
    const path = `${info.path}.${hook}`;
    // What the class hands it itself, it is handed, and nothing else unless the framework does that too.
    const says = textOf(c.file, info.node);
    const isAsked = says.includes(`self.${hook}(`) && !GOES_ON.test(says);
    const by = type.lists ? 'save' : type.only;
    const call = own || isAsked ? undefined : methodOn(c, name, at, type, by);
    if (!call) return [];
    const its = { ...implied(path, at), body: calling(call) };
    if ([...info.methods].some((one) => AROUND.test(one))) return [its];
    const { implied: _, ...asked } = its;
    return [{ ...asked, entry: 'request' }];
  });
}

/** `class Meta: list_serializer_class = OrderListSerializer`: that saves a list of what this class is for. */
function savingList(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  return lists.flatMap(([, { by, methods }]) => {
    const named = metaOf(c, info, by);
    const path = resolve(c, named)?.path;
    if (!named || !path) return [];
    const at = { start: named.start, end: named.end };
    return Object.keys(methods).map((name): Routine => {
      const call = methodOn(c, named, at, { path }, name);
      return { ...implied(`${info.path}.${name}${OF_LIST}`, at), body: call ? calling(call) : [] };
    });
  });
}

const AROUND = /^(dispatch|post|put|patch|create|update|partial_update)$/;
const GOES_ON = /\bsuper\([^()]*\)\.(?:dispatch|post|put|patch|create|update|partial_update)\(/;

const implied = (path: string, at: Span) =>
  ({
    name: `python:${path}`,
    at,
    kind: 'method',
    entry: 'called',
    startsIn: 'caller',
    implied: true,
  }) as const;

/** `form.save()` saves an Order, unless it is told `commit=False`. */
function savingModel(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  const methods = savingMethods(c, info);
  const model = methods.length > 0 ? modelOf(c, info) : undefined;
  const path = resolve(c, model)?.path;
  if (!model || !path) return [];
  const at = { start: model.start, end: model.end };
  const call = methodOn(c, model, at, { path }, 'save');
  const steps = call ? calling(call) : [];
  if (steps.length === 0) return [];
  return methods.map((name): Routine => {
    const own = `${info.path}.${name}${info.methods.has(name) ? OF_FRAMEWORK : ''}`;
    return name === 'save'
      ? committing(own, at, path, steps)
      : { ...implied(own, at), returns: `python:${path}`, body: steps };
  });
}

const committing = (own: string, at: Span, model: string, steps: Step[]): Routine => ({
  ...implied(own, at),
  returns: `python:${model}`,
  flags: [{ name: 'commit', position: 0, value: true }],
  body: [{ kind: 'branch', at, arms: [steps], exhaustive: false, when: { parameter: 'commit', is: 'true' } }],
});

/** The form that a framework makes for a view which says no more than its model. */
function savingMade(c: Place, info: ClassInfo, calling: (call: Understood) => Step[]): Routine[] {
  const path = `${info.path}.Form`;
  const model = c.file.made.get(path)?.saves;
  const name = child(info.node, 'name');
  if (!model || !name) return [];
  const at = { start: name.start, end: name.end };
  const call = methodOn(c, name, at, { path: model }, 'save');
  return [committing(`${path}.save`, at, model, call ? calling(call) : [])];
}
