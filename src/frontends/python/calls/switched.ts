// Which callbacks of models a function has switched off where a call stands: `post_save.disconnect(notify, sender=Order)`. What is connected is said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { argument, keyword } from '../names/arguments.ts';
import { functionAround } from '../names/assignments.ts';
import { canonical, signal } from '../names/knowledge.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** What a callback is called there by who connects it, and by who disconnects it. */
export const groupOf = (signal: string, handler: string, model: string): string =>
  [signal, handler, model].map(lastOf).join(' ');

/** A folder of sources may stand before the module of the one, and not of the other. */
const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

const SWITCHES = /^(?:dis)?connect$/;

/** The calls of a function that switch one off, or on again. */
const switchesIn = kept(({ file }, around: Syntax) => {
  const out: Syntax[] = [];
  const stack = textOf(file, around).includes('.disconnect(') ? [around] : [];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const callee = node.type === 'call' ? child(node, 'function') : undefined;
    if (callee?.type === 'attribute' && SWITCHES.test(textOf(file, child(callee, 'attribute'))))
      out.push(node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
});

/** `post_save.disconnect(notify, sender=Order)`, `post_save.connect(notify, sender=Order)` */
function switched(c: Place, call: Syntax): { group: string; isOff: boolean } | undefined {
  const callee = child(call, 'function')!;
  const handler = argument(call, 0) ?? keyword(c, call, 'receiver');
  const [by, path, model] = [child(callee, 'object'), handler, keyword(c, call, 'sender')].map(
    (one) => resolve(c, one)?.path,
  );
  if (!by || !signal(canonical(by)) || !path || !model) return undefined;
  const isOff = textOf(c.file, child(callee, 'attribute')) === 'disconnect';
  return { group: groupOf(canonical(by), path, canonical(model)), isOff };
}

export function switchedOff(c: Place, node: Syntax): string[] {
  const around = functionAround(node);
  const all = around ? switchesIn(c, around).filter((one) => one.end <= node.start) : [];
  const off = new Set<string>();
  for (const one of all.sort((a, b) => a.start - b.start)) {
    const its = switched(c, one);
    const block = one.parent?.parent;
    // One that a condition switches off may be on.
    const isSure = block && block.start <= node.start && node.end <= block.end;
    if (its?.isOff && isSure) off.add(its.group);
    else if (its && !its.isOff) off.delete(its.group);
  }
  return [...off];
}

/** What is switched on again where it was switched off is connected elsewhere. */
export function isSwitchedBack(c: Place, call: Syntax): boolean {
  const around = functionAround(call);
  if (!around) return false;
  const own = switched(c, call);
  return switchesIn(c, around).some((one) => {
    const its = own && switched(c, one);
    return its?.isOff === true && its.group === own!.group;
  });
}
