// How a routine of a random program in Python is defined and called: function, method, generator, context manager, what is kept in a
// variable or handed to another one.
import { block, type Dialect } from './dialect.ts';
import { title } from './spelling.ts';

/** How a routine is defined, and called by an expression for itself; `with` and `for` are statements around. */
export interface Spelling {
  /** How often its body runs for each call, where that is not once; what asks how deep it is stands under a condition. */
  times?: number;
  define(name: string, flag: string, body: string[]): string[];
  /** The name to import. */
  owner(name: string): string;
  call(owner: string, name: string, args: string): string[];
}

const same = (name: string) => name;

export function spellings(dialect: Dialect): Spelling[] {
  const { decorators, takes } = dialect;
  const plain: Spelling = {
    define: (name, flag, body) => block(`def ${name}(${flag}):`, body),
    owner: same,
    call: (owner, _, args) => [`${owner}(${args})`],
  };
  const decorated = (decorator: string): Spelling => ({
    ...plain,
    define: (name, flag, body) => [decorator, ...plain.define(name, flag, body)],
  });
  const inClass = (head: string[], self: string, made: string): Spelling => ({
    define: (name, flag, body) =>
      block(`class ${title(name)}:`, [...head, ...block(`def ${name}(${self}${flag}):`, body)]),
    owner: title,
    call: (owner, name, args) => [`${owner}${made}.${name}(${args})`],
  });
  // An object that is made with what its methods need.
  const held = takes?.argument;
  const keeping = held ? block(`def __init__(self, ${takes.parameter}):`, [`self.${held} = ${held}`]) : [];
  const kept = held ? [`${held} = self.${held}`] : [];
  const flagOnly = (flag: string) => flag.slice(flag.indexOf('flag'));
  return [
    plain,
    ...decorators.all.slice(0, 1).map(decorated),
    inClass([], 'self, ', '()'),
    inClass(['@staticmethod'], '', ''),
    inClass(['@classmethod'], 'cls, ', ''),
    ...decorators.all.slice(0, 1).map((one) => inClass([one], 'self, ', '()')),
    ...[...decorators.all.slice(1), ...decorators.functions].map(decorated),
    {
      ...plain,
      define: (name, flag, body) => ['@contextmanager', ...plain.define(name, flag, [...body, 'yield'])],
      call: (owner, _, args) => block(`with ${owner}(${args}):`, []),
    },
    {
      ...plain,
      define: (name, flag, body) => plain.define(name, flag, [...body, 'yield 1']),
      call: (owner, _, args) => block(`for _ in ${owner}(${args}):`, []),
    },
    {
      ...plain,
      define: (name, flag, body) => plain.define(name, `work, ${flag}`, [...body, 'work()']),
      call: (owner, _, args) => [`${owner}(lambda: None${args && `, ${args}`})`],
    },
    {
      ...plain,
      define: (name, flag, body) => ['@logged', ...plain.define(name, flag, body)],
    },
    {
      define: (name, flag, body) =>
        block(`class ${title(name)}:`, block(`def __call__(self, ${flag}):`, body)),
      owner: title,
      call: (owner, _, args) => [`${owner}()(${args})`],
    },
    {
      define: (name, flag, body) =>
        block(`class ${title(name)}:`, [
          ...keeping,
          ...block(`def __enter__(self, ${flagOnly(flag)}):`, [...kept, ...body, 'return self']),
          ...block('def __exit__(self, *error):', ['return False']),
        ]),
      owner: title,
      call: (owner) => block(`with ${owner}(${takes?.argument ?? ''}):`, []),
    },
    ...structured(dialect, inClass),
  ];
}

