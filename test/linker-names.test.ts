// What names mean: search path, overloads, re-exports, types, copies. On units written by hand.
import { expect, test } from 'vitest';
import type { Call, Name, Routine, Step, TypeDeclaration, Unit } from '../src/ir.ts';
import { link } from '../src/linker/link.ts';
import { createAliases } from '../src/linker/names/aliases.ts';
import { block, call, routine, script, trigger, unit, write } from './linker-build.ts';

const opens = () => [block([write('sql:t')])];
const at = { start: 0, end: 1 };
/** Which of the routines that open something are reached by the one that starts. */
const reached = (...units: Unit[]) =>
  link(units)
    .subtransactions.filter(({ visits }) => visits.some(({ witness }) => witness.length > 1))
    .map(({ routine }) => routine);
const app = (file: string, routines: Routine[], more: Partial<Unit> = {}) =>
  unit(file, { routines, ...more });
const start = (...body: Step[]) => script('python:start', body);
const type = (name: string, bases: string[] = [], more: Partial<TypeDeclaration> = {}): TypeDeclaration => ({
  name: name as Name, at, bases: bases as Name[], ...more,
}); // biome-ignore format: one type
const alias = (from: string, to: string) => ({ from: from as Name, to: to as Name });
const sees = (callee: string, more: Partial<Call> = {}) => app('start.py', [start(call(callee, more))]);

test('SQL: schemas, the search path, overloads', () => {
  const path = (callee: string, more: Partial<Routine> = {}, args?: Partial<Call>) =>
    reached(
      unit('f.sql', {
        routines: [
          routine('sql:f', opens(), { parameters: { required: 0, total: 1 } }),
          routine('sql:app.f', opens(), { parameters: { required: 1, total: 1 } }),
          routine('sql:app.g', opens(), { parameters: { required: 1, total: 1, types: ['integer'] } }),
          routine('sql:app.g', opens(), {
            parameters: { required: 1, total: 1, types: ['text'] },
            text: 'other',
          }),
          script('sql:"s.sql"', [call(callee, { args: 1, ...args })], more),
        ],
      }),
    );
  expect(path('sql:f')).toEqual(['sql:f']);
  expect(path('sql:public.f')).toEqual(['sql:f']);
  expect(path('sql:app.f')).toEqual(['sql:app.f']);
  expect(path('sql:f', { searchPath: ['app', 'public'] })).toEqual(['sql:app.f']);
  expect(path('sql:f', {}, { args: 2 })).toEqual([]);
  expect(path('sql:app.g', {}, { types: ['text'] })).toEqual(['sql:app.g']);
  expect(path('sql:app.g')).toEqual([]); // two fit, so neither is meant
});

test('modules: source roots, re-exports, stars that lead to each other', () => {
  const place = app('src/shop/orders.py', [routine('python:src.shop.orders.place', opens())]);
  expect(reached(place, sees('python:shop.orders.place'))).toEqual(['python:src.shop.orders.place']);
  expect(reached(place, sees('python:orders_shop.place'))).toEqual([]);
  const other = app('lib/shop/orders.py', [routine('python:lib.shop.orders.place', opens())]);
  expect(reached(place, other, sees('python:shop.orders.place'))).toEqual([]);
  const exported = app('shop.py', [], { aliases: [alias('python:shop.place', 'python:shop.orders.place')] });
  expect(reached(place, exported, sees('python:shop.place'))).toEqual(['python:src.shop.orders.place']);
  const star = app('all.py', [], { aliases: [alias('python:all.*', 'python:src.shop.orders.*')] });
  expect(reached(place, star, sees('python:all.place'))).toEqual(['python:src.shop.orders.place']);
  const circle = ['a', 'b', 'c', 'd'].flatMap((one) =>
    ['a', 'b', 'c', 'd'].map((to) => alias(`python:p.${one}.*`, `python:p.${one}.${to}.*`)),
  );
  expect(reached(app('p.py', [], { aliases: circle }), sees('python:p.a.nothing.here'))).toEqual([]);

  // A package below a folder of its own name hands on sixty modules whole, each of which asks it for something.
  const sixty = Array.from({ length: 60 }, (_, i) => `${i}`);
  const many = app('shop/shop/all/__init__.py', [], {
    aliases: [...sixty, 'last'].map((one) => alias('python:shop.shop.all.*', `python:shop.all.m${one}.*`)),
  });
  const modules = sixty.map((one) =>
    app(`shop/shop/all/m${one}.py`, [routine(`python:shop.shop.all.m${one}.own`, [])], {
      aliases: [alias(`python:shop.shop.all.m${one}.other`, 'python:shop.all.find')],
    }),
  );
  const last = app('shop/shop/all/mlast.py', [routine('python:shop.shop.all.mlast.find', opens())]);
  for (const asked of ['python:shop.all.find', 'python:shop.shop.all.find'])
    expect(reached(many, ...modules, last, sees(asked))).toEqual(['python:shop.shop.all.mlast.find']);
});

