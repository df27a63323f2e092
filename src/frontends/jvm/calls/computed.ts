// Functions of the database in the parts of a query that a framework builds: `select(function("safe_price", …))`. The server calls them for each of its rows. It reads no whole statement.

import type { Meaning } from '../../../framework.ts';
import type { Name, Span, Step } from '../../../ir.ts';
import { computedBy, once } from '../../sql/queries/fragment.ts';
import { isLarge } from '../../words.ts';
import { apis, comparing, computing, expressing, holdsRoutines, methodOf } from '../names/known.ts';
import { typeOfName, variable } from '../names/scope.ts';
import { snakeOf } from '../names/snake.ts';
import type { Argument, Call, Node } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import type { Body } from './body.ts';
import { asSql } from './meaning.ts';
import { inside } from './picked.ts';

/** Names that stand for others are followed so far. */
const DEEPEST = 4;

/** What a chain of calls makes the server call besides; a query may be made and never asked. */
export function computed(links: Call[], body: Body): Step[] {
  const parts = links.filter((link) => computing.parts.has(link.name) || isCompared(link, body));
  if (parts.length === 0) return [];
  const found = parts.flatMap(({ name, arguments: given }) =>
    given
      .flatMap(({ value }) => functionsIn(value, body, 0))
      .map((one) => (computing.columns.has(name) ? one : { ...one, ofColumn: true })),
  );
  if (found.length === 0) return [];
  const isOne = takesOne(links, body);
  const hasTable = links.some(({ name }) => computing.tables.has(name));
  return found.flatMap(({ at, steps, ofColumn }): Step[] => {
    const sure = steps.map((step): Step => ({ ...step, certainty: 'likely' }));
    if (isOne || !(hasTable || ofColumn)) return once(sure);
    return [{ kind: 'loop', at, over: 'query', times: null, certainty: 'likely', body: once(sure) }];
  });
}

/** `cb.equal(cb.function(…), name)`: whichever query takes it has it for each of its rows. */
function isCompared({ name, object }: Call, { sight, world }: Body): boolean {
  if (!computing.compared.has(name) || object?.kind !== 'name') return false;
  const type = variable(object.text, sight, world)?.type;
  return type ? type.name.endsWith('CriteriaBuilder') : BUILDER.test(object.text);
}

const BUILDER = /^(?:cb|builder|criteriaBuilder)$/;

