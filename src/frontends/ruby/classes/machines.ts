// State machines that a class declares: the methods that their events give it, and what those run. What such an event opens stands in the tables.
import type { MeantBy, Name, Span, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { addRoutine, type Macro, methodName, newBody, resolveConstant } from '../names/file.ts';
import { bareSite, type Site, stepsOf, typedMeanings } from '../names/meaning.ts';
import { lower } from '../steps/body.ts';
import { type Arguments, argumentsOf, literal, parts, spanOf, textOf, word } from '../syntax.ts';
import { giveField } from './associations.ts';

/** A call in the block of the machine or of an event. */
export interface Said {
  name: string;
  node: Syntax;
  args: Arguments;
}

interface Machine extends Macro {
  said: Said[];
}

/** `aasm do … event :pay do … end end` of AASM: `pay!` saves the record, `pay` does not. */
export function stateMachine(given: Macro): void {
  const { file, owner, args, singleton } = given;
  if (owner.kind === 'file' || singleton || !args.block) return;
  const machine: Machine = { ...given, said: saidIn(given, args.block) };
  for (const event of machine.said) {
    const name = event.name === 'event' ? word(file, event.args.positional[0]) : null;
    if (name) addEvent(machine, event, name);
    const state = event.name === 'state' ? event.args.positional : [];
    for (const one of state) {
      const scope = word(file, one);
      if (scope) giveField(owner, scope, `ruby:${owner.name}`, true);
    }
  }
}

export const saidIn = ({ file }: Macro, block: Syntax | undefined): Said[] =>
  parts(block && child(block, 'body')).flatMap((node): Said[] => {
    const method = node.type === 'call' && !child(node, 'receiver') ? child(node, 'method') : undefined;
    return method ? [{ name: textOf(file, method), node, args: argumentsOf(file, node) }] : [];
  });

function addEvent(machine: Machine, event: Said, name: string): void {
  const { owner, file } = machine;
  const at = spanOf(child(event.node, 'method') ?? event.node);
  const own = saidIn(machine, event.args.block);
  const all = [event, ...own];
  const ways = own.filter((one) => one.name === 'transitions');
  const states = (side: string) => machine.said.filter((one) => isState(machine, one, ways, side));
  const run = (moments: string, those: Said[]) => those.flatMap((one) => runAt(machine, moments, one));
  const before = [
    ...run('before_all_events', machine.said),
    ...run('before', all),
    ...perhaps(at, run('before_exit exit', states('from'))),
    ...run('after_all_transitions', machine.said),
    ...perhaps(at, run('after', ways)),
    ...perhaps(at, run('before_enter enter', states('to'))),
  ];
  const success = [...run('before_success success', all), ...perhaps(at, run('success', ways))];
  const after = [
    ...perhaps(at, run('after_exit', states('from'))),
    ...perhaps(at, run('after_enter', states('to'))),
    ...run('after', all),
    ...run('after_all_events', machine.said),
  ];
  const around = (persists: boolean, body: Step[]) => [
    ...(persists ? run('before_all_transactions', machine.said) : []),
    ...(persists ? run('before_transaction', all) : []),
    ...body,
    ...(persists ? run('after_transaction', all) : []),
    ...(persists ? run('after_all_transactions', machine.said) : []),
  ];
  const add = (called: string, body: Step[]) =>
    addRoutine(file, {
      name: methodName(owner, called, false),
      at,
      entry: 'called',
      startsIn: 'caller',
      implied: true,
      body,
    });
  const saved = asked(machine, at, 'save', 'save', null);
  const fired = asked(machine, at, 'aasm_fire_event', `${name}!`, [
    ...before,
    ...saved,
    ...success,
    ...after,
  ]);
  add(`${name}!`, around(true, fired));
  // Of its own, as it is once it was kept as JSON.
  add(name, structuredClone(around(false, [...before, ...after])));
}

/** A state that one of these transitions goes to, or comes from. */
function isState({ file }: Machine, one: Said, ways: Said[], side: string): boolean {
  const state = one.name === 'state' ? word(file, one.args.positional[0]) : null;
  if (!state) return false;
  return ways.some(({ args }) => {
    const value = args.keywords.get(side)?.value;
    const named = value && /array$/.test(value.type) ? parts(value) : value ? [value] : [];
    return named.some((each) => (word(file, each) ?? textOf(file, each)) === state);
  });
}

/** What one of several transitions runs. */
export const perhaps = (at: Span, steps: Step[]): Step[] =>
  steps.length > 0 ? [{ kind: 'branch', at, arms: [steps], exhaustive: false }] : [];

/** `after: :tell`, `after :tell`, `after: [:tell, Teller]`, `after { tell }`. */
function runAt(machine: Machine, moments: string, { name, args }: Said): Step[] {
  const wanted = moments.split(' ');
  const out = wanted.flatMap((moment) => {
    const value = args.keywords.get(moment)?.value;
    return value ? ran(machine, value) : [];
  });
  if (wanted.includes(name)) {
    for (const one of args.positional) out.push(...ran(machine, one));
    if (args.block) out.push(...blockOf(machine, args.block));
  }
  return out;
}

function ran(machine: Machine, node: Syntax): Step[] {
  const { file, owner } = machine;
  if (/array$/.test(node.type)) return parts(node).flatMap((one) => ran(machine, one));
  const method = word(file, node);
  if (method) return [{ kind: 'call', at: spanOf(node), callee: methodName(owner, method, false) }];
  if (node.type === 'lambda') return blockOf(machine, node);
  const block = node.type === 'call' ? argumentsOf(file, node).block : undefined;
  if (block) return blockOf(machine, block);
  if (!/^(constant|scope_resolution)$/.test(node.type)) return [];
  const callee: Name = `${resolveConstant(file, textOf(file, node), owner)}#call`;
  return [{ kind: 'call', at: spanOf(node), callee }];
}

/** It runs in the record. */
const blockOf = ({ file, owner, name }: Machine, block: Syntax): Step[] =>
  lower(newBody(file, owner, false, name), child(block, 'body'));

/** What the tables say of a method of the record; of what is no record only what it surrounds is left. */
export function asked(
  { file, owner, args }: Macro,
  at: Span,
  method: string,
  label: string,
  block: Step[] | null,
): Step[] {
  const relation: Name = `ruby:${owner.name}`;
  // Of a module it is whoever includes it.
  const anyone = owner.kind === 'module';
  const site: Site = {
    ...bareSite(at, label, relation),
    arguments: args,
    option: (argument) => {
      const value = args.keywords.get(String(argument))?.value;
      return value && { literal: literal(file, value), at };
    },
    whose: relation,
    fresh: false,
    block,
    ...(anyone && { certainty: 'likely' }),
  };
  const meanings = typedMeanings(`#${method}`)
    .filter(({ receiver }) => receiver === 'ruby:ActiveRecord::Base')
    .map(
      ({ receiver, meaning }): MeantBy => ({
        ...(anyone ? {} : { receiver }),
        steps: stepsOf([meaning], site),
      }),
    );
  return [
    { kind: 'call', at, callee: `${relation}#${method}`, meanings: [...meanings, { steps: block ?? [] }] },
  ];
}
