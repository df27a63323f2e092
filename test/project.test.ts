// The disk's side: which files are found, how bytes become text, what the screen lets through, what is remembered.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync,
} from 'node:fs'; // biome-ignore format: one list
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyUnit, type Name, type Step, type Unit } from '../src/ir.ts';
import { openCache } from '../src/project/cache/cache.ts';
import { settleFindings } from '../src/project/config/settle.ts';
import { decode } from '../src/project/files/decode.ts';
import { findFiles, rootOf } from '../src/project/files/files.ts';
import { createGlobs } from '../src/project/files/ignore.ts';
import { load, lowerAll, survey } from '../src/project/load.ts';
import { createSearch } from '../src/project/screen/needles.ts';
import { createPlaces } from '../src/project/screen/places.ts';
import type { Habits } from '../src/project/screen/screen.ts';
import { createWordIndex } from '../src/project/screen/words.ts';
import type { Finding } from '../src/rule.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subxact-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
const wanted = (name: string) => /\.(sql|py)$/.test(name);
const find = (paths = ['.']) => {
  const root = rootOf(paths, folder);
  return findFiles(paths, { root, cwd: folder, wanted }).files.map((file) => file.path);
};

test('what pg_regress runs is a test, wherever it stands', async () => {
  write({
    'ext/sql/first.sql': 'select 1;',
    'ext/expected/first.out': '',
    'ext/sql/functions.sql': 'select 1;',
  });
  const lower = async (file: string) => emptyUnit(file, 'sql');
  const { units } = await load(
    ['.'],
    { habits: () => ({ language: 'sql', needles: ['select'] }), lower },
    { root: folder, cwd: folder, threads: 1 },
  );
  expect(units.map(({ file, role }) => [file, role])).toEqual([
    ['ext/sql/first.sql', 'test'],
    ['ext/sql/functions.sql', 'product'],
  ]);
});

test('a byte order mark is no letter before the first word', async () => {
  write({ 'marked.py': '\ufeffcursor(1)', 'another.py': 'to_cursor(1)' });
  const { units } = await load(
    ['.'],
    {
      habits: () => ({ language: 'python', needles: ['|cursor('] }),
      lower: async (file) => emptyUnit(file, 'python'),
    },
    { root: folder, cwd: folder, threads: 1 },
  );
  expect(units.map(({ file }) => file)).toEqual(['marked.py']);
});

