// Each spelling alone on a real server: how many subtransactions it has is no more and no less than what is said.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLES, unprobed } from '../properties/render.ts';
import { CODED, OBJECTS, SPELT } from '../properties/spellings.ts';
import { KNOWN } from '../properties/unsaid.ts';
import { type Bench, bench } from './alone.ts';
import { type Server, start } from './servers.ts';

/** So many rows or turns, where a spelling does not say itself. */
const MANY = 70;
const block = (code: string) => `DO $$ DECLARE x int; BEGIN ${code} END $$`;

let server: Server;
let alone: Bench;
beforeAll(async () => {
  server = await start(17);
  alone = await bench(server, unprobed(TABLES + OBJECTS));
}, 120_000);
afterAll(() => server.stop());

test('each does what is said of it', async () => {
  const all: [string, string][] = [
    ...Object.entries(SPELT).map(([name, text]): [string, string] => [name, text(MANY)]),
    ...Object.entries(CODED).map(([name, text]): [string, string] => [name, block(text(MANY))]),
  ];
  expect((await alone.wrong(all, KNOWN)).join('\n')).toBe('');
}, 300_000);
