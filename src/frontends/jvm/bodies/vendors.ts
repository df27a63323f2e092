// Conditions that ask which database a program speaks to: here it is PostgreSQL. Which class is written for which one, another file tells.
import type { Step } from '../../../ir.ts';
import type { World } from '../names/scope.ts';
import type { Choice, Node } from '../syntax/syntax.ts';
import { leaves } from './leaves.ts';

const OTHERS = [
  'oracle', 'mysql', 'maria(?:db)?', 'sqlserver', 'sql_server', 'mssql', 'sybase', 'informix', 'derby', 'hsql(?:db)?', 'sqlite', 'h2', 'db2',
]; // biome-ignore format: one list
const oneOf = (names: string[]) => `(?:${names.join('|')})`;
const OURS = '(?:postgre(?:s|sql)?|pgsql|enterprisedb|edb)';
const ANY = `(?:(${OURS})|${oneOf(OTHERS)})`;
const OF = '(?:[\\w$]+(?:\\(\\))?\\s*\\??\\.\\s*)*';
/** `Type.ORACLE`, `ORACLE_12C`. */
const CONSTANT = `${OF}${ANY}(?:_?\\d+\\w?)?`;
/** `"oracle"`, `"jdbc:oracle:thin"`, `"Microsoft SQL Server"`. */
const TEXT = `"(?:jdbc:)?(?:(${OURS})|${oneOf([...OTHERS, 'microsoft sql server'])})[\\w :.-]*"`;
/** One of these stands in each file that asks; `h2` alone stands in too many. */
const WORDS = new RegExp(
  `${OURS}|${oneOf(OTHERS.map((name) => (name === 'h2' ? 'h2database' : name)))}`,
  'i',
);
/** What a condition may ask. The group `sign` says whether it asks for that or for another; one of those behind it is ours. */
const ASKS = [
  // type == Type.ORACLE
  new RegExp(`^${OF}[\\w$]+(?:\\(\\))?\\s*(?<sign>[=!]==?)\\s*${CONSTANT}$`, 'i'),
  new RegExp(`^${OF}[\\w$]+(?:\\(\\))?\\s*(?<sign>[=!]==?)\\s*${TEXT}$`, 'i'),
  // "oracle".equals(type), Type.ORACLE.equals(type)
  new RegExp(`^(?:${TEXT}|${CONSTANT})\\s*\\.\\s*equals(?:IgnoreCase)?\\([^()]*(?:\\(\\))?\\)$`, 'i'),
  // url.startsWith("jdbc:oracle:")
  new RegExp(`^.*\\.\\s*(?:equals(?:IgnoreCase)?|contains|startsWith|contentEquals)\\(\\s*(?:${TEXT}|${CONSTANT})\\s*\\)$`, 'is'),
  // dialect.isOracle(), isMySql
  new RegExp(`^${OF}(?:is_?)?${ANY}(?:Db|Database|Dialect|Connection|Sql)?(?:\\(\\s*[\\w$.]*\\s*\\))?$`, 'i'),
  // dialect instanceof OracleDialect
  new RegExp(`^[\\w$.]+(?:\\(\\))?\\s+(?:instanceof|is)\\s+(?:\\w+\\.)*${ANY}\\w*Dialect$`, 'i'),
]; // biome-ignore format: one list

/** Most files ask nobody. */
const asking = new WeakMap<World, boolean>();
function asks(world: World): boolean {
  let known = asking.get(world);
  if (known === undefined) {
    known = WORDS.test(world.text);
    asking.set(world, known);
  }
  return known;
}

