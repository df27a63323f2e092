// What stands above a class: a constant, or a call that makes a class of a table, a list of members or another class. Not what it means to descend from that.
import { child, type Syntax } from '../../syntax.ts';
import { type Owner, resolveConstant } from '../names/file.ts';
import { makes } from '../names/meaning.ts';
import { argumentsOf, textOf } from '../syntax.ts';
import { members } from './kept.ts';
import { roleOf } from './rails.ts';
import type { State } from './state.ts';

export function inherit(state: State, owner: Owner, above: Syntax): void {
  const { file } = state;
  // `ActiveRecord::Migration[7.1]`, `Struct.new(:a)`, `Class.new(Base)`.
  const base = above.type === 'element_reference' ? child(above, 'object') : above;
  if (!base || !/^(constant|scope_resolution)$/.test(base.type)) {
    const written = base ? textOf(file, base) : '';
    if (base && RECORD.test(written)) members(file, owner, base);
    const [, own, word] = MADE.exec(written) ?? [];
    const made = word && makes.get(word);
    if (made) madeAbove(state, owner, base!, own!, made);
    // What it does not say itself it asks the object that it is made of, as a class asks the one above.
    const [, of] = /^(?:::)?DelegateClass\(\s*([\w:]+)\s*\)$/.exec(written) ?? [];
    if (of) state.later.unshift(() => owner.declaration.bases.push(resolveConstant(file, of, owner)));
    return;
  }
  superclass(state, owner, textOf(file, base).replace(/\s+/g, ''));
}

export const RECORD = /^(::)?(Struct\.new|Data\.define)\b/;

/** `Sequel::Model(:orders)`, `Shop::Model(DB[:orders])`: what makes a class of a table is called so by one library alone. */
const MADE = /^((?:::)?(?:[A-Z]\w*::)*([A-Z]\w*))\(/;

function madeAbove(state: State, owner: Owner, call: Syntax, own: string, above: string): void {
  const { file } = state;
  superclass(state, owner, above);
  if (own.replace(/^::/, '') !== above)
    state.later.unshift(() => owner.declaration.bases.push(resolveConstant(file, own, owner)));
  const [given] = argumentsOf(file, call).positional;
  const [, named] = (given && /^(?:\w+\[)?:(\w+)\]?$/.exec(textOf(file, given))) ?? [];
  if (named) owner.declaration.relation = `sql:${named}`;
}

function superclass(state: State, owner: Owner, written: string): void {
  owner.superclass = written;
  owner.role = roleOf(written, owner.name);
  state.later.unshift(() => {
    // Where a name may be looked up is the class around, not the class itself.
    const { bases } = owner.declaration;
    bases.push(resolveConstant(state.file, written, { ...owner, nesting: owner.nesting.slice(1) }));
    // Their own file may be unread, and everybody knows what they are.
    if (
      /^(::)?(Application|Active)Record(::Base)?$/.test(written) &&
      !bases.includes('ruby:ActiveRecord::Base')
    )
      bases.push('ruby:ActiveRecord::Base');
  });
}
