// What is called in a block on the very object that opened it, where that has no part in it: jOOQ's outer context. It knows no library.
import type { Meaning } from '../../../framework.ts';
import type { Step } from '../../../ir.ts';
import type { Sight } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Call, Node } from '../syntax/syntax.ts';

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
  sight.outside = new Map(around).set(name, { type: type.name, scope, parameter: type.perhaps?.parameter });
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
  const [only] = body;
  const step: Step =
    body.length === 1 && only!.kind === 'scope'
      ? only!
      : { kind: 'scope', ...found.scope, at: only!.at, body };
  const { parameter } = found;
  // One that a caller took from a transaction has a part in it.
  if (step === only || parameter === undefined) out.push(step);
  else
    out.push({
      kind: 'branch', at: step.at, arms: [body, [step]], exhaustive: true, when: { parameter, is: 'true' },
    }); // biome-ignore format: short
}

/** `dsl`, `this.dsl` */
const nameOf = (node: Node | null): string | undefined =>
  node?.kind === 'name'
    ? node.text
    : node?.kind === 'member' && node.object.kind === 'name' && node.object.text === 'this'
      ? node.name
      : undefined;
