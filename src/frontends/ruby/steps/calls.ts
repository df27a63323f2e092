// Lowers one call: its receiver and arguments, its block, and what Ruby, a framework or the repository means by it.

import type { Meaning } from '../../../framework.ts';
import type { Call, MeantBy, Name, Step } from '../../../ir.ts';
import { isLater, orLater } from '../../later.ts';
import { child, type Syntax } from '../../syntax.ts';
import { lengthOf } from '../counts/lengths.ts';
import { type Asked, type Body, selfType, type Type } from '../names/file.ts';
import { ofCaller } from '../names/given.ts';
import { isKept, keptType, liken, likenedTypes } from '../names/likened.ts';
import { constantMeaning, meaningsOf, otherRows, rowsOf, stepsOf, typedMeanings } from '../names/meaning.ts';
import { isOneOf, namesIn, namesLike, typesOf } from '../names/several.ts';
import { isGiven, isRelationMethod, typeOf } from '../names/types.ts';
import { type Arguments, argumentsOf, parts, spanOf, textOf } from '../syntax.ts';
import { assigned, carriedBy, carryBuilt, saveInstead, saveWith } from './assigned.ts';
import { blockSteps } from './blocks.ts';
import { lower, lowerAll } from './body.ts';
import { blockCalled, inTurn, makesHash } from './callables.ts';
import { computed } from './computed.ts';
import { askedBy } from './deferred.ts';
import { isForEffect, isStatement } from './effect.ts';
import { lowerSql, madeFrom } from './embedded.ts';
import { handOver } from './handed.ts';
import { runElsewhere, yields } from './keeping.ts';
import { CORE, isTest, OF_OTHERS, own } from './kernel.ts';
import {
  calling,
  isModelHere,
  likened,
  markOf,
  meanings,
  ofAssociation,
  saveOf,
  typed,
  typedAlike,
} from './meant.ts';
import { isDdl, lowerDdl } from './migration.ts';
import { isTakenBack, lowerBack } from './reverting.ts';
import { handing, site } from './site.ts';
import { lowerVersion } from './versions.ts';
import { isDatabase, mayBeOwn } from './whose.ts';

export function lowerCall(body: Body, node: Syntax, out: Step[]): void {
  const receiver = child(node, 'receiver');
  // `Place.(order)` is `Place.call(order)`.
  const at = child(node, 'method') ?? receiver;
  const args = argumentsOf(body.file, node);
  if (receiver && !/^(constant|self|identifier|heredoc_beginning)$/.test(receiver.type))
    out.push(...askedBy(lower(body, receiver), receiver, at && textOf(body.file, at)));
  else if (receiver?.type === 'identifier') lowerName(body, receiver, out);
  for (const list of node.children)
    if (list.type === 'argument_list')
      out.push(...computed(body, node, at && textOf(body.file, at), args, lowerAll(body, list.children)));
  if (!at) return;
  if (at.type === 'super') {
    superCall(body, at, args, out);
    return;
  }
  let name = at === receiver ? 'call' : textOf(body.file, at);
  if (/^(send|public_send|__send__|try|try!)$/.test(name) && args.positional.length > 0) {
    const sent = namesIn(body, args.positional[0]!);
    if (!sent) {
      const like = receiver && receiver.type !== 'self' ? [] : namesLike(body, args.positional[0]!);
      const rest: Arguments = { ...args, positional: args.positional.slice(1) };
      const arms = like.map((one): Step[] => {
        const arm: Step[] = [];
        called(body, node, one, at, receiver, rest, arm);
        return arm;
      });
      if (arms.length > 0) out.push({ kind: 'branch', at: spanOf(at), arms, exhaustive: false });
      else out.push({ kind: 'call', at: spanOf(at), callee: `ruby:?#${name}` });
      return;
    }
    args.positional.shift();
    const [first, ...others] = sent.of;
    if (others.length > 0) {
      const arms = sent.of.map((one): Step[] => {
        const arm: Step[] = [];
        called(body, node, one, at, receiver, args, arm);
        return arm;
      });
      if (sent.each) out.push(...arms.flatMap((arm) => inTurn(arm, spanOf(at))));
      else out.push({ kind: 'branch', at: spanOf(at), arms, exhaustive: true });
      return;
    }
    name = first!;
  }
  called(body, node, name, at, receiver, args, out);
}

