// Whether an expression is the same in every turn of a loop, as far as its text tells. Not what it is.
import { child, type Syntax } from '../../syntax.ts';
import { isPart } from '../../words.ts';
import { parts, textOf } from '../syntax.ts';
import type { Body } from './file.ts';

const LITERAL =
  /^(integer|float|simple_symbol|true|false|nil|self|constant|scope_resolution|string_content|escape_sequence|(string|symbol)_array)$/;
const MADE_OF =
  /^(string|hash|array|element_reference|interpolation|parenthesized_statements|argument_list|chained_string|delimited_symbol)$/;
/** They give something else each time. */
const OTHER =
  /^(it|_\d|next|shift|pop|sample|rand|hex|uuid|alphanumeric|now|today|current|new|build|gets|read|readline|first_or_\w+)$|^(next|generate|random|new|create|build)_|[!]$/;

/** Whether it is the same in every turn, as far as its text tells: names that the loop binds are not. */
export function stays(body: Body, node: Syntax, loop: Syntax, depth = 0): boolean {
  if (depth > 10) return false;
  const below = (one: Syntax) => stays(body, one, loop, depth + 1);
  if (LITERAL.test(node.type)) return true;
  if (MADE_OF.test(node.type)) return parts(node).every(below);
  const text = textOf(body.file, node).replace(/:$/, '');
  switch (node.type) {
    case 'pair':
      return below(child(node, 'value') ?? node.children[0]!);
    case 'instance_variable':
      return !assignedIn(body, loop, text);
    case 'identifier':
    case 'hash_key_symbol': // `name:` for `name: name`
      return !OTHER.test(text) && !assignedIn(body, loop, text);
    case 'binary':
      return [child(node, 'left'), child(node, 'right')].every((one) => one !== undefined && below(one));
    case 'call': {
      const method = child(node, 'method');
      if (!method || OTHER.test(textOf(body.file, method))) return false;
      return parts(node).every((one) => one === method || below(one));
    }
    default:
      return false;
  }
}

const known = new WeakMap<Syntax, Map<string, boolean>>();

/** Whether a loop gives a name another value; its text is gone over once for each name, however many calls are in it. */
function assignedIn(body: Body, loop: Syntax, name: string): boolean {
  const names = known.get(loop) ?? new Map<string, boolean>();
  known.set(loop, names);
  const assigned = names.get(name) ?? isAssigned(name, textOf(body.file, loop));
  names.set(name, assigned);
  return assigned;
}

/** Something gives the name another value: an assignment, a block's parameter; `||=` but `unlessThere`. Each place that has the name is looked at. */
export function isAssigned(name: string, text: string, unlessThere = true): boolean {
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (assignedAt(text, at, at + name.length, unlessThere ? ASSIGNS : REPLACES)) return true;
  return false;
}

const ASSIGNS = /[ \t]*(\|\||&&|[-+*/|&])?=(?![=>~])/y;
const REPLACES = /[ \t]*(&&|[-+*/|&])?=(?![=>~])/y;
const BEGINS = /(^|[;({|]|\b(?:do|then|else|while|until|if|unless|and|or|for)\b)[ \t]*$/;
const ONE_OF_SEVERAL = /[ \t]*,[^\n()]*[^=!<>]=[^=]/y;
const BINDS = /(=>[ \t]*|\bfor[ \t]+)$/;

function assignedAt(text: string, from: number, to: number, assigns: RegExp): boolean {
  const follows = (pattern: RegExp) => {
    pattern.lastIndex = to;
    return pattern.test(text);
  };
  const line = text.lastIndexOf('\n', from - 1) + 1;
  const before = () => text.slice(line, from);
  if (follows(assigns) && BEGINS.test(before())) return true;
  const [begins, ends] = [isBoundary(text, from), isBoundary(text, to)];
  if (begins && follows(ONE_OF_SEVERAL)) return true;
  if (!ends) return false;
  if (begins && line <= text.lastIndexOf('|', from - 1)) {
    const bar = text.indexOf('|', to);
    if (bar >= 0 && !text.slice(to, bar).includes('\n')) return true;
  }
  return BINDS.test(before());
}

const isBoundary = (text: string, at: number): boolean =>
  isPart(text.charCodeAt(at - 1)) !== isPart(text.charCodeAt(at));
