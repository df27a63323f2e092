// What a framework's programs in Python are made of, and how lines of Python stand in one another.
import { indented } from './spelling.ts';

/** The spellings of one framework, each a list of lines. */
export interface Dialect {
  imports: string[];
  /** What all programs share: files by path. */
  files: Record<string, string>;
  /** What a routine must be handed to reach the database. */
  takes?: { parameter: string; argument: string };
  read: string;
  write(how: number, fires: boolean, rows: number): string[];
  find(how: number, hits: boolean): string[];
  /** What opens one, and what its module imports. */
  level(on: string): string;
  levels: string[];
  /** A scope around a body that stands in the routine. */
  scopes: ((body: string[], name: (of?: string) => string) => string[])[];
  /** One that no other may be around. */
  outermost(body: string[]): string[];
  /** What may stand above a function of a file, and above a function or method of any kind. */
  decorators: { functions: string[]; all: string[] };
  /** A savepoint by hand, with what releases it and what rolls back to it; where a transaction is surely open. */
  savepoint(how: number, name: string): { open: string; release: string; back: string; both?: string[] };
  /** An error of the server. */
  failure: string;
  /** What is done before and after all. */
  run?(body: string[], how: number): string[];
}

const indent = indented('    ');
export const block = (head: string, body: string[]) => [head, ...indent(body.length > 0 ? body : ['pass'])];

/** A body that stands in another function must not leave a loop or a routine. */
export const loose = (body: string[]) => body.every((line) => !/^ *(break|continue|return)$/.test(line));
