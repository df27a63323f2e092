// On which connection a call works: `using='reporting'`, or the parameter by which a caller names one.
import type { Meaning } from '../../../framework.ts';
import { child, type Syntax } from '../../syntax.ts';
import { given } from './arguments.ts';
import { usualValue } from './assignments.ts';
import { isForwarded } from './forwarded.ts';
import { api, canonical } from './knowledge.ts';
import { isParameter } from './parameters.ts';
import { type Place, type Type, textOf } from './scope.ts';
import { constantText, resolve } from './values.ts';

/** Parameters that are handed a function, by their names: `return transaction.atomic(func)`. */
const CALLABLE = /^(fn?|func|function|view|view_func|method|callback|handler|wrapped)$/;

/** `using='reporting'` is another connection. A transaction whose alias is computed is taken for one of its own, a write is not. */
export function aliasOf(c: Place, node: Syntax, its: Meaning, receiver?: Type): string | undefined {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  if (!at || at.type === 'none') return receiver?.on;
  const text = constantText(c, at);
  if (text !== undefined) return text === 'default' ? undefined : text;
  if (!its.scope && !its.flat && !its.dooms) return receiver?.on;
  if (/^(identifier|attribute)$/.test(at.type)) {
    const value = resolve(c, at);
    if (value?.parameter && CALLABLE.test(textOf(c.file, at))) return undefined;
    if (value?.parameter && isUsual(c, at)) return receiver?.on;
    // `atomic(view)`: what is wrapped stands where the alias would.
    if (value?.path && !/DEFAULT/.test(value.path) && !/^[A-Z_]+$/.test(value.path.split('.').at(-1)!))
      return undefined;
    if (/DEFAULT/.test(textOf(c.file, at))) return undefined;
    return textOf(c.file, at);
  }
  if (at.type === 'lambda') return undefined;
  const chooser = at.type === 'call' ? child(at, 'function') : undefined;
  const choice = api(canonical(resolve(c, chooser)?.path ?? ''))?.alias;
  if (!choice) return textOf(c.file, at).slice(0, 60);
  // Two models that are named may be in two databases.
  const [, model] = MODEL.exec(textOf(c.file, child(at, 'arguments'))) ?? [];
  return model ? `${choice}(${model})` : choice;
}

const MODEL = /^\(\s*(?:\w+\.)*([A-Z]\w*)\s*[,)]/;

const isUsual = (c: Place, at: Syntax): boolean =>
  /^(None|["']default["']|DEFAULT_DB_ALIAS)$/.test(textOf(c.file, usualValue(c, at, textOf(c.file, at))));

/** `def store(row, using='default')`: the parameter by which a caller names a connection. */
export function aliasBy(c: Place, node: Syntax, its: Meaning): string | undefined {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  if (!at && its.scope && typeof its.on === 'object') {
    const { keyword } = its.on;
    return isForwarded(c, node, { name: keyword, connection: 'default' }) ? keyword : undefined;
  }
  if (at?.type !== 'identifier' || !c.keeps || !isParameter(c, at, resolve(c, at))) return undefined;
  const name = textOf(c.file, at);
  if (CALLABLE.test(name)) return undefined;
  c.keeps.flags = true;
  c.keeps.connection = name;
  return name;
}

/** Whether a transaction's alias is one that aliasOf() only has a text for. */
export function isComputed(c: Place, node: Syntax, its: Meaning): boolean {
  const at = its.on !== undefined && node.type === 'call' ? given(c, node, its.on) : undefined;
  return at !== undefined && aliasOf(c, node, its) !== undefined && constantText(c, at) === undefined;
}
