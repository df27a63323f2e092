// What must change nothing where application code is put elsewhere, over every example of the pages: in another order, file, folder or routine.
import { afterAll, describe, expect, test } from 'vitest';
import * as rearrange from './rearrange.ts';
import { type Language, languageOf } from './rewrite.ts';
import { EXAMPLES, type Files, told } from './told.ts';

let compared = 0;
afterAll(() => expect(compared, 'findings that were compared').toBeGreaterThan(3000));

const mapped = (files: Files, change: (text: string, language: Language) => string): Files =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const language = languageOf(file);
      return [file, language ? change(text, language) : text];
    }),
  );

/** What people are told of a line: in which file it stands, and by what way it is reached, is another. */
async function causes(files: Files): Promise<string[]> {
  const all = (await told(files)).map((one) => JSON.parse(one));
  const sure = all.filter(({ certainty }) => certainty !== 'possible');
  return [
    ...new Set<string>(sure.map(({ rule, severity, line }) => `${rule} (${severity}): ${line}`)),
  ].sort();
}

const known = new Map<string, Promise<string[]>>();
const asWritten = (title: string, files: Files) => {
  const said = known.get(title) ?? causes(files);
  known.set(title, said);
  return said;
};

const trimmed = (files: Files) =>
  Object.entries(files)
    .map(([file, text]) => `${file}\n${text.trim()}`)
    .sort()
    .join('\n');

/** `but` are examples of which something else is said then: they must be changed by it. */
function alike(
  name: string,
  change: (files: Files) => Files,
  least: { [language in Language]?: number },
  but: string[] = [],
) {
  test(name, async () => {
    const wrong: string[] = [];
    const changes: Record<string, number> = {};
    const excused = new Set<string>();
    for (const [title, files] of EXAMPLES) {
      const changed = change(files);
      if (trimmed(changed) === trimmed(files)) continue;
      for (const language of new Set(Object.keys(files).map(languageOf)))
        if (language) changes[language] = (changes[language] ?? 0) + 1;
      const [before, after] = [await asWritten(title, files), await causes(changed)];
      compared += before.length;
      const differs = [
        ...before.filter((one) => !after.includes(one)).map((one) => `- ${one}`),
        ...after.filter((one) => !before.includes(one)).map((one) => `+ ${one}`),
      ];
      if (differs.length === 0) continue;
      const excuse = but.find((part) => title.includes(part));
      if (excuse) excused.add(excuse);
      else wrong.push([title, ...differs].join('\n'));
    }
    expect(wrong.join('\n\n')).toBe('');
    expect([...excused].sort()).toEqual([...but].sort());
    for (const [language, number] of Object.entries(least))
      expect(changes[language], `examples in ${language} that were changed`).toBeGreaterThanOrEqual(number);
  }, 900_000);
}

