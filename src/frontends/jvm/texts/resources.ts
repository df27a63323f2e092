// Scripts that stand beside the program and that it reads by a constant path: which file of the repository that is. It reads none.
import type { Name } from '../../../ir.ts';
import type { Constants, World } from '../names/scope.ts';
import type { Call, Node } from '../syntax/syntax.ts';

const SCRIPT = /^(?:classpath\*?:)?([\w@./-]+\.sql)$/;
/** Of a class, and not of its loader: what does not begin at the root is beside the class. */
const BESIDE = /^getResource(?:AsStream)?$/;
/** `shop/src/main/kotlin/shop/Orders.kt`: the module, the set of sources, the package's folder. */
const SOURCE = /^(.*?\/)?src\/(\w+)\/(?:java|kotlin|groovy)\/(?:(.*)\/)?[^/]*$/;
const DEEPEST = 8;

/** Whether a value has the path of a script in it: `read("sql/total.sql")`. */
export const namesScript = (value: Node, { reads, path }: World): boolean =>
  reads && scriptIn(value, path, () => null, 0) !== null;

/** The script whose path stands in an expression, or in the constant or variable that it names. */
export function resourceIn(node: Node, constants: Constants, { reads, path }: World): Name | null {
  const found = reads ? scriptIn(node, path, constants, 0) : null;
  return found ? `sql:"${found}"` : null;
}

function scriptIn(node: Node | null, path: string, constants: Constants, depth: number): string | null {
  if (!node || depth > DEEPEST) return null;
  const within = (one: Node | null) => scriptIn(one, path, constants, depth + 1);
  switch (node.kind) {
    case 'text':
      return located(node.source.text, path, false);
    case 'name': {
      const value = constants(node);
      return value === node ? null : within(value);
    }
    case 'several':
      return node.items.length === 1 ? within(node.items[0]!) : null;
    case 'cast':
      return within(node.value);
    case 'member':
      return within(node.object);
    case 'call':
      return inCall(node, path, within);
    default:
      return null;
  }
}

function inCall(node: Call, path: string, within: (node: Node | null) => string | null): string | null {
  const [first] = node.arguments;
  if (BESIDE.test(node.name) && first?.value.kind === 'text')
    return located(first.value.source.text, path, !isLoader(node.object));
  for (const { value } of node.arguments) {
    const found = within(value);
    if (found) return found;
  }
  return within(node.object);
}

/** `getClass().getClassLoader()`, `Thread.currentThread().contextClassLoader`, `loader` */
const isLoader = (node: Node | null): boolean =>
  node !== null &&
  (node.kind === 'call' || node.kind === 'member'
    ? /loader$/i.test(node.name)
    : node.kind === 'name' && /loader$/i.test(node.text));

function located(written: string, path: string, beside: boolean): string | null {
  const named = SCRIPT.exec(written)?.[1];
  const source = named && SOURCE.exec(path);
  if (!source || named.includes('..')) return null;
  const [, module = '', set, folder] = source;
  if (named.startsWith('src/')) return `${module}${named}`;
  const from = beside && !named.startsWith('/') && folder ? `${folder}/` : '';
  return `${module}src/${set}/resources/${from}${named.replace(/^\/+/, '')}`;
}
