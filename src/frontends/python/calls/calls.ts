// What a call does: the meaning that a table gives it, or the name that the linker is to find. Statements are elsewhere.
import type { Meaning } from '../../../framework.ts';
import {type Call, type Certainty, inside, type Loop, type Name, type Span, type Step,
} from '../../../ir.ts'; // biome-ignore format: one list
import { isLater, orLater } from '../../later.ts';
import { pieces } from '../../source.ts';
import { computedBy } from '../../sql/queries/fragment.ts';
import { child, type Syntax } from '../../syntax.ts';
import { OF_LIST, savedAbove } from '../classes/metas.ts';
import { asksItself } from '../counts/same.ts';
import { asSeen, rowGiven } from '../counts/saved.ts';
import { aliasBy, aliasOf } from '../names/aliases.ts';
import { argument, given, keyword, mayBeCalled, merged, reExported, undecided } from '../names/arguments.ts';
import { assignments, usualValue } from '../names/assignments.ts';
import { BUILTINS } from '../names/builtins.ts';
import {
  api, byMethod, canonical, changed, fromAncestors, functionOf, isShared, isType, lists, member, opensOrInherits, tableRule,
} from '../names/knowledge.ts'; // biome-ignore format: one list
import { isParameter } from '../names/parameters.ts';
import { creates, madeBy, queried } from '../names/relations.ts';
import { queryOn } from '../names/results.ts';
import { type Place, type Type, textOf } from '../names/scope.ts';
import { ancestors, nameOf, telling } from '../names/types.ts';
import { constantText, heldBy, isClassLike, resolve } from '../names/values.ts';
import { argumentsOf, optionGiven } from './flags.ts';
import { textOfRoutine } from './handed.ts';
import { apart, connection, connects, handedIn, scopeOf } from './opens.ts';
import { handed, keysOf, lockedRows, python, relationOf } from './rows.ts';
import { flat, isInner, onThat } from './savepoints.ts';
import { madeFrom, texts } from './text.ts';
import type { Understood } from './understood.ts';
import { oneOf, write } from './writes.ts';

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

function understood(c: Place, node: Syntax): Understood | undefined {
  const called = node.type === 'call';
  const callee = called ? child(node, 'function') : node;
  if (!callee) return undefined;
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
  if (callee.type === 'call') return byText(c, node, at, callee) ?? byInstance(c, node, at, callee);
  return undefined;
}

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
    const info = c.file.classes.get(full);
    if (info && !info.methods.has('__init__') && ancestors(c, full).complete) return undefined;
    return { at, node, callee: python(`${full}.__init__`) };
  }
  const meant = reExported(c, node, full.slice(full.lastIndexOf('.') + 1));
  return { at, node, callee: python(full), ...(meant.length > 0 && { meant }) };
}

const unsure = (c: Place, its: Meaning, node: Syntax, sure?: Certainty): Certainty | undefined =>
  node.type === 'call' && undecided(c, its, node) ? 'possible' : sure;

function method(
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
    return COMMON.has(name) && !isAlone(node, name) ? undefined : { at, node, callee: python(`?.${name}`) };
  }
  const held = owner.path ? (heldBy(owner.path) ?? queryOn(c, owner.path, name)) : undefined;
  if (owner.path && !held) return ofPath(c, node, at, owner.path, name);
  return methodOn(c, node, at, asSeen(c, object, (owner.type ?? held)!), name);
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
  // `place.delay()`: a job that is a function.
  const task = fromAncestors(name).find(({ meaning }) => meaning.elsewhere);
  if (task && !c.file.isForeign(owner))
    return { at, node, callee: python(owner), meaning: { elsewhere: true } };
  // `model.repo.session.begin_nested()`
  const its = c.file.functions.has(full) ? undefined : opensByName(c, node, at, name);
  if (its) return its;
  // `db.atomic()`, `database.execute("…")` of an object that another module holds.
  const held = opensOrInherits(name).filter(({ receiver }) => isShared(receiver));
  const text = telling(c, name);
  const runs = text?.sql !== undefined && node.type === 'call';
  if ((held.length > 0 || runs) && !c.file.isForeign(owner) && !c.file.functions.has(full)) {
    const meant: Understood['meant'] = reExported(c, node, name);
    for (const { receiver, meaning } of held)
      meant.push({ receiver: python(receiver), meaning: merged(c, meaning, node) });
    if (runs) meant.push({ meaning: merged(c, text, node), certainty: 'likely' });
    return { at, node, callee: python(full), meant };
  }
  return path(c, node, at, full);
}

