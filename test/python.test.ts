// The Python front end on text that is old, foreign, broken or far too deep.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { describe } from '../src/describe.ts';
import * as python from '../src/frontends/python/index.ts';
import { link } from '../src/linker/link.ts';
import { allSteps } from './harness.ts';

const events = (text: string, file = 'shop/orders.py') => {
  const unit = python.lower(file, text);
  return allSteps(unit).map((step) => `${describe(step)} «${text.slice(step.at.start, step.at.end)}»`);
};

const SAMPLE = `from django.db import transaction

def run(rows):
    for row in rows:
        with transaction.atomic():
            row.save()
`;
const ATOMIC = 'transaction (transaction.atomic()) nested: savepoint «transaction.atomic»';

test('a byte order mark, CRLF and tabs move nothing', () => {
  for (const text of [
    SAMPLE,
    `\uFEFF${SAMPLE}`,
    SAMPLE.replaceAll('\n', '\r\n'),
    SAMPLE.replaceAll('    ', '\t'),
    `\uFEFF${SAMPLE.replaceAll('\n', '\r\n').replaceAll('    ', '\t')}`,
  ])
    expect(events(text)).toContain(ATOMIC);
});

test('what tests are made of is test code, and a module about tests is none', () => {
  const role = (file: string) => python.lower(file, SAMPLE).role;
  for (const file of ['shop/testing.py', 'shop/testing/factory.py', 'shop/tests.py', 'conftest.py'])
    expect(role(file)).toBe('test');
  for (const file of ['shop/testing_sites.py', 'shop/orders.py']) expect(role(file)).toBe('product');
});

test('a test without a word by which anything is opened is not looked into, and what it is made of is', () => {
  const text = `from django.db import transaction
from shop import orders


class OrderTest:
    def setUp(self):
        orders.prepare()

    def test_pays(self):
        orders.pay()

    @transaction.atomic
    def test_joins(self):
        orders.join()

    def test_nests(self):
        with transaction.atomic():
            orders.nest()
`;
  const called = (file: string, written = text) =>
    events(written, file).flatMap((one) => /call shop\.orders\.(\w+)/.exec(one)?.[1] ?? []);
  for (const written of [text, `\uFEFF${text.replaceAll('\n', '\r\n')}`])
    expect(called('shop/tests.py', written)).toEqual(['prepare', 'join', 'nest']);
  expect(called('shop/orders.py')).toContain('pay');
});

test('Python 2 is read', () => {
  const text = `from django.db import transaction
def run(rows):
    print "start", rows
    try:
        exec "pass"
        with transaction.atomic():
            pass
    except (ValueError, TypeError), error:
        raise ValueError, "no"
    print >>log, "end"
`;
  expect(events(text)).toContain(ATOMIC);
});

test('a syntax error costs its own part only', () => {
  const broken = `${SAMPLE}\n\ndef half(:\n    x = = 3\n\n${SAMPLE.replace('run', 'other')}`;
  const unit = python.lower('a.py', broken);
  expect(unit.problems.some(({ partial }) => partial)).toBe(true);
  expect(unit.routines.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['python:a.run', 'python:a.other']),
  );
});

