// What a variable or a constant holds, as it is written, and what it is called where another file holds it. It asks for no type and lowers nothing.
import { type Name, RESULT, YIELDED } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { argumentsOf, lastPart, parts, type Text, textOf, word } from '../syntax.ts';
import { type Body, constantName, type Method, type Owner } from './file.ts';
import { implicitlyYielded, isEither, METHOD, yieldedAs } from './passed.ts';

/** What a variable or constant holds, one step back. */
export function heldBy(body: Body, node: Syntax): Syntax {
  if (node.type === 'identifier' || node.type === 'hash_key_symbol')
    return body.locals.get(textOf(body.file, node).replace(/:$/, ''))?.value ?? node;
  if (node.type === 'constant' || node.type === 'scope_resolution') {
    const name = constantName(body.file, node, body.owner).slice('ruby:'.length);
    const written = textOf(body.file, node);
    for (const one of [name, ...body.owner.nesting.map((around) => `${around}::${written}`), written]) {
      const value = body.file.constants.get(one);
      if (value) return value;
    }
  }
  return node;
}

/** The method of the class itself that a word without arguments asks for, if it takes none. */
export function ownMethod({ file, owner, singleton, locals }: Body, node: Syntax): Method | undefined {
  if (!/^(identifier|call)$/.test(node.type)) return undefined;
  const [, asked, name] = /^(self\.(?:class\.)?)?(\w+[?!]?)(?:\(\))?$/.exec(textOf(file, node)) ?? [];
  if (!name || (!asked && locals.has(name))) return undefined;
  const ofClass = singleton || asked === 'self.class.';
  const method = owner.methods.find((one) => one.name === name && one.singleton === ofClass);
  return method && !child(method.node, 'parameters') ? method : undefined;
}

/** What such a method gives that is one expression: `def options = { … }`. */
export function ofMethod(body: Body, node: Syntax): Syntax {
  const method = ownMethod(body, node);
  const written = method && child(method.node, 'body');
  const [first, ...more] = written?.type === 'body_statement' ? parts(written) : [written];
  return first && more.length === 0 ? first : node;
}

/** `refresh_sql(id)` of the class itself: the text that its method ends with, whatever that is given. */
function writtenBy({ file, owner, singleton }: Body, node: Syntax): Syntax {
  const called = node.type === 'call' && !child(node, 'receiver') ? child(node, 'method') : undefined;
  const name = called && textOf(file, called);
  const method = owner.methods.find((one) => one.name === name && one.singleton === singleton);
  const body = method && child(method.node, 'body');
  if (!body || /\breturn\b/.test(textOf(file, body))) return node;
  const last = body.type === 'body_statement' ? lastPart(body) : body;
  const text = last?.type === 'call' ? child(last, 'receiver') : last;
  return last && text && /^(string|chained_string|heredoc_beginning)$/.test(text.type) ? last : node;
}

/** The text that a name, `QUERIES[:refresh]` or a method of the class itself gives. */
export function textHeldBy(body: Body, node: Syntax): Syntax {
  if (node.type !== 'element_reference') {
    const held = heldBy(body, node);
    const given = held === node ? ofMethod(body, node) : held;
    return given === node ? writtenBy(body, node) : given;
  }
  const [one, ...others] = heldIn(body, node);
  return one && others.length === 0 ? one : node;
}

/** What `TABLE[:key]` or `TABLE.fetch(key)` may give of a hash that is written out. */
export function heldIn(body: Body, node: Syntax): Syntax[] {
  const { file } = body;
  const method = child(node, 'method');
  const fetched = node.type === 'call' && method !== undefined && /^(fetch|dig)$/.test(textOf(file, method));
  if (!fetched && node.type !== 'element_reference') return [];
  const object = fetched ? child(node, 'receiver') : parts(node)[0];
  const key = fetched ? argumentsOf(file, node).positional[0] : parts(node)[1];
  if (!object || !key) return [];
  // `TABLE[:short][:names]`
  const tables =
    object.type === 'element_reference'
      ? heldIn(body, object)
      : (body.locals.get(textOf(file, object))?.tables ?? [heldBy(body, object)]);
  return tables.flatMap((one) => valuesAt(file, thawed(body, one), word(file, key)));
}

