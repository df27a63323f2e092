// SQL that is kept as a constant and that other files may run: a routine that nobody wrote. Text that is run here is read where it runs.
import type { Name, Routine } from '../../ir.ts';
import { lowerEmbeddedUnit } from '../sql/embedded.ts';
import type { Field } from './syntax.ts';
import { type Constants, textOf } from './text.ts';

const STATEMENT =
  /^\s*(?:--.*\s+)*(?:select|insert|update|delete|with|merge|call|do|copy|lock|truncate|savepoint|release|rollback)\b/i;

/** `prefix`: what they stand in, with its dot. */
export const textsOf = (prefix: string, fields: Field[], constants: Constants): Routine[] =>
  fields.flatMap(({ name, value }) => {
    const source = value && textOf(value, constants);
    if (!source || !STATEMENT.test(source.text)) return [];
    const { steps } = lowerEmbeddedUnit(source, '');
    if (steps.length === 0) return [];
    const at = { start: value.start, end: value.end };
    return [
      {
        name: `jvm:${prefix}${name}` as Name, at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true, body: steps,
      },
    ]; // biome-ignore format: short
  });
