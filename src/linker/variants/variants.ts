// A routine as what its caller gives it leaves it, made once for each of these. What is left of it, and what a caller says, is told beside this. It looks up no name.
import {
  type Call,
  type Given,
  isText,
  type Name,
  type Step,
  type Trigger,
  type TypeDeclaration,
  type Verb,
} from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { add as addTo } from '../lists.ts';
import { isSuffix, lastWord } from '../names/dotted.ts';
import { rewrite } from '../rewrite.ts';
import { type Asked, answers, asks } from './asked.ts';
import { decided } from './decided.ts';
import { given, unquoted } from './given.ts';

export interface Variants {
  /** What this call makes of the routine that it means: the routine itself, or one that takes fewer ways. */
  of(to: Linked, call: Call, from: Linked): Linked;
  /** A callback that is told this by its parameters. */
  told(to: Linked, tells: Record<string, Given>): Linked;
  /** A trigger as this verb or tag fires it, or an UPDATE that leaves some columns as they were, or so many rows; nothing where there are too many. */
  fired(to: Linked, by: FiredBy): { now: Linked | undefined; made: Iterable<Linked> };
  /** Whether calls were asked what they make of it. */
  has(to: Linked): boolean;
  /** The step that a step of a variant was copied from. */
  original(step: Step): Step;
  /** Remembers of which step this is a copy. */
  copy(step: Step, before: Step): Step;
  /** Forgets all, and says which steps were made for it. */
  clear(): Step[];
}

/** What fires a trigger, as far as its function asks. */
interface FiredBy {
  says: string;
  /** It asks which verb, or tag, it is. */
  asked: boolean;
  unchanged: string[];
  rows: number | null;
}

const NOTHING: string[] = [];
const MOST_OF_ONE = 24;
/** By its verbs or tags, and by what updates leave. */
const MOST_OF_FIRED = 12;
/** One function may serve many tables, each in several ways. */
const MOST_OF_TRIGGERED = 40;
/** One may run what a hundred callers write. */
const MOST_OF_TEXTS = 100;
/** A text may be handed on by some who hand it on. */
const MOST_OF_TEXT = 4;
/** Far more than programs come to: a product of 1,400 files came to 2,000. Where they run out, the ones that are missing hang on which files were read. */
const MOST = 10_000;

/** How many a program can come to. */
export const mostVariants = ({ linked }: Program): number =>
  Math.min(
    MOST,
    linked.reduce((sum, one) => sum + mostBy(one), 0),
  );

function mostBy(one: Linked): number {
  const { routine, trigger } = one;
  if (routine?.flags) return mostOf(one);
  if (routine?.kind === 'anonymous' && routine.implied) return MOST_OF_TEXT;
  if (trigger?.via === 'model callback') return MOST_OF_ONE;
  return isAsked(trigger) ? MOST_OF_FIRED : 0;
}

const isAsked = (trigger: Trigger | undefined) =>
  (trigger?.via === 'trigger' &&
    (trigger.verbs.length > 1 || trigger.verbs.includes('update') || trigger.transitions !== undefined)) ||
  (trigger?.via === 'event trigger' && trigger.tags?.length !== 1);

const mostOf = ({ routine }: Linked): number =>
  routine?.flags?.some(({ fired }) => fired) ? MOST_OF_TRIGGERED : MOST_OF_ONE;

