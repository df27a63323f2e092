// What holds in one turn of a loop at most, because that turn ends it: `if (first) { …; first = false; }`, `if (id == null) id = create()`. It lowers nothing.
import { unbroken } from '../../unbroken.ts';
import { loopsSharing } from '../calls/kept.ts';
import { outward, type Sight, type Turning, type World } from '../names/scope.ts';
import type { Node } from '../syntax/syntax.ts';
import { settings } from '../texts/retold.ts';
import type { Said } from './said.ts';

/** What must be said of a variable for the condition never to hold again. */
interface Awaited {
  name: string;
  says: 'true' | 'false' | 'something';
}

const NAME = String.raw`(?:this\s*\.\s*)?([a-z_$\u00aa-\uffff][\w$\u00aa-\uffff]*(?:\[0\])?)`;
const FLAG = new RegExp(`^${NAME}(?:\\.get\\(\\))?(?:\\s*(===?|!==?)\\s*(true|false))?$`);
const NULL = new RegExp(`^(?:${NAME}\\s*(===?|!==?)\\s*null|null\\s*(===?|!==?)\\s*${NAME})$`);
const ASKED = new RegExp(
  `^(?:${NAME}\\.(isPresent|isEmpty|isInitialized)(?:\\(\\))?|(?:java\\.util\\.)?Objects\\.(isNull|nonNull)\\(\\s*${NAME}\\s*\\))$`,
);
/** It asks and sets at once. */
const TAKES = new RegExp(
  `^${NAME}\\.(?:compareAndSet\\(\\s*(true|false),\\s*(?:true|false)\\s*\\)|getAndSet\\(\\s*(true|false)\\s*\\))$`,
);

export function awaited({ text, isNot }: Said): Awaited | null {
  const [, name, sign, value] = FLAG.exec(text) ?? [];
  if (name && name !== 'null') {
    const holds = (value ?? 'true') === 'true';
    const isTrue = (sign?.startsWith('!') ? !holds : holds) !== isNot;
    return { name, says: isTrue ? 'false' : 'true' };
  }
  const [, left, one, other, right] = NULL.exec(text) ?? [];
  if (left ?? right) {
    const isMissing = (one ?? other)!.startsWith('=') !== isNot;
    return isMissing ? { name: (left ?? right)!, says: 'something' } : null;
  }
  const [, held, how, about, given] = ASKED.exec(text) ?? [];
  const isMissing = /^(?:isEmpty|isNull)$/.test(how ?? about ?? '') !== isNot;
  return (held ?? given) && isMissing ? { name: (held ?? given)!, says: 'something' } : null;
}

/**
 * How many of the loops around are left for good with the turn in which this holds, the innermost ones: nothing in them
 * sets the variable back, and what runs then surely sets it.
 */
export function endsLoops(said: Said, run: Node[], turning: Turning[], sight: Sight, world: World): number {
  const taken = TAKES.exec(said.text);
  if (taken) return takenOnce(taken, said.isNot, turning, sight, world);
  const one = awaited(said);
  if (!one || !isKnown(one, sight, world)) return 0;
  const sets = run
    .flatMap((node) => [...surely(node, world.text)])
    .filter((by) => by.kind !== 'local' && isOf(by, one.name, world.text));
  const ends = sets.filter((by) => isEnd(givenBy(by, world.text), one));
  if (ends.length === 0) return 0;
  return outward(turning, (around) =>
    settings(one.name, around, world.text).every(
      ({ at, value, isDeclared }) =>
        !(isDeclared || around.items.includes(one.name)) &&
        (ends.some(({ start, end }) => start <= at && at < end) ||
          (one.says !== 'something'
            ? isEnd(value, one)
            : SURELY.test(value) || around.items.includes(value))),
    ),
  );
}

