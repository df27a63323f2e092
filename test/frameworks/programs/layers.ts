// What people put between a scope and the code inside: context managers of their own in layers, classes, functions that
// are handed what they run. It is written once for each framework in Python; what opens is the framework's.
import { block, type Dialect, loose } from './dialect.ts';
import { pick } from './spelling.ts';

/** What a program's own layers need of the framework. */
export interface Opener {
  imports: string[];
  takes?: Dialect['takes'];
  /** A context manager that opens, on what `on` names. */
  level(on: string): string;
}

/** `app/layers.py`. */
export function layers({ imports, takes, level }: Opener): string {
  const takesIt = takes?.parameter ?? '';
  const it = takes?.argument ?? '';
  const and = (more: string, first = takesIt) => (first ? `${first}, ${more}` : more);
  const held = takes ? `self.${it}` : '';
  const init = takes
    ? `def __init__(self, ${takesIt}):\n        self.${it} = ${it}`
    : 'def __init__(self):\n        self.level = None';
  return `from contextlib import ContextDecorator, ExitStack, contextmanager, nullcontext
from functools import wraps

${imports.join('\n')}


@contextmanager
def inmost(${takesIt}):
    with ${level(it)}:
        yield


@contextmanager
def middle(${takesIt}):
    with inmost(${it}) as level:
        yield level


@contextmanager
def outmost(${takesIt}):
    with middle(${it}):
        yield


@contextmanager
def careful(${takesIt}):
    try:
        with inmost(${it}):
            yield
    except ValueError:
        raise
    finally:
        pass


@contextmanager
def stacked(${takesIt}):
    with ExitStack() as stack:
        stack.enter_context(middle(${it}))
        yield stack


@contextmanager
def sometimes(${and('nested=True')}):
    if not nested:
        yield
        return
    with ${level(it)}:
        yield


class Level:
    ${init}

    def __enter__(self):
        self.entered = ${level(held)}; self.entered.__enter__()
        return self

    def __exit__(self, *error):
        return self.entered.__exit__(*error)


class Deeper(Level):
    def __enter__(self):
        return super().__enter__()


class Stacked(ContextDecorator):
    ${init}

    def __enter__(self):
        self.stack = ExitStack()
        self.stack.enter_context(inmost(${held}))
        return self

    def __exit__(self, *error):
        return self.stack.__exit__(*error)


class Unit:
    ${init}

    @property
    def inside(self):
        return inmost(${held})

    @contextmanager
    def apart(self):
        with self.inside:
            yield self

    def run(self, work):
        with self.apart():
            return work()

    @classmethod
    def of(${takes ? `cls, ${takesIt}` : 'cls'}):
        return cls(${it})

    @staticmethod
    def go(${and('work')}):
        return run_in(${and('work', it)})


def chosen(${and('nested=True')}):
    return inmost(${it}) if nested else nullcontext()


def made(${takesIt}):
    return outmost(${it})


def run_in(${and('work')}):
    with inmost(${it}):
        return work()


def hand_on(${and('work')}):
    return run_in(${and('work', it)})


def hand_far(${and('work')}):
    return hand_on(${and('lambda: work()', it)})


def around(label):
    def decorator(work):
        @wraps(work)
        def inside(${and('*args, **named')}):
            with middle(${it}):
                return work(${and('*args, **named', it)})

        return inside

    return decorator
`;
}

/** Scopes of those layers. */
export function layered({ takes }: Pick<Opener, 'takes'>): Dialect['scopes'] {
  const it = takes?.argument ?? '';
  const and = (more: string) => (it ? `${it}, ${more}` : more);
  const around = (head: string) => (body: string[]) => block(`with ${head}:`, body);
  const run =
    (line: (f: string) => string, ...above: string[]): Dialect['scopes'][number] =>
    (body, name) => {
      if (!loose(body)) return block(`with inmost(${it}):`, body);
      const f = name('part');
      const takesIt = above.length > 0 ? (takes?.parameter ?? '') : '';
      return [...above, ...block(`def ${f}(${takesIt}):`, body), line(f)];
    };
  return [
    around(`outmost(${it})`),
    around(`Level(${it})`),
    run((f) => `hand_on(${and(f)})`),
    around(`careful(${it})`),
    around(`stacked(${it})`),
    around(`sometimes(${it})`),
    around(`sometimes(${and('nested=False')})`),
    around(`Deeper(${it}) as deeper`),
    around(`Stacked(${it})`),
    around(`Unit(${it}).apart() as unit`),
    around(`Unit.of(${it}).apart()`),
    around(`chosen(${it})`),
    around(`chosen(${and('False')})`),
    around(`made(${it})`),
    around(`outmost(${it}), inmost(${it})`),
    run((f) => `hand_far(${and(f)})`),
    run((f) => `hand_on(${and(`lambda: ${f}()`)})`),
    run((f) => `run_in(${and(`partial(${f})`)})`),
    run((f) => `Unit(${it}).run(${f})`),
    run((f) => `Unit.go(${and(f)})`),
    run((f) => `${f}(${it})`, '@around("part")'),
    run((f) => `${f}(${it})`, '@logged', '@around(label="part")'),
    (body, name) => {
      const held = name('unit');
      return [`${held} = Unit(${it})`, ...block(`with ${held}.apart():`, body)];
    },
    (body) => block('with ExitStack() as stack:', [`stack.enter_context(outmost(${it}))`, ...body]),
    (body) => block('with ExitStack() as stack:', [`stack.enter_context(Level(${it}))`, ...body]),
    (body) => block(`with inmost(${it}):`, block(`with Level(${it}):`, body)),
  ];
}

export const LAYERS =
  'from app.layers import (Deeper, Level, Stacked, Unit, around, careful, chosen, hand_far, hand_on, inmost, made, outmost, run_in, sometimes, stacked)';

/** One of them, or one of the framework's own: as many of either kind. */
export const either = <T>(own: T[], more: T[], how: number): T =>
  how % 2 === 0 ? pick(own, how >> 1) : pick(more, how >> 1);
