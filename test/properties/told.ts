// What is said of some files in words that outlive a moved line, and every example of the fixtures and the rules' pages.
import { existsSync, readdirSync } from 'node:fs';
import { rules } from '../../rules/index.ts';
import { check, lower } from '../../src/analyse.ts';
import type { Unit } from '../../src/ir.ts';
import { link } from '../../src/linker/link.ts';
import { type Example, readPage, readProject } from '../markdown.ts';

export type Files = Record<string, string>;
const ALL = rules.map(({ id }) => id);

/** Findings by the text of the lines they are about, in the files that are asked for. */
export async function told(files: Files, of: (file: string) => boolean = () => true): Promise<string[]> {
  const units: Unit[] = [];
  for (const [file, text] of Object.entries(files)) {
    const unit = await lower(file, text);
    if (unit) units.push(unit);
  }
  const line = (file: string, offset: number) => {
    const text = files[file]!;
    const start = text.lastIndexOf('\n', offset - 1) + 1;
    return text.slice(start, `${text}\n`.indexOf('\n', offset)).trim();
  };
  return check(link(units), ALL, true)
    .filter(({ file }) => of(file))
    .map(({ file, at, rule, severity, certainty, message, remedy, subject, trace, also }) =>
      JSON.stringify({
        file, rule, severity, certainty, message, remedy, subject, also,
        line: line(file, at.start),
        trace: trace.map((frame) => `${frame.file}: ${line(frame.file, frame.at.start)} ${frame.says}`),
      }),
    )
    .sort(); // biome-ignore format: one record
}

const pages = (folder: string) =>
  readdirSync(folder)
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => readPage(`${folder}/${page}`));

const named = (example: Example): [string, Files] => [
  `${example.title} (${example.files[0]?.path})`,
  Object.fromEntries(example.files.map(({ path, text }) => [path, text])),
];

/** Each with its title. */
export const EXAMPLES: [string, Files][] = [
  ...readdirSync('rules')
    .filter((rule) => existsSync(`rules/${rule}/rule.md`))
    .flatMap((rule) => readPage(`rules/${rule}/rule.md`)),
  ...pages('fixtures/frameworks'),
  ...pages('fixtures/languages'),
  ...readdirSync('fixtures/projects').map((name) => readProject(`fixtures/projects/${name}`)),
].map(named);
