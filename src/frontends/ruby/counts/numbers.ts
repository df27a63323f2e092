// Which number stands somewhere, or what it is at most: in a variable, a constant, a calculation. How long collections are is asked back.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldBy, isConstant } from '../names/held.ts';
import { givenIn, isSet, mentionsOf } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';

/** How many, and whether there may be fewer. */
export interface Length {
  times: number;
  atMost?: true;
}

export const exactly = (times: number | null): Length | null => (times === null ? null : { times });
export const atMost = (times: number | null): Length | null =>
  times === null ? null : { times, atMost: true };

export type Sizes = (node: Syntax) => number | null;

const DEEP = 12;

export function number(body: Body, node: Syntax | undefined, sizes: Sizes, depth = 0): Length | null {
  if (!node || depth > DEEP) return null;
  const below = (one: Syntax | undefined) => number(body, one, sizes, depth + 1);
  switch (node.type) {
    case 'integer': {
      const value = Number(textOf(body.file, node).replaceAll('_', ''));
      return Number.isFinite(value) ? { times: value } : null;
    }
    case 'identifier':
    case 'instance_variable':
      return below(onlyValue(body, node));
    case 'constant':
    case 'scope_resolution': {
      const held = heldBy(body, node);
      return held === node ? null : below(held);
    }
    case 'parenthesized_statements':
      return parts(node).length === 1 ? below(parts(node)[0]) : null;
    case 'binary':
      return calculated(body, node, below);
    case 'call':
      return ofCall(body, node, sizes, below);
    default:
      return null;
  }
}

/** What a variable is given, where that is done once and nothing else gives it a value. */
export function onlyValue({ file, locals, owner }: Body, node: Syntax): Syntax | undefined {
  const name = textOf(file, node);
  const ofObject = node.type === 'instance_variable';
  const given = locals.get(name)?.value;
  if (!ofObject && !isConstant(node) && given && given.parent?.type !== 'assignment') return undefined;
  const routines = ofObject ? owner.methods.map((one) => one.node) : [];
  const { sets, parameters } = ofObject
    ? { sets: mentionsOf(file, name, routines).filter(isSet), parameters: [] }
    : givenIn(file, name, routineOf(node));
  if (parameters.length > 0) return undefined;
  const [only, ...more] = sets;
  const to = only?.parent;
  return more.length === 0 && to?.type === 'assignment' && only!.field === 'left'
    ? child(to, 'right')
    : undefined;
}

function calculated(body: Body, node: Syntax, below: (one?: Syntax) => Length | null): Length | null {
  const sign = textOf(body.file, child(node, 'operator') ?? node);
  const [left, right] = [below(child(node, 'left')), below(child(node, 'right'))];
  // What remains is less, whatever is divided.
  if (sign === '%') return right && right.times > 0 ? { times: right.times - 1, atMost: true } : null;
  if (!left || !right) return null;
  const fewer = (left.atMost ?? right.atMost) ? { atMost: true as const } : {};
  switch (sign) {
    case '+':
      return { times: left.times + right.times, ...fewer };
    case '*':
      return { times: left.times * right.times, ...fewer };
    case '-':
      return right.atMost
        ? { times: left.times, atMost: true }
        : { times: left.times - right.times, ...fewer };
    case '/':
      return right.times > 0 && !right.atMost
        ? { times: Math.floor(left.times / right.times), ...fewer }
        : null;
    case '**':
      return left.times ** right.times <= 1e6 ? { times: left.times ** right.times, ...fewer } : null;
    default:
      return null;
  }
}

function ofCall(
  body: Body,
  node: Syntax,
  sizes: Sizes,
  below: (one?: Syntax) => Length | null,
): Length | null {
  const { file } = body;
  const receiver = child(node, 'receiver');
  const name = textOf(file, child(node, 'method') ?? node);
  const { positional, block } = argumentsOf(file, node);
  const [first, second] = positional;
  if (/^(rand|random_number)$/.test(name) && first) {
    const end = first.type === 'range' ? child(first, 'end') : first;
    return atMost(below(end)?.times ?? null);
  }
  if (!receiver) return null;
  if (/^(size|length|count)$/.test(name)) return first || block ? null : exactly(sizes(receiver));
  if (/^(to_i|abs|floor|ceil|round|itself|freeze)$/.test(name)) return first ? null : below(receiver);
  if (name === 'clamp') {
    const end = first?.type === 'range' ? child(first, 'end') : second;
    return atMost(below(end)?.times ?? null);
  }
  if (/^(min|max)$/.test(name) && receiver.type === 'array' && !first && !block) {
    const all = parts(receiver).map((one) => below(one)?.times ?? null);
    const told = all.filter((one) => one !== null) as number[];
    // The least of several is no more than any of them.
    if (name === 'min') return told.length > 0 ? atMost(Math.min(...told)) : null;
    return told.length === all.length && told.length > 0 ? atMost(Math.max(...told)) : null;
  }
  return null;
}
