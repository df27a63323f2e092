// A random application as Python: its control flow, functions and imports. What opens transactions is the dialect's part.
import type { Application, Routine, Stmt } from '../../properties/application.ts';
import { block, type Dialect } from './dialect.ts';
import { either, LAYERS, layered, layers } from './layers.ts';
import { type Spelling, spellings } from './routines.ts';
import { type Place, pick, type Rendered, title, within } from './spelling.ts';

/** Statements and subtransactions that a routine may take, so that it ends soon. */
const MOST = 400;

interface Made {
  file: string;
  cost: number;
  spelling: Spelling;
}

const HELPERS = `from functools import wraps

from app.known import count


def logged(work):
    @wraps(work)
    def around(*args, **named):
        count()
        return work(*args, **named)

    return around


def twice(work):
    work()
    work()


def once(work):
    return work()


def told(label):
    def decorator(work):
        def around(*args, **named):
            return work(*args, **named)

        return around

    return decorator


class Counted:
    def __init__(self, work):
        self.work = work

    def __call__(self, *args, **named):
        return self.work(*args, **named)


def numbers(n):
    for k in range(n):
        yield k
`;
const IMPORTS = [
  'from contextlib import ExitStack, contextmanager, suppress',
  'from functools import partial',
  'from itertools import chain, islice, product, repeat',
  'from app.helpers import Counted, logged, numbers, once, told, twice',
  LAYERS,
  'from app.known import count',
  'from uuid import uuid4',
];

