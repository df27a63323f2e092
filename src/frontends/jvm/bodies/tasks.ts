// Functions in a list that stands written out, or that callers write out, which a loop runs one after the other. It lowers nothing.
import { inside, type Step, type Yield } from '../../../ir.ts';
import { holdsCode, type Sight, type Variable, variable, type World } from '../names/scope.ts';
import { stands } from '../names/standing.ts';
import type { Local, Node, Repeat } from '../syntax/syntax.ts';
import { itemsOf } from '../texts/written.ts';

/** More are a loop. */
const MOST = 8;
/** How far behind the list its loop is looked for. */
const REACH = 4000;

/** `List<Work> all = List.of(one, other)`, where a loop runs over it. */
export function tasksOf({ name, value, end }: Local, sight: Sight, world: World): Node[] | undefined {
  const items = value?.kind === 'call' ? codeIn(value, sight, world) : undefined;
  const isRun = (before: string, behind: string) => /(?::|\bin)\s*$/.test(before) && /^\s*\)/.test(behind);
  return items && stands(world.text, name, end, end + REACH, isRun) ? items : undefined;
}

/** What each turn runs, where the turns are these and no turn is left. */
export function turnsOf({ how, first, body }: Repeat, sight: Sight, world: World): Node[] | undefined {
  const over = how === 'each' ? first.at(-1) : undefined;
  const items =
    over?.kind === 'name' ? variable(over.text, sight, world)?.tasks : over && codeIn(over, sight, world);
  if (!items) return undefined;
  const leaves = /(?<![\w$])(?:break|continue|return)(?![\w$])/.test(world.text.slice(body.start, body.end));
  return leaves ? undefined : items;
}

function codeIn(node: Node, sight: Sight, world: World): Node[] | undefined {
  const items = itemsOf(node, world.text, () => null);
  if (!items || items.length > MOST) return undefined;
  const code = items.map((one) => (one.kind === 'name' ? codeOf(variable(one.text, sight, world)) : one));
  return code.every((one): one is Node => holdsCode(one)) ? code : undefined;
}

const codeOf = (found: Variable | undefined): Node | undefined =>
  holdsCode(found?.value) ? found?.value : undefined;

/** `Work... all`: what each turn of a loop over it runs is another of what the caller gave. */
export function restIn(list: Node | null | undefined, sight: Sight, { text }: World): Yield['parameter'] {
  if (list?.kind !== 'name') return undefined;
  const { parameter, type } = sight.locals.get(list.text) ?? {};
  const isRest =
    parameter &&
    type?.name === 'java.util.List' &&
    new RegExp(`\\.\\.\\.\\s*${list.text.replaceAll('$', '\\$')}\\b`).test(text);
  return isRest ? { ...parameter, rest: true } : undefined;
}

/** Whether such a loop runs them itself. */
export const runsAll = (steps: Step[], rest: Yield['parameter']): boolean =>
  steps.some(
    (step) =>
      (step.kind === 'yield' && step.parameter === rest) || inside(step).some((list) => runsAll(list, rest)),
  );
