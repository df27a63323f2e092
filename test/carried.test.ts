// What is found again after a change that changes no meaning, without linking: the same as what is found anew, or nothing.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { check, lower } from '../src/analyse.ts';
import { frontendFor } from '../src/frontends/index.ts';
import { leavesFindings } from '../src/linker/graph/concern.ts';
import { link } from '../src/linker/link.ts';
import type { Concern } from '../src/linker/model.ts';
import { openCache } from '../src/project/cache/cache.ts';
import { carried } from '../src/project/cache/carried.ts';
import { type Loader, type LoadOptions, lowerAll, survey } from '../src/project/load.ts';

const TREE = {
  'app/orders.py': `from django.db import transaction
from app.models import Order

def place(order):
    with transaction.atomic():
        order.save()

@transaction.atomic
def place_all():
    for order in Order.objects.all():
        place(order)
`,
  'app/models.py': `from django.db import models

class Order(models.Model):
    name = models.TextField()
`,
  'app/views.py': `from app.orders import place

def view(request, orders):
    for order in orders:
        place(order)
`,
  'app/other.py': 'def nothing():\n    return 1\n',
  'tests/test_other.py': 'def test_nothing():\n    assert 1\n',
  'db/copy.sql': `CREATE FUNCTION copy_all() RETURNS void LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
  FOR r IN SELECT * FROM source LOOP
    BEGIN
      INSERT INTO target VALUES (r.id);
    EXCEPTION WHEN unique_violation THEN
      UPDATE target SET n = n + 1 WHERE id = r.id;
    END;
  END LOOP;
END $$;
`,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subxact-'));
  for (const [path, text] of Object.entries(TREE)) write(path, text);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Long ago, so that the stamp is trusted. */
let clock = 1_000_000;
function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), clock, clock++);
}

const loader: Loader = { habits: frontendFor, lower };

async function look() {
  const cache = openCache(join(folder, '.subxact-cache'), folder, 'one');
  const options: LoadOptions = { root: folder, cwd: folder, threads: 1, cache };
  return { cache, options, seen: await survey(['.'], loader, options) };
}

async function findings() {
  const { cache, options, seen } = await look();
  const { units } = await lowerAll(seen, loader, options);
  cache.save();
  const model = link(units);
  concern = JSON.parse(JSON.stringify(model.concern));
  return JSON.parse(JSON.stringify(check(model)));
}

/** What the last link knew. */
let concern: Concern;

async function again(before: Awaited<ReturnType<typeof findings>>) {
  const { cache, seen } = await look();
  const same = await carried(seen, loader, cache, (...files) => leavesFindings(...files, concern));
  const moved = same?.move(before);
  if (moved) cache.save();
  return moved && JSON.parse(JSON.stringify(moved));
}

test('a comment moves what is found, in a file that opens a subtransaction and in one that leads to it', async () => {
  const before = await findings();
  expect(before.length).toBeGreaterThan(1);
  write('app/views.py', `# the views\n${TREE['app/views.py']}`);
  write('app/orders.py', TREE['app/orders.py'].replace('    for order', '    # each of them\n    for order'));
  const moved = await again(before);
  expect(moved).not.toEqual(before);
  // And once more, on top of that.
  write('app/models.py', `\n\n${TREE['app/models.py']}`);
  const twice = await again(moved);
  expect(twice).toEqual(await findings());
});

test('so it does where every file says something', async () => {
  for (const path of Object.keys(TREE)) if (!path.startsWith('db/')) rmSync(join(folder, path));
  const before = await findings();
  write('db/copy.sql', `-- all of them\n${TREE['db/copy.sql']}`);
  const moved = await again(before);
  expect(moved).not.toEqual(before);
  expect(moved).toEqual(await findings());
});

test('a test that opens nothing may say anything', async () => {
  const before = await findings();
  write('tests/test_other.py', 'def test_place():\n    place(1)\n');
  expect(await again(before)).toEqual(before);
});

test.each([
  [
    'another meaning',
    () => write('app/orders.py', TREE['app/orders.py'].replace('place(order)', 'print(order)')),
  ],
  ['another text of a function', () => write('db/copy.sql', TREE['db/copy.sql'].replace('n + 1', 'n + 2'))],
  ['a file that was not looked into', () => write('app/other.py', 'def nothing():\n    place(1)\n')],
  ['one that opens something now', () => write('tests/test_other.py', TREE['app/orders.py'])],
  ['a new file', () => write('app/new.py', 'x = 1\n')],
  ['a file that is gone', () => rmSync(join(folder, 'app/other.py'))],
  ['another order', () => write('app/orders.py', TREE['app/orders.py'].split(/(?=@)/).reverse().join('\n'))],
])('nothing is carried over %s', async (_, change) => {
  const before = await findings();
  change();
  expect(await again(before)).toBeFalsy();
});

