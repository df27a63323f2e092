// What a `return` gives: a value, the text of a statement, a context manager that nobody has entered yet. Where it leads is said elsewhere.
import type { Name, Step } from '../../../ir.ts';
import { where } from '../../asked.ts';
import { child, type Syntax } from '../../syntax.ts';
import { understand } from '../calls/calls.ts';
import { decidedBy } from '../calls/flags.ts';
import { givesText } from '../calls/handed.ts';
import { orElse, ownOne } from '../calls/opens.ts';
import type { Understood } from '../calls/understood.ts';
import { calledAs } from '../classes/entries.ts';
import { fromAnnotation } from '../names/annotations.ts';
import { functionAround } from '../names/assignments.ts';
import { api, canonical, isHandle, isOfLink, isType } from '../names/knowledge.ts';
import { textOf } from '../names/scope.ts';
import { returnedName } from '../names/types.ts';
import { resolve } from '../names/values.ts';
import { asked } from './asks.ts';
import { type Body, calling, gather } from './expressions.ts';

export const unwrapped = (node: Syntax | undefined): Syntax | undefined =>
  node?.type === 'await' ? unwrapped(node.children[0]) : node;

export function returned(c: Body, node: Syntax): Step[] {
  const value = unwrapped(node.children.find((one) => one.type !== 'comment'));
  givesText(c, value);
  if (value && value.type !== 'none') {
    const type = resolve(c, value)?.type;
    c.keeps.own = c.keeps.own !== false && type?.own === true && type.path === c.cls?.path;
    c.returned.add(type ? (returnedName(type) ?? (isOfLink(type.path) ? type.path : null)) : null);
    if (type && isType(type.path)) c.keeps.given = type.path;
  }
  if (value?.type === 'conditional_expression') {
    const [yes, condition, no] = value.children;
    const arms = [yes, no].map((one) => manager(c, one));
    if (condition && arms.some((one) => one)) {
      const at = { start: value.start, end: value.end };
      const its = asked(c, condition);
      const [first, second] = arms.map((one, i) =>
        where(i === 0 ? its?.holds : its?.otherwise, one ?? [{ kind: 'yield', at }]),
      );
      const when = decidedBy(c, condition);
      const branch: Step = {
        kind: 'branch',
        at,
        arms: [first!, second!],
        exhaustive: true,
        ...(when && { when }),
      };
      return [...gather(c, [condition]), branch];
    }
  }
  return manager(c, value) ?? gather(c, node.children);
}

/** Whoever enters what is returned runs his block inside. */
function manager(c: Body, value: Syntax | undefined): Step[] | undefined {
  if (value?.type === 'call' && calledAs(c, value) === 'nullcontext')
    return [{ kind: 'yield', at: { start: value.start, end: value.end } }];
  if (value?.type !== 'call' || c.callbacksOf(c, value).length > 0) return undefined;
  const call = understand(c, value);
  const own = call?.meaning ? undefined : promised(c, value);
  const made = call?.callee && entersScope(c, call.callee);
  if (made)
    return calling(c, { ...call, callee: made }, { block: [{ kind: 'yield', at: call.at }], callbacks: [] });
  if (!call || !(own || isManager(c, call))) return own;
  return orElse(calling(c, call, { block: [{ kind: 'yield', at: call.at }], callbacks: [] }), own);
}

/** `return LoggedAtomic(using)` of a class of this file that is entered as what opens a scope: what entering it is called. */
function entersScope(c: Body, callee: Name): Name | undefined {
  const path = callee.endsWith('.__init__') ? callee.slice('python:'.length, -'.__init__'.length) : '';
  const opens = c.file.classes.get(path)?.bases.some((base) => api(canonical(base))?.scope);
  return opens ? `python:${path}.__enter__` : undefined;
}

/** `-> AbstractContextManager[Session]`: whoever enters what nobody knows gets one of its own. */
function promised(c: Body, value: Syntax): Step[] | undefined {
  const type = child(functionAround(value) ?? value, 'return_type');
  if (!type || !textOf(c.file, type).includes('ContextManager[')) return undefined;
  const item = fromAnnotation(c, type)?.type?.item;
  const at = { start: value.start, end: value.end };
  return item && isHandle(item.path) ? [ownOne(at, [{ kind: 'yield', at }], c.exit(item))] : undefined;
}

/** It does nothing before somebody enters it; or it is entered as what a class above has. */
const isManager = (c: Body, { callee, meaning, meant }: Understood): boolean =>
  [meaning, ...(meant ?? []).map((one) => one.meaning)].some((its) => its?.connects && its.returns)
    ? true
    : callee
      ? c.file.managers.has(callee.slice(callee.indexOf(':') + 1)) || /\.__a?enter__$/.test(callee)
      : meaning?.scope !== undefined && !meaning.inside && !meaning.scope.onMiss;
