// Measures what a user waits for against the bars: medians of interleaved runs, and ratios to Node or a peer of the same run.
// usage: node bench/run.mjs [--trees] [TREE…]      peers and PostgreSQL's regression files are fetched into build/
// With --trees only the trees are measured, beside those who read their language.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peersOf, regression, squawk, squawkShim } from './peers.mjs';

const from = process.cwd();
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const CLI = 'bin/subxact.js';
const folder = mkdtempSync(join(tmpdir(), 'subxact-bench-'));
const cache = join(folder, 'cache');
const report = join(folder, 'out');
/** Reading certificates that a machine adds takes Node longer than its own start, and is no part of either. */
const { NODE_EXTRA_CA_CERTS: _, ...ENV } = process.env;
/** Milliseconds of one tick of Linux's clock for processes. */
const TICK = 10;
let over = 0;

try {
  console.log(
    `${process.version}, ${availableParallelism()} × ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`,
  );
  const asked = process.argv.slice(2);
  const paths = asked.filter((one) => one !== '--trees').map((one) => resolve(from, one));
  if (!asked.includes('--trees')) {
    start();
    await throughput();
    growth();
  }
  for (const tree of paths) trees(tree);
  console.log(over === 0 ? '\nevery bar is kept' : `\n${over} bars are not kept`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One small file, from nothing. */
function start() {
  const sql = `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (1); EXCEPTION WHEN others THEN NULL; END $$;\n`;
  const python =
    'from django.db import transaction\n\ndef f(rows):\n    with transaction.atomic():\n        for row in rows:\n            row.save()\n';
  const ruby = 'def f(rows)\n  rows.each { |row| Row.transaction(requires_new: true) { row.save! } }\nend\n';
  const java = 'class A { @org.springframework.transaction.annotation.Transactional void f() { g(); } }\n';
  const files = {
    SQL: ['one.sql', sql],
    Python: ['one.py', python],
    Ruby: ['one.rb', ruby],
    Java: ['A.java', java],
  };
  const cold = Object.entries(files).map(([language, [name, text]]) => {
    const file = join(folder, name);
    writeFileSync(file, text.repeat(Math.round(5000 / text.length)));
    return one(`5 KB of ${language}`, [CLI, 'check', '--no-cache', file]);
  });
  const sqlFile = join(folder, 'one.sql');
  const shim = one('5 KB of SQL, squawk from npm', [squawkShim(), sqlFile]);
  const [empty, ...times] = measure(15, [one('node -e 0', ['-e', '0']), ...cold, shim]);
  console.log('\ncold start');
  show(empty, empty);
  times.forEach((time, i) => {
    show(time, empty, i === 0 ? 1.6 : i < 4 ? 2 : undefined);
  });
  show(times[0], times[4], 0.5);
}

/** PostgreSQL's own regression files, bodies and all. */
async function throughput() {
  const { folder: files, megabytes } = await regression();
  const list = readdirSync(files, { recursive: true })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(files, name));
  const check = [CLI, 'check', '--no-cache', '--output', report];
  const [peer, ...ours] = measure(5, [
    { name: 'squawk 2.70', command: squawk(), args: list },
    one('subxact', [...check, files]),
    one('subxact, one thread', [...check, '--threads', '1', files]),
  ]);
  console.log(`\nPostgreSQL's regression files, ${megabytes.toFixed(1)} MB`);
  show(peer, peer);
  for (const time of ours) show(time, peer, 1);
}

/** A dump: tables, functions, triggers and much data. Four times the text may take four times as long, and a bit. */
function growth() {
  const sizes = [2.5, 10];
  const runs = sizes.map((size) => {
    const file = join(folder, `dump${size}.sql`);
    writeFileSync(file, dump(size * 1e6));
    return one(`a dump of ${size} MB`, [CLI, 'check', '--no-cache', '--output', report, file]);
  });
  const [small, large] = measure(3, runs);
  console.log('\ngrowth');
  show(small, small);
  show(large, small, (sizes[1] / sizes[0]) * 1.15);
}

function dump(length) {
  const parts = [];
  for (let i = 0, size = 0; size < length; i++) {
    const rows = Array.from({ length: 60 }, (_, k) => `${k}\tname ${k}\t2020-01-01 00:00:00\t\\N\n`).join('');
    const part = `CREATE TABLE public.t${i} (\n    id bigint NOT NULL,\n    name text DEFAULT 'x'::text,\n    at timestamp without time zone,\n    more jsonb\n);
ALTER TABLE public.t${i} OWNER TO app;
CREATE FUNCTION public.f${i}() RETURNS trigger\n    LANGUAGE plpgsql\n    AS $$\nBEGIN\n  BEGIN\n    INSERT INTO public.log (id) VALUES (NEW.id);\n  EXCEPTION WHEN unique_violation THEN\n    NULL;\n  END;\n  RETURN NEW;\nEND;\n$$;
COPY public.t${i} (id, name, at, more) FROM stdin;\n${rows}\\.\n
ALTER TABLE ONLY public.t${i} ADD CONSTRAINT t${i}_pkey PRIMARY KEY (id);
CREATE TRIGGER g${i} AFTER INSERT ON public.t${i} FOR EACH ROW EXECUTE FUNCTION public.f${i}();\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

function trees(tree) {
  const args = [CLI, 'check', '--cache-dir', cache, '--output', report, tree];
  const forget = () => rmSync(cache, { recursive: true, force: true });
  const [cold] = measure(3, [{ ...one(`${tree}, cold`, args), before: forget }]);
  const [warm] = measure(5, [one(`${tree}, nothing changed`, args)]);
  console.log('');
  show(cold, cold);
  show(warm, cold);
  peers(tree);
}

/** Ours without a cache, and those who read files of the tree's language. */
function peers(tree) {
  const others = peersOf(languageOf(tree));
  if (others.length === 0) return;
  const ours = one('subxact, no cache', [CLI, 'check', '--no-cache', '--output', report, tree]);
  const runs = others.map((peer) => ({ ...peer, args: [...peer.args, tree] }));
  const [mine, ...theirs] = measure(3, [ours, ...runs]);
  for (const [i, time] of theirs.entries()) {
    show(time, time);
    show(mine, time, others[i].bar);
  }
}

/** The ending that most of its source files have. */
function languageOf(tree) {
  const counts = { py: 0, rb: 0 };
  for (const name of readdirSync(tree, { recursive: true })) {
    const ending = name.slice(name.lastIndexOf('.') + 1);
    if (Object.hasOwn(counts, ending)) counts[ending]++;
  }
  return counts.py >= counts.rb ? 'py' : 'rb';
}

function one(name, args) {
  return { name, command: process.execPath, args };
}

/** Milliseconds by the clock, the median, and of the processor, the mean. All run in turn, so that load is shared. */
function measure(turns, runs) {
  const times = runs.map(({ name }) => ({ name, walls: [], processor: 0 }));
  for (let i = 0; i < turns; i++)
    runs.forEach(({ command, args, env, before }, k) => {
      before?.();
      const used = processor();
      const started = performance.now();
      const { status, stderr } = spawnSync(command, args, {
        env: env ?? ENV,
        encoding: 'utf8',
        maxBuffer: 1e9,
      });
      times[k].walls.push(performance.now() - started);
      times[k].processor += (processor() - used) / turns;
      if (status === null || status > 1) throw new Error(stderr);
    });
  return times.map(({ name, walls, processor }) => ({
    name,
    wall: walls.sort((a, b) => a - b)[walls.length >> 1],
    processor,
  }));
}

/** What the children that ended have used; 0 where nobody counts it in files. */
function processor() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK;
  } catch {
    return 0;
  }
}

/** The ratio by the clock counts; that of the processor tells more on a busy machine. */
function show(time, to, bar) {
  const wall = time.wall / to.wall;
  const processor = time.processor / to.processor;
  const verdict = bar === undefined ? '' : wall <= bar ? `bar ${bar}` : `bar ${bar}: NOT KEPT`;
  if (bar !== undefined && wall > bar) over++;
  const numbers = [`${time.wall.toFixed(0)} ms`, `${time.processor.toFixed(0)} ms CPU`].map((n) =>
    n.padStart(12),
  );
  const ratios = `${wall.toFixed(2)} ×`.padStart(9) + `${processor.toFixed(2)} × CPU`.padStart(13);
  console.log(`  ${time.name.padEnd(30)}${numbers.join('')}${ratios} of ${to.name}  ${verdict}`);
}
