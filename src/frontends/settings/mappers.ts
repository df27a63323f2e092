// MyBatis' mappers: XML whose statements are the methods of an interface. It reads no SQL, and knows the fragments of its own file alone.
import type { Name, Step, Unit } from '../../ir.ts';
import { inRow, type Source } from '../source.ts';
import { lowerEmbeddedUnit } from '../sql/queries/embedded.ts';
import { matches } from './lines.ts';

const MAPPER = /<mapper\s[^<>]{0,400}?namespace\s*=\s*["']([\w.$]+)["']/;
const STATEMENT = /<(insert|update|delete|select)\b([^<>]{0,1000})>/g;
const FRAGMENT = /<sql\b([^<>]{0,500})>/g;
/** What stands for another text, and a statement of its own within one. */
const PART =
  /<include\b([^<>]{0,500}?)(?:\/>|>(?:[^<]|<(?!\/include>)){0,2000}<\/include>)|<selectKey\b[^<>]{0,500}>((?:[^<]|<(?!\/selectKey>)){0,4000})<\/selectKey>/g;
/** Tags are nothing, what they hold is SQL; CDATA is text. */
const MARKUP = /<!\[CDATA\[|\]\]>|<bind\b[^<>]*>|<\/?[a-zA-Z][^<>]*>/g;
const ENTITIES: [RegExp, string][] = [
  [/&lt;/g, '<   '],
  [/&gt;/g, '>   '],
  [/&amp;/g, '&    '],
  [/&quot;/g, '"     '],
  [/&apos;/g, "'     "],
];
/** Fragments within fragments. */
const DEEPEST = 4;

export const attributeOf = (name: string, attributes: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"'<>]*)["']`).exec(attributes)?.[1];

/** Nobody writes a statement of more; fragments in fragments that stand there many times would be without end. */
const MOST_PARTS = 200;

interface Place {
  start: number;
  end: number;
}

interface Fragment extends Place {
  /** What it is made of, found once. */
  made?: Text;
}

/** What a statement is made of, the statements that ask for its key, and whether it has a part that stands elsewhere. */
interface Text {
  parts: Source[];
  keys: Source[];
  isWhole: boolean;
}

/** The file implements the interface of its namespace: each statement is one of its methods. */
export function readMapper(text: string, unit: Unit): void {
  const namespace = MAPPER.exec(text)?.[1];
  if (!namespace) return;
  const name: Name = `jvm:${namespace}.xml`;
  unit.types.push({ name, at: { start: 0, end: 1 }, bases: [`jvm:${namespace}`] });
  const fragments = fragmentsIn(text, namespace);
  const statements = matches(text, STATEMENT);
  for (const [i, match] of statements.entries()) {
    const [head, tag, attributes] = match as unknown as [
      string,
      'insert' | 'update' | 'delete' | 'select',
      string,
    ];
    const id = attributeOf('id', attributes);
    const database = attributeOf('databaseId', attributes) ?? 'postgresql';
    const start = match.index + head.length;
    const end = text.indexOf(`</${tag}>`, start);
    // They do not nest: one that goes on behind the next has no end.
    const hasEnd = end >= 0 && !head.endsWith('/>') && end < (statements[i + 1]?.index ?? Infinity);
    if (!id || !hasEnd || !/^p(?:ost)?g/i.test(database)) continue;
    const from = match.index + head.indexOf(id, tag.length + 1);
    const at = { start: from, end: from + id.length };
    const { parts, keys, isWhole } = textOf(text, { start, end }, fragments, 0);
    const body = [...keys, inRow(parts)].flatMap((source): Step[] => {
      const { steps, ...made } = lowerEmbeddedUnit(source, unit.file);
      unit.routines.push(...made.routines);
      return steps;
    });
    // Its words stand in another file.
    if (tag !== 'select' && !isWhole && !body.some(({ kind }) => kind === 'write'))
      body.push({ kind: 'write', verb: tag, relation: null, rows: 'unknown', certainty: 'likely', at });
    unit.routines.push({
      name: `${name}.${id}`,
      at,
      kind: 'method',
      entry: 'called',
      startsIn: 'caller',
      body,
    });
  }
}

/** By the names that they are asked for in this file. */
function fragmentsIn(text: string, namespace: string): Map<string, Fragment> {
  const out = new Map<string, Fragment>();
  for (const { 0: head, 1: attributes = '', index } of matches(text, FRAGMENT)) {
    const start = index + head.length;
    const end = text.indexOf('</sql>', start);
    const id = attributeOf('id', attributes);
    if (!id || end < 0 || head.endsWith('/>')) continue;
    for (const name of [id, `${namespace}.${id}`]) out.set(name, { start, end });
  }
  return out;
}

function textOf(text: string, { start, end }: Place, fragments: Map<string, Fragment>, depth: number): Text {
  const out: Text = { parts: [], keys: [], isWhole: true };
  let last = start;
  const until = (to: number) => out.parts.push(sourceOf(text, last, to));
  for (const { 0: all, 1: attributes, 2: key, index } of matches(text.slice(start, end), PART)) {
    const at = start + index;
    until(at);
    last = at + all.length;
    // What stands before it is another word than what it says.
    const gap = (said: string): Source => ({ text: said, at: () => at });
    if (key !== undefined) {
      const from = at + all.indexOf('>') + 1;
      out.keys.push(sourceOf(text, from, from + key.length));
      out.parts.push(gap(' '));
      continue;
    }
    const fragment =
      depth < DEEPEST ? fragments.get(attributeOf('refid', ` ${attributes}`) ?? '') : undefined;
    if (fragment && !fragment.made) fragment.made = textOf(text, fragment, fragments, depth + 1);
    const made = fragment?.made;
    const said = made && out.parts.length + made.parts.length <= MOST_PARTS ? made : null;
    out.isWhole &&= said?.isWhole ?? false;
    out.keys.push(...(said?.keys ?? []));
    out.parts.push(gap(said ? ' ' : '#{}'), ...(said?.parts ?? []), gap(' '));
  }
  until(end);
  return out;
}

/** Rows that a list gives: `VALUES <foreach …>(#{note})</foreach>`. */
const ROWS = /<foreach(?<=\bvalues\s*<foreach)\b[^<>]*>(?=\s*\()/gi;

/** As long as the markup was, so that each character keeps its place. */
function sourceOf(text: string, start: number, end: number): Source {
  const rows = text.slice(start, end).replace(ROWS, (tag) => '(0),'.padEnd(tag.length));
  const bare = rows.replace(MARKUP, (tag) => ''.padEnd(tag.length));
  return {
    text: ENTITIES.reduce((said, [entity, sign]) => said.replace(entity, sign), bare),
    at: (offset) => start + offset,
  };
}
