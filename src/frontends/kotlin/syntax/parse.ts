// Kotlin's text as the tree that Java and Kotlin share: the file itself, its package and its imports.
import { FAULT } from '../../cursor.ts';
import type { Import, SourceFile, TypeBody } from '../../jvm/syntax/syntax.ts';
import { emptyFile, emptyType } from '../../jvm/syntax/tree.ts';
import { declaration, declarationAhead, recover, typeAlias } from './declarations.ts';
import { modifiersEnd } from './parameters.ts';
import { Reader } from './reader.ts';
import { attempt } from './statements.ts';
import { isName, Kind } from './tokens.ts';
import { annotationsEnd } from './types.ts';

export interface ParsedFile {
  file: SourceFile;
  /** Text lies too deep and was left out there. */
  cut: boolean;
  /** Something is wrong or missing. */
  broken: boolean;
}

export function parse(text: string): ParsedFile {
  const once = read(text, false);
  // Where a brace is missing, it is told by how the lines are indented.
  return once.isOpen ? read(text, true) : once;
}

function read(text: string, byColumn: boolean): ParsedFile & { isOpen: boolean } {
  const x = new Reader(text);
  x.byColumn = byColumn;
  const file = emptyFile();
  const top = emptyType({ start: 0, end: 0 }, { start: 0, end: 0 }, []);
  while (x.kind !== Kind.END) topLevel(x, file, top);
  file.types = top.types;
  file.functions = top.methods;
  file.fields = top.fields;
  file.statements = top.initialisers;
  return { file, cut: x.cut, broken: x.broken, isOpen: x.isOpen };
}

function topLevel(x: Reader, file: SourceFile, top: TypeBody): void {
  const { i } = x;
  x.begun = null;
  const after = annotationsEnd(x, i);
  const kind = x.kinds[after];
  if (x.accept(Kind.SEMICOLON)) return;
  if (kind === Kind.PACKAGE || (kind === Kind.IMPORT && isName(x.kinds[after + 1]!))) {
    x.i = after + 1;
    header(x, file, kind === Kind.PACKAGE);
  } else if (x.kind === Kind.AT && isOfFile(x, i)) x.i = annotationsEnd(x, i);
  else if (x.kind === Kind.RBRACE) strayBrace(x, top);
  else if (declarationAhead(x, i)) {
    try {
      if (x.kinds[modifiersEnd(x, i)] === Kind.TYPEALIAS) {
        x.i = modifiersEnd(x, i);
        file.typeAliases.push(typeAlias(x));
      } else declaration(x, top, true);
    } catch (error) {
      if (error !== FAULT) throw error;
      Object.assign(x, { level: 0, links: 0, flat: false, bare: false });
      recover(x, i, top, true);
    }
  } else attempt(x, top.initialisers);
  if (x.i === i) x.next();
}

/** `@file:JvmName("…")` belongs to no declaration. */
const isOfFile = (x: Reader, i: number): boolean =>
  x.kinds[i + 2] === Kind.COLON && x.word(i + 1) === 'file' && annotationsEnd(x, i) > i;

/** One brace too many ended the last class before it was over: what stands between is its own. */
function strayBrace(x: Reader, top: TypeBody): void {
  x.broken = true;
  x.next();
  const last = top.types.at(-1);
  if (!last) return;
  const { end } = last;
  last.methods.push(...top.methods.filter(({ start }) => start >= end));
  last.fields.push(...top.fields.filter(({ start }) => start >= end));
  top.methods = top.methods.filter(({ start }) => start < end);
  top.fields = top.fields.filter(({ start }) => start < end);
  last.end = x.last;
}

function header(x: Reader, file: SourceFile, isPackage: boolean): void {
  try {
    const path = dotted(x);
    if (isPackage) file.package = path;
    else file.imports.push(importing(x, path));
  } catch (error) {
    if (error !== FAULT) throw error;
    x.broken = true;
  }
  if (x.isLineStart(x.i) || x.accept(Kind.SEMICOLON)) return;
  x.broken = true;
  while (x.i < x.count && !x.isLineStart(x.i)) x.i++;
}

function dotted(x: Reader): string {
  let path = x.name();
  while (x.kind === Kind.DOT && isName(x.peek()) && !x.isLineStart(x.i + 1)) {
    x.next();
    path += `.${x.name()}`;
  }
  return path;
}

function importing(x: Reader, path: string): Import {
  const wildcard = x.accept(Kind.DOT);
  if (wildcard) x.expect(Kind.TIMES);
  const alias = x.accept(Kind.AS) ? x.name() : undefined;
  return { path, wildcard, alias, static: false };
}
