// What a model's associations say: whose rows they give, and what a save or a destroy of the record does to those.
import type { Name, Span, Step, Trigger } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import {
  addRoutine,
  type Macro,
  methodName,
  type Owner,
  type RubyFile,
  resolveConstant,
} from '../names/file.ts';
import { classify, isPlural } from '../names/inflect.ts';
import { literal, spanOf, textOf, word } from '../syntax.ts';

export function giveField({ declaration }: Owner, name: string, type: Name, several = false): void {
  declaration.fields ??= {};
  declaration.fields[name] = type;
  if (several) declaration.several = [...(declaration.several ?? []), name];
}

/** What a class has of another one's rows. */
type Has = 'many' | 'one' | 'belongs' | 'query';

export function association(given: Macro, has: Has): void {
  const { file, owner, args } = given;
  const called = word(file, args.positional[0]);
  if (!called) return;
  const named = args.keywords.get('class_name') ?? args.keywords.get('class');
  const written = named ? classIn(file, named.value) : null;
  if (named && written === null) return;
  if (args.keywords.has('polymorphic')) return;
  const source = args.keywords.get('source');
  const other = source ? word(file, source.value) : null;
  const target = written ?? classify(other ?? called);
  const type = resolveConstant(file, target.replace(/^::(?=[A-Z])/, '::'), owner);
  giveField(owner, called, type, has === 'many');
  // `as: :commentable`: a comment is of this class, where no other one says that too.
  const as = args.keywords.get('as');
  const field = as ? word(file, as.value) : null;
  if (field) owner.declaration.gives = [...(owner.declaration.gives ?? []), { to: type, field, alone: true }];
  // The rows as a query as well.
  if (has === 'query') giveField(owner, `${called}_dataset`, type, true);
  const through = args.keywords.get('through');
  const joining = has === 'many' && through ? word(file, through.value) : null;
  if (joining)
    gives(given, `${called}<<`, [
      savedOne(`ruby:${owner.name}#${joining}()`, spanOf(through!.value), ['insert']),
    ]);
  // Of a record that has a row, the other one is saved at once.
  if (has === 'one') gives(given, `${called}=`, [savedOne(type, spanOf(args.positional[0]!))]);
  for (const { verbs, body } of follows(given, has, type))
    file.unit.triggers.push({
      name: `${given.name} :${called}`,
      at: spanOf(args.positional[0]!),
      relation: `ruby:${owner.name}`,
      verbs,
      // Once for each record that is saved, and a save is a statement of its own.
      each: 'statement',
      timing: has === 'belongs' ? 'after' : 'before',
      via: 'model callback',
      implied: true,
      body,
    });
}

/** `accepts_nested_attributes_for :lines`: who saves the record with `lines_attributes: […]` saves a line for each. */
export function nestedAttributes(given: Macro): void {
  for (const one of given.args.positional) {
    const called = word(given.file, one);
    if (!called || given.owner.kind === 'file') continue;
    const at = spanOf(one);
    const body = [savedOne(`ruby:${given.owner.name}#${called}()`, at)];
    const each = isPlural(called) ? { each: 'rows' } : { times: 1 };
    gives(given, `${called}_attributes=`, [{ kind: 'loop', over: 'items', times: null, ...each, at, body }]);
  }
}

function gives({ file, owner, node }: Macro, name: string, body: Step[]): void {
  const flags = [{ name: 'rows', position: 0 }];
  const at = spanOf(node);
  addRoutine(file, {
    name: methodName(owner, name, false), at, entry: 'called', startsIn: 'caller', implied: true, flags, body,
  }); // biome-ignore format: short
}

/** It is inserted, or updated. */
function savedOne(relation: Name, at: Span, verbs: ('insert' | 'update')[] = ['insert', 'update']): Step {
  const arms = verbs.map((verb): Step[] => [{ kind: 'write', verb, relation, rows: 'one', at }]);
  const body: Step[] = [{ kind: 'branch', at, arms, exhaustive: true }];
  return { kind: 'scope', opens: 'transaction', whenNested: 'join', label: 'save', at, body };
}

/** `'Shop::Line'`, and Sequel's `:Line` and `Line`. */
const classIn = (file: RubyFile, node: Syntax): string | null =>
  /^(constant|scope_resolution)$/.test(node.type)
    ? textOf(file, node)
    : (literal(file, node)?.replace(/^:/, '') ?? null);

/** `dependent: :destroy`, `counter_cache: true`. What `touch: true` touches, Rails touches once, when the transaction ends. */
function follows({ file, args }: Macro, has: Has, target: Name): Pick<Trigger, 'verbs' | 'body'>[] {
  const at = spanOf(args.positional[0]!);
  const out: Pick<Trigger, 'verbs' | 'body'>[] = [];
  const option = (key: string) => {
    const value = args.keywords.get(key)?.value;
    return value && (literal(file, value) ?? 'computed');
  };
  if (has === 'belongs') {
    if (!/^(false|nil)?$/.test(option('counter_cache') ?? ''))
      out.push({ verbs: ['insert', 'delete'], body: [updated(target, 'one', at)] });
  }
  const body = args.keywords.has('through') ? [] : dependents(option('dependent'), has, target, at);
  if (body.length > 0) out.push({ verbs: ['delete'], body });
  return out;
}

function dependents(how: string | undefined, has: Has, target: Name, at: Span): Step[] {
  const rows = has === 'many' ? 'many' : 'one';
  switch (how) {
    case ':destroy': {
      const one: Step = {
        kind: 'scope',
        opens: 'transaction',
        whenNested: 'join',
        label: 'destroy',
        at,
        body: [{ kind: 'write', verb: 'delete', relation: target, rows: 'one', at }],
      };
      return rows === 'many' ? [{ kind: 'loop', over: 'rows', times: null, at, body: [one] }] : [one];
    }
    case ':delete_all':
    case ':delete':
      return [{ kind: 'write', verb: 'delete', relation: target, rows, withoutCallbacks: true, at }];
    case ':nullify':
      return [updated(target, rows, at)];
    default:
      return [];
  }
}

const updated = (relation: Name, rows: 'one' | 'many', at: Span): Step => ({
  kind: 'write',
  verb: 'update',
  relation,
  rows,
  withoutCallbacks: true,
  at,
});