test('what nests without limit ends, and what stands beside it is read', () => {
  const deep = 10_000;
  for (const text of [
    `x = ${'('.repeat(deep)}1${')'.repeat(deep)}\n${SAMPLE}`,
    `x = ${'f('.repeat(deep)}1${')'.repeat(deep)}\n${SAMPLE}`,
    `x = a${'.b()'.repeat(deep)}\n${SAMPLE}`,
    `x = ${'a + '.repeat(deep)}1\n${SAMPLE}`,
    `x = ${'not '.repeat(deep)}1\n${SAMPLE}`,
    `x = ${'lambda: '.repeat(deep)}1\n${SAMPLE}`,
    `x = ${'[1 for a in '.repeat(deep)}b${']'.repeat(deep)}\n${SAMPLE}`,
  ])
    expect(events(text)).toContain(ATOMIC);
  const blocks = Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}if x:\n`).join('');
  expect(() => python.lower('a.py', `${blocks}${' '.repeat(2_000)}pass\n`)).not.toThrow();
});

test('a long chain costs no more than its length', () => {
  const time = (calls: number) => {
    const start = performance.now();
    python.lower('a.py', `def f(q):\n    return q${'.filter(a=b)'.repeat(calls)}\n`);
    return performance.now() - start;
  };
  time(200);
  expect(time(20_000)).toBeLessThan(3_000);
});

test('classes and modules that lead to themselves end', () => {
  expect(events('class A(A):\n    def f(self):\n        self.g()\n')).toEqual([
    'call shop.orders.A.g «self.g»',
  ]);
  expect(() =>
    events('class A(B):\n    pass\nclass B(A):\n    def f(self):\n        self.x.save()\n'),
  ).not.toThrow();
  expect(() => events('x = x\ny = z\nz = y\ny.execute(z)\n')).not.toThrow();
  expect(() => events('s = s + "a"\nt = t % 1\ncur.execute(s)\ncur.execute(t)\n')).not.toThrow();
});

test('no text makes it throw', () => {
  const texts = [
    'fixtures/frameworks/django.md',
    'fixtures/frameworks/sqlalchemy.md',
    'fixtures/frameworks/drivers-python.md',
  ].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/```python\n(.*?)```/gs)].map(([, text]) => text!),
  );
  const whole = fc.constantFrom(...texts);
  const cut = fc.tuple(
    whole,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(
      cut,
      fc.constantFrom('', '(', ')', '"', "'''", ':', '\\', '\u0000', 'é', '{', 'with ', '=', ',', '@'),
      ([text, a, b], junk) => {
        const from = Math.floor(text.length * Math.min(a, b));
        const to = Math.floor(text.length * Math.max(a, b));
        const unit = python.lower('shop/a.py', text.slice(0, from) + junk + text.slice(to));
        for (const step of allSteps(unit)) {
          expect(step.at.end).toBeGreaterThanOrEqual(step.at.start);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('a trace has the transaction of the request, and decorators by what they are; a view begins at its class', () => {
  const settings =
    'DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "ATOMIC_REQUESTS": True}}\n';
  const views = `from django.db import transaction
from django.views import View
from shop.base import Base

def staff(view):
    def inner(request):
        for turn in request.turns:
            view(request)
    return inner

@staff
def pay(request):
    with transaction.atomic():
        request.order.save()

class Pay(Base, View):
    def post(self, request):
        with transaction.atomic():
            request.order.save()
`;
  const unit = python.lower('shop/views.py', views);
  const { subtransactions } = link([python.lower('config/settings.py', settings), unit]);
  const { at } = unit.routines.find(({ name }) => name.endsWith('.as_view'))!;
  expect(views.slice(at.start, at.end)).toBe('Pay');
  const traces = subtransactions.map(({ visits }) =>
    visits[0]!.witness.map(({ says, at }) => `${says} «${views.slice(at.start, at.end)}»`),
  );
  expect(traces).toEqual([
    [
      'the request of pay() begins a transaction «pay»',
      'pay() is decorated with staff() «staff»',
      'staff() loops over items «for»',
      'transaction.atomic() in pay() «transaction.atomic»',
    ],
    [
      'the request of Pay.post() begins a transaction «post»',
      'transaction.atomic() in Pay.post() «transaction.atomic»',
    ],
  ]);
});

test('a call site counts once, whatever its callers leave of the routine', () => {
  const unit = python.lower(
    'shop/models.py',
    `from django.db import models, transaction

class Order(models.Model):
    def save(self, force=False, **kwargs):
        if force:
            self.refresh_from_db()
        keep(self)

def keep(order):
    with transaction.atomic():
        order.delete()

def one(order):
    Order.save(order, force=True)

def two(order):
    Order.save(order, force=False)
`,
  );
  expect(link([unit]).subtransactions.map(({ callers }) => callers)).toEqual([3]);
});

test('what is called of a parameter nobody says: it may write', () => {
  const writes = (given: string) => {
    const unit = python.lower(
      'shop/run.py',
      `from django.db import transaction

def run(step):
    with transaction.atomic():
        step()

@transaction.atomic
def all(rows, what):
    for row in rows:
        run(${given})

def nothing():
    pass
`,
    );
    return [...new Set(link([unit]).subtransactions.map(({ effects }) => effects.writes))];
  };
  expect(['what', 'row.keep', 'nothing'].flatMap(writes)).toEqual(['unknown', 'unknown', 'no']);
});

test('of what is saved it names the model, and no serializer or form', async () => {
  const said = async (above: string) => {
    const files = {
      'shop/base.py': `from ${above}
from shop.models import Change

class Base(${above.split(' ').at(-1)}):
    def save(self, **kwargs):
        made = super().save(**kwargs)
        Change.keep(made)
        return made
`,
      'shop/models.py': `from django.db.models import Model

class Change(Model):
    @classmethod
    def keep(cls, row):
        return cls.objects.bulk_create([row])
`,
      'shop/items.py': `from django.db import transaction
from shop.base import Base

class Item(Base):
    pass

@transaction.atomic
def run(rows):
    for row in rows:
        with transaction.atomic():
            item = Item(name=row)
            item.save()
`,
    };
    const units = await Promise.all(Object.entries(files).map(([path, text]) => lower(path, text)));
    const [found] = analyse(units.filter((unit) => unit !== null)).findings;
    return /writes \(\w+\)/.exec(found?.message ?? '')?.[0];
  };
  expect(await said('rest_framework.serializers import ModelSerializer')).toBe(undefined);
  expect(await said('django.db.models import Model')).toBe('writes (Item)');
});

test('what runs once in so many turns repeats by chunks, and what stands beside it by the loop', () => {
  const unit = python.lower(
    'shop/run.py',
    `from django.db import transaction

@transaction.atomic
def all(rows):
    for i, row in enumerate(rows):
        if i % 1000 == 0:
            with transaction.atomic():
                keep(rows)
        with transaction.atomic():
            keep(row)
        if i % 500:
            continue
        with transaction.atomic():
            keep(rows)
`,
  );
  const by = link([unit]).subtransactions.flatMap(({ at, visits }) => [
    [at.start, visits[0]?.context.repeatedBy] as const,
  ]);
  expect(by.sort(([a], [b]) => a - b).map(([, how]) => how ?? null)).toEqual([
    null,
    'chunks',
    'loop',
    'chunks',
  ]);
});

test('how many rows are missing nobody says, but of those that must be', async () => {
  const asks = (name: string, lines: string) => `
def ${name}(row):
    ${lines}
    with transaction.atomic():
        Order.objects.create(name=row.name)
`;
  const there = 'if Order.objects.filter(name=row.name).exists():\n        ';
  const text = `from django.db import models, transaction

class Order(models.Model):
    name = models.TextField()

@transaction.atomic
def all(rows):
    for row in rows:
        keeps(row)
        adds(row)
        tells(row)
        counts(row)
${asks('keeps', `${there}return`)}${asks('adds', `${there}raise ValueError(row)`)}${asks('tells', 'print(row)')}
${asks('counts', "if row.name.count('a') > 0:\n        return")}`;
  const { findings } = analyse([(await lower('shop/orders.py', text))!]);
  expect(findings.map(({ certainty }) => certainty)).toEqual(['likely', 'certain', 'certain', 'certain']);
});
