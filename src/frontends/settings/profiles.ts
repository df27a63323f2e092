// Which configuration speaks of tests alone: by its file's name, as a build's, or a part of one by its profile. It reads no setting.
import { blank } from './comments.ts';

/** `application-test.yml`, `.env.test`, `docker-compose.ci.yml`; what runs a repository's builds. */
const FILE =
  /(?:^|[/._-])(?:tests?|testing|ci|e2e|integration-?tests?)\.(?:properties|ya?ml|toml|json|conf|cfg|ini|env)$|(?:^|\/)(?:\.env\.(?:tests?|ci)$|\.github\/workflows\/|\.circleci\/|\.travis\.ya?ml$|(?:azure-pipelines|appveyor)[^/]*\.ya?ml$)/i;

export const isOfTests = (file: string): boolean => FILE.test(file);

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
