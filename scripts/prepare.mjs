// What npm runs after an install from a checkout: builds, and first brings what the build needs if it is not there.
// `npm install -g` from git, as pre-commit does it, hands its own target on to every npm that runs inside it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const needed = ['esbuild', 'typescript', 'vscode-languageserver'];
if (!needed.every((name) => existsSync(`node_modules/${name}`))) {
  const env = { ...process.env, NODE_ENV: 'development' };
  for (const key of Object.keys(env))
    if (/^npm_config_(global|prefix|location|omit|production|local_prefix)$/i.test(key)) delete env[key];
  execFileSync('npm', ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'], {
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  });
}
await import('./build.mjs');
// In the checkout itself npx must find us too, as it does where we are installed.
try {
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync('node_modules/.bin/subxact', { force: true });
  symlinkSync('../../bin/subxact.js', 'node_modules/.bin/subxact');
} catch {
  // Windows allows links only to some; `node bin/subxact.js` is the same there.
}
