// Chains of one construct, and definitions that each lead to the next one twice: all is read, whatever their length. Constructs within each other are nested.test.ts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

type Chain = (length: number) => string;

/** `one` as often as that; `open` before and `close` behind what stands in the middle. */
const times =
  (one: string, before = '', behind = ''): Chain =>
  (n) =>
    before + one.repeat(n) + behind;
const around =
  (open: string, inner: string, close: string, before = '', behind = ''): Chain =>
  (n) =>
    before + open.repeat(n) + inner + close.repeat(n) + behind;
/** Each leads to the next one, the last to what matters. */
const ladder =
  (first: string, step: (i: number) => string, last: (n: number) => string): Chain =>
  (n) =>
    [first, ...Array.from({ length: n }, (_, i) => step(i)), last(n)].join('\n');

const indented = (text: string) => text.replace(/^/gm, ' ');
const python =
  (chain: Chain): Chain =>
  (n) =>
    `from django.db import transaction\nfrom shop.models import Mark, Other\ndef run(rows, x):\n${indented(chain(n))}\n Mark.objects.get_or_create(kind=1)\n`;
const ruby =
  (chain: Chain): Chain =>
  (n) =>
    `class Mark < ApplicationRecord\ndef run(rows, x)\n${chain(n)}\nMark.find_or_create_by!(kind: 1)\nend\nend\n`;
const java =
  (chain: Chain): Chain =>
  (n) =>
    `import java.sql.*;\nimport java.util.*;\nclass A { A next; A next() { return next; }\nvoid run(Connection c, List<Integer> rows) throws Exception {\n${chain(n)}\nc.setSavepoint(); } }\n`;
const kotlin =
  (chain: Chain): Chain =>
  (n) =>
    `import java.sql.*\nimport jakarta.persistence.EntityManager\nclass A(val c: Connection) { val next: A get() = this\nfun next2(): A = this\nfun run(c: Connection, rows: List<Int>, a: A, m: EntityManager) {\n${chain(n)}\nc.setSavepoint()\n} }\n`;
const plpgsql =
  (chain: Chain): Chain =>
  (n) =>
    `CREATE FUNCTION run(v int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE q text; BEGIN\n${chain(n)}\nEND $$;\n`;
const sql =
  (chain: Chain): Chain =>
  (n) =>
    `${chain(n)};\n`;

