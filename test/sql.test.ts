// SQL against PostgreSQL's own parser, against broken text, and against the clock. What it means is in fixtures/languages.
import fc from 'fast-check';
import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { describe as say } from '../src/describe.ts';
import { pieces, plain } from '../src/frontends/source.ts';
import { lower } from '../src/frontends/sql/index.ts';
import { lowerEmbeddedUnit } from '../src/frontends/sql/queries/embedded.ts';
import { dialectOf } from '../src/frontends/sql/text/dialect.ts';
import { statements } from '../src/frontends/sql/text/split.ts';
import { lower as lowerLog } from '../src/frontends/sql/tools/changelog.ts';
import { inside, type Span, type Step, type Unit } from '../src/ir.ts';
import { link } from '../src/linker/link.ts';
import { readPage } from './markdown.ts';
import { compare, declaredBy, expectedObjects, JUDGED } from './sql-oracle.ts';

const pages = ['sql', 'psql', 'migrations'].flatMap((page) => readPage(`fixtures/languages/${page}.md`));
const texts = pages.flatMap((page) => page.files.map((file) => file.text));

describe('PostgreSQL reads it the same way', () => {
  beforeAll(async () => {
    await loadModule();
  });

  test('every statement of the pages', () => {
    let judged = 0;
    const differences: string[] = [];
    for (const text of texts)
      for (const piece of statements(text, { psql: true })) {
        if (piece.kind !== 'statement') continue;
        const one = text.slice(piece.tokens[0]!.start, piece.tokens.at(-1)!.end);
        if (one.includes('cockroach_restart')) continue; // no savepoint, though PostgreSQL would take it for one
        if (JUDGED.test(one)) {
          const result = compare(one);
          if (result.judged) judged++;
          for (const difference of result.differences) differences.push(`${one}\n  ${difference}`);
          continue;
        }
        const wanted = /^create\s+schema/i.test(one) ? null : expectedObjects(one);
        if (!wanted) continue;
        judged++;
        const got = declaredBy(one);
        if (wanted.join() !== got.join()) differences.push(`${one}\n  PostgreSQL ${wanted}\n  we ${got}`);
      }
    expect(differences.join('\n')).toBe('');
    expect(judged).toBeGreaterThan(150);
  });
});

// ---- whose file it is ------------------------------------------------------------------------------------------

test('what is for show, and what is called like it', () => {
  const make = (name: string) => `CREATE FUNCTION ${name}(id int) RETURNS int LANGUAGE sql AS 'SELECT 1';`;
  const role = (file: string, text: string) => lower(file, text).role;
  expect(role('sample/orders.sql', make('count_orders'))).toBe('example');
  expect(role('samples/sample.sql', make('sample'))).toBe('example');
  expect(role('samples/take_sample.sql', make('count_orders'))).toBe('example');
  expect(role('sample/take_sample.0.sql', make('take_sample'))).toBe('product');
  expect(role('sql/sample/init_sample.sql', make('@extschema@.init_sample'))).toBe('product');
  expect(role('sample/functions/count.sql', make('count'))).toBe('product');
});

// ---- what surely runs ------------------------------------------------------------------------------------------

describe('what a statement surely calls', () => {
  const NOTE = `CREATE TABLE t (id int PRIMARY KEY, a boolean, b boolean);
    CREATE FUNCTION note(what text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO audit VALUES (what);
      RETURN true;
    EXCEPTION WHEN check_violation THEN
      RETURN false;
    END $$;\n`;
  const least = (statement: string) =>
    link([lower('a.sql', `${NOTE}BEGIN; ${statement}; COMMIT;`)]).transactions.find(
      ({ routine }) => routine === 'sql:"a.sql"',
    )!.least;
  test.each([
    ["SELECT note('x'), NOT note('y')", 2],
    ["SELECT note('x') AND note('y')", 1],
    ["SELECT (true OR note('x')) IS NULL, note('y')", 1],
    ["SELECT coalesce(a AND note('x'), note('y')), note('z') FROM (VALUES (true)) AS v (a)", 1],
    ["SELECT CASE WHEN a OR note('x') THEN 1 ELSE 2 END, note('z') FROM (VALUES (true)) AS v (a)", 1],
    ["SELECT 1 BETWEEN 0 AND 2 AND note('x'), 1 BETWEEN 0 AND note('y')::int", 1],
    ["SELECT note('x') WHERE now() > '2020-01-01'", 0],
    ["SELECT note('x') FROM t WHERE id = 1", 0],
    ["SELECT a AND (SELECT note('x')) AS x, note('y') AS y FROM (VALUES (true)) AS v (a)", 1],
  ])('%s', (statement, calls) => {
    expect(least(statement)).toBeLessThanOrEqual(calls);
    if (!statement.includes('FROM')) expect(least(statement)).toBe(calls);
  });
});

