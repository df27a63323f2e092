// What must change nothing, or names only: over random programs, the fixtures' projects and the rules' examples.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { rules } from '../../rules/index.ts';
import { check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import { link } from '../../src/linker/link.ts';
import { readPage, readProject } from '../markdown.ts';
import { partly } from './partly.ts';
import { type Program, program, type Stmt } from './program.ts';
import { inTwo } from './rearrange.ts';
import { render, TABLES, unprobed } from './render.ts';

type Files = Record<string, string>;
const ALL = rules.map(({ id }) => id);
const RUNS = {
  numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 60),
  seed: Number(process.env.SUBXACT_SEED ?? 1),
};

let programs = 0;
let findings = 0;
afterAll(() => expect(findings, `findings in ${programs} programs`).toBeGreaterThan(programs));

/** What is said, by lines and words and not by offsets; only of some files where others are added. */
async function said(files: Files, of: (file: string) => boolean = () => true): Promise<string[]> {
  const units: Unit[] = [];
  for (const [file, text] of Object.entries(files)) {
    const unit = await lower(file, text);
    if (unit) units.push(unit);
  }
  programs++;
  const line = (file: string, offset: number) => files[file]!.slice(0, offset).split('\n').length;
  return check(link(units), ALL, true)
    .filter(({ file }) => of(file) && ++findings)
    .map(({ file, at, rule, severity, certainty, message, remedy, subject, trace, also }) =>
      JSON.stringify({
        file, rule, severity, certainty, message, remedy, subject, also,
        line: line(file, at.start),
        text: files[file]!.slice(at.start, at.end).replaceAll('\r', ''),
        trace: trace.map((frame) => `${frame.file}:${line(frame.file, frame.at.start)} ${frame.says}`),
      }),
    )
    .sort(); // biome-ignore format: one record
}

function written(tree: Program): Files {
  const { schema, script } = render(tree);
  const run = script.map((statements) => statements.join('\n')).join('\n');
  return { 'schema.sql': unprobed(TABLES + schema), 'run.sql': unprobed(run) };
}

/** Every example of a rule's page and every project, as files. */
const examples: [string, Files][] = [
  ...readdirSync('rules')
    .filter((rule) => existsSync(`rules/${rule}/rule.md`))
    .flatMap((rule) => readPage(`rules/${rule}/rule.md`)),
  ...readdirSync('fixtures/projects').map((name) => readProject(join('fixtures/projects', name))),
].map((example) => [
  `${example.title} (${example.files[0]?.path})`,
  Object.fromEntries(example.files.map(({ path, text }) => [path, text])),
]);

/** Holds for every example and for random programs. */
function alike(
  name: string,
  change: (files: Files) => Files,
  needed: (files: Files) => boolean = () => true,
): void {
  test(name, async () => {
    for (const [title, files] of examples.filter(([, each]) => needed(each)))
      expect(await said(change(files), (file) => file in files), title).toEqual(await said(files));
    await fc.assert(
      fc.asyncProperty(program, async (tree) => {
        const files = written(tree);
        expect(await said(change(files), (file) => file in files)).toEqual(await said(files));
      }),
      RUNS,
    );
  }, 600_000);
}

const mapped = (files: Files, change: (text: string, file: string) => string): Files =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [file, change(text, file)]));

const UNRELATED: Files = {
  'unrelated/stock.sql': `
CREATE TABLE unrelated_stock (unrelated_id int PRIMARY KEY, amount int);
CREATE FUNCTION unrelated_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  BEGIN UPDATE unrelated_stock SET amount = 0 WHERE unrelated_id = 7; EXCEPTION WHEN OTHERS THEN NULL; END;
  RETURN NEW;
END $$;
CREATE TRIGGER unrelated_note BEFORE INSERT ON unrelated_stock FOR EACH ROW EXECUTE FUNCTION unrelated_note();
INSERT INTO unrelated_stock SELECT g, g FROM generate_series(1, 100) AS g;`,
  'unrelated/tool.py': `
def unrelated_tool(connection, lines):
    with connection.cursor() as cursor:
        for line in lines:
            cursor.execute("UPDATE unrelated_stock SET amount = 1 WHERE unrelated_id = %s", [line])
`,
};

describe(`changes nothing (seed ${RUNS.seed})`, () => {
  alike('the order of the files', (files) => Object.fromEntries(Object.entries(files).reverse()));
  alike('Windows line ends', (files) => mapped(files, (text) => text.replace(/\r?\n/g, '\r\n')));
  alike('a byte order mark', (files) => mapped(files, (text) => `\uFEFF${text}`));
  alike('code that has nothing to do with it', (files) => ({ ...files, ...UNRELATED }));
  alike('blanks at the end of lines', (files) =>
    mapped(files, (text, file) => (file.endsWith('.sql') ? text.replace(/\n/g, ' \n') : text)),
  );
});

describe('changes names only', () => {
  const NAMES = /\b(?:log|acc|child|src|t[01]|r\d|g\d|l\d+)\b/g;
  const other = (name: string) => `zz_${name}`;
  test(
    'another name for each table and routine',
    () =>
      fc.assert(
        fc.asyncProperty(program, async (tree) => {
          const files = written(tree);
          const renamed = mapped(files, (text) => text.replace(NAMES, other));
          const expected = (await said(files)).map((one) => one.replace(NAMES, other)).sort();
          expect(await said(renamed)).toEqual(expected);
        }),
        RUNS,
      ),
    600_000,
  );
});

