// The whole program on one screen: lower, link, check. It reads no disk and prints nothing.
import { rules } from '../rules/index.ts';
import { together } from '../rules/together.ts';
import { frontendFor } from './frontends/index.ts';
import { emptyUnit, type Unit } from './ir.ts';
import { type LinkOptions, link } from './linker/link.ts';
import type { Model } from './linker/model.ts';
import type { Finding } from './rule.ts';

/** One file at a time; `null` when no front end reads such files. */
export async function lower(file: string, text: string): Promise<Unit | null> {
  const entry = frontendFor(file);
  if (!entry) return null;
  const frontend = await entry.load();
  try {
    return frontend.lower(file, text);
  } catch (error) {
    // A front end must not throw; when one does, the run goes on and the file is listed.
    const unit = emptyUnit(file, entry.language);
    unit.problems.push({ message: `could not be read: ${(error as Error).message}`, partial: true });
    return unit;
  }
}

/**
 * Findings of the rules that are on, or of those named; what is only possible is left out unless asked for. Each rule
 * speaks for itself, so that each is weighed, allowed and known by itself.
 */
export function checkEach(model: Model, only?: string[], possible = false): Finding[] {
  const chosen = rules.filter((rule) => (only ? only.includes(rule.id) : rule.severity !== 'off'));
  return chosen
    .flatMap((rule) => rule.check(model))
    .filter(({ certainty }) => possible || certainty !== 'possible')
    .sort(byPlace)
    .filter((finding, i, all) => i === 0 || !samePlace(finding, all[i - 1]!));
}

/** The same as people are told it: one finding for one place. */
export const check = (model: Model, only?: string[], possible = false): Finding[] =>
  together(checkEach(model, only, possible));

/** One call may open several scopes, as update_or_create() does; it is told once. */
const samePlace = (a: Finding, b: Finding): boolean =>
  a.rule === b.rule && a.file === b.file && a.at.start === b.at.start && a.at.end === b.at.end;

export function analyse(units: Unit[], options: LinkOptions = {}): { model: Model; findings: Finding[] } {
  const model = link(units, options);
  return { model, findings: check(model) };
}

const SUREST = ['certain', 'likely', 'possible'];

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  if (a.at.start !== b.at.start) return a.at.start - b.at.start;
  if (a.rule !== b.rule) return a.rule < b.rule ? -1 : 1;
  return SUREST.indexOf(a.certainty) - SUREST.indexOf(b.certainty);
}
