// What a call means: the meaning that a table gives it, or the name that the linker is to find. What it does is elsewhere.
import type { Meaning } from '../../../framework.ts';
import type { Certainty, Name, Span } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { OF_LIST } from '../classes/metas.ts';
import { asSeen } from '../counts/saved.ts';
import { argument, keyword, merged, reExported, undecided } from '../names/arguments.ts';
import { assignments } from '../names/assignments.ts';
import { BUILTINS } from '../names/builtins.ts';
import {
  api, beginnersBy, byMethod, canonical, changed, fromAncestors, functionOf, isJob, isShared, isType, lists, member, opensOrInherits, tableRule,
} from '../names/knowledge.ts'; // biome-ignore format: one list
import { creates, madeBy, queried } from '../names/relations.ts';
import { managerOn, queryOn } from '../names/results.ts';
import { type Place, type Type, textOf } from '../names/scope.ts';
import { ancestors, nameOf, telling } from '../names/types.ts';
import { constantText, heldBy, isClassLike, resolve } from '../names/values.ts';
import { asksKept } from './flags.ts';
import { handedIn } from './opens.ts';
import { python } from './rows.ts';
import type { Understood } from './understood.ts';
import { ofCaller } from './whose.ts';

/** Methods of the containers that every program is full of; nobody looks for them in the repository. */
const COMMON = new Set(
  (
    'append extend items keys values get pop join split strip lstrip rstrip format encode decode lower upper replace startswith endswith ' +
    'sort copy insert index count setdefault update add discard remove info debug warning error exception isoformat strftime total_seconds ' +
    'title capitalize splitlines read write readlines group groups match search sub findall date time now today union popitem clear find'
  ).split(' '),
);

/** `with atomic(): lines.add(line)`: who has a scope for that does not mean a set. */
const isAlone = (node: Syntax, name: string): boolean =>
  /^(add|remove|clear|update)$/.test(name) &&
  node.parent?.type === 'expression_statement' &&
  node.parent.parent?.parent?.type === 'with_statement' &&
  node.parent.parent.children.length === 1;

/** `node` is a call, or an expression that stands as decorator or context manager without being called. */
export function understand(c: Place, node: Syntax): Understood | undefined {
  const { asked } = c.file;
  // What is assigned or returned is asked about as a statement, as a value and as a call, one after the other.
  if (asked?.node === node && asked.scope === c.scope) return asked.call as Understood | undefined;
  const call = understood(c, node);
  c.file.asked = { node, scope: c.scope, call };
  return call;
}

function understood(
  c: Place,
  node: Syntax,
  callee = node.type === 'call' ? child(node, 'function') : node,
): Understood | undefined {
  if (!callee) return undefined;
  const called = node.type === 'call';
  const at = underline(c, callee);
  if (callee.type === 'attribute') {
    const name = textOf(c.file, child(callee, 'attribute') ?? callee);
    return method(c, node, at, child(callee, 'object'), name);
  }
  if (callee.type === 'identifier') {
    const value = resolve(c, callee);
    if (value?.parameter && called) return { at, node, ...handedIn(c, value, textOf(c.file, callee)) };
    if (value?.path) {
      const found = path(c, node, at, value.path);
      if (!found || !value.given) return found;
      return {
        ...found,
        bound: true,
        ...(found.meaning && { meaning: merged(c, found.meaning, value.given) }),
      };
    }
    const its = value?.type && member(value.type.path, '()');
    if (its) return { at, node, meaning: merged(c, its, node), receiver: value.type };
    const name = textOf(c.file, callee);
    const builtin = value ? undefined : api(`builtins.${name}`);
    if (builtin) return { at, node, meaning: builtin };
    if (!called || !value || value.among || value.code?.type === 'lambda' || MAKES.test(name))
      return undefined;
    // `add = Order.objects.get_or_create`, and then `add(name=row)`.
    if (value.code?.type === 'attribute' && assignments(c, callee, name) < 2)
      return method(c, node, at, child(value.code, 'object'), textOf(c.file, child(value.code, 'attribute')));
    const type = value.type && !value.type.path.endsWith(')') ? value.type : undefined;
    if (!type) return { at, node, callee: SOMETHING };
    return c.file.isForeign(type.path) ? undefined : { at, node, callee: python(`${nameOf(type)}.__call__`) };
  }
  if (callee.type !== 'call') return undefined;
  const whole = handedThrough(c, callee);
  if (whole) return understood(c, node, whole);
  return byText(c, node, at, callee) ?? byInstance(c, node, at, callee);
}

