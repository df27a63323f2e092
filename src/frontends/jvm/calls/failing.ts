// What a test expects to raise an error: the last thing that runs there opens no savepoint. It decides nothing of what runs before.
import type { Step } from '../../../ir.ts';
import type { Node } from '../syntax/syntax.ts';

/** They are content where the function that they are given raises. */
export const expectsError = (name: string) =>
  /^(?:assertThrows\w*|assertThatThrownBy|isThrownBy|catchThrowable\w*|assertFails(?:With)?|shouldThrow\w*)$/.test(
    name,
  );

/** `try { connection.setSavepoint(); fail(); } catch …`: what stands before the `fail()`. */
export function beforeFail(body: Node): Node[] | null {
  if (body.kind !== 'sequence') return null;
  const last = body.items.at(-1);
  return last?.kind === 'call' && last.name === 'fail' ? body.items.slice(0, -1) : null;
}

/** Without the savepoint at their end. */
export function failing(steps: Step[]): Step[] {
  const last = steps.at(-1);
  const meant =
    last?.kind === 'call' ? (last.meanings ?? []).flatMap((one) => one.steps) : last ? [last] : [];
  return meant.length > 0 && meant.every(({ kind }) => kind === 'savepoint') ? steps.slice(0, -1) : steps;
}

/** As handlers are told. */
export function catchName(name: string): string {
  return /^(Exception|Throwable|RuntimeException)$/.test(name) ? 'others' : name;
}
