// Puts holes where a template or a preprocessor puts text, of the same length, so that every place stays.
import { HOLE } from './lexer.ts';

const hole = (text: string) => HOLE.repeat(text.length);
/** Line ends stay, so that comments and data end where they did. */
const blank = (text: string) => text.replace(/[^\r\n]/g, ' ');

/** A word that says the macro may be there at all, the macro, and what stands for it. */
const MACROS: [string, RegExp, (text: string) => string][] = [
  ['{#', /\{#[^{}]*#\}/g, blank],
  ['{%', /\{%[^{}]*%\}/g, blank],
  ['{{', /\{\{[^{}]*\}\}/g, hole],
  ['<%', /<%=[^%]*%>/g, hole],
  // Alone on its line, or a word of Ruby's: `<%`, `%>` and `<%>` are operators as well.
  ['<%', /^[ \t]*<%[^=>][^%]*%>|<%-?\s*(?:if|unless|else|elsif|end)\b[^%]*%>/gm, blank],
  ['${', /\$\{[^{}\s]*\}/g, hole],
  ['@', /@[A-Za-z_][\w:]*@/g, hole],
  [
    '#',
    /^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|undef|include|error|pragma|line)\b(?:[^\r\n\\]|\\\r?\n|\\)*/gm,
    blank,
  ],
  // m4 quotes `so'.
  [
    'm4_',
    /^[ \t]*m4_(?:include|changequote|changecom|define|undefine|divert|dnl)\b[^\r\n]*|^[ \t]*(?:m4_if\w*\([^\r\n)]*|(?:<!|!>)[^\r\n<>]*)$|\bm4_\w+\((?:`[^`']*'|[^\r\n()`'])*\)/gm,
    blank,
  ],
  [
    '---',
    /^---[^\r\n]*(?:\r?\n)+(?:[A-Za-z][\w-]*:(?!:)[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n|\r?\n)*)+---[ \t]*$/m,
    blank,
  ],
  ['# ', /^#[ \t]*-*[ \t]*!(?:Ups|Downs).*$/gm, blank],
  ['<<<<<<<', /^(?:<{7}|={7}|>{7}|\|{7})(?:[ \t].*)?$/gm, blank],
];

export function mask(text: string): string {
  let out = text.includes('{%') ? joinArms(text) : text;
  for (const [word, pattern, put] of MACROS) if (out.includes(word)) out = out.replace(pattern, put);
  return out;
}

const TAG = /\{%[-+]?\s*(if|elif|elsif|else|endif)\b[^{}]*%\}/g;
const UNSAID = /--[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{[%#][^{}]*[%#]\}/g;

/** A statement that goes on in each arm of a choice ends in each: it is read with all of them, and ends in the last one. */
function joinArms(text: string): string {
  const isInside: boolean[] = [];
  let isOpen = false;
  let out = '';
  for (const { 0: tag, 1: word, index } of text.matchAll(TAG)) {
    const arm = text.slice(out.length, index);
    const said = arm.replace(UNSAID, blank).trimEnd();
    const end = said.lastIndexOf(';');
    if (end !== -1 || said.trim() !== '') isOpen = end + 1 < said.length;
    const goesOn = word !== 'if' && word !== 'endif' && isInside.at(-1);
    out += (goesOn && end !== -1 && !isOpen ? `${arm.slice(0, end)} ${arm.slice(end + 1)}` : arm) + tag;
    if (word === 'if') isInside.push(isOpen);
    else if (word === 'endif') isInside.pop();
    else isOpen = isInside.at(-1) ?? false;
  }
  return out + text.slice(out.length);
}
