// Ruby as it is written elsewhere: shapes that break readers. What each API means is told by the pages.
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { describe } from '../src/describe.ts';
import { classify, pluralize, singularize, underscore } from '../src/frontends/ruby/names/inflect.ts';
import { inside, type Step, type Unit } from '../src/ir.ts';

const read = async (text: string, file = 'app/models/a.rb') => (await lower(file, text))!;

/** Every step, outermost first, as a line. */
function said(unit: Unit): string[] {
  const out: string[] = [];
  const walk = (steps: Step[]) => {
    for (const step of steps) {
      out.push(describe(step));
      for (const list of inside(step)) walk(list);
    }
  };
  for (const routine of unit.routines) walk(routine.body);
  for (const trigger of unit.triggers) walk(trigger.body);
  return out;
}

const NESTED = 'transaction (transaction(requires_new: true)) nested: savepoint lazy released on success';
const nested = async (text: string, file?: string) =>
  said(await read(text, file)).filter((one) => one === NESTED).length;

test('table names are those of ActiveSupport', () => {
  // As `"line_item".pluralize` and `.singularize` of ActiveSupport 6.1 answer.
  const words: [string, string][] = [
    ['line_item', 'line_items'], ['address', 'addresses'], ['status', 'statuses'], ['person', 'people'],
    ['sales_person', 'sales_people'], ['child', 'children'], ['category', 'categories'], ['box', 'boxes'],
    ['index', 'indices'], ['matrix', 'matrices'], ['mouse', 'mice'], ['quiz', 'quizzes'], ['movie', 'movies'],
    ['bus', 'buses'], ['alias', 'aliases'], ['tax', 'taxes'], ['hero', 'heros'], ['knife', 'knives'], ['wolf', 'wolves'],
    ['day', 'days'], ['company', 'companies'], ['equipment', 'equipment'], ['species', 'species'], ['datum', 'data'],
    ['medium', 'media'], ['analysis', 'analyses'], ['process', 'processes'], ['database', 'databases'], ['photo', 'photos'],
    ['news', 'news'], ['life', 'lives'],
  ]; // biome-ignore format: words
  for (const [one, many] of words) {
    expect(pluralize(one)).toBe(many);
    expect(pluralize(many)).toBe(many);
    expect(singularize(many)).toBe(one);
  }
  expect(['LineItem', 'HTTPRequest', 'API2Key'].map(underscore)).toEqual([
    'line_item',
    'http_request',
    'api2_key',
  ]);
  expect(classify('line_items')).toBe('LineItem');
});

