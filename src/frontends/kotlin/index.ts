// The front end for Kotlin: parses, reads, lowers.
import type { Frontend } from '../frontend.ts';
import { lowerFile } from '../jvm/lower.ts';
import { loadGrammar } from '../treesitter.ts';
import { LEAVES, readKotlin } from './read.ts';

const grammar = await loadGrammar('kotlin', LEAVES);

export const lower: Frontend['lower'] = (file, text) => {
  const { root, cut } = grammar.parse(text);
  const unit = lowerFile(file, text, 'kotlin', readKotlin(root, text));
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  return unit;
};
