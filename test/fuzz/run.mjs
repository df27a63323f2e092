// Fuzzes all that takes other people's text, guided by which branches are reached: `node test/fuzz/run.mjs [INPUTS] [SURFACE…]`.
//
// No fuzzer for Node starts on Debian 12 (Jazzer.js wants a newer C library), so the loop is our own: the bundle is
// instrumented by istanbul, and a text is kept when a branch is taken as often as never before. SUBXACT_SEED repeats a run.
// What fails is left in build/fuzz, and the exit code is 1.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const FOLDER = 'build/fuzz';
const SURFACES = ['SQL', 'Python', 'Ruby', 'Java', 'Kotlin', 'JavaScript', 'settings', 'programs', 'an editor', 'configuration', 'a baseline', 'patterns and comments', 'reports']; // biome-ignore format: a list
/** No text of 20,000 characters may take longer, instrumented, of the processor's time of all threads: by the clock a busy machine hangs. */
const LONGEST = 20_000;
const MEGABYTES = 1500;

const [inputs = '1000000', ...only] = process.argv.slice(2);
const surfaces = only.length > 0 ? only : SURFACES;
const seed = Number(process.env.SUBXACT_SEED ?? Date.now() % 1e9);

const bundle = await instrumented();
console.log(`seed ${seed}, ${inputs} inputs\n`);
let failed = 0;
const queue = [...surfaces];
const threads = Array.from({ length: Number(process.env.SUBXACT_THREADS ?? 2) }, async () => {
  for (let surface = queue.shift(); surface; surface = queue.shift()) await fuzz(surface);
});
await Promise.all(threads);
process.exit(failed ? 1 : 0);

/** The program as one file that counts its branches. */
async function instrumented() {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'node_modules/istanbul-lib-instrument'))) {
    writeFileSync(join(FOLDER, 'package.json'), '{"private": true}');
    const install = [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      'istanbul-lib-instrument@6.0.3',
    ];
    execFileSync('npm', install, { cwd: FOLDER, stdio: 'inherit' });
  }
  const { outputFiles } = await build({
    entryPoints: ['test/fuzz/fuzzer.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const { createInstrumenter } = createRequire(resolve(FOLDER, 'x.js'))('istanbul-lib-instrument');
  const file = resolve(FOLDER, 'fuzzer.mjs');
  const instrumenter = createInstrumenter({
    esModules: true,
    compact: false,
    produceSourceMap: false,
    coverageGlobalScopeFunc: false,
    coverageGlobalScope: 'globalThis',
  });
  writeFileSync(file, instrumenter.instrumentSync(outputFiles[0].text, file));
  return file;
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function fuzz(surface) {
  const shared = new SharedArrayBuffer(8 + 2 * 20_000);
  const runs = Math.ceil(Number(inputs) / surfaces.length);
  const state = new Int32Array(shared, 0, 2);
  const current = () => String.fromCharCode(...new Uint16Array(shared, 8, state[1]));
  return new Promise((done) => {
    const started = Date.now();
    let failures = 0;
    let [last, since] = [0, used() + 60_000]; // it loads first
    const worker = new Worker(bundle, {
      workerData: { surface, runs, seed, shared },
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      stderr: true, // what a server logs of a message that is none is not shown
    });
    let ended = false;
    const fail = (why, text) => {
      ended = true;
      failed++;
      const file = join(FOLDER, `${surface.replaceAll(' ', '-')}-${seed}-${++failures}.txt`);
      writeFileSync(file, text);
      console.log(`${surface}: FAILED after ${state[0]} inputs, see ${file}\n${why}\n`);
    };
    const watch = setInterval(() => {
      if (state[0] !== last) [last, since] = [state[0], used()];
      if (used() - since < LONGEST) return;
      clearInterval(watch);
      fail(`it took longer than ${LONGEST / 1000} seconds of the processor's time`, current());
      worker.terminate();
    }, 1000);
    worker.on('message', (message) => {
      if (message.failed) fail(message.failed, message.text);
      if (message.done) {
        ended = true;
        worker.terminate(); // servers that were talked to keep it alive
        const { kept, reached, of, slowest } = message.done;
        const seconds = Math.round((Date.now() - started) / 1000);
        console.log(
          `${surface}: ${runs} inputs in ${seconds} s, ${kept} kept, ${reached} of ${of} branches, the slowest ${Math.round(slowest.milliseconds)} ms`,
        );
        if (slowest.milliseconds > 5000)
          fail(`one took ${Math.round(slowest.milliseconds)} ms of processor time`, slowest.text);
      }
    });
    worker.on('error', (error) => fail(error.stack ?? String(error), current()));
    worker.on('exit', () => {
      clearInterval(watch);
      if (!ended) fail('the thread ended', current());
      done();
    });
  });
}
