// How time and memory grow with the program: shapes that a careless linker takes quadratic time for, at 1, 2, 4 and 8 times the size. `node bench/growth.mjs [SHAPE…]`
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const self = fileURLToPath(import.meta.url);
const TIMES = [1, 2, 4, 8];
/** What one of the largest may take more than one of the smallest. */
const ALLOWED = 1.15;

// ---- units

const at = (start) => ({ start: start * 10, end: start * 10 + 9 });
const call = (callee, i = 0) => ({ kind: 'call', at: at(i), callee });
const loop = (body, i = 0) => ({ kind: 'loop', at: at(i), over: 'rows', times: null, body });
const write = (table, i = 0) => ({
  kind: 'write',
  at: at(i),
  verb: 'update',
  relation: `sql:${table}`,
  rows: 'many',
});
const block = (body, i = 0) => ({
  kind: 'scope',
  at: at(i),
  opens: 'subtransaction',
  whenNested: 'savepoint',
  label: 'EXCEPTION block',
  handlers: [{ at: at(i), catches: ['others'], body: [] }],
  body,
});
const routine = (name, i, body, more = {}) => ({
  name,
  at: at(i),
  kind: 'function',
  entry: 'called',
  startsIn: 'caller',
  body,
  ...more,
});
const trigger = (name, relation, i, body) => ({
  name,
  at: at(i),
  relation,
  verbs: ['update'],
  each: 'row',
  timing: 'after',
  via: 'trigger',
  body,
});
const script = (file, i, body) =>
  routine(`sql:"${file}"`, i, body, { kind: 'script', entry: 'script', startsIn: 'autocommit' });

function unit(file, language, more) {
  const lists = 'routines triggers relations foreignKeys types aliases changes settings packages problems';
  const empty = Object.fromEntries(lists.split(' ').map((list) => [list, []]));
  return { file, language, dialect: 'postgresql', role: 'product', ...empty, ...more };
}

const count = (n, make) => Array.from({ length: n }, (_, i) => make(i));
/** Routines in files of 25. */
const inFiles = (language, folder, routines) =>
  count(Math.ceil(routines.length / 25), (f) =>
    unit(`${folder}/f${f}.${language === 'sql' ? 'sql' : 'py'}`, language, {
      routines: routines.slice(f * 25, f * 25 + 25),
    }),
  );
const opener = routine('sql:opens', 0, [block([write('t')])]);

// ---- shapes: the number is how many make one unit of size

