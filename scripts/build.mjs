// Bundles src/ into dist/: what `npm ci`, `npm pack` and every script need to run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { withoutIterators } from './arrays.mjs';
import { twoScripts } from './parts.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
/** `node scripts/build.mjs FOLDER` builds there; tests have one of their own. */
const out = process.argv[2] ?? 'dist';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const require = createRequire(import.meta.url);

/** Changes whenever a unit could come out differently; the cache is keyed by it. */
function toolHash(inputs) {
  const hash = createHash('sha256').update(manifest.version);
  for (const file of [...inputs].sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** What the command line and its threads start; what few runs need is a file of its own. */
const entries = ['src/cli.ts', 'src/worker.ts'];
const apart = 'src/commands/lsp.ts';

/** The needles of languages come from all tables of their frameworks: those are read here, and not at each start. */
const bakeNeedles = {
  name: 'bake needles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]needles\.ts$/ }, async ({ path }) => {
      const made = await build({ entryPoints: [path], bundle: true, format: 'esm', write: false });
      const lists = await import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);
      // The screen's own file of that name has a search, and no list.
      if (!lists.needles) return undefined;
      const baked = Object.entries(lists).map(
        ([name, words]) => `export const ${name} = ${JSON.stringify(words)};`,
      );
      return { contents: baked.join('\n') };
    });
  },
};

/** Loops and patterns over arrays run without iterators. */
const rewritten = withoutIterators([...entries, apart]);
const arrays = {
  name: 'arrays',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = rewritten(path);
      // A part hands over values, and no variables.
      if (/^export (?:let|var)\b/m.test(contents ?? ''))
        throw new Error(`${path} exports what it may assign`);
      return contents && { contents, loader: 'ts' };
    });
  },
};

/** Node's own modules that few runs use, loaded when a function of theirs is called. */
const loadLate = {
  name: 'load late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:(?:child_process|crypto|os|worker_threads)$/ }, ({ path, namespace }) =>
      namespace === 'late' ? { path, external: true } : { path, namespace: 'late' },
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const names = JSON.stringify(Object.keys(require(path)));
      const each = `Object.defineProperty(exports, name, { enumerable: true, get: () => require('${path}')[name] })`;
      return { contents: `for (const name of ${names}) ${each};` };
    });
  },
};

/**
 * What every run needs and what each language needs, as the parts of one CommonJS file: that starts sooner than modules do
 * (bench/README.md). `bin/` and the folder have a package.json that says so.
 */
const options = {
  entryPoints: entries,
  outdir: out,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'commonjs-variable-in-esm': 'silent', 'empty-import-meta': 'silent' },
  metafile: true,
  write: false,
  plugins: [bakeNeedles, loadLate, arrays],
};

// As a module it runs itself; as a script, which is how its code is kept, it is the function that bin/subxact.js runs.
const BEFORE =
  '(this===globalThis?run=>run:run=>run(module,require,__filename,__dirname))(function(module,require,__filename,__dirname){' +
  "const here={get href(){return require('node:url').pathToFileURL(__filename).href}},bring=module.bring??require;";

async function bundle(tool) {
  const define = { __SUBXACT_TOOL__: JSON.stringify(tool), 'import.meta.url': 'here.href' };
  const { outputFiles, metafile } = await build({ ...options, define });
  const modules = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const nameOf = (file) =>
    basename(Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === file)[0]);
  const scripts = twoScripts(modules, entries.map(nameOf), nameOf(apart), 'lsp.js');
  return { scripts, inputs: Object.keys(metafile.inputs) };
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const dry = await bundle('');
const { scripts, inputs } = await bundle(toolHash(dry.inputs.filter((file) => existsSync(file))));
for (const [i, name] of ['cli.js', 'lsp.js'].entries())
  writeFileSync(join(out, name), `${BEFORE}${scripts[i]}})\n`);
// A thread starts as the program does, with the code that V8 made of what threads run.
const starter = JSON.stringify(relative(out, 'bin/subxact.js').replaceAll('\\', '/'));
writeFileSync(
  join(out, 'thread.js'),
  `require(${starter}).bring(require.resolve('./cli.js'),'worker.js');\n`,
);
writeFileSync(join(out, 'package.json'), '{"type":"commonjs"}\n');
licences(inputs);
for (const kind of ['', 'sql', 'py', 'rb', 'java', 'kt', 'thread'])
  execFileSync(process.execPath, ['scripts/compile.mjs', out, kind], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The licence texts of all that is bundled. */
function licences(inputs) {
  const packages = new Set();
  for (const file of inputs) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/'));
    if (match) packages.add(match[1]);
  }
  const texts = [...packages].sort().map((name) => {
    const folder = join('node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const { version, license } = require(join(root, folder, 'package.json'));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
  });
  writeFileSync(join(out, 'THIRD-PARTY-LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}
