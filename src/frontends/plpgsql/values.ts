// What values EXECUTE puts into its text, in the words of the body: a variable, or what is computed of such. Not the text.
import { FIRED_ROW } from '../../ir.ts';
import { pieces, type Source } from '../source.ts';
import { identifier } from '../sql/text/lexer.ts';
import { type Context, closing, mark } from './context.ts';
import type { Range } from './tree.ts';
import { called } from './versions.ts';

/** A piece of such a text, and the value that stands there. */
export interface Valued {
  text: string;
  start: number;
  end: number;
  value?: string | undefined;
}

/** The text, with what stands in its holes, and at `$1` of those of USING. */
export function withValues(text: Valued[], using: (place: number) => string = () => ''): Source {
  const source = pieces(text);
  const values = new Map<number, string>();
  let offset = 0;
  for (const part of text) {
    if (part.value !== undefined) values.set(offset, part.value);
    offset += part.text.length;
  }
  source.value = (at) => {
    const known = values.get(at);
    if (known !== undefined) return known;
    const place = /^\$(\d+)/.exec(source.text.slice(at, at + 8))?.[1];
    return place === undefined ? '' : using(Number(place) - 1);
  };
  return source;
}

/** Brackets around one value; nobody writes more. */
const DEEPEST = 20;

/** As a key says it: `r.id`, `7`, `(a||b)`; nothing where it is called, or a query. */
export function wordsOf(c: Context, { from, to }: Range): string {
  for (let depth = 0; depth < DEEPEST; depth++) {
    while (to - 2 > from && mark(c, to - 2) === '::') to -= 2;
    if (to - from <= 2 || mark(c, from) !== '(' || closing(c, from, to) !== to - 1) break;
    from++;
    to--;
  }
  const words: string[] = [];
  let computed = false;
  for (let i = from; i < to; i++) {
    const token = c.tokens[i]!;
    if (token.text === '(') return '';
    if (token.kind === 'operator') computed = true;
    words.push(token.kind === 'word' ? nameOf(c, i) : token.text);
  }
  const text = words.join('');
  return computed ? `(${text})` : text;
}

function nameOf(c: Context, i: number): string {
  const name = identifier(c.tokens[i]!);
  if (mark(c, i - 1) === '.') return name;
  const isFired = name === 'new' && mark(c, i + 1) === '.' && !c.scope.variables?.has('new');
  return isFired ? FIRED_ROW : called(c, name);
}
