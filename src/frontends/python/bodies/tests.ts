// Tests in which no word says that anything is opened. It says nothing of files, which the screen chooses.
import { placesOf, standsIn } from '../../needles.ts';
import type { Syntax } from '../../syntax.ts';
import { kept, type Place } from '../names/scope.ts';
import { needles } from '../needles.ts';

const opening = kept(({ file }) => placesOf(needles, file.text));

/** What runs tests runs each by its name, and nobody else asks for it: its body is not lowered. */
export function opensNothing(place: Place, name: string, decorators: Syntax[], node: Syntax): boolean {
  if (!name.startsWith('test')) return false;
  const { start } = decorators[0] ?? node;
  return !standsIn(opening(place, place.file.root), { start, end: node.end });
}