// ---- broken text -----------------------------------------------------------------------------------------------

const RUNS = Number(process.env.SUBXACT_FUZZ ?? 2000);

function spans(unit: Unit): Span[] {
  const out: Span[] = [];
  const walk = (steps: Step[]) => {
    for (const step of steps) {
      out.push(step.at);
      for (const list of inside(step)) walk(list);
    }
  };
  for (const routine of unit.routines) {
    out.push(routine.at);
    walk(routine.body);
  }
  for (const trigger of unit.triggers) {
    out.push(trigger.at);
    walk(trigger.body);
  }
  for (const other of [...unit.relations, ...unit.foreignKeys, ...unit.changes, ...unit.settings])
    out.push(other.at);
  return out;
}

describe('broken text', () => {
  const scraps = [
    ...texts.join('\n').split(/(\s+|[();,])/).filter((scrap) => scrap !== ''),
    "'", '"', '$$', '$a$', '/*', '*/', '--', '\\', '\\.', '{{', '}}', '\uE000', '\0', ';', '(', ')', 'BEGIN ATOMIC', 'CASE', 'END',
  ]; // biome-ignore format: a list of scraps
  const cut = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.nat()).map(([text, a, b]) => {
    const [from, to] = [a % (text.length + 1), b % (text.length + 1)];
    return text.slice(Math.min(from, to), Math.max(from, to));
  });
  const shuffled = fc.array(fc.constantFrom(...scraps), { maxLength: 60 }).map((list) => list.join(' '));
  const without = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.constantFrom(...scraps))
    .map(([text, at, scrap]) => {
      const i = at % (text.length + 1);
      return text.slice(0, i) + scrap + text.slice(i + 1);
    });

  test(`is read without an error, and every place lies in the text, ${RUNS} times`, () => {
    fc.assert(
      fc.property(fc.oneof(cut, shuffled, without), (text) => {
        const unit = lower('broken.sql', text);
        for (const { start, end } of spans(unit))
          if (!(start >= 0 && start <= end && end <= text.length))
            throw new Error(`a span ${start}–${end} of ${text.length}`);
        JSON.stringify(unit);
      }),
      { numRuns: RUNS },
    );
  });

  test('deep nesting ends early and throws nothing', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['(SELECT ', ')'],
      ['f(', ')'],
      ['[', ']'],
      ['CASE WHEN ', ' END'],
      ['(SELECT * FROM ', ' a)'],
    ]) {
      const text = `SELECT ${open!.repeat(10_000)}1${close!.repeat(10_000)};\nSAVEPOINT a;`;
      const unit = lower('deep.sql', text);
      expect(unit.routines[0]!.body.at(-1)).toMatchObject({ kind: 'savepoint', name: 'a' });
    }
  });

  test('a second reading of the same text finds the same', () => {
    const text = 'SELECT a; /* /* */ */ SAVEPOINT b; /* /* */ SAVEPOINT c; /* /* */ */ SAVEPOINT d;';
    const first = lower('twice.sql', text);
    expect(lower('twice.sql', text)).toEqual(first);
    expect(first.routines[0]!.body.filter(({ kind }) => kind === 'savepoint')).toMatchObject([
      { name: 'b' },
      { name: 'c' },
    ]);
  });

  test('time grows with the length, not with its square', () => {
    const shapes = [
      'INSERT INTO a VALUES (1);\n', '/* /* */ ', "'a''", '$a$ ', '$$ ', '((', 'SELECT f(', 'a.', 'WITH a AS (', 'CREATE TABLE a (b int, ',
      '\\set a b\n', 'UNION ALL ', ', (1)', 'CASE ', '(', 'f((', '(SELECT * FROM (', '{{ ', '<%=', '@a', "E'\\'", '"', 'x = 1 AND ',
    ]; // biome-ignore format: a list
    for (const shape of shapes) {
      const time = (times: number) => {
        const text = shape.repeat(times);
        const start = process.cpuUsage();
        lower('long.sql', text);
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      };
      time(2000);
      const [short, long] = [time(2000), time(16_000)];
      expect(long, JSON.stringify(shape)).toBeLessThan(Math.max(24 * short, 500));
    }
  });
});

