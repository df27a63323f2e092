// What a rule is and what it finds; the only module that rules import.
import type { Certainty, Name, Unit } from './ir.ts';
import { kept } from './linker/kept.ts';
import type { Frame, Model, Place, Subtransaction } from './linker/model.ts';

export type {
  Attempt,
  Call,
  Cast,
  Certainty,
  Change,
  Handler,
  Name,
  Relation,
  Routine,
  Scope,
  Step,
  Trigger,
  TypeDeclaration,
  Unit,
  Write,
} from './ir.ts';
export { inside, PLACES } from './ir.ts';
export { rank, weaker } from './linker/certainty.ts';
export { kept } from './linker/kept.ts';
export type * from './linker/model.ts';
export { holds } from './linker/rewrite.ts';
export { AROUND, isAnyTable, isDomain, unmarked } from './linker/words.ts';

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

/** What a rule says of each subtransaction by itself. It is kept: an editor asks of the same ones after each keystroke. */
export function ofEach(find: (model: Model, one: Subtransaction) => Finding[]): Rule['check'] {
  const known = new WeakMap<Subtransaction, { unit: Unit | null; found: Finding[] }>();
  return (model) =>
    model.subtransactions.flatMap((one) => {
      const before = known.get(one);
      // After an edit elsewhere in its file a fix may stand at another place.
      const unit = unitsOf(model).get(one.file)?.[0] ?? null;
      if (before && (before.unit === null || before.unit === unit)) return before.found;
      const found = find(model, one);
      known.set(one, { unit: found.some(({ fixes }) => fixes) ? unit : null, found });
      return found;
    });
}

/** The units of each file. */
export const unitsOf = kept((model: Model): Map<string, Unit[]> => {
  const byFile = new Map<string, Unit[]>();
  for (const unit of model.units) {
    const known = byFile.get(unit.file);
    if (known) known.push(unit);
    else byFile.set(unit.file, [unit]);
  }
  return byFile;
});
