// What is called in a block on the very object that opened it, where that has no part in it: jOOQ's outer context. It knows no library.
import type { Meaning } from '../../../framework.ts';
import type { Branch, Scope, Step } from '../../../ir.ts';
import type { Sight } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Call, Node } from '../syntax/syntax.ts';

/** In how many blocks of each other both is read that one is special and that it is not: it doubles with each. */
export const DEEPEST = 3;

/** Runs the block of such a call. */
export function outside<T>(
  { outside: scope }: Meaning,
  { object }: Call,
  type: Typed | null,
  sight: Sight,
  block: () => T,
): T {
  const name = nameOf(object);
  if (!scope || !name || !type) return block();
  const around = sight.outside;
  const { parameter } = type.perhaps ?? {};
  const deep = (around?.get(name)?.deep ?? 0) + 1;
  sight.outside = new Map(around).set(name, { type: type.name, scope, parameter, deep });
  const result = block();
  sight.outside = around;
  return result;
}

/** What a whole chain on such an object came to, from there on, is by itself. */
export function byItself(
  base: Node | null,
  type: string | undefined,
  out: Step[],
  from: number,
  sight: Sight,
): void {
  const found = sight.outside?.get(nameOf(base) ?? '');
  if (!found || found.type !== type || out.length === from) return;
  const body = out.splice(from);
  const { scope, parameter, deep } = found;
  const [only] = body;
  const { at } = only!;
  // Which of both it is, the call has asked already.
  if (body.length === 1 && only!.kind === 'branch' && asksFor(only!, parameter)) {
    out.push(only!);
    return;
  }
  const isOne = body.length === 1 && only!.kind === 'scope';
  const step: Scope = isOne ? (only as Scope) : { kind: 'scope', ...scope, at, body };
  // One that a caller took from a transaction has a part in it.
  if (parameter === undefined || (isOne && (deep > DEEPEST || step.whenNested !== 'separate')))
    out.push(step);
  else {
    const arms: Step[][] = [isOne ? [{ ...step, whenNested: 'savepoint' }] : body, [step]];
    out.push({ kind: 'branch', at, arms, exhaustive: true, when: { parameter, is: 'true' } });
  }
}

const asksFor = ({ when }: Branch, parameter: string | undefined) =>
  when !== undefined && when.parameter === parameter;

/** `dsl`, `this.dsl` */
const nameOf = (node: Node | null): string | undefined =>
  node?.kind === 'name'
    ? node.text
    : node?.kind === 'member' && node.object.kind === 'name' && node.object.text === 'this'
      ? node.name
      : undefined;
