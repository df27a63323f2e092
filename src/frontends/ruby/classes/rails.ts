// Rails' macros in class bodies: associations, callbacks, tables, delegation. What a class is, is told from its ancestors.
import type { Declares } from '../../../framework.ts';
import type { MeantBy, Name, Span, Step, Trigger } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { callbackOf, callbacks, calledAs, declares } from '../names/declaring.ts';
import {
  addRoutine,
  type Macro,
  methodName,
  newBody,
  type Owner,
  type RubyFile,
  resolveConstant,
} from '../names/file.ts';
import { pluralize, underscore } from '../names/inflect.ts';
import {
  bareSite,
  entryOf,
  hasNoRows,
  hooked,
  marks,
  models,
  stepsOf,
  typedMeanings,
} from '../names/meaning.ts';
import { lower } from '../steps/body.ts';
import { argumentsOf, literal, parts, spanOf, textOf, word } from '../syntax.ts';
import { controllerCallback, withoutAround } from './actions.ts';
import { alsoCalled, chainedAs } from './alias.ts';
import { association, nestedAttributes } from './associations.ts';
import { chained, isOwn } from './chains.ts';
import { changedIn, guardedBy } from './changed.ts';
import { organized, stepped, surrounded } from './commands.ts';
import { ownConnection } from './connects.ts';
import { enums } from './enums.ts';
import { injected, isInjected } from './injected.ts';
import { fieldOf, option, shared } from './kept.ts';
import { stateMachine } from './machines.ts';
import { scoped } from './scopes.ts';
import { statesman, transitions } from './transitions.ts';

// ---- what a class is

