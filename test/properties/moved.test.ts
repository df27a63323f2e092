// Random programs of the application frameworks whose code moves: to a function, to another place or file, under another connection.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { activerecord } from '../frameworks/programs/activerecord.ts';
import type { Dialect } from '../frameworks/programs/dialect.ts';
import { django } from '../frameworks/programs/django.ts';
import { java } from '../frameworks/programs/java.ts';
import { jdbc } from '../frameworks/programs/jdbc.ts';
import { jooq } from '../frameworks/programs/jooq.ts';
import { SCHEMA } from '../frameworks/programs/player.ts';
import { psycopg } from '../frameworks/programs/psycopg.ts';
import { python } from '../frameworks/programs/python.ts';
import { ruby } from '../frameworks/programs/ruby.ts';
import type { Rendered } from '../frameworks/programs/spelling.ts';
import { spring } from '../frameworks/programs/spring.ts';
import { core, session } from '../frameworks/programs/sqlalchemy.ts';
import { type Application, application, type Stmt } from './application.ts';
import { partly } from './partly.ts';
import { type Files, told } from './told.ts';

const RUNS = {
  numRuns: Number(process.env.SUBXACT_PROGRAMS ?? 20),
  seed: Number(process.env.SUBXACT_SEED ?? 1),
};
type Render = (tree: Application) => Rendered;
/** What is done before and after is the same for all. */
const written =
  (dialect: Dialect): Render =>
  (tree) =>
    python(tree, dialect.run ? { ...dialect, run: (body) => dialect.run!(body, 0) } : dialect);
const PYTHON: [string, Render][] = [
  ['Django', written(django)],
  ['SQLAlchemy', written(session)],
  ["SQLAlchemy's core", written(core)],
  ['psycopg', written(psycopg)],
];
const JAVA: [string, Render][] = [
  ['JDBC', (tree) => java(tree, jdbc)],
  ['Spring', (tree) => java(tree, spring)],
  ['jOOQ', (tree) => java(tree, jooq)],
];
const KINDS: [string, Render][] = [...PYTHON, ['ActiveRecord', (tree) => ruby(tree, activerecord)], ...JAVA];
const files = (rendered: Rendered): Files => ({ ...rendered.files, 'schema.sql': SCHEMA });
const story = (all: Files) =>
  Object.entries(all)
    .filter(([file]) => /(one|two|three|run|Of\w+)\.\w+$/i.test(file))
    .map(([file, text]) => `# ${file}\n${text}`)
    .join('\n');

let findings = 0;
afterAll(() => expect(findings, 'findings that were compared').toBeGreaterThan(RUNS.numRuns * 10));

/** `as` says what of a finding stays, and null where it may go. */
async function same(one: Files, other: Files, as: (said: Said) => unknown): Promise<void> {
  const of = async (all: Files) => {
    const said = (await told(all)).map((one) => as(JSON.parse(one))).filter((one) => one !== null);
    return [...new Set(said.map((one) => JSON.stringify(one)))].sort();
  };
  const [before, after] = [await of(one), await of(other)];
  findings += before.length;
  expect(after, `${story(one)}\n=====\n${story(other)}`).toEqual(before);
}
interface Said {
  line: string;
  rule: string;
  severity: string;
  certainty: string;
  also?: string[];
}
const cause = ({ rule, severity, certainty, also, line }: Said) => ({
  rule,
  severity,
  certainty,
  also,
  line,
});
/** How sure it is depends on how well a session or a connection is known, which is not the same where it is handed on. */
const lessSurely = (said: Said) => ({ ...cause(said), certainty: null });
const byModels = (name: string) => (name === 'Django' || name === 'ActiveRecord' ? cause : lessSurely);

/** What a thing is called goes by what was written before, and jOOQ's context by what stands around. */
const unnumbered = (text: string) => text.replace(/(?<=[a-z_])\d+/gi, '').replace(/\binner(?=\.)/g, 'dsl');
const linesOf = (rendered: Rendered) =>
  unnumbered(entry(rendered))
    .split('\n')
    .map((line) => line.trim())
    .sort()
    .join('\n');
