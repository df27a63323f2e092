// The collections that this file writes out for others: in constants, enums and methods that give nothing else. How long they are, lengths.ts tells.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { newBody, type Owner, type RubyFile } from '../names/file.ts';
import { pluralize } from '../names/inflect.ts';
import { argumentsOf, lastPart, parts, word } from '../syntax.ts';
import { grownIn, lengthOf } from './lengths.ts';
import { givenBack, longestOf } from './returned.ts';

/** Constants, and methods that give nothing else, as long as nothing in the file makes them longer. */
export function giveLists(file: RubyFile, owners: Owner[]): void {
  const top = owners[0]!;
  const longer = grownIn(file);
  for (const [name, value] of file.constants) {
    const owner = file.owners.get(name.slice(0, Math.max(0, name.lastIndexOf('::')))) ?? top;
    if (!longer.has(name.slice(name.lastIndexOf(':') + 1))) give(file, owner, `ruby:${name}`, value);
  }
  for (const owner of owners)
    for (const { name, singleton, node } of owner.kind === 'file' ? [] : owner.methods) {
      const named: Name = `ruby:${owner.name}${singleton ? '.' : '#'}${name}`;
      const body = child(node, 'body');
      // Without an `end` the body is the expression.
      const [only, ...more] = body?.type === 'body_statement' ? parts(body) : body ? [body] : [];
      if (only && more.length === 0) give(file, owner, named, only);
      else if (body && ENDS.test(lastPart(body)?.type ?? '')) {
        const its = newBody(file, owner, singleton, null);
        const items = longestOf(givenBack(node), (one) => lengthOf(its, one)?.times ?? null) ?? 0;
        if (items > 0) told(file, named, items);
      }
    }
}

/** Most methods of several statements end with something else. */
const ENDS = /^(array|string_array|symbol_array|hash|identifier|case|if|conditional)$/;

/** An empty one is there to be filled. */
function give(file: RubyFile, owner: Owner, name: Name, value: Syntax): void {
  const items = lengthOf(newBody(file, owner, false, null), value)?.times ?? 0;
  if (items > 0) told(file, name, items);
}

function told({ unit }: RubyFile, name: Name, items: number): void {
  unit.lists ??= [];
  unit.lists.push({ name, items });
}

const OPTION_OF_ENUM = /^_?(prefix|suffix|scopes|default|instance_methods|validate)$/;

export const optionOfEnum = (key: string): boolean => OPTION_OF_ENUM.test(key);

/** `enum :status, { draft: 0 }`, `enum :status, draft: 0`, `enum status: %i[draft live]`: the class gives all of them as `statuses`. */
export function enumerated(file: RubyFile, owner: Owner, node: Syntax): void {
  const { positional, keywords } = argumentsOf(file, node);
  const named = (key: string | null, value: Syntax | undefined) =>
    key && value && give(file, owner, `ruby:${owner.name}.${pluralize(key)}`, value);
  const first = word(file, positional[0]);
  const own = [...keywords].filter(([key]) => !optionOfEnum(key));
  if (first && positional[1]) named(first, positional[1]);
  else if (first && own.length > 0) told(file, `ruby:${owner.name}.${pluralize(first)}`, own.length);
  else for (const [key, { value }] of own) named(key, value);
}