// ---- text in host languages ------------------------------------------------------------------------------------

describe('text in host languages', () => {
  const said = (text: string) => lowerEmbeddedUnit(plain(text), '').steps.map(say);

  test('several statements, with the holes of drivers and templates', () => {
    expect(said('SELECT plant(%s, %(kind)s)')).toEqual(['call plant']);
    expect(said('INSERT INTO apples (a, b) VALUES (?, :b)')).toEqual(['insert apples one row']);
    expect(said('INSERT INTO apples (a, b) VALUES %s')).toEqual(['insert apples']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a hole of another language
    expect(said('UPDATE ${schema}.apples SET a = #{b} WHERE id = $1')).toEqual(['update apples one row']);
    expect(said('SAVEPOINT {name}; RELEASE SAVEPOINT {name}')).toEqual(['savepoint ?', 'release ?']);
    expect(said('/* who */ -- why\n  with x as (select 1) delete from {0}')).toEqual(['delete ? many rows']);
  });

  test('what is no SQL gives nothing', () => {
    for (const text of [
      '',
      'hello',
      'Please select one',
      'begin with a capital',
      'Update the page',
      'set',
      'Insert coin',
      'delete',
      'Start again',
      'Call me',
      'end of story',
      'lock the door',
      'table of contents',
      'show more',
      'drop here',
      'create account',
      'with love',
      'execute order 66',
      'merge conflict',
      'copy that',
      'values',
    ])
      expect(said(text), text).toEqual([]);
  });

  test('places are those of the file', () => {
    const source = pieces([
      { text: 'SAVE', start: 10, end: 14 },
      { text: 'POINT a', start: 20, end: 27 },
    ]);
    expect(lowerEmbeddedUnit(source, '').steps).toMatchObject([
      { kind: 'savepoint', at: { start: 10, end: 27 } },
    ]);
  });

  test('a migration in a string declares what it makes', () => {
    const text = `CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
      CREATE TRIGGER stamp BEFORE INSERT ON apples FOR EACH ROW EXECUTE FUNCTION stamp();`;
    const unit = lowerEmbeddedUnit(plain(text), 'migrations/1.py');
    expect(unit.routines.map((routine) => routine.name)).toEqual(['sql:stamp']);
    expect(unit.triggers.map((trigger) => trigger.relation)).toEqual(['sql:apples']);
  });
});

test('a view of the name of what it reads is in another schema, of which nothing is known', () => {
  const of = (text: string) => {
    const { relations, triggers } = lower('a.sql', text);
    return [...relations.map(({ name }) => name), ...triggers.map(({ name }) => name)];
  };
  expect(of('CREATE VIEW orders AS SELECT * FROM old_orders')).toEqual([
    'sql:orders',
    'orders',
    'orders insert',
    'orders update',
    'orders delete',
  ]);
  expect(of('CREATE VIEW orders AS SELECT * FROM public.orders')).toEqual([]);
  // What it does besides it does under either name.
  expect(of('CREATE VIEW orders AS SELECT share(id) FROM public.orders')).toEqual(['orders']);
  expect(of('CREATE VIEW api.orders AS SELECT * FROM orders')).toContain('sql:api.orders');
});

test('who declares a function stable says of what a view calls that it does not write', () => {
  const of = (how: string) => {
    const unit = lower(
      'a.sql',
      `CREATE VIEW seen AS SELECT look(id) FROM apples;
       CREATE FUNCTION ask() RETURNS int ${how} LANGUAGE plpgsql AS $$
       BEGIN
         RETURN (SELECT count(*) FROM seen);
       EXCEPTION WHEN others THEN RETURN 0;
       END $$;`,
    );
    return link([unit]).subtransactions.map(({ effects }) => effects.writes);
  };
  expect(of('STABLE')).toEqual(['no']);
  expect(of('')).toEqual(['unknown']);
});

test('a delimiter that who runs the script takes away is no text that cannot be read', () => {
  const f = 'CREATE FUNCTION f() RETURNS void AS $$ BEGIN PERFORM 1; END; $$ LANGUAGE plpgsql;';
  const unit = lower(
    'db/postgresql/a.sql',
    `SELECT 1;\ndelimiter d//\n${f}\nd//\n\nselect f();\r\nDELIMITER ;\r\nSELECT 2;\n`,
  );
  expect(unit.problems).toEqual([]);
  expect(unit.routines.map(({ kind }) => kind)).toEqual(['script', 'function']);
  const others = lower('db/postgresql/a.sql', 'SELECT 1;\nd//\nselect f();\ndelimited text;\n').problems;
  expect(others.map(({ message }) => message)).toEqual([
    'a statement that starts with d',
    'a statement that starts with delimited',
  ]);
});

test('a change log in JSON, which has no comments to say it', () => {
  const text =
    '{"databaseChangeLog": [{"changeSet": {"id": "1", "changes": [{"sql": {"sql": "SELECT 1;\\nSAVEPOINT a;\\nSELECT \\"F\\"(1)"}}]}}]}';
  const { routines } = lowerLog('db/changelog.json', text);
  expect(routines.map(({ name, startsIn }) => [name, startsIn])).toEqual([
    ['sql:"db/changelog.json"."1"', 'transaction'],
  ]);
  expect(routines[0]!.body.map(say)).toEqual(['savepoint a', 'call "F"']);
  const { start, end } = routines[0]!.body[0]!.at;
  expect(text.slice(start, end)).toBe('SAVEPOINT a');
});

describe('dialects by path and text', () => {
  test.each([
    ['db/schema-mysql.sql', 'CREATE TABLE a (id int);', 'other'],
    ['db/schema-postgresql.sql', 'CREATE TABLE a (id int);', 'postgresql'],
    ['migrations/h2/V1__a.sql', 'CREATE TABLE a (id int);', 'other'],
    ['a.sql', 'CREATE TABLE a (id int);', 'unknown'],
    ['sql/mysql/shop/first/V1__a.sql', 'CREATE TABLE a (id int);', 'other'],
    ['sql/mysql/shop/pgsql/V1__a.sql', 'CREATE TABLE a (id int);', 'postgresql'],
    ['sql/postgres/shop/first/x/V1__a.sql', 'CREATE TABLE a (id int);', 'postgresql'],
    ['oracle_twin/shop/first/x/V1__a.sql', 'CREATE TABLE a (id int);', 'unknown'],
    ['mysql/shop/first/x/V1__a.sql', 'CREATE TABLE a (id bigserial, b jsonb); SELECT a::text', 'postgresql'],
    ['a.sql', 'rename table a to b;\n', 'other'],
    ['db/sql-server/a.sql', 'CREATE TABLE a (id int);', 'other'],
    ['tests/sql/server_names.sql', 'SELECT f(1);', 'unknown'],
    [
      'oracle/a.sql',
      'CREATE FUNCTION a() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1::int; END $$;',
      'postgresql',
    ],
    ['a.sql', '-- was `id` in MySQL, `a` and `b`\nCREATE TABLE a (id int);', 'unknown'],
    ['a.sql', 'SELECT a FROM t WITH (NOLOCK)\nGO\n', 'other'],
    ['a.sql', 'PRAGMA main.auto_vacuum = 1;\nCREATE TABLE a (id int);', 'other'],
    ['a.sql', 'PRAGMA autonomous_transaction;\nCREATE TABLE a (id int);', 'unknown'],
  ])('%s: %s', (file, text, dialect) => {
    expect(dialectOf(file, text)).toBe(dialect);
  });

  test('a file for PostgreSQL may be a program in Perl, or a description', () => {
    const perl = '# rights\n#\nsub acl {\n  my $dbh = shift;\n  return ("GRANT SELECT ON a TO b;");\n}\n1;\n';
    expect(lower('etc/acl.Pg', perl)).toMatchObject({ dialect: 'other', problems: [] });
    expect(lower('etc/schema.Pg', 'CREATE TABLE a (id serial, b bytea);').dialect).toBe('postgresql');
    // A table that is described, and none that is made.
    const described =
      'columns\n    id: bigint not null\n    done: text default now()\n\nindexes\n    a_pkey: PRIMARY KEY (id)\n';
    expect(lower('tables/a.pg', described)).toMatchObject({ dialect: 'other', problems: [] });
  });
});
