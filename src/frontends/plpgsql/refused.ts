// What the head of a routine turns away: more elements, rows or turns than so many. Not what it does with the others.
import { MIRRORED } from '../signs.ts';
import { type Context, closing, mark, nameAt, type Refused, word } from './context.ts';
import { lengthOf, literal } from './survey.ts';
import type { Range, Statement } from './tree.ts';
import { eitherOf, leaves } from './turns.ts';

/** `IF cardinality(ids) > 50 THEN RAISE …`, `IF n > 50 OR n IS NULL THEN RETURN`, before anything else is done. */
export function refusedAtHead(c: Context): Refused {
  const out: Refused = { items: new Map(), numbers: new Map(), rows: new Map() };
  const [outermost] = c.statements;
  for (const node of outermost?.kind === 'block' ? outermost.body : []) {
    if (!isOfHead(node)) break;
    if (node.kind !== 'if') continue;
    const [{ condition, body }] = node.arms as [(typeof node.arms)[number]];
    if (condition && body.some((one) => leaves(c, one, undefined) && !isExit(one)))
      for (const one of eitherOf(c, condition)) refuse(c, one, out);
  }
  return out;
}

const isExit = (node: Statement): boolean => node.kind === 'plain' && node.verb === 'exit';

const isOfHead = (node: Statement): boolean =>
  node.kind === 'if' || (node.kind === 'plain' && /^(?:assign|null|raise|perform|assert)$/.test(node.verb));

function refuse(c: Context, range: Range, out: Refused): void {
  const at = comparedAt(c, range);
  if (at === null) return;
  const sides: Range[] = [
    { from: range.from, to: at },
    { from: at + 1, to: range.to },
  ];
  const turned = literal(c, sides[0]!) !== null;
  const [what, number] = turned ? [sides[1]!, sides[0]!] : [sides[0]!, sides[1]!];
  const sign = turned ? MIRRORED[mark(c, at)] : mark(c, at);
  const limit = literal(c, number);
  if (limit === null || (sign !== '>' && sign !== '>=')) return;
  const most = sign === '>' ? limit : limit - 1;
  const array = lengthOf(c, what);
  const name = nameOf(c, array ?? what);
  if (name !== null) keep(array ? out.items : out.numbers, name, most);
  const rows = array || name !== null ? null : countedRows(c, what);
  if (rows !== null) keep(out.rows, rows, most);
}

const keep = (all: Map<string, number>, key: string, most: number) =>
  all.set(key, Math.min(most, all.get(key) ?? most));

const nameOf = (c: Context, { from, to }: Range): string | null => (to === from + 1 ? nameAt(c, from) : null);

function comparedAt(c: Context, { from, to }: Range): number | null {
  for (let i = from; i < to; i++)
    if (mark(c, i) === '(') i = closing(c, i, to);
    else if (/^[<>]=?$/.test(mark(c, i))) return i;
  return null;
}

/** The table whose rows `(SELECT count(*) FROM t)` counts, all of them. */
function countedRows(c: Context, { from, to }: Range): string | null {
  const all = c.tokens.slice(from, to).map(({ text }) => text.toLowerCase());
  const found = /^\( select count \( \* \) from ([\w."]+(?: \. [\w"]+)?)(?: (?:as )?\w+)? \)$/.exec(
    all.join(' '),
  );
  return found && word(c, from + 1) === 'select' ? found[1]!.replaceAll(' ', '') : null;
}