test('types: inherited, super, instances, fields, implementations', () => {
  const file = (...types: TypeDeclaration[]) =>
    app(
      'm.py',
      [
        routine('python:m.Base.save', opens()),
        routine('python:m.make', [], { returns: 'python:m.Child' as Name }),
      ],
      { types },
    );
  const base = [type('python:m.Base'), type('python:m.Child', ['python:m.Base'])];
  expect(reached(file(...base), sees('python:m.Child.save'))).toEqual(['python:m.Base.save']);
  expect(reached(file(...base), sees('python:m.Child().save'))).toEqual(['python:m.Base.save']);
  expect(reached(file(...base), sees('python:m.make().save'))).toEqual(['python:m.Base.save']);
  expect(reached(file(...base), sees('python:m.Child^.save'))).toEqual(['python:m.Base.save']);
  expect(reached(file(...base), sees('python:m.Base^.save'))).toEqual([]);
  const holder = type('python:m.Holder', [], { fields: { child: 'python:m.Child' as Name } });
  expect(reached(file(...base, holder), sees('python:m.Holder().child.save'))).toEqual([
    'python:m.Base.save',
  ]);
  const circular = [type('python:m.Base', ['python:m.Child']), type('python:m.Child', ['python:m.Base'])];
  expect(reached(file(...circular), sees('python:m.Child.load'))).toEqual([]);
  const port = [type('python:m.Port', [], { abstract: true }), type('python:m.Base', ['python:m.Port'])];
  expect(reached(file(...port), sees('python:m.Port.save'))).toEqual(['python:m.Base.save']);
  expect(reached(file(), sees('python:?.save'))).toEqual([]);
});

test('types of a large program: what one call spends is not missing to the others', () => {
  const many = Array.from({ length: 600 }, (_, i) => type(`jvm:a.T${i}`, [`jvm:b.T${i}`]));
  const base = type('jvm:a.Base');
  const types = [
    type('jvm:a.Face', [], { abstract: true }),
    ...many,
    base,
    type('jvm:a.Last', ['jvm:a.Base']),
  ];
  const face = type('jvm:a.Made', ['jvm:a.Face']);
  const program = app('a.java', [routine('jvm:a.Base.open', opens()), routine('jvm:a.Made.run', opens())], {
    types: [...types, face],
  });
  expect(
    reached(program, app('s.java', [start(call('jvm:a.Face.run')), start(call('jvm:a.Last.open'))])),
  ).toEqual(['jvm:a.Base.open', 'jvm:a.Made.run']);
});

test('what a framework means holds where the repository says nothing', () => {
  const meanings = [{ receiver: 'python:lib.Model' as Name, steps: opens() }];
  const asked = (types: TypeDeclaration[], routines: Routine[] = []) =>
    link([app('m.py', routines, { types }), sees('python:m.Order.save', { meanings })]).subtransactions
      .length;
  expect(asked([type('python:m.Order', ['python:lib.Model'])])).toBe(1);
  expect(
    asked([type('python:m.Order', ['python:m.Base']), type('python:m.Base', ['python:lib.Model'])]),
  ).toBe(1);
  expect(asked([type('python:m.Order')])).toBe(0);
  expect(asked([type('python:m.Order', ['python:lib.Model'])], [routine('python:m.Order.save', [])])).toBe(0);
});

test('the last definition of a series is the live one, and a dump is a copy', () => {
  const version = (position: string, more: Partial<Unit> = {}) =>
    unit(`db/migrate/${position}.sql`, {
      series: { name: 'm', position },
      routines: [routine('sql:f', opens())],
      ...more,
    });
  const files = (...units: Unit[]) => link(units).subtransactions.map((one) => one.file);
  expect(files(version('2'), version('10'))).toEqual(['db/migrate/10.sql']);
  expect(files(version('10'), version('2'))).toEqual(['db/migrate/10.sql']);
  expect(files(version('1'), unit('db/structure.sql', { routines: [routine('sql:f', opens())] }))).toEqual([
    'db/migrate/1.sql',
  ]);
  const drops = { at: { start: 1e6, end: 1e6 }, does: 'drop routine', name: 'sql:f' } as const;
  expect(files(version('1'), version('2', { routines: [], changes: [drops] }))).toEqual([]);
  const extension = ['x--1.0.sql', 'x--1.0--1.1.sql', 'x.sql.in'].map((file) =>
    unit(file, { routines: [routine('sql:f', opens())] }),
  );
  expect(files(...extension)).toEqual(['x.sql.in']);
});

test('the order of units and code that has nothing to do with it change nothing', () => {
  const units = [
    unit('a.sql', {
      routines: [routine('sql:audit', opens())],
      triggers: [trigger('z', 'sql:o', 'sql:audit')],
    }),
    app('m.py', [routine('python:m.Base.save', [write('sql:o', { rows: 'many' })])], {
      types: [type('python:m.Base')],
    }),
    sees('python:m.Base.save'),
  ];
  const told = (...all: Unit[]) => JSON.stringify(link(all).subtransactions);
  expect(told(...[...units].reverse())).toBe(told(...units));
  expect(told(...units, app('zz.py', [routine('python:zz.save', opens())]))).toContain(
    told(...units).slice(1, -1),
  );
  expect(told(...units)).toContain('row trigger');
});

test('what a domain checks by itself stands on no table', () => {
  const checks = trigger('ripe', 'sql:"domain ripe"', 'sql:f', { via: 'domain', body: opens() });
  const { subtransactions } = link([unit('d.sql', { triggers: [checks] })]);
  const said = subtransactions.flatMap(({ visits }) => visits).flatMap(({ witness }) => witness);
  expect(said.map(({ says }) => says)).toContain('the check of the domain ripe runs');
});

test('what stands in a module that a package hands on whole is looked for in no other of them', () => {
  const modules = Array.from({ length: 12 }, (_, i) => `python:shop.test.made.part${i}`);
  const handedOn = modules.map((module) => alias('python:src.shop.test.made.*', `${module}.*`));
  // Nothing of the modules is here: they were not read.
  const aliases = createAliases(handedOn, new Set(['python:src.shop.test.made']), () => false);
  const names = ['python:shop.test.made.part1.basket.create'];
  for (const name of names) {
    for (const other of [...aliases.of(name), ...aliases.below(name)])
      if (!names.includes(other)) names.push(other);
    if (names.length > 1_000) break;
  }
  expect(names).toHaveLength(1);
  expect(aliases.below('python:shop.test.made.create')).toHaveLength(12);
});