const CHAINS: Record<string, [(chain: Chain) => Chain, Record<string, Chain>]> = {
  'marks.py': [python, {
    attributes: times('.objects.filter', 'y = x'),
    calls: times('.filter(a=1)', 'y = Mark.objects', '.get_or_create(b=2)'),
    subscripts: times('[0]', 'y = x'),
    conditions: around('a if ', 'b', ' else c', 'y = '),
    operators: times(' and b', 'y = a'),
    comparisons: times(' < b', 'y = a'),
    texts: times(' + "x"', 'q = "select 1"', '\nx.execute(q)'),
    'formatted texts': times('.format(x)', 'q = "select 1"', '\nx.execute(q)'),
    'comments before a text': times('-- b ', 'q = "', '\\n nothing"\nx.execute(q)'),
    comprehensions: times('for x in rows ', 'y = [Mark.objects.get_or_create() ', ']'),
    assignments: times('z = ', 'y = ', 'Mark.objects'),
    renamed: ladder('y0 = Mark.objects', (i) => `y${i + 1} = y${i}`, (n) => `y${n}.get_or_create(a=1)`),
    narrowed: times('y = y.filter(a=y)\n', 'y = Mark.objects\n', 'y.get_or_create(a=1)'),
    'twice in a tuple': ladder('y0 = 1', (i) => `y${i + 1} = (y${i}, y${i})`, (n) => `Mark.objects.get_or_create(a=y${n})`),
    'twice in a text': ladder('q0 = "select 1"', (i) => `q${i + 1} = f"{q${i}} {q${i}}"`, (n) => `x.execute(q${n})`),
    'signs in a text': times('+', 'q = "update t set a=1 ', '1"\nx.execute(q)'),
    'one of two texts': times('if x:\n q += " and a=1"\nelse:\n q += " or b=2"\n', 'q = "update t set a=1"\n', 'x.execute(q)'),
    'one of two managers': times('if x:\n y = Mark.objects\nelse:\n y = Other.objects\n', '', 'y.get_or_create(a=1)'),
    handlers: times('except Error:\n Mark.objects.get_or_create(a=1)\n', 'try:\n pass\n'),
    partial: around('partial(', 'Mark.objects.get_or_create', ')', 'y = ', '\ny()'),
    functions: ladder('', (i) => `def g${i}():\n g${i + 1}(); g${i + 1}()`, (n) => `def g${n}():\n Mark.objects.get_or_create(a=1)\ng0()`),
    lambdas: ladder('', (i) => `g${i} = lambda: (g${i + 1}(), g${i + 1}())`, (n) => `g${n} = lambda: Mark.objects.get_or_create(a=1)\ng0()`),
    'handed on': ladder('', (i) => `def g${i}(f):\n g${i + 1}(lambda: (f(), f()))`, (n) => `def g${n}(f):\n f()\ng0(Mark.objects.get_or_create)`),
    'one that calls itself': () => 'g = lambda n: (Mark.objects.get_or_create(a=n), g(n - 1))\ng(3)\nh = lambda: i()\ni = lambda: h()\nh()\nd = {"a": lambda: d["a"]()}\nd["a"]()\nk = partial(lambda: k())\nk()\nx = x.y',
  }],
  'app/models/mark.rb': [ruby, {
    calls: times('.where(a: 1)', 'y = Mark', '.lock.each { |m| m.save }'),
    'safe calls': times('&.next', 'y = x'),
    conditions: times('a ? b : ', 'y = ', 'c'),
    'one or the other': times('Mark.find_by(a: 1) || ', 'y = ', 'Mark.create!'),
    texts: times(' + "x"', 'q = "select 1"', '\nconnection.execute(q)'),
    modifiers: times(' if x', 'Mark.create!'),
    rescues: times(' rescue nil', 'y = Mark.create!'),
    'calls without brackets': times('f ', 'y = ', 'x'),
    then: times('.then { |a| a }', 'x'),
    narrowed: times('y = y.where(a: y)\n', 'y = Mark.all\n', 'y.lock.each(&:save)'),
    'twice in a list': ladder('y0 = 1', (i) => `y${i + 1} = [y${i}, y${i}]`, (n) => `Mark.create!(a: y${n})`),
    'twice in a text': ladder('q0 = "select 1"', (i) => `q${i + 1} = "#{q${i}} #{q${i}}"`, (n) => `connection.execute(q${n})`),
    'one of two classes': times('if x\n y = Mark\nelse\n y = Other\nend\n', '', 'y.create!'),
    methods: ladder('end', (i) => `def g${i}\n g${i + 1}; g${i + 1}\nend`, (n) => `def g${n}\n Mark.create!\nend\ndef h\ng0`),
    lambdas: ladder('', (i) => `g${i} = -> { g${i + 1}.call; g${i + 1}.call }`, (n) => `g${n} = -> { Mark.create! }\ng0.call`),
    'blocks that yield twice': ladder('end', (i) => `def g${i}\n g${i + 1} { yield; yield }\nend`, (n) => `def g${n}\n yield\nend\ndef h\ng0 { Mark.create! }`),
    'blocks handed on twice': ladder('end', (i) => `def g${i}(&b)\n g${i + 1}(&b); g${i + 1}(&b)\nend`, (n) => `def g${n}\n yield\nend\ndef h\ng0 { Mark.create! }`),
    concerns: ladder('end', (i) => `module M${i}\n include M${i + 1}\n extend M${i + 2}\nend`, () => 'def h'),
    'one that calls itself': () => 'g = ->(n) { Mark.create!(a: n); g.call(n - 1) }\ng.call(3)\nh = proc { i.call }\ni = proc { h.call }\nh.call\nk = { a: -> { k[:a].call } }\nk[:a].call\nx = x.y\nend\nOPTIONS = OPTIONS.merge(a: 1)\nalias h h\ndelegate :z, to: :z\ndef z\nz',
  }],
  'A.java': [java, {
    fields: times('.next', 'A y = this', ';'),
    calls: times('.next()', 'A y = this', ';'),
    conditions: times('a ? b : ', 'int y = ', 'c;'),
    texts: times(' + "x"', 'String q = "select 1"', ';\nc.createStatement().execute(q);'),
    casts: times('(A) ', 'A y = ', 'x;'),
    types: around('Map<', 'A', '>', '', ' y = null;'),
    'texts added to themselves': times('q = q + q;\n', 'String q = "select 1";\n', 'c.createStatement().execute(q);'),
    builders: times('y.append(y);\n', 'StringBuilder y = new StringBuilder("select 1");\n', 'c.createStatement().execute(y.toString());'),
    'formatted texts': around('String.format("%s", ', '"x"', ')', 'String q = ', ';\nc.createStatement().execute(q);'),
    'one of two texts': times('if (x) { q = "select 1"; } else { q = "select 2"; }\n', 'String q;\n', 'c.createStatement().execute(q);'),
    functions: ladder('', (i) => `Runnable g${i} = () -> { g${i + 1}.run(); g${i + 1}.run(); };`, (n) => `Runnable g${n} = () -> c.setSavepoint();\ng0.run();`),
    methods: ladder('}', (i) => `void g${i}() { g${i + 1}(); g${i + 1}(); }`, (n) => `void g${n}() { c.setSavepoint(); } void h() { g0();`),
    'handed on': ladder('}', (i) => `void g${i}(Runnable r) { g${i + 1}(() -> { r.run(); r.run(); }); }`, (n) => `void g${n}(Runnable r) { r.run(); } void h(Connection c) { g0(() -> c.setSavepoint());`),
    'handed on as it is': ladder('}', (i) => `void g${i}(Runnable r) { r.run(); g${i + 1}(r); g${i + 2}(r); g${i + 3}(r); }`, (n) => `void g${n}(Runnable r) { r.run(); } void h(Connection c) { g0(() -> c.setSavepoint());`),
    streams: times('.flatMap(a -> rows.stream())', 'rows.stream()', '.forEach(a -> c.setSavepoint());'),
    bases: ladder('}', (i) => `class B${i} extends B${i + 1} {}`, (n) => `class B${n} { void m(Connection c) { c.setSavepoint(); } } void z(Connection c) { new B0().m(c);`),
    'one that calls itself': () => 'Runnable g = () -> { c.setSavepoint(); g.run(); };\ng.run();\nString s = s + "a";\ns += s;\nc.createStatement().execute(s);\n} static final String T = T + "a"; interface I extends J {} interface J extends I {} @B @interface B {} void z(Connection c) { c.createStatement().execute(T);',
  }],
  'A.kt': [kotlin, {
    properties: times('.next', 'val y = a'),
    'properties of a framework': times('.transaction.connection', 'val y = m'),
    'properties and calls': times('.next2().next', 'val y = a'),
    'safe calls': times('?.next', 'val y = a'),
    elvis: times('a ?: ', 'val y = ', 'b'),
    infix: times(' to b', 'val y = a'),
    conditions: times('if (a) b else ', 'val y = ', 'c'),
    texts: times(' + "x"', 'val q = "select 1"', '\nc.createStatement().execute(q)'),
    'twice in a text': ladder('val q0 = "select 1"', (i) => `val q${i + 1} = "$q${i} $q${i}"`, (n) => `c.createStatement().execute(q${n})`),
    apply: times('.apply { c.setSavepoint() }', 'a'),
    lambdas: ladder('', (i) => `val g${i} = { g${i + 1}(); g${i + 1}() }`, (n) => `val g${n} = { c.setSavepoint() }\ng0()`),
    'local functions': ladder('', (i) => `fun g${i}() { g${i + 1}(); g${i + 1}() }`, (n) => `fun g${n}() { c.setSavepoint() }\ng0()`),
    'inline functions': ladder('}', (i) => `inline fun g${i}(b: () -> Unit) { g${i + 1} { b(); b() } }`, (n) => `inline fun g${n}(b: () -> Unit) { b() }\nfun h(c: Connection) { g0 { c.setSavepoint() }`),
    'blocks handed on twice': ladder('}', (i) => `inline fun g${i}(b: () -> Unit) { g${i + 1}(b); g${i + 1}(b) }`, (n) => `inline fun g${n}(b: () -> Unit) { b() }\nfun h(c: Connection) { g0 { c.setSavepoint() }`),
    'one that calls itself': () => 'lateinit var g: (Int) -> Unit\ng = { n -> c.setSavepoint(); g(n - 1) }\ng(3)\nval h: () -> Unit = { h() }\nh()\nval s = "$s a"\nc.createStatement().execute(s)\n}\nval z: A by lazy { z }\ncompanion object { const val S = S + "a" }\nfun zz(c: Connection) { c.createStatement().execute(S)',
  }],
  'marks.sql': [sql, {
    casts: times('::int', 'SELECT mark(1', ')'),
    conditions: times('a = 1 OR ', 'UPDATE marks SET a = 1 WHERE ', 'b = 2'),
    'conditions of both kinds': around('(a = 1 AND ', 'b = 2', ' OR c = 3)', 'UPDATE marks SET a = 1 WHERE '),
    texts: times(" || 'b'", "SELECT 'a'"),
    signs: times('+', 'SELECT mark(1) ', '1'),
    joins: times(' JOIN b ON mark(1)', 'SELECT mark(1) FROM a'),
    lateral: times(', LATERAL (SELECT mark(2) FROM b) c', 'SELECT mark(1) FROM a'),
    unions: times(' UNION SELECT mark(2)', 'SELECT mark(1)'),
    comments: around('/*', '', '*/', '', ' SELECT mark(1)'),
    explain: times('EXPLAIN ', '', 'SELECT mark(1)'),
    'rules in an arm': times('-', 'SELECT 1 FROM a WHERE b {% if x %} AND c;\n', '\n SELECT 2; {% else %} AND d; {% endif %} SELECT mark(1)'),
    'comments in an arm': times('/*', 'SELECT 1 FROM a WHERE b {% if x %} AND c; ', ' {% else %} AND d; {% endif %} SELECT mark(1)'),
    arms: times('{% if x %} AND b {% endif %}\n', 'SELECT mark(1) FROM a WHERE c '),
    'arms in arms': around('{% if x %} AND b ', 'AND c', '{% endif %}', 'SELECT mark(1) FROM a WHERE c '),
    'queries that ask the last one twice': (n) => `WITH a0 AS (INSERT INTO marks SELECT 1 RETURNING *)${Array.from({ length: n }, (_, i) => `, a${i + 1} AS (SELECT * FROM a${i}, a${i})`).join('')} SELECT mark(1) FROM a${n}`,
    views: ladder('', (i) => `CREATE VIEW v${i} AS SELECT * FROM v${i + 1} a, v${i + 1} b;`, (n) => `CREATE VIEW v${n} AS SELECT mark(1);\nSELECT * FROM v0`),
    functions: ladder('', (i) => `CREATE FUNCTION f${i}() RETURNS int LANGUAGE sql AS $$ SELECT f${i + 1}(); SELECT f${i + 1}() $$;`, (n) => `CREATE FUNCTION f${n}() RETURNS int LANGUAGE plpgsql AS $$ BEGIN BEGIN INSERT INTO marks VALUES (1); EXCEPTION WHEN others THEN END; END $$;\nSELECT f0()`),
    triggers: ladder('', (i) => `CREATE FUNCTION f${i}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t${i + 1} VALUES (1); INSERT INTO t${i + 1} VALUES (2); RETURN NEW; END $$; CREATE TRIGGER x AFTER INSERT ON t${i} FOR EACH ROW EXECUTE FUNCTION f${i}();`, () => 'INSERT INTO t0 VALUES (1)'),
  }],
  'run.sql': [plpgsql, {
    handlers: times('WHEN unique_violation THEN INSERT INTO marks VALUES (2); ', 'BEGIN INSERT INTO marks VALUES (1); EXCEPTION ', 'END;'),
    'handlers in handlers': around('BEGIN INSERT INTO marks VALUES (1); EXCEPTION WHEN others THEN ', 'NULL;', ' END;'),
    ELSIF: times('ELSIF v = 2 THEN INSERT INTO marks VALUES (2); ', 'IF v = 1 THEN NULL; ', 'END IF;'),
    'texts added to themselves': times('q := q || q; ', "q := 'select 1'; ", 'EXECUTE q;'),
    'formatted texts': around("format('%s', ", "'select 1'", ')', 'EXECUTE ', ';'),
    'one of two texts': times('IF v = 1 THEN q := q || 1; ELSE q := q || 2; END IF; ', "q := 'select 1'; ", 'EXECUTE q;'),
  }],
  'marks.yml': [(chain) => chain, {
    'blank lines of a change log': times('\n', 'databaseChangeLog:\n- changeSet:\n', '    id: 1\n    changes:\n    - sql: SELECT mark(1)\n'),
    'carriage returns in a change log': times('\r', 'databaseChangeLog:\n- changeSet:\n    id: 1\n    changes:\n    - sql: SELECT', ' mark(1)\n'),
  }],
  'settings.py': [(chain) => chain, {
    'blank lines before a text': times('\n', 'X = 1', 'DATABASES = {"default": {"OPTIONS": {"options": "autosave=always"}}}\n'),
    'texts by themselves': times('"""a"""\n', '', 'URL = "jdbc:postgresql://db/a?autosave=always"\n'),
    keys: times('a.', '', ' = "jdbc:postgresql://db/a?autosave=always"\n'),
  }],
  'requirements.txt': [(chain) => (n) => `psycopg==3.2\ndjango${chain(n)}\n`, {
    'versions without a comma': times('==4.4x', '', '(='),
    'versions and blanks': times('==4.4  ', '', '(='),
    'versions with an epoch': times('!=1!2', '', '(='),
    epochs: times('!1', '==1', '(='),
  }],
}; // biome-ignore format: a table

