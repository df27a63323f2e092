// Each kind of program with its truth falsified: what the server did not do, or did besides, must be noticed in either direction.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../postgres/servers.ts';
import type { Application, Stmt } from '../../properties/application.ts';
import { contradictions } from './compare.ts';
import { KINDS } from './kinds.ts';
import { player, SCHEMA, shop } from './player.ts';
import type { Event, Ran } from './truth.ts';

let server: Server;
beforeAll(async () => {
  for (const of of ['python', 'jvm']) await promisify(execFile)('sh', [`test/frameworks/${of}/install.sh`]);
  server = await shop();
}, 600_000);
afterAll(() => server?.stop());

const write: Stmt = { k: 'write', how: 0, fires: false, rows: 1 };
const scope = (...body: Stmt[]): Stmt => ({ k: 'scope', how: 0, body });
/** In a transaction: a savepoint, and three of a loop. */
const TREE: Application = {
  routines: [],
  run: [scope(write, scope(write), { k: 'loop', how: 0, times: 3, body: [scope(write)] })],
};

const isOfSavepoints = (event: Event) => /^(SAVEPOINT|RELEASE|ROLLBACK TO)$/.test(event.do);
/** Lines that open none, with the savepoints that others opened. */
const elsewhere = (event: Event): Event =>
  isOfSavepoints(event) ? { ...event, at: ['app/run.py:1', ...event.at.slice(1)] } : event;
const once = (events: Event[]) => {
  const [first] = events.filter(isOfSavepoints);
  const same = (event: Event) => event.at[0] === first?.at[0];
  return events.filter((event) => !isOfSavepoints(event) || same(event));
};

test.each(KINDS)(
  '%s',
  async (name, command, render) => {
    const { play, end } = player(server, command, name);
    const program = render(TREE);
    const ran = await play(program.files);
    end();
    const files = { ...program.files, 'schema.sql': SCHEMA };
    const wrong = (events: Event[]) =>
      contradictions({ ...program, files }, { ...ran, events } satisfies Ran);
    expect(ran.error).toBe(null);
    // What runs a program of Spring has a transaction of its own: the scope around is a savepoint too.
    const opened = ran.events.filter((event) => event.do === 'SAVEPOINT').length;
    expect(opened).toBe(name === 'spring' ? 5 : 4);
    expect(await wrong(ran.events)).toEqual([]);
    const falsely = expect.stringMatching(/^false: .* opens one .* and opened none$/);
    // Of Spring's programs nothing is so sure that its absence contradicts it: only what is missed is noticed there.
    const taken = [ran.events.filter((event) => !isOfSavepoints(event)), once(ran.events)];
    if (name !== 'spring') for (const events of taken) expect(await wrong(events)).toContainEqual(falsely);
    const missed = expect.stringMatching(/^missed: app\/run\.py:1 opened a savepoint$/);
    expect(await wrong(ran.events.map(elsewhere))).toContainEqual(missed);
  },
  120_000,
);
