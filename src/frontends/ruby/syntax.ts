// Small questions about Ruby's syntax tree: arguments, literals, heredocs. No meaning.
import { frameworks } from '../../frameworks/ruby/index.ts';
import { pieces, type Source } from '../source.ts';
import { child, type Syntax } from '../syntax.ts';

export interface Text {
  text: string;
  /** Where the body of each heredoc stands, by the start of its `<<~SQL`. */
  heredocs: Map<number, Syntax>;
}

export const textOf = (file: { text: string }, node: Syntax): string => file.text.slice(node.start, node.end);

export const spanOf = ({ start, end }: Syntax) => ({ start, end });

/** What runs inside a node, in order: no comments, no heredoc texts (they belong to where they begin). */
export const parts = (node: Syntax | undefined): Syntax[] => (node ? node.children.filter(isPart) : []);

/** The last of them, of a body of any length at once; of one with clauses, what it gives when nothing is raised. */
export const lastPart = (node: Syntax | undefined): Syntax | undefined =>
  node?.children.findLast((one) => isPart(one) && one.type !== 'rescue' && one.type !== 'ensure');

const isPart = ({ type }: Syntax): boolean => type !== 'comment' && type !== 'heredoc_body';

export interface Arguments {
  positional: Syntax[];
  keywords: Map<string, { value: Syntax; pair: Syntax }>;
  /** What `**options`, `**` and `...` hand on. */
  splats: Syntax[];
  /** `do … end` or `{ … }`. */
  block?: Syntax;
  /** `&block`, `&:name`, `&method(:name)`. */
  blockArgument?: Syntax;
}

export function argumentsOf(file: Text, call: Syntax): Arguments {
  const found: Arguments = { positional: [], keywords: new Map(), splats: [] };
  for (const one of call.children) {
    if (one.type === 'block' || one.type === 'do_block') found.block = one;
    if (one.type !== 'argument_list') continue;
    for (const argument of parts(one)) collect(file, argument, found);
  }
  return found;
}

function collect(file: Text, argument: Syntax, found: Arguments): void {
  switch (argument.type) {
    case 'pair':
      keyword(file, argument, found);
      return;
    case 'block_argument':
      found.blockArgument = argument;
      return;
    case 'hash_splat_argument': {
      const inner = parts(argument)[0];
      if (inner?.type === 'hash') collect(file, inner, found);
      else found.splats.push(inner ?? argument);
      return;
    }
    case 'forward_argument':
      found.splats.push(argument);
      found.blockArgument = argument;
      return;
    case 'hash':
      for (const pair of parts(argument)) collect(file, pair, found);
      found.positional.push(argument);
      return;
    default:
      found.positional.push(argument);
  }
}

