// Our Python parser: the trees are tree-sitter-python's, an error costs its own line, and no text takes long.
import { expect, test } from 'vitest';
import { parse } from '../src/frontends/python/syntax/parse.ts';
import type { Syntax } from '../src/frontends/syntax.ts';
import { expectInOrder, expectQuick, forBrokenTexts, outline, pagesOf, TIMES } from './parser-oracle.ts';
import { difference } from './python-oracle.ts';

const pages = pagesOf('python');

test('our own pages are read as the oracle reads them', () => {
  expect(pages.length).toBeGreaterThan(80);
  for (const text of pages) expect(difference(text) ?? '').toBe('');
});

/** A line each; ⏎ is a line break, ⇥ a tab, ⇟ a form feed. */
const SNIPPETS = String.raw`
with a as b, c: pass
with (a as b, c as d,): pass
with (a), (b, c) as d: pass
with (a, b): pass
async with x as (a, b): pass
try: pass⏎except A as e: pass⏎except (A, B) as e: pass⏎except A, e: pass⏎except: pass⏎else: pass⏎finally: pass
try: pass⏎except* A as e: pass
print "a", b
print >>f, x,
print (a), b
print -1
print not a
print not in a
print
exec "a" in b, c
exec a
type X = int
type X[T: int, *Ts, **P] = list[T] | None
x: a[b] | c[d] | e = f
x: List[a.B[int], "C", Callable[[int], str], tuple[int, ...]]
x: None | List[int]
x: List[int].b
x: Foo[1:2]
f(*a or b, *c + d, **e or f, *g, *(i), x=1)
f(x for x in y)
f((x for x in y), 1)
[a for b, *c in d if e if f for g in h, i]
{**a, b: c, **d}
{a: b async for c in d}
{a, *b}
(*a, b)
(yield)
x = yield a, b
x = await y ** 2 + 1
-x ** -y ** z
not a in b not in c is not d < e
lambda x, *a, y=3, **k: x if y else lambda: z
lambda *, a, (b, c): d
def f(a, /, b: int, c: int = 3, *, d=4, **k: int) -> int: pass
def f(*args: int, (a, (b, c))): pass
async def f(): pass
a, = *b, c = (d, [e, *f]) = g, h
a += b, c
(a) = b
x[a:b, c, ::d, a := 3]
f"a{b!r:>{c}}d{{}}" 'e' rb'f' F'{x=}{y, z}{yield}'
f"{a['b']}{f'{c}'}{x:%Y-%m-%d}{x!r}{a["b"]}"
f'''{⏎a⏎}'''
rf"\{a}\d{{3}}" f"\N{DASH}{b}"
"a\"b" 'c\⏎d' """e"f""\""""
class A[T](B, metaclass=C): x = 1; y = 2;
@a.b(c)⏎@d⏎async def f(): pass
match x:⏎    case 1 | 2 if y: pass⏎    case A(b=c), d: pass⏎    case {"a": [b, *c]} as e:⏎        pass⏎    case _: pass
match x, *y:⏎  case []: pass
match(a, b)
match[a] = b
match (a):⏎  case b: pass
match -a:⏎  case b: pass
match - a
match.a, case.b, type.c = d
from . import a
from ...a.b import c as d, e
from __future__ import (annotations)
from x import (a, b as c,)
from x import *
import a.b as c, d.e
global a, b
del (a), b[c]
raise A from b
raise A, b
assert a, b
return *a, b
for a, (b, *c) in d, e: pass⏎else: pass
while a: b⏎else: c
if a:⏎  b⏎elif c: d⏎else:⏎  e⏎f
async = await.b
1_0.5e3j + 10L + 0xFFl + 5j + .5 + 1. + 1e5 + 0o7 + 0b1
a = 1if b else 0or c
a <> b
a.b.c[d](e)(f).g
x = (a +⏎# comment⏎ b) \⏎  + c
if a:⏎⇥b⏎⏎# comment⏎⇥c⏎d
def f():⏎  a⏎ # comment⏎  b⏎⇟⏎c
größe = naïve.ﬁ
`;

const written = (line: string) => line.replaceAll('⏎', '\n').replaceAll('⇥', '\t').replaceAll('⇟', '\f');

test('every construct has the shape that the oracle gives it', () => {
  for (const line of SNIPPETS.trim().split('\n')) {
    expect(`${line} → ${difference(written(line)) ?? 'the oracle does not read it'}`).toBe(`${line} → `);
    expect(difference(written(line).replaceAll('\n', '\r\n')) ?? '').toBe('');
  }
  expect(difference('x = `a`\n')).toBe('');
});

const read = (text: string) => parse(text).root.children.map(outline).join(' ');

test('what the oracle does not read, or reads otherwise than Python', () => {
  const cases: [string, string][] = [
    ['type(a).b = c', 'expression_statement(assignment(left: attribute(object: call('],
    ['f(*a.b())', 'argument_list(list_splat(call('],
    ['(a := b if c else d)', 'named_expression(name: identifier value: conditional_expression('],
    ['with (a as b): pass', 'with_item(value: as_pattern(identifier'],
    ['with a if b else c as d: pass', 'with_item(value: as_pattern(conditional_expression('],
    ['x: A[b][c]', 'type: type(subscript('],
    ['return *f(), b', 'return_statement(tuple(list_splat(call('],
    ['class A[T = int, *Ts = *tuple[int]]: pass', 'type_parameters: type_parameter('],
    ["f'{x:=10}'", 'interpolation(expression: identifier format_specifier'],
    ["t'{a!r}{b:{c}}'", 'interpolation(expression: identifier type_conversion'],
    [
      'try: pass\nexcept A, B, C: pass',
      'except_clause(value: identifier value: identifier value: identifier',
    ],
    [
      'a = 1\rb = 2\r',
      'expression_statement(assignment(left: identifier right: integer)) expression_statement(',
    ],
  ];
  for (const [text, shape] of cases) {
    expect(parse(text).error, text).toBeNull();
    expect(read(text)).toContain(shape);
  }
});

