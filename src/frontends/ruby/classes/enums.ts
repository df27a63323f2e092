// `enum :status, %i[draft live]`: what the class has of each value, a scope, and a method that saves the record with it. How many values there are, lists.ts tells.
import { child, type Syntax } from '../../syntax.ts';
import { enumerated, optionOfEnum } from '../counts/lists.ts';
import { nameIn } from '../names/choices.ts';
import { addRoutine, type Macro, methodName } from '../names/file.ts';
import { argumentsOf, literal, parts, spanOf, word } from '../syntax.ts';
import { giveField } from './associations.ts';
import { asked } from './machines.ts';

export function enums(given: Macro): void {
  const { file, owner, node } = given;
  enumerated(file, owner, node);
  if (owner.kind === 'file') return;
  const { positional, keywords } = argumentsOf(file, node);
  const option = (name: string) => {
    const value = (keywords.get(name) ?? keywords.get(`_${name}`))?.value;
    return value && literal(file, value);
  };
  const own = [...keywords].filter(([key]) => !optionOfEnum(key));
  const first = word(file, positional[0]);
  if (!first) for (const [key, { value }] of own) each(key, valuesIn(value));
  else if (positional[1]) each(first, valuesIn(positional[1]));
  else
    each(
      first,
      own.map(([key, { pair }]) => [key, pair]),
    );

  function each(column: string, values: [string, Syntax][]): void {
    const [before, after] = [affix(option('prefix'), column), affix(option('suffix'), column)];
    for (const [value, at] of values) {
      const name = [before, value, after].filter(Boolean).join('_');
      if (option('scopes') !== 'false')
        for (const scope of [name, `not_${name}`]) giveField(owner, scope, `ruby:${owner.name}`, true);
      if (option('instance_methods') === 'false') continue;
      const span = spanOf(at);
      const args = { positional: [], keywords: new Map([[column, { value: at, pair: at }]]), splats: [] };
      const body = asked({ ...given, args }, span, 'update!', `${name}!`, null);
      addRoutine(file, {
        name: methodName(owner, `${name}!`, false),
        at: span,
        entry: 'called',
        startsIn: 'caller',
        implied: true,
        body,
      });
    }
  }

  function valuesIn(list: Syntax): [string, Syntax][] {
    const table = list.type === 'call' ? child(list, 'receiver') : list;
    return parts(table).flatMap((one): [string, Syntax][] => {
      const value = nameIn(given, one.type === 'pair' ? child(one, 'key')! : one);
      return value ? [[value, one]] : [];
    });
  }
}

/** `prefix: true` is the column's name, `prefix: :order` that one. */
const affix = (option: string | null | undefined, column: string) =>
  option === 'true' ? column : option?.replace(/^:/, '');