/** `sync_to_async(order.pay)(amount)`: what gives the function that it was given is called as that is. */
function handedThrough(c: Place, callee: Syntax): Syntax | undefined {
  const [first, ...others] = child(callee, 'arguments')?.children ?? [];
  const isAlone =
    first &&
    /^(identifier|attribute)$/.test(first.type) &&
    others.every((one) => OPTION.test(textOf(c.file, one)));
  const path = isAlone ? resolve(c, child(callee, 'function'))?.path : undefined;
  return path && api(canonical(path))?.returns === 'callable 0' ? first : undefined;
}

const OPTION = /^(?:thread_sensitive|executor|force_new_loop) *=/;

/** What a variable holds that stands for a class, by its name: calling it makes an object. */
const MAKES = /^_*[A-Z]|(^|_)(cls|klass|class|model|type|form|serializer|schema)(_|$)/;
/** Nobody can tell what is called. */
export const SOMETHING = python('?.()');

/** `Importer(shop)(rows)` */
function byInstance(c: Place, node: Syntax, at: Span, callee: Syntax): Understood | undefined {
  const type = resolve(c, callee)?.type;
  return type && !type.path.endsWith(')') ? method(c, node, at, callee, '__call__') : undefined;
}

/** `getattr(order, "pay")()` */
function byText(c: Place, node: Syntax, at: Span, callee: Syntax): Understood | undefined {
  if (textOf(c.file, child(callee, 'function')) !== 'getattr') return undefined; // `atomic()(work)()`
  const [object, name] = [argument(callee, 0), argument(callee, 1)];
  const text = name && constantText(c, name);
  return text && object ? method(c, node, at, object, text) : { at, node, callee: SOMETHING };
}

function path(c: Place, node: Syntax, at: Span, written: string): Understood | undefined {
  const full = canonical(written);
  const its = api(full);
  if (its) return { at, node, meaning: merged(c, its, node), certainty: unsure(c, its, node) };
  if (BUILTINS.has(full) || c.file.isForeign(full)) return undefined;
  if (isClassLike(c, full)) {
    const { complete, seen } = ancestors(c, full);
    const inits = [...seen].some((one) => c.file.classes.get(one)?.methods.has('__init__'));
    if (c.file.classes.has(full) && complete && !inits) return undefined;
    return { at, node, callee: python(`${full}.__init__`) };
  }
  const meant = reExported(c, node, full.slice(full.lastIndexOf('.') + 1));
  return { at, node, callee: python(full), ...(meant.length > 0 && { meant }) };
}

const unsure = (c: Place, its: Meaning, node: Syntax, sure?: Certainty): Certainty | undefined =>
  node.type === 'call' && undecided(c, its, node) ? 'possible' : sure;

/** What `object` is asked for by that name. */
export function method(
  c: Place,
  node: Syntax,
  at: Span,
  object: Syntax | undefined,
  name: string,
): Understood | undefined {
  const owner = resolve(c, object);
  if (!owner || (!owner.path && !owner.type)) {
    const its = telling(c, name) ?? saidBy(c, node, name);
    if (its) return { at, node, meaning: merged(c, its, node), certainty: 'likely' };
    if (COMMON.has(name) && !isAlone(node, name)) return undefined;
    const whose = ofCaller(c, object);
    return whose ? ofGiven(c, node, at, whose, name) : { at, node, callee: python(`?.${name}`) };
  }
  asksKept(c, object);
  const held = owner.path ? (heldBy(owner.path) ?? queryOn(c, owner.path, name)) : undefined;
  if (owner.path && !held) return ofPath(c, node, at, owner.path, name);
  return methodOn(c, node, at, asSeen(c, object, (owner.type ?? held)!), name);
}

/** What is asked of a parameter: who calls says of which class it is. A class itself is asked for what opens anything. */
function ofGiven(c: Place, node: Syntax, at: Span, path: string, name: string): Understood {
  if (c.keeps) c.keeps.flags = true;
  const all = fromAncestors(name).filter(({ meaning }) => !meaning.scope);
  // A program has its models from one library: those that the file imports are meant, if any.
  const isImported = ({ receiver }: { receiver: string }) =>
    c.file.imported.has(receiver.slice(0, receiver.indexOf('.')));
  const known = all.some((one) => tableRule(one.receiver) && isImported(one));
  const meant = all
    .filter((one) => !known || !tableRule(one.receiver) || isImported(one))
    .map(({ receiver, meaning }) => ({ receiver: python(receiver), meaning: merged(c, meaning, node) }));
  return { at, node, callee: python(`${path}.${name}`), receiver: { path }, meant };
}

