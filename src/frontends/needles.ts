// Words by which files matter: which of them say more than what others use, and where they stand in a text. It lists none itself.
import type { Framework } from '../framework.ts';
import type { Span } from '../ir.ts';

export function openingAlone(words: readonly string[], tables: readonly Framework[]): string[] {
  const declaring = new Set(tables.flatMap((table) => table.declaring ?? []));
  return words.filter((word) => !declaring.has(word));
}

/** Where each of them begins in the text, in order; a `|` is where a word begins or ends. */
export function placesOf(words: readonly string[], text: string): number[] {
  const patterns = words.map((word) => {
    const written = word.replace(/^\||\|$/g, '').replace(/\W/g, '\\$&');
    return `${word.startsWith('|') ? '(?<![\\w$])' : ''}${written}${word.endsWith('|') ? '(?![\\w$])' : ''}`;
  });
  return Array.from(text.matchAll(new RegExp(patterns.join('|'), 'g')), ({ index }) => index);
}

/** Whether one of these places stands there: they are in order, and a file has as many as it has tests. */
export function standsIn(places: readonly number[], { start, end }: Span): boolean {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low < places.length && places[low]! < end;
}
