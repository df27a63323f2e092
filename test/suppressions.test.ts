// Comments for us in every language's own form: what they speak of, what is wrong with them, and what is no comment.
import { beforeAll, describe, expect, test } from 'vitest';
import { linesOf } from '../src/project/files/lines.ts';
import { commentFor } from '../src/project/findings/comments.ts';
import { readSuppressions } from '../src/project/findings/suppressions.ts';
import { buildCli, LOOP, world } from './world.ts';

const RULES = ['subtransaction', 'subtransaction-in-loop', 'subtransaction-per-row'];
const read = (file: string, text: string) => readSuppressions(file, linesOf(text), RULES);
/** `from-to`, one for each that is understood; `!line message` for what is wrong. */
const said = (file: string, text: string) => {
  const { list, wrong } = read(file, text);
  return [
    ...list.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)),
    ...wrong.map(({ line, message }) => `!${line} ${message}`),
  ];
};
const OK = 'subxact: allow subtransaction-in-loop, because few';

describe('the next line', () => {
  const cases: [string, string, string, string[]][] = [
    ['SQL', 'a.sql', `-- ${OK}\nSAVEPOINT a;`, ['2']],
    ['SQL, past comments of each kind', 'a.sql', `-- ${OK}\n\n-- more\n/* and\nmore */ -- still\nSAVEPOINT a;`, ['6']],
    ['SQL, a block comment', 'a.sql', `/* ${OK} */\nSAVEPOINT a;`, ['2']],
    ['SQL, nested', 'a.sql', `/* why /* not */ ${OK} */\nSAVEPOINT a;`, []],
    ['SQL, nested, at its end', 'a.sql', `/* /* x */\n * ${OK}\n */\nSAVEPOINT a;`, ['4']],
    ['SQL, in a longer block', 'a.sql', `/*\n   ${OK}\n*/\nSAVEPOINT a;`, ['4']],
    ['SQL, code behind the end of a block', 'a.sql', `/*\n  ${OK}\n*/ SAVEPOINT a;`, ['3']],
    ['SQL, in a body', 'a.sql', `DO $$ BEGIN\n  -- ${OK}\n  BEGIN\nEND $$;`, ['3']],
    ['SQL, in a body with a tag', 'a.sql', `DO $x$ BEGIN\n  PERFORM 'it''s';\n  -- ${OK}\n  BEGIN\nEND $x$;`, ['4']],
    ['SQL, in a body in quotes', 'a.sql', `CREATE FUNCTION f() RETURNS void AS 'BEGIN\n  -- ${OK}\n  BEGIN\nEND' LANGUAGE plpgsql;`, ['3']],
    ['SQL with Windows line ends', 'a.sql', `-- ${OK}\r\n\r\nSAVEPOINT a;\r\n`, ['3']],
    ['PL/Python in SQL', 'a.sql', `DO $$\n# ${OK}\n# more\nwith plpy.subtransaction():\n$$ LANGUAGE plpython3u;`, ['4']],
    ['a Jinja template', 'a.sql.j2', `{# ${OK} #}\nSAVEPOINT {{ name }};`, ['2']],
    ['Jinja, trimmed', 'models/a.sql', `{#- ${OK} -#}\nSAVEPOINT {{ name }};`, ['2']],
    ['an ERB template', 'a.sql.erb', `<%# ${OK} %>\nSAVEPOINT <%= name %>;`, ['2']],
    ['Python', 'a.py', `# ${OK}\nwith transaction.atomic():`, ['2']],
    ['SQL in a Python string', 'a.py', `cur.execute("""\n  -- ${OK}\n  SAVEPOINT a\n""")`, ['3']],
    ['Ruby', 'a.rb', `  # ${OK}\n  transaction(requires_new: true) do`, ['2']],
    ['Ruby, =begin', 'a.rb', `=begin\n${OK}\n=end\ntransaction do`, ['4']],
    ['SQL in a heredoc', 'a.rb', `execute <<~SQL\n  -- ${OK}\n  SAVEPOINT a\nSQL`, ['3']],
    ['Java', 'A.java', `  // ${OK}\n  tx.execute();`, ['2']],
    ['Java, Javadoc', 'A.java', `  /**\n   * Places.\n   * ${OK}\n   */\n  tx.execute();`, ['5']],
    ['SQL in a text block', 'A.java', `q("""\n  -- ${OK}\n  SAVEPOINT a""");`, ['3']],
    ['Kotlin', 'a.kt', `// ${OK}\ntx()`, ['2']],
    ['Kotlin, nested', 'a.kts', `/* /* x */\n ${OK}\n*/\ntx()`, ['4']],
    ['Groovy', 'b.gradle', `// ${OK}\nurl = 'jdbc:postgresql://x'`, ['2']],
    ['XML', 'c.xml', `<!-- ${OK} -->\n<property/>`, ['2']],
    ['XML, over lines', 'c.xml', `<!--\n  ${OK}\n-->\n<property/>`, ['4']],
    ['SQL in XML', 'c.xml', `<sql>\n  -- ${OK}\n  SAVEPOINT a;\n</sql>`, ['3']],
    ['YAML', 'c.yml', `a:\n  # ${OK}\n  url: x`, ['3']],
    ['SQL in YAML', 'c.yaml', `sql: |\n  -- ${OK}\n  SAVEPOINT a;`, ['3']],
    ['properties', 'c.properties', `# ${OK}\nurl=x`, ['2']],
    ['properties, !', 'c.properties', `! ${OK}\nurl=x`, ['2']],
    ['TOML', 'c.toml', `# ${OK}\nurl = "x"`, ['2']],
    ['.env', '.env', `# ${OK}\nURL=x`, ['2']],
    ['INI', 'odbc.ini', `; ${OK}\nProtocol=7.4-2`, ['2']],
    ['a shell script', 'a.sh', `# ${OK}\npsql -v ON_ERROR_ROLLBACK=on`, ['2']],
    ['a command over lines', 'a.sh', `# ${OK}\npsql \\\n  -v ON_ERROR_ROLLBACK=on \\\n  -f x.sql\npsql`, ['2-4']],
    ['a batch file', 'a.bat', `REM ${OK}\npsql ^\n  -f x.sql\npsql`, ['2-3']],
    ['a batch file, ::', 'a.cmd', `  :: ${OK}\npsql`, ['2']],
    ['a template of Helm', 'values.tpl.yaml', `{{- /* ${OK} */ -}}\nurl: x`, ['2']],
    ['.psqlrc', '.psqlrc', `-- ${OK}\n\\set ON_ERROR_ROLLBACK on`, ['2']],
    ['C#', 'a.cs', `// ${OK}\nvar x = 1;`, ['2']],
    ['Clojure', 'a.clj', `;; ${OK}\n(def x 1)`, ['2']],
    ['capital letters', 'a.sql', `-- Subxact: Allow subtransaction-in-loop, BECAUSE few\nSAVEPOINT a;`, ['2']],
    ['two rules', 'a.sql', `-- subxact: allow subtransaction-in-loop, subtransaction-per-row, because few\nSAVEPOINT a;`, ['2']],
  ]; // biome-ignore format: a table
  for (const [name, file, text, expected] of cases)
    test(name, () => expect(said(file, text)).toEqual(expected));
});