/** A keyword may tell it: `order.lines.get_or_create(number=1, defaults={…})` in a file that imports its own modules alone. */
function saidBy(c: Place, node: Syntax, name: string): Meaning | undefined {
  for (const { meaning } of byMethod(name))
    if (meaning.anywhereBy !== undefined && keyword(c, node, meaning.anywhereBy)) return meaning;
  return undefined;
}

function ofPath(c: Place, node: Syntax, at: Span, owner: string, name: string): Understood | undefined {
  const full = canonical(`${owner}.${name}`);
  if (api(full)) return path(c, node, at, full);
  const routine = node.type === 'call' ? functionOf(full) : undefined;
  if (routine) return { at, node, callee: `sql:${routine}` };
  const own = member(canonical(owner), name);
  if (own) return { at, node, meaning: merged(c, own, node), receiver: { path: canonical(owner) } };
  if (isClassLike(c, owner)) return inherits(c, node, at, { path: owner }, name, python(full), true);
  const manager = managerOn(c, owner, name);
  if (manager) {
    const meant = [{ receiver: python(manager.path), meaning: merged(c, member(manager.path, name)!, node) }];
    return { at, node, callee: python(`${manager.name}.${name}`), receiver: manager, meant };
  }
  // `place.delay()`, `place.apply(args=[order])`: a job that is a function.
  const task = fromAncestors(name).find(
    ({ receiver, meaning }) => meaning.elsewhere || (isRun(c, node) && meaning.calls && isJob(receiver)),
  );
  if (task && !c.file.isForeign(owner))
    return task.meaning.elsewhere
      ? { at, node, callee: python(owner), meaning: { elsewhere: true } }
      : { at, node, callee: python(owner), bound: true };
  // `model.repo.session.begin_nested()`
  const its = c.file.functions.has(full) ? undefined : opensByName(c, node, at, name);
  if (its) return its;
  // `db.atomic()`, `database.execute("…")` of an object that another module holds.
  const held = opensOrInherits(name).filter(({ receiver }) => isShared(receiver));
  const text = telling(c, name);
  const runs = node.type === 'call' && (text?.sql ?? text?.flat) !== undefined;
  if ((held.length > 0 || runs) && !c.file.isForeign(owner) && !c.file.functions.has(full)) {
    const meant: Understood['meant'] = reExported(c, node, name);
    for (const { receiver, meaning } of held)
      meant.push({ receiver: python(receiver), meaning: merged(c, meaning, node) });
    if (runs) meant.push({ meaning: merged(c, text!, node), certainty: 'likely' });
    return { at, node, callee: python(full), meant };
  }
  return path(c, node, at, full);
}

/** It is handed arguments for something else; a module's own function of that name has its own. */
const isRun = (c: Place, node: Syntax): boolean =>
  keyword(c, node, 'args') !== undefined || keyword(c, node, 'kwargs') !== undefined;

/** It opens what it opens on whatever it is called: nothing else is called so. */
function opensByName(c: Place, node: Syntax, at: Span, name: string): Understood | undefined {
  const its = byMethod(name).find(({ everywhere, meaning }) => everywhere && meaning.scope)?.meaning;
  return its && { at, node, meaning: merged(c, its, node), certainty: 'likely' };
}

