// Whether a call stands for what it does, as nobody takes what it gives. Not what it does.
import { child } from '../../syntax.ts';
import { LETTERS } from '../../words.ts';
import type { Asked } from '../names/file.ts';
import { runsOnce } from '../names/mentions.ts';
import { type Text, textOf } from '../syntax.ts';

/** What these give back is not what their block gives: it is run for what it does. */
export const FOR_EFFECT = /^(each|each_with_index|reverse_each|find_each|each_record|each_value|times|tap)$/;

/** `order.cancel`, where nobody takes what it gives. */
export function isForEffect(file: Text, { name, node }: Asked): boolean {
  if (!PLAIN.test(name)) return false;
  let at = node;
  for (let around = at.parent; around; around = at.parent) {
    if (LIST.test(around.type)) {
      const last = around.children.findLast(({ type }) => !BESIDE.test(type));
      if (last !== at || around.type === 'program') return true;
      const block = around.parent && BLOCK.test(around.parent.type) ? around.parent : null;
      const method = block?.parent && child(block.parent, 'method');
      if (method && FOR_EFFECT.test(textOf(file, method))) return true;
      // What it gives is what its block gives.
      if (block?.parent && method && (runsOnce(file, block) || GIVES.test(textOf(file, method)))) {
        at = block.parent;
        continue;
      }
      if (method || !ARM.test(around.type)) return false;
    } else if (!CHOICE.test(around.type) || PART.test(at.field ?? '')) return false;
    at = around;
  }
  return false;
}

/** It is what a method does last, or in one of its arms, whose value may be what is wanted of it. */
export function isStatement({ name, node }: Pick<Asked, 'name' | 'node'>): boolean {
  if (!PLAIN.test(name)) return false;
  let at = node;
  for (let around = at.parent; around; around = at.parent) {
    if (around.type === 'body_statement') return true;
    const isArm = ARM.test(around.type) || (CHOICE.test(around.type) && !PART.test(at.field ?? ''));
    if (!isArm) return false;
    at = around;
  }
  return false;
}

/** The name of a method without a sign behind it. */
const PLAIN = new RegExp(`^(?![\\dA-Z_])[${LETTERS}]+$`);
/** They run their block once as well, or a part of it. */
const GIVES = /^(catch|timeout|tagged|suppress|handle)$/;
const LIST = /^(program|body_statement|block_body|then|else|begin)$/;
const BESIDE = /^(rescue|ensure|else)$/;
const BLOCK = /^(block|do_block)$/;
const ARM = /^(then|else|begin)$/;
/** What is asked, and not what is done then. */
const PART = /^(condition|value|pattern)$/;
const CHOICE = /^(if|unless|elsif|if_modifier|unless_modifier|case|when|rescue)$/;
