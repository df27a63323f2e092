// Our Kotlin parser: it reads what tree-sitter-kotlin reads, an error costs its own statement or member, and no text takes long.
import { expect, test } from 'vitest';
import { parse } from '../src/frontends/kotlin/syntax/parse.ts';
import { inOrder, outline } from './jvm-shape.ts';
import { difference } from './kotlin-oracle.ts';
import { expectQuick, forBrokenTexts, pagesOf, TIMES } from './parser-oracle.ts';

const pages = pagesOf('kotlin');

test('our own pages are read as the oracle reads them', () => {
  expect(pages.length).toBeGreaterThan(10);
  for (const text of pages) expect(difference(text) ?? '').toBe('');
});

/** A line each; ⏎ is a line break. */
const FILES = `
package a.b⏎import a.b.C⏎import a.*⏎import a.b as c⏎class A
package a.b; import a.b.C; import d.*
@file:JvmName("A")⏎package a⏎class B
#!/usr/bin/env kotlin⏎fun a() {}
class A⏎class B { }⏎interface C⏎object D { }⏎fun interface E {⏎ fun a(b: Int): String⏎}
abstract class A<T : B, out U>(val a: Int, private var b: String = "x", c: List<T>) : D<T>(a), E, F<U> by g { }
sealed interface A : B, C<D> {⏎ val a: Int⏎ fun f()⏎ fun g() = 1⏎ private fun h() {}⏎}
enum class A(val a: Int) : B {⏎ C(1), D(2) {⏎ override fun f() { g() }⏎}, E(3);⏎ val h = 1⏎ open fun f() {}⏎}⏎enum class F { G, H, }⏎enum class I { }
annotation class A(val value: String = "x", vararg val names: String)
data class A(@field:B("x") @param:C val a: Int?, @get:D var b: (Int) -> Unit, val c: Map<String, List<*>>)
class A private constructor(a: Int) : B(a) {⏎ constructor(b: String) : this(1) { c() }⏎ constructor() : super()⏎}
class A @Inject constructor(private val a: B) {⏎ init { a.b() }⏎ init { c() }⏎}
class A⏎@Inject⏎constructor(private val a: B) {⏎ fun b() {}⏎}
class A {⏎ companion object {⏎ const val B = "x"⏎ fun c() {}⏎ }⏎ object D {⏎ val e = 1⏎}⏎ inner class F⏎}
class A {⏎ companion object D : E(), F {⏎ fun g() {}⏎ }⏎}
class A : B, C(1) {⏎ inner class D : A() { }⏎ class E {⏎ class F⏎}⏎ interface G⏎ enum class H { I }⏎}
class A<T> where T : B, T : C {⏎ fun <U> f(u: U) where U : D { }⏎}
object A : B({ c() }) {⏎ override fun d() = e⏎}
typealias A = B<C>⏎typealias D<T> = (T) -> Unit⏎class E
@A @B(1) @C(x = 1, y = [D::class, E::class], z = "a" + "b") @a.b.F class G
val a = 1⏎var b: Int = 2⏎val c by lazy { d() }⏎const val E = "x"⏎private val f: G? = null
val A.b: Int get() = c⏎var d: Int = 1⏎    get() = field⏎    set(value) { field = value }
class A {⏎ val b: Int get() = c()⏎ val d: Int⏎  get() { return e }⏎ var f = 1⏎  private set⏎ lateinit var g: H⏎}
class A(val b: List<@C (D) -> (Unit)>, val e: @C (D) -> Unit) {⏎ val f: Map<String, @C(1) (D) -> Unit> = g<@C (D) -> Unit>()⏎}
class A(val b: List<out @C("x") D>, val e: Map<String, out (F) -> G>) {⏎ val h: List<in @I J> = k()⏎}
class A {⏎ val b: Int⏎ @X get() = 1⏎ var c: Int = 2⏎ val d = 3⏎}
fun a() {}⏎fun b(c: Int, d: String = "x", e: Boolean = true): F = g()⏎private fun h(): I { return j }
fun a(vararg b: Int, c: (Int, d: String) -> Unit, e: suspend () -> Unit, f: A.(B) -> C, g: ((D) -> E)?) {}
suspend inline fun <reified T : Any> a(crossinline b: () -> T, noinline c: () -> Unit): T? = null
fun A?.c() {}⏎fun <T> List<T>.d(): T = e
@A fun c() { }⏎⏎@D fun e() {}
fun a(@B c: Int, @D("x") e: String) {}
class A {⏎ @B fun c() {}⏎ @D(1) private val e = 1⏎ override suspend fun f() = g()⏎ abstract fun h()⏎ open operator fun get(i: Int) = i⏎}
class größe {⏎ val naïve = 1⏎ fun ~a b~() { größe() }⏎}
class A {⏎ val value = 1⏎ val data = value⏎ fun get() = data⏎ val open: Int = 1⏎ fun init() { }⏎}
/* a /* b */ c */ class A // d⏎/** e */⏎class B
class A(⏎  val b: Int, // c⏎  /* d */ val e: Int,⏎)⏎  : F(),⏎    G {⏎}
`;

