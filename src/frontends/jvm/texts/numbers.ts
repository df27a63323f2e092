// What a number comes to at most that stands in an expression: `MAX + 1`, `Math.min(rows.size(), 10)`. How long collections are, turnsOver says.
import type { Constants } from '../names/scope.ts';
import type { Call, Choice, Node } from '../syntax/syntax.ts';

/** What an expression is read with. */
export interface Reading {
  text: string;
  constants: Constants;
  /** How many items there are at most. */
  lengthOf(list: Node, depth: number): Most | null;
}

export interface Most {
  most: number;
  /** It is so many. */
  exact?: true;
}

/** A part of an expression, and the operator before it. */
export interface Part {
  node: Node;
  operator: string;
}

/** How deep an expression is read; two names may be made of each other. */
export const DEEPEST = 40;
/** What following a name counts for. */
export const NAME = 10;
/** What is longer counts nothing. */
const LONGEST = 200;
const NUMBER = /^\d[\d_]*L?$/i;

const exactly = (most: number): Most => ({ most, exact: true });

export function mostOf(node: Node | null | undefined, reading: Reading, depth = 0): Most | null {
  if (!node || depth > DEEPEST || node.end - node.start > LONGEST) return null;
  switch (node.kind) {
    case 'literal':
      return NUMBER.test(node.text) ? exactly(Number.parseInt(node.text.replaceAll('_', ''), 10)) : null;
    case 'cast':
      return mostOf(node.value, reading, depth + 1);
    case 'several': {
      const [only, ...more] = node.items;
      // `i++` is another one behind.
      const isPlain = only && more.length === 0 && !/\+\+|--/.test(reading.text.slice(node.start, node.end));
      return isPlain ? mostOf(only, reading, depth + 1) : null;
    }
    case 'choice':
      return greatest(armsOf(node), reading, depth);
    case 'concat':
      return sumOf(flat(node, reading.text), reading, depth);
    case 'member':
    case 'name':
    case 'call':
      return lengthIn(node, reading, depth) ?? held(node, reading, depth);
    default:
      return null;
  }
}

function held(node: Node, reading: Reading, depth: number): Most | null {
  const own = node.kind === 'call' ? limited(node, reading, depth) : null;
  const found = own ? null : reading.constants(node);
  return found && found !== node ? mostOf(found, reading, depth + NAME) : own;
}

/** `all.length`, `all.size()`, `all.size`, `all.lastIndex` */
function lengthIn(node: Node, { lengthOf }: Reading, depth: number): Most | null {
  if (node.kind !== 'member' && (node.kind !== 'call' || node.arguments.length > 0)) return null;
  if (!node.object || !/^(length|size|count|lastIndex)$/.test(node.name)) return null;
  const found = lengthOf(node.object, depth + 1);
  return found && node.name === 'lastIndex' ? { ...found, most: found.most - 1 } : found;
}

/** `Math.min(n, 10)`, `minOf(n, 10)`, `n.coerceAtMost(10)`, and the greater one of two. */
function limited({ name, object, arguments: given }: Call, reading: Reading, depth: number): Most | null {
  const values = given.map(({ value }) => mostOf(value, reading, depth + 1));
  const owner = object?.kind === 'name' ? object.text : '';
  const isStatic = object ? /^(Math|Integer|Long|StrictMath)$/.test(owner) : /^(min|max)(Of)?$/.test(name);
  if (isStatic && /^min(Of)?$/.test(name)) return least(values);
  if (isStatic && /^max(Of)?$/.test(name)) return greatestOf(values);
  const own = () => mostOf(object, reading, depth + 1);
  if (name === 'coerceAtMost' && values.length === 1) return least([own(), values[0]!]);
  if (name === 'coerceAtLeast' && values.length === 1) return greatestOf([own(), values[0]!]);
  return name === 'coerceIn' && values.length === 2 && values[1] ? { most: values[1].most } : null;
}

function least(values: (Most | null)[]): Most | null {
  const known = values.filter((one) => one !== null);
  if (known.length === 0) return null;
  const most = Math.min(...known.map((one) => one.most));
  return known.length === values.length && known.every(({ exact }) => exact) ? exactly(most) : { most };
}

function greatestOf(values: (Most | null)[]): Most | null {
  const known = values.filter((one) => one !== null);
  if (known.length === 0 || known.length < values.length) return null;
  const most = Math.max(...known.map((one) => one.most));
  return known.every(({ exact }) => exact) && known.length > 1 ? exactly(most) : { most };
}

function greatest(all: Node[], reading: Reading, depth: number): Most | null {
  const found = greatestOf(all.map((one) => mostOf(one, reading, depth + 1)));
  return found && { most: found.most };
}

/** Both of `quick ? FEW : MANY`; of what has no other arm nobody knows. */
export const armsOf = ({ arms, exhaustive, isElse }: Choice): Node[] =>
  (exhaustive && !isElse ? arms : []).map((arm) =>
    (arm.kind === 'several' || arm.kind === 'sequence') && arm.items.length === 1 ? arm.items[0]! : arm,
  );

// ---- operators, which the tree does not keep

/** The operands of `a + b * c`, each with the operator before it; what stands in brackets is one of them. */
export function flat(node: Node, text: string): Part[] {
  if (node.kind !== 'concat') return [{ node, operator: '' }];
  const out: Part[] = [];
  let at = node.start;
  for (const part of node.parts) {
    const between = text.slice(at, part.start);
    const inner = between.includes('(') ? [{ node: part, operator: '' }] : flat(part, text);
    inner[0]!.operator ||= between.replace(/[()\s]/g, '');
    for (const one of inner) out.push(one);
    at = part.end;
  }
  return out;
}

/** Products first, then what is added to them and taken away. */
export function sumOf(parts: Part[], reading: Reading, depth = 0): Most | null {
  let sum: Most | null = null;
  let factor: Most | null = null;
  let takes = false;
  const add = (): boolean => {
    if (!factor || (takes && !factor.exact)) return false;
    const most: number = (sum?.most ?? 0) + (takes ? -factor.most : factor.most);
    sum = (sum?.exact ?? true) && factor.exact ? exactly(most) : { most };
    return true;
  };
  for (const [i, { node, operator }] of parts.entries()) {
    const value = mostOf(node, reading, depth + 1);
    if (!value || !/^[-+*/]?$/.test(operator) || i > 0 !== operator.length > 0) return null;
    if (operator === '*' || operator === '/') {
      if (operator === '/' && (!value.exact || value.most === 0)) return null;
      const most: number =
        operator === '*' ? factor!.most * value.most : Math.floor(factor!.most / value.most);
      factor = factor!.exact && value.exact ? exactly(most) : { most };
    } else {
      if (factor && !add()) return null;
      factor = value;
      takes = operator === '-';
    }
  }
  return add() ? sum : null;
}
