// An editor's answers after any edits are those of a program that is read anew: over the fixtures' projects, the rules' examples and the languages' fixtures.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { rules } from '../../rules/index.ts';
import { check, lower } from '../../src/analyse.ts';
import { courtFor, foldedIn } from '../../src/commands/judge.ts';
import { allDiagnostics, type View } from '../../src/editor/answers.ts';
import { type Assess, edit, emptyWorkspace, refill, type Workspace } from '../../src/editor/workspace.ts';
import type { Unit } from '../../src/ir.ts';
import { again, base } from '../../src/linker/graph/base.ts';
import { link } from '../../src/linker/link.ts';
import type { Model } from '../../src/linker/model.ts';
import { type Lines, linesOf } from '../../src/project/files/lines.ts';
import { type Example, readPage, readProject } from '../markdown.ts';

const ALL = rules.map(({ id }) => id);
const RUNS = {
  numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 60),
  seed: Number(process.env.SUBXACT_SEED ?? 1),
};

const pages = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .flatMap((name) => readPage(join(folder, name)));
const examples: Example[] = [
  ...readdirSync('rules')
    .filter((rule) => existsSync(`rules/${rule}/rule.md`))
    .flatMap((rule) => readPage(`rules/${rule}/rule.md`)),
  ...readdirSync('fixtures/projects').map((name) => readProject(join('fixtures/projects', name))),
  ...pages('fixtures/languages'),
  ...pages('fixtures/frameworks'),
].filter(({ files }) => files.length > 0);

// ---- edits

interface Edit {
  file: number;
  line: number;
  other: number;
  how: 'drop' | 'double' | 'swap' | 'word' | 'blank' | 'comment' | 'indent';
}

const edits = fc.array(
  fc.record<Edit>({
    file: fc.nat(9),
    line: fc.nat(200),
    other: fc.nat(200),
    how: fc.constantFrom('drop', 'double', 'swap', 'word', 'word', 'word', 'blank', 'comment', 'indent'),
  }),
  { minLength: 1, maxLength: 10 },
);

function edited(text: string, { line, other, how }: Edit): string {
  const lines = text.split('\n');
  const [a, b] = [line % lines.length, other % lines.length];
  switch (how) {
    case 'drop':
      return lines.filter((_, i) => i !== a).join('\n');
    case 'double':
      return lines.flatMap((one, i) => (i === a ? [one, one] : [one])).join('\n');
    case 'swap':
      return lines.map((one, i) => (i === a ? lines[b]! : i === b ? lines[a]! : one)).join('\n');
    case 'word': {
      // A name or a number becomes another one of the same text: a call that means something else.
      const words = [...text.matchAll(/\w+/g)];
      if (words.length === 0) return text;
      const [from, to] = [words[line % words.length]!, words[other % words.length]!];
      return text.slice(0, from.index) + to[0] + text.slice(from.index + from[0].length);
    }
    case 'blank':
      return lines.flatMap((one, i) => (i === a ? ['', one] : [one])).join('\n');
    case 'comment':
      return `${/--|SELECT/.test(text) ? '--' : '#'} said\n${text}`;
    case 'indent':
      return lines.map((one, i) => (i === a ? `  ${one}` : one)).join('\n');
  }
}

// ---- what is compared

const findings = (model: Model) => check(model, ALL, true);

const config = { rules: {}, include: [], exclude: [], test: [], oneOff: [], hotTables: [], assumeInTransaction: [], overrides: [] }; // biome-ignore format: all empty

/** As the editor judges: with the tables of each finding, fingerprints, and comments that allow. */
function assess(): Assess {
  const options = { only: ALL, possible: true, baseline: false as const, cwd: '/', again: true };
  const court = courtFor({ config, file: null, folder: '/' }, '/', options);
  return (units, lines, marked) => {
    const { model, findings } = court.hear(units);
    const { fresh, marks, complaints } = court.judge(findings, marked, lines, true);
    return { model, findings: foldedIn(fresh, marks), notices: complaints };
  };
}

/** All that a client is told of a workspace. */
function shown(workspace: Workspace): string {
  const view: View = {
    workspace,
    encoding: 'utf-16',
    uri: (file) => `file:///${file}`,
    lines: workspace.lines,
    page: (rule) => rule,
    severity: {},
    hintsAtCallers: true,
  };
  const all = [...allDiagnostics(view)].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([all, workspace.findings.map(({ relations, fixes }) => [relations, fixes])]);
}

/** All that rules can see. */
function seen({ units: _, routine: __, ...model }: Model): string {
  return JSON.stringify(model);
}

async function lowered(texts: Map<string, string>): Promise<Unit[]> {
  const units: Unit[] = [];
  for (const [file, text] of texts) {
    const unit = await lower(file, text);
    if (unit) units.push(unit);
  }
  return units;
}

let [kept, all, told] = [0, 0, 0];
afterAll(() => {
  expect(told, 'findings').toBeGreaterThan(100);
  expect(kept, `of ${all} edits those that kept the base`).toBeGreaterThan(all / 10);
});

test('what is linked after edits is what is linked anew', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), edits, async (first, second, list) => {
      const files = [first, second].flatMap((i) => examples[i % examples.length]!.files);
      const texts = new Map(files.map(({ path, text }) => [path, text]));
      const made = new Map<string, Lines>(); // by text, as the session has them
      const lines = (file: string) => {
        const text = texts.get(file);
        if (text !== undefined && !made.has(text)) made.set(text, linesOf(text));
        return text === undefined ? undefined : made.get(text);
      };
      const workspace = emptyWorkspace(assess(), lines);
      let before = await lowered(texts);
      await refill(workspace, await lowered(texts));
      for (const one of list) {
        const file = [...texts.keys()][one.file % texts.size]!;
        if (!workspace.units.has(file)) continue;
        const text = edited(texts.get(file)!, one);
        texts.set(file, text);
        const how = await edit(workspace, file, text);
        const units = await lowered(texts);
        if (again(base(before, { edited: true }), units)) kept++;
        before = units;
        const anew = emptyWorkspace(assess(), lines);
        for (const [open, its] of workspace.open) anew.open.set(open, its);
        // Of a text that is half typed the last whole one is known as well.
        for (const [open, { text }] of workspace.whole) anew.whole.set(open, { text });
        await refill(anew, units);
        const fresh = link([...anew.units.values()]);
        expect(shown(workspace)).toBe(shown(anew));
        all++;
        told += findings(fresh).length;
        if (how === 'relinked') expect(seen(workspace.model)).toBe(seen(fresh));
      }
    }),
    RUNS,
  );
}, 3_600_000);
