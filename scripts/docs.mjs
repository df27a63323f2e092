// Writes what is said twice: the rules' tables, and the configuration's JSON schema. `--check` only says what is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const { rules, KEYS } = await load(
  `export { rules } from './rules/index.ts'; export { KEYS } from './src/project/config/config.ts';`,
);
const stale = [];
put('README.md', (text) => table(text, 'rules/'));
put('rules/README.md', (text) => table(text, ''));
put('subxact.schema.json', () => `${JSON.stringify(schema(), null, 2)}\n`);
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`stale: ${stale.join(', ')}; run npm run docs`);
  process.exit(1);
}

async function load(contents) {
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'error' };
  const { outputFiles } = await build({ stdin: { contents, resolveDir: '.', loader: 'ts' }, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

function put(file, change) {
  const old = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  const text = change(old);
  if (text === old) return;
  stale.push(file);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
}

/** The rows under the table's head are ours; all else is not. */
function table(text, folder) {
  const rows = rules.map((r) => `| [${r.id}](${folder}${r.id}/rule.md) | ${r.severity} | ${r.summary} |\n`);
  return text.replace(
    /(\| rule \| default \| finds \|\n\|[-|]+\|\n)(?:\|.*\n)*/,
    (_, head) => head + rows.join(''),
  );
}

function schema() {
  const levels = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      rules.map((rule) => [
        rule.id,
        { enum: ['error', 'warning', 'note', 'off'], default: rule.severity, description: rule.summary },
      ]),
    ),
  };
  const strings = { type: 'array', items: { type: 'string', minLength: 1 } };
  const kinds = {
    globs: strings,
    names: strings,
    levels,
    path: { type: 'string', minLength: 1 },
    text: { type: 'string' },
    version: {
      anyOf: [
        { type: 'integer', minimum: 9, maximum: 99 },
        { type: 'string', pattern: '^(?:9|[1-9][0-9])$' },
      ],
    },
    overrides: {
      type: 'array',
      items: {
        type: 'object',
        required: ['files', 'rules'],
        additionalProperties: false,
        properties: { files: strings, rules: levels },
      },
    },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of subxact',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(KEYS).map(([key, { kind, says }]) => [key, { ...kinds[kind], description: says }]),
    ),
  };
}
