// Writes units by hand, in few words, for the linker's tests.
import {
  type Call, emptyUnit, type Loop, type Name, type Routine, type Scope, type Step, type Trigger, type Unit, type Write,
} from '../src/ir.ts'; // biome-ignore format: one list

let clock = 0;
/** Every step has a place of its own, in the order of writing. */
/** A program anew: its places are small numbers. */
export const afresh = () => {
  clock = 0;
};
const at = () => ({ start: clock++, end: clock });

type More<T> = Partial<Omit<T, 'kind'>>;

export const write = (relation: string, more: More<Write> = {}): Step => ({
  kind: 'write', at: at(), verb: 'insert', relation: relation as Name, rows: 'one', ...more,
}); // biome-ignore format: one step
export const read = (relation: string): Step => ({
  kind: 'read',
  at: at(),
  relation: relation as Name,
  rows: 'many',
});
export const lock = (relation: string, more: object = {}): Step => ({
  kind: 'row lock', at: at(), strength: 'update', relation: relation as Name, rows: 'one', ...more,
}); // biome-ignore format: one step
export const call = (callee: string, more: More<Call> = {}): Step => ({
  kind: 'call', at: at(), callee: callee as Name, ...more,
}); // biome-ignore format: one step
export const block = (body: Step[], more: More<Scope> = {}): Step => ({
  kind: 'scope', at: at(), opens: 'subtransaction', whenNested: 'savepoint', label: 'EXCEPTION block',
  handlers: [{ at: at(), catches: ['others'], body: [] }], body, ...more,
}); // biome-ignore format: one step
export const atomic = (body: Step[], more: More<Scope> = {}): Step => ({
  kind: 'scope', at: at(), opens: 'transaction', whenNested: 'savepoint', label: 'atomic()', body, ...more,
}); // biome-ignore format: one step
export const loop = (body: Step[], more: More<Loop> = {}): Step => ({
  kind: 'loop', at: at(), over: 'rows', times: null, body, ...more,
}); // biome-ignore format: one step
export const perRow = (body: Step[]): Step => loop(body, { over: 'query' });
export const branch = (...arms: Step[][]): Step => ({ kind: 'branch', at: at(), arms, exhaustive: false });
export const flat = (kind: 'begin' | 'commit' | 'rollback'): Step => ({ kind, at: at() });
export const savepoint = (name: string | null): Step => ({ kind: 'savepoint', at: at(), name });
export const release = (name: string | null): Step => ({ kind: 'release', at: at(), name });
export const rollbackTo = (name: string | null): Step => ({ kind: 'rollback to', at: at(), name });
export const attempt = (body: Step[], handler: Step[], last?: Step[]): Step => ({
  kind: 'attempt', at: at(), body, handlers: [{ at: at(), catches: ['others'], body: handler }], finally: last,
}); // biome-ignore format: one step
export const exit = (how: 'return' | 'break' | 'continue' | 'raise'): Step => ({
  kind: 'exit',
  at: at(),
  how,
});
export const wait = (): Step => ({ kind: 'wait', at: at(), for: 'network' });
export const yields = (): Step => ({ kind: 'yield', at: at() });

export function routine(name: string, body: Step[], more: Partial<Routine> = {}): Routine {
  const sql = name.startsWith('sql:');
  return {
    name: name as Name,
    at: at(),
    kind: 'function',
    entry: 'called',
    startsIn: sql ? 'caller' : 'unknown',
    body,
    ...more,
  };
}
export const script = (name: string, body: Step[], more: Partial<Routine> = {}): Routine =>
  routine(name, body, { kind: 'script', entry: 'script', startsIn: 'autocommit', ...more });
export const trigger = (name: string, relation: string, runs: string, more: Partial<Trigger> = {}): Trigger => ({
  name, at: at(), relation: relation as Name, verbs: ['insert', 'update', 'delete'], each: 'row', timing: 'after',
  via: 'trigger', body: [call(runs)], ...more,
}); // biome-ignore format: one trigger

export function unit(file: string, parts: Partial<Unit>): Unit {
  const language = file.endsWith('.py')
    ? 'python'
    : file.endsWith('.rb')
      ? 'ruby'
      : file.endsWith('.java')
        ? 'java'
        : 'sql';
  return { ...emptyUnit(file, language), ...parts };
}
