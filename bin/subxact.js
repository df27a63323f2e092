#!/usr/bin/env node
// Starts the bundled program in dist/, with the code that V8 made of it at build time when this is the same Node: that
// saves a third of a small run (bench/README.md). CommonJS, as package.json beside it says, which starts sooner too.
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const program = join(__dirname, '../dist/cli.js');
/** The scripts that run, for the build to keep their code. */
const scripts = new Map();
const brought = new Map();
if (require.main === module) main();
else module.exports = { codeOf, start, bring, scripts };

function main() {
  const kept = contentOf(codeOf(program, process.argv.at(-1))) ?? contentOf(codeOf(program));
  if (kept) return start(program, kept);
  const folder = cacheFolder();
  if (folder && !mayBeForeign(folder)) require('node:module').enableCompileCache?.(folder);
  require(program);
}

/** Where the code of this Node is: with `read`, that which a file with this ending or a thread needs, for all costs more to load. */
function codeOf(file, read = '') {
  const [ending = ''] = /\.(?:sql|py|rb|java|kt|thread)$/.exec(read) ?? [];
  return `${file}.${process.version}-${process.platform}-${process.arch}${ending}`;
}

/** Runs a bundle; esbuild writes ASCII. */
function start(file, cachedData, own = {}) {
  const { Script } = require('node:vm');
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  scripts.set(file, script);
  own.exports = {};
  own.bring = (other) => bring(join(dirname(file), other));
  script.runInThisContext()(own, require, file, dirname(file));
  return script;
}

/** Another script, or a part of this one that starts in its place. What is asked for again is the same, as it is with import. */
function bring(file, entry) {
  if (!brought.has(file)) {
    const own = { entry };
    start(file, contentOf(codeOf(file, entry && '.thread')) ?? undefined, own);
    brought.set(file, own.exports);
  }
  return brought.get(file);
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Beside what the program keeps of its runs; never in the tree that it reads. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const home = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, '.cache'));
  return home && join(home, 'subxact', 'code');
}

/** What stands in a repository may have been committed by anybody, and what is kept here is run. */
function mayBeForeign(folder) {
  for (let at = folder; at !== dirname(at); at = dirname(at))
    if (at === process.cwd() || existsSync(join(at, '.git'))) return true;
  return false;
}
