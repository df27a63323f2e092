// What a rule is and what it finds; the only module that rules import.
import type { Certainty, Name } from './ir.ts';
import type { Frame, Model, Place, Subtransaction, Visit } from './linker/model.ts';

export type { Attempt, Call, Certainty, Handler, Name, Routine, Scope, Step, Write } from './ir.ts';
export { inside } from './ir.ts';
export type * from './linker/model.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A change of text. `safe` ones are applied by --fix; others are offered. */
export interface Fix {
  title: string;
  safe: boolean;
  edits: (Place & { replacement: string })[];
}

export interface Finding extends Place {
  rule: string;
  severity: Severity;
  certainty: Certainty;
  /** Fact and consequence, with the real names; the first sentence stands alone. */
  message: string;
  /** What to write instead. */
  remedy: string;
  /** From the outermost frame to the cause; empty when the place says it all. */
  trace: Frame[];
  /** Other traces to the same cause. */
  others?: Frame[][];
  fixes?: Fix[];
  /** What the finding is about, by names and not by positions, so that it can be told again after edits. */
  subject: string;
  routine?: Name;
}

export interface Rule {
  /** The folder's name; there is no other. */
  id: string;
  /** `off` rules run only when asked for. */
  severity: Severity | 'off';
  /** One sentence, for tables and help. */
  summary: string;
  check(model: Model): Finding[];
}

export const rule = (definition: Rule): Rule => definition;

/** What only runs once or in tests is told as a note, whatever it does. */
export function byRole(severity: Severity, { role }: { role: Visit['role'] }): Severity {
  return role === 'product' ? severity : 'note';
}

/** A subtransaction that writes nothing takes no transaction ID and no slot. */
export function byWrites(severity: Severity, { effects }: Subtransaction): Severity {
  if (effects.writes === 'no') return 'note';
  return effects.writes === 'unknown' && severity === 'error' ? 'warning' : severity;
}

/** `sql:public.log_change` as people say it: `log_change()`. */
export function routineName(name: Name): string {
  const path = name.slice(name.indexOf(':') + 1).replace(/^public\./, '');
  return /\.\w+$/.test(path) && path.includes('/') ? path : `${path}()`;
}
