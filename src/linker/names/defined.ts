// The routines and classes of application languages that a program defines, by their names and by how those end. Not which of them is meant.
import type { TypeDeclaration } from '../../ir.ts';
import type { Linked, Program } from '../definitions/program.ts';
import { together } from '../definitions/reopened.ts';
import { add } from '../lists.ts';
import { endOf, isSuffix, ownerOf } from './dotted.ts';

/** A class, and the file that declares it. */
export interface Declared {
  type: TypeDeclaration;
  file: string;
}

export interface Defined {
  routines: ReadonlyMap<string, Linked[]>;
  routinesByEnd: ReadonlyMap<string, Linked[]>;
  types: ReadonlyMap<string, Declared[]>;
  typesByEnd: ReadonlyMap<string, Declared[]>;
  /** Those that extend a type which another file may declare. */
  extending: ReadonlyMap<string, Linked[]>;
  /** In what something stands that is here. */
  owners: ReadonlySet<string>;
}

export function definedBy(program: Program): Defined {
  const routines = new Map<string, Linked[]>();
  const routinesByEnd = new Map<string, Linked[]>();
  const extending = new Map<string, Linked[]>();
  const types = new Map<string, Declared[]>();
  const typesByEnd = new Map<string, Declared[]>();
  const owners = new Set<string>();
  const owns = (name: string) => {
    const owner = ownerOf(name);
    if (owner !== null) owners.add(owner);
  };
  for (const linked of program.linked) {
    if (!linked.routine || linked.name.startsWith('sql:')) continue;
    add(routines, linked.name, linked);
    if (linked.routine.extends !== undefined) add(extending, linked.name, linked);
    owns(linked.name);
    add(routinesByEnd, endOf(linked.name), linked);
  }
  for (const { type, unit } of together(program.types)) {
    const declared = { type, file: unit.file };
    add(types, type.name, declared);
    owns(type.name);
    // Nobody hands on what a class has that is here, though it say nothing but fields.
    owners.add(type.name);
    add(typesByEnd, endOf(type.name), declared);
  }
  return { routines, routinesByEnd, extending, types, typesByEnd, owners };
}

/** From whatever source root it is written. */
export const isDefined = (defined: Defined, name: string): boolean =>
  defined.routines.has(name) ||
  defined.types.has(name) ||
  defined.routinesByEnd.get(endOf(name))?.some((one) => isSuffix(name, one.name)) === true ||
  defined.typesByEnd.get(endOf(name))?.some(({ type }) => isSuffix(name, type.name)) === true;
