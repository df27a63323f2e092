// How parsers of ours make the nodes of a tree, and cut one that is too deep. No language, and no grammar.
import { DEPTH, type Syntax } from './syntax.ts';

const NONE: Syntax[] = [];

export function node(type: string, start: number, end: number, children: Syntax[] = NONE): Syntax {
  const one: Syntax = { type, field: null, start, end, children, parent: null };
  for (let i = 0; i < children.length; i++) children[i]!.parent = one;
  return one;
}

/** Gives a node its place in its parent. */
export function as(field: string, one: Syntax): Syntax {
  one.field = field;
  return one;
}

/** Leaves out what lies deeper than DEPTH, and says whether anything does. */
export function prune(root: Syntax): boolean {
  let cut = false;
  let row: Syntax[] = [root];
  for (let depth = 0; row.length > 0; depth++) {
    const below: Syntax[] = [];
    for (const one of row)
      if (depth >= DEPTH && one.children.length > 0) {
        one.children = [];
        cut = true;
      } else for (const child of one.children) below.push(child);
    row = below;
  }
  return cut;
}
