// How much of the program runs for each character that it reads, counted by V8 and not by a clock: the same on a busy machine.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type CorpusFile,
  javaFiles,
  kotlinFiles,
  pythonFiles,
  regressionFiles,
  rubyFiles,
} from '../corpus.ts';
import { executed, type Range } from '../counting.ts';

const folder = mkdtempSync(join(tmpdir(), 'subxact-work-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Characters of a corpus that are read; more tells nothing else. */
const ENOUGH = 5_000_000;
/** What may change without being written down here. Nodes 20, 22 and 24 count alike; Debian changes a file at times. */
const ALLOWED = 0.03;

/** Characters of our code that run for each character of theirs, in the bundle: a loop without an iterator has more, and takes less time. */
test.each<[string, () => CorpusFile[], number]>([
  ["PostgreSQL's regression files", regressionFiles, 724],
  ["Python's library", pythonFiles, 482],
  ["Ruby's library", rubyFiles, 515],
  ['H2, in Java', () => javaFiles('h2database'), 580],
  ["Kotlin's coroutines", kotlinFiles, 741],
  // Of one transaction 10,000 steps are looked at for row locks, and no longer 6,000: saleor needs as many.
  ['functions that call each other, and triggers', callers, 8965],
  ['a method that hands itself blocks', selves, 62979],
])(
  '%s',
  (name, files, recorded) => {
    const tree = join(folder, name.replace(/\W+/g, '-'));
    let length = 0;
    files().forEach((file, i) => {
      if (length > ENOUGH) return;
      length += file.text.length;
      mkdirSync(join(tree, `${i}`), { recursive: true });
      writeFileSync(join(tree, `${i}`, basename(file.name)), file.text);
    });
    hold(workOf(tree) / length, recorded);
  },
  120_000,
);

/** What linking is for: a fifth of these write a table whose trigger calls on, a tenth open a subtransaction. */
function callers(): CorpusFile[] {
  const one = (i: number) => {
    const calls = `PERFORM f${(i * 7 + 1) % 5000}(); PERFORM f${(i * 31 + 3) % 5000}();`;
    const body = i % 5 === 0 ? `UPDATE t${i % 200} SET a = 1 WHERE id = 1; ${calls}` : calls;
    const whole = i % 10 === 0 ? `BEGIN ${body} EXCEPTION WHEN check_violation THEN NULL; END;` : body;
    return `CREATE FUNCTION f${i}() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${whole} END $$;\n`;
  };
  const trigger = (i: number) =>
    `CREATE TRIGGER t BEFORE UPDATE ON t${i} FOR EACH ROW EXECUTE FUNCTION f${i * 3}();\n`;
  return Array.from({ length: 200 }, (_, file) => ({
    name: 'functions.sql',
    text: trigger(file) + Array.from({ length: 25 }, (_, i) => one(file * 25 + i)).join(''),
  }));
}

/** Each visit with one of its blocks makes all calls, each with another block; there were as many visits as blocks. */
function selves(): CorpusFile[] {
  const calls = Array.from({ length: 500 }, (_, i) => `    walk(item.part${i}) { |part| part.touch${i} }\n`);
  const own = '    Item.transaction(requires_new: true) { item.save!; yield item }\n';
  return [{ name: 'item.rb', text: `class Item\n  def walk(item)\n${calls.join('')}${own}  end\nend\n` }];
}

/** Thousands of characters of our code that run for a file of some lines. */
test.each<[string, string, number]>([
  ['one.sql', 'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (1); EXCEPTION WHEN others THEN NULL; END $$;', 607],
  ['one.py', 'from django.db import transaction\n\ndef f(rows):\n    with transaction.atomic():\n        for row in rows:\n            row.save()\n', 922],
  ['one.rb', 'def f(rows)\n  rows.each { |row| Row.transaction(requires_new: true) { row.save! } }\nend\n', 1232],
  ['A.java', 'class A { @org.springframework.transaction.annotation.Transactional void f() { g(); } }\n', 700],
])('a start: %s', (name, text, recorded) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  hold(workOf(file) / 1000, recorded);
}); // biome-ignore format: a table

function hold(counted: number, recorded: number): void {
  console.log(`counted ${counted.toFixed(0)}, recorded ${recorded}`);
  const share = counted / recorded;
  expect(share, 'this became slower: find out why, or say so here').toBeLessThan(1 + ALLOWED);
  expect(share, 'this became faster: write down what was counted').toBeGreaterThan(1 - ALLOWED);
}

/** Each character of the program, as often as it ran. Code that the build keeps has no counters, so none is used. */
function workOf(path: string): number {
  const counts = mkdtempSync(join(folder, 'counts-'));
  const args = ['dist/cli.js', 'check', '--no-cache', '--no-screen', '--threads', '1', path];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, NODE_V8_COVERAGE: counts },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const [report] = readdirSync(counts);
  const { result } = JSON.parse(readFileSync(join(counts, report!), 'utf8'));
  const { functions } = result.find(({ url }: { url: string }) => url.endsWith('/dist/cli.js'));
  return executed(functions.flatMap(({ ranges }: { ranges: Range[] }) => ranges));
}
