// Who reaches a subtransaction, as the editor's call hierarchy; made from the witnesses, so it crosses triggers and languages.
import type { Frame, Subtransaction } from '../linker/model.ts';
import type { View } from './answers.ts';
import { offsetAt, type Position, type Range, rangeOf } from './positions.ts';

export interface CallItem {
  name: string;
  kind: 12; // a function, in the protocol's table
  detail: string;
  uri: string;
  range: Range;
  selectionRange: Range;
  data: { file: string; start: number };
}

type Key = { file: string; start: number };

/** The frames at the cursor: a loop, a call, a trigger, or the subtransaction itself. */
export function prepareCalls(view: View, file: string, position: Position): CallItem[] {
  const lines = view.lines(file);
  if (!lines) return [];
  const offset = offsetAt(lines, position, view.encoding);
  const found = new Map<string, Frame>();
  for (const path of paths(view))
    for (const frame of path)
      if (frame.file === file && frame.at.start <= offset && offset <= frame.at.end)
        found.set(frame.says, frame);
  return [...found.values()].flatMap((frame) => item(view, frame));
}

export const callersOf = (view: View, of: Key) => neighbours(view, of, -1);
export const calleesOf = (view: View, of: Key) => neighbours(view, of, 1);

function neighbours(view: View, of: Key, step: 1 | -1): { item: CallItem; ranges: Range[] }[] {
  const found = new Map<string, Frame>();
  for (const path of paths(view))
    path.forEach((frame, index) => {
      const next = path[index + step];
      if (next && frame.file === of.file && frame.at.start === of.start)
        found.set(`${next.file}:${next.at.start}`, next);
    });
  return [...found.values()].flatMap((frame) =>
    item(view, frame).map((one) => ({ item: one, ranges: [one.selectionRange] })),
  );
}

function paths(view: View): Frame[][] {
  return view.workspace.model.subtransactions.flatMap((one) =>
    one.visits.map((visit) => withCause(visit.witness, one)),
  );
}

/** The path to its end: the place where the subtransaction opens. */
function withCause(witness: Frame[], one: Subtransaction): Frame[] {
  const last = witness[witness.length - 1];
  if (last && last.file === one.file && last.at.start === one.at.start) return witness;
  return [...witness, { file: one.file, at: one.at, says: one.label }];
}

function item(view: View, frame: Frame): CallItem[] {
  const lines = view.lines(frame.file);
  if (!lines) return [];
  const range = rangeOf(lines, frame.at, view.encoding);
  const data = { file: frame.file, start: frame.at.start };
  return [
    {
      name: frame.says,
      kind: 12,
      detail: frame.file,
      uri: view.uri(frame.file),
      range,
      selectionRange: range,
      data,
    },
  ];
}
