// What is known of what a caller hands over: how many, which texts, whether it stays the same. Not what follows from it.
import { type Call, type Given, isHandedOn, isObject, isThere, type Routine } from '../../ir.ts';

/** By parameter. */
export type Values = Map<string, Given>;
export type Flags = NonNullable<Routine['flags']>[number];
export type HandedOn = Extract<Given, { parameter: string }>;

export const itemsOf = (value: Given | undefined): number | undefined =>
  typeof value === 'object' && value !== null && 'items' in value ? value.items : undefined;

export const textsIn = (value: Given | undefined): string[] | undefined =>
  typeof value === 'object' && value !== null && 'texts' in value ? value.texts : undefined;

/** There may be fewer, or none: that decides nothing. */
export const isAtMost = (value: Given | undefined): boolean =>
  typeof value === 'object' && value !== null && 'items' in value && value.atMost === true;

export const textOf = (value: Given | undefined): string | undefined =>
  typeof value === 'object' && value !== null && 'text' in value ? value.text : undefined;

export const isUnchanged = (value: Given | undefined): boolean =>
  value === 'unchanged' || ((isThere(value) || isObject(value)) && value.unchanged === true);

export const isConstant = (value: Given | undefined): boolean =>
  value !== undefined &&
  value !== 'something' &&
  value !== 'unchanged' &&
  value !== 'unknown' &&
  (typeof value !== 'object' || value === null || textOf(value) !== undefined);

/** The parameters of its own that a routine hands on. */
export const handed = (known: Call['given']): string[] => {
  if (!known) return [];
  return Object.values(known).flatMap((value) => (isHandedOn(value) ? [value.parameter] : []));
};

/** What is said of it where nothing is known for sure, and what who hands it on says besides. */
export function andSo(said: Given, more: Pick<HandedOn, 'is' | 'likely' | 'there' | 'unchanged'>): Given {
  if (said !== 'unknown' && said !== 'unchanged' && !isThere(said) && !isObject(said)) return said;
  const known: Pick<HandedOn, 'there' | 'unchanged'> = typeof said === 'string' ? {} : said;
  const is = isObject(said) ? said.is : more.is;
  const there = more.there || known.there;
  const unchanged = more.unchanged || said === 'unchanged' || known.unchanged;
  const stays = unchanged ? ({ unchanged: true } as const) : {};
  const isGuess = isObject(said) ? said.likely : more.likely;
  if (is !== undefined)
    return { is, ...(isGuess && { likely: true }), ...(there && { there: true }), ...stays };
  if (there) return { there: true, ...stays };
  return unchanged ? 'unchanged' : 'unknown';
}
