// Macros of a program's own: what a method of a class or a module says of whoever calls it in its body, as if that took in a module which says so. Not what it does when it runs.
import { child, type Syntax } from '../../syntax.ts';
import type { Method, Owner, RubyFile } from '../names/file.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';
import { CALLBACK, macro } from './rails.ts';
import type { State } from './state.ts';

const SAYS = /^(include|extend|prepend|has_many|has_one|belongs_to|has_and_belongs_to_many)$/;

/** `def tracked = after_save :track`: the module of this macro, `Tracking::tracked`, unless the method is none. */
export function asMacro(
  state: State,
  { owner, name, node, at, singleton }: Method,
  make: (name: string, nesting: string[], at: Syntax) => Owner,
): void {
  if (owner.kind === 'file' || (owner.kind === 'class' && !singleton)) return;
  const said = saidIn(state.file, child(node, 'body'), false);
  if (!said.some(({ name }) => CALLBACK.test(name))) return;
  const module = make(`${owner.name}::${name}`, owner.nesting, at);
  // Whoever calls it has that too.
  module.declaration.bases.push(owner.declaration.name);
  owner.declaration.macros = { ...owner.declaration.macros, [name]: module.declaration.name };
  for (const { node, name, perhaps } of said)
    state.later.push(() => {
      const { triggers } = state.file.unit;
      const before = triggers.length;
      macro(state.file, module, node, name);
      if (perhaps) for (const one of triggers.slice(before)) one.conditional = true;
    });
}

interface Said {
  node: Syntax;
  name: string;
  perhaps: boolean;
}

/** The declarations among its statements, also where a condition or `class_eval` stands around them. */
function saidIn(file: RubyFile, node: Syntax | undefined, perhaps: boolean): Said[] {
  if (!node) return [];
  if (node.type !== 'call')
    return /^(body_statement|begin|then|else|elsif|if|unless|if_modifier|unless_modifier)$/.test(node.type)
      ? parts(node).flatMap((one) => saidIn(file, one, perhaps || /^(if|unless|els)/.test(node.type)))
      : [];
  const method = child(node, 'method');
  const receiver = child(node, 'receiver');
  const name = method ? textOf(file, method) : '';
  if (receiver && receiver.type !== 'self') return [];
  const { block } = argumentsOf(file, node);
  if (/^(class_eval|class_exec|with_options)$/.test(name))
    return saidIn(file, block && child(block, 'body'), perhaps);
  return CALLBACK.test(name) || SAYS.test(name) ? [{ node, name, perhaps }] : [];
}
