// Reads one Ruby file: its classes, methods, callbacks and jobs, and what each does to transactions.
import type { Name, Routine, Step, Unit } from '../../ir.ts';
import { emptyUnit } from '../../ir.ts';
import { readHandedOver } from '../settings/savepoints.ts';
import { spanned } from '../spans.ts';
import { child, noteFaults, type Syntax } from '../syntax.ts';
import { wrapAction } from './classes/actions.ts';
import { isCommand, wrapOrganized } from './classes/commands.ts';
import { declareAll } from './classes/declare.ts';
import { giveWay } from './classes/overriding.ts';
import { hooks } from './classes/rails.ts';
import { giveLists } from './counts/lists.ts';
import { choices, nameIn } from './names/choices.ts';
import {
  addRoutine,
  type Body,
  type Method,
  methodName,
  newBody,
  type Owner,
  type RubyFile,
  type Type,
} from './names/file.ts';
import { asRoutine } from './names/jumps.ts';
import { runsOf } from './names/meaning.ts';
import { giveOptions } from './names/nesting.ts';
import { typesOf } from './names/several.ts';
import { typeOf } from './names/types.ts';
import { variesIn } from './names/variables.ts';
import { once } from './steps/arms.ts';
import { giveSetters } from './steps/assigned.ts';
import { lowerAll, lower as lowerNode } from './steps/body.ts';
import { calling, inTurn, isCallable, lambdaBody, writtenIn } from './steps/callables.ts';
import { flagsOf } from './steps/flags.ts';
import { keeping, onlyRuns } from './steps/keeping.ts';
import { seriesOf } from './steps/migration.ts';
import { bindParameters } from './steps/parameters.ts';
import { isReverting } from './steps/reverting.ts';
import { askWhetherSaved } from './steps/saved.ts';
import { giveTexts } from './steps/texts.ts';
import { parse } from './syntax/parse.ts';
import { lastPart, parts, spanOf, textOf } from './syntax.ts';

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'ruby');
  unit.role = roleOf(file);
  const series = seriesOf(file);
  if (series) {
    unit.series = series;
    if (unit.role === 'product') unit.role = 'migration';
  }
  const parsed = parse(text);
  const { root, heredocs } = parsed;
  // What a generator fills in is no Ruby yet.
  const isTemplate = unit.role === 'example' && text.includes('<%');
  noteFaults(unit, isTemplate ? { ...parsed, error: null } : parsed);
  const read: RubyFile = {
    text,
    heredocs,
    unit,
    owners: new Map(),
    aliased: new Set(),
    constants: new Map(),
    handed: new Map(),
    staying: new Map(),
  };
  const { owners, script, blocks } = declareAll(read, root);
  const overridden = giveWay(read, owners);
  for (const owner of owners)
    for (const method of owner.methods) lowerMethod(read, method, owner, overridden);
  for (const [name, value] of read.constants) lowerLambda(read, owners, name, value);
  for (const one of blocks) one();
  for (const owner of owners) {
    hooks(owner, unit);
    giveSetters(read, owner);
    wrapOrganized(read, owner);
  }
  giveLists(read, owners);
  giveOptions(read, owners[0]!);
  giveTexts(read, owners);
  askWhetherSaved(read);
  lowerScript(read, script);
  readHandedOver(text, unit);
  return unit;
}

/** Cucumber's steps stand below `features`, and so does what a gem or a program calls its parts; factories of an `app` make what it works with, and its `ab_test.rb` is a model. */
const TEST =
  /(^|\/)(spec|specs|test|tests|(?<!(^|\/)app\/)factories|test_app|testing_support|cypress)\/|(^|\/)features\/(.*\/)?(step_definitions|steps|support)\/|^(?!(.*\/)?app\/).*_(spec|test)\.rb$|(^|\/)(spec|test)_helper\.rb$/;

