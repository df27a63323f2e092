// How programs with SQLAlchemy are written: with a session that is handed on, and with a connection.
import { block, type Dialect, loose } from './dialect.ts';
import { pick } from './spelling.ts';

const around = (head: string) => (body: string[]) => block(head, body);

const MODELS = `from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "item"

    id: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(default=0)


class Fired(Base):
    __tablename__ = "fired"

    id: Mapped[int] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(default=0)


class Tag(Base):
    __tablename__ = "tag"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    n: Mapped[int] = mapped_column(default=0)
`;

const DB = `from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

engine = create_engine("postgresql+psycopg://")
SessionLocal = sessionmaker(bind=engine)
`;

const KNOWN = `from sqlalchemy import func, select

from app.db import SessionLocal
from app.models import Item


def count():
    with SessionLocal() as session:
        return session.scalar(select(func.count()).select_from(Item))
`;

const GUARDED = `from contextlib import contextmanager
from functools import wraps

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from app.db import SessionLocal, engine


@contextmanager
def guarded(session: Session):
    with session.begin_nested():
        yield


@contextmanager
def guarded_connection(conn: Connection):
    with conn.begin_nested():
        yield


def nested(work):
    @wraps(work)
    def around(session: Session, *args, **named):
        with session.begin_nested():
            return work(session, *args, **named)

    return around


def nested_connection(work):
    @wraps(work)
    def around(conn: Connection, *args, **named):
        with conn.begin_nested():
            return work(conn, *args, **named)

    return around


@contextmanager
def session_scope():
    session = SessionLocal()
    try:
        yield session
        session.commit()
    except Exception:
        session.rollback()
        raise
    finally:
        session.close()
`;

const FILES = { 'app/models.py': MODELS, 'app/db.py': DB, 'app/known.py': KNOWN, 'app/guarded.py': GUARDED };
const IMPORTS = [
  'from sqlalchemy import Connection, func, insert, select, text, update',
  'from sqlalchemy.dialects.postgresql import insert as upsert',
  'from sqlalchemy.exc import IntegrityError',
  'from sqlalchemy.orm import Session',
  'from app.db import SessionLocal, engine',
  'from app.guarded import guarded, guarded_connection, nested, nested_connection, session_scope',
  'from app.models import Fired, Item, Tag',
];
const series = (table: string, rows: number) =>
  `text("INSERT INTO ${table} (n) SELECT 1 FROM generate_series(1, ${rows})")`;

/** What a session and a connection execute in the same words. */
function executed(on: string, model: string, rows: number): string[][] {
  const table = model.toLowerCase();
  if (rows > 1)
    return [
      [`${on}.execute(insert(${model}), [{"n": k} for k in range(${rows})])`],
      [`${on}.execute(${series(table, rows)})`],
      block(`for k in range(${rows}):`, [`${on}.execute(insert(${model}).values(n=k))`]),
      [`rows = [{"n": k} for k in range(${rows})]`, `${on}.execute(insert(${model}).values(rows))`],
    ];
  return [
    [`${on}.execute(insert(${model}).values(n=1))`],
    [`${on}.execute(update(${model}).where(${model}.id == 1).values(n=${model}.n + 1))`],
    [`${on}.execute(text("INSERT INTO ${table} (n) VALUES (1)"))`],
    [
      `changing = update(${model}).where(${model}.id == 1)`,
      `${on}.execute(changing.values(n=${model}.n + 1))`,
    ],
  ];
}

/** Scopes and savepoints that both have. */
function shared(on: string, helper: string): Dialect['scopes'] {
  return [
    around(`with ${on}.begin_nested():`),
    around(`with ${helper}(${on}):`),
    (body, name) => {
      const held = name('held');
      return [`${held} = ${on}.begin_nested()`, ...block(`with ${held}:`, body)];
    },
    (body, name) => {
      const held = name('part');
      return [`${held} = ${on}.begin_nested()`, ...body, `${held}.commit()`];
    },
    around(`with ${on}.begin_nested(), suppress(ValueError):`),
    around(`with suppress(ValueError), ${on}.begin_nested():`),
    (body) => block('with ExitStack() as stack:', [`stack.enter_context(${on}.begin_nested())`, ...body]),
    around(`with ${on}.begin_nested() as level:`),
  ];
}

const byHand =
  (on: string): Dialect['savepoint'] =>
  (how, name) =>
    how % 2 === 0
      ? {
          open: `${name} = ${on}.begin_nested()`,
          release: `${name}.commit()`,
          // Its rollback() leaves the level open: what is written then is not counted with it.
          back: `${name}.commit()`,
          both: [`${name}.commit()`],
        }
      : {
          open: `${on}.execute(text("SAVEPOINT ${name}"))`,
          release: `${on}.execute(text("RELEASE SAVEPOINT ${name}"))`,
          back: `${on}.execute(text("ROLLBACK TO SAVEPOINT ${name}"))`,
        };

