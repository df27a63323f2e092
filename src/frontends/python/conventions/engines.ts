// Which databases a file's engines speak to, as far as the file writes their URLs out. What is done with them is calls.
import type { Setting, Unit } from '../../../ir.ts';
import { databaseOf } from '../../settings/databases.ts';
import { child, type Syntax } from '../../syntax.ts';
import { spokenTo } from '../names/addresses.ts';
import { given } from '../names/arguments.ts';
import { addresses, api, canonical } from '../names/knowledge.ts';
import type { Place } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

const MAKES = /\bcreate_(?:async_)?engine[ \t]*\(/g;
/** A configuration's name for the address: an assignment, a keyword or an entry. */
const NAMED = new RegExp(
  `^[^#\\n]*?\\b(?:${addresses.join('|')})["']?\\]?[ \\t]*[=:](?!=)[ \\t]*(?:f?["'](\\w+)(?:\\+\\w+)?:\\/\\/)?`,
  'gm',
);

/** One for each engine: `unknown` where its URL comes from elsewhere. What is not the product's says nothing of it. */
export function engines(place: Place, root: Syntax, role: Unit['role']): Setting[] {
  const { text } = place.file;
  if (role === 'example' || role === 'test') return [];
  const out = addresses.some((name) => text.includes(name)) ? configured(text) : [];
  if (!text.includes('_engine')) return out;
  for (const { index, 0: found } of text.matchAll(MAKES)) {
    const call = callAt(root, index + found.length - 1);
    const made = call && resolve(place, child(call, 'function'))?.path;
    if (!call) continue;
    const address = made && api(canonical(made))?.address;
    const url = address === undefined ? undefined : given(place, call, address);
    const value = (url && spokenTo(place, url)) ?? 'unknown';
    out.push(engine(call, value));
  }
  return out;
}

const engine = ({ start, end }: { start: number; end: number }, value: string): Setting => ({
  at: { start, end },
  key: 'url',
  value,
  effect: 'uses database',
  of: 'engine',
  languages: ['python'],
});

/** SQLite is what developers start with, whatever the product speaks to. */
function configured(text: string): Setting[] {
  return [...text.matchAll(NAMED)].map(({ index, 0: line, 1: name }) => {
    const its = (name && databaseOf(name)) || 'unknown';
    return engine({ start: index, end: index + line.length }, its === 'sqlite' ? 'unknown' : its);
  });
}

/** The call whose arguments begin there. */
function callAt(root: Syntax, parenthesis: number): Syntax | undefined {
  let found: Syntax | undefined;
  for (let node: Syntax | undefined = root; node; ) {
    if (node.type === 'call' && child(node, 'arguments')?.start === parenthesis) found = node;
    node = node.children.find(({ start, end }) => start <= parenthesis && parenthesis < end);
  }
  return found;
}
