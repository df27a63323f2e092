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
p(
  0,
  'application.properties',
  `spring.datasource.hikari.data-source-properties.autosave=always\nspring.datasource.hikari.data-source-properties.autosave=never\n`,
);
p(
  1,
  'application.properties',
  `spring.datasource.hikari.data-source-properties.autosave=never\nspring.datasource.hikari.data-source-properties.autosave=always\n`,
);
p(
  1,
  'application.properties',
  `spring.datasource.hikari.data-source-properties.autosave=always\n#---\nspring.config.activate.on-profile=test\nspring.datasource.hikari.data-source-properties.autosave=never\n`,
);
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
p(1, 'application.properties', `spring.datasource.url=${PG}?autosave=\${AUTOSAVE:always}\n`);
p(0, 'application.properties', `spring.datasource.url=${PG}?autosave=\${AUTOSAVE:never}\n`);
p(0, 'application.properties', `spring.datasource.url=${PG}?autosave=\${AUTOSAVE}\n`);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    hikari:\n      data-source-properties:\n        autosave: "\${DB_AUTOSAVE:conservative}"\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      - DB_URL=${PG}?autosave=\${AUTOSAVE:-always}\n`,
);
p(0, 'editor.properties', `editor.autosave=always\n`);
p(1, 'application.yml', `shop:\n  db:\n    host: db\n    autosave: always\n`);
p(0, 'application.yml', `shop:\n  editor:\n    autosave: always\n`);
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
p(1, 'secret.yaml', `kind: Secret\ndata:\n  url: amRiYzpwb3N0Z3Jlc3FsOi8vZGIvc2hvcD9hdXRvc2F2ZT1hbHdheXM=\n`);
p(
  1,
  'secret.yaml',
  `kind: Secret\ndata:\n  url: "amRiYzpwb3N0Z3Jlc3FsOi8vZGIvc2hvcD9zc2w9dHJ1ZSZhdXRvc2F2ZT1jb25zZXJ2YXRpdmU="\n`,
);
p(0, 'secret.yaml', `kind: Secret\ndata:\n  url: amRiYzpwb3N0Z3Jlc3FsOi8vZGIvc2hvcA==\n`);
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
p(1, 'kafka-connect.json', `{"connection.url": "${PG}?autosave=always"}\n`);
p(1, 'register-postgres.json', `{"connection.url": "${PG}", "driver.autosave": "conservative"}\n`);
p(1, 'flyway.toml', `url = "${PG}?autosave=always"\n`);
p(1, 'flyway.conf', `flyway.url=${PG}?autosave=always\n`);
p(1, 'flyway.conf', `flyway.jdbcProperties.autosave=always\n`);
p(1, 'flyway.toml', `[environments.x]\njdbcProperties.autosave = "always"\n`);
p(1, 'liquibase.properties', `url: ${PG}?autosave=always\n`);
p(1, 'db.cfg', `jdbc_url=${PG}?autosave=always\n`);
p(1, 'logstash.conf', `jdbc_connection_string => "${PG}?autosave=always"\n`);
p(1, 'application.yml', `url: \${DB_URL:${PG}?autosave=always}\n`);
p(0, 'application.yml', `url: jdbc:tc:postgresql:15:///x?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:p6spy:postgresql://db/x?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:postgresql:shop?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:aws-wrapper:postgresql://x/y?autosave=always\n`);
p(1, 'application.yml', `url: jdbc:pgsql://x/y?autosave=always\n`);
p(0, 'application.yml', `url: r2dbc:postgresql://x/y?autosave=always\n`);
p(0, 'application.yml', `url: jdbc:postgresql://x/y?Autosave=always\n`);
p(1, 'xml.config.xml', `<connection url='${PG}?autosave=always'/>`);
p(1, 'pg_service.conf', `[x]\nautosave=always\nhost=y\n`);
// What a URL, a file or a tool says of it last, and in what letters.
p(0, 'application.properties', `spring.datasource.url=${PG}?autosave=always&autosave=never\n`);
p(1, 'application.properties', `spring.datasource.url=${PG}?autosave=never&autosave=always\n`);
p(0, 'application.properties', `db.url=${PG}?autosave=always\ndb.url=${PG}\n`);
p(1, 'application.properties', `db.url=${PG}\ndb.url=${PG}?autosave=always\n`);
p(1, 'application.properties', `a.url=${PG}?autosave=always\nb.url=${PG}\n`);
p(1, 'application.properties', `url=${PG}?autosave=%61lways\n`);
p(1, 'config.json', `{"url": "${PG}?ssl=true\\u0026autosave=always"}\n`);
p(1, 'config.json', `{"url": "${PG}?autosave\\u003dalways"}\n`);
// Whose key it is, what stands before it, around it and beside it tells.
p(0, 'config.json', `{"db": {"url": "${PG}"}, "editor": {"autosave": "always"}}\n`);
p(0, 'config.json', `{"db": {"url": "${PG}"}, "wiki": {"theme": "dark", "autosave": "always"}}\n`);
p(1, 'config.json', `{"editor": {"theme": "dark"}, "db": {"url": "${PG}", "autosave": "always"}}\n`);
p(1, 'config.json', `{"url": "${PG}", "autosave": "always"}\n`);
p(0, 'app.conf', `db { url = "${PG}" }\nwiki { autosave = always }\n`);
p(1, 'app.conf', `db { url = "${PG}"\n autosave = always }\nwiki { theme = dark }\n`);
p(0, 'app.toml', `[database]\nurl = "${PG}"\n[editor]\nautosave = "always"\n`);
p(1, 'app.toml', `[editor]\ntheme = "dark"\n[database]\nurl = "${PG}"\nautosave = "always"\n`);
p(0, 'application.properties', `spring.datasource.url=${PG}\nmyapp.drafts.autosave=always\n`);
p(0, 'cms.properties', `spring.datasource.url=${PG}\ncms.document.autosave=always\n`);
p(0, '.env', `DATABASE_URL=${PG}\nAUTOSAVE=always\n`);
p(0, '.env', `DATABASE_URL=${PG}\nDRAFT_AUTOSAVE=always\n`);
p(1, '.env', `DATABASE_URL=${PG}\nPG_AUTOSAVE=always\n`);
// A script speaks of it.
p(
  0,
  'lint.sh',
  `if grep -rn "autosave=always" src; then echo "${PG}?autosave=always is forbidden" >&2; exit 1; fi\n`,
);
p(0, 'lint.sh', `! git grep -q 'postgresql.*autosave=always'\n`);
p(0, 'fix.sh', `sed -i 's/${PG.replaceAll('/', '\\/')}?autosave=always/x/' a.properties\n`);
p(1, 'set.sh', `sed -i 's|@url@|${PG}?autosave=always|' a.properties\n`);
p(1, 'set.sh', `echo "url=${PG}?autosave=always" >> a.properties\n`);
p(1, 'set.sh', `echo "url=${PG}?autosave=always" | tee a.properties\n`);
p(1, 'set.sh', `{ echo "url=${PG}?autosave=always"; cat b; } > a.properties\n`);
// In code.
const J = (b: string, i = '') => `import java.sql.*;\nimport java.util.*;\n${i}\nclass A {\n  ${b}\n}\n`;
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
p(
  1,
  'A.java',
  J(`void a(Properties p) { p.setProperty("autosave", env.getOrDefault("AUTOSAVE", "always")); }`),
);
p(
  0,
  'A.java',
  J(`void a(Properties p) { p.setProperty("autosave", env.getOrDefault("AUTOSAVE", "never")); }`),
);
p(
  0,
  'A.java',
  J(`void a(Properties p) { p.setProperty("autosave", System.getProperty("always.autosave")); }`),
);
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
p(1, 'A.java', J(`String U = "jdbc:postgresql://h/x?autosave=" + AutoSave.ALWAYS.value();`));
p(0, 'A.java', J(`String U = "jdbc:postgresql://h/x?autosave=" + AutoSave.NEVER.value();`));
p(
  1,
  'A.java',
  J(`String U = String.format("jdbc:postgresql://h/x?autosave=%s", AutoSave.CONSERVATIVE.value());`),
);
p(1, 'A.java', J(`String U = "jdbc:postgresql://h/x?" + PGProperty.AUTOSAVE.getName() + "=always";`));
p(
  1,
  'A.java',
  J(`void a(Properties p) { String k = PGProperty.AUTOSAVE.getName(); p.put(k, AutoSave.ALWAYS.value()); }`),
);
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
p(1, 'A.kt', `const val M = "always"\nval u = "${PG}?autosave=$M"\n`);
p(0, 'A.kt', `const val M = "never"\nval u = "${PG}?autosave=$M"\n`);
p(1, 'A.kt', `class C(val u: String = "${PG}?autosave=always")\n`);
p(1, 'A.kt', `fun f(u: String = "${PG}?autosave=always") {}\n`);
p(1, 'A.kt', `enum class E(val u: String) { A("${PG}?autosave=always") }\n`);
p(1, 'A.kt', `class C { constructor() : super("${PG}?autosave=always") }\n`);
p(1, 'A.kt', `val u get() = "${PG}?autosave=always"\n`);
p(1, 'A.kt', `class C { var u: String = ""\n  set(v) { field = "${PG}?autosave=always" } }\n`);
p(1, 'a.main.kts', `connect("${PG}?autosave=always")\n`);
p(1, 'A.kt', `fun f(h: String) = "jdbc:postgresql://%s/x?autosave=%s".format(h, "always")\n`);
p(1, 'A.java', `enum E { A("${PG}?autosave=always"); E(String u) {} }`);
p(1, 'A.java', `class A { String u = "${PG}?autosave=always"; A() {} }`);
p(
  1,
  'A.java',
  `class A { String f(String h) { return "jdbc:postgresql://%s/x?autosave=%s".formatted(h, "always"); } }`,
);
p(
  0,
  'A.java',
  `class A { String f(String h) { return "jdbc:postgresql://%s/x?autosave=%s".formatted(h, "never"); } }`,
);
p(1, 'A.java', `class A { @Value("\${db.autosave:always}") String mode; }`);
p(0, 'A.java', `class A { @Value("\${db.autosave:never}") String mode; }`);
p(1, 'application-prod.properties', `db.autosave=always\n`);
p(0, 'application-prod.properties', `app.autosave=always\n`);
p(1, 'docker-compose.yml', `services:\n  a:\n    environment:\n      DB_AUTOSAVE: always\n`);
p(1, 'A.kt', `fun f(h: String) = "jdbc:postgresql://\${h}/x?autosave=always"\n`);
p(1, 'A.kt', `import java.sql.Connection\nfun f(p: Properties) { p["autosave"] = "always" }\n`);
p(1, 'A.kt', `import java.sql.Connection\nval m = mapOf("autosave" to "always")\n`);
p(1, 'A.kt', `fun f(d: PGSimpleDataSource) { d.autosave = AutoSave.ALWAYS }\n`);
p(1, 'A.kt', `val d = PGSimpleDataSource().apply { autosave = AutoSave.ALWAYS }\n`);
p(1, 'A.kt', `val d = HikariConfig().apply { addDataSourceProperty("autosave", "always") }\n`);
p(0, 'A.kt', `fun f(e: Editor) { e.autosave = true }\n`);
p(1, 'A.kt', `val d = HikariConfig().apply { dataSourceProperties["autosave"] = "always" }\n`);
p(1, 'A.kt', `fun f() { Database.connect("${PG}?autosave=always") }\n`);
p(2, 'application.properties', `a=${PG}?autosave=always\nb=${PG}?autosave=conservative\n`);
// Where deployments, templates and other containers have it; relaxed names, escapes, placeholders.
p(1, 'application-prod.yml', `spring.datasource.url: ${PG}?autosave=always\n`);
p(
  1,
  'application-prod.yaml',
  `spring:\n  datasource:\n    hikari:\n      data-source-properties:\n        - autosave=always\n`,
);
p(
  1,
  'bootstrap.yml',
  `spring:\n  datasource:\n    hikari:\n      dataSourceProperties:\n        autosave: ALWAYS # pgjdbc\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    url: jdbc:postgresql://\${DB_HOST:localhost}:\${DB_PORT:5432}/\${DB_NAME:shop}?\${DB_OPTS:autosave=always}\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    url: \${DB_URL:jdbc:postgresql://x/y}?\${DB_OPTS:autosave=always}\n`,
);
p(1, 'application.properties', `spring.datasource.url=jdbc:postgresql://x/y\${DB_OPTS:?autosave=always}\n`);
p(
  1,
  'application.properties',
  `db.opts=?ssl=true&autosave=always\nspring.datasource.url=jdbc:postgresql://x/y\${db.opts}\n`,
);
p(
  1,
  'application.properties',
  `spring.datasource.hikari.data-source-properties.autosave=\${AUTOSAVE:always}\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    hikari:\n      data-source-properties:\n        autosave: \${PG_AUTOSAVE:always}\n`,
);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    hikari:\n      data-source-properties: {ssl: true, "autosave": 'always'}\n`,
);
p(1, 'application.yml', `spring.datasource.hikari.data-source-properties[autosave]: always\n`);
p(1, 'application.properties', `spring.datasource.hikari.data-source-properties[autosave]=always\n`);
p(
  1,
  'application.properties',
  `spring.datasource.url=jdbc:postgresql://x/y\\\n    ?ssl=true\\\n    &autosave=always\n`,
);
p(1, 'application.properties', `spring.datasource.url=jdbc\\:postgresql\\://x/y?autosave\\=always\n`);
p(
  1,
  'application.yml',
  `spring:\n  datasource:\n    url: >\n      jdbc:postgresql://x/y?ssl=true\n      &autosave=always\n`,
);
p(1, 'application.yml', `url: "jdbc:postgresql://x/y?ssl=true\\\n  &autosave=always"\n`);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      SPRING_APPLICATION_JSON: '{"spring":{"datasource":{"hikari":{"data-source-properties":{"autosave":"always"}}}}}'\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    command: ["java", "-Dspring.datasource.hikari.data-source-properties.autosave=always", "-jar", "a.jar"]\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    command: --spring.datasource.hikari.data-source-properties.autosave=always\n`,
);
p(1, 'Dockerfile', `FROM x\nARG DB_URL="${PG}?autosave=always"\n`);
p(1, 'Dockerfile', `FROM x\nENV A=b \\\n    SPRING_DATASOURCE_URL=${PG}?autosave=always\n`);
p(1, 'Dockerfile', `ENTRYPOINT ["java","-Dspring.datasource.url=${PG}?autosave=always","-jar","a.jar"]\n`);
p(
  1,
  'shop.service',
  `[Service]\nEnvironment=SPRING_DATASOURCE_URL=${PG}?autosave=always\nExecStart=/usr/bin/java -jar a.jar\n`,
);
p(
  1,
  'shop.service',
  `[Service]\nEnvironment="SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE=always"\n`,
);
p(
  0,
  'shop.service',
  `[Service]\n# Environment="SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE=always"\n`,
);
p(1, 'setenv.sh', `export CATALINA_OPTS="$CATALINA_OPTS -Ddb.url=${PG}?autosave=always"\n`);
p(1, 'setenv.bat', `set DB_URL=${PG}?autosave=always\r\n`);
p(1, 'run.ps1', `$env:SPRING_DATASOURCE_URL = "${PG}?autosave=always"\n`);
p(1, 'env.sh', `export SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE=always\n`);
p(
  1,
  'main.tf',
  `environment = [\n  { name = "SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE", value = "always" },\n]\n`,
);
p(
  1,
  'main.tf',
  `environment {\n  variables = {\n    SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE = "always"\n  }\n}\n`,
);
p(1, 'main.tf', `  env {\n    name  = "DB_URL"\n    value = "${PG}?autosave=always"\n  }\n`);
p(1, 'main.tf', `  env {\n    name  = "HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE"\n    value = "always"\n  }\n`);
p(1, 'values.yaml', `postgresql:\n  jdbc:\n    properties:\n      autosave: always\n`);
p(
  1,
  'values.yaml',
  `env:\n  - name: SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE\n    # why\n    value: always\n`,
);
p(
  1,
  'template.yaml',
  `Environment:\n  - Name: SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE\n    Value: always\n`,
);
p(
  1,
  'task-definition.json',
  `{"containerDefinitions":[{"environment":[{"name":"SPRING_DATASOURCE_URL","value":"${PG}?autosave=always"}]}]}\n`,
);
p(
  1,
  'task-definition.json',
  `{"environment":[{"name":"SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE","value":"always"}]}\n`,
);
p(1, 'application.json', `{"spring":{"datasource":{"url":"${PG}?autosave=always"}}}\n`);
p(1, 'cloudformation.json', `{"DbUrl": "${PG}?autosave=always"}\n`);
p(1, 'deployment.yaml.j2', `- name: DB_URL\n  value: ${PG}?autosave=always\n`);
p(1, 'application.properties.j2', `spring.datasource.url=${PG}?autosave=always\n`);
p(1, 'application.yml.tmpl', `url: ${PG}?autosave=always\n`);
p(1, 'application.properties.example', `spring.datasource.url=${PG}?autosave=always\n`);
p(1, 'application.yml.dist', `url: ${PG}?autosave=always\n`);
p(1, 'config.yml.erb', `url: ${PG}?autosave=always\n`);
p(
  1,
  '_helpers.tpl',
  `{{- define "x" -}}\njdbc:postgresql://{{ .Values.h }}:5432/x?autosave=always\n{{- end }}\n`,
);
p(1, 'Jenkinsfile', `withEnv(["DB_URL=${PG}?autosave=always"]) { sh 'mvn verify' }\n`);
p(
  1,
  'config.yml',
  `database:\n  driverClass: org.postgresql.Driver\n  url: jdbc:postgresql://x/y\n  properties:\n    charSet: UTF-8\n    autosave: always\n`,
);
p(
  1,
  'application.yml',
  `datasources:\n  default:\n    dialect: POSTGRES\n    data-source-properties:\n      autosave: conservative\n`,
);
p(
  1,
  'application.toml',
  `[datasources.default]\nurl = "${PG}"\n[datasources.default.data-source-properties]\nautosave = "always"\n`,
);
p(
  1,
  'application.properties',
  `quarkus.datasource."orders".jdbc.additional-jdbc-properties.autosave=always\n`,
);
p(1, 'application.properties', `%prod.quarkus.datasource.jdbc.additional-jdbc-properties.autosave=always\n`);
p(
  1,
  'application.yml',
  `quarkus:\n  datasource:\n    jdbc:\n      additional-jdbc-properties:\n        autosave: always\n`,
);
p(
  1,
  'application.yml',
  `"%prod":\n  quarkus:\n    datasource:\n      jdbc:\n        additional-jdbc-properties: {autosave: always}\n`,
);
p(
  1,
  'application.conf',
  `db.default.url = "jdbc:postgresql://x/y?autosave=always"\ndb.default.url = \${?DB_URL}\n`,
);
p(
  1,
  'application.conf',
  `slick { db { url = "jdbc:postgresql://x/y"\n properties { autosave = always } } }\n`,
);
p(
  1,
  'reference.conf',
  `akka-persistence-jdbc.shared-databases.slick.db {\n  url = "jdbc:postgresql://x/y?reWriteBatchedInserts=true&autosave=conservative"\n}\n`,
);
p(1, 'application.conf', `hikari.dataSourceProperties = { "autosave" : "always" }\n`);
p(1, 'a.yml', `url: jdbc:postgresql://x/y?options=-c%20x%3Dy&autosave=always\n`);
p(1, 'a.yml', `url: jdbc:postgresql://x/y?autosave=Always\n`);
p(0, 'a.yml', `url: jdbc:postgresql://x/y?autosave=never&x=always\n`);
p(0, 'a.yml', `url: jdbc:postgresql://x/y?ApplicationName=autosave&x=always\n`);
p(0, 'a.yml', `url: jdbc:postgresql://x/y?ApplicationName=autosave=always\n`);
p(1, 'a.yml', `url: jdbc:postgresql://x:5432,y:5433/db?targetServerType=primary&autosave=conservative\n`);
p(
  1,
  'context.xml',
  `<Resource name="jdbc/x" type="javax.sql.DataSource" factory="org.apache.tomcat.jdbc.pool.DataSourceFactory" connectionProperties="[autosave=always;ssl=true]" url="jdbc:postgresql://x/y"/>\n`,
);
p(
  1,
  'glassfish-resources.xml',
  `<resources><jdbc-connection-pool datasource-classname="org.postgresql.ds.PGSimpleDataSource"><property name="autosave" value="always"/></jdbc-connection-pool></resources>\n`,
);
p(
  1,
  'payara-web.xml',
  `<data-source><url>jdbc:postgresql://x/y</url><property><name>autosave</name><value>always</value></property></data-source>\n`,
);
p(
  1,
  'web.xml',
  `<data-source><name>java:app/x</name><class-name>org.postgresql.ds.PGSimpleDataSource</class-name><property><name>autosave</name><value>always</value></property></data-source>\n`,
);
p(
  1,
  'standalone.xml',
  `<xa-datasource><xa-datasource-property name="Url">jdbc:postgresql://x/y?autosave=always</xa-datasource-property></xa-datasource>\n`,
);
p(
  1,
  'configure.cli',
  `data-source add --name=x --connection-url=jdbc:postgresql://x/y?autosave=always --driver-name=postgresql\n`,
);
p(
  1,
  'configure.cli',
  `/subsystem=datasources/data-source=x/connection-properties=autosave:add(value=always)\n`,
);
p(
  1,
  'jetty-env.xml',
  `<New class="org.postgresql.ds.PGSimpleDataSource"><Set name="autosave">ALWAYS</Set></New>\n`,
);
p(
  1,
  'jetty-env.xml',
  `<New class="com.zaxxer.hikari.HikariConfig"><Call name="addDataSourceProperty"><Arg>autosave</Arg><Arg>always</Arg></Call></New>\n`,
);
p(
  1,
  'beans.xml',
  `<bean class="org.apache.commons.dbcp2.BasicDataSource"><property name="connectionProperties" value="ssl=true;autosave=always"/><property name="url" value="jdbc:postgresql://x/y"/></bean>\n`,
);
p(
  1,
  'beans.xml',
  `<bean class="com.zaxxer.hikari.HikariConfig"><property name="dataSourceProperties"><value>\nautosave=always\n</value></property></bean>\n`,
);
p(1, 'log4j2.xml', `<ConnectionString>jdbc:postgresql://x/y?autosave=always</ConnectionString>`);
p(1, '.idea/dataSources.xml', `<jdbc-url>jdbc:postgresql://x/y?autosave=always</jdbc-url>\n`);
p(
  1,
  'build.gradle.kts',
  `jdbc { properties.add(Property().apply { key = "autosave"; value = "always" }) }\n url = "jdbc:postgresql://x/y"\n`,
);
p(
  1,
  'build.gradle.kts',
  `tasks.bootRun { environment("SPRING_DATASOURCE_HIKARI_DATA_SOURCE_PROPERTIES_AUTOSAVE", "always") }\n`,
);
p(1, 'gradle.properties', `dbUrl=jdbc:postgresql://x/y?autosave=always\n`);
p(1, 'db.yml', `production:\n  adapter: jdbcpostgresql\n  url: jdbc:postgresql://x/y?autosave=always\n`);
p(1, 'database.yml', `production:\n  adapter: postgresql\n  properties:\n    autosave: always\n`);
p(
  1,
  'A.scala',
  `val transactor = HikariConfig()\nconfig.addDataSourceProperty("autosave", "conservative")\n`,
);
p(0, 'values.yaml', `grafana:\n  autosave: always\ndatasource:\n  url: x\n`);
p(
  0,
  'application.yml',
  `spring:\n  datasource:\n    url: jdbc:postgresql://x/y\neditor:\n  autosave: always\n`,
);
p(0, 'settings.json', `{"files.autoSave": "always"}`);
p(
  0,
  'application.yml',
  `spring.datasource.url: jdbc:postgresql://x/y\ndocument:\n  autosave:\n    mode: always\n`,
);
p(0, 'config.yml', `jupyter:\n  autosave: conservative\n# postgres\n`);
p(0, 'A.java', `class A { void f(Prefs e) { e.put("editor.autosave", "always"); } }`);
p(0, 'A.java', `class A { /** jdbc:postgresql://x/y?autosave=always */ void f() {} }`);
p(0, 'A.java', `class A { void f() { log.info("use jdbc:postgresql://x/y?autosave=never"); } }`);
p(
  1,
  'A.java',
  `class A { @Value("\${spring.datasource.url:jdbc:postgresql://x/y?autosave=always}") String url; }`,
);
p(1, 'A.java', `class A { A(@Value("\${url:jdbc:postgresql://x/y?autosave=always}") String url) {} }`);
p(
  1,
  'A.java',
  `class A { @Bean DataSource ds(@Value("\${url:jdbc:postgresql://x/y?autosave=always}") String url) { return null; } }`,
);
p(
  1,
  'A.java',
  `@SpringBootTest(properties = {"spring.datasource.hikari.data-source-properties.autosave=always", "a=b"}) class A {}`,
);
p(
  1,
  'A.java',
  `class A { void f() { var b = new StringBuilder("jdbc:postgresql://"); b.append(host).append("/x?autosave=always"); } }`,
);
p(
  1,
  'A.java',
  `class A { void f() { UriComponentsBuilder.fromUriString("jdbc:postgresql://x/y").queryParam("autosave", "always"); } }`,
);
p(
  1,
  'A.java',
  `class A { void f() { String.join("&", "jdbc:postgresql://x/y?ssl=true", "autosave=always"); } }`,
);
p(
  1,
  'A.java',
  `import java.sql.Connection;\nclass A { void f() { container.withUrlParam("autosave", "always"); } }`,
);
p(
  1,
  'A.java',
  `class A { String f() { return "jdbc:postgresql://%s/%s?%s".formatted(h, d, "autosave=always"); } }`,
);
p(
  1,
  'A.java',
  `class A { void f(HikariConfig c) { c.getDataSourceProperties().setProperty("autosave", AutoSave.ALWAYS.value()); } }`,
);
p(
  1,
  'A.java',
  `class A { void f(HikariConfig c) { c.setDataSourceProperties(new Properties() {{ put("autosave", "always"); }}); } }`,
);
p(
  1,
  'A.java',
  `import java.sql.Connection;\nclass A { void f(Properties c) { c.computeIfAbsent("autosave", k -> "always"); } }`,
);
p(
  1,
  'A.java',
  `class A { void f(Properties c) { c.putIfAbsent(PGProperty.AUTOSAVE.getName(), AutoSave.CONSERVATIVE.value()); } }`,
);
p(
  1,
  'A.java',
  `class A { void f() { PGProperty.AUTOSAVE.set(props, AutoSave.ALWAYS.name().toLowerCase()); } }`,
);
p(
  1,
  'A.java',
  `class A { void f() { System.setProperty("spring.datasource.hikari.data-source-properties.autosave", "always"); } }`,
);
p(
  1,
  'A.java',
  `class A { void f(DataSourceBuilder b) { b.url("jdbc:postgresql://x/y?autosave=always").build(); } }`,
);
p(1, 'A.kt', `class A(@Value("\\\${u:jdbc:postgresql://x/y?autosave=always}") val url: String)\n`);
p(1, 'A.kt', `const val OPTS = "?autosave=always"\nval url = "jdbc:postgresql://x/y$OPTS"\n`);
p(
  1,
  'A.kt',
  `val c = hikariConfig { dataSourceProperties = Properties().apply { this["autosave"] = "always" } }\n`,
);
p(1, 'A.kt', `val c = HikariConfig().apply { dataSourceProperties += "autosave" to "always" }\n`);
p(
  1,
  'A.kt',
  `val url = buildString { append("jdbc:postgresql://"); append(host); append("/x?autosave=always") }\n`,
);
p(
  1,
  'A.kt',
  `import java.sql.Connection\nval c = mutableMapOf<String, String>().apply { set("autosave", "always") }\n`,
);
p(
  1,
  'A.kt',
  `import java.sql.Connection\nval props = Properties().also { it.setProperty("autosave", "always") }\n`,
);
p(1, 'A.kt', `import java.sql.Connection\nval props = propertiesOf("autosave" to "always")\n`);
p(
  1,
  'A.kt',
  `import org.postgresql.jdbc.AutoSave\nfun f(ds: BaseDataSource) { ds.setAutosave(AutoSave.valueOf("ALWAYS")) }\n`,
);
// What other drivers and tools are told.
// Of two pools the one that is set up just before.
p(
  0,
  'Pools.java',
  `class Pools { void make() { HikariConfig a = new HikariConfig(); a.setJdbcUrl("jdbc:mysql://db/stats"); a.addDataSourceProperty("autosave", "always"); HikariConfig b = new HikariConfig(); b.setJdbcUrl("${PG}"); } }\n`,
);
p(
  1,
  'Pools.java',
  `class Pools { void make() { HikariConfig a = new HikariConfig(); a.setJdbcUrl("jdbc:mysql://db/stats"); HikariConfig b = new HikariConfig(); b.setJdbcUrl("${PG}"); b.addDataSourceProperty("autosave", "always"); } }\n`,
);
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
// Connection strings of several lines, in programs with a front end of their own, dotfiles, templates.
S(1, '.odbc.ini', `[Data Sources]\npg=PostgreSQL\n[pg]\nDriver=PostgreSQL Unicode\nProtocol=7.4-2\n`);
S(1, 'odbc.ini', `[pg]\ndriver = PostgreSQL ANSI\nprotocol = 7.4-2\n`);
S(1, 'odbcinst.ini', `[PostgreSQL Unicode]\nDriver=/usr/lib/psqlodbcw.so\nProtocol=7.4-2\n`);
S(1, 'odbc.ini.j2', `[pg]\nDriver=PostgreSQL\nProtocol=7.4-2\n`);
S(1, 'shop.dsn', `[ODBC]\nDRIVER=PostgreSQL Unicode(x64)\nProtocol=7.4-2\nSERVER=x\n`);
S(0, 'shop.dsn', `[ODBC]\nDRIVER=PostgreSQL Unicode(x64)\nProtocol=7.4-1\nSERVER=x\n`);
S(0, 'odbc.ini', `[m]\nDriver=MySQL ODBC 8.0 Driver\nProtocol=7.4-2\n`);
S(0, 'odbc.ini', `[pg]\nDriver=PostgreSQL Unicode\n# Protocol=7.4-2\n`);
S(
  1,
  'db.py',
  `import pyodbc\nconn = pyodbc.connect("Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2")\n`,
);
S(
  1,
  'db.py',
  `import pyodbc\nCONN = (\n  "DRIVER={PostgreSQL Unicode};"\n  "SERVER=x;"\n  "PROTOCOL=7.4-2;"\n)\nconn = pyodbc.connect(CONN)\n`,
);
S(
  1,
  'db.py',
  `import pyodbc\nconn = pyodbc.connect(f"Driver={{PostgreSQL Unicode}};Server={h};Protocol=7.4-2")\n`,
);
S(
  0,
  'db.py',
  `import pyodbc\nconn = pyodbc.connect("Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2", autocommit=True)\n`,
);
S(
  1,
  'db.py',
  `import pyodbc\nconn = pyodbc.connect(driver="PostgreSQL Unicode", server="x", protocol="7.4-2")\n`,
);
S(
  0,
  'db.py',
  `import pyodbc\nconn = pyodbc.connect("Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-0")\n`,
);
S(
  1,
  'db.py',
  `import turbodbc\nconn = turbodbc.connect(connection_string="Driver={PostgreSQL};Server=x;Protocol=7.4-2;")\n`,
);
S(
  1,
  'Db.cs',
  `using System.Data.Odbc;\nclass A { const string C = @"Driver={PostgreSQL UNICODE};Server=x;Protocol=7.4-2;"; }\n`,
);
S(1, 'Db.cs', `var cs = "Driver={PostgreSQL Unicode};" +\n   "Server=x;" +\n   "Protocol=7.4-2;";\n`);
S(1, 'Db.vb', `Dim cs As String = "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`);
S(1, 'Module1.bas', `cs = "Driver={PostgreSQL Unicode};Server=x;Database=y;Uid=u;Pwd=p;Protocol=7.4-2;"\n`);
S(1, 'db.php', `<?php\n$dsn = 'odbc:Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2';\n`);
S(0, 'db.php', `<?php\n// $dsn = 'odbc:Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2';\n`);
S(
  1,
  'App.config',
  `<add name="pg" connectionString="Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2" providerName="System.Data.Odbc" />\n`,
);
S(1, '.env', `ODBC_DSN="Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`);
S(1, 'docker-compose.yml', `environment:\n  CONN: "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`);
S(
  1,
  'appsettings.Production.json',
  `{"ConnectionStrings":{"x":"Driver={PostgreSQL Unicode(x64)};Server=x;Protocol=7.4-2;"}}`,
);
S(1, 'x.pl', `my $dbh = DBI->connect("dbi:ODBC:Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2");\n`);
S(1, 'x.rb', `db = Sequel.odbc(drvconnect: "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2")\n`);
S(1, '.psqlrc', `\\set ON_ERROR_ROLLBACK 'on'\n`);
S(1, '.psqlrc', `\\set ON_ERROR_ROLLBACK 1\n`);
S(1, 'psqlrc', `\\set QUIET 1\n\\set ON_ERROR_ROLLBACK on\n`);
S(0, '.psqlrc', `\\set ON_ERROR_ROLLBACK off\n`);
S(0, '.psqlrc', `-- \\set ON_ERROR_ROLLBACK on\n`);
S(1, '.psqlrc-15', `\\set ON_ERROR_ROLLBACK on\n`);
S(1, 'dot_psqlrc', `\\set ON_ERROR_ROLLBACK on\n`);
S(1, 'psqlrc.symlink', `\\set ON_ERROR_ROLLBACK on\n`);
S(1, 'load.sh', `psql <<EOF\n\\set ON_ERROR_ROLLBACK on\nBEGIN;\nINSERT INTO a VALUES (1);\nCOMMIT;\nEOF\n`);
S(1, 'load.sh', `psql <<-'SQL'\n\t\\set ON_ERROR_ROLLBACK  on\n\tBEGIN;\nSQL\n`);
S(1, 'load.sh', `psql -X \\\n  -v ON_ERROR_STOP=1 \\\n  -v ON_ERROR_ROLLBACK=on \\\n  -f a.sql\n`);
S(0, 'load.sh', `psql -X \\\n  -v ON_ERROR_ROLLBACK=off \\\n  -f a.sql\n`);
S(0, 'load.sh', `psql -v ON_ERROR_ROLLBACK=interactive -f a.sql\n`);
S(1, 'load.sh', `PSQL_OPTS="--set=ON_ERROR_ROLLBACK=on"\n`);
S(1, 'load.sh', `psql -vON_ERROR_ROLLBACK=on -f a.sql\n`);
S(1, 'load.sh', `psql -v "ON_ERROR_ROLLBACK=on" -f a.sql\n`);
S(1, 'load.sh', `psql --set ON_ERROR_ROLLBACK=true -f a.sql\n`);
S(1, 'load.sh', `echo '\\set ON_ERROR_ROLLBACK on' >> ~/.psqlrc\n`);
S(0, 'load.sh', `echo "psql ON_ERROR_ROLLBACK is dangerous"\n`);
S(1, 'Dockerfile', `RUN echo '\\set ON_ERROR_ROLLBACK on' > /home/app/.psqlrc\n`);
S(1, 'ci.yml', `- run: |\n    psql -v ON_ERROR_ROLLBACK=on -1 -f a.sql\n`);
S(1, 'Jenkinsfile', `sh 'psql -v ON_ERROR_ROLLBACK=on -f a.sql'\n`);
S(1, 'package.json', `{"scripts":{"db:load":"psql -v ON_ERROR_ROLLBACK=on -f a.sql"}}`);
S(1, 'tasks.py', `subprocess.run(["psql", "-v", "ON_ERROR_ROLLBACK=on", "-f", "a.sql"])\n`);
S(1, 'tasks.py', `os.system("psql -v ON_ERROR_ROLLBACK=on -f a.sql")\n`);
S(1, 'Rakefile', `sh "psql -v ON_ERROR_ROLLBACK=on -f a.sql"\n`);
S(1, 'load.bat', `psql -v ON_ERROR_ROLLBACK=on -f a.sql\r\n`);
S(0, 'load.bat', `rem psql -v ON_ERROR_ROLLBACK=on -f a.sql\r\n`);
S(1, 'load.ps1', `Write-Log 'apply (psql, ON_ERROR_ROLLBACK=on)'\n& psql -v ON_ERROR_ROLLBACK=on -f a.sql\n`);
S(0, 'load.sh', `echo "with ON_ERROR_ROLLBACK=on"\n`);
S(1, 'load.sh', `echo "ON_ERROR_ROLLBACK=on" >> vars\n`);
S(0, 'load.sh', `echo "run psql -v ON_ERROR_ROLLBACK=on -f a.sql"\n`);
S(0, 'Makefile', `help:\n\t@echo 'psql --set ON_ERROR_ROLLBACK=on -f a.sql'\n`);
S(1, 'load.sh', `echo "$(psql -v ON_ERROR_ROLLBACK=on -f a.sql)"\n`);
S(1, 'load.sh', `echo "psql -v ON_ERROR_ROLLBACK=on -f a.sql" | sh\n`);
S(1, 'load.sh', `(\n  echo '\\set ON_ERROR_ROLLBACK on'\n  cat a.sql\n) | psql\n`);
S(
  0,
  'king.yml',
  `spring:\n  datasource:\n    url: jdbc:kingbase8://h/d?currentSchema=base&autosave=always\n`,
);
S(1, 'dd.yml', `spring:\n  datasource:\n    url: jdbc:datadog:postgresql://h/d?autosave=always\n`);
S(1, 'load.ps1', `& psql -v ON_ERROR_ROLLBACK=on -f a.sql\n`);
S(1, 'Makefile.am', `check:\n\tpsql -v ON_ERROR_ROLLBACK=on -f a.sql\n`);
S(1, 'load.service', `ExecStart=/usr/bin/psql -v ON_ERROR_ROLLBACK=on -f /a.sql\n`);
S(1, 'justfile', `load:\n  psql -v ON_ERROR_ROLLBACK=on -f a.sql\n`);
S(1, 'playbook.yml', `- lineinfile:\n    path: /home/app/.psqlrc\n    line: '\\set ON_ERROR_ROLLBACK on'\n`);
S(1, 'Schema.pm', `__PACKAGE__->connect($dsn, $u, $p, {}, { auto_savepoint => 1 });\n`);
S(1, 'shop.yml', `Model::DB:\n  connect_info:\n    dsn: dbi:Pg:dbname=shop\n    auto_savepoint: 1\n`);
S(
  1,
  'shop.conf',
  `<Model::DB>\n  <connect_info>\n    dsn dbi:Pg:dbname=x\n    auto_savepoint 1\n  </connect_info>\n</Model::DB>\n`,
);
S(1, 'Schema.pm', `connect_info => { 'auto_savepoint' => 1 }\n`);
S(1, 'Schema.pm', `connect_info => { auto_savepoint => !!1 }\n`);
S(0, 'Schema.pm', `connect_info => { auto_savepoint => 0 }\n`);
S(1, 'Schema.pm', `$schema->storage->auto_savepoint(1);\n`);
S(1, 'app.psgi', `connect($dsn, { auto_savepoint => 1 });\n`);
S(0, 'Schema.pm', `=head2 auto_savepoint\n\n  { auto_savepoint => 1 }\n\n=cut\n`);
S(0, 'A.cs', `context.Database.AutoSavepointsEnabled = false;`);
S(0, 'A.cs', `// context.Database.AutoSavepointsEnabled = true;`);
S(
  1,
  'doctrine.yaml',
  `doctrine:\n    dbal:\n        connections:\n            default:\n                use_savepoints: true\n`,
);
S(1, 'doctrine.yml', `doctrine:\n  dbal:\n    use_savepoints: yes\n`);
S(1, 'doctrine.yaml', `doctrine:\n  dbal: { use_savepoints: true }\n`);
S(0, 'doctrine.yaml', `doctrine:\n  dbal:\n    # use_savepoints: true\n`);
S(1, 'doctrine.php', `$dbal->connection('default')->useSavepoints(true);`);
S(1, 'doctrine.xml', `<doctrine:dbal use-savepoints="true"/>`);
S(1, 'doctrine.xml', `<doctrine:use-savepoints>true</doctrine:use-savepoints>`);
S(1, 'config.php', `'dbal' => ['use_savepoints' => true]`);
S(1, 'Conn.php', `$this->connection->setNestTransactionsWithSavepoints(TRUE);`);
S(0, 'Conn.php', `$this->connection->setNestTransactionsWithSavepoints(false);`);
S(1, 'db.php', `'components' => ['db' => ['class' => 'yii\\db\\Connection', 'enableSavepoint' => true]]`);
S(0, 'db.php', `'enableSavepoint' => false`);
S(1, 'app.php', `'Datasources' => ['default' => ['useSavePoints' => true]]`);
S(1, 'C.php', `$connection->enableSavePoints(true);`);
S(0, 'C.php', `$connection->enableSavePoints(false);`);
S(0, 'C.php', `$connection->disableSavePoints();`);

