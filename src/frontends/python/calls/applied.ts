// What a call that is understood does, as steps: its meaning applied to what it was given. What it means is told elsewhere.
import type { Meaning } from '../../../framework.ts';
import {
  type Call,
  type Certainty,
  inside,
  type Loop,
  type Name,
  type Span,
  type Step,
} from '../../../ir.ts';
import { isLater, orLater } from '../../later.ts';
import { pieces } from '../../source.ts';
import { computedBy } from '../../sql/queries/fragment.ts';
import { child, type Syntax } from '../../syntax.ts';
import { asksItself } from '../counts/same.ts';
import { rowGiven } from '../counts/saved.ts';
import { aliasBy, aliasOf } from '../names/aliases.ts';
import { given, mayBeCalled, undecided } from '../names/arguments.ts';
import { another, isType } from '../names/knowledge.ts';
import { labelOf, linkOf } from '../names/links.ts';
import { isParameter } from '../names/parameters.ts';
import { type Place, textOf } from '../names/scope.ts';
import { nameOf } from '../names/types.ts';
import { constantText, resolve } from '../names/values.ts';
import { method, SOMETHING, understand } from './calls.ts';
import { argumentsOf, keptHere, madeWith, optionGiven } from './flags.ts';
import { textOfRoutine } from './handed.ts';
import { apart, connection, connects, doomed, mayBeDoomed, scopeOf } from './opens.ts';
import { askedOf, handed, keysOf, lockedRows, locksOwn, python, relationOf } from './rows.ts';
import { flat, isInner, onThat } from './savepoints.ts';
import { madeFrom, texts } from './text.ts';
import type { Understood } from './understood.ts';
import { oneOf, write } from './writes.ts';

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
    const kept = keptHere(c, call.node);
    if (given || row || kept) step.given = { ...given, ...row, ...kept };
    const asked = call.receiver && askedOf(c, call.node);
    if (asked) step.hands = { self: asked };
    Object.assign(step, madeWith(c, call.node, call.callee));
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
      ...(receiver || of || is ? {} : unlessOthers(meaning)),
      steps: applied(
        c,
        { ...call, certainty: certainty ?? call.certainty, receiver: whose ?? call.receiver },
        meaning,
        handed,
      ),
    }),
  );
  if (call.meaning && !elsewhere)
    meanings.push({ ...unlessOthers(call.meaning), steps: applied(c, call, call.meaning, handed) });
  if (meanings.length > 0) step.meanings = meanings;
  if (given.block) return [step];
  if (call.begins) return [...begun(call), step];
  const name = call.callee.slice(call.callee.lastIndexOf('.') + 1);
  if (Object.values(step.given ?? {}).some(handsOn) && isLater(name)) given.kept?.();
  return [orLater(step, name, name === '__init__')];
}

/** Of a connection that another file gives, or of its cursor, the first statement begins one. */
const begun = ({ at, callee, begins }: Understood): Step[] => [
  {
    kind: 'call',
    at,
    callee: `${callee!}~begins`,
    meanings: [
      ...begins!.map((one) => ({
        receiver: python(one),
        steps: [{ kind: 'begin', at, implied: true }] as Step[],
      })),
      { steps: [] },
    ],
  },
];

/** What another file makes may speak to another database. */
const unlessOthers = ({ scope, sql }: Meaning): { unless?: Name[] } =>
  scope || sql !== undefined ? { unless: [python(another)] } : {};

/** A parameter that by its name is called. */
const handsOn = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'parameter' in one && mayBeCalled(String(one.parameter));

/** `atomic(savepoint=savepoint)`: what the caller gave decides which scope it is; that of `True` is no more than possible where nobody says so. */
function byOption(c: Place, call: Understood, its: Meaning, data: Given): Step[] | undefined {
  const asked = its.scope && call.node.type === 'call' ? optionGiven(c, call.node, its) : undefined;
  if (!asked) return undefined;
  const { variation, parameter, usual } = asked;
  const rest = { ...its, when: its.when!.filter((one) => one !== variation) };
  const then = { ...its, ...variation.then, when: undefined };
  const { certainty: _, ...sure } = call;
  const arms = (variation.is === 'True' ? [then, rest] : [rest, then]).map((one) =>
    applied(c, undecided(c, one, call.node) ? call : sure, one, data),
  );
  const unsure = usual ? undefined : true;
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
    const { on, link } = base;
    const steps = on === undefined && link === undefined ? read : read.map((step) => onThat(step, base));
    if (its.opened && steps[0]?.kind === 'savepoint') out.push({ kind: 'begin', ...base, implied: true });
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
  if (its.rowLock && locksOwn(c, its, call.node))
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
    const named = only ? [only] : its.calls;
    const asked = its.of === undefined ? undefined : given(c, call.node, its.of);
    const arms = named.map((name) => (asked ? asks(c, call, asked, name, data) : [calls(call, name)]));
    out.push(oneOf(call.at, arms));
  }
  if (its.dooms) out.push(...doomed(call.at, base.on, its.dooms));
  const named = its.runsNamed && call.node.type === 'call' && given(c, call.node, its.runsNamed.of);
  const text = named && constantText(c, named);
  if (text) out.push({ kind: 'call', at: call.at, callee: python(its.runsNamed!.as.replace('*', text)) });
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
    else out.push(mayBeDoomed(whole));
  } else if (its.swallows) out.push({ kind: 'attempt', at: call.at, body, handlers: [swallowed(c, call)] });
  else if (its.loops && its.sql === undefined && body.length > 0)
    out.push(repeat(base.at, its.loops, body, null, its.perhaps && 'likely'));
  else out.push(...body);
  if (its.write) out.push(...write(c, call, its.write, base, relation, keys));
  if (its.raises && call.node.type === 'call')
    out.push({ kind: 'exit', at: call.at, how: 'raise', raises: its.raises });
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
  const label = its.connects && its.returns ? labelOf(c, call.node, its.returns) : undefined;
  const on = label ?? aliasOf(c, call.node, its, call.receiver) ?? apart(c, call.receiver?.path);
  const onBy = aliasBy(c, call.node, its) ?? (on === undefined ? call.receiver?.onBy : undefined);
  const link = its.connects ? undefined : linkOf(c, call.receiver);
  return {
    at: call.at,
    ...(on ? { on } : {}),
    ...(onBy ? { onBy } : {}),
    ...(link ? { link } : {}),
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

/** The same of what it is handed: `super().form_valid(form)` saves the form. */
function asks(c: Place, { at }: Understood, handed: Syntax, name: string, { sql }: Given): Step[] {
  const its = method(c, handed, at, handed, name);
  return its ? stepsOf(c, its, { sql, callbacks: [] }) : [{ kind: 'call', at, callee: python(`?.${name}`) }];
}

function swallowed(c: Place, call: Understood) {
  const list = call.node.type === 'call' ? (child(call.node, 'arguments')?.children ?? []) : [];
  const catches = list.map((one) => caught(textOf(c.file, one)));
  return { at: call.at, catches, body: [] };
}

export function caught(text: string): string {
  const last = text.split('.').at(-1)!.trim();
  return last === 'Exception' || last === 'BaseException' || last === 'StandardError' ? 'others' : last;
}
