// Examples of tests in which no word says that anything is opened. It says nothing of files, which the screen chooses.
import { placesOf, standsIn } from '../../needles.ts';
import type { Syntax } from '../../syntax.ts';
import type { RubyFile } from '../names/file.ts';
import { ofTests } from '../needles.ts';

/** Each runs by itself, and leaves nothing to the others. */
const EXAMPLE = /^(?:it|specify|example|scenario|test|describe|context|feature)$/;

/** Nobody else asks for it, so that it is not lowered. */
export function opensNothing(file: RubyFile, method: string, block: Syntax): boolean {
  if (file.unit.role !== 'test' || !EXAMPLE.test(method)) return false;
  file.opening ??= placesOf(ofTests, file.text);
  return !standsIn(file.opening, block);
}
