// What runs inside a lambda or the methods of an anonymous class, and what leaving it leaves. Who runs it is decided in the room of calls.
import type { Name, Step } from '../../../ir.ts';
import type { Body, Handed } from '../calls/body.ts';
import { steps as meant, type Site } from '../calls/meaning.ts';
import { implementer } from '../names/known.ts';
import { componentsOf } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Lambda, Node, Parameter, TypeBody } from '../syntax/syntax.ts';
import { apart } from '../texts/retold.ts';
import { listOfSize } from '../texts/written.ts';
import { type Around, leavesTo } from './leaves.ts';

interface Lambdas extends Pick<Body, 'lambda' | 'anonymous'> {
  given(value: Node, out: Step[]): void;
}

export function createLambdas(
  body: Body,
  around: Around,
  bind: (parameter: Parameter, found: Typed | null, loaded?: boolean) => void,
): Lambdas {
  const { sight } = body;
  return { lambda, anonymous, given };

  /** `return args -> …`: whoever gets it runs it, a framework in what it says around its own methods. */
  function given(value: Node, out: Step[]): void {
    const inner = value.kind === 'cast' ? value.value : value;
    if (inner.kind !== 'lambda') return;
    const said = value.kind === 'cast' ? body.type(value.type) : sight.returns;
    const implements_ = said && implementer.get(said.name);
    const given = implements_?.gives?.map((name) => ({ name, arguments: said!.arguments })) ?? [];
    const block = lambda(inner, given);
    if (block.length === 0) return;
    const callee: Name = `jvm:${said?.name ?? '?'}.lambda`;
    const at = { start: inner.start, end: inner.start + 1 };
    const site: Site = {
      at, label: '', callee, arguments: [], types: [], receiver: said ?? null, body: block, constants: body.constants,
    }; // biome-ignore format: short
    out.push({
      kind: 'call',
      callee,
      at,
      elsewhere: true,
      block: implements_ ? meant(implements_, site) : block,
    });
  }

  /** A `return` inside mostly leaves the lambda and not the method: a block that is left. */
  function inLambda({ start, label: name, isFunction, body: own }: Lambda): Step[] {
    const { lambdas, breaksTo } = around;
    const label = `lambda ${++around.blocks}`;
    const leaving: Around['lambdas'][number] = { block: label, name, isFunction };
    around.lambdas = [...lambdas, leaving];
    around.breaksTo = null;
    const out: Step[] = [];
    const value = body.run(own, out);
    body.gave = leaving.gives ?? value;
    const last = out.at(-1);
    if (last?.kind === 'exit' && last.label === label) out.pop();
    Object.assign(around, { lambdas, breaksTo });
    const needsBlock = out.some((step) => leavesTo(step, label));
    return needsBlock ? [{ kind: 'block', at: { start, end: start + 1 }, label, body: out }] : out;
  }

  function lambda(
    node: Lambda,
    given: (Typed | null)[],
    receiver?: Typed | null,
    { loaded, pieces, made }: Handed = {},
  ): Step[] {
    const parameters = node.parameters;
    const before = parameters.map(({ name }) => [name, sight.locals.get(name)] as const);
    const parts = parameters.length > 1 && given.length === 1 ? componentsOf(given[0]!, body.world) : null;
    for (const [index, parameter] of parameters.entries())
      bind(parameter, (parts ?? given)[index] ?? null, loaded);
    const [first] = parameters;
    const is = pieces ? listOfSize(pieces) : made;
    if (first && is) sight.locals.get(first.name)!.made = is;
    if (receiver) sight.receivers.push(receiver);
    const handed = sight.handed ?? [];
    sight.handed = [...handed, node.start];
    const out = apart(sight, () => inLambda(node));
    sight.handed = handed;
    if (receiver) sight.receivers.pop();
    for (const [name, value] of before)
      if (value) sight.locals.set(name, value);
      else sight.locals.delete(name);
    return out;
  }

  function anonymous(own: TypeBody, given: (Typed | null)[]): Step[] {
    const arms = own.methods
      .filter((method) => method.body)
      .map((method) =>
        lambda(
          {
            kind: 'lambda',
            start: method.start,
            end: method.end,
            parameters: method.parameters,
            body: method.body!,
            label: method.name,
            isFunction: true,
          },
          given,
        ),
      )
      .filter((arm) => arm.length > 0);
    // new Properties() {{ put(…); }}
    const made = own.initialisers.flatMap((node) => {
      const out: Step[] = [];
      body.run(node, out);
      return out;
    });
    if (arms.length <= 1) return [...made, ...(arms[0] ?? [])];
    return [
      ...made,
      { kind: 'branch', at: { start: own.start, end: own.start + 1 }, arms, exhaustive: false },
    ];
  }
}
