// Java's text as the tree that Java and Kotlin share: the file itself, its package and its imports.
import { FAULT } from '../../cursor.ts';
import type { Import, SourceFile, TypeBody } from '../../jvm/syntax/syntax.ts';
import { emptyFile, emptyType } from '../../jvm/syntax/tree.ts';
import { member } from './declarations.ts';
import { Reader } from './reader.ts';
import { isName, Kind } from './tokens.ts';
import { annotationsEnd } from './types.ts';

export interface ParsedFile {
  file: SourceFile;
  /** Text lies too deep and was left out there. */
  cut: boolean;
  /** Something is wrong or missing. */
  broken: boolean;
}

/** `name`: that of the class which a file of methods alone is. */
export function parse(text: string, name: string): ParsedFile {
  const x = new Reader(text);
  const file = emptyFile();
  const top = emptyType({ start: 0, end: 0 }, { start: 0, end: 0 }, []);
  while (x.kind !== Kind.END) topLevel(x, file, top);
  file.types = top.types;
  if (top.methods.length > 0 && !x.broken) file.types = [{ ...top, name, end: text.length }];
  return { file, cut: x.cut, broken: x.broken };
}

function topLevel(x: Reader, file: SourceFile, top: TypeBody): void {
  const { i } = x;
  const after = annotationsEnd(x, i);
  const kind = x.kinds[after];
  if (kind === Kind.PACKAGE || kind === Kind.IMPORT) {
    x.i = after;
    try {
      if (kind === Kind.PACKAGE) file.package = packageName(x);
      else importing(x, file.imports);
    } catch (error) {
      if (error !== FAULT) throw error;
      x.broken = true;
      while (x.i < x.count && !x.isLineStart(x.i)) x.i++;
    }
    if (x.i === i) x.i++;
  } else if (isModule(x, after)) x.i = x.behind(bodyOf(x, after));
  else if (x.kind === Kind.RBRACE) strayBrace(x, top);
  else member(x, top);
}

/** One brace too many ended the last class before it was over: what stands between is its own. */
function strayBrace(x: Reader, top: TypeBody): void {
  x.broken = true;
  x.next();
  const last = top.types.at(-1);
  if (!last) return;
  last.methods.push(...top.methods.splice(0));
  last.fields.push(...top.fields.splice(0));
  last.end = x.last;
}

function isModule(x: Reader, from: number): boolean {
  const i = x.kinds[from] === Kind.OPEN ? from + 1 : from;
  if (x.kinds[i] !== Kind.MODULE || !isName(x.kinds[i + 1]!)) return false;
  return x.kinds[bodyOf(x, from)] === Kind.LBRACE;
}

function bodyOf(x: Reader, from: number): number {
  let i = from;
  while (isName(x.kinds[i]!) || x.kinds[i] === Kind.DOT) i++;
  return i;
}

function packageName(x: Reader): string {
  x.next();
  const path = dotted(x);
  x.semicolon();
  return path;
}

function dotted(x: Reader): string {
  let path = x.name();
  while (x.kind === Kind.DOT && isName(x.peek())) {
    x.next();
    path += `.${x.name()}`;
  }
  return path;
}

function importing(x: Reader, into: Import[]): void {
  x.next();
  const isStatic = x.accept(Kind.STATIC);
  // `import module java.sql;`
  const isWhole = x.kind === Kind.MODULE && isName(x.peek());
  if (isWhole) x.next();
  const path = dotted(x);
  const wildcard = x.accept(Kind.DOT);
  if (wildcard) x.expect(Kind.TIMES);
  x.semicolon();
  if (!isWhole) into.push({ path, wildcard, static: isStatic });
}