export function python(application: Application, dialect: Dialect): Rendered {
  const made: Made[] = [];
  const kinds = spellings(dialect);
  const bodies: Record<string, string[]> = { 'app/one.py': [], 'app/two.py': [], 'app/run.py': [] };
  const imports: Record<string, Set<string>> = Object.fromEntries(
    Object.keys(bodies).map((file) => [file, new Set([...IMPORTS, ...dialect.imports])]),
  );
  let straight = true;
  let fails = false;
  const list = (body: Stmt[], at: Place) => body.flatMap((stmt) => one(stmt, at));
  const work = within(MOST, list);
  const { name } = work;

  function condition(when: number, at: Place): string {
    straight = false;
    const i = at.loops.at(-1);
    return pick(
      [
        'count() % 2 == 0',
        at.flag ? 'flag' : 'DEBUG',
        i ? `${i} % 3 == 0` : 'True',
        i ? `${i} > 2` : 'False',
        at.flag ? 'not flag' : 'not DEBUG',
        i ? `${i} == 0` : 'count() > 5',
        'DEBUG',
        'True',
        at.flag ? 'flag and count() > 0' : 'count() and True',
        'False',
      ],
      when,
    );
  }
  const guarded = (when: number | null, line: string, at: Place) =>
    when === null ? [line] : block(`if ${condition(when, at)}:`, [line]);

  function write(stmt: Extract<Stmt, { k: 'write' }>): string[] {
    const { rows } = stmt;
    work.cost += rows;
    return dialect.write(stmt.how, stmt.fires, rows);
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
        return dialect.find(stmt.how, stmt.hits);
      case 'scope':
        work.cost += 1;
        if (at.file === 'app/run.py' && !at.scoped && stmt.how % 5 === 0)
          return dialect.outermost(list(stmt.body, { ...at, scoped: true }));
        return either(
          dialect.scopes,
          layered(dialect),
          stmt.how,
        )(list(stmt.body, { ...at, scoped: true }), name);
      case 'savepoint':
        return byHand(stmt, at);
      case 'loop':
        return loop(stmt, at);
      case 'if': {
        const head = `if ${condition(stmt.when, at)}:`;
        const otherwise = stmt.else ? block('else:', list(stmt.else, at)) : [];
        return [...block(head, list(stmt.then, at)), ...otherwise];
      }
      case 'try':
        return attempt(stmt, at);
      case 'fail': {
        straight = false;
        const how = pick(
          ['raise ValueError("no")', 'int("x")', 'raise KeyError("no")', dialect.failure],
          stmt.how,
        );
        if (!how.startsWith('raise')) fails = true;
        return guarded(stmt.when, how, at);
      }
      case 'leave': {
        if (stmt.how !== 'return' && at.loops.length === 0) return [dialect.read];
        straight = false;
        return guarded(stmt.when, stmt.how, at);
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
    const { open, release, back, both } = dialect.savepoint(stmt.how, name('s'));
    const ends = { release: [release], back: [back], both: both ?? [back, release], nothing: [] };
    return [open, ...body, ...ends[stmt.ends]];
  }

  function attempt(stmt: Extract<Stmt, { k: 'try' }>, at: Place): string[] {
    const catches = pick(
      [
        'ValueError',
        'Exception',
        'KeyError',
        '(KeyError, ValueError)',
        'ValueError as error',
        'BaseException',
      ],
      stmt.catches,
    );
    return [
      ...block('try:', list(stmt.body, at)),
      ...block(`except ${catches}:`, list(stmt.handler, at)),
      ...(stmt.else ? block('else:', list(stmt.else, at)) : []),
      ...(stmt.finally ? block('finally:', list(stmt.finally, { ...at, loops: [] })) : []),
    ];
  }

  function loop(stmt: Extract<Stmt, { k: 'loop' }>, at: Place): string[] {
    const { i, body, n, numbers } = work.loop(stmt, at);
    const items = `[${numbers}]`;
    const counting = (head: string, turn: string[]) => [`${i} = 0`, ...block(head, turn)];
    const constant = () => {
      bodies[at.file]!.push(`${title(i)} = ${items}`, '');
      return block(`for ${i} in ${title(i)}:`, body);
    };
    return pick(
      [
        () => block(`for ${i} in range(${n}):`, body),
        () => block(`for ${i} in ${items}:`, body),
        () => counting(`while ${i} < ${n}:`, [`${i} += 1`, ...body]),
        constant,
        () => block(`for ${i} in range(1, ${n} + 1):`, body),
        () => block(`for ${i}, _ in enumerate(range(${n})):`, body),
        () => counting('while True:', [...block(`if ${i} >= ${n}:`, ['break']), `${i} += 1`, ...body]),
        () => block(`for ${i} in range(0, ${n * 10}, 10):`, body),
        () => block(`for ${i}, _ in zip(range(${n}), range(${n + 5})):`, body),
        () => block(`for ${i} in reversed(range(${n})):`, body),
        () => [...block(`for ${i} in range(${n}):`, body), ...block('else:', [dialect.read])],
        () => {
          straight = false;
          const turn = [...block('try:', [...body, 'break']), ...block('except ValueError:', ['continue'])];
          return block(`for ${i} in range(${n}):`, turn);
        },
        () => block(`for ${i} in list(range(${n})):`, body),
        () => block(`for ${i} in sorted(${items}):`, body),
        () => block(`for ${i} in (${numbers}${n === 1 ? ',' : ''}):`, body),
        () => block(`for ${i}, _ in {k: k for k in range(${n})}.items():`, body),
        () => block(`for ${i} in range(10)[:${n}]:`, body),
        () => block(`for ${i} in numbers(${n}):`, body),
        () => block(`for ${i} in islice(numbers(${n + 5}), ${n}):`, body),
        () => block(`for ${i}, _ in enumerate(repeat(None, ${n})):`, body),
        () => block(`for ${i}, _ in product(range(${n}), range(1)):`, body),
        () => block(`for ${i} in chain(range(${n}), []):`, body),
        () => block(`for ${i} in [k for k in range(${n})]:`, body),
        () => block(`for ${i} in (k + 1 for k in ${items}):`, body),
        () => block(`for ${i} in range(${n}, 0, -1):`, body),
        () => block(`for ${i} in iter(tuple(range(${n}))):`, body),
        () => block(`for ${i}, _ in enumerate([0] * ${n}):`, body),
        () => block(`for ${i} in dict.fromkeys(range(${n})):`, body),
        () => block(`for ${i} in map(int, range(${n})):`, body),
        () => [`${i} = 0`, ...block(`while (${i} := ${i} + 1) <= ${n}:`, body)],
        () => [`left${i} = ${items}`, ...block(`while left${i}:`, [`${i} = left${i}.pop()`, ...body])],
        () => [`rows${i} = ${items}`, ...block(`for ${i} in range(len(rows${i})):`, body)],
        () => [`rows${i} = [*range(${n})]`, ...block(`for ${i} in rows${i}:`, body)],
        () => [
          ...block(`for ${i} in range(${n + 5}):`, [...block(`if ${i} == ${n}:`, ['break']), ...body]),
          ...block('else:', [dialect.read]),
        ],
      ],
      stmt.how,
    )();
  }

  function call(stmt: Extract<Stmt, { k: 'call' }>, at: Place): string[] {
    const index = stmt.to % Math.max(1, at.callable);
    const to = made[index];
    if (!to || at.callable === 0 || work.cost + to.cost > MOST) return dialect.write(stmt.how, false, 1);
    work.cost += to.cost;
    if (to.spelling.times) straight = false;
    const called = `f${index}`;
    const owned = to.spelling.owner(called);
    const module = to.file.slice(4, -3);
    const told = stmt.flag === null ? '' : stmt.flag ? 'True' : 'False';
    const flag = told && stmt.how % 2 === 1 ? `flag=${told}` : told;
    const args = [dialect.takes?.argument, flag].filter(Boolean).join(', ');
    const via = (line: string, as: string) => {
      imports[at.file]!.add(line);
      return as;
    };
    const owner =
      to.file === at.file
        ? owned
        : pick(
            [
              () => via(`from app.${module} import ${owned}`, owned),
              () => via(`from app import ${module}`, `${module}.${owned}`),
              () => via(`import app.${module} as the_${module}`, `the_${module}.${owned}`),
              () =>
                via(`from app.${module} import ${owned} as ${owned}_of_${module}`, `${owned}_of_${module}`),
              () => via(`import app.${module}`, `app.${module}.${owned}`),
            ],
            stmt.how >> 1,
          )();
    return to.spelling.call(owner, called, args);
  }

  function local(stmt: Extract<Stmt, { k: 'local' }>, at: Place): string[] {
    const { f, body, n, calls } = work.local(stmt, at);
    const define = block(`def ${f}():`, body);
    return pick(
      [
        () => [...define, ...calls(`${f}()`)],
        () => [...dialect.decorators.all.slice(0, 1), ...define, ...calls(`${f}()`)],
        () => [...define, `once(${f})`],
        () => [...define, `twice(${f})`],
        () => ['@logged', ...define, ...calls(`${f}()`)],
        () => [...block(`def ${f}(_):`, body), `list(map(${f}, range(${n})))`],
        () => [...define, `[${f}() for _ in range(${n})]`],
        () => [...define, `partial(${f})()`],
        () => [...block(`def ${f}():`, [...body, 'yield 1']), ...calls(`list(${f}())`)],
        () => ['@contextmanager', ...block(`def ${f}():`, [...body, 'yield']), ...calls(`with ${f}(): pass`)],
        () => [...block(`class ${title(f)}:`, block('def go(self):', body)), ...calls(`${title(f)}().go()`)],
        () => [...define, `again = ${f}`, ...calls('again()')],
        () => [...define, `once(lambda: ${f}())`],
        () => [...define, ...calls(`told("x")(${f})()`)],
        () => ['@Counted', ...define, ...calls(`${f}()`)],
        () => [...define, `for work in (${f},):`, '    work()'],
        () => [...define, `works = {"one": ${f}}`, ...calls('works["one"]()')],
        () => [...define, `{k: ${f}() for k in range(${n})}`],
        () => [...define, `list(${f}() for _ in range(${n}))`],
        () => [...define, `twice(lambda: once(${f}))`],
        () => [...define, `(${f} if True else once)()`],
        () => [
          ...block(`def ${f}(deep=1):`, [...block('if deep < 1:', ['return']), ...body, `${f}(deep - 1)`]),
          ...calls(`${f}()`),
        ],
        () => [...define, `[again() for again in (${f}, lambda: None)]`],
        () => [...define, `logged(${f})()`],
        () => [...define, 'again = None', ...block(`if (again := ${f}):`, ['again()'])],
        () => [
          ...define,
          ...block('match 1:', [...block('case 1:', [`${f}()`]), ...block('case _:', ['pass'])]),
        ],
      ],
      stmt.how,
    )();
  }

  function routine(each: Routine, index: number): void {
    const file = index < 2 ? 'app/one.py' : 'app/two.py';
    work.cost = 0;
    const body = list(each.body, { file, loops: [], flag: true, callable: index, scoped: false });
    const spelling = pick(kinds, each.how);
    made.push({ file, cost: (work.cost + 1) * (spelling.times ?? 1), spelling });
    const flag = `flag=${each.flag ? 'True' : 'False'}`;
    const takes = dialect.takes ? `${dialect.takes.parameter}, ${flag}` : flag;
    bodies[file]!.push(...spelling.define(`f${index}`, takes, body), '');
  }

  application.routines.forEach(routine);
  work.cost = 0;
  const run = list(application.run, {
    file: 'app/run.py', loops: [], flag: false, callable: made.length, scoped: false,
  }); // biome-ignore format: one place
  const whole = dialect.run?.(run, made.length + run.length) ?? run;
  bodies['app/run.py']!.push(...block('def run():', whole), '', 'if __name__ == "__main__":', '    run()');
  const files: Record<string, string> = {
    ...dialect.files,
    'app/helpers.py': HELPERS,
    'app/layers.py': layers({ ...dialect, imports: dialect.levels }),
  };
  for (const [file, body] of Object.entries(bodies))
    files[file] = `${[...imports[file]!, '', 'DEBUG = False', '', ...body].join('\n')}\n`;
  return { files, straight, fails };
}
