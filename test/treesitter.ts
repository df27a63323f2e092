// What our own parsers are tested against: loads a grammar of tree-sitter and turns text into plain syntax nodes; knows no language.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import { DEPTH, type Parsed, type Syntax } from '../src/frontends/syntax.ts';

export interface Grammar {
  /** A byte order mark counts as a line break. */
  /** It is `broken` where something is wrong or missing. */
  parse(text: string): Parsed & { broken: boolean };
}

/** Packages that are not named after their language alone. */
const PACKAGES: Record<string, string> = { kotlin: '@tree-sitter-grammars/tree-sitter-kotlin' };

/** Node has it; the type libraries that name it are the browser's. */
const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module } }
).WebAssembly;

const loaded = new Map<string, Promise<Grammar>>();
let started: Promise<void> | undefined;

/** `leaves`: node types whose inside the language does not need, so that it is not visited: that halves the cost. */
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
  const bytes = asset(PACKAGES[language] ?? `tree-sitter-${language}`, `tree-sitter-${language}.wasm`);
  // The asynchronous load was once seen to take seconds; compiling here costs milliseconds.
  const table = Language.loadSync(new Module(bytes));
  const parser = new Parser().setLanguage(table);
  const rules: Rules = {
    types: table.types,
    fields: table.fields,
    leaf: table.types.map((type) => leaves.includes(type)),
    named: table.types.map((_, id) => table.nodeTypeIsNamed(id)),
    punctuation: table.types.map((type) => /^[()[\]{},:;.]$/.test(type)),
  };
  return {
    /**
     * A parser mends what is wrong by trying, and of some texts of half a page it finds no end. It counts its own
     * progress, so that every machine gives up at the same place: what people write takes it 5 to 20 steps a kilobyte,
     * and it has 50.
     */
    parse(text) {
      let left = (text.length + 5000) / 20;
      const tree = parser.parse(text.startsWith('\uFEFF') ? `\n${text.slice(1)}` : text, null, {
        // The type says nothing of it, but what is returned decides whether the parser ends here.
        progressCallback: () => (--left < 0) as unknown as undefined,
      });
      if (!tree) {
        parser.reset();
        throw new Error('so much in it is wrong that the parser gave up');
      }
      try {
        return { ...copy(tree, rules), broken: tree.rootNode.hasError };
      } finally {
        tree.delete();
      }
    },
  };
}

/** Where the package is installed. */
function asset(name: string, file: string): Uint8Array {
  return readFileSync(createRequire(import.meta.url).resolve(`${name}/${file}`));
}

/** By the id of a node's type; an id beyond the tables is ERROR. */
interface Rules {
  types: string[];
  fields: (string | null)[];
  leaf: boolean[];
  named: boolean[];
  punctuation: boolean[];
}

/** One walk with a cursor, without recursion: generated files nest without limit. Each call of the cursor costs. */
function copy(tree: Tree, rules: Rules): Parsed {
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
        if (named && !rules.leaf[id] && child.end > child.start) {
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
