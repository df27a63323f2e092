// What attributes hold that is called: a function from the body of the class, from a method, from who makes the object.
import type { Name, Routine, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type ClassInfo, type File, type GivenTo, kept, type Place, scope, textOf } from '../names/scope.ts';
import { ownInstance, resolve } from '../names/values.ts';
import { bind } from '../names/variables.ts';
import { defined, members } from './classes.ts';

/** A class and those of this file above it, nearest first. */
export function lineageOf(c: Place, info: ClassInfo): Set<ClassInfo> {
  const all = new Set([info]);
  for (const one of all)
    for (const base of one.bases) {
      const above = c.file.classes.get(base);
      if (above) all.add(above);
    }
  return all;
}

/** The method that a name in the body of a class is. */
export const isMethodOf = (c: Place, info: ClassInfo, node: Syntax): string | undefined =>
  node.type === 'identifier' && info.methods.has(textOf(c.file, node))
    ? `${info.path}.${textOf(c.file, node)}`
    : undefined;

const CALLS = /\.\w+(?=\()/g;

/** Statements that have others in them, and the parts of such. */
const HOLDS = new Set(
  'if_statement try_statement with_statement for_statement while_statement block elif_clause else_clause except_clause finally_clause with_clause'.split(
    ' ',
  ),
);

/** What the statements of a class, and of its methods, give each attribute. */
export function valuesIn(c: Place, info: ClassInfo): Map<string, GivenTo[]> {
  if (info.values) return info.values;
  const values = new Map<string, GivenTo[]>();
  info.values = values;
  const take = (name: string, node: Syntax, method: Syntax | null) => {
    const all = values.get(name);
    if (all) all.push({ node, method });
    else values.set(name, [{ node, method }]);
  };
  const look = (nodes: Syntax[], method: Syntax | null, depth: number): void => {
    for (const one of nodes) {
      if (depth < 8 && HOLDS.has(one.type)) look(one.children, method, depth + 1);
      const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
      if (assignment?.type !== 'assignment') continue;
      const [left, right] = [child(assignment, 'left'), child(assignment, 'right')];
      if (!left || !right) continue;
      if (method === null && left.type === 'identifier') take(textOf(c.file, left), right, null);
      if (method && left.type === 'attribute' && textOf(c.file, child(left, 'object')) === 'self')
        take(textOf(c.file, child(left, 'attribute')), right, method);
    }
  };
  look(members(info.node), null, 0);
  for (const [path, name, node] of patches(c)) if (path === info.path) take(name, node, null);
  for (const one of members(info.node)) {
    const method = defined(one);
    if (method.type === 'function_definition') look(members(method), method, 0);
  }
  return values;
}

/** `Order.pay = other`, by the statements of the module: class, name and value. */
function patches(c: Place): NonNullable<File['patches']> {
  c.file.patches ??= c.file.root.children.flatMap((one): NonNullable<File['patches']> => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const left = assignment?.type === 'assignment' ? child(assignment, 'left') : undefined;
    const right = assignment && child(assignment, 'right');
    const path = left?.type === 'attribute' && right ? resolve(c, child(left, 'object'))?.path : undefined;
    return path ? [[path, textOf(c.file, child(left!, 'attribute')), right!]] : [];
  });
  return c.file.patches;
}

/** All attributes that this file calls, as `.name`. */
const calledIn = kept((_, { text }: File) => new Set<string>(text.match(CALLS)));
const isCalled = (c: Place, name: string): boolean => calledIn(c, c.file).has(`.${name}`);

// ---- who makes the object

/** Which parameters its maker gives that the object calls, by their names and places: `self.work = work`. */
function taken(c: Place, info: ClassInfo): string[] {
  if (info.takes) return info.takes;
  info.takes = [];
  const init = initOf(c, info);
  const names = init ? parametersOf(c, init) : fieldsOf(c, info);
  const kept = (name: string) =>
    init
      ? [...valuesIn(c, info)].some(
          ([attribute, given]) =>
            isCalled(c, attribute) &&
            given.some(({ node, method }) => method === init && names.length > 0 && mentions(c, node, name)),
        )
      : isCalled(c, name);
  if (names.some(kept)) info.takes = names;
  return info.takes;
}

