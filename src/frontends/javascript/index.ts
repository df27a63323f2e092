// Migrations in JavaScript and TypeScript: the SQL that they execute, in its order. It reads no other program of these languages.
import { emptyUnit, type Routine, type Unit } from '../../ir.ts';
import { isTestFile } from '../roles.ts';
import { pieces, type Source } from '../source.ts';
import { lowerScript } from '../sql/script.ts';
import { dialectOf } from '../sql/text/dialect.ts';
import { type Held, tellHeld } from '../sql/text/held.ts';
import { holes, looksLikeSql } from '../sql/text/holes.ts';
import { HOLE } from '../sql/text/lexer.ts';
import type { SqlScope } from '../sql/text/reader.ts';
import { described } from './builder.ts';
import { filesNamed } from './files.ts';
import { type Piece, type Token, tokensOf } from './tokens.ts';

export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'sql');
  unit.role = isTestFile(file, '') ? 'test' : 'migration';
  const tokens = tokensOf(text);
  const [up, goes] = parted(tokens);
  const said = [...texts(up, text), ...described(up)].sort((a, b) => start(a) - start(b));
  const position = /(?:^|\/)(?:Migration)?(\d[^/]*)\.\w+$/.exec(file)?.[1];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const placed = position !== undefined && goes;
  const files = placed && NAMES_FILES.test(text) ? filesNamed(up, file, text) : [];
  if (said.length === 0 && files.length === 0) return unit;
  unit.dialect = dialectOf(file, said.map((one) => one.map((piece) => piece.text).join('')).join(';\n'));
  if (unit.dialect === 'other') return unit;
  if (placed) unit.series = { name: `javascript ${folder || '.'}`, position };
  if (files.length > 0) {
    // What it sets holds in them as well.
    const unplaced = SETS_SCHEMA.test(text) && { unplaced: true as const };
    unit.mentions = files.map((one) => ({ file: one, runs: 'here', ...unplaced }));
  }
  const script: Routine = {
    name: `sql:"${file}"`, at: { start: 0, end: Math.min(1, text.length) }, kind: 'script', entry: 'migration',
    startsIn: startOf(tokens, text), body: [],
  }; // biome-ignore format: what is known at once
  const held: Held = new Map();
  const scope: SqlScope = { declare: unit, held, searchPath: null };
  for (const parts of said) {
    const source = pieces(parts);
    const read: Source = { ...source, text: holes(source.text) };
    for (const step of lowerScript(read, scope, { psql: false })) script.body.push(step);
  }
  tellHeld(held, unit, [script.body]);
  if (scope.searchPath && scope.searchPath.length > 0) script.searchPath = scope.searchPath;
  if (script.body.length > 0) unit.routines.unshift(script);
  return unit;
}

const NAMES_FILES = /\.(?:sql|psql|pgsql)["'`]/i;
const SETS_SCHEMA = /\bset\s+(?:(?:session|local)\s+)?(?:search_path|schema)\b/i;

const start = (parts: Piece[]) => parts[0]?.start ?? 0;

// ---- which way it goes

/** The tokens without what takes the migration back, and whether the file goes either way: others are no migration. */
function parted(tokens: Token[]): [up: Token[], goes: boolean] {
  const up: Token[] = [];
  let found = false;
  for (let i = 0; i < tokens.length; i++) {
    if (!isDown(tokens, i)) {
      up.push(tokens[i]!);
      continue;
    }
    found = true;
    i = endOf(tokens, i);
  }
  return [up, found || up.some(({ kind, says }) => kind === 'word' && says === 'up')];
}

/** `exports.down =`, `export function down(`, `async down(`, `down: (` */
function isDown(tokens: Token[], i: number): boolean {
  const [before, { kind, says }, after] = [tokens[i - 1], tokens[i]!, tokens[i + 1]];
  if (kind !== 'word' || says !== 'down' || !after || !/^[(=:]$/.test(after.says)) return false;
  return before?.says === '.'
    ? tokens[i - 2]?.says === 'exports'
    : !/^(?:await|return)$/.test(before?.says ?? '');
}

const BEGINS = /^(?:exports|export|module|const|let|var|function|async|public|private|static)$/;

/** The last token of what is defined here: its body, or the expression that it is. */
function endOf(tokens: Token[], from: number): number {
  const { depth } = tokens[from]!;
  for (let i = from + 1; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.depth < depth) return i - 1;
    if (token.depth > depth || i < from + 2) continue;
    if (token.says === '}' || /^[;,]$/.test(token.says)) return i;
    const isNext = token.kind === 'word' && BEGINS.test(token.says) && tokens[i - 1]!.says !== '=';
    if (isNext && !/^(?:async|function)$/.test(token.says)) return i - 1;
  }
  return tokens.length - 1;
}

/** Words that migrations for a library have, and what it runs them in; the first that a file has tells. */
const HABITS: [word: string, startsIn: Routine['startsIn']][] = [
  ['noTransaction', 'autocommit'],
  ['pgm', 'transaction'],
  ['knex', 'transaction'],
  ['Knex', 'transaction'],
  ['MigrationInterface', 'transaction'],
  // Sequelize's run in one only where they begin it.
  ['queryInterface', 'autocommit'],
];

const OFF = /\btransaction\s*[:=]\s*false\b/;

function startOf(tokens: Token[], text: string): Routine['startsIn'] {
  const words = new Set(tokens.flatMap(({ kind, says }) => (kind === 'word' ? says : [])));
  return OFF.test(text) ? 'autocommit' : (HABITS.find(([word]) => words.has(word))?.[1] ?? 'unknown');
}

// ---- what it says

/** All texts that are SQL, with those that `+` puts behind them. */
function texts(tokens: Token[], text: string): Piece[][] {
  const constants = new Map<string, Piece[]>();
  const out: Piece[][] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (!token.pieces) continue;
    const from = i;
    const parts = [...token.pieces];
    for (let next = tokens[i + 1]; next?.says === '+' && next.kind === 'sign'; next = tokens[i + 1]) {
      const more = tokens[i + 2];
      if (!more || more.kind === 'sign') break;
      parts.push(...(more.pieces ?? [{ text: HOLE, start: more.start, end: more.end }]));
      i += 2;
      while (!more.pieces && (tokens[i + 1]?.says === '.' || tokens[i + 1]?.kind === 'word')) i++;
    }
    const all = parts.map((piece) => filled(piece, constants, text));
    const name = tokens[from - 1]?.says === '=' ? tokens[from - 2] : undefined;
    if (name?.kind === 'word' && i === from) constants.set(name.says, all);
    if (looksLikeSql(all.map((piece) => piece.text).join(''))) out.push(all);
  }
  return out;
}

/** `${SCHEMA}` of a text that the file names so. */
function filled(piece: Piece, constants: Map<string, Piece[]>, text: string): Piece {
  if (piece.text !== HOLE) return piece;
  const name = /^\$\{\s*([\w$]+)\s*\}$/.exec(text.slice(piece.start, piece.end))?.[1];
  const held = name === undefined ? undefined : constants.get(name);
  return held ? { ...piece, text: held.map((one) => one.text).join('') } : piece;
}