const STATEMENTS = String.raw`
val a = 1; var b: Int = 2; val c: List<D<E>>? = null; val (d, e) = f(); val (g: Int, _) = h; val i by lazy { j }; var k: L
a = b; a.b = c; a[0] = d; a += b; a -= b; a *= 2; a /= 2; a %= 2; a[b, c] = d; a.b[c].d = e; a?.b = c
a + b * c - d / e % f; a > b == c <= d; a != b && c || d; a === b; a !== b; a ?: b ?: c; a..b; a until b step c; a..<b
a in b; a !in b; a is B; a !is B; a as B; a as? B; (a as B).c(); a is B && c; a as B?; a is B<*>; a in 1..2; x in a || y
-a; +a; !a; ++a; --a; a++; a--; !a.b(); -a.b + c; a = - -b; !a && !b.c(); -1
a; a.b; a?.b; a.b?.c.d; a().b().c(); a!!.b(); a.b!!.c; a!!; this; this.a; this@A.b(); super.a(); super<A>.b(); super@A.c()
f(); f(1, "x"); f(a = 1, b = c); f(*a, b); f { }; f(a) { b() }; f { a -> b }; f { a, b -> c }; f { (a, b), c -> d }; f { a: Int -> b }; f { _, b -> c }; f(a, { b })
a.f(b)(c); f(a)(b) { c }; a.b { c }.d { e }; f { a() }.b(); f(a) { b -> c(b) }⏎ .d(e)⏎ ?.g()
f label@{ return@label }; a.forEach { if (it) return@forEach }; f(fun(a: Int): B { return c }); f(fun() = a)
a[0]; a[b][c].d; a[b]++; a["x"].f(); a.b[c](d)
a::b; A::b; A::class; A::class.java; ::a; this::a; a.b::class; A.B::c
if (a) b(); if (a) { b() } else c(); if (a) b() else if (c) d() else { e() }; val x = if (a) b else c; if (a) { } else if (b) { }
if (a)⏎ b()⏎else⏎ c()
if (a) { b() }⏎else { c() }
while (a) b(); while (a) { b() }; do { a() } while (b); for (a in b) c(); for ((a, b) in c) { d() }; for (i in 0..10) f(); for (i in 0 until 10) f(); for (a: B in c) {}; for (i in 0..a) b()
a@ for (b in c) { break@a }; b@ while (c) continue@b; while (a) { break; continue }
when (a) { 1 -> b(); 2, 3 -> c(); is D -> { e() }⏎ !is F -> g⏎ in 1..2 -> h⏎ !in i -> j⏎ else -> k() }
when { a -> b(); c && d -> { e() }⏎ f.g() -> h = i⏎ else -> throw J() }
val a = when (val b = c()) { is D -> b.e; else -> null }
when (a) { B.C -> { }⏎ "x" -> d⏎⏎ else -> { } }; when (a) { }
try { a() } catch (b: C) { d() } finally { e() }; val f = try { g() } catch (h: I) { null }; try { a() } finally { b() }
return; return a; return a + b; throw A("x"); return if (a) b else c; return when (a) { else -> b }; a ?: return; a ?: throw B(); a ?: return c
fun a() { b() }; fun c(d: Int) = e; class F {⏎ fun g() {}⏎}; object H { }; interface I; data class J(val k: Int); suspend fun l() {}
object : A {⏎ override fun b() { c() }⏎}; val d = object : E(), F { }; val g = object {⏎ val h = 1⏎}
{ a() }; val b = { c() }; val d = { e: Int, f -> g }; val h: (I) -> J = { k }; { -> a }
""; "a"; "a $b c"; "a \${b.c()} d"; "\${a}\${b}"; "a\"b\\c"; "\t\n\u0041"; "\$a \$"; "\${ "x \${ y } z" }"; "a\${b { c -> "d" }}"; "$"; "\${a["b"]}"
"""a⏎ "b" $c ""d""" + "e"; """""" + a; """\${a.b()} $"""; """a"""".f(); """ "x" """.trimIndent()
1; 1L; 0xFF; 0b1_0; 1.5; 1e5; 1.5e-3f; .5; 1_000; 1u; 'a'; '\''; '\\'; '\u0041'; true; null; 1.f(); 1..2; 1.0.a()
a⏎.b()⏎?.c()⏎?: d
a &&⏎ b ||⏎ c; val x =⏎ y; f(⏎ a,⏎ b,⏎); a +⏎ b
val a = b⏎    .c()⏎    .d { e }⏎f()
val a = b // c⏎d() /* e */⏎f()
@Suppress("x") val a = b as C; @A fun b() {}; val c = @D { e }
val a = b to c; mapOf("d" to e, f to 1); a shl 2 or b; a.b infix c.d(); a to b to c
f(if (a) b else c, when (d) { else -> e }, try { g } catch (h: I) { j })
val a = (b + c) * d; val e = ((f)); (a.b()).c(); (a ?: b).c(); (a + b).c
data = value; value.a(); get(set); val data = 1; inner.b(c)
a < b; f(a < b, c); if (a < b) c(); a < b && c > d; i < n - 1; f(a < b || c > d)
val a: Map<String, List<Int>>; val b: Array<Array<A>>? = null; val c: (A) -> (B) -> C; val d: A.B<C>.D; val e: @X A
a.use { b -> b.c { d -> e(d) } }⏎f()
f(a) {⏎  b()⏎  c()⏎}⏎g()
a = if (b) c else d; a = try { b } catch (c: D) { e }; a = b ?: run { c }; a.b = { c }
`;

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('⏎', '\n').replaceAll('\\${', '${').replaceAll('~', '`'));
const inFunction = (statement: string) => `class A {\n  fun f() {\n    ${statement}\n  }\n}\n`;
const everything = [...lines(FILES), ...lines(STATEMENTS).map(inFunction)];

