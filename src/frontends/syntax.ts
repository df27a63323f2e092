// What every parser of ours makes of a text: plain nodes. Not a language, and no grammar.
import type { Unit } from '../ir.ts';

/** A named node as a plain object: walking it costs no call into WebAssembly, and it outlives the parser's own tree. */
export interface Syntax {
  type: string;
  /** The grammar's name for its place in the parent: `condition`, `body`. */
  field: string | null;
  start: number;
  end: number;
  /** Named children, and those unnamed tokens that stand in a field (operators). Shared when there are none: never changed. */
  children: Syntax[];
  parent: Syntax | null;
}

export interface Parsed {
  root: Syntax;
  /** Text lies deeper than DEPTH and was left out there. */
  cut: boolean;
  /** The first place that could not be read. */
  error: Syntax | null;
}

/** Nobody writes deeper, and recursion over a tree of this depth is safe in a worker's small stack too. */
export const DEPTH = 500;

/** Says in the unit what of its file could not be read. */
export function noteFaults(unit: Unit, { cut, error, root }: Parsed): void {
  if (cut) unit.problems.push({ message: 'nested too deeply: a part was not read', partial: true });
  if (!error) return;
  unit.broken = true;
  // Where the text ends too soon, there may be no character more.
  const at = { start: error.start, end: Math.min(error.start + 1, Math.max(error.start, root.end)) };
  unit.problems.push({ at, message: 'syntax error', partial: true });
}

export function child(parent: Syntax, field: string): Syntax | undefined {
  const { children } = parent;
  for (let i = 0; i < children.length; i++) if (children[i]!.field === field) return children[i];
  return undefined;
}
