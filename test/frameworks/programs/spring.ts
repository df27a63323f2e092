// How programs with Spring's templates and annotations are written: beans whose methods a proxy surrounds.
import { block, type Dialect, type Named } from './java.ts';
import { pick } from './spelling.ts';

const around = (head: string) => (body: string[], name: Named) =>
  block(`${head}(${name('status')} ->`, body, '});');
const PACKAGES = 'org.springframework';
const IMPORTS = [
  'context.annotation.AnnotationConfigApplicationContext', 'jdbc.core.JdbcTemplate', 'jdbc.core.simple.JdbcClient', 'dao.DataAccessException',
  'dao.DuplicateKeyException', 'stereotype.Component', 'transaction.PlatformTransactionManager', 'transaction.TransactionDefinition', 'transaction.TransactionStatus',
  'transaction.annotation.Propagation', 'transaction.annotation.Transactional', 'transaction.support.DefaultTransactionDefinition', 'transaction.support.TransactionCallback', 'transaction.support.TransactionCallbackWithoutResult', 'transaction.support.TransactionTemplate',
].map((name) => `${PACKAGES}.${name}`); // biome-ignore format: one list

const CONFIG = `package app;

import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
public class Config {
  @Bean
  public PlatformTransactionManager manager(DataSource source) {
    return new DataSourceTransactionManager(source);
  }

  @Bean
  public JdbcTemplate jdbc(DataSource source) {
    return new JdbcTemplate(source);
  }

  @Bean
  public JdbcClient client(DataSource source) {
    return JdbcClient.create(source);
  }
}
`;
const START = `package app;

import java.util.Map;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

public class Start {
  public static void start(DataSource source) throws Exception {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(DataSource.class, () -> source);
      context.register(Config.class, Guarded.class, Run.class);
      for (String name : new String[] {"OfF0", "OfF1", "OfF2", "OfF3"})
        try {
          context.register(Class.forName("app." + name));
        } catch (ClassNotFoundException absent) {
          break;
        }
      context.refresh();
      context.getBean(Run.class).run();
    }
  }
}
`;
const field = (name: string) => name[0]!.toLowerCase() + name.slice(1);
/** What a caller hands over runs in it. */
const GUARDED = `package app;

import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

@Component
public class Guarded {
  private final TransactionTemplate nested;
  private final TransactionTemplate required;
  private final TransactionTemplate separate;

  public Guarded(PlatformTransactionManager manager) {
    this.nested = new TransactionTemplate(manager);
    this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    this.required = new TransactionTemplate(manager);
    this.separate = new TransactionTemplate(manager);
    this.separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  public void inNested(Work work) {
    nested.executeWithoutResult(status -> work.run());
  }

  public void inRequired(Work work) {
    required.executeWithoutResult(status -> {
      work.run();
    });
  }

  public void separately(Work work) {
    separate.executeWithoutResult(status -> Helpers.once(work));
  }

  public <T> T answered(Supplier<T> what) {
    return nested.execute(status -> what.get());
  }

  @Transactional(propagation = Propagation.NESTED)
  public void nested(Work work) {
    work.run();
  }

  @Transactional
  public void required(Work work) {
    Helpers.once(work);
  }

  public void whole(Work work) {
    nested(() -> required(work));
  }
}
`;
const COMPOSED = `package app;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Transactional(propagation = Propagation.NESTED)
public @interface TransactionalPart {
}
`;
const READ = 'jdbc.queryForList("SELECT n FROM item");';

