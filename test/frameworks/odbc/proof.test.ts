// psqlODBC connects with each string of the table, and the server says which savepoints came.
// The driver and pyodbc come from Debian: install.sh.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lower } from '../../../src/analyse.ts';
import { LOGGED, logOf, type Server, start } from '../../postgres/servers.ts';

interface Proof {
  /** Of the catalogue. */
  row: string;
  string: string;
  /** SAVEPOINT, RELEASE and ROLLBACK TO. */
  came: [number, number, number];
  /** A file with this string has a setting that opens savepoints. */
  told: boolean;
}

/** Three inserts in a transaction. `missed`: the default is the same, and no file says whether autocommit is off. */
const PROOFS: Record<string, Proof> = {
  default: { row: 'S153', string: '', came: [2, 1, 0], told: false },
  statement: { row: 'S153', string: 'Protocol=7.4-2', came: [2, 1, 0], told: true },
  short: { row: 'S153', string: 'A1=7.4-2', came: [2, 1, 0], told: true },
  transaction: { row: 'S153', string: 'Protocol=7.4-1', came: [0, 0, 0], told: false },
  none: { row: 'S153', string: 'Protocol=7.4-0', came: [0, 0, 0], told: false },
  ignored: { row: 'S153', string: 'RollbackOnError=0', came: [2, 1, 0], told: false },
  autocommit: { row: 'S153', string: 'Protocol=7.4-2;autocommit=True', came: [0, 0, 0], told: true },
  prepared: { row: 'S154', string: 'Protocol=7.4-0', came: [3, 3, 0], told: false },
  prepared_by_client: {
    row: 'S154',
    string: 'Protocol=7.4-0;UseServerSidePrepare=0',
    came: [0, 0, 0],
    told: false,
  },
};

let server: Server;
const address = `127.84.${process.pid & 255}.${(process.pid >> 8) & 255}`;

beforeAll(async () => {
  server = await start(15, {
    listen_addresses: address,
    ...LOGGED,
  });
}, 60_000);
afterAll(() => server?.stop());

test('psqlODBC sends what the table says', async () => {
  const input = Object.entries(PROOFS).map(([name, { string }]) => `${name} ${string}\n`);
  execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'run.py'), address], { input: input.join('') });
  const came = counts(await readFile(logOf(server), 'utf8'));
  expect(came).toEqual(Object.fromEntries(Object.entries(PROOFS).map(([name, proof]) => [name, proof.came])));
  const rows = new Set<string>();
  for (const { row, string, told } of Object.values(PROOFS)) {
    const unit = await lower(
      'app.php',
      `<?php odbc_connect("Driver={PostgreSQL Unicode};Server=db;${string}");\n`,
    );
    const settings = unit!.settings.filter(({ effect }) => effect.startsWith('savepoint per'));
    expect(`${string}: ${settings.length}`).toBe(`${string}: ${told ? 1 : 0}`);
    rows.add(row);
  }
  console.log(`${rows.size} rows proven (${[...rows].join(' ')})`);
}, 60_000);

function counts(log: string): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  let now: number[] | undefined;
  for (const line of log.split('\n')) {
    const mark = /SELECT '(begin|end) (\w+)'/.exec(line);
    if (mark) {
      now = mark[1] === 'begin' ? [0, 0, 0] : undefined;
      if (now) found[mark[2]!] = now;
    }
    // One message may carry several statements.
    if (/LOG: +(?:statement|execute [^:]*):/.test(line) && now)
      for (const [i, word] of ['SAVEPOINT', 'RELEASE', 'ROLLBACK TO'].entries())
        now[i]! += line.match(new RegExp(`(?:^|[:;])\\s*${word}\\b`, 'g'))?.length ?? 0;
  }
  return found;
}
