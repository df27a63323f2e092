// Each spelling of each step, once, on the real frameworks: what is said of it must be what the server saw, but where that is known.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../postgres/servers.ts';
import { contradictions } from './compare.ts';
import { KINDS } from './kinds.ts';
import { player, SCHEMA, shop } from './player.ts';
import { everyOne } from './spellings.ts';

/** What is wrong, by kind and program; who cures one takes it out. */
const KNOWN: Record<string, string[]> = {
  jooq: ['routine 16', 'routine 18', 'routine of its own file 16', 'routine of its own file 18'],
};

let server: Server;
beforeAll(async () => {
  for (const of of ['python', 'jvm']) await promisify(execFile)('sh', [`test/frameworks/${of}/install.sh`]);
  server = await shop();
}, 600_000);
afterAll(() => server?.stop());

test.each(KINDS)(
  'each spelling of %s does what is said of it',
  async (kind, command, render) => {
    const { play, end } = player(server, command, kind);
    const programs = everyOne(render);
    const wrong: Record<string, string[]> = {};
    for (const [name, program] of programs) {
      const ran = await play(program.files);
      const files = { ...program.files, 'schema.sql': SCHEMA };
      const found = await contradictions({ ...program, files }, ran);
      if (found.length > 0) wrong[name] = found;
    }
    end();
    console.log(kind, programs.length, 'programs');
    const known = KNOWN[kind] ?? [];
    const surprising = Object.entries(wrong).filter(([name]) => !known.includes(name));
    expect(Object.fromEntries(surprising)).toEqual({});
    expect(known.filter((name) => !wrong[name])).toEqual([]);
  },
  3_600_000,
);
