// What others go over when the caller is done. What it does is lowered elsewhere.
import type { Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Understood } from '../calls/understood.ts';
import { methodOf } from '../classes/classes.ts';
import { given } from '../names/arguments.ts';
import { isGenerator } from '../names/generators.ts';
import { type Place, textOf } from '../names/scope.ts';

/** `StreamingHttpResponse(rows())`: what a generator does it does later. */
export function streamed(c: Place, call: Understood | undefined, value: Syntax, read: () => Step[]): Step[] {
  const which = call?.meaning?.streams;
  if (which === undefined || value !== given(c, call!.node, which)) return read();
  if (value.type === 'generator_expression') return [];
  if (value.type !== 'call' || givesAtOnce(c, value)) return read();
  const steps = read();
  const last = steps.at(-1);
  return last?.kind === 'call' ? [...steps.slice(0, -1), { ...last, elsewhere: true }] : steps;
}

/** A function of the file, or a method of the class, that does not yield. */
function givesAtOnce(c: Place, call: Syntax): boolean {
  const callee = textOf(c.file, child(call, 'function'));
  const method = c.cls && /^self\.\w+$/.test(callee) ? methodOf(c, c.cls.node, callee.slice(5)) : undefined;
  const all = c.file.root.children.filter(({ type }) => type === 'function_definition');
  const its = method ?? all.find((one) => textOf(c.file, child(one, 'name')) === callee);
  return its !== undefined && !isGenerator(its);
}
