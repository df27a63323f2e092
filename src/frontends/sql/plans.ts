// Reads what migration tools keep beside the SQL: in what order files run, and which of them in no transaction.
import { emptyUnit, type Mention, type Unit } from '../../ir.ts';

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1);

/** `sqitch.plan`: changes in their order. A change that is reworked has its older script at `name@tag.sql`. */
export function lower(file: string, text: string): Unit {
  const unit = emptyUnit(file, 'settings');
  unit.role = 'migration';
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
    const change = /^\s*\+?\s*([^\s%#@+-][^\s:@]*)(?=\s|$)/.exec(line)?.[1];
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
  if (mentions.length > 0) unit.mentions = mentions;
  return unit;
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