const SHAPES = {
  'one deep chain of calls': [
    4000,
    (n) =>
      inFiles('sql', 'db', [
        ...count(n, (i) =>
          routine(`sql:f${i}`, i, [loop([call(i + 1 < n ? `sql:f${i + 1}` : 'sql:opens')])]),
        ),
        opener,
      ]),
  ],
  'many callers of one function': [
    4000,
    (n) =>
      inFiles('sql', 'db', [
        opener,
        ...count(n, (i) => routine(`sql:f${i}`, i, [loop([call('sql:opens')])])),
      ]),
  ],
  'one ring of mutual recursion': [
    4000,
    (n) =>
      inFiles('sql', 'db', [
        opener,
        ...count(n, (i) =>
          routine(`sql:f${i}`, i, [
            call(`sql:f${(i + 1) % n}`),
            call(`sql:f${(i * 7) % n}`),
            call('sql:opens'),
          ]),
        ),
      ]),
  ],
  'many triggers on one table': [
    1000,
    (n) => [
      unit('db/t.sql', 'sql', {
        routines: [opener],
        triggers: count(n, (i) => trigger(`t${i}`, 'sql:t', i, [call('sql:opens')])),
      }),
      ...inFiles(
        'sql',
        'db/writes',
        count(20, (i) => routine(`sql:w${i}`, i, [write('t')])),
      ),
    ],
  ],
  'many writes of one table with triggers': [
    4000,
    (n) => [
      unit('db/t.sql', 'sql', {
        routines: [opener],
        triggers: count(20, (i) => trigger(`t${i}`, 'sql:t', i, [call('sql:opens')])),
      }),
      ...inFiles(
        'sql',
        'db/writes',
        count(n, (i) => routine(`sql:w${i}`, i, [write('t')])),
      ),
    ],
  ],
  'scripts with a savepoint each': [
    2000,
    (n) =>
      count(n, (i) =>
        unit(`db/script${i}.sql`, 'sql', {
          routines: [
            script(`db/script${i}.sql`, 0, [
              { kind: 'begin', at: at(1) },
              { kind: 'savepoint', at: at(2), name: 'a' },
              write('t', 3),
              { kind: 'release', at: at(4), name: 'a' },
              { kind: 'commit', at: at(5) },
            ]),
          ],
        }),
      ),
  ],
  'one script of many transactions': [
    2000,
    (n) => [
      unit('db/script.sql', 'sql', {
        routines: [
          script(
            'db/script.sql',
            0,
            count(n, (i) => [
              { kind: 'begin', at: at(5 * i + 1) },
              { kind: 'savepoint', at: at(5 * i + 2), name: 'a' },
              write('t', 5 * i + 3),
              { kind: 'release', at: at(5 * i + 4), name: 'a' },
              { kind: 'commit', at: at(5 * i + 5) },
            ]).flat(),
          ),
        ],
      }),
    ],
  ],
  'one body with many blocks': [
    4000,
    (n) => [
      unit('db/f.sql', 'sql', {
        routines: [
          routine(
            'sql:f',
            0,
            count(n, (i) => block([write('t', i)], i)),
          ),
        ],
      }),
    ],
  ],
  'classes with a method of one name': [
    1000,
    (n) =>
      count(n, (i) =>
        unit(`app${i}/models.py`, 'python', {
          types: [{ name: `python:app${i}.models.Order`, at: at(0), bases: [] }],
          routines: [
            routine(`python:app${i}.models.Order.save`, 1, [block([write('t')])], { kind: 'method' }),
            routine(`python:app${i}.views.f`, 2, [loop([call('python:models.Order.save')])]),
          ],
        }),
      ),
  ],
  'heirs of one abstract class': [
    1000,
    (n) => [
      unit('base.py', 'python', {
        types: [{ name: 'python:base.Job', at: at(0), bases: [], abstract: true }],
        routines: [routine('python:base.Job.run', 1, [], { kind: 'method' })],
      }),
      ...count(n, (i) =>
        unit(`jobs/job${i}.py`, 'python', {
          types: [{ name: `python:jobs.job${i}.Job${i}`, at: at(0), bases: ['python:base.Job'] }],
          routines: [
            routine(`python:jobs.job${i}.Job${i}.run`, 1, [block([write('t')])], { kind: 'method' }),
            routine(`python:jobs.job${i}.start`, 2, [call('python:base.Job.run')]),
          ],
        }),
      ),
    ],
  ],
  'abstract classes without heirs': [
    1000,
    (n) =>
      count(n, (i) =>
        unit(`base${i}.py`, 'python', {
          types: [{ name: `python:base${i}.Job`, at: at(0), bases: [], abstract: true }],
          routines: [
            routine(`python:base${i}.Job.run`, 1, [], { kind: 'method' }),
            routine(`python:base${i}.start`, 2, [call(`python:base${i}.Job.run`), block([write('t')])]),
          ],
        }),
      ),
  ],
  'long lines of inheritance': [
    1000,
    (n) =>
      count(n, (i) =>
        unit(`c${i}.py`, 'python', {
          types: [{ name: `python:c${i}.C`, at: at(0), bases: i % 20 === 0 ? [] : [`python:c${i - 1}.C`] }],
          routines: [
            ...(i % 20 === 0
              ? [routine(`python:c${i}.C.run`, 1, [block([write('t')])], { kind: 'method' })]
              : []),
            routine(`python:c${i}.start`, 2, [loop([call(`python:c${i}.C.run`)])]),
          ],
        }),
      ),
  ],
  'classes opened again and again': [
    2000,
    (n) =>
      count(n, (i) =>
        unit(`app/order${i}.rb`, 'ruby', {
          types: [{ name: 'ruby:Order', at: at(0), bases: [], reopened: true }],
          routines: [
            routine(`ruby:Order#m${i}`, 1, [block([write('t')]), call(`ruby:Order#m${i + 1}`)], {
              kind: 'method',
            }),
          ],
        }),
      ),
  ],
  'SQL functions of one name in many schemas': [
    1000,
    (n) =>
      inFiles(
        'sql',
        'db',
        count(n, (i) => routine(`sql:s${i}.f`, i, [block([write('t')]), call(`sql:s${(i * 7) % n}.f`)])),
      ),
  ],
  'SQL functions of one name in many files': [
    1000,
    (n) =>
      count(n, (i) =>
        unit(`app${i}/f.sql`, 'sql', {
          routines: [
            routine('sql:f', 1, [block([write('t')])]),
            routine(`sql:g${i}`, 2, [loop([call('sql:f')])]),
          ],
        }),
      ),
  ],
  'a series that drops what it made': [
    1000,
    (n) =>
      count(n, (i) =>
        unit(`migrations/V${i}.sql`, 'sql', {
          role: 'migration',
          series: { name: 'migrations', position: String(i) },
          routines: [routine(`sql:f${i}`, 5, [block([write('t')])])],
          triggers: [trigger(`t${i}`, `sql:t${i}`, 6, [call(`sql:f${i}`)])],
          changes: [
            { at: at(1), does: 'drop routine', name: `sql:f${i - 5}` },
            { at: at(2), does: 'drop trigger', name: `t${i - 5}`, relation: `sql:t${i - 5}` },
            { at: at(3), does: 'rename relation', name: `sql:t${i - 1}`, to: `sql:u${i - 1}` },
            { at: at(4), does: 'drop relation', name: `sql:x${i}` },
          ],
        }),
      ),
  ],
  'many manifests and steps of some versions': [
    1000,
    (n) =>
      count(n, (i) => [
        unit(`app${i}/Gemfile.lock`, 'settings', {
          packages: [{ name: 'gem:rails', version: '7.0.1', exact: true }],
        }),
        unit(`app${i}/m.rb`, 'ruby', {
          routines: [
            routine(`ruby:M${i}.f`, 1, [
              { ...block([write('t')]), since: { package: 'gem:rails', range: '>=6' } },
            ]),
          ],
        }),
      ]).flat(),
  ],
};

