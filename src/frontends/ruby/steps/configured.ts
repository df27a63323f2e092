// What a configuration file sets: what the program's calls do besides since then, by the tables. It lowers no call.
import type { Configured, Framework } from '../../../framework.ts';
import { frameworks } from '../../../frameworks/ruby/index.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, type RubyFile } from '../names/file.ts';
import { bareSite, stepsOf } from '../names/meaning.ts';
import { spanOf, textOf } from '../syntax.ts';

interface Known {
  ending: string;
  means: Configured;
  owner: string;
}

/** By the last word. */
const byWord = new Map<string, Known>();
/** Whose calls a table speaks of. */
const ownerOf = ({ methods }: Framework, name: string) => methods?.[name]?.configured;
for (const { configures } of frameworks)
  for (const [ending, means] of Object.entries(configures ?? {})) {
    const [name] = 'calls' in means ? Object.keys(means.calls) : [];
    const owner = name === undefined ? undefined : frameworks.flatMap((one) => ownerOf(one, name) ?? [])[0];
    byWord.set(ending.slice(ending.lastIndexOf('.') + 1), { ending, means, owner: owner ?? '' });
  }

/** What holds of a development's machine is not the product's. */
const ELSEWHERE = /(^|\/)environments\/(?!prod)/;

/** `config.active_job.queue_adapter = :solid_queue`. */
export function configure(file: RubyFile, left: Syntax, right: Syntax): void {
  const method = child(left, 'method');
  const known = method && byWord.get(textOf(file, method));
  if (!known || !textOf(file, left).endsWith(known.ending)) return;
  const { unit } = file;
  if (unit.role !== 'product' || ELSEWHERE.test(unit.file)) return;
  const { means } = known;
  const value = textOf(file, right);
  if ('turnsOff' in means) {
    if (value !== means.unless)
      for (const of of means.turnsOff)
        unit.settings.push({
          at: spanOf(method),
          key: known.ending,
          value: 'false',
          effect: 'nested transactions open savepoints',
          of,
        });
  } else if (value.replace(/^"(\w+)"$/, ':$1') === means.is)
    for (const [name, meaning] of Object.entries(means.calls))
      addRoutine(file, {
        name: `ruby:${known.owner}.${name}`,
        at: spanOf(left),
        entry: 'called',
        startsIn: 'caller',
        body: stepsOf([meaning], { ...bareSite(spanOf(right), name, null), certainty: 'likely' }),
      });
}
