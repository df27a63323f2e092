// What random programs ask of Sequel. Their control flow is Ruby's.
import { around, block, type Library } from './ruby.ts';
import { pick } from './spelling.ts';

const model = (name: string, table: string, body: string[] = []) =>
  `${block(`class ${name} < Sequel::Model(:${table})`, body).join('\n')}\n`;
/** The table of the first has a trigger that opens a level; the hooks of the other do. */
const FIRING = ['Fired', 'Noted'];

/** A row that has the value already is not saved again, and opens nothing: whoever runs one line twice gives another one. */
const NEW = 'rand(1 << 30)';

export const sequel: Library = {
  files: {
    'Gemfile.lock': 'GEM\n  specs:\n    sequel (5.63.0)\n',
    'app/models/layers.rb': `module Layers
  def in_level(&work)
    db.transaction(savepoint: true, &work)
  end
end
`,
    'app/models/item.rb': model('Item', 'item', ['extend Layers']),
    'app/models/fired.rb': model('Fired', 'fired'),
    'app/models/tag.rb': model('Tag', 'tag', ['plugin :update_or_create']),
    'app/models/noted.rb': model('Noted', 'item', [
      ...block('def after_save', [
        'super',
        ...block('db.transaction(savepoint: true) do', ['db[:log].insert(what: "noted")']),
      ]),
    ]),
  },
  level: 'DB.transaction(savepoint: true)',
  scopes: [
    around('DB.transaction(savepoint: true)'),
    around('DB.transaction'),
    around('Item.db.transaction(savepoint: true)'),
    around('Guarded.guarded'),
    around('DB.transaction(savepoint: :only)'),
    around('Item.db.transaction'),
    around('DB.transaction(auto_savepoint: true)'),
    around('DB.transaction(**{ savepoint: true })'),
    around('Guarded.handed'),
    (body) => block('DB.transaction(:savepoint => true) {', body, '}'),
    around('Item.in_level'),
    around('Item[1].db.transaction(savepoint: true)'),
    around('DB.transaction(savepoint: true, auto_savepoint: true)'),
    around('Sequel::Model.db.transaction(savepoint: true)'),
    around('DB.transaction(savepoint: true, rollback: :reraise)'),
  ],
  one(how, fires, next) {
    const named = fires ? pick(FIRING, Math.floor(how / 12)) : 'Item';
    const table = fires ? 'fired' : 'item';
    return [
      [`${named}.create(n: 1)`],
      [`${named}.new(n: 1).save`],
      [`${named}.where(id: 1).update(n: Sequel[:n] + 1)`],
      [`DB[:${table}].insert(n: 1)`],
      [`${named}[1].update(n: ${NEW})`],
      [`DB.run("INSERT INTO ${table} (n) VALUES (1)")`],
      [`made = ${named}.new`, 'made.n = 2', 'made.save'],
      [`${named}.insert(n: 1)`],
      [`${named}.dataset.insert(n: 1)`],
      [`${named}.with_pk!(1).set(n: ${NEW}).save_changes`],
      [`DB[:${table}].where(id: 1).update(n: ${next()})`],
      [`DB.from(:${table}).insert(n: 1)`],
      [`${named}.db[:${table}].insert(n: 1)`],
      [`found = ${named}.first(id: 1)`, 'found.n += 1', 'found.save'],
      [`${named}.for_update.first(id: 1).update(n: ${NEW})`],
      [`${named}[1].lock!.update(n: ${NEW})`],
      [`DB["UPDATE ${table} SET n = n + 1 WHERE id = ?", 1].update`],
      [`DB.execute_dui("UPDATE ${table} SET n = n + 1 WHERE id = 1")`],
      [`DB[:${table}].returning(:id).insert(n: 1)`],
      [`${named}.where(id: 1).all { |one| one.update(n: ${NEW}) }`],
      [`${named}.where(id: 1).each { |one| one.update(n: ${NEW}) }`],
      [`[${named}].each { |one| one.create(n: 1) }`],
      [`${named}.create { |one| one.n = 3 }`],
    ];
  },
  many(how, fires, rows) {
    const named = fires ? pick(FIRING, Math.floor(how / 12)) : 'Item';
    const table = fires ? 'fired' : 'item';
    return [
      [`DB[:${table}].multi_insert(Array.new(${rows}) { { n: 1 } })`],
      [`DB[:${table}].import([:n], Array.new(${rows}) { |k| [k] })`],
      [`${rows}.times { |k| ${named}.create(n: k) }`],
      [`DB.run("INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})")`],
      [`Array.new(${rows}) { |k| ${named}.new(n: k) }.each(&:save)`],
      [`${named}.import([:n], Array.new(${rows}) { |k| [k] }, slice: 5)`],
    ];
  },
  finds: (named) => [
    [`Tag.find_or_create(${named})`],
    [`Tag.update_or_create({ ${named} }, n: rand(1..9999))`],
    [`DB[:tag].insert_conflict.insert(${named})`],
    [`DB[:tag].insert_conflict(target: :name, update: { n: 1 }).insert(${named})`],
    [
      'begin',
      `  DB.transaction(savepoint: true) { Tag.create(${named}) }`,
      'rescue Sequel::UniqueConstraintViolation',
      `  Tag.first(${named})`,
      'end',
    ],
    [
      'tries = 0',
      'begin',
      '  tries += 1',
      `  Item.in_level { Tag.create(tries > 1 ? { name: SecureRandom.hex } : { ${named} }) }`,
      'rescue Sequel::UniqueConstraintViolation',
      '  retry if tries < 3',
      'end',
    ],
    [`Tag.first(${named}) || Tag.create(${named})`],
  ],
  failures: ['raise Sequel::Rollback', 'DB[:item].insert(id: 1)'],
  exists: '!Item.empty?',
  byHand: (name) => {
    const sent = (sql: string) => `DB.run("${sql} ${name}")`;
    return [[sent('SAVEPOINT'), sent('RELEASE SAVEPOINT'), sent('ROLLBACK TO SAVEPOINT')]];
  },
};
