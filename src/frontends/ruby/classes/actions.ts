// What a class puts before and around its actions: a controller around those that requests run, a command around its call.
import type { Name, Step } from '../../../ir.ts';
import { child } from '../../syntax.ts';
import { type Macro, newBody, type Owner, type RubyFile } from '../names/file.ts';
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
  for (const one of args.positional) {
    const method = word(file, one);
    owner.callbacks.push({ ...shared, method, block: null });
    // Controllers below inherit it.
    if (!shared.around || !method || shared.except) continue;
    owner.declaration.around ??= {};
    for (const action of shared.only ?? ['*'])
      owner.declaration.around[action] = `ruby:${owner.name}#${method}`;
  }
  if (args.block) owner.callbacks.push({ ...shared, method: null, block: args.block });
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
