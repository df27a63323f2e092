// Which columns of the server's catalogs leave few rows where a query gives their value, and which of its functions give few. Not what a catalog has in a database.
import type { Name } from '../../../ir.ts';

/** What one relation, type or schema has of columns, constraints, indexes and the like; not its partitions, nor what depends on it. */
const FEW = new Map(
  Object.entries({
    pg_attrdef: 'oid adrelid', pg_attribute: 'attrelid', pg_class: 'oid relname', pg_constraint: 'oid conname conrelid',
    pg_enum: 'oid enumtypid', pg_extension: 'oid extname', pg_index: 'indexrelid indrelid', pg_indexes: 'tablename indexname',
    pg_matviews: 'matviewname', pg_namespace: 'oid nspname', pg_policies: 'tablename', pg_policy: 'oid polrelid', pg_proc: 'oid proname',
    pg_roles: 'oid rolname', pg_rewrite: 'oid ev_class', pg_rules: 'tablename', pg_sequences: 'sequencename', pg_stats: 'tablename',
    pg_tables: 'tablename', pg_trigger: 'oid tgname tgrelid', pg_type: 'oid typname typrelid', pg_views: 'viewname',
    'information_schema.columns': 'table_name', 'information_schema.constraint_column_usage': 'table_name constraint_name',
    'information_schema.key_column_usage': 'table_name constraint_name', 'information_schema.referential_constraints': 'constraint_name',
    'information_schema.routines': 'routine_name', 'information_schema.sequences': 'sequence_name',
    'information_schema.table_constraints': 'table_name constraint_name', 'information_schema.tables': 'table_name',
    'information_schema.triggers': 'event_object_table trigger_name', 'information_schema.views': 'table_name',
  }).map(([catalog, columns]) => [catalog, columns.split(' ')]),
); // biome-ignore format: a table

/** What event triggers ask for: one command defines few objects, and what it drops may be all of a schema but for these. */
const COMMANDS = 'sql:pg_event_trigger_ddl_commands';
const DROPPED = 'sql:pg_event_trigger_dropped_objects';
const SCARCE =
  /^object_type='(?:database|event trigger|extension|foreign-data wrapper|language|publication|role|schema|server|subscription)'$/;

/** The function as what a query reads, if its rows may be few. */
export const asCatalog = (name: string): Name | null =>
  ([COMMANDS, DROPPED].find((one) => one === `sql:${name}`) as Name | undefined) ?? null;

/** Whether a function gives few rows where a query picks them by these keys. */
export const givesFew = (catalog: Name | null | undefined, keys: string[]): boolean =>
  catalog === COMMANDS || (catalog === DROPPED && keys.some((key) => SCARCE.test(key)));

export const leavesFew = (column: string, relation: Name): boolean =>
  FEW.get(relation.replace(/^sql:(?:pg_catalog\.)?/, ''))?.includes(column) === true;
