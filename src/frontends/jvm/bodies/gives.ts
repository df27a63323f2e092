// What a method of the same file was seen to give, where it says no type or where that does not say whether it nests. Other files ask the declared type.
import type { Routine } from '../../../ir.ts';
import { word } from '../calls/meaning.ts';
import { toldAs } from '../names/collections.ts';
import { types } from '../names/known.ts';
import type { World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Method } from '../syntax/syntax.ts';
import { lowerMethod } from './methods.ts';

/** Methods that give what others give, one asked within the other: no more of them than a stack bears. */
const DEEPEST = 20;

/** What callers hand over by place that decides what an object is set to. */
const NESTED = /^(?:PROPAGATION_)?NESTED$/;

/** `TransactionTemplate nested()`, whose body says what it is set to: each such method is looked into once, and once for those who say that it nests. */
export function givesIn(text: string, world: () => World): World['gives'] {
  const known = new Map<Method, Map<string, Typed | null>>();
  let depth = 0;
  let nests: boolean | undefined;
  const nobody = { onText() {}, onCall() {}, onSetting() {}, onType() {} };
  return (method, owner, given) => {
    const { body, returns } = method;
    if (!body || (!returns && body.kind === 'sequence')) return null;
    // Kotlin's `fun book() = ledger` says no type at all.
    const isInferred = !returns;
    nests ??= text.includes('NESTED');
    if (!nests && !isInferred) return null;
    const said = given.map(({ value }) => (NESTED.test(word(value) ?? '') ? value : undefined));
    const asked = said.map((one) => (one ? word(one) : '')).join();
    const before = known.get(method) ?? new Map<string, Typed | null>();
    known.set(method, before);
    if (!before.has(asked) && depth < DEEPEST) {
      before.set(asked, null);
      depth++;
      const apart = { ...world(), handed: new Map(), lists() {}, creates() {} };
      const { gives } = lowerMethod(method, owner, apart, nobody, said);
      depth--;
      before.set(asked, isInferred || gives?.name.endsWith('.nested') ? (gives ?? null) : null);
    }
    return before.get(asked) ?? null;
  };
}

/** The same of what a method declares. */
export const returning = (type: Typed | null): Pick<Routine, 'returns' | 'returnsForeign'> =>
  !type
    ? {}
    : {
        ...(/^(java|kotlin)\./.test(type.name) && { returnsForeign: true }),
        ...namedAs(type),
      };

function namedAs(type: Typed): Pick<Routine, 'returns'> {
  const told = types.has(type.name) ? type.name : toldAs(type);
  return told === undefined ? {} : { returns: `jvm:${told}` };
}
