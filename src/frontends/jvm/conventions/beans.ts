// What a method makes for whoever asks for such an object: whether that nests, what it stands instead of, what it manages. It reads no XML.
import type { Meaning } from '../../../framework.ts';
import type { Setting } from '../../../ir.ts';
import { onlyOne } from '../calls/only.ts';
import { instead, managers, mayNest } from '../names/known.ts';
import { type Class, constantsOf, type World } from '../names/scope.ts';
import type { Typed } from '../names/typed.ts';
import type { Annotation, Method } from '../syntax/syntax.ts';
import { textOf } from '../texts/text.ts';
import { namesWhatNests } from './settings.ts';

type Said = { annotation: Annotation; meaning: Meaning | null };

/** `@Bean TransactionTemplate nested()`: whoever is given it nests, by its name or as the only one of its type. */
export function provided(
  { name, at }: Method,
  bean: Typed,
  annotations: Said[],
  owner: Class | null,
  world: World,
): Setting[] {
  const nests = bean.name.endsWith('.nested');
  const replaced = instead.get(bean.name);
  const manages = managers.has(bean.name);
  if (!nests && !replaced && !manages && !mayNest(bean.name)) return [];
  return annotations.flatMap(({ annotation, meaning }) => {
    if (!meaning?.provides) return [];
    if (replaced) return [setting(at, name, String(namesWhatNests(replaced, world.text)), replaced)];
    const said = annotation.arguments.find((one) => !one.name || /^(name|value)$/.test(one.name))?.value;
    const called = (said && textOf(said, constantsOf(owner, world))?.text.split(' ')[0]) ?? name;
    if (manages) {
      const value = annotations.some((one) => one.meaning?.preferred) ? 'preferred' : 'one';
      return [{ at, key: called, value, effect: 'manages transactions', of: meaning.provides }];
    }
    return [...(nests ? [called] : []), onlyOne(world.path)].map((of) =>
      setting(at, name, String(nests), `${meaning.provides} ${of}`),
    );
  });
}

const setting = (at: Setting['at'], key: string, value: string, of: string): Setting => ({
  at, key, value, effect: 'nested transactions open savepoints', of,
}); // biome-ignore format: short
