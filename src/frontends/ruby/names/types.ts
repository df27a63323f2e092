// What kind of object an expression gives, where names tell: constants, finders, variables. Unknown is null.
import { child, type Syntax } from '../../syntax.ts';
import { argumentsOf, lastPart, parts, textOf } from '../syntax.ts';
import { type Body, BUILTIN, constantName, selfType, type Type } from './file.ts';
import { heldBy } from './held.ts';
import { chained, databaseAs, databaseCalled, databaseOf, keptAs } from './meaning.ts';

const WORDS = (text: string) => new Set(text.split(/\s+/));

const MAKERS = WORDS('new build');
/** Of a list, and so of a relation, they give all of it or some. */
export const LISTS = WORDS(
  'in_groups_of to_a each_with_index each sort_by reverse shuffle compact uniq select reject filter',
);
/** These give back what they were asked of. */
const SAME = WORDS('tap dup clone freeze presence itself then !');
/** Results that have no methods of the program's own. */
const PLAIN =
  WORDS(`to_s to_i to_f to_sym to_h to_json inspect hash id count size length sum maximum minimum average pluck ids
  exists? any? empty? blank? present? nil? is_a? kind_of? respond_to? name class_name errors attributes as_json keys values
  join split strip squish downcase upcase to_date to_time now today current zone ago from_now message code status`);

/** Constants of Ruby, Rails and of what tests use: nobody in the repository defines them, and no table says what their objects do. */
const LIBRARIES =
  /^(?!(?:::)?Net::HTTP$)(?:::)?(?:Time|Date|DateTime|File|FileUtils|Dir|IO|Tempfile|StringIO|JSON|YAML|CSV|URI|Math|ENV|Pathname|SecureRandom|Digest|Base64|Rails|I18n|Set|BigDecimal|Logger|Process|GC|ObjectSpace|FactoryBot|FactoryGirl|RSpec|Faker|Rack|ERB|Zlib|OpenSSL|Regexp|Random|Hash|Array|String|Integer|Float|Symbol|Struct|Benchmark|Timeout|Marshal|Comparable|Nokogiri|ActionController|ActionView|ActionMailer|ActiveModel|ActiveSupport|Warden|Mutex|Monitor|Queue|Concurrent|Net|Psych|Gem|Bundler|RbConfig|Socket|WebMock|VCR|Timecop|Capybara|Mocha)(?:::|$)/;

/** Asked of a class or a relation, it gives one record: the tables say which, and a singleton its only object. */
export const finds = (name: string) => chained.item.has(name) || name === 'instance';
const relates = (name: string) => chained.items.has(name) || LISTS.has(name);

export const isRelationMethod = (name: string): boolean => relates(name) || finds(name);

export function typeOf(body: Body, node: Syntax | undefined, depth = 0): Type | null {
  if (!node || depth > 40) return null;
  const below = (inner: Syntax | undefined) => typeOf(body, inner, depth + 1);
  switch (node.type) {
    case 'constant':
    case 'scope_resolution':
      if (LIBRARIES.test(textOf(body.file, node))) return BUILTIN;
      return { name: constantName(body.file, node, body.owner), kind: 'class' };
    case 'self':
      return selfType(body);
    case 'instance_variable': {
      const name = textOf(body.file, node);
      return body.locals.get(name)?.type ?? body.owner.ivars.get(name) ?? null;
    }
    case 'identifier':
      return named(body, textOf(body.file, node));
    case 'call':
      return ofCall(body, node, depth);
    case 'parenthesized_statements':
    case 'then':
    case 'body_statement':
    case 'block_body':
      return below(lastPart(node));
    case 'assignment':
    case 'operator_assignment':
      return below(child(node, 'right'));
    case 'conditional':
    case 'if':
    case 'unless':
    case 'elsif':
      return below(child(node, 'consequence')) ?? below(child(node, 'alternative'));
    case 'case':
      return below(node.children.find(({ type }) => type === 'when'));
    case 'when':
      return below(child(node, 'body'));
    case 'else':
      return below(lastPart(node));
    case 'binary': {
      const operator = child(node, 'operator');
      const sign = operator ? textOf(body.file, operator) : '';
      if (sign === '||' || sign === 'or') return below(child(node, 'left')) ?? below(child(node, 'right'));
      if (sign === '&&' || sign === 'and') return below(child(node, 'right'));
      return null;
    }
    case 'element_reference': {
      const [of, ...keys] = parts(node);
      const table = dataset(body, of, keys);
      if (table) return table;
      const object = below(child(node, 'object'));
      // `Point[1, 2]` is an object of the class as well.
      return object?.kind === 'many' || object?.kind === 'class' ? { name: object.name, kind: 'one' } : null;
    }
    case 'begin':
    case 'if_modifier':
    case 'rescue_modifier':
      return below(child(node, 'body') ?? parts(node)[0]);
    default:
      return /^(string|integer|float|array|hash|simple_symbol|true|false|nil|regex|string_array|symbol_array|heredoc_beginning|chained_string|range|lambda|delimited_symbol)$/.test(
        node.type,
      )
        ? BUILTIN
        : null;
  }
}

/** `ledger: Ledger.new`: what a parameter is where its caller says nothing else. */
export function usual(body: Body, parameter: Syntax): { type?: Type } {
  const type = typeOf(body, child(parameter, 'value'));
  return type && type.kind !== 'builtin' ? { type } : {};
}

/** Of a class it is what that descends from. */
function ofSelf(body: Body) {
  const self = body.self ? body.self.name.slice('ruby:'.length) : body.owner.superclass?.replace(/^::/, '');
  return self ? databaseOf.get(self) : undefined;
}

