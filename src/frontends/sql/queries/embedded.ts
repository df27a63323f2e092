// Lowers SQL that stands in a host language's string.
import type { Name, Routine, Span, Step } from '../../../ir.ts';
import type { Source } from '../../source.ts';
import { textHash } from '../../texthash.ts';
import { lowerScript } from '../script.ts';
import { type Held, tellHeld } from '../text/held.ts';
import { type Host, holes, interpolated, looksLikeSql, placeholders } from '../text/holes.ts';
import type { Declarations, SqlScope } from '../text/reader.ts';

/** Whether text may do more than read: a query without a call does not, nor do words of another kind. */
export const mayAct = (text: string): boolean => ACTS.test(text);

/** The same of a text's first part alone. */
export const mayBeginSql = (text: string): boolean => BEGINS.test(text);

const BEGINS =
  /^\s*(?:$|--|[#%]|select|values|insert|update|delete|merge|with|call|do|copy|lock|truncate|savepoint|release|alter|create|drop|refresh|execute|rollback|begin|commit)/i;
const ACTS =
  /^\s*(?:--.*[\r\n]\s*)*(?:(?:select|values)\b[\s\S]*\(|insert\s+into\b|update\s[\s\S]+\sset\b|delete\s+from\b|merge\s+into\b|with\s|(?:call|do|copy|lock|truncate|savepoint|release|alter|create|drop|refresh|execute)\s|rollback\b|begin\b|commit\b)/i;

/** Of a constant that another file holds only its name tells whether it is SQL. */
export const isNamedAsSql = (name: string): boolean =>
  /sql|quer|stmt|statement|select|insert|update|delete|upsert|refresh/i.test(name);

/** What a text does that is handed to somebody who runs it: a routine that nobody wrote. */
export const handedRoutine = (name: Name, at: Span, body: Step[]): Routine => ({
  name, at, kind: 'anonymous', entry: 'called', startsIn: 'caller', implied: true, body,
}); // biome-ignore format: short

/** What its steps call that has no name: it belongs to them, wherever they stand. */
export const blocksOf = ({ routines }: Pick<Declarations, 'routines'>): Routine[] =>
  routines.filter(({ kind }) => kind === 'anonymous');

/**
 * The steps of one or more statements, nothing for text that is not SQL, with what they declare: a program in a host
 * language creates functions and triggers. `file` is the unit's; what the `host` puts in tells one row from another.
 */
export function lowerEmbeddedUnit(
  source: Source,
  file: string,
  host?: Host,
): { steps: Step[] } & Declarations {
  // What has no name is called by its text: a file has many texts, each with a first block, and one of them is run in many places.
  const declare: Declarations = {
    file: `${file}/${textHash(source.text)}`, routines: [], triggers: [], relations: [], foreignKeys: [], aliases: [], changes: [], settings: [], problems: [],
  }; // biome-ignore format: empty lists
  if (!looksLikeSql(source.text)) return { steps: [], ...declare };
  const held: Held = new Map();
  let places: ReturnType<typeof placeholders> | undefined;
  const bind = (at: number): string | undefined => {
    places ??= placeholders(source.text);
    const which = places.get(at);
    if (which === undefined) return host && interpolated(host.text, source.at(at));
    const unknown = typeof which === 'string' && !which.startsWith('$') ? `?${which}` : undefined;
    return host?.bound?.(which) ?? unknown;
  };
  const scope: SqlScope = { declare, held, searchPath: null, bind };
  const steps = lowerScript({ text: holes(source.text), at: source.at }, scope, { psql: false });
  tellHeld(held, declare, [steps]);
  return { steps, ...declare };
}