test.each([
  ['a byte order mark', '\uFEFFOrder.transaction(requires_new: true) { x }'],
  ['CRLF', 'Order.transaction(\r\n  requires_new: true\r\n) do\r\n  x\r\nend\r\n'],
  ['a rocket', 'Order.transaction(:requires_new => true) { x }'],
  ['no brackets', 'Order.transaction requires_new: true do\n  x\nend'],
  ['braces', 'Order.transaction({ requires_new: true }) { x }'],
  ['safe navigation', 'order&.transaction(requires_new: true) { x }'],
  ['a connection', 'ActiveRecord::Base.connection.transaction(requires_new: true) { x }'],
  ['with_connection', 'Order.connection_pool.with_connection { |c| c.transaction(requires_new: true) { x } }'],
  ['double colon', 'Order::transaction(requires_new: true) { x }'],
  ['send', 'Order.send(:transaction, requires_new: true) { x }'],
  ['a constant', 'OPTIONS = { requires_new: true }.freeze\nOrder.transaction(**OPTIONS) { x }'],
  ['a condition', 'Order.transaction(requires_new: true) { x } if y'],
  ['a rescue modifier', 'Order.transaction(requires_new: true) { x } rescue nil'],
  ['an assignment', 'a = b ||= Order.transaction(requires_new: true) { x }'],
  ['a return', 'def a\n  return Order.transaction(requires_new: true) { x }\nend'],
  ['an endless method', 'def a = Order.transaction(requires_new: true) { x }'],
  ['an interpolation', 'puts "#{Order.transaction(requires_new: true) { x }}"'],
  ['an argument', 'foo(1, a: Order.transaction(requires_new: true) { x })'],
  ['a singleton class', 'class A\n  class << self\n    def a\n      transaction(requires_new: true) { x }\n    end\n  end\nend'],
  ['a private method', 'class A\n  private def a\n    transaction(requires_new: true) { x }\n  end\nend'],
  ['define_method', 'class A\n  define_method(:a) { transaction(requires_new: true) { x } }\nend'],
  ['define_method with a computed name', 'class A\n  %w[a b].each do |n|\n    define_method("#{n}_all") { transaction(requires_new: true) { x } }\n  end\nend'],
  ['class_eval', 'A.class_eval do\n  def a\n    transaction(requires_new: true) { x }\n  end\nend'],
  ['Class.new', 'A = Class.new(B) do\n  def a\n    transaction(requires_new: true) { x }\n  end\nend'],
  ['a Struct', 'A = Struct.new(:b) do\n  def a\n    transaction(requires_new: true) { x }\n  end\nend'],
  ['a lambda', 'a = -> { Order.transaction(requires_new: true) { x } }\na.call'],
  ['a lambda called with dot brackets', 'a = lambda { Order.transaction(requires_new: true) { x } }\na.()'],
  ['a rake task', 'namespace :a do\n  task b: :environment do\n    Order.transaction(requires_new: true) { x }\n  end\nend'],
  ['a route', 'class Api < Grape::API\n  post "/x" do\n    Order.transaction(requires_new: true) { x }\n  end\nend'],
  ['nested routes', 'class Api < Grape::API\n  namespace :x do\n    post do\n      Order.transaction(requires_new: true) { x }\n    end\n  end\nend'],
  ['case and in', 'case y\nin {a: 1} then Order.transaction(requires_new: true) { x }\nend'],
  ['a syntax error before', 'def (((\nend\nclass A\n  def b\n    transaction(requires_new: true) { x }\n  end\nend'],
])('a nested transaction is seen through %s', async (_, text) => {
  expect(await nested(text)).toBe(1);
}); // biome-ignore format: a table

test.each([
  ['false', 'Order.transaction(requires_new: false) { x }'],
  ['a variable', 'Order.transaction(requires_new: nested) { x }'],
  ['a string key', 'Order.transaction("requires_new" => true) { x }'],
  ['a splat of something', 'Order.transaction(**options) { x }'],
  ['no block', 'Order.transaction(requires_new: true)'],
  ['a comment', '# Order.transaction(requires_new: true) { x }'],
  ['a string', 'puts "Order.transaction(requires_new: true) { x }"'],
  ['after __END__', 'x\n__END__\nOrder.transaction(requires_new: true) { x }'],
  ['=begin', '=begin\nOrder.transaction(requires_new: true) { x }\n=end\n'],
])('none is seen in %s', async (_, text) => {
  expect(await nested(text)).toBe(0);
});

test.each([
  'Sentry.transaction("x") { y }',
  'NewRelic::Agent.transaction { y }',
  'gateway.transaction.sale(amount: 1)',
  'payment.transaction',
  'redis.transaction { |t| t.set }',
  'YAML::Store.new("x").transaction { y }',
])('no transaction of a database: %s', async (text) => {
  expect(said(await read(text)).filter((one) => one.startsWith('transaction'))).toEqual([]);
});

test('retry makes a loop, rescue an attempt', async () => {
  const unit = await read(`def a
  attempts = 0
  begin
    Order.transaction(requires_new: true) { Order.update_all(a: 1) }
  rescue ActiveRecord::Deadlocked, PG::Error => e
    retry if (attempts += 1) < 3
    raise e
  ensure
    sleep 1
  end
end
`);
  expect(said(unit)).toEqual([
    'loop retry',
    'attempt catches ActiveRecord::Deadlocked, PG::Error',
    NESTED,
    'call Order.update_all',
    'update ruby:Order many rows',
    'update ruby:Order many rows (likely)',
    'raise again',
    'wait sleep',
  ]);
});

