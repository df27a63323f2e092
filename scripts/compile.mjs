// Runs the bundle over the fixtures' SQL and keeps the code that V8 made of it, for bin/subxact.js of this Node.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const { codeOf, start } = require('../bin/subxact.js');
const out = resolve(process.argv[2]);
const program = join(out, 'cli.js');
// V8 takes the code only under the flags that it was made with, and the program may set some.
require('node:v8').setFlagsFromString = () => {};

/** All SQL of the fixtures, so that the code has what most files need. */
const sample = join(out, 'sample.sql');
const pages = ['sql', 'plpgsql'].map((name) => readFileSync(`fixtures/languages/${name}.md`, 'utf8'));
const blocks = pages.flatMap((page) =>
  [...page.matchAll(/^```sql[^\n]*\n(.*?)^```/gms)].map((match) => match[1]),
);
writeFileSync(sample, blocks.join('\n'));
process.argv.splice(2, 1, 'check', '--no-cache', '--output', `${sample}.txt`, sample);
const script = start(program);
process.on('exit', () => {
  for (const file of [sample, `${sample}.txt`]) rmSync(file, { force: true });
  writeFileSync(codeOf(program), script.createCachedData());
  process.exitCode = 0;
});
