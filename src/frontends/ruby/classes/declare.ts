// The first look at a file: which classes, modules and methods it has, and what its macros say. Bodies come later.

import type { Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { findFields } from '../names/fields.ts';
import { addRoutine, newBody, type Owner, type RubyFile } from '../names/file.ts';
import { variablesOf } from '../names/likened.ts';
import { memoizes, routes } from '../names/meaning.ts';
import { lower, setLocal } from '../steps/body.ts';
import { configure } from '../steps/configured.ts';
import { type Arguments, argumentsOf, literal, parts, spanOf, textOf, word } from '../syntax.ts';
import { inherit, RECORD } from './above.ts';
import { alsoCalled } from './alias.ts';
import { giveKept, members } from './kept.ts';
import { giveMacros } from './macros.ts';
import { defined, definedBy, task } from './made.ts';
import { migrated } from './migrated.ts';
import { giveTable, macro, mixIn } from './rails.ts';
import type { Place, State } from './state.ts';

export interface Declared {
  owners: Owner[];
  script: { owner: Owner; nodes: Syntax[] };
  blocks: (() => void)[];
}

export function declareAll(file: RubyFile, root: Syntax): Declared {
  const top = newOwner('', 'file', [], null, root);
  const state: State = { file, owners: [top], top, script: [], later: [], tasks: [] };
  statements(state, parts(root), { owner: top, singleton: false, visibility: { private: false } });
  for (const owner of [...state.owners])
    giveMacros(file, owner, ({ name, at }) =>
      ownerNamed(state, `${owner.name}::${name}`, 'module', owner.nesting, at),
    );
  const first = state.later.splice(0);
  file.waiting = [];
  for (const one of first) one();
  for (const owner of state.owners) findFields(file, owner);
  for (const owner of state.owners) giveKept(file, owner);
  const { waiting } = file;
  file.waiting = undefined;
  for (const one of waiting) one();
  return { owners: state.owners, script: { owner: top, nodes: state.script }, blocks: state.later };
}

function newOwner(
  name: string,
  kind: Owner['kind'],
  nesting: string[],
  superclass: string | null,
  at: Syntax,
): Owner {
  return {
    name,
    kind,
    nesting,
    superclass,
    declaration: { name: `ruby:${name}`, at: spanOf(at), bases: [], reopened: true, expects: true },
    ivars: new Map(),
    concern: false,
    role: null,
    methods: [],
    callbacks: [],
    privates: new Set(),
    attributes: new Set(),
    writers: new Set(),
    outsideTransaction: false,
  };
}

function statements(state: State, nodes: Syntax[], place: Place): void {
  for (const node of nodes) statement(state, node, place);
}

function statement(state: State, node: Syntax, place: Place): void {
  switch (node.type) {
    case 'class':
    case 'module':
      open(state, node, place);
      return;
    case 'singleton_class':
      statements(state, parts(child(node, 'body')), {
        ...place,
        singleton: true,
        visibility: { private: false },
      });
      return;
    case 'method':
    case 'singleton_method':
      method(state, node, place);
      return;
    case 'alias':
      aliasOf(state, node, place);
      return;
    case 'assignment':
      constant(state, node, place);
      return;
    case 'identifier':
      visibility(state, textOf(state.file, node), place, node);
      return;
    case 'call':
      call(state, node, place);
      return;
    case 'if':
    case 'unless':
    case 'begin':
    case 'body_statement':
    case 'then':
    case 'else':
    case 'elsif':
    case 'if_modifier':
    case 'unless_modifier':
      if (place.owner.kind !== 'file' || holdsDefinition(node)) statements(state, parts(node), place);
      else state.script.push(node);
      return;
    default:
      if (place.owner.kind === 'file') state.script.push(node);
  }
}

const DEFINES = /^(class|module|method)$/;
const BLOCKS_DEEP = 3;

/** Among its statements, or in a block that one of them hands over: `controller do … def create`. */
function holdsDefinition(node: Syntax, depth = 0): boolean {
  return parts(node).some(
    ({ type, children }) =>
      DEFINES.test(type) ||
      children.some(
        (one) =>
          DEFINES.test(one.type) ||
          (depth < BLOCKS_DEEP &&
            type === 'call' &&
            one.type === 'do_block' &&
            holdsDefinition(child(one, 'body') ?? one, depth + 1)),
      ),
  );
}

// ---- classes and modules

function open(state: State, node: Syntax, { owner: around }: Place): void {
  const { file } = state;
  const nameNode = child(node, 'name');
  if (!nameNode) return;
  const written = textOf(file, nameNode).replace(/\s+/g, '');
  const name = written.startsWith('::')
    ? written.slice(2)
    : around.name
      ? `${around.name}::${written}`
      : written;
  const above = parts(child(node, 'superclass'))[0];
  const body = parts(child(node, 'body'));
  // A concern's ClassMethods are methods of the classes that include it.
  if (written === 'ClassMethods' && node.type === 'module' && around.kind === 'module') {
    statements(state, body, { owner: around, singleton: true, visibility: { private: false } });
    return;
  }
  const owner = ownerNamed(
    state,
    name,
    node.type === 'class' ? 'class' : 'module',
    [name, ...around.nesting],
    nameNode,
  );
  if (above) inherit(state, owner, above);
  statements(state, body, { owner, singleton: false, visibility: { private: false } });
  const abstract = body.some((one) =>
    /^self\.abstract_class\s*=\s*true/.test(textOf(file, one).slice(0, 60)),
  );
  giveTable(owner, owner.superclass, abstract);
}

/** The one of this name in this file: classes are opened again. */
function ownerNamed(state: State, name: string, kind: Owner['kind'], nesting: string[], at: Syntax): Owner {
  const known = state.file.owners.get(name);
  if (known) return known;
  const owner = newOwner(name, kind, nesting, null, at);
  state.owners.push(owner);
  state.file.owners.set(name, owner);
  if (kind === 'class') owner.declaration.called = variablesOf(name);
  state.file.unit.types.push(owner.declaration);
  return owner;
}

// ---- methods

function method(state: State, node: Syntax, place: Place, isPrivate = place.visibility.private): void {
  const nameNode = child(node, 'name');
  if (!nameNode) return;
  const object = child(node, 'object');
  const singleton = place.singleton || node.type === 'singleton_method';
  let owner = place.owner;
  if (object && object.type === 'constant') {
    const named = textOf(state.file, object);
    if (named !== owner.name.split('::').at(-1)) owner = state.file.owners.get(named) ?? owner;
  }
  const name = textOf(state.file, nameNode);
  owner.methods.push({ owner, name, singleton, node, at: nameNode, private: isPrivate });
  if (singleton && owner.kind === 'module' && /^(included|prepended)$/.test(name)) hook(state, node, owner);
}

/** `def self.included(base)`: what it tells its parameter is said of the classes that take the module in. */
function hook(state: State, node: Syntax, owner: Owner): void {
  const { file } = state;
  const base = parts(child(node, 'parameters'))[0];
  for (const one of parts(child(node, 'body'))) {
    const [receiver, told] = [child(one, 'receiver'), child(one, 'method')];
    if (!base || !told || !receiver || textOf(file, receiver) !== textOf(file, base)) continue;
    const name = textOf(file, told);
    const { block } = argumentsOf(file, one);
    if (block && /^class_(eval|exec)$/.test(name))
      statements(state, parts(child(block, 'body')), {
        owner,
        singleton: false,
        visibility: { private: false },
      });
    else state.later.push(() => macro(file, owner, one, name));
  }
}

function aliasOf({ file, later }: State, node: Syntax, { owner, singleton }: Place): void {
  const [to, from] = [child(node, 'name'), child(node, 'alias')].map(
    (one) => one && textOf(file, one).replace(/^:/, ''),
  );
  if (to && from && owner.kind !== 'file')
    later.push(() => alsoCalled(file, owner, node, { to, from, singleton }));
}

function visibility(state: State, name: string, place: Place, node: Syntax): void {
  if (name === 'private' || name === 'protected') place.visibility.private = true;
  else if (name === 'public') place.visibility.private = false;
  else if (place.owner.kind === 'file') state.script.push(node);
  else macro(state.file, place.owner, node, name);
}

// ---- constants and `self.table_name = …`

function constant(state: State, node: Syntax, place: Place): void {
  const { file } = state;
  const { owner } = place;
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (!left || !right) return;
  const made = /^(constant|scope_resolution)$/.test(left.type) ? madeClass(file, right) : null;
  if (left.type === 'constant' || (made && owner.kind === 'file')) {
    const name = owner.name ? `${owner.name}::${textOf(file, left)}` : textOf(file, left);
    if (made) {
      const inner = ownerNamed(state, name, 'class', [name, ...owner.nesting], left);
      if (made.above) inherit(state, inner, made.above);
      if (RECORD.test(textOf(file, right))) members(file, inner, right);
      giveTable(inner, inner.superclass, false);
      if (made.block)
        statements(state, parts(child(made.block, 'body')), {
          owner: inner,
          singleton: false,
          visibility: { private: false },
        });
    } else file.constants.set(name, right);
  } else if (/^self\.table_name$/.test(textOf(file, left))) {
    const table = literal(file, right);
    if (table) {
      owner.declaration.relation = `sql:${table.replace(/^:/, '').replaceAll('"', '')}`;
      owner.declaration.otherRelations = undefined;
    }
  } else if (owner.kind === 'file') state.script.push(node);
  else if (left.type === 'call') configure(file, left, right);
}

/** `Class.new(Base) do … end`, `Struct.new(:a) do … end`. */
function madeClass(file: RubyFile, node: Syntax): { above?: Syntax; block?: Syntax } | null {
  if (node.type !== 'call') return null;
  const text = textOf(file, node).slice(0, 12);
  if (!/^(Class|Struct|Module|Data)\.(new|define)\b/.test(text)) return null;
  const args = argumentsOf(file, node);
  return { above: text.startsWith('Class') ? args.positional[0] : undefined, block: args.block };
}

// ---- calls in class bodies

function call(state: State, node: Syntax, place: Place): void {
  const { file } = state;
  const { owner } = place;
  const nameNode = child(node, 'method');
  const name = nameNode ? textOf(file, nameNode) : '';
  const receiver = child(node, 'receiver');
  const args = argumentsOf(file, node);
  const inBlock = (singleton = place.singleton, to = owner) =>
    args.block &&
    statements(state, parts(child(args.block, 'body')), {
      owner: to,
      singleton,
      visibility: { private: false },
    });
  if (receiver) {
    evaluated(state, node, name, receiver, args, place);
    return;
  }
  if (memoizes.has(name)) memoize(file, place, args);
  switch (name) {
    case 'private':
    case 'protected':
    case 'public':
    case 'private_class_method':
    case 'module_function':
    case 'helper_method':
      for (const one of args.positional) {
        if (/method$/.test(one.type))
          method(state, one, place, HIDES.test(name) || (name !== 'public' && place.visibility.private));
        else if (definesInside(file, one)) call(state, one, place);
        else if (name === 'private')
          for (const each of /array$/.test(one.type) ? parts(one) : [one])
            owner.privates.add(word(file, each) ?? '');
      }
      return;
    case 'include':
    case 'prepend':
    case 'extend':
      for (const one of args.positional) {
        const made = /^(::)?Module\.new\b/.test(textOf(file, one)) ? argumentsOf(file, one).block : undefined;
        if (made) anonymous(state, name, made, place);
      }
      break;
    case 'refine':
      refined(state, args, place);
      return;
    case 'included':
    case 'prepended':
    case 'with_options':
    case 'concerning':
      inBlock();
      return;
    case 'class_methods':
    // What a query of its rows is asked, the class is asked too.
    case 'dataset_module':
      inBlock(true);
      return;
    case 'define_method':
    case 'define_singleton_method':
      defined(state, name, args, place);
      return;
    case 'set_dataset':
      owner.declaration.relation ??= table(file, args.positional[0]);
      return;
    case 'namespace':
      state.tasks.push(word(file, args.positional[0]) ?? '');
      inBlock();
      state.tasks.pop();
      return;
    case 'task':
    case 'multitask':
      task(state, args, node, place);
      return;
  }
  // `memoize def total`: whatever is told of it, it is a method.
  for (const one of args.positional)
    if (/method$/.test(one.type)) method(state, one, place);
    else if (definesInside(file, one)) call(state, one, place);
  if (owner.kind !== 'file') {
    state.later.push(() => macro(file, owner, node, name, place.singleton));
    state.later.push(() => definedBy(state, owner, name, args));
    if (args.block && !IS_MACRO.test(name)) dsl(state, name, node, args.block, place);
  } else if (args.block && holdsDefinition(child(args.block, 'body') ?? args.block)) inBlock();
  else state.script.push(node);
}

const HIDES = /^(private|protected|private_class_method|helper_method)$/;

/** `memoize def total` */
const definesInside = (file: RubyFile, node: Syntax): boolean =>
  node.type === 'call' && argumentsOf(file, node).positional.some(({ type }) => /method$/.test(type));

/** `memoize :total`, `memoize def total`, `memo_wise self: :usual` */
function memoize(file: RubyFile, { owner, singleton }: Place, { positional, keywords }: Arguments): void {
  const of = keywords.get('self')?.value;
  const named = (one: Syntax) =>
    /method$/.test(one.type) ? textOf(file, child(one, 'name') ?? one) : word(file, one);
  const isOfClass = (one: Syntax) => singleton || one === of || one.type === 'singleton_method';
  owner.memoized ??= new Set();
  for (const one of of ? [...positional, of] : positional)
    owner.memoized.add(`${isOfClass(one) ? 'self.' : ''}${named(one)}`);
}

/** `prepend(Module.new do … end)` */
function anonymous(state: State, how: string, block: Syntax, { owner }: Place): void {
  if (owner.kind === 'file') return;
  let name = `${owner.name}::Module`;
  for (let i = 2; state.file.owners.has(name); i++) name = `${owner.name}::Module${i}`;
  const inner = ownerNamed(state, name, 'module', [name, ...owner.nesting], block);
  statements(state, parts(child(block, 'body')), {
    owner: inner,
    singleton: false,
    visibility: { private: false },
  });
  state.later.push(() => mixIn(owner, how, inner.declaration.name));
}

const IS_MACRO =
  /^(before|after|around|has_|belongs_|scope|validates?|delegate|rescue_from|attr|enum|store|default_scope|accepts_nested)/;

function table(file: RubyFile, node: Syntax | undefined): `sql:${string}` | undefined {
  const name = node && word(file, node);
  return name ? `sql:${name}` : undefined;
}

/** `Shop::Order.class_eval do`, `ActiveSupport.on_load(:active_record) do`, `Migration.define do`, `RSpec.describe do`. */
function evaluated(
  state: State,
  node: Syntax,
  name: string,
  receiver: Syntax,
  args: ReturnType<typeof argumentsOf>,
  place: Place,
): void {
  const { file } = state;
  if (migrated(state, node, `${textOf(file, receiver)}.${name}`, place)) return;
  const body = args.block && parts(child(args.block, 'body'));
  const fresh = { singleton: false, visibility: { private: false } };
  if (
    body &&
    /^(class_eval|class_exec|module_eval|instance_eval|class_methods)$/.test(name) &&
    /^(constant|scope_resolution)$/.test(receiver.type)
  ) {
    const written = textOf(file, receiver).replace(/^::/, '');
    const owner = ownerNamed(state, written, 'class', place.owner.nesting, receiver);
    statements(state, body, { owner, ...fresh });
    return;
  }
  if (body && name === 'on_load' && word(file, args.positional[0]) === 'active_record') {
    const owner = ownerNamed(state, 'ActiveRecord::Base', 'class', place.owner.nesting, receiver);
    statements(state, body, { owner, ...fresh });
    return;
  }
  // When it starts, and again where it loads its classes anew.
  if (body && /^(to_prepare|after_initialize)$/.test(name) && place.owner.kind === 'file') {
    statements(state, body, place);
    return;
  }
  if (body && name === 'define' && /Schema/.test(textOf(file, receiver))) {
    state.script.push(...body);
    return;
  }
  const sent = name === 'send' ? (word(file, args.positional.shift()) ?? name) : name;
  if (sent === 'alias_method' && textOf(file, receiver) === 'singleton_class') {
    state.later.push(() => macro(file, place.owner, node, sent, true));
    return;
  }
  const taker = /^(include|prepend|extend)$/.test(sent) ? takerOf(state, receiver, place.owner) : null;
  if (taker) {
    // `Shop::Order.prepend self`, at the end of the module.
    if (args.positional[0]?.type === 'self') mixIn(taker, sent, place.owner.declaration.name);
    else state.later.push(() => macro(file, taker, node, sent));
    return;
  }
  if (body && (place.owner.kind !== 'file' || holdsDefinition(child(args.block!, 'body') ?? args.block!))) {
    statements(state, body, { ...place });
    return;
  }
  if (place.owner.kind === 'file') state.script.push(node);
}

/** `refine Order do`, `refine Order.singleton_class do`. */
function refined(state: State, args: ReturnType<typeof argumentsOf>, { owner: around }: Place): void {
  const [of] = args.positional;
  const owner = of && takerOf(state, of, around);
  if (!owner || !args.block) return;
  const singleton = /\.singleton_class$/.test(textOf(state.file, of));
  statements(state, parts(child(args.block, 'body')), { owner, singleton, visibility: { private: false } });
}

/** Who takes a module in: `Shop::Order.include`, `singleton_class.prepend`, `Shop::Order.singleton_class.prepend`. */
function takerOf(state: State, receiver: Syntax, around: Owner): Owner | null {
  const { file } = state;
  if (textOf(file, receiver) === 'singleton_class') return around;
  const method = child(receiver, 'method');
  const named = method && textOf(file, method) === 'singleton_class' ? child(receiver, 'receiver') : receiver;
  if (named?.type === 'self') return around;
  if (!named || !/^(constant|scope_resolution)$/.test(named.type)) return null;
  return ownerNamed(state, textOf(file, named).replace(/^::/, ''), 'class', around.nesting, named);
}

/** More than that somebody is called: by itself, or in a block that it hands over: `r.post "orders" do … end`. */
const does = (step: Step): boolean => step.kind !== 'call' || (step.block?.some(does) ?? false);

/** A block that a class hands to a library: a route, an action, a hook. */
function dsl(state: State, name: string, node: Syntax, block: Syntax, place: Place): void {
  const inner = child(block, 'body');
  if (
    inner &&
    (holdsDefinition(inner) ||
      parts(inner).some(
        (one) =>
          one.type === 'call' && child(one, 'receiver') === undefined && argumentsOf(state.file, one).block,
      ))
  )
    statements(state, parts(inner), { ...place, visibility: { private: false } });
  const { owner } = place;
  state.later.push(() => {
    const body = newBody(state.file, owner, false, name);
    for (const one of parts(child(block, 'parameters'))) setLocal(body, child(one, 'name') ?? one, null);
    const steps = lower(body, inner);
    if (!steps.some(does)) return;
    const at = child(node, 'method') ?? node;
    // By their order: a line in a name would make a new finding of an old one.
    const called: Name = `ruby:${owner.name}.${name} `;
    const before = state.file.unit.routines.filter((one) => one.name.startsWith(called));
    addRoutine(state.file, {
      name: `${called}${before.length + 1}`,
      at: spanOf(at),
      kind: 'anonymous',
      entry: routes.has(name) ? 'request' : 'called',
      startsIn: routes.has(name) ? 'autocommit' : 'unknown',
      body: steps,
    });
  });
}
