// Which command the arguments ask for, and what each exit code means: 0 clean, 1 findings, 2 it could not run.
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { printable } from '../reporters/report.ts';
import { tool } from '../tool.ts';
import { baseline } from './baseline.ts';
import { check } from './check.ts';
import { configFor, printConfig } from './configuration.ts';
import { explain } from './explain.ts';
import { facts } from './facts.ts';
import { init } from './init.ts';
import { lateFlags } from './late.ts';
import { Mistake } from './mistake.ts';
import { OPTIONS, TAKES, usage, type Values } from './options.ts';
import { print } from './outputs.ts';
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
    refuseNothing(values);
    if (values.help) return told(usage());
    if (values.version) return told(`${tool.name} ${tool.version}\n`);
    const named = positionals[0] !== undefined && Object.hasOwn(COMMANDS, positionals[0]);
    const command = (named ? positionals[0] : 'check') as Command;
    const rest = named ? positionals.slice(1) : positionals;
    if (values['print-config'])
      return told(printConfig(configFor(rest.length > 0 ? rest : ['.'], values, process.cwd())));
    refuseStrangers(command, Object.keys(values));
    if ((command === 'rules' || command === 'init') && rest.length > 0)
      throw new Mistake(`subxact ${command} takes no path (see subxact --help)`);
    if (command !== 'lsp') for (const flag of lateFlags()) setFlagsFromString(flag);
    return await COMMANDS[command]({ command, paths: rest, values, cwd: process.cwd() });
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    print(`subxact: ${printable(error.message)}\n`, 2);
    return 2;
  }
}

/** A script whose variable is empty did not mean what is done without the option. */
function refuseNothing(values: Values): void {
  for (const [option, value] of Object.entries(values))
    if (value === '') throw new Mistake(`--${option} is empty`);
}

function refuseStrangers(command: Command, options: string[]): void {
  const takes = (one: string, option: string) => (TAKES[one] as string[]).includes(option);
  const stranger = options.find((option) => !takes(command, option));
  if (stranger === undefined) return;
  const others = Object.keys(TAKES).filter((one) => one !== 'lsp' && takes(one, stranger));
  throw new Mistake(
    `subxact ${command} takes no --${stranger}${others.length > 0 ? `, which is for ${others.join(', ')}` : ''} (see subxact --help)`,
  );
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Mistake(`${(error as Error).message.split(/[.]? ?\n|\. To specify/)[0]} (see subxact --help)`);
  }
}

function told(text: string): number {
  print(text);
  return 0;
}
