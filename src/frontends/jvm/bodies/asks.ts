// Code that asks whether a transaction is open and begins one only where there is none: nothing nests there. Which calls tell is for others to say.
import type { Name, Routine, Scope, Step } from '../../../ir.ts';
import type { Says, Sight } from '../names/scope.ts';
import type { Choice, Concat, Node } from '../syntax/syntax.ts';
import { leaves } from './leaves.ts';

export interface Asks {
  /** The result of this call says whether one is open. */
  tells(node: Node): void;
  says(node: Node): Says | undefined;
  /** What a variable of that type knows of it which is given that. */
  held(value: Node, out: Step[], type: string | undefined): Held | undefined;
  /** A transaction begins here that may nest: what is asked before matters. */
  nests(): void;
  /** The arms, with what one of them begins where none is open as what joins the one that is; `out` has what the tests call. */
  whereNoneIsOpen(choice: Choice, arms: Step[][], out: Step[]): Step[][];
  /** `if (current != null) return block()`: what follows begins one only where there is none. */
  behindAsking(items: Node[], out: Step[], from: number): void;
  /** The method gives that. */
  returned(value: Node | null | undefined): void;
  /** What it tells by all that it gives. */
  told(): Routine['tells'];
}

/** It says so itself, or it is what a routine gave. */
export type Held = { says: Says } | { asked: Name };

