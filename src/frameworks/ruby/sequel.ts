// Sequel, and ROM which hands its options on to Sequel: savepoints are asked for by option. Not ActiveRecord.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';
import type { LockStrength } from '../../ir.ts';

/** Sent at once, even around nothing; a failure rolls back to it and keeps the level. */
const nested: ScopeMeaning = { opens: 'transaction', whenNested: 'savepoint', releases: 'on success' };
const joined: ScopeMeaning = { opens: 'transaction', whenNested: 'join' };

const ROLLBACK = 'Sequel::Rollback';

const one = (verb: 'insert' | 'update' | 'delete'): Meaning => ({
  scope: joined,
  write: { verb, rows: 'one', ...(verb === 'update' && { setsKeywords: true }) },
});
const past = (verb: 'insert' | 'update' | 'delete', rows: 'one' | 'many'): Meaning => ({
  write: { verb, rows, withoutCallbacks: true, ...(verb === 'update' && { setsKeywords: true }) },
});
const save: Meaning = {
  scope: joined,
  write: { verb: 'save', rows: 'one' },
};

const lock = (strength: LockStrength): Meaning => ({ rowLock: { strength }, returns: 'self' });
const locks: Record<string, Meaning> = {
  for_update: lock('update'),
  for_no_key_update: lock('no key update'),
  for_share: lock('share'),
  for_key_share: lock('key share'),
};

const onClass = (methods: Record<string, Meaning>): Record<string, Meaning> =>
  Object.fromEntries(Object.entries(methods).map(([name, meaning]) => [`.${name}`, meaning]));

/** What is asked of the rows of a table, and of those of a model. */
const rows = onClass({
  insert: past('insert', 'one'),
  multi_insert: past('insert', 'many'),
  import: past('insert', 'many'),
  update: past('update', 'many'),
  delete: past('delete', 'many'),
  truncate: { write: { verb: 'truncate', rows: 'many' } },
  merge: { write: { verb: 'merge', rows: 'many', withoutCallbacks: true } },
});

/** The same rows, or some of them; `exclude` says which are none. */
const chains = onClass({
  where: { returns: 'self', picks: true },
  filter: { returns: 'self', picks: true },
  exclude: { returns: 'items' },
  insert_conflict: {
    alters: { onConflict: 'nothing' },
    when: [{ argument: 'update', then: { alters: { onConflict: 'update' } } }],
    returns: 'self',
  },
  insert_ignore: { alters: { onConflict: 'nothing' }, returns: 'self' },
  dataset: { returns: 'items' },
  use_cursor: { returns: 'items' },
  // Without a block it gives them as a list.
  all: { loops: 'rows', returns: 'items' },
  where_all: { loops: 'rows', returns: 'items' },
  where_each: { loops: 'rows' },
  with_pk: { returns: 'item' },
  'with_pk!': { returns: 'item' },
});

export default framework({
  name: 'sequel',
  language: 'ruby',
  packages: ['gem:sequel'],
  needles: ['savepoint', 'Sequel', 'transaction', 'for_update', 'table_exists?'],
  declaring: ['Sequel'],
  types: {
    // `DB[:orders]`.
    'Sequel::Dataset': {
      ...onClass(locks),
      ...chains,
      ...rows,
    },
    'Sequel::Model': {
      '#save': save,
      '#save_changes': save,
      '#set': { returns: 'self' },
      '#set_fields': { returns: 'self' },
      '#refresh': { returns: 'self' },
      '#reload': { returns: 'self' },
      '#update': one('update'),
      '#delete': past('delete', 'one'),
      '#destroy': one('delete'),
      '#lock!': { rowLock: { strength: 'update' }, returns: 'self' },
      ...onClass(locks),
      ...chains,
      '.create': { ...one('insert'), returns: 'item' },
      // What is there is left as it is.
      '.find_or_create': {
        read: { rows: 'one' },
        inside: [{ either: [one('insert'), {}] }],
        returns: 'item',
      },
      '.update_or_create': { ...save, returns: 'item' },
      // `add_line` of an association: it makes the row, or points one that is there to this.
      '.<<': save,
      ...rows,
      // All of them, each with its hooks.
      '.destroy': { loops: 'rows', ...one('delete') },
    },
  },
  database: {
    called: ['DB', 'db', '@db', 'database', '@database', 'self.class.db', 'Sequel::Model.db'],
    types: ['Sequel::Database', 'Sequel::Migration'],
    rows: 'Sequel::Dataset',
    by: ['from'],
    of: 'db',
  },
  migrations: {
    'Sequel.migration': { ways: ['up', 'down', 'change'], self: 'Sequel::Database', apart: 'no_transaction' },
  },
  reverts: ['down'],
  entries: { 'Sequel::Migration': 'migration' },
  models: 'Sequel::Model',
  declares: { query: 'many_to_one one_to_many one_to_one many_to_many' },
  associates: { add: { does: '<<', of: 'many' } },
  texts: ['Sequel.lit'],
  computes: {
    values:
      'where filter exclude having select select_append select_map select_more order order_append group update',
    one: 'first first! last get single_value with_pk with_pk! empty?',
  },
  makes: { Model: 'Sequel::Model' },
  hooked: ['Sequel::Model'],
  apis: { 'Sequel.function': { routine: 0 } },
  methods: {
    transaction: {
      swallows: ROLLBACK,
      scope: { ...joined, label: 'transaction' },
      when: [
        {
          argument: 'savepoint',
          is: 'true',
          then: { scope: { ...nested, label: 'transaction(savepoint: true)' } },
        },
        {
          argument: 'savepoint',
          is: ':only',
          then: { scope: { ...nested, beginsNone: true, label: 'transaction(savepoint: :only)' } },
        },
        {
          argument: 'savepoint',
          is: 'false',
          then: { scope: { ...joined, joinsAny: true, label: 'transaction(savepoint: false)' } },
        },
        // A part of a transaction cannot be rolled back otherwise.
        {
          argument: 'rollback',
          is: ':always',
          then: {
            scope: { ...nested, label: 'transaction(rollback: :always)' },
            swallows: ROLLBACK,
            undone: true,
          },
        },
        // What stands in it opens a savepoint, unless it says `savepoint: false`.
        { argument: 'auto_savepoint', is: 'true', then: { scope: { ...joined, joinable: false } } },
        // On a connection of its own, whatever else it says.
        { argument: 'server', then: { scope: { opens: 'transaction', whenNested: 'separate' } } },
      ],
    },
    ...locks,
    'in_transaction?': { tellsOpen: true },
    // It asks by selecting from the table, under a savepoint.
    'table_exists?': { scope: { ...nested, label: 'table_exists?' } },
    // Through a cursor, which needs a transaction.
    paged_each: { loops: 'rows', around: { ...joined, label: 'paged_each' } },
    run: { sql: 0 },
    fetch: { sql: 0 },
    execute_ddl: { sql: 0 },
    execute_dui: { sql: 0 },
  },
});
