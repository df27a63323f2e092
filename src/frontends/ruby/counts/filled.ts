// How many items a list has that a method fills by and by: what its variable is given, and what is added to that. What is added in a loop, nobody knows.
import { child, type Syntax } from '../../syntax.ts';
import { type Body, newBody } from '../names/file.ts';
import { isParameter, isSet, loopsAround, mentionsOf } from '../names/mentions.ts';
import { routineOf } from '../names/variables.ts';
import { argumentsOf, parts, textOf } from '../syntax.ts';

/** How many items a collection has at most, in a body of its own. */
type Items = (body: Body, node: Syntax) => number | null;

const known = new WeakMap<Syntax, Map<string, number | null>>();

/** Of a variable whose every place is understood; null where one may make it longer. */
export function filled(body: Body, node: Syntax, written: string, items: Items): number | null {
  const { file, owner } = body;
  const ofObject = written.startsWith('@');
  const first = owner.methods[0]?.node;
  if (ofObject && (!first || owner.writers.has(written.slice(1)))) return null;
  const routines = ofObject ? owner.methods.map((one) => one.node) : [routineOf(node)];
  const about = ofObject ? first! : routines[0]!;
  const cache = known.get(about) ?? new Map<string, number | null>();
  known.set(about, cache);
  const before = cache.get(written);
  if (before !== undefined) return before;
  cache.set(written, null); // what is made of itself has no length
  const found = sum(body, mentionsOf(file, written, routines), items);
  cache.set(written, found);
  return found;
}

/** A method of another class or file may have given it something; an empty one is there for that. */
function sum(body: Body, mentions: Syntax[], items: Items): number | null {
  const its = newBody(body.file, body.owner, body.singleton, null);
  const given = mentions.flatMap((one) => givenTo(body, one) ?? []);
  const lengths = given.map((one) => items(its, one));
  if (lengths.length === 0 || lengths.includes(null)) return null;
  let total = Math.max(...(lengths as number[]));
  let kept = total > 0;
  let handed = false;
  for (const one of mentions) {
    if (givenTo(body, one)) continue;
    const more = added(its, one, items);
    if (more === null) return null;
    if (more === HANDED_ON) handed = true;
    else if (more > 0) {
      if (loopsAround(body.file, one, routineOf(one))?.length !== 0) return null;
      // Of an object's variable: a method may run again that does not begin it anew.
      const anew = mentions.some((set) => isAnew(body, set) && routineOf(set) === routineOf(one));
      if (one.type === 'instance_variable' && !anew) return null;
      kept = true;
      total += more;
    }
  }
  return handed && !kept ? null : total;
}

const isAnew = (body: Body, node: Syntax): boolean =>
  node.parent?.type === 'assignment' && givenTo(body, node) !== undefined;

/** `list = […]`, `list ||= […]`, `one, list = 1, […]`. */
function givenTo({ file }: Body, node: Syntax): Syntax | undefined {
  const { field, parent } = node;
  if (parent?.type === 'left_assignment_list') {
    const values = parent.parent && child(parent.parent, 'right');
    const [names, all] = [parts(parent), values?.type === 'right_assignment_list' ? parts(values) : []];
    const plain = names.length === all.length && !all.some(isSplat);
    return plain ? all[names.indexOf(node)] : undefined;
  }
  if (field !== 'left' || !parent) return undefined;
  const operator = parent.type === 'operator_assignment' ? child(parent, 'operator') : undefined;
  const plain = parent.type === 'assignment' || (operator && textOf(file, operator) === '||=');
  const value = plain ? child(parent, 'right') : undefined;
  return value?.type === 'right_assignment_list' ? undefined : value;
}

const HANDED_ON = -1;

/** They take something away, or put it in another order. */
const SHORTENS =
  /^(uniq|compact|compact_blank|reject|select|filter|keep_if|delete_if|sort|sort_by|shuffle|reverse|rotate|map|collect|slice|symbolize_keys|stringify_keys|transform_keys|transform_values|except)!?$/;
const ADDS = /^(push|append|unshift|prepend|add|add\?|insert|store)$/;

/** What this place adds to it. */
function added(body: Body, node: Syntax, items: Items): number | null {
  const { file } = body;
  const { parent, field } = node;
  if (!parent || isParameter(node)) return null;
  if (parent.type === 'operator_assignment' && field === 'left') {
    const sign = textOf(file, child(parent, 'operator') ?? parent);
    if (/^[-&]=$/.test(sign)) return 0;
    const right = child(parent, 'right');
    return /^[+|]=$/.test(sign) && right ? items(body, right) : null;
  }
  if (isSet(node)) return null;
  if (parent.type === 'binary' && field === 'left') return shifted(file, parent);
  if (parent.type === 'element_reference' && field === 'object')
    return parent.field === 'left' && /^(operator_)?assignment$/.test(parent.parent?.type ?? '') ? 1 : 0;
  if (parent.type === 'call' && field === 'receiver') return asked(body, parent, items);
  // Whoever is given it may fill it, and so may who has it by another name.
  return /^(argument_list|pair|assignment)$/.test(parent.type) ? HANDED_ON : 0;
}

/** `list << a << b` */
function shifted(file: Body['file'], first: Syntax): number {
  let count = 0;
  for (let one: Syntax | null = first; one?.type === 'binary'; one = one.field === 'left' ? one.parent : null)
    if (textOf(file, child(one, 'operator') ?? one) === '<<') count++;
    else break;
  return count;
}

function asked(body: Body, call: Syntax, items: Items): number | null {
  const name = textOf(body.file, child(call, 'method') ?? call);
  const { positional, keywords, splats } = argumentsOf(body.file, call);
  const all = (lists: Syntax[]) =>
    lists.reduce<number | null>((total, one) => {
      const more = total === null ? null : items(body, one);
      return more === null ? null : total! + more;
    }, 0);
  if (splats.length > 0) return null;
  if (ADDS.test(name)) {
    if (/^(insert|store)$/.test(name)) return positional.some(isSplat) ? null : 1;
    const several = positional.filter(isSplat);
    const more = all(several.flatMap((one) => parts(one).slice(0, 1)));
    return more === null ? null : more + positional.length - several.length;
  }
  if (/^(concat|replace)$/.test(name)) return all(positional);
  if (/^(merge!|update|reverse_merge!|deep_merge!)$/.test(name))
    return keywords.size > 0 ? keywords.size : all(positional);
  if (name.endsWith('!') || name === 'fill') return SHORTENS.test(name) ? 0 : null;
  return 0;
}

const isSplat = ({ type }: Syntax): boolean => type === 'splat_argument';
