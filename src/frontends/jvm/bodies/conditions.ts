// What the conditions of branches say: which parameter decides, and which only ask for what the branch ends. It lowers nothing.
import type { Branch, Step } from '../../../ir.ts';
import { word } from '../calls/meaning.ts';
import { isHandle, isSavepoint } from '../names/parameters.ts';
import type { Constants, Sight, World } from '../names/scope.ts';
import type { Choice, Node } from '../syntax/syntax.ts';
import { behindThere } from './once.ts';
import { behindOthers, type Seldom } from './seldom.ts';
import { behindOurs } from './vendors.ts';

/**
 * `if (savepoint != null) connection.releaseSavepoint(savepoint)`: wherever it is open. What else such an arm does may run
 * there, where it asks for nothing else.
 */
export function asksItself(node: Choice, steps: Step[], sight: Sight, world: World): Step[] | null {
  const [test] = node.tests;
  if (!test || node.exhaustive || steps.length === 0) return null;
  const asked = world.text.slice(test.start, test.end);
  const words = new Set(asked.match(/[\w$\u00aa-\uffff]+/g));
  for (const text of [...words]) {
    const held = sight.locals.get(text)?.value;
    if (held?.kind === 'name') words.add(held.text);
  }
  const ends = endsOf((name) => (name === null ? isHandedIn(words, sight) : words.has(name)));
  if (steps.every(ends)) return steps;
  const isAlone = node.arms.length === 1 && steps.some(ends) && asksWhether(true, asked, sight);
  return isAlone ? steps.map((step) => (ends(step) ? step : perhaps(step))) : null;
}

const perhaps = (step: Step): Step => ({ kind: 'branch', at: step.at, arms: [[step]], exhaustive: false });

/** `savepoint != null`, `null == savepoint`, and no more. */
function askedForNull(asked: string): { name: string; isThere: boolean } | null {
  const [, left, one, other, right] = NULL.exec(asked) ?? [];
  const name = left ?? right;
  return name === undefined ? null : { name, isThere: (one ?? other) === '!' };
}

const NULL =
  /^\(?\s*(?:([\w$\u00aa-\uffff]+)\s*([!=])==?\s*null|null\s*([!=])==?\s*([\w$\u00aa-\uffff]+))\s*\)?$/;

/** Whether it is asked of a savepoint whether there is one, or whether there is none. */
function asksWhether(isThere: boolean, asked: string, { locals }: Sight): boolean {
  const one = askedForNull(asked);
  return one?.isThere === isThere && isSavepoint(locals.get(one.name)?.type ?? null);
}

/** Whether a step does nothing but end one of these savepoints, or hands over what does. */
const endsOf = (isOne: (name: string | null) => boolean): ((step: Step) => boolean) => {
  const ends = (step: Step): boolean =>
    step.kind === 'release' || step.kind === 'rollback to'
      ? isOne(step.name)
      : step.kind === 'call'
        ? step.meanings
          ? step.meanings.every((one) => one.steps.every(ends))
          : step.block !== undefined && step.block.length > 0 && step.block.every(ends)
        : step.kind === 'attempt' && step.body.every(ends) && step.handlers.every(({ body }) => !body.length);
  return ends;
};

/** `if (own == null) savepoint = …`: what was asked where savepoints were opened. */
export function notesOpening({ tests, arms }: Choice, steps: Step[], sight: Sight, { text }: World): void {
  const [test] = tests;
  if (!test || arms.length > 1) return;
  for (const name of steps.flatMap(openedBy)) {
    sight.opened ??= new Map();
    sight.opened.set(name, plainly(text.slice(test.start, test.end)));
  }
}

const openedBy = (step: Step): string[] =>
  step.kind === 'savepoint'
    ? step.name === null ? [] : [step.name]
    : step.kind === 'call' ? (step.meanings ?? []).flatMap((one) => one.steps.flatMap(openedBy)) : []; // biome-ignore format: two questions

/** `if (own != null) … else release(savepoint)`, behind that: the arm that runs wherever it is open. */
export function whereOpened({ tests }: Choice, arms: Step[][], sight: Sight, { text }: World): number | null {
  const [test] = tests;
  if (!test || !sight.opened || arms.length > 2) return null;
  const asked = plainly(text.slice(test.start, test.end));
  const opposite = opposed(asked);
  const at = arms.findIndex(
    (steps, i) =>
      steps.length > 0 &&
      steps.every(
        endsOf((name) => name !== null && sight.opened!.get(name) === (i === 0 ? asked : opposite)),
      ),
  );
  return at === -1 ? null : at;
}

