// What is read from manifests, lock files and configuration: packages, databases, versions, switches.
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { readPage } from './markdown.ts';

const unitOf = async (file: string, text: string) => (await lower(file, text))!;
const packages = async (file: string, text: string) =>
  (await unitOf(file, text)).packages.map(
    ({ name, version, exact }) => `${name} ${exact ? '=' : '~'} ${version}`,
  );
/** Each setting with the words that it underlines. */
const settings = async (file: string, text: string) =>
  (await unitOf(file, text)).settings.map(
    ({ key, value, effect, at }) => `${effect}: ${key}=${value} «${text.slice(at.start, at.end)}»`,
  );

test.each([
  ['requirements/postgres.txt', '-r base.txt\npsycopg[binary]==3.3.4\n', ['pypi:psycopg = 3.3.4']],
  ['docs/base.txt', 'psycopg==3.3.4\n', []],
  ['requirements.txt', 'Django==4.2.1\nSQLAlchemy[asyncio]>=2,<3 # x\n-r other.txt\n# django==1\n', ['pypi:django = 4.2.1', 'pypi:sqlalchemy ~ >=2,<3']],
  ['pyproject.toml', '[project]\ndependencies = [\n  "django>=5.1",\n  "psycopg[binary]~=3.2"\n]\n', ['pypi:django ~ >=5.1', 'pypi:psycopg ~ ~=3.2']],
  ['pyproject.toml', '[tool.poetry.dependencies]\nDjango = "^4.2"\nsqlalchemy = { version = "^2.0", extras = ["x"] }\n', ['pypi:django ~ ^4.2', 'pypi:sqlalchemy ~ ^2.0']],
  ['poetry.lock', '[[package]]\nname = "django"\nversion = "4.2.1"\ndescription = ""\n', ['pypi:django = 4.2.1']],
  ['uv.lock', '[[package]]\r\nname = "django"\r\nversion = "5.2"\r\n', ['pypi:django = 5.2']],
  ['Pipfile.lock', '{"default": {"django": {"hashes": ["sha256:1"], "index": "pypi", "version": "==4.2.1"}}}', ['pypi:django = 4.2.1']],
  ['Gemfile.lock', 'GEM\n  specs:\n    activerecord (7.0.8.1)\n      activesupport (= 7.0.8.1)\n    nokogiri (1.16.0-x86_64-linux)\n    sequel (5.63.0)\n', ['gem:activerecord = 7.0.8.1', 'gem:sequel = 5.63.0']],
  ['Gemfile', "gem 'rails', '~> 7.0.4'\ngem \"good_job\"\n# gem 'sequel'\n", ['gem:rails ~ ~> 7.0.4', 'gem:activerecord ~ ~> 7.0.4', 'gem:good_job ~ ']],
  ['shop.gemspec', "  s.add_dependency 'rails', ['>= 7.0', '< 8']\n", ['gem:rails ~ >= 7.0', 'gem:activerecord ~ >= 7.0']],
  ['composer.lock', '{"packages": [{"name": "doctrine/dbal", "version": "v3.6.1"}]}', ['composer:doctrine/dbal = 3.6.1']],
  ['composer.json', '{\n  "require": {\n    "laravel/framework": "^10.21"\n  }\n}', ['composer:laravel/framework ~ ^10.21']],
  ['package.json', '{\n  "dependencies": {\n    "sequelize": "^6.1.0"\n  }\n}', ['npm:sequelize ~ ^6.1.0']],
  ['package-lock.json', '{"packages": {"node_modules/typeorm": {\n "version": "0.3.20"}}}', ['npm:typeorm = 0.3.20']],
  ['yarn.lock', '"knex@^3.0.0":\n  version "3.1.0"\n  resolved "x"\n', ['npm:knex = 3.1.0']],
  ['pnpm-lock.yaml', 'packages:\n\n  knex@3.1.0:\n    resolution: {}\n', ['npm:knex = 3.1.0']],
  ['go.mod', 'require (\n\tgorm.io/gorm v1.25.7\n)\n', ['go:gorm.io/gorm = 1.25.7']],
  ['Cargo.lock', '[[package]]\nname = "sqlx"\nversion = "0.8.6"\n', ['cargo:sqlx = 0.8.6']],
  ['Shop.csproj', '<PackageReference Include="Microsoft.EntityFrameworkCore" Version="8.0.1" />', ['nuget:microsoft.entityframeworkcore = 8.0.1']],
])('packages of %s', async (file, text, expected) => {
  const known = await packages(file, text);
  expect(known).toEqual(expected);
}); // biome-ignore format: a table

