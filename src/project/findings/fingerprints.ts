// Tells a finding again after edits: by what it is about, in names, and never by lines or files.
import { type Finding, kept } from '../../rule.ts';
import { sha256 } from './sha256.ts';

/** One for each finding, in the order given; equals are counted, so that none is lost. */
export function fingerprints(findings: Finding[]): Map<Finding, string> {
  const counts = new Map<string, number>();
  const out = new Map<Finding, string>();
  for (const finding of findings) {
    const hash = hashOf(finding);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    out.set(finding, `${hash}:${count}`);
  }
  return out;
}

const hashOf = kept(({ rule, routine, subject }: Finding): string => {
  const about = `${rule}\n${nameless(routine ?? '')}\n${nameless(subject)}`;
  return sha256(about).slice(0, 16);
});

/** Names of modules and scripts hold the file's path, which a rename changes; their last parts stay. */
function nameless(text: string): string {
  return text
    .replace(/sql:"[^"]*[/.][^"]*"/g, 'script')
    .replace(/\b(?:python|jvm):[\w.$?()^]*?([A-Z]\w*\.)?([\w$]+)(?![\w.$])/g, '$1$2')
    .replace(/\s+/g, ' ');
}
