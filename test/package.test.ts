// What npm needs to install us everywhere; not how anything behaves.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createProtocolConnection, type Diagnostic } from 'vscode-languageserver/node';
import { rules } from '../rules/index.ts';
import { newFolder } from './world.ts';

interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
}

test('the lock names the packages of every platform: npm ci refuses one that does not', () => {
  // An install through a registry that lacks some of them takes them out of the file, unasked.
  const committed = existsSync('.git')
    ? execFileSync('git', ['show', 'HEAD:package-lock.json'], { encoding: 'utf8' })
    : readFileSync('package-lock.json', 'utf8');
  const { packages }: Lock = JSON.parse(committed);
  const missing = Object.entries(packages).flatMap(([path, one]) =>
    Object.keys(one.optionalDependencies ?? {}).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    ),
  );
  expect(missing.join('\n'), 'bring package-lock.json back: git checkout main -- package-lock.json').toBe('');
});

test('the lock names no host', () => {
  const { packages }: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  expect(Object.values(packages).filter(({ resolved }) => resolved).length).toBe(0);
});

test('the schema, and the tables of rules, say what the program says', () => {
  expect(() => execFileSync('node', ['scripts/docs.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
  const schema = JSON.parse(readFileSync('subxact.schema.json', 'utf8'));
  expect(Object.keys(schema.properties.rules.properties)).toEqual(rules.map(({ id }) => id));
});

/** Each opens a savepoint on every turn. */
const TYPED = {
  'a.py':
    'from django.db import transaction\n\n\n@transaction.atomic\ndef go(rows):\n    for row in rows:\n        with transaction.atomic():\n            row.save()\n',
  'a.rb':
    'class A < ApplicationRecord\n  def go(rows)\n    transaction do\n      rows.each { |r| A.transaction(requires_new: true) { r.save! } }\n    end\n  end\nend\n',
  'A.java':
    'import java.sql.*;\n\nclass A {\n  void go(Connection c, int[] rows) throws SQLException {\n    c.setAutoCommit(false);\n    for (int r : rows) {\n      Savepoint s = c.setSavepoint();\n      c.createStatement().executeUpdate("insert into t values (1)");\n      c.releaseSavepoint(s);\n    }\n    c.commit();\n  }\n}\n',
  'A.kt':
    'import java.sql.Connection\n\nclass A {\n  fun go(c: Connection, rows: List<Int>) {\n    c.autoCommit = false\n    for (r in rows) {\n      val s = c.setSavepoint()\n      c.createStatement().executeUpdate("insert into t values (1)")\n      c.releaseSavepoint(s)\n    }\n    c.commit()\n  }\n}\n',
};

test('the bundled server reads what is typed in every language', async () => {
  const folder = newFolder();
  const server = spawn('node', [resolve('bin/subxact.js'), 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  const client = createProtocolConnection(server.stdout, server.stdin);
  const found = new Map<string, Diagnostic[]>();
  const told = new Promise<void>((all) =>
    client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      if (diagnostics.length > 0) found.set(uri.slice(uri.lastIndexOf('/') + 1), diagnostics);
      if (found.size === Object.keys(TYPED).length) all();
    }),
  );
  client.onRequest('window/workDoneProgress/create', () => null);
  client.listen();
  const rootUri = pathToFileURL(folder).href;
  await client.sendRequest('initialize', { processId: null, rootUri, capabilities: {} });
  await client.sendNotification('initialized', {});
  for (const [file, text] of Object.entries(TYPED)) {
    const uri = pathToFileURL(join(folder, file)).href;
    void client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'x', version: 1, text },
    });
  }
  await told;
  for (const [file, [one]] of found)
    expect(`${file}: ${one!.code}: ${JSON.stringify(one!.message)}`).toContain('subtransaction-in-loop');
}, 20_000);
