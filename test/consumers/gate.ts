// What GitHub's code scanning would say of a SARIF file: Microsoft's validator with its GitHub rules, and GitHub's own limits.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fromNpm } from './world.ts';

/** Complaints; none: GitHub takes it. */
export function complaintsOf(sarif: string): string[] {
  return [...validated(sarif), ...limits(JSON.parse(sarif), gzipSync(sarif).length)];
}

/** The program ends well even when it reports errors, so its verdict is read from what it writes. */
function validated(sarif: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'subxact-gate-'));
  try {
    writeFileSync(join(folder, 'in.sarif'), sarif);
    // The file itself, since its wrapper for npm goes through a shell, which cuts at the semicolon.
    const { stdout, stderr } = spawnSync(
      fromNpm('@microsoft/sarif-multitool-linux/Sarif.Multitool'),
      [
        ...['validate', 'in.sarif', '--rule-kind', 'Sarif;Ghas', '--level', 'Error;Warning;Note'],
        ...['-q', 'true', '-o', 'out.sarif', '--log', 'ForceOverwrite'],
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    const log = readOutput(join(folder, 'out.sarif'));
    if (!log) return [`the validator wrote nothing: ${stdout}${stderr}`];
    const [run] = log.runs;
    const failures = (run.invocations ?? []).flatMap(
      ({ toolExecutionNotifications = [] }: Sarif) => toolExecutionNotifications,
    );
    return [
      ...(run.results ?? [])
        // Notes are advice: ids such as CA1000, snippets of the code around.
        .filter(({ level }: Sarif) => level !== 'note')
        .map(({ ruleId, level, locations }: Sarif) => {
          const at = locations?.[0]?.logicalLocations?.[0]?.fullyQualifiedName ?? '';
          return `${ruleId} ${level ?? 'warning'} ${at}`;
        }),
      ...failures.filter(({ level }: Sarif) => level === 'error').map(({ message }: Sarif) => message.text),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: another program's JSON
type Sarif = any;

function readOutput(file: string): Sarif {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** What GitHub documents and the validator does not look at. */
function limits(log: Sarif, compressed: number): string[] {
  const found: string[] = [];
  const claim = (holds: boolean, complaint: string) => holds || found.push(complaint);
  claim(compressed <= 10 * 2 ** 20, 'more than 10 MB compressed');
  claim(log.runs.length <= 20, 'more than 20 runs');
  for (const { tool, results, automationDetails } of log.runs) {
    const rules: Sarif[] = tool.driver.rules;
    claim(results.length <= 25_000, 'more than 25,000 results');
    claim(/\/$/.test(automationDetails.id), 'a category that does not end with a slash');
    for (const rule of rules) {
      const { precision, tags = [], ...properties } = rule.properties;
      const says = (complaint: string) => `${rule.id}: ${complaint}`;
      claim(Boolean(rule.help?.text), says('no help'));
      claim(rule.shortDescription.text.length <= 1024, says('a long description'));
      claim(rule.fullDescription.text.length <= 1024, says('a long description'));
      claim((rule.name ?? '').length <= 255, says('a long name'));
      claim(tags.length <= 10, says('tags that are not kept'));
      claim(['very-high', 'high', 'medium', 'low'].includes(precision), says(`precision ${precision}`));
      const severity = properties['problem.severity'];
      claim(['error', 'warning', 'recommendation'].includes(severity), says(`severity ${severity}`));
      claim(properties['security-severity'] === undefined, says('it would be a security alert'));
    }
    for (const result of results) {
      claim(rules[result.ruleIndex]?.id === result.ruleId, `${result.ruleId} is not the rule at its index`);
      claim(Boolean(result.message.text), 'an empty message');
      claim(Boolean(result.partialFingerprints?.primaryLocationLineHash), `${result.ruleId}: no line hash`);
      claim(result.locations.length === 1, `${result.ruleId}: not one location`);
      const linked = [...result.message.text.matchAll(/(?<!\\)\]\((\d+)\)/g)].map(([, id]) => Number(id));
      const ids = (result.relatedLocations ?? []).map(({ id }: Sarif) => id);
      claim(
        linked.join() === ids.join(),
        `${result.ruleId}: related locations that the message does not link`,
      );
      const flows = (result.codeFlows ?? []).flatMap(({ threadFlows }: Sarif) => threadFlows);
      claim(
        flows.reduce((sum: number, { locations }: Sarif) => sum + locations.length, 0) <= 10_000,
        'too many steps',
      );
      for (const { physicalLocation } of [...result.locations, ...(result.relatedLocations ?? [])]) {
        const { artifactLocation, region } = physicalLocation;
        const { uri } = artifactLocation;
        claim(!/^(\/|[A-Za-z]:|\.\.(\/|$)|file:)|[\\ ]/.test(uri), `${uri} is not relative to the root`);
        claim(
          region.startLine >= 1 &&
            (region.endLine > region.startLine || region.endColumn > region.startColumn),
          `${uri}: an empty region`,
        );
      }
    }
  }
  return found;
}
