// Bundles src/ into dist/: what `npm ci`, `npm pack` and every script need to run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { withoutIterators } from './arrays.mjs';
import { oneScript } from './parts.mjs';

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

const common = {
  outdir: out,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  logOverride: { 'commonjs-variable-in-esm': 'silent', 'empty-import-meta': 'silent' },
  metafile: true,
};

/** What few runs need, by the name of its bundle; all else that is imported when needed is a part of the first file. */
const apart = { lsp: 'src/commands/lsp.ts' };

const stayApart = {
  name: 'stay apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return;
      const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      const name = basename(file, '.ts');
      return apart[name] === file ? { path: `./${name}.mjs`, external: true } : undefined;
    });
  },
};

/** The needles of languages come from all tables of their frameworks: those are read here, and not at each start. */
const bakeNeedles = {
  name: 'bake needles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]needles\.ts$/ }, async ({ path }) => {
      const made = await build({ entryPoints: [path], bundle: true, format: 'esm', write: false });
      const { needles } = await import(
        `data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`
      );
      return needles && { contents: `export const needles = ${JSON.stringify(needles)};` };
    });
  },
};

/** Loops and patterns over arrays run without iterators. */
const rewritten = withoutIterators(['src/cli.ts', 'src/worker.ts', 'src/lsp.ts']);
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
const first = {
  ...common,
  format: 'esm',
  splitting: true,
  legalComments: 'none',
  write: false,
  plugins: [stayApart, bakeNeedles, loadLate, arrays],
};

// As a module it runs itself; as a script, which is how its code is kept, it is the function that bin/subxact.js runs.
const BEFORE =
  '(this===globalThis?run=>run:run=>run(module,require,__filename,__dirname))(function(module,require,__filename,__dirname){' +
  "const here={get href(){return require('node:url').pathToFileURL(__filename).href}},bring=module.bring??(file=>import(file));";

/** The rest, as modules; they use the same front ends. Where it fails no user reads names, and shorter ones are a tenth of the package. */
const later = {
  ...common,
  minifyIdentifiers: true,
  entryPoints: apart,
  format: 'esm',
  plugins: [stayApart, arrays],
  outExtension: { '.js': '.mjs' },
  // A bundled CommonJS package may still ask for Node's own modules.
  banner: {
    js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
  },
};

async function bundle(tool, write) {
  const define = { __SUBXACT_TOOL__: JSON.stringify(tool) };
  const inputs = {};
  const make = async (options) => {
    const made = await build({ ...options, define: { ...define, ...options.define } });
    Object.assign(inputs, made.metafile.inputs);
    return made;
  };
  for (const entry of ['cli', 'worker']) {
    const { outputFiles } = await make({
      ...first,
      entryPoints: [`src/${entry}.ts`],
      define: { 'import.meta.url': 'here.href' },
    });
    const files = outputFiles.map(({ path, text }) => [basename(path), text]);
    if (write)
      writeFileSync(join(out, `${entry}.js`), `${BEFORE}${oneScript(new Map(files), `${entry}.js`)}})\n`);
  }
  await make({ ...later, write });
  return { inputs };
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const dry = await bundle('', false);
const tool = toolHash(Object.keys(dry.inputs).filter((file) => existsSync(file)));
const metafile = await bundle(tool, true);
// A thread starts as the program does, with the code that V8 made of its bundle.
const starter = JSON.stringify(relative(out, 'bin/subxact.js').replaceAll('\\', '/'));
writeFileSync(join(out, 'thread.js'), `require(${starter}).bring(require.resolve('./worker.js'));\n`);
writeFileSync(join(out, 'package.json'), '{"type":"commonjs"}\n');
licences(metafile);
for (const kind of ['', 'sql', 'py', 'rb', 'java', 'kt', 'thread'])
  execFileSync(process.execPath, ['scripts/compile.mjs', out, kind], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The licence texts of all that is bundled. */
function licences({ inputs }) {
  const packages = new Set();
  for (const file of Object.keys(inputs)) {
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
