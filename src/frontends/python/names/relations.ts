// What a related manager gives and makes, of whatever the relation leads to: `order.lines`. Managers of models are elsewhere.
import type { Meaning } from '../../../framework.ts';
import { classAttribute, member } from './knowledge.ts';
import type { Type, Value } from './scope.ts';

/** Methods of a queryset that give another one, and those that give one of it. */
const CHAINS =
  /^(all|filter|exclude|order_by|select_related|prefetch_related|distinct|annotate|only|defer|select_for_update|iterator|using|reverse)$/;
const PICKS = /^a?(get|first|last|earliest|latest|create|get_or_create|update_or_create)$/;

/** Whether a method of a queryset gives that again, or one of its rows. */
export const gives = (name: string, what: 'query' | 'row'): boolean =>
  (what === 'query' ? CHAINS : PICKS).test(name);

/** `order.lines.filter(…)` of a related manager, or of a queryset that a routine elsewhere returns. */
export function queried(type: Type, name: string): Value | undefined {
  if (!/(\)|\)\.\w+|\[\]\.\w+)$/.test(type.path) || type.path.includes('?')) return undefined;
  const item: Type = { path: `${type.path}[]`, fresh: false };
  if (CHAINS.test(name)) return { type: { ...type, item } };
  return PICKS.test(name) ? { type: item } : undefined;
}

/** The row that a related manager makes, of whatever the relation leads to: `possible` where that need be no model. */
export const madeBy = (type: Type, name: string, certainty: Type['certainty']): Type | undefined =>
  /create$/.test(name) && queried(type, 'get')
    ? { ...type, item: { path: `${type.path}[]`, certainty } }
    : undefined;

/** What `order.lines.create()` means. */
export function creates(type: Type, name: string): Meaning | undefined {
  const manager = madeBy(type, name, 'possible') && classAttribute('objects');
  return manager ? member(manager, name) : undefined;
}

/** `by_id.values()` of a dictionary, whose item is what it holds. */
export function collected(type: Type, name: string): Value | undefined {
  if (type.path !== 'dict' || !type.item) return undefined;
  if (name === 'values' || name === 'items') return { type: { path: 'list', item: type.item } };
  return /^(get|pop|setdefault)$/.test(name) ? { type: type.item } : undefined;
}
