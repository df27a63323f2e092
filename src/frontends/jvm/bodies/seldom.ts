// What runs in one or a few turns of its loop alone: until a flag is set, for the item that is called so, in the first turn. It asks what conditions say, and lowers nothing.
import type { Step } from '../../../ir.ts';
import { onceIn } from '../calls/kept.ts';
import type { Constants, Sight, Turning, World } from '../names/scope.ts';
import type { Choice, Node } from '../syntax/syntax.ts';
import type { Begun } from '../texts/turns.ts';
import { reading } from '../texts/written.ts';
import { endsLoops, fillsKey, surely } from './flags.ts';
import { turnsOfArm, turnsWhere } from './items.ts';
import { leaves } from './leaves.ts';
import { conjuncts, type Said } from './said.ts';

export interface Seldom {
  sight: Sight;
  world: World;
  constants: Constants;
  begun: Begun;
}

/** So many turns of the innermost loop, or one of so many loops. */
interface Few {
  turns: number;
  loops: number;
  /** The condition that says so. */
  asked: string;
}

/** The arms, each in a block where it runs in some turns alone. */
export function inSomeTurns(node: Choice, arms: Step[][], c: Seldom): Step[][] {
  const turning = around(node, c.sight);
  if (turning.length === 0) return arms;
  return arms.map((steps, i) => {
    const run = node.arms[i];
    if (steps.length === 0 || !run || onlyEnds(steps)) return steps;
    const rest = [
      ...(isAssigned(node, c.world.text) ?? []),
      ...behindIn(turning.at(-1)!, node, c.world.text),
    ];
    const few = fewest(holding(node, i, c.world.text), [run, ...rest], turning, c);
    const own = turnsOfArm(node, i, turning.at(-1)!, ways(c));
    return wrapped(
      steps,
      own !== null && (!few || own < few.turns) ? { turns: own, loops: 1, asked: '' } : few,
      turning,
      c,
    );
  });
}

/** `if (done) continue;`, `if (!"owner".equals(role.getName())) continue;`: what follows. */
export function behindOthers(items: Node[], out: Step[], from: number, c: Seldom): void {
  for (const item of items) {
    if (item.kind !== 'choice' || item.exhaustive || item.isElse || item.tests.length !== 1) continue;
    const turning = around(item, c.sight);
    if (turning.length === 0 || !c.world.text.startsWith('if', item.start) || !leaves(item.arms[0])) continue;
    const at = out.findIndex((step, i) => i >= from && step.at.start >= item.end);
    if (at < 0 || onlyEnds(out.slice(at))) continue;
    const rest = items.filter(({ start }) => start >= item.end);
    const few = fewest(conjuncts(item.tests[0]!, c.world.text, true), rest, turning, c);
    if (!few) continue;
    out.push(...wrapped(out.splice(at), few, turning, c));
    return;
  }
}

/** The loops around that this stands in as it is written: what a variable holds may be called in another one. */
function around(node: Node, { turning = [] }: Sight): Turning[] {
  const from = turning.findLastIndex(({ start, end }) => node.start < start || end < node.end);
  return turning.slice(from + 1);
}

