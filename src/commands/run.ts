// Which command the arguments ask for, and what each exit code means: 0 clean, 1 findings, 2 it could not run.
import { parseArgs } from 'node:util';
import { tool } from '../tool.ts';
import { baseline } from './baseline.ts';
import { check } from './check.ts';
import { configFor, printConfig } from './configuration.ts';
import { explain } from './explain.ts';
import { facts } from './facts.ts';
import { init } from './init.ts';
import { Mistake } from './mistake.ts';
import { OPTIONS, usage } from './options.ts';
import { listRules } from './rules.ts';

const COMMANDS = {
  check,
  explain,
  rules: listRules,
  inventory: check,
  baseline,
  facts,
  init,
  // Loaded when asked for: no other command waits for the protocol's code.
  lsp: async () => (await import('./lsp.ts')).lsp(),
} as const;
type Command = keyof typeof COMMANDS;

export async function run(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help) return print(usage());
    if (values.version) return print(`${tool.name} ${tool.version}\n`);
    const named = positionals[0] !== undefined && Object.hasOwn(COMMANDS, positionals[0]);
    const command = (named ? positionals[0] : 'check') as Command;
    if (values['print-config']) return print(printConfig(configFor(['.'], values, process.cwd())));
    const rest = named ? positionals.slice(1) : positionals;
    return await COMMANDS[command]({ command, paths: rest, values, cwd: process.cwd() });
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    process.stderr.write(`subxact: ${error.message}\n`);
    return 2;
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Mistake(`${(error as Error).message.split('. To specify')[0]} (see subxact --help)`);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
