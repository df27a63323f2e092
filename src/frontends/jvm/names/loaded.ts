// Objects that were read from the database: who sets one of their attributes writes when the session is flushed. It knows no framework.
import type { Name, Step } from '../../../ir.ts';
import type { Annotation, Method, Node } from '../syntax/syntax.ts';
import { flushes } from './known.ts';
import { type Class, type Sight, variable, type World } from './scope.ts';
import type { Typed } from './typed.ts';

const READS = /^(find|get(One|Reference|By|Single|ResultList|ResultStream)|load|fetch|merge$|saveAndFlush$|uniqueResult)/; // biome-ignore format: one list
/** What hands on what it is called on, or what that has. */
const HANDS_ON =
  /^(get|getFirst|getLast|orElse(Throw|Get)?|stream|parallelStream|iterator|next|filter|sorted|sortedBy|distinct|toList|first|firstOrNull|last|single|singleOrNull|let|also|apply|ifPresent|ifPresentOrElse|map|peek|forEach|onEach|unwrap)$/; // biome-ignore format: one list

/** Whether a method only reads, by its annotation or its class's, so that nothing that is set is written. */
export function onlyReads({ annotations }: Method, owner: Class | null): boolean {
  const says = (one: Annotation) =>
    one.arguments.some(
      ({ name, value }) => name === 'readOnly' && value.kind === 'literal' && value.text === 'true',
    );
  const above = owner?.body.annotations.find(says);
  return (
    annotations.some(says) || (above !== undefined && !annotations.some(({ name }) => name === above.name))
  );
}

/** Whether an expression gives what a session reads, or some of it. */
export function isLoaded(node: Node | null | undefined, sight: Sight, world: World): boolean {
  if (sight.onlyReads) return false;
  for (let at = node; at; ) {
    if (at.kind === 'name') return variable(at.text, sight, world)?.loaded === true;
    if (at.kind === 'cast') at = at.value;
    else if (at.kind === 'choice' && at.isElse) at = at.tests[0];
    else if (at.kind === 'several' && at.items.length === 1) at = at.items[0];
    else if (at.kind !== 'call' || at.creates) return false;
    else if (at.object && READS.test(at.name)) return true;
    else if (HANDS_ON.test(at.name)) at = at.object;
    else return false;
  }
  return false;
}

const KINDS = [...flushes].map((name): Name => `jvm:${name}`);

/** `order.setPaid(true)`: it may be written, if that is an entity; what it was may be set again. */
export function flushed({ name }: Typed, at: Step['at'], world: World): Step[] {
  if (world.isForeign(name)) return [];
  const write: Step = { kind: 'write', verb: 'update', relation: `jvm:${name}`, rows: 'one', at };
  const steps: Step[] = [{ kind: 'branch', at, arms: [[write]], exhaustive: false }];
  const meanings = KINDS.map((receiver) => ({ receiver, steps }));
  return [{ kind: 'call', callee: `jvm:${name}.<flush>`, at, certainty: 'likely', meanings }];
}
