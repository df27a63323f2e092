// What a call gives to a routine that may execute it, or go over it: a text that is SQL, as a routine that nobody wrote, an array, or the caller's own parameter. Not what the routine does with it.
import {
  type Call,
  type Given,
  inside,
  isHandedOn,
  type Name,
  type Routine,
  type Step,
} from '../../../ir.ts';
import { refuse } from '../../plpgsql/dynamic.ts';
import type { Source } from '../../source.ts';
import { content } from '../definitions/routines.ts';
import { lowerScript } from '../script.ts';
import { identifier } from '../text/lexer.ts';
import { numberOf } from '../text/numbers.ts';
import { at, mark, type Reader, type SqlScope, scopeWith, split } from '../text/reader.ts';
import { mayAct } from './embedded.ts';
import { elementsOf } from './lengths.ts';
import { operand } from './predicate.ts';

/** By place or by name, as `Call.given` has them. */
export function handedIn(r: Reader, from: number, to: number): Record<string, Given> | undefined {
  let out: Record<string, Given> | undefined;
  let place = 0;
  for (const [a, b] of split(r, from, to)) {
    const named = mark(r, a + 1) === '=>' || mark(r, a + 1) === ':=';
    const key = named ? identifier(r.tokens[a]!) : String(place++);
    const given = handed(r, named ? a + 2 : a, b);
    if (given === undefined) continue;
    out ??= {};
    out[key] = given;
  }
  return out;
}

/** By place or by name, what a key of the callee would say: `r.id`, `7`. */
export function namedIn(r: Reader, all: [number, number][]): Call['hands'] {
  let out: Call['hands'];
  let place = 0;
  for (const [from, to] of all) {
    const byName = mark(r, from + 1) === '=>' || mark(r, from + 1) === ':=';
    const key = byName ? identifier(r.tokens[from]!) : String(place++);
    const { text = '' } = operand(r, byName ? from + 2 : from, to) ?? {};
    if (text !== '' && text !== '?' && text.length < LONGEST_KEY) out = { ...out, [key]: text };
  }
  return out;
}

const LONGEST_KEY = 80;

function handed(r: Reader, from: number, to: number): Given | undefined {
  const token = r.tokens[from];
  if (!token || from >= to) return undefined;
  if (to === from + 1 && (token.kind === 'word' || token.kind === 'parameter')) {
    const name = token.kind === 'word' ? identifier(token) : token.text;
    const parameter = r.scope.given?.(name);
    if (parameter !== undefined) return { parameter };
    if (token.kind === 'word' && !token.quoted && truths.has(token.text)) return truths.get(token.text);
  }
  const number = numberOf(r.tokens, from, to, r.scope.values?.number);
  if (number !== null) return numberGiven(number);
  const { times, atMost } = elementsOf(r, from, to);
  if (times !== null && !atMost) return { items: times };
  if (!r.scope.declare) return undefined;
  const texts = written(r, from, to) ?? r.scope.texts?.(token, r.tokens[to - 1]!);
  if (texts?.length === 1 && NAME.test(texts[0]!.text)) return { text: texts[0]!.text };
  if (!texts?.some(({ text }) => mayAct(text) || READS.test(text))) return undefined;
  return { sql: routineOf(r, from, to, texts, r.scope.declare) };
}

/** What decides a branch of the callee. */
export const truths = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A loop up to it has as many turns. */
const numberGiven = (number: number): Given | undefined =>
  Math.abs(number) < 1_000_000 ? { items: number } : undefined;

/** A default that is one text or one number. */
export function saidBy(r: Reader, from: number, to: number): Given | undefined {
  const number = numberOf(r.tokens, from, to);
  if (number !== null) return numberGiven(number);
  const [source] = written(r, from, to) ?? [];
  return source && NAME.test(source.text) ? { text: source.text } : undefined;
}

/** It may be the name of a function, perhaps with the types of its parameters. */
const NAME = /^[a-z_][\w$]*(?:\.[a-z_][\w$]*)?(?:\([\w\s,.[\]]*\))?$/;

/** That it only reads or sets is told too, and what takes a transaction ID though it changes no row of one's own. */
const READS =
  /^\s*(?:select\s|set\s|analyze\b|comment\s+on\s|(?:grant|revoke)\s[\s\S]*\s(?:to|from)\s|reindex\s|notify\s)/i;

/** One text that is written out, perhaps with a type. */
export function written(r: Reader, from: number, to: number): Source[] | null {
  const token = r.tokens[from]!;
  const alone = to === from + 1 || (to === from + 3 && mark(r, from + 1) === '::');
  return alone && (token.kind === 'string' || token.kind === 'dollar') ? [content(r, token)] : null;
}

/** What its definitions make is left out: whether it is run at all, the callee says. */
function routineOf(
  r: Reader,
  from: number,
  to: number,
  texts: Source[],
  declare: NonNullable<SqlScope['declare']>,
): Name {
  const ways = texts.map((text) => {
    const scope = { ...scopeWith(r.scope, new Set(), undefined, 1), declare: undefined, refuses: undefined };
    return scope.depth! > DEEPEST ? [] : refuse(lowerScript(text, scope, { psql: false }));
  });
  const place = at(r, from, to);
  const body: Step[] =
    ways.length === 1 ? ways[0]! : [{ kind: 'branch', at: place, arms: ways, exhaustive: true }];
  const number = declare.routines.filter(isText).length + 1;
  const name: Name = `sql:"${declare.file}"."text ${number}"`;
  const routine: Routine = {
    name, at: place, kind: 'anonymous', language: 'sql', entry: 'called', startsIn: 'caller', implied: true, body,
  }; // biome-ignore format: what is known at once
  if (r.scope.searchPath?.length) routine.searchPath = r.scope.searchPath;
  declare.routines.push(routine);
  return name;
}

const DEEPEST = 5;

/** Beside it, DO makes such. */
export const isText = ({ kind, implied }: Routine): boolean => kind === 'anonymous' && implied === true;

/** The parameters of a routine that its steps execute, go over or hand on, by the places that they have. */
export function flagsOf(steps: Step[], names: readonly (string | null)[]): NonNullable<Routine['flags']> {
  const found = new Set<string>();
  const look = (list: Step[]): void => {
    for (const step of list) {
      if (step.kind === 'call') {
        if (step.runs !== undefined) found.add(step.runs);
        if (step.named !== undefined) found.add(step.named);
        for (const one of step.given ? Object.values(step.given) : NOTHING)
          if (isHandedOn(one)) found.add(one.parameter);
      }
      if ((step.kind === 'loop' || step.kind === 'branch') && step.each !== undefined) found.add(step.each);
      for (const inner of inside(step)) look(inner);
    }
  };
  look(steps);
  return [...found].flatMap((name) => {
    const position = name.startsWith('$') ? Number(name.slice(1)) - 1 : names.indexOf(name);
    return position >= 0 ? [{ name, position }] : [];
  });
}

const NOTHING: Given[] = [];
