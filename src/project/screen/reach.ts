// Which names must still be looked for, when only these units were read: the callers of all that opens a
// subtransaction, and what those call in turn. It works on names alone and takes too much rather than too little.
import type { Name, Unit } from '../../ir.ts';
import { alone, type Closure, link, NOWHERE, type Part } from './closures.ts';
import { createKin } from './kin.ts';
import { splitting } from './lastwords.ts';
import { type Called, createLearnt, type Node } from './learnt.ts';

/** A file matters when it has the word, and one of `near` where the word says too little alone. */
export interface Want {
  word: string;
  /** What the file does with the word. */
  how: 'uses' | 'defines' | 'declares' | 'extends' | 'holds';
  near: Closure;
  /** It is enough where few files have the word: what is looked for has more than one owner. */
  rare: boolean;
  /** It has this word too, unless that is empty. */
  beside: string;
  /** It has the word written so. */
  exact?: string;
}

export interface Reach {
  learn(unit: Unit): void;
  /** Whether what was read declares a type of this name: then no other is asked for. */
  declares(word: string): boolean;
  /** What is wanted now and was not before; a unit is read in once, however often it is given. */
  wants(units: Unit[]): Want[];
}

/** `elsewhere`: whether a word stands in a file that was not read. */
export function createReach(elsewhere: (word: string) => boolean): Reach {
  const seen = new Set<string>();
  const lastTwo = splitting();
  const lastWord = (name: string) => lastTwo(name)[1];
  const kin = createKin(lastTwo);
  const learnt = createLearnt(lastTwo);
  const { defined, called, touching } = learnt;
  /** The calls below what opens a subtransaction; the attributes that are read there, and their classes. */
  const asked: Called[] = [];
  const read = new Set<Called>();
  const readOf = new Set<string>();
  /** Words were asked for as far as this part has them: as what is declared, and whose descendants and holders are wanted. */
  const told = new Set<Part>();
  const extended = new Set<Part>();
  const extendedWords = new Set<string>();
  /** What was wanted before, and near what: the files do not change, so the answer would be the same. */
  const wanted = new Map<string, number>();
  const declared = new Set<string>();
  /** By what must stand beside. */
  const used = new Map<string, Set<string>>();
  /** By the class that leaves it to those that descend from it. */
  const left = new Map<string, Set<string>>();
  /** Lists that were asked for, and their owners. */
  const lists = new Set<Name>();
  const owners = new Map<string, Closure>();

  return {
    learn,
    declares: kin.declares,
    wants(units) {
      for (const unit of units) learn(unit);
      learnt.settle(elsewhere);
      kin.renew();
      likeAll();
      const reaching = closeUp();
      return [...callersOf(reaching), ...definitionsFor(reaching)];
    },
  };

  function learn(unit: Unit): void {
    if (seen.has(unit.file)) return;
    seen.add(unit.file);
    if (unit.dialect === 'other') return;
    learnt.learn(unit);
    kin.learn(unit);
  }

  /** By what methods a type asks for, others are of it that do not name it; some they may have from above. */
  function likeAll(): void {
    for (const [word, methods] of kin.structural) {
      const has = (owner: string, method: string) =>
        [owner, ...wordsOf(kin.lineOf(owner))].some((one) => defined.get(method)?.has(one));
      const some = new Set(methods.flatMap((one) => [...(defined.get(one)?.keys() ?? [])]));
      const owners = [...some].filter((owner) => methods.every((one) => has(owner, one)));
      if (owners.length <= MOST_ALIKE) for (const owner of owners) kin.likens(owner, word);
    }
    if (kin.structural.size > 0) kin.renew();
  }

  /** All that opens a subtransaction, and all that calls it or fires it, among what was read. */
  function closeUp(): Set<Node> {
    const reaching = new Set(learnt.opening);
    /** By their names, those whose callers were gone through: near this part, or all. */
    const gone = new Map<string, Set<Part | null>>();
    /** Names all of whose callers were gone through, and parts of such names. */
    const whole = new Set<string>();
    const wholeParts = new Set<Part>();
    const goThrough = (owners: Iterable<Called>) => {
      for (const { callers } of owners) for (const caller of callers) reaching.add(caller);
    };
    for (const node of reaching) {
      if (node.fires)
        for (const { words } of kin.rowsOf(lastWord(node.fires)).parts)
          for (const word of words) for (const one of touching.get(word) ?? []) reaching.add(one);
      if (!node.last) continue;
      const givers = node.method ? kin.holdersOf(node.owner).parts : NO_PARTS;
      // Many are called alike, and asked for near the same: their callers are the same.
      const near = gone.get(node.last) ?? new Set();
      if (near.size === 0) gone.set(node.last, near);
      for (const part of node.method ? givers : EVERYWHERE)
        if (!near.has(part)) {
          near.add(part);
          goThrough(among(called.get(node.last), part?.words ?? null));
        }
      if (node.method) for (const caller of onItselfAbove(node)) reaching.add(caller);
      if (!isImplicit(node)) continue;
      for (const part of givers) {
        if (wholeParts.has(part)) continue;
        wholeParts.add(part);
        for (const word of part.words) {
          if (whole.has(word)) continue;
          whole.add(word);
          goThrough(called.get(word)?.values() ?? []);
        }
      }
    }
    return reaching;
  }

  /** Methods of the classes above that call this on themselves: an object of its class runs it there. */
  function onItselfAbove({ owner, last }: Node): Node[] {
    const owners = called.get(last);
    if (!owners || !kin.descends(owner)) return NO_NODES;
    return wordsOf(kin.lineOf(owner)).flatMap((base) =>
      base === owner
        ? NO_NODES
        : (owners.get(base)?.callers.filter((one) => one.method && one.owner === base) ?? NO_NODES),
    );
  }

  /** Whether this is wanted for the first time, or near other words than before. */
  function isNew(key: string, { sign }: Closure): boolean {
    if (wanted.get(key) === sign) return false;
    wanted.set(key, sign);
    return true;
  }

  function callersOf(reaching: Set<Node>): Want[] {
    const wants: Want[] = [];
    const asked = new Set<string>();
    const plain = (word: string, beside = '') =>
      link(used, beside, word) && wants.push({ word, how: 'uses', near: NOWHERE, rare: true, beside });
    // What descends from it or keeps one may have no other word of those that matter: `class Orders(Repository): pass`.
    const extending = ({ parts }: Closure) => {
      for (const part of parts) {
        if (extended.has(part)) continue;
        extended.add(part);
        for (const word of part.words)
          if (!extendedWords.has(word)) {
            extendedWords.add(word);
            for (const how of ['extends', 'holds'] as const)
              wants.push({ word, how, near: NOWHERE, rare: true, beside: '' });
          }
      }
    };
    /** In this wave, by the word that must stand beside. */
    const plainParts = new Map<string, Set<Part>>();
    const plainAll = ({ parts }: Closure, beside: string) => {
      const done = plainParts.get(beside) ?? new Set();
      plainParts.set(beside, done);
      for (const part of parts) {
        if (done.has(part)) continue;
        done.add(part);
        for (const word of part.words) plain(word, beside);
      }
    };
    const declaring = (word: string) =>
      isFirst(declared, word) && wants.push({ word, how: 'declares', near: NOWHERE, rare: true, beside: '' });
    for (const node of reaching) {
      const { tests } = node;
      for (const name of node.lists) wants.push(...listed(name));
      node.lists = NO_NAMES;
      for (const word of node.rows) declaring(word);
      node.rows = NO_WORDS;
      if (node.fires) {
        const relation = lastWord(node.fires);
        plainAll(kin.rowsOf(relation), '');
        // A class whose table nobody names has its own name in that of the table.
        if (!kin.hasClass(relation)) for (const word of classesFor(relation)) declaring(word);
      }
      if (!node.last) continue;
      const near = node.method ? kin.holdersOf(node.owner) : kin.housesOf(node.owner, node.last);
      if (node.near !== near) {
        node.near = near;
        if (node.method) extending(near);
        if (isImplicit(node) || learnt.surrounds(node)) {
          if (node.method) plainAll(near, tests);
          else plain(node.owner, tests);
        } else {
          const key = `${node.owner} ${node.method} ${node.last} ${tests}`;
          if (isFirst(asked, key) && isNew(key, near))
            wants.push({
              word: node.last,
              how: 'uses',
              near,
              rare: node.server || node.untyped,
              beside: tests,
            });
        }
      }
      for (const word of kin.nearestGivers(node.last)) if (!node.method) plain(word, tests);
    }
    return wants;
  }

  /** How short a loop is, a constant or a method of a class elsewhere may say. */
  function listed(name: Name): Want[] {
    if (lists.has(name)) return [];
    lists.add(name);
    const [owner, last] = lastTwo(name);
    const near = owner ? (owners.get(owner) ?? alone(owner)) : NOWHERE;
    owners.set(owner, near);
    const exact = name.slice(-last.length);
    const one: Want = { word: last, how: 'defines', near, rare: false, beside: '', exact };
    if (!owner || exact !== last) return [one];
    // It may be inherited.
    return wordsOf(kin.lineOf(owner)).flatMap((word): Want[] => [
      word === owner ? one : { ...one, near: alone(word) },
      { word, how: 'declares', near: NOWHERE, rare: true, beside: '' },
    ]);
  }

  /**
   * Downwards: whether a subtransaction writes, waits or commits stands in what is called inside. What leads somewhere goes
   * on doing so, and each wave on from the last: it asks about calls that are new, or mean more than before.
   */
  function definitionsFor(reaching: Set<Node>): Want[] {
    const wants: Want[] = [];
    const declaration = (word: string) =>
      isFirst(declared, word) &&
      wants.push({ word, how: 'declares', near: NOWHERE, rare: false, beside: '' });
    const declarations = ({ parts }: Closure) => {
      for (const part of parts) {
        if (told.has(part)) continue;
        told.add(part);
        for (const type of part.words) if (!kin.declares(type)) declaration(type);
      }
    };
    const queue: Node[] = [];
    const lead = (node: Node) => {
      if (node.below) return;
      node.below = true;
      queue.push(node);
    };
    const ask = (call: Called, types: Closure) => {
      call.types = types;
      let found = false;
      for (const { words } of types.parts)
        for (const list of among(defined.get(call.last), words))
          for (const one of list) {
            found = true;
            lead(one);
            if (!isLeft(one) || !link(left, one.owner, one.last)) continue;
            wants.push({ word: one.owner, how: 'extends', near: NOWHERE, rare: true, beside: one.last });
            // Whoever is one of it need not name it.
            const methods = kin.structural.get(one.owner);
            const beside = methods?.find((method) => method !== one.last) ?? '';
            if (methods) wants.push({ word: one.last, how: 'defines', near: NOWHERE, rare: true, beside });
          }
      if (!found && call.wanted !== types.sign) {
        call.wanted = types.sign;
        wants.push({ word: call.last, how: 'defines', near: types, rare: false, beside: '' });
      }
      declarations(types);
    };
    /** A property runs. Where it is defined its class tells: nearly all that is read are columns, and each class has some called alike. */
    const run = ({ owner, last }: Called) => {
      const owners = defined.get(last);
      if (!owners) return;
      for (const { words } of kin.typesOf(owner).parts)
        for (const list of among(owners, words)) for (const one of list) if (one.property) lead(one);
    };
    const fresh = learnt.fresh();
    for (const one of read) if (fresh.has(one.last)) run(one);
    for (const owner of readOf) declarations(kin.lineOf(owner));
    for (const call of asked) {
      declarations(call.of);
      const types = kin.typesOf(call.owner);
      if (types !== call.types || fresh.has(call.last)) ask(call, types);
    }
    for (const node of reaching) lead(node);
    for (const node of queue) {
      // What it calls may be a field's that an ancestor holds.
      if (node.method) declarations(kin.typesOf(node.owner));
      for (const call of node.calls)
        if (call.types === NOWHERE) {
          asked.push(call);
          declarations(call.of);
          ask(call, kin.typesOf(call.owner));
        }
      for (const one of node.reads)
        if (isFirst(read, one)) {
          if (isFirst(readOf, one.owner)) declarations(kin.lineOf(one.owner));
          run(one);
        }
      for (const word of node.touches) if (!kin.declares(word) && !kin.hasClass(word)) declaration(word);
    }
    return wants;
  }

  /** A class declares it, and those that descend from it write it. */
  function isLeft({ method, owner, calls, touches }: Node): boolean {
    return method && calls.length === 0 && touches.length === 0 && !kin.isConcrete(owner);
  }
}