const mentions = (c: Place, node: Syntax, name: string): boolean =>
  node.type === 'identifier'
    ? textOf(c.file, node) === name
    : /^(boolean_operator|conditional_expression)$/.test(node.type) &&
      node.children.some((one) => mentions(c, one, name));

const initOf = (c: Place, info: ClassInfo): Syntax | undefined =>
  members(info.node)
    .map(defined)
    .find((one) => one.type === 'function_definition' && textOf(c.file, child(one, 'name')) === '__init__');

const parametersOf = (c: Place, method: Syntax): string[] =>
  (child(method, 'parameters')?.children ?? [])
    .filter((one) => one.type !== 'comment' && !/separator/.test(one.type))
    .map((one) => textOf(c.file, child(one, 'name') ?? (one.type === 'identifier' ? one : one.children[0])))
    .slice(1);

/** Of a dataclass: what its body only declares, in turn. */
const fieldsOf = (c: Place, info: ClassInfo): string[] =>
  members(info.node).flatMap((one) => {
    const assignment = one.type === 'expression_statement' ? one.children[0] : undefined;
    const [left, type] =
      assignment?.type === 'assignment' ? [child(assignment, 'left'), child(assignment, 'type')] : [];
    return left?.type === 'identifier' && type ? [textOf(c.file, left)] : [];
  });

/** An object is made, and may be handed what it calls later. */
export function constructed(c: Place, call: Syntax, callable: (node: Syntax) => Step[] | null): void {
  const callee = child(call, 'function');
  // Of every call it is asked: only what is called as a class of the module is.
  if (callee?.type !== 'identifier' || c.file.classes.size === 0) return;
  if (!c.file.classes.has(`${c.file.module}.${textOf(c.file, callee)}`)) return;
  const made = c.file.classes.get(resolve(c, callee)?.path ?? '');
  const info =
    made && [...lineageOf(c, made)].find((one) => one.methods.has('__init__') || one.bases.length === 0);
  if (!info || taken(c, info).length === 0) return;
  let position = 0;
  for (const one of child(call, 'arguments')?.children ?? []) {
    if (/splat/.test(one.type)) return;
    if (one.type === 'comment') continue;
    const name =
      one.type === 'keyword_argument' ? textOf(c.file, child(one, 'name')) : info.takes![position++];
    const value = one.type === 'keyword_argument' ? child(one, 'value') : one;
    if (!name || !value || value.type === 'none') continue;
    const steps = /^(string|integer)$/.test(value.type) ? null : callable(value);
    // Something else is handed, too: nothing that is known to do anything.
    const known = steps && steps[0]?.kind !== 'yield' ? steps : [];
    info.handed ??= new Map();
    info.handed.set(name, [...(info.handed.get(name) ?? []), known]);
  }
}

// ---- what calling the attribute does

/** What calls such a value, where it stands in this scope. */
type Calling = (at: Place, node: Syntax) => Step[] | null;

/** Routines that nobody wrote: what calling `self.work` of an object of this class does. */
export function calledAttributes(c: Place, info: ClassInfo, routines: Routine[], calling: Calling): void {
  for (const [name, given] of valuesIn(c, info)) {
    if (!isCalled(c, name) || given.every(({ node }) => !MAY_BE.test(node.type))) continue;
    const above = [...lineageOf(c, info)];
    const hides = above.some((one) => one.methods.has(name));
    const arms: Step[][] = [];
    for (const { node, method } of given) arms.push(...armsOf(c, info, node, method, calling));
    const known = arms.some((arm) => arm.some((step) => step.kind !== 'call' || step.callee !== UNKNOWN));
    if (!known && !hides) continue;
    const at = { start: given[0]!.node.start, end: given[0]!.node.end };
    const own = routines.find((one) => one.name === `python:${info.path}.${name}`);
    if (own) {
      // Its own method is what is called where nobody gave another one.
      own.name = `${own.name}~own` as Name;
      arms.push([{ kind: 'call', at, callee: own.name, certainty: 'possible' }]);
    }
    routines.push(implied(info, name, at, arms));
  }
  // A dataclass only declares what its maker gives.
  if (initOf(c, info) || !info.handed) return;
  const { start, end } = child(info.node, 'name') ?? info.node;
  for (const [name, handed] of info.handed)
    if (isCalled(c, name) && !info.methods.has(name) && handed.some((one) => one.length > 0))
      routines.push(implied(info, name, { start, end }, likely(handed)));
}

