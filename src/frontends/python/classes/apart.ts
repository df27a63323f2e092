// What says that no request's transaction is to be around it: a decorator, and what a class says for its methods. Not what requests run.
import type { Argument } from '../../../framework.ts';
import type { Unit } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { argument, given } from '../names/arguments.ts';
import { keepsApart } from '../names/knowledge.ts';
import { type ClassInfo, type File, kept, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { methodOf } from './classes.ts';
import { calledAs } from './entries.ts';

const NOWHERE: string[] = [];

/** The connections on which a function says by its decorators that no request's transaction is to be around it. */
export function apartOn(place: Place, marks: Syntax[]): string[] {
  const names = apartIn(place, place.file);
  if (names.length === 0) return NOWHERE;
  return marks.flatMap((one) => {
    const itself = keepsApart.get(calledAs(place, one));
    const name = names.find((other) => textOf(place.file, one).includes(other));
    const connection = itself ?? (name === undefined ? undefined : keepsApart.get(name));
    if (connection === undefined) return [];
    return [using(place, itself === undefined ? argument(one, 0) : one, connection)];
  });
}

function using(place: Place, call: Syntax | undefined, connection: Argument): string {
  const its = call?.type === 'call' ? given(place, call, connection) : undefined;
  const on = its ? constantText(place, its) : undefined;
  return on === undefined || on === 'default' ? '' : on;
}

/** Those that are handed to what says it, which marks the function itself: `path("load/", non_atomic_requests(views.load))`. */
export function handedApart(place: Place, root: Syntax): NonNullable<Unit['apart']> {
  if (apartIn(place, place.file).length === 0) return [];
  const found: NonNullable<Unit['apart']> = [];
  const stack = [...root.children];
  for (let node = stack.pop(); node; node = stack.pop()) {
    stack.push(...node.children);
    if (node.type !== 'call' || node.parent?.type === 'decorator') continue;
    const callee = child(node, 'function');
    // `non_atomic_requests(using="logs")(view)`
    const mark = callee?.type === 'call' ? callee : node;
    const connection = keepsApart.get(calledAs(place, mark));
    const path = connection === undefined ? undefined : viewOf(place, argument(node, 0));
    if (path)
      found.push({ of: `python:${path}`, on: using(place, mark === node ? undefined : mark, connection!) });
  }
  return found;
}

/** A function, the class of `Load.as_view()`, or what another decorator goes around. */
function viewOf(place: Place, node: Syntax | undefined): string | undefined {
  const callee = node?.type === 'call' ? child(node, 'function') : undefined;
  if (!node || !callee) return node && resolve(place, node)?.path;
  const serves = callee.type === 'attribute' && textOf(place.file, child(callee, 'attribute')) === 'as_view';
  return serves ? resolve(place, child(callee, 'object'))?.path : viewOf(place, argument(node, 0));
}

/**
 * What a class says of that for its methods, and for those of whoever descends from it: over itself, over its `dispatch()`,
 * or around what its `as_view()` gives. A `dispatch()` that says nothing takes the place of one above that does.
 */
export function keptApart(place: Place, { node, methods }: ClassInfo): string[] | undefined {
  const over = (one: Syntax | null) => (one?.type === 'decorated_definition' ? one.children : []);
  const [dispatch, view] = ['dispatch', 'as_view'].map((name) =>
    methods.has(name) ? methodOf(place, node, name) : undefined,
  );
  const above = [...over(node.parent), ...over(dispatch?.parent ?? null)];
  const marks = above.flatMap((one) => (one.type === 'decorator' ? one.children.slice(0, 1) : []));
  const apart = apartOn(place, [...marks, ...(view ? returnedBy(view) : [])]);
  return apart.length > 0 || dispatch ? apart : undefined;
}

/** `return non_atomic_requests(super().as_view(**initkwargs))` */
const returnedBy = (method: Syntax): Syntax[] =>
  (child(method, 'body')?.children ?? []).flatMap((one) =>
    one.type === 'return_statement' ? one.children.filter(({ type }) => type === 'call') : [],
  );

/** Most files have none. */
const apartIn = kept((_, file: File) => [...keepsApart.keys()].filter((name) => file.text.includes(name)));
