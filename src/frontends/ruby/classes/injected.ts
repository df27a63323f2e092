// `include Deps["orders.place", keep: "repos.keep"]`: what a container hands a class, by the name it is kept under. Not what it does.
import { child, type Syntax } from '../../syntax.ts';
import { type Owner, type RubyFile, resolveConstant } from '../names/file.ts';
import { camelize } from '../names/inflect.ts';
import { literal, parts, textOf } from '../syntax.ts';
import { giveField } from './associations.ts';

/** `"orders.place"` is an `Orders::Place`, of a module around or of none. */
const KEY = /^[a-z]\w*(?:[./][a-z]\w*)*$/;

export function injected(file: RubyFile, owner: Owner, node: Syntax): void {
  const of = child(node, 'object');
  for (const one of parts(node)) {
    if (one === of) continue;
    const key = literal(file, one.type === 'pair' ? (child(one, 'value') ?? one) : one);
    if (!key || !KEY.test(key)) continue;
    const words = key.split(/[./]/);
    const name = one.type === 'pair' ? nameOf(file, child(one, 'key')) : words.at(-1);
    const constant = words.map((each) => camelize(each)).join('::');
    if (name) giveField(owner, name, resolveConstant(file, constant, owner));
  }
}

/** What is taken in is asked of a container: `Deps[…]`, `Import.kwargs[…]`. */
export const isInjected = (file: RubyFile, node: Syntax): boolean =>
  node.type === 'element_reference' &&
  /^(::)?[A-Z][\w:]*(\.(kwargs|args|hash))?\s*\[/.test(textOf(file, node));

/** `keep:` and `:keep =>`. */
const nameOf = (file: RubyFile, key: Syntax | undefined) =>
  key && /^:?(\w+)$/.exec(textOf(file, key).replace(/:$/, ''))?.[1];
