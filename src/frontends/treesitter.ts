// Loads a grammar and turns text into plain syntax nodes; knows no language.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';

/** A named node as a plain object: walking it costs no call into WebAssembly, and it outlives the tree. */
export interface Syntax {
  type: string;
  /** The grammar's name for its place in the parent: `condition`, `body`. */
  field: string | null;
  start: number;
  end: number;
  /** Named children, and those unnamed tokens that stand in a field (operators). */
  children: Syntax[];
  parent: Syntax | null;
}

export interface Parsed {
  root: Syntax;
  /** Text lies deeper than DEPTH and was left out there. */
  cut: boolean;
}

export interface Grammar {
  /** A byte order mark counts as a line break. */
  parse(text: string): Parsed;
}

/** Nobody writes deeper, and recursion over a tree of this depth is safe in a worker's small stack too. */
const DEPTH = 500;

const PACKAGES: Record<string, string> = {
  python: 'tree-sitter-python',
  ruby: 'tree-sitter-ruby',
  java: 'tree-sitter-java',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin',
};

/** Node has it; the type libraries that name it are the browser's. */
const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module } }
).WebAssembly;

const loaded = new Map<string, Promise<Grammar>>();
let started: Promise<void> | undefined;

/** `leaves`: node types whose inside the language does not need, so that it is not visited. */
export function loadGrammar(language: string, leaves: string[] = []): Promise<Grammar> {
  let grammar = loaded.get(language);
  if (!grammar) {
    grammar = load(language, leaves);
    loaded.set(language, grammar);
  }
  return grammar;
}

async function load(language: string, leaves: string[]): Promise<Grammar> {
  started ??= Parser.init({ wasmBinary: asset('web-tree-sitter', 'web-tree-sitter.wasm') });
  await started;
  const bytes = asset(PACKAGES[language]!, `tree-sitter-${language}.wasm`);
  // The asynchronous load was once seen to take seconds; compiling here costs milliseconds.
  const table = Language.loadSync(new Module(bytes));
  const parser = new Parser().setLanguage(table);
  const isLeaf = table.types.map((type) => leaves.includes(type));
  const isNamed = table.types.map((_, id) => table.nodeTypeIsNamed(id));
  return {
    parse(text) {
      const tree = parser.parse(text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text);
      if (!tree) throw new Error('the parser gave up');
      try {
        return copy(tree, table, isLeaf, isNamed);
      } finally {
        tree.delete();
      }
    },
  };
}

/** Beside the bundle when there is one, else where the package is installed. */
function asset(name: string, file: string): Uint8Array {
  for (const place of [`./grammars/${file}`, `../grammars/${file}`]) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path)) return readFileSync(path);
  }
  return readFileSync(createRequire(import.meta.url).resolve(`${name}/${file}`));
}

/** One walk with a cursor, without recursion: generated files nest without limit. */
function copy(tree: Tree, table: Language, isLeaf: boolean[], isNamed: boolean[]): Parsed {
  const cursor = tree.walk();
  const root = node(cursor, table, null, cursor.nodeTypeId, 0);
  let cut = false;
  let parent = root;
  let depth = 1;
  try {
    const more = cursor.gotoFirstChild();
    while (more) {
      const id = cursor.nodeTypeId;
      // ERROR has the last id of all, which the table of types does not hold.
      const named = isNamed[id] ?? true;
      const field = cursor.currentFieldId;
      let below = false;
      if (named || field) {
        const child = node(cursor, table, parent, id, field);
        parent.children.push(child);
        if (named && !isLeaf[id] && child.end > child.start) {
          if (depth >= DEPTH) cut = true;
          else if (cursor.gotoFirstChild()) {
            below = true;
            parent = child;
            depth++;
          }
        }
      }
      if (below) continue;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent() || !parent.parent) return { root, cut };
        parent = parent.parent;
        depth--;
      }
    }
    return { root, cut };
  } finally {
    cursor.delete();
  }
}

function node(cursor: TreeCursor, table: Language, parent: Syntax | null, id: number, field: number): Syntax {
  return {
    type: table.types[id] ?? 'ERROR',
    field: field ? table.fields[field]! : null,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
    parent,
  };
}

export const child = (parent: Syntax, field: string): Syntax | undefined =>
  parent.children.find((one) => one.field === field);
