// Reads a Markdown page or a folder of files as small projects with annotations; runs nothing.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nearest } from '../src/project/config/config.ts';

/** The last four are held against real servers. */
const WORDS = ['expect', 'missed', 'spurious', 'event', 'subtransactions', 'multixacts', 'returns', 'error'] as const; // biome-ignore format: a list
export type Word = (typeof WORDS)[number];

export interface Annotation {
  word: Word;
  /** The rule, the event or the number; the reason after `, because` is apart. */
  what: string;
  because?: string;
  file: string;
  /** The line that it speaks of, in the example's file, from 1. */
  line: number;
}

export interface Example {
  /** The page and the headings over it. */
  title: string;
  headings: string[];
  files: { path: string; text: string; info: string; page: string; pageLine: number }[];
  annotations: Annotation[];
}

const DEFAULT_NAME: Record<string, string> = {
  sql: 'example.sql', psql: 'example.psql', pgsql: 'example.sql', plpgsql: 'example.sql', python: 'example.py', py: 'example.py', ruby: 'example.rb',
  java: 'Example.java', kotlin: 'Example.kt', yaml: 'example.yaml', yml: 'example.yml', xml: 'example.xml', properties: 'example.properties',
  ini: 'odbc.ini', json: 'example.json', toml: 'example.toml', groovy: 'build.gradle', psqlrc: '.psqlrc',
  js: 'migrations/1_example.js', ts: 'migrations/1_example.ts',
}; // biome-ignore format: a table

/** Fenced blocks under one heading form one project; a line `path`: before a block names its file. */
export function readPage(path: string, text = readFileSync(path, 'utf8')): Example[] {
  const examples: Example[] = [];
  const headings: string[] = [];
  let current: Example | undefined;
  let name: string | undefined;
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    if (/^(?:<{7}|>{7}) /.test(lines[i]!)) throw new Error(`${path}:${i + 1} a merge left its mark`);
    const heading = /^(#{1,6})\s+(.*)$/.exec(lines[i]!);
    if (heading) {
      headings.length = heading[1]!.length - 1;
      headings.push(heading[2]!);
      current = undefined;
      name = undefined;
      continue;
    }
    const named = /^`([^`]+)`:?\s*$/.exec(lines[i]!);
    if (named) name = named[1];
    const fence = /^(`{3,}|~{3,})(\S*)\s*(.*)$/.exec(lines[i]!);
    if (!fence) continue;
    const start = i + 1;
    for (i++; i < lines.length && !lines[i]!.startsWith(fence[1]!); i++);
    if (lines[i]?.trimEnd() !== fence[1]) throw new Error(`${path}:${start} this block is not closed`);
    const info = fence[2]!;
    if (!(info in DEFAULT_NAME) && !name) continue; // prose such as console output
    if (!current) {
      current = {
        title: `${path}: ${headings.filter(Boolean).join(' > ')}`,
        headings: headings.filter(Boolean),
        files: [],
        annotations: [],
      };
      examples.push(current);
    }
    addFile(current, name ?? DEFAULT_NAME[info]!, `${lines.slice(start, i).join('\n')}\n`, info, path, start);
    name = undefined;
  }
  return examples;
}

/** A folder under fixtures/projects is one project. */
export function readProject(folder: string): Example {
  const example: Example = { title: folder, headings: [], files: [], annotations: [] };
  const walk = (path: string) => {
    for (const entry of readdirSync(path).sort()) {
      const full = join(path, entry);
      if (statSync(full).isDirectory()) walk(full);
      else
        addFile(
          example,
          relative(folder, full).replaceAll('\\', '/'),
          readFileSync(full, 'utf8'),
          '',
          full,
          0,
        );
    }
  };
  walk(folder);
  return example;
}

const BEGINS = '(?:--|#|\\/\\/|<!--|\\\\echo|;)\\s*';
const ANNOTATION = new RegExp(`${BEGINS}(${WORDS.join('|')}):\\s*(.*?)\\s*(?:-->)?\\s*$`);
/** A word that is nearly one of them would be a comment like any other, and the fixture would say nothing. */
const LIKE_ONE = new RegExp(`${BEGINS}([a-z]{4,20}):\\s`);

function addFile(
  example: Example,
  path: string,
  text: string,
  info: string,
  page: string,
  pageLine: number,
): void {
  example.files.push({ path, text, info, page, pageLine });
  const lines = text.split(/\r?\n/);
  const pending: Omit<Annotation, 'line'>[] = [];
  for (let i = 0; i < lines.length; i++) {
    const match = ANNOTATION.exec(lines[i]!);
    const like = match ? undefined : LIKE_ONE.exec(lines[i]!)?.[1];
    const meant = like && nearest(like, [...WORDS]);
    if (meant)
      throw new Error(`${page}:${pageLine + i + 1} \`${like}:\` is no word of fixtures: write \`${meant}:\``);
    const annotation = match && parse(match[1] as Word, match[2]!, path);
    const alone = match && lines[i]!.slice(0, match.index).trim() === '';
    if (annotation && alone) pending.push(annotation);
    else {
      // Alone on a line it means the next line; at the end of a line, that line.
      for (const waiting of pending.splice(0)) example.annotations.push({ ...waiting, line: i + 1 });
      if (annotation) example.annotations.push({ ...annotation, line: i + 1 });
    }
  }
}

function parse(word: Word, rest: string, file: string): Omit<Annotation, 'line'> {
  const because = /,\s*because\s+(.*)$/.exec(rest);
  return { word, what: because ? rest.slice(0, because.index) : rest, because: because?.[1], file };
}
