// Puts holes where a driver or a host language puts values, of the same length; tells SQL from other text.
import { HOLE } from './lexer.ts';

const PLACE =
  /%\(\w+\)[sbt]|%s|%[bt](?!\w)|\{\w*(?:![rsa])?\}|[$#]\{[^{}]*\}|(?<![:\w\]'"]):[A-Za-z_\u00aa-\uffff][\w\u00aa-\uffff]*/g;

export function holes(text: string): string {
  return text.includes('%') || text.includes('{') || text.includes(':')
    ? text.replace(PLACE, (found) => HOLE.repeat(found.length))
    : text;
}

/** What a host hands in at a placeholder: by its number among those without a name, by its name, or as `$1`. */
export type Bound = (which: number | string) => string | undefined;

/** What a host knows of what it puts into its text. */
export interface Host {
  /** The whole file. */
  text: string;
  bound?: Bound | undefined;
}

/** `{order.id}` of Python, `#{order.id}` of Ruby, `$id` and `${order.id}` of Kotlin, `"…" + order.id`: the name that stands there. */
export function interpolated(text: string, start: number): string | undefined {
  NAMED.lastIndex = start;
  const [, braced, bare, added] = NAMED.exec(text) ?? [];
  return braced ?? bare ?? added;
}

const NAMED =
  /[#$]?\{\s*(@{0,2}[A-Za-z_]\w*(?:\.\w+(?:\(\))?)*)\s*(?:![rsa]\s*)?\}|\$([A-Za-z_]\w*)|(@{0,2}[A-Za-z_]\w*(?:\??\.\w+(?:\(\))?)*)(?=\s*(?:\+(?!\+)|[;,)]|$))/my;

/** Quotes and comments have none. */
const BOUND =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|%\((\w+)\)[sbt]|(?<![:\w\]]):([A-Za-z_\u00aa-\uffff][\w\u00aa-\uffff]*)|(\$\d+)|%s|%[bt](?!\w)|\?(?![|&?])/g;

/** The placeholders of drivers, by where they stand. */
export function placeholders(text: string): Map<number, number | string> {
  const out = new Map<number, number | string>();
  let unnamed = 0;
  for (const { 0: found, 1: percent, 2: colon, 3: dollar, index } of text.matchAll(BOUND))
    if (!/^['"-]/.test(found)) out.set(index, percent ?? colon ?? dollar ?? unnamed++);
  return out;
}

/** What has to follow a statement's first word, so that a sentence is not taken for SQL. */
const FIRST: [RegExp, RegExp][] = [
  [/^(?:begin|start|commit|end|abort|rollback)$/, /^(?:\s+(?:work|transaction|isolation|level|serializable|repeatable|read|committed|uncommitted|write|only|not|deferrable|and|no|chain),?)*(?:\s+to\s+(?:savepoint\s+)?[^\s;]+|\s+prepared\s+[^\s;]+)?\s*(?:;|--|\/\*|$)/],
  [/^(?:savepoint|release)$/, /^\s+(?:savepoint\s+)?(?:"[^"]+"|[^\s;]+)\s*(?:;|--|\/\*|$)/],
  [/^select$/, /^\s*[\s(*'"$\d]/],
  [/^with$/, /^\s+(?:recursive\s+)?\S+?\s*(?:\([^()]*\)\s*)?as\s*(?:not\s+)?(?:materialized\s*)?\(/],
  [/^insert$/, /^\s+into\s/],
  [/^update$/, /^\s+(?:only\s+)?\S[^;]*?\sset\s/],
  [/^delete$/, /^\s+from\s/],
  [/^merge$/, /^\s+into\s/],
  [/^values$/, /^\s*\(/],
  [/^table$/, /^\s+\S+\s*(?:;|$)/],
  [/^truncate$/, /^\s+(?:table\s|only\s|\S+\s*(?:;|$|,|restart|cascade))/],
  [/^copy$/, /^\s*(?:\(|\S+\s*(?:\([^()]*\)\s*)?(?:from|to)\s)/],
  [/^lock$/, /^\s+table\s|^\s+\S+\s+in\s+\w+\s/],
  [/^(?:create|alter|drop)$/, /^\s+(?:or\s+replace\s+)?(?:(?:temp|temporary|unlogged|global|local|constraint|unique|recursive|foreign|materialized|event|trusted)\s+)*(?:function|procedure|routine|aggregate|trigger|view|table|index|rule|policy|domain|operator|schema|sequence|type|extension|cast|statistics|publication|subscription|server|role|user|database|language|collation|owned|default|group|tablespace|text|access|conversion|transform)\b/],
  [/^call$/, /^\s+[^\s(;]+\s*\(/],
  [/^do$/, /^\s*(?:\$|'|language\s)/],
  [/^set$/, /^\s+(?:(?:session|local)\s+)?[\w.]+\s*(?:=|\bto\b)|^\s+(?:local\s+|session\s+)?(?:transaction|constraints|role|session|schema|time)\s/],
  [/^declare$/, /^\s+\S[^;]*\scursor\s/],
  [/^execute$/, /^\s+\S+\s*(?:\(|;|$)/],
  [/^prepare$/, /^\s+(?:transaction\s+['"$%]|\S[^;]*?\sas\s)/],
  [/^explain$/, /^\s*(?:\(|(?:analyze|verbose|select|insert|update|delete|with|merge)\s)/],
  [/^refresh$/, /^\s+materialized\s/],
  [/^(?:analyze|reindex|cluster|vacuum)$/, /^\s*(?:[(;]|$|\S+\s*(?:;|$|\())/],
  [/^comment$/, /^\s+on\s+(?:column|table|function|constraint|index|view|schema|type|trigger|extension|database|role|policy|procedure)\s/],
  [/^(?:grant|revoke)$/, /^\s+\S[^;]*\s(?:on|to|from)\s/],
  [/^import$/, /^\s+foreign\s/],
]; // biome-ignore format: a table

/** It starts as a statement does, after blanks, brackets and comments. */
export function looksLikeSql(text: string): boolean {
  const start = /^(?:[\s(;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*([a-zA-Z]+)/.exec(text);
  if (!start) return false;
  const word = start[1]!.toLowerCase();
  const rest = text.slice(start[0].length, start[0].length + 2000).toLowerCase();
  return FIRST.some(([first, after]) => first.test(word) && after.test(rest));
}