// What a profile of tests says is no setting of the program.
p(0, 'application.properties', `%test.quarkus.datasource.jdbc.url=${PG}?autosave=always\n`);
p(1, 'application.properties', `%prod.quarkus.datasource.jdbc.url=${PG}?autosave=always\n`);
p(
  0,
  'application.yml',
  `"%test":\n  quarkus:\n    datasource:\n      jdbc:\n        url: ${PG}?autosave=always\n`,
);
p(1, 'application.yml', `"%test":\n  a: b\n"%prod":\n  url: ${PG}?autosave=always\n`);
p(
  1,
  'application.yml',
  `url: ${PG}?autosave=always\n---\nspring:\n  config:\n    activate:\n      on-profile: test\n  url: ${PG}?autosave=always\n`,
);
p(0, 'application.yml', `a: b\n---\nspring:\n  profiles: test\nurl: ${PG}?autosave=always\n`);
p(1, 'application.yml', `a: b\n---\nspring:\n  profiles: prod\nurl: ${PG}?autosave=always\n`);
p(
  0,
  'application.properties',
  `a=b\n#---\nspring.config.activate.on-profile=test\nspring.datasource.url=${PG}?autosave=always\n`,
);
p(1, 'module.nix', `{ environment.DB_URL = "${PG}?autosave=always"; }\n`);

