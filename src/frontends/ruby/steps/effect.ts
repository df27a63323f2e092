// Whether a call stands for what it does, as nobody takes what it gives. Not what it does.
import { child } from '../../syntax.ts';
import type { Asked } from '../names/file.ts';
import { type Text, textOf } from '../syntax.ts';

/** What these give back is not what their block gives: it is run for what it does. */
export const FOR_EFFECT = /^(each|each_with_index|reverse_each|find_each|each_record|each_value|times|tap)$/;

/** `order.cancel`, where nobody takes what it gives. */
export function isForEffect(file: Text, { name, node }: Asked): boolean {
  if (!/^[a-z]\w*$/.test(name)) return false;
  for (let at = node; at.parent; at = at.parent) {
    const around = at.parent;
    if (LIST.test(around.type)) {
      const last = around.children.findLast(({ type }) => !BESIDE.test(type));
      if (last !== at || around.type === 'program') return true;
      const call = around.parent && BLOCK.test(around.parent.type) ? around.parent.parent : null;
      const method = call && child(call, 'method');
      if (method) return FOR_EFFECT.test(textOf(file, method));
      if (!ARM.test(around.type)) return false;
    } else if (!CHOICE.test(around.type) || /^(condition|value|pattern)$/.test(at.field ?? '')) return false;
  }
  return false;
}

const LIST = /^(program|body_statement|block_body|then|else|begin)$/;
const BESIDE = /^(rescue|ensure|else)$/;
const BLOCK = /^(block|do_block)$/;
const ARM = /^(then|else|begin)$/;
const CHOICE = /^(if|unless|elsif|if_modifier|unless_modifier|case|when|rescue)$/;
