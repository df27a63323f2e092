// What PL/Python, PL/Perl, PL/Tcl and PL/v8 have in common: strings with SQL in them, and SPI calls, each a subtransaction.
import type { Problem, Span, Step } from '../../ir.ts';
import { pieces, type Source, span, within } from '../source.ts';
import { lowerScript } from '../sql/script.ts';
import type { SqlScope } from '../sql/statement.ts';
import { holes, looksLikeSql } from '../sql/text/holes.ts';
import { HOLE } from '../sql/text/lexer.ts';

/** A piece of a string's value and where it stands in the body; a hole where it is computed. */
export interface Part {
  text: string;
  start: number;
  end: number;
}

export interface Token {
  kind: 'word' | 'string' | 'number' | 'mark';
  text: string;
  start: number;
  end: number;
  parts?: Part[];
  /** It is the first of its line. */
  first: boolean;
}

export interface Host {
  source: Source;
  scope: SqlScope;
  /** What variables hold: SQL text, or a prepared plan, by the variable as it is written. */
  texts: Map<string, Part[]>;
  plans: Map<string, Part[] | null>;
  problems: Problem[];
}

/** Bodies nested deeper are read as if they stood one after the other. */
export const DEEPEST = 100;

export const place = (h: Host, start: number, end: number): Span => span(h.source, start, end);

export const hole = (start: number, end: number): Part => ({ text: HOLE, start, end });

/** An SPI call: a subtransaction around what its SQL does. `runs`: the parameter that is all of its text. */
export function spi(
  h: Host,
  call: { start: number; end: number },
  label: string,
  text: Part[] | null,
  runs?: string,
): Step {
  const at = place(h, call.start, call.end);
  const opaque: Step = { kind: 'opaque', at, why: 'dynamic SQL' };
  const dynamic: Step =
    runs === undefined
      ? opaque
      : { kind: 'call', at, callee: 'sql:?', runs, meanings: [{ steps: [opaque] }] };
  const body = (text && lowerText(h, text)) ?? [dynamic];
  return { kind: 'scope', opens: 'subtransaction', whenNested: 'savepoint', label, at, body };
}

function lowerText(h: Host, text: Part[]): Step[] | null {
  const inner = within(h.source, pieces(text));
  const sql: Source = { text: holes(inner.text), at: inner.at };
  const depth = (h.scope.depth ?? 0) + 1;
  if (depth > 6 || !looksLikeSql(sql.text)) return null;
  const { declare, searchPath, refuses } = h.scope;
  return lowerScript(
    sql,
    { depth, ...(declare && { declare }), ...(searchPath && { searchPath }), ...(refuses && { refuses }) },
    { psql: false },
  );
}

export function loop(
  h: Host,
  token: Token,
  over: 'rows' | 'items' | 'range' | 'unknown',
  times: number | null,
  body: Step[],
): Step {
  return { kind: 'loop', at: place(h, token.start, token.end), over, times, body };
}

/** A string's value between its quotes, with backslash escapes and, by `interpolate`, holes. */
export function value(
  text: string,
  from: number,
  to: number,
  options: { escapes: boolean; interpolate?: (text: string, i: number, to: number) => number },
): Part[] {
  const parts: Part[] = [];
  let done = from;
  const flush = (until: number) => {
    if (until > done) parts.push({ text: text.slice(done, until), start: done, end: until });
  };
  for (let i = from; i < to; i++) {
    if (options.escapes && text[i] === '\\') {
      flush(i);
      const next = text[i + 1] ?? '';
      const said = next === 'n' || next === 't' || next === 'r' ? ' ' : next === '\n' ? '' : next;
      parts.push({ text: said, start: i, end: Math.min(i + 2, to) });
      done = ++i + 1;
      continue;
    }
    const end = options.interpolate?.(text, i, to) ?? i;
    if (end <= i) continue;
    flush(i);
    parts.push(hole(i, end));
    i = end - 1;
    done = end;
  }
  flush(to);
  return parts;
}

/** What waits outside of the database, by the name that is called. */
export function waits(name: string): 'sleep' | 'network' | 'process' | null {
  if (/^(?:time\.sleep|sleep|usleep|select\.select)$/.test(name)) return 'sleep';
  if (
    /^(?:requests|urllib|urllib2|urllib3|httplib|socket|smtplib|ftplib|httpx)\.|^http\.client\.|^(?:LWP|HTTP)::/.test(
      name,
    )
  )
    return 'network';
  return /^(?:subprocess\.\w+|os\.(?:system|popen)|system|exec)$/.test(name) ? 'process' : null;
}