/** A package at the root of its sources: what it hands on by a star is not found, and one that is called like a library is taken for it. */
const FROM_A_ROOT = ['Names > re-exports', 'Chunks > A package of the project that is called like a library'];
/** A folder's own name says what is in it. */
const BY_FOLDER = ['of a program that shows what a library does'];
/** A module is named in a text, which keeps its old name. */
const LABELLED = [
  "Classes that a shop of Oscar's names by their labels",
  'S005 ATOMIC_REQUESTS > by a class of middleware',
  "S016 loaddata and other commands > a command of the project's own",
];
/** What another file's class or bean is, or has, is not asked for. */
const OF_ANOTHER_FILE = [
  'A template that a method gives (S077)',
  'Python > An object that is called > that is handed over',
  'an object that is called with what it decorates',
  'Python > A property runs when it is read (',
  "S005 ATOMIC_REQUESTS > of what the admin's pages do",
  'S032 asyncpg: transaction() in transaction() > two connections at once',
  'A unit of work that a thread has',
  'Kotlin > What a lambda is given, and what it gives',
];
const OF_ANOTHER_PACKAGE = [
  "Beside an annotation of the project's own",
  "Java > Lombok's builder",
  'fixtures/projects/members',
];
/** A routine that only hands on what another one answers, makes or is handed does not answer, make or take it itself. */
const HANDED_ON = [
  'What a method is handed that does nothing with it',
  "an option that a wrapper's caller decides",
  'of several, by their names alone',
  'Managers that enter what their maker said',
  'What an object was made with',
  'find_or_create_by (S052) > a constant row that the caller names',
  'Options that a method gives, and those that a caller gives',
  'Commands that run commands, and what runs around them',
  'From its own last line, with a hook',
  'Methods for attributes > that a request may give',
  'S005 ATOMIC_REQUESTS > handed to the decorator where its path is written',
  'S005 ATOMIC_REQUESTS > of another database alone',
  'S005 ATOMIC_REQUESTS > of a task, which is no view',
  'S005 ATOMIC_REQUESTS > under another name',
  'S005 ATOMIC_REQUESTS > what a class above says of it',
  'S005 ATOMIC_REQUESTS > by middleware of the project that is listed',
  'S005 ATOMIC_REQUESTS > by a class of middleware',
  'S002 atomic(savepoint=False) > handed on by what stands around it',
  'What create() makes is new',
  'signals > of every model, or of those that the receiver asks for',
  'code that asks whether a transaction is open',
  'a manager that a function gives, by what it asks',
  'What asks whether the object has its row (',
  'What names its columns is there',
  'A save() that hands its options on',
  "A connection that the project's own class hands out",
  'What a method keeps that finds and locks it',
  'What is asked of a name that is handed null',
  "What is asked of a name that Kotlin's caller leaves out",
  'A name that the caller leaves out (S074)',
  'Exposed 1 > A function of the project that asks for it',
  'A method of another file that tells whether a transaction is open',
  'S018 Session.begin_nested() > a function that returns one',
  'Kotlin > A local function that calls itself',
  'Django: scripts beside migrations',
  'a class that enters another one and returns itself',
  'one that is written with brackets or without',
  'a decorator that queues',
  'an object that decorates',
  'An object of another file, or of a class below, stands over a function',
  'Chunks > A class in lower case (',
  'whose `__init__` is decorated',
  'Chosen, kept and registered > made of another one',
  'A row is no cache',
  'A savepoint that an object keeps > and it runs there once',
  'One method by two names',
  'and whose method asks for it first',
  'Wrappers of one name for what gives a value and what gives none',
  'What is kept and run later by another',
  'A class of several, or a method of several > Given by a method in another file',
  'A list that is filled, chosen or given by a method > Written out by a method of another file',
  'What a constructor is handed, under another name',
  'What a class leaves to several below it',
  'Methods by names that are written out elsewhere',
  "By a method that is named, or an object's only method",
  'A context that a method hands to what it was handed (S083)',
  "jOOQ's inner context, handed on by who calls back",
  'a retry whose work stands in a block',
  'parts that libraries give, and what is put away once there is enough',
  'Told by what the arm, another method or the next turn has',
  // A number, or a row's own key, goes one call deep.
  'Loops that end, and how it is told (',
  'how often, up to a number that a caller gives, and of all that it gives (',
  "Around a controller's actions, but for a class below",
  "an option that a decorator of one's own is given",
  'a pool whose connections commit each statement',
  'A commit in a helper',
  'How many a list has at most',
  'a limit that is usually so',
  'signals > what a save tells its receivers',
  'Lambdas among the arguments',
  'Lambdas that an object is made with',
  // Two classes in one line would have the new routine by one name.
  'Where `super()` goes on, the object',
];

describe('changes nothing', () => {
  alike('definitions the other way round', (files) => mapped(files, rearrange.reversed), {
    py: 120,
    rb: 65,
    java: 90,
    kt: 25,
  });
  alike(
    'a new name for each module, with those who import it',
    rearrange.renamedModules,
    {
      py: 300,
    },
    LABELLED,
  );
  alike(
    'a package of its own for each file of the JVM',
    rearrange.repackaged,
    { java: 40, kt: 20 },
    OF_ANOTHER_PACKAGE,
  );
  alike('definitions of SQL in two files', rearrange.inTwo, {});
  alike('all below another folder', rearrange.below, { py: 350, rb: 180, java: 180, kt: 50 }, [
    ...FROM_A_ROOT,
    ...BY_FOLDER,
  ]);
  alike(
    'each class and function in a file of its own',
    rearrange.split,
    {
      py: 120,
      rb: 65,
      java: 40,
      kt: 15,
    },
    OF_ANOTHER_FILE,
  );
});

describe('keeps the finding at its cause', () => {
  alike(
    'what a routine does in a routine of its own',
    (files) => mapped(files, rearrange.extracted),
    {
      py: 350,
      rb: 150,
      java: 170,
      kt: 50,
    },
    HANDED_ON,
  );
});
