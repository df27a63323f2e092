// Which names must still be looked for, when only these units were read: the callers of all that opens a
// subtransaction, and what those call in turn. It works on names alone and takes too much rather than too little.
import { inside, type Name, type Step, textsOf, type Unit } from '../../ir.ts';
import { closure, createClosures, link } from './closures.ts';
import { isWord, splitting } from './lastwords.ts';
import { testFolder } from './tests.ts';

/** A file matters when it has the word, and one of `near` where the word says too little alone. */
export interface Want {
  word: string;
  /** What the file does with the word. */
  how: 'uses' | 'defines' | 'declares' | 'extends' | 'holds';
  near: Set<string>;
  /** It is enough where few files have the word: what is looked for has more than one owner. */
  rare: boolean;
  /** It has this word too, unless that is empty. */
  beside: string;
  /** It has the word written so. */
  exact?: string;
}

interface Node {
  /** The last identifier of its name; empty for scripts and triggers. */
  last: string;
  /** The class or module before it. */
  owner: string;
  method: boolean;
  /** In a database: whoever calls it need not say the schema. */
  server: boolean;
  /** The folder of tests that it stands in: whoever calls it from elsewhere names that. Else empty. */
  tests: string;
  /** The relation whose writes run it. */
  fires: Name | null;
  opens: boolean;
  calls: Called[];
  touches: string[];
  /** What holds the items of its loops, and lists that it hands on. */
  lists: readonly Name[];
  /** What opens a subtransaction leads here. */
  below: boolean;
  /** Near what its callers were wanted last. */
  near: Set<string> | null;
}

/** All calls of one name on one owner. */
interface Called {
  last: string;
  owner: string;
  callers: Node[];
  /** Classes of whose objects its receiver is something: `Order` of `Order().lines[].sku.reserve`. */
  of: Set<string>;
  /** What its receiver may be; empty until what opens a subtransaction was found to lead here. */
  types: Set<string>;
  /** Near what it was wanted last. */
  wanted: number;
}

export interface Reach {
  learn(unit: Unit): void;
  /** Whether what was read declares a type of this name: then no other is asked for. */
  declares(word: string): boolean;
  /** What is wanted now and was not before; a unit is read in once, however often it is given. */
  wants(units: Unit[]): Want[];
}

