// XML that is code: MyBatis' mappers hold SQL, Spring's beans say which methods run in a nested transaction.
import type { Name, Routine, Scope, Setting, Span, Step, Unit, Weave, WhenNested } from '../../ir.ts';
import { onlyOne } from '../jvm/calls/only.ts';
import { plain } from '../source.ts';
import { lowerEmbeddedUnit } from '../sql/queries/embedded.ts';
import { withoutComments } from './comments.ts';
import { matches } from './lines.ts';
import { places } from './pointcuts.ts';

const ATTRIBUTE = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"'<>]*)["']`);
const MAPPER = /<mapper\s[^<>]{0,400}?namespace\s*=\s*["']([\w.$]+)["']/;
const STATEMENT = /<(insert|update|delete|select)\b([^<>]{0,1000})>/g;
/** Tags are nothing, what they hold is SQL; CDATA is text. */
const MARKUP = /<!\[CDATA\[|\]\]>|<(?:include|bind)\b[^<>]*>|<\/?[a-zA-Z][^<>]*>/g;
const ENTITIES: [RegExp, string][] = [
  [/&lt;/g, '<   '],
  [/&gt;/g, '>   '],
  [/&amp;/g, '&    '],
  [/&quot;/g, '"     '],
  [/&apos;/g, "'     "],
];

export function readBeans(written: string, unit: Unit): void {
  if (!/<mapper\s|NESTED|propagationBehavior|<bean\s/.test(written)) return;
  const text = withoutComments(unit.file, written);
  const namespace = MAPPER.exec(text)?.[1];
  if (namespace) mapper(text, `jvm:${namespace}`, unit);
  if (text.includes('NESTED')) nested(text, unit);
  templates(text, unit);
  made(text, unit);
}

/** The file implements the interface of its namespace: each statement is one of its methods. */
function mapper(text: string, namespace: Name, unit: Unit): void {
  const name: Name = `${namespace}.xml`;
  unit.types.push({ name, at: { start: 0, end: 1 }, bases: [namespace] });
  const statements = matches(text, STATEMENT);
  for (const [i, match] of statements.entries()) {
    const [head, tag, attributes] = match as unknown as [string, string, string];
    const id = ATTRIBUTE('id').exec(attributes)?.[1];
    const database = ATTRIBUTE('databaseId').exec(attributes)?.[1] ?? 'postgresql';
    const start = match.index + head.length;
    const end = text.indexOf(`</${tag}>`, start);
    // They do not nest: one that goes on behind the next has no end.
    const hasEnd = end >= 0 && !head.endsWith('/>') && end < (statements[i + 1]?.index ?? Infinity);
    if (!id || !hasEnd || !/^p(?:ost)?g/i.test(database)) continue;
    const source = plain(sqlOf(text.slice(start, end)));
    const { steps, ...made } = lowerEmbeddedUnit(
      { text: source.text, at: (offset) => start + offset },
      unit.file,
    );
    unit.routines.push(...made.routines);
    const from = match.index + head.indexOf(id, tag!.length + 1);
    unit.routines.push(routine(`${name}.${id}`, from, id.length, steps));
  }
}

/** Rows that a list gives: `VALUES <foreach …>(#{note})</foreach>`. */
const ROWS = /<foreach(?<=\bvalues\s*<foreach)\b[^<>]*>(?=\s*\()/gi;

/** As long as the markup was, so that each character keeps its place. */
function sqlOf(inner: string): string {
  const rows = inner.replace(ROWS, (tag) => '(0),'.padEnd(tag.length));
  const bare = rows.replace(MARKUP, (tag) => (tag.startsWith('<include') ? '#{}' : '').padEnd(tag.length));
  return ENTITIES.reduce((text, [entity, sign]) => text.replace(entity, sign), bare);
}

const BEAN = /<bean\b([^<>]{0,1000})>/g;
const TEMPLATE = /\.TransactionTemplate$/;
/** In an attribute or in a tag of its own; PROPAGATION_NESTED is 6. */
const IS_NESTED =
  /propagationBehavior(?:Name)?["'\s](?:[^<>]{0,100}|[^<>]{0,20}>\s*<[^<>]{0,200}(?:>\s*)?)(\bPROPAGATION_NESTED\b|(?<=["'>\s])6(?=["'<\s]))/;
/** `<property name="nested" ref="template"/>`, `<constructor-arg name="nested" ref="template"/>` */
const REFERENCE = /<(?:property|constructor-arg)\b([^<>]{0,500})>/g;

/** Characters of a bean that are looked at; where no end tag is, all that follows would be each one's. */
const LONGEST = 20_000;

/** A template that nests: who asks for it by its name, and the property that it is given to. */
function templates(text: string, unit: Unit): void {
  const beans = matches(text, BEAN).map(({ 1: attributes = '', index, 0: head }) => {
    const start = index + head.length;
    const end = head.endsWith('/>') ? start : text.indexOf('</bean>', start);
    const said = (name: string) => ATTRIBUTE(name).exec(attributes)?.[1];
    return {
      index,
      id: said('id') ?? said('name'),
      type: said('class') ?? '',
      whole: text.slice(index, Math.min(Math.max(start, end), start + LONGEST)),
    };
  });
  const properties = given(beans);
  for (const { index, id, type, whole } of beans) {
    if (!TEMPLATE.test(type)) continue;
    const found = IS_NESTED.exec(whole);
    if (!found) unit.settings.push(bean({ start: index, end: index + 5 }, onlyOne(unit.file), 'false'));
    if (!found || !id) continue;
    const said = found[1]!;
    const start = index + found.index + found[0].length - said.length;
    const names = [id, ...(properties.get(id) ?? []), onlyOne(unit.file)];
    const at = { start, end: start + said.length };
    for (const name of names) unit.settings.push(bean(at, name, 'true'));
  }
}

