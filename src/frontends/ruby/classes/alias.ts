// `alias_method :plain_pay!, :pay!`, `alias plain_pay! pay!`: one method by two names. Of one that is written again below, the other name means what was there before.
import type { Syntax } from '../../syntax.ts';
import { methodName, type Owner, type RubyFile } from '../names/file.ts';

interface Two {
  to: string;
  from: string;
  singleton: boolean;
}

export function alsoCalled(file: RubyFile, owner: Owner, at: Syntax, { to, from, singleton }: Two): void {
  const its = owner.methods.filter((one) => one.name === from && one.singleton === singleton);
  const before = its.filter(({ node }) => node.start < at.start).at(-1);
  const again = its.some(({ node }) => node.start > at.start);
  if (again && before) {
    before.name = to;
    return;
  }
  // What another file or the class above has.
  const above = `ruby:${owner.name}^${singleton ? '.' : '#'}${from}` as const;
  file.unit.aliases.push({
    from: methodName(owner, to, singleton),
    to: again ? above : methodName(owner, from, singleton),
  });
}
