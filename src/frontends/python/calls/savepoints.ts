// Transactions and savepoints by hand: which handle names one, and who else could release it. What runs between is elsewhere.
import type { Meaning } from '../../../framework.ts';
import type { Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { given } from '../names/arguments.ts';
import { type Place, textOf } from '../names/scope.ts';

/** `variable`: what the result is assigned to. */
export function flat(
  c: Place,
  node: Syntax,
  its: Meaning,
  base: { at: Span },
  variable: string | undefined,
): Step {
  const kind = its.flat!;
  if (kind === 'begin' && (its.sql !== undefined || its.scope || its.write || its.returns))
    return { kind, ...base, implied: true };
  if (kind === 'begin' || kind === 'commit' || kind === 'rollback') return { kind, ...base };
  if (kind === 'savepoint')
    return {
      kind,
      ...base,
      name: variable ?? null,
      ...(its.endedBy && staysHere(c, node, its.endedBy, variable) && { alone: true }),
    };
  const holder = its.name !== undefined && node.type === 'call' ? given(c, node, its.name) : undefined;
  const object = node.type === 'call' ? child(child(node, 'function')!, 'object') : undefined;
  const named = holder ?? (its.name === undefined ? object : undefined);
  return {
    kind,
    ...base,
    name: named && /^(identifier|attribute)$/.test(named.type) ? textOf(c.file, named) : null,
  };
}

/** Its handle is dropped, or is in a variable that nothing is done with but to release it and to roll back to it. */
function staysHere(c: Place, node: Syntax, endedBy: string[], variable: string | undefined): boolean {
  if (variable === undefined) return node.parent?.type === 'expression_statement';
  let around: Syntax | undefined;
  for (let at = node.parent; at; at = at.parent) if (at.type === 'function_definition') around = at;
  const text = textOf(c.file, around);
  const count = (pattern: string) => [...text.matchAll(new RegExp(pattern, 'g'))].length;
  const ends = count(`\\b(?:${endedBy.join('|')})\\(\\s*(?:\\w+\\s*=\\s*)?${variable}\\b`);
  return around !== undefined && count(`\\b${variable}\\b`) === ends + count(`\\b${variable}\\s*=(?!=)`);
}

/** Whether two blocks of its routine that begin with such words stand around it: then the inner one is a savepoint. */
export function isInner(c: Place, node: Syntax, words: string[]): boolean {
  let blocks = 0;
  for (let at = node.parent; at && blocks < 2; at = at.parent) {
    if (at.type === 'class_definition') break;
    const body = child(at, at.type === 'decorated_definition' ? 'definition' : 'body');
    if (!body || !/^(with_statement|decorated_definition)$/.test(at.type)) continue;
    const opening = c.file.text.slice(at.start, body.start);
    if (words.some((word) => opening.includes(word))) blocks++;
  }
  return blocks > 1;
}

/** What a statement does, it does on the connection that it is sent on. */
export function onThat(step: Step, { on, link }: Pick<Step, 'on' | 'link'>): Step {
  const where = { ...(on !== undefined && { on }), ...(link !== undefined && { link }) };
  if (step.kind === 'loop' || step.kind === 'block')
    return { ...step, body: step.body.map((one) => onThat(one, where)) };
  if (step.kind === 'branch')
    return { ...step, arms: step.arms.map((arm) => arm.map((one) => onThat(one, where))) };
  const isSent = step.kind === 'call' ? step.callee.startsWith('sql:') : SENT.has(step.kind);
  return isSent ? { ...step, ...where } : step;
}

const SENT = new Set<Step['kind']>([
  'begin', 'commit', 'rollback', 'savepoint', 'release', 'rollback to', 'write', 'row lock',
]); // biome-ignore format: one list
