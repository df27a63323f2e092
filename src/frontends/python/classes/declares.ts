// What a class has under a name, told to other files: who sets something else of its objects writes nothing.
import { child, type Syntax } from '../../syntax.ts';
import { lending, writtenWhenSet } from '../names/knowledge.ts';
import { type ClassInfo, type File, kept, type Place, textOf } from '../names/scope.ts';
import { defined, members } from './classes.ts';

/** Classes whose objects are written when something of them is set, as far as this file may have such. */
export const flushing = (c: Place): string[] => itsFlushing(c, c.file);
const itsFlushing = kept((_, { imported, text }: File) => writtenWhenSet(imported, text));

/** What a class has under a name, where its body says all of it and somebody may ask: who sets another one keeps it in the object. */
export function attributesOf(c: Place, { node }: ClassInfo): string[] | undefined {
  if (flushing(c).length === 0 || isGivenMore(c, node)) return undefined;
  const names: string[] = [];
  for (const one of members(node)) {
    const what = defined(one);
    const assignment = what.children[0];
    const name = /_definition$/.test(what.type)
      ? child(what, 'name')
      : assignment?.type === 'assignment'
        ? child(assignment, 'left')
        : undefined;
    if (name?.type === 'identifier') names.push(textOf(c.file, name));
    else if (!/^(pass_statement|comment)$/.test(what.type) && !isText(assignment)) return undefined;
  }
  return names.includes('__table__') ? undefined : names;
}

/** `Order.lines = relationship(…)`, behind the class. */
const isGivenMore = (c: Place, node: Syntax): boolean =>
  new RegExp(`^${textOf(c.file, child(node, 'name'))}\\.\\w+\\s*=`, 'm').test(c.file.text);

/** What objects of other classes have by what this one says: `backref="customer"`, or a call of that name with it. */
export const lends = (c: Place, { node }: ClassInfo): string[] =>
  flushing(c).length === 0 ? [] : [...textOf(c.file, node).matchAll(LENDS)].map((match) => match[2]!);
const LENDS = new RegExp(`\\b(${lending.join('|')})\\s*=\\s*(?:[\\w.]*\\b\\1\\(\\s*)?["'](\\w+)["']`, 'g');

const isText = (node: Syntax | undefined): boolean =>
  /^(concatenated_)?string$|^ellipsis$/.test(node?.type ?? '');
