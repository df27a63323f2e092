// A fixture that is broken on purpose, in each word: what the harness says must be enough for a newcomer.
import { expect, test } from 'vitest';
import { run } from './harness.ts';
import { readPage } from './markdown.ts';

const LOOP = (comment: string) => `# Page

\`\`\`sql
CREATE FUNCTION put_all() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR r IN SELECT * FROM source LOOP
    BEGIN
      INSERT INTO target VALUES (r.id);
    EXCEPTION WHEN check_violation THEN ${comment}
      NULL;
    END;
  END LOOP;
END $$;
\`\`\`
`;
const complaints = async (comment: string) => {
  const [example] = readPage('page.md', LOOP(comment));
  return (await run(example!, { rules: ['subtransaction-in-loop'] })).join('\n');
};

test('a sound one has no complaint', async () => {
  expect(await complaints('-- expect: subtransaction-in-loop')).toBe('');
});

const broken: [string, string, string][] = [
  [
    'nothing',
    '',
    'page.md:9 (example.sql:6) did not expect subtransaction-in-loop, but came: The EXCEPTION block',
  ],
  [
    'expect',
    '-- expect: subtransaction-in-loop, subtransaction-per-row',
    'page.md:9 (example.sql:6) expected',
  ],
  [
    'missed',
    '-- missed: subtransaction-in-loop, because x',
    'is found now: it is marked `missed`, so make it `expect`',
  ],
  ['missed without a reason', '-- missed: subtransaction-in-loop', 'gives no reason: write `, because …`'],
  [
    'spurious',
    '-- spurious: subtransaction-per-row, because x',
    'the false alarm subtransaction-per-row is gone',
  ],
  ['event', '-- event: savepoint x', 'expected the event `savepoint x`, but this line has: subtransaction'],
];
for (const [word, comment, message] of broken)
  test(`${word}: says what was expected, what came, and where`, async () => {
    expect(await complaints(comment)).toContain(message);
  });

test('a word that is nearly one of them is no comment', async () => {
  for (const [word, meant] of [['expct', 'expect'], ['spuriuos', 'spurious'], ['subtransaction', 'subtransactions']])
    await expect(complaints(`-- ${word}: x`)).rejects.toThrow(`page.md:9 \`${word}:\` is no word of fixtures: write \`${meant}:\``); // biome-ignore format: a list
});
