// What a file of Java or Kotlin is there for, by its path as Maven and Gradle lay it out: the product, its tests, an example; and for which database a class of it is.
import type { TypeDeclaration, Unit } from '../../../ir.ts';

const TESTS =
  /^(?:tests?|(?:unit|integration|functional|acceptance|contract|component|smoke|e2e)tests?|testfixtures|it|jmh|tests?[-_].+|.+[-_]tests?)$/i;

export function roleOf(path: string): Unit['role'] {
  const parts = path.split('/');
  const base = parts.pop() ?? '';
  if (parts.some((part) => TESTS.test(part) || /[a-z\d]Tests?$/.test(part))) return 'test';
  // A laboratory has a `BloodTest`, and whoever asks for orders an `OrderSpec`.
  const shipped = parts.some((part, i) => part === 'main' && parts[i - 1] === 'src');
  if (!shipped && /^(Test[A-Z].*|.*(Tests?|IT|TestCase|Spec))\.\w+$/.test(base)) return 'test';
  if (parts.some((part) => /^(examples?|samples?|demo)$/i.test(part))) return 'example';
  return 'product';
}

const OURS = /Postgre[Ss]|PgSql|Pgsql|PGSQL|(?:^|[a-z\d])Pg(?=[A-Z])|^PG(?=[A-Z][a-z])/;
const OTHERS =
  /Oracle|My[Ss][Qq][Ll]|Maria[Dd][Bb]|(?:Sql|SQL)Server|M[Ss][Ss][Qq][Ll]|Sybase|Informix|Derby|Hsql|HSQL|Sq[Ll]ite|SQLite|(?:^|[a-z])(?:H2|D[Bb]2)(?=[A-Z]|$)/;

/** `PostgresQueue`, `Dialects.Oracle`, of many that are written once for each database. */
export function writtenFor(name: string): Pick<TypeDeclaration, 'dialect'> {
  const simple = name.slice(name.lastIndexOf('.') + 1);
  const isOurs = OURS.test(simple);
  if (isOurs === OTHERS.test(simple)) return {};
  return { dialect: isOurs ? 'postgresql' : 'other' };
}
