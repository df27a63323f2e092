// Drives a real VS Code in a real browser, as a person would; prints what it saw and fails when it is not as promised.
// usage: node vscode.mjs CODE_SERVER VSIX OTHER_VSIX OUT    OTHER_VSIX: another extension that claims .sql
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEditor, until } from './vscode-driver.mjs';

const [codeServer, vsix, other, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const story = join(here, '../../fixtures/projects/shop');
let seen = 0;
const note = (text) => console.log(`ok ${++seen} ${text}`);

mkdirSync(out, { recursive: true });
let failures = 0;
for (const [scene, options] of [
  [oneFolder, { extensions: [vsix], prepare: small }],
  [twoFolders, { extensions: [other, vsix], prepare: both }],
  [untrusted, { extensions: [vsix], prepare: hostile, trusting: false }],
]) {
  const settings = { 'editor.codeActionsOnSave': { 'source.fixAll.subxact': 'explicit' } };
  const editor = await openEditor({ codeServer, out, settings, ...options });
  try {
    await scene(editor);
  } catch (error) {
    failures++;
    console.error(`not ok ${scene.name}: ${error.message}\n${await editor.failed()}`);
  } finally {
    await editor.close();
  }
}
console.log(`${seen} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;

// ---- what is opened --------------------------------------------------------------------------------------------

function small(temporary) {
  const folder = join(temporary, 'small');
  cpSync(join(here, 'workspace'), folder, { recursive: true });
  return folder;
}

/** The small folder and the story of the Django shop, in one window. */
function both(temporary) {
  small(temporary);
  cpSync(story, join(temporary, 'shop'), { recursive: true });
  const file = join(temporary, 'both.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: [{ path: 'small' }, { path: 'shop' }] }));
  return file;
}

/** A folder whose own `subxact`, and whose setting of it, would leave a mark if they were started. */
function hostile(temporary) {
  const folder = small(temporary);
  const own = join(folder, 'node_modules/subxact/bin');
  mkdirSync(own, { recursive: true });
  const started = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'started'))}, '');\n`;
  writeFileSync(join(own, 'subxact.js'), started);
  writeFileSync(join(folder, 'evil.cjs'), started);
  mkdirSync(join(folder, '.vscode'));
  const settings = { 'subxact.path': join(folder, 'evil.cjs') };
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
  return folder;
}

// ---- scenes ----------------------------------------------------------------------------------------------------

async function oneFolder(editor) {
  const { page, folder, rows, shot } = editor;
  const text = (file) => readFileSync(join(folder, file), 'utf8');
  assert.match(editor.installed(), /^subxact\.subxact$/m);
  note('the .vsix installs');

  await editor.openFile('log_change.sql');
  await editor.squiggle('error');
  // VS Code draws lenses only where the cursor is, so before the Problems panel takes it.
  const lens = 'opens 1 subtransaction, called in a loop from 1 place';
  await until(async () => (await editor.lenses()).includes(lens), `the lens, not ${await editor.lenses()}`);
  note('the lens says from how many places a loop reaches the function');
  await editor.openProblems();
  const problems = await rows();
  assert.ok(
    problems.some((row) => row.includes('subtransaction-in-loop')),
    problems.join('\n'),
  );
  note('the block is underlined, and the Problems panel lists subtransaction-in-loop');
  await shot('1-squiggle-and-problems');

  const hover = await editor.hoverOver('.squiggly-error');
  assert.match(hover, /subtransaction-in-loop/);
  assert.match(hover, /What it finds/);
  note('the hover shows the page of the rule');
  await shot('2-hover');

  await page.keyboard.press('Escape');
  await followTrace(editor);
  note('the trace leads to another file');
  await shot('3-trace');

  await editor.openFile('rethrow.sql');
  await editor.squiggle('warning');
  await editor.quickFix(/Allow .* with a reason/);
  await page.waitForSelector('.quick-input-widget input', { timeout: 10_000 });
  await page.keyboard.type('the caller counts on it');
  await shot('4-reason');
  await page.keyboard.press('Enter');
  await until(async () => !(await page.$('.monaco-editor .squiggly-warning')), 'the warning goes');
  await editor.save();
  assert.match(text('rethrow.sql'), /because the caller counts on it/);
  note('a suppression asks for its reason and takes the warning away');

  await editor.openFile('fix.sql');
  await editor.squiggle('warning');
  await shot('5-before-fix');
  await editor.typeAtEnd('-- touched\n');
  await editor.save();
  await until(() => !/EXCEPTION/.test(text('fix.sql')), 'fix on save rewrites the file');
  note('a safe fix is applied on save');
  await shot('6-fixed-on-save');

  const inLoop = async () => (await rows()).some((row) => row.includes('subtransaction-in-loop'));
  const server = () =>
    execFileSync('pgrep', ['-f', `${dirname(folder)}.*subxact.js lsp`], { encoding: 'utf8' }).split('\n')[0];
  const before = server();
  execFileSync('kill', ['-9', before]);
  await until(() => {
    try {
      return server() !== before;
    } catch {
      return false; // not there yet
    }
  }, 'the server is started again');
  await until(inLoop, 'the warnings are there again');
  note('a server that was killed is started again, and its warnings come back');

  // The trigger goes, unsaved; the loop in another file no longer reaches the block in a third.
  await editor.openFile('audit.sql');
  await editor.clickInText();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await until(async () => !(await inLoop()), 'the loop is harmless');
  note('editing the trigger, unsaved, clears the other file');
  await shot('7-without-trigger');
}

/** The other extension gives `.sql` a language of its own; two folders have findings of their own. */
async function twoFolders(editor) {
  const { page, rows, shot } = editor;
  await editor.openFile('audit.sql', 'shop/sql/audit.sql');
  await editor.squiggle('error');
  const language = await page.$eval('#status\\.editor\\.mode', (item) => item.textContent);
  assert.match(language, /Stand-in/);
  note('the other extension owns the language of the file, and ours underlines in it');
  await editor.openProblems();
  await until(async () => {
    const text = (await rows()).join('\n');
    return ['log_change.sql', 'subtransaction-in-loop', 'the other extension was here'].every((one) =>
      text.includes(one),
    );
  }, 'findings of both folders and of the other extension');
  note('both folders of the window have their findings, and the other extension its own');
  await editor.openFile('views.py');
  await page.waitForSelector('.monaco-editor .squiggly-hint', { timeout: 30_000 });
  note('the Python loop at the other end of the trace is marked');
  await shot('8-two-folders');
}

async function untrusted(editor) {
  const { page, folder, shot } = editor;
  await editor.openFile('log_change.sql');
  await editor.squiggle('error');
  assert.ok(!existsSync(join(folder, 'started')), 'a program of the untrusted folder was started');
  note('in an untrusted folder the warnings are there, and nothing of it is started');
  await shot('9-untrusted');
  await editor.run('Workspaces: Manage Workspace Trust');
  await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
  await until(() => existsSync(join(folder, 'started')), 'the program that the folder names is started');
  note('once the folder is trusted, the program that it names is started');
}

/** Opens a frame of the trace by its row in the Problems panel. */
async function followTrace({ page }) {
  const active = () => page.$eval('.tab.active', (tab) => tab.getAttribute('aria-label'));
  const before = await active();
  const frames = page.locator('.markers-panel .monaco-list-row[aria-level="3"]');
  if ((await frames.count()) === 0) {
    await page.locator('.markers-panel .monaco-list-row[aria-level="2"]').first().click();
    await page.keyboard.press('ArrowRight');
  }
  await frames.first().dblclick();
  await until(async () => (await active()) !== before, 'the trace opens another file');
}
