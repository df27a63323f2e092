// Lowering one file takes time that grows as the file does, for shapes that a careless front end takes quadratic time for: counted by V8, not by a clock.
import { Session } from 'node:inspector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lower } from '../../src/analyse.ts';
import { executed } from '../counting.ts';

const session = new Session();
beforeAll(() => {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

/** What counts is what runs in our code: not patterns, and not what V8 does for `Set` and `slice`. */
async function workOf(file: string, text: string): Promise<number> {
  taken();
  await lower(file, text);
  return taken();
}

function taken(): number {
  let sum = 0;
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url, functions } of result)
      if (url.includes('/src/')) sum += executed(functions.flatMap(({ ranges }) => ranges));
  });
  return sum;
}

const FEW = 60;
const MORE = 4;
/** Four times the lines may take so many times as much for each. */
const ALLOWED = 1.1;

/** What stands before the lines, each of them, and what stands behind. */
type Shape = [file: string, before: string, line: (i: number) => string, after?: string];

const PY = 'from django.db import transaction, models\nimport psycopg\n';
const ATOMIC = `${PY}def f(o):\n  with transaction.atomic():\n`;
const RB = 'class A < ApplicationRecord\n';
const IN_RUBY = `${RB}  def f(o)\n    transaction do\n`;
const SPRING = 'import org.springframework.transaction.annotation.*;\n';
const JDBC = 'import java.sql.*;\nimport javax.sql.DataSource;\nclass A { DataSource ds;\n';
const IN_JAVA = `${JDBC} void f(Connection c, int x) throws SQLException {\n c.setAutoCommit(false);\n`;
const PLPGSQL = 'CREATE FUNCTION f(x int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE i int := 0; BEGIN\n';

