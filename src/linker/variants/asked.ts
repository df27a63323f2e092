// What a routine asks of its parameters, and what of a caller's words answers that. Not what follows from the answers.
import { type Given, isObject, isText, isThere, type Name, type Step } from '../../ir.ts';
import type { Linked } from '../definitions/program.ts';
import { ownerOf } from '../names/dotted.ts';
import { holds } from '../rewrite.ts';
import { handed, isAtMost, isUnchanged, itemsOf, textOf, textsIn, type Values } from './values.ts';

const NOTHING: string[] = [];

/** The parameters that a routine asks anything of: how many items they have, whether they are one of these texts, what SQL they are. */
export type Asked = Map<
  string,
  { items: boolean; texts: Set<string>; sql: boolean; name: boolean; same?: true; owner?: true }
>;

export function asks(to: Linked): Asked {
  const out: Asked = new Map();
  const owners = ownersIn(to);
  const ask = (name: string, items: boolean, texts: string[] = NOTHING, sql = false, named = false) => {
    const one = out.get(name) ?? { items: false, texts: new Set(), sql: false, name: false };
    out.set(name, one);
    one.items ||= items;
    one.sql ||= sql;
    one.name ||= named;
    for (const text of texts) one.texts.add(text);
  };
  holds(to.body, (step) => {
    for (const name of owners.length > 0 ? namesIn(step) : NOTHING)
      for (const [parameter, owner] of owners)
        if (begins(name, owner)) {
          ask(parameter, false);
          out.get(parameter)!.owner = true;
        }
    if (step.link !== undefined) ask(step.link, false);
    if (step.onBy !== undefined) ask(step.onBy, false, NOTHING, false, true);
    if (step.kind === 'branch')
      for (const one of [step.when, step.when?.also])
        if (one) {
          ask(one.parameter, one.than !== undefined, one.among ?? one.has, false, one.like);
          if (one.of) out.get(one.parameter)!.owner = true;
        }
    if (step.kind === 'scope' || step.kind === 'block')
      for (const parameter of step.sameFor ?? []) {
        ask(parameter, false);
        out.get(parameter)!.same = true;
      }
    if ((step.kind === 'loop' || step.kind === 'branch') && step.each !== undefined) ask(step.each, true);
    const tells = step.kind === 'write' ? step.tells : undefined;
    if (step.kind !== 'call' && !tells) return false;
    for (const parameter of handed(step.kind === 'call' ? step.given : tells)) {
      ask(parameter, true, NOTHING, true, true);
      out.get(parameter)!.same = true;
      out.get(parameter)!.owner = true;
    }
    if (step.kind !== 'call') return false;
    if (step.named !== undefined) ask(step.named, false, NOTHING, false, true);
    if (step.runs !== undefined) ask(step.runs, false, NOTHING, true);
    return false;
  });
  return out;
}

/** How many they are tells nothing apart where only what they are is asked, nor does a text that nobody asks for. */
export function answers(said: Values, asked: Asked, ofClass: (name: Name) => Name | null): Values {
  const out: Values = new Map();
  for (const [name, all] of said) {
    const what = asked.get(name);
    const its = isObject(all) ? all : null;
    const is = its && what?.owner ? ofClass(its.is) : null;
    if (is) {
      out.set(name, {
        is,
        ...(its!.likely && { likely: true }),
        ...(its!.there && { there: true }),
        ...(what!.same && its!.unchanged && { unchanged: true }),
      });
      continue;
    }
    const value = its ? withoutClass(its) : all;
    const text = textOf(value);
    if (value === 'unknown') {
      if (what?.same) out.set(name, value);
      continue;
    }
    if (isUnchanged(value) && !what?.same) {
      if (what && isThere(value)) out.set(name, { there: true });
      continue;
    }
    if (what && isText(value)) out.set(name, what.sql ? value : 'literal');
    else if (what && text !== undefined)
      out.set(name, { text: what.name || what.texts.has(text) ? text : '' });
    else if (what) out.set(name, asAsked(value, what));
  }
  return out;
}

/** Of a collection, which of the texts that are asked for it has, or whether there is anything in it. */
function asAsked(value: Given, { items, texts }: { items: boolean; texts: Set<string> }): Given {
  const count = itemsOf(value);
  if (count === undefined || items) return value;
  const all = texts.size > 0 ? textsIn(value) : undefined;
  if (all) {
    const asked = all.filter((text) => texts.has(text)).sort();
    return { items: asked.length < count ? asked.length + 1 : count, texts: asked };
  }
  return count > 0 && !isAtMost(value) ? { there: true } : 'something';
}

function withoutClass({ there, unchanged }: { there?: true; unchanged?: true }): Given {
  if (there) return unchanged ? { there, unchanged } : { there };
  return unchanged ? 'unchanged' : 'unknown';
}

/** How names begin that are asked of its parameters, or of what its object keeps of its maker's. */
export function ownersIn({ name, routine }: Linked): [parameter: string, owner: string][] {
  const own = ownerOf(name);
  const language = name.slice(0, name.indexOf(':') + 1);
  return (routine?.flags ?? []).flatMap((flag): [string, string][] => {
    if (flag.made === undefined) return [[flag.name, `${language}(${flag.name})`]];
    const kept = /^self\.([\w\u00aa-\uffff]+)$/.exec(flag.name)?.[1];
    return own && kept ? [[flag.name, `${own}().${kept}`]] : [];
  });
}

/** What a step names that may be asked of a parameter. */
function namesIn(step: Step): readonly string[] {
  if (step.kind === 'call') {
    const handed = Object.values(step.given ?? {}).flatMap((one) => (isObject(one) ? [one.is] : []));
    return handed.length > 0 ? [step.callee, ...handed] : [step.callee];
  }
  return 'relation' in step && step.relation ? [step.relation] : NOTHING;
}

export const begins = (name: string, owner: string): boolean =>
  name.startsWith(owner) && (name.length === owner.length || /[.#[]/.test(name[owner.length]!));
