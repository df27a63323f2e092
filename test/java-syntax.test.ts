// Our Java parser: it reads what tree-sitter-java reads, an error costs its own statement or member, and no text takes long.
import { expect, test } from 'vitest';
import { parse } from '../src/frontends/java/syntax/parse.ts';
import { difference } from './java-oracle.ts';
import { inOrder, outline } from './jvm-shape.ts';
import { expectQuick, forBrokenTexts, pagesOf, TIMES } from './parser-oracle.ts';

const pages = pagesOf('java');

test('our own pages are read as the oracle reads them', () => {
  expect(pages.length).toBeGreaterThan(40);
  // The oracle reads no file of methods alone.
  for (const text of pages) if (!/^void main/m.test(text)) expect(difference(text) ?? '').toBe('');
});

/** A line each; ⏎ is a line break. */
const FILES = `
package a.b; import a.b.C; import static a.b.C.*; import a.*; import static a.B.c; class A {}
@A package a;
package a . b ; import a . b . C ;
import a.record; import b.module.sealed;
open module a.b { requires transitive c.d; exports e to f, g; provides h with i; }
@Deprecated module a {}
public final class A<T extends B & C, U> extends D<T> implements E, F<U>.G { }
sealed interface A<T> extends B, C<T> permits D, E { int X = 1; void f(); default int g() { return 1; } static void h() {} private void i() {} }
non-sealed class A extends B {} strictfp class C {}
record A<T>(@B int a, String... b) implements C { A { a(); } A(int a) { this(a, null); } static int d; }
enum A implements B { C, @D E(1, "x") { void f() {} }, F; int g; A(int... x) {} void f() {} } enum G { H, I, } enum J {} enum K { ; int l; }
@interface A { int value() default 1; String[] names() default {"a", "b"}; @B C c() default @B(1); int D = 2; class E {} }
@A @B(1) @C(x = 1, y = {@D, @E(2)}, z = "a" + "b") @F({}) @G({1, 2,}) public @a.b.H class I { }
class A { ; int a, b[] = {1, 2}, c = 3; static { f(); } { g(); } ; }
class A { <T> A(T a) throws B, C { super(a); } public <T extends B> T f(T a) throws D { return a; } int g()[] { return null; } }
class A { void f(A this, final @B int a, int[] b, List<? extends C>... d) {} abstract void g(); native int h(); }
class A { private transient volatile int a; protected static final String B = "x"; @C @D(1) private List<Map<String, int[]>> e; }
class A { class B { class C {} } interface D {} enum E { F } record G(int a) {} @interface H {} }
class A { int record, sealed, permits, module, open, with; void record() { record = 1; module.open(); } }
class größe { int naïve; void ﬁ() { größe x = null; } }
class A { a.b.C<d.E>.F g; int @B [] @C [] h; }
`;

const MEMBERS = `
List<List<List<A>>> a;
Map<String, ? super B> b = new HashMap<>();
A<?> a() { return null; }
void f(int a[], B<C>[] d) {}
@Override public synchronized final void f() {}
public @Nullable String f() { return null; }
Outer<T>.Inner<U> a;
A() { this.a = 1; } 
<T> @B C d() { }
`;

