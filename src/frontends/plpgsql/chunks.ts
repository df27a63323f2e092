// Whether each turn of a loop takes many rows at once: by the steps of its counter, or by the LIMIT of what it changes. Not how often it turns.
import type { Loop } from '../../ir.ts';
import { type Context, find, mark, nameAt, word } from './context.ts';
import { growth } from './growth.ts';
import { literal, within } from './survey.ts';
import type { LoopNode, PlainNode, Range, Statement } from './tree.ts';

/** Who takes fewer goes over rows. */
const FEWEST = 10;

export function chunkOf(c: Context, node: LoopNode, { times }: Pick<Loop, 'times'>): Pick<Loop, 'chunk'> {
  const size = times === null ? sizeOf(c, node) : undefined;
  return size === undefined || (size !== null && size < FEWEST) ? {} : { chunk: size };
}

function sizeOf(c: Context, node: LoopNode): number | null | undefined {
  const { over, body } = node;
  if (over.what === 'range') return over.by && byCounter(c, body, nameAt(c, node.targets.from), over.by);
  if (over.what === 'condition') {
    const counter = nameAt(c, over.condition.from);
    const step = counter === null ? undefined : growth(c, body, counter)?.least;
    if (step !== undefined && step >= FEWEST && isReached(c, body, counter!)) return step;
  }
  return over.what === 'condition' || over.what === 'nothing' ? byLimit(c, body) : undefined;
}

/** `FOR lo IN 0 .. hi BY 10000 LOOP … BETWEEN lo AND lo + 9999`. */
function byCounter(c: Context, body: Statement[], counter: string | null, by: Range) {
  const isNamed = by.to === by.from + 1 && c.tokens[by.from]?.kind === 'word';
  const size = literal(c, by);
  return (size !== null || isNamed) && counter !== null && isReached(c, body, counter) ? size : undefined;
}

/** What a turn takes ends as far behind its counter. */
const isReached = (c: Context, body: Statement[], counter: string): boolean =>
  changes(c, body).some(({ from, to }) => {
    for (let i = from; i + 1 < to; i++) if (nameAt(c, i) === counter && mark(c, i + 1) === '+') return true;
    return false;
  });

/** `DELETE … WHERE id IN (SELECT id … LIMIT 10000)`. */
function byLimit(c: Context, body: Statement[]): number | null | undefined {
  for (const { from, to } of changes(c, body))
    for (let i = from; i < to; i++) {
      if (word(c, i) !== 'limit' || !/^(?:number|word|parameter)$/.test(c.tokens[i + 1]?.kind ?? ''))
        continue;
      const end = find(c, { from: i + 1, to }, 'offset', 'for', 'returning');
      let close = i + 1;
      while (close < end && mark(c, close) !== ')') close++;
      const size = literal(c, { from: i + 1, to: close });
      if (size !== null || (close === i + 2 && !/^(?:all|null)$/.test(word(c, i + 1)))) return size;
    }
  return undefined;
}

/** What changes rows in each turn, and in no loop within. */
function changes(c: Context, body: Statement[]): PlainNode[] {
  return body.flatMap((node) => {
    if (node.kind === 'plain') return node.verb === 'sql' && CHANGES.has(word(c, node.from)) ? [node] : [];
    return node.kind === 'loop' ? [] : within(node).flatMap((inner) => changes(c, inner));
  });
}

const CHANGES = new Set(['delete', 'update', 'insert', 'merge', 'with']);
