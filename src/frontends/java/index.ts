// The front end for Java: parses, reads, lowers.
import type { Frontend } from '../frontend.ts';
import { lowerFile } from '../jvm/lower.ts';
import { loadGrammar } from '../treesitter.ts';
import { LEAVES, readJava } from './read.ts';

const grammar = await loadGrammar('java', LEAVES);

export const lower: Frontend['lower'] = (file, text) => {
  const { root, cut } = grammar.parse(text);
  const unit = lowerFile(file, text, 'java', readJava(root, text));
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  return unit;
};
