// The options of the command line and the help that lists them.
import { tool } from '../tool.ts';

export const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  format: { type: 'string', short: 'f', multiple: true },
  output: { type: 'string', short: 'o' },
  rule: { type: 'string', multiple: true },
  config: { type: 'string', short: 'c' },
  'print-config': { type: 'boolean' },
  baseline: { type: 'string' },
  'no-baseline': { type: 'boolean' },
  prune: { type: 'boolean' },
  since: { type: 'string' },
  staged: { type: 'boolean' },
  changed: { type: 'boolean' },
  fix: { type: 'boolean' },
  diff: { type: 'boolean' },
  facts: { type: 'string', multiple: true },
  possible: { type: 'boolean' },
  'postgres-version': { type: 'string' },
  statistics: { type: 'boolean' },
  stats: { type: 'boolean' },
  threads: { type: 'string' },
  'no-cache': { type: 'boolean' },
  'cache-dir': { type: 'string' },
  'no-screen': { type: 'boolean' },
  // Editors add these to every server; standard input is the only way we speak, and its end is the client's.
  stdio: { type: 'boolean' },
  clientProcessId: { type: 'string' },
} as const;

type Option = keyof typeof OPTIONS;

const READING: Option[] = ['config', 'postgres-version', 'threads', 'no-cache', 'cache-dir', 'no-screen'];
const REPORTING: Option[] = ['format', 'output', 'possible', 'facts', 'statistics', 'stats', 'no-baseline'];
const CHANGE: Option[] = ['since', 'staged', 'changed'];

/** What each command asks for. An option that it would pass over in silence is a mistake of whoever wrote it. */
export const TAKES: Record<string, Option[]> = {
  check: [...READING, ...REPORTING, ...CHANGE, 'rule', 'baseline', 'fix', 'diff'],
  inventory: [...READING, ...REPORTING, ...CHANGE],
  baseline: [...READING, 'baseline', 'prune', 'possible'],
  explain: [...READING, 'baseline', 'no-baseline'],
  facts: [...READING, 'output'],
  init: [...READING],
  rules: [],
  // An editor's command line is hard to change, and it waits for no answer.
  lsp: Object.keys(OPTIONS) as Option[],
};

export type Values = {
  -readonly [Key in keyof typeof OPTIONS]?: (typeof OPTIONS)[Key] extends { type: 'boolean' }
    ? boolean
    : (typeof OPTIONS)[Key] extends { multiple: true }
      ? string[]
      : string;
};

export interface Invocation {
  command: string;
  paths: string[];
  values: Values;
  cwd: string;
}

export const usage =
  () => `${tool.name} ${tool.version}: finds PostgreSQL subtransactions and tells which of them hurt

  subxact [check] [PATH…]       what hurts, by what way it is reached, and what to write instead
  subxact inventory [PATH…]     every place that opens a subtransaction
  subxact baseline [PATH…]      write down what is found now; from then on only new findings fail
  subxact explain RULE          a rule's page
  subxact explain FILE:LINE     what the analysis read there: steps, contexts, witnesses
  subxact rules                 the rules
  subxact init                  write a commented configuration after a look at the repository
  subxact lsp                   a language server for editors, on standard input and output
  subxact facts [PATH…]         what these files say, for \`check --facts\`: to share work among processes

  -f, --format FORMAT[=FILE]    text, json, sarif, github, gitlab, junit, checkstyle, rdjson, gcc, markdown or html;
                                may be repeated, each with a file of its own
  -o, --output FILE             where the first format goes, instead of being printed
      --rule RULE               only this rule (may be repeated)
      --possible                also what is only possible: a name may mean something else on the way
      --postgres-version N      the server's major version, instead of the configured or found one
      --since REVISION          only what the branch changed since then; also --staged and --changed (not committed)
      --baseline FILE           instead of the configured one, or subxact-baseline.json; --no-baseline: none
      --prune                   with baseline: only take cured findings out
      --fix, --diff             make the safe changes, or show them
      --facts FILE              link what \`subxact facts\` wrote, instead of reading files (may be repeated)
  -c, --config FILE             instead of the nearest one above; --print-config shows what holds
      --statistics              findings by rule, and what was held back
      --stats                   how much was read, and how many calls found their routine
      --threads N               how many files are parsed at once
      --no-cache                neither read nor write what earlier runs learnt; --cache-dir FOLDER: where that is kept
      --no-screen               parse every file, also those that name nothing of interest
  -V, --version
  -h, --help

Without a PATH the current folder's repository is read. Exit code: 0 nothing found or only notes, 1 errors or warnings,
2 it could not run.
${tool.homepage}
`;
