// What a list holds that a method makes and fills itself: `List<String> few = new ArrayList<>(); few.add("a");`. Fields are filled by whomever.
import type { Sight, World } from '../names/scope.ts';
import type { Call, Node } from '../syntax/syntax.ts';
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
  const found = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  const put: number[] = [];
  for (const { index } of text.slice(made.end, last).matchAll(found)) {
    const at = made.end + index;
    const behind = text.slice(at + name.length, Math.min(last, at + name.length + 60));
    if (PUTS.test(behind)) put.push(at);
    else if (!READS.test(behind) || (/^\s*\)/.test(behind) && !/(?::|\bin)\s*$/.test(text.slice(at - 8, at))))
      return null;
  }
  const straight = text.slice(made.end, put.at(-1) ?? made.end);
  if (APART.test(straight) || (isKotlin && straight.includes('{'))) return null;
  const { start } = made;
  const given = [...first, ...put.map((at): Node => ({ kind: 'literal', text: '', start: at, end: at }))];
  return {
    kind: 'call', name: 'mapOf', object: null, at: { start, end: start }, start, end: made.end,
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
