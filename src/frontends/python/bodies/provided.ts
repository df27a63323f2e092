// Generators of the file that give a routine its parameters, and are around it while it runs: `session=Depends(open_session)`. What they do is lowered elsewhere.
import type { Name, Step } from '../../../ir.ts';
import { child, type Syntax } from '../../syntax.ts';
import { underline } from '../calls/calls.ts';
import { argument } from '../names/arguments.ts';
import { isGenerator } from '../names/generators.ts';
import { canonical, isProvider, providers } from '../names/knowledge.ts';
import { type File, kept, lookup, type Place, textOf } from '../names/scope.ts';
import { resolve } from '../names/values.ts';

const PROVIDED = new RegExp(
  `\\b(?:${providers.map((path) => path.split('.').at(-1)).join('|')})\\(\\s*(?:\\w+=)?(\\w+)`,
  'g',
);

/** What a file hands to such a call, by its name. */
const named = kept((_, { text }: File) => new Set([...text.matchAll(PROVIDED)].map(([, name]) => name!)));

/** It gives others a parameter: what it yields to is their body. */
export const isProvided = (c: Place, name: string): boolean => named(c, c.file).has(name);

/** The steps of a routine within those that give its parameters, the first one outermost. */
export function provided(c: Place, definition: Syntax, steps: Step[]): Step[] {
  if (steps.length === 0 || named(c, c.file).size === 0) return steps;
  const calls = (child(definition, 'parameters')?.children ?? []).flatMap((one) => [
    ...givers(c, child(one, 'value')),
    ...givers(c, child(one, 'type') ?? one.children.find(({ type }) => type === 'type')),
  ]);
  return calls.reduceRight<Step[]>((block, { call, path }) => {
    return [
      { kind: 'call', at: underline(c, call), callee: `python:${path}` as Name, block, decorates: true },
    ];
  }, steps);
}

interface Giver {
  call: Syntax;
  path: string;
}

/** Those in a default or an annotation, or in what a name of the file stands for there: `Session = Annotated[…, Depends(open_session)]`. */
function givers(c: Place, node: Syntax | undefined, depth = 0): Giver[] {
  if (!node || depth > 6) return [];
  if (node.type === 'identifier') {
    const code = lookup(c.file, c.scope, textOf(c.file, node))?.code;
    return code?.type === 'subscript' ? givers(c, code, depth + 1) : [];
  }
  if (node.type !== 'call') return node.children.flatMap((one) => givers(c, one, depth + 1));
  const by = resolve(c, child(node, 'function'))?.path;
  if (!by || !isProvider(canonical(by))) return [];
  const path = resolve(c, argument(node, 0))?.path;
  return path && isGiver(c, path) ? [{ call: node, path }] : [];
}

/** A generator of the module that is not decorated. */
const isGiver = ({ file }: Place, path: string): boolean =>
  file.root.children.some(
    (one) =>
      one.type === 'function_definition' &&
      `${file.module}.${textOf(file, child(one, 'name'))}` === path &&
      isGenerator(one),
  );
