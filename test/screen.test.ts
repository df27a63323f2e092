// The screen takes nothing away: on every whole program the findings equal those of parsing every file.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { analyse, lower } from '../src/analyse.ts';
import { frontendFor } from '../src/frontends/index.ts';
import { load } from '../src/project/load.ts';
import { newFolder } from './world.ts';

const loader = {
  habits: frontendFor,
  lower,
};

/** The files that the screen reads, which say as much as all. */
async function screened(root: string): Promise<string[]> {
  const read = (everything: boolean) => load([root], loader, { root, cwd: root, threads: 1, everything });
  const [some, all] = [await read(false), await read(true)];
  expect(analyse(some.units).findings).toEqual(analyse(all.units).findings);
  expect(some.units.length).toBeLessThanOrEqual(all.units.length);
  return some.units.map(({ file }) => file);
}

for (const name of readdirSync('fixtures/projects'))
  test(name, async () => {
    await screened(resolve('fixtures/projects', name));
  });

const OPENS = `from django.db import transaction

def place(order):
    with transaction.atomic():
        order.save()
`;
const LOOPS = `def run(orders):
    for order in orders:
        place(order)
`;
/** In one transaction: the loop opens one subtransaction after the other. */
const whole = (module: string) => `from django.db import transaction
from ${module} import run

@transaction.atomic
def whole(orders):
    run(orders)
`;

