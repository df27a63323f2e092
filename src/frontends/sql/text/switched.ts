// Which triggers are switched off between two statements of one script or body. Not which triggers there are.
import type { Name, Step } from '../../../ir.ts';
import { mark, nameAt, type Reader, word } from './reader.ts';

/** What is off now: by relation the names of triggers, `all` and `user` among them; and the role that fires none. */
export interface Switched {
  off: Map<Name, Set<string>>;
  /** Until the transaction ends, or as long as the session. */
  replica: 'local' | 'session' | null;
}

/** What event triggers stand on. */
export const EVERYTHING: Name = 'sql:*';

export const allOn = (): Switched => ({ off: new Map(), replica: null });

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

/** set_config('session_replication_role', 'replica', true) */
export function setRoleBy(r: Reader, bracket: number): void {
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
  if (!switched || (switched.replica === null && switched.off.size === 0)) return;
  for (const step of steps)
    if ((step.kind === 'commit' || step.kind === 'rollback') && switched.replica === 'local')
      switched.replica = null;
    else if (step.kind === 'write' && (step.relation || step.tag)) {
      const of = [step.relation, step.tag === undefined ? null : EVERYTHING];
      const off = switched.replica
        ? ['all', 'rules']
        : of.flatMap((name) => [...((name && switched.off.get(key(name))) ?? [])]);
      if (off.length > 0) step.without = off;
    }
}
