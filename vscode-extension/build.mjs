// Bundles the extension and, with --package, makes the .vsix with the built server inside; fetches nothing.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

await build({
  entryPoints: [join(here, 'src/extension.ts')],
  outfile: join(here, 'build/extension.js'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  logLevel: 'warning',
});

if (process.argv.includes('--package')) {
  const server = join(here, 'server');
  if (!existsSync(join(root, 'dist')))
    throw new Error('Build the server first: npm run build in the repository root.');
  rmSync(server, { recursive: true, force: true });
  mkdirSync(server, { recursive: true });
  // What V8 made of the program is for one version of Node.
  const filter = (file) => !/\.js\.v[^/\\]*$/.test(file);
  for (const part of ['bin', 'dist'])
    cpSync(join(root, part), join(server, part), { recursive: true, filter });
  for (const rule of readdirSync(join(root, 'rules'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    mkdirSync(join(server, 'rules', rule.name), { recursive: true });
    cpSync(join(root, 'rules', rule.name, 'rule.md'), join(server, 'rules', rule.name, 'rule.md'));
  }
  const { name, version, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(server, 'package.json'),
    `${JSON.stringify({ name, version, homepage, type: 'module' }, null, 2)}\n`,
  );
  const schema = join(root, 'subxact.schema.json');
  if (existsSync(schema)) cpSync(schema, join(server, 'subxact.schema.json'));
  cpSync(join(root, 'LICENSE'), join(here, 'LICENSE'));
  const { createVSIX } = await import('@vscode/vsce');
  const out = join(root, 'build');
  mkdirSync(out, { recursive: true });
  await createVSIX({
    cwd: here,
    packagePath: join(out, 'subxact.vsix'),
    dependencies: false,
    skipLicense: true,
  });
}
