// Constructs within themselves: what is read of them grows with their depth, and is not written down twice at each level.
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';

type Nested = (depth: number) => string;

const PYTHON = 'from django.db import transaction\nfrom shop.models import Mark\n';
const made = 'Mark.objects.get_or_create(kind=1)';
/** Each level one column further in. */
const python =
  (line: string, behind = ''): Nested =>
  (depth) => {
    const at = (i: number, text: string) => `${' '.repeat(i + 1)}${text}\n`;
    const levels = Array.from({ length: depth }, (_, i) => i);
    const opened = levels.map((i) => at(i, line)).join('');
    const closed = behind && levels.reverse().map((i) => at(i, behind) + at(i + 1, made));
    return `${PYTHON}def run(rows):\n${opened}${at(depth, made)}${closed ? closed.join('') : ''}`;
  };
const within =
  (head: string, tail: string, inner: string) =>
  (open: string, close: string): Nested =>
  (depth) =>
    `${head}\n${`${open}\n`.repeat(depth)}${inner}\n${`${close}\n`.repeat(depth)}${tail}\n`;
const ruby = within(
  'class Mark < ApplicationRecord\ndef run(rows)',
  'end\nend',
  'Mark.find_or_create_by!(kind: 1)',
);
const java = within(
  'import java.sql.*;\nclass A { void run(Connection c, java.util.List<Integer> rows) throws Exception {',
  '} }',
  'c.setSavepoint();',
);
const kotlin = within(
  'import java.sql.*\nimport org.jetbrains.exposed.sql.transactions.transaction\nclass A { fun run(c: Connection, rows: List<Int>) {',
  '} }',
  'c.setSavepoint()',
);
const plpgsql = within(
  'CREATE FUNCTION run() RETURNS void LANGUAGE plpgsql AS $$ BEGIN',
  'END $$;',
  'INSERT INTO marks VALUES (1);',
);
const sql =
  (open: string, close: string, inner = 'SELECT mark(1) FROM rows'): Nested =>
  (depth) =>
    `INSERT INTO marks ${open.repeat(depth)}${inner}${close.repeat(depth)};\n`;

