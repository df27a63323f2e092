// Tortoise ORM: from 0.23 a transaction in a transaction is a savepoint. Rows S033–S035.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const since = { package: 'pypi:tortoise-orm', range: '>=0.23.0' };
const NESTED: ScopeMeaning = {
  opens: 'transaction',
  whenNested: 'savepoint',
  label: 'in_transaction()',
  releases: 'on success',
};
const on = { position: 0, keyword: 'connection_name' };
const nested = (label: string): Meaning => ({ scope: { ...NESTED, label }, on, since });
const MODEL = 'tortoise.models.Model';
const RELATION = 'tortoise.fields.relational.ManyToManyRelation';
const relates: Meaning = { mayWrite: true };
const insert: Meaning = { write: { verb: 'insert', rows: 'one', through: 'save' }, returns: 'item' };

const methods: Record<string, Meaning> = {
  get_or_create: {
    read: { rows: 'one' },
    scope: { ...NESTED, label: 'get_or_create()', onMiss: true },
    since,
    inside: [insert],
    returns: 'item',
  },
  update_or_create: {
    scope: { ...NESTED, label: 'update_or_create()' },
    since,
    inside: [{ rowLock: { strength: 'update' } }, { write: { verb: 'save', rows: 'one' } }],
    returns: 'item',
  },
  create: insert,
  bulk_create: { write: { verb: 'insert', rows: 'many', withoutCallbacks: true } },
  bulk_update: { write: { verb: 'update', rows: 'many', withoutCallbacks: true } },
  select_for_update: { rowLock: { strength: 'update' }, returns: 'self' },
};

export default framework({
  name: 'tortoise',
  language: 'python',
  packages: ['pypi:tortoise-orm'],
  needles: ['in_transaction', 'tortoise', 'get_or_create|', 'update_or_create|'],
  apis: {
    'tortoise.transactions.in_transaction': nested('in_transaction()'),
    'tortoise.transactions.atomic': nested('atomic()'),
    'tortoise.fields.ForeignKeyField': { related: 0 },
    'tortoise.fields.ManyToManyField': { returns: RELATION },
  },
  types: {
    [RELATION]: { add: relates, remove: relates, clear: relates },
    [MODEL]: {
      ...methods,
      save: { write: { verb: 'save', rows: 'one' } },
      delete: { write: { verb: 'delete', rows: 'one' } },
    },
  },
  same: {
    'tortoise.Model': MODEL,
    'tortoise.fields.ManyToManyRelation': RELATION,
  },
  tables: { [MODEL]: { attribute: 'Meta.table', otherwise: 'lower case' } },
});
