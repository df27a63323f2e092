// The rules' own pages, as the package ships them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** From dist/ and from src/commands/ alike: the nearest folder above that has the rules. */
export function rulePageText(id: string): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      return readFileSync(join(folder, 'rules', id, 'rule.md'), 'utf8');
    } catch {
      if (dirname(folder) === folder) return '';
    }
  }
}
