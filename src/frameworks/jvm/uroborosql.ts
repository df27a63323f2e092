// uroboroSQL: transactions and savepoints of its agent. An agent speaks to one database; requiresNew() takes another connection.
import { framework, type Meaning } from '../../framework.ts';

const opens = (whenNested: 'join' | 'separate'): Meaning => ({ scope: { opens: 'transaction', whenNested } });
/** Its text; the files that `update` and its kin name stand in the program's resources. */
const text: Meaning = { sql: 0, textOnly: true, returns: 'jp.co.future.uroborosql.fluent.SqlFluent' };
const made = (verb: 'insert' | 'update' | 'delete'): Meaning => ({ write: { verb, rows: 'one' }, of: 0 });

export default framework({
  name: 'uroborosql',
  language: 'jvm',
  packages: ['maven:jp.co.future:uroborosql'],
  needles: ['uroborosql'],
  types: {
    'jp.co.future.uroborosql.SqlAgent': {
      required: opens('join'),
      requiresNew: opens('separate'),
      notSupported: opens('separate'),
      savepointScope: { scope: { opens: 'subtransaction', whenNested: 'savepoint', releases: 'always' } },
      setSavepoint: { flat: 'savepoint', name: 0 },
      releaseSavepoint: { flat: 'release', name: 0 },
      commit: { flat: 'commit' },
      rollback: { flat: 'rollback', name: 0, when: [{ argument: 0, then: { flat: 'rollback to' } }] },
      updateWith: text,
      batchWith: text,
      procWith: text,
      queryWith: text,
      update: { mayWrite: true },
      batch: { mayWrite: true },
      proc: { mayWrite: true },
      insert: made('insert'),
      inserts: { write: { verb: 'insert', rows: 'many' } },
      delete: made('delete'),
    },
    'jp.co.future.uroborosql.fluent.SqlFluent': {
      param: { returns: 'self' },
      count: {},
      collect: {},
      stream: {},
      call: {},
    },
    'jp.co.future.uroborosql.config.SqlConfig': { agent: { returns: 'jp.co.future.uroborosql.SqlAgent' } },
  },
  same: {
    'jp.co.future.uroborosql.SqlAgentImpl': 'jp.co.future.uroborosql.SqlAgent',
    'jp.co.future.uroborosql.tx.TransactionManager': 'jp.co.future.uroborosql.SqlAgent',
    'jp.co.future.uroborosql.tx.LocalTransactionManager': 'jp.co.future.uroborosql.SqlAgent',
  },
});