export const session: Dialect = {
  imports: IMPORTS,
  files: FILES,
  takes: { parameter: 'session: Session', argument: 'session' },
  read: 'session.scalars(select(Item)).first()',
  write(how, fires, rows) {
    const model = fires ? 'Fired' : 'Item';
    const flush = 'session.flush()';
    const many = [
      [`session.add_all([${model}(n=k) for k in range(${rows})])`, flush],
      block(`for k in range(${rows}):`, [`session.add(${model}(n=k))`, flush]),
      [...block(`for k in range(${rows}):`, [`session.add(${model}(n=k))`]), flush],
      [`session.bulk_save_objects([${model}(n=k) for k in range(${rows})])`],
    ];
    const locked = `select(${model}).where(${model}.id == 1).with_for_update()`;
    const changed = [`session.execute(update(${model}).where(${model}.id == 1).values(n=3))`];
    const one = [
      [`session.add(${model}(n=1))`, flush],
      [`session.add(${model}(n=1))`],
      // Not what sets an attribute of what it has loaded: that no call writes is known (fixtures/frameworks/sqlalchemy.md).
      [`found = session.scalars(${locked}).one()`, ...changed],
      [`found = session.execute(${locked}).scalar_one()`, ...changed],
      [`found = session.query(${model}).filter_by(id=1).with_for_update().one()`, ...changed],
      [`session.query(${model}).filter(${model}.id == 1).update({"n": ${model}.n + 1})`],
    ];
    return pick([...(rows > 1 ? many : one), ...executed('session', model, rows)], how);
  },
  find(how, hits) {
    const named = hits ? '"known"' : 'str(uuid4())';
    return pick(
      [
        [
          ...block('try:', block('with session.begin_nested():', [`session.add(Tag(name=${named}))`])),
          ...block('except IntegrityError:', ['pass']),
        ],
        [
          ...block(
            'try:',
            block('with session.begin_nested():', [`session.execute(insert(Tag).values(name=${named}))`]),
          ),
          ...block('except IntegrityError:', [
            'session.execute(update(Tag).where(Tag.name == "known").values(n=2))',
          ]),
        ],
        [`session.execute(upsert(Tag).values(name=${named}).on_conflict_do_nothing())`],
      ],
      how,
    );
  },
  level: (on) => `${on}.begin_nested()`,
  levels: ['from sqlalchemy.orm import Session'],
  scopes: [
    ...shared('session', 'guarded'),
    around('with session.begin(nested=True):'),
    (body, name) => {
      if (!loose(body)) return block('with session.begin_nested():', body);
      const f = name('apart');
      return [
        ...block(`def ${f}(session: Session):`, body),
        ...block('with SessionLocal.begin() as other:', [`${f}(other)`]),
      ];
    },
  ],
  outermost: (body) => [...body, 'session.commit()'],
  decorators: { functions: ['@nested'], all: [] },
  savepoint: byHand('session'),
  failure: 'session.execute(text("INSERT INTO item (id) VALUES (1)"))',
  run(body, how) {
    const ways = [
      () => block('with SessionLocal() as session:', [...body, 'session.commit()']),
      () => block('with session_scope() as session:', body),
      () => [
        'session = SessionLocal()',
        ...block('try:', [...body, 'session.commit()']),
        ...block('except Exception:', ['session.rollback()', 'raise']),
        ...block('finally:', ['session.close()']),
      ],
      () => block('with SessionLocal.begin() as session:', body),
      () => block('with Session(engine) as session, session.begin():', body),
      () => block('with Session(engine) as session:', block('with session.begin():', body)),
    ];
    // What a `with` has begun, nothing else may commit.
    return pick(body.some((line) => line.includes('session.commit()')) ? ways.slice(0, 3) : ways, how)();
  },
};

export const core: Dialect = {
  ...session,
  takes: { parameter: 'conn: Connection', argument: 'conn' },
  read: 'conn.execute(select(Item.id)).first()',
  write(how, fires, rows) {
    const model = fires ? 'Fired' : 'Item';
    const locked = `conn.execute(select(${model}.n).where(${model}.id == 1).with_for_update())`;
    const own = [
      [
        `found = ${locked}.scalar_one()`,
        `conn.execute(update(${model}).where(${model}.id == 1).values(n=found + 1))`,
      ],
      [`conn.exec_driver_sql("INSERT INTO ${model.toLowerCase()} (n) VALUES (1)")`],
    ];
    return pick([...(rows > 1 ? [] : own), ...executed('conn', model, rows)], how);
  },
  find(how, hits) {
    const named = hits ? '"known"' : 'str(uuid4())';
    const insert = `conn.execute(insert(Tag).values(name=${named}))`;
    return pick(
      [
        [
          ...block('try:', block('with conn.begin_nested():', [insert])),
          ...block('except IntegrityError:', ['pass']),
        ],
        [`conn.execute(upsert(Tag).values(name=${named}).on_conflict_do_nothing())`],
      ],
      how,
    );
  },
  levels: ['from sqlalchemy import Connection'],
  scopes: [
    ...shared('conn', 'guarded_connection'),
    (body, name) => {
      if (!loose(body)) return block('with conn.begin_nested():', body);
      const f = name('apart');
      return [
        ...block(`def ${f}(conn: Connection):`, body),
        ...block('with engine.begin() as other:', [`${f}(other)`]),
      ];
    },
  ],
  outermost: (body) => [...body, 'conn.commit()'],
  decorators: { functions: ['@nested_connection'], all: [] },
  savepoint: byHand('conn'),
  failure: 'conn.execute(text("INSERT INTO item (id) VALUES (1)"))',
  run(body, how) {
    const ways = [
      () => block('with engine.connect() as conn:', [...body, 'conn.commit()']),
      () => [
        'conn = engine.connect()',
        ...block('try:', [...body, 'conn.commit()']),
        ...block('finally:', ['conn.close()']),
      ],
      () => block('with engine.begin() as conn:', body),
      () => block('with engine.connect() as conn, conn.begin():', body),
      () => block('with engine.connect() as conn:', block('with conn.begin():', body)),
    ];
    return pick(body.some((line) => line.includes('conn.commit()')) ? ways.slice(0, 2) : ways, how)();
  },
};
