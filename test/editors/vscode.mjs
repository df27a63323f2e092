// Drives a real VS Code in a real browser, as a person would; prints what it saw and fails when it is not as promised.
// usage: node vscode.mjs CODE_SERVER VSIX OUT [OTHER_VSIX]    OTHER_VSIX: another extension that claims .sql
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [codeServer, vsix, out, other] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
// The extension brings what it is tested with.
const { chromium } = createRequire(join(here, '../../vscode-extension/'))('playwright-core');
const temporary = mkdtempSync(join(tmpdir(), 'subxact-vscode-'));
const workspace = join(temporary, 'shop');
const seen = [];
const note = (text) => {
  seen.push(text);
  console.log(`ok ${seen.length} ${text}`);
};

mkdirSync(out, { recursive: true });
cpSync(join(here, 'workspace'), workspace, { recursive: true });

const data = join(temporary, 'data');
mkdirSync(join(data, 'User'), { recursive: true });
writeFileSync(
  join(data, 'User', 'settings.json'),
  JSON.stringify({
    'workbench.startupEditor': 'none',
    'telemetry.telemetryLevel': 'off',
    'extensions.autoUpdate': false,
    'extensions.autoCheckUpdates': false,
    'update.mode': 'none',
    'workbench.tips.enabled': false,
    'chat.commandCenter.enabled': false,
    'git.enabled': false,
    'editor.minimap.enabled': false,
    'editor.codeActionsOnSave': { 'source.fixAll.subxact': 'explicit' },
  }),
);
const folders = ['--user-data-dir', data, '--extensions-dir', join(temporary, 'extensions')];
const env = { ...process.env, HOME: temporary, XDG_CACHE_HOME: join(temporary, 'cache') };
delete env.VSCODE_IPC_HOOK_CLI;
for (const extension of [other, vsix].filter(Boolean))
  execFileSync(codeServer, [...folders, '--install-extension', extension], { env, stdio: 'ignore' });
const list = execFileSync(codeServer, [...folders, '--list-extensions'], { env, encoding: 'utf8' });
assert.match(list, /^subxact\.subxact$/m);
note('the .vsix installs');