const implied = (info: ClassInfo, name: string, at: Span, arms: Step[][]): Routine => ({
  name: `python:${info.path}.${name}`,
  at,
  kind: 'method',
  entry: 'called',
  startsIn: 'caller',
  implied: true,
  body: arms.length === 1 ? arms[0]! : [{ kind: 'branch', at, arms, exhaustive: true }],
});

const MAY_BE = /^(identifier|attribute|lambda|call|conditional_expression|boolean_operator|none)$/;
const UNKNOWN = 'python:?.()';

/** Others may give others; and of several it is not known which object has which. */
function likely(arms: Step[][]): Step[][] {
  const certainty =
    new Set(arms.map((steps) => JSON.stringify(steps.map((one) => ({ ...one, at: null }))))).size > 1
      ? 'possible'
      : 'likely';
  return arms.map((steps) =>
    steps.map((step) => (step.kind === 'call' && !step.certainty ? { ...step, certainty } : step)),
  );
}

function armsOf(c: Place, info: ClassInfo, node: Syntax, method: Syntax | null, calling: Calling): Step[][] {
  if (node.type === 'none') return [];
  const at = { start: node.start, end: node.end };
  const unknown: Step[] = [{ kind: 'call', at, callee: UNKNOWN }];
  if (node.type === 'boolean_operator' || node.type === 'conditional_expression') {
    const [first, second, third] = node.children;
    const parts =
      node.type === 'boolean_operator'
        ? [child(node, 'left'), child(node, 'right')]
        : [first, third ?? second];
    return parts.flatMap((one) => (one ? armsOf(c, info, one, method, calling) : []));
  }
  const own = method ? undefined : isMethodOf(c, info, unwrapped(c, node));
  if (own) return [[{ kind: 'call', at, callee: `python:${own}` }]];
  const place: Place = { ...c, cls: info, known: new Map() };
  if (method) {
    place.scope = scope('function', `${info.path}.${textOf(c.file, child(method, 'name'))}`, c.scope);
    const names = parametersOf(c, method);
    for (const one of names) bind(place, one, { parameter: true });
    bind(place, 'self', { type: ownInstance(c, info.path) });
    if (node.type === 'identifier' && names.includes(textOf(c.file, node))) {
      const name = textOf(c.file, node);
      const isInit = textOf(c.file, child(method, 'name')) === '__init__';
      const handed = (isInit && info.handed?.get(name)) || [];
      const usual = child(method, 'parameters')?.children.find(
        (one) => textOf(c.file, child(one, 'name')) === name,
      );
      const value = usual && child(usual, 'value');
      const otherwise = value && value.type !== 'none' ? calling(c, value) : null;
      const arms = [...likely(handed), ...(otherwise ? [otherwise] : [])];
      return arms.length > 0 ? arms : [unknown];
    }
  }
  return [calling(place, unwrapped(c, node)) ?? unknown];
}

/** `staticmethod(work)` */
function unwrapped(c: Place, node: Syntax): Syntax {
  const callee = node.type === 'call' ? textOf(c.file, child(node, 'function')) : '';
  const inner = /^(staticmethod|classmethod)$/.test(callee)
    ? child(node, 'arguments')?.children[0]
    : undefined;
  return inner ?? node;
}