/** Through base classes, containers, closures and other functions. */
function structured(
  { takes }: Dialect,
  inClass: (head: string[], self: string, made: string) => Spelling,
): Spelling[] {
  const it = takes?.argument;
  const handed = [it, 'flag'].filter(Boolean).join(', ');
  const plain = (name: string, flag: string, body: string[]) => block(`def ${name}(${flag}):`, body);
  const method = (name: string, flag: string, body: string[]) => plain(name, `self, ${flag}`, body);
  const byName = { owner: same, call: (owner: string, _: string, args: string) => [`${owner}(${args})`] };
  const ofClass = { owner: title, call: inClass([], 'self, ', '()').call };
  const generator = (consumed: (call: string) => string[]): Spelling => ({
    define: (name, flag, body) => plain(name, flag, [...body, 'yield 1']),
    owner: same,
    call: (owner, _, args) => consumed(`${owner}(${args})`),
  });
  return [
    {
      ...ofClass,
      define: (name, flag, body) => [
        ...block(`class Base${title(name)}:`, method(name, flag, body)),
        '',
        ...block(
          `class ${title(name)}(Base${title(name)}):`,
          method(name, flag, [`return super().${name}(${handed})`]),
        ),
      ],
    },
    {
      ...ofClass,
      define: (name, flag, body) => [
        ...block(`class Base${title(name)}:`, [
          ...method(name, flag, [`self.work(${handed})`]),
          ...method('work', flag, ['raise NotImplementedError']),
        ]),
        '',
        ...block(`class ${title(name)}(Base${title(name)}):`, method('work', flag, body)),
      ],
    },
    {
      ...ofClass,
      define: (name, flag, body) => [
        ...block(`class Base${title(name)}:`, method(name, flag, ['pass'])),
        ...block(`class Mixin${title(name)}:`, method(name, flag, [...body, `super().${name}(${handed})`])),
        '',
        ...block(`class ${title(name)}(Mixin${title(name)}, Base${title(name)}):`, []),
      ],
    },
    {
      ...inClass(['@classmethod'], 'cls, ', ''),
      define: (name, flag, body) =>
        block(`class ${title(name)}:`, [
          '@classmethod',
          ...plain(name, `cls, ${flag}`, [`cls().work(${handed})`]),
          ...method('work', flag, body),
        ]),
    },
    {
      ...byName,
      define: (name, flag, body) => [
        ...plain(`inner_${name}`, flag, body),
        '',
        ...plain(name, `*args, **named`, [`return inner_${name}(*args, **named)`]),
      ],
    },
    {
      ...byName,
      times: 3,
      define: (name, flag, body) =>
        plain(name, `${flag}, deep=2`, [...block('if deep > 0:', [`${name}(${handed}, deep - 1)`]), ...body]),
    },
    {
      ...byName,
      define: (name, flag, body) => ['@told("work")', ...plain(name, flag, body)],
    },
    {
      ...byName,
      define: (name, flag, body) => ['@logged', '@told(label="work")', ...plain(name, flag, body)],
    },
    {
      ...byName,
      define: (name, flag, body) => ['@Counted', ...plain(name, flag, body)],
    },
    {
      ...byName,
      define: (name, flag, body) => [
        ...plain(`later_${name}`, flag, [...body, 'yield 1']),
        '',
        ...plain(name, flag, [`yield from later_${name}(${handed})`]),
      ],
      call: (owner, _, args) => [`list(${owner}(${args}))`],
    },
    generator((call) => [`sum(${call})`]),
    generator((call) => [`next(${call})`]),
    generator((call) => [`got, = ${call}`]),
    generator((call) => [`[got for got in ${call}]`]),
    {
      define: (name, flag, body) => [
        '@contextmanager',
        ...plain(`in_${name}`, flag, [...body, 'yield 1']),
        '',
        '@contextmanager',
        ...plain(name, flag, block(`with in_${name}(${handed}) as got:`, ['yield got'])),
      ],
      owner: same,
      call: (owner, _, args) => block(`with ${owner}(${args}):`, []),
    },
    {
      define: (name, flag, body) => ['@contextmanager', ...plain(name, flag, ['yield 1', ...body])],
      owner: same,
      call: (owner, _, args) => block(`with ${owner}(${args}):`, []),
    },
    {
      define: (name, flag, body) => [
        '@contextmanager',
        ...plain(name, flag, [...block('try:', ['yield 1']), ...block('finally:', body)]),
      ],
      owner: same,
      call: (owner, _, args) => block(`with ${owner}(${args}):`, []),
    },
    {
      ...byName,
      define: (name, flag, body) =>
        plain(name, flag.replace(', flag', ', *, flag').replace(/^flag/, '*, flag'), body),
      call: (owner, _, args) => [
        `${owner}(${args.replace(/(True|False)$/, 'flag=$1').replace('flag=flag=', 'flag=')})`,
      ],
    },
    {
      define: (name, flag, body) => block(`class ${title(name)}:`, method('__init__', flag, body)),
      owner: title,
      call: (owner, _, args) => [`${owner}(${args})`],
    },
  ];
}
