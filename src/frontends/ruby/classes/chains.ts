// Callbacks of a kind that a class declares for itself, `define_model_callbacks :import`, and what `run_callbacks(:import) { … }` then runs. Not those of a save, which the save runs.
import type { Name, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, type Macro, methodName, newBody, type Owner } from '../names/file.ts';
import { lower } from '../steps/body.ts';
import { parts, spanOf, textOf, word } from '../syntax.ts';
import { perhaps } from './machines.ts';

/** One callback: what it puts before, after or around what stands inside, and by class and kind as they stand there. */
type Ran = (inside: Step[]) => Step[];
interface Chain {
  kind: string;
  ran: Ran[];
  /** What runs when all of the others are through, those of the classes above too. */
  last: Step[];
}
const chains = new WeakMap<Owner, Chain[]>();

const OWN = /^(before|after|around)_(\w+)$/;
export const isOwn = (name: string): boolean => OWN.test(name);

/** `around_import :guard`, `set_callback :import, :around, :guard`: one more of that kind. */
export function chained(given: Macro, isSet = false): void {
  const { file, owner, node, name, args, singleton } = given;
  const [, when, kind] = OWN.exec(name) ?? [];
  if (!when || !kind || owner.kind === 'file' || singleton) return;
  const all = [...args.positional, ...(args.block ? [args.block] : [])];
  const ran = all.flatMap((one) => ranBy(given, one, when));
  if (ran.length === 0) return;
  const mine = chains.get(owner) ?? [];
  chains.set(owner, mine);
  const chain = mine.find((one) => one.kind === kind) ?? { kind, ran: [], last: [] };
  if (!mine.includes(chain)) mine.push(chain);
  if (when === 'after' && !isSet) chain.last.push(...ran.flatMap((one) => one([])));
  else chain.ran.push(...ran);
  const at = spanOf(child(node, 'method') ?? node);
  const called = methodName(owner, 'run_callbacks', false);
  const known = file.unit.routines.find((routine) => routine.name === called);
  if (known?.implied) known.body = bodyOf(owner, at, mine);
  else if (!known)
    addRoutine(file, {
      name: called,
      at,
      entry: 'called',
      startsIn: 'caller',
      implied: true,
      flags: [KIND],
      body: bodyOf(owner, at, mine),
    });
}

/** What `run_callbacks` is asked for. */
const KIND = { name: 'kind', position: 0 };

const RUNS = (at: Span): Step => ({ kind: 'yield', at });

/** Around all of it what the classes above say; where nobody says anything, the block runs. */
function bodyOf(owner: Owner, at: Span, mine: Chain[]): Step[] {
  const block = mine.reduce(
    (rest, { kind, ran }) =>
      ofKind(
        at,
        kind,
        ran.reduceRight((steps, one) => one(steps), [RUNS(at)]),
        rest,
      ),
    [RUNS(at)],
  );
  const above: Step = {
    kind: 'call',
    at,
    callee: `ruby:${owner.name}^#run_callbacks`,
    args: 1,
    given: { 0: { parameter: KIND.name } },
    block,
    meanings: [{ steps: [RUNS(at)] }],
  };
  return [above, ...mine.flatMap(({ kind, last }) => (last.length > 0 ? ofKind(at, kind, last, []) : []))];
}

const ofKind = (at: Span, kind: string, steps: Step[], rest: Step[]): Step[] => [
  {
    kind: 'branch',
    at,
    arms: [steps, rest],
    exhaustive: true,
    when: { parameter: KIND.name, is: 'true', among: [kind] },
  },
];

function ranBy({ file, owner, name, args }: Macro, one: Syntax, when: string): Ran[] {
  const conditional = ['if', 'unless'].some((option) => args.keywords.has(option));
  const at = spanOf(one);
  const method = word(file, one);
  const written = /^(lambda|block|do_block)$/.test(one.type);
  if (!method && !written) return [];
  const body = newBody(file, owner, false, name);
  if (written && when === 'around')
    body.blockName =
      parts(child(one, 'parameters'))
        .map((each) => textOf(file, each))
        .at(-1) ?? null;
  const steps: Step[] = method
    ? [{ kind: 'call', at, callee: `ruby:${owner.name}#${method}` as Name }]
    : lower(body, child(one, 'body'));
  const some = conditional ? perhaps(at, steps) : steps;
  if (when === 'before') return [(inside) => [...some, ...inside]];
  if (when === 'after') return [(inside) => [...inside, ...some]];
  const around = (inside: Step[]): Step[] =>
    method
      ? [{ kind: 'call', at, callee: `ruby:${owner.name}#${method}` as Name, block: inside }]
      : inlined(steps, inside);
  // Whether it is there nobody knows.
  return conditional ? [] : [around];
}

/** The block of a block, `block.call`, with what it runs in its place. */
export function inlined(steps: Step[], block: Step[]): Step[] {
  return steps.flatMap((step): Step[] => {
    if (step.kind === 'yield') return block;
    if ('body' in step) return [{ ...step, body: inlined(step.body, block) } as Step];
    return [step];
  });
}
