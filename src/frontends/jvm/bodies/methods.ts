// A method's body as steps, and what its parameters are in it; what statements do is told in body.ts.
import type { Routine, Step } from '../../../ir.ts';
import { goesOn, settleConnections } from '../calls/connections.ts';
import { apis, connectionOf, implemented, isConnection } from '../names/known.ts';
import { onlyReads } from '../names/loaded.ts';
import { isFlag, isSql, isTurned, isWork, mayBeNone, ofReceiver, perhaps } from '../names/parameters.ts';
import {
  type Class,
  freeIn,
  parameterVariable,
  type Sight,
  type Variable,
  type World,
} from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Method, Node } from '../syntax/syntax.ts';
import { atMostOf } from '../texts/bounds.ts';
import { createBody, type Hooks } from './body.ts';
import { withoutLastReturn } from './leaves.ts';

export function lowerMethod(
  method: Method,
  owner: Class | null,
  world: World,
  hooks: Hooks,
  said: (Node | undefined)[] = [],
): { body: Step[]; gives?: Typed | null; tells: Routine['tells'] } {
  const free = freeIn(owner?.free, method.typeParameters);
  const returns = method.returns ? world.names.type(method.returns, owner?.around ?? [], free) : null;
  const sight: Sight = {
    owner, locals: new Map(owner?.captured?.locals), outside: owner?.captured?.outside, receivers: [], free, returns, onlyReads: onlyReads(method, owner), end: method.end, name: method.name,
  }; // biome-ignore format: short
  const gives = givenBy(method, owner);
  for (const [place, parameter] of method.parameters.entries()) {
    const declared = parameter.type ? world.names.type(parameter.type, owner?.around ?? [], free) : null;
    const type = declared && { ...declared, name: gives[place] ?? declared.name };
    const flag = isFlag(parameter, method, world) && ({ flag: true } as const);
    const none = mayBeNone(parameter, method, world) && ({ mayBeNone: true } as const);
    const text = isSql(parameter, method, world) && ({ text: true } as const);
    const listed = isTurned(parameter, method, world) && ({ listed: true } as const);
    const asked = type && {
      ...connectionOf(type, parameter.name)!,
      ...perhaps(parameter, type, method, world),
    };
    sight.locals.set(parameter.name, {
      ...(isWork(parameter, type, method, world) && { callback: 'maybe' }),
      ...parameterVariable(parameter, asked),
      ...flag,
      ...none,
      ...text,
      ...listed,
      ...(said[place] && { value: said[place] }),
      ...boundOf(parameter, owner, world),
      ...(!method.receiver && { parameter: { name: parameter.name, place } }),
      handed: parameter,
    });
  }
  if (method.receiver) {
    const type = world.names.type(method.receiver, owner?.around ?? [], free);
    if (type) sight.receivers.push({ ...type, ...ofReceiver(type) });
  }
  const out: Step[] = [];
  const body = createBody(sight, world, hooks);
  for (const { otherwise } of method.parameters) {
    const arm: Step[] = [];
    if (otherwise && otherwise.kind !== 'lambda') body.run(otherwise, arm);
    const { start, end } = otherwise ?? method;
    if (arm.length > 0) out.push({ kind: 'branch', at: { start, end }, arms: [arm], exhaustive: false });
  }
  const value = method.body ? body.run(method.body, out) : null;
  // `= TransactionTemplate(manager).apply { … }`
  const given = method.body?.kind === 'several' ? method.body : null;
  if (given) body.asks.returned(given);
  if (given) sight.gives ??= value;
  const handed = connectionsIn(new Map(method.parameters.map(({ name }) => [name, sight.locals.get(name)!])));
  settleConnections(out, { parameters: handed, fields: owner ? fieldsOf(owner) : [] });
  goesOn(out);
  return { body: withoutLastReturn(out), gives: sight.gives, tells: body.asks.told() };
}

/** What the framework gives a method that it calls: a library's class under an older name, which may be any list. */
const givenBy = ({ name }: Method, owner: Class | null): string[] =>
  owner?.bases.flatMap((base) => implemented.get(`${base.name}.${name}`)?.gives ?? []) ?? [];

/** `@Size(max = 30) List<Order> orders` */
function boundOf(
  { annotations }: Method['parameters'][number],
  owner: Class | null,
  { names }: World,
): { made?: Node } {
  for (const { name, arguments: given } of annotations) {
    const full = names.typeNamed(name, owner?.around ?? []);
    const limits = full ? apis.get(full)?.limits : undefined;
    const most = limits !== undefined && given.find((one) => one.name === limits)?.value;
    if (most) return { made: atMostOf(most) };
  }
  return {};
}

/** What of these holds one. */
const connectionsIn = (variables: Map<string, Variable>): string[] =>
  [...variables].flatMap(([name, { type }]) => (isConnection(type) ? [name] : []));

const fieldsOf = (owner: Class): string[] => (owner.connections ??= connectionsIn(owner.fields));

export function lowerNodes(nodes: Node[], owner: Class | null, world: World, hooks: Hooks): Step[] {
  const body = createBody(
    { owner, locals: new Map(), receivers: [], free: owner?.free ?? new Map() },
    world,
    hooks,
  );
  const out: Step[] = [];
  for (const node of nodes) body.run(node, out);
  settleConnections(out, { parameters: [], fields: owner ? fieldsOf(owner) : [] });
  return out;
}
