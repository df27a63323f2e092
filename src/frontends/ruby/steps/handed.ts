// What calls hand over to a class that may keep it: objects that are made here, classes, and what the caller keeps itself. Who keeps it, the class says.
import type { Name, Unit } from '../../../ir.ts';
import type { Syntax } from '../../syntax.ts';
import type { Body } from '../names/file.ts';
import { keptType } from '../names/likened.ts';
import { typeOf } from '../names/types.ts';
import type { Arguments } from '../syntax.ts';

type Hand = NonNullable<Unit['hands']>[number];

/** `Writer.new(store, to: Store.new)`. */
export function handOver(body: Body, to: Name, method: string, { positional, keywords }: Arguments): void {
  if (body.file.unit.role === 'test' || !to.startsWith('ruby:') || to.endsWith('()')) return;
  for (const [i, one] of positional.entries()) {
    if (one.type === 'splat_argument') break;
    hand(body, to, method, String(i), one);
  }
  for (const [name, { value }] of keywords) hand(body, to, method, name, value);
}

function hand(body: Body, to: Name, method: string, parameter: string, value: Syntax): void {
  const type = typeOf(body, value) ?? (method === 'new' ? keptType(body, value) : null);
  if (!type || !/^(one|class)$/.test(type.kind) || !type.name.startsWith('ruby:')) return;
  const one: Hand = {
    to,
    method,
    parameter,
    is: type.name,
    ...(type.kind === 'class' && { itself: true }),
  };
  const { file } = body;
  const key = Object.values(one).join(' ');
  file.told ??= new Set();
  if (file.told.has(key)) return;
  file.told.add(key);
  file.unit.hands ??= [];
  file.unit.hands.push(one);
}
