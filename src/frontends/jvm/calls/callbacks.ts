// What is handed over to be run: whether an argument is code, and its steps where it runs. Who runs it, and how often, others decide.
import type { Step } from '../../../ir.ts';
import { createPlacing } from '../../placing.ts';
import { holdsCode, variable, type World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Node } from '../syntax/syntax.ts';
import type { Body, Handed } from './body.ts';
import { inParts, named } from './given.ts';

export interface Callbacks {
  isCallback(value: Node): boolean;
  callback(value: Node, given: (Typed | null)[]): Step[];
  /** Those of one call, of which any may run. */
  together(node: Call, callbacks: Argument[], gives: (Typed | null)[], byPlace?: boolean): Step[];
  /** What is known of what the next lambda is given. */
  handing(next: Handed): void;
}

export function createCallbacks(body: Body, call: (node: Call, out: Step[]) => Typed | null): Callbacks {
  const { sight, world } = body;
  const place = createPlacing();
  let next: Handed = {};
  return {
    isCallback,
    callback,
    together,
    handing: (what) => {
      next = what;
    },
  };

  function isCallback(value: Node): boolean {
    if (value.kind === 'lambda' || value.kind === 'reference') return true;
    // `(Callback<String>) status -> …`
    if (value.kind === 'cast') return value.value.kind === 'lambda' || value.value.kind === 'reference';
    if (value.kind === 'call')
      return value.arguments.length === 0 && (value.body?.methods.some((method) => method.body) ?? false);
    if (value.kind !== 'name') return false;
    const found = variable(value.text, sight, world);
    return found?.callback !== undefined || holdsCode(found?.value);
  }

  function together(node: Call, callbacks: Argument[], gives: (Typed | null)[], byPlace = false): Step[] {
    const all = callbacks.map(({ value }) => callback(value, gives));
    // In Kotlin the last one may stand for a parameter farther behind.
    if (byPlace && all.length > 1 && !world.isKotlin) return inParts(node.at, node.arguments, callbacks, all);
    const arms = all.filter((arm) => arm.length > 0);
    if (arms.length <= 1) return arms[0] ?? [];
    return [{ kind: 'branch', at: node.at, arms, exhaustive: false }];
  }

  function callback(value: Node, given: (Typed | null)[]): Step[] {
    body.gave = null;
    return place(value, () => inPlace(value, given));
  }

  function inPlace(value: Node, given: (Typed | null)[]): Step[] {
    const self = given.find((type) => type?.name.startsWith('this:'));
    const plain = given.filter((type) => type !== self);
    const receiver = self && { name: self.name.slice(5), arguments: [] };
    switch (value.kind) {
      case 'lambda': {
        const own = next;
        next = {};
        return body.lambda(value, plain, receiver, own);
      }
      case 'cast':
        return callback(value.value, given);
      case 'call':
        return value.body ? body.anonymous(value.body, plain) : [];
      case 'reference': {
        const out: Step[] = [];
        const { object, name, at, start, end } = value;
        const isNew = name === 'new' && object?.kind === 'name';
        const creates = isNew ? { name: object.text, arguments: [] } : undefined;
        const called = isNew ? { object: null, name: object.text } : { object, name };
        const gave = call({ kind: 'call', ...called, at, start, end, arguments: [], creates }, out);
        body.gave = gave ?? null;
        return out.map((step) => (step.kind === 'call' && step.at === at ? named(step, plain) : step));
      }
      case 'name': {
        const found = variable(value.text, sight, world);
        if (found?.value) return callback(found.value, given);
        const parameter = found?.parameter && { parameter: found.parameter };
        return [{ kind: 'yield', at: { start: value.start, end: value.end }, ...parameter }];
      }
      default:
        return [];
    }
  }
}

const OF_ALL_OBJECTS = /^(?:toString|hashCode|equals|compareTo|close)$/;

/** `session.doWork(new Import(rows))`: what runs of an object of a class of this file, where no more than one method can be meant. */
export function workOf(type: Typed | null, at: Step['at'], world: World): Step[] {
  const own = type && world.classes.get(type.name);
  if (!own || own.bases.length === 0 || own.body.is !== 'class') return [];
  const methods = own.body.methods.filter(
    (one) =>
      one.body &&
      !one.isConstructor &&
      !one.isAccessor &&
      !one.private &&
      !one.static &&
      !OF_ALL_OBJECTS.test(one.name),
  );
  const [only, ...others] = methods;
  if (!only || others.length > 0) return [];
  return [{ kind: 'call', callee: `jvm:${own.full}.${only.name}`, at, args: only.parameters.length }];
}
