// Decides what a call means: a framework's meaning, a loop over a collection, a routine of the project, or nothing.
import type { Meaning } from '../../../framework.ts';
import { type Call as CallStep, type Name, type Step, textsOf } from '../../../ir.ts';
import { handedAway, isLater, orLater } from '../../later.ts';
import { isLarge } from '../../words.ts';
import { givenBack, isMany, manyOf } from '../names/collections.ts';
import { holdsRoutines, mayWrite, methodOf, specials, types as tableTypes } from '../names/known.ts';
import { flushed, isLoaded } from '../names/loaded.ts';
import { isHandle, OBJECT, seenBy } from '../names/parameters.ts';
import { around, launched, pipes } from '../names/runs.ts';
import type { Variable } from '../names/scope.ts';
import { snakeOf } from '../names/snake.ts';
import type { Typed } from '../names/typed.ts';
import type { Argument, Call, Node } from '../syntax/syntax.ts';
import { countedAs, namedElsewhere } from '../texts/elsewhere.ts';
import { resourceIn } from '../texts/resources.ts';
import { builds } from '../texts/retold.ts';
import { madeFrom } from '../texts/texts.ts';
import type { Body } from './body.ts';
import { handsOver } from './bound.ts';
import { createCallbacks, workOf } from './callbacks.ts';
import { computed } from './computed.ts';
import { onlyOf, ownIn, place } from './connections.ts';
import { entered, left, speaksToOther } from './databases.ts';
import { doomed } from './doomed.ts';
import {
  conditionOf,
  givenThen,
  handedThen,
  isKnown,
  likely,
  meaningsOf,
  standingFor,
  where,
} from './elsewhere.ts';
import { neverReturns } from './ending.ts';
import { functional } from './functional.ts';
import { saidOf, several, simpleType } from './given.ts';
import { handedAs, handedOn } from './handed.ts';
import { argumentOf, labelOf, type Site, steps, tableOf, typeIn, vary } from './meaning.ts';
import { byItself, DEEPEST, outside } from './outside.ts';
import { picked } from './picked.ts';
import { createPrepared } from './prepared.ts';
import { createProperties, type Properties } from './properties.ts';
import { createStandard } from './standard.ts';
import { givenTo } from './taking.ts';
import {
  createAim,
  declares,
  makesPair,
  OF_ALL,
  ofLibrary,
  resultType,
  type Target,
  toldByName,
} from './targets.ts';
import { asksItself } from './turning.ts';

/** Kotlin's functions that run their block on what they are called on. */
const RUNS_ON = new Set(['use', 'let', 'run']);

export interface Calls extends Properties {
  call(node: Call, out: Step[], handle?: string): Typed | null;
}

