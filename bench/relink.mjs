// How long linking takes: generated programs of growing size, medians of a few runs. `node bench/relink.mjs [routines]`
import { buildSync } from 'esbuild';

const bundle = buildSync({ entryPoints: ['src/linker/link.ts'], bundle: true, format: 'esm', write: false });
const { link } = await import(
  `data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString('base64')}`
);

let clock = 0;
const at = () => ({ start: clock++, end: clock });
let seed = 1;
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % n;
};

/** Half SQL functions that call each other and write tables with triggers, half methods that call those and each other. */
function program(routines) {
  const units = [];
  const perFile = 25;
  const half = routines / 2;
  for (let from = 0; from < routines; from += perFile) {
    clock = 0;
    const sql = from < half;
    const file = sql ? `db/functions/f${from}.sql` : `app/module${from}.py`;
    const unit = emptyUnit(file, sql ? 'sql' : 'python');
    for (let i = from; i < from + perFile; i++)
      unit.routines.push(sql ? sqlRoutine(i, half) : method(i, from, half, routines));
    if (sql)
      unit.triggers.push({
        name: `audit${from}`,
        at: at(),
        relation: `sql:t${from}`,
        verbs: ['insert', 'update'],
        each: 'row',
        timing: 'after',
        via: 'trigger',
        body: [{ kind: 'call', at: at(), callee: `sql:f${from}` }],
      });
    units.push(unit);
  }
  return units;
}

const write = () => ({
  kind: 'write',
  at: at(),
  verb: 'insert',
  relation: `sql:t${random(2000) * 25}`,
  rows: 'one',
});
const call = (callee) => ({ kind: 'call', at: at(), callee });
const loop = (body) => ({ kind: 'loop', at: at(), over: 'rows', times: null, body });

function sqlRoutine(i, half) {
  const body = [{ kind: 'read', at: at(), relation: `sql:t${random(2000)}`, rows: 'many' }];
  for (let calls = random(3); calls > 0; calls--) body.push(call(`sql:f${random(half)}`));
  if (i % 5 === 0) body.push(loop([call(`sql:f${random(half)}`)]));
  if (i % 10 === 0) {
    const handlers = [{ at: at(), catches: ['others'], body: [] }];
    const label = 'EXCEPTION block';
    body.push({
      kind: 'scope',
      at: at(),
      opens: 'subtransaction',
      whenNested: 'savepoint',
      label,
      handlers,
      body: [write()],
    });
  }
  return { name: `sql:f${i}`, at: at(), kind: 'function', entry: 'called', startsIn: 'caller', body };
}

function method(i, from, half, routines) {
  const other = half + random(routines - half);
  const body = [call(`python:module${other - (other % 25)}.f${other}`), call('python:?.unknown')];
  if (i % 3 === 0) body.push(loop([call(`sql:f${random(half)}`)]));
  if (i % 7 === 0)
    body.push({
      kind: 'scope',
      at: at(),
      opens: 'transaction',
      whenNested: 'savepoint',
      label: 'atomic()',
      body: [write()],
    });
  const name = `python:app.module${from}.f${i}`;
  return {
    name,
    at: at(),
    kind: 'function',
    entry: i % 50 === 0 ? 'request' : 'called',
    startsIn: 'unknown',
    body,
  };
}

function emptyUnit(file, language) {
  const lists = {
    routines: [],
    triggers: [],
    relations: [],
    foreignKeys: [],
    types: [],
    aliases: [],
    changes: [],
    settings: [],
    packages: [],
    problems: [],
  };
  return { file, language, dialect: 'postgresql', role: 'product', ...lists };
}

const most = Number(process.argv[2] ?? 100_000);
for (const size of [most / 10, most]) {
  const units = program(size);
  const times = [];
  let model;
  for (let i = 0; i < 5; i++) {
    const before = performance.now();
    model = link(units);
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  const { subtransactions, transactions } = model;
  console.log(
    `${size} routines: ${Math.round(times[2])} ms (${Math.round(times[0])} to ${Math.round(times[4])}), ${subtransactions.length} subtransactions, ${transactions.length} transactions`,
  );
}
