// ActiveRecord: which of its calls open savepoints, lock and write. `.name` is asked of a class or relation, `#name` of a record.
import { framework, type Meaning, type ScopeMeaning, type WriteMeaning } from '../../framework.ts';

const GEM = 'gem:activerecord';

/** Every save opens a transaction of its own, which joins the one around it. */
const implicit: ScopeMeaning = { opens: 'transaction', whenNested: 'join' };
/** `transaction(requires_new: true)`: sent with the first statement inside; a failure rolls back to it and keeps the level. */
const nested: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'savepoint',
  releases: 'on success',
  lazy: true,
  restarts: { package: GEM, range: '>=7.1' },
};

const insert: Meaning = { scope: implicit, write: { verb: 'insert', rows: 'one' } };
const UPDATE = { verb: 'update', rows: 'one', setsKeywords: true } as const;
const update: Meaning = { scope: implicit, write: UPDATE };
/** It validates nothing. */
const UNASKED = { without: ['validation'] };
const updateOf: Meaning = { scope: implicit, write: { verb: 'update', rows: 'one', sets: 0, ...UNASKED } };
const destroy: Meaning = { scope: implicit, write: { verb: 'delete', rows: 'one' } };
const save: Meaning = {
  scope: implicit,
  write: { verb: 'save', rows: 'one' },
  when: [{ argument: 'validate', is: 'false', then: { write: { verb: 'save', rows: 'one', ...UNASKED } } }],
};
type Verb = 'insert' | 'update' | 'delete';
const past = (verb: Verb, rows: 'one' | 'many', onConflict?: 'update' | 'nothing'): Meaning => ({
  write: { verb, rows, onConflict, withoutCallbacks: true },
});
const setting = (its: Pick<WriteMeaning, 'sets' | 'setsKeywords'>): Meaning => ({
  write: { verb: 'update', rows: 'one', ...its, withoutCallbacks: true },
});
const reads = (rows: 'one' | 'many'): Meaning => ({ read: { rows } });

const AT_ONCE =
  'Write all rows at once: insert_all and upsert_all are one statement each and open no savepoint; they run no callbacks and no validations.';
const findOrCreate: Meaning = {
  read: { rows: 'one' },
  inside: [
    {
      since: { package: GEM, range: '>=7.1' },
      scope: { ...nested, onMiss: true, instead: AT_ONCE },
      inside: [insert],
    },
  ],
  returns: 'item',
};
/** `first || create`: what is there is left as it is. */
const firstOrCreate: Meaning = { read: { rows: 'one' }, inside: [{ either: [insert, {}] }], returns: 'item' };
/** The row that is there it locks, in the transaction around; one that is new it has written. */
const createOrFind: Meaning = {
  inside: [
    { scope: { ...nested, insertsFirst: true, instead: AT_ONCE }, write: { verb: 'insert', rows: 'one' } },
    { either: [{ since: { package: GEM, range: '>=7.1' }, rowLock: { strength: 'update' } }, reads('one')] },
  ],
  returns: 'item',
};

const lockVariations: Meaning['when'] = [
  { argument: 0, is: 'false', then: { rowLock: undefined } },
  { argument: 0, is: 'FOR UPDATE SKIP LOCKED', then: { rowLock: { strength: 'update', skipLocked: true } } },
  { argument: 0, is: 'FOR SHARE', then: { rowLock: { strength: 'share' } } },
  { argument: 0, is: 'FOR NO KEY UPDATE', then: { rowLock: { strength: 'no key update' } } },
  { argument: 0, is: 'FOR KEY SHARE', then: { rowLock: { strength: 'key share' } } },
];

const advisory: Meaning = {
  when: [
    { argument: 'transaction', is: 'true', then: { scope: { ...implicit, label: 'with_advisory_lock' } } },
  ],
};

const inTransaction: Meaning = {
  scope: { ...implicit, label: 'in_transaction' },
  when: [
    {
      argument: 'requires_new',
      is: 'true',
      then: { scope: { ...nested, label: 'in_transaction(requires_new: true)' } },
    },
  ],
};

const sql: Meaning = { sql: 0 };

