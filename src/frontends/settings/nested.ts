// What a place stands under and beside where braces or headings nest: JSON, HOCON, HCL, Groovy; INI and TOML. YAML has its outline.
import type { Outline } from './outline.ts';

/** So much beside a place tells whose it is. */
const NEAR = 2000;

const BRACES = /\.(?:json[5c]?|(?:jsonn|libsonn)et|conf|hcl|nomad|tf|tfvars|bicep|groovy|gradle|sbt|kts)$/i;
const HEADINGS = /\.(?:ini|toml|cfg)$/i;

/** Nothing where a file nests in neither way, or in another one. */
export function nestedOf(file: string, text: string): Outline | null {
  if (BRACES.test(file)) return braces(text);
  return HEADINGS.test(file) ? headings(text) : null;
}

interface Block {
  key: string;
  start: number;
  end: number;
  parent: Block | null;
}

const TOKEN = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]/g;
/** `"editor": {`, `editor = {`, `editor {`, `resource "a" "b" {` */
const KEY = /(?:["']?([\w.-]+)["']?\s*(?:[:=]\s*)?|\[\s*)$/;

function braces(text: string): Outline {
  let made: Block[] | undefined;
  const at = (place: number): Block | undefined => {
    made ??= blocksOf(text);
    return made.findLast(({ start, end }) => start < place && place < end);
  };
  return {
    keysAbove: (place) => keysOf(at(place)),
    around(place) {
      const block = at(place);
      const [from, to] = [
        Math.max(block?.start ?? 0, place - NEAR),
        Math.min(block?.end ?? text.length, place + NEAR),
      ];
      return [...keysOf(block), text.slice(from, to)].join('\n');
    },
  };
}

function keysOf(block: Block | null | undefined): string[] {
  const out: string[] = [];
  for (let one = block; one; one = one.parent) if (one.key) out.unshift(one.key);
  return out;
}

/** In the order in which they begin, so that of those around a place the last one is the innermost. */
function blocksOf(text: string): Block[] {
  const out: Block[] = [];
  let open: Block | null = null;
  for (const { 0: token, index } of text.matchAll(TOKEN))
    if (token === '{') {
      const key = KEY.exec(text.slice(Math.max(0, index - 100), index))?.[1] ?? '';
      open = { key, start: index, end: text.length, parent: open };
      out.push(open);
    } else if (token === '}' && open) {
      open.end = index;
      open = open.parent;
    }
  return out;
}

function headings(text: string): Outline {
  const own = (place: number): string => {
    const start = text.lastIndexOf('\n[', place) + 1;
    const end = text.indexOf('\n[', place);
    return text.slice(start, end < 0 ? undefined : end);
  };
  return {
    keysAbove(place) {
      const heading = /^\[+([^\]\n]+)\]/.exec(own(place))?.[1];
      return heading ? [heading] : [];
    },
    around: own,
  };
}
