// Methods that no `def` writes: `define_method`, a task of Rake. Not what stands in them.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { hasWord } from '../../words.ts';
import { addRoutine, type Known, newBody, type Owner, type RubyFile } from '../names/file.ts';
import { isConstant } from '../names/held.ts';
import { asRoutine } from '../names/jumps.ts';
import { lower } from '../steps/body.ts';
import { writtenIn } from '../steps/callables.ts';
import { bindParameters } from '../steps/parameters.ts';
import { type Arguments, argumentsOf, parts, spanOf, textOf, word } from '../syntax.ts';
import type { Place, State } from './state.ts';

/** `define_method(:place) { |order| … }`. */
export function defined(
  state: State,
  how: string,
  args: ReturnType<typeof argumentsOf>,
  { owner, singleton }: Place,
): void {
  const [named, given] = args.positional;
  const { file } = state;
  const block = args.block ?? (given && writtenIn(file, given));
  const mark = singleton || how === 'define_singleton_method' ? '.' : '#';
  if (!named || owner.kind === 'file') return;
  if (!block) {
    // `define_method(:place, instance_method(:put))` is an alias.
    const [to, from] = [word(file, named), given && word(file, argumentsOf(file, given).positional[0])];
    if (to && from && /^(instance_)?method\b/.test(textOf(file, given!)))
      file.unit.aliases.push({
        from: `ruby:${owner.name}${mark}${to}`,
        to: `ruby:${owner.name}${mark}${from}`,
      });
    return;
  }
  const around = variablesAround(file, named);
  const called = (one: string): Name => `ruby:${owner.name}${mark}${one}`;
  // A name that is computed is nobody's to call, but what stands in it runs.
  const [first, ...others] = namesOf(file, owner, named) ?? [
    { name: `? at ${lineOf(file.text, named.start)}`, holds: [] },
  ];
  const differ = others.length < MOST && first!.holds.some(([name]) => mentions(file, block, name));
  if (!differ)
    for (const { name } of others) file.unit.aliases.push({ from: called(name), to: called(first!.name) });
  for (const { name, holds } of differ ? [first!, ...others] : [first!])
    state.later.push(() => {
      const known = new Map([
        ...around,
        ...holds.map(([own, value]) => [own, differ ? { value } : {}] as const),
      ]);
      make(file, owner, called(name), name, named, block, known);
    });
}

const MOST = 24;

const mentions = (file: RubyFile, block: Syntax, name: string): boolean =>
  hasWord(textOf(file, child(block, 'body') ?? block), name);

/** What a block or a lambda is as a method; it has the variables around it besides its own. */
function make(
  file: RubyFile,
  owner: Owner,
  called: Name,
  name: string,
  named: Syntax,
  block: Syntax,
  around: Iterable<readonly [string, Known]>,
): void {
  const body = newBody(file, owner, called.includes('.'), name);
  for (const [own, known] of around) body.locals.set(own, known);
  const parameters = bindParameters(body, child(block, 'parameters'));
  addRoutine(file, {
    name: called,
    at: spanOf(named),
    entry: 'called',
    startsIn: 'caller',
    ...(parameters ? { parameters } : {}),
    body: asRoutine(lower(body, child(block, 'body'))),
  });
}

/** The parameters of the blocks in which it stands: nobody calls those by their name. */
function variablesAround(file: RubyFile, node: Syntax): Map<string, Known> {
  const out = new Map<string, Known>();
  for (let up = node.parent; up; up = up.parent)
    if (/^(do_)?block$/.test(up.type))
      for (const one of parts(child(up, 'parameters'))) {
        const name = one.type === 'identifier' ? one : child(one, 'name');
        if (name) out.set(textOf(file, name), {});
      }
  return out;
}

interface Named {
  name: string;
  /** What the variables around hold where it is called so. */
  holds: (readonly [string, Syntax])[];
}

