// A class that says which database its rows are in, or those of the classes below it. Not what is done there.
import { listedAs } from '../../listed.ts';
import type { Owner, RubyFile } from '../names/file.ts';
import { type Arguments, spanOf, textOf } from '../syntax.ts';

/** What a `database.yml` may say of it: it is ours, or none of ours. */
const MEANS = Object.fromEntries(
  'postgresql mysql sqlite sqlserver oracle other'.split(' ').map((name) => [name, 'uses database' as const]),
);

const WRITING = /\bwriting:\s*:["']?(\w+)|:writing\s*=>\s*:["']?(\w+)/;
/** `:legacy`, `"legacy"`, `"legacy_#{Rails.env}".to_sym`. */
const NAMED = /^:?["']?((?:\w|-|#\{Rails\.env\})+)["']?(?:\.to_sym)?$/;

/** `connects_to database: { writing: :legacy }`, `establish_connection :legacy`: what is open elsewhere is not open there. */
export function ownConnection({
  file,
  owner,
  args,
}: {
  file: RubyFile;
  owner: Owner;
  args: Arguments;
}): void {
  if (owner.primary || owner.kind !== 'class' || /(^|::)ApplicationRecord$/.test(owner.name)) return;
  owner.declaration.connection = owner.name;
  const given = args.keywords.get('database')?.value ?? args.positional[0];
  if (!given) return;
  const text = textOf(file, given);
  const of = WRITING.exec(text) ?? NAMED.exec(text);
  const name = of?.[1] ?? of?.[2];
  if (!name) return;
  file.unit.settings.push({
    at: spanOf(given),
    key: 'connects_to',
    value: listedAs(name.replace('#{Rails.env}', 'production')),
    effect: 'is said by another',
    of: 'rails',
    means: MEANS,
    listed: true,
    on: owner.name,
  });
}
