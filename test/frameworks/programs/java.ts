// A random application as Java: its control flow, classes and methods. What opens transactions is the dialect's part.
import type { Application, Routine, Stmt } from '../../properties/application.ts';
import { handed, helpers, workOf } from './lambdas.ts';
import { joined, type Spelling, spellings } from './methods.ts';
import { indented, type Place, pick, type Rendered, title, within } from './spelling.ts';

export type Named = (of?: string) => string;

/** The spellings of one framework, each a list of lines. */
export interface Dialect {
  imports: string[];
  /** What all programs share: files by path. */
  files: Record<string, string>;
  /** What a method must be handed to reach the database, unless its object has it. */
  takes?: { parameter: string; argument: string };
  read: string;
  /** A number of rows. */
  count: string;
  write(how: number, fires: boolean, rows: number, name: Named): string[];
  find(how: number, hits: boolean): string[];
  /** A scope around a body that stands in the routine. */
  scopes: ((body: string[], name: Named) => string[])[];
  /** One that a body may leave. */
  leavable?(body: string[], name: Named): string[];
  /** One that no other may be around. */
  outermost?(body: string[]): string[];
  /** A savepoint by hand, with what releases it and what rolls back to it; where a transaction is surely open. */
  savepoint(
    how: number,
    name: string,
  ): { open: string[]; release: string; back: string; both?: string[]; nothing?: string[] };
  /** An error of the server. */
  failure: string;
  /** What a method says that calls it. */
  throws: string;
  /** A class of the program with these members, which asks for others where it calls them. */
  inClass(name: string, members: string[], others: string[]): string[];
  /** What may stand above a method. */
  annotations: string[];
  /** The object that has a method of another class. */
  object(name: string, how: number): string;
  /** What starts with the body of the program. */
  run(body: string[], how: number, others: string[]): string[];
}

/** Statements and subtransactions that a routine may take, so that it ends soon. */
const MOST = 300;

export const indent = indented('  ');
export const block = (head: string, body: string[], end = '}') => [`${head} {`, ...indent(body), end];
/** A body that stands in a lambda must not leave a loop or a routine. */
export const loose = (body: string[]) =>
  body.every((line) => !/^ *(if \(.*\) )?(break|continue|return);$/.test(line));

const IMPORTS = [
  'java.util.List',
  'java.util.Map',
  'java.util.UUID',
  'java.util.concurrent.Callable',
  'java.util.function.Supplier',
  'java.util.stream.IntStream',
];

