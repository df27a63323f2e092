// MyBatis: SQL in annotations and mappers; a session's transaction opens no savepoint.
import { framework, type Meaning } from '../framework.ts';

const sql: Meaning = { sql: { position: 0, keyword: 'value' } };
const PATH = 'org.apache.ibatis.annotations';
const session: Record<string, Meaning> = {
  commit: { flat: 'commit' },
  rollback: { flat: 'rollback' },
  getMapper: { of: 0, returns: 'of' },
  getConnection: { returns: 'java.sql.Connection' },
};

export default framework({
  name: 'mybatis',
  language: 'jvm',
  packages: ['maven:org.mybatis:mybatis'],
  needles: ['org.apache.ibatis', '|SqlSession', '|getSqlSession|'],
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
    'org.apache.ibatis.session.SqlSession': session,
    'org.mybatis.spring.SqlSessionTemplate': session,
    'org.apache.ibatis.session.SqlSessionFactory': {
      openSession: { returns: 'org.apache.ibatis.session.SqlSession' },
    },
  },
});
