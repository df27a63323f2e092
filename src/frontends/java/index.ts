// The front end for Java: parses, reads, lowers.
import type { Unit } from '../../ir.ts';
import type { Frontend } from '../frontend.ts';
import { lowerFile } from '../jvm/lower.ts';
import { type Grammar, loadGrammar } from '../treesitter.ts';
import { LEAVES, readJava } from './read.ts';

export async function load(): Promise<Frontend> {
  const grammar = await loadGrammar('java', LEAVES);
  return { lower: (file, text) => lower(grammar, file, text) };
}

function lower(grammar: Grammar, file: string, text: string): Unit {
  const { root, cut, broken } = grammar.parse(text);
  const unit = lowerFile(file, text, 'java', readJava(root, text));
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  if (broken) unit.broken = true;
  return unit;
}
