// Of which columns a condition asks whether they have changed: an option of a callback, or what its method looks at first. Not whether they have.
import { child, type Syntax } from '../../syntax.ts';
import { nameIn } from '../names/choices.ts';
import type { Owner, RubyFile } from '../names/file.ts';
import { argumentsOf, parts, textOf, word } from '../syntax.ts';

const DIRTY = /^(?:will_save_change_to_|saved_change_to_)?(\w+?)(?:_(?:previously_)?changed)?\?$/;

/** All that it asks for where one of them must have changed; null where it may hold without. */
export function changedIn(file: RubyFile, owner: Owner, condition: Syntax | undefined): string[] | null {
  const below = (one: Syntax | undefined) => changedIn(file, owner, one);
  if (!condition) return null;
  switch (condition.type) {
    case 'lambda':
    case 'block':
    case 'parenthesized_statements':
    case 'block_body': {
      const [first, ...more] = parts(child(condition, 'body') ?? condition);
      return more.length > 0 ? null : below(first);
    }
    case 'binary': {
      const sign = textOf(file, child(condition, 'operator') ?? condition);
      const [left, right] = [below(child(condition, 'left')), below(child(condition, 'right'))];
      if (/^(&&|and)$/.test(sign)) return left ?? right;
      return /^(\|\||or)$/.test(sign) && left && right ? [...left, ...right] : null;
    }
    case 'array':
    case 'symbol_array':
      // Each of them must hold.
      return parts(condition).reduce<string[] | null>((found, one) => found ?? below(one), null);
    case 'call':
    case 'identifier': {
      const receiver = child(condition, 'receiver');
      if (receiver && receiver.type !== 'self') return null;
      const name = textOf(file, child(condition, 'method') ?? condition);
      const [given] = argumentsOf(file, condition).positional;
      return columnIn(owner, name, given && word(file, given));
    }
    default: {
      const name = nameIn({ file }, condition);
      return name === null ? null : columnIn(owner, name, undefined);
    }
  }
}

/** `status_changed?` asks for a column, unless the class has a method of that name. */
function columnIn(owner: Owner, name: string, given: string | null | undefined): string[] | null {
  if (!/chang/.test(name) || owner.methods.some((method) => method.name === name)) return null;
  const column = DIRTY.exec(name)?.[1];
  if (column !== 'attribute') return column ? [column] : null;
  return given ? [given] : null;
}

/** What a method does is nothing unless one of these has changed: `return unless saved_change_to_status?` comes first, or all stands behind `if`. */
export function guardedBy(file: RubyFile, owner: Owner, name: string): string[] | null {
  const method = owner.methods.find((one) => one.name === name && !one.singleton);
  const body = method && child(method.node, 'body');
  if (!body) return null;
  const statements = body.type === 'body_statement' ? parts(body) : [body];
  for (const one of statements) {
    const condition = child(one, 'condition');
    const leaves = child(one, 'body')?.type === 'return';
    if (one.type === 'unless_modifier' && leaves) {
      const columns = changedIn(file, owner, condition);
      if (columns) return columns;
    }
    const all = statements.length === 1 && (one.type === 'if_modifier' || one.type === 'if');
    if (all && !child(one, 'alternative')) return changedIn(file, owner, condition);
    if (!leaves) return null;
  }
  return null;
}
