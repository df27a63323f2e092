// Runs the bundle over the fixtures and keeps the code that V8 made of it, for bin/subxact.js of this Node.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const { codeOf, start, scripts } = require('../bin/subxact.js');
const out = resolve(process.argv[2]);
const program = join(out, 'cli.js');
// V8 takes code only under the flags that hold: the first file starts before the program sets its own, the others after.
const v8 = require('node:v8');
const { setFlagsFromString } = v8;
const flags = [];
v8.setFlagsFromString = (flag) => flags.push(flag);

/** What the fixtures show of a language, as one file: it makes V8 compile what most files need. */
function sample(language, ending, pages) {
  const file = join(out, `sample.${ending}`);
  const block = new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, 'gms');
  const texts = pages.map((page) => readFileSync(`fixtures/${page}.md`, 'utf8'));
  writeFileSync(file, texts.flatMap((text) => [...text.matchAll(block)].map((match) => match[1])).join('\n'));
  return file;
}

const samples = [
  sample('sql', 'sql', ['languages/sql', 'languages/plpgsql']),
  sample('python', 'py', ['languages/python', 'frameworks/django', 'frameworks/sqlalchemy']),
  sample('ruby', 'rb', ['frameworks/activerecord', 'frameworks/sequel']),
  sample('java', 'java', ['languages/java', 'frameworks/jvm']),
  sample('kotlin', 'kt', ['languages/kotlin', 'frameworks/jvm']),
];
const report = join(out, 'sample.txt');
process.argv.splice(2, 1, 'check', '--no-cache', '--output', report, ...samples);
start(program);
process.on('exit', (code) => {
  for (const file of [...samples, report]) rmSync(file, { force: true });
  for (const [file, script] of scripts) {
    writeFileSync(codeOf(file), script.createCachedData());
    for (const flag of flags.splice(0)) setFlagsFromString(flag);
  }
  // Findings are no fault.
  if (code < 2) process.exitCode = 0;
});
