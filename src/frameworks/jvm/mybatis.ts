// MyBatis: SQL in annotations and mappers; a session's transaction opens no savepoint.
import { framework, type Meaning } from '../../framework.ts';
import type { Verb } from '../../ir.ts';

const sql: Meaning = { sql: { position: 0, keyword: 'value' } };
const PATH = 'org.apache.ibatis.annotations';
/** Where nobody sees the statement, it is one of that kind; no argument tells of which table. */
const changes = (verb: Verb): Meaning => ({ mapped: 0, write: { verb, rows: 'unknown' }, of: 2 });
const session: Record<string, Meaning> = {
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
  close: { flat: 'rollback' },
  getMapper: { of: 0, returns: 'of' },
  getConnection: { returns: 'java.sql.Connection' },
  insert: changes('insert'), update: changes('update'), delete: changes('delete'),
  ...Object.fromEntries(
    ['select', 'selectOne', 'selectList', 'selectMap', 'selectCursor'].map((name) => [name, { mapped: 0 }]),
  ),
}; // biome-ignore format: one list
const SESSION = 'org.apache.ibatis.session.SqlSession';
const FACTORY = 'org.apache.ibatis.session.SqlSessionFactory';

export default framework({
  name: 'mybatis',
  language: 'jvm',
  packages: ['maven:org.mybatis:mybatis'],
  needles: ['org.apache.ibatis', '|SqlSession', '|getSqlSession|'],
  extended: ['org.mybatis.spring.support.SqlSessionDaoSupport'],
  speaks: ['org.apache.ibatis.', 'org.mybatis.'],
  apis: {
    [`${PATH}.Insert`]: sql,
    [`${PATH}.Update`]: sql,
    [`${PATH}.Delete`]: sql,
    [`${PATH}.Select`]: sql,
    // A method elsewhere puts the text together.
    [`${PATH}.InsertProvider`]: { write: { verb: 'insert', rows: 'unknown' } },
    [`${PATH}.UpdateProvider`]: { write: { verb: 'update', rows: 'unknown' } },
    [`${PATH}.DeleteProvider`]: { write: { verb: 'delete', rows: 'unknown' } },
  },
  types: {
    [SESSION]: session,
    'org.mybatis.spring.SqlSessionTemplate': session,
    'org.mybatis.spring.support.SqlSessionDaoSupport': { getSqlSession: { returns: SESSION } },
    'org.apache.ibatis.session.SqlSessionFactoryBuilder': { build: { returns: FACTORY } },
    [FACTORY]: {
      openSession: {
        flat: 'begin',
        returns: SESSION,
        when: [{ argument: 0, is: 'true', then: { flat: undefined } }],
      },
    },
  },
});