// In files of more names: any JSON, scripts without an ending, other deployments; what is somebody else's; odbc.ini as others write it.
p(1, 'db.json', `{"url": "${PG}?autosave=always"}\n`);
p(1, 'config/production.json', `{"db": {"jdbcUrl": "${PG}?autosave=always"}}\n`);
p(1, 'conf/shop-db.json', `{"dataSource": {"url": "${PG}", "properties": {"autosave": "always"}}}\n`);
p(1, 'nifi/flow.json', `{"Database Connection URL": "${PG}?autosave=always"}\n`);
p(1, 'main.tf.json', `{"locals": {"db_url": "${PG}?autosave=always"}}\n`);
p(1, 'config.json5', `{ url: "${PG}?autosave=always" }\n`);
p(1, 'db.jsonc', `{ // the database\n "url": "${PG}?autosave=always" }\n`);
p(1, 'params.dev.json', `{"parameters": {"jdbc": {"value": "${PG}?autosave=always"}}}\n`);
p(
  0,
  'application.yml',
  `spring:\n  datasource:\n    url: ${PG}\n    hikari:\n      data-source-properties:\n        autosave: never # not always\n`,
);
p(0, 'application.yml', `spring:\n  datasource:\n    url: ${PG}\nui:\n  properties:\n    autosave: always\n`);
p(
  0,
  'application.yml',
  `---\nspring:\n  profiles:\n    active: test\n---\nspring:\n  config:\n    activate:\n      on-profile:\n        - test\n  datasource:\n    url: ${PG}?autosave=always\n`,
);
p(
  0,
  'application.yml',
  `spring:\n  datasource:\n    url: jdbc:mariadb://x/y\n    hikari:\n      data-source-properties:\n        autosave: always\n`,
);
p(
  0,
  'application.yml',
  `spring:\n  datasource:\n    url: jdbc:mysql://x/y\n    hikari:\n      data-source-properties:\n        autosave: always\n`,
);
p(
  1,
  'spring.xml',
  `<beans><bean id="ds" class="com.zaxxer.hikari.HikariDataSource"><property name="dataSourceProperties"><map><entry><key><value>autosave</value></key><value>always</value></entry></map></property></bean></beans>\n`,
);
p(
  1,
  'docker-compose.yml',
  `services:\n  a:\n    environment:\n      - QUARKUS_DATASOURCE_JDBC_ADDITIONAL_JDBC_PROPERTIES__AUTOSAVE_=always\n`,
);
p(
  1,
  'docker-compose.override.yml',
  `services:\n  a:\n    environment:\n      KC_DB_URL_PROPERTIES: "?autosave=always"\n`,
);
p(1, 'entrypoint', `#!/bin/sh\nexport DB_URL="${PG}?autosave=always"\n`);
p(
  1,
  'bin/start',
  `#!/usr/bin/env bash\nexec java -Dspring.datasource.url="${PG}?autosave=always" -jar x.jar\n`,
);
p(1, '.mvn/jvm.config', `-Ddb.url=${PG}?autosave=always\n`);
p(
  1,
  'db.ktr',
  `<transformation><connection><attributes><attribute><code>EXTRA_OPTION_POSTGRESQL.autosave</code><attribute>always</attribute></attribute></attributes></connection></transformation>`,
);
p(1, 'main.bicep', `var url = 'jdbc:postgresql://\${h}/x?autosave=always'\n`);
p(1, 'deploy.jsonnet', `{ env: { DB_URL: "${PG}?autosave=always" } }\n`);
p(1, 'job.nomad', `env { DB_URL = "${PG}?autosave=always" }\n`);
p(1, 'job.hcl', `env { DB_URL = "${PG}?autosave=always" }\n`);
p(
  1,
  'application.yml',
  `---\nspring:\n  config:\n    activate:\n      on-profile:\n        - prod\n        - test\n  datasource:\n    url: ${PG}?autosave=always\n`,
);
p(
  1,
  'A.java',
  `package a;\nimport java.util.*;\n\nclass A {\n  void u() { new AgroalPropertiesReader(); f.jdbcProperty("autosave", "always"); }\n}\n`,
);
p(
  0,
  'A.java',
  `package a;\nimport java.util.*;\n\nclass A {\n  @OneToMany(cascade = ALL) List<X> x; boolean autosave = true; void s() { form.setAutosave(Mode.ALWAYS); }\n}\n`,
);
p(
  1,
  'A.java',
  `package a;\nimport java.util.*;\n\nclass A {\n  void u() { Dataset<Row> d = spark.read().format("jdbc").option("url", "${PG}").option("autosave", "always").load(); }\n}\n`,
);
p(0, 'A.kt', `class Draft { var autosave = AutosaveMode.ALWAYS }\n`);
p(1, 'build.gradle.kts', `flyway { url = "${PG}"; jdbcProperties = mapOf("autosave" to "always") }\n`);
p(
  1,
  'pom.xml',
  `<plugin><configuration><url>${PG}</url><driverProperties><autosave>always</autosave></driverProperties></configuration></plugin>\n`,
);
p(1, 'load.py', `df.write.format("jdbc").options(url="${PG}", autosave="always").save()\n`);
p(0, 'load.py', `"""Use jdbc:postgresql://x/y?autosave=always"""\nx = 1\n`);
p(1, 'load.R', `con <- dbConnect(JDBC("org.postgresql.Driver"), "${PG}?autosave=always")\n`);
S(
  1,
  'db.R',
  `con <- dbConnect(odbc::odbc(), Driver = "PostgreSQL Unicode", Server = "x", Protocol = "7.4-2")\n`,
);
S(
  1,
  'db.R',
  `con <- dbConnect(odbc(),\n  driver = "PostgreSQL ODBC Driver(UNICODE)",\n  server = "x",\n  protocol = "7.4-2")\n`,
);
S(1, 'Db.cs', `var c = $"Driver={{PostgreSQL Unicode}};Server={host};Protocol=7.4-2";\n`);
S(0, 'Db.vb', `' cs = "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`);
S(
  0,
  'Module1.bas',
  `' cs = "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\nRem cs = "Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`,
);
S(1, 'db.py', `import pyodbc\nc = pyodbc.connect(DRIVER="{PostgreSQL Unicode}", SERVER="x")\n`);
S(
  1,
  'db.py',
  `import pyodbc\nDRIVER = "PostgreSQL Unicode"\nc = pyodbc.connect("DRIVER={" + DRIVER + "};SERVER=x")\n`,
);
S(1, 'db.py', `import pyodbc\nc = pyodbc.connect("DRIVER=/usr/lib/psqlodbcw.so;SERVER=x")\n`);
S(1, 'Dockerfile', `RUN printf '[shop]\\nDriver=PostgreSQL Unicode\\nProtocol=7.4-2\\n' > /etc/odbc.ini\n`);
S(
  1,
  'setup.sh',
  `cat > /etc/odbc.ini <<EOF\n[shop]\nDriver=PostgreSQL Unicode\nServername=x\nProtocol=7.4-2\nEOF\n`,
);
S(
  1,
  'playbook.yml',
  `- copy:\n    dest: /etc/odbc.ini\n    content: |\n      [shop]\n      Driver = PostgreSQL Unicode\n      Protocol = 7.4-2\n`,
);
S(
  1,
  'x.udl',
  `[oledb]\nProvider=MSDASQL.1;Extended Properties="Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"\n`,
);
S(1, 'x.dtsx', `<c ConnectionString="Driver={PostgreSQL Unicode};Server=x;Protocol=7.4-2"/>\n`);
S(1, 'Vagrantfile', `config.vm.provision "shell", inline: "psql -v ON_ERROR_ROLLBACK=on -f x"\n`);
S(1, 'Earthfile', `RUN psql -v ON_ERROR_ROLLBACK=on -f x\n`);
S(1, 'bin/load', `#!/bin/bash\npsql -v ON_ERROR_ROLLBACK=on -f x\n`);
S(1, '.zshrc', `alias p='psql -v ON_ERROR_ROLLBACK=on'\n`);
S(1, 'flake.nix', `{ shellHook = ''psql -v ON_ERROR_ROLLBACK=on''; }\n`);
S(1, 'load.sh', `psql -v ON_ERROR_ROLLBACK= -f x.sql\n`);
p(0, 'Doc.java', `class Doc { enum AutoSave { ALWAYS } void f() { setAutosave(AutoSave.ALWAYS); } }\n`);
p(
  0,
  'Doc.java',
  `class Doc { void f(Properties p) { p.setProperty("theme", "dark"); p.setProperty("autosave", "always"); } }\n`,
);
p(
  1,
  'Doc.java',
  `class Doc { void f(Properties p) { p.setProperty("user", "shop"); p.setProperty("autosave", "always"); } }\n`,
);
p(0, 'Doc.kt', `val preferences = mapOf("theme" to "dark", "autosave" to "always")\n`);
p(1, 'Doc.kt', `val jdbc = mapOf("autosave" to "always")\n`);
// Documents of any name, and what Windows is told.
p(1, 'connectors/orders.json', `{"config": {"connection.url": "${PG}?autosave=always"}}\n`);
p(1, 'cdk.json', `{"context": {"jdbcUrl": "${PG}?autosave=always"}}\n`);
p(1, 'a.json5', `{ url: '${PG}?autosave=always' }\n`);
p(
  1,
  'sink.sql',
  `CREATE TABLE sink (id BIGINT) WITH (\n 'connector' = 'jdbc',\n 'url' = '${PG}?autosave=always'\n);\n`,
);
p(
  1,
  'read.sql',
  `CREATE TABLE shop USING org.apache.spark.sql.jdbc OPTIONS (url "x", dbtable 'y', url '${PG}?autosave=always');\n`,
);
p(0, 'sink.sql', `-- 'url' = '${PG}?autosave=always'\nINSERT INTO help VALUES ('${PG}?autosave=always');\n`);
S(1, 'shop.dsn', `[ODBC]\nDRIVER=PostgreSQL Unicode\nPROTOCOL=7.4-2\n`);
S(
  1,
  'dsn.reg',
  `Windows Registry Editor Version 5.00\n\n[HKEY_LOCAL_MACHINE\\SOFTWARE\\ODBC\\ODBC.INI\\shop]\n"Driver"="C:\\\\psqlodbc35w.dll"\n"Protocol"="7.4-2"\n`,
);
S(
  0,
  'dsn.reg',
  `[HKEY_LOCAL_MACHINE\\SOFTWARE\\ODBC\\ODBC.INI\\shop]\n"Driver"="C:\\\\psqlodbc35w.dll"\n"Protocol"="7.4-1"\n`,
);
S(
  0,
  'dsn.reg',
  `[HKEY_LOCAL_MACHINE\\SOFTWARE\\ODBC\\ODBC.INI\\shop]\n"Driver"="C:\\\\SQL Server.dll"\n"Protocol"="7.4-2"\n`,
);
S(1, 'odbc.ini.j2', `[shop]\nDriver=PostgreSQL\nProtocol={{ protocol | default("7.4-2") }}\n`);
S(0, 'odbc.ini.j2', `[shop]\nDriver=PostgreSQL\nProtocol={{ protocol | default("7.4-1") }}\n`);
S(
  1,
  'db.py',
  `import pyodbc\ne = create_engine("postgresql+pyodbc:///?odbc_connect=Driver%3DPostgreSQL%3BProtocol%3D7.4-2")\n`,
);
S(
  0,
  'db.py',
  `import pyodbc\ne = create_engine("mssql+pyodbc:///?odbc_connect=Driver%3DODBC+Driver+18%3BProtocol%3D7.4-2")\n`,
);
// Where nothing is handed to it somebody types; what is shown, asked for or taken away is none.
S(0, 'console.sh', `exec psql -v ON_ERROR_ROLLBACK=on "$DATABASE_URL"\n`);
S(0, 'console.sh', `docker compose exec -it db psql -U shop \\\n  -v ON_ERROR_ROLLBACK=on shop\n`);
S(0, 'Makefile', `console:\n\t@psql -v ON_ERROR_ROLLBACK=on $(DB)\n`);
S(1, 'load.sh', `exec psql -v ON_ERROR_ROLLBACK=on "$URL" "$@"\n`);
S(1, 'load.sh', `psql -v ON_ERROR_ROLLBACK=on shop < load.sql\n`);
S(1, 'load.sh', `psql -v ON_ERROR_ROLLBACK=on \\\n  shop \\\n  -qf load.sql\n`);
S(1, 'load.sh', `cat load.sql | psql -v ON_ERROR_ROLLBACK=on shop\n`);
S(1, 'load.sh', `psql -v ON_ERROR_ROLLBACK=on shop <<SQL\nBEGIN;\nSQL\n`);
S(1, 'load.sh', `PSQL="psql -v ON_ERROR_ROLLBACK=on"\n$PSQL -f load.sql\n`);
S(1, 'load.sh', `psql -v ON_ERROR_ROLLBACK=on $PSQL_OPTS shop\n`);
S(0, 'fix.sh', `sed -i '/\\\\set ON_ERROR_ROLLBACK on/d' ~/.psqlrc\n`);
S(0, 'fix.sh', `grep -q 'ON_ERROR_ROLLBACK=on' load.sh && exit 1\n`);
S(1, 'fix.sh', `sed -i '/^QUIET/a \\\\set ON_ERROR_ROLLBACK on' ~/.psqlrc\n`);
S(1, 'fix.sh', `sed -i 's/^x$/\\\\set ON_ERROR_ROLLBACK on/' ~/.psqlrc\n`);
S(0, 'x.sh', `usage() {\ncat <<EOF\nusage: psql -v ON_ERROR_ROLLBACK=on -f FILE\nEOF\n}\n`);
S(1, 'x.sh', `cat > load.sh <<EOF\npsql -v ON_ERROR_ROLLBACK=on -f FILE\nEOF\n`);
S(1, 'x.sh', `{\ncat <<EOF\n\\set ON_ERROR_ROLLBACK on\nEOF\n} | psql -1\n`);
S(0, 'a.py', `def check(url):\n    raise ValueError("psql -v ON_ERROR_ROLLBACK=on is not allowed")\n`);
p(
  0,
  'a.py',
  `def check(url):\n    raise ValueError(\n        "${PG}?autosave=always is not allowed"\n    )\n`,
);
p(0, 'a.rb', `raise ArgumentError, "${PG}?autosave=always is not allowed"\n`);
p(0, 'a.py', `log.warning("not ${PG}?autosave=always")\n`);
p(1, 'a.py', `connect(\n    "${PG}?autosave=always"\n)\n`);