const plainly = (text: string): string => text.replace(/\s+|^\(|\)$/g, '');
/** Of one comparison or name; of more nobody says it so. */
const opposed = (text: string): string | null =>
  /&&|\|\|/.test(text)
    ? null
    : /[!=]=/.test(text)
      ? text.replace(/!=|==/, (sign) => (sign === '==' ? '!=' : '=='))
      : text.startsWith('!') ? text.slice(1) : `!${text}`; // biome-ignore format: three ways

/** `if (savepoint == null) return;`: wherever there is one, it goes on. */
export function asksForNone({ tests, arms, exhaustive }: Choice, sight: Sight, { text }: World): boolean {
  const [test] = tests;
  const [arm] = arms;
  if (!test || !arm || exhaustive || arms.length > 1) return false;
  return asksWhether(false, text.slice(test.start, test.end), sight) && isLeft(arm);
}

const isLeft = (arm: Node): boolean =>
  arm.kind === 'leave'
    ? arm.how !== 'raise' && arm.value === undefined
    : (arm.kind === 'sequence' || arm.kind === 'several') && arm.items.length === 1 && isLeft(arm.items[0]!);

const isHandedIn = (words: Set<string>, sight: Sight): boolean =>
  [...words].some((text) => isHandle({ kind: 'name', text, start: 0, end: 0 }, sight));

/** `if (flag)`, `if (!flag)`, `flag ? … : …`, `if (name != null)`; of `flag && …` that the first arm asks for more. */
export function decidedBy(node: Choice, sight: Sight, { text }: World): Branch['when'] {
  const [test] = node.tests;
  if (!test || !isAsked(node, test, text)) return undefined;
  const one = askedForNull(text.slice(test.start, test.end));
  if (one)
    return sight.locals.get(one.name)?.mayBeNone
      ? { parameter: one.name, is: one.isThere ? 'not null' : 'null' }
      : undefined;
  const said = /^\(?\s*(!?)\s*([\w$\u00aa-\uffff]+)\s*(?:\)|$|(&&)(?!.*\|\|))/s.exec(
    text.slice(test.start, test.end),
  );
  const [whole, not, name, more] = said ?? [];
  if (name === undefined || !sight.locals.get(name)?.flag) return undefined;
  if (!more && text.slice(test.start + whole!.length, test.end).trim()) return undefined;
  return { parameter: name, is: not ? 'false' : 'true', ...(more && { only: true as const }) };
}

/** An `if`, or `a ? b : c`; no `switch`, `when` or elvis. */
const isAsked = ({ start, arms, isElse }: Choice, test: Node, text: string): boolean =>
  !isElse && (text.startsWith('if', start) || text.slice(test.end, arms[0]?.start).includes('?'));

/** The arm that every program takes: `if (true)`, `if (!DEBUG)` of a constant; null where it takes none. */
export function everTaken(choice: Choice, constants: Constants, { text }: World): Node | null | undefined {
  const { tests, arms, exhaustive } = choice;
  const [test, ...more] = tests;
  if (!test || more.length > 0 || arms.length > 2) return undefined;
  // Of `switch` and `when` one arm of several may be left.
  if (!isAsked(choice, test, text)) return undefined;
  const [not, asked] = test.kind === 'several' && test.items.length === 2 ? test.items : [undefined, test];
  if (not && (not.kind !== 'literal' || not.text !== '!')) return undefined;
  const said = asked!.kind === 'name' && !isSaid(word(asked!)) ? constants(asked!) : asked!;
  const holds = said && word(said);
  if (!isSaid(holds)) return undefined;
  return (holds === 'true') === !not ? arms[0] : exhaustive ? (arms[1] ?? null) : null;
}

const isSaid = (text: string | null) => text === 'true' || text === 'false';

/** What leaves a body early says of the rest of it. */
export function behind(items: Node[], out: Step[], from: number, c: Seldom): void {
  if (!items.some((one) => one.kind === 'choice')) return;
  behindOurs(items, out, from, c.world);
  behindThere(items, out, from, c.sight, c.world);
  behindOthers(items, out, from, c);
}