/** A call by this name, which need not stand there. */
function called(
  body: Body,
  node: Syntax,
  name: string,
  at: Syntax,
  receiver: Syntax | undefined,
  args: Arguments,
  out: Step[],
): void {
  if (!receiver && own(body, name, at, args, out)) return;
  if (isDdl(name) && changesSchema(body)) {
    out.push(lowerDdl(body.file, node, name, at, body.keepsObjects));
    return;
  }
  const version = !receiver && changesSchema(body) ? lowerVersion(body, name, at, args) : null;
  if (version) {
    out.push(version);
    return;
  }
  if (isTakenBack(body, name, receiver)) {
    const back = lowerBack(body, () => blockSteps(body, args, name, null, receiver));
    if (back.length > 0) out.push({ kind: 'branch', at: spanOf(at), arms: [back], exhaustive: false });
    return;
  }
  if (receiver && blockCalled(body, receiver, name, at, args, out)) return;
  const type = receiver ? typeOf(body, receiver) : selfType(body);
  const some = receiver && (type ? type.kind !== 'builtin' : isOneOf(body, receiver));
  const chosen = some ? typesOf(body, receiver) : null;
  if (chosen) {
    const arms = chosen.of.map((one): Step[] => {
      const arm: Step[] = [];
      mean(
        body,
        { node, name, at, receiver, type: one, args, block: blockSteps(body, args, name, one, receiver) },
        arm,
      );
      return arm;
    });
    if (chosen.each) out.push(...arms.flatMap((arm) => inTurn(arm, spanOf(at))));
    else out.push({ kind: 'branch', at: spanOf(at), arms, exhaustive: true });
    return;
  }
  if (receiver && name === 'delay' && parts(receiver).length === 0) return; // delayed_job: what follows runs elsewhere
  if (makesHash(body.file, node)) return;
  const block = blockSteps(body, args, name, type, receiver);
  mean(body, { node, name, at, receiver, type, args, block }, out);
}

/** A bare word: a local variable, or a method of self without arguments. */
export function lowerName(body: Body, node: Syntax, out: Step[]): void {
  const name = textOf(body.file, node);
  if (body.locals.has(name) || name === body.blockName || name === '_') return;
  if (name === 'raise') {
    out.push({ kind: 'exit', how: 'raise', again: true, at: spanOf(node) });
    return;
  }
  const args: Arguments = { positional: [], keywords: new Map(), splats: [] };
  if (own(body, name, node, args, out)) return;
  mean(body, { node, name, at: node, receiver: undefined, type: selfType(body), args, block: null }, out);
}

