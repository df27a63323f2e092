// Every format by its name.
import { checkstyle, gitlab, junit, rdjson } from './documents.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { gcc, github } from './lines.ts';
import { markdown } from './markdown.ts';
import type { Report } from './report.ts';
import { sarif } from './sarif.ts';
import { type TextOptions, text } from './text.ts';

export const formats: Record<string, (report: Report, options: TextOptions) => string> = {
  text,
  json,
  sarif,
  github,
  gitlab,
  junit,
  checkstyle,
  rdjson,
  gcc,
  markdown,
  html,
};
