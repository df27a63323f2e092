// Methods as a class that inherits them runs them: what they call on themselves is what that class has. It says nothing of arguments.
import type { Call, Name, Step } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { kept } from '../kept.ts';
import type { Declared } from '../names/defined.ts';
import { type Cut, isOfOwn, ownerOf, ownOf, splitLast } from '../names/dotted.ts';
import type { Names } from '../names/names.ts';
import { holds, rewrite } from '../rewrite.ts';
import type { Variants } from '../variants/variants.ts';

export interface Heirs {
  /** What this call makes of the method that it means: itself, or the same as the class of its object runs it. */
  of(to: Linked, call: Call, from: Linked): Linked;
  /** What runs when a row of a class is written, as an object of this class below it runs it. */
  fired(to: Linked, relation: string | null, from: Linked): Linked;
  /** What starts by itself, as each class runs it that inherits it, or each such class. */
  started(to: Linked, such?: (heir: Name) => boolean): Linked[];
  /** Whether it was asked what it calls on itself. */
  has(to: Linked): boolean;
  clear(): void;
}

const MOST_OF_ONE = 100;
/** Of one that nobody calls by an object of such a class. */
const MOST_STARTED = 40;
const MOST_OF_CLASS = 100;
const MOST_ON_A_WAY = 4;
const MOST_FOR_TYPE = 8;
const MOST = 4_000;

/** How many a program can come to: most classes inherit nothing that they change. */
export const mostHeirs = ({ types }: Program): number =>
  Math.min(MOST, MOST_FOR_TYPE * types.filter(({ type }) => type.bases.length > 0).length);

