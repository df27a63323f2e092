// A migration that is a block handed to its library: each way that it goes is a routine. Not what stands in it.
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, newBody } from '../names/file.ts';
import { asRoutine } from '../names/jumps.ts';
import { migrations, reverts } from '../names/meaning.ts';
import { lower } from '../steps/body.ts';
import { argumentsOf, parts, spanOf, textOf } from '../syntax.ts';
import type { Place, State } from './state.ts';

/** `Sequel.migration do up do … end end`: false where the call is none. */
export function migrated(state: State, node: Syntax, called: string, place: Place): boolean {
  const migration = migrations.get(called);
  const { file } = state;
  const { block } = argumentsOf(file, node);
  if (!migration || !block) return false;
  const said = parts(child(block, 'body')).map((one) => ({
    one,
    name: textOf(file, child(one, 'method') ?? one),
  }));
  const apart = said.some(({ name }) => name === migration.apart);
  for (const { one, name } of said) {
    const way = migration.ways.includes(name) ? argumentsOf(file, one).block : undefined;
    if (!way) continue;
    state.later.push(() => {
      const body = newBody(file, place.owner, false, null);
      body.self = { name: `ruby:${migration.self}`, kind: 'one' };
      body.keepsObjects = !reverts.has(name);
      addRoutine(file, {
        name: `ruby:${file.unit.file.replace(/\.rb$/, '')}.${name}`,
        at: spanOf(one),
        kind: 'script',
        entry: 'migration',
        startsIn: apart ? 'autocommit' : 'transaction',
        body: asRoutine(lower(body, child(way, 'body'))),
      });
    });
  }
  return true;
}
