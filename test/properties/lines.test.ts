// In what order `super` goes through classes, as Python and Ruby themselves say it of random hierarchies.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lower } from '../../src/analyse.ts';
import { base } from '../../src/linker/graph/base.ts';

const MOST = 9;
const PROGRAMS = 300;

/** Of each class those of the ones before it that it descends from, in their order. */
const hierarchies = fc.sample(
  fc.array(fc.uniqueArray(fc.nat(MOST), { maxLength: 3 }), { minLength: 3, maxLength: MOST }),
  { numRuns: PROGRAMS, seed: 41 },
);
const name = (i: number) => `C${i}`;
const above = (bases: number[], i: number) => bases.filter((one) => one < i).map(name);

/** A class that Python cannot put in line is left out, with those below it. */
const PYTHON = `
import json, sys
told = []
for classes in json.load(sys.stdin):
    made = {}
    for name, bases in classes:
        if all(base in made for base in bases):
            try:
                made[name] = type(name, tuple(made[base] for base in bases), {})
            except TypeError:
                pass
    told.append({name: [one.__name__ for one in made[name].__mro__[:-1]] for name in made})
print(json.dumps(told))
`;
/** The first is the class above, as far as it is one; all others are modules that are taken in, the last one first. */
const RUBY = `
require 'json'
puts JSON.dump(JSON.parse($stdin.read).map { |all|
  made = {}
  all.each do |name, kind, bases|
    modules = bases.select { |one| made[one].instance_of?(Module) }
    up = bases.find { |one| made[one].instance_of?(Class) }
    made[name] = kind == 'module' ? Module.new : Class.new(*[made[up]].compact)
    made[name].include(*modules.map { |one| made[one] }) unless modules.empty?
  end
  made.transform_values { |one| (one.ancestors - Object.ancestors).map { |a| made.key(a) } }
})
`;

const said = (command: string, args: string[], asked: unknown): Record<string, string[]>[] =>
  JSON.parse(spawnSync(command, args, { input: JSON.stringify(asked), encoding: 'utf8' }).stdout);

/** Whose method runs, one after the other, where the last one is asked of an object of that class. */
async function linked(file: string, text: string, start: string, owner: RegExp): Promise<string[]> {
  const unit = await lower(file, text);
  const { program, graph } = base([unit!], { edited: true });
  const order: string[] = [];
  const first = program.linked.find((one) => one.name.endsWith(start))!;
  for (let at = graph.leadsTo(first.index)[0]; at !== undefined; at = graph.leadsTo(at)[0])
    order.push(owner.exec(program.linked[at]!.name)![1]!);
  return order;
}

test('Python', async () => {
  const programs = hierarchies.map((all) => all.map((bases, i) => [name(i), above(bases, i)] as const));
  const lines = said('python3', ['-c', PYTHON], programs);
  let asked = 0;
  for (const [i, line] of lines.entries()) {
    const classes = programs[i]!.filter(([one]) => line[one]);
    const text = classes.map(
      ([one, bases]) => `class ${one}(${bases.join(', ')}):\n    def go(self):\n        super().go()\n`,
    );
    const [leaf] = classes.at(-1)!;
    const whole = `${text.join('\n')}\ndef start():\n    ${leaf}().go()\n`;
    expect(await linked('a.py', whole, 'start', /(C\d+)\.go$/), whole).toEqual(line[leaf]);
    asked++;
  }
  expect(asked).toBe(PROGRAMS);
});

test('Ruby', async () => {
  const kindOf = (i: number) => (i % 3 === 2 ? 'class' : 'module');
  const programs = hierarchies.map((all) =>
    all.map((bases, i) => {
      const its = bases.filter((one) => one < i && (kindOf(i) === 'class' || kindOf(one) === 'module'));
      const [up] = its.filter((one) => kindOf(one) === 'class');
      return [
        name(i),
        kindOf(i),
        its.filter((one) => kindOf(one) === 'module' || one === up).map(name),
      ] as const;
    }),
  );
  const lines = said('ruby', ['-e', RUBY], programs);
  for (const [i, line] of lines.entries()) {
    const all = programs[i]!;
    const isModule = (one: string) => all.find(([its]) => its === one)![1] === 'module';
    const text = all.map(([one, kind, bases]) => {
      const up = bases.find((base) => !isModule(base));
      const modules = bases.filter(isModule);
      const takes = modules.length > 0 ? `  include ${modules.join(', ')}\n` : '';
      return `${kind} ${one}${up ? ` < ${up}` : ''}\n${takes}  def go(n)\n    super\n  end\nend\n`;
    });
    const leaf = all.findLast(([, kind]) => kind === 'class')![0];
    const whole = `${text.join('\n')}\ndef start\n  ${leaf}.new.go(1)\nend\n`;
    expect(await linked('a.rb', whole, 'start', /(C\d+)#go$/), whole).toEqual(line[leaf]);
  }
});
