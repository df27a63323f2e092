// Other people's text to test against: PostgreSQL's regression files, extensions, Python's library, Java, Kotlin, Ruby, from Debian's packages. Kept in build/, never committed.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface CorpusFile {
  /** `postgresql-15: src/test/regress/sql/plpgsql.sql`. */
  name: string;
  text: string;
}

/** Which files of a source package are SQL to read; tests' expected output and build files are not. */
const POSTGRES =
  /(?:src\/test\/(?:regress|isolation)|src\/pl\/.*|contrib\/.*|src\/test\/modules\/.*)\/sql\/[^/]*\.sql$/;
const ANY = /\.(?:sql|sql\.in|pgsql|plpgsql)$/;
const FOLDER = 'build/corpus';

/** PostgreSQL's own regression files: the SQL of core, of its procedural languages and of contrib. */
export const regressionFiles = (): CorpusFile[] =>
  read('postgresql-15', unpacked('postgresql-15', source), POSTGRES);

/** Packages of extensions with much PL/pgSQL. */
export const EXTENSIONS = [
  'pgtap', 'pgq3', 'partman', 'periods', 'powa', 'pgrouting-scripts', 'mimeo',
].map((name) => `postgresql-15-${name}`); // biome-ignore format: one list

export const extensionFiles = (name: string): CorpusFile[] => read(name, unpacked(name, binary), ANY);

/** Python's standard library and its tests. */
export const pythonFiles = (): CorpusFile[] =>
  ['libpython3.11-minimal', 'libpython3.11-stdlib', 'libpython3.11-testsuite'].flatMap((name) =>
    read(name, unpacked(name, binary), /\.py$/),
  );

/** Source packages with much Java of all kinds. */
export const JAVA = ['libspring-java', 'h2database', 'guava-libraries'];

export const javaFiles = (name: string): CorpusFile[] => read(name, unpacked(name, source), /\.java$/);

/** A library in Kotlin with its tests. */
export const kotlinFiles = (): CorpusFile[] =>
  read('kotlinx-coroutines', unpacked('kotlinx-coroutines', source), /\.kts?$/);

/** Ruby with its library and its tests. */
export const rubyFiles = (): CorpusFile[] => read('ruby3.1', unpacked('ruby3.1', source), /\.rb$/);

/** More, from folders that SUBXACT_CORPUS names, separated by colons. */
export function otherFiles(): CorpusFile[] {
  const folders = (process.env.SUBXACT_CORPUS ?? '').split(':').filter(Boolean);
  return folders.flatMap((folder) => read(folder, folder, ANY));
}

function read(name: string, folder: string, wanted: RegExp): CorpusFile[] {
  const out: CorpusFile[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(join(folder, path)).sort()) {
      const inner = path === '' ? entry : `${path}/${entry}`;
      const stat = statSync(join(folder, inner), { throwIfNoEntry: false });
      if (stat?.isDirectory()) walk(inner);
      else if (stat && wanted.test(inner))
        out.push({ name: `${name}: ${inner}`, text: readFileSync(join(folder, inner), 'utf8') });
    }
  };
  walk('');
  return out;
}

/** The folder of an unpacked package; fetched once, or by two test files at the same time, of which one is the first. */
function unpacked(name: string, unpack: (name: string, folder: string) => void): string {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return folder;
  mkdirSync(FOLDER, { recursive: true });
  const work = mkdtempSync(`${folder}.part-`);
  unpack(name, work);
  if (existsSync(folder)) rmSync(work, { recursive: true });
  else renameSync(work, folder);
  return folder;
}

function source(name: string, folder: string): void {
  quietly('apt-get', [...prepare(), 'source', '--download-only', '--tar-only', name], folder);
  const archive = readdirSync(folder).find((file) => file.includes('.tar.'))!;
  quietly('tar', ['-xf', archive, '--strip-components=1'], folder);
  rmSync(join(folder, archive));
}

function binary(name: string, folder: string): void {
  quietly('apt-get', ['download', name], folder);
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'))!;
  quietly('dpkg-deb', ['-x', archive, '.'], folder);
  rmSync(join(folder, archive));
}

function quietly(command: string, args: string[], cwd: string): void {
  try {
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    throw new Error(`the corpus could not be fetched: ${(error as { stderr?: string }).stderr || error}`);
  }
}

/** apt with lists of its own, so that it needs no rights and changes nothing on the machine. */
function prepare(): string[] {
  const root = join(process.cwd(), FOLDER, 'apt');
  const options = [
    `Dir::Etc::sourcelist=${root}/sources.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${root}/lists`,
    `Dir::Cache=${root}/cache`,
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  if (existsSync(`${root}/lists/lock`)) return options;
  mkdirSync(`${root}/lists/partial`, { recursive: true });
  mkdirSync(`${root}/cache/archives/partial`, { recursive: true });
  // Sources lie where this machine's packages come from.
  const format = 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)|$(ORIGIN)|$(COMPONENT)';
  const targets = execFileSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const lines = targets.split('\n').filter((line) => line.endsWith('|Debian|main'));
  const release = lines.filter((line) => !/ \S+-(?:updates|security|backports) /.test(line));
  if (release.length === 0)
    throw new Error('the corpus comes from Debian source packages, and this machine knows no Debian mirror');
  writeFileSync(
    `${root}/sources.list`,
    `${[...new Set(release)].map((line) => line.split('|')[0]).join('\n')}\n`,
  );
  quietly('apt-get', [...options, 'update'], root);
  return options;
}
