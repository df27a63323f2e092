// Functions in a list that stands written out, which a loop runs one after the other. It lowers nothing.
import { holdsCode, type Sight, type Variable, variable, type World } from '../names/scope.ts';
import type { Local, Node, Repeat } from '../syntax/syntax.ts';
import { itemsOf } from '../texts/written.ts';

/** More are a loop. */
const MOST = 8;
/** How far behind the list its loop is looked for. */
const REACH = 4000;

/** `List<Work> all = List.of(one, other)`, where a loop runs over it. */
export function tasksOf({ name, value, end }: Local, sight: Sight, world: World): Node[] | undefined {
  const items = value?.kind === 'call' ? codeIn(value, sight, world) : undefined;
  const isRun = new RegExp(`(?::|\\bin)\\s*${name.replaceAll('$', '\\$')}\\s*\\)`);
  return items && isRun.test(world.text.slice(end, end + REACH)) ? items : undefined;
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
