// Which configuration speaks of tests alone: by its file's name, as a build's, or a part of one by its profile. It reads no setting.
import { blank } from './comments.ts';

/** `application-test.yml`, `.env.test`, `docker-compose.ci.yml`; what runs a repository's builds. */
const FILE =
  /(?:^|[/._-])(?:tests?|testing|ci|e2e|integration-?tests?)\.(?:properties|ya?ml|toml|json|conf|cfg|ini|env)$|(?:^|\/)(?:\.env\.(?:tests?|ci)$|\.github\/workflows\/|\.circleci\/|\.travis\.ya?ml$|(?:azure-pipelines|appveyor)[^/]*\.ya?ml$)/i;

export const isOfTests = (file: string): boolean => FILE.test(file);

/** What runs a repository's builds may bring them into production too. */
const PIPELINE = /(?:^|\/)(?:\.github\/workflows\/[^/]*|[^/]*\.?gitlab-ci)\.ya?ml$/i;
const DEPLOYS =
  /^\s+(?:stage|environment):[ \t]*["']?(?:deploy\w*|release|prod\w*|staging|live)\b|^\s+environment:[ \t]*(?:#.*)?\r?\n\s+name:[ \t]*["']?(?:prod|staging|live)/im;

/** Whether a place stands in a job that deploys; a job is a block of its own, on GitHub one below `jobs:`. */
export function deploying(file: string, text: string): (place: number) => boolean {
  if (!PIPELINE.test(file) || !DEPLOYS.test(text)) return () => false;
  const first = /^jobs:.*(?:\r?\n(?:[ \t]*#.*|[ \t]*))*\r?\n([ \t]+)/m.exec(text);
  const begins = new RegExp(String.raw`^(?=${first ? first[1] : ''}["']?[\w.:-]+["']?[^\s:]*:)`, 'm');
  const parts = text.split(begins);
  return (place) => {
    let end = 0;
    const its = parts.find((part) => {
      end += part.length;
      return place < end;
    });
    return its !== undefined && DEPLOYS.test(its);
  };
}

const TEST = String.raw`["']?(?:tests?|ci|e2e|integration-?tests?)["']?[ \t]*$`;
/** Quarkus: `%test.quarkus.datasource.jdbc.url=…` */
const LINE = /^%test\..*/gm;
/** Quarkus: `"%test":` and all that stands under it. */
const BLOCK = /^["']?%test["']?:.*(?:\r?\n(?:[ \t].*)?)*/gm;
/** Spring: what switches on a document of YAML or, behind `#---`, of properties. */
const ACTIVE = new RegExp(
  String.raw`^[ \t]*(?:[\w.]*on-profile|(?:spring\.)?profiles)[ \t]*[:=][ \t]*(?:\r?\n[ \t]*- *)?${TEST}(?!\r?\n[ \t]*-[ \t])`,
  'm',
);

/** Without those parts; what remains keeps its place. */
export function withoutTests(file: string, text: string): string {
  if (/\.properties$/i.test(file)) return documents(blank(text, LINE));
  return /\.ya?ml$/i.test(file) ? documents(blank(text, BLOCK)) : text;
}

function documents(text: string): string {
  if (!ACTIVE.test(text)) return text;
  const parts = text.split(/^(?=#?---)/m);
  return parts.map((part) => (ACTIVE.test(part) ? part.replace(/[^\r\n]/g, ' ') : part)).join('');
}
