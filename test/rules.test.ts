// A rule is a folder: its name, its page, its line in the index and its row in the table say the same.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rules } from '../rules/index.ts';
import { analyse, check, lower } from '../src/analyse.ts';
import { link } from '../src/linker/link.ts';
import { readPage } from './markdown.ts';

const HEADINGS = [
  'What it finds',
  'Why it matters',
  'Fires',
  'Stays silent',
  'What to do instead',
  'When to ignore it',
];
const folders = readdirSync('rules', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test('the index has each folder, sorted', () => {
  expect(rules.map(({ id }) => id)).toEqual(folders);
});

test('a folder has a rule, a page, and no more than cases beside them', () => {
  for (const folder of folders) {
    const files = readdirSync(`rules/${folder}`).filter((file) => file !== 'cases.md');
    expect(files.sort(), folder).toEqual(['rule.md', 'rule.ts']);
  }
});

test('the table of rules/README.md says what the rules say', () => {
  const rows = rules.map(
    ({ id, severity, summary }) => `| [${id}](${id}/rule.md) | ${severity} | ${summary} |`,
  );
  expect(readFileSync('rules/README.md', 'utf8')).toContain(
    ['| rule | default | finds |', '|---|---|---|', ...rows, ''].join('\n'),
  );
});

test('every rule of the table in README.md exists, and it names each', () => {
  if (!existsSync('README.md')) return;
  const text = readFileSync('README.md', 'utf8');
  const named = [...text.matchAll(/\]\(rules\/([\w-]+)\/rule\.md\)/g)].map(([, id]) => id!);
  if (named.length > 0) expect([...new Set(named)].sort()).toEqual(folders);
});

describe.each(rules)('the page of $id', ({ id }) => {
  const page = `rules/${id}/rule.md`;
  const text = readFileSync(page, 'utf8');

  test('has its name for a title and the headings in order', () => {
    const lines = text.replace(/^(`{3,})[\s\S]*?^\1/gm, '').split('\n');
    expect(lines[0]).toBe(`# ${id}`);
    expect(lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3))).toEqual(HEADINGS);
  });

  test('shows three that fire, three that do not, and a remedy that ran', () => {
    const examples = readPage(page, text);
    const under = (heading: string) => examples.filter(({ headings }) => headings[1] === heading);
    const expects =
      (word: string) =>
      ({ annotations }: (typeof examples)[number]) =>
        annotations.some((a) => a.word === word && a.what === id);
    expect(under('Fires').filter(expects('expect')).length).toBeGreaterThanOrEqual(3);
    expect(under('Stays silent').length).toBeGreaterThanOrEqual(3);
    expect(under('Stays silent').filter(expects('expect'))).toEqual([]);
    const remedies = under('What to do instead');
    expect(remedies.filter(expects('expect'))).toEqual([]);
    expect(remedies.some(({ files }) => files.some(({ path }) => /\.(sql|psql)$/.test(path)))).toBe(true);
  });

  test('has no example without a heading of its own', () => {
    for (const { headings, title } of readPage(page, text)) expect(headings.length, title).toBe(3);
  });
});