export function java(application: Application, dialect: Dialect): Rendered {
  const made: { cost: number; spelling: Spelling }[] = [];
  const kinds = spellings(dialect);
  const { throws } = dialect;
  const files: Record<string, string> = {
    ...dialect.files,
    'app/Helpers.java': helpers(throws),
    'app/Work.java': workOf(throws),
  };
  let straight = true;
  let fails = false;
  let others = new Set<string>();
  let members: string[] = [];
  const list = (body: Stmt[], at: Place) => body.flatMap((stmt) => one(stmt, at));
  const work = within(MOST, list);
  const { name } = work;

  function condition(when: number, at: Place): string {
    straight = false;
    const i = at.loops.at(-1);
    const { count } = dialect;
    const choices = [
      `${count} % 2 == 0`, at.flag ? 'flag' : 'DEBUG', i ? `${i} % 3 == 0` : '1 + 1 == 2', i ? `${i} > 2` : '1 > 2', at.flag ? '!flag' : '!DEBUG',
      i ? `${i} == 0` : `${count} > 5`, 'DEBUG', 'true', at.flag ? `flag && ${count} > 0` : `${count} > 0 && true`, 'false',
    ]; // biome-ignore format: a table
    return pick(choices, when);
  }
  /** What follows what surely leaves would not be compiled. */
  const leaving = (when: number | null, line: string, at: Place) => [
    `if (${when === null ? 'true' : condition(when, at)}) ${line}`,
  ];

  function write({ how, fires, rows }: Extract<Stmt, { k: 'write' }>): string[] {
    work.cost += rows;
    return dialect.write(how, fires, rows, name);
  }

  /** What is there already is refused, and nobody beside it catches that. */
  function found(lines: string[], hits: boolean): string[] {
    if (hits && !lines.some((line) => /ON CONFLICT|catch \(/.test(line))) fails = true;
    return lines;
  }

  function one(stmt: Stmt, at: Place): string[] {
    work.cost += 1;
    switch (stmt.k) {
      case 'write':
        return write(stmt);
      case 'read':
        return [dialect.read];
      case 'find':
        work.cost += 2;
        straight = false;
        return found(dialect.find(stmt.how, stmt.hits), stmt.hits);
      case 'scope': {
        work.cost += 1;
        const body = list(stmt.body, { ...at, scoped: true });
        if (dialect.outermost && at.file === 'Run' && !at.scoped && stmt.how % 5 === 0)
          return dialect.outermost(body);
        // What stands in a lambda must not change what it takes from around.
        const around = pick(dialect.scopes, stmt.how);
        if (loose(body)) return around(body, name);
        return (
          dialect.leavable?.(body, name) ??
          around(
            body.filter((line) => loose([line])),
            name,
          )
        );
      }
      case 'savepoint':
        return byHand(stmt, at);
      case 'loop':
        return loop(stmt, at);
      case 'if': {
        const head = `if (${condition(stmt.when, at)})`;
        const then = list(stmt.then, at);
        return stmt.else ? [...block(head, then), ...block('else', list(stmt.else, at))] : block(head, then);
      }
      case 'try':
        return attempt(stmt, at);
      case 'fail': {
        straight = false;
        const how = pick(
          ['throw new IllegalArgumentException("no");', 'Integer.parseInt("x");', 'throw new IllegalStateException();', dialect.failure],
          stmt.how,
        ); // biome-ignore format: one list
        if (!how.startsWith('throw')) fails = true;
        return leaving(stmt.when, how, at);
      }
      case 'leave': {
        if (stmt.how !== 'return' && at.loops.length === 0) return [dialect.read];
        straight = false;
        return leaving(stmt.when, `${stmt.how};`, at);
      }
      case 'call':
        return call(stmt, at);
      case 'local':
        return local(stmt, at);
    }
  }

  function byHand(stmt: Extract<Stmt, { k: 'savepoint' }>, at: Place): string[] {
    const body = list(stmt.body, at);
    if (!at.scoped) return body;
    work.cost += 1;
    const { open, release, back, both, nothing = [] } = dialect.savepoint(stmt.how, name('s'));
    const ends = { release: [release], back: [back], both: both ?? [back, release], nothing };
    return [...open, ...body, ...ends[stmt.ends]];
  }

  function attempt(stmt: Extract<Stmt, { k: 'try' }>, at: Place): string[] {
    const caught = name('e');
    const catches = pick(
      ['IllegalArgumentException', 'Exception', 'IllegalStateException', 'IllegalStateException | IllegalArgumentException', 'RuntimeException', 'Throwable'],
      stmt.catches,
    ); // biome-ignore format: one list
    const lines = [
      ...block('try', list(stmt.body, at)),
      ...block(`catch (${catches} ${caught})`, list(stmt.handler, at)),
      ...(stmt.finally
        ? block(
            'finally',
            list(stmt.finally, { ...at, loops: [] }).filter((line) => !/\breturn;/.test(line)),
          )
        : []),
    ];
    return lines;
  }

  function loop(stmt: Extract<Stmt, { k: 'loop' }>, at: Place): string[] {
    const { i, body, n, numbers } = work.loop(stmt, at);
    const isLoose = loose(body);
    const classic = (head: string, turn = body) => block(head, turn);
    // What a lambda inside names must not change.
    const fixed = (as: string) => body.map((line) => line.replaceAll(new RegExp(`\\b${i}\\b`, 'g'), as));
    const own = name('turn');
    const counted = [`final int ${own} = ${i};`, ...fixed(own)];
    const named = n < 6 && body.every((line) => !line.includes(i));
    const constant = () => {
      const field = `ALL_${i.toUpperCase()}`;
      members.push(`static final List<Integer> ${field} = List.of(${numbers});`);
      return classic(`for (int ${i} : ${field})`);
    };
    return pick(
      [
        () => classic(`for (int ${i} = 0; ${i} < ${n}; ${i}++)`, counted),
        () => classic(`for (int ${i} : List.<Integer>of(${numbers}))`),
        () => classic(`for (int ${i} : new int[] {${numbers}})`),
        () => [`int ${i} = 0;`, ...block(`while (${i} < ${n})`, [`final int ${own} = ${i}++;`, ...fixed(own)])],
        () => classic(`for (int ${i} = 1; ${i} <= ${n}; ${i}++)`, counted),
        () => classic(`for (int ${i} = ${n}; ${i} > 0; ${i}--)`, counted),
        () => (n > 0 ? [`int ${i} = 0;`, ...block('do', [`final int ${own} = ${i}++;`, ...fixed(own)], `} while (${i} < ${n});`)] : []),
        () => [`int ${i} = 0;`, ...block('while (true)', [`if (${i} >= ${n}) { break; }`, `final int ${own} = ${i}++;`, ...fixed(own)])],
        () => (dialect.takes || !isLoose ? constant() : [...block(`IntStream.range(0, ${n}).forEach(${i} ->`, body, '});')]),
        constant,
        () => classic(`for (int ${i} = 0; ${i} < ${n * 10}; ${i} += 10)`, counted),
        () => (dialect.takes || !isLoose ? classic(`for (int ${i} : IntStream.range(0, ${n}).toArray())`) : block(`List.<Integer>of(${numbers}).forEach(${i} ->`, body, '});')),
        () => (named ? classic(`for (String ${i} : List.<String>of(${numbers.replace(/\d+/g, '"$&"')}))`) : classic(`for (int ${i} : List.<Integer>of(${numbers}))`)),
        () => (named ? classic(`for (var ${i} : Map.<Integer, Integer>of(${numbers.replace(/\d+/g, '$&, $&')}).entrySet())`) : classic(`for (Integer ${i} : List.<Integer>of(${numbers}))`)),
        () => [`for (int ${i} = 0, last${i} = ${n}; ${i} < last${i}; ${i}++) {`, ...indent(counted), '}'],
        () => [...(n > 0 ? [`int[] all${i} = {${numbers}};`] : [`int[] all${i} = {};`]), ...classic(`for (int ${i} = 0; ${i} < all${i}.length; ${i}++)`, counted)],
        // It ends before its head says so.
        () => [`for (int ${i} = 0; ${i} < 100; ${i}++) {`, ...indent([`if (${i} == ${n}) { break; }`, ...counted]), '}'],
        () => [`for (int ${i} = 0; ${i} < Integer.MAX_VALUE; ${i}++) {`, ...indent([`if (${i} >= ${n}) { break; }`, ...counted]), '}'],
        () => classic(`for (int ${i} : java.util.Collections.nCopies(${n}, 1))`),
        () => classic(`for (int ${i} : List.<Integer>of(${numbers}).subList(0, ${Math.min(n, 1)}))`),
        () => (dialect.takes || !isLoose ? classic(`for (int ${i} : IntStream.rangeClosed(1, ${n}).toArray())`) : [...block(`IntStream.rangeClosed(1, ${n}).forEach(${i} ->`, body, '});')]),
        () => (dialect.takes || !isLoose ? classic(`for (int ${i} : IntStream.range(0, ${n}).map(k -> k).toArray())`) : block(`List.<Integer>of(${numbers}).stream().filter(of${i} -> of${i} < 2).forEach(${i} ->`, body, '});')),
        () => [`var each${i} = List.<Integer>of(${numbers}).iterator();`, ...block(`while (each${i}.hasNext())`, [`final int ${own} = each${i}.next();`, ...fixed(own)])],
      ],
      stmt.how,
    )(); // biome-ignore format: a table
  }

  function call(stmt: Extract<Stmt, { k: 'call' }>, at: Place): string[] {
    const index = stmt.to % Math.max(1, at.callable);
    const to = made[index];
    if (!to || at.callable === 0 || work.cost + to.cost > MOST)
      return dialect.write(stmt.how, false, 1, name);
    work.cost += to.cost;
    const called = `f${index}`;
    const args = [dialect.takes?.argument ?? '', stmt.flag === null ? '' : String(stmt.flag)];
    const owner = title(called);
    if (!to.spelling.isStatic) others.add(owner);
    return [to.spelling.call(to.spelling.isStatic ? owner : dialect.object(owner, stmt.how), called, args)];
  }

  function local(stmt: Extract<Stmt, { k: 'local' }>, at: Place): string[] {
    const { f, body, n, calls } = work.local(stmt, at);
    return pick(handed(throws, f, body, n, calls), stmt.how)();
  }

  const IMPORTED = [...IMPORTS, ...dialect.imports].map((one) => `import ${one};`);
  const file = (name: string, lines: string[]) => {
    files[`app/${name}.java`] = `${['package app;', '', ...IMPORTED, '', ...lines].join('\n')}\n`;
  };
  const start = () => {
    work.cost = 0;
    others = new Set();
    members = ['static final boolean DEBUG = false;'];
  };

  function routine(each: Routine, index: number): void {
    start();
    const called = `f${index}`;
    const body = list(each.body, {
      file: title(called),
      loops: [],
      flag: true,
      callable: index,
      scoped: false,
    });
    const spelling = pick(kinds, each.how);
    made.push({ cost: work.cost * (spelling.times ?? 1) + 1, spelling });
    const lines = spelling.define(called, joined(dialect.takes?.parameter, 'boolean flag'), each.flag, body);
    file(title(called), dialect.inClass(title(called), [...members, '', ...lines], [...others]));
  }

  application.routines.forEach(routine);
  start();
  const run = list(application.run, {
    file: 'Run',
    loops: [],
    flag: false,
    callable: made.length,
    scoped: false,
  });
  const lines = dialect.run(run, made.length + run.length, [...others]);
  file('Run', dialect.inClass('Run', [...members, '', ...lines], [...others]));
  return { files, straight, fails };
}
