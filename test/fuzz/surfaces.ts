// All that takes other people's text: what to begin with, and what must hold of any text. It chooses no text itself.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rules } from '../../rules/index.ts';
import { check } from '../../src/analyse.ts';
import { edit, emptyWorkspace } from '../../src/editor/workspace.ts';
import type { Frontend } from '../../src/frontends/frontend.ts';
import { frontendFor, frontends } from '../../src/frontends/index.ts';
import { emptyUnit, inside, type Span, type Step, type Unit } from '../../src/ir.ts';
import { link } from '../../src/linker/link.ts';
import { ConfigError, findConfig } from '../../src/project/config/config.ts';
import { createGlobs, ignored, parseIgnore } from '../../src/project/files/ignore.ts';
import { linesOf, lineText, positionAt } from '../../src/project/files/lines.ts';
import { readBaseline } from '../../src/project/findings/baseline.ts';
import { fingerprints } from '../../src/project/findings/fingerprints.ts';
import { readSuppressions } from '../../src/project/findings/suppressions.ts';
import { formats } from '../../src/reporters/index.ts';
import type { Finding } from '../../src/rule.ts';
import { type Example, readPage, readProject } from '../markdown.ts';
import { conversations, converse } from './server.ts';

export interface Surface {
  seeds: string[];
  /** Throws when a promise is broken. */
  run(text: string): void | Promise<void>;
  /** What takes longer, asked of texts that reach what none before them did. */
  more?(text: string): void | Promise<void>;
}

const IDS = rules.map(({ id }) => id);

const examples: Example[] = [
  ...pages('fixtures/languages'),
  ...pages('fixtures/frameworks'),
  ...rules.flatMap(({ id }) => readPage(`rules/${id}/rule.md`)),
  ...readdirSync('fixtures/projects').map((one) => readProject(join('fixtures/projects', one))),
];
function pages(folder: string): Example[] {
  const named = readdirSync(folder).filter((one) => one.endsWith('.md'));
  return named.flatMap((one) => readPage(join(folder, one)));
}
const files = examples.flatMap((one) => one.files);

// ---- front ends

const loaded = new Map<string, Frontend>();
async function load(): Promise<void> {
  for (const entry of frontends) loaded.set(String(entry.files), await entry.load());
}

/** As the program calls a front end, but for what a run makes of an error: here it is one. */
function lower(file: string, text: string): Unit | null {
  const entry = frontendFor(file);
  return entry ? loaded.get(String(entry.files))!.lower(file, text) : null;
}

function read(file: string, text: string): void {
  const unit = lower(file, text);
  for (const { start, end } of unit ? spansOf(unit) : [])
    if (!(start >= 0 && start <= end && end <= text.length))
      throw new Error(`a place ${start} to ${end} in a text of ${text.length}`);
}

/** The same unit twice, and findings that can be told. */
function readAndTell(file: string, text: string): void {
  const unit = lower(file, text);
  if (!unit) return;
  const plain = JSON.stringify(unit);
  if (plain !== JSON.stringify(lower(file, text))) throw new Error('a second reading says something else');
  tell([unit], new Map([[file, text]]));
}

function* spansOf(unit: Unit): Iterable<Span> {
  function* of(steps: Step[]): Iterable<Span> {
    for (const step of steps) {
      yield step.at;
      for (const list of inside(step)) yield* of(list);
    }
  }
  for (const one of [...unit.routines, ...unit.triggers]) {
    yield one.at;
    yield* of(one.body);
  }
  for (const one of [...unit.relations, ...unit.foreignKeys, ...unit.changes, ...unit.settings]) yield one.at;
}