/** `order.lines << line`, `order.lines = [line]`: what an association is given is saved; of a new record, with that. */
export function lowerAdded(
  body: Body,
  node: Syntax,
  at: Syntax,
  list: Syntax | undefined,
  out: Step[],
  as?: Type | null,
): void {
  const receiver = list && child(list, 'receiver');
  const ofSelf = list?.type === 'identifier' && !body.locals.has(textOf(body.file, list));
  if (!list || !(ofSelf || (receiver && list.type === 'call'))) return;
  const known = as ?? typeOf(body, list);
  const type = known ?? likenedTypes(body, list).find(isGiven) ?? null;
  const added = node === list ? null : typeOf(body, child(node, 'right'));
  // `order.lines << Line.new` of an order that nobody knows.
  if (!known && added?.kind === 'one') out.push({ kind: 'call', at: spanOf(at), callee: 'ruby:?#<<' });
  if (type?.kind !== 'some') return;
  const args: Arguments = { positional: [], keywords: new Map(), splats: [] };
  // What is added was made there, or found, or nobody knows.
  const fresh = added?.kind === 'one' ? added.fresh : undefined;
  const whose = fresh === undefined ? type : { ...type, fresh };
  const asked: Asked = { node, name: '<<', at, receiver: list, type: whose, args, block: null };
  if (typeOf(body, receiver)?.fresh) {
    const item = child(node, 'right');
    if (item && node !== list) carryBuilt(body, item, list, saveOf(body, asked, type.name));
    return;
  }
  const meant = typed(body, asked, known ? 'certain' : 'likely');
  if (node === list) {
    const value = list.parent && child(list.parent, 'right');
    const turns = (value && lengthOf(body, value)) ?? { times: null };
    for (const one of meant) {
      const loop: Step = { kind: 'loop', at: spanOf(at), over: 'items', ...turns, body: one.steps };
      // All of them in one transaction.
      const label = `${textOf(body.file, at)}=`;
      one.steps = [
        { kind: 'scope', at: spanOf(at), opens: 'transaction', whenNested: 'join', label, body: [loop] },
      ];
    }
  }
  out.push({ ...calling(body, asked, `${type.name}#<<` as Name), meanings: [...meant, { steps: [] }] });
  // What joins the two has a row as well, if the class says so.
  const joins: Call = { kind: 'call', at: spanOf(at), callee: type.name.replace(/\(\)$/, '<<') as Name };
  if (joins.callee === type.name) return;
  out.push(...(node === list ? inTurn([joins], spanOf(at)) : [joins]));
}

export function lowerSuper(body: Body, node: Syntax, out: Step[]): void {
  superCall(body, node, { positional: [], keywords: new Map(), splats: [] }, out);
}

function superCall(body: Body, at: Syntax, args: Arguments, out: Step[]): void {
  const self = selfType(body);
  if (!self || !body.method) return;
  const block = blockSteps(body, args, 'super', self, undefined);
  const mark = body.singleton ? '.' : '#';
  const callee = `${self.name}^${mark}${body.method}` as Name;
  const asked: Asked = { node: at, name: body.method, at, receiver: undefined, type: self, args, block };
  out.push({
    kind: 'call',
    at: spanOf(at),
    callee,
    ...(block ? { block } : {}),
    ...meanings(typed(body, asked)),
  });
}

/** `create_table` and its like mean the schema where migrations stand. */
const changesSchema = ({ owner, file }: Body) => owner.role === 'migration' || file.unit.role === 'migration';

// ---- what a call means

