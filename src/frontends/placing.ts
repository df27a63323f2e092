// Functions in variables, whose steps stand where they are called: how often, and how deep in each other. Not what they do.
import type { Step } from '../ir.ts';

const DEEPEST = 50;
/** So many steps may stand once more: where each function calls the next one twice they double with each. */
const MOST = 2_000;

/** For one file or routine. A function that calls itself stands where it is called once: how deep it goes is known only when it runs. */
export function createPlacing(): (code: object, steps: () => Step[]) => Step[] {
  const running = new Set<object>();
  const placed = new Set<object>();
  let room = MOST;
  return (code, steps) => {
    const again = placed.has(code);
    if (running.has(code) || running.size === DEEPEST || (again && room <= 0)) return [];
    running.add(code);
    placed.add(code);
    const out = steps();
    running.delete(code);
    if (again) room -= 1 + out.length;
    return out;
  };
}
