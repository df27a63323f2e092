// The `transaction` package: its savepoint() becomes one in PostgreSQL when a session is joined to it. Row S026.
import { framework } from '../../framework.ts';

const SAVEPOINT = 'transaction.interfaces.ISavepoint';

export default framework({
  name: 'zope',
  language: 'python',
  packages: ['pypi:transaction', 'pypi:zope.sqlalchemy'],
  needles: ['transaction.savepoint', 'zope.sqlalchemy', 'transaction.manager'],
  apis: {
    'transaction.savepoint': { flat: 'savepoint', returns: SAVEPOINT },
    'transaction.begin': { flat: 'begin' },
    'transaction.commit': { flat: 'commit' },
    'transaction.abort': { flat: 'rollback' },
    'transaction.manager': {
      scope: { opens: 'transaction', whenNested: 'join', label: 'transaction.manager' },
    },
  },
  types: { [SAVEPOINT]: { rollback: { flat: 'rollback to' } } },
});