const entry = ({ files: all }: Rendered) => Object.entries(all).find(([file]) => /run\.\w+$/i.test(file))![1];
/** Whether what starts the program begins a transaction, which Spring's programs do by how long they are. */
const begins = (rendered: Rendered) => /@Transactional\s+public void run\b/.test(entry(rendered));

const holds = (check: (tree: Application) => Promise<void>) => () =>
  fc.assert(fc.asyncProperty(application, check), RUNS);

describe(`keeps the finding at its cause (seed ${RUNS.seed})`, () => {
  /** What it means does not depend on the routine that it stands in. */
  const anywhere = (body: Stmt[]): Stmt[] =>
    body.map((stmt) => ({
      ...stmt,
      ...(stmt.k === 'scope' && stmt.how % 5 === 0 ? { how: stmt.how + 1 } : {}),
      ...('body' in stmt ? { body: anywhere(stmt.body) } : {}),
    })) as Stmt[];

  test.each(KINDS)(
    '%s: what runs stands in a function of its own',
    (name, render) =>
      fc.assert(
        fc.asyncProperty(application, fc.constantFrom(0, 0, 2, 3), async (tree, how) => {
          const { routines } = tree;
          const run = anywhere(tree.run);
          const inline = render({ routines, run });
          const call: Stmt = { k: 'call', how: 0, to: routines.length, flag: null };
          const called = render({ routines: [...routines, { how, flag: false, body: run }], run: [call] });
          fc.pre(inline.straight && called.straight);
          fc.pre(entry(called).includes(`f${routines.length}`) && begins(inline) === begins(called));
          await same(files(inline), files(called), byModels(name));
        }),
        RUNS,
      ),
    600_000,
  );

  /** Which routines its calls mean where there is one more: the same. */
  const among = (body: Stmt[], routines: number): Stmt[] =>
    body.map((stmt) => ({
      ...stmt,
      ...(stmt.k === 'call' ? { to: stmt.to % routines } : {}),
      ...('body' in stmt ? { body: among(stmt.body, routines) } : {}),
    })) as Stmt[];
  test.each(KINDS)(
    '%s: a part of what runs stands in a function of its own',
    (name, render) =>
      fc.assert(
        fc.asyncProperty(application, fc.constantFrom(0, 0, 2, 3), fc.nat(9999), async (tree, how, at) => {
          const { routines } = tree;
          const run = among(anywhere(tree.run), Math.max(1, routines.length));
          fc.pre(routines.length > 0 || !JSON.stringify(run).includes('"call"'));
          let part: Stmt[] = [];
          const call: Stmt = { k: 'call', how: 0, to: routines.length, flag: null };
          const rest = partly(run, at, (one) => {
            part = one;
            return [call];
          });
          // By hand it would stand in no block of the function's own.
          fc.pre(!JSON.stringify(part).includes('"savepoint"'));
          const inline = render({ routines, run });
          const called = render({ routines: [...routines, { how, flag: false, body: part }], run: rest });
          fc.pre(inline.straight && called.straight && begins(inline) === begins(called));
          fc.pre(entry(called).includes(`f${routines.length}`));
          const as = byModels(name);
          await same(files(inline), files(called), (said) => as({ ...said, line: unnumbered(said.line) }));
        }),
        RUNS,
      ),
    600_000,
  );

  test.each(KINDS)(
    '%s: statements that have nothing to do with each other, the other way round',
    (name, render) =>
      fc.assert(
        fc.asyncProperty(application, fc.nat(9999), async (tree, at) => {
          const { routines } = tree;
          // A transaction is open around them: where none is, the first statement may begin one.
          const within = (run: Stmt[]) => render({ routines, run: [{ k: 'scope', how: 0, body: run }] });
          const before = within(tree.run);
          const after = within(partly(tree.run, at, (part) => [...part].reverse()));
          fc.pre(before.straight && after.straight && begins(before) === begins(after));
          // What would cost too much is another statement, and which one that is goes by their order.
          fc.pre(linesOf(before) === linesOf(after));
          const as = byModels(name);
          // Which row is changed first, and which one is the 65th, is another.
          await same(files(before), files(after), (said) =>
            /row-lock|overflow/.test(said.rule) ? null : as({ ...said, line: unnumbered(said.line) }),
          );
        }),
        RUNS,
      ),
    600_000,
  );
});