test('every construct is read as the oracle reads it', () => {
  const wrong = everything.flatMap((text) => {
    const found = difference(text) ?? 'the oracle does not read it';
    return found || difference(text.replaceAll('\n', '\r\n')) ? [`${text} → ${found}`] : [];
  });
  expect(wrong).toEqual([]);
});

// ---- where the oracle is wrong

const read = (text: string) => {
  const { file, broken } = parse(text);
  const { types, functions, fields } = file;
  const top = outline({ ...EMPTY, types, methods: functions, fields });
  return `${top.replace(/^class \((.*)\)$/s, '$1')}${broken ? ' !' : ''}`;
};
const EMPTY = { ...parse('class A').file.types[0]!, name: '' };
const statementsOf = (text: string) => read(`fun f() { ${text} }`).replace(/^f\(\)\{(.*)\};/s, '$1');

test('what the oracle does not read, or reads otherwise than Kotlin', () => {
  const cases: [string, string][] = [
    ['f<A> { b() }', 'f(it -> {b()})'],
    ['val x = f<A>(b)', 'var x = f(b)'],
    ['a.f<B, C<*>>(c).d<E> { f }', 'a.f(c).d(it -> {f})'],
    ['f<(A) -> B>()', 'f()'],
    ['A<B>.c(d); A<B<C>>?.d; f(A<B>.c)', 'A.c(d) A.d f(A.c)'],
    ['a < b; c > (d)', '<a b> <c d>'],
    ['f(a < b, c > d)', 'f(<a b>, <c d>)'],
    ['Array<A>::class.java', 'Array.class.java'],
    ['a?::b; A<B>::c', 'a::b A::c'],
    ['a!!.b()!!.c', 'a.b().c'],
    ['a\n-b\n(c)\n[d].e', 'a [- b] c d.e'],
    ['a()\n{ b }', 'a(it -> {b})'],
    ['a\n{ b }', 'a it -> {b}'],
    ['when (a) { is B if c -> d(); else if e -> f(); else -> g }', 'choice(a c e: d() f() g)'],
    ['when { a -> b; c -> d }', 'choice?(a c: b d)'],
    [`$$"""a $b $$c $$\{d}"""`, '"a $b #{} #{}"'],
    [`"a" + "$a.b $\{c}d"`, '<"a" "#{}.b #{}d">'],
    [`"$\{a { "}" }}"; b`, '"#{}" b'],
    ['if (a) ; else b()', 'choice(a: [] b())'],
    ['a@ for (b in c) continue@a', 'each(c: continue)'],
    [
      'data = value; open(inner); get(set); init { }; by.catch(finally)',
      'data = value open(inner) get(set) init(it -> {}) by.catch(finally)',
    ],
    [
      'value class A(val b: Int); suspend fun c() { }; inline fun d() = e',
      'class A(b; A();) function c =  -> {} function d =  -> e',
    ],
    ['@A val b = c; @D e(); @F { g }', 'var b = c e() it -> {g}'],
    ['val a: suspend context(B) C.() -> D = { e }', 'kotlin.Function a = it -> {e}'],
    ['val a: B & Any = c; val d: (E)? = f', 'B a = c E d = f'],
    ['return@a b; this@c.d; super@e.f()', 'return b this.d super.f()'],
    ['when { a -> if (b) c()\n else -> d() }', 'choice(a: choice?(b: c()) d())'],
    ['a ?: return; b ?: throw C(d)', 'choice?(a: return) choice?(b: raise C(d))'],
    ['fun <T> a(): T where T : B = c', 'function a =  -> c'],
    ['val a by b.c { d }\n e()', 'var a = b.c(it -> {d}) e()'],
    ['a[b] = c; a[b] += c', 'a.set(b, c) a.set(b, c)'],
    ['~a b~(); val ~in~ = 1', 'a b() var in = 1'],
    ['f(a = b, *c, d = { e })', 'f(b, c, it -> {e})'],
    ['do a() while (b)\n c()', 'while(b: a()) c()'],
    ['x !in a && y !is B', '<[x a] y>'],
    ['try { a } catch (e: B) { c } finally { d }', 'try{a}catch B {c}finally {d}'],
  ];
  const found = cases.map(([text]) => [
    text,
    statementsOf(text.replaceAll('~', '`')).replaceAll('kotlin.Function function', 'function'),
  ]);
  expect(found).toEqual(cases.map(([text, shape]) => [text, shape.replaceAll('function ', 'var ')]));
  const files: [string, string][] = [
    [
      'class A { companion object { const val B = "x"; fun c() {} }; object D { val e = 1 } }',
      'class A(B = "x"; c(){}; object D(e = 1;))',
    ],
    [
      'context(A, b: B) private fun c() {}\nclass D { context(e: E) val f get() = g }',
      'c(){}; class D(f; getF()g;)',
    ],
    ['enum class A { B(1) { override fun c() { d() } }, E; fun f() {} }', 'enum A(1 c(){d()}; f(){};)'],
    ['class A(val b: C by d)', 'class A(b;) !'],
    ['class A : B by c { fun d() {} }', 'class A(c d(){};)'],
    ['class A\n\n@B fun c() {}\nval d: E\n  private get() = f', 'd; c(){}; getD()f; class A()'],
    ['import a.b\nif (c) { d() }\nval e = 1\nf { g }\nfun h() {}', 'e = 1; h(){};'],
    ['fun A.B<C>.d() {}\nval (E).f: G get() = h\nfun (() -> I).j() {}', 'f; d(){}; getF()h; j(){};'],
    [
      'class A { var b: C\n  get() = d\n  set(e) { f() }\n  val g = 1 }',
      'class A(b; g = 1; getB()d; setB(){f()};)',
    ],
    ['\uFEFFpackage a\r\n\r\nfun b() {\r\n  c()\r\n}\r\n', 'b(){c()};'],
    [
      'class A { fun suspend() {}\n fun open(a: B) {}\n val data by c\n fun value() = d }',
      'class A(data = c; suspend(){}; open(){}; value()d;)',
    ],
  ];
  expect(files.map(([text]) => [text, read(text)])).toEqual(files);
  expect(parse('import a.object.b\nimport c.`in`.D as E').file.imports.at(-1)).toEqual({
    path: 'c.in.D',
    wildcard: false,
    alias: 'E',
    static: false,
  });
});

