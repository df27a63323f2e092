// Every spelling that the random programs have, once each, in a small program that does not change: only the step in question does.
import type { Application, Routine, Stmt } from '../../properties/application.ts';
import type { Rendered } from './spelling.ts';

/** More than any list of spellings has; those that come round again write the same program, and are left out. */
const MOST = 120;

const write: Stmt = { k: 'write', how: 0, fires: false, rows: 1 };
const scope = (...body: Stmt[]): Stmt => ({ k: 'scope', how: 0, body });
const loop = (times: number, ...body: Stmt[]): Stmt => ({ k: 'loop', how: 0, times, body });
const call = (how = 0, to = 0, flag: boolean | null = null): Stmt => ({ k: 'call', how, to, flag });
const routine = (how: number, ...body: Stmt[]): Routine => ({ how, flag: true, body });
const alone = (...run: Stmt[]): Application => ({ routines: [], run });
/** A transaction around a loop: what its turns open adds up. */
const repeated = (...body: Stmt[]) => scope(write, loop(65, ...body));
const part = scope(write);
const branch = (when: number): Stmt => ({ k: 'if', when, then: [part], else: [write] });
const attempt = (catches: number, fails: number): Stmt => ({
  k: 'try',
  catches,
  body: [part, { k: 'fail', how: fails, when: null }],
  handler: [part],
  else: [write],
  finally: [part],
});

/** A step by what it is called, as the programs that it stands in. */
const STEPS: Record<string, (how: number) => Application> = {
  'write one': (how) => alone(repeated(scope({ k: 'write', how, fires: false, rows: 1 }))),
  'write many': (how) => alone(scope({ k: 'write', how, fires: false, rows: 13 })),
  'write one that fires': (how) => alone(repeated({ k: 'write', how, fires: true, rows: 1 })),
  'write many that fire': (how) => alone(scope({ k: 'write', how, fires: true, rows: 65 })),
  'find what is there': (how) => alone(repeated({ k: 'find', how, hits: true })),
  'find what is not': (how) => alone(repeated({ k: 'find', how, hits: false })),
  'scope outside': (how) => alone({ k: 'scope', how, body: [write, loop(65, part)] }),
  'scope inside': (how) => alone(repeated({ k: 'scope', how, body: [write] })),
  'scope inside once': (how) => alone(scope(write, { k: 'scope', how, body: [write, part] })),
  'scope with a read': (how) => alone(repeated({ k: 'scope', how, body: [{ k: 'read' }] })),
  'savepoint released': (how) => alone(repeated({ k: 'savepoint', how, ends: 'release', body: [write] })),
  'savepoint rolled back': (how) => alone(repeated({ k: 'savepoint', how, ends: 'back', body: [write] })),
  'savepoint rolled back and released': (how) =>
    alone(repeated({ k: 'savepoint', how, ends: 'both', body: [write] })),
  'savepoint left': (how) => alone(repeated({ k: 'savepoint', how, ends: 'nothing', body: [write] })),
  'loop of none': (how) => alone(scope({ k: 'loop', how, times: 0, body: [part] }, part)),
  'loop of three': (how) => alone(scope({ k: 'loop', how, times: 3, body: [part] })),
  'loop of many': (how) => alone(scope({ k: 'loop', how, times: 65, body: [part] })),
  'branch in a loop': (how) => alone(repeated(branch(how))),
  'branch in a routine': (how) => ({ routines: [routine(0, branch(how))], run: [repeated(call(how))] }),
  'branch that is told': (how) => ({
    routines: [routine(0, branch(how))],
    run: [repeated(call(0, 0, false), call(1, 0, true))],
  }),
  'caught': (how) => alone(scope(attempt(how, 0))),
  'failure': (how) => alone(scope(attempt(1, how))),
  'function within, once': (how) => alone(repeated({ k: 'local', how, times: 1, body: [part] })),
  'function within, twice': (how) => alone(repeated({ k: 'local', how, times: 2, body: [part] })),
  'function within, that begins': (how) => alone({ k: 'local', how, times: 1, body: [repeated(part)] }),
  'routine': (how) => ({ routines: [routine(how, part)], run: [repeated(call())] }),
  'routine that begins': (how) => ({ routines: [routine(how, repeated(part))], run: [call()] }),
  'routine of its own file': (how) => ({
    routines: [routine(how, part), routine(0, call())],
    run: [repeated(call(0, 1))],
  }),
  'call': (how) => ({
    routines: [routine(0, part), routine(how >> 3, part), routine(0, call(0, 1))],
    run: [repeated(call(how & 7, 1), call(0, 2))],
  }),
}; // biome-ignore format: a table

/** Programs by name, as `scope inside 13`. */
export function everyOne(render: (tree: Application) => Rendered): [string, Rendered][] {
  const seen = new Set<string>();
  const found: [string, Rendered][] = [];
  for (const [step, tree] of Object.entries(STEPS))
    for (let how = 0; how < MOST; how++) {
      const program = render(tree(how));
      const text = JSON.stringify(program.files);
      if (!seen.has(text)) found.push([`${step} ${how}`, program]);
      seen.add(text);
    }
  return found;
}
