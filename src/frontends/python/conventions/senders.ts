// Whose objects a receiver is for that names no sender, as far as it asks for their class before all else. What it does is lowered elsewhere.
import { child, type Syntax } from '../../syntax.ts';
import { canonical } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';

/** Classes, as paths: those alone, or all but those; `exact`: and none that descends from them. */
export interface Senders {
  only?: string[];
  but: string[];
  exact: boolean;
}

/** `isinstance(instance, (Order, Line))`, `sender not in AUDITED`, `sender is Order` */
const ASKS =
  /^(not )?(?:isinstance\(\s*instance\s*,\s*([^()]+|\([^()]*\))\)|issubclass\(\s*sender\s*,\s*([^()]+|\([^()]*\))\)|sender (in|not in|is|is not|==|!=) ([\w.]+|[([{][^()[\]{}]*[)\]}]))$/;

/** Undefined where it asks for something else that says which class it is. */
export function sendersOf(place: Place, definition: Syntax): Senders | undefined {
  const out: Senders = { but: [], exact: false };
  const body = textOf(place.file, child(definition, 'body'));
  if (body.includes('AttributeError')) return undefined;
  const decides = decidedIn(body);
  const list = (child(definition, 'body')?.children ?? []).filter(
    (one) => one.type !== 'comment' && one.children[0]?.type !== 'string',
  );
  for (const [i, one] of list.entries()) {
    const its = one.type === 'if_statement' ? askedBy(place, child(one, 'condition'), decides) : undefined;
    const alone = !one.children.some(({ field }) => field === 'alternative');
    if (!its) {
      if (decides(textOf(place.file, one))) return undefined;
      continue;
    }
    if (its === 'unknown' || !alone) return undefined;
    const then = child(one, 'consequence');
    const leaves = then?.children.at(-1)?.type === 'return_statement';
    if (decides(textOf(place.file, then))) return undefined;
    // Either all others are sent away, or what is done for these is all that it does.
    if (!leaves && (i < list.length - 1 || !its.holds)) return undefined;
    if (its.holds !== leaves) {
      if (out.only) return undefined;
      out.only = its.classes;
      out.exact = its.exact;
    } else out.but.push(...its.classes);
  }
  // Who is handed the object may ask.
  return out.only || !HANDS.test(body.replace(/\bis(?:instance|subclass)\(/g, '')) ? out : undefined;
}

const HANDS = /[(,=]\s*(?:sender|instance)\s*[,)]/;

interface Asked {
  classes: string[];
  /** It holds for these, and not for all others. */
  holds: boolean;
  exact: boolean;
}

function askedBy(
  place: Place,
  condition: Syntax | undefined,
  decides: Decides,
): Asked | 'unknown' | undefined {
  const text = textOf(place.file, condition).replace(/\s+/g, ' ');
  const [, not, instance, sub, how, named] = ASKS.exec(text) ?? [];
  const written = instance ?? sub ?? named;
  if (written === undefined) return decides(`if ${text}:`) ? 'unknown' : undefined;
  const names =
    written.startsWith('(') || /^[[{]/.test(written) ? written.slice(1, -1) : listed(place, written);
  const classes = names.split(',').flatMap((one) => pathOf(place, one.trim()) ?? (one.trim() ? [''] : []));
  if (classes.length === 0 || classes.includes('')) return 'unknown';
  return { classes, holds: !not !== /^(?:not in|is not|!=)$/.test(how ?? ''), exact: how !== undefined };
}

/** `AUDITED = (Order, Line)` at the top of the module. */
function listed({ file }: Place, name: string): string {
  for (const { children } of file.root.children) {
    const one = children[0];
    const right =
      one?.type === 'assignment' && textOf(file, child(one, 'left')) === name && child(one, 'right');
    if (right && /^(?:tuple|list|set)$/.test(right.type)) return textOf(file, right).slice(1, -1);
  }
  return name;
}

function pathOf(place: Place, name: string): string | undefined {
  const [first, ...rest] = name.split('.');
  const path = place.scope.names.get(first!)?.path;
  return path && canonical([path, ...rest].join('.'));
}

/** Something that the class decides: a condition or a loop that is handed the object or its class, or what was made of one of them. */
type Decides = (text: string) => boolean;

function decidedIn(whole: string): Decides {
  const made = [...whole.matchAll(MADE)].map(([, name]) => `${name}\\b`);
  const words = new RegExp(`\\b(?:${[CLASS, ...made].join('|')})`);
  return (text) => text.split('\n').some((line) => DECIDES.test(line) && words.test(line));
}

const CLASS = 'sender\\b|instance\\b(?!\\.\\w)|instance\\._meta\\b|instance\\.__class__';
const MADE = new RegExp(`\\b(\\w+) *=(?!=)[^\\n]*\\b(?:${CLASS})`, 'g');
const DECIDES = /\b(?:if|elif|while|assert|match|for|and|or)\b/;
