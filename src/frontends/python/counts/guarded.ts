// How many items there are at most behind a check that lets no more pass: `if len(rows) > 50: raise`. It asks no caller.
import { child, type Syntax } from '../../syntax.ts';
import { functionAround, given } from '../names/assignments.ts';
import { type Place, textOf } from '../names/scope.ts';
import { mostOf } from './counted.ts';
import { growsBy } from './lengths.ts';
import { atMost, type Many } from './made.ts';

const ASKED = /^(?:identifier|attribute|subscript)$/;
const STATEMENTS = /^(?:block|module)$/;
const LEAVES = /^(?:raise|return|continue|break)_statement$/;

export function guarded(c: Place, node: Syntax): Many | undefined {
  const around = ASKED.test(node.type) ? functionAround(node) : null;
  const name = textOf(c.file, node);
  if (!around || /[(\s]/.test(name)) return undefined;
  const text = c.file.text.slice(around.start, node.start);
  if (!text.includes(`len(${name})`) && !text.includes(`${name}.count()`)) return undefined;
  for (let at: Syntax = node; at.parent && at !== around; at = at.parent) {
    const most = STATEMENTS.test(at.parent.type) ? checkedBefore(c, at, name) : null;
    const inside = at.parent.type === 'if_statement' && at.field === 'consequence' ? at.parent : undefined;
    const within = inside && mostIf(c, child(inside, 'condition'), name, true);
    const found = most ?? (within != null ? { most: within, from: inside! } : null);
    if (found) return stays(c, node, name, found.from) ? atMost(found.most) : undefined;
  }
  return undefined;
}

/** By a statement in the same block, or one around it. */
function checkedBefore(c: Place, statement: Syntax, name: string): { most: number; from: Syntax } | null {
  const all = statement.parent!.children;
  for (let i = all.indexOf(statement) - 1; i >= 0; i--) {
    const one = all[i]!;
    const most =
      one.type === 'if_statement' && leaves(one)
        ? mostIf(c, child(one, 'condition'), name, false)
        : one.type === 'assert_statement'
          ? mostIf(c, one.children[0], name, true)
          : null;
    if (most !== null) return { most, from: one };
  }
  return null;
}

/** Nothing goes on behind it. */
function leaves(condition: Syntax): boolean {
  const last = child(condition, 'consequence')?.children.findLast(({ type }) => type !== 'comment');
  return last !== undefined && LEAVES.test(last.type);
}

/** How many there are where a condition holds, or where it does not: of several that must hold one says it. */
function mostIf(c: Place, condition: Syntax | undefined, name: string, holds: boolean): number | null {
  if (condition?.type === 'parenthesized_expression') return mostIf(c, condition.children[0], name, holds);
  if (condition?.type === 'boolean_operator') {
    if (textOf(c.file, child(condition, 'operator')) !== (holds ? 'and' : 'or')) return null;
    return (
      mostIf(c, child(condition, 'left'), name, holds) ?? mostIf(c, child(condition, 'right'), name, holds)
    );
  }
  if (condition?.type !== 'comparison_operator') return null;
  const [left, sign, right, more] = condition.children;
  if (!left || !sign || !right || more) return null;
  const isTurned = isLength(c, right, name);
  if (!isTurned && !isLength(c, left, name)) return null;
  const most = mostOf(c, isTurned ? left : right);
  const beyond = BEYOND[isTurned ? TURNED[sign.type]! : sign.type]?.[holds ? 0 : 1];
  return most === null || beyond === undefined ? null : most + beyond;
}

const isLength = ({ file }: Place, node: Syntax, name: string): boolean => {
  const text = textOf(file, node);
  return text === `len(${name})` || text === `${name}.count()`;
};

const TURNED: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' };
/** How many more than the number there may be where such a comparison holds, and where it does not. */
const BEYOND: Record<string, [number | undefined, number | undefined]> = {
  '<': [-1, undefined],
  '<=': [0, undefined],
  '==': [0, undefined],
  '>': [undefined, 0],
  '>=': [undefined, -1],
  '!=': [undefined, 0],
};

/** Nothing gives it another value from there on, nor adds to it. */
function stays(c: Place, node: Syntax, name: string, from: Syntax): boolean {
  const root = /^\w+/.exec(name)?.[0] ?? '';
  const around = functionAround(node)!;
  const all = given(c, child(around, 'body') ?? around).get(root) ?? [];
  if (all.some(({ start }) => start > from.start)) return false;
  if (name === root) return !growsBy(c, node, name);
  const text = c.file.text.slice(from.end, around.end);
  return ADDS.every((adds) => !text.includes(`${name}${adds}`));
}

const ADDS = [' =', '=', ' +=', '.append(', '.extend(', '.add(', '.insert(', '.update('];
