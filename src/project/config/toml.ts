// Reads the tables under one name of a TOML file ([tool.subxact] in pyproject.toml) and passes over the rest.
import { DocumentError, type Entry, isTable, type TreeNode } from './tree.ts';

/** `undefined`: the file has no such table. */
export function parseTomlTable(text: string, name: string): TreeNode | undefined {
  let root: TreeNode | undefined;
  let table: TreeNode | undefined;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const names = name.split('.');
  const isCutOff = new RegExp(`\\[[ \\t]*${names.join('[ \\t]*\\.[ \\t]*')}[^\\]\\n]*$`, 'my');
  /** What is missing to the name in a table above it, where `subxact = { … }` and `subxact.exclude = […]` mean us too. */
  let rest: string[] | undefined = names;
  /** Nothing stands before it on its line. */
  let begins = true;
  while (at < text.length) {
    if (take(/\s+|#[^\n]*/y)?.includes('\n')) begins = true;
    if (begins && take(isCutOff)) fail('"]"');
    const header = take(/\[\[?[^\]\n]+\]\]?/y);
    if (header) {
      const path = keysOf(header.replace(/^\[+|\]+$/g, ''));
      const mine = `${path.join('.')}.`.startsWith(`${name}.`);
      const list = header.startsWith('[[');
      if (mine && list && path.length === names.length)
        throw new DocumentError(`[${name}] is one table: write it with one bracket`, at - header.length);
      if (mine) root ??= { at, value: new Map() };
      table = mine ? descend(root!, path.slice(names.length), at - header.length, list) : undefined;
      rest = `${name}.`.startsWith(`${path.join('.')}.`) && !mine ? names.slice(path.length) : undefined;
    } else if (!table && rest && begins && isOurs(rest)) {
      root ??= { at, value: new Map() };
      const found: TreeNode = { at, value: new Map() };
      pair(found);
      merge(root, rest, found);
    } else if (table && at < text.length && !/[\s#]/.test(text[at]!)) pair(table);
    else if (!table)
      take(/"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\n"'#]|["']/y);
    begins = false;
  }
  return root;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  function isOurs(keys: string[]): boolean {
    const key = new RegExp(`${keys.join('[ \\t]*\\.[ \\t]*')}[ \\t]*[.=]`, 'y');
    key.lastIndex = at;
    return key.test(text);
  }

  /** Takes what stands under these keys into the root. */
  function merge(into: TreeNode, keys: string[], found: TreeNode): void {
    const node = keys.reduce<TreeNode>((one, key) => (isTable(one) ? one.value.get(key)!.node : one), found);
    if (!isTable(node)) throw new DocumentError(`"${name}" must be a table`, node.at);
    for (const [key, entry] of node.value) put(into, key, entry.at, entry.node);
  }

  function fail(expected: string): never {
    throw new DocumentError(
      `expected ${expected}, found ${at >= text.length ? 'the end' : JSON.stringify(text[at])}`,
      at,
    );
  }

  function pair(into: TreeNode): void {
    const start = at;
    const raw =
      take(
        /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)(?:[ \t]*\.[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+))*/y,
      ) ?? fail('a key');
    take(/[ \t]*/y);
    if (take(/=/y) === undefined) fail('"="');
    const keys = keysOf(raw);
    const target = descend(into, keys.slice(0, -1), start, false);
    put(target, keys.at(-1)!, start, value(0));
  }

  function value(depth: number): TreeNode {
    if (depth > 50) throw new DocumentError('this is nested too deeply', at);
    take(/[ \t]*/y);
    const start = at;
    if (take(/\[/y)) {
      const items: TreeNode[] = [];
      for (blank(); text[at] !== ']'; blank()) {
        items.push(value(depth + 1));
        blank();
        if (take(/,/y) === undefined && text[at] !== ']') fail('"," or "]"');
      }
      at++;
      return { at: start, value: items };
    }
    if (take(/\{/y)) {
      const inline: TreeNode = { at: start, value: new Map() };
      for (blank(); text[at] !== '}'; blank()) {
        pair(inline);
        blank();
        if (take(/,/y) === undefined && text[at] !== '}') fail('"," or "}"');
      }
      at++;
      return inline;
    }
    const quoted = take(/"(?:[^"\\\n]|\\.)*"/y);
    if (quoted !== undefined) return { at: start, value: unquoted(quoted, start) };
    const literal = take(/'[^'\n]*'/y);
    if (literal !== undefined) return { at: start, value: literal.slice(1, -1) };
    const word = take(/[+-]?[\d_]+(?:\.\d+)?|true|false/y) ?? fail('a string, number, array or table');
    if (word === 'true' || word === 'false') return { at: start, value: word === 'true' };
    return { at: start, value: Number(word.replaceAll('_', '')) };
  }

  function blank(): void {
    while (take(/\s+|#[^\n]*/y));
  }

  function descend(from: TreeNode, keys: string[], where: number, list: boolean): TreeNode {
    let node = from;
    for (const [index, key] of keys.entries()) {
      const known = isTable(node) ? node.value.get(key)?.node : undefined;
      const last = index === keys.length - 1;
      let next: TreeNode =
        known && Array.isArray(known.value)
          ? known.value.at(-1)!
          : (known ?? { at: where, value: new Map() });
      if (last && list) {
        next = { at: where, value: new Map() };
        if (known && Array.isArray(known.value)) known.value.push(next);
        else put(node, key, where, { at: where, value: [next] });
      } else if (!known) put(node, key, where, next);
      node = next;
    }
    return node;
  }
}

function put(table: TreeNode, key: string, at: number, node: TreeNode): void {
  if (!isTable(table)) throw new DocumentError(`"${key}" stands under something that is no table`, at);
  if (table.value.has(key)) throw new DocumentError(`"${key}" is here twice`, at);
  table.value.set(key, { at, node } satisfies Entry);
}

function keysOf(raw: string): string[] {
  const parts = raw.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^.\s"']+/g) ?? [];
  return parts.map((part) => (part[0] === '"' || part[0] === "'" ? part.slice(1, -1) : part));
}

function unquoted(raw: string, at: number): string {
  try {
    return JSON.parse(
      raw.replace(/\\U([0-9a-fA-F]{8})/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))),
    );
  } catch {
    throw new DocumentError('this string has an escape that is not known', at);
  }
}
