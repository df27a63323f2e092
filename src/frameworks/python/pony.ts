// Pony: db_session joins when nested, and opens no savepoint. Row S040.
import { framework } from '../../framework.ts';

export default framework({
  name: 'pony',
  language: 'python',
  packages: ['pypi:pony'],
  needles: ['db_session'],
  apis: {
    'pony.orm.db_session': { scope: { opens: 'transaction', whenNested: 'join', label: 'db_session' } },
    'pony.orm.commit': { flat: 'commit' },
    'pony.orm.rollback': { flat: 'rollback' },
    'pony.orm.Database': { returns: 'pony.orm.Database' },
  },
  types: { 'pony.orm.Database': { execute: { sql: 0 }, select: {}, commit: { flat: 'commit' } } },
  same: { 'pony.orm.core.db_session': 'pony.orm.db_session' },
});
