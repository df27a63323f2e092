// The options of the command line and the help that lists them.
import { tool } from '../tool.ts';

export const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  rule: { type: 'string', multiple: true },
  stats: { type: 'boolean' },
  'no-cache': { type: 'boolean' },
  'cache-dir': { type: 'string' },
  'no-screen': { type: 'boolean' },
  // Editors add it to every server; it is the only way we speak.
  stdio: { type: 'boolean' },
} as const;

export interface Invocation {
  command: string;
  paths: string[];
  values: {
    format?: string;
    output?: string;
    rule?: string[];
    stats?: boolean;
    'no-cache'?: boolean;
    'cache-dir'?: string;
    'no-screen'?: boolean;
  };
  cwd: string;
}

export const usage =
  () => `${tool.name} ${tool.version}: finds PostgreSQL subtransactions and tells which of them hurt

  subxact [check] [PATH…]       what hurts, by what way it is reached, and what to write instead
  subxact inventory [PATH…]     every place that opens a subtransaction
  subxact explain RULE          a rule's page
  subxact explain FILE:LINE     what the analysis read there: steps, contexts, witnesses
  subxact rules                 the rules
  subxact lsp                   a language server for editors, on standard input and output

  -f, --format FORMAT           text, json
  -o, --output FILE             write there instead of printing
      --rule RULE               only this rule (may be repeated)
      --stats                   how much was read, and how many calls found their routine
      --no-cache                neither read nor write what earlier runs learnt
      --cache-dir FOLDER        where that is kept
      --no-screen               parse every file, also those that name nothing of interest
  -V, --version
  -h, --help

Without a PATH the current folder's repository is read. Exit code: 0 nothing found, 1 findings, 2 it could not run.
${tool.homepage}
`;
