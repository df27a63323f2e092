// Bundles src/ into dist/ and puts the grammars beside it: what `npm ci`, `npm pack` and every script need to run.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
/** `node scripts/build.mjs FOLDER` builds there; tests have one of their own. */
const out = process.argv[2] ?? 'dist';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const require = createRequire(import.meta.url);

/** The compiled grammars of our devDependencies; packages bring them under their own names. */
function grammars() {
  const found = [];
  for (const name of Object.keys(manifest.devDependencies)) {
    if (!name.includes('tree-sitter')) continue;
    const folder = join('node_modules', name);
    for (const inside of [folder, join(folder, 'wasm')])
      if (existsSync(inside))
        for (const file of readdirSync(inside)) if (file.endsWith('.wasm')) found.push(join(inside, file));
  }
  return found.sort();
}

/** Changes whenever a unit could come out differently; the cache is keyed by it. */
function toolHash(inputs) {
  const hash = createHash('sha256').update(manifest.version);
  for (const file of [...inputs].sort()) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

const options = {
  entryPoints: ['src/cli.ts', 'src/worker.ts'].filter((file) => existsSync(file)),
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  logOverride: { 'commonjs-variable-in-esm': 'silent', 'empty-import-meta': 'silent' },
  metafile: true,
  // A bundled CommonJS package may still ask for Node's own modules.
  banner: {
    js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
  },
};

rmSync(out, { recursive: true, force: true });
const dry = await build({ ...options, write: false, define: { __SUBXACT_TOOL__: '""' } });
const wasm = grammars();
const tool = toolHash([...Object.keys(dry.metafile.inputs).filter((file) => existsSync(file)), ...wasm]);
const { metafile } = await build({ ...options, define: { __SUBXACT_TOOL__: JSON.stringify(tool) } });
mkdirSync(join(out, 'grammars'), { recursive: true });
for (const file of wasm) copyFileSync(file, join(out, 'grammars', basename(file)));
licences(metafile);

/** The licence texts of all that is bundled. */
function licences({ inputs }) {
  const packages = new Set();
  for (const file of [...Object.keys(inputs), ...wasm]) {
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
