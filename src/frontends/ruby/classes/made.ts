// Methods that no `def` writes: `define_method`, a task of Rake. Not what stands in them.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, newBody, type RubyFile } from '../names/file.ts';
import { asRoutine } from '../names/jumps.ts';
import { lower } from '../steps/body.ts';
import { writtenIn } from '../steps/callables.ts';
import { argumentsOf, parts, spanOf, textOf, word } from '../syntax.ts';
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
  // A name that is computed is nobody's to call, but what stands in it runs.
  const [name, ...others] = namesOf(state.file, named) ?? [`? at ${lineOf(state.file.text, named.start)}`];
  const called = (one: string): Name => `ruby:${owner.name}${mark}${one}`;
  for (const other of others) state.file.unit.aliases.push({ from: called(other), to: called(name!) });
  state.later.push(() => {
    const body = newBody(state.file, owner, mark === '.', name!);
    addRoutine(state.file, {
      name: called(name!),
      at: spanOf(named),
      entry: 'called',
      startsIn: 'caller',
      body: asRoutine(lower(body, child(block, 'body'))),
    });
  });
}

/** A symbol, or each of a list that is written out around: `%i[put keep].each do |name| define_method(name)`, and `"#{name}!"`. */
function namesOf(file: RubyFile, named: Syntax): string[] | null {
  const one = word(file, named);
  if (one !== null) return [one];
  const written = /^(?:(\w+)|"(\w*)#\{(\w+)\}(\w*[?!]?)")$/.exec(textOf(file, named));
  if (!written) return null;
  const [, bare, before = '', within, after = ''] = written;
  for (let up = named.parent; up; up = up.parent) {
    if (!/^(do_)?block$/.test(up.type) || !up.parent) continue;
    const [parameter, ...more] = parts(child(up, 'parameters'));
    if (!parameter || textOf(file, parameter) !== (bare ?? within)) continue;
    const list = child(up.parent, 'receiver');
    if (!list || more.length > 0 || !/^(symbol_array|string_array|array)$/.test(list.type)) return null;
    if (parts(list).length === 0) return null;
    return parts(list).map((item) => `${before}${textOf(file, item).replace(/^[:"']|["']$/g, '')}${after}`);
  }
  return null;
}

export const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

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