const records: Record<string, Meaning> = {
  '#save': save,
  '#save!': save,
  '#update': update,
  '#update!': update,
  '#update_attributes': update,
  '#update_attributes!': update,
  '#update_attribute': updateOf,
  '#update_attribute!': updateOf,
  '#toggle!': updateOf,
  '#increment!': setting({ sets: 0 }),
  '#decrement!': setting({ sets: 0 }),
  // It runs the callbacks of touch alone.
  '#touch': { ...past('update', 'one'), calls: ['after_touch'], scope: implicit },
  '#destroy': destroy,
  '#destroy!': destroy,
  '#delete': past('delete', 'one'),
  '#update_column': setting({ sets: 0 }),
  '#update_columns': setting({ setsKeywords: true }),
  '#lock!': { rowLock: { strength: 'update' }, when: lockVariations, returns: 'self' },
  '#reload': {
    ...reads('one'),
    returns: 'self',
    when: [{ argument: 'lock', is: 'true', then: { rowLock: { strength: 'update' } } }],
  },
};

const byKey: Meaning['when'] = [{ argument: 0, then: { loops: undefined } }];

const relations: Record<string, Meaning> = {
  '.create': { ...insert, forEach: 0, returns: 'item' },
  '.create!': { ...insert, forEach: 0, returns: 'item' },
  '.<<': save,
  '.push': save,
  '.append': save,
  '.concat': save,
  '.first_or_create': firstOrCreate,
  '.first_or_create!': firstOrCreate,
  '.insert': past('insert', 'one', 'nothing'),
  '.insert!': past('insert', 'one'),
  '.insert_all': past('insert', 'many', 'nothing'),
  '.insert_all!': past('insert', 'many'),
  '.upsert': past('insert', 'one', 'update'),
  '.upsert_all': past('insert', 'many', 'update'),
  '.import': past('insert', 'many'),
  '.import!': past('insert', 'many'),
  '.update_all': {
    write: { verb: 'update', rows: 'many', setsKeywords: true, withoutCallbacks: true },
  },
  '.update_counters': past('update', 'many'),
  '.reset_counters': past('update', 'one'),
  '.increment_counter': past('update', 'one'),
  '.decrement_counter': past('update', 'one'),
  '.touch_all': past('update', 'many'),
  '.delete_all': past('delete', 'many'),
  '.delete_by': past('delete', 'many'),
  // Of a class it is one row, by its key; of a relation all of them, one after the other.
  '.update': { loops: 'rows', ...update, when: byKey },
  '.update!': { loops: 'rows', ...update, when: byKey },
  '.destroy': destroy,
  '.delete': past('delete', 'one'),
  '.destroy_all': { loops: 'rows', ...destroy },
  '.destroy_by': { loops: 'rows', ...destroy },
  '.create_or_find_by': createOrFind,
  '.create_or_find_by!': createOrFind,
  '.find_or_create_by': findOrCreate,
  '.find_or_create_by!': findOrCreate,
  '.lock': { rowLock: { strength: 'update' }, when: lockVariations, returns: 'self' },
  '.find': { ...reads('one'), returns: 'item' },
  '.find_by': { ...reads('one'), returns: 'item' },
  '.find_by!': { ...reads('one'), returns: 'item' },
  '.first': { ...reads('one'), returns: 'item' },
  '.first!': { ...reads('one'), returns: 'item' },
  '.last': { ...reads('one'), returns: 'item' },
  '.take': { ...reads('one'), returns: 'item' },
  '.pluck': reads('many'),
  '.count': reads('many'),
  '.exists?': reads('one'),
};

/** Telling names: nobody else calls a method so, whatever the receiver. */
const TELLING =
  '#save! #update! #destroy! #update_columns #update_column #update_attribute #lock! .create! .create_or_find_by ' +
  '.create_or_find_by! .find_or_create_by .find_or_create_by! .update_all .insert_all .insert_all! .upsert_all ' +
  '.delete_all .destroy_all .first_or_create .first_or_create!';
const all = { ...records, ...relations };
const telling = Object.fromEntries(TELLING.split(' ').map((name) => [name.slice(1), all[name]!]));

const giving = (mark: '.' | '#', names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [`${mark}${name}`, meaning]));