/** What must hold for this arm to run. */
function holding({ tests, arms, isElse, exhaustive, start }: Choice, arm: number, text: string): Said[] {
  const [test] = tests;
  if (isElse) return test ? [{ text: `${text.slice(test.start, test.end)} == null`, isNot: false }] : [];
  const isWhen = /^when\s*\{/.test(text.slice(start, start + 20));
  const isTernary = tests.length === 1 && text.slice(test!.end, arms[0]?.start).includes('?');
  if (!isWhen && !isTernary && !text.startsWith('if', start)) return [];
  const own = isWhen ? tests.findLast((one) => arms[arm]!.start === one.start) : tests[arm];
  if (own) return conjuncts(own, text);
  return exhaustive ? tests.flatMap((one) => conjuncts(one, text, true)) : [];
}

function fewest(said: Said[], run: Node[], turning: Turning[], c: Seldom): Few | null {
  let best: Few | null = null;
  for (const one of said) {
    const loops =
      endsLoops(one, run, turning, c.sight, c.world) || fillsKey(one, run, turning, c.sight, c.world);
    if (loops > (best?.turns === 1 ? best.loops : 0)) best = { turns: 1, loops, asked: one.text };
    const turns =
      loops > 0 ? null : (turnsWhere(one, turning.at(-1)!, ways(c)) ?? countedIn(one, run, turning, c));
    if (turns !== null && (!best || turns < best.turns)) best = { turns, loops: 1, asked: one.text };
  }
  return best;
}

/** `if (warned < 3) { …; warned++; }`, where nothing in the loop sets it back. */
function countedIn({ text, isNot }: Said, run: Node[], turning: Turning[], c: Seldom): number | null {
  const [, name, sign, most] = /^(\w+)\s*(<=?)\s*(\d+)$/.exec(text) ?? [];
  const around = turning.at(-1)!;
  if (name === undefined || isNot || !c.sight.locals.has(name)) return null;
  const own = c.world.text.slice(around.start, around.end);
  const others = new RegExp(`--\\s*${name}\\b|(?<![\\w$.])${name}\\s*(?:--|[-*/]=|=(?!=))`);
  const step = new RegExp(`^(?:\\+\\+\\s*${name}|${name}\\s*(?:\\+\\+|\\+=\\s*1))$`);
  const counts = run
    .flatMap((node) => [...surely(node, c.world.text)])
    .some(
      ({ start, end }) =>
        end - start < 40 && step.test(c.world.text.slice(start, end).replace(/;$/, '').trim()),
    );
  return counts && !others.test(own) ? Number(most) + (sign === '<=' ? 1 : 0) : null;
}

const ways = ({ world, constants, begun }: Seldom) => ({ ...reading(world.text, constants), begun });

function wrapped(steps: Step[], few: Few | null, turning: Turning[], { sight, world }: Seldom): Step[] {
  if (!few) return steps;
  const { at } = steps[0]!;
  const { turns } = few;
  const body: Step[] =
    turns === 1 ? steps : [{ kind: 'loop', at, over: 'items', times: turns, atMost: true, body: steps }];
  return [{ kind: 'block', at, once: onceIn(few.loops, turning, few.asked, sight, world), body }];
}

/** `id = id == null ? create() : id`: what is asked for is set by what it gives. */
function isAssigned({ start, end, arms }: Choice, text: string): Node[] | null {
  const before = text.slice(Math.max(0, start - 60), start);
  const [, name] = /(?:^|[;{}\n])\s*(?:this\.)?(\w+)\s*=\s*\(?$/.exec(before) ?? [];
  const value = arms[0];
  if (name === undefined || !value) return null;
  const at = start - /\w+\s*=\s*\(?$/.exec(before)![0].length;
  return [
    {
      kind: 'assign',
      start: at,
      end,
      target: { kind: 'name', text: name, start: at, end: at + name.length },
      value,
    },
  ];
}

/** `if (first) { … } first = false;`: what each turn that comes to the one comes to as well. */
function behindIn({ body }: Turning, node: Choice, text: string): Node[] {
  const items = body.kind === 'sequence' ? body.items : [];
  const at = items.indexOf(node);
  if (at < 0) return [];
  const rest = items.slice(at);
  const stop = rest.findIndex((one) => /\b(?:continue|return)\b/.test(text.slice(one.start, one.end)));
  return rest.slice(1, stop < 0 ? undefined : stop).filter(({ kind }) => kind === 'assign');
}

/** What it ends was opened elsewhere: that says how long it lasted. */
const onlyEnds = (steps: Step[]) =>
  steps.some(({ kind }) => kind === 'release' || kind === 'rollback to') &&
  !steps.some(({ kind }) => kind === 'savepoint');
