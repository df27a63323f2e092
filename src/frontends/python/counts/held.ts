// How many items there are, at most, in what a variable or a constant was given, and in what a function of this file returns. What those have is asked back.
import { child, type Syntax } from '../../syntax.ts';
import { defined, members } from '../classes/classes.ts';
import {
  functionAround,
  given,
  isConstantName,
  outermost,
  standing,
  valuesOf,
} from '../names/assignments.ts';
import { kept, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';
import { everySo } from './counted.ts';
import { fullAt } from './full.ts';
import {
  growsBy,
  isFilled,
  isHanded,
  isHandedOver,
  lengthOf,
  mayGrow,
  setIn,
  type Times,
} from './lengths.ts';
import { atMost, greatest, type Many, ofKey, sum } from './made.ts';

export function held(c: Place, node: Syntax, times: Times): Many | undefined {
  switch (node.type) {
    case 'identifier':
      return atMost(ofVariable(c, node, times));
    case 'attribute':
      return atMost(ofAttribute(c, node, times));
    case 'named_expression':
      return atMost(times(child(node, 'value')));
    case 'subscript':
      return literals(c, node) ?? ofKey(c, child(node, 'value'), child(node, 'subscript')!, undefined, times);
    case 'call': {
      const whole = asWhole(c, node);
      if (whole) return atMost(times(whole));
      const callee = resolve(c, child(node, 'function'));
      if (callee?.code?.type === 'lambda') return atMost(times(child(callee.code, 'body')));
      const its = calledHere(c, node);
      return its && atMost(returnedBy(c, its, times));
    }
    default:
      return undefined;
  }
}

function ofVariable(c: Place, node: Syntax, times: Times): number | null {
  const name = textOf(c.file, node);
  const value = standing(c, node, name);
  if (value)
    return once(c, value, () =>
      isFilledHere(c, node, name, value)
        ? (filledBy(c, node, name, value, times) ?? emptiedAt(c, node, name))
        : times(value),
    );
  const most = emptiedAt(c, node, name);
  if (most !== null) return most;
  const all = valuesOf(c, node, name);
  if (all.length > 0)
    return once(c, all[0]!, () => (isLonger(c, node, name) ? null : greatest(all.map(times))));
  const path = resolve(c, node)?.path;
  const constant = functionAround(node) ? constants(c, outermost(node)).get(name) : undefined;
  return constant && !path && !isFilled(c, name) ? once(c, constant, () => times(constant)) : null;
}

/** What is asked now is not known yet: what is given itself, or something made of it, says nothing. */
const asked = kept((_, __: Syntax) => ({ known: new Map<Syntax, number | null>(), depth: 0 }));
/** How far it is followed from one variable or function to the next. */
const DEEPEST = 20;

function once(c: Place, key: Syntax, find: () => number | null): number | null {
  const all = asked(c, c.file.root);
  const before = all.known.get(key);
  if (before !== undefined) return before;
  if (all.depth === DEEPEST) return null;
  all.known.set(key, null);
  all.depth++;
  const found = find();
  all.depth--;
  all.known.set(key, found);
  return found;
}

/** Somebody in the function adds to it, by a method or by a sign. */
function isLonger(c: Place, node: Syntax, name: string): boolean {
  const around = functionAround(node);
  const all = around ? given(c, child(around, 'body') ?? around).get(name) : undefined;
  return growsBy(c, node, name) || (all ?? []).some(({ type }) => type === 'augmented_assignment');
}

/** `Literal["a", "b"]` */
function literals(c: Place, node: Syntax): Many | undefined {
  if (!/^typing(?:_extensions)?\.Literal$/.test(resolve(c, child(node, 'value'))?.path ?? ''))
    return undefined;
  return atMost(node.children.filter(({ field }) => field === 'subscript').length);
}

/** Something adds to it; to what is empty, or is handed over as it is written, others do. */
const isFilledHere = (c: Place, node: Syntax, name: string, value: Syntax): boolean =>
  isLonger(c, node, name) || isEmpty(c, value) || (WRITTEN.test(value.type) && isHandedOver(c, node, name));

/** What the module writes out once under such a name; one that is no constant's nobody else may give anything. */
const constants = kept(({ file }, root: Syntax) => {
  const out = new Map<string, Syntax | undefined>();
  const everywhere = given({ file }, root);
  for (const one of root.children) {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    if (assignment?.type !== 'assignment' && assignment?.type !== 'augmented_assignment') continue;
    const name = textOf(file, child(assignment, 'left'));
    const isHanded = WRITTEN.test(child(assignment, 'right')?.type ?? ''); // others could add to it
    const isAlone = isConstantName(name) || (everywhere.get(name)?.length === 1 && !isHanded);
    const isFirst = assignment.type === 'assignment' && !out.has(name);
    const value = isFirst && isAlone ? child(assignment, 'right') : undefined;
    out.set(name, value);
  }
  return out;
});

// ---- what is added one by one

/** A list that is begun empty, or with a few, and that the same function adds some to, none of them in a loop. */
function filledBy(c: Place, node: Syntax, name: string, from: Syntax, times: Times): number | null {
  const whole = functionAround(node);
  const begins = isEmpty(c, from) ? 0 : WRITTEN.test(from.type) ? lengthOf(from) : times(from);
  if (!whole || begins === null || isHandedOver(c, node, name)) return null;
  const more = additions(c, whole).get(name) ?? [];
  return more.length > 0 ? sum([begins, ...more.map((one) => added(c, one, whole, from, times))]) : null;
}

/** `batch.append(row)`, and behind it `if len(batch) == 50: …; batch = []`: it has no more than that anywhere, and who is handed it takes it. */
function emptiedAt(c: Place, node: Syntax, name: string): number | null {
  const whole = functionAround(node);
  const [by, another] = whole ? (additions(c, whole).get(name) ?? []) : [];
  if (!by || another) return null;
  const statement = by.type === 'call' && addsOne(c, by) ? by.parent : null;
  const all = statement?.type === 'expression_statement' ? (statement.parent?.children ?? []) : [];
  const next = all[all.indexOf(statement!) + 1];
  if (next?.type !== 'if_statement') return null;
  const asks = child(next, 'condition');
  const isOf = new RegExp(`^len\\(${name}\\)\\s*(?:==|>=?)`).test(textOf(c.file, asks));
  return isOf ? everySo(c, asks, child(next, 'consequence')) : null;
}

const addsOne = (c: Place, call: Syntax): boolean =>
  ADDS_ONE.has(textOf(c.file, child(child(call, 'function')!, 'attribute')));

const WRITTEN = /^(?:list|set|dictionary)$/;

/** `[]`, `set()` */
const isEmpty = (c: Place, node: Syntax): boolean =>
  (WRITTEN.test(node.type) ||
    (node.type === 'call' && MAKES.test(textOf(c.file, child(node, 'function'))))) &&
  (child(node, 'arguments') ?? node).children.length === 0;

const MAKES = /(?:^|\.)(?:list|set|dict|deque|Counter|OrderedDict)$/;

const AGAIN =
  /^(?:for|while)_statement$|_comprehension$|^generator_expression$|^lambda$|^function_definition$/;
const ADDS_ONE = new Set(['append', 'add', 'insert', 'setdefault', 'appendleft']);
const ADDS_MANY = new Set(['extend', 'update']);

/** What adds to each variable in a function: calls of its methods, items that are set, `+=`. */
const additions = kept(({ file }, whole: Syntax) => {
  const out = new Map<string, Syntax[]>();
  const add = (target: Syntax | undefined, by: Syntax) => {
    if (target?.type !== 'identifier') return;
    const name = textOf(file, target);
    const all = out.get(name);
    if (all) all.push(by);
    else out.set(name, [by]);
  };
  const stack = [whole];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const left = child(node, node.type === 'call' ? 'function' : 'left');
    if (node.type === 'call' && left?.type === 'attribute') {
      const name = textOf(file, child(left, 'attribute'));
      if (ADDS_ONE.has(name) || ADDS_MANY.has(name)) add(child(left, 'object'), node);
    } else if (node.type === 'augmented_assignment') add(left, node);
    else if (node.type === 'assignment' && left?.type === 'subscript') add(child(left, 'value'), node);
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
});

/** In a loop that the list was not begun in there are as many as that turns, and no end of them in a function within, which is called as often as it is. */
function added(c: Place, by: Syntax, whole: Syntax, from: Syntax, times: Times): number | null {
  let often: number | null = 1;
  for (let at = by.parent; at && at !== whole; at = at.parent) {
    if (!AGAIN.test(at.type) || (from.start >= at.start && from.end <= at.end)) continue;
    const turns = at.type === 'for_statement' ? times(child(at, 'right')) : null;
    if (turns === null) return null;
    often *= turns;
  }
  const each = addedAtOnce(c, by, times);
  return each === null ? null : often * each;
}

function addedAtOnce(c: Place, by: Syntax, times: Times): number | null {
  if (by.type === 'assignment') return 1;
  if (by.type === 'augmented_assignment') return times(child(by, 'right'));
  const given = child(by, 'arguments')?.children ?? [];
  if (addsOne(c, by)) return 1;
  const named = given.filter(({ type }) => type === 'keyword_argument').length;
  return named === given.length ? named : times(given[0]);
}

// ---- what functions give

/** `prices.items()` */
function asWhole(c: Place, node: Syntax): Syntax | undefined {
  const callee = child(node, 'function')!;
  if (callee.type !== 'attribute' || child(node, 'arguments')?.children.length !== 0) return undefined;
  return AS_WHOLE.has(textOf(c.file, child(callee, 'attribute'))) ? child(callee, 'object') : undefined;
}

const AS_WHOLE = new Set(['items', 'keys', 'values', 'copy']);

/** `self.kinds`: what a property of this file returns, or what its class has. */
function ofAttribute(c: Place, node: Syntax, times: Times): number | null {
  if (textOf(c.file, child(node, 'attribute')) === '__args__') return times(child(node, 'object'));
  const owner = resolve(c, child(node, 'object'));
  const its = inClass(c, owner?.type?.path ?? owner?.path, textOf(c.file, child(node, 'attribute')));
  if (!its) return owner?.type ? givenToObject(c, node, times) : null;
  if (its.type === 'decorated_definition')
    return isProperty(c, its) ? returnedBy(c, defined(its), times) : null;
  const value = its.type === 'expression_statement' && owner?.path && child(its.children[0]!, 'right');
  return value ? once(c, value, () => times(value)) : null;
}

/** `self.kinds` of which all that this file ever gives it is known, and is not added to. */
function givenToObject(c: Place, node: Syntax, times: Times): number | null {
  const name = textOf(c.file, child(node, 'attribute'));
  if (!setIn(c, c.file.root).has(name)) return null;
  const isAdded = isFilled(c, name);
  if (!isAdded && mayGrow(c, textOf(c.file, node))) return null;
  const all = attributesGiven(c, c.file.root).get(name) ?? [];
  const most = isAdded && all.length > 0 ? fullAt(c, node) : null;
  if (most !== null) return most;
  if (all.length === 0 || all.length !== setIn(c, c.file.root).get(name)) return null;
  if (isAdded) return all.length === 1 ? filledWhereMade(c, node, all[0]!) : null;
  return once(c, all[0]!, () => {
    const counts = all.filter(({ type }) => type !== 'none').map(times);
    // An empty one is filled by somebody.
    return counts.length === 0 || counts.includes(0) ? null : greatest(counts);
  });
}

/** `self.steps = []` and `self.steps.append(self.load)` behind it: whoever makes the object adds them one by one, and nobody else does. */
function filledWhereMade(c: Place, node: Syntax, from: Syntax): number | null {
  const [maker, own] = [functionAround(from), textOf(c.file, node)];
  const begins = WRITTEN.test(from.type) ? lengthOf(from) : null;
  if (!maker || begins === null || isHanded(c, own)) return null;
  const adding = new RegExp(`\\.${textOf(c.file, child(node, 'attribute'))}\\.\\w+\\(`, 'g');
  const added = (child(maker, 'body')?.children ?? []).filter((one) => {
    const call = one.type === 'expression_statement' ? one.children[0] : undefined;
    const callee = call?.type === 'call' ? child(call, 'function')! : undefined;
    return (
      callee?.type === 'attribute' && textOf(c.file, child(callee, 'object')) === own && addsOne(c, call!)
    );
  });
  return c.file.text.match(adding)?.length === added.length ? begins + added.length : null;
}

const attributesGiven = kept(({ file }, root: Syntax) => {
  const out = new Map<string, Syntax[]>();
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const left = node.type === 'assignment' ? child(node, 'left') : undefined;
    const right = left?.type === 'attribute' ? child(node, 'right') : undefined;
    if (right) {
      const name = textOf(file, child(left!, 'attribute'));
      const known = out.get(name);
      if (known) known.push(right);
      else out.set(name, [right]);
    }
    for (const one of node.children) if (one.children.length > 0) stack.push(one);
  }
  return out;
});

