// What a rule is and what it finds; the only module that rules import.
import type { Certainty, Name } from './ir.ts';
import type { Frame, Model, Place } from './linker/model.ts';

export type { Attempt, Certainty, Handler, Name, Relation, Routine, Scope, Step, Unit, Write } from './ir.ts';
export { inside } from './ir.ts';
export { kept } from './linker/kept.ts';
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
  /** Other rules that speak of the same place; the message says what they found. */
  also?: string[];
  /** The tables it is about. */
  relations?: Name[];
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
