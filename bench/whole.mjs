// A whole tree, made of many: what a run over it takes beside ripgrep, which looks for the same words, and how that grows with the tree.
// usage: node bench/whole.mjs [--files 40000] [--growth] TREE…
// It is measured in processor time and in the most memory that the process held.
import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'; // biome-ignore format: one list
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';

const { values, positionals } = parseArgs({
  options: { files: { type: 'string', default: '40000' }, growth: { type: 'boolean' } },
  allowPositionals: true,
});
const trees = positionals.map((one) => resolve(one));
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const CLI = 'bin/subxact.js';
const THREADS = 2;
/** What eight times the files may take more than eight times the time. */
const ALLOWED = 1.15;
const scratch = mkdtempSync(join(tmpdir(), 'subxact-whole-'));
const report = join(scratch, 'out');
const cache = join(scratch, 'cache');
const used = join(scratch, 'used.mjs');
writeFileSync(
  used,
  `import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) process.on('exit', () => writeFileSync(process.env.USED, JSON.stringify(process.resourceUsage())));`,
);

try {
  if (values.growth) growth();
  else whole(made(Number(values.files)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

// ---- making

/** So many files of the given trees: of each the same share, folder by folder, until there are enough. */
function made(files, copies = 1) {
  const into = join(scratch, `${copies}`);
  const lists = trees.map(filesOf);
  const all = lists.reduce((sum, list) => sum + list.length, 0);
  if (all < files) throw new Error(`these trees have ${all} files only`);
  let count = 0;
  let size = 0;
  for (const [i, list] of lists.entries())
    for (const file of list.slice(0, Math.ceil((list.length / all) * files)))
      for (let copy = 0; copy < copies && count < files * copies; copy++) {
        const to = join(into, `part${copy}`, basename(trees[i]), file);
        mkdirSync(dirname(to), { recursive: true });
        link(join(trees[i], file), to);
        count++;
        size += statSync(to).size;
      }
  return { folder: into, count, megabytes: size / 1e6 };
}

function filesOf(tree) {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath ?? one.path, one.name).slice(tree.length + 1))
    .filter((file) => !/(?:^|\/)(?:\.git|node_modules)\//.test(file))
    .sort();
}

function link(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

// ---- measuring

function whole({ folder, count, megabytes }) {
  console.log(`${count} files, ${megabytes.toFixed(0)} MB, ${process.version}`);
  const grep = one('ripgrep, the same words', 'rg', [
    '--no-ignore',
    '--hidden',
    '-c',
    '-F',
    '-f',
    words(),
    '-j',
    `${THREADS}`,
    folder,
  ]);
  const cold = ours('no cache', ['--no-cache', folder]);
  ours('a cache is made', ['--cache-dir', cache, folder]);
  const warm = ours('nothing changed', ['--cache-dir', cache, folder]);
  const file = filesOf(folder).find((name) => /(?:service|view)s?[^/]*\.(?:py|java|rb)$/i.test(name));
  const text = readFileSync(join(folder, file));
  rmSync(join(folder, file)); // the other end of a link stays as it is
  writeFileSync(
    join(folder, file),
    Buffer.concat([Buffer.from(file.endsWith('java') ? '// \n' : '# \n'), text]),
  );
  const changed = ours('one file changed', ['--cache-dir', cache, folder]);
  console.log('');
  bar('no cache, to ripgrep', cold.seconds / grep.seconds, 4);
  bar('memory, GB', cold.megabytes / 1000, 1);
  bar('nothing changed, seconds', warm.seconds, 0.5);
  bar('one file changed, seconds', changed.seconds, 1.5);
}

/** One, two, four and eight copies of one tree, each with all names of the others in it. */
function growth() {
  const files = Math.round(Number(values.files) / 4);
  const rows = [1, 2, 4, 8].map((copies) => {
    const { folder, count } = made(files, copies);
    const row = { copies, count, ...ours(`${count} files`, ['--no-cache', folder]) };
    rmSync(folder, { recursive: true, force: true });
    return row;
  });
  for (const [what, unit] of [
    ['seconds', 's'],
    ['megabytes', 'MB'],
  ]) {
    const most = Math.max(...rows.map((row) => row[what]));
    console.log(`\n${what}`);
    for (const row of rows)
      console.log(
        `${String(row.count).padStart(7)} ${'█'.repeat(Math.round((row[what] / most) * 60)).padEnd(60)} ${row[what].toFixed(1)} ${unit}`,
      );
    const [first, last] = [rows[0], rows.at(-1)];
    bar(`${what}: growth`, last[what] / first[what] / last.copies, ALLOWED);
  }
}

/** What a file must have to be looked into, and those of which each file is read. */
function words() {
  const bundle = buildSync({
    stdin: { contents: "export { frontends } from './src/frontends/index.ts'", resolveDir: process.cwd() },
    bundle: true, write: false, format: 'cjs', platform: 'node', logLevel: 'silent',
  }); // biome-ignore format: short
  const module = { exports: {} };
  new Function('module', 'exports', 'require', bundle.outputFiles[0].text)(
    module,
    module.exports,
    process.getBuiltinModule,
  );
  const file = join(scratch, 'words');
  writeFileSync(
    file,
    `${[...new Set(module.exports.frontends.flatMap(({ needles }) => needles))].join('\n')}\n`,
  );
  return file;
}

function ours(name, args) {
  return one(`subxact, ${name}`, process.execPath, [
    '--import', used, CLI, 'check', '--threads', `${THREADS}`, '--format', 'json', '--output', report, ...args,
  ]); // biome-ignore format: one command
}

function one(name, command, args) {
  const before = children();
  const started = performance.now();
  const { status, stderr, error } = spawnSync(command, args, {
    env: { ...process.env, USED: join(scratch, 'usage') }, encoding: 'utf8', maxBuffer: 1e9,
  }); // biome-ignore format: short
  const wall = (performance.now() - started) / 1000;
  if (error || status === null || status > 1) throw error ?? new Error(stderr);
  const { maxRSS } =
    command === process.execPath ? JSON.parse(readFileSync(join(scratch, 'usage'), 'utf8')) : { maxRSS: 0 };
  const row = { seconds: children() - before, megabytes: maxRSS / 1024, wall };
  console.log(
    `  ${name.padEnd(40)}${row.seconds.toFixed(2).padStart(8)} s CPU${wall.toFixed(2).padStart(9)} s${row.megabytes ? `${row.megabytes.toFixed(0).padStart(7)} MB` : ''}`,
  );
  return row;
}

/** Seconds that the children which ended have used. */
function children() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function bar(what, is, allowed) {
  console.log(
    `  ${what.padEnd(40)}${is.toFixed(2).padStart(8)}  bar ${allowed}${is > allowed ? ': NOT KEPT' : ''}`,
  );
  if (is > allowed) process.exitCode = 1;
}
