// What a condition says as text, in the parts of which each must hold. It knows no variable.
import { unbroken } from '../../unbroken.ts';
import type { Node } from '../syntax/syntax.ts';

/** A part: what must hold, or with `isNot` what must not. */
export interface Said {
  text: string;
  isNot: boolean;
  /** One of these is enough. */
  either?: Said[];
}

/** What is longer asks for other things. */
const LONGEST = 200;

/** Each of `a && b`; where it must not hold, each of `a || b`. */
export function conjuncts({ start, end }: Node, text: string, isNot = false): Said[] {
  const whole = unbroken(text.slice(start, end), LONGEST);
  if (whole === '') return [];
  const out: Said[] = [];
  const stack: Said[] = [{ text: whole, isNot }];
  for (let one = stack.pop(); one; one = stack.pop()) {
    const plain = bare(one);
    const { isNot } = plain;
    const parts = divided(plain.text, isNot ? '||' : '&&');
    const others = divided(plain.text, isNot ? '&&' : '||');
    if (parts.length > 1) stack.push(...parts.reverse().map((part) => ({ text: part, isNot })));
    else if (others.length === 1) out.push(plain);
    else out.push({ ...plain, either: others.map((part) => bare({ text: part, isNot })) });
  }
  return out;
}

/** Without the brackets around it and the sign before it. */
function bare({ text, isNot }: Said): Said {
  const said = text.trim();
  if (said.startsWith('!') && behind(said, said.indexOf('(')) === said.length && /^!\s*\(/.test(said))
    return bare({ text: said.slice(1), isNot: !isNot });
  if (said.startsWith('(') && behind(said, 0) === said.length)
    return bare({ text: said.slice(1, -1), isNot });
  return /^!\s*(?:"[^"]*"\.)?[\w.]+(?:\[\d\])?(?:\((?:[^()]|\([^()]*\))*\))?(?:\.\w+\([^()]*\))*$/.test(said)
    ? { text: said.slice(1).trim(), isNot: !isNot }
    : { text: said, isNot };
}

/** Where the bracket ends that opens there. */
function behind(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i >= 0 && i < text.length; i = next(text, i)) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i + 1;
  }
  return -1;
}

function divided(text: string, sign: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i = next(text, i)) {
    if (/[([{]/.test(text[i]!)) depth++;
    else if (/[)\]}]/.test(text[i]!)) depth--;
    else if (depth === 0 && text.startsWith(sign, i)) {
      out.push(text.slice(from, i));
      from = i + sign.length;
      i++;
    }
  }
  return [...out, text.slice(from)];
}

/** Behind a string. */
function next(text: string, i: number): number {
  if (text[i] !== '"') return i + 1;
  let end = i + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}
