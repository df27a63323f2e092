// Each spelling of each step, once, on the real frameworks: what is said of it must be what the server saw.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Server } from '../../postgres/servers.ts';
import { contradictions } from './compare.ts';
import { KINDS } from './kinds.ts';
import { player, SCHEMA, shop } from './player.ts';
import { everyOne } from './spellings.ts';

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
    let playing = play(programs[0]![1].files);
    for (const [i, [name, program]] of programs.entries()) {
      const ran = await playing;
      // The next one plays while this one is judged.
      const next = programs[i + 1];
      if (next) playing = play(next[1].files);
      const files = { ...program.files, 'schema.sql': SCHEMA };
      const found = await contradictions({ ...program, files }, ran);
      if (found.length > 0) wrong[name] = found;
    }
    end();
    console.log(kind, programs.length, 'programs');
    expect(wrong).toEqual({});
  },
  3_600_000,
);
