// A random application as Ruby: its control flow, methods and transactions. What a library is asked is that library's.
import type { Application, Routine, Stmt } from '../../properties/application.ts';
import { indented, type Place, pick, type Rendered, title, within } from './spelling.ts';

const MOST = 140;

/** What is asked of a library; the first of each list is the plainest. */
export interface Library {
  /** Its models: Item, Fired, Tag. */
  files: Record<string, string>;
  /** What opens a level, before its block. */
  level: string;
  scopes: ((body: string[]) => string[])[];
  /** Ways to write one row, `next` being another value than the row has, and ways to write many. */
  one(how: number, fires: boolean, next: () => number): string[][];
  many(how: number, fires: boolean, rows: number): string[][];
  /** Ways to have a row of `name: "known"`, or of a name that is new. */
  finds(named: string): string[][];
  /** What fails, without saying so where it raises nothing itself. */
  failures: string[];
  exists: string;
  /** What opens a savepoint by hand, releases it, and rolls back to it. */
  byHand(name: string): [string, string, string][];
}

interface Spelling {
  define(name: string, body: string[], flag: string): string[];
  call(name: string, args: string): string;
}

const indent = indented('  ');
export const block = (head: string, body: string[], end = 'end') => [head, ...indent(body), end];
const told = (args: string) => (args ? `(${args})` : '');

const inClass = (name: string, body: string[]) => block(`class ${title(name)}`, body);
const others = (args: string) => (args ? `, ${args}` : '');
const lambda = (head: string, flag: string, body: string[], end = 'end') =>
  block(`${head}lambda do |flag = ${flag}|`, body, end);
/** What is held, sent, made, chosen or taken over from elsewhere. */
const CALLABLES: Spelling[] = [
  {
    define: (name, body, flag) => inClass(name, lambda('GO = ', flag, body)),
    call: (name, args) => `${title(name)}::GO.call${told(args)}`,
  },
  {
    define: (name, body, flag) => inClass(name, [...lambda('TABLE = { go: ', flag, body, 'end }.freeze')]),
    call: (name, args) => `${title(name)}::TABLE[:go].call${told(args)}`,
  },
  {
    define: (name, body, flag) => inClass(name, block(`def self.${name}(flag = ${flag})`, body)),
    call: (name, args) => `${title(name)}.method(:${name}).call${told(args)}`,
  },
  {
    define: (name, body, flag) => inClass(name, block(`def self.${name}(flag = ${flag})`, body)),
    call: (name, args) => `${title(name)}.public_send(:${name}${others(args)})`,
  },
  {
    define: (name, body, flag) => inClass(name, block(`define_method(:${name}) do |flag = ${flag}|`, body)),
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, [...block(`def work(flag = ${flag})`, body), `alias ${name} work`]),
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(
        name,
        block('class << self', [...block(`def work(flag = ${flag})`, body), `alias_method :${name}, :work`]),
      ),
    call: (name, args) => `${title(name)}.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`class ${title(name)}Held`, block(`def ${name}(flag = ${flag})`, body)),
      '',
      ...inClass(name, [`delegate :${name}, to: :held`, '', `def held = ${title(name)}Held.new`]),
    ],
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, [
        ...block('def initialize', lambda('@work = ', flag, body)),
        '',
        ...block(`def ${name}(*flags)`, ['@work.call(*flags)']),
      ]),
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`class ${title(name)}Other`, block(`def self.${name}(*)`, ['Item.first'])),
      '',
      ...inClass(name, block(`def self.${name}(flag = ${flag})`, body)),
    ],
    call: (name, args) => `(DEBUG ? ${title(name)}Other : ${title(name)}).${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`class ${title(name)}Above`, block(`def ${name}(flag = ${flag})`, body)),
      '',
      ...block(
        `class ${title(name)} < ${title(name)}Above`,
        block(`def ${name}(*)`, ['Item.first', 'super']),
      ),
    ],
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`module ${title(name)}Around`, block(`def ${name}(*)`, ['Item.first', 'super'])),
      '',
      ...inClass(name, [`prepend ${title(name)}Around`, '', ...block(`def ${name}(flag = ${flag})`, body)]),
    ],
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      block(`${title(name)} = Struct.new(:flag) do`, block(`def ${name}(flag = ${flag})`, body)),
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`module ${title(name)}Told`, [
        'extend ActiveSupport::Concern',
        '',
        ...block('class_methods do', block(`def ${name}(flag = ${flag})`, body)),
      ]),
      '',
      ...inClass(name, [`include ${title(name)}Told`]),
    ],
    call: (name, args) => `${title(name)}.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => inClass(name, block('def self.made', lambda('', flag, body))),
    call: (name, args) => `${title(name)}.made.call${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, [
        ...block(`def self.${name}(flag = ${flag})`, [...body, 'yield']),
        '',
        `def self.kept(...) = ${name}(...)`,
      ]),
    call: (name, args) => `${title(name)}.kept${told(args)} { Item.first }`,
  },
];