test.each([
  ['config/database.yml', 'production:\n  adapter: postgresql\n', ['is said here: rails:production=postgresql «production:»', 'uses database: adapter=postgresql «postgresql»']],
  ['.env', 'DATABASE_URL=postgres://u:p@db/shop\n#DATABASE_URL=mysql://x\n', ['uses database: URL=postgresql «postgres»']],
  ['.env.example', 'DB_CONNECTION=mysql\n', ['uses database: DB_CONNECTION=mysql «mysql»']],
  ['config/packages/doctrine.yaml', "doctrine:\n  dbal:\n    driver: pdo_pgsql\n    server_version: '16.2'\n    use_savepoints: true\n", ['uses database: driver=postgresql «pdo_pgsql»', "postgres version: version=16 «server_version: '16.2»", 'nested transactions open savepoints: use_savepoints=true «use_savepoints: true»']],
  ['docker-compose.yml', 'services:\n  db:\n    image: postgres:16-alpine\n', ['postgres version: image=16 «postgres:16-alpine»']],
  ['.github/workflows/ci.yml', 'services:\n  db:\n    image: timescale/timescaledb:2.14.2-pg15\n', ['postgres version: image=15 «timescaledb:2.14.2-pg15»']],
  ['.github/workflows/ci.yml', 'image: pgvector/pgvector:pg17\n', ['postgres version: image=17 «pgvector:pg17»']],
  ['alembic.ini', 'sqlalchemy.url = postgresql+psycopg2://db/shop\n', ['uses database: URL=postgresql «postgresql+psycopg2»']],
  ['build.sbt', 'libraryDependencies ++= Seq(\n  "org.postgresql" % "postgresql" % "42.7.2",\n  "com.typesafe.slick" %% "slick" % "3.5.0")\n', ['uses database: org.postgresql:postgresql=postgresql «"org.postgresql" % "postgresql" % "42.7.2"»']],
  ['main.tf', 'engine = "postgres"\nengine_version = "15.4"\n', ['uses database: engine=postgresql «postgres»', 'postgres version: version=15 «engine_version = "15.4"»']],
  ['lib/DB.pm', 'my $s = Shop->connect($dsn, $u, $p, { AutoCommit => 1, auto_savepoint => 1 });\n', ['nested transactions open savepoints: auto_savepoint=1 «auto_savepoint => 1»']],
  ['config/web.php', "'db' => ['enableSavepoint' => true],\n", ["nested transactions open savepoints: enableSavepoint=true «'enableSavepoint' => true»"]],
  ['config/app.php', '$connection->enableSavePoints(true);\n', ['nested transactions open savepoints: useSavepoints=true «enableSavePoints(true)»']],
  ['Startup.cs', 'context.Database.AutoSavepointsEnabled = false;\n', []],
  ['notes.yml', 'image: my/postgres-exporter:0.15\n# image: postgres:9.6\nprotocol: https\n', []],
])('settings of %s', async (file, text, expected) => {
  expect(await settings(file, text)).toEqual(expected);
}); // biome-ignore format: a table

test('a lock file of many megabytes is a matter of a moment', async () => {
  const one = (i: number) =>
    `"node_modules/left-pad-${i}": {\n "version": "1.0.${i}",\n "integrity": "sha512-${'x'.repeat(80)}"\n},\n`;
  const text = `{"packages": {${Array.from({ length: 100_000 }, (_, i) => one(i)).join('')}"node_modules/pg": {"version": "8.11.3"}}}`;
  const before = process.cpuUsage();
  expect(await packages('package-lock.json', text)).toEqual(['npm:pg = 8.11.3']);
  expect(process.cpuUsage(before).user).toBeLessThan(3000_000);
});

test('hostile text takes linear time', async () => {
  const before = process.cpuUsage();
  for (const [file, text] of [
    ['requirements.txt', `a${'>='.repeat(50_000)}`],
    ['Pipfile.lock', `"a": {${'{"x": "'.repeat(30_000)}`],
    ['yarn.lock', `"${'a@'.repeat(50_000)}`],
    ['docker-compose.yml', `image: ${'postgres/'.repeat(20_000)}`],
    ['odbc.ini', `Driver=${'Postgre;'.repeat(20_000)}`],
    ['Shop.csproj', '<PackageReference  '.repeat(20_000)],
    ['app.yml', `x: ${'Driver=Postgre'.repeat(10_000)}`],
  ] as const)
    await lower(file, text);
  expect(process.cpuUsage(before).user).toBeLessThan(5000_000);
});

