// Odoo: the cursor's savepoint() is released either way. Row S044.
import { framework } from '../framework.ts';

const CURSOR = 'odoo.sql_db.Cursor';
const REGISTRY = 'odoo.registry';

export default framework({
  name: 'odoo',
  language: 'python',
  packages: ['pypi:odoo'],
  needles: ['.savepoint(', 'cr.execute'],
  types: {
    // A cursor of its own has a connection of its own.
    [REGISTRY]: { cursor: { connects: true, returns: CURSOR } },
    [CURSOR]: {
      savepoint: { scope: { opens: 'subtransaction', whenNested: 'savepoint', label: 'cr.savepoint()' } },
      execute: { sql: 0 },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback' },
    },
  },
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
  methods: {
    create: { write: { verb: 'insert', rows: 'unknown' } },
    write: { write: { verb: 'update', rows: 'unknown' } },
    unlink: { write: { verb: 'delete', rows: 'unknown' } },
  },
  entries: { 'odoo.http.route': 'request', 'odoo.tests.*': 'test', 'odoo.tests.common.*': 'test' },
});
