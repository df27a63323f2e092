// Reads what migration tools keep beside the SQL: in what order files run, and which of them in no transaction.
import { emptyUnit, type Mention, type Unit } from '../../../ir.ts';
import { pathFrom } from '../../paths.ts';

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1);

/** `sqitch.plan` and `sqitch.conf`, and the `metadata.toml` of Diesel. */
export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'settings');
  unit.role = 'migration';
  const mentions = /\.toml$/i.test(file)
    ? diesel(file, text)
    : /\.conf$/i.test(file)
      ? folders(file, text)
      : changes(file, text);
  if (mentions.length > 0) unit.mentions = mentions;
  return unit;
}

/** It speaks of the two scripts beside it. */
const diesel = (file: string, text: string): Mention[] =>
  /^[ \t]*run_in_transaction\s*=\s*false\b/m.test(text)
    ? ['up.sql', 'down.sql'].map((script) => ({ file: folderOf(file) + script, startsIn: 'autocommit' }))
    : [];

/** Where scripts of deploys are, when they are not in `deploy` beside the plan. What is said of the engine counts more. */
function folders(file: string, text: string): Mention[] {
  const said: Record<string, string> = {};
  const ofEngine: Record<string, string> = {};
  let into: Record<string, string> | null = null;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[\s*(\w+)(?:\s+"([^"]*)")?\s*\]/.exec(line);
    const ours = section?.[2] === 'pg' && /^(?:engine|core)$/i.test(section[1]!);
    if (section) into = ours ? ofEngine : /^core$/i.test(section[1]!) && !section[2] ? said : null;
    const [, key, value] = /^\s*(\w+)\s*=\s*"?([^";#]*?)"?\s*(?:[;#].*)?$/.exec(line) ?? [];
    if (into && key) into[key.toLowerCase()] = value!;
  }
  const {
    top_dir: top = '.',
    deploy_dir: deploy = `${top}/deploy`,
    plan_file: plan,
  } = { ...said, ...ofEngine };
  const home = folderOf(file);
  const found = pathFrom(home, `${deploy}/`);
  const as = `${folderOf(pathFrom(home, plan ?? `${top}/sqitch.plan`))}deploy/`;
  const mentions: Mention[] = found === as ? [] : [{ file: found, as }];
  if (isOther(said.engine, text))
    for (const folder of [found, pathFrom(home, `${top}/revert/`), pathFrom(home, `${top}/verify/`)])
      mentions.push({ file: folder, dialect: 'other' });
  return mentions;
}

/** The only engine that it names is another's. */
const isOther = (engine: string | undefined, text: string): boolean =>
  engine !== undefined && !/^(?:pg)?$/.test(engine) && !/"pg"|\bdb:pg\b|\bdb:postgres/.test(text);

/** Changes in their order. A change that is reworked has its older script at `name@tag.sql`. */
function changes(file: string, text: string): Mention[] {
  const deploy = `${folderOf(file)}deploy/`;
  const open = new Map<string, Mention>();
  const mentions: Mention[] = [];
  let sinceTag: string[] = [];
  const tags: { name: string; changes: Set<string> }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const tag = /^\s*@(\S+)/.exec(line)?.[1];
    if (tag) {
      tags.push({ name: tag, changes: new Set(sinceTag) });
      sinceTag = [];
      continue;
    }
    const change = /^\s*(?:\+\s*)?([^\s%#@+-][^\s:@]*)(?=\s|$)/.exec(line)?.[1];
    if (!change) continue;
    const earlier = open.get(change);
    if (earlier) {
      const last = tags.findLast(({ changes }) => changes.has(change))?.name;
      earlier.file = `${deploy}${change}@${last ?? ''}.sql`;
    }
    const mention: Mention = { file: `${deploy}${change}.sql`, runs: true };
    open.set(change, mention);
    mentions.push(mention);
    sinceTag.push(change);
  }
  return mentions;
}

/** Flyway: `V2__x.sql.conf` speaks of `V2__x.sql`, any other configuration of all migrations below its folder. */
export function readFlyway(text: string, unit: Unit): void {
  const said =
    /^[ \t]*(?:"?(?:spring\.|quarkus\.)?(?:flyway\.)?)?(?:executeInTransaction|execute-in-transaction)"?[ \t]*[=:][ \t]*"?(true|false)\b/im.exec(
      text,
    )?.[1];
  if (!said) return;
  const startsIn = said.toLowerCase() === 'true' ? 'transaction' : 'autocommit';
  const script = /^(.*\.sql)\.conf$/i.exec(unit.file)?.[1];
  if (script) unit.mentions = [{ file: script, startsIn }];
  else if (startsIn === 'autocommit') unit.mentions = [{ file: homeOf(unit.file), startsIn, tool: 'flyway' }];
}

/** A module's resources and its configuration stand beside each other, or in one folder. */
function homeOf(file: string): string {
  return folderOf(file.replace(/(^|\/)(?:conf|config|flyway)\/[^/]*$/, '$1x')) || './';
}
