// What a type's name in one file means: imports, packages, nested types. It looks into no other file.

import { isLarge, isSmall } from '../../words.ts';
import type { SourceFile, TypeBody, TypeRef } from '../syntax/syntax.ts';
import { holdsMany } from './collections.ts';
import { isKnown, methodOf, same } from './known.ts';
import type { Free, Typed } from './typed.ts';

export interface Names {
  /** `around`: the full names of the types that it stands in, innermost first. */
  type(ref: TypeRef, around: string[], free?: Free): Typed | null;
  typeNamed(name: string, around: string[]): string | null;
  /** An annotation's full name where it is such a one, also of a package that is imported whole. */
  annotation(name: string, around: string[], such: (full: string) => boolean): string | null;
  /** A type that a method declares for itself: those around it see it from there on. */
  declare(name: string, outer: string): void;
  /** A statically imported member, or Kotlin's imported function. */
  function(name: string): string | null;
  package: string;
  /** What stands in this package, or in one of the project's own that is imported whole. */
  inScope(name: string): string;
  /** The scope of this file, and the packages that it is made of; null when nothing was looked for in it. */
  scope(): { name: string; packages: string[] } | null;
}

const UNKNOWN = /^(var|\?|\*|Any|Object|void|Unit|Nothing)$/;
const PRIMITIVE =
  /^(int|long|short|byte|char|float|double|boolean|Int|Long|Short|Byte|Char|Float|Double|Boolean|String|Void|Integer|Character|Number|Enum|Class|Override|CharSequence|Exception|RuntimeException|Throwable|Error)$/;
const LANGUAGE =
  /^(Thread|System|Math|StrictMath|StringBuilder|StringBuffer|Process|ProcessBuilder|Runtime|Runnable|Iterable|Comparable|AutoCloseable|ThreadLocal|\w+Exception|\w+Error|Record|FunctionalInterface|SuppressWarnings|Deprecated|SafeVarargs|Suppress|Jvm\w+|Throws|OptIn|PublishedApi|DslMarker|Volatile|Transient|Synchronized)$/;
const COLLECTION =
  /^(Mutable)?(List|Set|Map|Collection|Iterable|Iterator|Queue|Deque|ArrayList|LinkedList|HashMap|LinkedHashMap|TreeMap|HashSet|LinkedHashSet|TreeSet|Sequence|Optional|Pair|Triple|Properties|Collections|Arrays|Objects|UUID|Date|Random|Scanner|Locale|StringJoiner|Comparator)$/;

/** What chains begin or end with, of packages that are imported whole. */
const STANDARD =
  /^java\.(util\.stream\.(Collectors|StreamSupport)|io\.(BufferedReader|LineNumberReader|File)|nio\.file\.(Files|Paths?))$/;
const ARRAY = /^(Boolean|Byte|Short|Int|Long|Float|Double|Char)?Array$/;

