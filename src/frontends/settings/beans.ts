// XML that is code: Spring's beans say which methods run in a nested transaction; what a mapper is, is told in mappers.ts.
import type { Name, Routine, Scope, Setting, Span, Step, Unit, Weave, WhenNested } from '../../ir.ts';
import { onlyOne } from '../jvm/calls/only.ts';
import { withoutComments } from './comments.ts';
import { matches } from './lines.ts';
import { attributeOf, readMapper } from './mappers.ts';
import { places } from './pointcuts.ts';

export function readBeans(written: string, unit: Unit): void {
  if (!/<mapper\s|NESTED|propagationBehavior|<bean\s/.test(written)) return;
  const text = withoutComments(unit.file, written);
  readMapper(text, unit);
  if (text.includes('NESTED')) nested(text, unit);
  templates(text, unit);
  made(text, unit);
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
    const said = (name: string) => attributeOf(name, attributes);
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
  const types = matches(text, BEAN).flatMap(({ 1: said }) => attributeOf('class', said!) ?? []);
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
      const ref = attributeOf('ref', attributes);
      const name = attributeOf('name', attributes);
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
    const id = attributeOf('id', attributes!) ?? '';
    advices.set(id, advised(text.slice(start, Math.max(start, end)), start, id, unit));
  }
  const woven = matches(text, ADVISOR).flatMap(({ 1: attributes }) => {
    const ways = advices.get(attributeOf('advice-ref', attributes!) ?? '');
    return ways ? places(pointcut(text, attributes!)).map((one) => ({ ...one, ways })) : [];
  });
  if (woven.length > 0) unit.weaves = woven;
  for (const match of matches(text, PROPERTY))
    place(`jvm:${match[1]!}`, match.index + match[0].indexOf(match[2]!), match[2]!, unit);
}

/** What an advice says of methods by their names. */
function advised(text: string, from: number, id: string, unit: Unit): Weave['ways'] {
  return matches(text, TX_METHOD).map((match) => {
    const method = attributeOf('name', match[1]!) ?? '*';
    const propagation = attributeOf('propagation', match[1]!) ?? 'REQUIRED';
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
  const own = attributeOf('pointcut', attributes);
  const reference = attributeOf('pointcut-ref', attributes);
  if (own !== undefined || reference === undefined) return own ?? '';
  const found = matches(text, POINTCUT).find(({ 1: said }) => attributeOf('id', said!) === reference);
  return (found && attributeOf('expression', found[1]!)) ?? '';
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
