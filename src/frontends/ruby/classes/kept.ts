// What a class keeps of what its objects are made with, and which of its own methods hand that on. Not what callers hand over.
import { child, type Syntax } from '../../syntax.ts';
import { type Macro, newBody, type Owner, type RubyFile } from '../names/file.ts';
import { typeOf } from '../names/types.ts';
import { type Arguments, argumentsOf, lastPart, parts, textOf, word } from '../syntax.ts';
import { giveField } from './associations.ts';

type Kept = Record<string, string[]>;

/** Whoever reads it reads it by this name: `order` of `attr_reader :order`, else `@order`. */
export const fieldOf = (owner: Owner, name: string): string =>
  owner.attributes.has(name) ? name : `@${name}`;

export function giveKept(file: RubyFile, owner: Owner): void {
  if (owner.kind === 'file') return;
  const made = owner.methods.find(({ name, singleton }) => name === 'initialize' && !singleton);
  const kept: Kept = { ...owner.options };
  if (made) Object.assign(kept, keptBy(file, owner, made.node));
  const { declaration } = owner;
  if (Object.keys(kept).length > 0) declaration.keeps = { new: kept };
  for (const { name, singleton, node } of owner.methods) {
    if (!singleton || !file.text.slice(node.start, node.end).includes('new')) continue;
    const makes = makingIn(file, node);
    if (!makes) continue;
    if (handsAllOn(makes)) declaration.passes = [...(declaration.passes ?? []), name];
    else {
      const its = renamed(file, node, makes, kept);
      if (Object.keys(its).length > 0) declaration.keeps = { ...declaration.keeps, [name]: its };
    }
  }
}

/** By name and by place: `def initialize(io, to:)`. */
function parametersOf(file: RubyFile, method: Syntax): Map<string, string> {
  const out = new Map<string, string>();
  let place: number | null = 0;
  for (const one of parts(child(method, 'parameters'))) {
    const name = one.type === 'identifier' ? one : child(one, 'name');
    if (one.type === 'keyword_parameter' && name) out.set(textOf(file, name), textOf(file, name));
    else if (/^(identifier|optional_parameter)$/.test(one.type) && name && place !== null)
      out.set(textOf(file, name), String(place++));
    else if (one.type === 'splat_parameter') place = null;
  }
  return out;
}

/** `@target = to`, `@target = to || Target.new`; what is given twice is neither. */
function keptBy(file: RubyFile, owner: Owner, method: Syntax): Kept {
  const given = parametersOf(file, method);
  const found = new Map<string, string | null>();
  const keep = (left: Syntax | undefined, value: Syntax | undefined) => {
    if (left?.type !== 'instance_variable') return;
    const usual = value?.type === 'binary' && textOf(file, child(value, 'operator') ?? value) === '||';
    const right = usual ? child(value, 'left') : value;
    const parameter = right?.type === 'identifier' ? given.get(textOf(file, right)) : undefined;
    const name = textOf(file, left);
    found.set(name, found.has(name) ? null : (parameter ?? null));
  };
  const stack = given.size > 0 ? [method] : [];
  for (let one = stack.pop(); one; one = stack.pop()) {
    stack.push(...one.children);
    const [left, value] = one.type === 'assignment' ? [child(one, 'left'), child(one, 'right')] : [];
    const both = left?.type === 'left_assignment_list' && value?.type === 'right_assignment_list';
    for (const [i, name] of (both ? parts(left) : []).entries()) keep(name, parts(value)[i]);
    if (!both) keep(left, value);
  }
  const kept: Kept = {};
  for (const [name, parameter] of found)
    if (parameter !== null) kept[parameter] = [...(kept[parameter] ?? []), fieldOf(owner, name.slice(1))];
  return kept;
}

/** `new(…)`, `self.new(…)` in a method of the class. */
function makingIn(file: RubyFile, method: Syntax): Arguments | undefined {
  const stack = [method];
  for (let one = stack.pop(); one; one = stack.pop()) {
    stack.push(...one.children);
    if (one.type !== 'call') continue;
    const [receiver, asked] = [child(one, 'receiver'), child(one, 'method')];
    if (asked && textOf(file, asked) === 'new' && (!receiver || receiver.type === 'self'))
      return argumentsOf(file, one);
  }
  return undefined;
}

/** `new(...)`, `new(*args, **options)`. */
const handsAllOn = ({ positional, keywords, splats }: Arguments): boolean =>
  keywords.size === 0 &&
  positional.every(({ type }) => type === 'splat_argument') &&
  positional.length + splats.length > 0;

/** What the method is given for its own parameters, as far as it hands these on by themselves. */
function renamed(file: RubyFile, method: Syntax, { positional, keywords }: Arguments, kept: Kept): Kept {
  const given = parametersOf(file, method);
  const out: Kept = {};
  const hand = (to: string, value: Syntax) => {
    const from = given.get(textOf(file, value).replace(/:$/, ''));
    const fields = Object.hasOwn(kept, to) ? kept[to] : undefined;
    if (from !== undefined && fields) out[from] = fields;
  };
  for (const [i, one] of positional.entries()) {
    if (one.type === 'splat_argument') break;
    hand(String(i), one);
  }
  for (const [name, { value }] of keywords) hand(name, value);
  return out;
}

/** `Struct.new(:io, :rows)`, `Data.define(:io, :rows)`: all are given by name or by place. */
export function members(file: RubyFile, owner: Owner, call: Syntax): void {
  for (const [i, one] of argumentsOf(file, call).positional.entries()) {
    const name = one.type === 'simple_symbol' ? word(file, one) : null;
    if (!name) continue;
    owner.attributes.add(name);
    owner.options = { ...owner.options, [name]: [name], [i]: [name] };
  }
}

/** `option :io, default: -> { Store.new }`, `param :rows`, of dry-initializer; a command's option is described. */
export function option({ file, owner, name: macro, args }: Macro): void {
  const given = word(file, args.positional[0]);
  if (!given || owner.kind === 'file' || ['desc', 'aliases', 'banner'].some((one) => args.keywords.has(one)))
    return;
  const as = args.keywords.get('as');
  const name = (as && word(file, as.value)) ?? given;
  const place = Object.keys(owner.options ?? {}).filter((key) => /^\d+$/.test(key)).length;
  owner.attributes.add(name);
  owner.options = { ...owner.options, [macro === 'param' ? place : given]: [name] };
  const usual = args.keywords.get('default')?.value;
  const block = usual && (usual.type === 'lambda' ? usual : argumentsOf(file, usual).block);
  const type = block && typeOf(newBody(file, owner, false, null), lastPart(child(block, 'body')));
  if (type?.kind === 'one') owner.ivars.set(`@${name}`, type);
}

/** `class_attribute :store, default: Store.new` */
export function shared({ file, owner, args }: Macro): void {
  const usual = args.keywords.get('default')?.value;
  const type = usual && typeOf(newBody(file, owner, true, null), usual);
  if (type?.kind !== 'one' || owner.kind === 'file') return;
  for (const one of args.positional) {
    const name = word(file, one);
    if (name) giveField(owner, name, type.name);
  }
}
