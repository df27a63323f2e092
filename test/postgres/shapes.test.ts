// Each shape alone on a real server: how many subtransactions it has is no more and no less than what is said.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLES, unprobed } from '../properties/render.ts';
import { ASKED, CODED, KNOWN, WHOLE } from '../properties/shapes.ts';
import { type Bench, bench } from './alone.ts';
import { type Server, start } from './servers.ts';

/** So many rows or turns, where a shape does not say itself. */
const MANY = 70;
const SCHEMA = unprobed(TABLES);
const block = (code: string) => `DO $$ DECLARE x int; BEGIN ${code} END $$`;

const SHAPES: [string, string][] = [
  ...Object.entries(ASKED).map(([name, text]): [string, string] => [`SELECT, ${name}`, `SELECT ${text(MANY)}`]),
  ...Object.entries(ASKED).map(([name, text]): [string, string] => [`PERFORM, ${name}`, block(`PERFORM ${text(MANY)};`)]),
  ...Object.entries(WHOLE).map(([name, text]): [string, string] => [name, text(MANY)]),
  ...Object.entries(CODED).map(([name, text]): [string, string] => [name, block(text(MANY))]),
]; // biome-ignore format: one a line

let server: Server;
let alone: Bench;
beforeAll(async () => {
  server = await start(17);
  alone = await bench(server, SCHEMA);
}, 120_000);
afterAll(() => server.stop());

test('each does what is said of it', async () => {
  expect((await alone.wrong(SHAPES, KNOWN)).join('\n')).toBe('');
}, 300_000);
