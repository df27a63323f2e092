// What we are measured against and with: squawk from PyPI and npm, PostgreSQL's regression files. Kept in build/, fetched once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

const FOLDER = 'build/bench';

function once(name, make) {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  make(part);
  renameSync(part, folder);
  return folder;
}

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

/** The native program. */
export function squawk() {
  const folder = once('squawk', (part) => {
    run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', part, 'squawk-cli==2.70.*']);
    run('python3', ['-c', UNPACK], part);
  });
  return execFileSync('find', [folder, '-type', 'f', '-name', 'squawk'], { encoding: 'utf8' }).trim();
}

const UNPACK = `
import glob, os, zipfile
wheel = zipfile.ZipFile(glob.glob('*.whl')[0])
wheel.extractall()
for name in wheel.namelist():
    if name.endswith('/squawk'): os.chmod(name, 0o755)
`;

/** What npm users start: a script that starts the native program. */
export function squawkShim() {
  const folder = once('squawk-npm', (part) => {
    writeFileSync(join(part, 'package.json'), '{}');
    run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', 'squawk-cli@2'], part);
  });
  return join(folder, 'node_modules/squawk-cli/js/bin/squawk');
}

/** The SQL that the slow tests read, as files. */
export async function regression() {
  const bundle = buildSync({
    entryPoints: ['test/corpus.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(bundle.outputFiles[0].text).toString('base64');
  const { regressionFiles } = await import(`data:text/javascript;base64,${code}`);
  const files = regressionFiles();
  const folder = once('regression', (part) => {
    for (const { name, text } of files) {
      const path = join(part, dirname(name.replace(/^\S+ /, '')), basename(name));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  });
  return { folder, megabytes: files.reduce((sum, { text }) => sum + text.length, 0) / 1e6 };
}
