// What is called on an object that another file of the project gives: it is a library's where that file says so, and the linker knows. It decides nothing else.
import type { Meaning } from '../../../framework.ts';
import type { MeantBy, Name, Span, Step } from '../../../ir.ts';
import { methodOf, methods, ownersOf } from '../names/known.ts';
import type { Condition, Typed } from '../names/typed.ts';
import { type Site, steps, vary } from './meaning.ts';

/** Whether one of the functions below knows anything of what is called so. */
export const isKnown = (name: string): boolean => methods.has(name) || ownersOf(name).length > 0;

/** What a framework would mean if the receiver turned out to descend from its type. */
export function meaningsOf(name: string, site: Site, hasBlock: boolean): MeantBy[] {
  const block = hasBlock ? standingFor(site) : [];
  return ownersOf(name).flatMap((type) => {
    const meaning = methodOf(type, name)!;
    const handed = meaning.nestedBy && site.receiver ? [site.receiver.name] : undefined;
    const found = steps(meaning, { ...site, label: `${labelOf(type)}.${name}()`, body: block, handed });
    return found.length > 0 && found !== block ? [{ receiver: `jvm:${type}` as Name, steps: found }] : [];
  });
}

/** The block is the call's: to have it in each of its meanings would double it with every nesting. */
export const standingFor = ({ at }: Pick<Site, 'at'>): Step[] => [{ kind: 'yield', at }];

/** What its block is handed then, where all that it may be agree. */
export function handedThen(name: string, receiver: Typed | null, site: Site): Typed[] {
  if (!receiver) return [];
  const all = ownersOf(name).flatMap((type) => {
    const { gives } = vary(methodOf(type, name)!, site);
    return gives ? [{ type, gives }] : [];
  });
  const [first] = all;
  if (!first || all.some(({ gives }) => gives.join() !== first.gives.join())) return [];
  const only: Condition = { asked: receiver.name, is: all.map(({ type }) => type) };
  return first.gives.map((one) => ({ name: one, arguments: [], only }));
}

/** What it gives then, where it opens something: words of others are called like getters. */
export function givenThen(name: string, receiver: Typed | null, site: Site): Typed | null {
  if (!receiver) return null;
  const all = ownersOf(name).flatMap((type) => {
    const { flat, returns } = vary(methodOf(type, name)!, site);
    return (flat === 'begin' || flat === 'savepoint') && returns && returns !== 'self'
      ? [{ type, returns }]
      : [];
  });
  const [first] = all;
  if (!first || all.some(({ returns }) => returns !== first.returns)) return null;
  const only: Condition = { asked: receiver.name, is: all.map(({ type }) => type) };
  return { name: first.returns, arguments: [], only };
}

/** What is called so, whoever has it: of a common word only what it is given tells. */
export function likely(site: Site, name: string): Meaning | null {
  const meaning = methods.get(name);
  return meaning && (!meaning.when || vary(meaning, site) !== meaning) ? meaning : null;
}

/** Under what condition an object is what it is taken for, or what it is given. */
export const conditionOf = (types: (Typed | null)[]): Condition | undefined =>
  types.find((type) => type?.only)?.only;

/** Such steps; where that is another object, its block, and what it likely is then, is all that is known to run. */
export function where(
  { asked, is }: Condition,
  name: string,
  at: Span,
  { steps, block, otherwise }: { steps: Step[]; block: Step[]; otherwise: Step[] },
): Step[] {
  if (steps.length === 0 && otherwise.length === 0) return block;
  const meanings = is.map((type): MeantBy => ({ receiver: `jvm:${type}`, steps }));
  if (otherwise.length > 0) meanings.push({ steps: otherwise });
  // No method is called so.
  const callee: Name = `jvm:${asked}.<${name}>`;
  return [{ kind: 'call', callee, at, meanings, ...(block.length > 0 && { block }) }];
}

/** `…DSLContext.own` is a state of the type. */
const labelOf = (type: string) => /([A-Z]\w*)(?:\.[a-z]\w*)*$/.exec(type)?.[1] ?? type;
