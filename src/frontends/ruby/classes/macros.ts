// Macros of a program's own: what a method of a class or a module says of whoever calls it in its body, as if that took in a module which says so. Not what it does when it runs.
import { child, type Syntax } from '../../syntax.ts';
import { callbackOf } from '../names/declaring.ts';
import type { Method, Owner, RubyFile } from '../names/file.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';
import { macro, saysOfCaller } from './rails.ts';

interface Said {
  node: Syntax;
  name: string;
  perhaps: boolean;
}

/** `def tracked = after_save :track`: its module is `Tracking::tracked`, which `make` makes. */
export function giveMacros(file: RubyFile, owner: Owner, make: (method: Method) => Owner): void {
  if (owner.kind === 'file') return;
  const asked = owner.methods.filter(({ singleton }) => singleton || owner.kind === 'module');
  const said = new Map(asked.map((one) => [one, saidIn(file, child(one.node, 'body'), false)]));
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [{ name }, all] of said)
      if (all.some((one) => callbackOf(one.name) || found.has(one.name))) found.add(name);
  }
  for (const [method, all] of said) if (found.has(method.name)) give(file, owner, make(method), method, all);
}

function give(file: RubyFile, owner: Owner, module: Owner, { name }: Method, said: Said[]): void {
  const { declaration } = module;
  // Whoever calls it has that too.
  declaration.bases.push(owner.declaration.name);
  owner.declaration.macros = { ...owner.declaration.macros, [name]: declaration.name };
  const { triggers } = file.unit;
  for (const one of said) {
    const before = triggers.length;
    if (one.name === name) continue;
    macro(file, module, one.node, one.name);
    if (one.perhaps) for (const trigger of triggers.slice(before)) trigger.conditional = true;
  }
}

/** What its statements declare and call of whoever calls it, also where a condition or `class_eval` stands around them. */
function saidIn(file: RubyFile, node: Syntax | undefined, perhaps: boolean): Said[] {
  switch (node?.type) {
    case 'body_statement':
    case 'begin':
    case 'then':
    case 'else':
    case 'elsif':
    case 'if':
    case 'unless':
    case 'if_modifier':
    case 'unless_modifier':
      return parts(node).flatMap((one) => saidIn(file, one, perhaps || /^(if|unless|els)/.test(node.type)));
    case 'identifier':
      return [{ node, name: textOf(file, node), perhaps }];
    case 'call':
      break;
    default:
      return [];
  }
  const [method, receiver] = [child(node, 'method'), child(node, 'receiver')];
  const name = method ? textOf(file, method) : '';
  if (receiver && receiver.type !== 'self') return [];
  const { block } = argumentsOf(file, node);
  if (/^(class_eval|class_exec|with_options)$/.test(name))
    return saidIn(file, block && child(block, 'body'), perhaps);
  return saysOfCaller(name) || !block ? [{ node, name, perhaps }] : [];
}
