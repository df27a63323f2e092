// Classes that are one command: what they say of other commands that they run, and of what runs around them. What a call of one means stands in the tables.
import type { Call, Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import {
  addRoutine,
  type Macro,
  methodName,
  type Owner,
  type RubyFile,
  resolveConstant,
} from '../names/file.ts';
import { argumentsOf, parts, spanOf, textOf, word } from '../syntax.ts';
import { addAround, wrapAction } from './actions.ts';

const COMMAND = /(^ruby:|::)(Interactor(::Organizer)?|\w*Actor)$/;

export const isCommand = ({ declaration, kind }: Owner) =>
  kind === 'class' && declaration.bases.some((base) => COMMAND.test(base));

/** `organize Check, Pay` of Interactor, `play Check, :own` of Actor: its `call` runs them one after the other. */
export function organized({ file, owner, node, args }: Macro): void {
  if (!isCommand(owner)) return;
  const all = args.positional.flatMap((one) => (one.type === 'array' ? parts(one) : [one]));
  const body = all.flatMap((one): Call[] => {
    const callee = commandOf(file, owner, one.type, textOf(file, one), word(file, one));
    return callee ? [{ kind: 'call', at: spanOf(one), callee }] : [];
  });
  const name = methodName(owner, 'call', false);
  const known = file.unit.routines.find((routine) => routine.name === name);
  if (known) known.body.push(...body);
  else addRoutine(file, { name, at: spanOf(node), entry: 'called', startsIn: 'caller', body });
}

function commandOf(
  file: RubyFile,
  owner: Owner,
  type: string,
  written: string,
  method: string | null,
): Name | null {
  if (method) return methodName(owner, method, false);
  return /^(constant|scope_resolution)$/.test(type) ? `${resolveConstant(file, written, owner)}#call` : null;
}

/** `around :guard` and `around do |interactor|` of Interactor: what calls that runs the command. */
export function surrounded({ owner, node, args, file }: Macro): void {
  if (owner.kind === 'module') {
    const name = args.block ? methodName(owner, 'around_call', false) : null;
    const method = word(file, args.positional[0]);
    if (args.block && name) addAround(file, owner, name, args.block);
    const around = method ? methodName(owner, method, false) : name;
    if (around) owner.declaration.around = { call: around };
    return;
  }
  if (!isCommand(owner)) {
    steppedAround(file, owner, node, args);
    return;
  }
  const shared = { around: true, only: ['call'], except: null, at: node };
  for (const one of args.positional)
    owner.callbacks.push({ ...shared, method: word(file, one), block: null });
  if (args.block) owner.callbacks.push({ ...shared, method: null, block: args.block });
}

/** What it organizes runs in what it puts around, which may be said after it. */
export function wrapOrganized(file: RubyFile, owner: Owner): void {
  if (!owner.callbacks.some(({ around }) => around) || !isCommand(owner)) return;
  if (owner.methods.some(({ name }) => name === 'call')) return; // a method is wrapped as it is read
  const name = methodName(owner, 'call', false);
  const routine = file.unit.routines.find((one) => one.name === name);
  if (routine) routine.body = wrapAction(file, owner, 'call', routine.body);
}

/** Dry::Transaction and Trailblazer: `step :persist`, `step Subprocess(Pay)`, `step Wrap(Guard) { step :persist }`. */
export function stepped(given: Macro): void {
  const { file, owner, node, args } = given;
  if (owner.kind !== 'class' || !hasSteps(owner)) return;
  go(file, owner, node, stepsIn(given, args.positional[0], node));
}

/** The next steps of a class that runs them one after the other. */
function go(file: RubyFile, owner: Owner, node: Syntax, steps: Call[]): void {
  if (steps.length === 0) return;
  const name = methodName(owner, 'call', false);
  const known = within.get(owner) ?? file.unit.routines.find((routine) => routine.name === name)?.body;
  if (known) known.push(...steps);
  else addRoutine(file, { name, at: spanOf(node), entry: 'called', startsIn: 'caller', body: steps });
}

/** The block that the next steps of a class stand in. */
const within = new WeakMap<Owner, Step[]>();

/** `around :guard` of Dry::Transaction: all steps behind it are its block. */
function steppedAround(file: RubyFile, owner: Owner, node: Syntax, args: Macro['args']): void {
  const method = word(file, args.positional[0]);
  if (!method || owner.kind !== 'class' || args.keywords.has('with') || !hasSteps(owner)) return;
  const block: Step[] = [];
  go(file, owner, node, [
    { kind: 'call', at: spanOf(node), callee: methodName(owner, method, false), block },
  ]);
  within.set(owner, block);
}

const hasSteps = ({ declaration, superclass }: Owner): boolean =>
  STEPS.test([...declaration.bases, superclass ?? ''].join(' '));

const STEPS = /\bDry::Transaction\b|\bTrailblazer::|Operation( |$)/;

function stepsIn({ file, owner, args }: Macro, first: Syntax | undefined, node: Syntax): Call[] {
  if (!first) return [];
  const called = child(first, 'method');
  if (first.type === 'call' && called && /^(Subprocess|Nested)$/.test(textOf(file, called))) {
    const [of] = argumentsOf(file, first).positional;
    const callee = of && commandOf(file, owner, of.type, textOf(file, of), null);
    return callee ? [{ kind: 'call', at: spanOf(of), callee }] : [];
  }
  const block = args.block ?? (first.type === 'call' ? argumentsOf(file, first).block : undefined);
  if (block) {
    const inside = parts(child(block, 'body')).flatMap((one): Call[] => {
      const inner = argumentsOf(file, one);
      return one.type === 'call'
        ? stepsIn({ file, owner, args: inner } as Macro, inner.positional[0], one)
        : [];
    });
    const [by] = argumentsOf(file, first).positional;
    if (!by || !/^(constant|scope_resolution)$/.test(by.type) || inside.length === 0) return inside;
    // `Wrap(Guard)`: a class or a module that is called with the steps as its block.
    const callee: Name = `${resolveConstant(file, textOf(file, by), owner)}.call`;
    const meanings = [{ steps: [{ kind: 'yield', at: spanOf(by) } as const] }];
    return [{ kind: 'call', at: spanOf(by), callee, block: inside, meanings }];
  }
  const method = word(file, first);
  return method ? [{ kind: 'call', at: spanOf(node), callee: methodName(owner, method, false) }] : [];
}
