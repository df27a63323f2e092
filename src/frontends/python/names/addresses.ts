// Which database an address speaks to, and what speaks to another one than PostgreSQL. Not what is done with it.
import type { Meaning } from '../../../framework.ts';
import { databaseOf } from '../../settings/databases.ts';
import { child, type Syntax } from '../../syntax.ts';
import { given } from './arguments.ts';
import { another, isHandle, isLink } from './knowledge.ts';
import { type Place, textOf } from './scope.ts';
import { constantText, resolve } from './values.ts';

const ADDRESS = /^(\w+)(?:\+\w+)?:\/\//;
const BARE = /^(\w+)(?:\+\w+)?$/;
const PARTS = /\bURL(?:\.create)?$/;

/** `create_engine("sqlite://")`, and whatever is made of such a one: `sessionmaker(bind=cache_engine)`. */
export function isOthers(c: Place, its: Meaning, call: Syntax): boolean {
  const { address, returns } = its;
  const url = address === undefined ? undefined : given(c, call, address);
  if (url && isSure(c, url)) {
    const database = spokenTo(c, url);
    if (database !== undefined && database !== 'postgresql') return true;
  }
  if (!returns || !(isHandle(returns) || isLink(returns))) return false;
  return (child(call, 'arguments')?.children ?? []).some((one) => {
    const value = one.type === 'keyword_argument' ? child(one, 'value') : one;
    return resolve(c, value)?.type?.path === another;
  });
}

/** What a setting may say otherwise is what developers start with. */
function isSure(c: Place, url: Syntax): boolean {
  const written = url.type === 'identifier' ? (resolve(c, url)?.code ?? url) : url;
  return written.type !== 'call' || PARTS.test(textOf(c.file, child(written, 'function')));
}

/** The database that an address speaks to, as far as it is written out, here or as what it is without a setting. */
export function spokenTo(place: Place, url: Syntax): string | undefined {
  const written = url.type === 'identifier' ? (resolve(place, url)?.code ?? url) : url;
  if (written.type !== 'call') return named(place, written, ADDRESS);
  // os.getenv('DATABASE_URL', 'sqlite:///x.db'), URL.create('sqlite', …)
  const form = PARTS.test(textOf(place.file, child(written, 'function'))) ? BARE : ADDRESS;
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