const SPELLINGS: Spelling[] = [
  {
    define: (name, body, flag) => inClass(name, block(`def self.${name}(flag = ${flag})`, body)),
    call: (name, args) => `${title(name)}.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => inClass(name, block(`def ${name}(flag = ${flag})`, body)),
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, block('class << self', block(`def ${name}(flag = ${flag})`, body))),
    call: (name, args) => `${title(name)}.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, [
        ...block('def self.call(...)', ['new.call(...)']),
        '',
        ...block(`def call(flag = ${flag})`, body),
      ]),
    call: (name, args) => `${title(name)}.call${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, block(`def self.${name}(flag = ${flag})`, [...body, 'yield'])),
    call: (name, args) => `${title(name)}.${name}${told(args)} { Item.first }`,
  },
  {
    define: (name, body, flag) =>
      block(`module ${title(name)}`, ['module_function', '', ...block(`def ${name}(flag = ${flag})`, body)]),
    call: (name, args) => `${title(name)}.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) => [
      ...block(`module ${title(name)}Able`, block(`def ${name}(flag = ${flag})`, body)),
      '',
      ...block(`class ${title(name)}`, [`include ${title(name)}Able`]),
    ],
    call: (name, args) => `${title(name)}.new.${name}${told(args)}`,
  },
  {
    define: (name, body, flag) =>
      inClass(name, [
        ...block(`def initialize(flag = ${flag})`, ['@flag = flag']),
        '',
        ...block(`def ${name}`, ['flag = @flag', ...body]),
      ]),
    call: (name, args) => `${title(name)}.new${told(args)}.${name}`,
  },
  ...CALLABLES,
];

const guards = (level: string) => `class Guarded
  def self.guarded
    ${level} do
      yield
    end
  end

  def self.twice
    yield
    yield
  end

  def self.once(&work)
    work.call
  end

  def self.told(work:)
    work.call
  end

  def self.handed(...)
    guarded(...)
  end
end
`;

/** What stands in a scope, by what opens it. */
export const around = (head: string) => (body: string[]) => block(`${head} do`, body);

