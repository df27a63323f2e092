// In which contexts a routine was visited or waits for it, and how surely. Not what a visit tells.
import type { Linked } from '../definitions/program.ts';
import type { Closure } from './run.ts';
import { CODES, code, key, type State } from './state.ts';

/** Most are a number: what `code` says, and the role. */
export type Context = string | number;

const MOST_ROLES = 4;
/** Routines that call each other may come to each of them with any of their savepoints open, in any order. */
const MOST_EXACT = 100;
/**
 * A method that hands itself a block in each of its calls would be visited with each of them, and make all those calls in
 * each visit. So many steps of a routine are gone over with blocks that are told apart, and as many visits are always made.
 */
const MOST_STEPS = 100_000;

export function createContexts(routines: number, sizeOf: (to: Linked) => number) {
  /** By context, then by routine: 1 for the surest way, 0 for none. */
  const plain: Uint8Array[] = [];
  const others = new Map<string, number>();
  const exactly = new Uint16Array(routines);
  const given = new Map<number, { ids: Set<string>; most: number }>();
  let cut = false;

  /** What tells the block from others that this routine is handed; nothing where there were too many. */
  function blockId(to: Linked, block: Closure): string {
    let known = given.get(to.index);
    if (!known) {
      known = { ids: new Set(), most: Math.max(MOST_EXACT, MOST_STEPS / sizeOf(to)) };
      given.set(to.index, known);
    }
    const id = block.id();
    if (known.ids.size < known.most) known.ids.add(id);
    else if (!known.ids.has(id)) {
      cut = true;
      return '';
    }
    return id;
  }

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
      return `${to.index} ${key(state, exact)} ${block ? blockId(to, block) : ''} ${role}`;
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
