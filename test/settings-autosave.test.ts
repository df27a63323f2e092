// Where pgjdbc's autosave and its like can be set, and where the same words say nothing: a table of small files.
import { expect, test } from 'vitest';
import { lower } from '../src/analyse.ts';
import { frontendFor } from '../src/frontends/index.ts';

interface Probe {
  /** How many settings it has. */
  n: number;
  file: string;
  text: string;
  /** Absent: any that opens savepoints. */
  key?: string;
}

const probes: Probe[] = [];
const p = (n: number, file: string, text: string) => probes.push({ n, file, text, key: 'autosave' });
const PG = 'jdbc:postgresql://db:5432/shop';
// In files, by any spelling; each with what must not count.
p(1, 'application.properties', `spring.datasource.url=${PG}?autosave=always\n`);
p(0, 'application.properties', `#spring.datasource.url=${PG}?autosave=always\n`);
p(0, 'application.properties', `spring.datasource.url=${PG}?autosave=never\n`);
p(0, 'application.properties', `spring.datasource.url=jdbc:mysql://db/shop?autosave=always\n`);
p(0, 'application.properties', `! autosave=always\n`);
p(1, 'application.properties', `spring.datasource.hikari.data-source-properties.autosave=always\n`);
p(1, 'application.properties', `spring.datasource.hikari.data-source-properties.autosave = conservative\r\n`);
p(1, 'application.properties', `spring.datasource.tomcat.connection-properties=ssl=true;autosave=always\n`);
p(1, 'application.properties', `spring.datasource.tomcat.connectionProperties=autosave=always;\n`);
p(1, 'application.properties', `spring.datasource.dbcp2.connection-properties=[autosave=always]\n`);
p(1, 'application.properties', `quarkus.datasource.jdbc.additional-jdbc-properties.autosave=always\n`);
p(1, 'application.properties', `spring.jpa.properties.hibernate.connection.autosave=always\n`);
p(1, 'hibernate.properties', `hibernate.connection.autosave always\n`);
p(1, 'hibernate.properties', `hibernate.connection.autosave: always\n`);
p(
  1,
  'hikari.properties',
  `dataSource.autosave=always\ndataSourceClassName=org.postgresql.ds.PGSimpleDataSource\n`,
);
p(0, 'editor.properties', `editor.autosave=always\n`);
p(0, 'settings.properties', `autosave=always\n`);
p(1, 'pgjdbc.properties', `autosave=always\n`);
p(1, 'application.yml', `spring:\n  datasource:\n    url: ${PG}?autosave=always\n`);
p(1, 'application.yml', `spring:\n  datasource:\n    url: "${PG}?ssl=true&autosave=ALWAYS"\n`);
p(0, 'application.yml', `spring:\n  datasource:\n    # url: ${PG}?autosave=always\n    url: ${PG}\n`);
p(0, 'application.yml', `spring:\n  datasource:\n    url: ${PG} # not ?autosave=always\n`);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    url: ${PG}\n    hikari:\n      data-source-properties:\n        autosave: always\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    hikari:\n      dataSourceProperties: { autosave: always }\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    hikari:\n      data-source-properties:\n        "autosave": "always"\n`,
);
p(0, 'application.yml', `editor:\n  autosave: always\n`);
p(0, 'settings.yml', `vscode:\n  files:\n    autosave: always\n`);
p(
  1,
  'application.yml',
  `datasources:\n  default:\n    url: ${PG}\n    data-source-properties:\n      autosave: always\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      - SPRING_DATASOURCE_URL=${PG}?autosave=always\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE: always\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      - SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE=always\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      QUARKUS_DATASOURCE_JDBC_ADDITIONAL_JDBC_PROPERTIES_AUTOSAVE: "always"\n`,
);
p(
  1,
  'deploy.yaml',
  `      env:\n        - name: SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE\n          value: "always"\n`,
);
p(
  0,
  'deploy.yaml',
  `      env:\n        - name: SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE\n          value: "never"\n`,
);
p(1, 'deploy.yaml', `      env:\n        - name: DB_URL\n          value: "${PG}?autosave=always"\n`);
p(
  1,
  'deploy.yaml',
  `      env:\n        - name: DB_URL\n          value: >-\n            ${PG}?autosave=always\n`,
);
p(
  1,
  'deploy.yaml',
  `      env:\n        - { name: SPRING_DATASOURCE_HIKARI_DATASOURCEPROPERTIES_AUTOSAVE, value: always }\n`,
);
p(1, '.env', `DB_URL=${PG}?autosave=always\n`);
p(1, '.env.example', `export DB_URL="${PG}?sslmode=disable&autosave=conservative"\n`);
p(0, '.env.example', `# DB_URL=${PG}?autosave=always\n`);
p(1, '.env.production', `SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE=always\n`);
p(1, 'values.yaml', `db:\n  url: ${PG}?autosave=always\n`);
p(1, 'values.yaml', `db:\n  jdbcParams: "?autosave=always"\n`);
p(1, 'values.yaml', `postgresql:\n  urlParameters: "autosave=always&ssl=true"\n`);
p(1, 'values.yaml', `db:\n  jdbcUrl: jdbc:postgresql://{{ .Values.host }}/x?autosave=always\n`);
p(
  1,
  'configmap.yaml',
  `data:\n  application.properties: |\n    spring.datasource.url=${PG}?autosave=always\n`,
);
p(
  1,
  'deployment.yaml',
  `        - name: JAVA_OPTS\n          value: -Dspring.datasource.hikari.data-source-properties.autosave=always\n`,
);
p(1, 'persistence.xml', `<property name="hibernate.connection.autosave" value="always"/>\n`);
p(0, 'persistence.xml', `<!-- <property name="hibernate.connection.autosave" value="always"/> -->\n`);
p(0, 'persistence.xml', `<!--\n  <property name="hibernate.connection.autosave" value="always"/>\n-->\n`);
p(1, 'persistence.xml', `<property name="javax.persistence.jdbc.url" value="${PG}?autosave=always"/>\n`);
p(
  1,
  'persistence.xml',
  `<property name="javax.persistence.jdbc.url"\n          value="${PG}?ssl=true&amp;autosave=always"/>\n`,
);
p(1, 'persistence.xml', `<property value="always" name="hibernate.connection.autosave"/>\n`);
p(1, 'persistence.xml', `<property\n  name="hibernate.connection.autosave"\n  value="always"/>\n`);
p(1, 'hibernate.cfg.xml', `<property name="hibernate.connection.autosave">always</property>\n`);
p(
  1,
  'hibernate.cfg.xml',
  `<property name="connection.autosave">always</property>\n<property name="connection.driver_class">org.postgresql.Driver</property>`,
);
p(1, 'hibernate.cfg.xml', `<property name="hibernate.connection.autosave">\n  always\n</property>\n`);
p(1, 'context.xml', `<Resource name="jdbc/x" url="${PG}" connectionProperties="autosave=always"/>\n`);
p(
  1,
  'context.xml',
  `<Resource name="jdbc/x" driverClassName="org.postgresql.Driver" connectionProperties="ssl=true;autosave=always;"/>\n`,
);
p(1, 'context.xml', `<Resource name="jdbc/x" url="${PG}?autosave=always"/>\n`);
p(1, 'context.xml', `<Resource name="jdbc/x" url="${PG}" autosave="always"/>\n`);
p(1, 'server.xml', `<Resource url="${PG}?x=1&amp;autosave=always"/>\n`);
p(
  1,
  'standalone.xml',
  `<datasource>\n<connection-url>${PG}</connection-url>\n<connection-property name="autosave">always</connection-property>\n`,
);
p(1, 'standalone.xml', `<datasource>\n<connection-url>${PG}?autosave=always</connection-url>\n`);
p(
  1,
  'standalone.xml',
  `<datasource>\n<connection-property name="autosave">\n  always\n</connection-property>\n`,
);
p(
  1,
  'my-ds.xml',
  `<xa-datasource-property name="autosave">always</xa-datasource-property><!-- org.postgresql -->\n`,
);
p(
  1,
  'beans.xml',
  `<property name="dataSourceProperties"><props><prop key="autosave">always</prop></props></property>\n`,
);
p(
  1,
  'beans.xml',
  `<bean class="org.postgresql.ds.PGSimpleDataSource"><property name="autosave" value="always"/></bean>\n`,
);
p(
  1,
  'beans.xml',
  `<!-- --><bean class="com.zaxxer.hikari.HikariConfig"/>\n<entry key="autosave" value="always"/>\n`,
);
p(
  1,
  'beans.xml',
  `<!-- --><bean class="com.zaxxer.hikari.HikariConfig"/>\n<entry key="autosave">\n<value>always</value>\n</entry>\n`,
);
p(1, 'beans.xml', `<bean p:autosave="always" class="org.postgresql.ds.PGSimpleDataSource"/>\n`);
p(
  1,
  'domain.xml',
  `<jdbc-connection-pool><property name="Autosave" value="always"></property><property name="url" value="${PG}"/></jdbc-connection-pool>\n`,
);
p(1, 'server.xml', `<properties.postgresql databaseName="x" autosave="always"/>\n`);
p(1, 'build.gradle', `def url = "${PG}?autosave=always"\n`);
p(0, 'build.gradle', `// def url = "${PG}?autosave=always"\n`);
p(0, 'build.gradle', `/*\n def url = "${PG}?autosave=always"\n*/\n`);
p(1, 'build.gradle.kts', `jooq { jdbc { url = "${PG}?autosave=always" } }\n`);
p(1, 'build.gradle', `flyway {\n url = '${PG}?autosave=always'\n}\n`);
p(1, 'build.gradle', `jdbc { properties { property { key = 'autosave'; value = 'always' } } }\n`);
p(1, 'pom.xml', `<jdbc.url>${PG}?autosave=always</jdbc.url>\n`);
p(1, 'pom.xml', `<url>${PG}?a=b&amp;autosave=always</url>\n`);
p(0, 'pom.xml', `<!-- <url>${PG}?autosave=always</url> -->\n`);
p(1, 'build.sbt', `flywayUrl := "${PG}?autosave=always"\n`);
p(1, 'application.conf', `db.default.url="${PG}?autosave=always"\n`);
p(1, 'application.conf', `slick.dbs.default.db.properties = {\n  url = "${PG}"\n  autosave = "always"\n}\n`);
p(1, 'application.conf', `db { default { hikaricp { dataSource { autosave = always } } } }\n`);
p(0, 'application.conf', `# db.default.url="${PG}?autosave=always"\n`);
p(0, 'application.conf', `// db.default.url="${PG}?autosave=always"\n`);
p(1, 'application.conf', `db.properties.autosave : always\n url="${PG}"\n`);
p(1, 'deps.edn', `{:jdbcUrl "${PG}?autosave=always"}\n`);
p(1, 'config.edn', `{:dbtype "postgresql" :autosave "always"}\n`);
p(1, 'db.clj', `(def db {:dbtype "postgresql" :dbname "x" :autosave "always"})\n`);
p(1, 'db.clj', `(def url "${PG}?autosave=always")\n`);
p(0, 'db.clj', `;; (def url "${PG}?autosave=always")\n`);
p(1, 'Db.groovy', `def sql = Sql.newInstance("${PG}?autosave=always")\n`);
p(1, 'DataSource.groovy', `dataSource {\n  properties {\n    autosave = 'always'\n  }\n url = "${PG}"\n}\n`);
p(1, 'Db.scala', `val url = "${PG}?autosave=always"\n`);
p(1, 'Db.scala', `props.setProperty("autosave", "always")\n`);
p(1, 'Db.scala', `ds.addDataSourceProperty("autosave", "always")\n`);
p(0, 'Db.scala', `// val url = "${PG}?autosave=always"\n`);
p(1, 'launch.sh', `java -Dspring.datasource.url="${PG}?autosave=always" -jar x.jar\n`);
p(1, 'Dockerfile', `ENV DB_URL=${PG}?autosave=always\n`);
p(1, 'Dockerfile.prod', `ENV SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE always\n`);
p(1, 'main.tf', `  db_url = "${PG}?autosave=always"\n`);
p(1, 'config.json', `{"jdbcUrl": "${PG}?autosave=always"}\n`);
p(1, 'sink.json', `{"connection.url": "${PG}?autosave=always"}\n`);
p(1, 'flyway.toml', `url = "${PG}?autosave=always"\n`);
p(1, 'flyway.conf', `flyway.url=${PG}?autosave=always\n`);
p(1, 'flyway.conf', `flyway.jdbcProperties.autosave=always\n`);
p(1, 'flyway.toml', `[environments.x]\njdbcProperties.autosave = "always"\n`);
p(1, 'liquibase.properties', `url: ${PG}?autosave=always\n`);
p(1, 'db.cfg', `jdbc_url=${PG}?autosave=always\n`);
p(1, 'logstash.conf', `jdbc_connection_string => "${PG}?autosave=always"\n`);
p(1, 'application.yml', `url: \${DB_URL:${PG}?autosave=always}\n`);
p(1, 'application.yml', `url: jdbc:tc:postgresql:15:///x?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:p6spy:postgresql://db/x?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:postgresql:shop?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:aws-wrapper:postgresql://x/y?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:pgsql://x/y?autosave=always\n`);
p(0, 'application.yml', `url: r2dbc:postgresql://x/y?autosave=always\n`);
p(0, 'application.yml', `url: jdbc:postgresql://x/y?Autosave=always\n`);
p(1, 'xml.config.xml', `<connection url='${PG}?autosave=always'/>`);
p(1, 'pg_service.conf', `[x]\nautosave=always\nhost=y\n`);
// In code.
const J = (b: string, i = '') => `import java.util.*;\n${i}\nclass A {\n  ${b}\n}\n`;
const U = `String U = "${PG}?autosave=always";`;
p(1, 'A.java', J(U));
p(0, 'A.java', J(`// ${U}`));
p(0, 'A.java', J(`String U = "jdbc:mysql://x/y?autosave=always";`));
p(1, 'A.java', J(`String U = "${PG}" + "?autosave=always";`));
p(1, 'A.java', J(`static final String B = "${PG}"; String U = B + "?autosave=always";`));
p(1, 'A.java', J(`String U = String.format("jdbc:postgresql://%s:%d/%s?autosave=always", h, p, d);`));
p(1, 'A.java', J(`String u(String h) { return "jdbc:postgresql://" + h + "/x?autosave=always"; }`));
p(1, 'A.java', J(`String u(String m) { return "${PG}?ssl=true" + "&autosave=" + "always"; }`));
p(1, 'A.java', J(`void a(Properties p) { p.setProperty("autosave", "always"); }`));
p(1, 'A.java', J(`void a(Properties p) { p.put("autosave", "conservative"); }`));
p(0, 'A.java', J(`void a(Properties p) { p.put("autosave", "never"); }`));
p(1, 'A.java', J(`static final String K = "autosave"; void a(Properties p) { p.put(K, "always"); }`));
p(
  1,
  'A.java',
  J(`void a(Properties p) { PGProperty.AUTOSAVE.set(p, "always"); }`, 'import org.postgresql.PGProperty;'),
);
p(
  1,
  'A.java',
  J(
    `void a(Properties p) { PGProperty.AUTOSAVE.set(p, AutoSave.ALWAYS.value()); }`,
    'import org.postgresql.PGProperty;',
  ),
);
p(
  1,
  'A.java',
  J(
    `void a(Properties p) { AUTOSAVE.set(p, "always"); }`,
    'import static org.postgresql.PGProperty.AUTOSAVE;',
  ),
);
p(
  1,
  'A.java',
  J(
    `void a(Properties p) { p.setProperty(PGProperty.AUTOSAVE.getName(), "always"); }`,
    'import org.postgresql.PGProperty;',
  ),
);
p(
  1,
  'A.java',
  J(
    `void a(PGSimpleDataSource d) { d.setAutosave(AutoSave.ALWAYS); }`,
    'import org.postgresql.ds.PGSimpleDataSource;',
  ),
);
p(
  1,
  'A.java',
  J(
    `void a(java.sql.Connection c) { c.unwrap(PGConnection.class).setAutosave(AutoSave.CONSERVATIVE); }`,
    'import org.postgresql.PGConnection;',
  ),
);
p(
  0,
  'A.java',
  J(
    `void a(PGSimpleDataSource d) { d.setAutosave(AutoSave.NEVER); }`,
    'import org.postgresql.ds.PGSimpleDataSource;',
  ),
);
p(0, 'A.java', J(`void a(Editor d) { d.setAutosave(true); }`));
p(1, 'A.java', J(`void a(HikariConfig d) { d.addDataSourceProperty("autosave", "always"); }`));
p(1, 'A.java', J(`Map<String,String> m = Map.of("autosave", "always");`));
p(1, 'A.java', J(`Map<String,String> m = Map.of("ssl", "true", "autosave", "always");`));
p(1, 'A.java', J(`Map<String,String> m = Map.ofEntries(Map.entry("autosave", "always"));`));
p(1, 'A.java', J(`void a() { ds.setProperty("autosave", "always"); }`));
p(1, 'A.java', J(`void a() { ds.setConnectionProperties("ssl=true;autosave=always"); }`));
p(1, 'A.java', J(`void a() { ds.setUrl("${PG}"); ds.setConnectionProperties("autosave=always"); }`));
p(1, 'A.java', J(`void a() { ds.addConnectionProperty("autosave", "always"); }`));
p(1, 'A.java', J(`void a() { s.put("hibernate.connection.autosave", "always"); }`));
p(
  1,
  'A.java',
  J(
    `@org.springframework.test.context.TestPropertySource(properties = "spring.datasource.url=${PG}?autosave=always") class B {}`,
  ),
);
p(
  1,
  'A.java',
  J(`void a() { r.add("spring.datasource.hikari.data-source-properties.autosave", () -> "always"); }`),
);
p(1, 'A.java', J(`String U = """\n    ${PG}?autosave=always\n    """;`));
p(1, 'A.kt', `val u = "${PG}?autosave=always"\n`);
p(1, 'A.kt', `fun f(h: String) = "jdbc:postgresql://\${h}/x?autosave=always"\n`);
p(1, 'A.kt', `fun f(p: Properties) { p["autosave"] = "always" }\n`);
p(1, 'A.kt', `val m = mapOf("autosave" to "always")\n`);
p(1, 'A.kt', `fun f(d: PGSimpleDataSource) { d.autosave = AutoSave.ALWAYS }\n`);
p(1, 'A.kt', `val d = PGSimpleDataSource().apply { autosave = AutoSave.ALWAYS }\n`);
p(1, 'A.kt', `val d = HikariConfig().apply { addDataSourceProperty("autosave", "always") }\n`);
p(0, 'A.kt', `fun f(e: Editor) { e.autosave = true }\n`);
p(1, 'A.kt', `val d = HikariConfig().apply { dataSourceProperties["autosave"] = "always" }\n`);
p(1, 'A.kt', `fun f() { Database.connect("${PG}?autosave=always") }\n`);
p(2, 'application.properties', `a=${PG}?autosave=always\nb=${PG}?autosave=conservative\n`);
// What other drivers and tools are told.
const S = (n: number, file: string, text: string) => probes.push({ n, file, text });
S(1, 'odbc.ini', `[a]\nDriver = PostgreSQL Unicode\nProtocol = 7.4-2\n`);
S(1, '.odbc.ini', `[a]\nDriver=/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so\nProtocol=-2\n`);
S(0, 'odbc.ini', `[a]\nDriver=/usr/lib/psqlodbcw.so\nProtocol=7.4-1\n`);
S(0, 'odbc.ini', `[a]\nDriver=/usr/lib/psqlodbcw.so\n;Protocol=7.4-2\n`);
S(0, 'db.py', `import pyodbc\nc = pyodbc.connect("Driver={PostgreSQL Unicode};Server=x", autocommit=True)\n`);
S(0, 'db.py', `import pyodbc\nc = pyodbc.connect("Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-1")\n`);
S(0, 'db.py', `import pyodbc\nc = pyodbc.connect("Driver={ODBC Driver 17 for SQL Server};Server=x")\n`);
S(1, 'Db.cs', `var c = new OdbcConnection("Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2");\n`);
S(1, 'web.config', `<add connectionString="Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"/>\n`);
S(1, 'app.php', `$c = odbc_connect("Driver={PostgreSQL Unicode};Server=x;A1=7.4-2", 'u', 'p');\n`);
S(1, '.psqlrc', `\\set ON_ERROR_ROLLBACK on\n`);
S(0, '.psqlrc', `\\set ON_ERROR_ROLLBACK interactive\n`);
S(1, 'run.sh', `psql -v ON_ERROR_ROLLBACK=on -f x.sql\n`);
S(1, 'run.sh', `psql --variable ON_ERROR_ROLLBACK=1 -f x.sql\n`);
S(1, 'run.sh', `psql --set=ON_ERROR_ROLLBACK=on -f x.sql\n`);
S(1, 'ci.yml', `run: psql -v ON_ERROR_ROLLBACK=on -f x.sql\n`);
S(1, 'x.sql', `\\set ON_ERROR_ROLLBACK on\nBEGIN;\nSELECT 1;\n`);
S(1, 'doctrine.yaml', `doctrine:\n  dbal:\n    use_savepoints: true\n`);
S(0, 'doctrine.yaml', `doctrine:\n  dbal:\n    use_savepoints: false\n`);
S(1, 'DB.pm', `auto_savepoint => 1`);
S(0, 'DB.pm', `# auto_savepoint => 1`);
S(1, 'DB.pm', `$schema->storage->auto_savepoint(1);`);
S(1, 'web.php', `'enableSavepoint' => true`);
S(0, 'web.php', `'enableSavepoint' => false`);
S(0, 'web.php', `// 'enableSavepoint' => true`);
S(1, 'A.cs', `ctx.Database.AutoSavepointsEnabled = true;`);
S(0, 'A.cs', `ctx.Database.AutoSavepointsEnabled = false;`);
S(1, 'c.php', `$conn->setNestTransactionsWithSavepoints(true);`);
S(1, 'c.php', `'useSavepoints' => true`);
S(1, 'c.php', `$connection->enableSavePoints();`);

test('each is seen, and no other', async () => {
  const wrong: string[] = [];
  for (const { n, file, text, key } of probes) {
    const entry = frontendFor(file);
    const said = text.toLowerCase();
    const isLoud =
      entry && (entry.needles.length === 0 || entry.needles.some((one) => said.includes(one.toLowerCase())));
    const unit = entry && isLoud ? await lower(file, text) : null;
    const found = (unit?.settings ?? []).filter((one) =>
      key ? one.key === key : /savepoint/.test(one.effect),
    );
    if (found.length !== n) wrong.push(`${file}: ${found.length} instead of ${n} in ${text}`);
    // The words that are underlined name it.
    for (const { at, key: name } of found)
      if (
        name === 'autosave' &&
        unit?.language === 'settings' &&
        !/autosave/i.test(text.slice(at.start, at.end))
      )
        wrong.push(`${file}: underlines ${text.slice(at.start, at.end)}`);
  }
  expect(wrong).toEqual([]);
});