describe('this line', () => {
  const cases: [string, string, string][] = [
    ['SQL', 'a.sql', `SAVEPOINT a; -- ${OK}`],
    ['SQL, before the code', 'a.sql', `/* ${OK} */ SAVEPOINT a;`],
    ['SQL, behind a string with dashes', 'a.sql', `SELECT '--', "--"; -- ${OK}`],
    ['SQL, a reason with an apostrophe', 'a.sql', `SAVEPOINT a; -- ${OK}, it's true`],
    ['Python', 'a.py', `with transaction.atomic():  # ${OK}`],
    ['Python, behind another remark', 'a.py', `with transaction.atomic():  # noqa: E501  # ${OK}`],
    ['Python, behind a string with a sign', 'a.py', `f("# no", 'x')  # ${OK}`],
    ['Ruby, behind a string with code in it', 'a.rb', `f("#{x}") # ${OK}`],
    ['Java, behind an address', 'A.java', `f("http://x"); // ${OK}`],
    ['Kotlin, a block', 'a.kt', `tx() /* ${OK} */`],
    ['YAML', 'c.yml', `url: "jdbc:postgresql://x" # ${OK}`],
    ['XML', 'c.xml', `<property/> <!-- ${OK} -->`],
    ['TOML', 'c.toml', `url = "x#y" # ${OK}`],
    ['PL/Python in SQL', 'a.sql', `with plpy.subtransaction(): # ${OK}`],
  ];
  for (const [name, file, text] of cases) test(name, () => expect(said(file, text)).toEqual(['1']));
});

