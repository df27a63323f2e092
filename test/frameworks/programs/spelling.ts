// What the programs of all languages share: how lines are put together, and how much a program may do. Not a syntax.
import type { Stmt } from '../../properties/application.ts';

export interface Rendered {
  files: Record<string, string>;
  /** Nothing stands under a condition, nothing fails, and every number of turns is written. */
  straight: boolean;
  /** A statement may fail without saying so. */
  fails: boolean;
  /** Levels stay open that are not counted: what tries again left them, or what is written joins nothing. */
  uncounted?: boolean;
}

/** Where a statement stands. */
export interface Place {
  file: string;
  /** Variables that count loops of this function, innermost last; what is below a function begins anew. */
  loops: string[];
  flag: boolean;
  callable: number;
  scoped: boolean;
}

export const pick = <T>(from: T[], how: number): T => from[how % from.length]!;
export const title = (name: string) => `Of${name[0]!.toUpperCase()}${name.slice(1)}`;
export const indented = (by: string) => (lines: string[]) => lines.map((line) => by + line);

/** How often something may run that costs so much each time. */
export const turnsWithin = (most: number, times: number, each: number): number =>
  Math.min(times, Math.max(1, Math.floor(most / Math.max(1, each))));

export interface Work {
  /** Statements and subtransactions so far, of one routine with all that it calls. */
  cost: number;
  name(of?: string): string;
  /** The variable of a loop, what it runs, how often, and the numbers that are as many. */
  loop(stmt: Extract<Stmt, { k: 'loop' }>, at: Place): { i: string; body: string[]; n: number; numbers: string };
  /** The name of a function in a function, what it runs, how often it is called, and such calls. */
  local(stmt: Extract<Stmt, { k: 'local' }>, at: Place): {
    f: string;
    body: string[];
    n: number;
    calls(line: string): string[];
  };
} // biome-ignore format: one family a line

/** Keeps a routine from doing more than `most`, so that it ends soon. */
export function within(most: number, list: (body: Stmt[], at: Place) => string[]): Work {
  let names = 0;
  const again = (times: number, body: Stmt[], at: Place) => {
    const before = work.cost;
    const lines = list(body, at);
    const each = work.cost - before;
    const n = turnsWithin(most, times, each);
    work.cost = before + each * n;
    return { body: lines, n };
  };
  const work: Work = {
    cost: 0,
    name: (of = 'x') => `${of}${names++}`,
    loop(stmt, at) {
      const i = work.name('i');
      const { body, n } = again(stmt.times, stmt.body, { ...at, loops: [...at.loops, i] });
      return { i, body, n, numbers: Array.from({ length: n }, (_, k) => k).join(', ') };
    },
    local(stmt, at) {
      const f = work.name('inner');
      // Some of them run it twice.
      const { body, n } = again(stmt.times * 2, stmt.body, { ...at, loops: [], scoped: false });
      const calls = n === 1 ? 1 : stmt.times;
      return { f, body, n: calls, calls: (line) => Array<string>(calls).fill(line) };
    },
  };
  return work;
}