test('lines that say nothing, anywhere: what is carried is what is found anew', async () => {
  const path = fc.constantFrom(...(Object.keys(TREE) as (keyof typeof TREE)[]));
  const edits = fc.array(
    fc.tuple(path, fc.nat(12), fc.constantFrom('', '  ', '# word', '-- word', '    x = 1')),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  let times = 0;
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      for (const [path, text] of Object.entries(TREE)) write(path, text);
      const before = await findings();
      const texts: Record<string, string[]> = {};
      for (const [path, at, line] of all) {
        texts[path] ??= TREE[path].split('\n');
        texts[path].splice(Math.min(at, texts[path].length), 0, line);
      }
      for (const [path, lines] of Object.entries(texts)) write(path, lines.join('\n'));
      const moved = await again(before);
      if (!moved) return;
      times++;
      rmSync(join(folder, '.subxact-cache'), { recursive: true });
      expect(moved).toEqual(await findings());
    }),
    { numRuns: 60 },
  );
  expect(times).toBeGreaterThan(10);
});

/** Beside the others, some that nothing depends on and some that everything does. */
const MORE = {
  'app/quiet.py': `from django.db import connection, transaction
from app.orders import place
from app.steps import Steps, begin as start

def count(rows, deep=False):
    total = 0
    for row in rows:
        total += measure(row)
    if deep:
        place(rows)
    return total

def measure(row):
    return len(row)

def report(rows):
    return count(rows)

def deeply(rows):
    return count(rows, deep=True)

def size(rows):
    return measure(rows)

class Ledger(Steps):
    def close(self):
        self.step(1)

    def step(self, n):
        measure(n)
`,
  'app/steps.py': `from django.db import transaction

def begin(order):
    sid = transaction.savepoint()
    order.save()
    transaction.savepoint_commit(sid)

class Steps:
    def run(self, orders):
        for order in orders:
            with transaction.atomic():
                self.step(order)

    def step(self, n):
        print(n)

    def rest(self):
        print(1)
`,
  'db/audit.sql': `CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log VALUES (NEW.id);
  RETURN NEW;
EXCEPTION WHEN OTHERS THEN
  RETURN NEW;
END $$;
CREATE TRIGGER audit AFTER INSERT ON app_order FOR EACH ROW EXECUTE FUNCTION audit();
`,
};
const LINES = [
  'print(1)', 'measure(1)', 'report([])', 'deeply([])', 'count([], deep=True)', 'count([])', 'size([])', 'place(1)', 'start(1)',
  'place_all()', 'view(1, [])', 'Ledger().close()', 'Ledger().run([])', 'self.rest()', 'self.step(2)', 'self.run([])',
  'for one in many:\n        measure(one)', 'with transaction.atomic():\n        measure(1)', 'sid = transaction.savepoint()',
  'connection.cursor().execute("INSERT INTO app_order VALUES (1)")', 'connection.cursor().execute("INSERT INTO quiet VALUES (1)")',
  'from app.orders import place as measure', 'return None', 'transaction.rollback()', 'Order.objects.create()',
]; // biome-ignore format: as they are grouped

test('what a body says that no finding depends on is carried over', async () => {
  for (const [path, text] of Object.entries(MORE)) write(path, text);
  const before = await findings();
  const { 'app/quiet.py': quiet } = MORE;
  const size = (line: string) => quiet.replace('return measure(rows)', `${line}\n    return measure(rows)`);
  write('app/quiet.py', `# counts\n${size('measure(1)')}`);
  const moved = await again(before);
  expect(moved).toEqual(await findings());
  for (const line of [
    'place(rows)',
    'start(rows)',
    'Ledger().run(rows)',
    'count([])',
    'transaction.savepoint()',
  ]) {
    write('app/quiet.py', size(line));
    expect(await again(moved), line).toBeFalsy();
  }
});

test('other bodies, anywhere: what is carried is what is found anew', async () => {
  const all: Record<string, string> = { ...TREE, ...MORE };
  const texts = Object.entries(all).filter(([path]) => path.endsWith('.py'));
  const places = texts.flatMap(([path, text]) =>
    [...text.matchAll(/^( *)def .*\n/gm)].map((def) => ({
      path,
      at: def.index + def[0].length,
      indent: `${def[1]}    `,
    })),
  );
  const edits = fc.array(fc.tuple(fc.constantFrom(...places), fc.constantFrom(...LINES)), {
    minLength: 1,
    maxLength: 3,
  });
  let times = 0;
  await fc.assert(
    fc.asyncProperty(edits, edits, async (...rounds) => {
      for (const [path, text] of Object.entries(all)) write(path, text);
      let before = await findings();
      const now = { ...all };
      for (const round of rounds) {
        for (const [{ path, at, indent }, line] of round)
          now[path] =
            `${now[path]!.slice(0, at)}${indent}${line.replaceAll('\n    ', `\n${indent}`)}\n${now[path]!.slice(at)}`;
        for (const [path] of texts) if (now[path] !== all[path]) write(path, now[path]!);
        const moved = await again(before);
        if (!moved) return;
        times++;
        const known = concern;
        rmSync(join(folder, '.subxact-cache'), { recursive: true });
        expect(moved).toEqual(await findings());
        concern = known; // that of the first link, as a run would have
        before = moved;
      }
    }),
    { numRuns: 150, seed: Number(process.env.SUBXACT_SEED ?? 1) },
  );
  expect(times).toBeGreaterThan(10);
}, 60_000);
