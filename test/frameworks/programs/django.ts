// How Django's programs are written: transactions, savepoints and writes in its spellings.
import { block, type Dialect, loose } from './dialect.ts';
import { pick } from './spelling.ts';

const around = (head: string) => (body: string[]) => block(head, body);

const MODELS = `from django.db import models


class Item(models.Model):
    n = models.IntegerField(default=0)

    class Meta:
        db_table = "item"


class Fired(models.Model):
    n = models.IntegerField(default=0)

    class Meta:
        db_table = "fired"


class Tag(models.Model):
    name = models.TextField(unique=True)
    n = models.IntegerField(default=0)

    class Meta:
        db_table = "tag"
`;

const KNOWN = `from app.models import Item


def count():
    return Item.objects.count()
`;

const GUARDED = `from contextlib import contextmanager

from django.db import transaction


@contextmanager
def guarded():
    with transaction.atomic():
        yield


def transactional(work):
    def around(*args, **named):
        with transaction.atomic():
            return work(*args, **named)

    return around
`;

const decorated = (decorator: string) => (body: string[], name: (of?: string) => string) => {
  const f = name();
  return [decorator, ...block(`def ${f}():`, body), `${f}()`];
};
const unless =
  (spelling: Dialect['scopes'][number]): Dialect['scopes'][number] =>
  (body, name) =>
    loose(body) ? spelling(body, name) : block('with transaction.atomic():', body);

export const django: Dialect = {
  imports: [
    'from django.db import connection, transaction',
    'from django.db import transaction as tx',
    'from django.db.models import F',
    'from django.db.transaction import atomic',
    'from app.guarded import guarded, transactional',
    'from app.models import Fired, Item, Tag',
  ],
  files: { 'app/models.py': MODELS, 'app/known.py': KNOWN, 'app/guarded.py': GUARDED },
  read: 'Item.objects.first()',
  write(how, fires, rows) {
    const model = fires ? 'Fired' : 'Item';
    const table = model.toLowerCase();
    const sql = `INSERT INTO ${table} (n) VALUES (1)`;
    if (rows === 1)
      return pick(
        [
          [`${model}.objects.create(n=1)`],
          [`${model}(n=1).save()`],
          [`${model}.objects.filter(pk=1).update(n=F("n") + 1)`],
          [`connection.cursor().execute("${sql}")`],
          block('with connection.cursor() as cursor:', [`cursor.execute("${sql}")`]),
          [`found = ${model}.objects.get(pk=1)`, 'found.n += 1', 'found.save()'],
          [`found = ${model}.objects.get(pk=1)`, 'found.save(update_fields=["n"])'],
        ],
        how,
      );
    return pick(
      [
        [`${model}.objects.bulk_create([${model}(n=1) for _ in range(${rows})])`],
        [`${model}.objects.bulk_create(${model}(n=k) for k in range(${rows}))`],
        [`connection.cursor().execute("INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})")`],
        block(`for k in range(${rows}):`, [`${model}.objects.create(n=k)`]),
      ],
      how,
    );
  },
  find(how, hits) {
    const named = hits ? 'name="known"' : 'name=str(uuid4())';
    return pick(
      [
        [`Tag.objects.get_or_create(${named})`],
        [`Tag.objects.update_or_create(${named}, defaults={"n": 1})`],
        [`Tag.objects.filter(n__gte=0).get_or_create(${named})`],
        [`tag, fresh = Tag.objects.get_or_create(${named}, defaults={"n": 2})`],
      ],
      how,
    );
  },
  level: () => 'transaction.atomic()',
  levels: ['from django.db import transaction'],
  scopes: [
    around('with transaction.atomic():'),
    around('with transaction.atomic(savepoint=False):'),
    around('with atomic():'),
    around('with tx.atomic(using="default"):'),
    unless(decorated('@transaction.atomic')),
    unless(decorated('@atomic(savepoint=False)')),
    unless((body, name) => {
      const f = name();
      return [...block(`def ${f}():`, body), `transaction.atomic(${f})()`];
    }),
    around('with guarded():'),
    (body) => block('with ExitStack() as stack:', ['stack.enter_context(transaction.atomic())', ...body]),
    around('with transaction.atomic(), suppress(ValueError):'),
    around('with suppress(ValueError), transaction.atomic():'),
    (body, name) => {
      const held = name('held');
      return [`${held} = transaction.atomic()`, ...block(`with ${held}:`, body)];
    },
    unless(decorated('@transactional')),
    around('with transaction.atomic(using="other"):'),
    around('with transaction.atomic(), transaction.atomic():'),
  ],
  outermost: around('with transaction.atomic(durable=True):'),
  decorators: {
    functions: [],
    all: ['@transaction.atomic', '@transaction.atomic(savepoint=False)', '@atomic()', '@transactional'],
  },
  savepoint: (how, name) =>
    how % 2 === 0
      ? {
          open: `${name} = transaction.savepoint()`,
          release: `transaction.savepoint_commit(${name})`,
          back: `transaction.savepoint_rollback(${name})`,
        }
      : {
          open: `connection.cursor().execute("SAVEPOINT ${name}")`,
          release: `connection.cursor().execute("RELEASE SAVEPOINT ${name}")`,
          back: `connection.cursor().execute("ROLLBACK TO SAVEPOINT ${name}")`,
        },
  failure: 'Item.objects.create(pk=1)',
};
