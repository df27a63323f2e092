// Which database the blocks around a call named: what names another one has a connection of its own. It knows no library.
import type { Meaning } from '../../../framework.ts';
import type { Sight } from '../names/scope.ts';
import type { Argument } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import { databaseNamed } from '../texts/url.ts';
import type { Body } from './body.ts';
import { argumentOf, type Site } from './meaning.ts';

/** What it means here; its block is in that database until `left`. */
export function entered(meaning: Meaning, site: Site, sight: Sight): Meaning {
  if (!meaning.database) return meaning;
  sight.databases ??= [];
  const around = sight.databases.at(-1);
  const own = named(meaning, site) ?? around ?? '';
  sight.databases.push(own);
  if (!around || own === around || !meaning.scope) return meaning;
  return { ...meaning, scope: { ...meaning.scope, whenNested: 'separate', setting: undefined } };
}

export function left({ database }: Meaning, sight: Sight): void {
  if (database) sight.databases?.pop();
}

/** `DriverManager.getConnection("jdbc:sqlite:…")`: what such a connection is told is nothing of ours. */
export function speaksToOther(given: Argument | undefined, { constants }: Body): boolean {
  const text = given && textOf(given.value, constants)?.text;
  const [, database] = /^jdbc:(\w+):/.exec(text ?? '') ?? [];
  return database !== undefined && (databaseNamed(database) ?? 'postgresql') !== 'postgresql';
}

/** A variable: `audit`, `databases.audit`. */
function named({ database = [] }: Meaning, site: Site): string | undefined {
  for (const where of database) {
    const value = argumentOf(where, site)?.value;
    if (value?.kind === 'name' && /^[a-z]/.test(value.text) && value.text !== 'null') return value.text;
    if (value?.kind === 'member' && /^[a-z]/.test(value.name)) return value.name;
  }
  return undefined;
}