const folder = mkdtempSync(join(tmpdir(), 'subxact-chains-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that is said of the run; a run that does not end says nothing. */
function checked(path: string, seconds: number): string {
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['bin/subxact.js', 'check', '--no-cache', '--threads', '1', path],
    { encoding: 'utf8', timeout: seconds * 1000 },
  );
  return signal ? 'it does not end' : stdout + stderr;
}

const FAULT = /could not be read[^\n]*|fault of the program[^\n]*|it does not end/;

test.each(Object.entries(CHAINS))(
  '%s',
  (file, [whole, chains]) => {
    const root = mkdtempSync(join(folder, 'all-'));
    const written = Object.entries(chains).flatMap(([name, chain]) =>
      [14, 40, 1_500].map((length) => {
        const path = join(root, `${name} ${length}`.replaceAll(' ', '_'), file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, whole(chain)(length));
        return path;
      }),
    );
    // One process for each is as slow as Node's start; that they are one program makes no difference to what is read.
    if (!FAULT.test(checked(root, 120))) return;
    const faults = written
      .map((path) => [path, FAULT.exec(checked(path, 20))?.[0]])
      .filter(([, fault]) => fault);
    expect(faults, 'by themselves').not.toEqual([]);
    expect(faults).toEqual([]);
  },
  600_000,
);