describe('files', () => {
  test('are those that git would keep: nested ignore files, negation, anchors and info/exclude', () => {
    write({
      '.git/info/exclude': 'secret.sql\n',
      '.gitignore': '*.gen.sql\n!keep.gen.sql\n/build/\nlogs/**/old\n# comment\n\\#odd.sql\ntrailing.sql  \n[ab].sql\n',
      'a.sql': '', 'c.sql': '', 'x.gen.sql': '', 'keep.gen.sql': '', 'secret.sql': '', '#odd.sql': '', 'trailing.sql': '',
      'build/x.sql': '', 'sub/build/x.sql': '', 'logs/1/2/old/x.sql': '', 'logs/new/x.sql': '',
      'sub/.gitignore': 'only.sql\n!a.sql\n', 'sub/only.sql': '', 'sub/a.sql': '', 'only.sql': '',
    }); // biome-ignore format: a listing
    const mine = find();
    expect(mine).toEqual(
      ['c.sql', 'keep.gen.sql', 'logs/new/x.sql', 'only.sql', 'sub/a.sql', 'sub/build/x.sql'].sort(),
    );
    rmSync(join(folder, '.git'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: folder });
    writeFileSync(join(folder, '.git/info/exclude'), 'secret.sql\n');
    const git = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.sql'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(mine).toEqual(git.trim().split('\n').sort());
  });

  test.each([
    ['version 2', ['update-index', '--index-version', '2']],
    ['version 3', ['update-index', '--skip-worktree', 'other/c.sql']],
    ['version 4', ['update-index', '--index-version', '4']],
    ['in a worktree', ['worktree', 'add', '-q', 'tree', 'HEAD']],
  ])('are those that git has, whatever is ignored: %s', (_, command) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
    write({
      '.gitignore': '*.old.sql\ngenerated/\n/only.sql\n',
      'a.old.sql': '',
      'generated/deep/b.sql': '',
      'other/c.sql': '',
      'only.sql': '',
    });
    for (let i = 0; i < 300; i++) write({ [`other/${'long/'.repeat(i % 40)}x${i}.txt`]: '' });
    git('init', '-q');
    git('add', '-f', '.');
    git('commit', '-qm', 'one');
    git(...command);
    write({ 'new.old.sql': '', 'generated/new.sql': '', 'generated/deep/a.sql': '', 'other/only.sql': '' });
    if (command[0] !== 'worktree') {
      expect(find()).toEqual([
        'a.old.sql',
        'generated/deep/b.sql',
        'only.sql',
        'other/c.sql',
        'other/only.sql',
      ]);
      git('rm', '-q', '--cached', 'only.sql', 'a.old.sql', 'generated/deep/b.sql');
      return expect(find()).toEqual(['other/c.sql', 'other/only.sql']);
    }
    folder = join(folder, 'tree');
    write({ 'generated/deep/a.sql': '' });
    expect(find()).toEqual(['a.old.sql', 'generated/deep/b.sql', 'only.sql', 'other/c.sql']);
    folder = dirname(folder);
  });

  test('of an index that says not all, or nothing, git ignores what it ignores', () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
    write({ '.gitignore': 'a.sql\n', 'a.sql': '', 'b.sql': '' });
    git('init', '-q', '--object-format=sha256');
    git('add', '-f', '.');
    expect(find()).toEqual(['a.sql', 'b.sql']);
    git('update-index', '--split-index');
    expect(find()).toEqual(['b.sql']);
    git('update-index', '--no-split-index');
    const index = readFileSync(join(folder, '.git/index'));
    for (const bytes of [
      index.subarray(0, 90),
      index.fill(255, 8, 12),
      Buffer.from('DIRC'),
      Buffer.alloc(0),
      namesThatGoOn(20_000),
    ]) {
      write({ '.git/index': bytes });
      expect(find()).toEqual(['b.sql']);
    }
  });

  /** An index of a megabyte whose names are one of a gigabyte: each goes on where the one before it ends. */
  function namesThatGoOn(count: number): Buffer {
    const entry = (length: number, rest: string) => {
      const before = Buffer.alloc(63);
      before.writeUInt16BE(Math.min(length, 0xfff), 60);
      return Buffer.concat([before, Buffer.from(`${rest}\0`)]);
    };
    const header = Buffer.from('DIRC\0\0\0\x04\0\0\0\0');
    header.writeUInt32BE(count + 1, 8);
    const [first, long] = ['a.sql', 'b'.repeat(60_000)];
    const others = Array.from({ length: count - 1 }, (_, i) => entry(60_006 + i, 'b'));
    return Buffer.concat([header, entry(5, first), entry(60_005, long), ...others, Buffer.alloc(20)]);
  }

  test('leave out what others wrote, and what a build made beside its manifest', () => {
    write({
      'node_modules/x/a.sql': '', '.venv/a.py': '', 'my/pyvenv.cfg': '', 'env/pyvenv.cfg': '', 'env/a.py': '',
      'vendor/bundle/a.py': '', 'lib/vendor/own.sql': '', 'web/package.json': '', 'web/dist/a.sql': '', 'dist/real.sql': '',
    }); // biome-ignore format: a listing
    expect(find()).toEqual(['dist/real.sql', 'lib/vendor/own.sql']);
  });

  test('a worktree inside has the same code once more, a submodule and a clone have their own', () => {
    const files = {
      'a.sql': '', 'wt/.git': 'gitdir: elsewhere', 'wt/a.sql': '', 'deep/clone/.git/HEAD': '', 'deep/clone/a.sql': '',
      'lib/the "sub"/.git': 'gitdir: x', 'lib/the "sub"/a.sql': '', 'lib/the "sub"/in/.git': 'gitdir: y', 'lib/the "sub"/in/a.sql': '',
    }; // biome-ignore format: a listing
    write(files);
    // Where there is no repository around, each of them is what was meant.
    expect(find()).toHaveLength(5);
    write({ '.git/HEAD': '', '.gitmodules': '[submodule "x"]\n\tpath = "lib/the \\"sub\\""\n\turl = y\n' });
    expect(find()).toEqual(['a.sql', 'deep/clone/a.sql', 'lib/the "sub"/a.sql']);
    write({ 'lib/the "sub"/.gitmodules': '[submodule "in"]\n  path=in\n' });
    expect(find()).toEqual(['a.sql', 'deep/clone/a.sql', 'lib/the "sub"/a.sql', 'lib/the "sub"/in/a.sql']);
    expect(find(['lib'])).toHaveLength(2);
    expect(find(['a.sql', 'wt'])).toEqual(['a.sql', 'wt/a.sql']);
  });

  test('links are not followed, and a file that is named twice is read once', () => {
    const outside = mkdtempSync(join(tmpdir(), 'subxact-outside-'));
    writeFileSync(join(outside, 'x.sql'), '');
    write({ 'a.sql': '' });
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(folder, join(folder, 'loop'));
    symlinkSync(join(outside, 'x.sql'), join(folder, 'x.sql'));
    expect(find(['.', 'a.sql'])).toEqual(['a.sql']);
    rmSync(outside, { recursive: true });
  });

  test('an ignore file that is none, or a bomb, is told and not waited for', () => {
    write({ 'a.sql': '', 'link/b.sql': '', 'bomb/c.sql': '', 'bomb/.gitignore': '*.sql\n'.repeat(200_000) });
    execFileSync('mkfifo', [join(folder, '.gitignore')]);
    symlinkSync('/dev/zero', join(folder, 'link/.gitignore'));
    const found = findFiles(['.'], { root: folder, cwd: folder, wanted });
    expect(found.files.map(({ path }) => path)).toEqual(['a.sql', 'bomb/c.sql', 'link/b.sql']);
    expect(found.problems.map(({ file, message }) => `${file}: ${message}`)).toEqual([
      '.gitignore: not read: it is no regular file',
      'bomb/.gitignore: not read: it has 1 MB',
      'link/.gitignore: not read: it is a link',
    ]);
  });

  test('what the user names is read even when it is ignored', () => {
    write({ '.git/HEAD': '', '.gitignore': 'out/\n*.tmp.sql\n', 'out/a.sql': '', 'b.tmp.sql': '' });
    expect(find(['out', 'b.tmp.sql'])).toEqual(['out/a.sql', 'b.tmp.sql']);
  });

  test('names are relative to the repository, wherever one stands', () => {
    write({ '.git/HEAD': '', 'sub/a.sql': '' });
    const root = rootOf(['a.sql'], join(folder, 'sub'));
    expect(findFiles(['a.sql'], { root, cwd: join(folder, 'sub'), wanted }).files[0]!.path).toBe('sub/a.sql');
  });
});

