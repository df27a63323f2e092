// Drivers of other databases: what is asked of them never comes to PostgreSQL. They open nothing here.
import { framework, type Meaning } from '../../framework.ts';

const OTHER = 'another database';
const itself: Meaning = { returns: OTHER };
const gives = (names: string): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, itself]));

export default framework({
  name: 'other databases',
  language: 'python',
  packages: [],
  needles: [],
  apis: gives(
    'pymysql.connect MySQLdb.connect mysql.connector.connect aiomysql.connect aiomysql.create_pool asyncmy.connect mariadb.connect ' +
      'oracledb.connect oracledb.create_pool cx_Oracle.connect pymssql.connect pyodbc.connect duckdb.connect aiosqlite.connect apsw.Connection ' +
      'clickhouse_driver.connect snowflake.connector.connect',
  ),
  types: {
    [OTHER]: gives(
      '() begin begin_nested transaction connect connection cursor acquire session execute executemany execution_options raw_connection ' +
        'commit rollback savepoint atomic get_bind',
    ),
  },
  handles: [OTHER],
  another: OTHER,
});