function roleOf(file: string): Unit['role'] {
  if (TEST.test(file)) return 'test';
  if (/(^|\/)(examples?|docs?|benchmarks?|guides|templates)\//.test(file)) return 'example';
  return ONCE.test(file) ? 'migration' : 'product';
}

/** Seeds fill an empty database, once, as a migration does; so do scripts that somebody ran to put rows right. */
const ONCE =
  /(^|\/)db\/((\w+_)?migrate|post_migrate|data|\w*seeds?(\.d)?)\/|(^|\/)db\/(schema|\w*seeds?)\.rb$|(^|\/)(scripts?|lib\/tasks)\/(fixes|one[-_]?offs?|backfills?|data[-_]migrations?|migrations?)\//;

// ---- methods

function lowerMethod(file: RubyFile, method: Method, owner: Owner, overridden: Set<Name>): void {
  const { node, name, singleton } = method;
  if (isLeftToOthers(file, node)) {
    owner.declaration.leaves = [...(owner.declaration.leaves ?? []), name];
    return;
  }
  const body = newBody(file, owner, singleton, name);
  body.keepsObjects = !(owner.role === 'migration' && isReverting(file, owner, method));
  const parameters = bindParameters(body, child(node, 'parameters'));
  // What it is given runs what it surrounds.
  if (isAround(owner, name) && owner.role !== 'controller')
    body.blockName ??= [...body.locals.keys()][0] ?? null;
  const written = child(node, 'body');
  let steps = written ? [...asRoutine(lowerNode(body, written)), ...keeping(body, node)] : [];
  const lambda = givenLambda(body, owner, method, written);
  const either = !lambda && written ? eitherOf(body, written) : [];
  const type = !lambda && written && either.length === 0 ? returnType(body, written) : null;
  const returns = lambda ?? type?.name;
  // Of whoever inherits it or takes it in, it is one of that class, or what that class gives.
  const ofOwn = owner.kind !== 'file' && returns?.replace(/[.#].*/, '') === `ruby:${owner.name}`;
  const entry = entryOf(method, owner, file.unit.role);
  if (/^(request|job)$/.test(entry) || name === 'call') steps = wrapAction(file, owner, name, steps);
  // What is given another row each time runs for each.
  if (!parameters && owner.memoized?.has(`${singleton ? 'self.' : ''}${name}`))
    steps = once(steps, singleton ? 'ever' : true);
  if (steps.length === 0 && !returns && either.length === 0 && entry === 'called') {
    // It does nothing that matters, but it is there: no framework's meaning may take its place.
    const overrides = OVERRIDES.test(name) || overridden.has(methodName(owner, name, singleton));
    if (!overrides && !(isNothing(written) && owner.declaration.bases.length > 0)) return;
  }
  const varies = parameters ? variesIn(file, node) : [];
  addRoutine(file, {
    name: methodName(owner, name, singleton),
    at: { start: method.at.start, end: method.at.end },
    kind: owner.kind === 'file' ? 'function' : 'method',
    entry,
    startsIn: startsIn(entry, owner),
    ...(/^(request|job)$/.test(entry) || (name === 'call' && isCommand(owner)) ? { inherits: true } : {}),
    ...(parameters ? { parameters } : {}),
    ...(returns ? { returns } : {}),
    ...(either.length > 0 ? { returnsOneOf: either } : {}),
    ...(ofOwn ? { returnsOwn: true as const } : {}),
    ...(type?.kind === 'many' ? { returnsSeveral: true as const } : {}),
    ...flagsOf(file, child(node, 'parameters'), written, steps, body.restAsked),
    ...(onlyRuns(body, node, steps) ? { keepsBlock: false } : {}),
    ...(varies.length > 0 ? { varies } : {}),
    body: steps,
  });
}

/** `def handler = ->(order) { … }` gives what is called later. */
function givenLambda(
  body: Body,
  owner: Owner,
  { name, singleton }: Method,
  written: Syntax | undefined,
): Name | undefined {
  const last = written && /^(body_statement|begin)$/.test(written.type) ? lastPart(written) : written;
  if (!last || !/^(lambda|identifier|call)$/.test(last.type)) return undefined;
  const held = last.type === 'identifier' ? body.locals.get(textOf(body.file, last))?.value : last;
  const steps = held && writtenIn(body.file, held) && lambdaBody(body, held);
  if (!steps?.length) return undefined;
  const gives: Name = `${methodName(owner, name, singleton)}.given`;
  body.file.unit.types.push({ name: gives, at: spanOf(held!), bases: [] });
  addRoutine(body.file, {
    name: `${gives}#call`,
    at: spanOf(held!),
    entry: 'called',
    startsIn: 'caller',
    body: steps,
  });
  return gives;
}

/** `PLACE = ->(order) { … }` is called as a class's method would be; so is each of a table or a list of such. */
function lowerLambda(file: RubyFile, owners: Owner[], name: string, value: Syntax): void {
  const written = writtenIn(file, value);
  if (!written) {
    lowerTable(file, owners, name, value);
    return;
  }
  const owner = ownerOf(file, owners, name);
  const body = newBody(file, owner, true, 'call');
  const list = child(written, 'parameters');
  const parameters = bindParameters(body, list);
  const code = child(written, 'body');
  const steps = asRoutine(lowerNode(body, code));
  if (steps.length === 0) return;
  addRoutine(file, {
    name: `ruby:${name}.call`,
    at: spanOf(value),
    entry: file.unit.role === 'test' ? 'test' : 'called',
    startsIn: 'caller',
    ...(parameters ? { parameters } : {}),
    ...flagsOf(file, list, code, steps, body.restAsked),
    body: steps,
  });
}

/** `HANDLERS = { place: ->(order) { … } }`, for those who call one of them or each in another file. */
function lowerTable(file: RubyFile, owners: Owner[], name: string, value: Syntax): void {
  const table = value.type === 'call' ? child(value, 'receiver') : value;
  if (!table || !/^(hash|array)$/.test(table.type)) return;
  const body = newBody(file, ownerOf(file, owners, name), true, null);
  const entry = file.unit.role === 'test' ? 'test' : 'called';
  let named = false;
  const add = (key: string, steps: Step[], implied = false) =>
    addRoutine(file, {
      name: `ruby:${name}::${key}.call`,
      at: spanOf(table),
      entry,
      startsIn: 'caller',
      ...(implied && { implied }),
      // Each has steps of its own, as it has once it was kept as JSON.
      body: structuredClone(steps),
    });
  const all: Step[][] = [];
  for (const one of parts(table)) {
    const item = one.type === 'pair' ? child(one, 'value') : one;
    const steps = item && isCallable(body, item) ? calling(body, item, spanOf(item)) : null;
    if (!steps?.length) continue;
    all.push(steps);
    const key = one.type === 'pair' && nameIn(body, child(one, 'key')!);
    if (!key) continue;
    add(key, steps);
    named = true;
  }
  if (all.length === 0) return;
  // Where nobody asks for these, nobody runs them: each that has a name is there by itself.
  add(
    'any',
    [{ kind: 'branch', at: spanOf(table), arms: all, exhaustive: all.length === parts(table).length }],
    true,
  );
  add(
    'each',
    all.flatMap((steps) => inTurn(steps, spanOf(table))),
    named,
  );
}

const ownerOf = (file: RubyFile, owners: Owner[], name: string): Owner =>
  file.owners.get(name.slice(0, Math.max(0, name.lastIndexOf('::')))) ?? owners[0]!;

const isAround = ({ callbacks }: Owner, name: string) =>
  callbacks.some(({ around, method }) => around && method === name);

/** `raise NotImplementedError`: those that descend from the class have the method. */
function isLeftToOthers(file: RubyFile, node: Syntax): boolean {
  const body = child(node, 'body');
  // Without an `end` the body is the statement.
  const [first, ...rest] = body?.type === 'call' ? [body] : parts(body);
  return (
    first?.type === 'call' &&
    rest.length === 0 &&
    /^(raise|fail)[ (]+(::)?NotImplementedError\b/.test(textOf(file, first))
  );
}

/** `def work; end`, `def work = nil`: it takes the place of one above, which does something. */
function isNothing(written: Syntax | undefined): boolean {
  const inner = written?.type === 'body_statement' ? parts(written) : written ? [written] : [];
  return inner.length === 0 || (inner.length === 1 && /^(nil|true|false)$/.test(inner[0]!.type));
}

const OVERRIDES =
  /^(save|create|update|destroy|delete|touch|find_or_create_by|create_or_find_by|transaction|with_lock|initialize|call)[!?]?$/;

function entryOf(method: Method, owner: Owner, role: Unit['role']): Routine['entry'] {
  if (role === 'test') return 'test';
  const { name } = method;
  switch (owner.role) {
    case 'migration':
      return /^(up|down|change)$/.test(name) ? 'migration' : 'called';
    case 'job':
      return isRun(owner, name) && !method.singleton ? 'job' : 'called';
    case 'controller':
      return method.private ||
        method.singleton ||
        owner.privates.has(name) ||
        // What runs around actions is none itself.
        owner.callbacks.some((callback) => callback.method === name)
        ? 'called'
        : 'request';
    default:
      return 'called';
  }
}

const isRun = ({ superclass }: Owner, name: string): boolean => {
  const run = runsOf.get(superclass?.replace(/^::/, '') ?? '');
  return run === undefined ? /^(perform|each_iteration)$/.test(name) : name === run;
};

function startsIn(entry: Routine['entry'], owner: Owner): Routine['startsIn'] {
  if (entry === 'called' || entry === 'test') return 'caller';
  if (entry === 'migration') return owner.outsideTransaction ? 'autocommit' : 'transaction';
  return 'autocommit';
}

/** The type of the last expression. */
function returnType(body: Body, written: Syntax): Type | null {
  const type = typeOf(body, returned(written));
  return type && type.kind !== 'builtin' && type.kind !== 'class' ? type : null;
}

/** `case kind when :late then Late.new else Now.new end`, `HANDLERS.fetch(kind)`. */
function eitherOf(body: Body, written: Syntax): NonNullable<Routine['returnsOneOf']> {
  const last = returned(written);
  const method = last?.type === 'call' ? child(last, 'method') : undefined;
  // Most methods end with a call that makes nothing.
  if (method ? !/^(new|fetch)$/.test(textOf(body.file, method)) : !EITHER.test(last?.type ?? '')) return [];
  const several = typesOf(body, last!)?.of ?? choices(body, last!).of.map((one) => typeOf(body, one));
  const all = several.filter((one) => one?.kind === 'class' || one?.kind === 'one');
  if (all.length < 2) return [];
  return all.map((one) => ({ type: one!.name, ...(one!.kind === 'class' ? { itself: true } : {}) }));
}

const EITHER = /^(element_reference|case|if|unless|conditional)$/;

/** What a method ends with. */
function returned(written: Syntax): Syntax | undefined {
  const last = /^(body_statement|begin)$/.test(written.type) ? lastPart(written) : written;
  return last?.type === 'return' ? parts(parts(last)[0])[0] : last;
}

// ---- the top of the file

function lowerScript(file: RubyFile, script: { owner: Owner; nodes: Syntax[] }): void {
  const body = newBody(file, script.owner, false, null);
  const steps: Step[] = lowerAll(body, script.nodes);
  spanned(steps, 0);
  // It says what the migrations made of the database, and nobody runs it in one transaction.
  if (/(^|\/)db\/(\w+_)?schema\.rb$/.test(file.unit.file)) return;
  if (!steps.some((step) => step.kind !== 'call' || step.block)) return;
  const test = file.unit.role === 'test';
  addRoutine(file, {
    name: `ruby:${file.unit.file.replace(/\.rb$/, '')}`,
    at: { start: 0, end: 0 },
    kind: 'script',
    entry: test ? 'test' : 'script',
    startsIn: test ? 'caller' : 'autocommit',
    body: steps,
  });
}
