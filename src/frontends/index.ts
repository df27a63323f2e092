// One row for each front end: which files are its own and which words a file must have. Loads none of them.
import type { FrontendEntry } from './frontend.ts';
import { needles as jvmNeedles, ofTests as ofJvmTests } from './jvm/needles.ts';
import { needles as python } from './python/needles.ts';
import { ofTests as ofRubyTests, needles as rubyNeedles } from './ruby/needles.ts';
import { settings } from './settings/entries.ts';
import { withoutTemplate } from './settings/template.ts';

const ruby: FrontendEntry = {
  language: 'ruby',
  files: /^(?!gems\.rb$).*\.(?:rb|rake|ru|arb)$|^Rakefile$/i, // that lists packages
  needles: rubyNeedles,
  definers: ['def', 'class', 'module', 'alias'],
  load: () => import('./ruby/index.ts'),
};

const java: FrontendEntry = {
  language: 'java',
  files: /\.java$/i,
  needles: jvmNeedles,
  load: () => import('./java/index.ts'),
};

const kotlin: FrontendEntry = {
  language: 'kotlin',
  files: /(?<!\.gradle)\.kts?$/i,
  needles: jvmNeedles,
  load: () => import('./kotlin/index.ts'),
};

/** Where what is shipped stands apart, what is called like a test there is none. */
const apartFrom = (shipped: string) => new RegExp(`^(?!(?:.*/)?${shipped}/)`);

/** The first that knows a file reads it. */
export const frontends: FrontendEntry[] = [
  {
    language: 'python',
    files: /\.pyw?$/i,
    needles: python,
    ofFolder: '__init__.py',
    definers: ['def', 'class', 'type'],
    handsOnAll: 'import *',
    load: () => import('./python/index.ts'),
  },
  {
    language: 'sql',
    files:
      /(?:(?<!^\.env)\.(?:sql|psql|pgsql|ddl|plpgsql|pg|psqlrc|pgbench)(?:\.(?:in|tmpl|tpl|template|erb|j2|jinja2?|mustache|hbs|ejs|gotmpl|tt2?|m4|dist|sample))?|\.sql_in|^(?:\.|dot_)?psqlrc(?:[-.][\w.]+)?)$/i,
    // Read always: SQL is written in any case, and reading it costs little more than searching it.
    needles: [],
    load: () => import('./sql/index.ts'),
  },
  {
    language: 'settings',
    // In XML and YAML they are found by the settings' front end, whatever the file is called.
    files: /(?:changelog|changeset|liquibase)[^/]*\.json$/i,
    needles: ['databaseChangeLog'],
    load: () => import('./sql/tools/changelog.ts'),
  },
  {
    language: 'settings',
    files: /^(?:sqitch[^/]*\.(?:plan|conf)|metadata\.toml)$/i,
    needles: [],
    load: () => import('./sql/tools/plans.ts'),
  },
  { ...ruby, files: /_(?:spec|test)\.rb$/i, folders: apartFrom('app'), needles: ofRubyTests },
  ruby,
  {
    ...java,
    files: /(?:Tests?|IT|TestCase|Spec)\.java$/,
    folders: apartFrom('src/main'),
    needles: ofJvmTests,
  },
  java,
  {
    ...kotlin,
    files: /(?:Tests?|IT|TestCase|Spec)\.kt$/,
    folders: apartFrom('src/main'),
    needles: ofJvmTests,
  },
  kotlin,
  {
    language: 'sql',
    files: /(?<!\.d)\.[cm]?[jt]s$/i,
    folders: /migrat|procedure|trigger|plpgsql/i,
    needles: [],
    load: () => import('./javascript/index.ts'),
  },
  ...settings,
];

/** Names that only have such an ending belong to one front end, without a look at each one's pattern. */
const PLAIN: Record<string, FrontendEntry['language']> = {
  sql: 'sql',
  py: 'python',
  rb: 'ruby',
  java: 'java',
};

/** The front end that reads this file, by its base name and, where it asks for them, its folders. */
export function frontendFor(file: string): FrontendEntry | undefined {
  const base = file.slice(file.lastIndexOf('/') + 1);
  const folders = file.slice(0, -base.length);
  const ending = base.slice(base.lastIndexOf('.') + 1);
  const plainly = ending !== base && Object.hasOwn(PLAIN, ending) ? PLAIN[ending] : undefined;
  const reads = ({ files, folders: such }: FrontendEntry) =>
    files.test(base) && such?.test(folders) !== false;
  const own = frontends.find((one) => one.language === plainly && reads(one)) ?? frontends.find(reads);
  if (own) return own;
  // A template of a program is none; a template of a configuration has its words.
  const plain = withoutTemplate(base);
  return plain === base ? undefined : settings.find((entry) => entry.files.test(plain));
}