/** It opens what it opens on whatever it is called: nothing else is called so. */
function opensByName(c: Place, node: Syntax, at: Span, name: string): Understood | undefined {
  const its = byMethod(name).find(({ everywhere, meaning }) => everywhere && meaning.scope)?.meaning;
  return its && { at, node, meaning: merged(c, its, node), certainty: 'likely' };
}

export function methodOn(c: Place, node: Syntax, at: Span, type: Type, name: string): Understood | undefined {
  if (type.path === 'dict') return undefined;
  if (type.lists) return ofList(c, node, at, type, name);
  const saves = savedAbove(c, type.path, name);
  if (saves) return { at, node, callee: python(saves) };
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
  const meant = lists.flatMap(([receiver, { methods }]) =>
    methods[name] ? [{ receiver: python(receiver), meaning: merged(c, methods[name], node) }] : [],
  );
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
  const inherited = (above.complete ? fromAncestors(name) : opensOrInherits(name)).filter(
    ({ receiver }) => !above.complete || above.types.has(receiver),
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
  return { at, node, callee, receiver: query ? { path: query.receiver } : type, meant, ...sure };
}

// ---- steps

export interface Given {
  /** The body of a `with`, a decorated routine, a callback: what the call surrounds. */
  block?: Step[];
  /** Callables among the arguments, each as what calling it does. */
  callbacks: Step[];
  /** SQL text of this argument, as steps; null where it cannot be read. */
  sql(node: Syntax | undefined, only?: Meaning['only']): Step[] | null;
  /** Called when a callable of the caller is handed on to what runs elsewhere. */
  kept?(): void;
  /** The variable that the result goes to. */
  variable?: string;
}

/** A link of a chain of calls: it does nothing by itself. */
const inert = (its: Meaning): boolean =>
  Object.keys(its).every((key) => /^(?:returns|related|selects|picks|widens)$/.test(key));

export function stepsOf(c: Place, call: Understood, given: Given): Step[] {
  if (call.yields) return [{ kind: 'yield', at: call.at, ...call.yields }];
  if (call.meaning && inert(call.meaning) && call.receiver?.name) return given.block ?? [];
  if (!call.callee) return call.meaning ? applied(c, call, call.meaning, given) : (given.block ?? []);
  const elsewhere = call.meaning?.elsewhere;
  const step: Call = { kind: 'call', at: call.at, callee: call.callee };
  if (call.certainty && call.certainty !== 'certain') step.certainty = call.certainty;
  if (!call.bound) {
    const { args, given } = argumentsOf(c, call.node);
    if (args !== undefined) step.args = args;
    const row = rowGiven(c, call.node, call.receiver);
    if (given || row) step.given = row ? { ...given, ...row } : given;
  }
  if (elsewhere) step.elsewhere = true;
  else if (step.args === 0 && asksItself(c, call.node)) step.own = true;
  const block = [...(given.block ?? []), ...given.callbacks];
  if (!elsewhere && (given.block || block.length > 0)) step.block = block;
  // In a meaning the block stands as what runs it: the call has the block itself.
  const handed: Given = step.block
    ? {
        ...given,
        block: given.block && [{ kind: 'yield', at: call.at }],
        callbacks: given.callbacks.length > 0 ? [{ kind: 'yield', at: call.at }] : [],
      }
    : { ...given, block: undefined };
  const meanings: Call['meanings'] = (call.meant ?? []).map(
    ({ receiver, of, is, meaning, certainty, whose }) => ({
      ...(receiver ? { receiver } : {}),
      ...(of ? { of } : {}),
      ...(is ? { is } : {}),
      steps: applied(
        c,
        { ...call, certainty: certainty ?? call.certainty, receiver: whose ?? call.receiver },
        meaning,
        handed,
      ),
    }),
  );
  if (call.meaning && !elsewhere) meanings.push({ steps: applied(c, call, call.meaning, handed) });
  if (meanings.length > 0) step.meanings = meanings;
  if (given.block) return [step];
  const name = call.callee.slice(call.callee.lastIndexOf('.') + 1);
  if (Object.values(step.given ?? {}).some(handsOn) && isLater(name)) given.kept?.();
  return [orLater(step, name, name === '__init__')];
}

/** A parameter that by its name is called. */
const handsOn = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'parameter' in one && mayBeCalled(String(one.parameter));

/** `atomic(savepoint=savepoint)`: what the caller gave decides which scope it is; that of `True` is no more than possible where nobody says so. */
function byOption(c: Place, call: Understood, its: Meaning, data: Given): Step[] | undefined {
  const asked = its.scope && call.node.type === 'call' ? optionGiven(c, call.node, its) : undefined;
  if (!asked) return undefined;
  const { variation, option } = asked;
  const rest = { ...its, when: its.when!.filter((one) => one !== variation) };
  const then = { ...rest, ...variation.then };
  const { certainty: _, ...sure } = call;
  const arms = (variation.is === 'True' ? [then, rest] : [rest, then]).map((one) =>
    applied(c, undecided(c, one, call.node) ? call : sure, one, data),
  );
  const parameter = textOf(c.file, option);
  const usual = usualValue(c, option, parameter);
  const unsure = usual && textOf(c.file, usual) === 'True' ? undefined : true;
  if (unsure) arms[0] = arms[0]!.map((one) => ({ ...one, certainty: 'possible' as const }));
  if (c.keeps) c.keeps.flags = true;
  return [{ ...oneOf(call.at, arms), when: { parameter, is: 'true', ...(unsure && { unsure }) } }];
}

function applied(c: Place, call: Understood, its: Meaning, data: Given): Step[] {
  const chosen = byOption(c, call, its, data);
  if (chosen) return chosen;
  const base = common(c, call, its);
  const out: Step[] = [];
  if (its.wait) out.push({ kind: 'wait', ...base, for: its.wait });
  if (its.flat && !(its.unlessInner && isInner(c, call.node, its.unlessInner)))
    out.push(flat(c, call.node, its, base, data.variable));
  if (its.sql !== undefined && call.node.type === 'call') {
    const text = given(c, call.node, its.sql);
    const read = data.sql(text, its.only) ?? unreadable(c, call, its, text);
    const steps = base.on === undefined ? read : read.map((step) => onThat(step, base.on!));
    out.push(...(its.loops === 'items' && steps.length > 0 ? [repeat(base.at, 'items', steps)] : steps));
  }
  if (its.text && its.executes && call.node.type === 'call') out.push(...(data.sql(call.node) ?? []));
  if (its.routine !== undefined && call.node.type === 'call')
    out.push(ofDatabase(c, base, given(c, call.node, its.routine)));
  if (its.piece !== undefined && call.node.type === 'call')
    for (const text of texts(c, given(c, call.node, its.piece)))
      out.push(...computedBy(pieces(text), c.file.file));
  const relation = its.of === undefined ? relationOf(call.receiver) : handed(c, call, its.of);
  const keys = keysOf(c, call.node);
  if (its.read) out.push({ kind: 'read', ...base, relation, rows: its.read.rows });
  if (its.rowLock)
    out.push({
      kind: 'row lock',
      ...base,
      relation,
      ...its.rowLock,
      rows: its.selects === 'first' ? 'one' : lockedRows(c, call.node),
      keys: data.variable ? [...keys, data.variable] : keys,
    });
  if (its.calls) {
    const only = its.calls.find((name) => name === call.receiver?.only);
    const arms = (only ? [only] : its.calls).map((name) => [calls(call, name)]);
    out.push(oneOf(call.at, arms));
  }
  if (its.mayWrite) out.push({ kind: 'call', at: call.at, callee: python(`?.${methodOf(c, call.node)}`) });
  const alone = (one: Meaning) => applied(c, call, one, { ...data, block: undefined, callbacks: [] });
  const inner = (its.inside ?? []).flatMap(alone);
  if (its.either) inner.push(oneOf(call.at, its.either.map(alone)));
  const block = around(call, its, data);
  const body = [...inner, ...(connects(c, call) && block.length > 0 ? [connection(base, block)] : block)];
  if (its.scope?.flushes && (data.block || body.length > 0) && !body.some(writes)) body.push(unread(call.at));
  // A transaction that is made and not entered does nothing yet.
  const waits = its.scope?.opens === 'transaction' && !data.block && body.length === 0 && !its.write;
  if (its.scope && !waits) {
    const scope = scopeOf(its, base, body, c, call);
    const whole = its.outer ? scopeOf({ scope: its.outer }, base, [scope], c, call) : scope;
    const { swallows } = its;
    if (its.undone) body.push({ kind: 'exit', at: call.at, how: 'raise', raises: String(swallows) });
    if (typeof swallows === 'string' && body.some((step) => raises(step, swallows)))
      out.push({
        ...base,
        kind: 'attempt',
        body: [whole],
        handlers: [{ at: call.at, catches: [swallows], body: [] }],
      });
    else out.push(whole);
  } else if (its.swallows) out.push({ kind: 'attempt', at: call.at, body, handlers: [swallowed(c, call)] });
  else if (its.loops && its.sql === undefined && body.length > 0) out.push(repeat(base.at, its.loops, body));
  else out.push(...body);
  if (its.write) out.push(...write(c, call, its.write, base, relation, keys));
  return out;
}

/** `cursor.callproc("audit.write", …)` */
function ofDatabase(c: Place, base: { at: Span; on?: string }, named: Syntax | undefined): Step {
  const name = named && constantText(c, named);
  return name && /^[\w.]+$/.test(name)
    ? { kind: 'call', ...base, callee: `sql:${name.toLowerCase()}` }
    : { kind: 'opaque', ...base, why: 'a function whose name is put together elsewhere' };
}

/** Text that another file may have as a constant. */
function unreadable(c: Place, call: Understood, its: Meaning, given: Syntax | undefined): Step[] {
  const meanings = [{ steps: ofNobody(c, call, its, given) }];
  const from = madeFrom(c, given);
  const step = (callee: Name): Call => ({ kind: 'call', at: call.at, callee, meanings });
  if (from && c.keeps && isParameter(c, from, resolve(c, from))) {
    c.keeps.flags = true;
    return [{ ...step(SOMETHING), runs: textOf(c.file, from) }];
  }
  const made = given?.type === 'call' ? understand(c, given)?.callee : undefined;
  if (made) return [step(textOfRoutine(made))];
  const path = resolve(c, from)?.path;
  return path?.includes('.') && !c.file.isForeign(path) ? [step(python(path))] : meanings[0]!.steps;
}

/** Text that is put together elsewhere, or an object: what a framework's own statement does, its making said. */
function ofNobody(c: Place, { at, node }: Understood, its: Meaning, given: Syntax | undefined): Step[] {
  if (its.textOnly) return [{ kind: 'opaque', at, why: 'SQL that is put together elsewhere' }];
  const type = resolve(c, given)?.type;
  if (!given || (type && isType(type.path))) return [];
  return [{ kind: 'call', at, callee: python(`?.${methodOf(c, node)}`) }];
}

function methodOf(c: Place, node: Syntax): string {
  const callee = node.type === 'call' ? child(node, 'function') : node;
  return textOf(c.file, callee && child(callee, 'attribute'));
}

function common(c: Place, call: Understood, its: Meaning) {
  const on = aliasOf(c, call.node, its, call.receiver) ?? apart(c, call.receiver?.path);
  const onBy = aliasBy(c, call.node, its) ?? (on === undefined ? call.receiver?.onBy : undefined);
  return {
    at: call.at,
    ...(on ? { on } : {}),
    ...(onBy ? { onBy } : {}),
    ...(its.since ? { since: its.since } : {}),
    ...(call.certainty && call.certainty !== 'certain' ? { certainty: call.certainty } : {}),
  };
}

function around(call: Understood, its: Meaning, { block, callbacks, kept }: Given): Step[] {
  if (its.elsewhere && callbacks.some(({ kind }) => kind === 'yield')) kept?.();
  if (its.elsewhere)
    return callbacks.flatMap((step) => (step.kind === 'call' ? [{ ...step, elsewhere: true }] : []));
  if (block) return block;
  if (its.returns === 'callable 0') return []; // whoever calls the result runs it
  return its.scope || its.runs !== undefined || its.loops || its.inside === undefined
    ? call.node.type === 'call'
      ? callbacks
      : []
    : [];
}

const writes = (step: Step): boolean => step.kind === 'write' || inside(step).some((all) => all.some(writes));

const raises = (step: Step, error: string): boolean =>
  step.kind === 'exit'
    ? step.raises === error
    : inside(step).some((all) => all.some((one) => raises(one, error)));

/** Something that is not seen happens here. */
const unread = (at: Span): Step => ({ kind: 'call', at, callee: python('?.flush') });

export const repeat = (
  at: Span,
  over: Loop['over'],
  body: Step[],
  times: number | null = null,
  certainty?: Certainty,
): Step => ({
  kind: 'loop',
  at,
  over,
  times,
  ...(certainty && { certainty }),
  body,
});

/** Of `super()` too it is the object itself that has the method. */
const calls = ({ at, receiver }: Understood, name: string): Step => ({
  kind: 'call',
  at,
  callee: python(
    `${receiver ? nameOf({ ...receiver, path: receiver.path.replace(/\^$/, '') }) : '?'}.${name}`,
  ),
});

function swallowed(c: Place, call: Understood) {
  const list = call.node.type === 'call' ? (child(call.node, 'arguments')?.children ?? []) : [];
  const catches = list.map((one) => caught(textOf(c.file, one)));
  return { at: call.at, catches, body: [] };
}

export function caught(text: string): string {
  const last = text.split('.').at(-1)!.trim();
  return last === 'Exception' || last === 'BaseException' || last === 'StandardError' ? 'others' : last;
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
