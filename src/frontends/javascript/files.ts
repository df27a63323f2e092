// The files of SQL that a migration in JavaScript or TypeScript names, to run what they say. It reads none of them.
import { pathFrom } from '../paths.ts';
import { HOLE } from '../sql/text/lexer.ts';
import type { Token } from './tokens.ts';

const SQL_FILE = /^[^\n]*[^\s/\\]\.(?:sql|psql|pgsql)$/i;

/** In their order: paths of the repository, or their ends where a folder is computed. */
export function filesNamed(tokens: Token[], file: string, text: string): string[] {
  const out: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { pieces, says } = tokens[i]!;
    if (!pieces || !SQL_FILE.test(says) || !isUsed(tokens, i, text)) continue;
    const path = pathAt(tokens, i, file, text);
    if (path && !out.includes(path)) out.push(path);
  }
  return out;
}

/** What stands in a constant counts where its name comes again: the part that goes back, which is left out here, may be all that asks for it. */
function isUsed(tokens: Token[], at: number, text: string): boolean {
  let i = at;
  while (i > 0 && tokens[i]!.depth > 0) if (/^(?:function|\{)$/.test(tokens[--i]!.says)) return true;
  while (i > 0 && tokens[i]!.says !== '=' && tokens[i]!.says !== ';') i--;
  const [keyword, name] = [tokens[i - 2], tokens[i - 1]];
  if (tokens[i]?.says !== '=' || !name || !keyword || !/^(?:const|let|var)$/.test(keyword.says)) return true;
  for (let k = i; k < at; k++) if (tokens[k]!.says === '=' && tokens[k + 1]!.says === '>') return true;
  return tokens.some(
    (one, k) =>
      k !== i - 1 && (one.kind === 'word' ? one.says === name.says : holdsName(one, name.says, text)),
  );
}

const holdsName = ({ pieces, start, end }: Token, name: string, text: string): boolean =>
  pieces?.some((piece) => piece.text === HOLE) === true && text.slice(start, end).includes(name);

/** The text here with what `path.join(…)`, `+` and `${…}` put in front of it. */
function pathAt(tokens: Token[], at: number, file: string, text: string): string | null {
  let path: string | null = null;
  let rooted = false;
  const front = (part: string | null, between: string) => {
    if (part === null) return false;
    rooted = part.startsWith(HERE);
    path = path === null ? part : part + between + path;
    return true;
  };
  const last = written(tokens[at]!, tokens, text);
  let whole = front(last.says, '') && last.whole;
  for (let i = at - 1; whole && i > 0 && tokens[i]!.kind === 'sign'; i -= 2) {
    const between = tokens[i]!.says === ',' ? '/' : tokens[i]!.says === '+' ? '' : null;
    if (between === null) break;
    const before = tokens[i - 1]!;
    if (before.depth !== tokens[at]!.depth || before.kind === 'sign') break;
    const one = written(before, tokens, text);
    whole = front(one.says, between) && one.whole;
  }
  const found = path as string | null;
  if (found === null) return null;
  const opens = tokens[at - 1]?.says === '(' ? tokens[at - 2]?.says : tokens[at - 1]?.says;
  const ofModule = /^\.\.?\//.test(found) && /^(?:URL|require|from)$/.test(opens ?? '');
  if (rooted || ofModule) return pathFrom(file.slice(0, file.lastIndexOf('/') + 1), found.replace(HERE, ''));
  return found.replace(/^(?:\.*[/\\]+)+/, '') || null;
}

/** This file's own folder. */
const HERE = '\u0000here';

interface Written {
  /** Null: none of it is known. */
  says: string | null;
  /** It is known from its start on. */
  whole: boolean;
}

const COMPUTED: Written = { says: null, whole: false };

function written(token: Token, tokens: Token[], text: string): Written {
  if (token.kind === 'word') return named(token.says, tokens);
  if (!token.pieces) return COMPUTED;
  let [says, whole] = ['', true];
  for (const piece of token.pieces) {
    const name =
      piece.text === HOLE
        ? /^\$\{\s*([\w$]+)\s*\}$/.exec(text.slice(piece.start, piece.end))?.[1]
        : undefined;
    const said = piece.text !== HOLE ? piece.text : name === undefined ? null : named(name, tokens).says;
    if (said === null) [says, whole] = ['', false];
    else says += said;
  }
  if (!whole) says = says.slice(says.indexOf('/') + 1);
  return { says, whole };
}

/** What a name holds that the file writes out. */
function named(name: string, tokens: Token[]): Written {
  if (name === '__dirname' || name === 'dirname') return { says: HERE, whole: true };
  const at = tokens.findIndex(
    ({ kind, says }, i) =>
      kind === 'word' && says === name && tokens[i + 1]?.says === '=' && tokens[i + 2]?.pieces,
  );
  const value = at < 0 ? undefined : tokens[at + 2]!;
  const known = value?.pieces?.every((piece) => piece.text !== HOLE) && tokens[at + 3]?.says !== '+';
  return value && known ? { says: value.says, whole: true } : COMPUTED;
}
