// Cuts a script into statements with their lines, as psql would send them; means nothing by them.
import { type Token, tokens } from '../../src/frontends/sql/text/lexer.ts';

export interface Statement {
  text: string;
  /** First and last line in the file, from 1. */
  from: number;
  to: number;
}

export function statements(text: string): Statement[] {
  const out: Statement[] = [];
  let start: number | undefined;
  let parentheses = 0;
  let atomic = 0;
  let before: Token | undefined;
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const take = (end: number) => {
    if (start !== undefined)
      out.push({ text: text.slice(start, end), from: lineAt(start), to: lineAt(end - 1) });
    start = undefined;
    parentheses = 0;
    atomic = 0;
  };
  for (const token of tokens(text)) {
    if (token.kind === 'meta') {
      // \gexec and its kin end the statement that stands before them.
      if (!token.text.startsWith('\\g')) take(token.start);
      start ??= token.start;
      take(token.end);
      continue;
    }
    if (token.text === '(') parentheses++;
    if (token.text === ')') parentheses--;
    if (token.text === 'atomic' && before?.text === 'begin') atomic = 1;
    else if (atomic > 0 && token.text === 'case') atomic++;
    else if (atomic > 0 && token.text === 'end') atomic--;
    if (token.text === ';' && parentheses <= 0 && atomic === 0) take(token.start);
    else start ??= token.start;
    before = token;
  }
  take(text.length);
  return out;
}
