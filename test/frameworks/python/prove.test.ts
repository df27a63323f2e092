// The real libraries run the snippets of the framework pages; what the server saw is what the pages say.
// They are installed from PyPI into build/python.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../src/project/findings/sha256.ts';
import { fixed } from '../../fixes.ts';
import { readPage } from '../../markdown.ts';
import { LOGGED, logOf, type Server, start } from '../../postgres/servers.ts';

const PYTHON = 'build/python/bin/python';
const PAGES = ['django.md', 'sqlalchemy.md', 'drivers-python.md'].map(
  (page) => `fixtures/frameworks/${page}`,
);

/** Rows that no snippet here proves, and why. */
const UNPROVEN: Record<string, string> = {
  S044: 'PyPI has no Odoo',
  S045: 'Airflow takes minutes to install; its operator was run once, and the server saw no savepoint',
}; // biome-ignore format: a table

interface Snippet {
  title: string;
  code: string;
  /** What stands beside it when it runs. */
  files: Record<string, string>;
  /** Its own requirements: releases other than those of all. */
  needs: string;
  expected: Record<string, number>;
}

function snippets(): Snippet[] {
  return PAGES.flatMap((page) => {
    const lines = readFileSync(page, 'utf8').split('\n');
    return readPage(page).flatMap((example) => {
      const last = example.files.at(-1)!;
      const after = last.pageLine + last.text.split('\n').length;
      const said = lines.slice(after, after + 3).find((line) => line.startsWith('<!-- server:'));
      if (!said) return [];
      const expected = { SAVEPOINT: 0, RELEASE: 0, 'ROLLBACK TO': 0 };
      for (const [, word, number] of said.matchAll(/(SAVEPOINT|RELEASE|ROLLBACK TO) (\d+)/g))
        expected[word as keyof typeof expected] = Number(number);
      const code = example.files.findLast(({ path }) => path.endsWith('.py'))!.text;
      const { 'requirements.txt': needs = '', ...files } = Object.fromEntries(
        example.files.map(({ path, text }) => [path, text]),
      );
      return [{ title: example.title, code, files, needs: needs.trim(), expected }];
    });
  });
}

/** What `--fix` rewrites, each with what happens: the same before and after, but for the savepoints. How often the loops turn the environment may say. */
const REWRITTEN: Record<string, string> = {
  'nothing fails': `from os import environ

from django.db import transaction
from shop.models import Item


def run():
    with transaction.atomic():
        for name in environ.get("WORDS", "a b c").split():
            with transaction.atomic():
                Item.objects.create(name=name)
`,
  'an error is caught around the transaction': `from os import environ

from django.db import transaction
from shop.models import Item


def run():
    Item.objects.create(name="before")
    try:
        with transaction.atomic():
            for price in environ.get("WORDS", "1 2 three").split():
                with transaction.atomic(using="default"):
                    Item.objects.create(name="inside", price=price)
    except ValueError:
        Item.objects.create(name="caught")
`,
  'the server refuses a row': `from os import environ

from django.db import DatabaseError, transaction
from shop.models import Item


def run():
    try:
        with transaction.atomic():
            Item.objects.create(name="first")
            for price in environ.get("WORDS", "1 2 1099511627776").split():
                if price:
                    with transaction.atomic():
                        Item.objects.create(name="inside", price=price)
    except DatabaseError:
        Item.objects.create(name="refused")
    Item.objects.create(name="after")
`,
};
const rewrites: { title: string; code: string }[] = [];

let server: Server;
let seen: Record<string, { seen?: Record<string, number>; rows?: unknown; error?: string }>;
const all = snippets();

beforeAll(async () => {
  await run('sh', [`${import.meta.dirname}/install.sh`]);
  server = await start(15, LOGGED);
  const admin = await server.connect();
  await admin.query('CREATE DATABASE shop');
  await admin.end();
  const shop = await server.connect('shop');
  await shop.query('CREATE TABLE item (id serial PRIMARY KEY, name text, price int)');
  await shop.end();
  for (const [title, code] of Object.entries(REWRITTEN)) {
    const after = await fixed(code, 'run.py');
    expect(after.titles.length, title).toBe(1);
    rewrites.push({ title: `${title}: before`, code }, { title: `${title}: after`, code: after.text });
  }
  seen = {};
  const groups = [...new Set(all.map((one) => one.needs))];
  const folders = await Promise.all(groups.map(folderOf));
  for (const [i, needs] of groups.entries()) {
    const own = all.filter((one) => one.needs === needs);
    const snippets = needs === '' ? [...own, ...rewrites] : own;
    const input = { socket: server.socket, log: logOf(server), snippets };
    const out = await run(PYTHON, ['test/frameworks/python/prove.py'], JSON.stringify(input), folders[i]);
    for (const line of out.split('\n')) {
      if (!line.startsWith('{"title"')) continue; // snippets print too
      const one = JSON.parse(line);
      seen[one.title] = one;
    }
  }
}, 600_000);

/** Where a snippet's own releases are installed, beside those of all. */
async function folderOf(needs: string): Promise<string> {
  if (needs === '') return '';
  const folder = `build/python-${/^[\w-]+/.exec(needs)}-${sha256(needs).slice(0, 8)}`;
  if (!existsSync(`${folder}/complete`)) {
    const options = ['--quiet', '--no-warn-conflicts', '--upgrade', '--target', folder];
    await run(PYTHON, ['-m', 'pip', 'install', ...options, ...needs.split(/\s+/)]);
    writeFileSync(`${folder}/complete`, '');
  }
  return resolve(folder);
}

afterAll(async () => {
  await server?.stop();
});

function run(command: string, args: string[], input = '', path = ''): Promise<string> {
  return new Promise((done, reject) => {
    const env = { ...process.env, PYTHONPATH: path };
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? done(out) : reject(new Error(`${command} ended with ${code}`)),
    );
    child.stdin.end(input);
  });
}

for (const { title, expected } of all)
  test(title, () => {
    expect(seen[title]?.error).toBeUndefined();
    expect(seen[title]?.seen).toEqual(expected);
  });

test.each(Object.keys(REWRITTEN))('savepoint=False keeps what happens: %s', (title) => {
  const [before, after] = [seen[`${title}: before`]!, seen[`${title}: after`]!];
  expect(before.error).toBeUndefined();
  expect(before.seen!.SAVEPOINT).toBeGreaterThan(1);
  expect(after.seen).toEqual({ SAVEPOINT: 0, RELEASE: 0, 'ROLLBACK TO': 0 });
  expect(after.rows).toEqual(before.rows);
});

test('each row is proven, or says why not', () => {
  const proven = new Set(all.flatMap(({ title }) => [...title.matchAll(/S\d{3}/g)].map(([row]) => row)));
  const rows = new Set(
    PAGES.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/^## (S\d{3}) /gm)].map(([, row]) => row!),
    ),
  );
  const silent = [...rows].filter((row) => !proven.has(row) && !(row in UNPROVEN));
  const both = Object.keys(UNPROVEN).filter((row) => proven.has(row));
  console.log(`${proven.size} of ${rows.size} rows proven by ${all.length} snippets`);
  expect({ silent, both }).toEqual({ silent: [], both: [] });
});
