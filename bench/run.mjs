// Measures what a user waits for, in one run, as medians and as ratios to an empty Node. `node bench/run.mjs [TREE…]`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/subxact.js');
const folder = mkdtempSync(join(tmpdir(), 'subxact-bench-'));
const cache = join(folder, 'cache');

function median(turns, args, before = () => {}) {
  const times = Array.from({ length: turns }, () => {
    before();
    const started = performance.now();
    const { status, stderr } = spawnSync('node', args, { encoding: 'utf8' });
    if (status > 1) throw new Error(stderr);
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const forget = () => rmSync(cache, { recursive: true, force: true });
const sql = `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (1); EXCEPTION WHEN others THEN NULL; END $$;\n`;
const python =
  'from django.db import transaction\n\ndef f(rows):\n    with transaction.atomic():\n        for row in rows:\n            row.save()\n';
writeFileSync(join(folder, 'one.sql'), sql.repeat(20));
writeFileSync(join(folder, 'one.py'), python.repeat(20));
const empty = median(15, ['-e', '0']);
const line = (name, ms) =>
  console.log(
    `${name.padEnd(40)} ${ms.toFixed(0).padStart(7)} ms  ${(ms / empty).toFixed(2).padStart(6)} × node -e 0`,
  );
line('node -e 0', empty);
line('one SQL file, cold', median(15, [CLI, 'check', '--no-cache', join(folder, 'one.sql')]));
line('one Python file, cold', median(15, [CLI, 'check', '--no-cache', join(folder, 'one.py')]));
for (const tree of process.argv.slice(2)) {
  const args = [CLI, 'check', '--cache-dir', cache, '--output', join(folder, 'out'), tree];
  line(`${tree}, cold`, median(3, args, forget));
  line(`${tree}, warm`, median(5, args));
}
rmSync(folder, { recursive: true, force: true });
