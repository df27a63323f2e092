// SQL in Ruby strings: what it does, and what it creates, which becomes the unit's.
import type { Name, Step } from '../../../ir.ts';
import { handedRoutine, lowerEmbeddedUnit, mayAct } from '../../sql/queries/embedded.ts';
import type { Declarations } from '../../sql/text/reader.ts';
import { child, type Syntax } from '../../syntax.ts';
import { type Asked, type Body, constantName } from '../names/file.ts';
import { textHeldBy } from '../names/held.ts';
import { holdersOf } from '../names/variables.ts';
import { type Arguments, argumentsOf, lastPart, parts, spanOf, stringSource, textOf } from '../syntax.ts';
import { boundBy } from './bound.ts';

/** Null: the argument is no SQL, so the call may mean something else. */
export function lowerSql(body: Body, asked: Asked): Step[] | null {
  const { args, name, receiver, at } = asked;
  const argument = args.positional[0];
  if (!argument) return null;
  const among =
    argument.type === 'identifier' ? body.locals.get(textOf(body.file, argument))?.among : undefined;
  if (among) {
    // In one turn of the loop each.
    const each = among.map((one) => lowerSql(body, { ...asked, args: instead(args, one) }) ?? []);
    return each.flatMap((steps): Step[] =>
      steps.length > 0 ? [{ kind: 'block', at: spanOf(at), once: 'in loop', body: steps }] : [],
    );
  }
  const held = argument.type === 'identifier' ? textHeldBy(body, argument) : argument;
  const either = oneOf(held);
  if (either) {
    const arms = either.map((one) => (one ? lowerSql(body, { ...asked, args: instead(args, one) }) : null));
    return arms.every((arm) => arm === null)
      ? null
      : [{ kind: 'branch', at: spanOf(at), arms: arms.map((arm) => arm ?? []), exhaustive: true }];
  }
  const source = stringSource(body.file, argument, (node) => textHeldBy(body, node));
  if (!source) {
    // A connection that is given text which cannot be read may do anything.
    const connection = receiver && /(connection|conn|\bDB)$/.test(textOf(body.file, receiver));
    const anything: Step[] | null =
      connection && /^(execute|exec|exec_query|exec_update|run|async_exec)$/.test(name)
        ? [{ kind: 'opaque', at: spanOf(at), why: 'SQL that is put together elsewhere' }]
        : null;
    const elsewhere = (connection || ASKS_TEXT.test(name)) && textElsewhere(body, argument);
    return elsewhere
      ? [{ kind: 'call', at: spanOf(at), callee: elsewhere, meanings: [{ steps: anything ?? [] }] }]
      : anything;
  }
  const host = { text: body.file.text, bound: boundBy(body, args) };
  const read = lowerEmbeddedUnit(source, body.file.unit.file, host);
  declare(body, read);
  const some =
    read.steps.length +
    read.routines.length +
    read.triggers.length +
    read.relations.length +
    read.changes.length;
  return some > 0 || /^\s*(select|with|set|comment|analyze|vacuum)\b/i.test(source.text)
    ? kept(body, asked, read.steps)
    : null;
}

/** `order = Order.find_by_sql([…]).first`: the row that is locked is what the variable holds. */
function kept(body: Body, { node }: Asked, steps: Step[]): Step[] {
  const holders = steps.some(({ kind }) => kind === 'row lock') ? holdersOf(body, node) : [];
  if (holders.length > 0)
    for (const step of steps) if (step.kind === 'row lock') step.keys = [...(step.keys ?? []), ...holders];
  return steps;
}

/** One of the texts that the first argument may be. */
const instead = (args: Arguments, text: Syntax): Arguments => ({
  ...args,
  positional: [text, ...args.positional.slice(1)],
});

/** Nobody asks these anything else than text. */
const ASKS_TEXT = /^(execute|exec_query|select_(all|one|rows|values?)|(find|count)_by_sql)$/;

/** `if all … else … end`, `case … end`, `all ? … : …`: the texts of which it is one. */
function oneOf(node: Syntax): (Syntax | undefined)[] | null {
  const last = (clause: Syntax | undefined): Syntax | undefined =>
    clause && /^(then|else|body_statement)$/.test(clause.type) ? lastPart(clause) : clause;
  switch (node.type) {
    case 'conditional':
    case 'if':
    case 'unless':
    case 'elsif':
      return ['consequence', 'alternative'].map((which) => last(child(node, which)));
    case 'case':
      return node.children
        .filter(({ type }) => /^(when|else)$/.test(type))
        .map((clause) => last(clause.type === 'when' ? child(clause, 'body') : clause));
    default:
      return null;
  }
}