function valuesAt(file: Text, table: Syntax, asked: string | null): Syntax[] {
  if (table.type !== 'hash') return [];
  return parts(table).flatMap((one) => {
    const value = child(one, 'value');
    const name = textOf(file, child(one, 'key') ?? one).replace(/^:|:$|["']/g, '');
    return value && (asked === null || name === asked) ? [value] : [];
  });
}

const CHAINED =
  /^(call|element_reference|binary|parenthesized_statements|rescue_modifier|block|do_block|block_body|body_statement)$/;

/** A name, and where it stands unless that is where it was asked for. */
export interface Holder {
  name: string;
  at?: Syntax;
}

/**
 * The variable that is given what comes of a call, at the end of its chain: `order` in `order = Order.lock.find(id)` and in
 * `Order.lock.find(id).tap { |order| … }`; or it is what the method gives, or what it gives its block.
 */
export function holderOf(file: Text, node: Syntax): Holder[] {
  const out: Holder[] = [];
  let one = node;
  for (let up = one.parent; up; one = up, up = one.parent) {
    if (/^(operator_)?assignment$/.test(up.type)) {
      const left = child(up, 'left');
      if (left && one.field === 'right' && /^(identifier|instance_variable)$/.test(left.type))
        out.push({ name: textOf(file, left) });
      return out;
    }
    if (METHOD.test(up.type) || isScope(file, up)) {
      if (one.field === 'body') out.push({ name: RESULT });
      return out;
    }
    if (up.type === 'argument_list') {
      const place = yieldedAs(file, one, up);
      if (place !== null) out.push({ name: YIELDED + place });
      return out;
    }
    if (!CHAINED.test(up.type)) return out;
    if (up.type === 'call' && one.field === 'receiver') {
      const { given, goesOn } = givesItself(file, up);
      out.push(...given);
      if (!goesOn) return out;
    }
    // What comes of a block is its last expression; of a call, that on which it is asked.
    const goesOn =
      up.type === 'call'
        ? /^(receiver|block)?$/.test(one.field ?? '')
        : (up.type === 'element_reference' ? parts(up)[0] : lastPart(up)) === one || isEither(file, up);
    if (!goesOn) return out;
  }
  return out;
}

/** `scope :held, -> { lock }` is a method of the class, and gives what it ends with. */
const isScope = (file: Text, { type, parent }: Syntax): boolean =>
  type === 'lambda' &&
  parent?.type === 'argument_list' &&
  parent.parent !== null &&
  /^scope\b/.test(textOf(file, parent.parent).slice(0, 6));

/** `tap` and `then` hand what they are asked of to their block; what comes of `then` is the block's. */
function givesItself(file: Text, call: Syntax): { given: Holder[]; goesOn: boolean } {
  const method = child(call, 'method');
  const name = method ? textOf(file, method) : '';
  const block = /^(tap|then|yield_self)$/.test(name)
    ? call.children.find(({ type }) => /^(do_)?block$/.test(type))
    : undefined;
  if (!block) return { given: [], goesOn: true };
  const list = child(block, 'parameters');
  const first = parts(list)[0];
  const given: Holder[] = !list
    ? implicitlyYielded(file, block).map((place) => ({ name: YIELDED + place }))
    : first?.type === 'identifier'
      ? [{ name: textOf(file, first), at: first }]
      : [];
  return { given, goesOn: name === 'tap' };
}

/** `[…].freeze`, `{ … }.compact.freeze` */
export function thawed(body: Body, value: Syntax): Syntax {
  const receiver =
    value.type === 'call' && /\.(freeze|compact|dup)$/.test(textOf(body.file, value))
      ? child(value, 'receiver')
      : undefined;
  return receiver ? thawed(body, receiver) : value;
}

export const isConstant = ({ type }: Syntax): boolean => type === 'constant' || type === 'scope_resolution';

/** What a constant, `Order.statuses` or a method of the class itself may be called where it is written out. */
export function namesOf({ file, owner, singleton, locals }: Body, node: Syntax): Name[] {
  const written = textOf(file, node).replace(/\s+/g, '');
  if (node.type === 'constant' || node.type === 'scope_resolution') return around(owner, written);
  const receiver = child(node, 'receiver');
  const method = child(node, 'method');
  if (node.type === 'identifier' || (node.type === 'call' && !receiver))
    return owner.kind === 'file' || locals.has(written) || !/^\w+$/.test(written)
      ? []
      : [`ruby:${owner.name}${singleton ? '.' : '#'}${written}`];
  if (node.type !== 'call' || !receiver || !method || parts(node).length > 2) return [];
  const asked = textOf(file, receiver).replace(/\s+/g, '');
  const own = asked === 'self.class' || (asked === 'self' && singleton);
  if (!own && !/^(constant|scope_resolution)$/.test(receiver.type)) return [];
  const of: Name[] = own ? [`ruby:${owner.name}`] : around(owner, asked);
  return of.map((name): Name => `${name}.${textOf(file, method)}`);
}

/** A constant stands in one of the modules around, or at the top. */
function around({ name, nesting }: Owner, written: string): Name[] {
  if (written.startsWith('::')) return [`ruby:${written.slice(2)}`];
  if (written.startsWith('self.class::')) return [`ruby:${name}${written.slice('self.class'.length)}`];
  if (!/^[A-Z]/.test(written)) return [];
  return [...nesting.map((one): Name => `ruby:${one}::${written}`), `ruby:${written}`];
}
