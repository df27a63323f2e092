// What a local variable says as text where it is set again or added to: straight on that is known, behind a branch it is not.
import { type Constants, holdsCode, type Sight, type Variable, type World } from '../names/scope.ts';
import { isSet, stands } from '../names/standing.ts';
import type { Assign, Call, Node } from '../syntax/syntax.ts';
import { textOf } from './text.ts';

/** Runs what may not run, or more than once: what it sets is not known behind it. */
export function apart<T>(sight: Sight, run: () => T): T {
  const set = new Set<Variable>();
  sight.apart = [...(sight.apart ?? []), set];
  const result = run();
  sight.apart = sight.apart.slice(0, -1);
  for (const one of set) {
    one.value = undefined;
    sight.apart.at(-1)?.add(one);
  }
  return result;
}

/** How far a body may go that has no method around it. */
const REACH = 10_000;

/** Whether a number or a list is another one at some time: what is made in one place and never set is the same everywhere. */
export function isSetBehind(
  name: string,
  from: number,
  { end = from + REACH }: Sight,
  { text }: World,
): boolean {
  return stands(text, name, from, end, isSet);
}

interface Setting {
  at: number;
  value: string;
  isDeclared: boolean;
}

/** All that sets it there. */
export function settings(
  name: string,
  { start, end }: { start: number; end: number },
  text: string,
): Setting[] {
  const own = name.replace(/[$[\]]/g, '\\$&');
  const sets = new RegExp(
    `(\\b(?:va[lr]|[A-Z][\\w<>?,.]*|boolean|int|long)\\s+)?(?<![\\w$.])(?:this\\s*\\.\\s*)?${own}(\\s*:\\s*[\\w<>?.]+)?\\s*(?:=(?!=)\\s*([^;\\n}]*)|\\.set\\(([^)]*)\\))`,
    'g',
  );
  return [...text.slice(start, end).matchAll(sets)].map(
    ({ index, 1: before = '', 2: behind, 3: given, 4: set }) => ({
      at: start + index + before.length,
      value: (given ?? set ?? '').trim(),
      isDeclared: before !== '' || behind !== undefined,
    }),
  );
}

/** `sql = "…"`, `sql += "…"` */
export function setAgain(
  name: string,
  { target, value }: Assign,
  sight: Sight,
  { text }: World,
  constants: Constants,
): void {
  const found = sight.locals.get(name);
  if (!found || found.callback || holdsCode(found.value)) return;
  const adds = text.slice(target.end, value.start).includes('+=');
  const before = found.value;
  const parts = adds ? (before ? [before, value] : []) : [behind(value, name, before)];
  const { start, end } = value;
  const said: Node | undefined =
    parts.length === 1 ? parts[0]! : parts.length > 1 ? { kind: 'concat', parts, start, end } : undefined;
  tell(found, said && textOf(said, constants) !== null ? said : undefined, sight);
}

/** `text.append("…").append("…")`, the whole of it, and what is done with a builder by others. */
export function builds(whole: Call, sight: Sight): void {
  let added: Call | null = null;
  let isKnown = true;
  let base: Node | null = whole;
  for (; base?.kind === 'call'; base = base.object) {
    for (const { value } of base.arguments) {
      const handed = value.kind === 'name' ? sight.locals.get(value.text) : undefined;
      if (handed && isBuilder(handed)) tell(handed, undefined, sight);
    }
    if (base.name === 'append') added ??= base;
    else isKnown &&= /^(toString|length|isEmpty|trim|strip|stripTrailing)$/.test(base.name);
  }
  const found = base?.kind === 'name' ? sight.locals.get(base.text) : undefined;
  if (!found || base?.kind !== 'name' || !isBuilder(found) || (isKnown && !added)) return;
  tell(found, isKnown && added && found.value ? behind(added, base.text, found.value) : undefined, sight);
}

function tell(found: Variable, value: Node | undefined, { apart }: Sight): void {
  found.value = value;
  apart?.at(-1)?.add(found);
}

const isBuilder = ({ type }: Variable) => /^java\.lang\.String(Builder|Buffer)$/.test(type?.name ?? '');

/** The expression with what the variable said before in its place. */
function behind(node: Node, name: string, before: Node | undefined): Node {
  if (node.kind === 'name') return node.text === name && before ? before : node;
  if (node.kind === 'concat') return { ...node, parts: node.parts.map((part) => behind(part, name, before)) };
  if (node.kind === 'call' && node.object) return { ...node, object: behind(node.object, name, before) };
  return node;
}
