// `subxact rules`: the rules in a table.
import { rules } from '../../rules/index.ts';
import { print } from './outputs.ts';

export async function listRules(): Promise<number> {
  const width = Math.max(0, ...rules.map((rule) => rule.id.length));
  for (const rule of rules) print(`${rule.id.padEnd(width)}  ${rule.severity.padEnd(7)}  ${rule.summary}\n`);
  return 0;
}
