// What an expression may be, where variables, tables, conditions and methods of the class tell: the expressions that stand there. It lowers nothing.
import { child, type Syntax } from '../../syntax.ts';
import { argumentsOf, lastPart, parts, textOf, word } from '../syntax.ts';
import type { Body } from './file.ts';
import { heldBy, heldIn, ofMethod, thawed } from './held.ts';

export interface Choices {
  /** Where nothing tells more it is the expression itself. */
  of: Syntax[];
  /** It is another one in each turn of the loop that gives them. */
  each: boolean;
}

const DEEP = 8;
const MOST = 24;

export function choices(body: Body, node: Syntax): Choices {
  const found: Choices = { of: [], each: false };
  gather(body, node, found, 0);
  return found;
}

/** They give back what can be called as well. */
const SAME = /^(freeze|to_proc|curry|itself|dup|clone|lambda|proc)$/;

function gather(body: Body, node: Syntax, found: Choices, depth: number): void {
  const next = depth > DEEP || found.of.length > MOST ? null : below(body, node, found);
  if (!next) found.of.push(node);
  else for (const one of next) gather(body, one, found, depth + 1);
}

/** One step nearer; null where that is all. */
function below(body: Body, node: Syntax, found: Choices): Syntax[] | null {
  switch (node.type) {
    case 'parenthesized_statements':
    case 'then':
    case 'else':
    case 'body_statement':
    case 'block_body': {
      const last = lastPart(node);
      return last ? [last] : null;
    }
    case 'conditional':
    case 'if':
    case 'unless':
    case 'elsif': {
      const [one, other] = [child(node, 'consequence'), child(node, 'alternative')];
      return one && other ? [one, other] : null;
    }
    case 'case': {
      const clauses = node.children.filter(({ type }) => type === 'when' || type === 'else');
      const bodies = clauses.map((one) => (one.type === 'else' ? one : child(one, 'body')));
      return bodies.length > 0 && bodies.every((one) => one !== undefined) ? (bodies as Syntax[]) : null;
    }
    case 'binary':
      return ofBinary(body, node);
    case 'identifier': {
      const local = body.locals.get(textOf(body.file, node));
      if (local?.among) found.each = true;
      if (local) return local.among ?? (local.value && local.value !== node ? [local.value] : null);
      return ofOwn(body, node);
    }
    case 'instance_variable': {
      const held = body.owner.held?.get(textOf(body.file, node));
      return held ? [held] : null;
    }
    case 'constant':
    case 'scope_resolution': {
      const held = thawed(body, heldBy(body, node));
      return held !== node && /^(simple_symbol|string|conditional|constant|scope_resolution)$/.test(held.type)
        ? [held]
        : null;
    }
    case 'element_reference':
      return some(heldIn(body, node));
    case 'call': {
      const held = some(heldIn(body, node));
      if (held) return held;
      const [receiver, method] = [child(node, 'receiver'), child(node, 'method')];
      const name = method ? textOf(body.file, method) : '';
      if (receiver && SAME.test(name)) return [receiver];
      if (
        receiver &&
        /^(first|last|sample)$/.test(name) &&
        argumentsOf(body.file, node).positional.length === 0
      ) {
        const list = itemsOf(body, receiver);
        return name === 'sample' ? some(list) : some(list.slice(...(name === 'first' ? [0, 1] : [-1])));
      }
      return ofOwn(body, node);
    }
    default:
      return null;
  }
}

const some = (list: Syntax[]) => (list.length > 0 ? list : null);

function ofOwn(body: Body, node: Syntax): Syntax[] | null {
  const given = ofMethod(body, node);
  return given === node ? null : [given];
}

/** `given || -> { … }`; what is nothing is not called. */
function ofBinary(body: Body, node: Syntax): Syntax[] | null {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const operator = child(node, 'operator');
  const sign = operator ? textOf(body.file, operator) : '';
  if (!left || !right) return null;
  if (/^(&&|and)$/.test(sign)) return [right];
  if (!/^(\|\||or)$/.test(sign)) return null;
  return /^(nil|false)$/.test(left.type) ? [right] : [left, right];
}

/** The items of a list that is written out, the values of a hash. */
export function itemsOf(body: Body, node: Syntax, depth = 0): Syntax[] {
  // `rows = rows.values` holds what it held.
  if (depth > DEEP) return [];
  const held = thawed(body, heldBy(body, node));
  if (/^(array|symbol_array|string_array)$/.test(held.type)) return parts(held);
  if (held.type === 'hash') return valuesOf(held);
  const [receiver, method] = [child(held, 'receiver'), child(held, 'method')];
  const name = receiver && method && held.type === 'call' ? textOf(body.file, method) : '';
  if (!receiver || !/^(values|keys|each_value|to_a|reverse|freeze)$/.test(name)) return [];
  const inner = thawed(body, heldBy(body, receiver));
  return name === 'keys' ? keysOf(inner) : itemsOf(body, receiver, depth + 1);
}

const valuesOf = (hash: Syntax): Syntax[] => parts(hash).flatMap((one) => child(one, 'value') ?? []);

export const keysOf = (hash: Syntax): Syntax[] =>
  hash.type === 'hash' ? parts(hash).flatMap((one) => child(one, 'key') ?? []) : [];

/** `:save`, `"save"`, `save` of `%i[…]`, `save:` of a hash. */
export function nameIn({ file }: Pick<Body, 'file'>, node: Syntax): string | null {
  if (/^(bare_symbol|bare_string)$/.test(node.type)) return textOf(file, node);
  if (node.type === 'hash_key_symbol') return textOf(file, node).replace(/:$/, '');
  return word(file, node);
}