/** `DB[:orders]`, `DB.from(:orders)`: the rows of a table. */
function dataset(body: Body, object: Syntax | undefined, keys: Syntax[], by?: string): Type | null {
  const [key, ...more] = keys;
  if (key?.type !== 'simple_symbol' || more.length > 0) return null;
  const named = object && (databaseOfName(body, object) ?? itsDatabase(body, heldBy(body, object)));
  const database = named ?? (object && object.type !== 'self' ? undefined : ofSelf(body));
  if (!database || (by !== undefined && !database.by.includes(by))) return null;
  return { name: `sql:${textOf(body.file, key).slice(1)}`, kind: 'many' };
}

/** `DB`, `conn = DB`, `conn: DB`. */
function databaseOfName(body: Body, node: Syntax) {
  const called = (one: string) => databaseCalled.get(one.replace(/^::/, ''));
  const found = called(textOf(body.file, node)) ?? called(textOf(body.file, heldBy(body, node)));
  const type = found ? undefined : body.locals.get(textOf(body.file, node))?.type;
  return (
    found ?? (type?.kind === 'class' ? called(type.name.slice(type.name.lastIndexOf(':') + 1)) : undefined)
  );
}

/** `Order.db`, `order.db`: what a model, or a row of it, is kept in. */
function itsDatabase(body: Body, node: Syntax) {
  const method = node.type === 'call' ? child(node, 'method') : undefined;
  const found = method && databaseAs.get(textOf(body.file, method));
  const type = found && typeOf(body, child(node, 'receiver'));
  return type && type.kind !== 'builtin' ? found : undefined;
}

/** A bare word: a local variable, else a method of self. */
function named(body: Body, name: string): Type | null {
  const local = body.locals.get(name);
  if (local) return local.type ?? null;
  const held = body.owner.attributes.has(name) && body.owner.ivars.get(`@${name}`);
  if (held) return held;
  const self = selfType(body);
  return self ? resultOf(self, name) : null;
}

function ofCall(body: Body, node: Syntax, depth: number): Type | null {
  const methodNode = child(node, 'method');
  if (!methodNode) return null;
  const name = textOf(body.file, methodNode);
  const kept = keptAs(name) && keptAs(textOf(body.file, node));
  if (kept) return { name: `ruby:${kept}`, kind: 'one' };
  const receiverNode = child(node, 'receiver');
  const table = dataset(body, receiverNode, argumentsOf(body.file, node).positional, name);
  if (table) return table;
  const receiver = receiverNode ? typeOf(body, receiverNode, depth + 1) : selfType(body);
  const makes = name === 'new' && receiverNode !== undefined && textOf(body.file, receiverNode) === 'Array';
  const ofBlock = makes || GIVES_ITS_BLOCK.test(name) ? typeOf(body, blockValue(node), depth + 1) : null;
  if (ofBlock && ofBlock.kind !== 'builtin')
    return makes || /map|collect/.test(name)
      ? { name: ofBlock.name, kind: ofBlock.kind === 'some' ? 'some' : 'many' }
      : ofBlock;
  if (!receiver) return null;
  return resultOf(receiver, name);
}

/** What these give is what their block gives, of each item or once. */
const GIVES_ITS_BLOCK =
  /^(transaction|with_lock|with_advisory_lock!?|unscoped|uncached|connected_to|fetch|then|yield_self|synchronize|measure|instrument|map|flat_map|collect|filter_map)$/;

/** The last expression of the block that a call hands over. */
const blockValue = (call: Syntax): Syntax | undefined => {
  const block = call.children.find(({ type }) => type === 'block' || type === 'do_block');
  return block && parts(child(block, 'body')).at(-1);
};

export function resultOf(receiver: Type, name: string): Type | null {
  if (receiver.kind === 'builtin') return BUILTIN;
  if (receiver.name.startsWith('sql:')) return finds(name) || PLAIN.has(name) ? BUILTIN : receiver;
  if (PLAIN.has(name)) return BUILTIN;
  if ((SAME.has(name) || chained.record.has(name)) && receiver.kind !== 'class') return receiver;
  const asClass = receiver.kind === 'class' || receiver.kind === 'many';
  if (name === 'class' && !asClass) return { name: receiver.name, kind: 'class' };
  // `PlaceJob.set(wait: 1).perform_now`
  if (name === 'set' && receiver.kind === 'class') return receiver;
  // A class's own `build` may make anything; the linker knows.
  if (name === 'build' && receiver.kind === 'class') return attribute(receiver, name);
  if (MAKERS.has(name) && (asClass || receiver.kind === 'some'))
    return { name: receiver.name, kind: 'one', fresh: true };
  if (finds(name) && (asClass || receiver.kind === 'some')) {
    return { name: receiver.name, kind: 'one', ...(/initialize/.test(name) ? {} : { fresh: false }) };
  }
  if (relates(name) && (asClass || receiver.kind === 'some')) return { name: receiver.name, kind: 'many' };
  return attribute(receiver, name);
}

/** Nobody but the linker knows what it is, if anybody does. */
export const isGiven = (type: Type): boolean => type.name.endsWith('()');

/** What a method of it gives; the linker knows, from associations and from what the method returns. */
function attribute(receiver: Type, name: string): Type | null {
  if (/[!?=]$/.test(name) || receiver.name.length > 160 || /^\W/.test(name)) return null;
  const mark = receiver.kind === 'class' || receiver.kind === 'many' ? '.' : '#';
  return { name: `${receiver.name}${mark}${name}()`, kind: 'some' };
}

/** One of many; what an object goes through that is none of these, nobody knows. */
export const itemOf = (type: Type | null): Type | null =>
  type === null || type.kind === 'builtin' || (type.kind === 'one' && !isGiven(type))
    ? null
    : { name: type.name, kind: 'one', fresh: false };
