// Lowers function bodies of PostgreSQL's procedural languages to steps.
import type { Problem, Routine, Step } from '../../ir.ts';
import type { Source } from '../source.ts';
import type { SqlScope } from '../sql/statement.ts';

export interface Body {
  steps: Step[];
  problems: Problem[];
  routines?: Routine[];
}

export function lowerBody(language: string, source: Source, _scope: SqlScope): Body {
  const at = { start: source.at(0), end: source.at(Math.min(1, source.text.length)) };
  return { steps: [{ kind: 'opaque', at, why: `a body in ${language}` }], problems: [] };
}
