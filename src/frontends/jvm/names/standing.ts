// What stands around a name, wherever a text has it. A pattern made of the name would be compiled for each of them.

/** As far as anybody looks: white space of an indented line, and a word. */
const WIDTH = 200;

/** Whether somewhere between these two the name stands so, by what is before it and what is behind it. */
export function stands(
  text: string,
  name: string,
  from: number,
  end: number,
  is: (before: string, behind: string) => boolean,
): boolean {
  if (name === '') return false;
  for (let at = text.indexOf(name, from); at >= 0 && at < end; at = text.indexOf(name, at + 1)) {
    const next = at + name.length;
    if (is(text.slice(Math.max(from, at - WIDTH), at), text.slice(next, Math.min(end, next + WIDTH))))
      return true;
  }
  return false;
}

/** It is no part of a longer name, and of nothing else. */
export const isAlone = (before: string): boolean => !/[\w$.]$/.test(before);
export const ends = (behind: string): boolean => !/^[\w$]/.test(behind);

/** `n = 1`, `n += 1`, `++n` */
export const isSet = (before: string, behind: string): boolean =>
  (SETS.test(behind) && isAlone(before)) || (/(?:\+\+|--)\s*$/.test(before) && ends(behind));

const SETS = /^\s*(?:[-+*/%|&^]?=(?!=)|\+\+|--)/;
