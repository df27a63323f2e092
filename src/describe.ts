// Says in one line what a step is; for `explain` and for the events that fixtures assert. Not for messages to users.
import type { Step } from './ir.ts';

const bare = (name: string | null) => (name === null ? '?' : name.replace(/^sql:/, ''));
const list = (words: (string | false | undefined)[]) => words.filter(Boolean).join(' ');

export function describe(step: Step): string {
  const on = step.on ? ` on ${step.on}` : '';
  const sure = step.certainty && step.certainty !== 'certain' ? ` (${step.certainty})` : '';
  return what(step) + on + sure;
}

function what(step: Step): string {
  switch (step.kind) {
    case 'begin':
      return 'begin';
    case 'commit':
      return step.prepares ? 'prepare transaction' : step.chain ? 'commit and chain' : 'commit';
    case 'rollback':
      return step.chain ? 'rollback and chain' : 'rollback';
    case 'savepoint':
    case 'release':
    case 'rollback to':
      return `${step.kind} ${bare(step.name)}`;
    case 'read':
      return `read ${bare(step.relation)}`;
    case 'write':
      return list([
        step.verb,
        bare(step.relation),
        step.rows === 'one' ? 'one row' : step.rows === 'many' && 'many rows',
        step.onConflict && `on conflict ${step.onConflict}`,
      ]);
    case 'row lock':
      return list(['lock', bare(step.relation), `for ${step.strength}`, step.skipLocked && 'skip locked']);
    case 'wait':
      return `wait ${step.for}`;
    case 'cast':
      return `cast ${step.to}`;
    case 'call':
      return list([
        step.reads ? 'read' : 'call',
        step.callee.replace(/^\w+:|[\w$]+~\./g, ''),
        step.block && 'with a block',
        step.elsewhere && 'elsewhere',
      ]);
    case 'yield':
      return 'yield';
    case 'scope':
      if (step.opens === 'connection') return 'connection of its own';
      return list([
        step.opens,
        step.label && `(${step.label})`,
        step.opens === 'transaction' && `nested: ${step.whenNested}`,
        step.onMiss && 'on miss',
        step.lazy && 'lazy',
        step.releases && step.releases !== 'always' && `released ${step.releases}`,
        (step.handlers ?? []).length > 0 &&
          `catches ${step.handlers!.flatMap((handler) => handler.catches).join(', ')}`,
      ]);
    case 'attempt':
      return `attempt catches ${step.handlers.flatMap((handler) => handler.catches).join(', ')}`;
    case 'loop':
      return list([
        'loop',
        step.over,
        step.times !== null && `${step.atMost ? 'at most ' : ''}${step.times} times`,
        step.chunk !== undefined && `in chunks${step.chunk ? ` of ${step.chunk}` : ''}`,
      ]);
    case 'branch':
      return list(['branch', `${step.arms.length} arms`, step.exhaustive && 'exhaustive']);
    case 'block':
      return list(['block', step.label]);
    case 'exit':
      return list([step.how, step.again && 'again', step.raises, step.label]);
    case 'opaque':
      return `opaque ${step.why}`;
  }
}
