// Starts a real VS Code in a real browser and does in it what a person does; it checks nothing.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The extension brings what it is tested with.
const { chromium } = createRequire(new URL('../../vscode-extension/', import.meta.url))('playwright-core');

const QUIET = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'update.mode': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'editor.minimap.enabled': false,
};

const BROWSER = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function until(hold, what) {
  for (let i = 0; i < 300; i++) {
    if (await hold()) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error(`not within 30 seconds: ${what}`);
}

/**
 * `prepare(folder)` fills a new folder and returns what is to be opened in it, a folder or a `.code-workspace`.
 * `trusting`: any folder is trusted; else none is, until somebody says so.
 */
export async function openEditor({ codeServer, extensions, out, settings = {}, prepare, trusting = true }) {
  const temporary = mkdtempSync(join(tmpdir(), 'subxact-vscode-'));
  const opened = prepare(temporary);
  const data = join(temporary, 'data');
  mkdirSync(join(data, 'User'), { recursive: true });
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify({ ...QUIET, ...settings }));
  const folders = ['--user-data-dir', data, '--extensions-dir', join(temporary, 'extensions')];
  const env = { ...process.env, HOME: temporary, XDG_CACHE_HOME: join(temporary, 'cache') };
  delete env.VSCODE_IPC_HOOK_CLI;
  for (const extension of extensions)
    execFileSync(codeServer, [...folders, '--install-extension', extension], { env, stdio: 'ignore' });

  const port = await freePort();
  const args = [...folders, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`];
  args.push('--disable-telemetry', '--disable-update-check');
  if (trusting) args.push('--disable-workspace-trust');
  const server = spawn(codeServer, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (log += chunk));
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    headless: true,
    args: BROWSER,
  });

  async function close() {
    await browser.close();
    process.kill(-server.pid, 'SIGTERM');
    await new Promise((wake) => setTimeout(wake, 800));
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {}
    rmSync(temporary, { recursive: true, force: true });
  }

  try {
    await until(() => log.includes('HTTP server listening'), 'the editor listens');
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 860 } })).newPage();
    const kind = opened.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await page.goto(`http://127.0.0.1:${port}/?${kind}=${encodeURIComponent(opened)}`);
    await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
    const shot = (name) => page.screenshot({ path: join(out, `${name}.png`) });
    return {
      page,
      folder: opened,
      installed: () => execFileSync(codeServer, [...folders, '--list-extensions'], { env, encoding: 'utf8' }),
      ...hands(page),
      shot,
      close,
      /** What the editor and the extension logged says why something failed. */
      async failed() {
        await shot('failed');
        cpSync(join(data, 'logs'), join(out, 'logs'), { recursive: true });
        return log.slice(-2000);
      },
    };
  } catch (error) {
    await close();
    throw new Error(`${error.message}\n${log.slice(-2000)}`);
  }
}

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** What a person does with keyboard and mouse, and sees. */
function hands(page) {
  /** `typed`: what to type when the name alone is not enough. */
  async function openFile(name, typed = name) {
    await page.keyboard.press('Control+KeyP');
    await page.waitForSelector('.quick-input-widget input', { timeout: 10_000 });
    await page.keyboard.type(typed);
    const row = `.quick-input-list .monaco-list-row[aria-label*="${name}"]`;
    await page.waitForSelector(row, { timeout: 20_000 });
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.tab.active[aria-label*="${name}"]`, { timeout: 20_000 });
  }

  /** A command of the palette, by its title. */
  async function run(title) {
    const row = page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${title}"]`);
    // Some commands come a while after the window, and a list that is open does not take them up.
    for (let left = 5; ; left--) {
      await page.keyboard.press('F1');
      await page.waitForSelector('.quick-input-widget input', { timeout: 10_000 });
      await page.keyboard.type(title);
      try {
        await row.waitFor({ timeout: 6_000 });
        break;
      } catch (error) {
        if (left === 1) throw error;
        await page.keyboard.press('Escape');
      }
    }
    await page.keyboard.press('Enter');
  }

  async function hoverOver(selector) {
    const box = await (await page.$(`.monaco-editor ${selector}`)).boundingBox();
    await page.mouse.move(box.x + Math.min(20, box.width / 2), box.y + box.height - 4);
    await page.waitForSelector('.monaco-hover:not(.hidden) .hover-row', { timeout: 10_000 });
    await page.waitForTimeout(700);
    return page.$eval('.monaco-hover:not(.hidden)', (element) => element.textContent);
  }

  /** The cursor on the warning, then its menu of actions. */
  async function quickFix(title) {
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
  }

  async function clickInText() {
    await page.locator('.monaco-editor .view-lines').first().click();
  }

  return {
    openFile,
    run,
    hoverOver,
    quickFix,
    clickInText,
    squiggle: (severity) => page.waitForSelector(`.monaco-editor .squiggly-${severity}`, { timeout: 60_000 }),
    /** The Problems panel, row by row. */
    rows: () =>
      page.$$eval('.markers-panel .monaco-list-row', (all) =>
        all.map((row) => `${row.getAttribute('aria-label')} ${row.textContent}`),
      ),
    lenses: () =>
      page.$$eval('.monaco-editor .codelens-decoration', (all) =>
        all.map((one) => one.textContent.replace(/\s/g, ' ')),
      ),
    async openProblems() {
      await page.keyboard.press('Control+Shift+KeyM');
      await page.waitForSelector('.markers-panel .monaco-list-row', { timeout: 60_000 });
    },
    async typeAtEnd(what) {
      await clickInText();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(what);
    },
    async save() {
      await page.keyboard.press('Control+KeyS');
      await page.waitForTimeout(1500);
    },
  };
}
