// Reads JSON with comments and trailing commas, and keeps the places.
import { DocumentError, type Entry, type TreeNode } from './tree.ts';

const DEEPEST = 200;

export function parseJsonc(text: string): TreeNode {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const fail = (expected: string): never => {
    const found = at >= text.length ? 'the end' : JSON.stringify(text[at]);
    throw new DocumentError(`expected ${expected}, found ${found}`, Math.min(at, text.length));
  };
  const blank = () => {
    for (;;) {
      const match = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
      match.lastIndex = at;
      const found = match.exec(text);
      if (!found) return;
      at = match.lastIndex;
    }
  };
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const string = (): string => {
    const start = at;
    const raw = take(/"(?:[^"\\\n\r]|\\.)*"/y) ?? fail('a string in double quotes');
    try {
      return JSON.parse(raw);
    } catch {
      throw new DocumentError('this string has an escape that JSON does not know', start);
    }
  };
  /** What stands between brackets, with commas between and perhaps after. */
  const list = (close: string, one: () => void) => {
    at++;
    for (blank(); text[at] !== close; blank()) {
      one();
      blank();
      if (text[at] === ',') at++;
      else if (text[at] !== close) fail(`"," or "${close}"`);
    }
    at++;
  };
  const value = (depth: number): TreeNode => {
    blank();
    const start = at;
    if (depth > DEEPEST) throw new DocumentError('this is nested too deeply', at);
    if (text[at] === '{') {
      const table = new Map<string, Entry>();
      list('}', () => {
        const keyAt = at;
        const key = string();
        blank();
        if (text[at] !== ':') fail('":"');
        at++;
        if (table.has(key)) throw new DocumentError(`"${key}" is here twice`, keyAt);
        table.set(key, { at: keyAt, node: value(depth + 1) });
      });
      return { at: start, value: table };
    }
    if (text[at] === '[') {
      const items: TreeNode[] = [];
      list(']', () => items.push(value(depth + 1)));
      return { at: start, value: items };
    }
    if (text[at] === '"') return { at: start, value: string() };
    const word = take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y) ?? fail('a value');
    return { at: start, value: JSON.parse(word) };
  };
  const node = value(0);
  blank();
  if (at < text.length) fail('nothing more');
  return node;
}
