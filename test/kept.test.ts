// What a front end makes means the same once it was kept as JSON, by the cache or between threads: over all fixtures.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../rules/index.ts';
import { checkEach, lower } from '../src/analyse.ts';
import type { Unit } from '../src/ir.ts';
import { link } from '../src/linker/link.ts';
import { type Example, readPage, readProject } from './markdown.ts';

const IDS = rules.map(({ id }) => id);
const pages = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .flatMap((name) => readPage(join(folder, name)));
const examples: Example[] = [
  ...IDS.filter((rule) => existsSync(`rules/${rule}/rule.md`)).flatMap((rule) =>
    readPage(`rules/${rule}/rule.md`),
  ),
  ...readdirSync('fixtures/projects').map((name) => readProject(join('fixtures/projects', name))),
  ...pages('fixtures/languages'),
  ...pages('fixtures/frameworks'),
];

/** Units that share a step between two routines say so here: as JSON each has its own. */
const told = (units: Unit[]): string[] =>
  checkEach(link(units), IDS, true).map(
    ({ rule, file, at, certainty, message }) => `${rule} ${file}:${at.start} ${certainty} ${message}`,
  );

test('what is found in all fixtures', async () => {
  let found = 0;
  for (const { title, files } of examples) {
    const units: Unit[] = [];
    for (const { path, text } of files) {
      const unit = await lower(path, text);
      if (unit) units.push(unit);
    }
    const kept: Unit[] = JSON.parse(JSON.stringify(units));
    const findings = told(units);
    expect(findings, title).toEqual(told(kept));
    found += findings.length;
  }
  expect(found).toBeGreaterThan(1_000);
}, 600_000);
