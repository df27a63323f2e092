// Equal texts in units, equal lists of texts and equal parameters, as one object: a large tree says the same names a hundred thousand times. It changes nothing that can be read.
import type { Routine } from '../../ir.ts';
import type { Lowered } from './cache.ts';

/** Shorter ones are one already: V8 looks them up as it parses JSON. */
const SHORT = 10;

/** Goes over what was parsed from JSON, which nobody else has yet, and changes it in place. */
export function createSharing(): (lowered: Lowered) => Lowered {
  const texts = new Map<string, string>();
  const lists = new Map<string, unknown[]>();
  const signatures = new Map<string, Routine['parameters']>();
  return (lowered) => {
    const made = shared(lowered);
    for (const routine of made.unit?.routines ?? [])
      if (routine.parameters) routine.parameters = parameters(routine.parameters);
    return made;
  };

  /** Of 200,000 routines most take what thousands of others take. */
  function parameters(value: NonNullable<Routine['parameters']>): Routine['parameters'] {
    const id = JSON.stringify(value);
    const known = signatures.get(id);
    if (!known) signatures.set(id, value);
    return known ?? value;
  }

  function text(value: string): string {
    if (value.length <= SHORT) return value;
    const known = texts.get(value);
    if (known === undefined) texts.set(value, value);
    return known ?? value;
  }

  function shared<T>(value: T): T;
  function shared(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return list(value);
    const record = value as Record<string, unknown>;
    for (const key in record) {
      const inner = record[key];
      if (typeof inner === 'string') {
        if (inner.length > SHORT) record[key] = text(inner);
      } else if (typeof inner === 'object' && inner !== null && key !== 'at') record[key] = shared(inner);
    }
    return record;
  }

  /** Only lists of texts and empty ones are shared: steps are known by which object they are. */
  function list(values: unknown[]): unknown[] {
    let plain = true;
    for (let i = 0; i < values.length; i++) {
      values[i] = shared(values[i]);
      plain &&= typeof values[i] === 'string';
    }
    if (!plain) return values;
    const id = JSON.stringify(values); // `[]` is not `['']`
    const known = lists.get(id);
    if (!known) lists.set(id, values);
    return known ?? values;
  }
}