/** More have methods of such names by chance. */
const MOST_ALIKE = 50;

const NO_NODES: Node[] = [];
const NO_PARTS: readonly Part[] = [];
const EVERYWHERE: readonly null[] = [null];
const NO_NAMES: readonly Name[] = [];
const NO_WORDS: readonly string[] = [];

const isFirst = <T>(known: Set<T>, one: T): boolean => {
  if (known.has(one)) return false;
  known.add(one);
  return true;
};

const wordsOf = ({ parts }: Closure): string[] => parts.flatMap(({ words }) => [...words]);

/** Called without being named: by making an object, entering a block, using an operator. */
const isImplicit = ({ last, owner }: Node) =>
  /^(__\w+__|initialize|call|invoke|_?init_?|constructor)$/.test(last) || last === owner;

/** `shop_orderline` is OrderLine's of the application shop, `order_lines` of another framework's OrderLine. */
function classesFor(relation: string): string[] {
  const parts = relation.split('_');
  return parts.flatMap((_, i) => {
    const word = parts.slice(i).join('');
    return [word, ...ONE_OF_MANY.flatMap(([many, one]) => (many.test(word) ? word.replace(many, one) : []))];
  });
}

const ONE_OF_MANY: readonly (readonly [RegExp, string])[] = [
  [/s$/, ''],
  [/es$/, ''],
  [/ies$/, 'y'],
];

/** What stands under these keys, under all without any; the shorter side is gone through. */
function* among<V>(map: Map<string, V> | undefined, keys: ReadonlySet<string> | null): Iterable<V> {
  if (!map) return;
  if (!keys) yield* map.values();
  else if (keys.size < map.size)
    for (const key of keys) {
      const value = map.get(key);
      if (value) yield value;
    }
  else for (const [key, value] of map) if (keys.has(key)) yield value;
}
