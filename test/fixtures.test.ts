// Every page and project is a test: rule pages, language and framework pages, whole programs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rules } from '../rules/index.ts';
import { run } from './harness.ts';
import { type Example, readPage, readProject } from './markdown.ts';

function suite(name: string, examples: Example[], only?: string[]): void {
  describe(name, () => {
    for (const example of examples)
      test(example.headings.slice(1).join(' > ') || example.title, async () => {
        expect((await run(example, { rules: only })).join('\n')).toBe('');
      });
  });
}

for (const rule of rules) suite(rule.id, readPage(`rules/${rule.id}/rule.md`), [rule.id]);
for (const rule of rules)
  if (existsSync(`rules/${rule.id}/cases.md`))
    suite(`${rule.id}, cases`, readPage(`rules/${rule.id}/cases.md`), [rule.id]);

// These pages are about what is read, not about what is found; rules are asserted only where a comment names one, and
// on the pages of live definitions, migrations and triggers everywhere: most of what they show is silent.
const silent = ['live.md', 'migrations.md', 'triggers.md'];
const REPEATED = ['subtransaction-per-row', 'subtransaction-in-loop'];
for (const folder of ['fixtures/languages', 'fixtures/frameworks'])
  for (const page of list(folder).filter((file) => file.endsWith('.md')))
    suite(page, readPage(join(folder, page)), silent.includes(page) ? REPEATED : []);

for (const project of list('fixtures/projects'))
  suite(project, [readProject(join('fixtures/projects', project))]);

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

test('there are pages', () => {
  expect(list('rules').length).toBeGreaterThan(0);
});
