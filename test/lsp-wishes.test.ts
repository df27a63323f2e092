// What a client may ask for besides diagnostics: fixes at once, its own settings, several folders, an end to a request.
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CancellationTokenSource, type CodeAction, type Diagnostic } from 'vscode-languageserver/node';
import { type Editor, FUNCTION, found, LOOP, ROOT, start, uri } from './client.ts';

const UPSERT =
  FUNCTION.replace('check_violation', 'unique_violation').replace('    NULL;\n', '') +
  'CREATE TABLE change_log (order_id int PRIMARY KEY);\n';
const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const configure = (editor: Editor, subxact: object) =>
  editor.client.sendNotification('workspace/didChangeConfiguration', { settings: { subxact } });

test('all safe fixes of a file are one action, asked for by its own name or as any fixAll', async () => {
  const editor = await start({ 'log.sql': UPSERT });
  await editor.until(() => found(editor, 'log.sql', 'exception-block-for-upsert'));
  editor.open('log.sql');
  const asked = (...only: string[]) =>
    editor.client.sendRequest('textDocument/codeAction', {
      textDocument: { uri: uri('log.sql') },
      range: RANGE,
      context: { diagnostics: [], only },
    }) as Promise<CodeAction[]>;
  for (const kind of ['source.fixAll.subxact', 'source.fixAll', 'source']) {
    const [action, ...more] = await asked(kind);
    expect(more).toEqual([]);
    expect(action?.kind).toBe('source.fixAll.subxact');
    const edits = action!.edit!.changes![uri('log.sql')]!;
    expect(edits.map(({ newText }) => newText)).toContain(' ON CONFLICT DO NOTHING');
  }
  expect(await asked('source.organizeImports')).toEqual([]);
});

test('settings hold as soon as the client says them: severities, hints, lenses', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const severities = (file: string) => (editor.shown.get(uri(file)) ?? []).map(({ severity }) => severity);
  const lenses = () =>
    editor.client.sendRequest('textDocument/codeLens', { textDocument: { uri: uri('log.sql') } });
  editor.open('log.sql');
  expect(await lenses()).toHaveLength(1);
  await configure(editor, { severity: { 'subtransaction-in-loop': 'information' } });
  await editor.until(() => severities('log.sql').join() === '3');
  await configure(editor, { hintsAtCallers: false, codeLens: false });
  await editor.until(() => severities('all.sql').length === 0 && severities('log.sql').join() === '1');
  expect(await lenses()).toEqual([]);
  await configure(editor, { severity: { 'subtransaction-in-loop': 'off' } });
  await editor.until(() => severities('log.sql').length === 0);
  await configure(editor, {});
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test('on save alone, if that is wished', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  await configure(editor, { run: 'onSave' });
  editor.open('all.sql');
  editor.type('all.sql', 2, '-- nothing');
  await new Promise((wake) => setTimeout(wake, 200));
  expect(found(editor, 'log.sql', 'subtransaction-in-loop')).toBe(true);
  await editor.client.sendNotification('textDocument/didSave', { textDocument: { uri: uri('all.sql') } });
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test('folders come and go; each is a program of its own', async () => {
  const other = `${ROOT}-too`;
  const otherUri = (file: string) => pathToFileURL(`${other}/${file}`).href;
  const folder = { uri: pathToFileURL(other).href, name: 'too' };
  const editor = await start(
    { 'log.sql': FUNCTION },
    { workspace: { workspaceFolders: true } },
    { [other]: { 'log.sql': FUNCTION, 'all.sql': LOOP } },
  );
  const codes = (of: string) => (editor.shown.get(of) ?? []).map(({ code }) => code);
  const change = (event: object) =>
    editor.client.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await editor.until(() => editor.shown.size >= 0);
  await change({ added: [folder], removed: [] });
  await editor.until(() => codes(otherUri('log.sql')).includes('subtransaction-in-loop'));
  // The loop of the other folder calls its own function.
  expect(codes(uri('log.sql'))).not.toContain('subtransaction-in-loop');
  await change({ added: [], removed: [folder] });
  await editor.until(
    () => codes(otherUri('log.sql')).length === 0 && codes(otherUri('all.sql')).length === 0,
  );
});

test('a pull that waits for news ends when the client has enough of it', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP }, { textDocument: { diagnostic: {} } });
  type Report = { items: { uri: string; resultId: string; items: Diagnostic[] }[] };
  const pull = (known: Report['items'], token = new CancellationTokenSource().token) =>
    editor.client.sendRequest(
      'workspace/diagnostic',
      { previousResultIds: known.map((one) => ({ uri: one.uri, value: one.resultId })) },
      token,
    ) as Promise<Report>;
  const { items } = await pull([]);
  const source = new CancellationTokenSource();
  const ended = pull(items, source.token).then(
    () => 'answered',
    () => 'refused',
  );
  await new Promise((wake) => setTimeout(wake, 100));
  source.cancel();
  expect(await ended).toMatch(/answered|refused/);
  expect((await pull([])).items).toHaveLength(2);
});

test('the first index is shown as progress, and a configuration that changes makes another', async () => {
  const editor = await start(
    { 'log.sql': FUNCTION, 'all.sql': LOOP },
    { window: { workDoneProgress: true } },
  );
  let begun = 0;
  let ended = 0;
  editor.client.onNotification('$/progress', ({ value }: { value: { kind: string } }) => {
    if (value.kind === 'begin') begun++;
    if (value.kind === 'end') ended++;
  });
  await editor.until(() => ended === 1);
  editor.files.delete('all.sql');
  const change = (file: string) =>
    editor.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uri(file), type: 1 }],
    });
  await change('subxact.json');
  await editor.until(() => ended === 2 && begun === 2);
  expect(found(editor, 'log.sql', 'subtransaction-in-loop')).toBe(false);
  // And so do one with a dot, and one that has a name of its own.
  await change('.subxact.json');
  await editor.until(() => ended === 3);
  await change('ci/known.json');
  await editor.until(() => ended === 4);
});

test('a client that answers no question of ours is served all the same', async () => {
  const files = { 'log.sql': FUNCTION, 'all.sql': LOOP, problem: 'the configuration could not be read' };
  const editor = await start(files, { workspace: { diagnostics: { refreshSupport: true } } });
  const said: unknown[] = [];
  editor.client.onNotification('window/showMessage', (news) => void said.push(news));
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  await editor.until(() => said.length > 0);
  expect(said).toEqual([{ type: 2, message: 'subxact: the configuration could not be read' }]);
});

test('a change of a document that was never opened is no text', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const top = { line: 0, character: 0 };
  await editor.client.sendNotification('textDocument/didChange', {
    textDocument: { uri: uri('all.sql'), version: 2 },
    contentChanges: [{ range: { start: top, end: top }, text: '-- ' }],
  });
  editor.open('log.sql', `-- first\n${FUNCTION}`);
  await editor.until(() => editor.shown.get(uri('log.sql'))?.[0]?.range.start.line === 5);
  expect(found(editor, 'log.sql', 'subtransaction-in-loop')).toBe(true);
});