describe('bytes become text', () => {
  const cases: [string, Uint8Array, string | null, string?][] = [
    ['UTF-8', Buffer.from('é'), 'é', 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffé'), 'é', 'utf-8 with BOM'],
    ['UTF-16, little end first', Buffer.from('\ufeffé', 'utf16le'), 'é', 'utf-16le'],
    ['UTF-16, big end first', Buffer.from('\ufeffé', 'utf16le').swap16(), 'é', 'utf-16be'],
    ['UTF-16, cut in half a character', Buffer.concat([Buffer.from('\ufeffé', 'utf16le').swap16(), Buffer.from([0])]), 'é', 'utf-16be'],
    ['Latin-1', Buffer.from('é', 'latin1'), 'é', 'latin-1'],
    ['a picture', Buffer.from([0x89, 0x50, 0, 1]), null],
    ['nothing', new Uint8Array(), '', 'utf-8'],
  ]; // biome-ignore format: a table
  for (const [name, bytes, text, encoding] of cases)
    test(name, () => {
      const decoded = decode(bytes);
      expect(decoded && [decoded.text, decoded.encoding]).toEqual(text === null ? null : [text, encoding]);
    });
});

describe('needles', () => {
  test('are found as a plain search finds them', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', 'é'), minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'B', ' ', 'é', 'c'), maxLength: 40 }),
        (words, text) => {
          const plain = words.some((one) => text.includes(one));
          expect(createSearch(words)(Buffer.from(text))).toBe(plain);
        },
      ),
      { numRuns: 500 },
    );
  });
  test('a `|` is where a word begins or ends', () => {
    const has = (needle: string, text: string) => createSearch([needle, 'savepoint'])(Buffer.from(text));
    for (const text of ['post_save', 'a.post_save(b', '(post_save)', 'pre_post_save, post_save'])
      expect(has('|post_save|', text), text).toBe(true);
    for (const text of ['post_save_all', 'on_post_save', 'post_saved', 'post_savé', 'épost_save'])
      expect(has('|post_save|', text), text).toBe(false);
    expect([has('|cursor(', 'to_cursor('), has('|cursor(', 'db.cursor()')]).toEqual([false, true]);
    expect([has('Record|', 'ApplicationRecord'), has('Record|', 'Recorder')]).toEqual([true, false]);
  });
  test('none: every file passes', () => expect(createSearch([])(Buffer.from(''))).toBe(true));
});