test('loops in every form', async () => {
  const turns = [
    'list.each { |x| X }', 'list.map do |x| X end', '3.times { X }', 'while y do X end', 'until y do X end', 'for x in list do X end',
    'loop { X }', 'begin X end while y', '1.upto(5) { X }', '[1, 2].each { X }', 'Order.find_each { X }', 'Order.in_batches { X }',
    'Order.where(a: 1).find_in_batches { |b| X }', 'list.each_with_index { |x, i| X }', 'list.each_slice(2) { X }', '(1..10).each { X }',
  ]; // biome-ignore format: a list
  const found: string[] = [];
  for (const turn of turns)
    found.push(
      said(await read(turn.replace('X', 'Order.connection.execute("SAVEPOINT a")'))).filter((one) =>
        one.startsWith('loop'),
      )[0]!,
    );
  expect(found).toEqual([
    'loop items', 'loop items', 'loop range 3 times', 'loop unknown', 'loop unknown', 'loop items', 'loop unknown', 'loop unknown',
    'loop range 5 times', 'loop items 2 times', 'loop rows', 'loop rows in chunks of 1000', 'loop rows in chunks of 1000', 'loop items',
    'loop items in chunks of 2', 'loop items 10 times',
  ]); // biome-ignore format: a list
});

test('a span in a heredoc is exact', async () => {
  const text =
    'def a\n  execute(<<~SQL, 1)\n    -- é\n    SAVEPOINT "a b"; UPDATE #{table} SET x = 1\n  SQL\nend\n';
  const unit = await read(text);
  const [first, second] = unit.routines[0]!.body;
  expect(text.slice(first!.at.start, first!.at.end)).toBe('SAVEPOINT "a b"');
  expect(second && describe(second)).toBe('update ? many rows');
});

test('what is created in up stays, what down does is not seen', async () => {
  const unit = await read(
    `class A < ActiveRecord::Migration[7.0]
  disable_ddl_transaction!
  def up
    execute "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"
  end
  def down
    execute "DROP FUNCTION f()"
  end
end
`,
    'db/migrate/20240101000000_a.rb',
  );
  expect(unit.routines.map(({ name, entry, startsIn }) => `${name} ${entry} ${startsIn}`)).toContain(
    'sql:f called caller',
  );
  expect(unit.routines.find(({ name }) => name === 'ruby:A#up')?.startsIn).toBe('autocommit');
  expect(unit.changes).toEqual([]);
  expect(unit.series).toEqual({ name: 'db/migrate', position: '20240101000000' });
});

test("another database's migrations are a series of their own", async () => {
  const unit = await read(
    'class A < ActiveRecord::Migration[7.0]\n  def up\n    execute "SELECT 1"\n  end\nend\n',
    'db/animals_migrate/20240101000000_a.rb',
  );
  expect(unit.series).toEqual({ name: 'db/animals_migrate', position: '20240101000000' });
});

test('constants are looked up from the inside out', async () => {
  const units = await Promise.all([
    read(
      'module Shop\n  class Cart\n    def pay\n      Order.transaction { Order.find(1).settle }\n    end\n  end\nend\n',
      'cart.rb',
    ),
    read(
      'module Shop\n  class Order < ApplicationRecord\n    def settle\n      transaction(requires_new: true) { touch }\n    end\n  end\nend\n',
      'order.rb',
    ),
  ]);
  const { model } = analyse(units);
  expect(
    model.subtransactions.filter(({ visits }) =>
      visits.some(({ context }) => context.inTransaction === 'yes'),
    ).length,
  ).toBe(1);
});

test('deep nesting and long files end', async () => {
  const deep = `${'foo('.repeat(10_000)}1${')'.repeat(10_000)}`;
  const blocks = `${'a { '.repeat(5_000)}${'}'.repeat(5_000)}`;
  const chain = `Order${'.where(a: 1)'.repeat(3_000)}.find_each { x }`;
  const sum = `a = ${'"a" + '.repeat(3_000)}"b"\nexecute(a)`;
  const classes = 'class A\n'.repeat(1_000);
  for (const text of [
    deep,
    blocks,
    chain,
    sum,
    classes,
    '<<~A\n'.repeat(1000),
    '"#{'.repeat(2000),
    '\0',
    'a = '.repeat(3000),
  ]) {
    const before = performance.now();
    const unit = await read(text);
    expect(unit.problems.filter(({ message }) => message.startsWith('could not be read'))).toEqual([]);
    expect(performance.now() - before).toBeLessThan(5_000);
  }
});