const STATEMENTS = String.raw`
int a = 1, b[] = {}, c[][] = {{1}, {2, 3},}, d[] = new int[] {,}; final var d = a; var e = f(); @A int g;
A a; A.B b = c; A<B> c; A<B, C<D>> d = e; A[] f; A.B[][] g; A<B>[] h; a.b.C<D>.E i;
a = b; a.b = c; a[0] = d; a += b; a -= b; a *= 2; a /= 2; a %= 2; a &= b; a |= b; a ^= b; a <<= 1; a >>= 1; a >>>= 1; a = b = c;
a + b * c - d / e % f << 1 >> 2 >>> 3 < g; a = b > c == d <= e != f >= g; a = b & c | d ^ e && f || g;
a = b < c; f(a < b, c > d); if (a < b && c > d) e(); a = b < c ? d : e; for (i = 0; i < n; i++) {} a = i < MAX;
a = (b) + c; a = (b) - c; a = (B) c; a = (B) (c); a = (int) -b; a = (B<C>) d; a = (B[]) c; a = (B & C) d; a = (b & c); a = (B) !c; a = (B) ~c;
a = (B) () -> c; a = (B & C) d -> e; a = (int) b + c; a = (b) ? c : d; a = (b.c) * d; a = (b.C) d; a = (B) "x"; a = (B) new C(); a = (B) this.c; a = (byte) (b >> 1);
-a; +a; !a; ~a; ++a; --a; a++; a--; a = b++ - --c; a = - -b;
f(); a.f(); a.b.f(1, "x"); a().b().c(); this.f(); super.f(); this.a.b(); A.super.f(); A.this.f(); a.<B>f(); this.<B, C>f(); A.<B>f();
a = b.c.d; a = this.b; a = super.b; a = A.this; a = A.this.b; a = f().b; a = b[c][d].e[f()]; a = "x".length(); a = (b).c; a = new A().b;
new A(); new A.B(1); new A<B>(); new A<>(); new a.B<C>.D<>(); a.new B(); a.b().new C(1) {}; new A() { int b; void f() { g(); } }.h(); new <T> A(); new @B A();
a = new int[1]; a = new int[1][2][]; a = new A[]{b, c}; a = new A[][]{{b}, {}}; a = new int[]{1, 2}[0]; a = new A.B[c];
a = b -> c; a = (b, c) -> d; a = () -> {}; a = (int b, final C c) -> { return d; }; a = (var b) -> b; a = (B<C> d) -> e; a = b -> c -> d; f(a -> b, () -> c); a = (B... c) -> d;
a = A::b; a = A::new; a = this::b; a = super::b; a = a.b::c; a = A<B>::new; a = int[]::new; a = A[]::new; a = f()::g; a = "x"::b; a = A.B::c; a = List<String>::size; a = new A()::b;
a = b ? c : d ? e : f; a = b ? c -> d : e; a = b == c ? d : e; a = (b ? c : d).e();
a = b instanceof C; a = b instanceof C d && d.e(); a = b instanceof final C d; a = b instanceof C<?> d; a = !(b instanceof C); a = b instanceof C[] d; a = b instanceof a.B;
a = A.class; a = int.class; a = A[].class; a = a.b.C.class; a = void.class; a = A.class.getName(); a = int[][].class;
a = 1; a = 1L; a = 0xFFL; a = 0b1_0; a = 017; a = 1.5; a = 1e5; a = 1.; a = .5f; a = 1e-5d; a = 1f; a = 'x'; a = '\''; a = '\\'; a = '\u0041'; a = true; a = null; a = 0x1.8p3;
a = ""; a = "b\"c\\"; a = "\t\n\101"; a = "b" + c + 'd'; a = "// no /* comment"; a = '"'; /* " */ // '
a = """⏎  b "c" \""" d⏎  """; a = """⏎  \⏎  """ + b; f("""⏎""");
if (a) b(); if (a) { b(); } else c(); if (a) b(); else if (c) d(); else if (e) f(); else { g(); } if (a) if (b) c(); else d();
while (a) b(); while (a) { b(); } do a(); while (b); do { a(); } while (b); for (;;) {} for (int i = 0, j = 1; i < 1; i++, j--) a(); for (a(), b(); c; d()) {}
for (A a : b) c(); for (final var a : b()) {} for (A<B> c : d) e(); for (int[] a : b) {} for (int i = 0; i < 10; i++) f(); for (int i = 1; i <= 1_000; ++i) { } for (A.B c : d) {} for (@A B c : d) {}
a: for (;;) { break a; } b: while (c) continue b; d: { break d; } e: f();
switch (a) { case 1: case 2: b(); break; case C: { d(); } default: e(); }
switch (a) { case 1, 2 -> b(); case C -> { d(); } case "x" -> throw e; default -> f(); }
a = switch (b) { case 1 -> 2; case 3 -> { yield 4; } default -> throw new A(); }; return switch (a) { case B -> switch (c) { default -> 1; }; default -> 2; };
switch (a) { case B c -> d(); case E f when f.g() > 1 -> h(); case A(B b, C d) -> e(); default -> {} } switch (a) {}
int b = switch (a) { case 1: yield 2; default: yield f(); };
try { a(); } catch (B c) { d(); } try { a(); } catch (final B | c.D e) { f(); } finally { g(); } try { a(); } finally { b(); }
try (A a = b(); var c = d(); e; f.g) { h(); } try (A a = b();) { } catch (C d) { } finally { } try (final A<B> a = b) {}
return; return a; throw a; throw new A("x" + b); assert a; assert a : b; synchronized (a) { b(); } { } ; ;
class B { } final class C { void f() {} } record D(int a) {} enum E { F } interface G {} abstract class H {} @A class I {}
record(a); record = 1; sealed.b(); module(); permits++; yield = 2; yield(); open[0] = 1; Record r = null;
f(a, (b), c -> { d(); return e; }, new F() { void g() { h(); } });
a.b().c(d -> e).f(() -> { g(); }).h(I::j);
a = b.c(1, 2) + d * (e - f) / g.h[i] > j ? k : l;
int a; // c⏎ a /* b */ . /* c */ f( /* d */ 1 /* e */ , // g⏎ 2);
List<int[]> a = null; Map.Entry<A, B>[] c; A<? extends B<?>, ? super C[]> d; A<B<C<D>>> e = f;
boolean a = b < c || d > e; boolean f = g < (h); f(a < b, c >= d); a = b<c>d; a = x << y >> z >>> w;
`;

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('⏎', '\n'));
const inClass = (member: string) => `class A {\n  ${member}\n}\n`;
const inMethod = (statement: string) => inClass(`void f() {\n    ${statement}\n  }`);
const everything = [...lines(FILES), ...lines(MEMBERS).map(inClass), ...lines(STATEMENTS).map(inMethod)];