export function roleOf(superclass: string | null, name: string): Owner['role'] {
  const above = superclass?.replace(/^::/, '') ?? '';
  const isModel = models.some((model) => above === model || above.startsWith(`${model}(`));
  const entry = entryOf.get(above.replace(/\[.*/s, '')) ?? (isModel ? 'model' : calledAs(above, name));
  if (entry === 'command') return null;
  return entry === 'request' ? 'controller' : entry;
}

/** The table of a class by Rails' rule, and what a prefix elsewhere would make of it. */
export function giveTable(owner: Owner, superclass: string | null, abstract: boolean): void {
  if (owner.role !== 'model' || abstract || owner.declaration.relation) return;
  const above = superclass?.replace(/^::/, '') ?? '';
  // A namespaced Base is a table of its own, or abstract; what descends from it tells.
  if (/(^|::)(ApplicationRecord|Base)$/.test(owner.name)) return;
  if (hasNoRows(above)) return;
  const names = owner.name.split('::');
  const table = pluralize(underscore(names.at(-1)!));
  owner.declaration.relation = `sql:${table}`;
  if (names.length > 1) {
    const prefixes = names
      .slice(0, -1)
      .map((_, i) => underscore(names.slice(0, names.length - 1 - i).join('_')));
    owner.declaration.otherRelations = prefixes.map((prefix): Name => `sql:${prefix}_${table}`);
  }
}

// ---- macros

/** True when the call in the class body was a macro of Rails'. */
export function macro(file: RubyFile, owner: Owner, node: Syntax, name: string, singleton = false): boolean {
  const mark = marks.get(name);
  if (mark) {
    const { keywords } = argumentsOf(file, node);
    if (mark.by.some((one) => keywords.has(one))) mixIn(owner, 'extend', `ruby:${mark.is}`);
    return true;
  }
  const what = declares.get(name);
  const known =
    RUBYS.get(name) ?? (what ? DECLARES[what] : undefined) ?? (callbackOf(name) ? callback : undefined);
  // A form of the program's own may save itself.
  if (isOwn(name) && (!known || (known === callback && owner.role !== 'model')))
    chained({ file, owner, node, name, singleton, args: argumentsOf(file, node) });
  if (!known) {
    // A class above, or a module, may have it.
    if (owner.kind !== 'file' && !singleton && !SAYS_NOTHING.test(name))
      owner.declaration.says = [...new Set([...(owner.declaration.says ?? []), name])];
    return false;
  }
  known({ file, owner, node, name, singleton, args: argumentsOf(file, node) });
  return true;
}

/** Rails' own that declare nothing here. */
const SAYS_NOTHING = /^(validates?|attr|rescue_from|store|default_scope|helper|self\b)/;

/** Words of the language and of its own library. */
const RUBYS = new Map<string, (macro: Macro) => void>(
  Object.entries({
    alias_method: ({ file, owner, node, singleton, args }) => {
      const [to, from] = args.positional.map((one) => word(file, one));
      if (to && from) alsoCalled(file, owner, node, { to, from, singleton });
    },
    attr_reader: attributes,
    attr_accessor: attributes,
    attr_writer: attributes,
    include: mixin,
    extend: mixin,
    prepend: mixin,
    def_delegators: delegators,
    def_instance_delegators: delegators,
    def_delegator: delegators,
    def_instance_delegator: delegators,
  }),
);

const DECLARES: Record<Declares, (macro: Macro) => void> = {
  many: (given) => association(given, 'many'),
  one: (given) => association(given, 'one'),
  belongs: (given) => association(given, 'belongs'),
  query: (given) => association(given, 'query'),
  'with its own': nestedAttributes,
  scope: scoped,
  enum: enums,
  delegation: delegate,
  // Validations ask the database inside the transaction of the save.
  validation: (given) => callback({ ...given, name: 'before_validation' }),
  chained: ({ file, owner, node, args }) => {
    const [name, feature] = args.positional.map((one) => word(file, one));
    if (name && feature) chainedAs(file, owner, node, name, feature);
  },
  // Who calls it writes a job, which calls what it was.
  later: ({ file, owner, args }) => {
    const name = word(file, args.positional[0]);
    for (const one of owner.methods) if (one.name === name) one.name = `${name}_without_delay`;
  },
  option,
  shared,
  'outside transaction': ({ owner }) => {
    owner.outsideTransaction = true;
  },
  connection: ownConnection,
  'usual connection': ({ owner }) => {
    owner.primary = true;
    delete owner.declaration.connection;
  },
  'around actions': controllerCallback,
  'not around actions': withoutAround,
  commands: organized,
  step: stepped,
  'around command': surrounded,
  // `set_callback :save, :after, :note` is `after_save :note`.
  'callback by name': (given) => {
    const [what, when] = given.args.positional.map((one) => word(given.file, one));
    const name = `${when}_${what}`;
    const args = { ...given.args, positional: given.args.positional.slice(2) };
    const known = callbackOf(name) !== null;
    if (known) callback({ ...given, name, args });
    if (!known || given.owner.role !== 'model') chained({ ...given, name, args }, true);
  },
  states: stateMachine,
  events: transitions,
  transition: statesman,
  none: () => {},
};

/** What whoever calls a method has by this, where that method says it. */
export const saysOfCaller = (name: string): boolean =>
  callbackOf(name) !== null ||
  RUBYS.get(name) === mixin ||
  /^(many|one|belongs)$/.test(declares.get(name) ?? '');

/** What an object keeps in a variable of that name. */
function attributes({ file, owner, name: macro, singleton, args }: Macro): void {
  for (const one of args.positional) {
    const name = word(file, one);
    if (!name) continue;
    if (macro !== 'attr_writer') owner.attributes.add(name);
    if (macro !== 'attr_reader' && !singleton) owner.writers.add(name);
  }
}

function mixin({ file, owner, name, args }: Macro): void {
  // Of several in one line the first is asked first.
  for (const one of args.positional.toReversed()) {
    if (isInjected(file, one)) injected(file, owner, one);
    if (one.type !== 'constant' && one.type !== 'scope_resolution') continue;
    const written = textOf(file, one);
    if (written === 'ActiveSupport::Concern') owner.concern = true;
    mixIn(owner, name, resolveConstant(file, written, owner));
    const entry = entryOf.get(written.replace(/^::/, ''));
    if (entry === 'job') owner.role = 'job';
  }
}

/** The last one is asked first, before the superclass; a prepended one before the class itself. */
export function mixIn({ declaration }: Owner, how: string, module: Name): void {
  declaration.bases.unshift(module);
  if (how === 'prepend') declaration.prepends = [module, ...(declaration.prepends ?? [])];
}

/** `delegate :total, to: :order, prefix: true`. */
function delegate(given: Macro): void {
  const { file, owner, args } = given;
  const to = args.keywords.get('to');
  const target = to && (word(file, to.value) ?? literal(file, to.value));
  if (owner.kind === 'file') return;
  if (!to) forwarded(given);
  if (!target) return;
  const prefixed = args.keywords.get('prefix');
  const prefix = prefixed
    ? literal(file, prefixed.value) === 'true'
      ? target
      : word(file, prefixed.value)
    : null;
  for (const one of args.positional) {
    const name = word(file, one);
    if (name) handOn(given, one, name, prefix ? `${prefix}_${name}` : name, target);
  }
}

/** `delegate put: :ledger`, `delegate %i[put drop] => :ledger`, of Forwardable. */
function forwarded(given: Macro): void {
  const { file, node } = given;
  const list = node.children.find(({ type }) => type === 'argument_list');
  for (const pair of parts(list)) {
    const [key, value] = [child(pair, 'key'), child(pair, 'value')];
    const target = value && (word(file, value) ?? textOf(file, value).replace(/^:/, ''));
    if (pair.type !== 'pair' || !key || !target) continue;
    for (const one of /array$/.test(key.type) ? parts(key) : [key]) {
      const name = textOf(file, one).replace(/^:|:$/g, '');
      if (/^\w+[?!]?$/.test(name)) handOn(given, one, name, name, target);
    }
  }
}

/** `def_delegators :@ledger, :put, :drop`, and `def_delegator :ledger, :put, :store`, of Forwardable. */
function delegators(given: Macro): void {
  const { file, owner, args, name } = given;
  const [to, ...names] = args.positional;
  const target = to && (word(file, to) ?? textOf(file, to).replace(/^:/, ''));
  if (!target || owner.kind === 'file') return;
  const one = /s$/.test(name) ? null : (word(file, names[1]) ?? word(file, names[0]));
  for (const each of one === null ? names : names.slice(0, 1)) {
    const called = word(file, each);
    if (called) handOn(given, each, called, one ?? called, target);
  }
}

/** A method that only asks another object. */
function handOn(given: Macro, at: Syntax, called: string, name: string, target: string): void {
  const { file, owner, singleton } = given;
  // What a variable of the object holds is known when all its methods were looked at.
  if (target.startsWith('@') && file.waiting) {
    file.waiting.push(() => handOn(given, at, called, name, target));
    return;
  }
  const owned = targetOf(file, owner, target, singleton);
  const mark = target === 'class' || /^[A-Z]/.test(target) ? '.' : '#';
  // It may be a framework's own: `delegate :save!, to: :order`.
  const option = (argument: number | string) =>
    argument === HANDED.position ? { literal: null, at: spanOf(at), parameter: HANDED.name } : undefined;
  const site = { ...bareSite(spanOf(at), called, owned, target), option, block: [PASSED(spanOf(at))] };
  const known = typedMeanings(`${mark}${called}`);
  const meanings = known.map(
    ({ receiver, meaning }): MeantBy => ({ receiver, steps: stepsOf([meaning], site) }),
  );
  const callee = `${owned}${mark}${called}` as Name;
  // It is that method, with all that it is given.
  if (meanings.length === 0) {
    file.unit.aliases.push({ from: methodName(owner, name, singleton), to: callee });
    return;
  }
  addRoutine(file, {
    name: methodName(owner, name, singleton),
    at: spanOf(at),
    entry: 'called',
    startsIn: 'caller',
    ...(known.some(({ meaning }) => meaning.hands === HANDED.position) && { flags: [HANDED] }),
    body: [
      {
        kind: 'call',
        at: spanOf(at),
        callee,
        block: [PASSED(spanOf(at))],
        meanings,
      },
    ],
  });
}

/** What it is given first, for those of a framework's own that ask for it. */
const HANDED = { name: 'given', position: 0 };

/** The block that it was given itself. */
const PASSED = (at: Span): Step => ({ kind: 'yield', at });

function targetOf(file: RubyFile, owner: Owner, target: string, singleton: boolean): Name {
  if (/^[A-Z]/.test(target)) return resolveConstant(file, target, owner);
  if (target === 'class' || (singleton && /^(new|instance)$/.test(target))) return `ruby:${owner.name}`;
  const held = target.startsWith('@') && owner.ivars.get(target);
  if (held && held.kind !== 'builtin') return held.name;
  const field = target.startsWith('@') ? fieldOf(owner, target.slice(1)) : target;
  return `ruby:${owner.name}${singleton ? '.' : '#'}${field}()`;
}

// ---- model callbacks

/** It runs inside the transaction of `save`, for each record; one after commit runs when that is over. */
function callback({ file, owner, node, name, args }: Macro): void {
  if (owner.kind === 'file') return;
  const { when, what, group, ...runs } = callbackOf(name)!;
  const late = when !== 'before' && runs.late;
  const verbs = narrowed(file, runs.verbs, args.keywords.get('on')?.value);
  const at = child(node, 'method') ?? node;
  const conditional = ['if', 'unless'].some((option) => args.keywords.has(option));
  const asked = changedIn(file, owner, args.keywords.get('if')?.value);
  const bodies: { name: string; body: Step[]; written?: true }[] = [];
  for (const one of args.positional) {
    const method = word(file, one);
    const around = when === 'around' ? saved(owner, verbs, spanOf(one)) : undefined;
    const other = method ? null : ofObject(file, owner, one, name);
    if (method) bodies.push({ name: method, body: [callOwn(owner, method, one, around)] });
    else if (other) bodies.push({ name: other, body: [{ kind: 'call', at: spanOf(one), callee: other }] });
    else if (one.type === 'lambda')
      bodies.push({
        name,
        body: lower(newBody(file, owner, false, name), child(one, 'body')),
        written: true,
      });
  }
  if (args.block)
    bodies.push({
      name: `${name} block`,
      written: true,
      body: lower(newBody(file, owner, false, name), child(args.block, 'body')),
    });
  for (const { name: which, body, written } of bodies) {
    // Of two blocks each is a callback of its own; a method's name is one, however often it is told.
    const told = written ? alike(file, owner, `${name} :${which}`) : 0;
    const called = told > 0 ? `${which} ${told + 1}` : which;
    const columns = asked ?? guardedBy(file, owner, which);
    const steps = late ? [afterwards(file, owner, called, spanOf(at), body, written)] : body;
    if (body.length > 0 && runs.verbs.length === 0) byName(file, owner, name, spanOf(at), body);
    if (body.length === 0 || verbs.length === 0) continue;
    file.unit.triggers.push({
      name: `${name} :${called}`,
      at: spanOf(at),
      relation: `ruby:${owner.name}`,
      verbs,
      // Once for each record that is saved, and a save is a statement of its own.
      each: 'statement',
      timing: when === 'before' ? 'before' : 'after',
      via: 'model callback',
      ...(conditional ? { conditional } : {}),
      ...(columns ? { columns } : {}),
      ...(group ? { group: what } : {}),
      body: steps,
    });
  }
}

/** How many of this name there are, or of it with a number. */
const alike = ({ unit }: RubyFile, { name }: Owner, one: string): number =>
  unit.triggers.filter(
    (other) => other.relation === `ruby:${name}` && (other.name === one || other.name.startsWith(`${one} `)),
  ).length;

/** What runs when the transaction is over is in none; where it is written out it is a routine that begins for itself. */
function afterwards(
  file: RubyFile,
  owner: Owner,
  called: string,
  at: Span,
  body: Step[],
  written = false,
): Step {
  const elsewhere = { kind: 'call', at, elsewhere: true } as const;
  if (!written) return { ...elsewhere, callee: `ruby:${owner.name}#${called}`, block: body };
  const first: Name = `ruby:${owner.name}#${called}`;
  const before = file.unit.routines.filter((one) => one.name === first || one.name.startsWith(`${first} `));
  const name: Name = before.length > 0 ? `${first} ${before.length + 1}` : first;
  const entry = file.unit.role === 'test' ? 'test' : 'called';
  addRoutine(file, { name, at, kind: 'anonymous', entry, startsIn: 'autocommit', body });
  return { ...elsewhere, callee: name };
}

/** `on: :create`, `on: %i[create update]`; a context of the project's own is none of a save's. */
function narrowed(file: RubyFile, verbs: Trigger['verbs'], on: Syntax | undefined): Trigger['verbs'] {
  if (!on) return verbs;
  const named = (/array$/.test(on.type) ? parts(on) : [on]).map((one) => word(file, one));
  if (named.includes(null)) return verbs;
  return verbs.filter((verb) =>
    named.some((name) => callbacks.get(name!)?.verbs.some((one) => one === verb)),
  );
}

/** What runs around a save has the write inside. */
const saved = (owner: Owner, [verb]: Trigger['verbs'], at: Span): Step[] | undefined =>
  verb && verb !== 'read'
    ? [{ kind: 'write', verb, relation: `ruby:${owner.name}`, rows: 'one', at, withoutCallbacks: true }]
    : undefined;

/** `after_save Noting.new`, `after_save Noting`: the object, or the class, has a method of that name. */
function ofObject(file: RubyFile, owner: Owner, one: Syntax, name: string): Name | null {
  const method = child(one, 'method');
  const made =
    one.type === 'call' && method && textOf(file, method) === 'new' ? child(one, 'receiver') : undefined;
  const constant = made ?? one;
  if (!/^(constant|scope_resolution)$/.test(constant.type)) return null;
  return `${resolveConstant(file, textOf(file, constant), owner)}${made ? '#' : '.'}${name}`;
}

/** All that a class runs where no write runs it, as one method, for what calls it by its name. */
function byName(file: RubyFile, owner: Owner, called: string, at: Span, body: Step[]): void {
  const name = methodName(owner, called, false);
  const known = file.unit.routines.find((routine) => routine.name === name);
  if (known) known.body.push(...body);
  else addRoutine(file, { name, at, entry: 'called', startsIn: 'caller', implied: true, body: [...body] });
}

/** Of a library whose callbacks are methods of these names; each runs in the transaction of the save. */
export function hooks(owner: Owner, unit: RubyFile['unit']): void {
  if (!hooked.has(owner.superclass?.replace(/^::/, '') ?? '')) return;
  for (const { name, at, singleton } of owner.methods) {
    const its = singleton ? null : callbackOf(name);
    if (!its || its.late || its.group || its.verbs.length === 0) continue;
    unit.triggers.push({
      name,
      at: spanOf(at),
      relation: `ruby:${owner.name}`,
      verbs: its.verbs,
      each: 'statement',
      timing: its.when === 'before' ? 'before' : 'after',
      via: 'model callback',
      body: [callOwn(owner, name, at)],
    });
  }
}

const callOwn = (owner: Owner, method: string, at: Syntax, block?: Step[]): Step => ({
  kind: 'call',
  at: spanOf(at),
  callee: `ruby:${owner.name}#${method}`,
  ...(block ? { block } : {}),
});