test.each([
  ['src/main/resources/application-test.properties', 'test'],
  ['.env.test', 'test'],
  ['.github/workflows/build.yml', 'test'],
  ['.env.dist', 'example'],
  ['.env.template', 'example'],
  ['application.properties.dist', 'example'],
  ['example.env', 'example'],
  ['deploy/application.properties.j2', 'product'],
  ['docker-compose.ci.yml', 'test'],
  ['db/sqltest/.env', 'test'],
  ['integration-test/.env', 'test'],
  ['latest/.env', 'product'],
  ['src/main/resources/application-prod.properties', 'product'],
  ['latest.properties', 'product'],
  ['.env', 'product'],
])('%s is of the %s', async (file, role) => {
  expect((await lower(file, `DB_URL=${PG}?autosave=always\n`))?.role).toBe(role);
});

test('a job that deploys is no test', async () => {
  const roles = async (file: string, text: string) =>
    (await lower(file, text))?.settings
      .filter(({ of }) => of === 'psql')
      .map(({ role = 'of the file' }) => role);
  const load = 'psql -v ON_ERROR_ROLLBACK=on -f a.sql';
  const onGithub = (named: string) =>
    `jobs:\n  test:\n    steps:\n      - run: ${load}\n  ship:\n    environment: ${named}\n    steps:\n      - run: ${load}\n`;
  expect(await roles('.github/workflows/a.yml', onGithub('production'))).toEqual(['of the file', 'product']);
  expect(await roles('.github/workflows/a.yml', onGithub('testing'))).toEqual(['of the file', 'of the file']);
  const onGitlab = `stages: [test, deploy]\ntest:\n  script:\n    - ${load}\ndeploy:prod:\n  stage: deploy\n  script:\n    - ${load}\n`;
  expect(await roles('.gitlab-ci.yml', onGitlab)).toEqual(['of the file', 'product']);
  expect((await lower('.gitlab-ci.yml', onGitlab))?.role).toBe('test');
});

test('each is seen, and no other', async () => {
  const wrong: string[] = [];
  for (const { n, file, text, key } of probes) {
    const entry = frontendFor(file);
    const said = text.toLowerCase();
    const isLoud =
      entry && (entry.needles.length === 0 || entry.needles.some((one) => said.includes(one.toLowerCase())));
    const unit = entry && isLoud ? await lower(file, text) : null;
    const found = (unit?.settings ?? []).filter((one) =>
      key ? one.key === key && !/^is said/.test(one.effect) : /savepoint/.test(one.effect),
    );
    if (found.length !== n) wrong.push(`${file}: ${found.length} instead of ${n} in ${text}`);
    // The words that are underlined name it.
    for (const { at, key: name } of found)
      if (
        name === 'autosave' &&
        unit?.language === 'settings' &&
        // In Base64 nobody can say where.
        !/autosave|^amRiYzpw/i.test(text.slice(at.start, at.end))
      )
        wrong.push(`${file}: underlines ${text.slice(at.start, at.end)}`);
  }
  expect(wrong).toEqual([]);
});
