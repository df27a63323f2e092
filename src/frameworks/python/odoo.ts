// Odoo: the cursor's savepoint() is released either way. Row S044.
import { framework, type Meaning, type ScopeMeaning } from '../../framework.ts';

const CURSOR = 'odoo.sql_db.Cursor';
const REGISTRY = 'odoo.registry';
const RECORDS = 'odoo.models.BaseModel';

const SAVEPOINT: ScopeMeaning = {
  opens: 'subtransaction',
  whenNested: 'savepoint',
  label: 'cr.savepoint()',
  begun: true,
};

/** An attribute that is declared with it holds records, and their methods are of another addon as often as not. */
const relation: Meaning = { returns: RECORDS };
const written: Record<string, Meaning> = {
  create: { write: { verb: 'insert', rows: 'unknown' } },
  write: { write: { verb: 'update', rows: 'unknown' } },
  unlink: { write: { verb: 'delete', rows: 'unknown' } },
};
/** They give records of the same model, and change none. */
const chained = Object.fromEntries(
  'exists sudo with_company with_context with_env with_user'
    .split(' ')
    .map((name): [string, Meaning] => [name, { returns: 'self' }]),
);
const search: Meaning = { returns: 'self', limits: 'limit' };
/** What they are handed runs once for each record. */
const each: Meaning = { loops: 'items', runs: 0, gives: ['item'] };

export default framework({
  name: 'odoo',
  language: 'python',
  packages: ['pypi:odoo'],
  folders: ['odoo', 'openerp'],
  needles: ['.savepoint(', 'cr.execute'],
  apis: {
    'odoo.fields.Many2one': relation,
    'odoo.fields.One2many': relation,
    'odoo.fields.Many2many': relation,
  },
  handles: ['odoo.sql_db.Cursor'],
  types: {
    // A cursor of its own has a connection of its own.
    [REGISTRY]: { cursor: { connects: true, returns: CURSOR } },
    [CURSOR]: {
      savepoint: {
        scope: { ...SAVEPOINT, flushes: 'flush' },
        when: [{ argument: { position: 0, keyword: 'flush' }, is: 'False', then: { scope: SAVEPOINT } }],
      },
      execute: { sql: 0, textOnly: true },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
    [RECORDS]: {
      ...written,
      ...chained,
      browse: { returns: 'self', asMany: 0 },
      search,
      ensure_one: {},
      filtered: { ...each, returns: 'self' },
      sorted: { ...each, returns: 'self' },
      mapped: each,
      read: {},
      search_count: {},
      '[]': { returns: 'self' },
      '*': {},
    },
  },
  bases: Object.fromEntries(
    ['Model', 'TransientModel', 'AbstractModel'].map((name) => [`odoo.models.${name}`, [RECORDS]]),
  ),
  same: { 'openerp.sql_db.Cursor': CURSOR, 'odoo.modules.registry.Registry': REGISTRY },
  // Nothing else has a cursor of this name on an environment, so these hold without an import.
  receivers: {
    'env.registry': REGISTRY,
    pool: REGISTRY,
    registry: REGISTRY,
    cr: CURSOR,
    _cr: CURSOR,
    'env.cr': CURSOR,
    'self._cr': CURSOR,
    'self.cr': CURSOR,
  },
  // A record set's own methods, in files that import Odoo.
  methods: written,
  entries: { 'odoo.http.route': 'request', 'odoo.tests.*': 'test', 'odoo.tests.common.*': 'test' },
});
