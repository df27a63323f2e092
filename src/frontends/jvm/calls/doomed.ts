// A callback that tells what it was given that all will be rolled back in the end: `status.setRollbackOnly()`. It knows no library.
import type { Meaning } from '../../../framework.ts';
import type { Step } from '../../../ir.ts';
import { asDoomed, dooms } from '../../spans.ts';
import type { Argument, Call, Node } from '../syntax/syntax.ts';

/** What such a call says, or what a scope comes to whose callback made one. */
export function doomed(
  { dooms: isDoomed, scope }: Meaning,
  node: Call,
  callbacks: Argument[],
  made: Step[],
): Step[] {
  const { object, at } = node;
  if (isDoomed && object?.kind === 'name') {
    const step: Step = { kind: 'block', at, body: [] };
    dooms(step, object.text);
    return [step];
  }
  const given = scope && callbacks[0] && statusOf(callbacks[0].value);
  return given ? made.map((step) => (step.kind === 'scope' ? asDoomed(step, given) : step)) : made;
}

/** The first parameter of a lambda, or of the one method of a class without a name. */
function statusOf(value: Node): string | undefined {
  if (value.kind === 'cast') return statusOf(value.value);
  if (value.kind === 'lambda') return value.parameters[0]?.name;
  return value.kind === 'call' ? value.body?.methods[0]?.parameters[0]?.name : undefined;
}
