// Whose method `transaction do` and its like ask for: a database's, another library's, the program's own. It lowers nothing.

import type { Asked, Body, Type } from '../names/file.ts';
import { others } from '../names/meaning.ts';
import { textOf } from '../syntax.ts';

/** Their `transaction` is none of a database's, as people call such an object. */
const OTHERS_RECEIVER = /(redis|sentry|newrelic|new_relic|braintree|pstore|mongo|apm|gateway)$/i;

/** `transaction do` of a model, a connection or a Sequel database, and of nothing known to be another's. */
export function isDatabase(body: Body, { name, receiver, args }: Asked): boolean {
  if (name === 'table_exists?')
    return receiver !== undefined && /^(DB|db|@db|database)$/i.test(textOf(body.file, receiver));
  if (args.keywords.has('requires_new') || args.keywords.has('joinable') || args.keywords.has('savepoint'))
    return true;
  const first = args.positional[0];
  if (name === 'transaction' && first && /^(string|simple_symbol|chained_string|integer)$/.test(first.type))
    return false;
  if (!receiver) return true;
  const text = textOf(body.file, receiver).replace(/^::/, '');
  return !others.has(/^\w*/.exec(text)![0]) && !OTHERS_RECEIVER.test(text);
}

/** `transaction do` of what is no model may be a method of the program's own: of the class, of a module that it takes in, of an object made here. */
export function mayBeOwn({ file, owner }: Body, { name, receiver }: Asked, type: Type): boolean {
  const has = (one: typeof owner | undefined) => one?.methods.some((method) => method.name === name) === true;
  if (!receiver) {
    if (owner.kind === 'file') return false;
    return has(owner) || (!DATABASES.test(owner.role ?? '') && owner.declaration.bases.length > 0);
  }
  const known = file.owners.get(type.name.slice('ruby:'.length));
  if (type.kind === 'class') return has(known) || NO_MODEL.test(type.name);
  return type.kind === 'one' && type.fresh === true && known?.role !== 'model';
}

/** In those the word is the framework's. */
const DATABASES = /^(model|migration)$/;
/** Classes that are called for how they run what they are given. */
const NO_MODEL = /(?:Transact|Lock|Retr|Repositor|Mutex)\w*$/;
