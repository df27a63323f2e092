// What a call hands to who runs it by the clock: pg_cron's commands and TimescaleDB's jobs, as routines that start by themselves. Not whether somebody else defines a function of that name.
import type { Name, Routine, Step } from '../../../ir.ts';
import type { Source } from '../../source.ts';
import { lowerScript } from '../script.ts';
import { identifier } from '../text/lexer.ts';
import { at, mark, type Named, type Reader, type SqlScope, scopeWith } from '../text/reader.ts';
import { written } from './handed.ts';

type Args = [from: number, to: number][];

/** Which argument is the command, by its place from what follows the job's name, or by its name. */
const COMMANDS: Record<string, (args: Args) => number> = {
  schedule: ({ length }) => (length > 2 ? 2 : 1),
  schedule_in_database: () => 2,
  alter_job: () => 2,
};

/** Tells of what this call schedules, if it does; what it writes down itself is another's business. */
export function schedules(r: Reader, name: Named, args: Args): void {
  const [schema, last] = name.parts.length === 2 ? name.parts : [undefined, name.parts[0]];
  if (last === 'add_job' && schema === undefined) runsByName(r, args);
  if (schema !== 'cron' || last === undefined || !Object.hasOwn(COMMANDS, last)) return;
  const named = args.find(([from]) => isNamed(r, from) && identifier(r.tokens[from]!) === 'command');
  const command: Args[number] | undefined = named ? [named[0] + 2, named[1]] : args[COMMANDS[last]!(args)];
  const texts = command && textsOf(r, command);
  if (texts?.length === 1) entry(r, command!, (scope) => lowerScript(texts[0]!, scope, { psql: false }));
}

/** add_job('tidy', '1 day'): the procedure is given the job's number and its configuration. */
function runsByName(r: Reader, [first, ...others]: Args): void {
  const [text] = (first && textsOf(r, first)) ?? [];
  if (!first || others.length === 0 || !text || !/^[a-z_][\w$]*(?:\.[a-z_][\w$]*)?$/.test(text.text)) return;
  const callee: Name = `sql:${text.text}`;
  const place = at(r, ...first);
  entry(r, first, () => [{ kind: 'call', at: place, callee, args: 2 }]);
}

const isNamed = (r: Reader, i: number) => mark(r, i + 1) === '=>' || mark(r, i + 1) === ':=';

const textsOf = (r: Reader, [from, to]: [number, number]): Source[] | null =>
  from < to ? (written(r, from, to) ?? r.scope.texts?.(r.tokens[from]!, r.tokens[to - 1]!) ?? null) : null;

/** It is sent as it is, by a session of its own. */
function entry(r: Reader, [from, to]: [number, number], lower: (scope: SqlScope) => Step[]): void {
  const { declare } = r.scope;
  const scope = { ...scopeWith(r.scope, new Set(), undefined, 1), declare: undefined, variables: undefined };
  if (!declare || scope.depth! > DEEPEST) return;
  const number = declare.routines.filter(({ entry: by }) => by === 'job').length + 1;
  const routine: Routine = {
    name: `sql:"${declare.file}"."job ${number}"`, at: at(r, from, to), kind: 'anonymous', language: 'sql', entry: 'job',
    startsIn: 'autocommit', body: lower(scope),
  }; // biome-ignore format: what is known at once
  if (routine.body.length > 0) declare.routines.push(routine);
}

const DEEPEST = 5;
