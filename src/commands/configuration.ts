// Which configuration holds for a run.
import { resolve } from 'node:path';
import { rules } from '../../rules/index.ts';
import { ConfigError, type FoundConfig, findConfig } from '../project/config/config.ts';
import { isBelow } from '../project/config/settle.ts';
import { rootOf } from '../project/files/files.ts';
import { jsonText } from '../reporters/report.ts';
import { Mistake } from './mistake.ts';
import type { Values } from './options.ts';

export function configFor(paths: string[], values: Values, cwd: string): FoundConfig {
  const root = rootOf(paths, cwd);
  // Run from elsewhere, the tree that is read counts and not the place one stands in.
  const start = isBelow(root, cwd) ? cwd : root;
  const ids = rules.map(({ id }) => id);
  try {
    return withVersion(
      findConfig(start, root, ids, values.config && resolve(cwd, values.config)),
      values['postgres-version'],
    );
  } catch (error) {
    if (error instanceof ConfigError) throw new Mistake(error.message);
    throw error;
  }
}

/** The command line's word on the server's version goes before the configuration's. */
function withVersion(found: FoundConfig, asked: string | undefined): FoundConfig {
  if (asked === undefined) return found;
  const postgres = Number(asked);
  if (!/^(?:9|[1-9]\d)$/.test(asked))
    throw new Mistake(`--postgres-version must be a major version such as 16, not ${asked}`);
  return { ...found, config: { ...found.config, postgres } };
}

/** `--print-config`: what holds, and where it comes from. */
export function printConfig({ config, file }: FoundConfig): string {
  const levels = Object.fromEntries(rules.map(({ id, severity }) => [id, config.rules[id] ?? severity]));
  return `${jsonText({ from: file, ...config, rules: levels })}\n`;
}
