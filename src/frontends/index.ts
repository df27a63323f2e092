// One row for each front end: which files are its own and which words a file must have. Loads none of them.
import type { FrontendEntry } from './frontend.ts';
import { needles as python } from './python/knowledge.ts';

export const frontends: FrontendEntry[] = [
  {
    language: 'python',
    files: /\.pyw?$/i,
    needles: python,
    load: async () => (await import('./python/index.ts')).load(),
  },
  {
    language: 'sql',
    files:
      /(?:\.(?:sql|psql|pgsql|ddl|plpgsql|psqlrc|pgbench)(?:\.(?:in|tmpl|tpl|erb|j2|jinja2?))?|\.sql_in|^\.?psqlrc)$/i,
    needles: [],
    load: () => import('./sql/index.ts'),
  },
  {
    language: 'ruby',
    files: /(?:\.(?:rb|rake|ru|arb)|^Rakefile)$/i,
    needles: [
      'transaction', 'savepoint', 'SAVEPOINT', 'requires_new', 'with_lock', '.lock', 'lock!', 'for_update', 'joinable',
      'or_find_by', 'or_create_by', 'before_save', 'after_save', 'before_create', 'after_create', 'before_update',
      'after_update', 'before_destroy', 'after_destroy', 'around_', 'Record', 'ActiveRecord::', 'Sequel', 'execute',
      'exec_', 'find_each', 'in_batches', 'add_foreign_key', 'foreign_key:', 'event_store', 'EventStore', 'perform_later',
    ], // biome-ignore format: words
    load: async () => (await import('./ruby/index.ts')).load(),
  },
];

/** The front end that reads this file, by its base name. */
export function frontendFor(file: string): FrontendEntry | undefined {
  const base = file.slice(file.lastIndexOf('/') + 1);
  return frontends.find((entry) => entry.files.test(base));
}
