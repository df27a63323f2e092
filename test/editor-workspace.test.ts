// A workspace under edits: what moves is moved, what means something else is linked again, and both say the same.
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { edit, emptyWorkspace, refill } from '../src/editor/workspace.ts';
import type { Unit } from '../src/ir.ts';
import { linesOf } from '../src/project/files/lines.ts';

const TEXT = `CREATE FUNCTION seen(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO seen_ids (id) VALUES (p_id);
  EXCEPTION WHEN unique_violation THEN
    NULL;
  END;
END $$;
`;

async function opened() {
  const workspace = emptyWorkspace(
    (units: Unit[]) => ({ ...analyse(units), notices: [] }),
    () => linesOf(''),
  );
  await refill(workspace, [(await lower('seen.sql', TEXT))!]);
  await edit(workspace, 'seen.sql', TEXT);
  return workspace;
}

test.each([
  ['a comment above', `-- it only grows\n${TEXT}`],
  ['blank lines inside', TEXT.replace('BEGIN\n  BEGIN', 'BEGIN\n\n\n  BEGIN')],
  ['a line before the fix', TEXT.replace('    INSERT', '\n    INSERT')],
])('%s moves every place, those of fixes too, as linking anew would', async (_what, text) => {
  const workspace = await opened();
  expect(await edit(workspace, 'seen.sql', text)).toBe('moved');
  const anew = analyse([(await lower('seen.sql', text))!]).findings;
  expect(anew.some((finding) => (finding.fixes ?? []).length > 0)).toBe(true);
  expect(workspace.findings).toEqual(anew);
});

test('a change of meaning is linked again', async () => {
  const workspace = await opened();
  expect(await edit(workspace, 'seen.sql', TEXT.replace('NULL;', 'RAISE;'))).toBe('relinked');
  expect(workspace.findings.map((finding) => finding.rule)).toContain('exception-block-that-rethrows');
});

test('a table that is renamed before its trigger is made is linked again', async () => {
  const make = 'CREATE TRIGGER stamp AFTER INSERT ON apples FOR EACH ROW EXECUTE FUNCTION seen();\n';
  const rename = 'ALTER TABLE apples RENAME TO pears;\n';
  const workspace = await opened();
  await edit(workspace, 'seen.sql', TEXT + make + rename);
  expect(await edit(workspace, 'seen.sql', TEXT + rename + make)).toBe('relinked');
});

test('a comment for us is linked again, though it moves only', async () => {
  const workspace = await opened();
  const comment = '-- subxact: allow exception-block-for-upsert, because it is rare\n';
  expect(await edit(workspace, 'seen.sql', comment + TEXT)).toBe('relinked');
  expect(await edit(workspace, 'seen.sql', TEXT)).toBe('relinked');
});

test('what makes the row that another file finds missing is linked again where it makes another', async () => {
  const models = (name: string) => `from django.db import models, transaction

class Kind(models.Model):
    name = models.TextField()

class Other(models.Model):
    name = models.TextField()

def make():
    with transaction.atomic():
        ${name}.objects.create(name="usual")
`;
  const views = `from django.db import transaction
from shop.models import Kind, make

@transaction.atomic
def fill(rows):
    for row in rows:
        if not Kind.objects.filter(name="usual").exists():
            make()
`;
  const workspace = emptyWorkspace(
    (units: Unit[]) => ({ ...analyse(units), notices: [] }),
    () => linesOf(''),
  );
  const units = [lower('shop/models.py', models('Kind')), lower('shop/views.py', views)];
  await refill(workspace, (await Promise.all(units)) as Unit[]);
  const rules = () => workspace.findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
  expect(rules()).toEqual([]);
  await edit(workspace, 'shop/models.py', models('Other'));
  expect(rules()).toEqual(['subtransaction-in-loop likely']);
  await edit(workspace, 'shop/models.py', models('Kind'));
  expect(rules()).toEqual([]);
});