export function ruby(application: Application, library: Library): Rendered {
  const made: { cost: number; spelling: Spelling }[] = [];
  const bodies: Record<string, string[]> = { 'app/one.rb': [], 'app/two.rb': [] };
  let straight = true;
  let fails = false;
  const list = (body: Stmt[], at: Place) => body.flatMap((stmt) => one(stmt, at));
  const work = within(MOST, list);
  const { name } = work;
  /** Another one than what the row has. */
  let values = 1;

  function condition(when: number, at: Place): string {
    straight = false;
    const i = at.loops.at(-1);
    const choices = [
      'Item.count.even?', at.flag ? 'flag' : 'DEBUG', i ? `${i} % 3 == 0` : 'true', i ? `${i} > 2` : 'false',
      at.flag ? '!flag' : '!DEBUG', i ? `${i}.zero?` : 'Item.count > 5', 'DEBUG', 'true',
      at.flag ? 'flag && Item.count > 0' : `${library.exists} && true`, 'false',
    ]; // biome-ignore format: a table
    return pick(choices, when);
  }
  const guarded = (when: number | null, line: string, at: Place) =>
    when === null ? [line] : [`${line} if ${condition(when, at)}`];

  function write({ how, fires, rows }: Extract<Stmt, { k: 'write' }>): string[] {
    work.cost += rows;
    return pick(rows === 1 ? library.one(how, fires, () => ++values) : library.many(how, fires, rows), how);
  }

  function find({ how, hits }: Extract<Stmt, { k: 'find' }>): string[] {
    work.cost += 2;
    straight = false;
    return pick(library.finds(hits ? 'name: "known"' : 'name: SecureRandom.hex'), how);
  }

  function one(stmt: Stmt, at: Place): string[] {
    work.cost += 1;
    switch (stmt.k) {
      case 'write':
        return write(stmt);
      case 'read':
        return ['Item.first'];
      case 'find':
        return find(stmt);
      case 'scope':
        work.cost += 1;
        return pick(library.scopes, stmt.how)(list(stmt.body, { ...at, scoped: true }));
      case 'savepoint':
        return byHand(stmt, at);
      case 'loop':
        return loop(stmt, at);
      case 'if': {
        const head = condition(stmt.when, at);
        const then = indent(list(stmt.then, at));
        if (!stmt.else)
          return stmt.when % 2 ? [`if ${head}`, ...then, 'end'] : [`unless ${head}`, ...then, 'end'];
        return [`if ${head}`, ...then, 'else', ...indent(list(stmt.else, at)), 'end'];
      }
      case 'try':
        return attempt(stmt, at);
      case 'fail': {
        straight = false;
        const how = pick(
          ['raise ArgumentError, "no"', 'Integer("x")', 'raise KeyError', ...library.failures],
          stmt.how,
        );
        if (!how.startsWith('raise')) fails = true;
        const line = guarded(stmt.when, how, at);
        // Which wrapper's transaction ends it nobody knows (fixtures/frameworks/sequel.md): what follows runs, as behind a condition.
        const always = stmt.when === null || line[0]!.endsWith(' if true');
        return how === library.failures[0] && always ? [`${how} if Item.count > 0`] : line;
      }
      case 'leave': {
        if (stmt.how !== 'return' && at.loops.length === 0) return ['Item.first'];
        straight = false;
        return guarded(stmt.when, stmt.how === 'continue' ? 'next' : stmt.how, at);
      }
      case 'call': {
        const index = stmt.to % Math.max(1, at.callable);
        const to = made[index];
        if (!to || at.callable === 0 || work.cost + to.cost > MOST)
          return write({ k: 'write', how: stmt.how, fires: false, rows: 1 });
        work.cost += to.cost;
        return [to.spelling.call(`f${index}`, stmt.flag === null ? '' : String(stmt.flag))];
      }
      case 'local':
        return local(stmt, at);
    }
  }

  function byHand(stmt: Extract<Stmt, { k: 'savepoint' }>, at: Place): string[] {
    const body = list(stmt.body, at);
    if (!at.scoped) return body;
    work.cost += 1;
    const [open, release, back] = pick(library.byHand(name('s')), stmt.how);
    const ends = { release: [release], back: [back], both: [back, release], nothing: [] };
    return [open, ...body, ...ends[stmt.ends]];
  }

  function attempt(stmt: Extract<Stmt, { k: 'try' }>, at: Place): string[] {
    const catches = pick(
      [
        'ArgumentError',
        'StandardError',
        'KeyError',
        'KeyError, ArgumentError',
        'ArgumentError => error',
        '=> error',
      ],
      stmt.catches,
    );
    return [
      'begin',
      ...indent(list(stmt.body, at)),
      `rescue ${catches}`,
      ...indent(list(stmt.handler, at)),
      ...(stmt.else ? ['else', ...indent(list(stmt.else, at))] : []),
      ...(stmt.finally ? ['ensure', ...indent(list(stmt.finally, { ...at, loops: [] }))] : []),
      'end',
    ];
  }

  function loop(stmt: Extract<Stmt, { k: 'loop' }>, at: Place): string[] {
    const { i, body, n, numbers } = work.loop(stmt, at);
    const items = `[${numbers}]`;
    const each = (head: string) => block(`${head} do |${i}|`, body);
    return pick(
      [
        () => each(`${n}.times`),
        () => each(`(0...${n}).each`),
        () => each(`${items}.each`),
        () => each(`1.upto(${n})`),
        () => [`${i} = 0`, ...block(`while ${i} < ${n}`, [`${i} += 1`, ...body])],
        () => [`${i} = 0`, ...block('loop do', [`break if ${i} >= ${n}`, `${i} += 1`, ...body])],
        () => block(`(0...${n}).each_with_index do |${i}, _index|`, body),
        () => each(`(1..${n}).map`),
        () => each(`${n}.downto(1)`),
        () => block(`for ${i} in 0...${n} do`, body),
        () => [`${i} = 0`, ...block(`until ${i} == ${n}`, [`${i} += 1`, ...body])],
        () => each(`Array.new(${n})`),
        () => each(`1.step(${n}, 1)`),
        () => each(`(1..${n}).to_a.reverse.each`),
        () => block(`${items}.each_with_object({}) do |${i}, _seen|`, body),
        () => block(`(1..${n}).each_slice(1) do |(${i}, *)|`, body),
        () => each(`${items}.freeze.each`),
      ],
      stmt.how,
    )();
  }

  function local(stmt: Extract<Stmt, { k: 'local' }>, at: Place): string[] {
    const { f, body, calls } = work.local(stmt, at);
    return pick(
      [
        () => [...block(`${f} = lambda do`, body), ...calls(`${f}.call`)],
        () => [...block(`${f} = -> do`, body), ...calls(`${f}.()`)],
        () => block('Guarded.twice do', body),
        () => block('Guarded.once do', body),
        () => block('Item.first.tap do', body),
        () => [...block(`${f} = proc do`, body), `Guarded.once(&${f})`],
        () => [...block(`${f} = lambda do |_|`, body), `[1].each(&${f})`],
        () => block('[1].each do', body),
        () => block('1.then do', body),
        () => block('begin', body),
        () => block('catch(:out) do', body),
        () => [...block(`${f} = Proc.new do`, body), ...calls(`${f}.call`)],
        () => [...block(`${f} = lambda do`, body), ...calls(`${f}.to_proc.call`)],
        () => [...block(`${f} = lambda do`, body), ...calls(`(DEBUG ? -> { 1 } : ${f}).call`)],
        () => [...block(`${f} = lambda do`, body), ...calls(`Guarded.told(work: ${f})`)],
        () => [...block(`${f} = { go: lambda do`, body, 'end }'), ...calls(`${f}[:go].call`)],
        () => [...block(`${f} = [lambda do`, body, 'end]'), ...calls(`${f}.each(&:call)`)],
        () => [...block(`${f} = lambda do |_ = 1|`, body), ...calls(`(->(one = 1) { one } >> ${f}).call`)],
        () => [...block(`${f} = lambda do |_ = 1|`, body), ...calls(`1.then(&${f})`)],
        () => block('begin', body, 'end while false'),
        () => block('if true', body),
        () => [...block('if false', ['Item.create']), ...block('unless false', body)],
        () => [...block(`define_singleton_method(:${f}) do`, body), ...calls(f)],
      ],
      stmt.how,
    )();
  }

  function routine(each: Routine, index: number): void {
    const file = index < 2 ? 'app/one.rb' : 'app/two.rb';
    work.cost = 0;
    const body = list(each.body, { file, loops: [], flag: true, callable: index, scoped: false });
    const spelling = pick(SPELLINGS, each.how);
    made.push({ cost: work.cost + 1, spelling });
    bodies[file]!.push(...spelling.define(`f${index}`, body, String(each.flag)), '');
  }

  application.routines.forEach(routine);
  work.cost = 0;
  const run = list(application.run, {
    file: 'app/run.rb',
    loops: [],
    flag: false,
    callable: made.length,
    scoped: false,
  });
  const head = ['DEBUG = false', ''];
  const files: Record<string, string> = {
    ...library.files,
    'app/guarded.rb': guards(library.level),
  };
  for (const [file, body] of Object.entries(bodies)) files[file] = `${body.join('\n')}\n`;
  files['app/settings.rb'] = `${head.join('\n')}`;
  files['app/run.rb'] =
    `${block('class Run', block('def self.run', run)).join('\n')}\n\nRun.run if $PROGRAM_NAME == __FILE__\n`;
  const text = Object.values(files).join();
  return { files, straight, fails, uncounted: /joinable: false|auto_savepoint|\bretry if\b/.test(text) };
}