/** The arms, without what runs for another database alone. */
export function ofOurs(choice: Choice, arms: Step[][], world: World): Step[][] {
  if (!arms.some((arm) => arm.length > 0) || !asks(world)) return arms;
  const { tests, isElse, exhaustive, start, arms: nodes } = choice;
  if (isElse) return arms;
  if (/^(?:switch|when)\b/.test(world.text.slice(start, start + 7))) return ofCases(choice, arms, world.text);
  if (arms.length !== tests.length + (exhaustive ? 1 : 0)) return arms;
  // `isOracle() || …`
  const isOr = !exhaustive && /\|\|/.test(world.text.slice(tests[0]!.end, nodes[0]!.start));
  let isOurs = false;
  return arms.map((arm, i) => {
    const said = tests[i] ? speaksOurs(world.text, tests[i]) : undefined;
    const here = !isOurs && (isOr ? said !== true : said !== false);
    isOurs ||= said === true;
    return here ? arm : [];
  });
}

/** `if (isPostgres()) return …`: what follows is for the others. */
export function behindOurs(items: Node[], out: Step[], from: number, world: World): void {
  if (out.length === from || !asks(world)) return;
  const last = items.find(
    (one) =>
      one.kind === 'choice' &&
      one.tests.length === 1 &&
      !one.exhaustive &&
      leaves(one.arms[0]) &&
      speaksOurs(world.text, one.tests[0]!) === true,
  );
  if (!last) return;
  const kept = out.slice(from).filter(({ at }) => at.start < last.end);
  out.splice(from, out.length, ...kept);
}

const LABELS = new RegExp(`^(?:case\\s+)?((?:${CONSTANT}|${TEXT})(?:\\s*,\\s*(?:${CONSTANT}|${TEXT}))*)\\s*(?::|->)`, 'i'); // biome-ignore format: one line
const ONE_OF_OURS = new RegExp(`(?:^|[\\s".,:])${OURS}`, 'i');

/** `case ORACLE:`, where Java's arm begins; Kotlin's begins behind `ORACLE ->`. */
function ofCases({ tests, arms: nodes, start }: Choice, arms: Step[][], text: string): Step[][] {
  let before = tests[0]?.end ?? start;
  return arms.map((arm, i) => {
    const { start: at, end } = nodes[i]!;
    const from = text.startsWith('case', at) ? at : before;
    before = end;
    if (arm.length === 0) return arm;
    const said = text.slice(from, Math.max(at + 1, from + 100)).replace(/^[\s(){};]*/, '');
    const labels = LABELS.exec(said)?.[1];
    return labels !== undefined && !ONE_OF_OURS.test(labels) ? [] : arm;
  });
}

/** Whether it holds where PostgreSQL is spoken to, as far as it asks for that. */
function speaksOurs(text: string, test: Node): boolean | undefined {
  const said = text.slice(test.start, test.end);
  return said.length > 300 || !/[a-z]/i.test(said) ? undefined : judged(said);
}

function judged(written: string): boolean | undefined {
  const said = stripped(written.trim());
  if (said.includes('||')) {
    const all = said.split('||').map(judged);
    return all.includes(true) ? true : all.every((one) => one === false) ? false : undefined;
  }
  if (said.includes('&&')) {
    const all = said.split('&&').map(judged);
    return all.includes(false) ? false : all.every((one) => one === true) ? true : undefined;
  }
  if (said.startsWith('!')) {
    const is = judged(said.slice(1));
    return is === undefined ? undefined : !is;
  }
  for (const pattern of ASKS) {
    const match = pattern.exec(said);
    if (!match) continue;
    const sign = match.groups?.sign;
    const isOurs = match.slice(sign === undefined ? 1 : 2).some((one) => one !== undefined);
    return sign?.startsWith('!') ? !isOurs : isOurs;
  }
  return undefined;
}

/** Without the brackets around all of it. */
function stripped(said: string): string {
  if (!said.startsWith('(') || !said.endsWith(')')) return said;
  let depth = 0;
  for (let i = 0; i < said.length - 1; i++) {
    if (said[i] === '(') depth++;
    else if (said[i] === ')' && --depth === 0) return said;
  }
  return stripped(said.slice(1, -1).trim());
}
