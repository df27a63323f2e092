// Which routines may lead to a subtransaction or the end of a transaction: found from those upwards, by looking up only the calls that may mean one of them. Too many rather than too few.
import {
  type Call,
  inside,
  type Name,
  type Read,
  type Step,
  textsOf,
  UNTYPED,
  type Write,
} from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { canonical, lastPart } from '../definitions/sqlname.ts';
import { add } from '../lists.ts';
import { isOfOwn, lastWord, ownerOf, ownOf } from '../names/dotted.ts';
import type { Names } from '../names/names.ts';
import type { Fired } from './fired.ts';

interface Asking<S> {
  step: S;
  from: Linked;
}

/** `matters`: of a step by itself. Which meaning a call has is not asked: all of them count. */
export function leading(
  program: Program,
  names: Names,
  matters: (step: Step) => boolean,
  fires: (step: Read | Write, from: Linked) => readonly Fired[],
): Linked[] {
  const words = createWords();
  /** By the last part of the name, which a call shares with whom it means, but for aliases. */
  const calls = new Map<string, Asking<Call>[]>();
  const touches: Asking<Read | Write>[] = [];
  const others = renamed(program, words);
  /** By whom they lead to. */
  const callers = new Map<Linked, Linked[]>();
  const found = new Set<Linked>();
  const asked = new Set<string>();
  let fired = false;

  function look(from: Linked): void {
    const stack: Step[][] = [from.body];
    for (let steps = stack.pop(); steps; steps = stack.pop())
      for (const step of steps) {
        if (step.kind === 'call') {
          add(calls, words(step.callee), { step, from });
          // What those are given, others say.
          const unknown = { args: undefined, given: undefined, types: undefined };
          for (const callee of textsOf(step))
            add(calls, words(callee), { step: { ...step, ...unknown, callee }, from });
        } else if (step.kind === 'read' || step.kind === 'write') touches.push({ step, from });
        else if (matters(step)) found.add(from);
        for (const list of inside(step)) stack.push(list);
      }
  }

  function leads(from: Linked, to: Linked): void {
    if (found.has(to)) found.add(from);
    else add(callers, to, from);
  }

  function ask(word: string): void {
    if (asked.has(word)) return;
    asked.add(word);
    for (const { step, from } of calls.get(word) ?? []) {
      const { routines } = names.call(step, from);
      for (const { to } of routines) leads(from, to);
      for (const to of names.ownOfHeirs(step, from)) leads(from, to);
      // Who calls the routine says whose it is, or a class below: it may be any of that name.
      if (routines.length === 0 && isOthers(step.callee, from)) found.add(from);
      // Where `super` goes on hangs on the class that takes the module in.
      if (isSuper(step.callee)) found.add(from);
    }
    for (const other of others.get(word) ?? []) ask(other);
  }

  function fire(): void {
    if (fired) return;
    fired = true;
    for (const { step, from } of touches) for (const { to } of fires(step, from)) leads(from, to);
  }

  for (const linked of program.linked) look(linked);
  for (const linked of found) {
    if (linked.trigger) fire();
    else ask(words(linked.name));
    for (const caller of callers.get(linked) ?? []) found.add(caller);
  }
  return [...found].sort((a, b) => a.index - b.index);
}

/** `(order).pay`, `V().queryset[].delete`. */
function isOthers(callee: Name, from: Linked): boolean {
  if (callee[callee.indexOf(':') + 1] === '(') return true;
  // Where classes and members have types, what an attribute is stands in the class above.
  if (!UNTYPED.has(from.unit.language)) return false;
  const own = ownOf(from);
  return own !== null && isOfOwn(callee, own);
}

const isSuper = (callee: Name): boolean => ownerOf(callee)?.endsWith('^') === true;

/** By the last part of a name the last parts of its aliases; nearly all are called as what they stand for. */
function renamed({ aliases }: Program, words: (name: Name) => string): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const { from, to } of aliases) if (!endAlike(from, to)) add(out, words(to), words(from));
  return out;
}

/** Whether all behind the last mark is the same. */
function endAlike(a: string, b: string): boolean {
  for (let i = a.length - 1, j = b.length - 1; i >= 0 && j >= 0; i--, j--) {
    const c = a.charCodeAt(i);
    if (c !== b.charCodeAt(j)) return false;
    if (c === 46 /* . */ || c === 58 /* : */ || c === 35 /* # */) return true;
  }
  return false;
}

/** The last part of a name; names are said many times. */
function createWords(): (name: Name) => string {
  const known = new Map<Name, string>();
  return (name) => {
    let word = known.get(name);
    if (word === undefined) {
      word = name.startsWith('sql:') ? lastPart(canonical(name)) : lastWord(name);
      known.set(name, word);
    }
    return word;
  };
}
