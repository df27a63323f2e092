// What random programs ask of ActiveRecord. Their control flow is Ruby's.
import { around, block, type Library } from './ruby.ts';
import { pick } from './spelling.ts';

const model = (name: string, table: string, body: string[] = []) =>
  `${block(`class ${name} < ApplicationRecord`, [`self.table_name = "${table}"`, ...body]).join('\n')}\n`;
const NOTE = `INSERT INTO log VALUES ('noted')`;
/** Models whose callbacks open a level each time; the table of the first has a trigger that does. */
const FIRING = ['Fired', 'Noted', 'Marked'];

const LAYERS = `module Layers
  extend ActiveSupport::Concern

  class_methods do
    def in_level(&work)
      transaction(requires_new: true, &work)
    end
  end

  def in_own_level
    self.class.transaction(requires_new: true) { yield self }
  end
end
`;

export const activerecord: Library = {
  files: {
    'Gemfile.lock': 'GEM\n  specs:\n    activerecord (6.1.7)\n',
    'app/models/application_record.rb':
      'class ApplicationRecord < ActiveRecord::Base\n  self.abstract_class = true\nend\n',
    'app/models/layers.rb': LAYERS,
    'app/models/item.rb': model('Item', 'item', ['include Layers']),
    'app/models/fired.rb': model('Fired', 'fired'),
    'app/models/tag.rb': model('Tag', 'tag', ['include Layers']),
    'app/models/noted.rb': model('Noted', 'item', [
      'after_create :note',
      'after_update :note',
      '',
      'private',
      '',
      ...block('def note', [
        ...block('transaction(requires_new: true) do', [`self.class.connection.execute("${NOTE}")`]),
      ]),
    ]),
    'app/models/marked.rb': model('Marked', 'item', [
      ...block('after_save do', [
        ...block('Tag.transaction(requires_new: true) do', ['Tag.update_counters(1, n: 1)']),
      ]),
    ]),
    'app/models/part.rb': model('Part', 'part', [
      'after_create :note',
      '',
      ...block('def note', [`Item.in_level { Item.connection.execute("${NOTE}") }`]),
    ]),
    'app/models/boxed.rb': model('Boxed', 'item', [
      'has_many :parts, foreign_key: :item_id',
      'accepts_nested_attributes_for :parts',
    ]),
  },
  level: 'Item.transaction(requires_new: true)',
  scopes: [
    around('Item.transaction(requires_new: true)'),
    around('Item.transaction'),
    around('ActiveRecord::Base.transaction(requires_new: true)'),
    around('ActiveRecord::Base.transaction'),
    around('Item.find(1).with_lock'),
    around('Guarded.guarded'),
    around('Item.connection.transaction(requires_new: true)'),
    around('ApplicationRecord.transaction(requires_new: true)'),
    (body) => block('Item.transaction(requires_new: true) {', body, '}'),
    around('Item.find(1).transaction(requires_new: true)'),
    around('Tag.transaction(requires_new: false)'),
    around('Guarded.handed'),
    around('ActiveRecord::Base.connection.transaction(requires_new: true)'),
    around('Item.lock.find(1).transaction(requires_new: true)'),
    around('Item.transaction(**{ requires_new: true })'),
    around('Tag.in_level'),
    around('Item.find(1).in_own_level'),
    around('Item.transaction(joinable: false)'),
    around('Item.transaction(requires_new: true, joinable: false)'),
    (body) => [
      'begin',
      ...around('  Item.transaction(requires_new: true)')(body),
      'rescue ActiveRecord::Deadlocked',
      '  retry',
      'end',
    ],
    around('Item.where(n: 0).transaction(requires_new: true)'),
  ],
  one(how, fires, next) {
    const plain = (named: string) => [
      [`${named}.create!(n: 1)`],
      [`${named}.new(n: 1).save!`],
      [`${named}.where(id: 1).update_all("n = n + 1")`],
      [`${named}.connection.execute("INSERT INTO ${fires ? 'fired' : 'item'} (n) VALUES (1)")`],
      [`${named}.find(1).update!(n: ${next()})`],
      [`${named}.find(1).increment!(:n)`],
      [`${named}.create(n: 2)`],
      [`${named}.find(1).update_column(:n, ${next()})`],
      [`found = ${named}.find(1)`, 'found.n += 1', 'found.save'],
      [`made = ${named}.new`, 'made.n = 2', 'made.save!'],
      [`${named}.create!([{ n: 1 }])`],
      [`${named}.new { |one| one.n = 3 }.save!`],
      [`${named}.insert!({ n: 1 })`],
      [`${named}.find(1).update_columns(n: ${next()})`],
      [`${named}.find(1).tap { |one| one.n = ${next()} }.save!`],
      [`${named}.update_counters(1, n: 1)`],
      [`${named}.find(1).send(:update!, n: ${next()})`],
      [`[${named}].each { |one| one.create!(n: 1) }`],
      [`${named}.public_send(:create!, n: 1)`],
      [`${named}.lock.find(1).update!(n: ${next()})`],
      [`${named}.find(1).lock!.update!(n: ${next()})`],
      [`${named}.where(id: 1).lock.each { |one| one.update!(n: ${next()}) }`],
      [`${named}.where(id: 1).find_each { |one| one.increment!(:n) }`],
      [`${named}.upsert({ id: 1, n: ${next()} })`],
      [`${named}.insert_all([{ n: 1 }])`],
    ];
    const boxed = [
      ['Boxed.create!(parts_attributes: [{ n: 1 }])'],
      ['Boxed.find(1).update!(parts_attributes: [{ n: 1 }])'],
      ['Boxed.find(1).parts.create!(n: 1)'],
      ['Boxed.find(1).parts << Part.new(n: 1)'],
      ['box = Boxed.new', 'box.parts.build(n: 1)', 'box.save!'],
      ['Part.create!(item_id: 1)'],
    ];
    if (!fires) return plain('Item');
    return [...plain(pick(FIRING, Math.floor(how / 12))), ...boxed];
  },
  many(how, fires, rows) {
    const named = fires ? pick(FIRING, Math.floor(how / 12)) : 'Item';
    const made = (by: string) => `Array.new(${rows}) { ${by} }`;
    const plain = [
      [`${named}.insert_all!(${made('{ n: 1 }')})`],
      [`${named}.connection.execute("INSERT INTO ${fires ? 'fired' : 'item'} (n) SELECT 1 FROM generate_series(1, ${rows})")`],
      [`${rows}.times { |k| ${named}.create!(n: k) }`],
      [`${named}.create!(${made('|k| { n: k }')})`],
      [`(1..${rows}).each_slice(5) { |some| ${named}.insert_all(some.map { |k| { n: k } }) }`],
      [`${made(`${named}.new(n: 1)`)}.each(&:save!)`],
    ]; // biome-ignore format: one a line
    const boxed = [
      [`Boxed.create!(parts_attributes: ${made('{ n: 1 }')})`],
      [`Boxed.find(1).update!(parts_attributes: ${made('{ n: 1 }')})`],
      ['box = Boxed.new', `${rows}.times { |k| box.parts.build(n: k) }`, 'box.save!'],
    ];
    return fires ? [...plain, ...boxed] : plain;
  },
  finds: (named) => [
    [`Tag.create_or_find_by!(${named})`],
    [`Tag.find_or_create_by!(${named})`],
    [`Tag.create_or_find_by(${named})`],
    [
      'begin',
      `  Tag.transaction(requires_new: true) { Tag.create!(${named}) }`,
      'rescue ActiveRecord::RecordNotUnique',
      `  Tag.find_by!(${named})`,
      'end',
    ],
    [
      'tries = 0',
      'begin',
      '  tries += 1',
      `  Tag.in_level { Tag.create!(tries > 1 ? { name: SecureRandom.hex } : { ${named} }) }`,
      'rescue ActiveRecord::RecordNotUnique',
      '  retry if tries < 3',
      'end',
    ],
    [`Tag.upsert({ ${named}, n: 1 }, unique_by: :name)`],
    [`Tag.find_by(${named}) || Tag.create!(${named})`],
    [`Tag.where(${named}).first_or_create!`],
    [`Tag.find_or_initialize_by(${named}).update!(n: rand(1..9999))`],
    [`Tag.insert({ ${named} })`],
  ],
  failures: ['raise ActiveRecord::Rollback', 'Item.create!(id: 1)'],
  exists: 'Item.exists?',
  byHand: (name) => {
    const asked = (verb: string) => `Item.connection.${verb}_savepoint("${name}")`;
    const sent = (sql: string) => `Item.connection.execute("${sql} ${name}")`;
    return [
      [asked('create'), asked('release'), asked('exec_rollback_to')],
      [sent('SAVEPOINT'), sent('RELEASE SAVEPOINT'), sent('ROLLBACK TO SAVEPOINT')],
    ];
  },
};