const NESTED: Record<string, Record<string, Nested>> = {
  py: {
    atomic: python('with transaction.atomic():'),
    'a context manager of nobody knows whom': python('with guard():'),
    'one that a condition decides': python('with transaction.atomic() if rows else nullcontext():'),
    for: python('for one in rows:'),
    while: python('while rows:'),
    if: python('if rows:', 'else:'),
    try: python('try:', 'except Error:'),
    def: python('def inner():'),
    calls: (depth) => `${PYTHON}def run(rows):\n ${'mark('.repeat(depth)}${made}${')'.repeat(depth)}\n`,
    lambdas: (depth) => `${PYTHON}def run(rows):\n ${'map(lambda x: '.repeat(depth)}${made}${', rows)'.repeat(depth)}\n`,
  },
  rb: {
    'a block that may run later': ruby('on do', 'end'),
    'one of nobody knows whom': ruby('guard do', 'end'),
    transaction: ruby('Mark.transaction do', 'end'),
    requires_new: ruby('transaction(requires_new: true) do', 'end'),
    with_lock: ruby('Mark.first.with_lock do', 'end'),
    each: ruby('rows.each do |row|', 'end'),
    find_each: ruby('Mark.find_each do |mark|', 'end'),
    tap: ruby('rows.tap do |row|', 'end'),
    proc: ruby('later = proc do', 'end'),
    lambda: ruby('guard(-> {', '})'),
    if: ruby('if rows', 'else\nMark.create!\nend'),
    retry: ruby('begin', 'rescue Error\nretry\nend'),
  },
  java: {
    lambda: java('run(() -> {', '});'),
    forEach: java('rows.forEach(row -> {', '});'),
    'a template': java('template.execute(status -> {', 'return null; });'),
    submit: java('pool.submit(() -> {', '});'),
    try: java('try {', '} catch (SQLException e) { c.setSavepoint(); }'),
    'try with resources': java('try (Guard guard = guard()) {', '}'),
    switch: java('switch (rows.size()) { case 1:', '}'),
    'a class without a name': java('new Thread() { public void run() {', '} }.start();'),
  },
  kt: {
    run: kotlin('c.run {', '}'),
    let: kotlin('c?.let {', '}'),
    transaction: kotlin('transaction {', '}'),
    forEach: kotlin('rows.forEach {', '}'),
    'a block of nobody knows whom': kotlin('guard {', '}'),
    'a block that may run later': kotlin('on("mark") {', '}'),
    if: kotlin('if (rows.isEmpty()) {', '} else { c.setSavepoint() }'),
    when: kotlin('when (rows.size) { 1 -> {', '} }'),
    try: kotlin('try {', '} catch (e: SQLException) { c.setSavepoint() }'),
  },
  sql: {
    'a block': plpgsql('BEGIN', 'EXCEPTION WHEN others THEN INSERT INTO marks VALUES (2); END;'),
    IF: plpgsql('IF ready() THEN', 'ELSE INSERT INTO marks VALUES (2); END IF;'),
    CASE: plpgsql('CASE WHEN ready() THEN', 'ELSE INSERT INTO marks VALUES (2); END CASE;'),
    'a loop': plpgsql('FOR i IN 1..10 LOOP', 'END LOOP;'),
    'a loop over rows': plpgsql('FOR r IN SELECT mark(1) FROM rows LOOP', 'END LOOP;'),
    'a sub-query': sql('SELECT * FROM (', ') one'),
    IN: sql('SELECT 1 FROM rows WHERE id IN (', ')'),
    EXISTS: sql('SELECT mark(1) FROM rows WHERE EXISTS (', ')'),
    WITH: sql('WITH one AS (', ') SELECT mark(1) FROM one'),
    UNION: sql('(SELECT 1 UNION ', ')'),
    'CASE in a query': sql('SELECT CASE WHEN mark(1) THEN (', ') ELSE mark(2) END FROM rows'),
    coalesce: sql('SELECT coalesce((', '), mark(2)) FROM rows'),
  },
}; // biome-ignore format: a table

const all = Object.entries(NESTED).flatMap(([ending, its]) =>
  Object.entries(its).map(([name, nested]) => [ending, name, nested] as const),
);

test.each(all)('%s: %s', async (ending, _, nested) => {
  const size = async (depth: number) => {
    const unit = (await lower(ending === 'rb' ? 'app/models/mark.rb' : `marks.${ending}`, nested(depth)))!;
    analyse([unit]);
    return JSON.stringify(unit).length;
  };
  const [few, more, most] = [await size(6), await size(12), await size(18)];
  expect(more).toBeLessThan(4 * few);
  expect(most - more).toBeLessThan(2 * Math.max(more - few, 500));
});

/** What picks rows, in brackets. */
const DEEP: Record<string, Nested> = {
  'what is computed for a row': (n) => `UPDATE marks SET kind = 1 WHERE id = ${'('.repeat(n)}v${' + 1)'.repeat(n)};\n`,
  'what is computed for a function': (n) => `SELECT mark(${'('.repeat(n)}1${' + 1)'.repeat(n)});\n`,
  'what EXECUTE is given': (n) =>
    `CREATE FUNCTION run(v int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'UPDATE marks SET kind = 1 WHERE id = $1' USING ${'('.repeat(n)}v${')'.repeat(n)}; END $$;\n`,
}; // biome-ignore format: a table

test.each(Object.entries(DEEP))('brackets of any depth: %s', async (_, nested) => {
  for (const depth of [20, 3_000, 30_000])
    expect((await lower('marks.sql', `${nested(depth)}SAVEPOINT behind;\n`))!.problems).toEqual([]);
});
