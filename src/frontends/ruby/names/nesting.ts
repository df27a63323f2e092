// What a file says in constants of options that make calls nest, for calls in other files that are given these.
import { child } from '../../syntax.ts';
import { literal, parts, spanOf } from '../syntax.ts';
import { newBody, type Owner, type RubyFile } from './file.ts';
import { thawed } from './held.ts';
import { nestsBy, saidBy } from './meaning.ts';
import { keyOf } from './options.ts';

export function giveOptions(file: RubyFile, owner: Owner): void {
  const body = newBody(file, owner, true, null);
  for (const [name, value] of file.constants) {
    const hash = thawed(body, value);
    for (const pair of hash.type === 'hash' ? parts(hash) : []) {
      const its = child(pair, 'value');
      const key = keyOf(body, pair);
      const nests = its ? nestsBy(key, literal(file, its)) : null;
      if (nests === null) continue;
      file.unit.settings.push({
        at: spanOf(pair),
        key,
        value: String(nests),
        effect: 'nested transactions open savepoints',
        of: saidBy(`ruby:${name}`, key),
      });
    }
  }
}
