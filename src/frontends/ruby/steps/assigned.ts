// What a record is given by the names of its attributes, `Order.create!(tag_list: names)`: what its class says of those runs. Not what the save itself does.
import type { Call, Given, Loop, MeantBy, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Asked, addRoutine, type Body, type Owner, type RubyFile, type Type } from '../names/file.ts';
import { holderOf, ofMethod } from '../names/held.ts';
import { typeOf } from '../names/types.ts';
import { routineOf } from '../names/variables.ts';
import { type Arguments, argumentsOf, parts, spanOf, textOf, word } from '../syntax.ts';
import { givenAs } from './flags.ts';

const ASSIGN = 'attributes=';
const NESTED = /_attributes$/;

export interface Assigned {
  /** The methods that the class has for attributes. */
  setters: Step[];
  /** The rows of others that are saved with the record. */
  rows: Call[];
  /** It is given nothing else. */
  alone: boolean;
}

/** What its class does with what a call gives a record. */
export function assigned(body: Body, { at, args }: Pick<Asked, 'at' | 'args'>, type: Type): Assigned {
  const given = attributesOf(body, args);
  const meant = (name: string, rest: Pick<Call, 'args' | 'given'>): Call => ({
    kind: 'call',
    at: spanOf(at),
    callee: `${type.name}#${name}`,
    ...rest,
    meanings: [{ steps: [] }],
  });
  const own = [...given].filter(([key, value]) => !NESTED.test(key) && !isFresh(body, value));
  const values = own.map(([key, value]): [string, Given] => [
    key,
    value?.type === 'nil' ? null : 'something',
  ]);
  const setters = own.length > 0 ? [meant(ASSIGN, { args: 1, given: Object.fromEntries(values) })] : [];
  const nested = [...given].filter(([key]) => NESTED.test(key));
  const rows = nested.map(([key, value]) =>
    meant(`${key}=`, value ? { given: { 0: givenAs(body, value) } } : {}),
  );
  const alone = rows.length > 0 && rows.length === args.keywords.size && given.size === rows.length;
  return { setters, rows, alone: alone && args.splats.length === 0 };
}

/** Puts them into the transaction of what a framework means by a save: before what it writes, and behind that. */
export function saveWith(meant: MeantBy[], before: Step[], behind: Step[]): void {
  if (before.length + behind.length === 0) return;
  for (const { steps } of meant)
    for (const step of steps) {
      const scope = step.kind === 'loop' ? step.body[0] : step;
      if (scope?.kind === 'scope') scope.body = [...before, ...scope.body, ...behind];
    }
}

/** An update with the rows of others alone writes them, and not the record; where its class has no such rows they are columns. */
export function saveInstead(meant: MeantBy[], rows: Call[]): void {
  for (const { steps } of meant)
    for (const step of steps)
      if (step.kind === 'scope')
        step.body = rows.map((row): Step => ({ ...row, meanings: [{ steps: step.body }] }));
}

/** `@order = Order.new(order_params)`: what is saved with it when it is saved. */
export function carry(body: Body, variable: Syntax, made: Syntax | undefined): void {
  const method = made?.type === 'call' ? child(made, 'method') : undefined;
  const type = method && MAKES.test(textOf(body.file, method)) ? typeOf(body, made) : null;
  const rows = type?.fresh
    ? assigned(body, { at: method!, args: argumentsOf(body.file, made!) }, type).rows
    : [];
  if (rows.length > 0) body.carried.set(textOf(body.file, variable), rows);
  else body.carried.delete(textOf(body.file, variable));
}

/** `order.lines.build(…)`, `order.lines << line` of a new order: the line is saved with the order, unless somebody saves it by itself. */
export function carryBuilt(body: Body, node: Syntax, list: Syntax, row: Step): void {
  const owner = list.type === 'call' ? child(list, 'receiver') : undefined;
  const isOwn = list.type === 'identifier' && !body.locals.has(textOf(body.file, list));
  if (!isOwn && !/^(identifier|instance_variable|self)$/.test(owner?.type ?? '')) return;
  const held = node.type === 'identifier' ? [{ name: textOf(body.file, node) }] : holderOf(body.file, node);
  body.saves ??= new Set([...textOf(body.file, routineOf(node)).matchAll(SAVES)].map(([, name]) => name!));
  if (held.some(({ name }) => body.saves!.has(name))) return;
  const name = owner ? textOf(body.file, owner) : SELF;
  body.carried.set(name, [...(body.carried.get(name) ?? []), row]);
}