const SHAPES: Record<string, Shape> = {
  'functions of Python': ['a.py', PY, (i) => `def f${i}(rows):\n  with transaction.atomic():\n    f${i + 1}(rows)\n`],
  'methods of a class': ['a.py', `${PY}class A:\n`, (i) => `  def m${i}(self, rows):\n    with transaction.atomic():\n      self.m${i + 1}(rows)\n      self.x${i} = 1\n`],
  'models': ['models.py', PY, (i) => `class M${i}(models.Model):\n  other = models.ForeignKey("M${i + 1}", on_delete=models.CASCADE)\n  def save(self, *args, **kwargs):\n    super().save(*args, **kwargs)\n`],
  'classes with a base': ['a.py', `${PY}class C0:\n  def run(self):\n    with transaction.atomic():\n      self.step()\n`, (i) => `class C${i + 1}(C0):\n  def step(self):\n    self.o.save()\n`],
  'constants': ['a.py', PY, (i) => `E${i} = ("${i}", "text")\n`, 'def f():\n  with transaction.atomic():\n    pass\n'],
  'numbers': ['a.py', PY, (i) => `SIZE_${i} = ${i % 60}\n`, 'def f():\n  with transaction.atomic():\n    pass\n'],
  'imports': ['a.py', PY, (i) => `from m${i} import f${i}\n`, 'with transaction.atomic():\n  f1()\n'],
  'a variable that is set often': ['a.py', ATOMIC, () => '    x = g(x)\n    x.save()\n'],
  'calls on nobody knows what': ['a.py', ATOMIC, (i) => `    o.m${i}(o.a, b=${i})\n`],
  'conditions': ['a.py', ATOMIC, (i) => `    if o.a${i}:\n      return g(o)\n    o.save()\n`],
  'a chain of elif': ['a.py', `${ATOMIC}    if o == -1:\n      pass\n`, (i) => `    elif o == ${i}:\n      o.save()\n`],
  'handlers': ['a.py', ATOMIC, () => '    try:\n      o.save()\n    except ValueError:\n      pass\n'],
  'loops': ['a.py', ATOMIC, (i) => `    for x in o.y${i}:\n      x.save()\n`],
  'statements of SQL in Python': ['a.py', `${PY}def f(cur):\n`, (i) => `  a${i} = cur.execute("UPDATE t SET a = %s WHERE id = ${i}" % (x,))\n  g(a${i})\n`],
  'a text that grows': ['a.py', `${PY}def f(cur):\n  q = ""\n`, (i) => `  q += "INSERT INTO t VALUES (${i});"\n`, '  cur.execute(q)\n'],
  'receivers': ['a.py', `${PY}from django.db.models.signals import post_save\nfrom django.dispatch import receiver\n`, (i) => `@receiver(post_save, sender=M)\ndef f${i}(sender, instance, **kw):\n  instance.x.save()\n`],
  'globals': ['a.py', PY, (i) => `g${i} = None\ndef f${i}():\n  global g${i}\n  g${i} = transaction.atomic()\n  with g${i}:\n    pass\n`],

  'tests of Python': ['test_a.py', PY, (i) => `def test_${i}():\n  pay()\ndef test_n${i}():\n  with transaction.atomic():\n    pay() # ${'savepoint '.repeat(50)}\n`],
  'methods of Ruby': ['a.rb', RB, (i) => `  def m${i}(rows)\n    transaction(requires_new: true) { rows.each { |r| r.save! } }\n    m${i + 1}(rows)\n  end\n`, 'end\n'],
  'classes of Ruby': ['a.rb', '', (i) => `class A${i} < ApplicationRecord\n  has_many :b${i}s\n  after_save :x${i}\n  def x${i}\n    b${i}s.each(&:save!)\n  end\nend\n`],
  'variables': ['a.rb', IN_RUBY, (i) => `      x${i} = o.y${i}\n      x${i}.save!\n`, '    end\n  end\nend\n'],
  'a variable of Ruby that is set often': ['a.rb', IN_RUBY, () => '      x = g(x)\n      x.save!\n', '    end\n  end\nend\n'],
  'conditions of Ruby': ['a.rb', IN_RUBY, (i) => `      o.save! if o.a${i}?\n      return if o.z\n`, '    end\n  end\nend\n'],
  'cases': ['a.rb', `${IN_RUBY}      case o\n`, (i) => `      when "k${i}" then o.save!\n`, '      end\n    end\n  end\nend\n'],
  'instance variables': ['a.rb', RB, (i) => `  def f${i}\n    @v${i} ||= Foo.new\n    @v${i}.save!\n  end\n`, 'end\n'],
  'lists of Ruby': ['a.rb', RB, (i) => `  E${i} = %w[a b c].freeze\n  def f${i} = E${i}.each { |e| transaction(requires_new: true) { e.save! } }\n`, 'end\n'],
  'blocks': ['a.rb', `${RB}  def f(o)\n`, (i) => `    with_x(${i}) { |y| y.save! }\n`, '  end\n  def with_x(i) = transaction(requires_new: true) { yield i }\nend\n'],
  'examples': ['spec/a_spec.rb', "RSpec.describe 'a' do\n", (i) => `  it('${i}') { Order.pay }\n  it('n${i}') { Order.transaction(requires_new: true) { Order.pay } } # ${'savepoint '.repeat(50)}\n`, 'end\n'],
  'a schema': ['db/schema.rb', 'ActiveRecord::Schema[7.0].define(version: 1) do\n', (i) => `  create_table "t${i}" do |t|\n    t.text "a"\n  end\n  add_foreign_key "t${i}", "t${i + 1}"\n`, 'end\n'],

  'methods of Java': ['A.java', `${SPRING}class A {\n`, (i) => `  @Transactional(propagation = Propagation.NESTED) void m${i}(java.util.List<B> rows) { for (B b : rows) m${i + 1}(rows); }\n`, '}\n'],
  'fields': ['A.java', `${SPRING}@org.springframework.stereotype.Service class A {\n`, (i) => `  private final B${i} b${i};\n  @Transactional void m${i}() { b${i}.save(this); }\n`, '}\n'],
  'classes of Java': ['A.java', SPRING, (i) => `class A${i} extends A${i + 1} implements I${i} { @Transactional void m() { super.m(); } }\n`],
  'savepoints of Java': ['A.java', IN_JAVA, (i) => `  Savepoint s${i} = c.setSavepoint();\n  c.createStatement().executeUpdate("UPDATE t SET a = ${i}");\n  c.releaseSavepoint(s${i});\n`, '} }\n'],
  'constants of Java': ['A.java', JDBC, (i) => `  static final String Q${i} = "INSERT INTO t VALUES (${i})";\n  void f${i}(Connection c) throws SQLException { c.createStatement().executeUpdate(Q${i}); }\n`, '}\n'],
  'conditions of Java': ['A.java', IN_JAVA, (i) => `  if (x == ${i}) { c.setSavepoint(); return; }\n`, '} }\n'],
  'connections, each of a method': ['A.java', JDBC, (i) => `  void f${i}() throws SQLException { try (Connection c${i} = ds.getConnection()) { c${i}.setAutoCommit(false); c${i}.setSavepoint(); c${i}.commit(); } }\n`, '}\n'],
  'connections of one method': ['A.java', IN_JAVA, (i) => `  Connection c${i} = ds.getConnection(); c${i}.setAutoCommit(false); c${i}.setSavepoint(); c${i}.commit();\n`, '} }\n'],
  'lambdas': ['A.java', 'import org.springframework.transaction.support.*;\nclass A { TransactionTemplate t; void f(java.util.List<B> bs) {\n', (i) => `  bs.forEach(b${i} -> t.execute(s -> { b${i}.save(); return null; }));\n`, '} }\n'],
  'functions of Kotlin': ['A.kt', 'import org.springframework.transaction.annotation.*\nclass A(val r: R) {\n', (i) => `  @Transactional(propagation = Propagation.NESTED) fun m${i}(rows: List<B>) { rows.forEach { r.save(it); m${i + 1}(rows) } }\n`, '}\n'],
  'transactions of Exposed': ['A.kt', 'import org.jetbrains.exposed.sql.transactions.transaction\nfun f() { transaction {\n', (i) => `  T.insert { it[a] = ${i} }\n  transaction { T.update { it[a] = 1 } }\n`, '} }\n'],
  'arms of when': ['A.kt', 'import java.sql.*\nfun f(c: Connection, x: Int) { when (x) {\n', (i) => `  ${i} -> c.setSavepoint()\n`, '} }\n'],

  'statements': ['a.sql', '', (i) => `INSERT INTO t${i % 50} (a) SELECT f(a) FROM s WHERE b = ${i} FOR UPDATE;\n`],
  'savepoints that stay open': ['a.sql', 'BEGIN;\n', (i) => `SAVEPOINT s${i}; INSERT INTO t VALUES (1);\n`, 'COMMIT;\n'],
  'functions of SQL': ['a.sql', '', (i) => `CREATE FUNCTION f${i}(a int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (a); PERFORM f${i + 1}(a); EXCEPTION WHEN others THEN NULL; END $$;\n`],
  'blocks of a body': ['a.sql', PLPGSQL, (i) => ` BEGIN INSERT INTO t VALUES (${i}); EXCEPTION WHEN unique_violation THEN NULL; END;\n`, 'END $$;\n'],
  'conditions of a body': ['a.sql', PLPGSQL, (i) => ` IF x = ${i} THEN INSERT INTO t VALUES (${i}); RETURN; END IF;\n`, 'END $$;\n'],
  'arms of a body': ['a.sql', `${PLPGSQL} IF x = -1 THEN NULL;\n`, (i) => ` ELSIF x = ${i} THEN INSERT INTO t VALUES (${i});\n`, ' END IF; END $$;\n'],
  'loops of a body': ['a.sql', PLPGSQL, (i) => ` FOR r IN SELECT * FROM t${i} LOOP UPDATE t SET a = 1 WHERE id = r.id; i := i + 1; IF i > 100 THEN COMMIT; i := 0; END IF; END LOOP;\n`, 'END $$;\n'],
  'texts of a body': ['a.sql', PLPGSQL, (i) => ` q := q || format('INSERT INTO t%s VALUES (1);', ${i}); EXECUTE q;\n`, 'END $$;\n'],
  'variables that conditions of a body ask for': ['a.sql', PLPGSQL, (i) => ` DECLARE v${i} text; BEGIN v${i} := f(${i}); IF v${i} IS NOT NULL THEN UPDATE t SET a = 1; END IF; END;\n`, 'END $$;\n'],
  'values': ['a.sql', 'INSERT INTO t VALUES (0)', (i) => `, (f(${i}))\n`],
  'unions': ['a.sql', 'CREATE VIEW v AS SELECT 1 ', (i) => ` UNION ALL SELECT f(a) FROM t${i}`, ';\n'],
  'joins': ['a.sql', 'SELECT * FROM t ', (i) => ` JOIN t${i} ON t${i}.id = t.a${i}`, ' WHERE f(t.b);\n'],
  'tables': ['a.sql', '', (i) => `CREATE TABLE t${i} (id serial PRIMARY KEY, a int REFERENCES t0, b text CHECK (f(b)));\n`],
  'triggers': ['a.sql', '', (i) => `CREATE TRIGGER g${i} AFTER INSERT ON t${i % 40} FOR EACH ROW EXECUTE FUNCTION f${i}();\nALTER TABLE t${i % 40} DISABLE TRIGGER g${i};\n`],
  'calls of plpy': ['a.sql', 'CREATE FUNCTION f() RETURNS void LANGUAGE plpython3u AS $$\n', (i) => `plpy.execute("INSERT INTO t VALUES (${i})")\n`, '$$;\n'],
  'addresses': ['application.yml', '', (i) => `k${i}:\n  url: jdbc:postgresql://h${i}/db?autosave=always\n`],
  'settings of one line': ['application.yml', 'postgres: {', () => '"autosave": always, '.repeat(10), '}'],
  'changesets': ['a.xml', '<databaseChangeLog>', (i) => `<changeSet id="${i}" author="a"><sql>INSERT INTO t VALUES (${i})</sql></changeSet>\n`, '</databaseChangeLog>'],
}; // biome-ignore format: a table

test.each(Object.entries(SHAPES))('%s', async (_, [file, before, line, after = '']) => {
  const text = (lines: number) => before + Array.from({ length: lines }, (_, i) => line(i)).join('') + after;
  await lower(file, text(2)); // what runs once in the program's life
  const [few, more] = [await workOf(file, text(FEW)), await workOf(file, text(FEW * MORE))];
  console.log(`${(more / few / MORE).toFixed(2)}`);
  expect(few).toBeGreaterThan(0);
  expect(more / few / MORE).toBeLessThan(ALLOWED);
});
