// What a definition is when it runs, and what it does to names that stand elsewhere. Which definitions there are is elsewhere.
import type { Change, Name, Step } from '../../../ir.ts';
import { at, isWords, nameAt, type Reader, skipIf } from '../text/reader.ts';

/** IF [NOT] EXISTS may leave everything as it is. */
export function ddl(r: Reader, from: number, next: number, relation: Name | null): Step {
  const step: Step = { kind: 'write', verb: 'ddl', at: at(r, from, next), relation, rows: 'unknown' };
  for (let i = from + 1; i <= next; i++) if (skipIf(r, i) > i) step.atMost = true;
  return step;
}

/** RENAME TO new, SET SCHEMA new. */
export function renamedTo(r: Reader, parts: string[], from: number, to: number): Name | null {
  if (isWords(r, from, 'rename', 'to')) {
    const name = nameAt(r, from + 2, to)?.parts[0];
    return name ? `sql:${[...parts.slice(0, -1), name].join('.')}` : null;
  }
  if (isWords(r, from, 'set', 'schema')) {
    const schema = nameAt(r, from + 2, to)?.parts[0];
    return schema ? `sql:${schema}.${parts[parts.length - 1]}` : null;
  }
  return null;
}

export function change(r: Reader, what: Change): void {
  r.scope.declare?.changes.push(what);
}
