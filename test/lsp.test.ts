// The server spoken to as an editor does.
import { expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver/node';
import { FUNCTION, found, LOOP, start, uri } from './client.ts';

test('a loop in one file marks the block in another, with its trace, and itself with a hint', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const finding = editor.shown.get(uri('log.sql'))!.find((one) => one.code === 'subtransaction-in-loop')!;
  expect(finding.range.start).toEqual({ line: 4, character: 2 });
  expect(finding.codeDescription?.href).toBe('https://example.org/rules/subtransaction-in-loop');
  expect(finding.relatedInformation?.some((one) => one.location.uri === uri('all.sql'))).toBe(true);
  await editor.until(() => editor.shown.has(uri('all.sql'))); // each file is told by itself
  const hints = editor.shown.get(uri('all.sql'))!;
  expect(hints.map((one) => one.severity)).toContain(4);
});

test('unsaved text counts: taking the loop away clears the other file, and nothing is left', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.open('all.sql');
  editor.type(
    'all.sql',
    2,
    LOOP.replace('FOR i IN 1..1000 LOOP', '').replace('END LOOP;', '').replace('(i)', '(1)'),
  );
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'));
  expect(editor.shown.get(uri('all.sql')) ?? []).toEqual([]);
});

test('a comment above moves the warning with its text', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.open('log.sql');
  editor.type('log.sql', 2, `-- a comment\n${FUNCTION}`);
  await editor.until(() =>
    editor.shown
      .get(uri('log.sql'))!
      .some((one) => one.code === 'subtransaction-in-loop' && one.range.start.line === 5),
  );
});

test('half-typed text keeps the warnings of the rest', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.open('log.sql');
  editor.type('log.sql', 2, `${FUNCTION}\nSELECT * FROM (`);
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test('a burst of edits ends with the last text', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.open('all.sql');
  for (let i = 0; i < 300; i++) editor.type('all.sql', 2 + i, i % 2 ? LOOP : '-- nothing');
  editor.type('all.sql', 400, '-- nothing at all');
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'));
  await new Promise((wake) => setTimeout(wake, 100));
  expect(found(editor, 'log.sql', 'subtransaction-in-loop')).toBe(false);
});

test('closing a document without saving gives the disk its say back', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  editor.open('all.sql');
  editor.type('all.sql', 2, '-- gone');
  await editor.until(
    () => editor.shown.has(uri('log.sql')) && !found(editor, 'log.sql', 'subtransaction-in-loop'),
  );
  await editor.client.sendNotification('textDocument/didClose', { textDocument: { uri: uri('all.sql') } });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test('actions: allow with a reason above the line, and the page', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  editor.open('log.sql');
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const range = { start: { line: 4, character: 3 }, end: { line: 4, character: 3 } };
  const actions = (await editor.client.sendRequest('textDocument/codeAction', {
    textDocument: { uri: uri('log.sql') },
    range,
    context: { diagnostics: [] },
  })) as { title: string; edit?: { changes: Record<string, { newText: string }[]> } }[];
  const allow = actions.find((action) => action.title.startsWith('Allow subtransaction-in-loop'))!;
  expect(allow.edit!.changes[uri('log.sql')]![0]!.newText).toBe(
    '  -- subxact: allow subtransaction-in-loop, because say why\n',
  );
  expect(actions.some((action) => action.title === 'Open the page of subtransaction-in-loop')).toBe(true);
});

test('hover tells of the finding by its page and of a call by what it opens', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const hover = (file: string, line: number, character: number) =>
    editor.client.sendRequest('textDocument/hover', {
      textDocument: { uri: uri(file) },
      position: { line, character },
    }) as Promise<{
      contents: { value: string };
    } | null>;
  expect((await hover('log.sql', 4, 4))!.contents.value).toContain('The page.');
  expect((await hover('all.sql', 3, 14))!.contents.value).toContain('log_change');
  expect(await hover('all.sql', 5, 0)).toBeNull();
});

test('a client that pulls gets the same, once, and nothing is pushed to it', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP }, { textDocument: { diagnostic: {} } });
  editor.open('log.sql');
  const report = (await editor.client.sendRequest('textDocument/diagnostic', {
    textDocument: { uri: uri('log.sql') },
  })) as {
    items: Diagnostic[];
  };
  expect(report.items.map((one) => one.code)).toContain('subtransaction-in-loop');
  expect(editor.shown.size).toBe(0);
});

test('call hierarchy leads from the block to the loop', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const at = { textDocument: { uri: uri('log.sql') }, position: { line: 4, character: 4 } };
  let [item] = (await editor.client.sendRequest('textDocument/prepareCallHierarchy', at)) as {
    uri: string;
    name: string;
  }[];
  const seen = new Set<string>();
  for (let i = 0; item && i < 10; i++) {
    seen.add(item.uri);
    [item] = (
      (await editor.client.sendRequest('callHierarchy/incomingCalls', { item })) as {
        from: { uri: string; name: string };
      }[]
    ).map((one) => one.from);
  }
  expect(seen).toContain(uri('all.sql'));
});

