// The screen takes nothing away: on every whole program the findings equal those of parsing every file.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { frontendFor } from '../src/frontends/index.ts';
import { load } from '../src/project/load.ts';

const loader = {
  needles: (name: string) => frontendFor(name)?.needles,
  isOfFolder: (name: string) => frontendFor(name)?.ofFolder === name,
  lower,
};

for (const name of readdirSync('fixtures/projects'))
  test(name, async () => {
    const root = resolve('fixtures/projects', name);
    const read = (everything: boolean) => load([root], loader, { root, cwd: root, threads: 1, everything });
    const [screened, all] = [await read(false), await read(true)];
    expect(analyse(screened.units).findings).toEqual(analyse(all.units).findings);
    expect(screened.units.length).toBeLessThanOrEqual(all.units.length);
  });