const trees: { about: string; files: Record<string, string>; read: string[]; not: string[] }[] = [
  {
    about:
      'a property of a class that is only named, and of one above it, and no method that is called like a column',
    files: {
      'shop/views.py': `from django.db import transaction
from shop.orders import Order

@transaction.atomic
def show(orders: list[Order]):
    for order in orders:
        with transaction.atomic():
            print(order.number, order.label, order.price)
`,
      'shop/orders.py': `from shop.journal import Journal
from shop.labels import Labelled

class Order(Labelled):
    @property
    def number(self):
        return Journal.objects.create(text="seen").pk
`,
      'shop/labels.py': `from shop.journal import Journal

class Labelled:
    @property
    def label(self):
        return Journal.objects.create(text="named").text
`,
      'shop/journal.py': `from django.db import models

class Journal(models.Model):
    text = models.TextField()
`,
      'shop/tariffs.py': `class Tariff:
    def price(self):
        return self.number()

    def number(self):
        return 1
`,
    },
    read: ['shop/journal.py', 'shop/labels.py', 'shop/orders.py', 'shop/views.py'],
    not: ['shop/tariffs.py'],
  },
  {
    about: 'a base class that calls on itself what its heir has',
    files: {
      'Gemfile.lock': 'GEM\n  specs:\n    activerecord (7.1.0)\n    pg (1.5.0)\n',
      'app/importer.rb': `class Importer
  def run(rows)
    rows.each { |row| work(row) }
  end

  def work(row)
    puts row
  end
end
`,
      'app/orders.rb': `class Orders < Importer
  def work(row)
    Line.transaction(requires_new: true) { Line.create!(row) }
  end
end
`,
      'app/line.rb': 'class Line < ApplicationRecord\nend\n',
      'app/between.rb': `class Between
  def self.all(rows)
    Orders.new.run(rows)
  end
end
`,
      'app/whole.rb': `class Whole < ApplicationRecord
  def self.all(rows)
    transaction { Between.all(rows) }
  end
end
`,
      'app/other.rb': 'class Other\n  def run(rows)\n    rows.map(&:work)\n  end\nend\n',
      'app/prose.rb': 'class Prose\n  def told(rows)\n    rows.map(&:works)\n  end\nend\n',
    },
    // The last one has no class of its own: what it is given may be one of them.
    read: ['app/importer.rb', 'app/orders.rb', 'app/between.rb', 'app/whole.rb', 'app/other.rb'],
    not: ['app/prose.rb'],
  },
  {
    about: 'who implements an interface that is called inside of a subtransaction',
    files: {
      'shop/Handler.java': 'package shop;\n\ninterface Handler {\n  void handle(Long id);\n}\n',
      'shop/StockHandler.java': `package shop;

class StockHandler implements Handler {
  private Stock stock;

  public void handle(Long id) {
    stock.take(id);
  }
}
`,
      'shop/Stock.java': `package shop;

import org.springframework.jdbc.core.JdbcTemplate;

class Stock {
  private JdbcTemplate jdbc;

  void take(Long id) {
    jdbc.update("UPDATE stock SET n = n - 1 WHERE id = ?", id);
  }
}
`,
      'shop/Run.java': `package shop;

import java.util.List;
import org.springframework.transaction.annotation.*;

class Run {
  private One one;

  @Transactional
  public void all(List<Long> ids) {
    for (Long id : ids) one.run(id);
  }
}

class One {
  private Handler handler;

  @Transactional(propagation = Propagation.NESTED)
  public void run(Long id) {
    handler.handle(id);
  }
}
`,
      'shop/Other.java': 'package shop;\n\nclass Other {\n  void handle(Long id) {}\n}\n',
    },
    read: ['shop/StockHandler.java', 'shop/Stock.java'],
    not: ['shop/Other.java'],
  },
  {
    about: 'an heir of what uses a template that another file sets up',
    files: {
      'shop/Templates.java': `package shop;

import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

class Templates {
  @Bean
  TransactionTemplate savepoints(PlatformTransactionManager manager) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    return template;
  }
}
`,
      'shop/Work.java': `package shop;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

abstract class Work {
  protected TransactionTemplate savepoints;
  protected TransactionTemplate plain;
  protected JdbcTemplate jdbc;

  abstract void one(Long id);

  void all(List<Long> ids) {
    plain.executeWithoutResult(status -> {
      for (Long id : ids) savepoints.executeWithoutResult(inner -> one(id));
    });
  }
}
`,
      'shop/Mails.java': `package shop;

class Mails extends Work {
  void one(Long id) {
    jdbc.update("INSERT INTO mail VALUES (?)", id);
  }
}
`,
    },
    read: ['shop/Mails.java'],
    not: [],
  },
  {
    about: 'a class that says nothing but what it descends from',
    files: {
      'shop/base.py': `from django.db import transaction

class Repository:
    def add(self, **fields):
        with transaction.atomic():
            self.model(**fields).save()
`,
      'shop/orders.py': 'from shop.base import Repository\n\nclass Orders(Repository):\n    model = None\n',
      'shop/run.py': `from shop.orders import Orders

def run(rows):
    orders = Orders()
    for row in rows:
        orders.add(**row)
`,
      'shop/all.py': whole('shop.run'),
    },
    read: ['shop/orders.py', 'shop/run.py'],
    not: [],
  },
  {
    about: 'whoever keeps an object or gives it, as those who call it by that may not name its class',
    files: {
      'shop/managers.py': `from django.db import models, transaction

class OrderManager(models.Manager):
    def place(self, **fields):
        with transaction.atomic():
            self.create(**fields)
`,
      'shop/ledgers.py': `from django.db import transaction

class Ledger:
    def post(self, line):
        with transaction.atomic():
            line.save()
`,
      'shop/models.py': `from django.db import models
from .managers import OrderManager

class Order(models.Model):
    objects = OrderManager()
`,
      'shop/given.py': 'from .ledgers import Ledger\n\ndef books():\n    return Ledger()\n',
      'shop/kept.py': 'from .ledgers import Ledger\n\nledger = Ledger()\n',
      'shop/load.py': `from .given import books
from .models import Order

def run(rows):
    for row in rows:
        Order.objects.place(**row)
        books().post(row)

def run_kept(rows):
    from .kept import ledger

    for row in rows:
        ledger.post(row)
`,
      'shop/prose.py': '"""What an OrderManager is, and a Ledger."""\n\ndef count(x):\n    return x.orders\n',
      'shop/whole.py': whole('shop.load'),
    },
    read: ['shop/models.py', 'shop/given.py', 'shop/kept.py', 'shop/load.py'],
    not: ['shop/prose.py'],
  },
  {
    about: 'a function is asked of its module, and of those that pass it on',
    files: {
      'shop/orders.py': OPENS,
      'shop/api/__init__.py': 'from shop.orders import place\n',
      'shop/batch.py': `from shop.api import place\n\n${LOOPS}`,
      'shop/near.py': `from shop import orders\n\n${LOOPS.replace('place(', 'orders.place(')}`,
      'shop/a.py': whole('shop.batch'),
      'shop/b.py': whole('shop.near'),
      'shop/prose.py': '"""Each place has its price."""\n\ndef price(x):\n    return x.place\n',
    },
    read: ['shop/batch.py', 'shop/near.py'],
    not: ['shop/prose.py'],
  },
  {
    about: 'what is read as data calls nobody',
    files: {
      'shop/orders.py': OPENS,
      'shop/batch.py': `from shop.orders import place\n\n${LOOPS}`,
      'shop/a.py': whole('shop.batch'),
      'docs/orders.yml': 'orders:\n  /place:\n    get: place an order\n',
    },
    read: ['shop/batch.py'],
    not: ['docs/orders.yml'],
  },
  {
    about: 'what hands on all names of a module is asked for each of them',
    files: {
      'shop/orders.py': OPENS,
      'every/__init__.py': 'from shop.orders import *\n',
      'shop/batch.py': `import every\n\n${LOOPS.replace('place(', 'every.place(')}`,
      'shop/a.py': whole('shop.batch'),
    },
    read: ['every/__init__.py', 'shop/batch.py'],
    not: [],
  },
  {
    about: 'a class is asked for in the module that it is imported from, though another one has its name',
    files: {
      'blog/models.py': `${OPENS}\nclass Order(models.Model):\n    pass\n`,
      'shop/models.py': 'from django.db import models\n\nclass Order(models.Model):\n    pass\n',
      'shop/views.py': `from django.db import transaction
from .models import Order

@transaction.atomic
def pay(request):
    for order in Order.objects.all():
        order.save()
`,
      'audit.sql': `CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log VALUES (NEW.id);
  RETURN NEW;
EXCEPTION WHEN check_violation THEN
  RETURN NEW;
END $$;
CREATE TRIGGER audit AFTER UPDATE ON shop_order FOR EACH ROW EXECUTE FUNCTION audit();
`,
    },
    read: ['shop/models.py'],
    not: [],
  },
  {
    about: 'what a module defines itself it has from nowhere else',
    files: {
      'shop/orders.py': `from shop.tools import spare\nfrom shop.sums import rounded\n${OPENS}`,
      'shop/tools.py': 'from shop.deep import spare\n\ndef spare_one(x):\n    return x\n',
      'shop/sums.py': 'import math\n\ndef rounded(x):\n    return math.floor(x)\n',
    },
    read: ['shop/tools.py'],
    not: ['shop/sums.py'],
  },
  {
    about: 'in Ruby too a name is defined where it is said to be, and not in prose',
    files: {
      'app/models/order.rb': `class Order < ApplicationRecord
  def place
    transaction(requires_new: true) { Tools.spare(self) }
  end
end
`,
      'app/tools.rb': 'class Tools\n  def self.spare(order)\n    order\n  end\nend\n',
      'app/prose.rb': '# Good tools spare time.\nclass Prose\nend\n',
    },
    read: ['app/tools.rb'],
    not: ['app/prose.rb'],
  },
  {
    about: 'how long a list is, what writes it out may say',
    files: {
      'app/models/tag.rb': `class Tag < ApplicationRecord
  def self.fill
    transaction do
      KINDS.each { |kind| create_or_find_by!(kind: kind) }
      Shop::Places::ALL.each { |place| create_or_find_by!(place: place) }
      Order.steps.each { |step| create_or_find_by!(step: step) }
      put(Shop::Places::FEW)
      put(Input.read)
    end
  end

  def self.put(names)
    names.each { |name| create_or_find_by!(name: name) }
  end
end
`,
      'config/kinds.rb': 'KINDS = %w[a b].freeze\n',
      'lib/shop/places.rb': 'module Shop\n  module Places\n    ALL = %w[here there]\n  end\nend\n',
      'lib/more.rb': 'module Shop\n  module Places\n    FEW = %w[here]\n  end\nend\n',
      'lib/order.rb': 'class Order\n  def self.steps\n    %i[start stop]\n  end\nend\n',
      'lib/other.rb':
        'module Other\n  def self.names(kinds)\n    kinds = kinds.sort\n    all = []\n  end\nend\n',
    },
    read: ['config/kinds.rb', 'lib/shop/places.rb', 'lib/more.rb', 'lib/order.rb'],
    not: ['lib/other.rb'],
  },
  {
    about: 'what stands among tests is called by what names them',
    files: {
      'shop/tests/helpers.py': OPENS,
      'shop/batch.py': `from shop.tests.helpers import place\n\n${LOOPS}`,
      'shop/a.py': whole('shop.batch'),
      'shop/places.py': `from shop.helpers import place\n\n${LOOPS}`,
    },
    read: ['shop/batch.py'],
    not: ['shop/places.py'],
  },
  {
    about: 'an ancestor is asked what its field is',
    files: {
      'store/Store.java':
        'package store;\nimport java.sql.Connection;\npublic class Store { protected Connection held; }\n',
      'store/Other.java':
        'package store;\nimport java.sql.Connection;\npublic class Other { protected Connection held; }\n',
      'shop/Orders.java': `package shop;
class Orders extends store.Store {
  void all(java.util.List<String> items) throws Exception {
    held.setAutoCommit(false);
    for (String item : items) {
      java.sql.Savepoint point = held.setSavepoint();
      held.createStatement().execute("INSERT INTO line VALUES (1)");
      held.releaseSavepoint(point);
    }
  }
}
`,
    },
    read: ['store/Store.java'],
    not: ['store/Other.java'],
  },
  {
    about: 'what a pattern weaves around may be called by anybody',
    files: {
      'context.xml': `<beans>
  <bean class="shop.LineService"/>
  <tx:advice id="advice"><tx:attributes><tx:method name="add*" propagation="NESTED"/><tx:method name="*"/></tx:attributes></tx:advice>
  <aop:config><aop:advisor advice-ref="advice" pointcut="execution(* shop.*Service.*(..))"/></aop:config>
</beans>
`,
      'shop/LineService.java': `package shop;
public class LineService {
  private LineStore store;
  public void addLine(String line) { store.put(line); }
}
`,
      'shop/LineStore.java': `package shop;
public class LineStore {
  private org.springframework.jdbc.core.JdbcTemplate jdbc;
  void put(String line) { jdbc.update("INSERT INTO line VALUES (?)", line); }
}
`,
      'shop/Orders.java': `package shop;
class Orders {
  private LineService lines;
  void all(java.util.List<String> all) { for (String line : all) lines.addLine(line); }
}
`,
    },
    read: ['shop/LineService.java', 'shop/Orders.java'],
    not: [],
  },
  {
    about: 'reads who saves rows with a record, by the list that another class has of them',
    files: {
      'app/models/order.rb': `class Order < ApplicationRecord
  has_many :lines
  accepts_nested_attributes_for :lines
end
class Line < ApplicationRecord
  before_save { self.sku = Sku.create_or_find_by!(code: code) }
end
class Sku < ApplicationRecord; end
`,
      'app/orders_controller.rb': `class OrdersController < ApplicationController
  def create
    Order.create!(params.require(:order).permit(lines_attributes: %i[code]))
  end
end
`,
    },
    read: ['app/models/order.rb', 'app/orders_controller.rb'],
    not: [],
  },
  {
    about: 'a class that another one gives an attribute, and nothing else leads to it',
    files: {
      'shop/models.py': `from django.db import models

class Order(models.Model):
    title = models.CharField(max_length=500)
`,
      'stock/models.py': `from django.db import models, transaction

class Line(models.Model):
    order = models.ForeignKey("shop.Order", on_delete=models.CASCADE, related_name="rows")
    origin = models.ForeignKey("self", on_delete=models.CASCADE, null=True)

    @transaction.atomic
    def clone(self):
        self.save()
`,
      'shop/services.py': `from shop.models import Order
from django.db import transaction

class Copies:
    def __init__(self, order: Order):
        self.order = order

    @transaction.atomic
    def run(self):
        for row in self.order.rows.all():
            row.clone()

    @transaction.atomic
    def again(self):
        for row in self.order.rows.all():
            row.origin.clone()
`,
    },
    read: ['shop/models.py', 'stock/models.py', 'shop/services.py'],
    not: [],
  },
  {
    about: 'what is called as a library calls it that nobody names',
    files: {
      'lib/options.rb': `class Options
  def add(name)
    top.append(name)
  end

  def execute(line)
    line.split
  end
end
`,
      'lib/program.rb': `class Program
  def initialize(options)
    %w[a b].each { |name| options.add(name) }
  end
end
`,
    },
    read: ['lib/options.rb'],
    not: ['lib/program.rb'],
  },
  {
    about: 'who has the methods of a protocol and does not name it',
    files: {
      'shop/ports.py': `from typing import Protocol

class Orders(Protocol):
    def place(self, order): ...

    def find(self, number): ...
`,
      'shop/database.py': `from sqlalchemy.orm import Session

class Finding:
    def find(self, number):
        return None

class SqlOrders(Finding):
    def __init__(self, session: Session):
        self.session = session

    def place(self, order):
        with self.session.begin_nested():
            self.session.add(order)
`,
      'shop/work.py': `from shop.ports import Orders

class Work:
    def __init__(self, all: Orders):
        self.all = all

    def run(self, orders):
        for order in orders:
            self.all.place(order)
`,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          `shop/other${i}.py`,
          `def other(board):\n    board.place(${i})\n`,
        ]),
      ),
    },
    read: ['shop/ports.py', 'shop/database.py', 'shop/work.py'],
    not: ['shop/other3.py'],
  },
  {
    about: 'a trigger on the table of a model that nothing names',
    files: {
      'requirements.txt': 'django==5.2\npsycopg==3.2\n',
      'db/trigger.sql': `CREATE FUNCTION stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO stock_log (at) VALUES (now());
  EXCEPTION WHEN foreign_key_violation THEN
    RAISE WARNING 'no';
  END;
  RETURN NULL;
END $$;
CREATE TRIGGER stock AFTER INSERT ON shop_orderline FOR EACH STATEMENT EXECUTE FUNCTION stock();
`,
      'core/base.py':
        'from django.db import models\n\n\nclass Stamped(models.Model):\n    class Meta:\n        abstract = True\n',
      'shop/models.py':
        'from core.base import Stamped\n\n\nclass OrderLine(Stamped):\n    pass\n\n\nclass Tag(Stamped):\n    pass\n',
      'shop/lines.py': `from .models import OrderLine


def add(products):
    for product in products:
        OrderLine.objects.create(product=product)
`,
      'shop/views.py': `from django.db import transaction

from .lines import add


@transaction.atomic
def order(request):
    add(request.POST.getlist("product"))
`,
      'shop/tags.py':
        'from .models import Tag\n\n\ndef tag(names):\n    for name in names:\n        Tag.objects.create(name=name)\n',
    },
    read: ['core/base.py', 'shop/models.py', 'shop/lines.py', 'shop/views.py'],
    not: ['shop/tags.py'],
  },
  {
    about: 'tests that open a subtransaction, and none that only declares something or begins a transaction',
    files: {
      Gemfile: "gem 'rails', '7.0'\ngem 'pg'\n",
      'app/models/order.rb': `class Order < ApplicationRecord
  def pay = transaction(requires_new: true) { update!(paid: true) }
end
`,
      'spec/order_spec.rb': `RSpec.describe Order do
  it 'is a record' do
    expect(described_class).to be < ActiveRecord::Base
    Order.find_each(&:pay)
  end
end
`,
      'spec/nested_spec.rb': `RSpec.describe Order do
  it 'is paid' do
    Order.transaction { 3.times { Order.transaction(requires_new: true) { Order.create!(paid: true) } } }
  end
end
`,
      'spec/support/record.rb': 'class Kept < ActiveRecord::Base\nend\n',
      'app/models/ab_test.rb': 'class AbTest < ApplicationRecord\nend\n',
      'src/main/java/shop/Orders.java': `package shop;
import org.springframework.transaction.annotation.*;
class Orders {
  @Transactional(propagation = Propagation.NESTED)
  public void pay() {}
}
`,
      'src/main/java/shop/BloodTest.java': `package shop;
@org.springframework.transaction.annotation.Transactional
class BloodTest {
  void pay() { new Orders().pay(); }
}
`,
      'src/test/java/shop/OrdersTest.java': `package shop;
import org.springframework.transaction.annotation.Transactional;
@Transactional
class OrdersTest {
  @org.junit.jupiter.api.Test
  void pays() { new Orders().pay(); }
}
`,
      'src/test/java/shop/NestedTest.java': `package shop;
import org.springframework.transaction.annotation.*;
@Transactional(propagation = Propagation.NESTED)
class NestedTest {
  @org.junit.jupiter.api.Test
  void pays() { new Orders().pay(); }
}
`,
    },
    read: [
      'spec/nested_spec.rb',
      'spec/support/record.rb',
      'app/models/ab_test.rb',
      'src/main/java/shop/BloodTest.java',
      'src/main/java/shop/Orders.java',
      'src/test/java/shop/NestedTest.java',
    ],
    not: ['spec/order_spec.rb', 'src/test/java/shop/OrdersTest.java'],
  },
];

