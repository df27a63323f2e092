// Whether targets of a query make one row of several. Not what an aggregate of one's own calls.
import { isWords, mark, past, type Reader, word } from '../text/reader.ts';
import { AGGREGATE, OPENS } from '../text/sorts.ts';
import { pastQuery } from './rowsets.ts';

export function hasAggregate(r: Reader, from: number, to: number): boolean {
  if ((r.sorts & AGGREGATE) === 0) return false;
  for (let i = from; i < to; i++) {
    const { sorts } = r.tokens[i]!;
    if ((sorts & OPENS) !== 0) i = pastQuery(r, i);
    else if ((sorts & AGGREGATE) !== 0 && isAggregateAt(r, i, to)) return true;
  }
  return false;
}

function isAggregateAt(r: Reader, i: number, to: number): boolean {
  if (mark(r, i + 1, to) !== '(') return false;
  let after = r.closes[i + 1]! + 1;
  if (isWords(r, after, 'within', 'group'))
    after = mark(r, after + 2) === '(' ? past(r, after + 2) : after + 2;
  if (word(r, after) === 'filter' && mark(r, after + 1) === '(') after = past(r, after + 1);
  return word(r, after) !== 'over'; // a window function keeps the rows
}