export function createHeirs(program: Program, names: Names, variants: Pick<Variants, 'copy'>): Heirs {
  const made = new Map<Linked, Map<Declared, Linked>>();
  const asked = new Set<Linked>();
  const called = new WeakMap<Step[], Name[]>();
  const answers = new Map<Linked, Map<Declared, boolean>>();
  let calledBack: Set<string> | undefined;
  let room = mostHeirs(program);

  const itsClass = (to: Linked): Declared | null => {
    const owner = ownOf(to);
    return owner === null ? null : names.classOf(owner, to);
  };

  const onItself = (to: Linked): Name[] => {
    const known = called.get(to.body) ?? calledOnItself(to);
    called.set(to.body, known);
    return known;
  };

  /** Whether the object of this class does something else in it than an object of the class that declares it. */
  function differs(to: Linked, as: Declared, around: Set<Linked>): boolean {
    asked.add(to);
    if (around.has(to)) return false;
    around.add(to);
    const own = itsClass(to);
    const does = (callee: Name) => {
      const { owner, ...cut } = splitLast(callee)!;
      if (!own) return false;
      if (owner.endsWith('^')) return isSuperElse(own, { owner, ...cut }, as, around);
      const [mine, others] = [names.methods(as, { owner, ...cut }), names.methods(own, { owner, ...cut })];
      if (mine.length === 0) return false;
      const same = mine.length === others.length && mine.every((one, i) => one === others[i]);
      return !same || mine.some((one) => isElse(one, as, around));
    };
    if (!own) return false;
    return (
      onItself(to).some(does) ||
      ofItself(to).some((owner) => hasElse(to, owner, own, as)) ||
      isMeant(to, own, as) ||
      (writesOwn(to) && isAnother(to, own, as))
    );
  }

  /** What an attribute is, a class below may say in its own way: `self.queryset.get(…)`, `self.form()`. */
  function hasElse(to: Linked, owner: Name, own: Declared, as: Declared): boolean {
    const its = names.classOf(`${as.type.name}${owner.slice(own.type.name.length)}`, to);
    return its !== null && its !== names.classOf(owner, to);
  }

  /** `super` goes on to another one in an object of that class, or to one that does something else there. */
  function isSuperElse(own: Declared, cut: Cut, as: Declared, around: Set<Linked>): boolean {
    const mine = names.methods(own, cut, true, as);
    const plainly = names.methods(own, cut, true);
    return mine.some((one, i) => one !== plainly[i] || isElse(one, as, around));
  }

  /** It is a class below, of which callbacks are said, or where the one above is abstract and has no rows. */
  function isAnother(to: Linked, own: Declared, as: Declared): boolean {
    if (!names.lineage(as.type.name, to).includes(own.type.name)) return false;
    calledBack ??= new Set(
      program.linked.flatMap((one) => {
        const of = one.trigger?.relation;
        return of && !of.startsWith('sql:') ? [names.lineage(of, one)[0] ?? of] : [];
      }),
    );
    return own.type.abstract === true || calledBack.has(as.type.name);
  }

  /** What a framework means by calls on itself, of that class and not of the one that declares it: of a mixin, what its classes are. */
  function isMeant(to: Linked, own: Declared, as: Declared): boolean {
    const asked = meantOfItself(to);
    if (asked.length === 0) return false;
    const [mine, others] = [names.lineage(own.type.name, to), names.lineage(as.type.name, to)];
    return asked.some((one) => others.includes(one) && !mine.includes(one));
  }

  /** The classes for which frameworks mean something by what it calls on itself. */
  const meantOfItself = kept((to: Linked): Name[] => {
    const own = ownOf(to);
    const found = new Set<Name>();
    holds(to.body, (step) => {
      if (own === null || step.kind !== 'call' || !step.meanings) return false;
      const owner = ownerOf(step.callee);
      if (owner === own || owner === `${own}^`)
        for (const { receiver } of step.meanings) if (receiver) found.add(receiver);
      return false;
    });
    return [...found];
  });

  function isElse(to: Linked, as: Declared, around = new Set<Linked>()): boolean {
    const known = answers.get(to) ?? new Map<Declared, boolean>();
    answers.set(to, known);
    let found = known.get(as);
    if (found === undefined) {
      found = differs(to, as, around);
      // Within a recursion the answer may be another's.
      if (found || around.size === 1) known.set(as, found);
    }
    return found;
  }

  function inherited(to: Linked, as: Declared, most = MOST_OF_ONE): Linked {
    // There it must be found by its name.
    if (names.classOf(as.type.name, to) !== as || !isElse(to, as)) return to;
    const all = made.get(to) ?? new Map<Declared, Linked>();
    made.set(to, all);
    let found = all.get(as);
    if (!found) {
      const full = all.size >= most || room === 0;
      found = full
        ? to
        : { ...to, body: runBy(to, as.type.name), as: as.type.name, original: to.original ?? to };
      all.set(as, found);
      if (found === to) return to;
      room--;
      found.index = program.linked.length;
      program.linked.push(found);
    }
    return found;
  }

  function runBy(to: Linked, as: Name): Step[] {
    const own = ownOf(to)!;
    return rewrite(to.body, (step, before) => [
      variants.copy(step.kind === 'call' ? on(step, own, as) : of(step, own, as), before),
    ]);
  }

  /**
   * A class's own method that it inherits, which makes an object and calls its method of that same name: what it puts
   * around that is around whatever the name leads to.
   */
  function ofClass(to: Linked, call: Call, from: Linked): Linked | null {
    if (!to.name.includes('#')) return null;
    const cut = splitLast(call.callee);
    if (cut?.mark !== '.' || !to.name.endsWith(`#${cut.last}`)) return null;
    const as = names.classOf(cut.owner, from);
    const above = as ? names.inherited(as, cut) : null;
    if (!as || !above || ownerOf(above.name) === as.type.name || as.type.abstract) return null;
    const passed = way(above, as, cut.last, []);
    if (!passed?.some(({ body }) => holds(body, matters))) return null;
    const found = inherited(above, as, MOST_OF_CLASS);
    return found === above ? null : found;
  }

  /** What runs before an object of that class runs this method, each called by the one before. */
  function way(to: Linked, as: Declared, last: string, before: Linked[]): Linked[] | null {
    asked.add(to);
    if (before.includes(to) || before.length >= MOST_ON_A_WAY) return null;
    const passed = [...before, to];
    for (const callee of onItself(to)) {
      const cut = splitLast(callee)!;
      if (cut.mark === '#' && cut.last === last) return passed;
      const next = names.methods(as, cut)[0];
      const found = next && way(next, as, last, passed);
      if (found) return found;
    }
    return null;
  }

  return {
    of(to, call, from) {
      if (to.routine?.kind !== 'method') return to;
      const above = ofClass(to, call, from);
      if (above) {
        asked.add(to);
        return above;
      }
      const says = call.as ?? ownerOf(call.callee)?.replace(/\^$/, '');
      const own = ownerOf(to.name);
      if (!says || says === own) return to;
      const as = names.classOf(says, from);
      if (!as || as.type.name === own || as.type.abstract) return to;
      asked.add(to);
      return inherited(to, as);
    },
    fired(to, relation, from) {
      const own = ownOf(to);
      if (own === null || relation === null || relation === own || relation.startsWith('sql:')) return to;
      const as = names.classOf(relation, from);
      if (!as || as.type.name === own || as.type.abstract) return to;
      asked.add(to);
      return inherited(to, as);
    },
    started(to, such) {
      const own = to.routine?.kind === 'method' ? itsClass(to) : null;
      if (!own || names.heirsOf(own).length === 0) return [];
      asked.add(to);
      const cut = splitLast(to.name)!;
      return names
        .heirsOf(own)
        .filter(
          (heir) =>
            !heir.type.abstract && (!such || such(heir.type.name)) && names.methods(heir, cut)[0] === to,
        )
        .flatMap((heir) => inherited(to, heir, MOST_STARTED))
        .filter((one) => one !== to)
        .map((one) => Object.assign(one, { startedByHeir: true as const }));
    },
    has: (to) => asked.has(to),
    clear() {
      made.clear();
      asked.clear();
      answers.clear();
      calledBack = undefined;
      room = mostHeirs(program);
    },
  };
}

