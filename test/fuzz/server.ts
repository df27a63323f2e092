// The language server for the fuzzer: it is sent messages that may mean anything, and must still answer the one after them.
import { PassThrough } from 'node:stream';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { analyse, lower } from '../../src/analyse.ts';
import type { Disk } from '../../src/editor/session.ts';
import type { Unit } from '../../src/ir.ts';
import { serve } from '../../src/lsp.ts';

const ROOT = '/shop';
const uri = (file: string) => `file://${ROOT}/${file}`;
const assess = (units: Unit[]) => ({ ...analyse(units), notices: [] });

function diskOf(files: Map<string, string>): Disk {
  const read = async (file: string) => (files.has(file) ? lower(file, files.get(file)!) : null);
  return {
    async load(root) {
      const units: Unit[] = [];
      for (const file of files.keys()) units.push((await read(file))!);
      return { root, units, files: files.size, reads: () => true, configures: [], assess };
    },
    assess,
    lower: (_, file) => read(file),
    text: (_, file) => files.get(file),
    suppression: (_, rule, reason) => `-- subxact: allow ${rule}, because ${reason}`,
    page: (rule) => rule,
    pageUrl: (rule) => `https://example.org/${rule}`,
    version: '0',
  };
}

const FILE = 'a.sql';
const TEXT = `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..100 LOOP
    BEGIN
      INSERT INTO t VALUES (i);
    EXCEPTION WHEN check_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
`;

/** Ways in which an editor speaks, a message a line. */
export function conversations(): string[] {
  const at = { textDocument: { uri: uri(FILE) }, position: { line: 3, character: 6 } };
  const range = { start: { line: 3, character: 4 }, end: { line: 7, character: 8 } };
  const ask = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
  const say = (method: string, params: object) => ({ jsonrpc: '2.0', method, params });
  const start = [
    ask(1, 'initialize', { processId: null, rootUri: `file://${ROOT}`, workspaceFolders: [{ uri: `file://${ROOT}`, name: 'shop' }],
      capabilities: { general: { positionEncodings: ['utf-8', 'utf-16'] }, workspace: { configuration: true, workspaceFolders: true } } }),
    say('initialized', {}),
    say('textDocument/didOpen', { textDocument: { uri: uri(FILE), languageId: 'sql', version: 1, text: TEXT } }),
  ]; // biome-ignore format: one message a line
  const asked: [string, object][] = [
    ['textDocument/hover', at],
    ['textDocument/codeLens', at],
    ['textDocument/codeAction', { ...at, range, context: { diagnostics: [], only: ['quickfix', 'source.fixAll.subxact'] } }],
    ['textDocument/prepareCallHierarchy', at],
    ['callHierarchy/incomingCalls', { item: { name: 'f', kind: 12, uri: uri(FILE), range, selectionRange: range, data: {} } }],
    ['textDocument/diagnostic', at],
    ['workspace/diagnostic', { previousResultIds: [{ uri: uri(FILE), value: '1' }] }],
    ['workspace/executeCommand', { command: 'subxact.allow', arguments: [uri(FILE), 'subtransaction', 3] }],
  ]; // biome-ignore format: one message a line
  const told: [string, object][] = [
    ['textDocument/didChange', { ...at, textDocument: { uri: uri(FILE), version: 2 }, contentChanges: [{ range, text: 'SAVEPOINT a;' }] }],
    ['textDocument/didSave', at],
    ['textDocument/didClose', at],
    ['workspace/didChangeWatchedFiles', { changes: [{ uri: uri(FILE), type: 3 }, { uri: uri('subxact.json'), type: 1 }] }],
    ['workspace/didChangeConfiguration', { settings: { subxact: { run: 'onSave', severity: { subtransaction: 'off' } } } }],
    ['workspace/didChangeWorkspaceFolders', { event: { added: [], removed: [{ uri: `file://${ROOT}`, name: 'shop' }] } }],
    ['$/cancelRequest', { id: 2 }],
  ]; // biome-ignore format: one message a line
  const each = [...asked.map(([method, params], i) => ask(i + 2, method, params)), ...told.map(([method, params]) => say(method, params))]; // biome-ignore format: one list
  return [...each.map((one) => [...start, one]), [...start, ...each]].map((list) =>
    list.map((one) => JSON.stringify(one)).join('\n'),
  );
}

/** Sends a conversation; throws when a question after it has no answer. */
export async function converse(text: string): Promise<void> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  serve(diskOf(new Map([[FILE, TEXT]])), createConnection(ProposedFeatures.all, up, down));
  const send = (message: string) => {
    const bytes = Buffer.from(message);
    up.write(`Content-Length: ${bytes.length}\r\n\r\n`);
    up.write(bytes);
  };
  const answered = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the server does not answer any more')), 10_000);
    let heard = '';
    down.on('data', (chunk) => {
      heard = heard.slice(-200) + String(chunk);
      if (!heard.includes('"id":"the last"')) return;
      clearTimeout(late);
      resolve();
    });
  });
  // `exit` ends the process, as it should; what is no JSON is no message.
  for (const line of text.split('\n')) if (isMessage(line)) send(line);
  send(JSON.stringify({ jsonrpc: '2.0', id: 'the last', method: 'shutdown' }));
  await answered; // the streams stay open: at their end the server would end the process
}

function isMessage(line: string): boolean {
  try {
    const message = JSON.parse(line);
    return message !== null && typeof message === 'object' && message.method !== 'exit';
  } catch {
    return false;
  }
}
