// Which calls tell whether a transaction is open, by the tables. Not in which conditions.
import { frameworks } from '../../../frameworks/ruby/index.ts';

/** Which calls tell whether a transaction is open, and a file that has one. */
const telling = frameworks.flatMap(({ methods }) =>
  Object.entries(methods ?? {}).flatMap(([name, { tellsOpen }]) => (tellsOpen ? name : [])),
);
export const tellsOpen = {
  names: new Set(telling),
  words: new RegExp(telling.map((name) => name.replace('?', '\\?')).join('|')),
};
