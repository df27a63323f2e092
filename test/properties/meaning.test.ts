// What must change nothing in application code, over every example of the pages: it is rewritten, and must be said again.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import * as rewrite from './rewrite.ts';
import { EXAMPLES, type Files, told } from './told.ts';

let compared = 0;
afterAll(() => expect(compared, 'findings that were compared').toBeGreaterThan(500));

type Rewrites = { [language in rewrite.Language]?: (text: string) => string };
const written = (
  files: Files,
  by: Rewrites,
  but: (files: Files, file: string) => boolean = () => false,
): Files =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const language = rewrite.languageOf(file);
      return [file, (language && !but(files, file) && by[language]?.(text)) || text];
    }),
  );

/** What it imports is nobody else's: not a module that others read. */
const isRead = (files: Files, file: string) => {
  const stem = file.replace(/^.*\/|\.\w+$/g, '');
  return (
    stem === '__init__' ||
    Object.entries(files).some(
      ([other, text]) => other !== file && new RegExp(`^ *(?:from|import) .*\\b${stem}\\b`, 'm').test(text),
    )
  );
};

/** Names that were changed back, and what a line has besides its statement. */
const same = (said: string[], back: (text: string) => string) => said.map(back).sort();

const known = new Map<string, Promise<string[]>>();
const asWritten = (title: string, files: Files) => {
  const said = known.get(title) ?? told(files);
  known.set(title, said);
  return said;
};

const wordsOf = (code: string) =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').match(/(?<=['"`/|( ]|^ *)\w+(?=['"`/|) ]|: )/gm) ?? [];

/** Words that the tables and the front ends know: a name of these means something. */
const WORDS = new Set(
  ['src/frameworks', 'src/frontends'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => wordsOf(readFileSync(`${folder}/${file}`, 'utf8'))),
  ),
);
const means = (name: string) =>
  WORDS.has(name) ||
  /^_?(test|before|after|on|is|has|get|set|with|find|delete|save|list|label|name|db_|_)/.test(name);

/** What nobody knows makes everything less sure. */
const onlyWhere = (said: string) => {
  const { file, rule, line } = JSON.parse(said);
  return JSON.stringify({ file, rule, line });
};

type Back = (text: string) => string;

/** Examples in which a name itself tells: called otherwise, nothing else says what it is. */
const LIKE_A_CLASS = ' > A parameter that is called like a class of the file ';
/** `db` of another file. */
const GIVEN_A_BASE = ' > a base class that a call or an extension gives ';
/** Under another name nobody sees that a class stands for a function of the database. */
const OF_A_FUNCTION = 'Functions of the database in queries that Java and Kotlin build';
/** What a decorator makes of a function may come back. */
const DECORATED = [
  ' > A connection in a transaction that FastAPI hands in ',
  'Loops > what never comes back',
  'S005 ATOMIC_REQUESTS > by middleware of the project that is listed',
  'S005 ATOMIC_REQUESTS > by a class of middleware',
];
/** What does nothing stands before the generator all the same, and nobody looks through it. */
const GENERATORS = [
  ' > A connection in a transaction that FastAPI hands in ',
  'S005 ATOMIC_REQUESTS > but not around what a response streams',
];
const BY_NAME = [
  ' > A method whose name is put together ',
  ' > which the code in it asks for too ',
  ': What a variable is called by (',
  ': What a variable is called by > What that gives (',
  ': What a variable is called by > What is made among those that it has (',
  ' > The nearest of that name ',
  // `put_with_nesting` is what a chain of aliases calls `put`.
  ": A method that is told something of, and one that takes another's place (",
  // What a macro gives by a name is written again by that name.
  ' > Written by the class itself ',
];

/** Examples that are changed, and what is said of those that it should not have changed. */
async function differences(change: (files: Files) => Files, back: Back = (text) => text) {
  const wrong: string[] = [];
  let changes = 0;
  for (const [title, files] of EXAMPLES) {
    const changed = change(files);
    if (JSON.stringify(changed) === JSON.stringify(files)) continue;
    changes++;
    const before = same(await asWritten(title, files), back);
    const after = same(await told(changed, (file) => file in files), back);
    compared += before.length;
    const lost = before.filter((one) => !after.includes(one));
    const came = after.filter((one) => !before.includes(one));
    if (lost.length + came.length > 0)
      wrong.push([title, ...lost.map((one) => `- ${one}`), ...came.map((one) => `+ ${one}`)].join('\n'));
  }
  expect(changes, 'examples that were changed').toBeGreaterThan(80);
  return wrong;
}

/** `told` are examples that it must change, for they speak by names. */
function alike(name: string, change: (files: Files) => Files, back?: Back, told: string[] = []) {
  const check = async () => {
    const changed = await differences(change, back);
    const title = (one: string) => told.find((each) => one.slice(0, one.indexOf('\n')).includes(each));
    expect(changed.filter((one) => !title(one)).join('\n\n')).toBe('');
    expect([...new Set(changed.flatMap((one) => title(one) ?? []))].sort()).toEqual([...told].sort());
  };
  test(name, check, 600_000);
}

test('what does change something is noticed, in either direction', async () => {
  const OPENS = /\b(atomic|begin_nested|savepoint|setSavepoint|requires_new|NESTED)\b/gi;
  const gone = (text: string) => text.replace(OPENS, 'unrelated');
  const none = await differences((files) => written(files, { py: gone, rb: gone, java: gone, kt: gone }));
  expect(none.filter((one) => one.includes('\n- {')).length).toBeGreaterThan(80);
  const IN_LOOP = /^( *)with (.*)atomic\(\)([^:\n]*):(?= *(?:#.*)?$)/gm;
  const more = (text: string) => text.replace(IN_LOOP, '$1with $2atomic()$3, $2atomic():');
  const twice = await differences((files) => written(files, { py: more }));
  expect(twice.filter((one) => one.includes('\n+ {')).length).toBeGreaterThan(40);
}, 600_000);

describe('changes nothing', () => {
  alike('a comment before each statement', (files) => written(files, rewrite.commented));
  alike('a function that nobody calls', (files) => written(files, rewrite.withFunction));
  alike('a class that nobody uses', (files) => written(files, rewrite.withClass));
  alike('an import that nobody uses', (files) => written(files, rewrite.withImport));
  alike('the order of the files', (files) => Object.fromEntries(Object.entries(files).reverse()));
  alike(
    'another name for what is imported',
    (files) => written(files, rewrite.renamedImports, isRead),
    (text) => text.replace(rewrite.RENAMED, '$1'),
    [LIKE_A_CLASS, GIVEN_A_BASE, OF_A_FUNCTION],
  );
  alike(
    'another name for each function and variable',
    (files) => rewrite.otherNames(files, means),
    (text) => text.replace(rewrite.RENAMED, '$1'),
    BY_NAME,
  );
  alike(
    'a decorator of a library that nobody knows',
    (files) => written(files, rewrite.decoratedByOther),
    onlyWhere,
    DECORATED,
  );
  alike(
    'a decorator that does nothing',
    (files) => written(files, rewrite.decorated),
    (text) => text.replaceAll(/@SuppressWarnings\(\\"unrelated\\"\) |@Suppress\(\\"unrelated\\"\) /g, ''),
    GENERATORS,
  );
});
