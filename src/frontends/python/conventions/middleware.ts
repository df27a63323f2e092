// Middleware of Django's that puts a transaction around each request, as a setting of whoever lists it. Its own steps are lowered elsewhere.
import { inside, type Setting, type Step, type Unit } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { defined, methodOf } from '../classes/classes.ts';
import { type Place, textOf } from '../names/scope.ts';
import { constantText } from '../names/values.ts';

const AROUND = 'transaction around requests';

/** `MIDDLEWARE = ["shop.middleware.in_transaction"]`: another file says what that does. */
export function listed({ file, ...place }: Place, list: Syntax): Setting[] {
  return list.children.flatMap((one): Setting[] => {
    if (/^(?:list|tuple)$/.test(one.type)) return listed({ file, ...place }, one);
    const path = one.type === 'string' ? constantText({ file, ...place }, one) : undefined;
    if (!path?.includes('.') || path.startsWith('django.')) return [];
    return [
      {
        at: { start: one.start, end: one.end },
        key: 'MIDDLEWARE',
        value: path,
        effect: 'is said by another',
        means: { [AROUND]: 'requests run in a transaction' },
        of: 'django',
      },
    ];
  });
}

/** `with transaction.atomic(): return get_response(request)`, of a function that is given that or an object that keeps it. */
export function middleware(place: Place, root: Syntax, unit: Unit): Setting[] {
  if (!place.file.text.includes('get_response')) return [];
  return root.children.flatMap((one) => {
    const node = defined(one);
    const name = node && /_definition$/.test(node.type) ? textOf(place.file, child(node, 'name')) : '';
    const handles = node?.type === 'class_definition' ? methodOf(place, node, '__call__') : node;
    const path = `python:${place.file.module}.${name}`;
    const its = unit.routines.find(
      (routine) => routine.name === (handles === node ? path : `${path}.__call__`),
    );
    if (name === '' || !handles || !its || asksForMore(textOf(place.file, handles))) return [];
    return its.body.some(isAround) ? said(`${place.file.module}.${name}`, handles) : [];
  });
}

/** What only reads may be left out; by anything else some requests may be that write. */
const asksForMore = (text: string): boolean =>
  [...text.matchAll(/\bif\b(.*)/g)].some(([, condition]) => !/\bmethod\b/.test(condition!));

const isAround = (step: Step): boolean =>
  (step.kind === 'scope' &&
    step.opens === 'transaction' &&
    step.on === undefined &&
    !step.certainty &&
    step.body.some(handsOn)) ||
  (step.kind === 'attempt' && step.body.some(isAround));

const handsOn = (step: Step): boolean =>
  step.kind === 'yield' ||
  (step.kind === 'call' && step.callee.endsWith('.get_response')) ||
  inside(step).some((list) => list.some(handsOn));

/** A project may begin in a folder of the repository: whoever lists it begins there. */
function said(path: string, { start, end }: Syntax): Setting[] {
  const parts = path.split('.');
  return parts.slice(0, -1).map(
    (_, i): Setting => ({
      at: { start, end },
      key: parts.slice(i).join('.'),
      value: AROUND,
      effect: 'is said here',
      of: 'django',
    }),
  );
}