function mean(body: Body, asked: Asked, out: Step[]): void {
  const { name, receiver, args, type, block } = asked;
  if (type?.kind === 'class') handOver(body, type.name, name, args);
  const constant = receiver && /^(constant|scope_resolution|global_variable)$/.test(receiver.type);
  const fixed = constant ? constantMeaning(textOf(body.file, receiver).replace(/^::/, ''), name) : undefined;
  if (fixed) {
    if (fixed.elsewhere) out.push(...later(asked));
    else out.push(...stepsOf([fixed], site(body, asked)));
    return;
  }
  if (type?.name.startsWith('sql:') && !(block && meaningsOf(name)[0]?.loops)) {
    // The rows of a table are asked: no routine of the program is meant.
    for (const { receiver: of, meaning } of typedMeanings(`.${name}`))
      if (rowsOf.has(of)) out.push(...stepsOf([meaning], site(body, asked)));
    return;
  }
  if (name === 'fetch' && block && receiver && CACHE.test(textOf(body.file, receiver))) {
    const made = block.map((step): Step => ({ ...step, certainty: 'possible' }));
    if (made.length > 0) out.push({ kind: 'branch', at: spanOf(asked.at), arms: [made], exhaustive: false });
    return;
  }
  const all = meaningsOf(name);
  const meanings = type?.kind === 'builtin' ? all.filter(({ loops }) => loops) : all;
  const first = meanings[0];
  if (first?.loops) {
    if (block) {
      const over = type?.kind === 'many' && first.loops === 'items' ? 'rows' : first.loops;
      const meant = [{ ...first, loops: over }];
      // A class may have an `each` of its own.
      if (type?.kind === 'one' && receiver && !args.blockArgument) {
        const steps = stepsOf(meant, handing(body, asked));
        out.push({ ...calling(body, asked, `${type.name}#${name}`), meanings: [{ steps }] });
      } else out.push(...stepsOf(meant, site(body, asked)));
      return;
    }
  } else if (first?.elsewhere) {
    if (first.configured)
      out.push({
        kind: 'call',
        at: spanOf(asked.at),
        callee: `ruby:${first.configured}.${name}`,
        meanings: [{ steps: [] }],
      });
    if (/^perform/.test(name) && type) {
      const meant = typed(body, asked);
      if (meant.length > 0)
        out.push({
          ...calling(body, asked, `${type.name}.${name}`),
          meanings: [...meant, { steps: [] }],
        });
      out.push({
        kind: 'call',
        at: spanOf(asked.at),
        callee: `${type.name}#perform` as Name,
        elsewhere: true,
      });
      return;
    }
    if (block) {
      out.push(...later(asked));
      return;
    }
  } else if ((first?.scope || first?.when?.some(({ then }) => then.scope)) && !isTelling(first)) {
    if ((block || name === 'table_exists?') && isDatabase(body, asked)) {
      if (block && type && mayBeOwn(body, asked, type)) {
        const callee = `${type.name}${markOf(type, name)}${name}` as Name;
        const meant = stepsOf(meanings, handing(body, asked));
        out.push({ ...calling(body, asked, callee), meanings: [{ steps: meant }] });
      } else {
        // Whose row it locks, a variable's name may tell.
        const tells = first.rowLock && (!type || isKept(body, receiver));
        const [locked, ...others] = tells ? likenedTypes(body, receiver) : [];
        const like = others.at(-1)?.name;
        const of = site(body, locked ? { ...asked, type: locked } : asked);
        out.push(...stepsOf(meanings, like ? { ...of, like } : of));
      }
      return;
    }
  } else if (first?.flat) {
    if (receiver || args.positional.length > 0) {
      out.push(...stepsOf(meanings, site(body, asked)));
      return;
    }
  } else if (first && first.sql !== undefined) {
    const steps = lowerSql(body, asked);
    const runs = madeFrom(body, args.positional[0]);
    if (runs !== undefined) {
      out.push(...givenText(body, asked, runs, steps));
      if (steps && block) out.push(...block);
      return;
    }
    if (steps) {
      out.push(...steps);
      if (block) out.push(...block);
      return;
    }
  } else if (first?.wait) {
    out.push(...stepsOf([first], site(body, asked)));
    return;
  }
  plainCall(body, asked, meanings, out);
}

/** `connection.execute(sql)` of what the method was given; a method of the repository comes first. */
function givenText(body: Body, asked: Asked, runs: string, steps: Step[] | null): Step[] {
  const at = spanOf(asked.at);
  const text: Call = { kind: 'call', at, callee: 'ruby:?', runs };
  if (steps) return [{ ...text, meanings: [{ steps }] }];
  const plain: Step[] = [];
  plainCall(body, asked, meaningsOf(asked.name), plain);
  const last = plain.at(-1);
  if (last?.kind !== 'call') return [...plain, text];
  // `rows.fetch(key) { … }` of a hash runs its block.
  const ran: Step[] = last.block ? [text, { kind: 'yield', at }] : [text];
  return [...plain.slice(0, -1), { ...last, meanings: [...(last.meanings ?? []), { steps: ran }] }];
}

/** `Rails.cache.fetch(key) { … }`: what it lacks is made, and stays, so that nobody knows how often that is. */
const CACHE = /(^|[._@]|::)cache(_store)?$/i;