describe('globs', () => {
  test('have alternatives', () => {
    const fits = createGlobs(['src/*.{sql,p{y,l}}'], '');
    expect(['src/a.sql', 'src/a.py', 'src/a.pl', 'src/a.rb'].filter(fits)).toEqual([
      'src/a.sql',
      'src/a.py',
      'src/a.pl',
    ]);
  });
  test('of more alternatives than there is memory for mean what is written', () => {
    expect(createGlobs(['{a,b}'.repeat(40)], '')('a'.repeat(40))).toBe(false);
  });
});

describe('words', () => {
  const index = (text: string) => createWordIndex([text], () => Buffer.from(text));
  const defines: [string, string][] = [
    ['def place(order):', 'place'],
    ['  def self.place(order)', 'place'],
    ['class OrderService < Base', 'OrderService'],
    ['  public List<Order> findAll() {', 'findAll'],
    ['fun Order.place(x: Int) = 1', 'place'],
    ['place = partial(other)', 'place'],
    ['suspend fun <T> place() {', 'place'],
  ];
  for (const [text, word] of defines)
    test(`${text} defines`, () => expect([...index(text).defines(word)]).toEqual([0]));
  for (const text of [
    'return place(x)',
    'x.place()',
    'from shop import place',
    'if place(x):',
    'new Place()',
  ])
    test(`${text} only uses`, () => {
      expect([...index(text).uses('place')]).toEqual([0]);
      expect([...index(text).defines('place')]).toEqual([]);
    });
});

describe('words of a language that says def before what it defines', () => {
  const definers = ['def', 'class'];
  const index = (text: string) =>
    createWordIndex(
      [text],
      () => Buffer.from(text),
      () => definers,
    );
  for (const text of [
    'def place(order):',
    '  async def place(self)',
    'class Place(Base)',
    'place = partial(f)',
  ])
    test(`${text} defines`, () => expect([...index(text).defines('place')]).toEqual([0]));
  for (const text of ['"""The best place."""', 'match place:', 'default place', 'def x(place)'])
    test(`${text} only uses`, () => {
      expect([...index(text).uses('place')]).toEqual([0]);
      expect([...index(text).defines('place')]).toEqual([]);
    });
  test('a class is declared, and not what prose calls an object', () => {
    expect([...index('class Place:').declares('place')]).toEqual([0]);
    expect([...index('# an object place').declares('place')]).toEqual([]);
  });
});

test('where words stand is found as by a plain list, however many pairs there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.integer(), (size, seed) => {
      const [words, files] = [2 ** size * 7, 2 ** size * 3];
      const places = createPlaces();
      const expected = new Map<number, number[]>();
      let state = seed | 1;
      const next = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) | 0;
        return (state >>> 8) % below;
      };
      for (let file = 0; file < files; file++)
        for (let i = 0; i < 40; i++) {
          const word = Math.imul(next(words) + 1, 0x9e3779b1);
          places.add(word, file);
          const list = expected.get(word) ?? [];
          expected.set(word, list);
          if (list.at(-1) !== file) list.push(file);
        }
      for (const [word, list] of expected) expect([...places.of(word)]).toEqual(list);
      expect([...places.of(0x9e3779b2)]).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

const TOY: Habits = { language: 'python', needles: ['**'] };
const toyHabits = (name: string) => (/\.py$|\/run$/.test(name) ? TOY : undefined);

/** A front end of one line each: `NAME: CALLED CALLED`, `**` for a subtransaction. */
function toy(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'python');
  const at = { start: 0, end: 1 };
  for (const line of text.split('\n').filter(Boolean)) {
    const [name, rest] = line.split(':');
    const body = rest!.trim().split(/\s+/).filter(Boolean).map((word): Step =>
      word === '**'
        ? { kind: 'savepoint', name: 'a', at }
        : { kind: 'call', callee: `python:${word}`, at },
    ); // biome-ignore format: one thing
    unit.routines.push({
      name: `python:${name!.replace(/^def /, '')}`,
      at,
      kind: 'function',
      entry: 'called',
      startsIn: 'caller',
      body,
    });
  }
  return unit;
}