const port = await new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const args = [
  ...folders,
  '--auth',
  'none',
  '--bind-addr',
  `127.0.0.1:${port}`,
  '--disable-telemetry',
  '--disable-update-check',
  '--disable-workspace-trust',
  workspace,
];
const server = spawn(codeServer, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
let log = '';
for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (log += chunk));

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
let page;
try {
  await until(() => log.includes('HTTP server listening'), 'the editor listens');
  page = await (await browser.newContext({ viewport: { width: 1400, height: 860 } })).newPage();
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}`);
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });

  await openFile('log_change.sql');
  await squiggle('error');
  await page.keyboard.press('Control+Shift+KeyM');
  await page.waitForSelector('.markers-panel .monaco-list-row', { timeout: 20_000 });
  const problems = await rows();
  assert.ok(
    problems.some((row) => row.includes('subtransaction-in-loop')),
    problems.join('\n'),
  );
  note('the Problems panel lists subtransaction-in-loop');
  await shot('1-squiggle-and-problems');

  const hover = await hoverOver('.squiggly-error');
  assert.match(hover, /subtransaction-in-loop/);
  assert.match(hover, /What it finds/);
  note('the hover shows the page of the rule');
  await shot('2-hover');

  await page.keyboard.press('Escape');
  await followTrace();
  await shot('3-trace');

  await openFile('rethrow.sql');
  await squiggle('warning');
  await quickFix(/Allow .* with a reason/, async () => {
    await page.waitForSelector('.quick-input-widget input', { timeout: 10_000 });
    await page.keyboard.type('the caller counts on it');
    await shot('4-reason');
    await page.keyboard.press('Enter');
  });
  await until(
    async () => !(await page.$('.monaco-editor .squiggly-warning')),
    'the suppression takes the warning away',
  );
  await save();
  assert.match(text('rethrow.sql'), /because the caller counts on it/);
  note('a suppression asks for its reason and takes the warning away');

  await openFile('fix.sql');
  await squiggle('warning');
  await shot('5-before-fix');
  await typeAtEnd('-- touched\n');
  await save();
  await until(() => !/EXCEPTION/.test(text('fix.sql')), 'fix on save rewrites the file');
  note('a safe fix is applied on save');
  await shot('6-fixed-on-save');

  // The trigger goes, unsaved; the loop in another file no longer reaches the block in a third.
  assert.ok((await rows()).some((row) => row.includes('subtransaction-in-loop')));
  await openFile('audit.sql');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await until(
    async () => !(await rows()).some((row) => row.includes('subtransaction-in-loop')),
    'the loop is harmless',
  );
  note('editing the trigger, unsaved, clears the other file');
  await shot('7-without-trigger');
} catch (error) {
  console.error(`not ok ${error.message}\n${log.slice(-2000)}`);
  await page?.screenshot({ path: join(out, 'failed.png') });
  // What the editor and the extension logged says why.
  cpSync(join(data, 'logs'), join(out, 'logs'), { recursive: true });
  process.exitCode = 1;
} finally {
  await browser.close();
  process.kill(-server.pid, 'SIGTERM');
  await new Promise((wake) => setTimeout(wake, 800));
  try {
    process.kill(-server.pid, 'SIGKILL');
  } catch {}
  rmSync(temporary, { recursive: true, force: true });
  const failed = process.exitCode ? 1 : 0;
  console.log(`${seen.length} passed, ${failed} failed`);
}

async function openFile(name) {
  await page.keyboard.press('Control+KeyP');
  await page.waitForSelector('.quick-input-widget input', { timeout: 10_000 });
  await page.keyboard.type(name);
  await page.waitForSelector(`.quick-input-list .monaco-list-row[aria-label*="${name}"]`, {
    timeout: 20_000,
  });
  await page.keyboard.press('Enter');
  await page.waitForSelector(`.tab.active[aria-label*="${name}"]`, { timeout: 20_000 });
}

async function squiggle(severity) {
  await page.waitForSelector(`.monaco-editor .squiggly-${severity}`, { timeout: 60_000 });
  note(`severity ${severity}: a place is underlined`);
}

function rows() {
  return page.$$eval('.markers-panel .monaco-list-row', (all) =>
    all.map((row) => `${row.getAttribute('aria-label')} ${row.textContent}`),
  );
}

async function hoverOver(selector) {
  const box = await (await page.$(`.monaco-editor ${selector}`)).boundingBox();
  await page.mouse.move(box.x + Math.min(20, box.width / 2), box.y + box.height - 4);
  await page.waitForSelector('.monaco-hover:not(.hidden) .hover-row', { timeout: 10_000 });
  await page.waitForTimeout(700);
  return page.$eval('.monaco-hover:not(.hidden)', (element) => element.textContent);
}

/** Opens a frame of the trace by its row in the Problems panel. */
async function followTrace() {
  const before = await page.$eval('.tab.active', (tab) => tab.getAttribute('aria-label'));
  const frames = page.locator('.markers-panel .monaco-list-row[aria-level="3"]');
  if ((await frames.count()) === 0) {
    await page.locator('.markers-panel .monaco-list-row[aria-level="2"]').first().click();
    await page.keyboard.press('ArrowRight');
  }
  await frames.first().dblclick();
  await until(
    async () => (await page.$eval('.tab.active', (tab) => tab.getAttribute('aria-label'))) !== before,
    'the trace opens another file',
  );
  note('the trace leads to another file');
}

async function quickFix(title, then) {
  const box = await (await page.$('.monaco-editor .squiggly-warning')).boundingBox();
  await page.mouse.click(box.x + 4, box.y + box.height - 6);
  await page.keyboard.press('Control+Period');
  await page.waitForSelector('.action-widget .monaco-list-row', { timeout: 15_000 });
  for (let i = 0; i < 10; i++) {
    const focused = await page.$eval('.action-widget .monaco-list-row.focused', (row) => row.textContent);
    if (title.test(focused)) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await then();
}

async function typeAtEnd(what) {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(what);
}

async function save() {
  await page.keyboard.press('Control+KeyS');
  await page.waitForTimeout(1500);
}

function text(file) {
  return readFileSync(join(workspace, file), 'utf8');
}

async function shot(name) {
  await page.screenshot({ path: join(out, `${name}.png`) });
}

async function until(hold, what) {
  for (let i = 0; i < 300; i++) {
    if (await hold()) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`not within 30 seconds: ${what}`);
}
