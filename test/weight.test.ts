// How heavily the same code speaks where it stands: in the product, in a script that runs once, in a test.
import { expect, test } from 'vitest';
import { analyse, check, lower } from '../src/analyse.ts';

const LOOP = (body: string, turns = 'SELECT id FROM orders') => `
  FOR r IN ${turns} LOOP
    BEGIN
      ${body}
    EXCEPTION WHEN check_violation THEN
      NULL;
    END;
  END LOOP;`;
const WRITES = 'UPDATE accounts SET balance = 0 WHERE id = r.id;';
const READS = 'PERFORM balance FROM accounts WHERE id = r.id;';
const ORDERS = 'from django.db import transaction\nfrom shop.models import Order\n\n';
const RECORD = 'DECLARE r record;';
const made = (body: string, name = 'pay_all') =>
  `CREATE FUNCTION ${name}() RETURNS void LANGUAGE plpgsql AS $$ ${RECORD} BEGIN ${body} END $$;`;
const once = (body: string) => `DO $$ ${RECORD} BEGIN ${body} END $$;`;

async function weigh(files: Record<string, string>) {
  const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
  return analyse(units.filter((unit) => unit !== null)).findings.map(
    ({ rule, severity }) => `${severity} ${rule}`,
  );
}

test.each<[string, Record<string, string>, string[]]>([
  ['a function of the product', { 'db/pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['one that a migration leaves behind', { 'db/migrations/V1__pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['a DO block of a migration', { 'db/migrations/V1__pay.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a DO block among migrations that has no number', { 'db/migrations/fix.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function among migrations that has no number', { 'db/migrations/pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['a DO block of a migration that its own name alone tells', { 'src/main/resources/sql/migration10.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function of a migration in an example', { 'examples/shop/migrations/V1__pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function of a migration that was put away', { 'archive/backup_20250917/V1__pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function of a service that makes backups', { 'services/backup/migrations/V1__pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['a function that archives', { 'sql/archive/pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['a function that is obsolete', { 'sql/OBSOLETE/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a DO block of a file that a migration runs', {
    'db/migrations/1_all.js': "exports.up = (knex) => knex.raw(fs.readFileSync(path.join(__dirname, '../sql/all.sql'), 'utf8'));\nexports.down = () => {};",
    'db/sql/all.sql': once(LOOP(WRITES)),
  }, ['note subtransaction-in-loop']],
  ['a DO block of a patch', { 'sql/updates/20211216-tags.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function that only a DO block of a migration repeats', {
    'db/migrations/V1__pay.sql': `CREATE FUNCTION pay(id int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
      UPDATE accounts SET balance = 0 WHERE accounts.id = pay.id; EXCEPTION WHEN check_violation THEN NULL; END $$;`,
    'db/migrations/V2__all.sql': once('FOR r IN SELECT id FROM orders LOOP PERFORM pay(r.id); END LOOP;'),
  }, ['note subtransaction-in-loop']],
  ['a DO block of a script that is called a test', { 'TEST.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a DO block of demonstration data', { 'db/demo_data/orders.sql': once(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function of an example', { 'samples/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a function in the folder of a schema that is called sample', { 'schemas/sample/functions/pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['a function of a schema that is called as its folder', { 'db/samples/pay.sql': made(LOOP(WRITES), 'samples.pay_all') }, ['error subtransaction-in-loop']],
  ['a function that documents a schema', { 'docs/sample/functions/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a DO block of the product', { 'jobs/pay.sql': once(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['what seeds an empty database', {
    'db/seeds.rb': 'Role.transaction { Role.fill(File.foreach("r")) }',
    'app/role.rb': 'class Role < ApplicationRecord\n  def self.fill(rows)\n    rows.each { |row| create_or_find_by!(name: row) }\n  end\nend',
  }, ['note subtransaction-in-loop']],
  ['what steps of Cucumber do', {
    'features/step_definitions/role_steps.rb': 'Given("roles") { Role.fill(File.foreach("r")) }',
    'features/support/role.rb': 'class Role < ApplicationRecord\n  def self.fill(rows)\n    transaction { rows.each { |row| create_or_find_by!(name: row) } }\n  end\nend',
  }, ['note subtransaction-in-loop']],
  ['a feature of the product, and a factory', {
    'lib/members/features/roles.rb': 'class Role < ApplicationRecord\n  def self.fill(rows)\n    transaction { rows.each { |row| create_or_find_by!(name: row) } }\n  end\nend',
    'app/factories/box_factory.rb': 'class BoxFactory\n  def all(rows)\n    Box.transaction { rows.each { |row| Box.create_or_find_by!(name: row) } }\n  end\nend\nclass Box < ApplicationRecord\nend',
  }, ['error subtransaction-in-loop', 'error subtransaction-in-loop']],
  ['a factory of tests', {
    'spec/factories/box_factory.rb': 'class BoxFactory\n  def all(rows)\n    Box.transaction { rows.each { |row| Box.create_or_find_by!(name: row) } }\n  end\nend\nclass Box < ApplicationRecord\nend',
  }, ['note subtransaction-in-loop']],
  ['models that are called a test, and a test that stands nowhere else', {
    'app/models/ab_test.rb': 'class AbTest < ApplicationRecord\n  def self.fill(rows)\n    transaction { rows.each { |row| create_or_find_by!(name: row) } }\n  end\nend',
    'src/main/java/lab/BloodTest.java': 'package lab;\nimport java.sql.*;\nclass BloodTest {\n  void take(Connection c, java.util.List<String> all) throws SQLException {\n    c.setAutoCommit(false);\n    for (String one : all) {\n      Savepoint s = c.setSavepoint();\n      c.createStatement().execute("INSERT INTO taken VALUES (1)");\n      c.releaseSavepoint(s);\n    }\n    c.commit();\n  }\n}',
    'orders_test.rb': 'class Order < ApplicationRecord\n  def self.fill(rows)\n    transaction { rows.each { |row| create_or_find_by!(name: row) } }\n  end\nend',
  }, ['error subtransaction-in-loop', 'note subtransaction-in-loop', 'error savepoint-without-rollback']],
  ['what seeds it besides', {
    'db/dev_seeds/roles.rb': 'Role.transaction { Role.find_each { |one| Role.create_or_find_by!(name: one.title) } }',
    'db/seeds.d/2-roles.rb': 'Role.transaction { Role.find_each { |one| Role.create_or_find_by!(name: one.name) } }',
    'db/demo_seed.rb': 'Role.transaction { Role.find_each { |one| Role.create_or_find_by!(name: one.kind) } }',
    'app/role.rb': 'class Role < ApplicationRecord\nend',
  }, ['note subtransaction-in-loop', 'note subtransaction-in-loop', 'note subtransaction-in-loop']],
  ['a script that put rows right once', {
    'script/fixes/012_roles.rb': 'Role.transaction { Role.find_each { |one| Role.create_or_find_by!(name: one.title) } }',
    'app/role.rb': 'class Role < ApplicationRecord\nend',
  }, ['note subtransaction-in-loop']],
  ['what reads by functions of Supabase and of extensions', {
    'db/pay.sql': made(LOOP("PERFORM extensions.digest(auth.uid()::text, 'sha1');")),
  }, ['note subtransaction-in-loop']],
  ['what reads by functions of citext, as a dump has them', {
    'db/pay.sql': made(LOOP("PERFORM public.replace(r.id::public.citext, 'a'::public.citext, '');")),
  }, ['note subtransaction-in-loop']],
  ['what a function in C may do', {
    'db/tree.sql.in': "CREATE FUNCTION uproot(int) RETURNS text AS 'MODULE_PATHNAME' LANGUAGE c STRICT;",
    'db/pay.sql': made(LOOP('PERFORM uproot(r.id);')),
  }, ['warning subtransaction-in-loop']],
  ['what a function in C says that it only reads', {
    'db/tree.sql.in': "CREATE FUNCTION area(int) RETURNS text AS 'MODULE_PATHNAME' LANGUAGE c STRICT PARALLEL SAFE;",
    'db/pay.sql': made(LOOP('PERFORM area(r.id);')),
  }, ['note subtransaction-in-loop']],
  ['what is written by dblink, in a session of its own', {
    'db/pay.sql': made(LOOP("PERFORM dblink_exec('log', 'INSERT INTO paid VALUES (1)');")),
  }, ['note subtransaction-in-loop']],
  ['what the repository calls so itself', {
    'db/auth.sql': 'CREATE FUNCTION auth.uid() RETURNS int LANGUAGE sql AS $$ INSERT INTO asked VALUES (1) RETURNING id $$;',
    'db/pay.sql': made(LOOP('PERFORM auth.uid();')),
  }, ['error subtransaction-in-loop']],
  ['a test', { 'test/sql/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a test of some kind', { 'sql-tests/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['what a test is given', { 'src/testdata/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['what pgTAP runs', { 'db/pay.sql': `SELECT plan(1); ${made(LOOP(WRITES))} SELECT * FROM finish();` }, ['note subtransaction-in-loop']],
  ['what pgTAP runs from a schema of its own', { 'db/pay.sql': `SELECT tap.plan(1); ${made(LOOP(WRITES))} SELECT * FROM tap.finish();` }, ['note subtransaction-in-loop']],
  ['a test of units', { 'Z_UNIT_TEST/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a test of units, by more words', { 'unit_testing_scripts/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a test of units in a source set of its own', { 'src/dbUnitTest/pay.sql': made(LOOP(WRITES)) }, ['note subtransaction-in-loop']],
  ['a protest', { 'protests/pay.sql': made(LOOP(WRITES)) }, ['error subtransaction-in-loop']],
  ['what only reads', { 'db/pay.sql': made(LOOP(READS)) }, ['note subtransaction-in-loop']],
  ['what is put into the database by another name', {
    'lib/rows.rb': 'require "sequel"\nmodule Rows\n  def self.put(rows, conn: DB)\n    conn.transaction { rows.each { |row| conn.transaction(savepoint: true) { conn[:rows].insert(row) } } }\n  end\nend',
  }, ['error subtransaction-in-loop']],
  ['what is undone in every turn, and released', {
    'shop/rows.py': `${ORDERS}def try_all(names):
    with transaction.atomic():
        for name in names:
            try:
                with transaction.atomic():
                    Order.objects.create(name=name)
                    raise Undone
            except Undone:
                pass
`,
  }, ['warning subtransaction-in-loop']],
  ['what is undone in every turn, and stays open', {
    'app/role.rb': `class Role < ApplicationRecord
  def self.try_all(rows)
    transaction { rows.each { |row| transaction(requires_new: true) { create!(name: row); raise ActiveRecord::Rollback } } }
  end
end`,
  }, ['error subtransaction-in-loop']],
  ['what only asks, is undone in every turn, and stays open around what is written', {
    'app/role.rb': `class Role < ApplicationRecord
  def self.count_all(rows)
    transaction do
      create!(name: "all")
      rows.each { |row| transaction(requires_new: true) { find_by(name: row); raise ActiveRecord::Rollback } }
      create!(name: "done")
    end
  end
end`,
  }, ['warning subtransaction-in-loop']],
  ['what only asks, and is undone in some turns', {
    'app/role.rb': `class Role < ApplicationRecord
  def self.count_all(rows)
    transaction do
      create!(name: "all")
      rows.each { |row| transaction(requires_new: true) { raise ActiveRecord::Rollback unless find_by(name: row) } }
    end
  end
end`,
  }, ['warning subtransaction-in-loop']],
  ['what writes nothing for the caller that repeats it', {
    'shop/rows.py': `${ORDERS}def store(name, dry_run=False):
    with transaction.atomic():
        if not dry_run:
            Order.objects.create(name=name)

@transaction.atomic
def check_all(names):
    for name in names:
        store(name, dry_run=True)

@transaction.atomic
def add(name):
    store(name)
`,
  }, ['note subtransaction-in-loop']],
  ['what writes for another caller that repeats it', {
    'shop/rows.py': `${ORDERS}def store(name, dry_run=False):
    with transaction.atomic():
        if not dry_run:
            Order.objects.create(name=name)

@transaction.atomic
def run(names):
    for name in names:
        store(name, dry_run=True)
    for name in names:
        print("again")
        store(name)
`,
  }, ['error subtransaction-in-loop']],
  ['a wrapper around what only reads, where another block writes', {
    'shop/rows.py': `from contextlib import contextmanager
${ORDERS}@contextmanager
def guarded():
    with transaction.atomic():
        yield

@transaction.atomic
def count_all(names):
    for name in names:
        with guarded():
            print(Order.objects.filter(name=name).count())

@transaction.atomic
def add(name):
    with guarded():
        Order.objects.create(name=name)
`,
    'app/models/row.rb': `class Row < ApplicationRecord
  def self.guarded = transaction(requires_new: true) { yield }
  def self.count_all(names)
    Row.transaction { names.each { |name| Row.guarded { Row.where(name: name).count } } }
  end
  def self.add(name)
    Row.transaction { Row.guarded { Row.create!(name: name) } }
  end
end`,
  }, ['note subtransaction-in-loop', 'note subtransaction-in-loop']],
  ["a trigger's function that writes for another verb", {
    'db/orders.sql': `CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'INSERT' THEN INSERT INTO log VALUES (NEW.id); END IF;
      RETURN NEW;
    EXCEPTION WHEN check_violation THEN RETURN NEW; END $$;
    CREATE TRIGGER noted BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION noted();
    UPDATE orders SET done = true;
    INSERT INTO orders VALUES (1);`,
  }, ['note subtransaction-per-row']],
  ['what creates a table where it is missing', {
    'db/months.sql': made(LOOP("EXECUTE 'CREATE TABLE month_' || r.id || ' (id int)';").replace('check_violation', 'duplicate_table')),
  }, ['warning subtransaction-in-loop']],
  ['what nobody can read', { 'db/pay.sql': made(LOOP('EXECUTE r.command;')) }, ['warning subtransaction-in-loop']],
  ['a COMMIT that fails', { 'db/pay.sql': made('COMMIT; EXCEPTION WHEN check_violation THEN NULL;') }, ['error commit-inside-subtransaction']],
  ['a COMMIT that fails in a test', { 'test/sql/pay.sql': made('COMMIT; EXCEPTION WHEN check_violation THEN NULL;') }, ['note commit-inside-subtransaction']],
])('%s', async (_, files, expected) => {
  expect(await weigh(files)).toEqual(expected);
}); // biome-ignore format: a table

test('a parallel safe function that a migration leaves behind is as live as any', async () => {
  const safe = `CREATE FUNCTION as_integer(value text) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN RETURN value::integer; EXCEPTION WHEN others THEN RETURN NULL; END $$;`;
  expect(await weigh({ 'db/migrations/V1__as_integer.sql': safe })).toContain(
    'warning exception-block-in-parallel-safe-function',
  );
  expect(await weigh({ 'test/as_integer.sql': safe })).toContain(
    'note exception-block-in-parallel-safe-function',
  );
});

test.each(['sql/upgrade_2.1_to_3.0.sql', 'common_after_upgrade.sql'])(
  'what %s runs is done once',
  async (file) => {
    expect(await weigh({ [file]: once(LOOP(WRITES)) })).toEqual(['note subtransaction-in-loop']);
    expect(await weigh({ [file]: made(LOOP(WRITES)) })).toEqual(['error subtransaction-in-loop']);
  },
);

test('a recursion that many come to is one finding for those who ask, and a warning', async () => {
  const deep = `CREATE FUNCTION deep(level int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit (what) VALUES ('deep');
    PERFORM deep(level - 1);
  EXCEPTION WHEN not_null_violation THEN NULL; END $$;`;
  const units = [
    await lower('deep.sql', deep),
    ...(await Promise.all(
      ['a', 'b', 'c'].map((name) => lower(`${name}.sql`, 'BEGIN; SELECT deep(70); COMMIT;')),
    )),
  ];
  const { model } = analyse(units.filter((unit) => unit !== null));
  const findings = check(model, undefined, true);
  expect(findings.map(({ rule, severity, others }) => [rule, severity, others?.length])).toEqual([
    ['subtransaction-overflow', 'warning', 2],
  ]);
  expect(findings[0]!.message).toContain('3 transactions come to it.');
});

test('what changes a table again and again under one lock is one finding', async () => {
  const unit = await lower(
    'pay.sql',
    `CREATE FUNCTION hold(n int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
       PERFORM 1 FROM accounts WHERE id = 7 FOR UPDATE;
     EXCEPTION WHEN lock_not_available THEN RAISE NOTICE 'later'; END $$;
     CREATE FUNCTION pay() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
       PERFORM hold(7);
       UPDATE accounts SET balance = 1 WHERE id = 7;
       UPDATE accounts SET balance = 2 WHERE id = 7;
       UPDATE accounts SET balance = 3 WHERE id = 7;
     END $$;`,
  );
  const { findings } = analyse([unit!]);
  expect(findings.map(({ rule, others }) => [rule, others?.length])).toEqual([
    ['row-lock-across-subtransaction', 2],
  ]);
  expect(findings[0]!.message).toMatch(/2 more statements do the same\.$/);
});

test('a table is told by its name, and not by the way to it', async () => {
  const said = async (saved: string) => {
    const text = `from django.db import transaction
from shop.models import Order

@transaction.atomic
def run(shops):
    for shop in shops:
        ${saved}.get_or_create(name=shop)
`;
    const unit = await lower('shop/run.py', text);
    return analyse([unit!]).findings.map(({ message }) => message);
  };
  expect(await said('Order.objects')).toEqual([expect.stringContaining('Each one writes (Order) and')]);
  expect(await said('load(Order).objects')).toEqual([expect.stringContaining('Each one takes')]);
});

test('a class that has no table is not told as one', async () => {
  const said = async (meta: string) => {
    const text = `from django.db import models, transaction

class Kept(models.Model):
    class Meta:
        ${meta}

    def keep(self):
        with transaction.atomic():
            self.save()

@transaction.atomic
def run(rows: list[Kept]):
    for row in rows:
        row.keep()
`;
    const unit = await lower('shop/run.py', text);
    return analyse([unit!]).findings.map(({ message }) => /Each one \S+ \S+/.exec(message)?.[0]);
  };
  expect(await said('ordering = []')).toEqual(['Each one writes (Kept)']);
  expect(await said('abstract = True')).toEqual(['Each one takes a']);
});

test('a module is not told as a table, wherever the class stands that takes it in', async () => {
  const keeping = `module Keeping
  extend ActiveSupport::Concern
  included do
    include AASM
    aasm do
      state :open, initial: true
      state :kept
      event(:keep) { transitions from: :open, to: :kept }
    end
  end
end
`;
  const order = `module Shop
  class Order < ActiveRecord::Base
    include Keeping
  end
end
Shop::Order.transaction do
  Shop::Order.first.touch
  Shop::Order.find_each { |order| order.keep! }
end
`;
  const units = await Promise.all([
    lower('app/models/concerns/keeping.rb', keeping),
    lower('app/models/shop/order.rb', order),
  ]);
  const [found] = analyse(units.map((unit) => unit!)).findings;
  expect(found!.message).toContain('Each one that writes takes');
});

test('not each one is said to write where a condition decides, nor to lock what may be locked already', async () => {
  const said = async (body: string, before = '') => {
    const text = `${before} DO $$ BEGIN
       FOR i IN 1..100 LOOP
         BEGIN ${body} EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'later'; END;
       END LOOP;
     END $$;`;
    const { findings } = analyse([(await lower('run.sql', text))!]);
    return /Each one.*? takes/.exec(findings[0]!.message)?.[0];
  };
  expect(await said('INSERT INTO log VALUES (i);')).toBe('Each one writes (log) and takes');
  expect(await said('IF i > 5 THEN INSERT INTO log VALUES (i); END IF;')).toBe(
    'Each one that writes (log) takes',
  );
  const either = (condition: string) =>
    said(`IF ${condition} THEN INSERT INTO log VALUES (i); ELSE INSERT INTO log VALUES (0); END IF;`);
  expect(await either('random() > 0.5')).toBe('Each one writes (log) and takes');
  // The turns of an arm that runs in some of them are no longer told apart.
  expect(await either('i > 5')).toBe('Each one that writes (log) takes');
  for (const one of [
    'FOR j IN 2..i LOOP INSERT INTO log VALUES (j); END LOOP;',
    'DELETE FROM log;',
    'INSERT INTO log SELECT 1 WHERE NOT EXISTS (SELECT FROM log);',
    'ANALYZE log;',
  ])
    expect(await said(one)).toMatch(/^Each one that writes/);
  expect(await said('IF i > 5 THEN CONTINUE; END IF; INSERT INTO log VALUES (i);')).toBe(
    'Each one that writes (log) takes',
  );
  const called = async (body: string) =>
    said(
      'PERFORM note(i);',
      `CREATE FUNCTION note(i int) RETURNS void LANGUAGE plpgsql AS $n$ BEGIN ${body} END $n$;`,
    );
  expect(await called('INSERT INTO log VALUES (i);')).toBe('Each one takes');
  expect(await called('IF i > 5 THEN INSERT INTO log VALUES (i); END IF;')).toBe(
    'Each one that writes takes',
  );
  expect(await called('IF i > 5 THEN RETURN; END IF; INSERT INTO log VALUES (i);')).toBe(
    'Each one that writes takes',
  );
  expect(await called('PERFORM nobodys(i); IF i > 5 THEN INSERT INTO log VALUES (i); END IF;')).toBe(
    'Each one that writes takes',
  );
  expect(await called('IF i < 0 THEN RAISE; END IF; INSERT INTO log VALUES (i);')).toBe('Each one takes');
  expect(await said('PERFORM 1 FROM log WHERE id = i FOR UPDATE;')).toBe(
    'Each one that locks a row which the transaction has not locked before takes',
  );
});

test('what a function calls that is declared stable changes nothing, unless it is here and does', async () => {
  const said = async (volatility: string, more = '') => {
    const text = `CREATE FUNCTION verified(t text) RETURNS boolean LANGUAGE plpgsql ${volatility} AS $$ BEGIN
        RETURN verify(t);
      EXCEPTION WHEN OTHERS THEN RETURN false; END $$;
      ${more}
      CREATE VIEW good AS SELECT * FROM keys WHERE verified(name);`;
    return analyse([(await lower('keys.sql', text))!]).findings.map(
      ({ rule, severity }) => `${severity} ${rule}`,
    );
  };
  const verify = `CREATE FUNCTION verify(t text) RETURNS boolean LANGUAGE sql AS $$ INSERT INTO seen VALUES (t) RETURNING true $$;`;
  expect(await said('VOLATILE')).toEqual(['warning subtransaction-per-row']);
  expect(await said('STABLE')).toEqual(['note subtransaction-per-row']);
  expect(await said('IMMUTABLE', verify)).toEqual(['error subtransaction-per-row']);
});

test('a block that guards casts tells all that they are to, and none is only that where somebody else may write', async () => {
  const said = async (body: string) => {
    const text = `CREATE FUNCTION amount(a jsonb) RETURNS numeric LANGUAGE plpgsql AS $$ BEGIN
        ${body} EXCEPTION WHEN OTHERS THEN RETURN NULL; END $$;
      CREATE VIEW paid AS SELECT amount(a) FROM payments;`;
    return analyse([(await lower('amount.sql', text))!]).findings.map(({ rule, message, remedy }) => [
      rule,
      /guards [^,]*/.exec(message)?.[0],
      /^Ask.*?cast/.exec(remedy)?.[0],
    ]);
  };
  expect(await said("RETURN (a->>'n')::bigint + (a->>'p')::int;")).toEqual([
    [
      'exception-block-for-cast',
      'guards casts to bigint and integer',
      'Ask pg_input_is_valid(value, type) before each cast',
    ],
  ]);
  expect(await said("RETURN (a->>'n')::bigint;")).toEqual([
    [
      'exception-block-for-cast',
      'guards a cast to bigint',
      "Ask pg_input_is_valid(value, 'bigint') before the cast",
    ],
  ]);
  expect(
    (await said("EXECUTE format('SELECT * FROM %I WHERE n = %L::int', a, a);")).map(([rule]) => rule),
  ).not.toContain('exception-block-for-cast');
  expect((await said("PERFORM note(a); RETURN (a->>'n')::bigint;")).map(([rule]) => rule)).toEqual([
    'subtransaction-per-row',
  ]);
});
