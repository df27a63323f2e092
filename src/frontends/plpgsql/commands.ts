// What a condition asks of the rows of pg_event_trigger_ddl_commands(): which commands they can come from. Not of what was dropped.
import { identifier } from '../sql/text/lexer.ts';
import { type Context, names, word } from './context.ts';
import { each } from './survey.ts';

const FUNCTION = 'pg_event_trigger_ddl_commands';

/** Commands that make objects of any type by other commands. */
const AROUND = ['CREATE SCHEMA', 'CREATE EXTENSION', 'ALTER EXTENSION', 'IMPORT FOREIGN SCHEMA'];
const OF_TABLES = ['CREATE TABLE', 'ALTER TABLE'];

/** By type of object, which commands give a row of it besides those that say its name; measured on 15 and 18. */
const TYPES: Record<string, string[]> = {
  extension: [],
  schema: [],
  table: ['CREATE TABLE AS', 'SELECT INTO', ...OF_TABLES],
  view: OF_TABLES,
  'materialized view': ['REFRESH MATERIALIZED VIEW', ...OF_TABLES],
  'foreign table': OF_TABLES,
  index: ['REINDEX', ...OF_TABLES],
  sequence: OF_TABLES,
  function: ['ALTER ROUTINE'],
  procedure: ['ALTER ROUTINE', 'ALTER FUNCTION'],
  aggregate: ['ALTER ROUTINE', 'ALTER FUNCTION'],
  type: ['CREATE DOMAIN', 'ALTER DOMAIN'],
  trigger: [],
  rule: [],
  policy: [],
  publication: [],
};
const BESIDES_TABLES = new Set([...OF_TABLES, 'CREATE INDEX', 'CREATE SEQUENCE', 'ALTER SEQUENCE']);

/** `r.object_type`, `r.command_tag` of such a row: the column, and where it ends. */
export function columnOfCommand(c: Context, from: number): { column: string; next: number } | null {
  const column = word(c, from + 2);
  if (c.tokens[from + 1]?.text !== '.' || (column !== 'object_type' && column !== 'command_tag')) return null;
  const token = c.tokens[from]!;
  c.commands ??= commandRows(c);
  return token.kind === 'word' && c.commands.has(identifier(token)) ? { column, next: from + 3 } : null;
}

/** The variables that hold such a row and nothing else. */
function commandRows(c: Context): Set<string> {
  const found = new Set<string>();
  const others = new Set<string>();
  each(c.statements, (node) => {
    if (node.kind !== 'loop') return;
    const { over } = node;
    const reads =
      over.what === 'query' &&
      c.tokens.slice(over.query.from, over.query.to).some(({ text }) => text === FUNCTION);
    for (const name of names(c, node.targets)) (reads ? found : others).add(name);
  });
  for (const name of others) found.delete(name);
  return found;
}

/** The commands that can give a row with one of these texts in that column; null where any may. */
export function tagsOf(column: string, texts: string[]): string[] | null {
  if (column === 'command_tag')
    return [...texts, ...AROUND, ...(texts.some((one) => BESIDES_TABLES.has(one)) ? OF_TABLES : [])];
  if (!texts.every((one) => Object.hasOwn(TYPES, one))) return null;
  const own = texts.flatMap((one) => [`CREATE ${one.toUpperCase()}`, `ALTER ${one.toUpperCase()}`]);
  return [...own, ...texts.flatMap((one) => TYPES[one]!), ...AROUND, 'COMMENT', 'SECURITY LABEL'];
}
