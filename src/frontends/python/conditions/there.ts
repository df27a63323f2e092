// What a condition around has found to be there before it is handed on. What callers say of it is elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { type File, kept, type Place, textOf } from '../names/scope.ts';
import { assigned } from './once.ts';

/** `if user: notify(user)`, and behind `if not user: return`, unless it got another value since. */
export function isAskedFor(c: Place, node: Syntax): boolean {
  if (node.type !== 'identifier' && node.type !== 'attribute') return false;
  const name = textOf(c.file, node);
  if (!askedIn(c, c.file).has(name)) return false;
  const isSame = (from: number) => !assigned(c.file.text.slice(from, node.start), name);
  let under: Syntax = node;
  for (let at = node.parent; at && !ENDS.has(at.type); under = at, at = at.parent) {
    if (ASKS.has(at.type) && under.field === 'consequence') {
      if (asks(c, child(at, 'condition'), name)) return isSame(under.start);
    } else if (at.type === 'block') {
      const before = at.children.slice(0, at.children.indexOf(under));
      const left = before.findLast((one) => leavesWithout(c, one, name));
      if (left) return isSame(left.end);
    }
  }
  return false;
}

/** What conditions of a file begin with, or have behind such a word: most arguments are not among these. */
const askedIn = kept((_, { text }: File) => {
  const names = new Set<string>();
  // Each word by itself: a pattern that begins with either is a hundredth of all that a large tree of Python takes.
  for (const word of ['if', 'and'])
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ASKED.lastIndex)) {
      ASKED.lastIndex = at + word.length;
      const name = /\w/.test(text.charAt(at - 1)) ? undefined : ASKED.exec(text)?.[1];
      if (name !== undefined) names.add(name);
      else ASKED.lastIndex = at + word.length;
    }
  return names;
});
const ASKED = /[\s(]+(?:not\s+)?([\w.]+)/y;

const ENDS = new Set(['function_definition', 'lambda', 'class_definition', 'module']);
const ASKS = new Set(['if_statement', 'elif_clause']);

/** It holds only where that is true, or where that and more is. */
function asks(c: Place, condition: Syntax | undefined, name: string): boolean {
  if (condition?.type === 'boolean_operator' && textOf(c.file, child(condition, 'operator')) === 'and')
    return ['left', 'right'].some((side) => asks(c, child(condition, side), name));
  return textOf(c.file, condition) === name;
}

/** `if not user: return` */
function leavesWithout(c: Place, node: Syntax, name: string): boolean {
  if (node.type !== 'if_statement') return false;
  const condition = child(node, 'condition');
  if (condition?.type !== 'not_operator' || textOf(c.file, condition.children.at(-1)) !== name) return false;
  return LEAVES.test(child(node, 'consequence')?.children.at(-1)?.type ?? '');
}

const LEAVES = /^(return|continue|raise|break)_statement$/;
