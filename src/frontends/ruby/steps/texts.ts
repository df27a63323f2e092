// The SQL that this file writes out for others, in constants and in methods of a class that give nothing else. Who executes it, the linker finds.
import type { Name } from '../../../ir.ts';
import { blocksOf, handedRoutine, lowerEmbeddedUnit, mayAct } from '../../sql/queries/embedded.ts';
import { child, type Syntax } from '../../syntax.ts';
import { newBody, type Owner, type RubyFile } from '../names/file.ts';
import { textHeldBy } from '../names/held.ts';
import { parts, spanOf, stringSource } from '../syntax.ts';
import { textOfName } from './embedded.ts';

export function giveTexts(file: RubyFile, owners: Owner[]): void {
  const top = owners[0]!;
  for (const [name, value] of file.constants) {
    const at = name.lastIndexOf('::');
    // One at the top needs no name of another's.
    if (at > 0) give(file, file.owners.get(name.slice(0, at)) ?? top, name.slice(at + 2), value);
  }
  for (const owner of owners)
    for (const { name, singleton, node } of owner.kind === 'file' ? [] : owner.methods) {
      const body = child(node, 'body');
      const [only, ...more] = body?.type === 'body_statement' ? parts(body) : [body];
      if (singleton && only && more.length === 0) give(file, owner, name, only);
    }
}

function give(file: RubyFile, owner: Owner, name: string, value: Syntax): void {
  const body = newBody(file, owner, true, null);
  const source = stringSource(file, value, (one) => textHeldBy(body, one));
  if (!source || !mayAct(source.text)) return;
  const made = lowerEmbeddedUnit(source, file.unit.file);
  const called: Name = textOfName(`ruby:${owner.name}.${name}`);
  if (made.steps.length === 0) return;
  file.unit.routines.push(handedRoutine(called, spanOf(value), made.steps), ...blocksOf(made));
}
