// What the callbacks of a model are told of a save, and of the object as it is then. What they ask for is said elsewhere.
import type { WriteMeaning } from '../../../framework.ts';
import type { Given } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { withTexts } from '../counts/written.ts';
import { keyword } from '../names/arguments.ts';
import { functionAround } from '../names/assignments.ts';
import { isForwarded } from '../names/forwarded.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { given } from './flags.ts';
import { hasAttribute } from './told.ts';

/** By the callbacks' parameters: `order.save(update_fields=["state"])`, `order.quiet = True`. */
export function tellsOf(
  c: Place,
  call: Syntax,
  { updatesBy, tellsOf: object }: WriteMeaning,
): Record<string, Given> {
  if (!object) return {};
  const out: Record<string, Given> = setBefore(c, call, object);
  if (!updatesBy) return out;
  const list = child(call, 'arguments')?.children ?? [];
  const value = keyword(c, call, updatesBy);
  if (value) out[updatesBy] = withTexts(c, value, given(c, value));
  else if (isForwarded(c, call, { name: updatesBy, value: null })) out[updatesBy] = { parameter: updatesBy };
  else if (list.every(({ type }) => type === 'keyword_argument' || type === 'comment')) out[updatesBy] = null;
  return out;
}

/** `order.quiet = True` before it is saved, as it stands there. */
function setBefore(c: Place, call: Syntax, object: string): Record<string, Given> {
  const owner = textOf(c.file, child(child(call, 'function') ?? call, 'object'));
  const name = /^super\(/.test(owner) ? 'self' : owner;
  const out: Record<string, Given> = {};
  const around = /^\w+$/.test(name) ? functionAround(call) : null;
  if (!around || !setIn(c, around).has(name)) return out;
  const sets = new RegExp(`(?<![\\w.])(?:del )?${name}\\.(\\w+)(?: *=(?!=)|$)`, 'gm');
  const anew = new RegExp(`(?<![\\w.])${name}\\b *(?:=(?!=)|,|in\\b)`);
  const blocks: [block: Syntax, under: Syntax][] = [];
  for (let under = call, at = call.parent; at && at !== around.parent; under = at, at = at.parent)
    if (at.type === 'block') blocks.unshift([at, under]);
  for (const [block, under] of blocks) {
    if (anew.test(c.file.text.slice(block.parent!.start, block.start)))
      for (const key in out) delete out[key];
    for (const one of block.children) {
      if (one.start >= under.start) break;
      const text = textOf(c.file, one);
      if (!text.includes(name)) continue;
      if (anew.test(text)) for (const key in out) delete out[key];
      for (const [, attribute] of text.matchAll(sets)) {
        delete out[`${object}.${attribute}`];
        delete out[hasAttribute(object, attribute!)];
      }
      const value = one.type === 'expression_statement' ? SET.exec(text) : null;
      if (value?.[1] !== name) continue;
      out[`${object}.${value[2]}`] = CONSTANTS[value[3]!]!;
      out[hasAttribute(object, value[2]!)] = true;
    }
  }
  return out;
}

/** Of which variables a function sets attributes to constants: looked for once, for few are. */
const setIn = kept(({ file }, around: Syntax) => {
  const all = file.text.slice(around.start, around.end).matchAll(SETS);
  return new Set([...all].map(([, name]) => name!));
});

const SETS = /(?<![\w.])(\w+)\.\w+(?:: *\w+)? = (?:True|False|None)\b/g;
const SET = /^(\w+)\.(\w+)(?:: *\w+)? = (True|False|None)$/;
const CONSTANTS: Record<string, Given> = { True: true, False: false, None: null };
