// An editor for tests: it speaks to the server over streams in one process, and the disk is a map.
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, expect } from 'vitest';
import {
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  ProposedFeatures,
} from 'vscode-languageserver/node';
import { analyse, lower } from '../src/analyse.ts';
import type { Disk } from '../src/editor/session.ts';
import type { Unit } from '../src/ir.ts';
import { serve } from '../src/lsp.ts';

export const ROOT = process.platform === 'win32' ? 'C:\\shop' : '/shop';
export const uri = (file: string) => pathToFileURL(`${ROOT}/${file}`).href;

export const FUNCTION = `CREATE FUNCTION log_change(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO change_log VALUES (p_id);
  EXCEPTION WHEN check_violation THEN
    NULL;
  END;
END $$;
`;
export const LOOP = `CREATE FUNCTION log_all() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..1000 LOOP
    PERFORM log_change(i);
  END LOOP;
END $$;
`;

export interface Editor {
  files: Map<string, string>;
  shown: Map<string, Diagnostic[]>;
  client: ReturnType<typeof createProtocolConnection>;
  open(file: string, text?: string): void;
  type(file: string, version: number, text: string): void;
  until(hold: () => boolean, milliseconds?: number): Promise<void>;
  rules(file: string): string[];
}

const editors: Editor[] = [];
afterEach(() => {
  for (const editor of editors.splice(0)) editor.client.dispose();
});

/** `elsewhere`: other folders with their files. */
export async function start(
  files: Record<string, string>,
  capabilities: object = {},
  elsewhere: Record<string, Record<string, string>> = {},
): Promise<Editor> {
  const disk = new Map(Object.entries(files));
  const folders = new Map([[ROOT, disk]]);
  for (const [folder, its] of Object.entries(elsewhere)) folders.set(folder, new Map(Object.entries(its)));
  const up = new PassThrough();
  const down = new PassThrough();
  serve(diskOf(folders), createConnection(ProposedFeatures.all, up, down));
  const client = createProtocolConnection(down, up);
  client.listen();
  const shown = new Map<string, Diagnostic[]>();
  client.onNotification(
    'textDocument/publishDiagnostics',
    (news: { uri: string; diagnostics: Diagnostic[] }) => {
      shown.set(news.uri, news.diagnostics);
    },
  );
  client.onRequest('window/workDoneProgress/create', () => null);
  client.onNotification('window/logMessage', (news: { message: string }) => console.error(news.message));
  const editor: Editor = {
    files: disk,
    shown,
    client,
    open: (file, text = disk.get(file) ?? '') =>
      void client.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(file), languageId: 'sql', version: 1, text },
      }),
    type: (file, version, text) =>
      void client.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(file), version },
        contentChanges: [{ text }],
      }),
    until: async (hold, milliseconds = 10_000) => {
      for (let i = 0; i < milliseconds / 10 && !hold(); i++)
        await new Promise((wake) => setTimeout(wake, 10));
      expect(hold(), JSON.stringify([...shown], null, 1)).toBe(true);
    },
    rules: (file) =>
      (shown.get(uri(file)) ?? []).filter((one) => one.severity !== 4).map((one) => String(one.code)),
  };
  editors.push(editor);
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: pathToFileURL(ROOT).href,
    workspaceFolders: [{ uri: pathToFileURL(ROOT).href, name: 'shop' }],
    capabilities,
  });
  await client.sendNotification('initialized', {});
  return editor;
}

/** What stands there counts for nothing. */
const EXCLUDED = /^excluded\//;

function diskOf(folders: Map<string, Map<string, string>>): Disk {
  const filesOf = (root: string) => folders.get(root)!;
  return {
    async load(root) {
      const files = filesOf(root);
      const units: Unit[] = [];
      for (const [file, text] of files) {
        const unit = EXCLUDED.test(file) ? null : await lower(file, text);
        if (unit) units.push(unit);
      }
      const reads = (path: string) =>
        [...files.keys()].some((file) => `${file}/`.startsWith(`${path}/`) && !EXCLUDED.test(file));
      const problem = files.get('problem');
      return { root, units, files: files.size, reads, configures: ['ci/known.json'], assess, problem };
    },
    assess,
    lower: async (root, file) => (filesOf(root).has(file) ? lower(file, filesOf(root).get(file)!) : null),
    text: (root, file) => filesOf(root).get(file),
    suppression: (_file, rule, reason) => `-- subxact: allow ${rule}, because ${reason}`,
    page: (rule) => `# ${rule}\n\nThe page.`,
    pageUrl: (rule) => `https://example.org/rules/${rule}`,
    version: '0',
  };
}

const assess = (units: Unit[]) => ({ ...analyse(units), notices: [] });

export const found = (editor: Editor, file: string, rule: string) => editor.rules(file).includes(rule);
