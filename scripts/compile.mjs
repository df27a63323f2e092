// Runs the bundle over the fixtures and keeps the code that V8 made of it, for bin/subxact.js of this Node.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const require = createRequire(import.meta.url);
const { codeOf, start, scripts } = require('../bin/subxact.js');
const out = resolve(process.argv[2]);
/** The ending of the only language whose code is kept, or `thread`; empty: all. */
const kind = process.argv[3];
const threads = kind === 'thread';
const only = threads ? '' : kind;
const program = join(out, 'cli.js');
// V8 takes code only under the flags that hold: the first file starts before the program sets its own, the others after.
const v8 = require('node:v8');
const { setFlagsFromString } = v8;
const flags = [];
v8.setFlagsFromString = (flag) => flags.push(flag);

/** Of what one language needs a tenth of the pages says enough: code that one page in a hundred runs costs all files more than it saves. */
const EACH = only ? 10 : 1;

/** What the fixtures show of a language, as one file: it makes V8 compile what most files need. */
function sample(language, ending, pages) {
  const file = join(out, `sample.${ending}`);
  const block = new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, 'gms');
  const texts = pages.map((page) => readFileSync(`fixtures/${page}.md`, 'utf8'));
  const blocks = texts.flatMap((text) => [...text.matchAll(block)].map((match) => match[1]));
  writeFileSync(file, blocks.filter((_, i) => i % EACH === 0).join('\n'));
  return file;
}

const pages = [
  ['sql', 'sql', ['languages/sql', 'languages/plpgsql']],
  ['python', 'py', ['languages/python', 'frameworks/django', 'frameworks/sqlalchemy']],
  ['ruby', 'rb', ['frameworks/activerecord', 'frameworks/sequel']],
  ['java', 'java', ['languages/java', 'frameworks/jvm']],
  ['kotlin', 'kt', ['languages/kotlin', 'frameworks/jvm']],
];
const samples = pages.filter(([, ending]) => !only || ending === only).map((page) => sample(...page));
const report = join(out, 'sample.txt');
// A command that reads nothing sets the flags that threads start under, and no more.
process.argv.splice(2, 2, ...(threads ? ['rules'] : ['check', '--no-cache', '--output', report, ...samples]));
start(program);
process.once('beforeExit', async (code) => {
  if (threads) await lowerAsThread();
  for (const file of [...samples, report]) rmSync(file, { force: true });
  for (const [file, script] of scripts) {
    writeFileSync(codeOf(file, kind && `.${kind}`), script.createCachedData());
    for (const flag of flags.splice(0)) setFlagsFromString(flag);
  }
  // Findings are no fault.
  if (code < 2) process.exitCode = 0;
});

/** What runs in a thread does the same in this one, when it is given a port. */
async function lowerAsThread() {
  for (const flag of flags.splice(0)) setFlagsFromString(flag);
  scripts.clear();
  let lower;
  const on = (_, listener) => {
    lower = listener;
  };
  require('node:worker_threads').parentPort = { on, postMessage() {} };
  start(program, undefined, { entry: 'worker.js' });
  for (const path of samples) await lower({ path, bytes: readFileSync(path) });
}
