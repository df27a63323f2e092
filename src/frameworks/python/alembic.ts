// Alembic: a migration runs in one transaction, and op.execute() takes SQL text; alembic_utils puts it together. Row S025.
import { framework, type Meaning, type Part } from '../../framework.ts';

const schema: Part = { keyword: 'schema', position: 0, quoted: true };
const signature: Part = { keyword: 'signature', position: 1, quoted: true };
const definition: Part = { keyword: 'definition', position: 2 };
const function_: Meaning = {
  text: {
    creates: ['CREATE OR REPLACE FUNCTION ', schema, '.', signature, ' ', definition, ';'],
    drops: ['DROP FUNCTION ', schema, '.', signature, ';'],
  },
};
const trigger: Meaning = {
  text: {
    creates: ['CREATE TRIGGER ', signature, ' ', definition, ';'],
    drops: ['DROP TRIGGER ', signature, ' ON ', { keyword: 'on_entity', position: 3 }, ';'],
  },
};
const view: Meaning = {
  text: {
    creates: ['CREATE OR REPLACE VIEW ', schema, '.', signature, ' AS ', definition, ';'],
    drops: ['DROP VIEW ', schema, '.', signature, ';'],
  },
};
const entity = { position: 0, keyword: 'entity' };

export default framework({
  name: 'alembic',
  language: 'python',
  packages: ['pypi:alembic'],
  folders: ['alembic'],
  needles: ['op.execute', 'op.get_bind', 'autocommit_block', 'alembic_utils'],
  apis: {
    'alembic.op.execute': { sql: { position: 0, keyword: 'sqltext' } },
    'alembic.op.create_entity': { sql: entity },
    'alembic.op.replace_entity': { sql: entity },
    'alembic.op.drop_entity': { sql: entity, only: 'drops' },
    'alembic_utils.pg_function.PGFunction': function_,
    'alembic_utils.pg_trigger.PGTrigger': trigger,
    'alembic_utils.pg_view.PGView': view,
    'alembic.op.get_bind': { returns: 'sqlalchemy.engine.Connection' },
    'alembic.op.get_context': { returns: 'alembic.runtime.migration.MigrationContext' },
  },
  types: {
    'alembic.runtime.migration.MigrationContext': {
      // It commits what is open, runs its block in autocommit and begins anew.
      autocommit_block: { flat: 'commit' },
      begin_transaction: {
        scope: { opens: 'transaction', whenNested: 'join', label: 'begin_transaction()' },
      },
    },
  },
});