/** Those of ActiveRecord's calls that are told by their name; `transaction` and `with_lock` need a block besides. */
const isTelling = (meaning: Meaning) => meaning.write !== undefined || meaning.inside !== undefined;

function later({ name, at, block, type }: Asked): Step[] {
  if (!block) return [];
  return [
    // Whose block it is that runs there, the caller knows.
    ...(yields(block) ? [runElsewhere(spanOf(at))] : []),
    {
      kind: 'call',
      at: spanOf(at),
      callee: `${type?.name ?? 'ruby:?'}.${name}` as Name,
      elsewhere: true,
      block,
    },
  ];
}

/** A call of a routine of the repository, or of a framework where the repository has none. */
function plainCall(body: Body, asked: Asked, byName: Meaning[], out: Step[]): void {
  const { name, receiver, args, type, block } = asked;
  const builtin = type?.kind === 'builtin';
  // Of a number or a range; others mean a step of what they do.
  const each = block && (EACH_OF.test(name) || (builtin && name === 'step')) ? EACH : null;
  if (builtin) {
    if (block && isLater(name)) out.push(...later(asked));
    else if (block) out.push(...(each ? stepsOf([each], site(body, asked)) : block));
    return;
  }
  const given = args.positional.length + (args.keywords.size > 0 ? 1 : 0);
  if (type === null) {
    const telling = byName.filter(isTellingOrLock);
    const whose = ofCaller(body, receiver);
    const steps =
      telling.length > 0 && receiver
        ? stepsOf(telling, { ...handing(body, asked), certainty: 'likely' })
        : each && stepsOf([each], { ...handing(body, asked), certainty: 'likely' });
    // What it was made with may have a method of such a name.
    const others = receiver && given > 0 && OF_OTHERS.has(name) && keptType(body, receiver) !== null;
    if (
      !others &&
      !steps &&
      !block &&
      (CORE.has(name) || (given === 0 && !name.endsWith('!')) || !receiver)
    ) {
      const isGivenTo = () => whose !== null || (receiver && keptType(body, receiver) !== null);
      const isDone = () => isForEffect(body.file, asked) || (isStatement(asked) && isGivenTo());
      if (receiver && given === 0 && (mayWrite(name) || (!CORE.has(name) && isDone())))
        out.push(ofSomebody(body, asked, whose, []));
      if (receiver || CORE.has(name)) return;
    }
    if (!receiver && isTest(body)) {
      // `describe`, `it`, `let`: what they are given runs, and the names are of the test's own library.
      if (block) out.push(...block);
      return;
    }
    const meant = steps ? [{ steps }] : [];
    const step = receiver
      ? ofSomebody(body, asked, whose, meant)
      : { ...calling(body, asked, `ruby:${name}`), ...likened(body, asked, meant) };
    out.push(orLater(step, name));
    return;
  }
  const meant = typed(body, asked);
  // Where nobody knows what it was made with, the attribute's name tells.
  if (isKept(body, receiver)) meant.push(...typedAlike(body, asked));
  const telling = byName.filter(isTellingOrLock);
  // What a module calls on itself is that of whoever includes it.
  if ((receiver || body.owner.kind === 'module') && telling.length > 0 && !isModelHere(body, type))
    meant.push({
      unless: otherRows,
      steps: stepsOf(telling, { ...handing(body, asked), certainty: 'likely' }),
    });
  if (meant.length === 0 && !block && CORE.has(name)) {
    const kept =
      type.kind === 'some' && given > 0 && OF_OTHERS.has(name) && receiver && keptType(body, receiver);
    if (type.kind !== 'class' && type.kind !== 'one' && !kept) return;
    // `Ledger.put(row)`: a class may have a method of such a name too.
    meant.push({ steps: [] });
  }
  if (type.kind !== 'class') meant.push(...ofAssociation(body, asked, type.name));
  // A query, a column or an association, where the class has no such method of its own.
  if (meant.length === 0 && !block && (isRelationMethod(name) || (given === 0 && !/[!?]$/.test(name))))
    meant.push({ receiver: 'ruby:ActiveRecord::Base', steps: [] });
  if (meant.length === 0 && each)
    meant.push({ steps: stepsOf([each], { ...handing(body, asked), certainty: 'likely' }) });
  if (name === 'new' && type.kind === 'class') {
    const made: Call = { ...calling(body, asked, `${type.name}#initialize`), meanings: [{ steps: [] }] };
    // Lambdas among the arguments the object keeps.
    out.push(args.block || args.blockArgument ? made : orLater(made, name, true));
    return;
  }
  if (given === 0 && !block && type.name === `ruby:${body.owner.name}` && body.owner.attributes.has(name))
    return;
  const callee = `${type.name}${markOf(type, name)}${name}` as Name;
  const [creates, updates] = [/^create!?$/.test(name), /^update!?$/.test(name)];
  if (creates || updates) {
    const { setters, rows, alone } = assigned(body, asked, type);
    // The record is made before its transaction begins; an update is all in one.
    if (creates) out.push(...setters);
    if (alone && updates) saveInstead(meant, rows);
    else saveWith(meant, creates ? [] : setters, rows);
  }
  const saves = /^save!?$/.test(name);
  if ((saves || updates) && type.kind !== 'class') saveWith(meant, [], carriedBy(body, receiver));
  const like = isGiven(type) ? liken(body, name, receiver) : {};
  out.push(orLater({ ...calling(body, asked, callee), ...like, ...meanings(meant) }, name));
  if (saves && type.fresh) hasRow(body, receiver);
  if (creates || updates) saveFresh(body, asked, out);
  if (receiver && type.kind === 'some' && /^(build|new)$/.test(name))
    carryBuilt(body, asked.node, receiver, saveOf(body, asked, type.name));
}