describe('the screen', () => {
  const lowered: string[] = [];
  const run = (options: { everything?: boolean } = {}) => {
    lowered.length = 0;
    const root = rootOf(['.'], folder);
    const loader = {
      habits: toyHabits,
      async lower(file: string, text: string) {
        lowered.push(file);
        return toy(file, text);
      },
    };
    return load(['.'], loader, { root, cwd: folder, threads: 1, ...options });
  };

  test('takes those who call what opens a subtransaction, wave after wave, and what they call', async () => {
    write({
      'a.py': 'def a.opens: **\n',
      'b.py': 'def b.calls: a.opens helper.logs\n',
      'c.py': 'def c.top: b.calls\n',
      'helper.py': 'def helper.logs: deep.writes\n',
      'deep.py': 'def deep.writes:\n',
      'other.py': 'def other.thing: unrelated.stuff\n',
      'tests/test_a.py': 'def test_a.test: a.opens\n',
    });
    await run();
    expect(lowered.sort()).toEqual(['a.py', 'b.py', 'c.py', 'deep.py', 'helper.py']);
    await run({ everything: true });
    expect(lowered.length).toBe(7);
  });

  test('finds them in a tree that is too large to be kept, where a file may be gone or changed meanwhile', async () => {
    write({ 'a.py': 'def a.opens: **\n', 'b.py': 'def b.calls: a.opens\n', 'd.py': 'def d.top: a.opens\n' });
    for (let i = 0; i < 5; i++) write({ [`pad${i}.py`]: `def pad${i}.x:${' y.z'.repeat(4_000_000)}` });
    write({
      'z.py': 'def z.last: b.calls\n',
      'zz.py': 'def zz.opens: **\n',
      'zzz.py': 'def zzz.opens: **\n',
    });
    lowered.length = 0;
    const loader = {
      habits: () => TOY,
      async lower(file: string, text: string) {
        lowered.push(`${file} ${text.length}`);
        return toy(file, text);
      },
    };
    const options = { root: folder, cwd: folder, threads: 1 };
    const seen = await survey(['.'], loader, options);
    write({ 'a.py': 'def a.opens: ** **\n' });
    rmSync(join(folder, 'b.py'));
    const { units, whole } = await lowerAll(seen, loader, options);
    expect(lowered.sort()).toEqual(['a.py 19', 'd.py 19', 'zz.py 17', 'zzz.py 18']);
    expect(units.length).toBe(4);
    expect(whole).toBe(false);
  });

  test('takes none when nothing opens one', async () => {
    write({ 'b.py': 'def b.calls: a.opens\n', 'c.py': 'def a.opens: b.calls\n' });
    await run();
    expect(lowered).toEqual([]);
  });

  test('lists a file that is binary, empty, huge, unreadable or of another encoding, and goes on', async () => {
    write({
      'a.py': 'def a.b: **',
      'binary.py': new Uint8Array([1, 0, 2]),
      'my.bin/run': new Uint8Array([127, 69, 76, 70, 0]),
      'latin.py': Buffer.from('def é.b: **', 'latin1'),
      'huge.py': 'x'.repeat(50_000_000),
      'empty.py': '',
      'wide.py': Buffer.from('\ufeffdef a.c: **', 'utf16le'),
    });
    const { notices, units } = await run();
    expect(notices.map((n) => `${n.file}: ${n.message}`).sort()).toEqual([
      'binary.py: not read: it is binary',
      'huge.py: not read: it has 50 MB',
      'latin.py: is not UTF-8: read as Latin-1',
    ]);
    expect(units.map((unit) => unit.file)).toEqual(['a.py', 'latin.py', 'wide.py']);
  });
});

