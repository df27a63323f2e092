// How a routine of a Java program is defined in its class, and how others call it: what a reader has to follow to its body.
import { block, type Dialect } from './java.ts';

export interface Spelling {
  define(name: string, parameters: string, flag: boolean, body: string[]): string[];
  call(on: string, name: string, args: string[]): string;
  isStatic?: true;
  /** How often it runs its body. */
  times?: number;
}

export const joined = (...args: (string | undefined)[]) => args.filter(Boolean).join(', ');

export function spellings({ takes, annotations, throws }: Dialect): Spelling[] {
  const arg = takes?.argument;
  const given = joined(arg, 'flag');
  /** Who says nothing says what is usual. */
  const usual = (head: string, name: string, flag: boolean) =>
    block(`public ${head}void ${name}(${takes?.parameter ?? ''}) ${throws}`, [
      `${name}(${joined(arg, String(flag))});`,
    ]);
  const method = (head: string, above: string[] = []): Spelling => ({
    define: (name, parameters, flag, body) => [
      ...above,
      ...block(`public ${head}void ${name}(${parameters}) ${throws}`, body),
      '',
      ...usual(head, name, flag),
    ],
    call: (on, name, args) => `${on}.${name}(${joined(...args)});`,
  });
  const own = method('');
  const handing: Spelling = {
    define: (name, parameters, flag, body) => [
      ...block(`public void ${name}(${joined(parameters, 'Work work')}) ${throws}`, [...body, 'work.run();']),
      '',
      ...block(`public void ${name}(${joined(takes?.parameter, 'Work work')}) ${throws}`, [
        `${name}(${joined(arg, String(flag), 'work')});`,
      ]),
    ],
    call: (on, name, args) => `${on}.${name}(${joined(...args, '() -> { }')});`,
  };
  /** What others call says no more than who has the body. */
  const through = (
    first: string[],
    beside: (parameters: string, body: string[]) => string[],
    times = 1,
  ): Spelling => ({
    ...own,
    define: (name, parameters, flag, body) => [
      ...block(`public void ${name}(${parameters}) ${throws}`, first),
      '',
      ...beside(parameters, body),
      '',
      ...usual('', name, flag),
    ],
    times,
  });
  const inner = (parameters: string, body: string[]) => block(`void inner(${parameters}) ${throws}`, body);
  const step = (parameters: string, body: string[], head = 'public ') =>
    block(`${head}void step(${parameters}) ${throws}`, body);
  const declared = (parameters: string, head = '') => `${head}void step(${parameters}) ${throws};`;
  const wrapper = (name: string, ...body: string[]) => block(`void ${name}(Work work) ${throws}`, body);
  const all = [
    own,
    through([`inner(${given});`], (parameters, body) => [...annotations.slice(0, 1), ...inner(parameters, body)]),
    handing,
    ...annotations.map((one) => method('', [one])),
    // A template and what fills it in.
    through([`new Full().whole(${given});`], (parameters, body) => [
      ...block('abstract class Part', [
        ...block(`void whole(${parameters}) ${throws}`, [`step(${given});`]),
        declared(parameters, 'abstract '),
      ]),
      ...block('class Full extends Part', step(parameters, body, '')),
    ]),
    // What is replaced is asked for by name.
    through([`new Full().step(${given});`], (parameters, body) => [
      ...block('class Part', step(parameters, body)),
      ...block('class Full extends Part', step(parameters, [`super.step(${given});`])),
    ]),
    // What is replaced is not run.
    through([`new Full().step(${given});`], (parameters, body) => [
      ...block('class Part', step(parameters, ['throw new IllegalStateException();'])),
      ...block('class Full extends Part', step(parameters, body)),
    ]),
    through(['Steps steps = new Only();', `steps.step(${given});`], (parameters, body) => [
      ...block('interface Steps', [declared(parameters)]),
      ...block('class Only implements Steps', step(parameters, body)),
    ]),
    through(['Steps steps = new One();', `steps.step(${given});`], (parameters, body) => [
      ...block('interface Steps', [declared(parameters)]),
      ...block('class One implements Steps', step(parameters, body)),
      ...block('class Other implements Steps', step(parameters, [])),
    ]),
    through(['Steps steps = new Other();', `steps.step(${given});`, `new One().step(${given});`], (parameters, body) => [
      ...block('interface Steps', [declared(parameters)]),
      ...block('class One implements Steps', step(parameters, body)),
      ...block('class Other implements Steps', step(parameters, [])),
    ]),
    // Wrappers of wrappers.
    through([`whole(() -> part(() -> inner(${given})));`], (parameters, body) => [
      ...inner(parameters, body),
      ...wrapper('whole', 'work.run();'),
      ...wrapper('part', 'work.run();'),
    ]),
    through([`whole(() -> inner(${given}));`], (parameters, body) => [
      ...inner(parameters, body),
      ...wrapper('whole', 'part(() -> work.run());'),
      ...wrapper('part', 'Helpers.once(work::run);'),
    ]),
    through([`whole(() -> inner(${given}));`], (parameters, body) => [
      ...inner(parameters, body),
      ...wrapper('whole', 'part(work);', 'part(() -> { });'),
      ...wrapper('part', 'Helpers.once(() -> Helpers.once(work));'),
    ]),
    through([`whole(() -> inner(${given}));`], (parameters, body) => [
      ...inner(parameters, body),
      ...wrapper('whole', 'part(() -> Helpers.twice(work));'),
      ...wrapper('part', 'work.run();'),
    ], 2),
    // Known depths.
    through([`down(${joined(given, '3')});`], (parameters, body) => 
      block(`void down(${joined(parameters, 'int left')}) ${throws}`, [
        ...block('if (left > 0)', [`down(${joined(given, 'left - 1')});`, 'return;']),
        ...body,
      ])),
    through([`down(${joined(given, '3')});`], (parameters, body) => [
      ...inner(parameters, body),
      ...block(`void down(${joined(parameters, 'int left')}) ${throws}`, [
        'if (left == 0) return;',
        `inner(${given});`,
        `down(${joined(given, 'left - 1')});`,
      ]),
    ], 3),
    // What is named is run by another.
    through([`given(${joined(given, 'this::inner')});`], (parameters, body) => [
      ...inner(parameters, body),
      ...block('interface Task', [declared(parameters)]),
      ...block(`void given(${joined(parameters, 'Task task')}) ${throws}`, [`task.step(${given});`]),
    ]),
    {
      ...own,
      define: (name: string, parameters: string, flag: boolean, body: string[]) => [
        ...block(`public void ${name}(${parameters}) ${throws}`, [
          ...block('class Here', block(`void go() ${throws}`, body)),
          'new Here().go();',
        ]),
        '',
        ...usual('', name, flag),
      ],
    },
    through([...block('new Part()', block(`void step() ${throws}`, [`inner(${given});`]), '}.whole();')], (parameters, body) => [
      ...block('abstract class Part', [
        ...block(`void whole() ${throws}`, ['before();', 'step();']),
        ...block(`void before() ${throws}`, []),
        `abstract void step() ${throws};`,
      ]),
      ...inner(parameters, body),
    ]),
    through([...block('try', [`inner(${given});`]), ...block('catch (IllegalStateException again)', ['throw again;']), ...block('finally', ['DONE.add(1);'])], (parameters, body) => [
      'static final List<Integer> DONE = new java.util.ArrayList<>();',
      ...inner(parameters, body),
    ]),
  ]; // biome-ignore format: a table
  return takes ? [{ ...method('static '), isStatic: true as const }, ...all] : all;
}