/** Of what the method was given, whoever calls it says of which class it is; of others at most a name tells. */
function ofSomebody(body: Body, asked: Asked, whose: string | null, meant: MeantBy[]): Call {
  const type = whose === null ? null : ({ name: `ruby:${whose}`, kind: 'one' } as const);
  const its = likened(body, asked, meant);
  return {
    ...calling(body, asked, `${type?.name ?? 'ruby:?'}#${asked.name}` as Name),
    ...its,
    ...(type && meanings([...typed(body, { ...asked, type }), ...(its.meanings ?? [])])),
  };
}

/** Saved once, it has a row, unless that stood under a condition. */
function hasRow(body: Body, receiver: Syntax | undefined): void {
  const name = receiver?.type === 'identifier' ? textOf(body.file, receiver) : '';
  const local = body.locals.get(name);
  if (local?.type) body.locals.set(name, { ...local, type: { name: local.type.name, kind: 'one' } });
}

/** `Line.create!(order: Order.new)`: records that are new are saved in the transaction of the save. */
function saveFresh(body: Body, asked: Asked, out: Step[]): void {
  for (const { value } of asked.args.keywords.values()) {
    const its = typeOf(body, value);
    if (its?.kind !== 'one' || !its.fresh) continue;
    out.push(saveOf(body, asked, its.name));
  }
}

/** Where nobody in the repository has such a method, its name says that it runs its block for each of many. */
const EACH_OF = /^each_\w+$/;
const EACH: Meaning = { loops: 'items' };

/** On a receiver of which nothing is known: a model's own, or what is called for what it does. */
const mayWrite = (name: string) =>
  /^(call|execute|perform|perform_now|process|run)$/.test(name) ||
  typedMeanings(`#${name}`).some(({ meaning }) => isTelling(meaning));

const isTellingOrLock = (meaning: Meaning) =>
  isTelling(meaning) ||
  meaning.calls !== undefined ||
  (meaning.rowLock !== undefined && meaning.scope === undefined);
