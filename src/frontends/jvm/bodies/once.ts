// What runs only until something is there that it leaves behind: `if (cache == null) cache = load()`. It lowers nothing.
import type { Block, Step } from '../../../ir.ts';
import { managed } from '../names/known.ts';
import { isAnnotated, type Sight, type World } from '../names/scope.ts';
import type { Choice, Field, Node } from '../syntax/syntax.ts';
import { leaves } from './leaves.ts';

const NAME = String.raw`(?:this\s*\.\s*|[A-Z]\w*\s*\.\s*)?([a-zA-Z_\u00aa-\uffff][\w\u00aa-\uffff]*)`;
const START = String.raw`(?:^|&&)\s*\(*\s*`;
const END = String.raw`\s*\)*\s*(?:&&|$)`;
/** `cache == null`, `!ready`, `!::cache.isInitialized`. */
const MISSING = new RegExp(
  `${START}(?:${NAME}\\s*==\\s*null|null\\s*==\\s*${NAME}|!\\s*(?:::)?${NAME}(?:\\.(?:get\\(\\)|isInitialized))?)${END}`,
);
/** `ready.compareAndSet(false, true)`, `!ready.getAndSet(true)`: it asks and sets at once. */
const TAKES = new RegExp(
  `${START}(?:${NAME}\\s*\\.\\s*compareAndSet\\(\\s*false\\s*,\\s*true\\s*\\)|!\\s*${NAME}\\s*\\.\\s*getAndSet\\(\\s*true\\s*\\))${END}`,
);
/** Behind `if (cache != null) return cache;`. */
const THERE = new RegExp(
  `^\\(*\\s*(?:${NAME}\\s*!=\\s*null|null\\s*!=\\s*${NAME}|(?:::)?${NAME}(?:\\.(?:get\\(\\)|isInitialized))?)\\s*\\)*$`,
);
const TAKEN = new RegExp(
  `^\\(*\\s*(?:!\\s*${NAME}\\s*\\.\\s*compareAndSet\\(\\s*false\\s*,\\s*true\\s*\\)|${NAME}\\s*\\.\\s*getAndSet\\(\\s*true\\s*\\))\\s*\\)*$`,
);

/** The arm of a condition that asks for that. */
export function untilThere(choice: Choice, arms: Step[][], sight: Sight, world: World): Step[][] {
  const [test] = choice.tests;
  const [first, ...others] = arms;
  if (!test || !first || first.length === 0 || first.some(opens)) return arms;
  const said = saidBy(choice, world.text);
  if (said === null) return arms;
  const arm = world.text.slice(choice.arms[0]!.start, choice.arms[0]!.end);
  const once = leftBehind(
    choice.isElse ? /^(?:this\.)?([a-zA-Z_\u00aa-\uffff][\w\u00aa-\uffff]*)$/.exec(said) : MISSING.exec(said),
    choice.isElse ? null : TAKES.exec(said),
    arm,
    sight,
    world,
  );
  return once ? [block(first, once), ...others] : arms;
}

/** `if (cache != null) return cache;`: what follows. */
export function behindThere(items: Node[], out: Step[], from: number, sight: Sight, world: World): void {
  for (const item of items) {
    if (item.kind !== 'choice' || item.exhaustive || item.tests.length !== 1 || !leaves(item.arms[0]))
      continue;
    const said = saidBy(item, world.text);
    const [there, taken] = said === null ? [] : [THERE.exec(said), TAKEN.exec(said)];
    if (!there && !taken) continue;
    const at = out.findIndex((step, i) => i >= from && step.at.start >= item.end);
    if (at < 0 || out.slice(at).some(opens)) continue;
    const rest = world.text.slice(item.end, items.at(-1)!.end);
    const once = leftBehind(there ?? null, taken ?? null, rest, sight, world);
    if (!once) continue;
    out.push(...block(out.splice(at), once));
    return;
  }
}

function saidBy({ tests, start, isElse }: Choice, text: string): string | null {
  const { start: from, end } = tests[0]!;
  if (end - from > 200 || (!isElse && !text.startsWith('if', start))) return null;
  const said = text.slice(from, end);
  return said.includes('||') ? null : said;
}

function leftBehind(
  asked: RegExpExecArray | null,
  taken: RegExpExecArray | null,
  text: string,
  sight: Sight,
  world: World,
): Block['once'] | null {
  const name = (taken ?? asked)?.slice(1).find((one) => one !== undefined);
  if (name === undefined || sight.locals.has(name)) return null;
  const found = fieldOf(name, sight, world);
  if (!found) return null;
  if (taken) return found.lasts ? 'ever' : true;
  const sets = new RegExp(
    `(?<![\\w$])${name}\\s*(?:=(?!=)\\s*(?!null\\b|false\\b)|\\.set\\(\\s*true)|\\bset${name[0]!.toUpperCase()}${name.slice(1)}\\(`,
  );
  if (!sets.test(text)) return null;
  // What is taken away again may come once more; a static is taken away when the program ends.
  const again = new RegExp(`(?<![\\w$])${name}\\s*(?:=\\s*(?:null|false)\\b|\\.set\\(\\s*false)`, 'g');
  const away = [...world.text.matchAll(again)].filter(({ index }) => !found.declares(index));
  return found.isStatic || away.length === 0 ? (found.lasts ? 'ever' : true) : null;
}

/** A field of the class or of one around it; it lasts as long as the program where there is one of it. */
function fieldOf(name: string, sight: Sight, world: World) {
  const declares = (field: Field) => (index: number) => field.start <= index && index < field.end;
  for (let owner = sight.owner; owner; owner = owner.outer) {
    const field = owner.body.fields.find((one) => one.name === name);
    if (!field) continue;
    const isStatic = field.static || owner.body.is === 'object';
    return { declares: declares(field), isStatic, lasts: isStatic || isAnnotated(owner, managed, world) };
  }
  const top = world.file.fields.find((one) => one.name === name);
  return top ? { declares: declares(top), isStatic: true, lasts: true } : null;
}

/** What is left behind is the savepoint itself: where it is ended tells how long it lasts. */
const opens = (step: Step) =>
  step.kind === 'savepoint' || step.kind === 'release' || step.kind === 'rollback to';

const block = (body: Step[], once: NonNullable<Block['once']>): Step[] => [
  { kind: 'block', at: body[0]!.at, once, body },
];