export const spring: Dialect = {
  imports: IMPORTS,
  files: {
    'app/Config.java': CONFIG,
    'app/Start.java': START,
    'app/Guarded.java': GUARDED,
    'app/TransactionalPart.java': COMPOSED,
  },
  read: READ,
  count: 'jdbc.queryForObject("SELECT count(*) FROM item", Integer.class)',
  write(how, fires, rows, name) {
    const table = fires ? 'fired' : 'item';
    const insert = `"INSERT INTO ${table} (n) VALUES (?)"`;
    const change = `"UPDATE ${table} SET n = n + 1 WHERE id = 1"`;
    const k = name('k');
    const many = [
      [`for (int ${k} = 0; ${k} < ${rows}; ${k}++) jdbc.update(${insert}, ${k});`],
      [`jdbc.update("INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})");`],
      [
        `jdbc.batchUpdate(${insert}, IntStream.range(0, ${rows}).mapToObj(${k} -> new Object[] {${k}}).toList());`,
      ],
      [`IntStream.range(0, ${rows}).forEach(${k} -> client.sql(${insert}).param(${k}).update());`],
    ];
    const one = [
      [`jdbc.update(${insert}, 1);`],
      [`jdbc.update(${change});`],
      [`jdbc.execute(${change});`],
      [`client.sql(${insert}).param(1).update();`],
      [`jdbc.queryForList("SELECT n FROM ${table} WHERE id = 1 FOR UPDATE");`, `jdbc.update(${change});`],
      [`jdbc.queryForObject("INSERT INTO ${table} (n) VALUES (1) RETURNING id", Long.class);`],
      [`client.sql(${change}).update();`],
    ];
    return pick(rows > 1 ? many : one, how);
  },
  find(how, hits) {
    const named = hits ? '"known"' : 'UUID.randomUUID().toString()';
    const insert = `jdbc.update("INSERT INTO tag (name) VALUES (?)", ${named});`;
    const change = `jdbc.update("UPDATE tag SET n = 2 WHERE name = 'known'");`;
    const tried = block('try', block('nested.executeWithoutResult(tagging ->', [insert], '});'));
    return pick(
      [
        [...tried, ...block('catch (DuplicateKeyException known)', [])],
        [...tried, ...block('catch (DataAccessException known)', [change])],
        [`jdbc.update("INSERT INTO tag (name) VALUES (?) ON CONFLICT DO NOTHING", ${named});`],
      ],
      how,
    );
  },
  scopes: [
    around('nested.executeWithoutResult'),
    around('required.executeWithoutResult'),
    (body, name) => block(`nested.execute(${name('status')} ->`, [...body, 'return null;'], '});'),
    (body, name) => {
      const own = name('template');
      return [
        `TransactionTemplate ${own} = new TransactionTemplate(manager);`,
        `${own}.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);`,
        ...around(`${own}.executeWithoutResult`)(body, name),
      ];
    },
    around('required.executeWithoutResult'),
    (body, name) => {
      const own = name('status');
      return [
        `TransactionStatus ${own} = manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));`,
        ...body,
        `manager.commit(${own});`,
      ];
    },
    (body, name) => block(`required.execute(${name('status')} ->`, [...body, 'return 1;'], '});'),
    (body, name) => {
      const own = name('status');
      return [
        `TransactionStatus ${own} = manager.getTransaction(new DefaultTransactionDefinition());`,
        ...block('try', [...body, `manager.commit(${own});`]),
        ...block(`catch (RuntimeException of${own})`, [`manager.rollback(${own});`, `throw of${own};`]),
      ];
    },
    around('separate.executeWithoutResult'),
    (body, name) => {
      const own = name('status');
      return block(`nested.executeWithoutResult(${own} ->`, [...body, `${own}.setRollbackOnly();`], '});');
    },
    (body) => block('guarded.inNested(() ->', body, '});'),
    (body) => block('guarded.inRequired(() ->', body, '});'),
    (body) => block('guarded.inNested(() -> guarded.inRequired(() ->', body, '}));'),
    (body) => block('Helpers.whole(() -> guarded.inNested(() ->', body, '}));'),
    (body) => block('guarded.answered(() ->', [...body, 'return 1;'], '});'),
    (body, name) => {
      const own = name('definition');
      return [
        `DefaultTransactionDefinition ${own} = new DefaultTransactionDefinition();`,
        `${own}.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);`,
        ...around(`new TransactionTemplate(manager, ${own}).executeWithoutResult`)(body, name),
      ];
    },
    (body, name) =>
      block(
        'nested.execute(new TransactionCallbackWithoutResult()',
        block(`protected void doInTransactionWithoutResult(TransactionStatus ${name('status')})`, body),
        '});',
      ),
    (body, name) =>
      block(
        `nested.execute((TransactionCallback<Integer>) ${name('status')} -> guarded.answered(() ->`,
        [...body, 'return 2;'],
        '}));',
      ),
    (body) => block('guarded.separately(() ->', body, '});'),
    (body) => block('guarded.nested(() ->', body, '});'),
    (body) => block('guarded.required(() ->', body, '});'),
    (body) => block('guarded.whole(() ->', body, '});'),
  ],
  savepoint(how, name) {
    if (how % 2)
      return {
        open: [`jdbc.execute("SAVEPOINT ${name}");`],
        release: `jdbc.execute("RELEASE SAVEPOINT ${name}");`,
        back: `jdbc.execute("ROLLBACK TO SAVEPOINT ${name}");`,
      };
    const open = `TransactionStatus ${name} = manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));`;
    const back = `manager.rollback(${name});`;
    const release = `manager.commit(${name});`;
    // Where a wrapper that calls itself has begun none, a whole transaction would stay.
    return { open: [open], release, back, both: [back], nothing: [release] };
  },
  throws: '',
  failure: 'jdbc.update("INSERT INTO item (id) VALUES (1)");',
  annotations: [
    '@Transactional(propagation = Propagation.NESTED)',
    '@Transactional',
    '@Transactional(propagation = Propagation.REQUIRED)',
    '@Transactional(propagation = Propagation.NESTED, rollbackFor = Exception.class)',
    '@Transactional(propagation = Propagation.REQUIRES_NEW)',
    '@TransactionalPart',
    '@Transactional(propagation = Propagation.SUPPORTS)',
  ],
  inClass(name, members, others) {
    const templates = ['nested', 'required', 'separate'];
    const given = [
      'JdbcTemplate jdbc',
      'JdbcClient client',
      'PlatformTransactionManager manager',
      'Guarded guarded',
      ...others.map((one) => `${one} ${field(one)}`),
    ];
    return [
      '@Component',
      ...block(`public class ${name}`, [
        ...given.map((one) => `private final ${one};`),
        ...templates.map((one) => `private final TransactionTemplate ${one};`),
        '',
        ...block(`public ${name}(${given.join(', ')})`, [
          ...given.map((one) => one.split(' ')[1]).map((one) => `this.${one} = ${one};`),
          ...templates.map((one) => `this.${one} = new TransactionTemplate(manager);`),
          'this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);',
          'this.separate.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);',
        ]),
        '',
        ...members,
      ]),
    ];
  },
  object: (name) => field(name),
  run(body, how) {
    const method = block('public void run()', body);
    return how % 3 === 0 ? ['@Transactional', ...method] : method;
  },
};