const SAVES = /(?<!\w)(@{0,2}[a-z_]\w*)\.save\b/g;

/** What a loop's block built for a record around is as many rows as it has turns. */
export function carryInTurns(
  body: Body,
  before: Map<string, Step[]>,
  loop: Omit<Loop, 'kind' | 'body'>,
): void {
  for (const [name, rows] of body.carried) {
    const known = before.get(name) ?? [];
    const built = rows.slice(known.length);
    if (rows !== known && built.length > 0)
      body.carried.set(name, [...known, { ...loop, kind: 'loop', body: built }]);
  }
}

const MAKES = /^(new|build)$/;
const SELF = 'self';

/** What it carries is saved once. */
export function carriedBy(body: Body, record: Syntax | undefined): Step[] {
  const name = record ? textOf(body.file, record) : SELF;
  const rows = body.carried.get(name) ?? [];
  body.carried.delete(name);
  return rows;
}

const isFresh = (body: Body, value: Syntax | undefined): boolean =>
  value !== undefined && typeOf(body, value)?.fresh === true;

/** The attributes that a call gives, with their values where they stand there. */
function attributesOf(body: Body, args: Arguments): Map<string, Syntax | undefined> {
  const out = new Map<string, Syntax | undefined>();
  for (const one of [...args.positional.slice(-1), ...args.splats])
    for (const key of permitted(body, one)) out.set(key, undefined);
  for (const [key, { value }] of args.keywords) out.set(key, value);
  return out;
}

/** `params.require(:order).permit(:name, lines_attributes: [:id])`, and `params.expect(order: [:name])`, also in a method of the class itself. */
function permitted(body: Body, node: Syntax): string[] {
  const call = ofMethod(body, node);
  const [receiver, method] = [child(call, 'receiver'), child(call, 'method')];
  if (call.type !== 'call' || !receiver || !method) return [];
  const name = textOf(body.file, method);
  if (/^(merge|to_h|with_defaults|reverse_merge)$/.test(name))
    return [...permitted(body, receiver), ...argumentsOf(body.file, call).keywords.keys()];
  if (!/^(permit|expect)$/.test(name) || !/^params\b/.test(textOf(body.file, receiver))) return [];
  const { positional, keywords } = argumentsOf(body.file, call);
  const values = [...keywords.values()].map(({ value }) => value);
  return name === 'permit'
    ? [...positional.flatMap((one) => word(body.file, one) ?? []), ...keywords.keys()]
    : values.filter(({ type }) => type === 'array').flatMap((list) => keysIn(body, list));
}

/** `[:name, { lines_attributes: [[:id]] }]` */
const keysIn = (body: Body, list: Syntax): string[] =>
  parts(list).flatMap((one) => {
    if (one.type === 'hash') return keysIn(body, one);
    const key = one.type === 'pair' ? textOf(body.file, child(one, 'key') ?? one) : word(body.file, one);
    return key === null ? [] : [key.replace(/^:|:$/g, '')];
  });

/** Methods that the class has written for attributes, `def tag_list=(names)`, run where a record is given these. */
export function giveSetters(file: RubyFile, owner: Owner): void {
  if (owner.kind === 'file' || owner.methods.some(({ name }) => name === ASSIGN)) return;
  const written = owner.methods.filter(({ name, singleton }) => !singleton && /^\w+=$/.test(name));
  const runs = written.filter(({ name }) =>
    file.unit.routines.some((routine) => routine.name === `ruby:${owner.name}#${name}`),
  );
  const [first] = runs;
  if (!first) return;
  const body = runs.map(
    ({ name, at }): Step => ({
      kind: 'branch',
      at: spanOf(at),
      arms: [[{ kind: 'call', at: spanOf(at), callee: `ruby:${owner.name}#${name}` }]],
      exhaustive: false,
      when: { parameter: name.slice(0, -1), is: 'not null' },
    }),
  );
  addRoutine(file, {
    name: `ruby:${owner.name}#${ASSIGN}`,
    at: spanOf(first.at),
    entry: 'called',
    startsIn: 'caller',
    implied: true,
    flags: runs.map(({ name }) => ({ name: name.slice(0, -1), value: null })),
    body,
  });
}