// ---- errors

test('an error costs its own statement or member', () => {
  const cases: [string, string][] = [
    ['fun f() { a()\n b = = 1\n c() }\nfun g() { d() }', 'f(){a() c()}; g(){d()};'],
    ['fun f() { a(\n    return b }\nfun g() { d() }', 'f(){a(return b)}; g(){d()};'],
    ['fun f() { a(b\n c() }\nfun g() { }', 'f(){c()}; g(){};'],
    ['fun f() { val a = "x\n    b() }\nfun g() { }', 'f(){b()}; g(){};'],
    [`fun f() { val a = "x $y $\{z\n    b() }\nfun g() { }`, 'f(){var a = "x #{} #{}"}; g(){};'],
    ['fun f() { if (a { b() }\n c() }\nfun g() { }', 'f(){{b()} c()}; g(){};'],
    [
      'fun f() { if (a) { b()\nprivate fun g() { c() }\nfun h() { }',
      'f(){choice?(a: {b()})}; g(){c()}; h(){};',
    ],
    ['fun f() { while (a) { b()\noverride fun g() { c() }', 'f(){while(a: {b()})}; g(){c()};'],
    ['fun f() { a { b( }\n c() }\nfun g() { }', 'f(){a(it -> {}) c()}; g(){};'],
    ['val a = \nfun f() { b() }', 'f(){b()};'],
    ['val a b c\nfun f() { }', 'a; f(){};'],
    ['fun f(int { a() }\nfun g() { }', 'f(){a()}; g(){};'],
    ['fun f(a: Int, \n @Override\nfun g() { }', 'f(); g(){};'],
    [
      'val a = object : B { fun c() { = }\n fun d() { e() } }\nfun f() { }',
      'a = new B() class (c(){}; d(){e()};); f(){};',
    ],
    ['@\nfun f() { a() }', 'f(){a()};'],
    ['fun f() { try { a() }\n b() }', 'f(){try{a()} b()};'],
    ['fun f() { when (a) { 1 -> b( \n 2 -> c() } }', 'f(){choice?(a 1 2: c())};'],
    ['fun f() { /* a() }\nfun g() { }', 'f(){}; g(){};'],
    ['fun f() { a b c d e() }\nfun g() { }', 'f(){a.b(c).d(e())}; g(){};'],
    ['fun f() { a. }\nfun g() { }', 'f(){}; g(){};'],
    ['fun\nfun g() { a() }', 'g(){a()};'],
    ['fun f', 'f();'],
    ['class B(\nfun g() { }', 'g(){}; class B()'],
  ];
  const found = cases.map(([text]) => [
    text,
    read(`class A {\n${text}\n}\n`).replace(/^class A\((.*)\)( !)?$/s, '$1'),
  ]);
  expect(found).toEqual(cases);
  expect(read('class A { fun f() { } } fun g() { } }')).toBe('class A(f(){}; g(){};) !');
  expect(read('class A { fun f() { }')).toBe('class A(f(){};) !');
  expect(read('class A( { fun f() { } }\nclass B { }')).toBe('class A(f(){};) class B() !');
  expect(read('import a.\nclass B { }')).toBe('class B() !');
});

