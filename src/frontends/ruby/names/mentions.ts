// Where a variable stands in its method, and whether that is in a loop. Not what it holds.
import { child, type Syntax } from '../../syntax.ts';
import { type Text, textOf } from '../syntax.ts';
import { routineOf } from './variables.ts';

/** All places of a local variable in its method, or of an instance variable in these. */
export function mentionsOf(file: Text, name: string, routines: Syntax[]): Syntax[] {
  const [only, ...others] = routines;
  if (only && others.length === 0) return indexOf(file, only).get(name) ?? NONE;
  return routines.flatMap((one) => indexOf(file, one).get(name) ?? NONE);
}

const NONE: Syntax[] = [];
const known = new WeakMap<Syntax, Map<string, Syntax[]>>();
const NAMES = new Set(['identifier', 'instance_variable', 'hash_key_symbol']);
const ROUTINES = new Set(['method', 'singleton_method', 'class', 'module', 'singleton_class']);

function indexOf(file: Text, routine: Syntax): Map<string, Syntax[]> {
  const before = known.get(routine);
  if (before) return before;
  const out = new Map<string, Syntax[]>();
  known.set(routine, out);
  const stack = [routine];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (NAMES.has(node.type) && isVariable(node)) {
      const text = textOf(file, node);
      const name = text.endsWith(':') ? text.slice(0, -1) : text;
      const all = out.get(name);
      if (all) all.push(node);
      else out.set(name, [node]);
    }
    const { children } = node;
    for (let i = children.length - 1; i >= 0; i--)
      if (!ROUTINES.has(children[i]!.type)) stack.push(children[i]!);
  }
  return out;
}

/** What a method or a key is called is no variable; `list:` without a value is. */
function isVariable({ type, field, parent }: Syntax): boolean {
  if (type === 'hash_key_symbol') return parent?.type === 'pair' && !child(parent, 'value');
  return field !== 'method' && !(field === 'name' && parent && ROUTINES.has(parent.type));
}

/** A parameter of the method or of a block. */
export const isParameter = ({ parent, field }: Syntax): boolean =>
  /_parameters$|^destructured_parameter$/.test(parent?.type ?? '') ||
  (field === 'name' && /_parameter$/.test(parent?.type ?? ''));

/** Where a local variable is given a value in its method, and where it is a parameter; found once. */
export function givenIn(file: Text, name: string, routine: Syntax): { sets: Syntax[]; parameters: Syntax[] } {
  const mentions = mentionsOf(file, name, [routine]);
  let found = given.get(mentions);
  if (!found) {
    found = { sets: mentions.filter(isSet), parameters: mentions.filter(isParameter) };
    given.set(mentions, found);
  }
  return found;
}

const given = new WeakMap<Syntax[], { sets: Syntax[]; parameters: Syntax[] }>();

/** A local variable, in the words of its method alone. */
export const isLocal = (file: Text, node: Syntax): boolean =>
  node.type === 'identifier' && isGivenIn(givenIn(file, textOf(file, node), routineOf(node)));

const isGivenIn = ({ sets, parameters }: { sets: Syntax[]; parameters: Syntax[] }): boolean =>
  sets.length + parameters.length > 0;

/** It is given a value there, alone or among others. */
export const isSet = ({ parent, field }: Syntax): boolean =>
  (field === 'left' && /^(operator_)?assignment$/.test(parent?.type ?? '')) ||
  /^(left_assignment_list|exception_variable|for)$/.test(parent?.type ?? '');

/** Who run their block once. */
const ONCE =
  /^(transaction|with_lock|tap|then|yield_self|synchronize|unscoped|uncached|with_advisory_lock!?|instrument|measure|benchmark|connected_to|with_options|in_time_zone|use_zone|freeze_time)$/;

/** The blocks and loops between a place and what is around, the innermost first; null where one keeps it for later, unless that is one of them. */
export function loopsAround(file: Text, node: Syntax, top: Syntax, later = false): Syntax[] | null {
  const out: Syntax[] = [];
  for (let one = node.parent; one && one !== top && !ROUTINES.has(one.type); one = one.parent) {
    if (one.type === 'lambda' && !later) return null;
    if (one.type === 'lambda') out.push(one);
    if (/^(while|until|for|while_modifier|until_modifier)$/.test(one.type)) out.push(one);
    if (/^(do_)?block$/.test(one.type) && !runsOnce(file, one)) out.push(one);
  }
  return out;
}

/** Whether who is handed the block runs it once. */
export function runsOnce(file: Text, block: Syntax): boolean {
  const asked = block.parent && child(block.parent, 'method');
  return asked !== null && asked !== undefined && ONCE.test(textOf(file, asked));
}