// ---- measuring

async function measure(shape, times) {
  const bundle = buildSync({
    stdin: { contents: "export { analyse } from './src/analyse.ts'", resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    banner: { js: "import{createRequire as r}from'node:module';const require=r(process.cwd()+'/');" },
    logLevel: 'silent',
  });
  const { analyse } = await import(
    `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString('base64')}`
  );
  const [size, make] = SHAPES[shape];
  for (let i = 0; i < 3; i++) analyse(make(size / 4)); // the compiler has seen it all
  const units = make(size * times);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  let [best, most, kept] = [Infinity, 0, null];
  for (let i = 0; i < 3; i++) {
    globalThis.gc();
    const started = process.cpuUsage();
    kept = analyse(units);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1000);
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  console.log(JSON.stringify({ ms: best, mb: most / 1e6, findings: kept.findings.length }));
}

if (process.argv[2] === '--measure') await measure(process.argv[3], Number(process.argv[4]));
else {
  const asked = process.argv.slice(2);
  let worse = 0;
  console.log(
    `CPU time and heap of analyse() at ${TIMES.join(', ')} times the size; growth is what one item of the largest costs, the smallest being 1`,
  );
  for (const shape of Object.keys(SHAPES).filter(
    (name) => asked.length === 0 || asked.some((word) => name.includes(word)),
  )) {
    const rows = TIMES.map((times) => {
      const args = ['--expose-gc', '--max-semi-space-size=32', self, '--measure', shape, String(times)];
      const { stdout, stderr } = spawnSync('node', args, { encoding: 'utf8', timeout: 300_000 });
      if (!stdout) throw new Error(`${shape}: ${stderr || 'took more than five minutes'}`);
      return JSON.parse(stdout);
    });
    const growth = rows.at(-1).ms / rows[0].ms / TIMES.at(-1);
    if (growth > ALLOWED) worse++;
    const ms = rows.map((row) => row.ms.toFixed(0).padStart(6)).join('');
    const mb = rows.map((row) => row.mb.toFixed(0).padStart(5)).join('');
    console.log(
      `${shape.padEnd(44)}${ms} ms ${mb} MB  growth ${growth.toFixed(2)}${growth > ALLOWED ? '  not linear' : ''}`,
    );
  }
  process.exitCode = worse > 0 ? 1 : 0;
}
