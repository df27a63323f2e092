// State machines that run what they are told before and after a transition: those of state_machines, in a model, and Statesman's, classes of their own. Not AASM's.
import type { Name, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, type Macro, methodName, newBody, type Type } from '../names/file.ts';
import { lower, setLocal } from '../steps/body.ts';
import { parts, spanOf, textOf, word } from '../syntax.ts';
import { asked, perhaps, type Said, saidIn } from './machines.ts';

/** `state_machine :state do … event :pay do … end end`: `pay` and `pay!` save the record, and all around it stands in that transaction. */
export function transitions(given: Macro): void {
  const { file, owner, args, singleton } = given;
  if (owner.kind === 'file' || singleton || !args.block) return;
  const said = saidIn(given, args.block);
  const within = args.keywords.get('namespace');
  const suffix = within ? `_${word(file, within.value) ?? ''}` : '';
  const alone = args.keywords.get('use_transactions');
  const inOne = !alone || textOf(file, alone.value) !== 'false';
  for (const event of said.filter(({ name }) => name === 'event'))
    for (const one of event.args.positional) {
      const name = word(file, one);
      if (!name) continue;
      const at = spanOf(child(event.node, 'method') ?? event.node);
      const around = (when: string) => said.flatMap((each) => ranBy(given, each, when, name));
      for (const called of [`${name}${suffix}`, `${name}${suffix}!`]) {
        const body = [
          ...around('before_transition'),
          ...around('around_transition'),
          ...asked(given, at, 'save', 'save', null),
          ...around('after_transition'),
        ];
        addRoutine(file, {
          name: methodName(owner, called, false),
          at,
          entry: 'called',
          startsIn: 'caller',
          implied: true,
          body: inOne ? asked(given, at, 'within_transaction', called, body) : body,
        });
      }
    }
}

/** `after_transition on: :pay, do: :tell`, `before_transition(to: :paid) { |order| … }`. */
function ranBy(given: Macro, one: Said, when: string, event: string): Step[] {
  const { file, owner } = given;
  if (one.name !== when) return [];
  const { keywords, positional, block } = one.args;
  const on = keywords.get('on')?.value;
  if (on && !listOf(on).some((each) => word(file, each) === event)) return [];
  const record: Type = { name: `ruby:${owner.name}`, kind: 'one', fresh: false };
  const told = [...positional, ...listOf(keywords.get('do')?.value)];
  const steps = told.flatMap((each): Step[] => {
    const method = word(file, each);
    if (method) return [{ kind: 'call', at: spanOf(each), callee: methodName(owner, method, false) }];
    return each.type === 'lambda' ? handed(given, each, record) : [];
  });
  if (block) steps.push(...handed(given, block, record));
  // From or to what state: any option but these.
  const always = [...keywords.keys()].every((key) => /^(on|do)$/.test(key));
  return always ? steps : perhaps(spanOf(one.node), steps);
}

const listOf = (node: Syntax | undefined): Syntax[] =>
  node ? (/array$/.test(node.type) ? parts(node) : [node]) : [];

/** What it is given first is the record, as far as that is known. */
function handed({ file, owner, name }: Macro, block: Syntax, record: Type | null): Step[] {
  const body = newBody(file, owner, true, name);
  for (const [i, one] of parts(child(block, 'parameters')).entries())
    if (one.type === 'identifier') setLocal(body, one, i === 0 ? record : null);
  return lower(body, child(block, 'body'));
}

/** `after_transition(to: :paid) { |order| … }` in a machine of Statesman's: all that it runs with the new row, as one method. */
export function statesman(given: Macro): void {
  const { file, owner, node, args } = given;
  if (!args.block || !owner.declaration.bases.some((base) => /(^ruby:|::)Statesman::Machine$/.test(base)))
    return;
  const steps = handed(given, args.block, null);
  const at = spanOf(node);
  const late = args.keywords.get('after_commit');
  const body: Step[] =
    late && textOf(file, late.value) === 'true'
      ? [{ kind: 'call', at, callee: `ruby:${owner.name}#execute`, elsewhere: true, block: steps }]
      : inState(at, steps, listOf(args.keywords.get('to')?.value), file);
  const name: Name = methodName(owner, 'execute', false);
  const known = file.unit.routines.find((routine) => routine.name === name);
  if (known) known.body.push(...body);
  else if (steps.length > 0)
    addRoutine(file, { name, at, entry: 'called', startsIn: 'caller', implied: true, flags: [STATE], body });
}

/** The state that a transition goes to, which whoever asks for it gives. */
const STATE = { name: 'to', position: 0 };

/** Of one or some states it runs for those alone; what none is named for may run for any. */
function inState(at: Span, steps: Step[], to: Syntax[], file: Macro['file']): Step[] {
  const among = to.map((each) => word(file, each)).filter((each) => each !== null);
  const known = among.length > 0 && among.length === to.length;
  const when = { parameter: STATE.name, is: 'true', among } as const;
  return perhaps(at, steps).map((step) => (known && step.kind === 'branch' ? { ...step, when } : step));
}