const isProperty = (c: Place, node: Syntax): boolean =>
  node.children.some((one) => one.type === 'decorator' && /property\s*$/.test(textOf(c.file, one)));

/** The function or method of this file that a call means. */
export function calledHere(c: Place, call: Syntax): Syntax | undefined {
  const callee = child(call, 'function')!;
  const path = resolve(c, callee)?.path;
  return path === undefined ? ofMethod(c, callee) : definitionOf(c, path, call);
}

function ofMethod(c: Place, callee: Syntax): Syntax | undefined {
  if (callee.type !== 'attribute') return undefined;
  const path = resolve(c, child(callee, 'object'))?.type?.path;
  const its = inClass(c, path, textOf(c.file, child(callee, 'attribute')));
  return its && definition(its);
}

function definitionOf(c: Place, path: string, from: Syntax): Syntax | undefined {
  const [owner, name] = [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)];
  const its = inClass(c, owner, name);
  if (its) return definition(its);
  const around = functionAround(from);
  const inner = around && functions(c, child(around, 'body') ?? around).get(name);
  return inner ?? (c.file.functions.has(path) ? functions(c, c.file.root).get(name) : undefined);
}

const definition = (node: Syntax): Syntax | undefined =>
  defined(node).type === 'function_definition' ? defined(node) : undefined;

