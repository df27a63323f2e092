// What a function hands on of what it is given by any name: `atomic(**options)`. Which callers say what is the linker's.
import type { Routine } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { assignments } from './assignments.ts';
import { type File, kept, type Place, textOf } from './scope.ts';

type Flag = NonNullable<Routine['flags']>[number];

const all = kept((_, __: File) => new Map<Syntax, Map<string, Flag>>());

/** What its callers may say so, as far as it hands that on. */
export const forwardedBy = (c: Place, definition: Syntax): Flag[] => [
  ...(all(c, c.file).get(definition)?.values() ?? []),
];

/** Whether callers of the function around, or of one around that, say by this name what the call is given, and nobody else does. */
export function isForwarded(c: Place, call: Syntax, flag: Flag): boolean {
  const list = call.type === 'call' ? (child(call, 'arguments')?.children ?? []) : [];
  const rest = list.find((one) => one.type === 'dictionary_splat')?.children[0];
  if (!c.keeps || rest?.type !== 'identifier') return false;
  const by = takerOf(c, rest);
  if (!by || parametersOf(by).some((one) => textOf(c.file, child(one, 'name') ?? one) === flag.name))
    return false;
  c.keeps.flags = true;
  const flags = all(c, c.file);
  const its = flags.get(by) ?? new Map<string, Flag>();
  flags.set(by, its.set(flag.name, flag));
  return true;
}

/** The function that takes as `**options` what is called so here, and changes nothing of it. */
export function takerOf(c: Place, rest: Syntax): Syntax | undefined {
  const name = textOf(c.file, rest);
  if (assignments(c, rest, name) > 0) return undefined;
  for (let at = rest.parent; at; at = at.parent) {
    if (at.type !== 'function_definition') continue;
    const plain = parametersOf(at).map((one) => (one.type === 'typed_parameter' ? one.children[0]! : one));
    const its = plain.find((one) => textOf(c.file, one.children[0] ?? one) === name);
    if (its) return its.type === 'dictionary_splat_pattern' ? at : undefined;
  }
  return undefined;
}

const parametersOf = (definition: Syntax): Syntax[] => child(definition, 'parameters')?.children ?? [];
