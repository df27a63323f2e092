// What a function asks of its `**options`, and a callback of the object that it is called for, as if they were parameters. What callers say is the linker's.
import type { Branch, Given } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { textsOf } from '../counts/written.ts';
import { argument } from '../names/arguments.ts';
import { assignments, assignmentsOf, functionAround } from '../names/assignments.ts';
import { takerOf } from '../names/forwarded.ts';
import { isObjectOfCallbacks } from '../names/knowledge.ts';
import { isParameter } from '../names/parameters.ts';
import { lookup, type Place, textOf } from '../names/scope.ts';

/** `is set`: whether the object has the attribute at all. */
export const hasAttribute = (object: string, attribute: string): string => `${object}.${attribute} is set`;

/** The parameter that stands for it: `kwargs.get("quiet")`, `instance.quiet`, `getattr(instance, "quiet", False)`, or a variable that holds one. */
export function askedAs(c: Place, node: Syntax | undefined): string | undefined {
  const its = node && c.keeps ? asked(c, node) : undefined;
  if (!its) return undefined;
  c.keeps!.flags = true;
  c.keeps!.saved ??= new Map();
  c.keeps!.saved.set(its.name, its.usual);
  return its.name;
}

interface Asked {
  name: string;
  /** What it is where a caller says nothing of it. */
  usual?: Given;
}

function asked(c: Place, node: Syntax): Asked | undefined {
  if (node.type === 'call') return byCall(c, node);
  if (node.type === 'attribute')
    return ofObject(c, child(node, 'object'), textOf(c.file, child(node, 'attribute')));
  if (node.type === 'subscript') return option(c, child(node, 'value'), node.children[1], undefined);
  if (node.type !== 'identifier' || assignments(c, node, textOf(c.file, node)) !== 1) return undefined;
  const [one] = assignmentsOf(c, node, textOf(c.file, node));
  const value = one && one.end <= node.start ? child(one, 'right') : undefined;
  return value && HELD.has(value.type) ? asked(c, value) : undefined;
}

const HELD = new Set(['call', 'attribute', 'subscript']);

function byCall(c: Place, call: Syntax): Asked | undefined {
  const callee = child(call, 'function');
  const [first, second] = [argument(call, 0), argument(call, 1)];
  if (callee?.type === 'attribute' && /^(get|pop)$/.test(textOf(c.file, child(callee, 'attribute'))))
    return option(c, child(callee, 'object'), first, second ? CONSTANT.get(second.type) : null);
  const name = attribute(textOf(c.file, second));
  switch (name && textOf(c.file, callee)) {
    case 'getattr':
      return ofObject(c, first, name!);
    case 'hasattr': {
      const its = ofObject(c, first, name!);
      return its && { name: hasAttribute(textOf(c.file, first), name!) };
    }
    default:
      return undefined;
  }
}

/** The name that a text is. */
const attribute = (written: string): string | undefined => /^(["'])(\w+)\1$/.exec(written)?.[2];

const CONSTANT = new Map<string, Given>([
  ['true', true],
  ['false', false],
  ['none', null],
]);

function ofObject(c: Place, object: Syntax | undefined, attribute: string): Asked | undefined {
  if (object?.type !== 'identifier') return undefined;
  const name = textOf(c.file, object);
  if (!isObjectOfCallbacks(name) || !isParameter(c, object, lookup(c.file, c.scope, name))) return undefined;
  // What it sets itself it asks for afterwards.
  const before = c.file.text.slice(functionAround(object)?.start ?? object.start, object.start);
  return before.includes(`${name}.${attribute} =`) ? undefined : { name: `${name}.${attribute}` };
}

/** `options["quiet"]` of its own `**options`, to which it adds nothing. */
function option(
  c: Place,
  options: Syntax | undefined,
  key: Syntax | undefined,
  usual: Given | undefined,
): Asked | undefined {
  const name = attribute(textOf(c.file, key));
  if (options?.type !== 'identifier' || !name) return undefined;
  const around = functionAround(options);
  if (!around || takerOf(c, options) !== around) return undefined;
  const adds = new RegExp(
    `\\b${textOf(c.file, options)}(?:\\[[^\\]]+\\] *=(?!=)|\\.(?:update|setdefault)\\()`,
  );
  if (adds.test(c.file.text.slice(around.start, options.start))) return undefined;
  return { name, ...(usual !== undefined && { usual }) };
}

/** `"state" in update_fields`, `set(update_fields) != {"state"}` */
export function asksIn(c: Place, condition: Syntax): Branch['when'] {
  const [left, sign, right, ...more] = condition.children;
  if (!left || !sign || !right || more.length > 0) return undefined;
  const how = sign.type;
  const whole = /^[!=]=$/.test(how);
  if (!whole && !/^(not )?in$/.test(how)) return undefined;
  const [list, text] = whole ? [left, unwrapped(c, right)] : [right, left];
  const has = whole ? text.type === 'set' && textsOf(c, text.children) : textsOf(c, [text]);
  const parameter = has ? parameterOf(c, unwrapped(c, list)) : undefined;
  if (parameter === undefined || !has) return undefined;
  return { parameter, is: /^(!=|not in)$/.test(how) ? 'false' : 'true', has, ...(whole && { whole }) };
}

/** `set(x)`, `frozenset(x)`, `(x or [])`: what has the same items. */
function unwrapped(c: Place, node: Syntax): Syntax {
  if (node.type === 'parenthesized_expression') return unwrapped(c, node.children[0] ?? node);
  if (node.type === 'boolean_operator' && /\bor\s+(?:\[\]|\(\)|set\(\))$/.test(textOf(c.file, node)))
    return unwrapped(c, child(node, 'left') ?? node);
  const made = node.type === 'call' && /^(frozen)?set$/.test(textOf(c.file, child(node, 'function')));
  const inner = made ? argument(node, 0) : undefined;
  if (!inner) return node;
  const its = unwrapped(c, inner);
  return /^(list|tuple)$/.test(its.type) ? { ...its, type: 'set' } : its;
}

function parameterOf(c: Place, node: Syntax): string | undefined {
  if (node.type !== 'identifier' || !isParameter(c, node, lookup(c.file, c.scope, textOf(c.file, node))))
    return askedAs(c, node);
  if (c.keeps) c.keeps.flags = true;
  return textOf(c.file, node);
}