const inClass = (c: Place, path: string | undefined, name: string): Syntax | undefined => {
  const cls = path === undefined ? undefined : c.file.classes.get(path);
  return cls && byName(c, cls.node).get(name);
};

const byName = kept(({ file }, cls: Syntax) => {
  const out = new Map<string, Syntax>();
  for (const one of members(cls)) {
    const its =
      one.children[0]?.type === 'assignment' ? child(one.children[0], 'left') : child(defined(one), 'name');
    if (its) out.set(textOf(file, its), one);
  }
  return out;
});

export const functions = kept(({ file }, root: Syntax) => {
  const out = new Map<string, Syntax>();
  for (const one of root.children) {
    const its = definition(one);
    if (its) out.set(textOf(file, child(its, 'name')), its);
  }
  return out;
});

/** Of several returns the longest; of a generator as many as it yields, none of them in a loop. */
function returnedBy(c: Place, its: Syntax, times: Times): number | null {
  return once(c, its, () => {
    const { returns, yields, isEndless } = leavings(c, its);
    if (isEndless || yields > 0) return isEndless ? null : yields;
    return greatest(returns.map((one) => (one.children[0] ? times(one.children[0]) : 0)));
  });
}

export function leavings(c: Place, its: Syntax): { returns: Syntax[]; yields: number; isEndless: boolean } {
  const out = { returns: [] as Syntax[], yields: 0, isEndless: false };
  const go = (node: Syntax, inLoop: boolean): void => {
    if (/^(?:function_definition|lambda|class_definition)$/.test(node.type)) return;
    if (node.type === 'return_statement') out.returns.push(node);
    else if (node.type === 'yield') {
      out.yields++;
      if (inLoop || /^yield\s+from\b/.test(textOf(c.file, node))) out.isEndless = true;
    }
    const within = inLoop || /^(?:for|while)_statement$/.test(node.type);
    for (const one of node.children)
      if (one.children.length > 0 || one.type === 'return_statement') go(one, within);
  };
  const body = child(its, 'body');
  if (body) go(body, false);
  return out;
}