describe('the cache', () => {
  const kept = () => join(folder, '.subxact-cache');
  const open = (tool = 'one') => openCache(kept(), rootOf(['.'], folder), tool);
  const loaderWith = (lowered: string[]) => ({
    habits: toyHabits,
    async lower(file: string, text: string) {
      lowered.push(file);
      return toy(file, text);
    },
  });
  const run = async (tool = 'one') => {
    const lowered: string[] = [];
    const cache = open(tool);
    const root = rootOf(['.'], folder);
    const loaded = await load(['.'], loaderWith(lowered), { root, cwd: folder, threads: 1, cache });
    cache.save();
    return { lowered, units: loaded.units.map((unit) => unit.file) };
  };
  const tree = async () => {
    const root = rootOf(['.'], folder);
    const cache = open();
    const seen = await survey(['.'], loaderWith([]), { root, cwd: folder, threads: 1, cache });
    cache.save();
    return seen.tree;
  };
  const files = () => readdirSync(join(kept(), readdirSync(kept())[0]!));
  const fileOf = (name: RegExp) =>
    join(kept(), readdirSync(kept())[0]!, files().find((file) => name.test(file))!);
  beforeEach(() => {
    write({ 'a.py': 'def a.opens: **\n', 'b.py': 'def b.calls: a.opens\n', 'c.py': 'def c.x: d.y\n' });
  });

  test('what is nested deeper than JSON goes is read anew, and the others are kept', async () => {
    write({ 'deep.py': '1' });
    const cache = open();
    let unit: unknown = null;
    for (let i = 0; i < 100_000; i++) unit = { unit };
    cache.keep('deep.py', 'hash', { unit: unit as Unit, latin1: false });
    expect(() => cache.save()).not.toThrow();
  });

  test('an unchanged tree is not lowered again', async () => {
    const first = await run();
    const second = await run();
    expect(first.lowered.sort()).toEqual(['a.py', 'b.py']);
    expect(second).toEqual({ lowered: [], units: first.units });
  });

  test('a file at which a front end fails is kept as it is: the rest of the tree is answered for', async () => {
    write({ 'a.py': 'def a.b: **\n' });
    let times = 0;
    const loader = {
      habits: () => TOY,
      async lower(file: string) {
        times++;
        const unit = emptyUnit(file, 'python');
        unit.problems.push({ message: 'could not be read: Maximum call stack size exceeded', partial: true });
        return unit;
      },
    };
    for (let run = 0; run < 2; run++) {
      const cache = open();
      const { whole, notices } = await load(['a.py'], loader, {
        root: folder,
        cwd: folder,
        threads: 1,
        cache,
      });
      cache.save();
      expect(whole).toBe(true);
      expect(notices).toHaveLength(1);
    }
    expect(times).toBe(1);
  });

  test('a changed file is lowered again, and one that was only touched is not', async () => {
    await run();
    write({ 'c.py': 'def c.x: b.calls\n', 'a.py': 'def a.opens: **\n' });
    expect((await run()).lowered).toEqual(['c.py']);
  });

  test('a part that a killed run left is taken away, and one that is being written is not', async () => {
    await run();
    const index = fileOf(/^index$/);
    for (const part of ['1.left', '2.now']) writeFileSync(`${index}.${part}`, 'subxact-cache');
    utimesSync(`${index}.1.left`, 1000, 1000);
    write({ 'c.py': 'def c.x: b.calls\n' });
    await run();
    expect(files().filter((name) => name.startsWith('index'))).toEqual(['index', 'index.2.now']);
  });

  test('another version reads nothing of it', async () => {
    await run();
    expect((await run('two')).lowered.length).toBe(2);
  });

  for (const [name, damage] of Object.entries({
    'cut short': 'subxact-cache 2 one',
    'changed by hand': '',
    'not JSON': '{',
    empty: '',
  }))
    test(`one that is ${name} is ignored`, async () => {
      await run();
      for (const file of files()) {
        const full = fileOf(new RegExp(`^${file}$`));
        const text = readFileSync(full, 'utf8');
        writeFileSync(full, name === 'changed by hand' ? text.replace('a.opens', 'a.0pens') : damage);
      }
      expect((await run()).lowered).toContain('a.py');
    });

  test('an index that is not a list of rows is ignored', async () => {
    await run();
    const body = '{"rows":{"length":3}}';
    const hash = createHash('sha1').update(body).digest('hex');
    writeFileSync(fileOf(/^index$/), `subxact-cache 2 one index ${hash}\n${body}`);
    expect((await run()).units).toEqual(['a.py', 'b.py']);
  });

  test('two runs at once leave a whole one', async () => {
    await Promise.all([run(), run(), run()]);
    expect(files().filter((name) => !/^(index|units-\d+)$/.test(name))).toEqual([]);
    expect((await run()).lowered).toEqual([]);
  });

  test('of files that are gone nothing is kept, of those outside this run all', async () => {
    await run();
    rmSync(join(folder, 'b.py'));
    write({ 'a.py': 'def a.opens: ** more\n' });
    await run();
    const rows = () => JSON.parse(readFileSync(fileOf(/^index$/), 'utf8').split('\n')[1]!).rows;
    expect(rows().map(([path]: [string]) => path)).toEqual(['a.py', 'c.py']);
    write({ 'sub/d.py': '' });
    const cache = open();
    const root = rootOf(['.'], folder);
    await load(['sub'], loaderWith([]), { root, cwd: folder, threads: 1, cache });
    cache.save();
    expect(rows().length).toBe(3);
  });

  test('a stamp so young that a second change could share it is not trusted', async () => {
    const full = join(folder, 'a.py');
    const before = await tree();
    const { mtime } = statSync(full);
    writeFileSync(full, 'def a.0pens: **\n');
    utimesSync(full, mtime, mtime);
    expect(await tree()).not.toBe(before);
  });

  test('a stamp that is old enough spares the reading', () => {
    const cache = open();
    const old = { size: 3, mtimeMs: 1.5, ctimeMs: 2.5, ino: 7 };
    cache.learn('a.py', old, { hash: 'h', loud: true, marked: false });
    cache.learn('b.py', { ...old, ctimeMs: Date.now() }, { hash: 'h', loud: true, marked: false });
    cache.save();
    const again = open();
    expect(again.byStamp('a.py', old)).toEqual({ hash: 'h', loud: true, marked: false });
    expect(again.byStamp('b.py', old)).toBeUndefined();
    for (const changed of [{ size: 4 }, { mtimeMs: 1.6 }, { ctimeMs: 2.6 }, { ino: 8 }])
      expect(open().byStamp('a.py', { ...old, ...changed })).toBeUndefined();
  });

  test('the tree is its files and what is in them, whatever their stamps', async () => {
    const first = await tree();
    expect(await tree()).toBe(first);
    write({ 'a.py': 'def a.opens: **\n' });
    expect(await tree()).toBe(first);
    write({ 'new.py': '' });
    const second = await tree();
    expect(second).not.toBe(first);
    write({ '.gitignore': 'new.py\n' });
    expect(await tree()).toBe(first);
  });

  test('answers are kept for the very question, and old ones go', () => {
    open().answered('q0', 'zero');
    expect(open().answer('q0')).toBe('zero');
    expect(open().answer('q1')).toBeUndefined();
    expect(open('two').answer('q0')).toBeUndefined();
    renameSync(fileOf(/^answer-q0$/), fileOf(/^answer-q0$/).replace(/q0$/, 'q1'));
    expect(open().answer('q1')).toBeUndefined();
    for (let i = 2; i < 30; i++) open().answered(`q${i}`, 'more');
    expect(files().length).toBe(8);
  });
});

