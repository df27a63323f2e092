// In which contexts a routine was visited or waits for it, and how surely. Not what a visit tells.
import type { Linked } from '../definitions/program.ts';
import type { Closure } from './run.ts';
import { CODES, code, key, type State } from './state.ts';

/** Most are a number: what `code` says, and the role. */
export type Context = string | number;

const MOST_ROLES = 4;
/** Routines that call each other may come to each of them with any of their savepoints open, in any order. */
const MOST_EXACT = 100;

export function createContexts(routines: number) {
  /** By context, then by routine: 1 for the surest way, 0 for none. */
  const plain: Uint8Array[] = [];
  const others = new Map<string, number>();
  const exactly = new Uint16Array(routines);
  let cut = false;
  return {
    /** Something was not told apart, so that the order of visits makes a difference. */
    isCut: () => cut,
    /**
     * `flat`: single savepoints matter. What is only possible is not gone after for each savepoint by itself: where
     * everything may call everything, that is most of the work, and tells nothing sure. Nor are the blocks that are open
     * inside the server: nothing but their own end ends them.
     */
    of(to: Linked, state: State, block: Closure | null, flat: boolean, role: number): Context {
      let exact = flat && state.certainty !== 'possible' && !state.server;
      if (exact && exactly[to.index]! >= MOST_EXACT) {
        cut = true;
        exact = false;
      }
      const short = block || exact ? null : code(state);
      if (short !== null) return short * MOST_ROLES + role;
      return `${to.index} ${key(state, exact)} ${block?.id() ?? ''} ${role}`;
    },
    isKnown(to: Linked, context: Context, sure: number): boolean {
      const known = typeof context === 'number' ? plain[context]?.[to.index] : (others.get(context) ?? 0);
      return known !== undefined && known > 0 && known <= sure + 1;
    },
    know(to: Linked, context: Context, sure: number): void {
      if (typeof context === 'string') {
        if (!others.has(context) && exactly[to.index]! < MOST_EXACT) exactly[to.index]!++;
        others.set(context, sure + 1);
      } else {
        plain[context] ??= new Uint8Array(routines);
        plain[context][to.index] = sure + 1;
      }
    },
  };
}

/** Of a routine in a context. */
export const idOf = ({ index }: Linked, context: Context): Context =>
  typeof context === 'number' ? index * CODES * MOST_ROLES + context : context;