export function createCalls(body: Body): Calls {
  const { sight, world } = body;
  const aim = createAim(body);
  const later = createPrepared(world);
  const code = createCallbacks(body, call);
  const { isCallback, callback, together } = code;
  const { plainly, perhaps, collecting } = createStandard(body, code);
  /** Parameters of which calls around have asked whether they are special, and how many did. */
  const asked = new Map<string, number>();
  /** The table that the chain which is read asks for. */
  let asksFor: Name | null = null;
  /** To whose methods the lambdas around are handed: Kotlin may call these inside as if they were its own. */
  const hosts: Typed[] = [];
  return {
    call,
    ...createProperties(body, { call: (node, out, ran) => call(node, out, undefined, ran), isCallback }),
  };

  /** `a.b().c()` from the inside out, without recursion. */
  function call(node: Call, out: Step[], handle?: string, ran?: { type: Typed | null }): Typed | null {
    const links: Call[] = [node];
    let base = node.object;
    for (; !ran && base?.kind === 'call'; base = base.object) links.push(base);
    const from = out.length;
    const outer = asksFor;
    asksFor = null;
    let receiver = ran ? ran.type : base ? body.run(base, out) : null;
    const typeOfBase = receiver?.name;
    let object: Node | null = base;
    for (const link of links.reverse()) {
      if (pipes(link)) around(out, from, callback(link.arguments[0]!.value, []));
      else {
        const own = receiver?.own && RUNS_ON.has(link.name) ? link.arguments.at(-1)?.value : undefined;
        const gives = one(link, object, receiver, out, link === node ? handle : undefined);
        if (own?.kind === 'lambda') ownIn(out, from, link.at, own.parameters[0]?.name);
        receiver = manyOf(link, body.type) ?? gives;
      }
      if (world.isKotlin) launched(link, out, from);
      object = link;
    }
    picked(links, asksFor, out.slice(from), world);
    out.push(...computed(links, body));
    asksFor = outer;
    byItself(base, typeOfBase, out, from, sight);
    if (world.builds) builds(node, sight);
    if (neverReturns(node, sight, world)) out.push({ kind: 'exit', how: 'raise', at: node.at });
    return receiver;
  }

  function one(
    node: Call,
    object: Node | null,
    receiver: Typed | null,
    out: Step[],
    handle: string | undefined,
  ): Typed | null {
    body.onCall(node, body.constants);
    // What it is on a condition has no such method: it is something else.
    const isOther = receiver?.only && !methodOf(receiver.name, node.name);
    const target = aim(node, object, isOther ? null : receiver);
    // A publisher that is handed over runs inside: `operator.transactional(mono)`.
    const inner: Step[] = target.meaning?.runs === undefined ? out : [];
    const types = collecting(node, receiver, () =>
      node.arguments.map(({ value }) => (isCallback(value) ? null : body.run(value, inner))),
    );
    const callbacks = node.arguments.filter(({ value }) => isCallback(value));
    if (target.function) return handedOver(target.function, node, types, target, out);
    const callee = target.callee ?? (`jvm:?.${node.name}` as Name);
    const site = (): Site =>
      siteOf(node, object, target, { callee, types, handle, body: inner === out ? [] : inner });
    if (callbacks.length === 0 && (target.meaning?.runs ?? target.meaning?.gives) !== undefined)
      for (const type of types) inner.push(...workOf(type, node.at, world));
    if (target.meaning) return initialised(node, meant(target.meaning, site(), node, callbacks, out), out);
    const isOwn = !object && target.returns !== undefined && !isMany(target.type);
    const plain = isOwn
      ? null
      : plainly(node, object ? (target.type ?? receiver) : null, callbacks, types, out);
    if (plain) return plain.returns;
    // Most names are of no framework's, and all that follows asks by the name.
    const known = isKnown(node.name) ? site() : null;
    const byName = known && !target.type ? likely(known, node.name) : null;
    if (byName) return meant(byName, { ...known!, certainty: 'likely' }, node, callbacks, out);
    const isOfAll = OF_ALL.test(node.name) || makesPair(node, world);
    if (isOfAll && !declares(target.type, node.name, world)) return null;
    if (target.type && world.isForeign(target.type.name)) {
      if (mayWrite(target.type.name, node.name))
        out.push({ kind: 'call', callee: `jvm:?.${node.name}`, at: node.at });
      if (callbacks.length > 0) handedTo(target.type, node, callbacks, out);
      else if (world.isKotlin) extended(target.type, node, types, out);
      // What it gives is foreign too.
      return initialised(node, target.returns ?? resultType(target, node), out);
    }
    if (node.body && !object) body.onType(node.body, sight.owner);
    if (target.type && callee === `jvm:${target.type.name}`)
      for (const setting of handedOn(node, types, target.type)) body.onSetting(setting);
    // `it[name]`: of whatever it is, nobody looks for the operator.
    if (!target.callee && world.text[node.at.start] === '[') return null;
    if (target.type) hosts.push(target.type);
    const own = target.type ? world.classes.get(target.type.name)?.methods : world.functions;
    const handed = known ? handedThen(node.name, target.type, known) : [];
    const [first] = callbacks;
    const takes =
      first && callbacks.length === 1 && handed.length === 0
        ? givenTo(first, node, types, own?.get(node.name), target, world)
        : handed;
    const block = together(node, callbacks, takes, true);
    if (target.type) hosts.pop();
    const its = world.isKotlin && object ? on(receiver) : undefined;
    const sees = target.type ? seenBy(world.classes.get(target.type.name), node.name, sight) : undefined;
    const told = saidOf(node, types, body);
    const spread = several(node, own?.get(node.name));
    const given = its || sees || spread ? { ...told, ...its, ...sees, ...spread } : told;
    const speaksOn = onlyOf([receiver, ...types]);
    const step: CallStep = {
      kind: 'call',
      callee,
      at: node.at,
      ...(speaksOn !== undefined && callbacks.length === 0 && { on: speaksOn }),
      args: node.arguments.length,
      ...(asksItself(node, object, sight) && { own: true }),
      ...(target.otherwise && { like: [target.otherwise] }),
      ...(given && { given }),
    };
    if (world.isKotlin && !object && !target.type && hosts.length > 0)
      step.like = hosts.map(({ name }): Name => `jvm:${name}.${node.name}`).reverse();
    const said = node.arguments.map(({ name, value }, i) =>
      name ? null : types[i] ? simpleType(types[i].name) : world.isKotlin ? null : functional(value),
    );
    if (said.some((type) => type !== null)) step.types = said;
    if (node.arguments.length > callbacks.length) step.hands = handsOver(node.arguments, world.text);
    if (callbacks.length > 0) step.block = block;
    const isWritten = target.type && world.classes.get(target.type.name)?.methods.has(node.name);
    const meanings = known && target.type && !isWritten ? meaningsOf(node.name, known, block.length > 0) : [];
    // What one of many is, nobody may know.
    const itsName = known && target.type?.name.endsWith('[]') ? likely(known, node.name) : null;
    if (itsName) meanings.push({ steps: steps(itsName, { ...known!, certainty: 'likely' }) });
    if (target.type && holdsRoutines(target.type.name))
      meanings.push({ steps: [{ kind: 'call', callee: `sql:${snakeOf(callee)}`, at: node.at }] });
    if (meanings.length > 0) step.meanings = meanings;
    out.push(orLater(step, node.name, node.creates !== undefined));
    if (target.type && /^set[A-Z]/.test(node.name) && isLoaded(object, sight, world))
      out.push(...flushed(target.type, node.at, world));
    const gives =
      target.returns === undefined
        ? ((known && givenThen(node.name, target.type, known)) ??
          toldByName(target, node, world) ??
          ofLibrary(target, node, world) ??
          resultType(target, node))
        : target.returns;
    const isMade = node.creates !== undefined || isLarge(node.name);
    return gives && isMade && speaksOn !== undefined ? { ...gives, on: speaksOn } : gives;
  }

  /** What a meaning may ask of a call. */
  function siteOf(
    node: Call,
    object: Node | null,
    target: Target,
    its: Pick<Site, 'callee' | 'types' | 'handle' | 'body'>,
  ): Site {
    return {
      at: node.at,
      label: '',
      arguments: node.arguments,
      receiver: target.type,
      on: object?.kind === 'name' ? object.text : undefined,
      handed: target.meaning?.nestedBy ? handedAs(object, sight, world) : undefined,
      sees: (type) =>
        sight.receivers.at(-1)?.name === type ||
        [...sight.locals.values()].some((one) => one.type?.name === type),
      constants: body.constants,
      text: world.text,
      isForeign: world.isForeign,
      named: (node) => resourceIn(node, body.constants, world) ?? namedElsewhere(node, sight, world),
      isHanded: (node) => isHandle(node, sight),
      parameter: (node) => madeFrom(node, sight),
      among: (name) => sight.locals.get(name)?.among,
      classOf: (name) => world.names.typeNamed(name, sight.owner?.around ?? []),
      creates: world.creates,
      ...its,
    };
  }

  /** `new TransactionTemplate(manager) {{ … }}`: its initialiser speaks to what is made. */
  function initialised({ body: own, creates }: Call, made: Typed | null, out: Step[]): Typed | null {
    if (!own || !creates || own.initialisers.length === 0) return made;
    if (made) sight.receivers.push(made);
    for (const each of own.initialisers) body.run(each, out);
    if (made) sight.receivers.pop();
    return made;
  }

  /** A method of a library's type; or of the package, which in Kotlin may extend that type in another file. */
  function handedTo(receiver: Typed, node: Call, callbacks: Argument[], out: Step[]): void {
    const { name: type } = receiver;
    const callee: Name = `jvm:${type}.${node.name}`;
    if (node.creates || isLater(node.name))
      out.push(...handedAway({ at: node.at, callee }, together(node, callbacks, [])));
    else if (!world.isKotlin || !tableTypes.has(type)) perhaps(node, callbacks, [], out);
    else {
      const callee: Name = `jvm:${world.names.inScope(node.name)}`;
      const block = together(node, callbacks, []);
      const given = on(receiver);
      out.push({
        kind: 'call', callee, at: node.at, args: node.arguments.length, block, ...(given && { given }),
      }); // biome-ignore format: short
    }
  }

  /** What a function that extends a type is told of whom it is called on. */
  function on(receiver: Typed | null): CallStep['given'] {
    if (receiver && specials.has(receiver.name)) return { [OBJECT]: true };
    return receiver?.perhaps && { [OBJECT]: { parameter: receiver.perhaps.parameter } };
  }

  /** `template.act("SELECT …")`: a function of this file or package extends a library's type; of another file only where it would tell. */
  function extended(receiver: Typed, node: Call, types: (Typed | null)[], out: Step[]): void {
    const given = { ...saidOf(node, types, body), ...on(receiver) };
    const callee: Name = `jvm:${world.names.inScope(node.name)}`;
    const step: CallStep = { kind: 'call', callee, at: node.at, args: node.arguments.length, given };
    const isOwn = world.functions.has(node.name) || textsOf(step).length > 0 || on(receiver) !== undefined;
    if (isOwn) out.push(step);
    else if (tableTypes.has(receiver.name))
      out.push({ ...step, callee: `jvm:${receiver.name}.${node.name}` });
  }

  function meant(meaning: Meaning, site: Site, node: Call, callbacks: Argument[], out: Step[]): Typed | null {
    site.label = labelOf(node, site.receiver);
    const varied = entered(vary(meaning, site), site, sight);
    if (varied.counts) countedAs(varied.counts.name, argumentOf(varied.counts.of, site)?.value, body);
    if (varied.tellsOpen) body.asks.tells(node);
    if (varied.scope && varied.scope.whenNested !== 'join') body.asks.nests();
    const only = conditionOf([site.receiver, ...site.types]);
    const connection = onlyOf([site.receiver, ...site.types]);
    const given = (varied.gives ?? []).map((name): Typed | null =>
      name === 'of' ? typeIn(varied, site) : { name, arguments: [], only, on: connection },
    );
    const other = otherwise(meaning, site, node);
    if (other) asked.set(other.parameter, other.deep);
    const block = outside(varied, node, site.receiver, sight, () => together(node, callbacks, given));
    const whole = [...site.body, ...block];
    site.body = only && whole.length > 0 ? standingFor(site) : whole;
    left(varied, sight);
    if (other) asked.set(other.parameter, other.deep - 1);
    const alone = steps({ ...later(varied, site, node), when: undefined }, site);
    const plain = doomed(varied, node, callbacks, alone);
    place(plain, connection);
    if (varied.table !== undefined && !varied.write) asksFor = tableOf(varied.table, site);
    if (only) {
      const otherwise = steps(likely(site, node.name) ?? {}, { ...site, certainty: 'likely', body: [] });
      out.push(...where(only, node.name, node.at, { steps: plain, block: whole, otherwise }));
    } else if (other && other.varied.scope !== varied.scope) {
      // Where nobody says that it is special, none is open around it.
      const scope = other.varied.scope && ({ ...other.varied.scope, opens: 'transaction' } as const);
      const inner = steps({ ...other.varied, scope, when: undefined }, site);
      const arms = [inner.map((one): Step => ({ ...one, certainty: 'possible' })), plain];
      const when = { parameter: other.parameter, is: 'true', unsure: true } as const;
      out.push({ kind: 'branch', at: node.at, arms, exhaustive: true, when });
    } else for (const step of plain) out.push(step);
    const { receiver } = site;
    if (varied.names !== undefined && receiver) receiver.told = argumentOf(varied.names, site);
    if (varied.becomes && receiver) receiver.name = varied.becomes;
    if (varied.returns === 'self') return receiver;
    if (varied.returns === 'item') return receiver?.arguments.at(-1) ?? null;
    if (varied.returns === 'items') return { name: 'java.util.List', arguments: receiver?.arguments ?? [] };
    if (varied.returns === 'of') return typeIn(varied, site) ?? node.typeArguments?.map(body.type)[0] ?? null;
    if (!varied.returns) return node.creates ? receiver : null;
    const of = varied.of !== undefined && typeIn(varied, site);
    const elsewhere = varied.address !== undefined && speaksToOther(argumentOf(varied.address, site), body);
    const name = elsewhere ? `${varied.returns}.elsewhere` : varied.returns;
    const returns: Typed = { name, arguments: of ? [of] : [], only };
    if (varied.connects && world.separates) returns.own = true;
    else if (connection !== undefined) returns.on = connection;
    if (other?.varied.returns && other.varied.returns !== varied.returns)
      returns.perhaps = { parameter: other.parameter, name: other.varied.returns };
    return returns;
  }

  /** What it means where a caller handed over a special one. */
  function otherwise(
    meaning: Meaning,
    site: Site,
    node: Call,
  ): { varied: Meaning; parameter: string; deep: number } | null {
    const { parameter } = [site.receiver, ...site.types].find((type) => type?.perhaps)?.perhaps ?? {};
    const deep = (parameter === undefined ? 0 : (asked.get(parameter) ?? 0)) + 1;
    if (parameter === undefined || deep > DEEPEST) return null;
    const isSo = (type: Typed | null) =>
      type?.perhaps?.parameter === parameter ? { name: type.perhaps.name, arguments: [] } : type;
    const receiver = isSo(site.receiver);
    const own = receiver !== site.receiver && receiver ? methodOf(receiver.name, node.name) : meaning;
    const varied = own && vary(own, { ...site, receiver, types: site.types.map(isSo) });
    return varied ? { varied, parameter, deep } : null;
  }

  function handedOver(
    found: Variable,
    node: Call,
    types: (Typed | null)[],
    target: Target,
    out: Step[],
  ): Typed | null {
    if (found.value) {
      out.push(...callback(found.value, types));
      return body.gave;
    }
    const { parameter } = found;
    const given = saidOf(node, types, body);
    const called = given && { given, args: node.arguments.length };
    out.push({ kind: 'yield', at: node.at, ...(parameter && { parameter }), ...called });
    const { callee } = target;
    // An interface of the project's own: its implementations are called, or the block.
    if (found.callback === 'maybe' && callee && !world.isForeign(callee.slice(4)))
      out.push({ kind: 'call', callee, at: node.at, args: node.arguments.length });
    return givenBack(found.type);
  }
}