describe('hot tables', () => {
  const of = (hot: string[], relations: Name[]) => {
    const config = {
      rules: {},
      include: [],
      exclude: [],
      test: [],
      oneOff: [],
      assumeInTransaction: [],
      overrides: [],
      hotTables: hot,
    };
    const finding = {
      rule: 'x',
      severity: 'warning',
      file: 'a.sql',
      message: 'orders',
      subject: 'orders',
      trace: [],
      relations,
    } as unknown as Finding;
    return settleFindings([finding], [{ id: 'x', severity: 'warning' }], config, '')[0]!.severity;
  };
  const cases: [string, Name, boolean][] = [
    ['orders', 'sql:orders', true],
    ['orders', 'sql:sales.orders', true],
    ['sales.orders', 'sql:sales.orders', true],
    ['sales.orders', 'sql:orders', true],
    ['sales.orders', 'sql:archive.orders', false],
    ['Orders', 'sql:orders', true],
    ['"Order Items"', 'sql:public."Order Items"', true],
    ['"Order.Items"', 'sql:"Order.Items"', true],
    ['items', 'sql:"Order.Items"', false],
    ['orders', 'sql:orders_archive', false],
  ];
  for (const [hot, relation, fits] of cases)
    test(`${hot} ${fits ? 'is' : 'is not'} ${relation}`, () =>
      expect(of([hot], [relation])).toBe(fits ? 'error' : 'warning'));
  test('a name in the message alone says nothing', () => expect(of(['orders'], [])).toBe('warning'));
});
