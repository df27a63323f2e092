// Conditions that hold, or do not, in every program that we speak of. What a caller decides is elsewhere.
import type { Syntax } from '../../syntax.ts';
import { asksForTests } from '../names/knowledge.ts';
import { type Place, textOf } from '../names/scope.ts';
import { speaksOurs } from './vendors.ts';

/** What no program runs; its `else` it always does. */
const NEVER = /^(TYPE_CHECKING|typing\.TYPE_CHECKING|False|0)$/;

export function decided(c: Place, condition: Syntax | undefined): boolean | undefined {
  const text = condition ? textOf(c.file, condition) : '';
  if (NEVER.test(text) || asksForTests(text)) return false;
  if (text.startsWith('not ') && asksForTests(text.slice(4))) return true;
  return speaksOurs(c, condition);
}
