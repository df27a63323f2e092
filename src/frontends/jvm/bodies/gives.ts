// What a method of the same file was seen to give, where its type does not say whether that nests. Other files ask the declared type.
import type { Routine } from '../../../ir.ts';
import { types } from '../names/known.ts';
import type { World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Method } from '../syntax/syntax.ts';
import { lowerMethod } from './body.ts';

/** Methods that give what others give, one asked within the other: no more of them than a stack bears. */
const DEEPEST = 20;

/** `TransactionTemplate nested()`, whose body says what it is set to: each such method is looked into once. */
export function givesIn(text: string, world: () => World): World['gives'] {
  const known = new Map<Method, Typed | null>();
  let depth = 0;
  let nests: boolean | undefined;
  const nobody = { onText() {}, onCall() {}, onSetting() {}, onType() {} };
  return (method, owner) => {
    const { body, returns } = method;
    if (!body || (!returns && body.kind === 'sequence')) return null;
    nests ??= text.includes('NESTED');
    if (nests && !known.has(method) && depth < DEEPEST) {
      known.set(method, null);
      depth++;
      const { gives } = lowerMethod(method, owner, { ...world(), handed: new Map(), creates() {} }, nobody);
      depth--;
      known.set(method, gives?.name.endsWith('.nested') ? gives : null);
    }
    return known.get(method) ?? null;
  };
}

/** The same of what a method declares. */
export const returning = (type: Typed | null): Pick<Routine, 'returns' | 'returnsForeign'> =>
  !type
    ? {}
    : /^(java|kotlin)\./.test(type.name)
      ? { returnsForeign: true, ...(types.has(type.name) && { returns: `jvm:${type.name}` }) }
      : { returns: `jvm:${type.name}` };