/** Who asks takes one row, or a key picks it; what is not asked in this chain may be so further on. */
function takesOne(links: Call[], { sight, world }: Body): boolean {
  if (links.some(({ name }) => computing.one.has(name))) return true;
  const last = links.at(-1)!;
  const isAsked = !computing.parts.has(last.name) && !computing.tables.has(last.name);
  const rest = isAsked ? '' : world.text.slice(last.end, sight.end ?? last.end);
  if ([...rest.matchAll(/\.\s*(\w+)\s*\(/g)].some(([, name]) => computing.one.has(name!))) return true;
  return links.some(
    ({ name, arguments: given }) => comparing.within.has(name) && given.some(({ value }) => isOfKey(value)),
  );
}

/** Whether such a call stands in it that is kept in a variable. */
export const expresses = (node: Node): boolean =>
  node.kind === 'call' &&
  (expressing(node.creates?.name ?? node.name) !== undefined ||
    (node.object !== null && expresses(node.object)) ||
    node.arguments.some(({ value }) => expresses(value)));

/** `PRODUCT.ID.eq(id)`, `Products.id eq id`, `cb.equal(root.get("id"), id)`: of whichever table, the name says that it is a key. */
const isOfKey = (node: Node): boolean =>
  (node.kind === 'call' &&
    comparing.equal.has(node.name) &&
    [node.object, node.arguments[0]?.value].some((one) => one && isKey(one))) ||
  (node.kind === 'several' &&
    node.items.length === 3 &&
    node.items[1]!.kind === 'name' &&
    comparing.equal.has(node.items[1]!.text) &&
    isKey(node.items[0]!)) ||
  (node.kind === 'call' && node.object !== null && isOfKey(node.object)) ||
  inside(node).some(isOfKey);

function isKey(node: Node): boolean {
  if (node.kind === 'call' && COLUMN.test(node.name)) return node.arguments.some(({ value }) => isKey(value));
  const said =
    node.kind === 'member'
      ? node.name
      : node.kind === 'name'
        ? node.text
        : node.kind === 'text'
          ? node.source.text
          : '';
  return /^id$/i.test(said);
}

interface Found {
  at: Span;
  steps: Step[];
  /** It is given a column. */
  ofColumn: boolean;
}

function functionsIn(node: Node, body: Body, deep: number): Found[] {
  const found = node.kind === 'call' ? expressed(node, body) : null;
  if (found) return [found];
  // It was told where that stands.
  if (node.kind === 'call' && isCompared(node, body)) return [];
  const named = node.kind === 'name' && deep < DEEPEST ? body.constants(node) : null;
  if (named && named.kind !== 'lambda') return functionsIn(named, body, deep + 1);
  const object = node.kind === 'call' && node.object ? functionsIn(node.object, body, deep) : [];
  return [...object, ...inside(node).flatMap((one) => functionsIn(one, body, deep))];
}

function expressed(node: Call, body: Body): Found | null {
  const { at, arguments: given } = node;
  const said = expressing(node.creates?.name ?? node.name) ? meaningOf(node, body) : undefined;
  const where = said?.piece ?? said?.expression;
  const text = typeof where === 'number' && given[where] ? textOf(given[where].value, body.constants) : null;
  if (text && said!.piece !== undefined) {
    const steps = computedBy(asSql(text), '');
    return steps.length > 0 ? { at, steps, ofColumn: TAKES.test(text.text) } : null;
  }
  const name = text && /^[\w.]+$/.test(text.text) ? text.text.toLowerCase() : generated(node, body);
  const ofColumn = given.slice(text ? 1 : 0).some(isColumn);
  if (name) return { at, steps: [{ kind: 'call', callee: `sql:${name}`, at }], ofColumn };
  const own = ofColumn ? ownExpression(node, body) : null;
  return own && { at, steps: [{ kind: 'call', callee: own, at, meanings: [{ steps: [] }] }], ofColumn };
}

/** `normalise(name)`, `normalise({0})`: of a column, and no literal. */
const TAKES = /\(\s*(?:[a-z_{"]|\?|:)/i;
/** What such an object becomes; no method of a program is called so. */
export const COMPILED = '$computed';

/** `Normalise(People.name)`: of which function an object of that class is a call, its own file says. */
function ownExpression({ creates, name, object }: Call, { sight, world, type }: Body): Name | null {
  if (object || !isLarge(creates?.name ?? name) || !(creates || world.isKotlin)) return null;
  const made = creates ? type(creates) : typeOfName(name, sight, world);
  return made && !world.isForeign(made.name) ? `jvm:${made.name}.${COMPILED}` : null;
}

function meaningOf({ creates, name, object, arguments: given }: Call, body: Body): Meaning | undefined {
  const { sight, world } = body;
  if (creates) return apis.get(body.type(creates)?.name ?? '');
  if (!object) {
    const path = world.names.function(name) ?? (world.isKotlin ? typeOfName(name, sight, world)?.name : null);
    return apis.get(path ?? '');
  }
  const type = body.run(object, [])?.name;
  // `(root, query, cb) -> …`: nobody says what they are.
  if (type === undefined) return isClass(given[1]?.value, body) ? expressing(name) : undefined;
  return methodOf(type, name) ?? apis.get(`${type}.${name}`);
}

const isClass = (node: Node | undefined, { world }: Body): boolean =>
  node !== undefined && /(?:\.class|::class(?:\.java\w*)?)$/.test(world.text.slice(node.start, node.end));

/** `Routines.safePrice(PRODUCT.PRICE)` of what a generator makes. */
function generated({ name, object, arguments: given }: Call, { sight, world }: Body): string | null {
  if (given.length === 0 || !given.some(isColumn)) return null;
  const path = object ? null : world.names.function(name);
  const type = path
    ? path.slice(0, path.lastIndexOf('.'))
    : object?.kind === 'name'
      ? typeOfName(object.text, sight, world)?.name
      : undefined;
  return type && holdsRoutines(type) ? snakeOf(path ?? name) : null;
}

/** `PRODUCT.PRICE`, `Products.price`, `root.get("price")`, `field("price")`; no literal, and no class. */
const isColumn = ({ value }: Argument): boolean =>
  value.kind === 'member'
    ? value.name !== 'class' && value.name !== 'java'
    : value.kind === 'call'
      ? COLUMN.test(value.name) || value.arguments.some(isColumn)
      : inside(value).some((one) => isColumn({ value: one }));

const COLUMN = /^(get|field|column|path)$/;