/** A symbol, or each of a list that is written out around: `%i[put keep].each do |name| define_method(name)`, and `"#{name}!"`. */
function namesOf(file: RubyFile, owner: Owner, named: Syntax): Named[] | null {
  const one = word(file, named);
  if (one !== null) return [{ name: one, holds: [] }];
  const written = /^(?:(\w+)|:?"(\w*)#\{(\w+)\}(\w*[?!]?)")$/.exec(textOf(file, named));
  if (!written) return null;
  const [, bare, before = '', within, after = ''] = written;
  const asked = (bare ?? within)!;
  for (let up = named.parent; up; up = up.parent) {
    if (!/^(do_)?block$/.test(up.type) || !up.parent) continue;
    const [parameter, ...more] = parts(child(up, 'parameters'));
    if (!parameter || textOf(file, parameter) !== asked) continue;
    const receiver = child(up.parent, 'receiver');
    const list = receiver && writtenOut(file, owner, receiver);
    if (!list || (more.length > 0 && list.type !== 'hash')) return null;
    const items = parts(list).map((item) => (item.type === 'pair' ? child(item, 'key')! : item));
    if (items.length === 0) return null;
    return items.map((item) => ({
      name: `${before}${textOf(file, item).replace(/^[:"']|["':]$/g, '')}${after}`,
      holds: [[asked, item]],
    }));
  }
  return null;
}

/** A list or a hash, or what a constant of the class has that is one. */
function writtenOut(file: RubyFile, owner: Owner, node: Syntax): Syntax | null {
  let one: Syntax | undefined = node;
  if (isConstant(node)) one = file.constants.get(`${owner.name}::${textOf(file, node)}`);
  const method = one?.type === 'call' ? child(one, 'method') : undefined;
  if (method && /^(freeze|keys|each_key)$/.test(textOf(file, method))) {
    const inner: Syntax | undefined = child(one!, 'receiver');
    return inner ? writtenOut(file, owner, inner) : null;
  }
  return one && /^(symbol_array|string_array|array|hash)$/.test(one.type) ? one : null;
}

/** `define :put` of a `def self.define(name)` that says `define_method(name) { … }`. */
export function definedBy(state: State, owner: Owner, name: string, args: Arguments): void {
  const { file } = state;
  const maker = owner.methods.find((one) => one.singleton && one.name === name);
  const parameters = maker ? parts(child(maker.node, 'parameters')) : [];
  if (parameters.length === 0) return;
  const stack = [maker!.node];
  for (let one = stack.pop(); one; one = stack.pop()) {
    stack.push(...one.children);
    const asked = one.type === 'call' ? child(one, 'method') : undefined;
    if (!asked || textOf(file, asked) !== 'define_method') continue;
    const { positional, block } = argumentsOf(file, one);
    const [, bare, before = '', within, after = ''] =
      /^(?:(\w+)|:?"(\w*)#\{(\w+)\}(\w*[?!]?)")$/.exec(positional[0] ? textOf(file, positional[0]) : '') ??
      [];
    const place = parameters.findIndex((each) => textOf(file, each) === (bare ?? within));
    const given = place < 0 ? null : word(file, args.positional[place]);
    if (!given || !block) continue;
    const called: Name = `ruby:${owner.name}#${before}${given}${after}`;
    const around = parameters.map((each, i): readonly [string, Known] => {
      const value = args.positional[i];
      return [textOf(file, child(each, 'name') ?? each), value ? { value } : {}];
    });
    make(file, owner, called, given, positional[0]!, block, around);
  }
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** `task recount: :environment do`. */
export function task(state: State, args: ReturnType<typeof argumentsOf>, node: Syntax, place: Place): void {
  const first = args.keywords.keys().next().value;
  const name = word(state.file, args.positional[0]) ?? first;
  if (!name || !args.block) return;
  const { block } = args;
  const full = [...state.tasks, name].filter(Boolean).join(':');
  state.later.push(() => {
    const steps = lower(newBody(state.file, place.owner, false, null), child(block, 'body'));
    addRoutine(state.file, {
      name: `ruby:rake ${full}`,
      at: spanOf(child(node, 'method') ?? node),
      kind: 'script',
      entry: 'command',
      startsIn: 'autocommit',
      body: steps,
    });
  });
}