test('a project that names other databases only is none of ours', async () => {
  const ruby = `class Order < ApplicationRecord
  def self.all_of_them(list)
    transaction { list.each { |one| transaction(requires_new: true) { create!(one) } } }
  end
end
`;
  const found = async (...settings: [string, string][]) => {
    const units = await Promise.all(
      [...settings, ['app/models/order.rb', ruby] as const].map(([f, t]) => unitOf(f, t)),
    );
    return analyse(units).findings.length;
  };
  expect(await found()).toBe(1);
  expect(await found(['Gemfile.lock', '    sqlite3 (2.0.0)\n'])).toBe(0);
  expect(await found(['config/database.yml', 'production:\n  adapter: mysql2\n'])).toBe(0);
  expect(await found(['Gemfile.lock', '    sqlite3 (2.0.0)\n    pg (1.5.0)\n'])).toBe(1);
  const memory = 'spring.datasource.url=jdbc:h2:mem:x\n';
  expect(await found(['src/main/resources/application.properties', memory])).toBe(0);
  // Tests run on what is at hand.
  expect(await found(['src/test/resources/application.properties', memory])).toBe(1);
  expect(
    await found(['Gemfile.lock', '    mysql2 (0.5.0)\n'], ['.env', 'DATABASE_URL=postgres://db/shop\n']),
  ).toBe(1);
});

test('a module that brings the driver of another database is none of ours, the one beside it is', async () => {
  const java = `class A {
  void run(java.sql.Connection c) throws Exception {
    c.setAutoCommit(false);
    for (String x : args) {
      java.sql.Savepoint s = c.setSavepoint();
      c.prepareStatement("insert into a values (1)").execute();
    }
    c.commit();
  }
}
`;
  const build = (name: string) => `dependencies {\n  implementation '${name}:1.0.0'\n}\n`;
  const found = async (files: Record<string, string>) => {
    const units = await Promise.all(Object.entries(files).map(([file, text]) => unitOf(file, text)));
    return analyse(units).findings.map(({ file }) => file);
  };
  const both = { 'mysql/src/A.java': java, 'pg/src/A.java': java };
  const drivers = {
    'mysql/build.gradle': build('com.mysql:mysql-connector-j'),
    'pg/build.gradle': build('org.postgresql:postgresql'),
  };
  expect(await found({ ...both, ...drivers })).toEqual(['pg/src/A.java']);
  const older = {
    'mysql/build.gradle': build('mysql:mysql-connector-java'),
    'pg/build.gradle': build('postgresql:postgresql'),
  };
  expect(await found({ ...both, ...drivers, ...older })).toEqual(['pg/src/A.java']);
  // A module's tests may run on any.
  for (const [file, text] of [
    ['mysql/build.gradle', `dependencies {\n  testRuntimeOnly('com.mysql:mysql-connector-j:9.0.0')\n}\n`],
    ['mysql/build.gradle', `dependencies {\n  testImplementation 'org.testcontainers:mysql:1.20.0'\n}\n`],
    [
      'mysql/pom.xml',
      '<dependency><groupId>mysql</groupId><artifactId>mysql-connector-java</artifactId>\n<scope>test</scope></dependency>',
    ],
  ] as const)
    expect(
      await found({ ...both, 'pg/build.gradle': drivers['pg/build.gradle'], [file]: text }),
      text,
    ).toEqual(['mysql/src/A.java', 'pg/src/A.java']);
  // What the whole project has, its modules have.
  const above = { 'build.gradle': build('org.postgresql:postgresql') };
  expect(await found({ ...both, ...drivers, ...above })).toEqual(['mysql/src/A.java', 'pg/src/A.java']);
  expect(
    await found({
      ...both,
      'pg/build.gradle': drivers['pg/build.gradle'],
      'mysql/build.gradle': build('com.h2database:h2'),
    }),
  ).toEqual(['mysql/src/A.java', 'pg/src/A.java']);
  // A catalog lists what modules may bring, tests bring what they like, and a comment brings nothing.
  const catalog = `[libraries]
mysql-connector = { module = "com.mysql:mysql-connector-j", version = "8.4.0" }
postgresql = { module = "org.postgresql:postgresql", version = "42.7.7" }
`;
  const catalogued = {
    'gradle/libs.versions.toml': catalog,
    'mysql/build.gradle.kts': 'dependencies { runtimeOnly(libs.mysql.connector) }',
  };
  expect(
    await found({
      ...both,
      ...catalogued,
      'pg/build.gradle.kts': 'dependencies { runtimeOnly(libs.postgresql) }',
    }),
  ).toEqual(['pg/src/A.java']);
  const alone = { 'mysql/src/A.java': java };
  expect(await found({ ...alone, ...catalogued })).toEqual([]);
  // What is only called like a driver is none; and a catalog may name both parts by themselves.
  const framework = {
    'pg/src/A.java': java,
    'pg/build.gradle.kts': 'dependencies { implementation(libs.exposed.jdbc) }',
  };
  expect(await found(framework)).toEqual(['pg/src/A.java']);
  expect(await found({ ...framework, 'gradle/libs.versions.toml': catalog })).toEqual(['pg/src/A.java']);
  expect(
    await found({
      ...both,
      ...catalogued,
      'gradle/libs.versions.toml': catalog.replace(
        'module = "org.postgresql:postgresql"',
        'group = "org.postgresql", name = "postgresql"',
      ),
      'pg/build.gradle.kts': 'dependencies { runtimeOnly(libs.postgresql) }',
    }),
  ).toEqual(['pg/src/A.java']);
  expect(await found({ ...alone, 'gradle/libs.versions.toml': catalog })).toEqual(['mysql/src/A.java']);
  const tested = build('com.mysql:mysql-connector-j').replace(
    '}',
    "  testRuntimeOnly 'org.postgresql:postgresql:42.7.7'\n}",
  );
  expect(await found({ ...alone, 'mysql/build.gradle': tested })).toEqual([]);
  const remark = build('com.mysql:mysql-connector-j').replace(
    '}',
    "  // runtimeOnly 'org.postgresql:postgresql:42.7.7'\n}",
  );
  expect(await found({ ...alone, 'mysql/build.gradle': remark })).toEqual([]);
  const testsAlone = "dependencies {\n  testImplementation 'org.postgresql:postgresql:42.7.7'\n}\n";
  expect(await found({ ...alone, 'mysql/build.gradle': testsAlone })).toEqual(['mysql/src/A.java']);
});

