// How many items there are, at most, in what is made of other collections: a part of them, one of two, what a hash that is written out has. What those have is asked back.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldIn } from '../names/held.ts';
import { argumentsOf, lastPart, parts, textOf } from '../syntax.ts';

export interface Ask {
  /** How many items a collection has at most. */
  items(node: Syntax): number | null;
  number(node: Syntax | undefined): number | null;
  /** How many numbers a range has. */
  range(node: Syntax): number | null;
}

export function made(body: Body, node: Syntax, ask: Ask): number | null {
  switch (node.type) {
    case 'array':
      return sum(parts(node).map((one) => (one.type === 'splat_argument' ? splat(one, ask) : 1)));
    case 'element_reference':
      return part(body, node, ask);
    case 'conditional':
    case 'if':
    case 'unless':
      return either([child(node, 'consequence'), child(node, 'alternative')], ask);
    case 'then':
    case 'else':
    case 'parenthesized_statements': {
      const last = lastPart(node);
      return last ? ask.items(last) : null;
    }
    case 'range':
      return letters(body, node);
    case 'call':
      return ofCall(body, node, ask);
    default:
      return null;
  }
}

const sum = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((total, one) => (total === null || one === null ? null : total + one), 0);

const greatest = (all: (number | null)[]): number | null =>
  all.length > 0 && all.every((one) => one !== null) ? Math.max(...all) : null;

const either = (arms: (Syntax | undefined)[], ask: Ask): number | null =>
  greatest(arms.map((arm) => (arm ? ask.items(arm) : null)));

const splat = (node: Syntax, ask: Ask): number | null => {
  const inner = parts(node)[0];
  return inner ? ask.items(inner) : null;
};

/** `rows[0, 3]`, `rows[0..2]`, `NAMED[:short]`, `Set["a", "b"]` */
function part(body: Body, node: Syntax, ask: Ask): number | null {
  const [object, first, second] = parts(node);
  if (!object || !first) return null;
  if (textOf(body.file, object) === 'Set') return parts(node).length - 1;
  if (first.type === 'range') return ask.range(first);
  if (second) return ask.number(second);
  return greatest(heldIn(body, node).map(ask.items));
}

/** `("a".."e")` */
function letters({ file }: Body, node: Syntax): number | null {
  const ends = ['begin', 'end'].map((which) => {
    const end = child(node, which);
    return end && /^["'](\w)["']$/.exec(textOf(file, end))?.[1];
  });
  const [from, to] = ends.map((one) => one?.charCodeAt(0));
  return from === undefined || to === undefined ? null : Math.max(0, to - from + 1);
}

/** They give so many of what they are asked of. */
const SOME = /^(?:limit|first|last|take|sample|min|max|min_by|max_by|pop|shift)$/;

function ofCall(body: Body, node: Syntax, ask: Ask): number | null {
  const { file } = body;
  const receiver = child(node, 'receiver');
  const name = textOf(file, child(node, 'method') ?? node);
  const { positional, keywords, splats } = argumentsOf(file, node);
  const [first, ...others] = positional;
  if (!receiver || splats.length > 0) return null;
  if (SOME.test(name) && first && others.length === 0) return ask.number(first);
  const own = textOf(file, receiver);
  switch (name) {
    case 'new':
      return own === 'Array' ? ask.number(first) : own === 'Set' && first ? ask.items(first) : null;
    case 'fetch':
    case 'dig':
      return others.length === 0 ? greatest(heldIn(body, node).map(ask.items)) : null;
    case 'merge':
      return keywords.size > 0 && !first ? sum([ask.items(receiver), keywords.size]) : null;
    case 'including':
      return sum([ask.items(receiver), positional.length]);
    case 'excluding':
      return ask.items(receiver);
    case 'partition':
      return 2;
    case 'split':
      return words(body, receiver, first);
    case 'cycle': {
      const [items, times] = [ask.items(receiver), ask.number(first)];
      return items === null || times === null ? null : items * times;
    }
    case 'find':
      return first?.type === 'array' && others.length === 0 ? ask.items(first) : null;
    default:
      return null;
  }
}

/** `"a b".split`, `"a,b".split(",")` */
function words({ file }: Body, text: Syntax, sign: Syntax | undefined): number | null {
  const inner = (node: Syntax) =>
    node.type === 'string' ? /^(["'])([^#\\]*)\1$/.exec(textOf(file, node))?.[2] : undefined;
  const [whole, by] = [inner(text), sign ? inner(sign) : ' '];
  if (whole === undefined || !by) return null;
  return (by === ' ' ? whole.trim().split(/\s+/) : whole.split(by)).length;
}
