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
  /** The first place that the grammar could not read. */
  error: Syntax | null;
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

/**
 * `leaves`: node types without an inside, or whose inside the language does not need, so that it is not visited: that
 * halves the cost of a copy. `strings`: a type that is visited only when its text begins so, as a template does.
 */
export function loadGrammar(
  language: string,
  leaves: string[] = [],
  strings?: { type: string; begin: RegExp },
): Promise<Grammar> {
  let grammar = loaded.get(language);
  if (!grammar) {
    grammar = load(language, leaves, strings);
    loaded.set(language, grammar);
  }
  return grammar;
}

async function load(
  language: string,
  leaves: string[],
  strings?: { type: string; begin: RegExp },
): Promise<Grammar> {
  started ??= Parser.init({ wasmBinary: asset('web-tree-sitter', 'web-tree-sitter.wasm') });
  await started;
  const bytes = asset(PACKAGES[language]!, `tree-sitter-${language}.wasm`);
  // The asynchronous load was once seen to take seconds; compiling here costs milliseconds.
  const table = Language.loadSync(new Module(bytes));
  const parser = new Parser().setLanguage(table);
  const rules: Rules = {
    types: table.types,
    fields: table.fields,
    leaf: table.types.map((type) => leaves.includes(type)),
    named: table.types.map((_, id) => table.nodeTypeIsNamed(id)),
    punctuation: table.types.map((type) => /^[()[\]{},:;.]$/.test(type)),
    strings: table.types.map((type) => (type === strings?.type ? strings.begin : undefined)),
  };
  return {
    parse(text) {
      const tree = parser.parse(text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text);
      if (!tree) throw new Error('the parser gave up');
      try {
        return copy(tree, text, rules);
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

/** By the id of a node's type; an id beyond the tables is ERROR. */
interface Rules {
  types: string[];
  fields: (string | null)[];
  leaf: boolean[];
  named: boolean[];
  punctuation: boolean[];
  strings: (RegExp | undefined)[];
}

/** One walk with a cursor, without recursion: generated files nest without limit. Each call of the cursor costs. */
function copy(tree: Tree, text: string, rules: Rules): Parsed {
  const cursor = tree.walk();
  const root = node(cursor, rules, null, cursor.nodeTypeId, 0);
  let cut = false;
  let error: Syntax | null = null;
  let parent = root;
  let depth = 1;
  try {
    const more = cursor.gotoFirstChild();
    while (more) {
      const id = cursor.nodeTypeId;
      const field = rules.punctuation[id] ? 0 : cursor.currentFieldId;
      const named = rules.named[id] ?? true;
      let below = false;
      if (named || field) {
        const child = node(cursor, rules, parent, id, field);
        parent.children.push(child);
        if (child.type === 'ERROR') error ??= child;
        const begin = rules.strings[id];
        const open = begin ? begin.test(text.slice(child.start, child.start + 4)) : !rules.leaf[id];
        if (named && open && child.end > child.start) {
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
        if (!cursor.gotoParent() || !parent.parent) return { root, cut, error };
        parent = parent.parent;
        depth--;
      }
    }
    return { root, cut, error };
  } finally {
    cursor.delete();
  }
}

function node(cursor: TreeCursor, rules: Rules, parent: Syntax | null, id: number, field: number): Syntax {
  return {
    type: rules.types[id] ?? 'ERROR',
    field: field ? rules.fields[field]! : null,
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
    parent,
  };
}

export const child = (parent: Syntax, field: string): Syntax | undefined =>
  parent.children.find((one) => one.field === field);
