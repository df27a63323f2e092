// Which databases a file's engines speak to, as far as the file writes their URLs out. What is done with them is calls.
import type { Setting, Unit } from '../../ir.ts';
import { databaseOf } from '../settings/databases.ts';
import { child, type Syntax } from '../syntax.ts';
import { given } from './arguments.ts';
import { api, canonical } from './knowledge.ts';
import { textOf } from './scope.ts';
import { constantText, type Place, resolve } from './values.ts';

const MAKES = /\bcreate_(?:async_)?engine[ \t]*\(/g;
const ADDRESS = /^(\w+)(?:\+\w+)?:\/\//;
const BARE = /^(\w+)(?:\+\w+)?$/;

/** One for each engine: `unknown` where its URL comes from elsewhere. What is not the product's says nothing of it. */
export function engines(place: Place, root: Syntax, role: Unit['role']): Setting[] {
  const { text } = place.file;
  if (role === 'example' || role === 'test' || !text.includes('_engine')) return [];
  const out: Setting[] = [];
  for (const { index, 0: found } of text.matchAll(MAKES)) {
    const call = callAt(root, index + found.length - 1);
    const made = call && resolve(place, child(call, 'function'))?.path;
    if (!call) continue;
    const address = made && api(canonical(made))?.address;
    const url = address === undefined ? undefined : given(place, call, address);
    const value = (url && spokenTo(place, url)) ?? 'unknown';
    const at = { start: call.start, end: call.end };
    out.push({ at, key: 'url', value, effect: 'uses database', of: 'engine', languages: ['python'] });
  }
  return out;
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

function spokenTo(place: Place, url: Syntax): string | undefined {
  const written = url.type === 'identifier' ? (resolve(place, url)?.code ?? url) : url;
  if (written.type !== 'call') return named(place, written, ADDRESS);
  // os.getenv('DATABASE_URL', 'sqlite:///x.db'), URL.create('sqlite', …)
  const form = /\bURL(?:\.create)?$/.test(textOf(place.file, child(written, 'function'))) ? BARE : ADDRESS;
  for (const one of child(written, 'arguments')?.children ?? []) {
    const found = named(place, one.type === 'keyword_argument' ? (child(one, 'value') ?? one) : one, form);
    if (found) return found;
  }
  return undefined;
}

function named(place: Place, node: Syntax, form: RegExp): string | undefined {
  // The name stands before the first hole of an f-string.
  const text =
    constantText(place, node) ??
    (node.type === 'string'
      ? place.file.text.slice(node.start, node.end).replace(/^\w*["']{1,3}/, '')
      : undefined);
  const name = text === undefined ? undefined : form.exec(text)?.[1];
  return (name && databaseOf(name)) || undefined;
}
