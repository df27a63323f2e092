// What a method, or a lambda that is called as one, is given: its parameters as variables of its body. It lowers nothing.
import type { Routine } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { heldBy } from '../names/held.ts';
import { usual } from '../names/types.ts';
import { parts, textOf } from '../syntax.ts';

export function bindParameters(body: Body, node: Syntax | undefined): Routine['parameters'] {
  if (!node) return undefined;
  let required = 0;
  let total: number | null = 0;
  const names: (string | null)[] = [];
  for (const one of parts(node)) {
    const name = one.type === 'identifier' ? one : child(one, 'name');
    if (one.type !== 'block_parameter')
      names.push(name && !/splat/.test(one.type) ? textOf(body.file, name) : null);
    const value = child(one, 'value');
    if (name)
      body.locals.set(textOf(body.file, name), {
        ...usual(body, one),
        ...(value?.type === 'lambda' && { value }),
        given: true,
      });
    if (takesRest(body, one)) body.rest = name ? textOf(body.file, name) : '**';
    if (one.type === 'block_parameter') {
      body.blockName = name ? textOf(body.file, name) : '&';
      if (name) body.locals.delete(body.blockName);
    } else if (/splat|forward/.test(one.type)) total = null;
    else if (one.type === 'identifier' || one.type === 'destructured_parameter') required++;
    if (total !== null && one.type !== 'block_parameter') total++;
  }
  return { required, total: null, ...(names.some((name) => name !== null) ? { names } : {}) };
}

/** `**options`, `**`, `...`, `options = {}`, `options = OPTS` of an empty one, or of one that stands elsewhere. */
const takesRest = (body: Body, one: Syntax): boolean => {
  if (one.type !== 'optional_parameter') return /^(hash_splat|forward)_parameter$/.test(one.type);
  const value = child(one, 'value');
  const held = value && heldBy(body, value);
  return (
    held !== undefined && (/^\{\s*\}(\.freeze)?$/.test(textOf(body.file, held)) || held.type === 'constant')
  );
};
