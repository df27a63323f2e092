// Whether a function says by its name that somebody else runs what it is handed, or nobody yet. It asks only where the repository has no such function.
import { type Call, inside, type Step } from '../ir.ts';

/** In any place of a name. */
const LATER = new Set(
  'submit enqueue queue defer deferred delay delayed schedule scheduled postpone spawn async later background soon subscribe register listener hook handler interceptor thread fork launch'.split(
    ' ',
  ),
);
/** At its beginning: the block is kept, and what happens tells when it runs. */
const KEEPS = new Set(
  'on after before every cron trap at add put push append offer set post from'.split(' '),
);
/** At its beginning: it runs the block now, whatever is said of how. */
const RUNS = new Set(
  'with without assert perform in inside using wait silence suppress skip disable enable allow capture expect measure time'.split(
    ' ',
  ),
);
/** `on_replica { }` says where, not when. */
const PLACES = new Set(
  'all any connection database db each leader master primary reader replica secondary server shard slave tenant writer'.split(
    ' ',
  ),
);

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

export function isLater(name: string): boolean {
  const [first, second] = wordsOf(name);
  if (first === undefined || RUNS.has(first)) return false;
  if (KEEPS.has(first)) return !PLACES.has(second ?? '');
  return wordsOf(name).some((word) => LATER.has(word));
}

/** What a call means that nobody in the repository answers: it may write, and its block runs in no transaction of ours. What `isMade` keeps what it is given. */
export function orLater(call: Call, name: string, isMade = false): Call {
  if (!call.block?.length || call.elsewhere || !(isMade || isLater(name))) return call;
  // What is open here ends in it, by whatever name it comes to that.
  if (endsSavepoints(call.block)) return call;
  return {
    ...call,
    later: true,
    meanings: [...(call.meanings ?? []), { steps: handedAway(call, [{ kind: 'yield', at: call.at }]) }],
  };
}

const DEPTH = 20;

const endsSavepoints = (block: Step[]): boolean =>
  (has(block, 'release') || has(block, 'rollback to')) && !has(block, 'savepoint');

const has = (steps: Step[], kind: Step['kind'], depth = 0): boolean =>
  steps.some(
    (step) =>
      step.kind === kind || (depth < DEPTH && inside(step).some((list) => has(list, kind, depth + 1))),
  );

/** The call itself, and its block somewhere else. */
export const handedAway = ({ at, callee }: Pick<Call, 'at' | 'callee'>, block: Step[]): Step[] => [
  { kind: 'call', at, callee },
  { kind: 'call', at, callee, elsewhere: true, block },
];
