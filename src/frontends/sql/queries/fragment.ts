// A piece of SQL that a program puts into a query which a framework makes: what the server calls to compute it. It tells nothing else of a query.
import { inside, type Step } from '../../../ir.ts';
import { inRow, type Source } from '../../source.ts';
import { lowerEmbeddedUnit } from './embedded.ts';

/** Whether it may call anything. */
const CALLS = /[\w"]\s*\(/;

/** `normalise(name) = ?`, `normalise(name) DESC`: as it stands in any part of a query over some rows. */
export function computedBy(source: Source, file: string): Step[] {
  if (!CALLS.test(source.text)) return [];
  const around = (text: string): Source => ({ text, at: () => source.at(0) });
  return calledBy(inRow([around('SELECT '), source, around(' FROM some')]), file);
}

/** The same of a whole query in words that are nearly SQL. */
export const calledBy = (query: Source, file: string): Step[] =>
  CALLS.test(query.text) ? lowerEmbeddedUnit(query, file).steps.flatMap(alone).filter(isComputed) : [];

/** Whether the statement has a transaction of its own, its framework says. */
const alone = (step: Step): Step[] => (step.kind === 'scope' && step.implied ? step.body : [step]);

/** What a framework's query reads, its own table tells. */
const isComputed = (step: Step): boolean =>
  step.kind === 'call' || (step.kind === 'loop' && inside(step).some((all) => all.some(isComputed)));

/** Of one row: once. */
export const once = (steps: Step[]): Step[] =>
  steps.flatMap((step) => (step.kind === 'loop' && step.over === 'query' ? step.body : [step]));
