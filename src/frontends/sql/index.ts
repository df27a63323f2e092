// The SQL front end: one file of SQL or psql to a Unit.
import { emptyUnit, type Routine, type Unit } from '../../ir.ts';
import { plain } from '../source.ts';
import { dialectOf } from './dialect.ts';
import { mask } from './macros.ts';
import { migrationOf } from './migrations.ts';
import type { SqlScope } from './reader.ts';
import { lowerScript } from './script.ts';

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'sql');
  unit.role = roleOf(file);
  unit.dialect = dialectOf(file, text);
  const migration = migrationOf(file, text);
  if (migration) {
    unit.role = 'migration';
    if (migration.series) unit.series = migration.series;
  }
  if (unit.dialect === 'other') return unit;
  const source = plain(mask(text));
  const script: Routine = {
    name: `sql:"${file}"`, at: { start: 0, end: Math.min(1, text.length) }, kind: 'script',
    entry: migration ? 'migration' : 'script', startsIn: migration?.startsIn ?? 'autocommit', body: [],
  }; // biome-ignore format: what is known at once
  const scope: SqlScope = { declare: unit, searchPath: null };
  for (const section of migration?.sections ?? [{ from: 0, to: text.length }])
    for (const step of lowerScript(source, scope, { psql: migration?.psql ?? true, ...section }))
      script.body.push(step);
  const path = scope.searchPath as string[] | null | undefined;
  if (path && path.length > 0) script.searchPath = path;
  if (script.body.length > 0) unit.routines.unshift(script);
  return unit;
}

function roleOf(file: string): Unit['role'] {
  if (
    /(^|\/)(tests?|spec|specs|testing|regress|t|__tests__|fixtures)\//i.test(file) ||
    /[._-]test\.\w+$/i.test(file)
  )
    return 'test';
  return /(^|\/)(examples?|samples?|demo|docs?)\//i.test(file) ? 'example' : 'product';
}
