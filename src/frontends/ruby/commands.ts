// Classes that are one command: what they say of other commands that they run, and of what runs around them. What a call of one means stands in the tables.
import type { Call, Name } from '../../ir.ts';
import { addRoutine, methodName, type Owner, type RubyFile, resolveConstant } from './file.ts';
import type { Macro } from './rails.ts';
import { parts, spanOf, textOf, word } from './syntax.ts';

const COMMAND = /(^ruby:|::)(Interactor(::Organizer)?|\w*Actor)$/;

const isCommand = ({ declaration, kind }: Owner) =>
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
  if (!isCommand(owner)) return;
  const shared = { around: true, only: ['call'], except: null, at: node };
  for (const one of args.positional)
    owner.callbacks.push({ ...shared, method: word(file, one), block: null });
  if (args.block) owner.callbacks.push({ ...shared, method: null, block: args.block });
}