/** Kotlin's own that run a block where there is something. */
const WHERE_SOME = /^(let|run|also|apply)$/;
/** Their arms stand for values of what was asked, and not for yes and no. */
const OF_VALUES = /^(?:switch\b|when\s*\()/;
const OPERATOR = /&&|\|\||[!=]==?|\?:/;

type Asked = NonNullable<Scope['asked']>;

export function createAsks(sight: Sight, text: string): Asks {
  const telling = new Set<Node>();
  let isNesting = false;
  /** Null where another return tells something else. */
  let told: Routine['tells'] | null;
  /** What is known behind them, by the statement that leaves otherwise. */
  const leaving = new Set<Node>();
  return {
    tells: (node) => telling.add(node),
    says,
    held(value, out, type) {
      const said = says(value);
      if (said) return { says: said };
      if (value.kind !== 'call' || (type !== undefined && !/^(?:boolean|var)$/i.test(type))) return undefined;
      const last = out.at(-1);
      return last?.kind === 'call' && last.at.start === value.at.start ? { asked: last.callee } : undefined;
    },
    nests() {
      isNesting = true;
    },
    whereNoneIsOpen,
    behindAsking,
    returned(value) {
      const said = value && telling.size > 0 ? says(value) : undefined;
      const tells = said?.no ? 'open' : said?.yes ? 'none' : null;
      told = told === undefined || told === tells ? tells : null;
    },
    told: () => told ?? undefined,
  };

  function says(node: Node): Says | undefined {
    if (telling.size === 0) return undefined;
    switch (node.kind) {
      case 'call':
      case 'member':
        return telling.has(node) ? { yes: false, no: true } : undefined;
      case 'name':
        return sight.locals.get(node.text)?.says;
      case 'cast':
        return says(node.value);
      case 'several': {
        const [first, second] = node.items;
        if (node.items.length === 1) return says(first!);
        const isNot = node.items.length === 2 && first!.kind === 'literal' && first!.text === '!';
        return isNot ? not(says(second!)) : undefined;
      }
      case 'concat':
        return together(node);
      default:
        return undefined;
    }
  }

  /** `a == null && b`, from the left to the right: what binds closer stands in a part of its own. */
  function together({ parts }: Concat): Says | undefined {
    let left: Node | null = parts[0]!;
    let said = says(left);
    for (const [i, right] of parts.slice(1).entries()) {
      const operator = between(parts[i]!, right);
      const other = says(right);
      if (operator === '&&') said = both(said, other, true);
      else if (operator === '||') said = both(said, other, false);
      else if (!operator || operator === '?:') said = undefined;
      else said = compared(left, said, right, other, operator.startsWith('='));
      left = null;
    }
    return said;
  }

  function compared(
    left: Node | null,
    said: Says | undefined,
    right: Node,
    other: Says | undefined,
    equal: boolean,
  ) {
    const word = constant(right) ?? constant(left);
    const asked = constant(right) ? said : other;
    return word === null ? undefined : (word === 'true') === equal ? asked : not(asked);
  }

  function between(left: Node, right: Node): string | undefined {
    return OPERATOR.exec(text.slice(left.end, right.start))?.[0];
  }

  /** `current?.let { … } ?: …`: there is nothing where there was nothing to ask. */
  function isOfTold(node: Node): boolean {
    let at: Node | null = node;
    for (; at?.kind === 'call' || at?.kind === 'member'; at = at.object) if (telling.has(at)) return true;
    return at !== null && says(at)?.no === true;
  }

  function whereNoneIsOpen(choice: Choice, arms: Step[][], out: Step[]): Step[][] {
    if (telling.size === 0) return isNesting ? whereSaid(choice, arms, out) : arms;
    const { tests, isElse, exhaustive } = choice;
    const [test] = tests;
    if (!test) return arms;
    if (isElse) return isOfTold(test) ? arms.map((arm) => arm.map(joins)) : arms;
    if (OF_VALUES.test(text.slice(choice.start, choice.start + 20))) return arms;
    if (arms.length !== tests.length + (exhaustive ? 1 : 0)) return arms;
    const said = tests.map(says);
    // `asked || return`
    if (tests.length === 1 && between(test, choice.arms[0]!) === '||') said[0] = not(said[0]);
    if (arms.length === 1 && said[0]?.no && leaves(choice.arms[0])) leaving.add(choice);
    let isNone = false;
    return arms.map((arm, i) => {
      const here = isNone || said[i]?.yes;
      isNone ||= said[i]?.no === true;
      return here ? arm.map(joins) : arm;
    });
  }

  /** The same where it is a function of the project that is asked: what that tells, its own file knows. */
  function whereSaid({ tests, arms: nodes, isElse, start, exhaustive }: Choice, arms: Step[][], out: Step[]) {
    if (isElse || OF_VALUES.test(text.slice(start, start + 20))) return arms;
    if (arms.length !== tests.length + (exhaustive ? 1 : 0)) return arms;
    let before: Asked | undefined;
    return arms.map((arm, i) => {
      const test = tests[i];
      const isOr = i === 0 && test && between(test, nodes[0]!) === '||';
      const of = test && !isOr ? calledIn(test, out) : undefined;
      const here = before ?? (of && { of: of.name, is: of.is });
      before ??= of && { of: of.name, is: !of.is };
      return here ? arm.map((step) => marked(step, here)) : arm;
    });
  }

  /** `isOpen()`, `!isOpen()`, `current() == null`: what is called, and what it gave where the test is true. */
  function calledIn(test: Node, out: Step[]): { name: Name; is: boolean } | undefined {
    switch (test.kind) {
      case 'name': {
        const name = sight.locals.get(test.text)?.asked;
        return name && { name, is: true };
      }
      case 'call': {
        const found = out.findLast(({ at }) => at.start === test.at.start);
        return found?.kind === 'call' && found.callee.startsWith('jvm:')
          ? { name: found.callee, is: true }
          : undefined;
      }
      case 'several': {
        const [first, second] = test.items;
        if (test.items.length === 1) return calledIn(first!, out);
        if (test.items.length !== 2 || first!.kind !== 'literal' || first!.text !== '!') return undefined;
        const of = calledIn(second!, out);
        return of && { ...of, is: !of.is };
      }
      case 'concat': {
        const [left, right] = test.parts;
        const operator = test.parts.length === 2 ? between(left!, right!) : undefined;
        if (!operator?.endsWith('=')) return undefined;
        const word = constant(right!) ?? constant(left!);
        const of = word === null ? undefined : calledIn(constant(right!) ? left! : right!, out);
        return of && { ...of, is: operator.startsWith('=') === (word === 'true') };
      }
      default:
        return undefined;
    }
  }

  function behindSaid(items: Node[], out: Step[], from: number): void {
    for (const item of items) {
      if (item.kind !== 'choice' || item.isElse || item.arms.length !== 1 || item.tests.length !== 1)
        continue;
      const of = leaves(item.arms[0]) ? calledIn(item.tests[0]!, out) : undefined;
      if (!of) continue;
      const asked = { of: of.name, is: !of.is };
      for (let i = from; i < out.length; i++)
        if (out[i]!.at.start >= item.end) out[i] = marked(out[i]!, asked);
    }
  }

  function behindAsking(items: Node[], out: Step[], from: number): void {
    if (telling.size === 0) {
      if (isNesting) behindSaid(items, out, from);
      return;
    }
    const last = items.find((item) => leaving.has(item) || leavesWhereSome(item));
    if (!last) return;
    for (let i = from; i < out.length; i++) if (out[i]!.at.start >= last.end) out[i] = joins(out[i]!);
  }

  function leavesWhereSome(item: Node): boolean {
    if (item.kind !== 'call' || !item.object || !WHERE_SOME.test(item.name)) return false;
    const [block] = item.arguments;
    return block?.value.kind === 'lambda' && leaves(block.value.body) && isOfTold(item.object);
  }
}

const constant = (node: Node | null): string | null =>
  (node?.kind === 'literal' || node?.kind === 'name') && /^(null|true|false)$/.test(node.text)
    ? node.text
    : null;

const not = (said: Says | undefined) => said && { yes: said.no, no: said.yes };

/** Of two that must both be true, or one of which must: either may say it of what both have to be. */
function both(a: Says | undefined, b: Says | undefined, must: boolean): Says | undefined {
  if (!a && !b) return undefined;
  const either = (way: 'yes' | 'no') => a?.[way] === true || b?.[way] === true;
  const all = (way: 'yes' | 'no') => a?.[way] === true && b?.[way] === true;
  return must ? { yes: either('yes'), no: all('no') } : { yes: all('yes'), no: either('no') };
}

function marked(step: Step, asked: Asked): Step {
  if (step.kind === 'attempt' || step.kind === 'loop' || step.kind === 'block')
    return { ...step, body: step.body.map((one) => marked(one, asked)) };
  if (step.kind === 'branch')
    return { ...step, arms: step.arms.map((arm) => arm.map((one) => marked(one, asked))) };
  return step.kind === 'scope' && step.opens === 'transaction' && !step.asked ? { ...step, asked } : step;
}

function joins(step: Step): Step {
  if (step.kind === 'attempt' || step.kind === 'loop' || step.kind === 'block')
    return { ...step, body: step.body.map(joins) };
  if (step.kind === 'branch') return { ...step, arms: step.arms.map((arm) => arm.map(joins)) };
  if (step.kind !== 'scope' || step.opens !== 'transaction') return step;
  const { setting: _, nestedBy: __, ...scope } = step;
  return { ...scope, whenNested: 'join' };
}