test('a client that counts in bytes gets bytes', async () => {
  const editor = await start(
    { 'log.sql': FUNCTION.replace('  EXCEPTION', '/* 語 */ EXCEPTION'), 'all.sql': LOOP },
    { general: { positionEncodings: ['utf-8'] } },
  );
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const finding = editor.shown.get(uri('log.sql'))!.find((one) => one.code === 'subtransaction-in-loop')!;
  expect(finding.range.start).toEqual({ line: 4, character: 10 });
});

test('a lens above the routine says what it opens and from where it is reached', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  editor.open('log.sql');
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const lenses = (await editor.client.sendRequest('textDocument/codeLens', {
    textDocument: { uri: uri('log.sql') },
  })) as {
    range: { start: { line: number } };
    command: { title: string };
  }[];
  expect(lenses.map((lens) => [lens.range.start.line, lens.command.title])).toEqual([
    [0, 'opens 1 subtransaction, called in a loop from 1 place'],
  ]);
});

test('a 20 MB document is survived, and the next one is read', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.open('huge.sql', `INSERT INTO t VALUES (1, 'x');\n`.repeat(700_000));
  editor.open('all.sql');
  editor.type('all.sql', 2, '-- nothing');
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'), 60_000);
}, 90_000);

test('a server that is started again finds the same', async () => {
  const files = { 'log.sql': FUNCTION, 'all.sql': LOOP };
  const first = await start(files);
  await first.until(() => found(first, 'log.sql', 'subtransaction-in-loop'));
  first.client.dispose();
  const second = await start(files);
  await second.until(() => second.shown.size === first.shown.size);
  expect(second.shown).toEqual(first.shown);
});

test('a file that changes on the disk is read again, and one that goes is forgotten', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.files.delete('all.sql');
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('all.sql'), type: 3 }],
  });
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.files.set('again.sql', LOOP);
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('again.sql'), type: 1 }],
  });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test('what is excluded stays so, however it is opened, typed, closed or changed on the disk', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'excluded/all.sql': LOOP });
  editor.open('log.sql');
  editor.open('excluded/all.sql');
  editor.type('excluded/all.sql', 2, `${LOOP}\n`);
  await editor.client.sendNotification('textDocument/didClose', {
    textDocument: { uri: uri('excluded/all.sql') },
  });
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('excluded/all.sql'), type: 2 }],
  });
  editor.files.set('loop.sql', LOOP);
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('loop.sql'), type: 1 }],
  });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  const hints = [...editor.shown].filter(([, all]) => all.some(({ severity }) => severity === 4));
  expect(hints.map(([file]) => file)).toEqual([uri('loop.sql')]);
});

test('a folder that goes or comes takes its files along, though its name alone is told', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'jobs/all.sql': LOOP });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.files.delete('jobs/all.sql');
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('jobs'), type: 3 }],
  });
  await editor.until(() => !found(editor, 'log.sql', 'subtransaction-in-loop'));
  editor.files.set('jobs/all.sql', LOOP);
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('jobs'), type: 1 }],
  });
  await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
});

test.each(['subxact.jsonc', 'subxact-baseline.json'])(
  '%s counts as soon as it is saved, also where it stands open and nobody watches files',
  async (file) => {
    const editor = await start({ 'log.sql': FUNCTION, [file]: '{}' });
    editor.open('log.sql');
    editor.open(file);
    editor.files.set('all.sql', LOOP); // what the next index finds
    await editor.client.sendNotification('textDocument/didSave', { textDocument: { uri: uri(file) } });
    await editor.until(() => found(editor, 'log.sql', 'subtransaction-in-loop'));
  },
);

test('every file of the workspace can be pulled, and a second pull waits for news', async () => {
  const editor = await start({ 'log.sql': FUNCTION, 'all.sql': LOOP }, { textDocument: { diagnostic: {} } });
  type Report = { items: { uri: string; resultId: string; items: Diagnostic[] }[] };
  const pull = (known: { uri: string; value: string }[]) =>
    editor.client.sendRequest('workspace/diagnostic', { previousResultIds: known }) as Promise<Report>;
  const all = await pull([]);
  expect(all.items.map((one) => one.uri).sort()).toEqual([uri('all.sql'), uri('log.sql')]);
  let answered = false;
  const next = pull(all.items.map((one) => ({ uri: one.uri, value: one.resultId }))).then((report) => {
    answered = true;
    return report;
  });
  await new Promise((wake) => setTimeout(wake, 300));
  expect(answered).toBe(false);
  editor.open('elsewhere.sql', FUNCTION.replaceAll('log_change', 'other'));
  editor.files.delete('all.sql');
  await editor.client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uri('all.sql'), type: 3 }],
  });
  expect((await next).items.length).toBeGreaterThan(0);
});
