// What a setting elsewhere decides about scopes: whether nesting opens a savepoint at all, and on which database they are. It changes no unit, it copies.
import type { Name, Routine, Scope, Step, Unit } from '../../ir.ts';
import { weaker } from '../certainty.ts';
import { answered, SETTING } from './asks.ts';

/** It was told not to, whatever it is. */
const NEVER = 'never';

type Decide = (scope: Scope) => Scope | null;

/** Of several that one name means, each nests. */
const agree = (said: Set<string> | undefined) => said?.has('true') && !said.has('false');

/** Where there is one database, what is computed is likely that. */
const onDefault = ({ on: _, computed: __, ...scope }: Scope): Scope => ({
  ...scope,
  certainty: weaker('likely', scope.certainty),
});

/** Makes the scopes of a unit say what the settings of all of these make of nesting. */
export function settling(units: Unit[]): (unit: Unit) => Unit {
  const found = new Map<string, Set<string>>();
  // That a driver is there says nothing of how many there are.
  const databases = units.flatMap(({ settings }) => settings.filter(({ listed }) => listed));
  const one = databases.length > 0 && databases.every(({ on }) => on === undefined);
  for (const { settings, role } of units)
    for (const { effect, of, value } of settings)
      if (effect === 'nested transactions open savepoints' && role !== 'test')
        found.set(of, (found.get(of) ?? new Set()).add(value));
  const telling = new Map<Name, Set<Routine['tells']>>();
  for (const { routines } of units)
    for (const { name, tells } of routines)
      if (tells) telling.set(name, (telling.get(name) ?? new Set()).add(tells));
  // Others of the name may tell nothing.
  if (telling.size > 0)
    for (const { routines } of units)
      for (const { name, tells, declared } of routines)
        if (!tells && !declared) telling.get(name)?.add(undefined);
  const isInNone = ({ of, is }: NonNullable<Scope['asked']>) => {
    const told = telling.get(of);
    return told?.size === 1 && told.has(is ? 'none' : 'open');
  };
  // One place that turns it on is enough: which of them a scope meets is not told.
  const isOn = ({ of, assumed }: NonNullable<Scope['setting']>) => {
    const said = found.get(of);
    return said?.has(NEVER) ? false : (said?.has('true') ?? assumed);
  };
  const decide: Decide = ({ asked: by, ...asked }) => {
    if (by && isInNone(by)) return { ...asked, whenNested: 'join', nestedBy: undefined, setting: undefined };
    const { nestedBy, ...written } = asked.computed && one ? onDefault(asked) : asked;
    if (nestedBy && !nestedBy.some((name) => agree(found.get(name))))
      return { ...written, setting: undefined };
    const scope: Scope = nestedBy ? { ...written, whenNested: 'savepoint' } : written;
    if (!scope.setting) return scope;
    if (isOn(scope.setting)) return scope;
    const { otherwise } = scope.setting;
    if (otherwise === 'elsewhere') return null;
    const opens = otherwise === 'join' && scope.opens === 'subtransaction' ? 'transaction' : scope.opens;
    return { ...scope, opens, whenNested: otherwise };
  };
  const answer = (step: Step): Step[] => {
    if (step.kind === 'savepoint') return step.setting && !isOn(step.setting) ? [] : [step];
    const decided = step.kind === 'scope' ? decide(step) : step;
    return decided ? [decided] : [];
  };
  return (unit) => answered(unit, SETTING, answer);
}
