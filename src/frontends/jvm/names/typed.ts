// A type as code names it, and what its parameters may be. What the names mean, names.ts finds.
import type { Argument, TypeRef } from '../syntax/syntax.ts';

/** A type with its arguments; the name is full where the file tells, else the end of it. */
export interface Typed {
  name: string;
  arguments: Typed[];
  /** It is this other type where the caller handed that over as this parameter. */
  perhaps?: { parameter: string; name: string };
  /** What it was told to execute. */
  told?: Argument;
}

/** Type parameters and their bounds. */
export type Free = Map<string, TypeRef | undefined>;