function keyword(file: Text, pair: Syntax, found: Arguments): void {
  const key = child(pair, 'key');
  // Rails takes symbols only: `"savepoint": true` has one, `"savepoint" => true` has not.
  if (!key || (key.type === 'string' && file.text[key.end] !== ':')) return;
  const name = textOf(file, key).replace(/^[:"']+|["':]+$/g, '');
  found.keywords.set(name, { value: child(pair, 'value') ?? key, pair });
}

/** Calls that return the text which they are given. */
const TEXTS = new Set(frameworks.flatMap(({ texts }) => texts ?? []));

/** Methods that return the text much as it is. */
const KEEPS_TEXT =
  /^(squish|strip|strip_heredoc|freeze|chomp|dup|to_s|html_safe|gsub|lstrip|rstrip|dedup|-@|\+@)$/;

/** The text of a string, heredoc or concatenation, with `?`-like holes for `#{}`; null when it is something else. */
export function stringSource(
  file: Text,
  node: Syntax,
  value: (name: Syntax) => Syntax | undefined,
  depth = 0,
): Source | null {
  const found: { text: string; start: number; end: number }[] = [];
  return gather(file, node, value, found, depth) ? pieces(found) : null;
}

function gather(
  file: Text,
  node: Syntax,
  value: (name: Syntax) => Syntax | undefined,
  out: { text: string; start: number; end: number }[],
  depth: number,
): boolean {
  if (depth > 20) return false;
  const below = (inner: Syntax | undefined) =>
    inner !== undefined && gather(file, inner, value, out, depth + 1);
  switch (node.type) {
    case 'string':
    case 'delimited_symbol':
    case 'bare_string':
      content(file, node, node.start + 1, node.end - 1, value, out);
      return true;
    case 'heredoc_beginning': {
      const body = file.heredocs.get(node.start);
      if (!body) return false;
      content(
        file,
        body,
        body.start,
        body.children.find((c) => c.type === 'heredoc_end')?.start ?? body.end,
        value,
        out,
      );
      return true;
    }
    case 'chained_string':
      return parts(node).every(below);
    // `+"…"` may be made longer.
    case 'unary':
      return below(child(node, 'operand'));
    case 'parenthesized_statements':
      return parts(node).length === 1 && below(parts(node)[0]);
    // `sql += "…"` is what `sql` holds from then on.
    case 'operator_assignment':
    case 'binary': {
      const operator = child(node, 'operator');
      const sign = operator && textOf(file, operator);
      if (sign === '%') return below(child(node, 'left'));
      if (sign !== '+' && sign !== '<<' && sign !== '+=') return false;
      const right = child(node, 'right');
      if (!below(child(node, 'left'))) return false;
      if (right && !below(right)) out.push({ text: ' #{} ', start: right.start, end: right.end });
      return true;
    }
    case 'call': {
      const method = child(node, 'method');
      const receiver = child(node, 'receiver');
      const called = `${receiver ? `${textOf(file, receiver)}.` : ''}${method ? textOf(file, method) : ''}`;
      // `sanitize_sql_array(["… ?", id])`, `Arel.sql("…")`.
      if (/(^|\.)sanitize_sql\w*$/.test(called) || TEXTS.has(called.replace(/^::/, '')))
        return below(argumentsOf(file, node).positional[0]);
      // `send(:sanitize_sql_array, ["… ?", id])`, `format("… %d", id)`.
      if (/(^|\.)send$/.test(called) && /^\(\s*:sanitize_sql/.test(file.text.slice(method!.end)))
        return below(argumentsOf(file, node).positional[1]);
      if (/^(format|sprintf)$/.test(called)) return below(argumentsOf(file, node).positional[0]);
      if (/\.join$/.test(called)) return joined(file, receiver && listOf(value, receiver), value, out, depth);
      if (method !== undefined && KEEPS_TEXT.test(textOf(file, method)))
        return below(child(node, 'receiver'));
      const given = value(node);
      return given !== undefined && given !== node && below(given);
    }
    case 'array':
      return below(parts(node)[0]);
    case 'identifier':
    case 'constant':
    case 'scope_resolution':
    case 'element_reference':
    case 'instance_variable': {
      const known = value(node);
      return known !== undefined && known !== node && below(known);
    }
    default:
      return false;
  }
}

/** `["SELECT …", "FROM …"].join(" ")`, whatever stands between. */
function joined(
  file: Text,
  list: Syntax | undefined,
  value: (name: Syntax) => Syntax | undefined,
  out: { text: string; start: number; end: number }[],
  depth: number,
): boolean {
  if (!list || !/^(array|string_array)$/.test(list.type)) return false;
  for (const one of parts(list)) {
    if (one.type === 'bare_string') out.push({ text: textOf(file, one), start: one.start, end: one.end });
    else if (!gather(file, one, value, out, depth + 1))
      out.push({ text: ' #{} ', start: one.start, end: one.end });
    out.push({ text: ' ', start: one.end, end: one.end });
  }
  return parts(list).length > 0;
}

/** The list itself, or what a name holds. */
const listOf = (value: (name: Syntax) => Syntax | undefined, list: Syntax): Syntax | undefined =>
  /array$/.test(list.type) ? list : value(list);

function content(
  file: Text,
  node: Syntax,
  start: number,
  end: number,
  value: (name: Syntax) => Syntax | undefined,
  out: { text: string; start: number; end: number }[],
): void {
  let from = start;
  // `%(…)`, `%q(…)`
  if (node.type === 'string' && file.text[node.start] === '%')
    from += /\w/.test(file.text[node.start + 1]!) ? 2 : 1;
  for (const piece of node.children) {
    if (piece.type === 'heredoc_end') continue;
    if (piece.start > from)
      out.push({ text: file.text.slice(from, piece.start), start: from, end: piece.start });
    const text =
      piece.type === 'interpolation'
        ? (constant(file, piece, value) ?? '#{}')
        : unescaped(textOf(file, piece));
    out.push({ text, start: piece.start, end: piece.end });
    from = piece.end;
  }
  if (end > from) out.push({ text: file.text.slice(from, end), start: from, end });
}

/** `"SELECT * FROM #{TABLE}"`, where the constant is plain text. */
function constant(
  file: Text,
  interpolation: Syntax,
  value: (name: Syntax) => Syntax | undefined,
): string | undefined {
  const [name, ...more] = parts(interpolation);
  if (more.length > 0 || !name || !/^(constant|scope_resolution)$/.test(name.type)) return undefined;
  const held = value(name);
  const text =
    held && held !== name ? /^(["'])([\w."\s]*)\1(\.freeze)?$/.exec(textOf(file, held))?.[2] : undefined;
  return text || undefined;
}

function unescaped(written: string): string {
  const simple: Record<string, string> = { n: '\n', t: '\t', r: '\r', s: ' ', '\n': ' ' };
  return simple[written[1] ?? ''] ?? written.slice(1);
}

/** A literal as Ruby writes it, for options: `true`, `:only`, `"FOR SHARE"`, `3`; null when it is computed. */
export function literal(file: Text, node: Syntax): string | null {
  if (/^(true|false|nil|integer|simple_symbol)$/.test(node.type)) return textOf(file, node);
  if (node.type !== 'string' && node.type !== 'heredoc_beginning') return null;
  const source = stringSource(file, node, () => undefined);
  return source && !source.text.includes('#{}') ? source.text : null;
}

/** A symbol or string as a bare word: `:save` is `save`. */
export function word(file: Text, node: Syntax | undefined): string | null {
  if (!node) return null;
  if (node.type === 'simple_symbol') return textOf(file, node).slice(1);
  // Of `%i[save create]` each.
  const text = /^bare_(symbol|string)$/.test(node.type) ? textOf(file, node) : literal(file, node);
  return text !== null && /^\w+[?!]?$/.test(text) ? text : null;
}
