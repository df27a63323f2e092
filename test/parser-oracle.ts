// What holds for every parser of ours: it sees what the oracle sees, an error costs little, and no text takes long. It knows no language.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Syntax } from '../src/frontends/syntax.ts';
import type { CorpusFile } from './corpus.ts';

/** The first difference between our tree and the oracle's; '' when there is none, null when the oracle does not read the text. */
export type Difference = (text: string) => string | null;

/** What our own pages show of a language. */
export const pagesOf = (language: string): string[] =>
  readdirSync('fixtures', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => [
      ...readFileSync(`fixtures/${file}`, 'utf8').matchAll(
        new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, 'gms'),
      ),
    ])
    .map(([, text]) => text!);

/** A node without its parent, and without what the two trees need not agree in. */
export interface Plain {
  type: string;
  field: string | null;
  start: number;
  end: number;
  children: Plain[];
}

/** The first difference of two trees in words; '' when there is none. */
export function compare(ours: Plain, theirs: Plain, text: string): string {
  if (
    ours.type !== theirs.type ||
    ours.field !== theirs.field ||
    ours.start !== theirs.start ||
    ours.end !== theirs.end ||
    ours.children.length !== theirs.children.length
  )
    return `«${around(text, theirs.start || theirs.children[0]?.start || 0)}»: ours is ${shown(ours)}, theirs ${shown(theirs)}`;
  for (const [i, one] of ours.children.entries()) {
    const found = compare(one, theirs.children[i]!, text);
    if (found) return found;
  }
  return '';
}

const shown = ({ type, field, start, end, children }: Plain) =>
  `${field ? `${field}: ` : ''}${type} ${start}–${end} (${children.map((one) => one.type).join(' ')})`;

export const around = (text: string, at: number) => text.slice(at, at + 60).replaceAll('\n', '⏎');

/** The types and fields of a tree. */
export function outline(node: Syntax): string {
  const inside = node.children.map(outline).join(' ');
  return `${node.field ? `${node.field}: ` : ''}${node.type}${inside && `(${inside})`}`;
}

/** Every node lies in its parent, behind the one before it. */
export function expectInOrder(root: Syntax): void {
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    let at = node.start;
    for (const one of node.children) {
      expect(one.parent).toBe(node);
      expect(one.start).toBeGreaterThanOrEqual(at);
      expect(one.end).toBeLessThanOrEqual(Math.max(node.end, one.start));
      at = one.end;
      stack.push(one);
    }
  }
}

/** Texts with a piece cut out, or with junk in its place; `last` follows them. */
export function forBrokenTexts(
  texts: string[],
  junk: string[],
  last: string,
  check: (text: string) => void,
): void {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...texts), place, place, fc.constantFrom(...junk), (text, a, b, one) => {
      const from = Math.floor(text.length * Math.min(a, b));
      const to = Math.floor(text.length * Math.max(a, b));
      check(`${text.slice(0, from)}${one}${text.slice(to)}\n${last}\n`);
    }),
    { numRuns: Number(process.env.SUBXACT_FUZZ ?? 500) },
  );
}

/** Twenty thousand times the same: what took the square of that would take far longer. */
export const TIMES = 20_000;

export function expectQuick(parse: (text: string) => unknown, text: string, name: string): void {
  const before = process.cpuUsage();
  parse(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000, name).toBeLessThan(4_000);
}

/** Files with the same tree, those that the oracle does not read, and its known faults; all else is `wrong`. */
export function compareFiles(
  files: CorpusFile[],
  difference: Difference,
  faults: [string, RegExp][],
  /** What else is wrong with a file whose tree is the same, or that the oracle does not read. */
  further: (file: CorpusFile, isSame: boolean) => string = () => '',
) {
  const count = { same: 0, rejected: 0 };
  const known = new Map<string, number>();
  const wrong: string[] = [];
  for (const file of files) {
    const found = difference(file.text);
    if (found) {
      const fault = faults.find(([, at]) => at.test(found));
      if (fault) known.set(fault[0], (known.get(fault[0]) ?? 0) + 1);
      else wrong.push(`${file.name} ${found}`);
    } else {
      if (found === '') count.same++;
      else count.rejected++;
      const more = further(file, found === '');
      if (more) wrong.push(`${file.name} ${more}`);
    }
  }
  console.log(
    `${count.same} files have the same tree, ${count.rejected} the oracle does not read`,
    Object.fromEntries(known),
  );
  return { ...count, wrong };
}
