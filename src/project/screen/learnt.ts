// Who defines, calls and touches what, by the last words of names, as units are read. Not what a word may stand for.
import { inside, type Name, type Picked, type Step, textsOf, UNTYPED, type Unit } from '../../ir.ts';
import { alone, type Closure, NOWHERE, together } from './closures.ts';
import type { Split } from './lastwords.ts';
import { createNamed } from './named.ts';
import { testFolder } from './tests.ts';

export interface Node {
  /** The last identifier of its name; empty for scripts and triggers. */
  last: string;
  /** The class or module before it. */
  owner: string;
  method: boolean;
  /** In a database: whoever calls it need not say the schema. */
  server: boolean;
  /** A method in a language without types: whoever calls it need not say of which class his parameter is. */
  untyped: boolean;
  /** The folder of tests that it stands in: whoever calls it from elsewhere names that. Else empty. */
  tests: string;
  /** The relation whose writes run it. */
  fires: Name | null;
  opens: boolean;
  calls: Called[];
  /** Attributes of objects of other files' classes, of which nobody knows whether they are properties. */
  reads: readonly Called[];
  /** It runs when its name is read. */
  property: boolean;
  touches: string[];
  /** What holds the items of its loops, and lists that it hands on. */
  lists: readonly Name[];
  /** Classes whose rows its loops go over, picked by columns of which those may say that they name one. */
  rows: readonly string[];
  /** What opens a subtransaction leads here. */
  below: boolean;
  /** Near what its callers were wanted last. */
  near: Closure | null;
}

/** All calls of one name on one owner. */
export interface Called {
  last: string;
  owner: string;
  callers: Node[];
  /** Classes of whose objects its receiver is something: `Order` of `Order().lines[].sku.reserve`. */
  of: Closure;
  /** What its receiver may be; empty until what opens a subtransaction was found to lead here. */
  types: Closure;
  /** Near what it was wanted last. */
  wanted: number;
}

export interface Learnt {
  learn(unit: Unit): void;
  /** All that opens a subtransaction itself. */
  opening: readonly Node[];
  /** By the last word of the name, then by its owner. */
  defined: ReadonlyMap<string, Map<string, Node[]>>;
  called: ReadonlyMap<string, Map<string, Called>>;
  touching: ReadonlyMap<string, readonly Node[]>;
  /** A class puts it around the methods of those that descend from it: nobody calls it. */
  surrounds(node: Node): boolean;
  /** What opens something if its receiver is of a library's type that the program may have, by what was learnt and what stands elsewhere. */
  settle(elsewhere: (word: string) => boolean): void;
  /** The last words of what was defined since this was asked. */
  fresh(): Set<string>;
}

