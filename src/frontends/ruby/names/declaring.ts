// Which words in the body of a class declare what, when callbacks run, and what a class is by its name, as the tables say. Not what is made of that.
import type { Declares } from '../../../framework.ts';
import { frameworks } from '../../../frameworks/ruby/index.ts';

const each = <T>(some: (table: (typeof frameworks)[number]) => Record<string, T> | undefined) =>
  frameworks.flatMap((table) => Object.entries(some(table) ?? {}));

export const declares = new Map(
  each(({ declares }) => declares).flatMap(([what, words]) =>
    words.split(' ').map((word) => [word, what as Declares] as const),
  ),
);

/** What comes behind `before_`, `after_` and `around_`. */
export const callbacks = new Map(each((table) => table.callbacks));
const CALLBACK = new RegExp(`^(before|after|around)_(${[...callbacks.keys()].join('|')})$`);

/** `after_save`: when, and with what. */
export function callbackOf(name: string) {
  const [, when, what] = CALLBACK.exec(name) ?? [];
  return what === undefined ? null : { when: when!, what, ...callbacks.get(what)! };
}

const called = each((table) => table.called);

/** What a class is with such a base, which no table names; null: no name tells. */
export function calledAs(above: string, own: string) {
  const fits =
    called.find(([end]) => above.endsWith(end)) ??
    called.find(([end, { own: its }]) => its && above && own.endsWith(end));
  return fits?.[1].is ?? null;
}