export function createReach(): Reach {
  const seen = new Set<string>();
  const opening: Node[] = [];
  /** By the last word of the name, then by its owner. */
  const defined = new Map<string, Map<string, Node[]>>();
  const called = new Map<string, Map<string, Called>>();
  /** The same by the whole name; null where nothing is ever concluded of whom it means. */
  const byCallee = new Map<Name, Called | null>();
  const touching = new Map<string, Node[]>();
  /** From a type to the words that give one: subclasses, aliases, what returns it, what holds it. */
  const gives = new Map<string, Set<string>>();
  /** The same without subclasses. */
  const holds = new Map<string, Set<string>>();
  /** The other way, and to its bases. */
  const means = new Map<string, Set<string>>();
  /** From a type to those above it that the project declares itself. */
  const above = new Map<string, Set<string>>();
  /** What classes put around the methods of those that descend from them: nobody calls it. */
  const surrounding = new Set<string>();
  /** From a name to the modules that have it from elsewhere. */
  const passing = new Map<string, Set<string>>();
  /** Calls on these go to nobody else. */
  const concrete = new Set<string>();
  const classesOf = new Map<string, Set<string>>();
  const declared = new Set<string>();
  /** What words lead to: the same words are asked about over and over. */
  const given = createClosures(gives);
  const meant = createClosures(means);
  /** Until more units are read. */
  const held = new Map<string, Set<string>>();
  const houses = new Map<string, Set<string>>();
  /** The calls below what opens a subtransaction, and the last words of what is defined since they were asked about. */
  const asked: Called[] = [];
  const fresh = new Set<string>();
  const told = new Set<Set<string>>();
  /** Words whose descendants and holders were asked about, and sets of nothing but such words. */
  const extended = new Set<string>();
  const extendedAll = new Set<Set<string>>();
  /** What was wanted before, and near what: the files do not change, so the answer would be the same. */
  const wanted = new Map<string, number>();
  const signs = new WeakMap<Set<string>, number>();
  /** What was said to nest, and what does where that is said. */
  const nesting = new Set<string>();
  const mayNest = new Map<string, Node[]>();
  /** Lists that were asked for, and their owners. */
  const lists = new Set<Name>();
  const owners = new Map<string, Set<string>>();
  const lastTwo = splitting();
  const lastWord = (name: string) => lastTwo(name)[1];

  return {
    learn: readIn,
    declares: (word) => declared.has(word),
    wants(units) {
      for (const unit of units) readIn(unit);
      for (const known of [given, meant]) known.renew();
      for (const known of [held, houses]) known.clear();
      const reaching = closeUp();
      return [...callersOf(reaching), ...definitionsFor(reaching)];
    },
  };

  function readIn(unit: Unit): void {
    if (seen.has(unit.file)) return;
    seen.add(unit.file);
    if (unit.dialect === 'other') return;
    tellNesting(unit);
    const tests = testFolder(unit.file);
    for (const { name, body, kind } of unit.routines) {
      const [owner, last] = lastTwo(name);
      const called = kind === 'script' || kind === 'anonymous' ? '' : last;
      const server = name.startsWith('sql:');
      enter(body, called, owner, kind === 'method', server, server ? '' : tests, null);
    }
    for (const { body, relation } of unit.triggers) enter(body, '', '', false, true, '', relation);
    for (const { from, to } of unit.aliases)
      if (endAlike(from, to)) link(passing, lastWord(to), lastTwo(from)[0]);
      else relate(lastWord(to), lastWord(from));
    for (const { name, returns, returnsOneOf } of unit.routines) {
      if (returns) relate(lastWord(returns), lastWord(name));
      for (const { type } of returnsOneOf ?? []) relate(lastWord(type), lastWord(name));
    }
    for (const type of unit.types) {
      const word = lastWord(type.name);
      declared.add(word);
      for (const base of type.bases) {
        relate(lastWord(base), word, false);
        if (isNear(base, type.name)) link(above, word, lastWord(base));
      }
      if (!type.abstract && !type.leaves) concrete.add(word);
      for (const [field, of] of Object.entries(type.fields ?? {})) relate(lastWord(of), field);
      for (const by of Object.values(type.around ?? {})) surrounding.add(lastTwo(by).join(' '));
      for (const { field, alone } of type.gives ?? []) if (!alone) relate(word, lastWord(field));
      for (const variable of type.called ?? []) relate(word, variable);
      if (type.relation) link(classesOf, lastWord(type.relation), word);
    }
  }

  function relate(type: string, word: string, isHeld = true): void {
    if (type === word) return;
    if (link(gives, type, word)) given.outdate(type);
    if (isHeld) link(holds, type, word);
    if (link(means, word, type)) meant.outdate(word);
  }

  function enter(
    body: Step[],
    last: string,
    owner: string,
    method: boolean,
    server: boolean,
    tests: string,
    fires: Name | null,
  ): void {
    const node: Node = {
      last,
      owner,
      method,
      server,
      tests,
      fires,
      opens: false,
      calls: NO_CALLS,
      touches: NO_WORDS,
      lists: NO_NAMES,
      below: false,
      near: null,
    };
    if (node.last) {
      push(within(defined, node.last), node.owner, node);
      if (asked.length > 0) fresh.add(node.last);
    }
    // Half of all bodies are empty.
    if (body.length === 0) return;
    const called: Called[] = [];
    const touched: string[] = [];
    const lists: Name[] = [];
    const pending: (readonly Step[])[] = [body];
    /** What calls may be, if their receiver is more than it looks like: everybody has a `rollback(x)`. */
    let guessed: Set<readonly Step[]> | undefined;
    for (let list = pending.pop(); list; list = pending.pop())
      for (const step of list) {
        if (step.kind === 'call') {
          calls(node, step.callee, called);
          for (const like of step.like ?? []) calls(node, like, called);
          for (const text of textsOf(step)) calls(node, text, called);
          for (const value of step.given ? Object.values(step.given) : [])
            if (typeof value === 'object' && value !== null && 'of' in value) lists.push(...value.of);
          // Most have nothing inside.
          if (!step.block && !step.meanings) continue;
          guessed ??= new Set();
          for (const { steps } of step.meanings ?? []) guessed.add(steps);
        } else if ((opens(step) || nests(step, node)) && !(ends(step) && guessed?.has(list)))
          node.opens = true;
        else if ('relation' in step && step.relation) {
          const word = lastWord(step.relation);
          if (touched[touched.length - 1] === word) continue;
          touched.push(word);
          push(touching, word, node);
        }
        if (step.kind === 'loop' && step.of) lists.push(...step.of);
        for (const steps of inside(step)) pending.push(steps);
      }
    if (node.opens) opening.push(node);
    // Of the right length: a list that grows has room for seventeen.
    if (called.length > 0) node.calls = called.slice();
    if (touched.length > 0) node.touches = touched.slice();
    if (lists.length > 0) node.lists = lists;
  }

  /** Where another file says so of one of these, which may be read later. */
  function nests(step: Step, node: Node): boolean {
    if (step.kind !== 'scope' || !step.nestedBy) return false;
    for (const name of step.nestedBy) push(mayNest, name, node);
    return step.nestedBy.some((name) => nesting.has(name));
  }

  function tellNesting({ settings }: Unit): void {
    for (const { effect, of, value } of settings) {
      if (effect !== 'nested transactions open savepoints' || value === 'false' || nesting.has(of)) continue;
      nesting.add(of);
      for (const node of mayNest.get(of) ?? [])
        if (!node.opens) {
          node.opens = true;
          opening.push(node);
        }
    }
  }

  function calls(node: Node, callee: Name, called: Called[]): void {
    let one = byCallee.get(callee);
    if (one === undefined) {
      one = callee.includes(':?') ? null : meaningOf(callee);
      byCallee.set(callee, one);
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
    if (of) one.of = new Set(one.of).add(lastWord(of));
    return one;
  }

  /** All that opens a subtransaction, and all that calls it or fires it, among what was read. */
  function closeUp(): Set<Node> {
    const reaching = new Set(opening);
    for (const node of reaching) {
      if (node.fires)
        for (const word of words(lastWord(node.fires)))
          for (const one of touching.get(word) ?? []) reaching.add(one);
      if (!node.last) continue;
      const givers = node.method ? holdersOf(node.owner) : null;
      for (const { callers } of among(called.get(node.last), givers))
        for (const caller of callers) reaching.add(caller);
      if (node.method) for (const caller of onItselfAbove(node)) reaching.add(caller);
      if (givers && isImplicit(node))
        for (const word of givers)
          for (const { callers } of called.get(word)?.values() ?? [])
            for (const caller of callers) reaching.add(caller);
    }
    return reaching;
  }

  /** Methods of the classes above that call this on themselves: an object of its class runs it there. */
  function onItselfAbove({ owner, last }: Node): Node[] {
    const owners = called.get(last);
    if (!owners || !above.has(owner)) return NO_NODES;
    return [...lineOf(owner)].flatMap((base) =>
      base === owner
        ? NO_NODES
        : (owners.get(base)?.callers.filter((one) => one.method && one.owner === base) ?? NO_NODES),
    );
  }

  /** A class and those above it that the project declares itself. */
  function lineOf(owner: string): Set<string> {
    const line = new Set([owner]);
    for (const word of line) for (const base of above.get(word) ?? []) line.add(base);
    return line;
  }

  /** A table by its own name, and the classes that stand for it; a class by what has its rows. */
  function words(relation: string): Set<string> {
    const out = new Set([relation]);
    for (const type of [relation, ...(classesOf.get(relation) ?? [])])
      for (const word of giversOf(type)) out.add(word);
    return out;
  }

  function giversOf(type: string): Set<string> {
    return given.of(type);
  }

  /** Whoever has one of this type, as itself or as what it implements. */
  function holdersOf(type: string): Set<string> {
    if (!above.has(type)) return giversOf(type);
    let out = held.get(type);
    if (!out) {
      out = new Set(giversOf(type));
      const line = new Set([type]);
      for (const one of line)
        for (const base of above.get(one) ?? []) {
          if (concrete.has(base)) continue;
          line.add(base);
          for (const word of closure(base, holds)) out.add(word);
        }
      held.set(type, out);
    }
    return out;
  }

  /** Tells sets of words apart: what they share with another of the same size is no sum of hashes. */
  function signOf(near: Set<string>): number {
    let sign = signs.get(near);
    if (sign === undefined) {
      sign = near.size;
      for (const word of near) sign += numberOf(word);
      signs.set(near, sign);
    }
    return sign;
  }

  /** Whether this is wanted for the first time, or near other words than before. */
  function isNew(key: string, near: Set<string>): boolean {
    const sign = signOf(near);
    if (wanted.get(key) === sign) return false;
    wanted.set(key, sign);
    return true;
  }

  function callersOf(reaching: Set<Node>): Want[] {
    const wants: Want[] = [];
    const asked = new Set<string>();
    const first = (key: string) => !asked.has(key) && asked.add(key);
    const plain = (word: string, beside = '') =>
      isNew(beside ? `${word} ${beside}` : word, NOWHERE) &&
      wants.push({ word, how: 'uses', near: NOWHERE, rare: true, beside });
    // What descends from it or keeps one may have no other word of those that matter: `class Orders(Repository): pass`.
    const extending = (words: Set<string>) => {
      if (extendedAll.has(words)) return;
      extendedAll.add(words);
      for (const word of words)
        if (!extended.has(word)) {
          extended.add(word);
          for (const how of ['extends', 'holds'] as const)
            wants.push({ word, how, near: NOWHERE, rare: true, beside: '' });
        }
    };
    for (const node of reaching) {
      const { tests } = node;
      for (const name of node.lists) wants.push(...listed(name));
      node.lists = NO_NAMES;
      if (node.fires) for (const word of words(lastWord(node.fires))) plain(word);
      if (!node.last) continue;
      const near = node.method ? holdersOf(node.owner) : housesOf(node);
      if (node.near !== near) {
        node.near = near;
        if (node.method) extending(near);
        if (isImplicit(node) || surrounding.has(`${node.owner} ${node.last}`))
          for (const word of node.method ? near : [node.owner]) plain(word, tests);
        else {
          const key = `${node.owner} ${node.method} ${node.last} ${tests}`;
          if (first(key) && isNew(key, near))
            wants.push({ word: node.last, how: 'uses', near, rare: node.server, beside: tests });
        }
      }
      for (const word of gives.get(node.last) ?? []) if (!node.method) plain(word, tests);
    }
    return wants;
  }

  /** How short a loop is, a constant or a method of a class elsewhere may say. */
  function listed(name: Name): Want[] {
    if (lists.has(name)) return [];
    lists.add(name);
    const [owner, last] = lastTwo(name);
    const near = owner ? (owners.get(owner) ?? new Set([owner])) : NOWHERE;
    owners.set(owner, near);
    const exact = name.slice(-last.length);
    const one: Want = { word: last, how: 'defines', near, rare: false, beside: '', exact };
    if (!owner || exact !== last) return [one];
    // It may be inherited.
    return [...lineOf(owner)].flatMap((word): Want[] => [
      word === owner ? one : { ...one, near: new Set([word]) },
      { word, how: 'declares', near: NOWHERE, rare: true, beside: '' },
    ]);
  }

  /** Where a function may be said to stand: its module, those that have it from there, and whoever passes on all of these. */
  function housesOf({ owner, last }: Node): Set<string> {
    if (!owner) return NOWHERE;
    const more = passing.get(last);
    if (!more) return giversOf(owner);
    const key = `${owner} ${last}`;
    let out = houses.get(key);
    if (!out) {
      out = new Set(giversOf(owner));
      for (const house of more) for (const word of giversOf(house)) out.add(word);
      houses.set(key, out);
    }
    return out;
  }

  /**
   * Downwards: whether a subtransaction writes, waits or commits stands in what is called inside. What leads somewhere goes
   * on doing so, and each wave on from the last: it asks about calls that are new, or mean more than before.
   */
  function definitionsFor(reaching: Set<Node>): Want[] {
    const wants: Want[] = [];
    const declaration = (word: string) =>
      isNew(`declares ${word}`, NOWHERE) &&
      wants.push({ word, how: 'declares', near: NOWHERE, rare: false, beside: '' });
    const declarations = (types: Set<string>) => {
      if (told.has(types)) return;
      told.add(types);
      for (const type of types) if (!declared.has(type)) declaration(type);
    };
    const queue: Node[] = [];
    const lead = (node: Node) => {
      if (node.below) return;
      node.below = true;
      queue.push(node);
    };
    const ask = (call: Called, types: Set<string>) => {
      call.types = types;
      let found = false;
      for (const list of among(defined.get(call.last), types))
        for (const one of list) {
          found = true;
          lead(one);
          if (isLeft(one) && isNew(`${one.last} of ${one.owner}`, NOWHERE))
            wants.push({ word: one.owner, how: 'extends', near: NOWHERE, rare: true, beside: one.last });
        }
      if (!found && call.wanted !== signOf(types)) {
        call.wanted = signOf(types);
        wants.push({ word: call.last, how: 'defines', near: types, rare: false, beside: '' });
      }
      declarations(types);
    };
    for (const call of asked) {
      declarations(call.of);
      const types = typesOf(call.owner);
      if (types !== call.types || fresh.has(call.last)) ask(call, types);
    }
    fresh.clear();
    for (const node of reaching) lead(node);
    for (const node of queue) {
      // What it calls may be a field's that an ancestor holds.
      if (node.method) declarations(typesOf(node.owner));
      for (const call of node.calls)
        if (call.types === NOWHERE) {
          asked.push(call);
          declarations(call.of);
          ask(call, typesOf(call.owner));
        }
      for (const word of node.touches) if (!declared.has(word) && !classesOf.has(word)) declaration(word);
    }
    return wants;
  }

  /** A class declares it, and those that descend from it write it. */
  function isLeft({ method, owner, calls, touches }: Node): boolean {
    return method && calls === NO_CALLS && touches === NO_WORDS && !concrete.has(owner);
  }

  /** What a receiver may be: itself, what it returns or holds, and the bases of all these. */
  function typesOf(word: string): Set<string> {
    return meant.of(word);
  }
}

/** Of its object it is the attribute's attribute; of less the receiver's own words tell. */
const OF = /([\w$]+)\(\)[.#][\w[\]]+[.#]/;
const NOWHERE = new Set<string>();
const NO_NODES: Node[] = [];
const NO_CALLS: Called[] = [];
const NO_WORDS: string[] = [];
const NO_NAMES: readonly Name[] = [];

/** Names of one house: they begin alike, or have no package. */
function isNear(base: Name, type: Name): boolean {
  const [a, b] = [base, type].map((name) =>
    name
      .slice(name.indexOf(':') + 1)
      .replaceAll('::', '.')
      .split('.'),
  );
  if (a!.length === 1) return true;
  const alike = a!.length > 2 && b!.length > 2 ? 2 : 1;
  return a!.slice(0, alike).join() === b!.slice(0, alike).join();
}

function opens(step: Step): boolean {
  if (step.kind === 'scope')
    return step.opens === 'subtransaction' || step.whenNested === 'savepoint' || step.joinable === false;
  return step.kind === 'savepoint' || ends(step);
}

const ends = ({ kind }: Step) => kind === 'release' || kind === 'rollback to';

/** Called without being named: by making an object, entering a block, using an operator. */
const isImplicit = ({ last, owner }: Node) =>
  /^(__\w+__|initialize|call|invoke|_?init_?|constructor)$/.test(last) || last === owner;

function numberOf(word: string): number {
  let number = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) number = Math.imul(number ^ word.charCodeAt(i), 0x01000193);
  return number >>> 0;
}

/** Both end in the same word, as what is imported does: seen without taking them apart. */
function endAlike(a: string, b: string): boolean {
  for (let i = a.length - 1, j = b.length - 1; i >= 0 && j >= 0; i--, j--) {
    const c = a.charCodeAt(i);
    if (c !== b.charCodeAt(j)) return false;
    if (!isWord(c)) return i < a.length - 1;
  }
  return false;
}

/** What stands under these keys, under all without any; the shorter side is gone through. */
function* among<V>(map: Map<string, V> | undefined, keys: Set<string> | null): Iterable<V> {
  if (!map) return;
  if (!keys) yield* map.values();
  else if (keys.size < map.size)
    for (const key of keys) {
      const value = map.get(key);
      if (value) yield value;
    }
  else for (const [key, value] of map) if (keys.has(key)) yield value;
}

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
