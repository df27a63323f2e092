// How many items an object keeps at most that puts them away once there are so many. Lists of a function are said elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { defined, members } from '../classes/classes.ts';
import { type Place, textOf } from '../names/scope.ts';
import { numberOf } from './counted.ts';

const ADDS = 'append|add|extend|insert|update|appendleft|setdefault';

/** `self.rows.append(row)`, and behind it `if len(self.rows) >= 50: self.flush()`, which empties it. */
export function fullAt(c: Place, node: Syntax): number | null {
  const own = textOf(c.file, node);
  const name = textOf(c.file, child(node, 'attribute'));
  const adding = [...c.file.text.matchAll(new RegExp(`\\.${name}\\.(?:${ADDS})\\(`, 'g'))];
  if (adding.length !== 1) return null;
  const statement = statementAt(c.file.root, adding[0]!.index);
  if (!statement || !new RegExp(`^${own}\\.(?:append|add)\\(`).test(textOf(c.file, statement))) return null;
  const all = statement.parent?.children ?? [];
  const next = all[all.indexOf(statement) + 1];
  if (next?.type !== 'if_statement') return null;
  const condition = child(next, 'condition');
  const [left, sign, right] = condition?.type === 'comparison_operator' ? condition.children : [];
  if (!right || textOf(c.file, left) !== `len(${own})` || !/^(?:==|>=?)$/.test(sign!.type)) return null;
  const most = numberOf(c, right);
  if (most === null || !empties(c, own, child(next, 'consequence'))) return null;
  return sign!.type === '>' ? most + 1 : most;
}

function statementAt(root: Syntax, at: number): Syntax | undefined {
  let found: Syntax | undefined;
  for (let node: Syntax | undefined = root; node; ) {
    if (node.type === 'expression_statement') found = node;
    node = node.children.find(({ start, end }) => start <= at && at < end);
  }
  return found;
}

/** By itself, or by a method that it calls. */
function empties(c: Place, own: string, block: Syntax | undefined): boolean {
  const emptied = new RegExp(`${own}(?:\\s*=\\s*(?:\\[\\]|list\\(\\)|set\\(\\))|\\.clear\\(\\))`);
  const text = textOf(c.file, block);
  if (emptied.test(text)) return true;
  const called = [...text.matchAll(/\bself\.(\w+)\(/g)].map(([, name]) => name);
  const methods = c.cls ? members(c.cls.node).map(defined) : [];
  return methods.some(
    (one) => called.includes(textOf(c.file, child(one, 'name'))) && emptied.test(textOf(c.file, one)),
  );
}