/** Links them, and says what is found in every format. */
function tell(units: Unit[], texts: Map<string, string>): Finding[] {
  const findings = check(link(units), IDS, true);
  for (const finding of findings) {
    if (/undefined|NaN|\[object/.test(finding.message.replace(/«[^»]*»|`[^`]*`/g, '')))
      throw new Error(`a message says ${finding.message}`);
    const { start, end } = finding.at;
    if (!(start >= 0 && start <= end && end <= texts.get(finding.file)!.length))
      throw new Error(`a finding at ${start} to ${end}`);
  }
  report(findings, texts);
  return findings;
}

function report(findings: Finding[], texts: Map<string, string>): void {
  const split = new Map([...texts].map(([file, text]) => [file, linesOf(text)]));
  const lines = (file: string) => split.get(file) ?? linesOf('');
  const place = (file: string, offset: number) => positionAt(lines(file), offset);
  const marks = fingerprints(findings);
  for (const [format, written] of Object.entries(formats)) {
    const out = written(
      {
        tool: { name: 'subxact', version: '1', homepage: 'https://example.org' },
        rules: rules.map(({ id, severity, summary }) => ({
          id,
          severity: severity === 'off' ? 'note' : severity,
          summary,
          link: 'https://example.org',
          page: () => '# x\n',
        })),
        findings,
        held: [],
        baseline: false,
        part: '',
        elsewhere: 0,
        notices: [...texts.keys()].map((file) => ({ file, message: file, partial: true })),
        counts: { files: 1, parsed: 1, milliseconds: 1 },
        fingerprint: (finding) => marks.get(finding)!,
        region: ({ file, at }) => {
          const [from, to] = [place(file, at.start), place(file, at.end)];
          return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
        },
        line: (file, line) => lineText(lines(file), line),
        raw: (file) => texts.get(file) ?? '',
        display: (file) => file,
      },
      { color: false, links: false },
    );
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(out))
      throw new Error(`${format}: a control character`);
    if (['json', 'sarif', 'gitlab', 'rdjson'].includes(format)) JSON.parse(out);
  }
}

function language(file: string): () => Promise<Surface> {
  return async () => {
    await load();
    const own = files.filter(({ path }) => frontendFor(path) === frontendFor(file));
    return {
      seeds: own.map(({ text }) => text),
      run: (text) => read(file, text),
      more: (text) => readAndTell(file, text),
    };
  };
}

// ---- several files in one text: what begins a file is its name in a line after a NUL

const together = (list: { path: string; text: string }[]) =>
  list.map(({ path, text }) => `\0${path}\n${text}`).join('');

function apart(text: string): Map<string, string> {
  const out = new Map<string, string>();
  for (const part of text.split('\0')) {
    const end = part.indexOf('\n');
    if (end > 0) out.set(part.slice(0, end), part.slice(end + 1));
  }
  return out;
}

function unitsOf(texts: Map<string, string>): Unit[] {
  return [...texts].flatMap(([file, text]) => lower(file, text) ?? []);
}

// ---- surfaces

const folder = mkdtempSync(join(tmpdir(), 'subxact-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

export const surfaces: Record<string, () => Promise<Surface>> = {
  SQL: language('a.sql'),
  Python: language('a.py'),
  Ruby: language('app/models/a.rb'),
  Java: language('A.java'),
  Kotlin: language('A.kt'),
  JavaScript: language('migrations/1_a.ts'),
  settings: async () => {
    await load();
    const own = files.filter(({ path }) => frontendFor(path)?.language === 'settings');
    const each = (judge: (file: string, text: string) => void) => (text: string) => {
      for (const [file, one] of apart(text)) judge(file, one);
    };
    return { seeds: own.map((one) => together([one])), run: each(read), more: each(readAndTell) };
  },
  programs: async () => {
    await load();
    return {
      seeds: examples.map((one) => together(one.files)),
      run: (text) => void link(unitsOf(apart(text))),
      more: (text) => {
        const texts = apart(text);
        const said = JSON.stringify(tell(unitsOf(texts), texts));
        if (said !== JSON.stringify(tell(unitsOf(texts), texts)))
          throw new Error('said differently the second time');
      },
    };
  },
  'an editor': async () => {
    await load();
    return {
      // The first half of the files is there; then each part is what its file becomes.
      seeds: examples.map((one) => together([...one.files, ...one.files.slice(0, 1)])),
      async run(text) {
        const parts = text.split('\0').filter((part) => part.includes('\n'));
        const lines = new Map<string, string>();
        const workspace = emptyWorkspace(
          (units) => ({ ...linked(units), notices: [] }),
          (file) => linesOf(lines.get(file) ?? ''),
        );
        for (const part of parts.slice(0, 12)) {
          const file = part.slice(0, part.indexOf('\n'));
          lines.set(file, part.slice(file.length + 1));
          await edit(workspace, file, lines.get(file)!);
        }
      },
    };
  },
  'the server': async () => ({ seeds: conversations(), run: converse }),
  configuration: async () => ({
    seeds: [
      '{"rules": {"subtransaction": "off"}, "postgres": 16, "include": [], "exclude": ["a/**"], "baseline": "b.json"}',
      '{"overrides": [{"files": ["a/**"], "rules": {"subtransaction-in-loop": "warning"}}], "test": ["qa/**"]}',
      '// why\n{"oneOff": ["scripts/"], "hotTables": ["sales.orders"], "assumeInTransaction": ["m/*.sql"],}',
      '[tool.subxact]\npostgres = 16\nexclude = ["a", \'b\']\n[tool.subxact.rules]\nsubtransaction = "off"\n',
      '[[tool.subxact.overrides]]\nfiles = ["a"]\nrules = { subtransaction = "note" }\nx = """\na"""\n',
      '{"name": "a", "subxact": {"rules": {}}}',
    ],
    run(text) {
      for (const file of ['subxact.jsonc', 'pyproject.toml', 'package.json']) {
        const path = join(folder, file);
        writeFileSync(path, text);
        try {
          findConfig(folder, folder, IDS, path);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
        }
      }
    },
  }),
  'a baseline': async () => ({
    seeds: [
      '{"version": 1, "findings": {"0123456789abcdef": {"rule": "subtransaction", "file": "a.sql", "subject": "f"}}}',
    ],
    run(text) {
      const path = join(folder, 'baseline.json');
      writeFileSync(path, text);
      try {
        readBaseline(path);
      } catch (error) {
        if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError)
          throw error;
      }
    },
  }),
  'patterns and comments': async () => ({
    seeds: [
      '*.sql\n!a/**/b\n/c/\n[a-z]?\\ \n',
      'src/**/{a,b}.py',
      '-- subxact: allow subtransaction, because it is small\n',
      '# subxact: allow-file subtransaction-in-loop, because of that\n',
    ],
    run(text) {
      const file = parseIgnore(text, '');
      for (const path of ['a', 'src/a.py', 'a/x/y/b', 'ccccccccccccccccccccccccccccccc/d.sql'])
        ignored([file], path, false);
      createGlobs(text.split('\n').slice(0, 20), '')('src/some/where/aaaaaaaaaaaaaaaaaaaaaaaa.py');
      readSuppressions('a.sql', linesOf(text), IDS);
    },
  }),
  reports: async () => ({
    seeds: [
      'a.sql\0f opens a subtransaction\0write it without',
      '\u001b[2J\0]]>\0%0A::error',
      '<a href="x">\0`|`\0\u202e\ud800',
    ],
    run(text) {
      const [file = '', message = '', remedy = ''] = text.split('\0');
      const at = { start: 0, end: 1 };
      const finding: Finding = {
        rule: 'subtransaction-in-loop', severity: 'error', certainty: 'certain', file, at, message, remedy,
        trace: [{ file, at, says: remedy, repeats: true }], subject: message, routine: 'sql:a',
        fixes: [{ title: remedy, safe: false, edits: [{ file, at, replacement: message }] }],
      }; // biome-ignore format: one record
      report([finding], new Map([[file, `${message}\n${remedy}`]]));
    },
  }),
};

function linked(units: Unit[]) {
  const model = link(units.length ? units : [emptyUnit('a.sql', 'sql')]);
  return { model, findings: check(model) };
}
