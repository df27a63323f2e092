// What an option of a call is: a literal that stands in sight, or what the caller of the method gives. Not what it means.
import type { Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Arguments, argumentsOf, literal, parts, spanOf, textOf } from '../syntax.ts';
import type { Body } from './file.ts';
import { heldBy, isConstant, namesOf, ofMethod, thawed } from './held.ts';
import { tellsOpen } from './telling.ts';

export interface Option {
  /** Null: it is computed. */
  literal: string | null;
  at: { start: number; end: number };
  /** The parameter of the method that it is. */
  parameter?: string;
  /** It may be among what a constant of another file holds, by the names that this may have. */
  among?: Name[];
}

/** The value of an option, also where it comes from a hash that stands in scope, or that the caller gives. */
export function optionOf(body: Body, args: Arguments, argument: number | string): Option | undefined {
  if (typeof argument === 'number') {
    const given = args.positional[argument];
    return given && optionIn(body, given, given);
  }
  const direct = args.keywords.get(argument);
  if (direct) return optionIn(body, direct.value, direct.pair);
  if (args.splats.length === 0 && args.positional.length === 0) return undefined;
  const last = [...args.splats, ...args.positional.slice(-1)];
  for (const splat of last) {
    const pairs = hashesOf(body, splat).flatMap(parts);
    const pair = pairs.find((one) => one.type === 'pair' && keyOf(body, one) === argument);
    const value = pair && child(pair, 'value');
    if (value) return optionIn(body, value, splat);
  }
  const handedOn = last.find((one) => handsOn(body, one));
  if (!handedOn) {
    const elsewhere = last.find((one) => isConstant(one) && heldBy(body, one) === one);
    return elsewhere && { literal: null, at: spanOf(elsewhere), among: namesOf(body, elsewhere) };
  }
  if (body.locals.has(argument)) return undefined;
  body.restAsked.add(argument);
  return { literal: null, at: spanOf(handedOn), parameter: argument };
}

/** `options`, and what is made of it: `DEFAULTS.merge(options)`, `{ **options, isolation: nil }`, or of two such one. */
function handsOn(body: Body, node: Syntax, made = false): boolean {
  if (body.rest === null) return false;
  if (nameOf(body, node) === body.rest) {
    const held = body.locals.get(body.rest);
    return made || !held?.value || held.given === true || handsOn(body, held.value, true);
  }
  if (/^(conditional|hash|parenthesized_statements)$/.test(node.type))
    return parts(node).some((one) =>
      handsOn(body, one.type === 'hash_splat_argument' ? (parts(one)[0] ?? one) : one, made),
    );
  const [receiver, method] = [child(node, 'receiver'), child(node, 'method')];
  if (!receiver || !method || !MERGES.test(textOf(body.file, method))) return false;
  return [receiver, ...argumentsOf(body.file, node).positional].some((one) => handsOn(body, one, made));
}

const MERGES = /^((reverse_)?merge!?|with_defaults!?|dup|compact|to_h|freeze|symbolize_keys)$/;

function optionIn(body: Body, value: Syntax, at: Syntax): Option {
  const known = asksOpen(body, value) ? 'true' : literal(body.file, ofMethod(body, heldBy(body, value)));
  const name = nameOf(body, value);
  const asked = known === null && body.locals.get(name)?.given ? { parameter: name } : {};
  return { literal: known, at: spanOf(at), ...asked };
}

/** `savepoint: db.in_transaction?`: where none is open, nothing nests in any case. */
const asksOpen = ({ file }: Body, value: Syntax): boolean => {
  const method = value.type === 'call' ? child(value, 'method') : undefined;
  return method !== undefined && tellsOpen.names.has(textOf(file, method));
};

/** `requires_new:` for `requires_new: requires_new` is a key and a value. */
const nameOf = ({ file }: Body, node: Syntax): string =>
  /^(identifier|hash_key_symbol)$/.test(node.type)
    ? textOf(file, node).replace(/:$/, '')
    : (ANONYMOUS[node.type] ?? '');

/** `**` and `...`, which have no name. */
const ANONYMOUS: Record<string, string> = { hash_splat_argument: '**', forward_argument: '**' };

/** `requires_new:`, `:requires_new =>` */
export const keyOf = (body: Body, pair: Syntax): string => {
  const key = child(pair, 'key');
  return key ? textOf(body.file, key).replace(/^:|:$|["']/g, '') : '';
};

/** The hash that it is, or those that `merge` puts together, the one that holds first. */
function hashesOf(body: Body, node: Syntax, depth = 0): Syntax[] {
  const value = thawed(body, ofMethod(body, heldBy(body, node)));
  if (value.type === 'hash') return [value];
  const [receiver, method] = [child(value, 'receiver'), child(value, 'method')];
  const merges = method && /^(reverse_)?merge!?$/.exec(textOf(body.file, method));
  if (!receiver || !merges || depth > 5) return [];
  const { keywords, positional } = argumentsOf(body.file, value);
  const pairs = [...keywords.values()].map(({ pair }) => pair);
  const given = [
    ...(pairs.length > 0 ? [{ ...value, type: 'hash', children: pairs }] : []),
    ...positional.flatMap((one) => hashesOf(body, one, depth + 1)),
  ];
  const its = hashesOf(body, receiver, depth + 1);
  return merges[1] ? [...its, ...given] : [...given, ...its];
}
