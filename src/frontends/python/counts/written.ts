// Which texts a list has that is written out. How many items it has is said elsewhere.
import type { Given } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import { type Place, textOf } from '../names/scope.ts';
import { collection } from './lengths.ts';

/** All of them, where each is written out. */
export function textsOf(c: Place, all: Syntax[]): string[] | undefined {
  const out = all.flatMap((one) =>
    one.type === 'string' ? (WORD.exec(textOf(c.file, one))?.[2] ?? []) : [],
  );
  return out.length > 0 && out.length === all.length ? out : undefined;
}

const WORD = /^(['"])(\w{1,63})\1$/;

/** `update_fields=["state"]` */
export function withTexts(c: Place, value: Syntax, its: Given): Given {
  if (typeof its !== 'object' || its === null || !('items' in its) || its.atMost) return its;
  const list = its.items > 0 && its.items <= FEW ? collection(c, value, 1) : undefined;
  const texts = list && list.type !== 'dictionary' ? textsOf(c, list.children) : undefined;
  return texts ? { ...its, texts } : its;
}

const FEW = 8;