describe(`changes nothing (seed ${RUNS.seed})`, () => {
  const around = (all: Files, file: string, head: RegExp, opens: string, closes: string[]): Files => {
    const lines = all[file]!.split('\n');
    const start = lines.findIndex((line) => head.test(line));
    const pad = /^ */.exec(lines[start]!)![0];
    const end = lines.findIndex((line, i) => i > start && (line === '' || line === `${pad}end`));
    const inner = lines.slice(start + 1, end).map((line) => `  ${pad ? '' : '  '}${line}`);
    const by = pad ? `${pad}  ` : '    ';
    return {
      ...all,
      [file]: [
        ...lines.slice(0, start + 1),
        by + opens,
        ...inner,
        ...closes.map((line) => by + line),
        ...lines.slice(end),
      ].join('\n'),
    };
  };
  const OTHER: { [kind: string]: [string, string] } = {
    Django: ['with transaction.atomic(using="other"):', ''],
    SQLAlchemy: ['with OtherSession.begin() as other:', 'app/db.py'],
    "SQLAlchemy's core": ['with other_engine.begin() as other:', 'app/db.py'],
    psycopg: ['with psycopg.connect() as another, another.transaction():', ''],
    ActiveRecord: ['Archive.transaction do', 'app/models/archive.rb'],
  };
  test.each(KINDS.filter(([name]) => name in OTHER))(
    '%s: a transaction on another connection around all',
    (name, render) =>
      holds(async (tree) => {
        const all = files(render(tree));
        const [opens, file] = OTHER[name]!;
        const with_: Files = { ...all };
        if (file === 'app/db.py') {
          with_[file] +=
            'other_engine = create_engine("postgresql+psycopg://other")\nOtherSession = sessionmaker(bind=other_engine)\n';
          with_['app/run.py'] = with_['app/run.py']!.replace(
            'import SessionLocal, engine',
            'import OtherSession, SessionLocal, engine, other_engine',
          );
        } else if (file)
          with_[file] = 'class Archive < ActiveRecord::Base\n  establish_connection :archive\nend\n';
        const isRuby = name === 'ActiveRecord';
        const wrapped = around(
          with_,
          isRuby ? 'app/run.rb' : 'app/run.py',
          /^ *def (self\.)?run\b/,
          opens,
          isRuby ? ['end'] : [],
        );
        // The savepoint that it would be, were it the same connection, is that of another line.
        // A session of another factory in another file is only likely to begin one, and so is what runs in it.
        const as = name === 'SQLAlchemy' ? lessSurely : cause;
        await same(all, wrapped, (said) => (said.line === opens ? null : as(said)));
      })(),
    600_000,
  );

  test.each(PYTHON)(
    '%s: a file that hands on what another one has',
    (_, render) =>
      holds(async (tree) => {
        const all = files(render(tree));
        const names = [...all['app/one.py']!.matchAll(/^(?:def|class) (\w+)/gm)].map(([, one]) => one);
        fc.pre(names.length > 0);
        const moved = {
          ...all,
          'app/three.py': all['app/one.py']!,
          'app/one.py': `from app.three import ${names.join(', ')}\n`,
        };
        // Which of many pairs of a lock and a change is told goes by their names: another one may be surer.
        await same(all, moved, (said) =>
          said.rule === 'row-lock-across-subtransaction' ? lessSurely(said) : cause(said),
        );
      })(),
    600_000,
  );

  test.each(PYTHON)(
    '%s: other names',
    (_, render) =>
      holds(async (tree) => {
        const all = files(render(tree));
        const back = (text: string) =>
          text.replace(/\b(f|F|inner|Inner|OfF|OfInner|held|apart)_zz(\d)/g, '$1$2');
        const renamed = Object.fromEntries(
          Object.entries(all).map(([file, text]) => [
            file,
            text.replace(/\b(f|inner|held|apart|OfF|OfInner)(\d)/g, '$1_zz$2'),
          ]),
        );
        const as = (said: Said) => JSON.parse(back(JSON.stringify(said)));
        await same(all, renamed, as);
      })(),
    600_000,
  );
});
