// What tree-sitter-java makes of a text, read into the tree that our own parser makes, so that the two can be compared.
import { parse } from '../src/frontends/java/syntax/parse.ts';
import type { SourceFile } from '../src/frontends/jvm/syntax.ts';
import type { Source } from '../src/frontends/source.ts';
import { loadGrammar } from '../src/frontends/treesitter.ts';
import { LEAVES, readJava } from './java-reader.ts';
import { around } from './parser-oracle.ts';

const grammar = await loadGrammar('java', LEAVES);

/** What the oracle reads; null when it does not read all of it. */
export function theirs(text: string): SourceFile | null {
  const { root, cut, broken } = grammar.parse(text);
  return cut || broken ? null : readJava(root, text);
}

/** The first difference in words; '' when there is none, null when the oracle itself does not read the text. */
export function difference(text: string): string | null {
  const right = theirs(text);
  if (!right) return null;
  const { file, broken } = parse(text, '');
  const found = compare(file, right, text, 'file', 0);
  if (!found && broken) return 'we say that it is broken';
  return found;
}

type Value = string | number | boolean | null | undefined | object;

function compare(ours: Value, right: Value, text: string, path: string, near: number): string {
  if (typeof ours !== 'object' || typeof right !== 'object' || ours === null || right === null)
    return ours === right ? '' : told(ours, right, text, path, near);
  if (isSource(ours) && isSource(right)) {
    const same =
      ours.text === right.text &&
      (ours.text === '' || [0, 1, ours.text.length].every((i) => ours.at(i) === right.at(i)));
    return same ? '' : told(ours.text, right.text, text, path, near);
  }
  const a = ours as Record<string, Value>;
  const b = right as Record<string, Value>;
  const at = typeof b.start === 'number' ? b.start : near;
  if (Array.isArray(ours) && Array.isArray(right) && ours.length !== right.length)
    return told(ours, right, text, path, near);
  if (isNothing(a) && isNothing(b)) return '';
  if (a.kind !== b.kind) return told(ours, right, text, path, at);
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = compare(a[key], b[key], text, `${path}.${key}`, at);
    if (found) return found;
  }
  return '';
}

/** An empty statement, for which the grammar has no node and so no place. */
const isNothing = (one: Record<string, Value>): boolean =>
  one.kind === 'several' && (one.items as object[]).length === 0;

const isSource = (value: object): value is Source =>
  'text' in value && typeof (value as Source).at === 'function';

function told(ours: Value, right: Value, text: string, path: string, near: number): string {
  const shown = (value: Value) => JSON.stringify(value)?.slice(0, 300);
  return `«${around(text, near)}» ${path.split('.').slice(-6).join('.')}: ours is ${shown(ours)}, theirs ${shown(right)}`;
}
