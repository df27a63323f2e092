// What a class puts before and around its actions: a controller around those that requests run, a command around its call.
import type { Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, type Macro, methodName, newBody, type Owner, type RubyFile } from '../names/file.ts';
import { asRoutine } from '../names/jumps.ts';
import { lower } from '../steps/body.ts';
import { parts, spanOf, textOf, word } from '../syntax.ts';
import { inlined } from './chains.ts';

export function controllerCallback({ file, owner, node, name, args }: Macro): void {
  const names = (option: string) => {
    const given = args.keywords.get(option);
    if (!given) return null;
    const { value } = given;
    const all = /array$/.test(value.type) ? parts(value) : [value];
    return all.map((one) => word(file, one) ?? textOf(file, one));
  };
  const shared = {
    around: name.startsWith('around'),
    only: names('only'),
    except: names('except'),
    at: node,
  };
  for (const one of [...args.positional, ...(args.block ? [args.block] : [])]) {
    const method = word(file, one);
    const block = /^(lambda|block|do_block)$/.test(one.type) ? one : null;
    owner.callbacks.push({ ...shared, method, block });
    // Classes below inherit it.
    if (!shared.around || !(method || block) || shared.except) continue;
    // Findings are told apart by names, which no line is among.
    const blocks = owner.callbacks.filter((other) => other.around && other.block).length;
    const called = methodName(owner, method ?? (blocks > 1 ? `${name} ${blocks}` : name), false);
    if (block) file.waiting?.push(() => addAround(file, owner, called, block));
    owner.declaration.around ??= {};
    for (const action of shared.only ?? ['*']) owner.declaration.around[action] = called;
  }
}

/** `skip_around_action :atomic, only: :show` */
export function withoutAround({ file, owner, args }: Macro): void {
  if (args.keywords.has('except') || args.keywords.has('if') || args.keywords.has('unless')) return;
  const only = args.keywords.get('only')?.value;
  const actions = only
    ? (/array$/.test(only.type) ? parts(only) : [only]).map((one) => word(file, one) ?? '')
    : ['*'];
  owner.declaration.unwraps ??= {};
  for (const action of actions)
    owner.declaration.unwraps[action] = [
      ...(owner.declaration.unwraps[action] ?? []),
      ...args.positional.flatMap((one) => word(file, one) ?? []),
    ];
}

/** What stands around the methods that its last parameter runs, of whoever inherits it or takes it in. */
export function addAround(file: RubyFile, owner: Owner, name: Name, block: Syntax): void {
  const body = newBody(file, owner, false, 'call');
  body.blockName =
    parts(child(block, 'parameters'))
      .map((one) => textOf(file, one))
      .at(-1) ?? null;
  const steps = asRoutine(lower(body, child(block, 'body')));
  addRoutine(file, {
    name,
    at: spanOf(block),
    kind: 'method',
    entry: 'called',
    startsIn: 'caller',
    body: steps,
  });
}

/** An action as a request runs it: with what its class puts before and around it. */
export function wrapAction(file: RubyFile, owner: Owner, action: string, steps: Step[]): Step[] {
  let all = steps;
  for (const one of [...owner.callbacks].reverse()) {
    if (one.only && !one.only.includes(action)) continue;
    if (one.except?.includes(action)) continue;
    const at = spanOf(child(one.at, 'method') ?? one.at);
    if (one.method) {
      const callee: Name = `ruby:${owner.name}#${one.method}`;
      all = one.around ? [{ kind: 'call', at, callee, block: all }] : [{ kind: 'call', at, callee }, ...all];
    } else if (one.block) {
      const block = newBody(file, owner, false, action);
      const parameters = parts(child(one.block, 'parameters')).map((each) => textOf(file, each));
      block.blockName = parameters.at(-1) ?? null;
      const around = lower(block, child(one.block, 'body'));
      all = one.around
        ? [{ kind: 'call', at, callee: `ruby:?#${owner.name} around`, block: all }]
        : [...around, ...all];
      if (one.around) all = inlined(around, steps);
    }
  }
  return all;
}