test('a block and a file', () => {
  const text = (open: string, close = '') =>
    `${open} subxact: allow-begin subtransaction, because few${close}\nx\n${open} subxact: allow-end subtransaction${close}\n${open} subxact: allow-file subtransaction-per-row, because old${close}\ny`;
  for (const [file, open, close] of [
    ['a.sql', '--'],
    ['a.sql', '/*', ' */'],
    ['a.py', '#'],
    ['a.java', '//'],
    ['a.xml', '<!--', ' -->'],
  ] as const)
    expect(said(file, text(open, close))).toEqual(['1-3', '1-5']);
});

describe('what stands in a string is no comment', () => {
  const cases: [string, string, string][] = [
    ['SQL', 'a.sql', `SELECT '-- ${OK}';`],
    ['SQL, with backslashes', 'a.sql', `SELECT E'\\' -- ${OK}';`],
    ['SQL, a name', 'a.sql', `SELECT 1 AS "-- ${OK}";`],
    ['Python', 'a.py', `x = "# ${OK}"`],
    ['Python, over lines', 'a.py', `"""\n# ${OK}\n"""`],
    ['Ruby', 'a.rb', `x = '# ${OK}'`],
    ['Ruby, over lines', 'a.rb', `x = <<~TEXT\n  # ${OK}\nTEXT`],
    ['Java', 'A.java', `String x = "// ${OK}";`],
    ['Java, over lines', 'A.java', `String x = """\n  // ${OK}\n  """;`],
    ['Kotlin', 'a.kt', `val x = "/* ${OK} */"`],
    ['YAML', 'c.yml', `x: "# ${OK}"`],
    ['TOML', 'c.toml', `x = '# ${OK}'`],
    ['XML', 'c.xml', `<x y="# ${OK}"/>`],
    ['JSON', 'changelog.json', `{ "x": "// ${OK}" }`],
    ['a key', 'c.yml', 'subxact: allow all\n'],
    ['a hook', '.pre-commit-config.yaml', '- repo: https://x/subxact\n  hooks: [{ id: subxact }] # subxact\n'],
    ['a remark about us', 'a.py', '# subxact found this\n# Subxact is a tool\n'],
  ]; // biome-ignore format: a table
  for (const [name, file, text] of cases) test(name, () => expect(said(file, text)).toEqual([]));
});

