// Functions of the database in the arguments of a query, which the server calls for each of its rows. It reads no whole statement.
import type { Routine, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { constantIn } from '../classes/constants.ts';
import { askedOf, narrowsToOne, pickedOf, picksOne } from '../counts/picked.ts';
import { isConstantName } from '../names/assignments.ts';
import { canonical, chained, computing, expressions } from '../names/knowledge.ts';
import { type ClassInfo, type Place, type Type, textOf } from '../names/scope.ts';
import { constantText, isClassLike, resolve } from '../names/values.ts';
import { understand } from './calls.ts';
import { python } from './rows.ts';

/** What the arguments of a call do, as it is done where the call is such a part of a query. */
export function computed(c: Place, call: Syntax, callee: Syntax, steps: Step[]): Step[] {
  if (steps.length === 0 || !steps.every(isComputed)) return steps;
  const how = computing(nameOf(c, callee));
  if (!how || how === 'one') return steps;
  const made = steps.filter(isMade);
  const body = steps.map(asExpression);
  const { whole, takesOne } = chain(c, call);
  if (takesOne || (how === 'columns' && !namesColumn(c, whole))) return [...made, ...body];
  const model = modelOf(c, call);
  if (picksOne(c, askedOf(call), model) || narrowsToOne(c, call)) return [...made, ...body];
  const asks = (query: Syntax | undefined) => pickedOf(c, query, model, () => null);
  const picked = asks(whole) ?? asks(askedOf(whole));
  const at = body[0]!.at;
  // A query may be made and never asked.
  const loop: Step = { kind: 'loop', at, over: 'query', times: null, certainty: 'likely', ...(picked && { picked }), body }; // biome-ignore format: one step
  return [...made, loop];
}

const isMade = (step: Step): boolean => step.kind === 'call' && step.callee.endsWith(MAKER);
/** What is handed to a query as an expression stands for a call of the server, or is an object that does. */
const isComputed = (step: Step): boolean =>
  isMade(step) ||
  (step.kind === 'call' && step.callee.startsWith('sql:')) ||
  (step.kind === 'loop' && step.over === 'query');

const MAKER = '.__init__';
/** What such an object becomes; no method of a program is called so. */
const COMPILED = '.$computed';

/** `Normalise(F("name"))`: of which function an object of this class is a call, its own file says. */
function asExpression(step: Step): Step {
  if (step.kind !== 'call' || !isMade(step)) return step;
  const callee = python(`${step.callee.slice('python:'.length, -MAKER.length)}${COMPILED}`);
  return { kind: 'call', at: step.at, callee, meanings: [{ steps: [] }] };
}

/** `class Normalise(Func): function = "normalise"` */
export function compiled(c: Place, cls: ClassInfo): Routine | undefined {
  for (const base of cls.bases) {
    const attribute = expressions.get(canonical(base));
    const given = attribute === undefined ? undefined : constantIn(c, cls, attribute);
    const name = given && constantText(c, given);
    if (!given || !name || !/^[\w.]+$/.test(name)) continue;
    const at = { start: given.start, end: given.end };
    return {
      name: python(`${cls.path}${COMPILED}`), at, kind: 'method', entry: 'called', startsIn: 'caller', implied: true,
      body: [{ kind: 'call', at, callee: `sql:${name.toLowerCase()}` }],
    }; // biome-ignore format: one routine
  }
  return undefined;
}

function nameOf(c: Place, callee: Syntax): string {
  if (callee.type === 'attribute') return textOf(c.file, child(callee, 'attribute'));
  const path = resolve(c, callee)?.path ?? '';
  return path.slice(path.lastIndexOf('.') + 1);
}

function modelOf(c: Place, call: Syntax): Type | undefined {
  const receiver = understand(c, call)?.receiver;
  return receiver?.item ?? receiver;
}

/** All that a query is asked, through whoever executes it, and whether that is for one row. */
function chain(c: Place, call: Syntax): { whole: Syntax; takesOne: boolean } {
  const { asks } = chained();
  let whole = call;
  let takesOne = false;
  const ask = (one: Syntax) => {
    if (computing(nameOf(c, child(one, 'function')!)) === 'one') takesOne = true;
  };
  for (let at: Syntax | undefined = call; at?.type === 'call'; at = askedOf(at, true)) ask(at);
  for (let at = call; ; ) {
    const up = at.parent;
    const [asked, list] = [up?.parent, up?.type === 'argument_list' ? up.parent : undefined];
    if (up?.type === 'attribute' && asked?.type === 'call' && child(asked, 'function') === up) {
      if (at === whole) whole = asked;
      at = asked;
      ask(at);
    } else if (list?.type === 'call' && asks.has(nameOf(c, child(list, 'function')!))) {
      at = list;
      ask(at);
    } else if (up?.type === 'await') at = up;
    else return { whole, takesOne: takesOne || up?.type === 'subscript' };
  }
}

/** `select(func.normalise(Product.name))` asks a table, `select(func.now())` none. */
function namesColumn(c: Place, node: Syntax): boolean {
  if (node.type === 'attribute') {
    const [object, name] = [child(node, 'object'), textOf(c.file, child(node, 'attribute'))];
    if (name === 'c') return true;
    const isName = object?.type === 'identifier' || object?.type === 'attribute';
    const path = isName ? (resolve(c, object)?.path ?? textOf(c.file, object)) : '';
    if (isClassLike(c, path) && !isConstantName(name)) return true;
  }
  return node.children.some((one) => namesColumn(c, one));
}