test('a variable that holds what it held ends', async () => {
  const held = [
    'rows = rows.values unless rows.is_a?(Array)\nrows.each { |row| row.call }\nrows.each(&:call)\nrows.call',
    'rows = rows << 1\nrows.call\nrows[1]\n(rows >> rows).call\nrows.each(&rows)',
    'f = f || f\nf.call\nsend(f)\nf.new.go',
    'f = cond ? f : f\nf.call(f)\ng = -> { g.call(g) }\ng.call(g)\nh = ->(x) { x.call(x) }\nh.call(h)\nh[h]',
    'a = b\nb = a\na.call\nb.each { |x| x.call }\nsend(a)\npublic_send(b, a)',
    'def a = b\ndef b = a\nsend(a)\na.call\na.each(&:call)',
    'A = A\nA.call\nA.each(&:call)\nA.each { |x| send(x) }\nsend(A[:x])\nB = { a: B }\nB[:a].call\nB.each_value { |x| x.call }',
    '@a = @a\n@a.call\ndef c\n  @b = -> { @b.call }\n  @b.call\nend',
  ];
  for (const text of held)
    for (const whole of [
      text,
      `class A\n  def go(rows)\n    ${text.replaceAll('\n', '\n    ')}\n  end\nend`,
    ]) {
      const before = performance.now();
      const unit = await read(whole);
      expect(unit.problems.filter(({ message }) => message.startsWith('could not be read'))).toEqual([]);
      expect(performance.now() - before).toBeLessThan(1_000);
    }
});

test('a file that is not read to its end says where', async () => {
  const unit = await read(
    'class A\n  def a\n    Order.transaction(\n  end\n\n  def b\n    save!\n  end\nend\n',
  );
  expect(unit.broken).toBe(true);
  expect(unit.problems).toEqual([{ at: { start: 41, end: 42 }, message: 'syntax error', partial: true }]);
  expect(unit.routines.map(({ name }) => name)).toContain('ruby:A#b');
});

test('what ends too soon ends at its last character, with a line end and without', async () => {
  for (const text of ['def a', 'def a\n'])
    for (const file of ['a.rb', 'a.py']) {
      const [problem] = (await lower(file, text))!.problems;
      expect(problem?.message).toBe('syntax error');
      expect(problem!.at!.end).toBeLessThanOrEqual(text.length);
    }
});

test('a macro that is called as what every object has is none', async () => {
  const unit = await lower(
    'app/models/a.rb',
    'class A < ApplicationRecord\n  constructor :x\n  toString\nend\n',
  );
  expect(unit!.problems).toEqual([]);
});

test('what a generator fills in is no Ruby yet', async () => {
  const text =
    'class <%= name %> < ApplicationRecord\n  def a = transaction(requires_new: true) { create! }\nend\n';
  expect((await read(text, 'lib/generators/row/templates/row.rb')).problems).toEqual([]);
  expect((await read(text)).problems).toHaveLength(1);
});

test('what is guarded by an else alone, as somebody types, is told of that word', async () => {
  const text = 'class A\n  def go(a)\n    Tag.create!(name: a)\n    else';
  const [attempt] = (await read(text)).routines[0]!.body;
  expect(attempt).toMatchObject({ kind: 'attempt', at: { start: text.length - 4, end: text.length } });
});

test('what stands in a text that creates no routine may be of another database, and is no problem', async () => {
  const told = async (sql: string) =>
    (await lower('a.rb', `connection.execute(<<~'S')\n${sql}\nS\n`))!.problems.map(({ message }) => message);
  expect(await told("INSERT INTO notes VALUES ('it\\'s');")).toEqual([]);
  expect(await told('UPDATE notes SET seen = 1;\nRETURN NEW;')).toEqual([]);
  const made = 'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;';
  expect(await told(`${made}\ngarbled text;`)).toEqual(['a statement that starts with garbled']);
});

test('an example without a word by which anything is opened is not looked into, and what stands around it is', async () => {
  const text = `RSpec.describe Order do
  before { Order.prepare }
  it('pays') { Order.pay }
  describe 'a lot' do
    before { Order.wash }
    it('nests') { Order.transaction(requires_new: true) { Order.fill } }
  end
  describe('nothing') { before { Order.clear } }
end
`;
  const called = async (file: string, written = text) =>
    said(await read(written, file)).flatMap((one) => /call Order\.(\w+)/.exec(one)?.[1] ?? []);
  for (const written of [text, `\ufeff${text.replaceAll('\n', '\r\n')}`])
    expect(new Set(await called('spec/order_spec.rb', written))).toEqual(
      new Set(['prepare', 'wash', 'fill']),
    );
  expect(await called('app/models/order.rb')).toContain('pay');
  expect(await nested(text, 'spec/order_spec.rb')).toBe(1);
});
