// How many there are at most of what is cut to a size, as far as a number stands somewhere: a parameter, a setting, what the environment or a command line says. Numbers that are written out are counted elsewhere.
import type { Loop, Name } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { keptAttribute, parametersOf, usualOfMaker } from '../classes/kept.ts';
import { argument, keyword } from '../names/arguments.ts';
import { functionAround, given, isConstantName, usualValue } from '../names/assignments.ts';
import { isSettings } from '../names/knowledge.ts';
import { isParameter } from '../names/parameters.ts';
import { kept, lookup, type Place, textOf } from '../names/scope.ts';
import { constantText, resolve } from '../names/values.ts';
import { givenBy, mostOf } from './counted.ts';
import { listedElsewhere, MOST, ofObject } from './lengths.ts';

/** As a loop has it. */
export type Bound = Partial<Pick<Loop, 'each' | 'usually' | 'of' | 'ofSelf' | 'atMost'>> & {
  times: number | null;
  /** It likely has no more, and nobody knows. */
  certainty?: 'likely';
};

/** How far a size is followed from one variable to the next. */
const DEEPEST = 5;

export function bound(c: Place, size: Syntax, depth = 0): Bound | undefined {
  const most = mostOf(c, size);
  if (most !== null) return { times: most, atMost: true };
  if (depth > DEEPEST) return undefined;
  return (
    elsewhere(c, size) ??
    ofParameter(c, size) ??
    ofDefault(c, size) ??
    (size.type === 'identifier' ? following(c, size, depth) : undefined)
  );
}

function following(c: Place, size: Syntax, depth: number): Bound | undefined {
  const code = givenBy(c, size) ?? ofModule(c, size);
  return code && code !== size && !HELD.has(code.type) ? bound(c, code, depth + 1) : undefined;
}

/** A constant of the module, which is given once. */
function ofModule(c: Place, node: Syntax): Syntax | undefined {
  const name = textOf(c.file, node);
  const all = isConstantName(name) ? given(c, c.file.root).get(name) : undefined;
  return all?.length === 1 ? child(all[0]!, 'right') : undefined;
}

/** Of another variable, which may have been another one meanwhile, it says nothing. */
const HELD = new Set(['identifier']);

const named = (of: Name[]): Bound => ({ times: null, of, atMost: true });
const LIKELY: Bound = { times: null, certainty: 'likely', atMost: true };

/** A constant of another file, an attribute that the class says, a setting, which may be written out or not. */
function elsewhere(c: Place, size: Syntax): Bound | undefined {
  const of = listedElsewhere(c, size);
  if (of) return named(of);
  const own = ofObject(c, size);
  if (own) return { ...named(own), ofSelf: true };
  if (size.type !== 'call' || textOf(c.file, child(size, 'function')) !== 'getattr') return undefined;
  const [object, key, usual] = [0, 1, 2].map((i) => argument(size, i));
  const name = key && constantText(c, key);
  const path = resolve(c, object)?.path;
  const few = usual ? numberIn(c, usual) : null;
  if (!name || few === null) return undefined;
  return path && isSettings(path) ? { ...named([`python:${path}.${name}`]), times: few } : LIKELY;
}

/** Up to 64; a text that is a number is one to who makes it one. */
function numberIn(c: Place, node: Syntax): number | null {
  const text = node.type === 'string' ? constantText(c, node) : undefined;
  const number = text === undefined ? mostOf(c, node) : /^\d+$/.test(text) ? Number(text) : null;
  return number !== null && number >= 0 && number <= MOST ? number : null;
}

/** What the caller gives, or who made the object; `limit or 20`: of none there are so many. */
function ofParameter(c: Place, size: Syntax): Bound | undefined {
  if (size.type === 'boolean_operator') {
    const [left, right] = [child(size, 'left'), child(size, 'right')];
    const isOr = textOf(c.file, child(size, 'operator')) === 'or';
    const usual = isOr && right ? numberIn(c, right) : null;
    if (usual === null || !left) return undefined;
    const own = ofParameter(c, left);
    return own?.each === undefined ? LIKELY : { ...own, usually: usual, certainty: 'likely' };
  }
  const isOwn = size.type === 'attribute' && textOf(c.file, child(size, 'object')) === 'self';
  const attribute = isOwn ? keptAttribute(c, size) : undefined;
  if (attribute !== undefined) {
    if (c.keeps) c.keeps.ofMaker = new Set(c.keeps.ofMaker).add(attribute);
    return handed(c, `self.${attribute}`, usualOfMaker(c, attribute));
  }
  if (size.type !== 'identifier') return undefined;
  const name = textOf(c.file, size);
  if (!isParameter(c, size, lookup(c.file, c.scope, name))) return undefined;
  const isTyped = typedOf(c, c.file.root).has(name) && takesOptions(size);
  return isTyped ? LIKELY : handed(c, name, usualValue(c, size, name));
}

/** Of a command: `def handle(self, *args, limit, **options)`. */
const takesOptions = (node: Syntax): boolean =>
  parametersOf(functionAround(node) ?? undefined).some(({ type }) => type === 'dictionary_splat_pattern');

function handed(c: Place, each: string, value: Syntax | undefined): Bound {
  if (c.keeps) c.keeps.flags = true;
  const usual = value ? numberIn(c, value) : null;
  return {
    times: null,
    each,
    atMost: true,
    ...(usual !== null && { usually: usual, certainty: 'likely' as const }),
  };
}

/** `int(os.environ.get("BATCH", "50"))`, `env.int("BATCH", default=50)`, `options["limit"]` of a command that has so many by default. */
function ofDefault(c: Place, size: Syntax): Bound | undefined {
  const key = keyOf(size);
  const name = key && constantText(c, key);
  if (name !== undefined && typedOf(c, c.file.root).has(name)) return LIKELY;
  if (size.type !== 'call') return undefined;
  const callee = textOf(c.file, child(size, 'function'));
  const inner = callee === 'int' ? argument(size, 0) : undefined;
  if (inner)
    return ofDefault(c, inner) ?? (inner.type === 'identifier' ? bound(c, inner, DEEPEST) : undefined);
  const value =
    keyword(c, size, 'default') ??
    keyword(c, size, 'fallback') ??
    (ASKS.test(callee) ? argument(size, 1) : undefined);
  return value && numberIn(c, value) !== null ? LIKELY : undefined;
}

const ASKS = /(?:^|\.)(?:get|getenv|env|config)$/;

/** Of `options["limit"]`, `options.get("limit")`. */
function keyOf(node: Syntax): Syntax | undefined {
  if (node.type === 'subscript') return child(node, 'subscript');
  const callee = node.type === 'call' ? child(node, 'function') : undefined;
  return callee?.type === 'attribute' ? argument(node, 0) : undefined;
}

/** What a command line has where nobody types it: `parser.add_argument("--limit", type=int, default=50)`. */
const typedOf = kept(({ file }, _: Syntax) => {
  const out = new Set<string>();
  for (const [, name, more] of file.text.matchAll(TYPED)) {
    const usual = USUALLY.exec(more!)?.[1];
    if (usual && Number(usual) <= MOST) out.add(name!.replaceAll('-', '_'));
  }
  return out;
});
const USUALLY = /\bdefault\s*=\s*(\d+)\b/;
const TYPED = /\.add_argument\((?:\s*["']-\w["'],)?\s*["']--(\w[\w-]*)["']([^()]*(?:\([^()]*\)[^()]*)*)\)/g;