describe('keeps the finding at its cause', () => {
  /** Only what a routine and a block can both do, on the one table that both may write. */
  function simple(body: Stmt[]): Stmt[] {
    return body.map((stmt): Stmt => {
      switch (stmt.k) {
        case 'block':
          return {
            ...stmt,
            body: simple(stmt.body),
            handler: stmt.handler === 'rethrow' ? 'rethrow' : simple(stmt.handler),
          };
        case 'loop':
        case 'labelled':
          return { ...stmt, body: simple(stmt.body) };
        case 'if':
          return { ...stmt, then: simple(stmt.then), else: stmt.else && simple(stmt.else) };
        case 'read':
        case 'execute':
        case 'upsert':
          return stmt;
        default:
          return { k: 'write' };
      }
    });
  }

  const call = (to: number): Stmt => ({ k: 'call', to, how: 'perform', n: 1 });
  const routine = (body: Stmt[]) => ({ kind: 'function' as const, recursion: 0, body });
  /** A script that calls the last one. */
  const calling = (bodies: Stmt[][]) =>
    written({
      triggers: [],
      routines: bodies.map(routine),
      script: [
        {
          how: 'block',
          items: [
            { k: 'do', body: [call(bodies.length - 1)] },
            { k: 'do', body: [{ k: 'read' }] },
          ],
        },
      ],
    });
  const causes = async (files: Files, but?: RegExp) =>
    (await said(files))
      .map((one) => JSON.parse(one))
      .filter(({ rule }) => !but?.test(rule))
      .map(({ rule, severity, certainty, text, also }) =>
        JSON.stringify({ rule, severity, certainty, text, also }),
      )
      .sort();
  const bodies = program.map(({ routines }) => simple(routines[0]?.body ?? []));
  const holds = (check: (body: Stmt[], at: number) => Promise<void>) => () =>
    fc.assert(
      fc.asyncProperty(bodies, fc.nat(9999), async (body, at) => {
        fc.pre(body.length > 0);
        await check(body, at);
      }),
      RUNS,
    );
  test(
    'a routine written out where it is called',
    // Both times a function holds the code: what a DO block runs once weighs less.
    holds(async (body) =>
      expect(await causes(calling([body, [call(0)]]))).toEqual(await causes(calling([body]))),
    ),
    600_000,
  );

  test(
    'definitions in two files',
    () =>
      fc.assert(
        fc.asyncProperty(program, async (tree) => {
          const files = written(tree);
          expect(await causes(inTwo(files))).toEqual(await causes(files));
        }),
        RUNS,
      ),
    600_000,
  );

  test(
    'a part of a body in a routine of its own',
    holds(async (body, at) => {
      let part: Stmt[] = [];
      const rest = partly(body, at, (one) => {
        part = one;
        return [call(0)];
      });
      // A block is less sure where it stands in a loop that turns no time than where such a loop calls it; which of
      // several pairs of a lock and a change is told goes by where they stand.
      const unsure = async (bodies: Stmt[][]) =>
        (await causes(calling(bodies), /row-lock/)).map((one) =>
          JSON.stringify({ ...JSON.parse(one), certainty: null }),
        );
      expect(await unsure([part, rest])).toEqual(await unsure([body]));
    }),
    600_000,
  );

  test(
    'statements the other way round',
    holds(async (body, at) => {
      const swapped = partly(body, at, (part) => [...part].reverse());
      // Which one is the 65th is another.
      const but = /overflow/;
      expect(await causes(calling([swapped]), but)).toEqual(await causes(calling([body]), but));
    }),
    600_000,
  );
});

// ---- application code on more than one connection

type Node = { k: 'save' } | { k: 'atomic' | 'for' | 'try'; body: Node[] };
const { tree: nodes } = fc.letrec<{ tree: Node[]; node: Node }>((tie) => ({
  tree: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Node>({ k: 'save' }),
    fc.record({ k: fc.constantFrom('atomic', 'for', 'try'), body: tie('tree') }) as fc.Arbitrary<Node>,
  ),
}));

function python(body: Node[], depth: number): string {
  const pad = '    '.repeat(depth);
  return body
    .map((node) => {
      if (node.k === 'save') return `${pad}Order.objects.create(total=1)`;
      const inner = python(node.body, depth + 1);
      if (node.k === 'atomic') return `${pad}with transaction.atomic():\n${inner}`;
      if (node.k === 'for') return `${pad}for row in rows:\n${inner}`;
      return `${pad}try:\n${inner}\n${pad}except DatabaseError:\n${pad}    pass`;
    })
    .join('\n');
}

test(
  'a transaction on another connection around it changes nothing',
  () =>
    fc.assert(
      fc.asyncProperty(nodes, async (body) => {
        const head =
          'from django.db import DatabaseError, transaction\nfrom shop.models import Order\n\ndef load(rows):\n';
        const models =
          'from django.db import models\n\nclass Order(models.Model):\n    total = models.IntegerField()\n';
        const with_ = (inner: string): Files => ({ 'shop/models.py': models, 'shop/load.py': head + inner });
        const plain = await said(with_(`    if rows:\n${python(body, 2)}\n`));
        const wrapped = await said(
          with_(`    with transaction.atomic(using="other"):\n${python(body, 2)}\n`),
        );
        const other = (one: string) => JSON.parse(one).line === 5;
        expect(wrapped.filter((one) => !other(one))).toEqual(plain);
      }),
      RUNS,
    ),
  600_000,
);
