// Our Ruby parser: the trees are tree-sitter-ruby's, an error costs its own statement, and no text takes long.
import { expect, test } from 'vitest';
import { parse } from '../src/frontends/ruby/syntax/parse.ts';
import type { Syntax } from '../src/frontends/syntax.ts';
import { expectInOrder, expectQuick, forBrokenTexts, outline, pagesOf, TIMES } from './parser-oracle.ts';
import { difference } from './ruby-oracle.ts';

const pages = pagesOf('ruby');

test('our own pages are read as the oracle reads them', () => {
  expect(pages.length).toBeGreaterThan(40);
  for (const text of pages) expect(difference(text) ?? '').toBe('');
});

const same = (text: string) => {
  const { root, error } = parse(text);
  expect(error).toBeNull();
  return outline(root);
};

test('a pattern goes on behind a comma, on the next line too', () => {
  const lines =
    'case a\nin b: 1, # c\n  d:\n  e\nin f,\n  g\n  h\nin i, then j\nend\nf = -> { _1 in k: 2,\n  l: }\n';
  expect(same(lines)).toEqual(same(lines.replace(/,( #.*)?\n */g, ', ')));
});

test('from Ruby 4 a line may begin with a logical operator', () => {
  for (const sign of ['&&', '||', 'and', 'or']) {
    const expected = same(`a(1) ${sign} b.c\nd\n`);
    expect(same(`a(1)\n ${sign} b.c\nd\n`)).toEqual(expected);
  }
  expect(same('f a: 1,\n  or: 2\nandy 1\nor_else 2\n')).toEqual(same('f a: 1, or: 2\nandy 1\nor_else 2\n'));
});

/** A line each; ⏎ is a line break. */
const SNIPPETS = String.raw`
a = <<~SQL⏎  SELECT #{b}⏎    \n⏎  SQL⏎c
f(<<~A, <<-'B').squish⏎  a #{x}⏎  A⏎b #{no}⏎  B⏎d
execute <<~SQL, [1]⏎  x⏎SQL⏎y
f <<~A do |x|⏎  a⏎A⏎  b⏎end
x = "a#{b { |c| "d#{e}" }}#@f#$g#{}" 'h' "i"
f(%(a) "b", %q[c] \⏎  'd' "e")
%w[a b #{c}] + %W(a#{b} c) + %i[a b] + %I{a#{b}} + [%q(a(b)), %Q<a#{b}>, %(c), %|d|]
%r{a/b#{c}}mx =~ d / e / f
f /b c/
f /b/, :c
a % b
f %w[a]
?a + ?\n + ?\u{41}
:a; :"b c"; :'d'; :e?; :f=; :[]=; :+; :!; :<=>; :@a; :$b
{ a: 1, "b": 2, :c => 3, d => 4, **e, if: 5, "f#{g}": 6 }
f(x:, y:, **z)
f x: 1, y: 2 do end
f!x: 1, y: 2
x = N::XSLT <<-X⏎  a⏎  X⏎b
N::XSLT <<~X, c⏎  a⏎X⏎b
N::LIST << c
a.&b
a.first.&b.&c
a.+b
while⏎  b⏎  c⏎end
until⏎⏎  b.c do⏎  d⏎end
a.f!x, 2
a.f?if: b
a ? b : c
a ? b.c? : d ? e : f
a ? "b" : :c
a.b? ? [1] : { c: 2 }
x = a ? b : c rescue d
f a, *b, **c, &d
f(*, **, &)
def f(*, **, &) = g(*, **, &)
def f(...) = g(...)
def f( a, ... ) = g( a, ... )
f(1, a => 2)
f -1
f - 1
f [1], [2]
f[1]
f *a
f &b
f &:c
f ::A
f (1 + 2) * 3
f (a).b, c
f !a
f ->(a, b = 1, *c, d:, e: 2, **g, &h) { i }, 3
f -> do a end
-> a, b { a }
while a do b end
until a⏎ b⏎end
while f a do b end
for a, (b, *c) in d do e end
for a in b⏎  c⏎end
begin; a; end while b
a while b
a unless b
a if b and c or not d
f a do |b, (c, d), *e, f: 1, **g, &h| i end
f a do b rescue c ensure d end
f a { b }
a.f b do c end.d
a = f b do c end
return f a do b end
f { |a; b, c| d }
f { || a }
f { _1 + it }
f.a.(1).b::C.d::e(2)&.g = 3
a&.b&.c ||= d
a.b += 1
a[b] ||= c[d, e]
A::B = c
::A::B.c
a, b = b, a
a, (b, *c), d.e, f[1] = *g, h
*a, b = c
(a, b), c = d
a, = b
a = b = c
a = *b
a = b, *c
a = b rescue c
a += f b
!a && !b || c == d
not a
not(a) && b
defined?(a) && b
defined? @a
-a ** 2 + -2 ** b - -c
a..b; (a..); (..b); a...b
a <=> b == c; a & b | c ^ d << e >> f
case a⏎when 1, *b then c⏎when D⏎  e⏎else⏎  f⏎end
case⏎when a then b⏎end
case a⏎in [b, *c] if d⏎  e⏎in {f:, g: Integer => h, **nil}⏎  i⏎in A(j, k)⏎  z⏎in B(j:)⏎  l⏎in 1..2 | nil | ^m⏎  n⏎in x, y⏎  o⏎in [*, p, *]⏎  q⏎in r:⏎  s⏎else⏎  t⏎end
a in { b: [c] }
a => [b, c]
if a then b elsif c then d else e end
if a⏎  b⏎elsif c⏎  d⏎else⏎  e⏎end
x = if a⏎ b⏎end
begin⏎  a⏎rescue A, B => c⏎  d⏎rescue *E then f⏎rescue => @g⏎  h⏎else⏎  i⏎ensure⏎  j⏎end
def a; b; rescue; c; ensure; d; end
def a.b(c) d end
def self.a = b
def a() = b rescue c
def a b, c = 1, *d⏎  e⏎end
def a=(b)⏎  c⏎end
def ==(a); end
def []=(a, b); end
def -@; end
def !; end
private def a; end
private attr_reader :a
class A < B; end
module⏎  A::B⏎  x⏎end
class⏎  # c⏎⏎  A < B⏎end
class A::B < Struct.new(:a) do c end; end
class << self⏎  def a; end⏎end
module A; B = 1; end
alias a b
alias :a= :b=
alias $a $b
undef a, :b
BEGIN { a }
END { b }
yield a, b
yield(a).b
yield [a]
super
super a
super(a) { b }
next a if b
break
redo; retry
return
return a, b
return(a)
puts [a].map do |b| b end
a⏎  .b⏎  # c⏎  .d(e)⏎  &.f
a.⏎  b
a +⏎  b &&⏎  c
a \⏎  b
f(a,⏎  b⏎)
f(⏎  a: 1,⏎  b: 2,⏎)
=begin⏎a⏎=end⏎b
a # b⏎# c⏎d
a⏎__END__⏎this is no Ruby (
a.class.if.end.then(1)
a.b c, d: e
a.b -1
a.+ b
a.!
1_000 + 0xff + 0b1 + 0o7 + 1.5e-3 + 3r + 2i
${'`'}ls #{a}${'`'} + %x(b)
a["b": 1, c: 2]
[a, b => c]
[⏎  a,⏎  b,⏎]
größe = naïve?
f(if a then b end, (c; d))
f *if a then b end
x.y = f z
a, b = f c
@a ||= begin⏎  b⏎end
f "a" \⏎  "b"
f a: b ? c : d, e: f
f(<<~A) { |b| c }⏎  x⏎A
`;

const written = (line: string) => line.replaceAll('⏎', '\n');

test('every construct has the shape that the oracle gives it', () => {
  const wrong: string[] = [];
  for (const line of SNIPPETS.trim().split('\n')) {
    const text = `${written(line)}\n`;
    const found = difference(text) ?? 'the oracle does not read it';
    if (found) wrong.push(`${line} → ${found}`);
    const windows =
      line.includes('⏎=') || line.includes('__END__') || difference(text.replaceAll('\n', '\r\n'));
    if (!found && typeof windows === 'string' && windows)
      wrong.push(`${line} with carriage returns → ${windows}`);
  }
  expect(wrong).toEqual([]);
});

const read = (text: string) => parse(text).root.children.map(outline).join(' ');

test('what the oracle does not read, or reads otherwise than Ruby', () => {
  const cases: [string, string][] = [
    // What is assigned before is a variable.
    ['a = 1⏎a -1', 'binary(left: identifier operator: - right: integer)'],
    ['a = 1⏎a [0]', 'element_reference(object: identifier integer)'],
    ['def f(a)⏎a *b⏎end', 'binary(left: identifier operator: * right: identifier)'],
    ['f { |a| a /b }', 'binary(left: identifier operator: / right: identifier)'],
    ['a = 1⏎def f⏎a -1⏎end', 'call(method: identifier arguments: argument_list(unary('],
    ['a&b', 'binary(left: identifier operator: & right: identifier)'],
    ["return +''", 'return(argument_list(unary('],
    ['f a do b end.c(d)', 'receiver: call('],
    ['f a => __FILE__ do b end', 'argument_list(pair(key: identifier value: identifier)) block: do_block('],
    ['%w[\\a \\b]', 'string_array(bare_string bare_string)'],
    ['"##{a}"', 'string(interpolation(identifier))'],
    ['-> a: b.c do d end', 'lambda(parameters: lambda_parameters(keyword_parameter('],
    ['a[1] do b end', 'element_reference(object: identifier integer block: do_block('],
    ['%_a_.b', 'call(receiver: string method: identifier)'],
    ['->(a; b) { b }', 'lambda_parameters(identifier locals: identifier)'],
    [
      'def if(class:, end: 1); a; end',
      'method(name: identifier parameters: method_parameters(keyword_parameter(',
    ],
    ['case a⏎in 1.. | nil⏎b⏎end', 'alternative_pattern(alternatives: range('],
    ['f <<~A⏎  #{g <<~C}⏎    c⏎  C⏎A⏎d', 'argument_list(heredoc_beginning)) identifier'],
    ['f(a in Integer)', 'argument_list(test_pattern('],
  ];
  for (const [line, shape] of cases) {
    const text = `${written(line)}\n`;
    expect(parse(text).error, text).toBeNull();
    expect(read(text)).toContain(shape);
  }
});

/** Which statements and blocks there are, and where the first error is said to be. */
function sketch(text: string): string {
  const draw = (node: Syntax): string => {
    const inside = node.children.filter((one) =>
      /^(?:call|method|class|module|if|then|else|while|do|do_block|block|block_body|body_statement|assignment|ERROR|rescue|ensure|begin)$/.test(
        one.type,
      ),
    );
    return `${node.type.replace('_statement', '')}${inside.length > 0 ? `(${inside.map(draw).join(' ')})` : ''}`;
  };
  const { root, error } = parse(text);
  return `${root.children.map(draw).join(' ')} ! ${error ? text.slice(error.start, error.start + 6).replaceAll('\n', '⏎') : ''}`;
}

test('an error costs its own statement, and half-typed text no other method', () => {
  const cases: [string, string][] = [
    [
      'def f⏎  x = g(⏎  h do⏎    i⏎  end⏎end⏎def j; end',
      'method(body(ERROR call(do_block(body)))) method ! end⏎de',
    ],
    ['class A⏎  def f⏎    x.⏎  end⏎  def g; end⏎end', 'class(body(method(body(ERROR)) method)) ! end⏎  '],
    [
      'class A⏎  def f⏎    if x⏎      y()⏎  end⏎  def g; end⏎end',
      'class(body(method(body(if(then(call)))) method)) ! end⏎  ',
    ],
    [
      'class A⏎  def f⏎    x do⏎      y()⏎  def g; end⏎end⏎z()',
      'class(body(method(body(call(do_block(body(call))))) method)) call ! def g;',
    ],
    ['class A⏎  def f(⏎    x()⏎  end⏎  def g; end⏎end', 'class(body(ERROR(call) method)) ! ()⏎  e'],
    [
      'class A⏎  def f⏎    x()⏎    end⏎  end⏎  def g; end⏎end',
      'class(body(method(body(call)) method)) ! end⏎  ',
    ],
    [
      'def f⏎  if x = = 3⏎    a()⏎  else⏎    b()⏎  end⏎  c()⏎end',
      'method(body(ERROR(call call) call)) ! = 3⏎  ',
    ],
    ['def f⏎  x = "a⏎  y()⏎end⏎def g; end', 'method(body(ERROR call)) method ! "a⏎  y'],
    ['def f⏎  f(<<~SQL)⏎    SELECT⏎  y()⏎end⏎def g; end', 'method(body(ERROR call)) method ! )⏎    '],
    ['x = foo(⏎  a: 1⏎  b: 2,⏎)⏎c()', 'ERROR(ERROR ERROR) call ! b: 2,⏎'],
    ['a() b()⏎c()', 'call ERROR call ! b()⏎c('],
    ['f "#{a b c(}"⏎d()', 'ERROR call ! }"⏎d()'],
    ['f { |x|⏎  g(⏎}⏎d()', 'call(block(block_body(ERROR))) call ! }⏎d()'],
    ['class⏎  def f; end⏎end⏎d()', 'ERROR(method) call ! ⏎  def'],
    ['class <%= x %>⏎  def f⏎  end⏎end⏎d()', 'ERROR(method) call ! <%= x '],
    ['case a⏎when (⏎  b()⏎when c⏎  d()⏎end⏎e()', 'ERROR(ERROR(call call)) call ! when c'],
    ['begin⏎  a()⏎rescue A =>⏎  b()⏎ensure⏎  c()⏎end⏎d()', 'ERROR(call ERROR(call call)) call ! ⏎  b()'],
    ['foo.each do |x⏎  a()⏎end⏎d()', 'ERROR(call) call ! a()⏎en'],
    ['def f⏎  a()⏎', 'method(body(call)) ! '],
    ['end⏎a()', 'call ! end⏎a('],
    ['def self.⏎  def g; end⏎end', 'ERROR(method) ! ⏎  def'],
    ['return unless (lines || [1, 2⏎a()', 'ERROR call ! a()'],
  ];
  for (const [line, shape] of cases) expect(sketch(written(line))).toBe(shape);
});

const CUTS = [
  '',
  '(',
  ')',
  '[',
  '"',
  "'",
  ' end ',
  '\n',
  '\u0000',
  'é',
  '{',
  '}',
  '#{',
  ' do ',
  ' if ',
  'def ',
  '=',
  ',',
  '<<~A\n',
  '%w[',
  '/',
  '|',
  '?',
  ':',
  '\n=begin\n',
];

test('no text makes it throw, nodes lie inside one another, and the rest of the file is read', () => {
  const last = 'def last; end';
  const isLast = (one: Syntax, text: string): boolean =>
    (one.type === 'method' && text.slice(one.start, one.end) === last) ||
    one.children.some((inner) => isLast(inner, text));
  forBrokenTexts(pages, CUTS, last, (text) => {
    const { root, error } = parse(text);
    expectInOrder(root);
    if (!error && !text.includes('=begin')) expect(isLast(root, text)).toBe(true);
  });
});

test('nothing takes longer than its length', () => {
  const times = (one: string) => (n: number) => one.repeat(n);
  const texts: ((n: number) => string)[] = [
    (n) => `x = ${'('.repeat(n)}1${')'.repeat(n)}\n`,
    ...['(', 'x = (\n', 'f(a\n', '"', '"\n', '"#{', '"#{"\n', "'\n", 'x.\n', '<<~A\n', '<<A #{\n'].map(times),
    ...[
      'def f(\n x\n',
      'if a\n',
      'f do\n',
      'f { ',
      'end\n',
      '}\n',
      'case a\n',
      '%w[\n',
      '/\n',
      '\u0000\n',
    ].map(times),
    ...[
      'not ',
      '!',
      '-',
      '-> { ',
      'a ? ',
      'a ? b : ',
      'x = ',
      '{ a: ',
      '[',
      'a b ',
      '*',
      'a, ',
      'class A\n',
    ].map((one) => (n: number) => `${one.repeat(n)}1\ny = 1\n`),
    ...['.f(a)', ' + a', '[a]', '::B', ' do end', ' if a', ' rescue a'].map(
      (one) => (n: number) => `x${one.repeat(n)}\ny = 1\n`,
    ),
    (n) => Array.from({ length: n / 50 }, (_, i) => `${' '.repeat(i)}if x\n`).join(''),
    (n) => `if a\n${'elsif b\n c\n'.repeat(n)}end\n`,
    (n) => `def f(${'('.repeat(n)}a${')'.repeat(n)}); end\n`,
    (n) => `${'f(<<~A, '.repeat(n)}1\n${'x\nA\n'.repeat(n)}`,
    (n) => `case a\nin ${'['.repeat(n)}b\nend\n`,
  ];
  for (const make of texts) expectQuick(parse, make(TIMES), make(3));
});

test('a heredoc may end with the text', () => {
  for (const text of ['<<~SQL\nSQL', 'x(<<~SQL)\n  a\nSQL', 'x(<<~SQL)\n  a\n']) {
    const { root, error } = parse(text);
    expect(root.children.length).toBeGreaterThan(0);
    expect(error === null).toBe(text.endsWith('SQL'));
  }
});
