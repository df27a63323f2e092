// A function marked PARALLEL SAFE or RESTRICTED that opens a subtransaction: an error in a parallel plan up to 16.
import {
  type Change,
  type Finding,
  type Frame,
  type Model,
  type Name,
  type Routine,
  rule,
} from '../../src/rule.ts';
import { everyStep, roleOf, routineName, weigh } from '../say.ts';

export default rule({
  id: 'exception-block-in-parallel-safe-function',
  severity: 'warning',
  summary:
    'A function marked PARALLEL SAFE or RESTRICTED that opens a subtransaction, which fails up to PostgreSQL 16',
  check(model) {
    if ((model.postgres.version ?? 0) >= 17) return [];
    const marked = new Set(model.units.flatMap(({ changes }) => changes.flatMap(markedIn)));
    return model.units.flatMap((unit) =>
      unit.routines.flatMap((routine) =>
        routine.parallel || marked.has(lastPart(routine.name)) ? report(model, routine, unit.file) : [],
      ),
    );
  },
});

/** What ALTER FUNCTION marks: only what somebody marks is worth a question. */
const markedIn = ({ does, name }: Change): string[] => (does === 'mark parallel' ? [lastPart(name)] : []);
const lastPart = (name: Name | string) => name.slice(name.lastIndexOf('.') + 1);

function report(model: Model, defined: Routine, file: string): Finding[] {
  const live = model.routine(defined.name);
  if (live?.file !== file || live.routine.at.start !== defined.at.start) return []; // replaced or dropped later
  // As ALTER FUNCTION left it.
  const { routine } = live;
  if (routine.parallel !== 'safe' && routine.parallel !== 'restricted') return [];
  const opened = firstBlock(model, routine, file);
  if (!opened) return [];
  const name = routineName(routine.name, model);
  const marked = `PARALLEL ${routine.parallel.toUpperCase()}`;
  const { version } = model.postgres;
  return [
    {
      rule: 'exception-block-in-parallel-safe-function',
      file,
      at: routine.at,
      // A function that a migration leaves behind is as live as any.
      severity:
        roleOf(model, file) === 'migration' ? 'warning' : weigh('warning', { role: roleOf(model, file) }),
      certainty: 'certain',
      message:
        `${name} is marked ${marked} but opens a subtransaction with its ${opened.label}. ` +
        `In a parallel plan PostgreSQL ${version ?? 'up to 16'} refuses it: “cannot start subtransactions during a parallel operation” (SQLSTATE 25000)${version ? '' : '; 17 and later allow it'}.`,
      remedy: `Do without the block, or declare ${name} PARALLEL UNSAFE until every server runs 17: queries that call it then get no parallel plan.`,
      trace: opened.trace,
      subject: `${routine.name} ${marked}`,
      routine: routine.name,
    },
  ];
}

/** The first EXCEPTION block that it comes to, by itself or through what it calls; nearest first. */
function firstBlock(model: Model, start: Routine, home: string): { label: string; trace: Frame[] } | null {
  const seen = new Set<Name>([start.name]);
  const queue: { routine: Routine; file: string; trace: Frame[] }[] = [
    { routine: start, file: home, trace: [] },
  ];
  for (const { routine, file, trace } of queue) {
    const name = routineName(routine.name, model);
    for (const { step } of everyStep(routine.body)) {
      if (step.kind === 'scope' && step.opens === 'subtransaction')
        return {
          label: step.label,
          trace: [...trace, { file, at: step.at, says: `${name} opens a subtransaction` }],
        };
      // Of several that it may mean nobody knows which.
      const [callee, ...others] = step.kind === 'call' ? model.called(step) : [];
      if (!callee || others.length > 0 || seen.has(callee.routine.name)) continue;
      seen.add(callee.routine.name);
      const says = `${name} calls ${routineName(callee.routine.name, model)}`;
      queue.push({
        routine: callee.routine,
        file: callee.file,
        trace: [...trace, { file, at: step.at, says }],
      });
    }
  }
  return null;
}
