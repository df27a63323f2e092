// `subxact lsp`: gives the language server the same disk that `subxact check` reads.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lower } from '../analyse.ts';
import type { Disk } from '../editor/session.ts';
import { serve } from '../lsp.ts';
import { decode, LARGEST } from '../project/decode.ts';
import { rulePage, tool } from '../tool.ts';
import { rulePageText } from './pages.ts';
import { readProgram } from './program.ts';

/** Never returns: the client ends the process. */
export function lsp(): Promise<number> {
  serve(disk);
  return new Promise(() => {});
}

const disk: Disk = {
  async load(folder, _config, progress) {
    const { root, units, files } = await readProgram([folder], folder, { progress });
    return { root, units, files, options: {} };
  },
  async lower(root, file) {
    const text = textOf(root, file);
    return text === undefined ? null : lower(file, text);
  },
  text: textOf,
  suppression: (file, rule, reason) => `${commentOf(file)} subxact: allow ${rule}, because ${reason}`,
  page: rulePageText,
  pageUrl: rulePage,
  version: tool.version,
};

function textOf(root: string, file: string): string | undefined {
  try {
    const full = join(root, file);
    return statSync(full).size > LARGEST ? undefined : decode(readFileSync(full))?.text;
  } catch {
    return undefined; // it is gone
  }
}

const commentOf = (file: string) =>
  /\.(py|rb|rake)$/.test(file) ? '#' : /\.(java|kts?)$/.test(file) ? '//' : '--';
