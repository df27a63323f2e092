// Which of the words by which files matter say more than what others use. It lists none itself.
import type { Framework } from '../framework.ts';

export function openingAlone(words: readonly string[], tables: readonly Framework[]): string[] {
  const declaring = new Set(tables.flatMap((table) => table.declaring ?? []));
  return words.filter((word) => !declaring.has(word));
}
