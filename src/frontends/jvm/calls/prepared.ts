// Statements that are prepared in one place and executed in another: their text runs where they are executed, if that can be seen. It reads no SQL.
import type { Meaning } from '../../../framework.ts';
import type { World } from '../names/scope.ts';
import type { Argument, Call } from '../syntax/syntax.ts';
import type { Site } from './meaning.ts';

/** How far behind its making a statement's execution is looked for. */
const REACH = 10_000;
/** `.use { statement -> …`: what the block calls that which it is handed. */
const HANDED_ON = /^\s*(?:\?|!!)?\s*\.\s*(?:use|let|also)\s*\{\s*(?:(\w+)\s*(?::[^\n]*?)?->)?/;

export function createPrepared({ text }: World) {
  /** By the variable that holds them. */
  const statements = new Map<string, Argument>();
  return later;

  function later(meaning: Meaning, site: Site, node: Call): Meaning {
    const given = node.arguments[0];
    const held = meaning.prepares && given ? heldBy(site, node) : undefined;
    if (given && held && isExecuted(held, node)) {
      statements.set(held, given);
      return { ...meaning, sql: undefined };
    }
    if (!meaning.executes) return meaning;
    // `call.withFunctionName("total")`
    const isNamed = (meaning.routine ?? meaning.table ?? meaning.inside) !== undefined;
    const own = node.object?.kind === 'name' ? statements.get(node.object.text) : undefined;
    const said = isNamed ? site.receiver?.told : own;
    if (!said) return isNamed ? { executes: true, textOnly: true } : meaning;
    site.arguments = [said];
    if (own && node.object?.kind === 'name') site.executed = { name: node.object.text, at: node.at.start };
    return isNamed ? meaning : { ...meaning, sql: 0 };
  }

  /** A variable, or in Kotlin what a block is handed. */
  function heldBy({ handle }: Site, { end }: Call): string | undefined {
    if (handle) return handle;
    const block = HANDED_ON.exec(text.slice(end, end + 200));
    return block ? (block[1] ?? 'it') : undefined;
  }

  function isExecuted(name: string, { end }: Call): boolean {
    const executes = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*\\.\\s*(?:execute|addBatch)`);
    return executes.test(text.slice(end, end + REACH));
  }
}
