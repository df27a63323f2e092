// Which triggers are switched off between two statements of one script or body. Not which triggers there are.
import type { Name, Step } from '../../../ir.ts';
import { HOLE } from './lexer.ts';
import { mark, nameAt, type Reader, word } from './reader.ts';

/** What is off now: by relation the names of triggers, `all` and `user` among them; and the role that fires none. */
export interface Switched {
  off: Map<Name, Set<string>>;
  /** Until the transaction ends, or as long as the session. */
  replica: 'local' | 'session' | null;
  /** Settings of the project's own: `app.skip`. */
  settings: Map<string, { value: string; local: boolean }>;
}

/** What event triggers stand on. */
export const EVERYTHING: Name = 'sql:*';

export const allOn = (): Switched => ({ off: new Map(), replica: null, settings: new Map() });

const key = (name: Name) => name.replace(/^sql:public\./, 'sql:') as Name;

export function turn({ off }: Switched, how: 'on' | 'off', relation: Name, trigger: string): void {
  const names = off.get(key(relation)) ?? new Set();
  if (how === 'off') off.set(key(relation), names.add(trigger));
  else if (trigger === 'all' || trigger === 'user') off.delete(key(relation));
  else names.delete(trigger);
}

/** SET [LOCAL] session_replication_role = replica; any other is the one that fires them. */
export function setRole(r: Reader, value: number, local: boolean): void {
  if (r.scope.switched)
    r.scope.switched.replica = roleAt(r, value) === 'replica' ? (local ? 'local' : 'session') : null;
}

export function roleAt(r: Reader, value: number): string {
  const token = r.tokens[value];
  return token?.kind === 'string' ? token.text.slice(1, -1).toLowerCase() : word(r, value);
}

/** SET [LOCAL] app.skip = 'on', from the name on; what is not written out nobody knows. */
export function setOwn({ settings }: Switched, r: Reader, at: number, to: number, local: boolean): void {
  const name = nameAt(r, at, to);
  if (name?.parts.length !== 2) return;
  const setting = name.parts.join('.');
  const token = r.tokens[name.next + 1];
  const isWhole = name.next + 2 === to && token !== undefined && token.kind !== 'variable';
  if (!isWhole || token.text === 'default' || token.text.includes(HOLE)) settings.delete(setting);
  else settings.set(setting, { value: roleAt(r, name.next + 1), local });
}

/** set_config('session_replication_role', 'replica', true), set_config('app.skip', 'on', true) */
export function setBy(r: Reader, bracket: number): void {
  const [key, value] = [r.tokens[bracket + 1], r.tokens[bracket + 3]];
  const own = key?.kind === 'string' ? /^'(\w+\.\w+)'$/.exec(key.text)?.[1] : undefined;
  if (own !== undefined && r.scope.switched) {
    const { settings } = r.scope.switched;
    const isWhole = value?.kind === 'string' && !value.text.includes(HOLE) && mark(r, bracket + 4) === ',';
    if (isWhole) settings.set(own, { value: roleAt(r, bracket + 3), local: word(r, bracket + 5) === 'true' });
    else settings.delete(own);
  }
  if (r.tokens[bracket + 1]?.text === "'session_replication_role'" && mark(r, bracket + 2) === ',')
    setRole(r, bracket + 3, word(r, bracket + 5) === 'true');
}

/** ENABLE or DISABLE TRIGGER of a relation, from the word TRIGGER. */
export function switchOne(r: Reader, trigger: number, to: number, how: 'on' | 'off', relation: Name): void {
  const name = nameAt(r, trigger + 1, to)?.parts[0];
  if (name && r.scope.switched) turn(r.scope.switched, how, relation, name);
}

/** Writes say which triggers they do not fire, and the end of a transaction ends what was set in it. */
export function tellSwitched(steps: Step[], switched: Switched | undefined): void {
  if (!switched || (switched.replica === null && switched.off.size === 0 && switched.settings.size === 0))
    return;
  for (const step of steps)
    if (step.kind === 'commit' || step.kind === 'rollback') {
      if (switched.replica === 'local') switched.replica = null;
      for (const [name, { local }] of switched.settings) if (local) switched.settings.delete(name);
    } else if (step.kind === 'write' && (step.relation || step.tag)) {
      const of = [step.relation, step.tag === undefined ? null : EVERYTHING];
      const off = switched.replica
        ? ['all', 'rules']
        : of.flatMap((name) => [...((name && switched.off.get(key(name))) ?? [])]);
      if (off.length > 0) step.without = off;
      if (switched.settings.size > 0)
        step.settings = Object.fromEntries([...switched.settings].map(([name, { value }]) => [name, value]));
    }
}
