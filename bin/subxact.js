#!/usr/bin/env node
// Starts the bundled program in dist/, with the code that V8 made of it at build time when this is the same Node: that
// halves the start (bench/README.md). CommonJS, as package.json beside it says, which starts sooner than a module.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, '../dist/cli.js');
const { version, platform, arch } = process;
const compiled = contentOf(`${program}.${version}-${platform}-${arch}`);
if (compiled) start(compiled);
else {
  require('node:module').enableCompileCache?.(cacheFolder());
  require(program);
}

function start(cachedData) {
  const { Script } = require('node:vm');
  const { createRequire, wrap } = require('node:module');
  const script = new Script(wrap(readFileSync(program, 'utf8')), { filename: program, cachedData });
  // A script may not import by itself.
  const module = { exports: {}, bring: (file) => import(`../dist/${file}`) };
  script.runInThisContext()(module.exports, createRequire(program), module, program);
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
