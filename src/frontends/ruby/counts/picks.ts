// Whether a condition names one of what a loop goes over: by its number, its name, or itself. Not in how many turns that is so.
import { child, type Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { givenIn } from '../names/mentions.ts';
import { stays } from '../names/staying.ts';
import { routineOf } from '../names/variables.ts';
import { argumentsOf, parts, textOf, word } from '../syntax.ts';
import type { Around } from './around.ts';
import { numeral } from './lengths.ts';

/** What stands in parentheses. */
export function bare(node: Syntax): Syntax {
  const inner = node.type === 'parenthesized_statements' ? parts(node) : [];
  return inner.length === 1 ? bare(inner[0]!) : node;
}

/** With which number the loop begins that counts by this name; null where none does. */
export function numbered(body: Body, node: Syntax, { loops, index }: Around): number | 'unknown' | null {
  const loop = loops[0]!;
  const one = bare(node);
  const name = one.type === 'identifier' ? textOf(body.file, one) : undefined;
  if (!index || index.name !== name || isGivenIn(body, name, node, loop)) return null;
  if (typeof index.from === 'number') return index.from;
  const from = numeral(body, index.from);
  return from && !from.atMost ? from.times : 'unknown';
}

/** It has another value there than the loop gave it. */
const isGivenIn = ({ file }: Body, name: string, at: Syntax, loop: Syntax): boolean =>
  givenIn(file, name, routineOf(at)).sets.some(
    (one) => one.start >= loop.start && one.end <= loop.end && one.parent !== loop,
  );

/** `r.name`, where that is what tells an item from the others, of what is the same in each turn. */
export function isOneOf(body: Body, asked: Syntax, to: Syntax, loops: Around): boolean {
  const loop = loops.loops[0]!;
  if (loops.items.length === 0 || !stays(body, to, loop)) return false;
  if (numbered(body, asked, loops) !== null) return true;
  const one = spelt(body, bare(asked));
  const item = one.type === 'identifier' ? one : of(body, one);
  const name = item?.type === 'identifier' ? textOf(body.file, item) : '';
  if (!loops.items.includes(name) || isGivenIn(body, name, asked, loop)) return false;
  // A class is what several are; what is written out, several may be.
  return (
    item !== one ||
    (!isClass(body, to) && (name === loops.key || IS_ONE.test(name) || !WRITTEN.test(bare(to).type)))
  );
}

/** `in { name: "a" }` of the item itself. */
export function isOneByPattern({ file }: Body, value: Syntax, pattern: Syntax, { items }: Around): boolean {
  return (
    items.includes(textOf(file, value)) &&
    pattern.type === 'hash_pattern' &&
    parts(pattern).some(
      (one) =>
        NAMES_ONE.test(textOf(file, child(one, 'key') ?? one)) &&
        /^(string|simple_symbol|integer)$/.test(child(one, 'value')?.type ?? ''),
    )
  );
}

/** `name.downcase` is as much a name. */
function spelt(body: Body, node: Syntax): Syntax {
  const receiver = node.type === 'call' && parts(node).length === 2 ? child(node, 'receiver') : undefined;
  const method = textOf(body.file, child(node, 'method') ?? node);
  return receiver && SPELT.test(method) ? spelt(body, receiver) : node;
}

const SPELT = /^(downcase|upcase|strip|squish|to_s|to_sym|to_i|underscore|parameterize|presence)$/;
const NAMES_ONE = /^(id|pk|uuid|guid|slug|code|codename|key|sku|email|login|handle|(\w+_)?name)$/;
/** An item that is itself what tells it from the others. */
const IS_ONE = /^(k|key|field|uuid|slug|code|name|\w+_(name|key|id|slug|code))$/;
const WRITTEN =
  /^(string|integer|float|simple_symbol|true|false|nil|constant|scope_resolution|array|\w+_array)$/;

const isClass = ({ file }: Body, node: Syntax): boolean =>
  /^(constant|scope_resolution)$/.test(node.type) && !/(^|::)[A-Z][A-Z0-9_]*$/.test(textOf(file, node));

/** `r.country`: what another item may have as well. */
export function sharesWithOthers(body: Body, node: Syntax, loops: Around): boolean {
  const { file } = body;
  const has = attribute(body, spelt(body, bare(node)));
  const isItem = has?.of.type === 'identifier' && loops.items.includes(textOf(file, has.of));
  return isItem && has !== undefined && !NAMES_ONE.test(has.name);
}

/** Whose name it is: `r.name`, `r[:name]`, `r.fetch("name")`. */
function of(body: Body, node: Syntax): Syntax | undefined {
  const has = attribute(body, node);
  return has && NAMES_ONE.test(has.name) ? has.of : undefined;
}

function attribute({ file }: Body, node: Syntax): { of: Syntax; name: string } | undefined {
  const method = child(node, 'method');
  const name = method ? textOf(file, method) : '';
  const isFetched = /^(fetch|dig)$/.test(name);
  const { positional } = argumentsOf(file, node);
  const receiver = child(node, 'receiver');
  if (node.type === 'call' && !isFetched)
    return receiver && positional.length === 0 ? { of: receiver, name } : undefined;
  const [held, key] = isFetched ? [receiver, positional[0]] : parts(node);
  const its = /^(call|element_reference)$/.test(node.type) ? word(file, key) : null;
  return held && its !== null ? { of: held, name: its } : undefined;
}
