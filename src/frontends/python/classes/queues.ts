// Whether a decorator puts what it decorates into a queue instead of calling it. It lowers nothing.
import type { Name, Routine } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { canonical, queue } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

/** They make a message of a job: Celery's signatures, and what other queues call it. */
const SENDS =
  /^(s|si|signature|subtask|delay|apply_async|send|send_with_options|enqueue|enqueue_\w+|defer|defer_async)$/;
/** Functions of a repository that say so by their name. */
const QUEUES = /(^|_)(enqueue|queue|defer|schedule|postpone|on_commit|postcommit|later)(_|$)/;
/** What describes a function, and does not call it. */
const TELLS = /^__\w+__$/;

/** Of a decorator `outer` and the function that it puts in place of what it decorates. */
export function onlyQueues(c: Place, outer: Syntax, inner: Syntax): boolean {
  const names = new Set(
    (child(outer, 'parameters')?.children ?? [])
      .filter((one) => one.type === 'identifier')
      .map((one) => textOf(c.file, one)),
  );
  let queues = false;
  const stack = [child(inner.type === 'decorated_definition' ? child(inner, 'definition')! : inner, 'body')];
  for (let node = stack.pop(); node; node = stack.pop()) {
    stack.push(...node.children);
    if (node.type !== 'identifier' || !names.has(textOf(c.file, node))) continue;
    if (node.field === 'attribute' || (node.field === 'name' && node.parent?.type === 'keyword_argument'))
      continue;
    const how = use(c, node);
    if (how === 'runs') return false;
    if (how === 'queues') queues = true;
  }
  return queues;
}

function use(c: Place, node: Syntax): 'runs' | 'queues' | 'neither' {
  const parent = node.parent;
  if (parent?.type === 'attribute') {
    const name = textOf(c.file, child(parent, 'attribute'));
    if (TELLS.test(name)) return 'neither';
    return SENDS.test(name) ? 'queues' : 'runs';
  }
  const list = parent?.type === 'keyword_argument' ? parent.parent : parent;
  const callee = list?.type === 'argument_list' && list.parent ? child(list.parent, 'function') : undefined;
  return QUEUES.test(textOf(c.file, callee).split('.').at(-1)!) ? 'queues' : 'runs';
}

/** `@db_task()` of Huey's: the method that runs what it stands over at once, as who calls it does not. */
export function queuedBy(c: Place, marks: Syntax[]): string | undefined {
  for (const mark of marks) {
    const callee = mark.type === 'call' ? child(mark, 'function') : mark;
    const owner = callee?.type === 'attribute' ? resolve(c, child(callee, 'object')) : undefined;
    const path = owner?.type
      ? `${owner.type.path}.${textOf(c.file, child(callee!, 'attribute'))}`
      : resolve(c, callee)?.path;
    const runs = path && queue(canonical(path));
    if (runs) return runs;
  }
  return undefined;
}

/** Who calls the one leaves the other in a queue, which runs it on a connection of its own. */
export const queued = (job: Routine, runs: string): [caller: Routine, job: Routine] => {
  const name: Name = `${job.name}.${runs}`;
  const call = { kind: 'call' as const, at: job.at, callee: name, elsewhere: true };
  const { flags: _, returns: __, ...caller } = job;
  return [
    { ...caller, entry: 'called', startsIn: 'caller', body: [call] },
    { ...job, name },
  ];
};