test('a script is as bad as what it comes to', async () => {
  const insert = (times: number) => 'INSERT INTO shown VALUES (1);\n'.repeat(times);
  const said = async (files: Record<string, string>) => {
    const units = await Promise.all(Object.entries(files).map(async ([file, text]) => lower(file, text)));
    const { findings } = analyse(units.flatMap((unit) => (unit ? [unit] : [])));
    const its = findings.filter(({ rule }) => rule === 'statement-savepoints');
    // Of what fits no 65th statement is told.
    for (const { message } of its) expect(message).toMatch(/at most/.test(message) ? /64 places/ : /\b65/);
    return its
      .map(({ severity, message }) => severity + (/: at most \d+/.exec(message)?.[0] ?? ''))
      .join(' ');
  };
  const on = '\\set ON_ERROR_ROLLBACK on\n';
  const script = (text: string) => said({ 'a.sql': text });
  expect(await script(`${on}BEGIN;\n${insert(64)}COMMIT;\n`)).toBe('note: at most 64');
  expect(await script(`${on}BEGIN;\n${insert(65)}COMMIT;\n`)).toBe('error');
  expect(await script(`${on}BEGIN;\n${insert(40)}COMMIT;\nBEGIN;\n${insert(41)}COMMIT;\n`)).toBe(
    'note: at most 41',
  );
  expect(await script(`${on}BEGIN;\n${insert(40)}COMMIT AND CHAIN;\n${insert(41)}COMMIT;\n`)).toBe(
    'note: at most 41',
  );
  expect(await script(`BEGIN;\n${insert(40)}${on}${insert(41)}COMMIT;\n`)).toBe('note: at most 41');
  expect(await script(`${on}${insert(100)}`)).toBe('');
  expect(await script(`${on}\\set AUTOCOMMIT off\n${insert(100)}`)).toBe('error');
  expect(await script(`${on}BEGIN;\n${'SELECT count(*) FROM shown;\n'.repeat(100)}COMMIT;\n`)).toBe('');
  expect(await script(`${on}BEGIN;\nSELECT fill();\nSELECT id FROM shown FOR UPDATE;\nCOMMIT;\n`)).toBe(
    'note: at most 2',
  );
  // What does not stand there may be anything.
  for (const text of [
    '\\i b.sql',
    'INSERT INTO shown VALUES (1) \\watch 1',
    ':statement;',
    'SELECT sql FROM shown \\gexec',
  ])
    expect(await script(`${on}BEGIN;\n${insert(2)}${text}\nCOMMIT;\n`), text).toBe('error');
  expect(await script(`${on}BEGIN;\n{% for row in rows %}\n${insert(1)}{% endfor %}\nCOMMIT;\n`)).toBe(
    'error',
  );
  expect(await script(on)).toBe('error');
  expect(await said({ psqlrc: `${on}SELECT 1;\n` })).toBe('error');
  // Who includes it goes on under it, perhaps in one transaction.
  expect(await said({ 'a.sql': `${on}${insert(1)}`, 'b.sql': 'BEGIN;\n\\i a.sql\nCOMMIT;\n' })).toBe('error');
});

test('every row of the catalogue that is a setting has a block', () => {
  const rows = readPage('fixtures/frameworks/settings.md').flatMap(
    ({ headings }) => headings.join(' ').match(/S\d{3}/g) ?? [],
  );
  expect([...new Set(rows)].sort()).toEqual(SETTING_ROWS.split(' '));
});

/** DBIx::Class, Doctrine, Yii, CakePHP and EF Core are told of, and no rule speaks of them. */
const SETTING_ROWS = 'S127 S132 S135 S136 S137 S142 S153 S154 S155 S157 S158 S168 S169';
