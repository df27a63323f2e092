// What a list holds that a method makes and fills itself, `List<String> few = new ArrayList<>(); few.add("a");`, or a class whose own it is where its objects are made.
import type { Class, Sight, World } from '../names/scope.ts';
import type { Call, Field, Node } from '../syntax/syntax.ts';
import { atMostOf } from './bounds.ts';
import { itemsOf } from './written.ts';

/** How far it is looked for. */
const REACH = 4000;
/** What may run more often than once, or is another's. */
const APART = /\b(?:for|while|do|repeat)\b|->|::|\.\s*(?:forEach|map|let|also|apply|each)\w*\s*[({]/;
const READS =
  /^\s*(?:\.\s*(?:size|length|isEmpty|isNotEmpty|get|first|last|contains\w*|forEach\w*|stream|iterator|keySet|keys|entrySet|entries|values|indices|toArray|toList|map|filter|sort\w*)\b|\)|;)/;
const PUTS =
  /^\s*(?:\.\s*(?:add|addFirst|addLast|push|offer|put|putIfAbsent)\s*\(|\+=\s*(?!\w+\s*(?:$|[\n;(])))/;

/** As a list that stands written out; null where anybody else may add to it. */
export function filledWith(name: string, made: Call, { end }: Sight, { text, isKotlin }: World): Node | null {
  const first = begunWith(made, text);
  const last = Math.min(end ?? made.end + REACH, made.end + REACH);
  if (!first || last < (end ?? last)) return null;
  const put = putInto(name, text, made.end, last);
  if (!put) return null;
  const straight = text.slice(made.end, put.at(-1) ?? made.end);
  if (APART.test(straight) || (isKotlin && straight.includes('{'))) return null;
  return written(made, first, put);
}

/** `rows.add(row); if (rows.size() >= 50) { …; rows.clear(); }`: it never has more than that. */
export function emptiedAt(name: string, made: Call, { end }: Sight, { text }: World): Node | null {
  const last = Math.min(end ?? made.end + REACH, made.end + REACH);
  if (begunWith(made, text)?.length !== 0 || last < (end ?? last)) return null;
  const rest = text.slice(made.end, last);
  const is = `(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*`;
  const asks = new RegExp(
    `\\bif\\s*\\(\\s*${is}\\.\\s*size\\s*(?:\\(\\s*\\))?\\s*(?:==|>=)\\s*(\\w+)\\s*\\)\\s*\\{([^{}]*)\\}`,
  );
  const [, most, arm] = asks.exec(rest) ?? [];
  if (most === undefined || !new RegExp(`${is}(?:\\.\\s*clear\\s*\\(|=(?!=))`).test(arm!)) return null;
  const puts = rest.match(
    new RegExp(`${is}(?:\\.\\s*(?:add\\w*|put\\w*|push|offer|addAll)\\s*\\(|\\+=)`, 'g'),
  );
  if (puts?.length !== 1 || /All|\+=/.test(puts[0]!)) return null;
  const at = { start: made.end, end: made.end };
  return atMostOf({ kind: /^\d/.test(most) ? 'literal' : 'name', text: most, ...at });
}

/** The same of a private field, where all that is put into it is so in the only constructor or in an initialiser. */
export function filledByClass({ name, value, start }: Field, { body }: Class, { text }: World): Node | null {
  const made = value as Call;
  const first = begunWith(made, text);
  if (!first || !/\bprivate\b[^;{}]*$/.test(text.slice(Math.max(0, start - 200), made.start))) return null;
  // Whoever gets it may put more into it.
  if (
    new RegExp(`\\breturn\\s+(?:this\\.)?${name.replaceAll('$', '\\$')}\\s*;`).test(
      text.slice(body.start, body.end),
    )
  )
    return null;
  const before = putInto(name, text, body.start, start);
  const behind = putInto(name, text, made.end, body.end);
  if (!before || !behind) return null;
  const put = [...before, ...behind];
  const constructors = body.methods.filter(({ isConstructor }) => isConstructor);
  const places = [...body.initialisers, ...body.statics, ...(constructors.length === 1 ? constructors : [])];
  const isOnce = put.every((at) =>
    places.some((place) => place.start < at && at < place.end && !APART.test(text.slice(place.start, at))),
  );
  return isOnce && put.length > 0 ? written(made, first, put) : null;
}

/** Where something is put into it; null where anybody else may do that. */
function putInto(name: string, text: string, from: number, to: number): number[] | null {
  const found = new RegExp(`(?<![\\w$.])(?:this\\.)?${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  const put: number[] = [];
  for (const { index, 0: said } of text.slice(from, to).matchAll(found)) {
    const at = from + index;
    const behind = text.slice(at + said.length, Math.min(to, at + said.length + 60));
    if (PUTS.test(behind)) put.push(at);
    else if (!READS.test(behind) || (/^\s*\)/.test(behind) && !/(?::|\bin)\s*$/.test(text.slice(at - 8, at))))
      return null;
  }
  return put;
}

function written({ start, end }: Call, first: Node[], put: number[]): Node {
  const given = [...first, ...put.map((at): Node => ({ kind: 'literal', text: '', start: at, end: at }))];
  return {
    kind: 'call', name: 'mapOf', object: null, at: { start, end: start }, start, end,
    arguments: given.map((value) => ({ value })),
  }; // biome-ignore format: short
}

/** What it is made with; null where that is others'. */
function begunWith(made: Call, text: string): Node[] | null {
  if (made.body) return null;
  if (!made.creates) return made.arguments.length === 0 ? [] : itemsOf(made, text, () => null);
  // `new ArrayList<>(10)` has room for ten.
  const isEmpty = made.arguments.every(({ value }) => value.kind === 'literal');
  return isEmpty && /(?:List|Set|Deque|Queue|Map)$/.test(made.creates.name) ? [] : null;
}
