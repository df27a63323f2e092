// SQL that a call hands to whoever runs it, as a routine that nobody wrote. Who runs it, the linker finds.
import type { Name } from '../../../ir.ts';
import { pieces } from '../../source.ts';
import { isNamedAsSql, lowerEmbeddedUnit, mayAct } from '../../sql/queries/embedded.ts';
import type { Syntax } from '../../syntax.ts';
import { type Place, textOf } from '../names/scope.ts';
import type { Piece } from '../names/strings.ts';
import { resolve } from '../names/values.ts';
import { texts } from './text.ts';

export const WRITTEN = new Set(['string', 'concatenated_string', 'binary_operator', 'call']);

const OPENING = /^[a-zA-Z]{0,2}["'\s(]+/;
/** Before the text of `text("…")`, `sql.SQL("…").format(…)`. */
const MADE = /^[\w.]*\(|\.format\(/;

/** `def refresh(): return "SELECT …"`: who executes what it returns finds it by this name. */
export const textOfRoutine = (callee: Name): Name => `${callee}$text`;

export function givesText(c: Place, node: Syntax | undefined): void {
  if (!node || c.scope.kind !== 'function') return;
  const held = node.type === 'identifier' ? resolve(c, node)?.code : node;
  if (!held || !WRITTEN.has(held.type) || !mayBeText(c, held)) return;
  let around: Syntax | null = node.parent;
  while (around && around.type !== 'function_definition') around = around.parent;
  // Of several texts nobody knows which.
  if (around && textOf(c.file, around).match(/\breturn\b/g)?.length === 1)
    keptText(c, node, textOfRoutine(`python:${c.scope.path}`));
}

export const handedText = (c: Place, node: Syntax): Name | undefined =>
  mayBeText(c, node) ? keptText(c, node) : undefined;

function keptText(c: Place, node: Syntax, known?: Name): Name | undefined {
  const { file } = c;
  const before = file.handed.get(node.start);
  if (before) return before.name;
  const made = texts(c, node).map((parts) => ({
    ...lowerEmbeddedUnit(pieces(parts), file.file),
    start: startOf(parts),
  }));
  const name: Name = known ?? `python:${file.module}.text${file.handed.size + 1}`;
  if (made.every(({ steps }) => steps.length === 0)) return undefined;
  file.handed.set(node.start, { name, at: { start: node.start, end: node.end }, made });
  return name;
}

/** `run(statement)`, `run(queries.REFRESH)` */
export function handedName(c: Place, node: Syntax): Name | undefined {
  if (node.type === 'attribute' && !isNamedAsSql(textOf(c.file, node))) return undefined;
  const { path, code } = resolve(c, node) ?? {};
  if (code && WRITTEN.has(code.type)) return handedText(c, code);
  return path?.includes('.') && isNamedAsSql(path) && !c.file.isForeign(path) ? `python:${path}` : undefined;
}

/** As far as its first characters tell. */
function mayBeText({ file }: Place, node: Syntax): boolean {
  const text = file.text.slice(node.start, Math.min(node.end, node.start + 2_000));
  return mayAct(text.replace(OPENING, '')) || (node.type === 'call' && MADE.test(text));
}

export const startOf = (parts: Piece[]): number => parts[0]?.start ?? -1;
