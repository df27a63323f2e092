// SARIF 2.1.0 as GitHub's code scanning reads it. It validates nothing; the tests and the gate do.
import type { Finding, Fix, Frame, Place } from '../rule.ts';
import { lineHashes } from './linehash.ts';
import { bySeverity, type Held, jsonText, leftOut, type Report, type RuleInfo } from './report.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
/** GitHub refuses a run with more. */
const MOST_RESULTS = 25_000;
const MOST_RELATED = 10;

export function sarif(report: Report): string {
  const hashes = new Map<string, Map<number, string>>();
  const hashOf = (file: string, line: number) => {
    const known = hashes.get(file) ?? lineHashes(report.raw(file));
    hashes.set(file, known);
    return known.get(line);
  };
  const all: { finding: Finding; held?: Held }[] = [
    ...report.findings.map((finding) => ({ finding })),
    ...report.held.map((held) => ({ finding: held.finding, held })),
  ];
  // A sort keeps the order of equals, so the worst remain when there are too many.
  const kept =
    all.length > MOST_RESULTS
      ? all.sort((a, b) => bySeverity(a.finding, b.finding)).slice(0, MOST_RESULTS)
      : all;
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            version: report.tool.version,
            semanticVersion: report.tool.version,
            informationUri: report.tool.homepage,
            rules: report.rules.map(ruleOf),
          },
        },
        // Code scanning keeps one answer for each: jobs that check a part of a repository each must not take each other's place.
        automationDetails: { id: `${report.tool.name}/${report.part && `${report.part}/`}` },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notifications(report, all.length - kept.length),
          },
        ],
        results: kept.map(({ finding, held }) => result(report, finding, held, hashOf)),
      },
    ],
  };
  return jsonText(log);
}

function ruleOf({ id, severity, summary, link, page }: RuleInfo) {
  const help = page();
  const level = severity === 'off' ? 'note' : severity;
  // A name that is the id again, but for case, is one too many for validators.
  const name = id.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  return {
    id,
    ...(name.toLowerCase() === id ? {} : { name }),
    shortDescription: { text: cut(sentence(summary)) },
    fullDescription: { text: cut(paragraph(help) || sentence(summary)) },
    help: { text: help || sentence(summary), markdown: help || sentence(summary) },
    helpUri: link,
    defaultConfiguration: { level, enabled: severity !== 'off' },
    properties: {
      precision: 'high',
      'problem.severity': level === 'note' ? 'recommendation' : level,
      tags: ['postgresql', 'subtransaction', 'performance'],
    },
  };
}

const cut = (text: string) => (text.length > 1000 ? `${text.slice(0, 999)}…` : text);
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The first paragraph under the page's first section. */
function paragraph(page: string): string {
  const body = page
    .replace(/^#[^#].*\n/, '')
    .split(/^## .*$/m)
    .map((part) => part.trim())
    .find(Boolean);
  return (body?.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ');
}

type HashOf = (file: string, line: number) => string | undefined;

function result(report: Report, finding: Finding, held: Held | undefined, hashOf: HashOf) {
  const region = report.region(finding);
  const related = finding.trace.length > 1 ? finding.trace.slice(0, MOST_RELATED) : [];
  const hash = hashOf(finding.file, region.line);
  const steps = related.map((frame, index) => `[${bracketed(frame.says)}](${index + 1})`);
  const way = steps.length > 0 ? ` The way to it: ${steps.join(', then ')}.` : '';
  const flows = [finding.trace, ...(finding.others ?? [])].filter((trace) => trace.length > 0);
  return {
    ruleId: finding.rule,
    ruleIndex: report.rules.findIndex((rule) => rule.id === finding.rule),
    level: finding.severity,
    message: { text: `${bracketed(finding.message)} ${bracketed(finding.remedy)}${way}` },
    locations: [
      {
        ...location(report, finding),
        ...(finding.routine ? { logicalLocations: [{ fullyQualifiedName: finding.routine }] } : {}),
      },
    ],
    ...(related.length > 0
      ? { relatedLocations: related.map((frame, index) => ({ id: index + 1, ...spoken(report, frame) })) }
      : {}),
    ...(flows.length > 0
      ? {
          codeFlows: flows.map((trace) => ({
            threadFlows: [{ locations: trace.map((frame) => ({ location: spoken(report, frame) })) }],
          })),
        }
      : {}),
    partialFingerprints: {
      ...(hash ? { primaryLocationLineHash: hash } : {}),
      'subxact/v1': report.fingerprint(finding),
    },
    ...(report.baseline ? { baselineState: held?.by === 'baseline' ? 'unchanged' : 'new' } : {}),
    ...(held
      ? {
          suppressions: [
            { kind: held.by === 'suppression' ? 'inSource' : 'external', justification: held.reason },
          ],
        }
      : {}),
    ...(finding.fixes?.length ? { fixes: finding.fixes.map((fix) => fixOf(report, fix)) } : {}),
    properties: { certainty: finding.certainty },
  };
}

function location(report: Report, place: Place) {
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(place.file) }, region: regionOf(report, place) },
  };
}

const spoken = (report: Report, frame: Frame) => ({
  ...location(report, frame),
  message: { text: frame.says },
});

function regionOf(report: Report, place: Place) {
  const { line, column, endLine, endColumn } = report.region(place);
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function fixOf(report: Report, fix: Fix) {
  const files = [...new Set(fix.edits.map((edit) => edit.file))];
  return {
    description: { text: sentence(fix.title) },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: uriOf(file) },
      replacements: fix.edits
        .filter((edit) => edit.file === file)
        .map((edit) => ({
          deletedRegion: regionOf(report, edit),
          insertedContent: { text: edit.replacement },
        })),
    })),
  };
}

/** Half of a surrogate pair, which file systems allow and an address cannot hold. */
const LONE = /[\ud800-\udfff]/gu;
/** Relative to the repository, each part encoded; a colon in the first part would look like a scheme. */
const uriOf = (file: string) => file.replace(LONE, '\ufffd').split('/').map(encodeURIComponent).join('/');
/** Square brackets are links in SARIF's messages. */
const bracketed = (text: string) => text.replace(/[\\[\]]/g, '\\$&');

function notifications(report: Report, left: number) {
  const notes = report.notices.map((notice) => ({
    level: notice.partial ? 'warning' : 'note',
    message: { text: sentence(`${notice.file}: ${notice.message}`) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(notice.file) } } }],
  }));
  const cutOff = `${left} results of the lowest severity were left out: code scanning takes ${MOST_RESULTS} a run.`;
  const unjudged = leftOut(report);
  return [
    ...notes,
    ...(unjudged ? [{ level: 'note', message: { text: sentence(unjudged) } }] : []),
    ...(left > 0 ? [{ level: 'warning', message: { text: cutOff } }] : []),
  ];
}
