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
  const take = (end: number, data = '') => {
    if (start !== undefined)
      out.push({ text: text.slice(start, end) + data, from: lineAt(start), to: lineAt(end - 1) });
    start = undefined;
    parentheses = 0;
    atomic = 0;
  };
  const rest = tokens(text).reverse();
  for (let token = rest.pop(); token; token = rest.pop()) {
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
    if (token.text === ';' && parentheses <= 0 && atomic === 0) {
      const data = copied(text, start ?? token.start, token.end);
      take(token.start, data ? `;\n${data.rows}` : '');
      // What stands in the rows are no tokens.
      if (data) rest.splice(0, rest.length, ...tokens(text, data.end).reverse());
    } else start ??= token.start;
    before = token;
  }
  take(text.length);
  return out;
}

/** The rows that stand below a `COPY … FROM stdin;`, with the line that ends them: without it psql would wait for more. */
function copied(text: string, from: number, end: number): { rows: string; end: number } | null {
  if (!/^copy\b[\s\S]*\bfrom\s+stdin\b/i.test(text.slice(from, end))) return null;
  const rows = /(?<=\n)(?:.*\n)*?\\\.(?=\r?\n|$)/g;
  rows.lastIndex = text.indexOf('\n', end);
  const found = rows.exec(text);
  return found && { rows: found[0], end: rows.lastIndex };
}