const CUTS = [
  '', '(', ')', '[', ']', '{', '}', '"', "'", '"""', '/*', '*/', '//', ';', ',', '.', '?.', '<', '>', '->', '::', '@', '\\', '\u0000', 'é',
  '\n', '$', '${', '$$"', '`', 'class ', 'object ', 'when ', 'is ', 'if (', 'try {', 'private ', 'by ', 'fun ', 'val ', '= ', '?: ', 'enum ', 'else ', 'get() ',
]; // biome-ignore format: one list

test('no text makes it throw, and what stands at the end of the file is read', () => {
  const last = 'class Last { fun last() { done() } }';
  forBrokenTexts([...pages, ...everything], CUTS, last, (text) => {
    const { file, broken } = parse(text);
    inOrder(file, 0, text.length);
    if (!broken) expect(JSON.stringify(file)).toContain('"done"');
  });
});

test('nothing takes longer than its length', () => {
  const around = (text: string) => `class A { fun f() { ${text} }\n fun g() { } }\n`;
  const repeated = [
    '(', '(a', '(a,', '(a) ', '[', '{', '{ (', '{ a -> ', 'f(', 'f(a, ', 'f { ', 'a.b(', 'a < ', 'a<b, ', 'List<', 'a ?: ', 'a -> ', '-', '!', '!!',
    'a = ', 'object : A { ', 'object : A { fun f() { ', 'if (a) ', 'if (a) { ', 'else ', 'if (a) b else ', 'for (', 'for (a in ', 'try { ', 'while (',
    'when (a) { b -> ', 'when { ', 'is ', 'in ', 'as A ', 'x@ ', '@', '@A ', '@A(', '@A({', 'class B { ', 'class B : ', 'class B(', 'private ', 'fun f() { ',
    'fun f(', 'fun ', 'val a b ', 'val a by ', '"', '"""', '"${', '"$a', "'", '/*', '/**/', '`', '$', 'a::', 'a.', 'a?.', '.f(a)', ' + a', '[a]', 'a to ',
    'do ', 'return ', 'throw ', '}', ')', '}\nfun f() {', 'f { g( }\n', '{ a b ', 'a<(b) -> ', '(A) -> ', 'val a: (', 'val a: A<', 'context(', 'a\n', '?', ';',
    'get() ', 'enum class A { B { ', 'data ', 'suspend ', 'companion object { ', 'init { ', 'constructor(', 'import a.', 'typealias A = ', '\uFEFF', 'a..',
  ]; // biome-ignore format: one list
  for (const one of repeated) {
    const text = one.repeat(TIMES / 2);
    for (const whole of [around(text), text, around(`x${text}`)]) expectQuick(parse, whole, one);
  }
});
