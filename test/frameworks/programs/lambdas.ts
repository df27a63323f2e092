// How a piece of a Java routine is handed to what runs it. The helpers are those of every program.
import { block, loose } from './java.ts';

export const helpers = (throws: string) => `package app;

import java.util.concurrent.Callable;
import java.util.function.Supplier;

public class Helpers {
  public static void twice(Work work) ${throws} {
    work.run();
    work.run();
  }

  public static void once(Work work) ${throws} {
    work.run();
  }

  public static void never(Work work) ${throws} {
  }

  public static void whole(Work work) ${throws} {
    part(() -> work.run());
  }

  public static void part(Work work) ${throws} {
    try {
      once(work);
    } finally {
      never(work);
    }
  }

  public static void each(int times, Work work) ${throws} {
    for (int k = 0; k < times; k++) {
      work.run();
    }
  }

  public static void all(Work... works) ${throws} {
    for (Work work : works) work.run();
  }

  public static Work around(Work work) {
    return () -> work.run();
  }

  public static <T> T result(${throws ? 'Callable' : 'Supplier'}<T> what) ${throws} {
    return what.${throws ? 'call' : 'get'}();
  }

  public static void tried(Work work) ${throws} {
    for (int attempt = 0; attempt < 3; attempt++) {
      try {
        work.run();
        return;
      } catch (IllegalStateException again) {
        if (attempt == 2) throw again;
      }
    }
  }
}
`;
export const workOf = (throws: string) => `package app;

@FunctionalInterface
public interface Work {
  void run() ${throws};

  default Work then(Work next) {
    return () -> {
      run();
      next.run();
    };
  }
}
`;

/** What is called `f`, so often as `calls` say, or `n` times. */
export function handed(
  throws: string,
  f: string,
  body: string[],
  n: number,
  calls: (line: string) => string[],
) {
  const lambda = (head: string, end = '};') => block(head, body, end);
  const kept = lambda(`Work ${f} = () ->`);
  const answers = loose(body)
    ? [...body, 'return 1;']
    : [...block('Helpers.once(() ->', body, '});'), 'return 1;'];
  return [
    () => [...kept, ...calls(`${f}.run();`)],
    () => lambda('Helpers.once(() ->', '});'),
    () => lambda('Helpers.twice(() ->', '});'),
    () => [...kept, `Helpers.once(${f});`],
    () => [...block(`Work ${f} = new Work()`, block(`public void run() ${throws}`, body), '};'), ...calls(`${f}.run();`)],
    () => [...kept, `for (int k = 0; k < ${n}; k++) ${f}.run();`],
    () => [...block(`${throws ? 'Callable' : 'Supplier'}<Integer> ${f} = () ->`, [...block('Helpers.once(() ->', body, '});'), 'return 1;'], '};'), ...calls(`${f}.${throws ? 'call' : 'get'}();`)],
    () => [...kept, `Helpers.once(${f}::run);`],
    () => [...kept, `Helpers.once(() -> ${f}.run());`],
    () => lambda('Helpers.whole(() ->', '});'),
    () => lambda('Helpers.whole(() -> Helpers.part(() ->', '}));'),
    () => lambda(`Helpers.each(${n}, () ->`, '});'),
    () => [...kept, `Helpers.each(${n}, () -> Helpers.whole(${f}));`],
    () => lambda('Helpers.all(() -> { }, () ->', '});'),
    () => [...kept, `Helpers.all(${n > 1 ? `${f}, () -> ${f}.run()` : f});`],
    () => lambda('Helpers.around(() ->', '}).run();'),
    () => [...kept, `Helpers.once(Helpers.around(${f}));`],
    () => block('Helpers.result(() ->', answers, '});'),
    () => [...block(`int of${f} = Helpers.result(() -> Helpers.result(() ->`, answers, '}));')],
    () => lambda('Helpers.tried(() ->', '});'),
    () => [...kept, `${f}.then(() -> { }).run();`],
    () => [...block(`class Of${f}`, block(`void go() ${throws}`, body)), ...calls(`new Of${f}().go();`)],
    () => [...block('Helpers.once(() ->', [...block(`class Of${f}`, block(`void go() ${throws}`, body)), ...calls(`new Of${f}().go();`)], '});')],
    () => lambda('Helpers.never(() ->', '});'),
    () => [...block(`Helpers.whole(new Work()`, block(`public void run() ${throws}`, body), '});')],
    () => [...kept, `List<Work> all${f} = List.<Work>of(${n > 1 ? `${f}, () -> ${f}.run()` : f});`, `for (Work each${f} : all${f}) each${f}.run();`],
  ]; // biome-ignore format: a table
}