test('no rule speaks of a place that the reader cannot see', () => {
  for (const { id } of rules) {
    const code = readFileSync(`rules/${id}/rule.ts`, 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    expect(/\bhere\b/i.test(code), id).toBe(false);
  }
});

test('a block is told once, by the rule with the best remedy, which names the others', async () => {
  const unit = await lower(
    'put.sql',
    `DO $$ BEGIN FOR i IN 1..100 LOOP
       BEGIN INSERT INTO t (id) VALUES (i); EXCEPTION WHEN unique_violation THEN NULL; END;
     END LOOP; END $$;`,
  );
  const { findings } = analyse([unit!]);
  expect(findings.map(({ rule, severity, also }) => ({ rule, severity, also }))).toEqual([
    { rule: 'exception-block-for-upsert', severity: 'error', also: ['subtransaction-in-loop'] },
  ]);
  expect(findings[0]!.message).toMatch(
    /Also: The EXCEPTION block in .* opens a subtransaction on every turn of a loop in one transaction \(subtransaction-in-loop\)\.$/,
  );
});

test('a SAVEPOINT outside of a transaction is refused, and opens nothing for what follows', async () => {
  const unit = await lower('run.sql', 'SAVEPOINT a; INSERT INTO t VALUES (1); BEGIN; SAVEPOINT b; COMMIT;');
  const said = check(analyse([unit!]).model, ['subtransaction']).map(({ message }) => message);
  expect(said).toEqual([
    'The SAVEPOINT a in run.sql runs outside of a transaction, where PostgreSQL refuses it (25P01).',
    expect.stringMatching(/^The SAVEPOINT b in run\.sql opens a subtransaction\./),
  ]);
});

test('a lock that is no stronger than the first is said to meet what a change between them has left of that', async () => {
  const unit = await lower(
    'held.sql',
    `CREATE TABLE accounts (name text PRIMARY KEY, n int);
     CREATE FUNCTION held(names text[]) RETURNS void LANGUAGE plpgsql AS $$
     BEGIN PERFORM 0 FROM accounts WHERE name = ANY (names) FOR UPDATE; END $$;
     BEGIN; SELECT held('{a}'); UPDATE accounts SET n = 1 WHERE name = 'a'; SAVEPOINT s; SELECT held('{a}'); COMMIT;
     BEGIN; SELECT held('{b}'); SAVEPOINT s; SELECT held('{b}'); COMMIT;`,
  );
  const said = check(analyse([unit!]).model, ['row-lock-across-subtransaction'], true);
  expect(said.map(({ message }) => / The lock: (.*?)\. /.exec(message)?.[1])).toEqual([
    'held() locks rows of accounts; after held.sql updates accounts the row carries it as FOR KEY SHARE; the change: held() locks rows of accounts',
  ]);
});

test('what a script does once is a note at most: a DO block that no loop is around', async () => {
  const weights = async (text: string) => {
    const { findings } = analyse([(await lower('fill.sql', text))!]);
    return findings.map(({ rule, severity }) => `${severity} ${rule}`);
  };
  const block = (handler: string, rows = 'VALUES (1)') =>
    `BEGIN INSERT INTO t (id) ${rows}; EXCEPTION WHEN unique_violation THEN ${handler}; END`;
  expect(await weights(`DO $$ ${block('NULL')} $$;`)).toEqual([]);
  expect(await weights(`DO $$ ${block('NULL', 'SELECT n FROM s')} $$;`)).toEqual([
    'note exception-block-for-upsert',
  ]);
  expect(await weights(`DO $$ ${block('RAISE')} $$;`)).toEqual(['note exception-block-that-rethrows']);
  const f = (body: string) => `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ ${body} $$;`;
  expect(await weights(f(block('NULL')))).toEqual(['warning exception-block-for-upsert']);
  expect(await weights(f(block('RAISE')))).toEqual(['warning exception-block-that-rethrows']);
});

test('a COMMIT that fails in a block of its own loses no rows, and ends nothing', async () => {
  const says = async (steps: string) => {
    const text = `CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN BEGIN ${steps} COMMIT; EXCEPTION WHEN OTHERS THEN NULL; END; END $$;`;
    return analyse([(await lower('p.sql', text))!]).findings.find(
      ({ rule }) => rule === 'commit-inside-subtransaction',
    )!.message;
  };
  expect(await says('')).toMatch(/raise it again: the transaction goes on\.$/);
  expect(await says('DELETE FROM t;')).toMatch(
    /the rows of the block are lost, and the transaction goes on\.$/,
  );
});

test('an upsert that looks first finds the row that is there, and only one that comes in between is dead', async () => {
  const text = `from django.db import IntegrityError, models, transaction

class Tag(models.Model):
    name = models.TextField(unique=True)

class Word(models.Model):
    name = models.TextField(unique=True)

def tried(name):
    try:
        with transaction.atomic():
            return Tag.objects.create(name=name)
    except IntegrityError:
        return Tag.objects.get(name=name)

def looked(name):
    try:
        return Tag.objects.get(name=name)
    except Tag.DoesNotExist:
        try:
            with transaction.atomic():
                return Tag.objects.create(name=name)
        except IntegrityError:
            return Tag.objects.get(name=name)

def elsewhere(name):
    try:
        return Word.objects.get(name=name)
    except Word.DoesNotExist:
        try:
            with transaction.atomic():
                return Tag.objects.create(name=name)
        except IntegrityError:
            return Tag.objects.get(name=name)

@transaction.atomic
def load(rows):
    for row in rows:
        tried(row.name)
        looked(row.name)
        elsewhere(row.name)
`;
  const { findings } = analyse([(await lower('shop/models.py', text))!]);
  const dead = findings.map(({ message }) => /[^.]+ leaves a dead row/.exec(message)?.[0].trim());
  const usual = 'An existing row leaves a dead row';
  expect(dead).toEqual([usual, 'One that another session makes meanwhile leaves a dead row', usual]);
});

test('rows that may be others are not said to be one', async () => {
  const said = async (lock: string) => {
    const text = `CREATE FUNCTION pay(n int) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM accounts WHERE ${lock} FOR UPDATE;
        BEGIN
          UPDATE accounts SET paid = true WHERE id = n;
        EXCEPTION WHEN check_violation THEN RAISE NOTICE 'no';
        END;
      END $$;`;
    const found = check(link([(await lower('a.sql', text))!]), ['row-lock-across-subtransaction'], true);
    return found.map(({ message }) => message.slice(0, message.indexOf(', though')));
  };
  expect(await said('id = n')).toEqual([
    'A row of accounts is locked in one subtransaction and changed in another one of the same transaction: that makes a multixact',
  ]);
  expect(await said('payer = n')).toEqual([
    'Rows of accounts are locked in one subtransaction, and some are changed in another one of the same transaction: where they are the same, that makes a multixact',
  ]);
});

test('what stands behind the INSERT of an upsert is for new rows alone', async () => {
  const remedy = async (rest: string) => {
    const text = `CREATE TABLE commits (id serial PRIMARY KEY, sha text UNIQUE);
      CREATE TABLE builds (commit_id int UNIQUE);
      CREATE FUNCTION build(id int) RETURNS void LANGUAGE sql AS 'INSERT INTO builds VALUES ($1)';
      CREATE FUNCTION add_commit(s text) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE n int;
      BEGIN
        INSERT INTO commits (sha) VALUES (lower(s)) RETURNING id INTO n;
        ${rest}
        RETURN n;
      EXCEPTION WHEN unique_violation THEN
        SELECT id INTO n FROM commits WHERE sha = s;
        RETURN n;
      END $$;
      SELECT add_commit(sha) FROM pushed;`;
    const found = check(link([(await lower('a.sql', text))!]), ['exception-block-for-upsert']);
    return found.map((one) => one.remedy);
  };
  const usual = 'INSERT INTO commits … ON CONFLICT … DO NOTHING needs no subtransaction and no second try';
  expect(await remedy('')).toEqual([`${usual}.`]);
  expect(await remedy('PERFORM build(n);')).toEqual([
    `${usual}; do the rest of the block only where it inserts a row, and keep the block only if that rest meets duplicate keys of its own.`,
  ]);
});

test('SQL that is handed over as a text has no number', async () => {
  const text = `CREATE FUNCTION run(q text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE q; END $$;
    CREATE FUNCTION all_of_them() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE t text;
    BEGIN
      FOR t IN SELECT tablename FROM pg_tables LOOP
        PERFORM run(format($q$
          DO $block$ BEGIN
            ALTER TABLE %I ADD COLUMN seen bool;
          EXCEPTION WHEN others THEN RAISE WARNING '%%', SQLERRM;
          END $block$; $q$, t));
      END LOOP;
    END $$;`;
  const { findings } = analyse([(await lower('db/all.sql', text))!]);
  expect(findings.map(({ message }) => message.slice(0, message.indexOf(' opens')))).toEqual([
    'The EXCEPTION block in SQL in all.sql',
  ]);
});

test('an INSERT that comes after an UPDATE in a loop is an upsert that updates', async () => {
  const remedy = async (first: string) => {
    const text = `SET search_path = shop, public;
      CREATE TABLE shop.db (a int PRIMARY KEY, b text);
      CREATE FUNCTION shop.merge(k int, v text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        LOOP
          ${first}
          IF found THEN RETURN; END IF;
          BEGIN
            INSERT INTO db (a, b) VALUES (k, v);
            RETURN;
          EXCEPTION WHEN unique_violation THEN NULL;
          END;
        END LOOP;
      END $$;`;
    return analyse([(await lower('merge.sql', text))!]).findings.map((one) => one.remedy);
  };
  for (const table of ['db', 'shop.db'])
    expect(await remedy(`UPDATE ${table} SET b = v WHERE a = k;`)).toEqual([
      'INSERT INTO db … ON CONFLICT … DO UPDATE needs no subtransaction and no second try.',
    ]);
  expect(await remedy('UPDATE other.db SET b = v WHERE a = k;')).toEqual([
    expect.stringContaining('DO NOTHING'),
  ]);
  expect(await remedy('PERFORM FROM db WHERE a = k;')).toEqual([expect.stringContaining('DO NOTHING')]);
});

test('functions of the extensions that come with PostgreSQL write nothing', async () => {
  const text = `CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      BEGIN NEW.log := hstore_to_jsonb_loose(hstore(NEW) - hstore(OLD)); EXCEPTION WHEN OTHERS THEN NULL; END;
      RETURN NEW;
    END $$;
    CREATE TRIGGER log_it BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION log_it();`;
  const { findings } = analyse([(await lower('log.sql', text))!]);
  expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual([
    'note subtransaction-per-row',
  ]);
});

test('a COMMIT in a handler fails only when something else has failed', async () => {
  const found = async (body: string) => {
    const p = `CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ ${body} $$;`;
    const text = `${p} DO $$ BEGIN CALL p(); EXCEPTION WHEN check_violation THEN NULL; END $$;`;
    return analyse([(await lower('p.sql', text))!]).findings.find(
      ({ rule }) => rule === 'commit-inside-subtransaction',
    );
  };
  expect(await found('BEGIN COMMIT; END')).toMatchObject({ severity: 'error' });
  expect(
    await found('BEGIN DELETE FROM t; EXCEPTION WHEN OTHERS THEN IF x THEN COMMIT; END IF; END'),
  ).toMatchObject({ severity: 'warning', message: expect.stringContaining(' after an error, and fails') });
});

test('a class that stands further out than where it is written is called by its own name', async () => {
  const failed = await lower('failed.rb', 'module Sq\n  class Failed < ApplicationRecord\n  end\nend\n');
  const job = await lower(
    'job.rb',
    `module Sq
  module Retryable
    def failed_with(exception)
      Failed.transaction do
        touch
        begin
          Failed.transaction(requires_new: true) { Failed.create!(job_id: id) }
        rescue ActiveRecord::RecordNotUnique
          nil
        end
      end
    end
  end
end
`,
  );
  const { findings } = analyse([failed!, job!]);
  const found = findings.find(({ rule }) => rule === 'exception-block-for-upsert');
  expect(found?.message).toContain('INSERT INTO Sq::Failed:');
});

test('what nobody has read is called as it is written, and no name of a framework is taken for a table', async () => {
  const files = {
    'citation.rb': `class Citation < ApplicationRecord
  def self.cite(rows)
    transaction { rows.each { |row| Citation::Mark.new.put(row) } }
  end

  class Mark
    def put(row) = transaction(requires_new: true) { Source.create!(row) }
  end
end
`,
    'shelf.py': `from django.db import models, transaction
from engines import Maker

class Engine:
    def create(self, hosts=None):
        return __import__(hosts)

class Book(models.Model):
    def put(self):
        with transaction.atomic():
            engine = Engine().create()
            self.save()

@transaction.atomic
def fill(rows):
    for row in rows:
        Book(row).put()
`,
  };
  const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
  const { findings } = analyse(units.map((unit) => unit!));
  expect(findings.map(({ message }) => /writes \(.*?\)/.exec(message)?.[0])).toEqual([
    'writes (Source)',
    'writes (Book)',
  ]);
});

test('a script goes by the name of its file, and a DO block by its number', async () => {
  const files = {
    'db/seeds.rb': 'Role.transaction { File.foreach("r") { |row| Role.create_or_find_by!(name: row) } }\n',
    'seed.py': `from django.db import transaction
from shop.models import Role

with transaction.atomic():
    for row in open("r"):
        Role.objects.get_or_create(name=row)
`,
    'seed.sql': `DO $$
BEGIN
  FOR i IN 1..100 LOOP
    BEGIN INSERT INTO t VALUES (i); EXCEPTION WHEN check_violation THEN NULL; END;
  END LOOP;
END $$;
`,
  };
  const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
  const { findings } = analyse(units.map((unit) => unit!));
  expect(findings.map(({ message }) => / in (.*?) opens /.exec(message)?.[1]).sort()).toEqual([
    'DO block 1 of seed.sql',
    'db/seeds.rb',
    'seed.py',
  ]);
  const inBlock = findings.find(({ file }) => file === 'seed.sql');
  expect(inBlock?.trace.at(-1)?.says).toBe('EXCEPTION block in DO block 1 of seed.sql');
});

test('what is written in a level that a failure left is not what the block wrote', async () => {
  const says = async (inside: string) => {
    const unit = await lower(
      'stock.rb',
      `class Stock < ApplicationRecord
  def self.tally(names)
    transaction do
      names.each do |name|
        transaction(requires_new: true) { ${inside} }
      rescue ActiveRecord::StatementInvalid
        next
      end
      Stock.create!(name: "last")
    end
  end
end
`,
    );
    return analyse([unit!]).findings.map(({ rule, severity }) => `${severity} ${rule}`);
  };
  expect(await says('Stock.create!(name: name)')).toEqual(['error subtransaction-in-loop']);
  expect(await says('connection.execute("SELECT max(id) FROM stocks")')).toEqual([
    'note subtransaction-in-loop',
  ]);
});

test('what is written behind a savepoint that stays open is not what the block wrote', async () => {
  const says = async (inside: string, behind: string) => {
    const unit = await lower(
      'Marks.kt',
      `package shop
import org.jetbrains.exposed.v1.core.DatabaseConfig
import org.jetbrains.exposed.v1.core.dao.id.IntIdTable
import org.jetbrains.exposed.v1.jdbc.*
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

object Marks : IntIdTable() { val name = varchar("name", 20) }
fun connect(url: String) = Database.connect(url, databaseConfig = DatabaseConfig { useNestedTransactions = true })

class Shown(private val others: Others) {
    private fun one(id: Int) = transaction { ${inside} }
    fun all(ids: List<Int>) = transaction { for (id in ids) { one(id) }; ${behind} }
}
`,
    );
    return analyse([unit!]).findings.map(({ severity }) => severity);
  };
  const query = 'Marks.selectAll().where { Marks.id eq id }';
  const insert = 'Marks.insert { it[name] = "a" }';
  for (const runs of ['count()', 'firstOrNull()', 'associate { it[Marks.id] to it[Marks.name] }']) {
    expect(await says(`${query}.${runs}`, ''), runs).toEqual(['note']);
    expect(await says(`${query}.${runs}`, insert), runs).toEqual(['warning']);
  }
  expect(await says(`others.told(${query}.first())`, insert)).toEqual(['warning']);
  expect(await says(insert, '')).toEqual(['error']);
});

test('a function that reads a text by a pattern is no cast that an input function can be asked about', async () => {
  const says = async (expression: string, type = 'text') => {
    const unit = await lower(
      'days.sql',
      `CREATE FUNCTION day_of(value ${type}) RETURNS date LANGUAGE plpgsql AS $$
BEGIN
  RETURN ${expression};
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;`,
    );
    return analyse([unit!])
      .findings.map(({ message, remedy }) => `${message} ${remedy}`)
      .join();
  };
  expect(await says('value::date')).toMatch(
    /only guards a cast to date\..* Ask pg_input_is_valid\(value, 'date'\)/,
  );
  expect(await says("to_date(value, 'DD.MM.')")).toMatch(
    /only guards to_date\(\)\..* Nothing tells beforehand/,
  );
  expect(await says('value::numeric(4,1)')).toContain("pg_input_is_valid(value, 'numeric(4,1)')");
  expect(await says('value::int', 'jsonb')).toContain('Compare the jsonb with what integer can hold');
});

test('functions that are registered with another go by the name that each has', async () => {
  const text = `import functools
from django.db import transaction
from shop.models import Item

@functools.singledispatch
def store(value):
    raise TypeError(value)

@store.register
def _(value: int):
    with transaction.atomic():
        Item(number=value).save()

@store.register(str)
def _(value):
    with transaction.atomic():
        Item(name=value).save()

@transaction.atomic
def run(values):
    for value in values:
        store(value)
`;
  const { findings } = analyse([(await lower('shop/store.py', text))!]);
  expect(findings.map(({ message }) => / in (.*?) opens /.exec(message)?.[1])).toEqual(['_()', '_()']);
  expect(new Set(findings.map(({ subject }) => subject)).size).toBe(2);
});

test('a loop that is never come to makes no overflow', async () => {
  const text = `CREATE FUNCTION stop() RETURNS void LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
  BEGIN
    RAISE EXCEPTION 'no';
  EXCEPTION WHEN OTHERS THEN
    RAISE;
  END;
  FOR r IN SELECT id FROM orders LOOP
    BEGIN INSERT INTO log VALUES (r.id); EXCEPTION WHEN check_violation THEN NULL; END;
  END LOOP;
END $$;
BEGIN; SAVEPOINT a; INSERT INTO log VALUES (0); COMMIT;`;
  const { findings } = analyse([(await lower('stop.sql', text))!]);
  expect(findings.map(({ rule }) => rule).sort()).toEqual([
    'exception-block-that-rethrows',
    'savepoint-without-rollback',
  ]);
});

test('a savepoint that stays and only reads is told by what is written behind it', async () => {
  const of = async (behind: string) => {
    const unit = await lower(
      'src/Orders.kt',
      `package shop
import org.jetbrains.exposed.sql.*
import org.jetbrains.exposed.sql.transactions.transaction
object Lines : Table()
val database = Database.connect("jdbc:postgresql:shop", databaseConfig = DatabaseConfig { useNestedTransactions = true })
fun all(ids: List<Int>) = transaction {
  for (id in ids) transaction { Lines.selectAll() }
  ${behind}
}`,
    );
    return analyse([unit!]).findings.map(({ severity, message }) => [
      severity,
      /inside writes[^,:]*/.exec(message)?.[0],
    ]);
  };
  expect(await of('Lines.deleteAll()')).toEqual([['warning', 'inside writes or locks a row']]);
  expect(await of('unknown()')).toEqual([['note', 'inside writes or locks a row']]);
  expect(await of('')).toEqual([['note', 'inside writes or locks a row']]);
});

test('a job of Solid Queue may wait for the commit', async () => {
  const files = {
    'Gemfile.lock': 'GEM\n  specs:\n    rails (8.1.1)\n    solid_queue (1.2.4)\n    pg (1.6.0)\n',
    'config/application.rb':
      'Rails.application.configure do\n  config.active_job.queue_adapter = :solid_queue\nend\n',
    'app/jobs/tell_job.rb': 'class TellJob < ApplicationJob\n  def perform(one) = nil\nend\n',
    'app/models/order.rb':
      'class Order < ApplicationRecord\n  def tell(all)\n    transaction { all.each { |one| TellJob.perform_later(one) } }\n  end\nend\n',
  };
  const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
  const { findings } = analyse(units.filter((unit) => unit !== null));
  expect(findings.map(({ remedy }) => remedy)).toEqual([
    expect.stringContaining('enqueue_after_transaction_commit'),
  ]);
});

describe('what to write instead is said by what opens it and what runs it', () => {
  const remedies = async (files: Record<string, string>) => {
    const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
    return analyse(units.filter((unit) => unit !== null)).findings.map(({ remedy }) => remedy);
  };
  const returning = (type: string, row: string) => `CREATE TABLE log (id int);
CREATE FUNCTION f() RETURNS ${type} LANGUAGE plpgsql AS $$
BEGIN INSERT INTO log VALUES (1); RETURN ${row}; EXCEPTION WHEN check_violation THEN RETURN ${row}; END $$;\n`;
  const trigger = (kind: string) =>
    `${returning('trigger', 'NEW')}CREATE ${kind} EACH ROW EXECUTE FUNCTION f();`;
  const program = { 'manage.py': '', 'requirements.txt': 'django==5.2\npsycopg==3.2\n' };

  test.each([
    [
      'an AFTER trigger',
      trigger('TRIGGER t AFTER INSERT ON orders FOR'),
      'statement trigger with a transition',
    ],
    ['a BEFORE trigger', trigger('TRIGGER t BEFORE INSERT ON orders FOR'), 'what need not change the row'],
    [
      'one that waits for the COMMIT',
      trigger('CONSTRAINT TRIGGER t AFTER INSERT ON orders INITIALLY DEFERRED FOR'),
      'Let the trigger check',
    ],
    [
      'a default',
      `${returning('int', '1')}CREATE TABLE orders (id int DEFAULT f(), n int);\nINSERT INTO orders (n) SELECT id FROM customers;`,
      'The default does this for every row',
    ],
    ['a query', `${returning('int', '1')}SELECT f() FROM customers;`, 'one statement over all rows'],
  ])('%s', async (_, text, said) => {
    expect(await remedies({ 'schema.sql': text })).toEqual([expect.stringContaining(said)]);
  });

  test.each(['get_or_create', 'update_or_create'])('%s() in a loop', async (method) => {
    const text = `from django.db import models, transaction
class Tag(models.Model):
    pass
def add(names):
    with transaction.atomic():
        for name in names:
            Tag.objects.${method}(name=name)
`;
    expect(await remedies({ ...program, 'shop/models.py': text })).toEqual([
      expect.stringContaining('bulk_create('),
    ]);
  });

  test('find_or_create_by() in a loop', async () => {
    const found = await remedies({
      'Gemfile.lock': 'GEM\n  specs:\n    rails (8.0.1)\n    activerecord (8.0.1)\n    pg (1.6.0)\n',
      'app/models/tag.rb':
        'class Tag < ApplicationRecord\n  def self.add(all)\n    transaction { all.each { |name| find_or_create_by!(name: name) } }\n  end\nend\n',
    });
    expect(found).toEqual([expect.stringContaining('insert_all')]);
  });

  test("a model's callback", async () => {
    const found = await remedies({
      ...program,
      'shop/models.py': `from django.db import models, transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
class Order(models.Model):
    pass
class Log(models.Model):
    pass
@receiver(post_delete, sender=Order)
def gone(sender, instance, **kwargs):
    with transaction.atomic():
        Log.objects.create()
def clean():
    Order.objects.filter(state="old").delete()
`,
    });
    expect(found).toEqual([expect.stringContaining('in place of a callback for each')]);
  });
});
