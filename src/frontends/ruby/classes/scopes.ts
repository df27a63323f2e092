// `scope :held, -> { lock }`: a method of the class, which gives rows of it. Not what a query is made of.
import { inside, type Step } from '../../../ir.ts';
import { child } from '../../syntax.ts';
import { addRoutine, type Macro, methodName, newBody } from '../names/file.ts';
import { asRoutine } from '../names/jumps.ts';
import { lower } from '../steps/body.ts';
import { writtenIn } from '../steps/callables.ts';
import { flagsOf } from '../steps/flags.ts';
import { bindParameters } from '../steps/parameters.ts';
import { spanOf, word } from '../syntax.ts';
import { giveField } from './associations.ts';

export function scoped({ file, owner, args }: Macro): void {
  const [named, given] = args.positional;
  const name = word(file, named);
  if (!name) return;
  giveField(owner, name, `ruby:${owner.name}`, true);
  const written = given && writtenIn(file, given);
  if (!written) return;
  const body = newBody(file, owner, true, name);
  const list = child(written, 'parameters');
  const parameters = bindParameters(body, list);
  const code = child(written, 'body');
  const steps = asRoutine(lower(body, code));
  if (!steps.some(doesMore)) return;
  addRoutine(file, {
    name: methodName(owner, name, true),
    at: spanOf(named!),
    entry: file.unit.role === 'test' ? 'test' : 'called',
    startsIn: 'caller',
    ...(parameters ? { parameters } : {}),
    ...flagsOf(file, list, code, steps, body.restAsked),
    body: steps,
  });
}

/** Most merely ask for some of the rows. */
const doesMore = (step: Step): boolean =>
  step.kind === 'call'
    ? step.callee.startsWith('sql:') || (step.meanings ?? []).some(({ steps }) => steps.some(doesMore))
    : step.kind === 'row lock' || step.kind === 'write' || inside(step).some((list) => list.some(doesMore));