export function createNames(file: SourceFile, path: string): Names {
  const imported = new Map<string, string>();
  const members = new Map<string, string>();
  const memberTypes: string[] = [];
  const wildcards: string[] = [];
  for (const { path, wildcard, alias, static: isStatic } of file.imports) {
    const last = path.slice(path.lastIndexOf('.') + 1);
    if (wildcard) (isStatic ? memberTypes : wildcards).push(path);
    else if (isStatic || isSmall(last)) members.set(alias ?? last, path);
    else imported.set(alias ?? last, path);
    if (isStatic && !wildcard && isLarge(last)) imported.set(last, path);
  }
  // A class with static members is often imported whole; its nested types come along.
  wildcards.push(...memberTypes);
  const isKotlin = /\.kts?$/.test(path);
  const declared = new Set<string>();
  /** Of a type within others, by its own name: those that it is within. */
  const nested = new Map<string, Set<string>>();
  const inPackage = (name: string) => (file.package ? `${file.package}.${name}` : name);
  const declare = (type: TypeBody, prefix: string) => {
    const full = `${prefix}${type.name}`;
    declared.add(full);
    for (const inner of type.types) {
      const outer = nested.get(inner.name) ?? new Set();
      nested.set(inner.name, outer.add(full));
      declare(inner, `${full}.`);
    }
  };
  for (const type of file.types) declare(type, file.package ? `${file.package}.` : '');
  const own = file.package.split('.').slice(0, 2).join('.');
  const houses = own === '' ? [] : wildcards.filter((path) => `${path}.`.startsWith(`${own}.`));
  const base = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const scopeName = inPackage(`${base.replace(/\W/g, '_')}~`);
  let isAsked = false;

  /** By what they stand in, so that no key is put together for each. */
  const found = new Map<string, Map<string, string | null>>();

  function simple(name: string, around: string[]): string | null {
    const key = around[0] ?? '';
    const here = found.get(key) ?? new Map<string, string | null>();
    found.set(key, here);
    let full = here.get(name);
    if (full === undefined) {
      full = find(name, around);
      if (full) full = same.get(full) ?? full;
      here.set(name, full);
    }
    return full;
  }

  function find(name: string, around: string[]): string | null {
    if (UNKNOWN.test(name)) return null;
    if (PRIMITIVE.test(name)) return `java.lang.${name}`;
    const within = nested.get(name);
    const outer = within && around.find((type) => within.has(type));
    if (outer !== undefined) return `${outer}.${name}`;
    const near = inPackage(name);
    if (declared.has(near)) return near;
    const explicit = imported.get(name);
    if (explicit) return explicit;
    for (const path of wildcards) {
      const full = `${path}.${name}`;
      if (isKnown(full) || holdsMany(full) || STANDARD.test(full)) return full;
    }
    if (COLLECTION.test(name) || (isKotlin && ARRAY.test(name)))
      return `java.util.${name.replace(/^Mutable/, '')}`;
    if (LANGUAGE.test(name)) return `java.lang.${name}`;
    if (isKnown(near)) return near;
    return inScope(name);
  }

  /** Which of them declares it, the linker tells. */
  function inScope(name: string): string {
    if (houses.length === 0) return inPackage(name);
    isAsked = true;
    return `${scopeName}.${name}`;
  }

  function typeNamed(name: string, around: string[]): string | null {
    const dot = name.indexOf('.');
    if (dot < 0) return simple(name, around);
    if (isSmall(name)) return same.get(name) ?? name;
    const outer = simple(name.slice(0, dot), around);
    return outer && outer + name.slice(dot);
  }

  function annotation(name: string, around: string[], such: (full: string) => boolean): string | null {
    const full = typeNamed(name, around);
    if (!full || such(full)) return full;
    if (name.includes('.') || imported.has(name) || declared.has(full)) return null;
    const whole = wildcards.find((path) => such(`${path}.${name}`));
    return whole === undefined ? null : `${whole}.${name}`;
  }

  function type(ref: TypeRef, around: string[], free?: Free): Typed | null {
    const of = ref.arguments.flatMap((one) => type(one, around, free) ?? { name: '?', arguments: [] });
    if (ref.name === '[]') return { name: 'java.util.List', arguments: of };
    if (free?.has(ref.name)) {
      const bound = free.get(ref.name);
      // `T extends Comparable<T>`: its own arguments say no more.
      return bound && !free.has(bound.name) ? type({ ...bound, arguments: [] }, around) : null;
    }
    const name = typeNamed(ref.name, around);
    return name ? { name, arguments: of } : null;
  }

  function called(name: string): string | null {
    const explicit = members.get(name);
    if (explicit) return explicit;
    const wild = wildcards.find((path) => isKnown(`${path}.${name}`) || methodOf(path, name));
    return wild ? `${wild}.${name}` : null;
  }

  for (const { name, type } of file.typeAliases) {
    const full = name === type.name ? null : typeNamed(type.name, []);
    if (full) imported.set(name, full);
    found.clear();
  }
  function declareLocal(name: string, outer: string): void {
    nested.set(name, (nested.get(name) ?? new Set()).add(outer));
    for (const here of found.values()) here.delete(name);
  }

  const scope = () => (isAsked ? { name: scopeName, packages: [file.package, ...houses] } : null);
  return {
    type,
    typeNamed,
    annotation,
    declare: declareLocal,
    function: called,
    package: file.package,
    inScope,
    scope,
  };
}
