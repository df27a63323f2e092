// For programs: the format of report.schema.json, versioned; fields are added, never renamed.
import type { Finding, Place } from '../rule.ts';
import { jsonText, type Report } from './report.ts';

export const JSON_VERSION = 1;

export function json(report: Report): string {
  const place = (at: Place) => ({ file: at.file, ...report.region(at) });
  const one = (finding: Finding) => ({
    rule: finding.rule,
    severity: finding.severity,
    certainty: finding.certainty,
    ...place(finding),
    message: finding.message,
    remedy: finding.remedy,
    routine: finding.routine,
    subject: finding.subject,
    relations: finding.relations,
    also: finding.also,
    trace: finding.trace.map((frame) => ({ ...place(frame), says: frame.says })),
    others: finding.others?.map((trace) => trace.map((frame) => ({ ...place(frame), says: frame.says }))),
    fixes: finding.fixes?.map((fix) => ({
      title: fix.title,
      safe: fix.safe,
      edits: fix.edits.map((edit) => ({ ...place(edit), replacement: edit.replacement })),
    })),
    link: report.rules.find((rule) => rule.id === finding.rule)?.link,
    fingerprint: report.fingerprint(finding),
  });
  return jsonText({
    version: JSON_VERSION,
    tool: { name: report.tool.name, version: report.tool.version },
    findings: report.findings.map(one),
    held: report.held.map(({ finding, by, reason }) => ({ ...one(finding), by, reason })),
    outside: report.elsewhere,
    notices: report.notices,
    files: report.counts.files,
    unread: report.unread,
    resolution: report.resolution,
  });
}
