// Conditions that ask which database a program speaks to: here it is PostgreSQL. Which class is written for which one, another file tells.
import type { Step } from '../../../ir.ts';
import type { World } from '../names/scope.ts';
import type { Choice, Node } from '../syntax/syntax.ts';
import { leaves } from './leaves.ts';

const OTHER =
  '(?:oracle|mysql|maria(?:db)?|sqlserver|sql_server|mssql|sybase|informix|derby|hsql(?:db)?|sqlite|h2|db2)';
const OURS = '(?:postgre(?:s|sql)?|pgsql|enterprisedb|edb)';
const ANY = `(?:(${OURS})|${OTHER})`;
const OF = '(?:[\\w$]+(?:\\(\\))?\\s*\\??\\.\\s*)*';
/** `Type.ORACLE`, `ORACLE_12C`. */
const CONSTANT = `${OF}${ANY}(?:_?\\d+\\w?)?`;
/** `"oracle"`, `"jdbc:oracle:thin"`, `"Microsoft SQL Server"`. */
const TEXT = `"(?:jdbc:)?${ANY.replace(OTHER, `${OTHER.slice(0, -1)}|microsoft sql server)`)}[\\w :.-]*"`;
/** What one asks of a name that holds it. */
const WORDS = new RegExp(`${OURS}|${OTHER.replace('h2|db2', 'h2database|db2')}`, 'i');
const ASKS: [pattern: RegExp, sign: number | null, ours: number][] = [
  // type == Type.ORACLE
  [new RegExp(`^${OF}[\\w$]+(?:\\(\\))?\\s*([=!]==?)\\s*${CONSTANT}$`, 'i'), 1, 2],
  [new RegExp(`^${OF}[\\w$]+(?:\\(\\))?\\s*([=!]==?)\\s*${TEXT}$`, 'i'), 1, 2],
  // "oracle".equals(type), Type.ORACLE.equals(type)
  [new RegExp(`^(?:${TEXT}|${CONSTANT})\\s*\\.\\s*equals(?:IgnoreCase)?\\([^()]*(?:\\(\\))?\\)$`, 'i'), null, 1],
  // url.startsWith("jdbc:oracle:")
  [new RegExp(`^.*\\.\\s*(?:equals(?:IgnoreCase)?|contains|startsWith|contentEquals)\\(\\s*(?:${TEXT}|${CONSTANT})\\s*\\)$`, 'is'), null, 1],
  // dialect.isOracle(), isMySql
  [new RegExp(`^${OF}(?:is_?)?${ANY}(?:Db|Database|Dialect|Connection|Sql)?(?:\\(\\s*[\\w$.]*\\s*\\))?$`, 'i'), null, 1],
  // dialect instanceof OracleDialect
  [new RegExp(`^[\\w$.]+(?:\\(\\))?\\s+(?:instanceof|is)\\s+(?:\\w+\\.)*${ANY}\\w*Dialect$`, 'i'), null, 1],
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
      leaves(one.arms[0]!) &&
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
  for (const [pattern, sign, ours] of ASKS) {
    const match = pattern.exec(said);
    if (!match) continue;
    const isOurs = match.slice(ours).some((one) => one !== undefined);
    return sign !== null && match[sign]!.startsWith('!') ? !isOurs : isOurs;
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
