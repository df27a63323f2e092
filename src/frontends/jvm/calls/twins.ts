// Methods that an object calls on itself, past its proxy: which they are, by the text of its class, and what the proxy calls. It knows no annotation.
import { inside, type Routine, type Step } from '../../../ir.ts';
import type { Class } from '../names/scope.ts';
import type { Call, Method } from '../syntax/syntax.ts';
import type { Found } from './meaning.ts';

/** What no proxy stands around, whatever is said of it: a static method, one that no class made of this one may override, one of Kotlin's objects. */
export function isBeside(method: Method, found: Found[], { body, bases }: Class, text: string): boolean {
  const isFinal = () => bases.length === 0 && /\bfinal\s/.test(text.slice(method.start, method.at.start));
  return (
    found.every(({ meaning }) => meaning === null || meaning.proxied === true) &&
    (method.static || body.is === 'object' || isFinal())
  );
}

/** Whether a method may be meant where an object calls on itself what has a proxy's annotation, in one overload or in all. */
export const hasTwin = ({ proxied }: Class, { name, parameters, isConstructor, body }: Method): boolean => {
  const counts = body && !isConstructor ? proxied.get(name) : undefined;
  return (
    counts !== undefined &&
    (counts.includes(parameters.length) || parameters.some(({ otherwise }) => otherwise))
  );
};

/** An overload with another number of parameters, that no annotation speaks of, has no proxy to go past. */
export const isPastProxy = (
  { proxied }: Class,
  overloads: Method[],
  { name, arguments: given }: Call,
): boolean => {
  const counts = proxied.get(name);
  if (!counts) return false;
  return (
    counts.includes(given.length) || overloads.every(({ parameters }) => parameters.length !== given.length)
  );
};

/** What the proxy runs: the method itself, with all that it was handed. */
export function pastProxy({ name, body, flags }: Routine, { at, parameters }: Method): Step[] {
  const said = flags?.filter((one) => one.position !== undefined) ?? [];
  const given = Object.fromEntries(said.map((one) => [String(one.position), { parameter: one.name }]));
  return [
    {
      kind: 'call',
      callee: `${name}'`,
      at,
      args: parameters.length,
      ...(said.length > 0 && { given }),
      ...(yields(body) && { block: [{ kind: 'yield', at }] }),
    },
  ];
}

const yields = (steps: Step[]): boolean =>
  steps.some((step) => step.kind === 'yield' || inside(step).some(yields));

/** Only what the class calls without a receiver needs a twin; the declaration counts once. */
export function callsItself(
  text: string,
  { start, end }: { start: number; end: number },
  names: Set<string>,
): Set<string> {
  const said = text.slice(start, end);
  const times = new Map<string, number>();
  for (const [, name] of said.matchAll(
    /(?<![.\w$\u00aa-\uffff])(?:this\s*\.\s*)?([\w$\u00aa-\uffff]+)\s*\(/g,
  ))
    times.set(name!, (times.get(name!) ?? 0) + 1);
  for (const [, name] of said.matchAll(/this\s*::\s*([\w$\u00aa-\uffff]+)/g))
    times.set(name!, (times.get(name!) ?? 0) + 1);
  return new Set([...names].filter((name) => (times.get(name) ?? 0) >= 2));
}