function on(step: Call, own: string, as: Name): Call {
  if (isOfOwn(step.callee, own)) return { ...step, callee: `${as}${step.callee.slice(own.length)}` as Name };
  const cut = splitLast(step.callee);
  if (cut?.owner === own && isVirtual(cut.last))
    return { ...step, callee: `${as}${cut.mark}${cut.last}` as Name };
  return cut?.owner === `${own}^` ? { ...step, as } : step;
}

/** A row of its own class is one of that class. */
function of(step: Step, own: string, as: Name): Step {
  const now = (name: Name) => `${as}${name.slice(own.length)}` as Name;
  const isOwn = (name: Name | null | undefined): name is Name =>
    name === own || (name != null && isOfOwn(name, own));
  if (step.kind === 'block' && isOwn(step.makes)) return { ...step, makes: now(step.makes) };
  return (step.kind === 'write' || step.kind === 'row lock' || step.kind === 'read') && isOwn(step.relation)
    ? { ...step, relation: now(step.relation) }
    : step;
}

/** `super().save()` writes a row of the class that the object is of. */
const writesOwn = kept((to: Linked): boolean => {
  const own = ownOf(to);
  return own !== null && holds(to.body, (step) => 'relation' in step && step.relation === own);
});

/** It puts something around what it calls. */
const matters = (step: Step): boolean =>
  step.kind === 'scope' ||
  step.kind === 'loop' ||
  step.kind === 'row lock' ||
  (step.kind === 'call' && (step.block?.length ?? 0) > 0);

/** Python gives `__name` another name in each class. */
const isVirtual = (last: string) => !last.startsWith('__') || last.endsWith('__');

const NOTHING: Name[] = [];

/** Whose methods it calls that its own object has: `V().queryset[]` of `self.queryset.get(pk=1).save()`. */
const ofItself = kept((to: Linked): Name[] => {
  const own = ownOf(to);
  if (own === null || to.body.length === 0) return NOTHING;
  const found = new Set<Name>();
  holds(to.body, (step) => {
    const owner = step.kind === 'call' && isOfOwn(step.callee, own) ? ownerOf(step.callee) : undefined;
    if (owner && owner.length > own.length + 2) found.add(owner as Name);
    return false;
  });
  return found.size > 0 ? [...found] : NOTHING;
});

/** What a method calls on its own object, `super` among it. */
function calledOnItself(to: Linked): Name[] {
  const { body } = to;
  const own = ownOf(to);
  if (own === null || body.length === 0) return NOTHING;
  const found = new Set<Name>();
  holds(body, (step) => {
    if (step.kind !== 'call' || !step.callee.startsWith(own)) return false;
    const cut = splitLast(step.callee);
    if (cut && (cut.owner === own || cut.owner === `${own}^`) && isVirtual(cut.last)) found.add(step.callee);
    return false;
  });
  return found.size > 0 ? [...found] : NOTHING;
}
