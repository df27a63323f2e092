// Which variable a name means, where other methods, or other blocks of this one, have one of that name. It knows no types and lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { type Arguments, parts, type Text, textOf } from '../syntax.ts';
import type { Body } from './file.ts';
import { holderOf } from './held.ts';

/** By name, the blocks that have such a variable, in their order: they are given it, or give it a value. */
type Having = Map<string, Map<Syntax, { given?: true; assigned?: true }>>;

const ROUTINE = new Set(['method', 'singleton_method', 'class', 'module', 'singleton_class', 'program']);
const ASSIGNMENT = new Set(['assignment', 'operator_assignment']);
const SCOPE = new Set(['block', 'do_block', 'lambda']);

/**
 * `order.line`, in words that no other method has for an order of its own, nor another block of this one; of a method,
 * that no other class has. What callers give goes by its own name: the linker knows what they hand over for it.
 */
export function variable({ file, owner, method }: Body, node: Syntax, written: string): string {
  const name = /^[a-z_]\w*/.exec(written)?.[0];
  const routine = routineOf(node);
  if (name === undefined) return written;
  const its = (whose: string) => `${name}$${whose.replace(/[^\w$]/g, '_')}${written.slice(name.length)}`;
  const having = havingIn(file, routine).get(name);
  if (!having) return owner.attributes.has(name) ? `@${written}` : its(owner.name);
  const scope = scopeOf(node, having);
  if (scope === routine && having.get(scope)?.given) return written;
  const index = [...having.keys()].indexOf(scope);
  return its(`${owner.name}$${method ?? ''}$${index}`);
}

/** By its name, which others mostly have for the same row, and by which one it is. */
export const named = (body: Body, node: Syntax, written: string): string[] => [
  ...new Set([written, variable(body, node, written)]),
];

/** The variable that is given what comes of a call. */
export const holdersOf = (body: Body, node: Syntax): string[] =>
  holderOf(body.file, node).flatMap((name) => named(body, node, name));

/** What a call hands over for the parameters of the method, as far as that is a variable. */
export function handsOver(
  body: Body,
  { positional, keywords }: Arguments,
): Record<string, string> | undefined {
  let out: Record<string, string> | undefined;
  const hand = (place: number | string, node: Syntax) => {
    const written = textOf(body.file, node).replace(/:$/, '');
    if (HANDED.test(node.type) && PLAIN.test(written) && !body.owner.attributes.has(written))
      out = { ...out, [place]: variable(body, node, written) };
  };
  for (const [i, one] of positional.entries()) {
    if (one.type === 'splat_argument') break;
    hand(i, one);
  }
  for (const [name, { value }] of keywords) hand(name, value);
  return out;
}

const HANDED = /^(identifier|hash_key_symbol|call)$/;
const PLAIN = /^[a-z_]\w*(\.id)?$/;

/** Parameters of a method that its body gives other values. */
export const variesIn = (file: Text, routine: Syntax): string[] =>
  [...havingIn(file, routine)].flatMap(([name, having]) => {
    const { given, assigned } = having.get(routine) ?? {};
    return given && assigned ? [name] : [];
  });

/** Of those around, the next that is given it, or else the outermost that gives it a value. */
function scopeOf(node: Syntax, having: Map<Syntax, { given?: true }>): Syntax {
  let found = node;
  for (let one: Syntax | null = node; one; one = one.parent) {
    const how = having.get(one);
    if (how) found = one;
    if (how?.given || ROUTINE.has(one.type)) break;
  }
  return found;
}

/** The method, class or file that it stands in. */
export function routineOf(node: Syntax): Syntax {
  let one = node;
  while (one.parent && !ROUTINE.has(one.type)) one = one.parent;
  return one;
}

const known = new WeakMap<Syntax, Having>();

function havingIn(file: Text, routine: Syntax): Having {
  const found = known.get(routine);
  if (found) return found;
  const out: Having = new Map();
  known.set(routine, out);
  const has = (scope: Syntax, name: Syntax, how: { given?: true; assigned?: true }) => {
    if (name.type !== 'identifier') return;
    const text = textOf(file, name);
    const all = out.get(text) ?? new Map<Syntax, { given?: true; assigned?: true }>();
    out.set(text, all.set(scope, { ...all.get(scope), ...how }));
  };
  const given = (scope: Syntax, list: Syntax | undefined): void => {
    for (const one of parts(list))
      if (one.type === 'destructured_parameter') given(scope, one);
      else has(scope, child(one, 'name') ?? one, { given: true });
  };
  const within = (node: Syntax, scope: Syntax): void => {
    for (const one of node.children) {
      if (one.children.length === 0 || ROUTINE.has(one.type)) continue;
      const own = SCOPE.has(one.type) ? one : scope;
      if (own === one) given(own, child(one, 'parameters'));
      const left = ASSIGNMENT.has(one.type) ? child(one, 'left') : undefined;
      if (left)
        for (const name of left.type === 'identifier' ? [left] : left.children)
          has(scope, name, { assigned: true });
      within(one, own);
    }
  };
  given(routine, child(routine, 'parameters'));
  within(routine, routine);
  return out;
}
