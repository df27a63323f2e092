// Takes the safe fixes of an example, as --fix does; for tests that hold the result against a server.
import { analyse, lower } from '../src/analyse.ts';
import type { Unit } from '../src/ir.ts';

/** The text with all safe fixes made, and the titles of those. */
export async function fixed(text: string, file = 'example.sql'): Promise<{ text: string; titles: string[] }> {
  const unit = (await lower(file, text)) as Unit;
  const fixes = analyse([unit]).findings.flatMap((finding) =>
    (finding.fixes ?? []).filter((fix) => fix.safe),
  );
  const edits = fixes.flatMap((fix) => fix.edits).sort((a, b) => b.at.start - a.at.start);
  let out = text;
  for (const { at, replacement } of edits) out = out.slice(0, at.start) + replacement + out.slice(at.end);
  return { text: out, titles: fixes.map((fix) => fix.title) };
}