/** Which statements and blocks there are, and where the first error is said to be. */
function sketch(text: string): string {
  const draw = (node: Syntax): string => {
    const inside = node.children.filter((one) => /_statement|_definition|block|ERROR|clause/.test(one.type));
    return `${node.type.replace(/_statement|_definition/, '')}${inside.length > 0 ? `(${inside.map(draw).join(' ')})` : ''}`;
  };
  const { root, error } = parse(text);
  return `${root.children.map(draw).join(' ')} ! ${error ? text.slice(error.start, error.start + 6) : ''}`;
}

test('an error costs its own statement, and half-typed text no other function', () => {
  const cases: [string, string][] = [
    [
      'def f():⏎    x = foo(⏎    with a:⏎        b⏎def g(): pass',
      'function(block(ERROR with(with_clause block(expression)))) function(block(pass)) ! with a',
    ],
    [
      'def half(:⏎    x = = 3⏎    with a: b⏎def g(): pass',
      'function(block(ERROR with(with_clause block(expression)))) function(block(pass)) ! :\n    ',
    ],
    [
      'class A(⏎    def b(self): c⏎    def d(self): e⏎f',
      'class(block(function(block(expression)) function(block(expression)))) expression ! def b(',
    ],
    ['def f():⏎    self.⏎    return 3⏎a', 'function(block(ERROR return)) expression ! \n    r'],
    ['x = foo(⏎    a=1⏎    b=2,⏎)⏎c', 'ERROR expression ! b=2,\n)'],
    ['x = foo("""⏎with a:⏎    b⏎""" c)⏎d', 'ERROR expression ! c)\nd'],
    ['x = """⏎def f():⏎    pass', 'ERROR function(block(pass)) ! """\nde'],
    ["x = 'a⏎b", "ERROR expression ! 'a\nb"],
    [
      'if x = 3:⏎    a⏎else:⏎    b⏎c',
      'ERROR(block(expression)) ERROR(block(expression)) expression ! = 3:\n ',
    ],
    ['try⏎    a⏎except B:⏎    c⏎d', 'ERROR(block(expression)) ERROR(block(expression)) expression ! \n    a'],
    ['def f(): x = (⏎y', 'ERROR expression ! '],
    ['f"{a b}{c}"⏎d', 'expression expression ! f"{a b'],
    ['if a:⏎    b(⏎elif c: d⏎e', 'if(block(ERROR) elif_clause(block(expression))) expression ! elif c'],
    [
      'match a:⏎  case b(:⏎    c⏎  case d: e⏎f',
      'match(block(ERROR case_clause(block(expression)))) expression ! ',
    ],
    ['def f():⏎  a⏎ def g():⏎  b⏎c', 'function(block(expression)) function(block(expression)) expression ! '],
  ];
  for (const [line, shape] of cases) expect(sketch(written(line))).toBe(shape);
});

const CUTS = [
  '',
  '(',
  ')',
  '[',
  '"',
  "'''",
  ':',
  '\\',
  '\n',
  '\u0000',
  'é',
  '{',
  '}',
  'f"{',
  'with ',
  'match ',
  'def ',
  '=',
  ',',
  '@',
  '#',
];

test('no text makes it throw, nodes lie inside one another, and the rest of the file is read', () => {
  forBrokenTexts(pages, CUTS, 'def last(): pass', (text) => {
    const { root, error } = parse(text);
    expectInOrder(root);
    // What a cut leaves behind may be a decorator, which is then that of the last function.
    if (!error) expect(root.children.at(-1)?.type).toMatch(/^(function|decorated)_definition$/);
  });
});

test('nothing takes longer than its length', () => {
  const times = (one: string) => (n: number) => one.repeat(n);
  const texts: ((n: number) => string)[] = [
    (n) => `x = ${'('.repeat(n)}1${')'.repeat(n)}\n`,
    ...['(', 'x = (\n', 'f(a\n', '"""\n', 'f"""{ """\n', 'f"{(\n', "f'{", 'x.\n', '@a\n', 'match (\n'].map(
      times,
    ),
    ...['def f(:\n x\n', 'elif a: b\n', 'except A:\n', '\\\n', '\u0000\n', 'case (\n', 'print '].map(times),
    ...['not ', '-', 'lambda: ', '1 ** ', 'a if b else ', 'x = ', 'await ', '{1:', 'A[', '[1 for a in '].map(
      (one) => (n: number) => `${one.repeat(n)}1\ny = 1\n`,
    ),
    ...['.f(a)', ' + a', '[a]', ' | A[b]'].map((one) => (n: number) => `x: A[b]${one.repeat(n)}\ny = 1\n`),
    (n) => Array.from({ length: n / 50 }, (_, i) => `${' '.repeat(i)}if x:\n`).join(''),
    (n) => `f"${'{x:'.repeat(n)}${'}'.repeat(n)}"\n`,
    (n) => `def f(${'('.repeat(n)}a${')'.repeat(n)}): pass\n`,
  ];
  for (const make of texts) expectQuick(parse, make(TIMES), make(3));
});
