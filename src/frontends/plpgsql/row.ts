// Which columns of NEW a trigger function sets itself. Not what they are set to.
import { identifier } from '../sql/text/lexer.ts';
import { type Context, mark, word } from './context.ts';
import { each } from './survey.ts';
import type { Range } from './tree.ts';

/** Null where it may be any. */
export function columnsSet(c: Context): string[] | null {
  const columns = new Set<string>();
  let any = false;
  const target = (i: number) => {
    if (word(c, i) !== 'new') return;
    if (mark(c, i + 1) === '.' && c.tokens[i + 2]?.kind === 'word') columns.add(identifier(c.tokens[i + 2]!));
    else any = true;
  };
  each(c.statements, (node) => {
    if (node.kind === 'loop') for (let i = node.targets.from; i < node.targets.to; i++) target(i);
    if (node.kind !== 'plain') return;
    if (node.verb === 'assign') target(node.from);
    else if (node.verb === 'return') any ||= !isRow(c, { from: node.from + 1, to: node.to });
    else {
      // What stands after a comma behind INTO may be no target: then it is one column too many.
      let isTarget = node.verb === 'get' || node.verb === 'call';
      for (let i = node.from; i < node.to; i++) {
        if (word(c, i) === 'into') isTarget = true;
        if (isTarget) target(i);
      }
    }
  });
  return any ? null : [...columns];
}

/** NEW, OLD, NULL or COALESCE of these: no row that was made elsewhere. */
function isRow(c: Context, { from, to }: Range): boolean {
  for (let i = from; i < to; i++) if (!GIVEN.has(word(c, i) || mark(c, i))) return false;
  return true;
}

const GIVEN = new Set(['new', 'old', 'null', 'coalesce', '(', ')', ',']);
