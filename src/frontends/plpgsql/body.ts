// The way in: lowers a function body of any of PostgreSQL's procedural languages to steps.
import type { Problem, Step } from '../../ir.ts';
import { lowerJavaScript, lowerPerl } from '../pl/braces.ts';
import { lowerPython } from '../pl/python.ts';
import { lowerTcl } from '../pl/tcl.ts';
import type { Source } from '../source.ts';
import type { SqlScope } from '../sql/statement.ts';
import { lowerPlpgsql } from './lower.ts';

export interface Body {
  steps: Step[];
  problems: Problem[];
}

type Lower = (source: Source, scope: SqlScope) => Body;

const LANGUAGES: Record<string, Lower> = {
  plpgsql: lowerPlpgsql,
  plpython: lowerPython,
  plpythonu: lowerPython,
  plpython2u: lowerPython,
  plpython3u: lowerPython,
  plperl: lowerPerl,
  plperlu: lowerPerl,
  pltcl: lowerTcl,
  pltclu: lowerTcl,
  plv8: lowerJavaScript,
  plv8u: lowerJavaScript,
  pljs: lowerJavaScript,
};

/** What the body creates (a function that creates a function) goes to the scope's `declare`. */
export function lowerBody(language: string, source: Source, scope: SqlScope): Body {
  if (Object.hasOwn(LANGUAGES, language)) return LANGUAGES[language]!(source, scope);
  const at = { start: source.at(0), end: source.at(Math.min(1, source.text.length)) };
  return { steps: [{ kind: 'opaque', at, why: `a body in ${language}` }], problems: [] };
}
