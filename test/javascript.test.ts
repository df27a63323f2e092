// What the reader of JavaScript's migrations makes of texts that break a careless one: places stay exact, no text takes long.
import { expect, test } from 'vitest';
import { lower } from '../src/frontends/javascript/index.ts';
import { tokensOf } from '../src/frontends/javascript/tokens.ts';

const FILE = 'db/migrations/1_a.ts';
const places = (text: string) =>
  lower(FILE, text)
    .routines.flatMap(({ body }) => body)
    .map(({ kind, at }) => `${kind} ${text.slice(at.start, at.end)}`);

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of programs
test.each([
  ['a template', 'up(knex.raw(`SAVEPOINT a`))', ['savepoint SAVEPOINT a']],
  ['a template in a template', 'knex.raw(`SAVEPOINT ${x ? `b` : "}"}`); knex.raw("SAVEPOINT c")', ['savepoint SAVEPOINT ${x ? `b` : "}"}', 'savepoint SAVEPOINT c']],
  ['an escape before', 'knex.raw("\\u0020\\n SAVEPOINT a")', ['savepoint SAVEPOINT a']],
  ['CRLF and a BOM', '\uFEFFknex.raw(`\r\n  SAVEPOINT a`)\r\n', ['savepoint SAVEPOINT a']],
  ['a pattern', 'x = /[/"`]/; y = a / b; knex.raw("SAVEPOINT a")', ['savepoint SAVEPOINT a']],
  ['a comment', '// `\n/* " */ knex.raw("SAVEPOINT a")', ['savepoint SAVEPOINT a']],
  ['a quote that does not end', "x = 'it\nknex.raw('SAVEPOINT a')", ['savepoint SAVEPOINT a']],
  ['a way back as a method', 'class A { async down(q) { await q.query("SAVEPOINT b") } async up(q) { await q.query("SAVEPOINT a") } }', ['savepoint SAVEPOINT a']],
  ['a way back as a property', 'module.exports = { down: (q) => q.query("SAVEPOINT b"), up: (q) => q.query("SAVEPOINT a") }', ['savepoint SAVEPOINT a']],
  ['a way back without braces', 'exports.down = (k) => k.raw("SAVEPOINT b")\nexports.up = (k) => k.raw("SAVEPOINT a")', ['savepoint SAVEPOINT a']],
  ['who only calls a way back', 'exports.up = async (k) => { await down(k); await k.migrate.down(); await k.raw("SAVEPOINT a") }', ['savepoint SAVEPOINT a']],
  ['an option that says nothing', 'pgm.createTrigger({a:', []],
  ['a sentence', 'throw new Error("update the apples of nothing")', []],
])('%s', (_, text, steps) => expect(places(text)).toEqual(steps)); // biome-ignore format: a table
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of programs

test('whether it runs in a transaction is the habit of its library, unless it says otherwise', () => {
  const starts = (text: string) => lower(FILE, `${text}; run("SAVEPOINT a")`).routines[0]?.startsIn;
  expect(starts('exports.up = (pgm) => {}')).toBe('transaction');
  expect(starts('exports.up = (pgm) => { pgm.noTransaction() }')).toBe('autocommit');
  expect(starts('exports.up = (knex) => {}')).toBe('transaction');
  expect(starts('exports.config = { transaction: false }; exports.up = (knex) => {}')).toBe('autocommit');
  expect(starts('class A implements MigrationInterface { transaction = false as const }')).toBe('autocommit');
  expect(starts('up: (queryInterface) => {}')).toBe('autocommit');
  expect(starts('up: (db) => {}')).toBe('unknown');
});

test.each([
  ['brackets', '('.repeat(200_000)],
  ['templates', '`${'.repeat(100_000)],
  ['patterns', 'x = /['.repeat(100_000)],
  ['quotes', '"\\'.repeat(200_000)],
  ['calls', 'pgm.createFunction('.repeat(30_000)],
  ['options', `pgm.createFunction(${'{a:'.repeat(100_000)}`],
  ['ways back', 'exports.down = '.repeat(50_000)],
  ['sums', `x = ${"'SELECT 1' + ".repeat(50_000)}`],
])('%s without an end are read at once', (_, text) => {
  expect(lower(FILE, text).problems).toEqual([]);
  expect(tokensOf(text).length).toBeGreaterThan(0);
});
