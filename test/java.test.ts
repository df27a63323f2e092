// What a front end for Java and Kotlin must bear: depth, length, broken text, other line ends. What code means stands in the pages.
import { describe, expect, test } from 'vitest';
import { lower } from '../src/analyse.ts';
import type { Step, Unit } from '../src/ir.ts';
import { allSteps } from './harness.ts';

const inMethod = (code: string) =>
  `import java.sql.*;\nclass A {\n  void run(Connection c, Statement s) throws Exception {\n${code}\n  }\n}\n`;

async function read(file: string, text: string): Promise<Unit> {
  const unit = await lower(file, text);
  expect(unit?.problems.filter(({ message }) => message.startsWith('could not be read'))).toEqual([]);
  return unit!;
}

const kinds = (unit: Unit) => allSteps(unit).map((step: Step) => step.kind);

describe('the reader of Java', () => {
  test('bears ten thousand brackets', async () => {
    const unit = await read(
      'A.java',
      inMethod(`int x = ${'('.repeat(10_000)}1${')'.repeat(10_000)}; c.setSavepoint();`),
    );
    expect(unit.problems).toEqual([{ message: 'nested too deeply: a part was not read', partial: true }]);
  });

  test('says which file it could not read wholly', async () => {
    const told = async (file: string, text: string) =>
      (await read(file, text)).problems.map(({ message }) => message);
    expect(await told('A.java', inMethod('if (x { c.setSavepoint();'))).toEqual(['syntax error']);
    expect(await told('A.java', inMethod(`x.append('\0'); c.setSavepoint();`))).toEqual([]);
    expect(await told('A.kt', 'fun f(c: Connection) { if (x { c.setSavepoint() }')).toEqual(['syntax error']);
  });

  test('lowers one of two classes that share a name, however deep', async () => {
    await read(
      'A.java',
      `import java.sql.*;\n${'class A { class A { void f(Connection c) { c.commit(); } } '.repeat(30)}${'}'.repeat(30)}`,
    );
  });

  test('bears a concatenation of five thousand parts', async () => {
    const sql = `"update orders set a = 1"${' + " "'.repeat(5000)}`;
    await read('A.java', inMethod(`s.execute(${sql}); c.setSavepoint();`));
  });

  test('bears a chain of five thousand calls', async () => {
    await read('A.java', inMethod(`b${'.add(1)'.repeat(5000)}; c.setSavepoint();`));
  });

  test('bears five thousand else ifs', async () => {
    await read('A.java', inMethod(`${'if (x) f(); else '.repeat(5000)}g();`));
  });

  test.each(['class', 'class A { void f( {', '"', '"""', 'class A { @', '}}}}', '\0', ''])(
    'bears %j',
    async (text) => {
      await read('A.java', text);
      await read('A.kt', text);
    },
  );

  test('reads past a byte order mark and CRLF, with exact places', async () => {
    const text = `\uFEFF${inMethod('    Savepoint p = c.setSavepoint();').replaceAll('\n', '\r\n')}`;
    const unit = await read('A.java', text);
    const savepoint = allSteps(unit).find((step) => step.kind === 'savepoint')!;
    expect(text.slice(savepoint.at.start, savepoint.at.end)).toBe('setSavepoint');
  });

  test('puts SQL of a text block where it stands', async () => {
    const text = inMethod(
      '    s.execute("""\n        update orders\n        set total = 1 where id = 2""");',
    );
    const unit = await read('A.java', text);
    const write = allSteps(unit).find((step) => step.kind === 'write')!;
    expect(text.slice(write.at.start, write.at.end)).toMatch(/^update/);
  });

  test('a call of an object on itself goes past the proxy', async () => {
    const unit = await read(
      'A.java',
      `import org.springframework.transaction.annotation.*;
       class A {
         @Transactional public void outer() { for (int i = 0; i < 9; i++) inner(); }
         @Transactional(propagation = Propagation.NESTED) public void inner() { }
       }`,
    );
    expect(unit.routines.map(({ name }) => name)).toContain("jvm:A.inner'");
    expect(unit.routines.find(({ name }) => name === "jvm:A.inner'")!.body).toEqual([]);
  });

  test('nested lambdas do not double', async () => {
    const unit = await read(
      'A.java',
      `package a; class A { Repo r; void f() { ${'r.execute(x -> { '.repeat(12)} ${'});'.repeat(12)} } }`,
    );
    expect(kinds(unit).length).toBeLessThan(9 * 12);
  });

  test.each([
    ['nor lambdas that call each other', '%.accept(x); '],
    ['nor lambdas that are handed on', 'list.forEach(%); '],
  ])('%s', async (_what, run) => {
    const each = Array.from(
      { length: 40 },
      (_, i) => `Consumer<String> r${i + 1} = x -> { ${run.replace('%', `r${i}`).repeat(2)} };`,
    );
    const unit = await read(
      'A.java',
      `class A { void f(Connection c, List<String> list) { Consumer<String> r0 = x -> c.setSavepoint();
       ${each.join('\n')} list.forEach(r40); } }`,
    );
    expect(unit.problems).toEqual([]);
    expect(kinds(unit).length).toBeLessThan(20_000);
  });

  test('a class in a lambda that its own method runs is read once', async () => {
    const unit = await read(
      'A.kt',
      'class A { val note: () -> Unit = { class B { fun f(all: List<Int>) { all.forEach(note) } } } }',
    );
    expect(unit.problems).toEqual([]);
  });
});

test('a test is told from a product', async () => {
  expect((await read('src/test/java/ATest.java', 'class ATest {}')).role).toBe('test');
  expect((await read('src/main/java/A.java', 'class A {}')).role).toBe('product');
  for (const path of [
    'src/contractTest/A.java',
    'src/integrationtest/A.java',
    'src/test-acceptance/A.java',
    'api-tests/A.java',
  ])
    expect((await read(path, 'class A {}')).role).toBe('test');
  for (const path of [
    'api/latest/A.java',
    'contest/A.java',
    'src/main/java/attest/A.java',
    'src/main/java/laboratory/BloodTest.java',
    'lab/src/main/java/laboratory/TestService.java',
  ])
    expect((await read(path, 'class A {}')).role).toBe('product');
});
