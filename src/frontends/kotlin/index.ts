// The front end for Kotlin: parses, reads, lowers.
import type { Unit } from '../../ir.ts';
import type { Frontend } from '../frontend.ts';
import { lowerFile } from '../jvm/lower.ts';
import { type Grammar, loadGrammar } from '../treesitter.ts';
import { LEAVES, readKotlin } from './read.ts';

export async function load(): Promise<Frontend> {
  const grammar = await loadGrammar('kotlin', LEAVES);
  return { lower: (file, text) => lower(grammar, file, text) };
}

function lower(grammar: Grammar, file: string, text: string): Unit {
  const { root, cut, broken } = grammar.parse(onOneLine(text));
  const unit = lowerFile(file, text, 'kotlin', readKotlin(root, text));
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  if (broken) {
    unit.broken = true;
    // The text may be right: the grammar does not know all of Kotlin.
    unit.problems.push({ message: 'a part was not understood', partial: true });
  }
  return unit;
}

const APART =
  /\bclass\s+\w+(?:<[^{}()]*?>)?\s*\n\s*(?:@[\w.]+(?:\([^()]*\))?\s+)*(?:(?:private|protected|internal|public)\s+)?constructor\b/g;

/** The grammar loses a class, and more around it, whose constructor begins on another line than its name. Places stay. */
const onOneLine = (text: string) =>
  text.includes('constructor') ? text.replace(APART, (head) => head.replace(/[\r\n]/g, ' ')) : text;