describe('what is wrong is told, and allows nothing', () => {
  const cases: [string, string, string, string][] = [
    ['no colon', 'a.sql', '-- subxact allow subtransaction, because x', '!1 this comment is not understood: write `subxact: allow RULE, because REASON`'],
    ['another word', 'a.py', '# subxact: ignore subtransaction', '!1 this comment is not understood'],
    ['another form', 'a.py', '# subxact-disable-next-line subtransaction', '!1 this comment is not understood'],
    ['no reason', 'a.rb', '# subxact: allow subtransaction', '!1 this comment gives no reason'],
    ['an empty reason', 'A.java', '// subxact: allow subtransaction, because  ', '!1 this comment gives no reason'],
    ['an empty reason in a block', 'A.java', '/* subxact: allow subtransaction, because */', '!1 this comment gives no reason'],
    ['no rule', 'c.yml', '# subxact: allow, because x', '!1 this comment'],
    ['a wrong rule', 'c.xml', '<!-- subxact: allow subtransaction-in-lop, because x -->', '!1 no rule is called subtransaction-in-lop: did you mean subtransaction-in-loop?'],
    ['one wrong rule of two', 'a.sql', '-- subxact: allow subtransaction, nothing, because x', '!1 no rule is called nothing'],
    ['an end without a beginning', 'a.sql', '-- subxact: allow-end subtransaction', '!1 this allow-end ends nothing'],
    ['a value that swallows it', 'c.properties', `url=x # ${OK}`, '!1 here a comment must stand on a line of its own'],
  ]; // biome-ignore format: a table
  for (const [name, file, text, message] of cases)
    test(name, () => {
      const [one, ...more] = said(file, `${text}\nx`);
      expect(one).toContain(message);
      expect(more).toEqual([]);
    });
});

test('an editor writes what is read', () => {
  for (const file of ['a.sql', 'a.sql.j2', 'a.py', 'a.rb', 'A.java', 'a.kts', 'c.yml', 'c.properties', 'c.xml', '.env', 'c.toml', 'a.sh'])
    expect(said(file, `${commentFor(file, OK)}\nx`)).toEqual(['2']); // biome-ignore format: a list
  expect(commentFor('changelog.json', OK)).toBeUndefined();
});

describe('in a run', () => {
  let cli = '';
  beforeAll(() => {
    cli = buildCli('test-suppressions');
  }, 600_000);
  const start = () => {
    const made = world(() => cli);
    made.git('init', '-q', '-b', 'main');
    return made;
  };
  test('one on a wrong line says where the finding is', () => {
    const { write, run } = start();
    write({ 'a.sql': LOOP.replace('    BEGIN', `    -- ${OK}\n    BEGIN`) });
    expect(run([]).out).toContain(
      'a.sql:4: nothing needs this comment: subtransaction-in-loop is not found on line 5 but on line 7',
    );
  });
  test('a text in UTF-16 is asked too', () => {
    const { write, run } = start();
    write({ 'a.sql': Buffer.from(`\ufeff-- ${OK.replace('allow', 'allow-file')}\n${LOOP}`, 'utf16le') });
    expect(run([])).toMatchObject({ code: 0 });
  });
  test('a wrong one elsewhere does not fail a change', () => {
    const { write, run, git } = start();
    write({ 'a.sql': '-- subxact: allow\nSELECT 1;\n' });
    git('add', '.');
    git('commit', '-qm', 'one');
    write({ 'b.sql': 'SELECT 1;\n' });
    expect(run([]).code).toBe(1);
    expect(run(['--changed']).code).toBe(0);
    write({ 'b.sql': '-- subxact: allow\nSELECT 1;\n' });
    expect(run(['--changed']).code).toBe(1);
  });
});

test('a command that goes on in further lines is one, from whichever of them', () => {
  expect(said('a.sh', `psql -1 \\\n  -v ON_ERROR_ROLLBACK=on \\\n  -f x.sql # ${OK}\npsql`)).toEqual(['1-3']);
  expect(said('a.sh', `echo \\\\\npsql # ${OK}`)).toEqual(['2']);
  expect(said('a.bat', `psql ^\n  -f x.sql & rem ${OK}\npsql`)).toEqual(['1-2']);
  expect(said('a.py', `x = 1 + \\\n  2  # ${OK}`)).toEqual(['2']);
  expect(said('a.yaml', `a: x\n{{/* ${OK} */}}\nb: y`)).toEqual(['3']);
});