/** Of what is given for text that another file holds: whoever executes it finds it by this name. */
export const textOfName = (name: Name): Name => `${name}$text`;

const WRAPPED = /^(squish|strip|freeze|to_s|dup|chomp)$/;

/** `Queries::REFRESH`, `Queries.refresh`, `self.class.refresh`: what it is called where it is written out. */
export function textElsewhere(body: Body, node: Syntax): Name | undefined {
  const [object, method] = [child(node, 'receiver'), child(node, 'method')];
  if (node.type === 'call' && object && method && WRAPPED.test(textOf(body.file, method)))
    return textElsewhere(body, object);
  // `sanitize_sql([Queries::REFRESH, id])`
  const within =
    node.type === 'array'
      ? parts(node)[0]
      : method && /^sanitize_sql/.test(textOf(body.file, method))
        ? argumentsOf(body.file, node).positional[0]
        : undefined;
  if (within) return textElsewhere(body, within);
  // A class above may have it. Those around are asked by the linker, as for any constant.
  if (node.type === 'constant')
    return body.owner.kind === 'class'
      ? textOfName(`ruby:${body.owner.name}.${textOf(body.file, node)}`)
      : undefined;
  const named = node.type === 'scope_resolution' ? parts(node) : [object, method];
  const [of, name] = named;
  if (!of || !name || named.length !== 2 || !/^(constant|scope_resolution)$/.test(of.type)) return undefined;
  return textOfName(`${constantName(body.file, of, body.owner)}.${textOf(body.file, name)}`);
}

function declare({ file: { unit }, keepsObjects }: Body, read: Declarations): void {
  if (keepsObjects) {
    unit.routines.push(...read.routines);
    unit.triggers.push(...read.triggers);
    unit.relations.push(...read.relations);
    unit.foreignKeys.push(...read.foreignKeys);
    unit.changes.push(...read.changes);
    unit.settings.push(...read.settings);
  }
  // What creates no routine may be another database's, or no SQL: that it is not read is no news.
  if (read.routines.length > 0) unit.problems.push(...read.problems);
}

const TEXT = /^(string|chained_string|heredoc_beginning|call|binary|identifier|constant|scope_resolution)$/;

/** SQL that a call hands to whoever runs it, as a routine that nobody wrote. */
export function handedText(body: Body, node: Syntax): Name | undefined {
  const { file } = body;
  const known = file.handed.get(node.start);
  if (known || !TEXT.test(node.type)) return known;
  const source = stringSource(file, node, (one) => textHeldBy(body, one));
  if (!source || !mayAct(source.text)) return undefined;
  const read = lowerEmbeddedUnit(source, file.unit.file);
  declare(body, read);
  if (read.steps.length === 0) return undefined;
  // A place in the text would change with every line above. A path has no dots, so that the last one stands before the name.
  const name: Name = `ruby:${file.unit.file.replaceAll('.', '_')}.text${file.handed.size + 1}`;
  file.handed.set(node.start, name);
  file.unit.routines.push(handedRoutine(name, spanOf(node), read.steps));
  return name;
}

/** `sql`, `sql.squish`, `sanitize_sql([sql, id])`: the local variable that a text is made of; the linker is told only of parameters. */
export function madeFrom(body: Body, node: Syntax | undefined): string | undefined {
  let name: string | undefined;
  const source =
    node &&
    stringSource(body.file, node, (one) => {
      name = one.type === 'identifier' ? textOf(body.file, one) : undefined;
      return textHeldBy(body, one);
    });
  return !source && name !== undefined && body.locals.has(name) ? name : undefined;
}

/** `DB["SELECT f(?)", id]`: what Sequel's database is asked; null for the element of anything else. */
export function lowerAsked(body: Body, node: Syntax): Step[] | null {
  const [object, first, ...rest] = parts(node);
  if (!object || !first || !/^(string|heredoc_beginning)$/.test(first.type)) return null;
  if (!/(^|[.:@])(DB|db|database)$/i.test(textOf(body.file, object))) return null;
  const args = { ...argumentsOf(body.file, node), positional: [first, ...rest] };
  const steps = lowerSql(body, {
    node,
    name: '[]',
    at: object,
    receiver: object,
    type: null,
    args,
    block: null,
  });
  return steps && steps.length > 0 ? steps : null;
}
