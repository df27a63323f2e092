// How many items a list has at most where somebody asked that before: `if (rows.size() > 50) throw …`, `require(rows.size <= 50)`, `if (rows.size() <= 10) …`. It follows no value.
import type { Call, Choice, Node } from '../syntax/syntax.ts';

/** A variable, and what says how many it has at most, as if it were written out. */
export interface Bound {
  name: string;
  most: Node;
}

/** What is longer asks for other things. */
const LONGEST = 200;
const ASKS =
  /^[\s(]*(?:this\.)?(\w+)\s*\.\s*(?:size|length|count)\s*(?:\(\s*\))?\s*(<=?|>=?|==)\s*([\w.]+)[\s)]*$/;
const ASKED =
  /^[\s(]*([\w.]+)\s*(<=?|>=?|==)\s*(?:this\.)?(\w+)\s*\.\s*(?:size|length|count)\s*(?:\(\s*\))?[\s)]*$/;

/** What a condition says where it holds, or where it does not. */
export function boundsWhere(test: Node | undefined, holds: boolean, text: string): Bound[] {
  if (!test || test.end - test.start > LONGEST) return [];
  const said = text.slice(test.start, test.end);
  if (said.includes(holds ? '||' : '&&') || said.startsWith('!')) return [];
  return said.split(holds ? '&&' : '||').flatMap((part): Bound[] => {
    const asks = ASKS.exec(part);
    const asked = asks ? null : ASKED.exec(part);
    const [name, most] = asks ? [asks[1]!, asks[3]!] : asked ? [asked[3]!, asked[1]!] : [];
    if (name === undefined || most === undefined) return [];
    const isBelow = (asks?.[2] ?? '').startsWith('<') || (asked?.[2] ?? '').startsWith('>');
    const isEqual = (asks ?? asked)![2] === '==';
    if (isEqual ? !holds : isBelow !== holds) return [];
    return [{ name, most: atMostOf(asNode(most, test.end)) }];
  });
}

const GUARDS = /^(?:require|check|checkArgument|checkState|isTrue|state|assertTrue)$/;

/** Behind a statement that goes on only where its condition holds. */
export function boundsBehind(item: Node, leaves: (arm: Node) => boolean, text: string): Bound[] {
  if (item.kind === 'call' && GUARDS.test(item.name))
    return boundsWhere(item.arguments[0]?.value, true, text);
  if (!isPlain(item) || item.exhaustive || item.arms.length !== 1 || !leaves(item.arms[0]!)) return [];
  return boundsWhere(item.tests[0], false, text);
}

const isPlain = (item: Node): item is Choice =>
  item.kind === 'choice' && item.tests.length === 1 && !item.isElse;

/** In an arm of a choice of two. */
export const boundsIn = (choice: Choice, arm: Node, text: string): Bound[] =>
  isPlain(choice) && choice.arms.length <= 2
    ? boundsWhere(choice.tests[0], arm === choice.arms[0], text)
    : [];

/** As if so many were taken. */
export function atMostOf(size: Node): Call {
  const at = { start: size.start, end: size.end };
  return { kind: 'call', object: null, name: 'take', at, ...at, arguments: [{ value: size }] };
}

function asNode(text: string, at: number): Node {
  const place = { start: at, end: at };
  const dot = text.lastIndexOf('.');
  if (/^\d/.test(text)) return { kind: 'literal', text, ...place };
  if (dot < 0) return { kind: 'name', text, ...place };
  return {
    kind: 'member',
    object: asNode(text.slice(0, dot), at),
    name: text.slice(dot + 1),
    at: place,
    ...place,
  };
}
