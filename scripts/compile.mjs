// Runs the bundle over the fixtures and keeps the code that V8 made of it, for bin/subxact.js of this Node.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const { codeOf, start } = require('../bin/subxact.js');
const out = resolve(process.argv[2]);
const program = join(out, 'cli.js');
// V8 takes the code only under the flags that it was made with, and the program may set some.
require('node:v8').setFlagsFromString = () => {};

/** What the fixtures show of a language, as one file: it makes V8 compile what most files need. */
function sample(language, pages) {
  const file = join(out, `sample.${language === 'python' ? 'py' : language}`);
  const block = new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, 'gms');
  const texts = pages.map((page) => readFileSync(`fixtures/${page}.md`, 'utf8'));
  writeFileSync(file, texts.flatMap((text) => [...text.matchAll(block)].map((match) => match[1])).join('\n'));
  return file;
}

const samples = [
  sample('sql', ['languages/sql', 'languages/plpgsql']),
  sample('python', ['languages/python', 'frameworks/django', 'frameworks/sqlalchemy']),
];
const report = join(out, 'sample.txt');
process.argv.splice(2, 1, 'check', '--no-cache', '--output', report, ...samples);
const script = start(program);
process.on('exit', () => {
  for (const file of [...samples, report]) rmSync(file, { force: true });
  writeFileSync(codeOf(program), script.createCachedData());
  process.exitCode = 0;
});