/** What surely is something. */
const SURELY = /^(?:new\s|"|'|\d|Optional\.of\()/;

export const isEnd = (value: string, { says }: Awaited): boolean =>
  says === 'something' ? !/^(?:null\b|Optional\.empty\b|$)/.test(value) : value === says;

/** A local, or a field of this class that nothing in the file sets back. */
function isKnown(one: Awaited, sight: Sight, world: World): boolean {
  // `boolean[] done = {false}`, for lambdas to set.
  if (sight.locals.has(one.name.replace(/\[0\]$/, ''))) return true;
  const field = sight.owner?.body.fields.find(({ name }) => name === one.name);
  if (!field) return false;
  const all = settings(one.name, { start: 0, end: world.text.length }, world.text);
  return all.every(
    ({ at, value, isDeclared }) =>
      (field.start <= at && at < field.end) || (!isDeclared && isEnd(value, one)),
  );
}

/** Statements that run wherever this does, and do not fail. */
export function* surely(node: Node, text: string): Generator<Node> {
  yield node;
  switch (node.kind) {
    case 'sequence':
    case 'several':
      for (const one of node.items) {
        yield* surely(one, text);
        // Another turn begins before what follows.
        if (/\b(?:continue|return)\b/.test(text.slice(one.start, one.end))) return;
      }
      return;
    case 'try':
      yield* surely(node.body, text);
      if (node.finally) yield* surely(node.finally, text);
      return;
    case 'choice':
      if (node.isElse && node.arms[0]) yield* surely(node.arms[0], text);
      return;
    case 'call': {
      const code = /^(?:also|let|run|apply)$/.test(node.name) ? node.arguments.at(-1)?.value : undefined;
      if (code?.kind === 'lambda') yield* surely(code.body, text);
    }
  }
}

/** `done = true`, `this.done = true`, `done.set(true)` */
export function isOf(by: Node, name: string, text: string): boolean {
  const is = (node: Node | null) => nameOf(node, text) === name;
  if (by.kind === 'call') return by.name === 'set' && by.arguments.length === 1 && is(by.object);
  return (by.kind === 'assign' && is(by.target)) || (by.kind === 'local' && by.name === name);
}

const nameOf = (node: Node | null, text: string): string =>
  node && node.end - node.start < 100 ? text.slice(node.start, node.end).replace(/^this\s*\.\s*/, '') : '';

export function givenBy(by: Node, text: string): string {
  const value =
    by.kind === 'assign' || by.kind === 'local'
      ? by.value
      : by.kind === 'call'
        ? by.arguments[0]?.value
        : null;
  return value ? text.slice(value.start, value.end).trim() : '';
}

/** `if (first.compareAndSet(true, false))`, `if (!done.getAndSet(true))`, where nothing in the loop sets it back. */
function takenOnce(
  [, name, from, to]: RegExpExecArray,
  isNot: boolean,
  turning: Turning[],
  sight: Sight,
  world: World,
): number {
  const isIt = from ? !isNot : (to === 'true') === isNot;
  if (!name || !isIt || !isKnown({ name, says: 'something' }, sight, world)) return 0;
  return outward(turning, (around) => settings(name, around, world.text).length === 0);
}

const LOOKS = /^([\w.\u00aa-\uffff]+)\.contains(?:Key)?\(\s*(.+?)\s*\)$/;
/** It asks and adds at once. */
const ADDS = /^([\w.\u00aa-\uffff]+)\.add\(\s*(.+?)\s*\)$/;
const IN = /^(\S+)\s+(!?in)\s+([\w.\u00aa-\uffff]+)$/;
const GETS = /^([\w.\u00aa-\uffff]+)(?:\.get\(\s*|\[)([^()]*(?:\(\))?[^()]*?)\s*[)\]](?:\s*(==|!=)\s*null)?$/;

/** `if (!ids.containsKey("total")) ids.put("total", create())`, `id = ids.get(name); if (id == null) …`, `if (seen.add(kind)) …` */
export function fillsKey(said: Said, run: Node[], turning: Turning[], sight: Sight, world: World): number {
  const [, set, added] = said.isNot ? [] : (ADDS.exec(said.text) ?? []);
  if (set && added) return loopsSharing(set, added, { ...sight, turning }, world);
  const found = missingKey(said, turning.at(-1)!, world.text);
  const [first] = run;
  if (!found || !first) return 0;
  const { map, key } = found;
  // The sign of `ids[key] = …` stands behind what Kotlin sets.
  const text = unbroken(world.text.slice(first.start, first.end + 2)).replace(/\s+/g, ' ');
  const fills = [
    `${map}.put(${key},`, `${map}[${key}] =`, `${map}.putIfAbsent(${key},`, `${map}.add(${key})`, `${map} += ${key}`,
  ]; // biome-ignore format: one list
  const isFilled = fills.some((one) => text.includes(one));
  return isFilled ? loopsSharing(map, key, { ...sight, turning }, world) : 0;
}

function missingKey(said: Said, turning: Turning, text: string): { map: string; key: string } | null {
  const [, map, key] = LOOKS.exec(said.text) ?? [];
  if (map && key) return said.isNot ? { map, key } : null;
  const [, sought, how, within] = IN.exec(said.text) ?? [];
  if (sought && within) return (how === '!in') !== said.isNot ? { map: within, key: sought } : null;
  const [, from, by, sign] = GETS.exec(said.text) ?? [];
  if (from && by) return sign && (sign === '==') !== said.isNot ? { map: from, key: by } : null;
  const one = awaited(said);
  if (one?.says !== 'something') return null;
  const gotten = settings(one.name, turning, text).find(({ value }) => GETS.test(value));
  const [, holder, asked] = GETS.exec(gotten?.value ?? '') ?? [];
  return holder && asked ? { map: holder, key: asked } : null;
}