/** As editors on Windows write it. */
const onWindows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;

for (const { about, files, read, not } of trees)
  for (const [how, written] of [
    ['', (text: string) => text],
    [', as Windows writes it', onWindows],
  ] as const)
    test(`${about}${how}`, async () => {
      const root = newFolder();
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(resolve(root, path)), { recursive: true });
        writeFileSync(resolve(root, path), written(text));
      }
      const seen = await screened(root);
      expect(seen).toEqual(expect.arrayContaining(read));
      for (const file of not) expect(seen).not.toContain(file);
    });

// Where there is no room for all, what is found hangs on which files were read.
test('what arguments decide is decided of as many routines as a large product has', async () => {
  const saves = Array.from(
    { length: 2_500 },
    (_, i) => `
def save_${i}(order, alone=True):
    if alone:
        with transaction.atomic():
            order.save()

@transaction.atomic
def all_${i}(orders):
    for order in orders:
        save_${i}(order, alone=False)
`,
  );
  const root = newFolder();
  writeFileSync(resolve(root, 'shop.py'), `from django.db import transaction\n${saves.join('')}`);
  const { units } = await load([root], loader, { root, cwd: root, threads: 1 });
  expect(analyse(units).findings.filter(({ rule }) => rule === 'subtransaction-in-loop')).toEqual([]);
});