/** The classes of all beans, libraries' too: what is woven around methods is so around a bean's alone. */
function made(text: string, unit: Unit): void {
  const types = matches(text, BEAN).flatMap(({ 1: said }) => ATTRIBUTE('class').exec(said!)?.[1] ?? []);
  if (types.length > 0) unit.makes = types.map((type): Name => `jvm:${type}`);
}

const bean = (at: Span, name: string, value: string): Setting => ({
  at, key: 'propagationBehavior', value, effect: 'nested transactions open savepoints', of: `spring bean ${name}`,
}); // biome-ignore format: short

/** For each bean the properties that it is given to. */
function given(beans: { type: string; whole: string }[]): Map<string, string[]> {
  const out = new Map<string, string[]>();
  for (const { type, whole } of beans)
    for (const { 1: attributes = '' } of matches(whole, REFERENCE)) {
      const ref = ATTRIBUTE('ref').exec(attributes)?.[1];
      const name = ATTRIBUTE('name').exec(attributes)?.[1];
      if (ref === undefined || name === undefined) continue;
      const known = out.get(ref);
      if (known) known.push(`${type}.${name}`);
      else out.set(ref, [`${type}.${name}`]);
    }
  return out;
}

const ADVICE = /<tx:advice\b([^<>]{0,500})>/g;
const ADVISOR = /<aop:advisor\b([^<>]{0,1000})>/g;
const POINTCUT = /<aop:pointcut\b([^<>]{0,1000})>/g;
const TX_METHOD = /<tx:method\b([^<>]{0,500})>/g;
/** Of a TransactionProxyFactoryBean. */
const PROPERTY = /<prop\s+key\s*=\s*["']([^"'<>]+)["']\s*>[^<>]*\b(PROPAGATION_NESTED)\b/g;

/** Which methods the pattern of a proxy means is not known here: the place is listed. */
function nested(text: string, unit: Unit): void {
  const advices = new Map<string, Weave['ways']>();
  const all = matches(text, ADVICE);
  for (const [i, { index, 0: head, 1: attributes }] of all.entries()) {
    const end = Math.min(text.indexOf('</tx:advice>', index), all[i + 1]?.index ?? Infinity);
    const start = index + head.length;
    const id = ATTRIBUTE('id').exec(attributes!)?.[1] ?? '';
    advices.set(id, advised(text.slice(start, Math.max(start, end)), start, id, unit));
  }
  const woven = matches(text, ADVISOR).flatMap(({ 1: attributes }) => {
    const ways = advices.get(ATTRIBUTE('advice-ref').exec(attributes!)?.[1] ?? '');
    return ways ? places(pointcut(text, attributes!)).map((one) => ({ ...one, ways })) : [];
  });
  if (woven.length > 0) unit.weaves = woven;
  for (const match of matches(text, PROPERTY))
    place(`jvm:${match[1]!}`, match.index + match[0].indexOf(match[2]!), match[2]!, unit);
}

/** What an advice says of methods by their names. */
function advised(text: string, from: number, id: string, unit: Unit): Weave['ways'] {
  return matches(text, TX_METHOD).map((match) => {
    const method = ATTRIBUTE('name').exec(match[1]!)?.[1] ?? '*';
    const propagation = ATTRIBUTE('propagation').exec(match[1]!)?.[1] ?? 'REQUIRED';
    const name: Name = `jvm:${id}:${method}`;
    const start = from + match.index + (propagation === 'NESTED' ? match[0].indexOf('NESTED') : 1);
    if (propagation === 'NESTED') place(name, start, propagation, unit);
    else if (OTHERS[propagation])
      scope(name, { start, end: start + 9 }, '<tx:method>', { whenNested: OTHERS[propagation] }, unit);
    else return { method };
    return { method, by: name };
  });
}

const OTHERS: Record<string, WhenNested> = { REQUIRED: 'join', REQUIRES_NEW: 'separate' };

/** An advisor's own, or one that stands for itself and is referred to. */
function pointcut(text: string, attributes: string): string {
  const own = ATTRIBUTE('pointcut').exec(attributes)?.[1];
  const reference = ATTRIBUTE('pointcut-ref').exec(attributes)?.[1];
  if (own !== undefined || reference === undefined) return own ?? '';
  const found = matches(text, POINTCUT).find(({ 1: said }) => ATTRIBUTE('id').exec(said!)?.[1] === reference);
  return (found && ATTRIBUTE('expression').exec(found[1]!)?.[1]) ?? '';
}

function place(name: Name, start: number, word: string, unit: Unit): void {
  const setting = { of: 'spring', assumed: true, otherwise: 'refuse' as const };
  const label = '<tx:method propagation="NESTED">';
  scope(name, { start, end: start + word.length }, label, { whenNested: 'savepoint', setting }, unit);
}

function scope(
  name: Name,
  at: Span,
  label: string,
  nesting: Pick<Scope, 'whenNested' | 'setting'>,
  unit: Unit,
): void {
  const body: Step[] = [
    { kind: 'scope', opens: 'transaction', ...nesting, label, at, body: [{ kind: 'yield', at }] },
  ];
  unit.routines.push({
    ...routine(name, at.start, at.end - at.start, body),
    implied: true,
    surrounds: 'advice',
  });
}

function routine(name: Name, start: number, length: number, body: Step[]): Routine {
  return {
    name,
    at: { start, end: start + length },
    kind: 'method',
    entry: 'called',
    startsIn: 'caller',
    body,
  };
}
