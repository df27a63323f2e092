// A type as code names it, and what its parameters may be. What the names mean, names.ts finds.
import type { Argument, TypeRef } from '../syntax/syntax.ts';

/** A type with its arguments; the name is full where the file tells, else the end of it. */
export interface Typed {
  name: string;
  arguments: Typed[];
  /** It is this other type where the caller handed that over as this parameter. */
  perhaps?: { parameter: string; name: string };
  /** It is so only then, else nobody knows what it is. */
  only?: Condition;
  /** The connection that it is or speaks to, by its name in this routine. */
  on?: string | undefined;
  /** It is a connection that nobody else has, and has no name yet. */
  own?: true | undefined;
  /** What it was told to execute. */
  told?: Argument;
}

/** What another file gives under this name descends from one of these. */
export interface Condition {
  asked: string;
  is: string[];
}

/** Type parameters and their bounds. */
export type Free = Map<string, TypeRef | undefined>;
