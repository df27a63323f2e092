// Spring's pointcut expressions as places in code: methods by class and name. What else they can ask is not known here.
import type { Place, Weave } from '../../ir.ts';

type Met = Omit<Weave, 'ways'>;

/** Places that must fit, and those that must not; null where something is asked that is not known. */
type Terms = { fits: Place[]; not: Place[] } | null;

const TOKEN = /\s*(?:(&&|\|\||!|[()]|\b(?:and|or|not)\b)|(@?\w+\s*\((?:[^()]|\([^()]*\))*\)))/y;
const EXECUTION =
  /^execution\s*\(\s*(?:(?:public|protected)\s+)?[\w.*$[\]]+\s+(?:([\w.*$+]+)\.)?([\w*$]+)\(\s*\.\.\s*\)\s*\)$/;
const WITHIN = /^within\s*\(\s*([\w.*$+]+)\s*\)$/;
const ANYWHERE = '..*';
const MOST = 30;

/** One for each way to fit; a way that asks what is not known is left out. */
export function places(pointcut: string): Met[] {
  const tokens = tokensOf(pointcut.replaceAll('&amp;', '&'));
  const ways = tokens && either({ tokens, at: 0 }, false);
  return (ways ?? []).flatMap((terms): Met[] => {
    const [first, ...also] = terms?.fits ?? [];
    if (!terms || !first) return [];
    const unless = terms.not;
    return [{ ...first, ...(also.length > 0 && { also }), ...(unless.length > 0 && { unless }) }];
  });
}

function tokensOf(text: string): string[] | null {
  const out: string[] = [];
  for (let at = 0; at < text.trimEnd().length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found || out.length > 200) return null;
    out.push((found[1] ?? found[2])!);
    at = TOKEN.lastIndex;
  }
  return out;
}

interface Reader {
  tokens: string[];
  at: number;
}

const isOr = (token: string | undefined) => token === '||' || token === 'or';
const isAnd = (token: string | undefined) => token === '&&' || token === 'and';

function either(reader: Reader, isNot: boolean): Terms[] | null {
  let out = both(reader, isNot);
  while (out && isOr(reader.tokens[reader.at])) {
    reader.at++;
    const other = both(reader, isNot);
    // Not this or that: neither this nor that.
    out = other && (isNot ? crossed(out, other) : [...out, ...other]);
  }
  return out;
}

function both(reader: Reader, isNot: boolean): Terms[] | null {
  let out = one(reader, isNot);
  while (out && isAnd(reader.tokens[reader.at])) {
    reader.at++;
    const other = one(reader, isNot);
    out = other && (isNot ? [...out, ...other] : crossed(out, other));
  }
  return out;
}

function one(reader: Reader, isNot: boolean): Terms[] | null {
  const token = reader.tokens[reader.at++];
  if (token === undefined || reader.at > 200) return null;
  if (token === '!' || token === 'not') return one(reader, !isNot);
  if (token === '(') {
    const inner = either(reader, isNot);
    return reader.tokens[reader.at++] === ')' ? inner : null;
  }
  const place = placeOf(token);
  if (!place) return [null];
  return [isNot ? { fits: [], not: [place] } : { fits: [place], not: [] }];
}

function crossed(some: Terms[], others: Terms[]): Terms[] | null {
  if (some.length * others.length > MOST) return null;
  return some.flatMap((a) =>
    others.map((b) => a && b && { fits: [...a.fits, ...b.fits], not: [...a.not, ...b.not] }),
  );
}

function placeOf(token: string): Place | null {
  const execution = EXECUTION.exec(token);
  if (execution) return { type: (execution[1] ?? ANYWHERE).replace(/\+$/, ''), method: execution[2]! };
  const within = WITHIN.exec(token)?.[1];
  return within ? { type: within.replace(/\+$/, ''), method: '*', own: true } : null;
}
