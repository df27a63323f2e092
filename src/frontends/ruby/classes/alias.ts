// `alias_method :plain_pay!, :pay!`, `alias plain_pay! pay!`: one method by two names. Of one that is written again below, the other name means what was there before.
import type { Syntax } from '../../syntax.ts';
import { methodName, type Owner, type RubyFile } from '../names/file.ts';

interface Two {
  to: string;
  from: string;
  singleton: boolean;
}

export function alsoCalled(file: RubyFile, owner: Owner, at: Syntax, { to, from, singleton }: Two): void {
  overwrite(file, owner, at, to, singleton);
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

/** A method that was there by that name is only called as it was named before. */
function overwrite({ unit }: RubyFile, owner: Owner, at: Syntax, name: string, singleton: boolean): void {
  const old = owner.methods.find(
    (one) => one.name === name && one.singleton === singleton && one.node.start < at.start,
  );
  if (!old) return;
  const called = methodName(owner, name, singleton);
  const other = unit.aliases.findIndex((one) => one.to === called);
  const [kept] = other < 0 ? [] : unit.aliases.splice(other, 1);
  old.name = kept ? kept.from.slice(called.length - name.length) : `${name} of before`;
}

/** `alias_method_chain :pay, :log`: `pay` is `pay_with_log`, and what it was is `pay_without_log`. */
export function chainedAs(file: RubyFile, owner: Owner, at: Syntax, name: string, feature: string): void {
  const [, word, sign] = /^(\w+)([?!=]?)$/.exec(name) ?? [];
  if (!word) return;
  alsoCalled(file, owner, at, { to: `${word}_without_${feature}${sign}`, from: name, singleton: false });
  alsoCalled(file, owner, at, { to: name, from: `${word}_with_${feature}${sign}`, singleton: false });
}