test('every construct is read as the oracle reads it', () => {
  const wrong = everything.flatMap((text) => {
    const found = difference(text) ?? 'the oracle does not read it';
    return found || difference(text.replaceAll('\n', '\r\n')) ? [`${text} → ${found}`] : [];
  });
  expect(wrong).toEqual([]);
});

// ---- where the oracle is wrong

const read = (text: string) => {
  const { file, broken } = parse(text, 'Main');
  return `${file.types.map(outline).join(' ')}${broken ? ' !' : ''}`;
};
const statementsOf = (text: string) =>
  read(`class A { void f() { ${text} } }`).replace(/^class A\(f\(\)\{(.*)\};\)/s, '$1');

test('what the oracle does not read, or reads otherwise than Java', () => {
  const cases: [string, string][] = [
    ['a = (b.c) + "x";', 'a = <b.c "x">'],
    ['a = -b++;', 'a = [- b]'],
    ['if (a) ; else b();', 'choice(a: [] b())'],
    ['switch (a) { case null, default -> b(); }', 'choice(a: {b()})'],
    ['switch (a) { case null -> b(); case C(var d, E(_)) when d > 1 -> f(); }', 'choice?(a: {b()} {f()})'],
    ['if (a instanceof B(C(var d), _) && d) e();', 'choice?(<[a B] d>: e())'],
    ['a = switch (b) { case 1 -> c -> d; default -> e; };', 'a = choice(b: {c -> d} {e})'],
    ['f(); super(a);', 'f() super(a)'],
    ['final @A String @B [] c = d;', '[] c = d'],
    ['a = Outer.super.b;', 'a = super.b'],
    ['for (var _ : a) b();', 'each(a: b())'],
    ['a = (_, b) -> c;', 'a = _,b -> c'],
    ['try (var _ = a) { b(); } catch (C _) { d(); }', 'tryvar _ = a{b()}catch C {d()}'],
    ['a = A::<B>new;', 'a = A::new'],
    ['\\u0061b = c;', '\\u0061b = c'],
  ];
  for (const [text, shape] of cases) expect(statementsOf(text), text).toBe(shape);
  expect(read('void main() { f(); } int a = 1; class B {}')).toBe(
    'class Main(a = 1; main(){f()}; class B())',
  );
  expect(parse('import module java.sql; import a.B;', '').file.imports.map(({ path }) => path)).toEqual([
    'a.B',
  ]);
});

// ---- errors