export function methodOn(c: Place, node: Syntax, at: Span, type: Type, name: string): Understood | undefined {
  if (type.path === 'dict') return undefined;
  if (type.lists) return ofList(c, node, at, type, name);
  const own = member(type.path, name);
  if (own) {
    const found = {
      at,
      node,
      meaning: merged(c, own, node),
      receiver: type,
      certainty: unsure(c, own, node, type.certainty),
    };
    const { by } = type;
    if (by) {
      const meant = changed(by.path).map((path) => ({
        receiver: python(path),
        of: python(by.name),
        meaning: merged(c, member(member(path, by.method)?.returns ?? '', name) ?? {}, node),
        whose: { path },
      }));
      return { ...found, callee: python(`${by.name}.${by.method}().${name}`), meant };
    }
    if (!type.name) return found;
    // Who made it may have changed what it is.
    const meant = changed(type.path).map((path) => ({
      receiver: python(path),
      meaning: merged(c, member(path, name) ?? {}, node),
      whose: { path },
    }));
    return { ...found, callee: python(`${type.name}.${name}`), meant };
  }
  if (member(type.path, '*') && !COMMON.has(name)) return { at, node, callee: python(`?.${name}`) };
  if (isType(type.path) && !type.name) return undefined;
  const callee = python(
    type.name || /[)^]$/.test(type.path) ? `${nameOf(type)}.${name}` : `${type.path}.${name}`,
  );
  if (c.file.isForeign(type.path) && !isType(type.path)) return opensByName(c, node, at, name);
  const isCommon =
    COMMON.has(name) &&
    !isClassLike(c, type.path) &&
    !isKept(type.path, name) &&
    fromAncestors(name).length === 0;
  if (isCommon && !/_set$/.test(type.path) && !isAlone(node, name)) return undefined;
  return inherits(c, node, at, type, name, callee);
}

/** `OrderSerializer(data=rows, many=True).save()`: the class may say who does it. */
function ofList(c: Place, node: Syntax, at: Span, type: Type, name: string): Understood {
  const meant = lists.flatMap(([receiver, { methods }]) => {
    if (!methods[name]) return [];
    const each = merged(c, methods[name], node);
    const one = member(receiver, name) ?? {};
    const meaning = type.lists === 'perhaps' ? { either: [{ ...each, perhaps: true as const }, one] } : each;
    return [{ receiver: python(receiver), meaning }];
  });
  return { at, node, callee: python(`${type.path}.${name}${OF_LIST}`), receiver: type, meant };
}

/** `uow.orders.add(order)`: what an object of another file keeps may be no set. */
const isKept = (path: string, name: string): boolean =>
  /^(add|insert|update|remove)$/.test(name) && /^[\w.]+\.[A-Z]\w*\(\)\.\w+$/.test(path);

/** A method of the repository's own class, which may be one that a framework's class gives it. */
function inherits(
  c: Place,
  node: Syntax,
  at: Span,
  type: Type,
  name: string,
  callee: Name,
  ofClass = false,
): Understood {
  const above = ancestors(c, type.path.replace(/\^$/, ''));
  const own = [...above.types].flatMap((receiver) => {
    const meaning = member(receiver, name);
    return meaning ? [{ receiver, meaning }] : [];
  });
  // Where `super` goes on, the object's class says, which may have more above it than this one.
  const isMixin = type.path.endsWith('^') && above.complete && above.types.size === 0;
  const inherited = (above.complete ? fromAncestors(name) : opensOrInherits(name)).filter(
    ({ receiver }) => isMixin || !above.complete || above.types.has(receiver),
  );
  const meant: Understood['meant'] = (own.length > 0 ? own : inherited).map(({ receiver, meaning }) => ({
    receiver: python(receiver),
    meaning: merged(c, meaning, node),
  }));
  // A method of a related manager: nothing else that matters, where the repository has none of this name.
  if (!above.complete) {
    const its = telling(c, name);
    const told = ofClass && its?.ofObject ? undefined : its;
    const meaning = told ?? creates(type, name) ?? (queried(type, name) ? {} : undefined);
    const whose = madeBy(type, name, told ? 'likely' : 'possible');
    if (meaning)
      meant.push({ meaning: merged(c, meaning, node), certainty: 'likely', ...(whose && { whose }) });
  }
  // Of a query's own class nobody knows the table.
  const query = own.find((one) => !tableRule(one.receiver) && !one.meaning.calls);
  const sure = type.certainty && { certainty: type.certainty };
  // What another file gives may be a connection.
  const begins = !above.complete && type.path.endsWith(')') ? beginnersBy(name) : [];
  return {
    ...(begins.length > 0 && { begins }),
    at,
    node,
    callee,
    receiver: query ? { path: query.receiver } : type,
    meant,
    ...sure,
  };
}

/** The words that a finding underlines: `transaction.atomic`, or the last method of a longer chain. */
export function underline(c: Place, callee: Syntax): Span {
  const text = textOf(c.file, callee);
  if (callee.type === 'attribute' && (text.length > 40 || /[\s([]/.test(text))) {
    const last = child(callee, 'attribute') ?? callee;
    return { start: last.start, end: last.end };
  }
  return { start: callee.start, end: callee.end };
}
