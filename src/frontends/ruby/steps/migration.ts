// Rails' migrations and schema.rb: tables, foreign keys and what their steps do. SQL in `execute` is embedded.ts's.
import type { ForeignKey, Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { RubyFile } from '../names/file.ts';
import { pluralize } from '../names/inflect.ts';
import { argumentsOf, literal, parts, spanOf, textOf, word } from '../syntax.ts';

/** The methods of migrations that change the schema; each is one statement. */
const DDL =
  /^(create_table|drop_table|rename_table|change_table|create_join_table|drop_join_table|add_column|add_columns|remove_column|remove_columns|rename_column|change_column|change_column_default|change_column_null|add_index|remove_index|rename_index|add_reference|add_belongs_to|remove_reference|remove_belongs_to|add_foreign_key|remove_foreign_key|add_timestamps|remove_timestamps|add_check_constraint|remove_check_constraint|enable_extension|disable_extension|validate_foreign_key|add_exclusion_constraint|add_unique_constraint)$/;

export const isDdl = (name: string): boolean => DDL.test(name);

const table = (file: RubyFile, node: Syntax | undefined): Name | null => {
  const name = node && (word(file, node) ?? literal(file, node));
  return name ? `sql:${name.replace(/^:/, '')}` : null;
};

/** The step of one such call; with `keeps` its tables and keys go to the unit. */
export function lowerDdl(file: RubyFile, node: Syntax, name: string, at: Syntax, keeps: boolean): Step {
  const args = argumentsOf(file, node);
  const relation = table(file, args.positional[0]);
  if (keeps && relation) {
    if (name === 'create_table')
      file.unit.relations.push({ name: relation, at: spanOf(args.positional[0]!), kind: 'table' });
    else if (name === 'drop_table')
      file.unit.changes.push({ at: spanOf(at), does: 'drop relation', name: relation });
    else if (name === 'rename_table') {
      const to = table(file, args.positional[1]);
      if (to) file.unit.changes.push({ at: spanOf(at), does: 'rename relation', name: relation, to });
    } else if (name === 'add_foreign_key') {
      const parent = table(file, args.positional[1]);
      const column = args.keywords.get('column');
      if (parent)
        addKey(file, { child: relation, parent, at: spanOf(at) }, column && word(file, column.value));
    } else if (name === 'add_reference' || name === 'add_belongs_to') reference(file, relation, args, at);
    if (args.block) columns(file, relation, args.block);
  }
  return { kind: 'write', at: spanOf(at), verb: 'ddl', relation, rows: 'unknown' };
}

/** `t.references :order, foreign_key: true`. */
function columns(file: RubyFile, relation: Name, block: Syntax): void {
  const stack = [...parts(child(block, 'body'))];
  for (let node = stack.shift(); node; node = stack.shift()) {
    if (node.type !== 'call') {
      stack.push(...node.children);
      continue;
    }
    const method = child(node, 'method');
    const name = method ? textOf(file, method) : '';
    if (!method) continue;
    if (/^(references|belongs_to)$/.test(name)) {
      const args = argumentsOf(file, node);
      for (const one of args.positional)
        reference(file, relation, { ...args, positional: [one, one] }, method);
    } else if (name === 'foreign_key') {
      const args = argumentsOf(file, node);
      const parent = table(file, args.positional[0]);
      if (parent) addKey(file, { child: relation, parent, at: spanOf(method) });
    }
  }
}

function reference(file: RubyFile, relation: Name, args: ReturnType<typeof argumentsOf>, at: Syntax): void {
  const key = args.keywords.get('foreign_key');
  const name = word(file, args.positional[1]);
  if (!key || !name) return;
  const given = literal(file, key.value);
  if (given === 'false' || given === 'nil') return;
  const to =
    key.value.type === 'hash'
      ? parts(key.value).find((pair) => /^:?to_table/.test(textOf(file, pair)))
      : undefined;
  const value = to && child(to, 'value');
  const parent = value ? table(file, value) : (`sql:${pluralize(name)}` as Name);
  if (parent) addKey(file, { child: relation, parent, at: spanOf(at) }, `${name}_id`);
}

function addKey(file: RubyFile, key: Omit<ForeignKey, 'columns'>, column?: string | null): void {
  file.unit.foreignKeys.push({ ...key, ...(column ? { columns: [column] } : {}) });
}

/** `db/migrate/20240102030405_add_orders.rb` is one of a series; so are those of engines, each folder its own. */
export function seriesOf(path: string): { name: string; position: string } | undefined {
  const match = /^(.*(?:\b|_)(?:migrate|migrations)\w*)\/(\d{3,})_\w+\.rb$/.exec(path);
  return match ? { name: match[1]!, position: match[2]! } : undefined;
}