export function createLearnt(lastTwo: Split): Learnt {
  const opening: Node[] = [];
  const defined = new Map<string, Map<string, Node[]>>();
  const called = new Map<string, Map<string, Called>>();
  const touching = new Map<string, Node[]>();
  /** Calls by the whole name; null where nothing is ever concluded of whom it means. */
  const byCallee = new Map<Name, Called | null>();
  const surrounding = new Set<string>();
  /** What was said to nest, and what does where that is said. */
  const nesting = new Set<string>();
  const mayNest = new Map<string, Node[]>();
  const named = createNamed();
  /** By the type of its receiver: what opens something only then. */
  const mayOpen = new Map<Name, Node[]>();
  /** Null until somebody asks. */
  let fresh: Set<string> | null = null;
  const lastWord = (name: string) => lastTwo(name)[1];

  return {
    learn,
    opening,
    defined,
    called,
    touching,
    settle(elsewhere) {
      for (const [type, nodes] of mayOpen) {
        if (!named.mayBe(type, elsewhere)) continue;
        mayOpen.delete(type);
        for (const node of nodes) open(node);
      }
    },
    surrounds: ({ owner, last }) => surrounding.has(`${owner} ${last}`),
    fresh() {
      const names = fresh ?? new Set();
      fresh = new Set();
      return names;
    },
  };

  function learn(unit: Unit): void {
    tellNesting(unit);
    named.learn(unit);
    const tests = testFolder(unit.file);
    const untyped = UNTYPED.has(unit.language);
    for (const { name, body, kind, property } of unit.routines) {
      const [owner, last] = lastTwo(name);
      const called = kind === 'script' || kind === 'anonymous' ? '' : last;
      const server = name.startsWith('sql:');
      enter(body, called, owner, kind === 'method', server, server ? '' : tests, null, untyped, property);
    }
    for (const { body, relation } of unit.triggers) enter(body, '', '', false, true, '', relation);
    for (const { around } of unit.types)
      for (const by of Object.values(around ?? {})) surrounding.add(lastTwo(by).join(' '));
  }

  function enter(
    body: Step[],
    last: string,
    owner: string,
    method: boolean,
    server: boolean,
    tests: string,
    fires: Name | null,
    untyped = false,
    property = false,
  ): void {
    const node: Node = {
      last,
      owner,
      method,
      server,
      untyped: method && untyped,
      tests,
      fires,
      opens: false,
      calls: NO_CALLS,
      reads: NO_CALLS,
      property,
      touches: NO_WORDS,
      lists: NO_NAMES,
      rows: NO_WORDS,
      below: false,
      near: null,
    };
    if (node.last) {
      push(within(defined, node.last), node.owner, node);
      fresh?.add(node.last);
    }
    // Half of all bodies are empty.
    if (body.length === 0) return;
    const called: Called[] = [];
    /** Entered last: what is called as well is called. */
    const attributes: Name[] = [];
    const touched: string[] = [];
    const lists: Name[] = [];
    const rows: string[] = [];
    const pending: (readonly Step[])[] = [body];
    /** What calls may be, if their receiver is more than it looks like, and of which type: everybody has a `rollback(x)`. */
    let guessed: Map<readonly Step[], Name | null> | undefined;
    for (let list = pending.pop(); list; list = pending.pop())
      for (const step of list) {
        if (step.kind === 'call' && step.reads) attributes.push(step.callee);
        else if (step.kind === 'call') {
          calls(node, step.callee, called);
          for (const like of step.like ?? []) calls(node, like, called);
          for (const text of textsOf(step)) calls(node, text, called);
          for (const value of step.given ? Object.values(step.given) : [])
            if (typeof value === 'object' && value !== null && 'of' in value) lists.push(...value.of);
          // Most have nothing inside.
          if (!step.block && !step.meanings) continue;
          guessed ??= new Map();
          for (const { steps, receiver } of step.meanings ?? []) guessed.set(steps, receiver ?? null);
        } else if ((opens(step) || nests(step, node)) && !(ends(step) && guessed?.has(list))) {
          const type = guessed?.get(list);
          if (type) push(mayOpen, type, node);
          else node.opens = true;
        } else if ('relation' in step && step.relation) {
          const word = lastWord(step.relation);
          if (touched[touched.length - 1] === word) continue;
          touched.push(word);
          push(touching, word, node);
        }
        if (step.kind === 'loop' && step.of) lists.push(...step.of);
        if ('picked' in step && step.picked) rows.push(...classesIn(step.picked));
        for (const steps of inside(step)) pending.push(steps);
      }
    if (node.opens) opening.push(node);
    // Of the right length: a list that grows has room for seventeen.
    if (called.length > 0) node.calls = called.slice();
    if (attributes.length > 0) {
      const read: Called[] = [];
      for (const name of attributes) calls(node, name, read);
      node.reads = read;
    }
    if (touched.length > 0) node.touches = touched.slice();
    if (lists.length > 0) node.lists = lists;
    if (rows.length > 0) node.rows = rows;
  }

  /** Where another file says so of one of these, which may be read later. */
  function nests(step: Step, node: Node): boolean {
    if (step.kind !== 'scope' || !step.nestedBy) return false;
    for (const name of step.nestedBy) push(mayNest, name, node);
    return step.nestedBy.some((name) => nesting.has(name));
  }

  function open(node: Node): void {
    if (node.opens) return;
    node.opens = true;
    opening.push(node);
  }

  function tellNesting({ settings }: Unit): void {
    for (const { effect, of, value } of settings) {
      if (effect !== 'nested transactions open savepoints' || value === 'false' || nesting.has(of)) continue;
      nesting.add(of);
      for (const node of mayNest.get(of) ?? []) open(node);
    }
  }

  function calls(node: Node, callee: Name, called: Called[]): void {
    let one = byCallee.get(callee);
    if (one === undefined) {
      one = callee.includes(':?') ? null : meaningOf(callee);
      byCallee.set(callee, one);
      named.take(callee.slice(0, Math.max(callee.lastIndexOf('.'), callee.lastIndexOf('#'))));
    }
    if (!one || one.callers[one.callers.length - 1] === node) return;
    one.callers.push(node);
    called.push(one);
  }

  function meaningOf(callee: Name): Called {
    const [owner, last] = lastTwo(callee);
    const owners = within(called, last);
    let one = owners.get(owner);
    if (!one) {
      one = { last, owner, callers: [], of: NOWHERE, types: NOWHERE, wanted: -1 };
      owners.set(owner, one);
    }
    const of = OF.exec(callee)?.[1];
    if (of) one.of = together([one.of, alone(lastWord(of))], []);
    return one;
  }
}

/** Of its object it is the attribute's attribute; of less the receiver's own words tell. */
const OF = /([\w$]+)\(\)[.#][\w[\]]+[.#]/;
const NO_CALLS: Called[] = [];
const NO_WORDS: string[] = [];
const NO_NAMES: readonly Name[] = [];

function opens(step: Step): boolean {
  if (step.kind === 'scope')
    return step.opens === 'subtransaction' || step.whenNested === 'savepoint' || step.joinable === false;
  return step.kind === 'savepoint' || ends(step);
}

const ends = ({ kind }: Step) => kind === 'release' || kind === 'rollback to';

/** Of the application's languages: what a table of a database is one by is read anyway. */
const classesIn = (picked: Picked[]): string[] =>
  picked.flatMap(({ relation }) =>
    relation.startsWith('sql:') ? [] : relation.slice(relation.lastIndexOf('.') + 1),
  );

function within<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let inner = map.get(key);
  if (!inner) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
