// Which row a method asks for that has no body: by the JPQL of its annotation, or by its name. It makes no step.
import { snake } from '../names/snake.ts';
import type { Method } from '../syntax/syntax.ts';

type Asked = Pick<Method, 'name' | 'parameters'>;

const OF =
  /^\s*(?:select\s+.*?\bfrom|from|update|delete(?:\s+from)?)\s+[\w.\u00aa-\uffff]+(?:\s+(?:as\s+)?(?!set\b|where\b|join\b|left\b|inner\b|order\b)(\w+))?/is;
const EQUAL =
  /^[\s(]*(?:([\w\u00aa-\uffff]+)\.)?([\w\u00aa-\uffff]+)\s*=\s*(?:[:]([\w\u00aa-\uffff]+)|\?(\d+))[\s)]*$/;

/** `select a from Account a where a.id = :id`: what each parameter stands for is known by its place, `id=$1`. */
export function keysOfQuery(text: string, { parameters }: Asked): string[] | undefined {
  const alias = OF.exec(text)?.[1];
  const [, where, ...more] = text.split(/\bwhere\b/i);
  if (where === undefined || more.length > 0 || /\b(?:or|not|union)\b/i.test(where)) return undefined;
  const keys = where
    .replace(/\b(?:order|group)\s+by\b.*$/is, '')
    .split(/\band\b/i)
    .flatMap((part) => {
      const [, of, column, name, number] = EQUAL.exec(part) ?? [];
      if (column === undefined || of !== alias) return [];
      const place = name === undefined ? Number(number) : placeOf(name, parameters) + 1;
      return place > 0 ? [`${snake(column)}=$${place}`] : [];
    });
  return keys.length > 0 ? keys : undefined;
}

/** By the annotation that names it, else by its own name. */
function placeOf(name: string, parameters: Asked['parameters']): number {
  const named = parameters.findIndex(({ annotations }) =>
    annotations.some(({ arguments: [only, ...more] }) => {
      const value = more.length === 0 ? only?.value : undefined;
      return value?.kind === 'text' && value.source.text === name;
    }),
  );
  return named >= 0 ? named : parameters.findIndex((one) => one.name === name);
}

/** What a property is asked besides being equal; some take more than one argument, or none. */
const OTHERWISE =
  /(?:In|Not|Like|Between|Than|Equal|After|Before|Null|True|False|With|Containing|Contains|IgnoreCase|AllIgnoreCase|Exists|Near|Matches|Regex|Empty|Is|Equals)$/;

/** `findByIdAndState(id, state)` */
export function keysOfName({ name, parameters }: Asked): string[] | undefined {
  const by = /^[a-z]\w*?By([A-Z]\w*?)(?:OrderBy[A-Z]\w*)?$/.exec(name)?.[1];
  if (by === undefined || /Or(?=[A-Z])/.test(by)) return undefined;
  const properties = by.split(/And(?=[A-Z])/);
  if (properties.length > parameters.length || properties.some((one) => OTHERWISE.test(one)))
    return undefined;
  return properties.map((one, place) => `${snake(one.charAt(0).toLowerCase() + one.slice(1))}=$${place + 1}`);
}
