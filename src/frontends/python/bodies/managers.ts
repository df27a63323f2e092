// What entering an object of a class runs, and calling a class that is named like a function. Its methods are lowered elsewhere.
import { inside, type Name, type Routine, type Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { ClassInfo } from '../names/scope.ts';

export const routineOf = ({ start, end }: Syntax, path: string, body: Step[]): Routine => ({
  name: `python:${path}`,
  at: { start, end },
  kind: 'function',
  entry: 'called',
  startsIn: 'caller',
  body,
});

/** A class with __enter__ and __exit__: entering it runs the block between the two. */
export function entersAndExits(made: Map<string, Routine>): void {
  for (const [enter, exit] of [
    ['__enter__', '__exit__'],
    ['__aenter__', '__aexit__'],
  ] as const) {
    const first = made.get(enter);
    const last = made.get(exit);
    if (!first || !last) continue;
    const opening = first.body.filter((step) => !(step.kind === 'exit' && step.how === 'return'));
    const yielded: Step = { kind: 'yield', at: first.at };
    // It yields already where it enters another scope.
    const enters = opening.some(runsInside);
    first.body = [...opening, ...(enters ? [] : [yielded]), ...last.body];
    if (!first.flags && last.flags) first.flags = last.flags;
    if (enter === '__aenter__' && !made.has('__enter__'))
      first.name = first.name.replace(/__aenter__$/, '__enter__') as Name;
  }
}

/** What it is given runs within what this step opens or calls, be that decorated or not. */
const runsInside = (step: Step): boolean =>
  /^(scope|call)$/.test(step.kind) &&
  inside(step).some((list) => list.some((one) => one.kind === 'yield' || runsInside(one)));

/** Its name looks like a function's, and other files take it for one: what calling it does, or entering what that makes. */
export function likeFunction({ path, node }: ClassInfo, made: Map<string, Routine>): Routine | undefined {
  const enters = made.get('__enter__') ?? made.get('__aenter__');
  const its = enters ?? made.get('__init__');
  if (!its) return undefined;
  const block: Step[] = [{ kind: 'yield', at: its.at }];
  const { flags } = its;
  const given = flags && Object.fromEntries(flags.map(({ name }) => [name, { parameter: name }]));
  const handed = given && { args: 0, given };
  const call: Step = { kind: 'call', at: its.at, callee: its.name, ...handed, ...(enters && { block }) };
  return { ...routineOf(child(node, 'name') ?? node, path, [call]), ...(flags && { flags }), implied: true };
}
