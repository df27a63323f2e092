// Code that asks whether a transaction is open and begins one only where there is none: nothing nests there. It reads no calls.
import type { Step } from '../../ir.ts';
import type { Choice, Node } from './syntax.ts';

/** What gives the transaction that is open, or null; its class may have been given another name. */
const CURRENT = String.raw`(?:\w+\s*\.\s*)+currentOrNull\(\s*\)`;
const GIVES = new RegExp(`^${CURRENT}`);
const IS_ONE = new RegExp(`^(?:${CURRENT}|(\\w+))\\s*(==|!=)\\s*null$`);
const ACTIVE =
  /^(!\s*)?(?:\w+\s*\.\s*)*(?:isActualTransactionActive|QuarkusTransaction\s*\.\s*isActive)\(\s*\)$/;
const WORDS = /currentOrNull|isActualTransactionActive|QuarkusTransaction/;
const LEAVES = /\b(?:return|throw)\b/;
/** How far in front of the question the variable is looked for that it asks of. */
const REACH = 1000;

/** The arms, with what one of them begins where none is open as what joins the one that is. */
export function whereNoneIsOpen({ tests, isElse }: Choice, arms: Step[][], text: string): Step[][] {
  const [test] = tests;
  if (!test || !WORDS.test(text)) return arms;
  const asked = text.slice(test.start, test.end).trim();
  const none = isElse && GIVES.test(asked) ? 'all' : armOf(asked, text.slice(0, test.start).slice(-REACH));
  return none === null ? arms : arms.map((arm, i) => (none === 'all' || none === i ? arm.map(joins) : arm));
}

/** `if (current != null) return block()`: what follows begins one only where there is none. */
export function behindAsking(items: Node[], out: Step[], from: number, text: string): void {
  if (!WORDS.test(text)) return;
  const last = items.find((one) => leavesWhereOneIsOpen(one, text));
  if (!last) return;
  for (let i = from; i < out.length; i++) if (out[i]!.at.start >= last.end) out[i] = joins(out[i]!);
}

function leavesWhereOneIsOpen(item: Node, text: string): boolean {
  const said = text.slice(item.start, item.end);
  if (item.kind !== 'choice')
    return new RegExp(`${GIVES.source}\\s*\\?\\.\\s*let\\s*\\{`).test(said) && LEAVES.test(said);
  const [test] = item.tests;
  if (!test || item.exhaustive) return false;
  const asked = text.slice(test.start, test.end).trim();
  return armOf(asked, text.slice(0, test.start).slice(-REACH)) === 1 && LEAVES.test(said);
}

function armOf(asked: string, before: string): number | null {
  const active = ACTIVE.exec(asked);
  if (active) return active[1] ? 0 : 1;
  const [, name, sign] = IS_ONE.exec(asked) ?? [];
  const held = name && new RegExp(`\\b${name}\\s*(?::[^=\\n]{1,80})?=\\s*${CURRENT}`).test(before);
  return sign && (!name || held) ? (sign === '==' ? 0 : 1) : null;
}

function joins(step: Step): Step {
  if (step.kind === 'attempt') return { ...step, body: step.body.map(joins) };
  if (step.kind !== 'scope' || step.opens !== 'transaction') return step;
  const { setting: _, nestedBy: __, ...scope } = step;
  return { ...scope, whenNested: 'join' };
}