/** `classOf`: the class of that name as it is declared; null where it is none of this program. */
export function createVariants(
  program: Program,
  classOf: (name: Name, from: Linked) => TypeDeclaration | null,
): Variants {
  const byValues = new Map<Linked, Map<string, Linked>>();
  const originals = new Map<Step, Step>();
  const known = new WeakMap<Linked, Asked>();
  const asked = (to: Linked): Asked => {
    const found = known.get(to) ?? asks(to);
    known.set(to, found);
    return found;
  };
  const parents = new Set(
    program.relations.flatMap(({ relation }) =>
      (relation.inherits ? [] : (relation.parents ?? [])).map((one) => unquoted(lastPart(canonical(one)))),
    ),
  );
  let classes: Map<string, string[]> | undefined;
  /** Whether this class is what a maker's name means: a package may hand it on, or a folder of sources stand before it, unless there is another one of that name. */
  const isMade = (owner: string, of: string): boolean => {
    if (owner === of) return true;
    if (lastWord(owner) !== lastWord(of)) return false;
    if (!classes) {
      classes = new Map();
      for (const { type } of program.types) addTo(classes, lastWord(type.name), type.name);
    }
    const others = classes.get(lastWord(of)) ?? NOTHING;
    return !others.some((one) => one !== owner && (isSuffix(one, of) || isSuffix(of, one)));
  };
  /** The one spelling of a class, or of a list of its objects; what gives such a list is one. */
  const ofClass = (name: Name, from: Linked): Name | null => {
    const its = classOf(name, from);
    if (its) return its.name;
    const item = name.endsWith('[]') ? name.slice(0, -2) : name.endsWith(')') ? `${name}[]` : null;
    const listed = item === null ? null : classOf(item as Name, from);
    return listed && (`${listed.name}[]` as Name);
  };
  let room = mostVariants(program);
  const made = (to: Linked): Map<string, Linked> => {
    const all = byValues.get(to) ?? new Map<string, Linked>();
    byValues.set(to, all);
    return all;
  };
  const add = (one: Linked): Linked => {
    program.linked.push(one);
    room--;
    return one;
  };
  return {
    of(to, call, from) {
      const said = given(to, call, from, parents, isMade);
      if (said.size === 0) return to;
      const all = made(to);
      const values = answers(said, asked(to), (name) => ofClass(name, from));
      if (values.size === 0) return to;
      const key = JSON.stringify([...values]);
      let found = all.get(key);
      if (!found) {
        const most = [...values.values()].some(isText) ? MOST_OF_TEXTS : mostOf(to);
        const full = all.size >= most || room === 0;
        const body = full ? to.body : decided(to, values, originals, (name) => classOf(name, to));
        const { original = to } = to;
        found = body === to.body ? to : add({ ...to, body, index: program.linked.length, original });
        all.set(key, found);
      }
      return found;
    },
    fired(to, { says: by, asked, unchanged, rows }) {
      const all = made(to);
      const { verbs, via } = to.trigger!;
      // Of the verbs all are made at once: what no statement here does, others may.
      const others = via === 'event trigger' ? [by] : asked || unchanged.length > 0 ? verbs : [];
      const some = unchanged.length > 0 ? `${by} but ${unchanged}` : by;
      const key = rows === null ? some : `${some} of ${rows}`;
      const missing = [...new Set([...others, key])].filter((one) => !all.has(one));
      if (missing.length <= Math.min(room, MOST_OF_FIRED - all.size))
        for (const one of missing) {
          const said: Partial<Trigger> =
            via === 'event trigger' ? { tags: [one] }
            : one !== key ? { verbs: [one as Verb] }
            : { verbs: [by as Verb], ...(unchanged.length > 0 && { unchanged }), ...(rows !== null && { rows }) }; // biome-ignore format: a table
          // What a call leads to is kept by the call.
          const body = to.body.map((step) => (step.kind === 'call' ? { ...step } : step));
          for (const [i, step] of body.entries()) if (step !== to.body[i]) originals.set(step, to.body[i]!);
          const trigger = { ...to.trigger!, ...said };
          all.set(one, add({ ...to, trigger, body, index: program.linked.length, original: to }));
        }
      return { now: all.get(key) ?? all.get(by), made: all.values() };
    },
    told(to, tells) {
      const all = made(to);
      const key = JSON.stringify(tells);
      let found = all.get(key);
      if (!found) {
        const full = room === 0 || all.size >= MOST_OF_ONE;
        const body = rewrite(to.body, (step, before) => {
          if (step.kind !== 'call') return [step];
          const copy = { ...step, given: { ...step.given, ...tells } };
          originals.set(copy, originals.get(before) ?? before);
          return [copy];
        });
        const { original = to } = to;
        found = full ? to : add({ ...to, body, index: program.linked.length, original });
        all.set(key, found);
      }
      return found;
    },
    copy(step, before) {
      if (step !== before) originals.set(step, originals.get(before) ?? before);
      return step;
    },
    has: (to) => byValues.has(to),
    original: (step) => originals.get(step) ?? step,
    clear() {
      const made = [...originals.keys()];
      originals.clear();
      byValues.clear();
      room = mostVariants(program);
      return made;
    },
  };
}