/** What a relation is asked through, with what Kaminari, Paranoia, Discard and Draper add to it. */
const chains: Record<string, Meaning> = {
  ...giving('.', 'where rewhere', { returns: 'self', picks: true }),
  // The same rows again, or some of them.
  ...giving(
    '.',
    'not all order reorder includes preload select distinct unscoped readonly with_deleted with_discarded',
    { returns: 'self' },
  ),
  // Others may be among them, or one of them several times.
  ...giving(
    '.',
    `limit offset eager_load joins left_joins left_outer_joins references group having unscope merge or and none from extending
    with in_order_of strict_loading find_each in_batches find_in_batches load records kept page find_by_sql async_find_by_sql`,
    { returns: 'items' },
  ),
  '.per': { returns: 'items', limits: 0 },
  '.paginate': { returns: 'items', limits: 'per_page' },
  ...giving('.', `last! take! second third sole find_sole_by first_or_initialize find_or_initialize_by`, {
    returns: 'item',
  }),
  ...giving('#', 'becomes unscoped decorate with_lock', { returns: 'self' }),
};

export default framework({
  name: 'activerecord',
  language: 'ruby',
  packages: [GEM],
  needles: [
    'transaction', 'savepoint', 'SAVEPOINT', 'requires_new', 'with_lock', '.lock', 'lock!', 'joinable', 'or_find_by', 'or_create_by',
    'before_save', 'after_save', 'before_create', 'after_create', 'before_update', 'after_update', 'before_destroy', 'after_destroy',
    'around_', 'Record', 'ActiveRecord::', 'execute', 'exec_', 'find_each', 'in_batches', 'add_foreign_key', 'foreign_key:',
  ], // biome-ignore format: words
  declaring: [
    'before_save', 'after_save', 'before_create', 'after_create', 'before_update', 'after_update', 'before_destroy', 'after_destroy',
    'around_', 'Record', 'ActiveRecord::', 'find_each', 'in_batches', 'add_foreign_key', 'foreign_key:',
  ], // biome-ignore format: words
  models: 'ActiveRecord::Base',
  declares: {
    many: 'has_many has_and_belongs_to_many',
    one: 'has_one',
    belongs: 'belongs_to',
    'with its own': 'accepts_nested_attributes_for',
    scope: 'scope',
    enum: 'enum',
    delegation: 'delegate',
    chained: 'alias_method_chain',
    shared: 'class_attribute cattr_accessor mattr_accessor thread_mattr_accessor',
    validation: 'validate',
    'callback by name': 'set_callback',
    connection: 'connects_to establish_connection',
    'usual connection': 'primary_abstract_class',
    'outside transaction': 'disable_ddl_transaction!',
    none: 'has_many_attached alias_attribute isolate_namespace',
  },
  callbacks: {
    save: { verbs: ['insert', 'update'] },
    create: { verbs: ['insert'] },
    update: { verbs: ['update'] },
    destroy: { verbs: ['delete'] },
    validation: { verbs: ['insert', 'update'], group: true },
    // No save runs it: `touch` calls it by its name.
    touch: { verbs: [] },
    commit: { verbs: ['insert', 'update', 'delete'], late: true },
    rollback: { verbs: ['insert', 'update', 'delete'], late: true },
    save_commit: { verbs: ['insert', 'update'], late: true },
    create_commit: { verbs: ['insert'], late: true },
    update_commit: { verbs: ['update'], late: true },
    destroy_commit: { verbs: ['delete'], late: true },
  },
  called: { Record: { is: 'model' }, '::Base': { is: 'model' } },
  reverts: ['down'],
  associates: { create: { does: 'create', of: 'one' } },
  texts: ['Arel.sql'],
  computes: {
    first: 'where rewhere not having update_all count sum average minimum maximum',
    all: 'select reselect order reorder group pluck',
    one: 'first first! last last! take take! second third find find_by find_by! sole pick exists? any? none? empty?',
  },
  // Rails' own.
  lasting: ['Rails.env', 'Rails.configuration.*', 'Rails.application.config.*'],
  early: ['ActiveRecord::RecordInvalid', 'ActiveRecord::RecordNotSaved', 'ActiveModel::ValidationError'],
  types: {
    'ActiveRecord::Base': { ...all, ...chains },
    // Who takes it in asks itself.
    AfterCommitEverywhere: { '#in_transaction': inTransaction, '.in_transaction': inTransaction },
  },
  apis: {
    'AfterCommitEverywhere.in_transaction': inTransaction,
    'Arel::Nodes::NamedFunction.new': { routine: 0 },
  },
  methods: {
    ...telling,
    transaction: {
      swallows: 'ActiveRecord::Rollback',
      scope: { ...implicit, label: 'transaction' },
      when: [
        {
          argument: 'requires_new',
          is: 'true',
          then: { scope: { ...nested, label: 'transaction(requires_new: true)' } },
        },
        // What stands in it does not join: every save and every transaction directly inside is a savepoint.
        { argument: 'joinable', is: 'false', then: { scope: { ...implicit, joinable: false } } },
      ],
    },
    with_lock: {
      swallows: 'ActiveRecord::Rollback',
      scope: { ...implicit, label: 'with_lock' },
      rowLock: { strength: 'update' },
      when: [
        {
          argument: 'requires_new',
          is: 'true',
          // Up to 6.1 the option was taken for the lock clause.
          then: {
            scope: { ...nested, label: 'with_lock(requires_new: true)' },
            since: { package: GEM, range: '>=7.0' },
          },
        },
        { argument: 'joinable', is: 'false', then: { scope: { ...implicit, joinable: false } } },
      ],
    },
    // Another shard is another database.
    connected_to: {
      when: [{ argument: 'shard', then: { scope: { opens: 'connection', whenNested: 'separate' } } }],
    },
    // What Rails' own connections call for every transaction.
    within_new_transaction: { scope: { ...nested, lazy: undefined, label: 'within_new_transaction' } },
    // The gem of that name; the lock is the transaction's.
    with_advisory_lock: advisory,
    'with_advisory_lock!': advisory,
    find_each: { loops: 'rows' },
    find_in_batches: { loops: 'rows', chunk: { of: 'batch_size', usual: 1000 } },
    in_batches: { loops: 'rows', chunk: { of: 'of', usual: 1000 } },
    each_record: { loops: 'rows' },
    create_savepoint: { flat: 'savepoint', name: 0 },
    release_savepoint: { flat: 'release', name: 0 },
    exec_rollback_to_savepoint: { flat: 'rollback to', name: 0 },
    rollback_to_savepoint: { flat: 'rollback to', name: 0 },
    begin_db_transaction: { flat: 'begin' },
    commit_db_transaction: { flat: 'commit' },
    rollback_db_transaction: { flat: 'rollback' },
    // On the connection's stack it is a savepoint where a transaction is open, joinable or not.
    begin_transaction: {
      flat: 'begin',
      spans: nested,
      when: [{ argument: 'joinable', is: 'false', then: { spans: { ...nested, joinable: false } } }],
    },
    commit_transaction: { flat: 'commit', endsSpan: true },
    rollback_transaction: { flat: 'rollback', endsSpan: true },
    'transaction_open?': { tellsOpen: true },
    // How many.
    open_transactions: { tellsOpen: true },
    execute: sql,
    exec_query: sql,
    exec_update: sql,
    exec_delete: sql,
    exec_insert: sql,
    internal_exec_query: sql,
    select_all: sql,
    select_one: sql,
    select_value: sql,
    select_values: sql,
    select_rows: sql,
    query_value: sql,
    query_values: sql,
    insert: sql,
    update: sql,
    delete: sql,
    find_by_sql: sql,
    async_find_by_sql: sql,
    async_count_by_sql: sql,
    count_by_sql: sql,
    // The pg gem, and mini_sql.
    exec: sql,
    exec_params: sql,
    async_exec: sql,
    async_exec_params: sql,
    query: sql,
    query_single: sql,
    query_hash: sql,
    after_commit: { elsewhere: true },
    after_all_transactions_commit: { elsewhere: true },
  },
  entries: {
    'ActiveRecord::Migration': 'migration',
    'ActiveSupport::TestCase': 'test',
  },
});