test('an error costs its own statement or member', () => {
  const cases: [string, string][] = [
    ['void f() { a(); b = = 1; c(); } void g() { d(); }', 'f(){a() c()}; g(){d()};'],
    ['void f() { a(\n    return b; } void g() { d(); }', 'f(){return b}; g(){d()};'],
    ['void f() { a()\n    b(); } void g() { }', 'f(){a() b()}; g(){};'],
    ['void f() { a(b; c(); } void g() { }', 'f(){a(b) c()}; g(){};'],
    ['void f() { a = "x;\n    b(); } void g() { }', 'f(){b()}; g(){};'],
    ['void f() { if (a { b(); } c(); } void g() { }', 'f(){{b()} c()}; g(){};'],
    [
      'void f() { if (a) { b(); \n  public void g() { c(); }\n void h() { }',
      'f(){choice?(a: {b()})}; g(){c()}; h(){};',
    ],
    ['void f() { while (a) { b();\n  void g() { c(); }', 'f(){while(a: {b()})}; g(){c()};'],
    ['void f() { a(() -> { b( }); c(); } void g() { }', 'f(){a( -> {}) c()}; g(){};'],
    ['int a = ; void f() { b(); }', 'f(){b()};'],
    ['int a b c; void f() { }', 'a; f(){};'],
    ['void f(int { a(); } void g() { }', 'f(){a()}; g(){};'],
    ['void f(int a, \n @Override\n public void g() { }', 'g(){};'],
    [
      'int a = new B() { void c() { = } void d() { e(); } }; void f() { }',
      'a = new B() class (c(){}; d(){e()};); f(){};',
    ],
    ['@\n  void f() { a(); }', 'f(){a()};'],
    ['void f() { try { a(); } b(); }', 'f(){try{a()} b()};'],
    ['void f() { switch (a) { case 1: b( ; break; case 2: c(); } }', 'f(){choice?(a: {break} {c()})};'],
    ['void f() { /* a(); }\n void g() { }', 'f(){}; g(){};'],
  ];
  const found = cases.map(([text]) => [
    text,
    read(`class A {\n${text}\n}\n`).replace(/^class A\((.*)\)( !)?$/s, '$1'),
  ]);
  expect(found).toEqual(cases);
  expect(read('class A { void f() { } } void g() { } }')).toBe('class A(f(){}; g(){};) !');
  expect(read('class A { void f() { }')).toBe('class A(f(){};) !');
  expect(read('class A( { void f() { } } class B { }')).toBe('class A(f(){};) class B() !');
  expect(read('import a.;\nclass B { }')).toBe('class B() !');
});

test('a module that is not closed is broken', () => {
  expect(parse('module a.b { requires c; }\nclass Last { }', 'Main').broken).toBe(false);
  expect(parse('open module a.b { try { requires c; }\nclass Last { }', 'Main').broken).toBe(true);
});

const CUTS = [
  '', '(', ')', '[', ']', '{', '}', '"', "'", '"""', '/*', '//', ';', ',', '.', '<', '>', '->', '::', '@', '\\', '\u0000', 'é', '\n',
  'class ', 'new ', 'switch ', 'case ', 'if (', 'try {', 'public ', 'record ', 'yield ', '= ', '? ', 'enum ', '@interface ', 'else ',
]; // biome-ignore format: one list

test('no text makes it throw, and what stands at the end of the file is read', () => {
  const last = 'public class Last { void last() { done(); } }';
  forBrokenTexts([...pages, ...everything], CUTS, last, (text) => {
    const { file, broken } = parse(text, 'Main');
    inOrder(file.types, 0, text.length);
    if (!broken) expect(JSON.stringify(file)).toContain('"done"');
  });
});

test('nothing takes longer than its length', () => {
  const around = (text: string) => `class A { void f() { ${text} } void g() { } }\n`;
  const repeated = [
    '(', '(a', '(a,', '(a) ', '[', '{', '{ (', 'f(', 'f(a, ', 'a.b(', 'a -> ', '() -> { ', 'a < ', 'a<b, ', 'List<', 'a ? b : ', 'a ? ',
    '-', '!', 'a = ', 'new A() { ', 'new A() { void f() { ', 'new int[', 'if (a) ', 'if (a) { ', 'else ', 'if (a) b; else ', 'for (', 'try { ',
    'try (a ', 'switch (a) { case b: ', 'switch (a) { default -> ', 'case ', 'x: ', '@', '@A(', '@A({', 'class B { ', 'class B extends ', 'record B(',
    'public ', 'void f() { ', 'void f(', 'int a b ', '"', '"""', "'", '/*', 'a::', 'a.', '.f(a)', ' + a', '[a]', 'do ', 'synchronized (a) { ', 'a instanceof ',
    'a > > ', '}', ')', '} void f() {', 'yield ', 'return ', 'f(x -> { g(; ', 'if (a { ', '{ a b ', '@A int ', 'a.b<c>::', 'int[',
  ]; // biome-ignore format: one list
  const read = (text: string) => parse(text, 'Main');
  for (const one of repeated) {
    const text = one.repeat(TIMES);
    for (const whole of [around(text), text, around(`x${text}`)]) expectQuick(read, whole, one);
  }
});

test('a bracket that closes nothing ends, also where all is too deep', () => {
  const { broken, cut } = parse(`interface S${'{'.repeat(251)}TS)`, 'S');
  expect([broken, cut]).toEqual([true, true]);
});
