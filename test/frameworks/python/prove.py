"""Runs snippets of the framework pages and says what the server saw; it knows nothing of the analyser.

Standard input: {"socket": folder, "log": file, "snippets": [{"title", "code", "files"}]}; standard output: one line of JSON each.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import re
import sys
import tempfile
import time
import types

import psycopg

job = json.load(sys.stdin)
os.environ.update(PGHOST=job["socket"], PGUSER="postgres", PGDATABASE="shop")
URL = f"postgresql://postgres@/shop?host={job['socket']}"
os.environ["DATABASE_URL"] = URL
SEEN = re.compile(r"(?:statement|execute [^:]*): *(SAVEPOINT|RELEASE|ROLLBACK TO)\b", re.I)


def django_shop():
    import django
    from django.conf import settings
    from django.db import models

    database = {"ENGINE": "django.db.backends.postgresql", "NAME": "shop", "HOST": job["socket"], "USER": "postgres"}
    # Those that a snippet asks for by its own requirements.
    beside = [app for app in ("guardian", "import_export", "reversion") if importlib.util.find_spec(app)]
    settings.configure(
        DATABASES={"default": database},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        CACHES={"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "cached"}},
        INSTALLED_APPS=[f"django.contrib.{app}" for app in ("admin", "auth", "contenttypes", "messages", "sessions")] + beside,
        SECRET_KEY="secret",
        USE_TZ=True,
    )
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    meta = type("Meta", (), {"app_label": "shop", "db_table": "item", "managed": False})
    fields = {"__module__": "shop.models", "Meta": meta, "name": models.TextField(null=True), "price": models.IntegerField(null=True)}
    item = type("Item", (models.Model,), fields)
    sys.modules["shop"] = types.ModuleType("shop")
    sys.modules["shop.models"] = types.ModuleType("shop.models")
    sys.modules["shop.models"].Item = item
    return item


def sqlalchemy_shop():
    from sqlalchemy import create_engine, text
    from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

    class Base(DeclarativeBase):
        pass

    class Item(Base):
        __tablename__ = "item"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str | None]

    engine = create_engine(URL.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as warm:
        warm.execute(text("SELECT 1"))
    return Item, engine


def pony_shop():
    from pony.orm import Database, Optional, PrimaryKey

    db = Database(provider="postgres", host=job["socket"], user="postgres", database="shop")
    fields = {"_table_": "item", "id": PrimaryKey(int, auto=True), "name": Optional(str)}
    item = type("Item", (db.Entity,), fields)
    db.generate_mapping(check_tables=False)
    return item


def busy_connection():
    """One that has a transaction open."""
    conn = psycopg.connect(URL)
    conn.execute("SELECT 1")
    return conn


class Runner:
    def __init__(self):
        self.django = self.alchemy = None
        self.control = psycopg.connect(URL, autocommit=True)
        self.turn = 0

    def mark(self, word):
        """Where the log stands now: the server's collector writes it a moment later."""
        mark = f"{word} of {self.turn} of {os.getpid()}"
        self.control.execute(f"SELECT '{mark}'")
        for _ in range(500):
            with open(job["log"]) as log:
                at = log.read().find(mark)
            if at >= 0:
                return at
            time.sleep(0.01)
        raise TimeoutError(mark)

    def names(self, code):
        if "django" in code:
            self.django = self.django or django_shop()
            return {"Item": self.django, "item": self.django(name="x")}, {}
        if "sqlalchemy" in code:
            from sqlalchemy.orm import Session

            self.alchemy = self.alchemy or sqlalchemy_shop()
            item, engine = self.alchemy
            sys.modules["shop_alchemy"] = types.ModuleType("shop_alchemy")
            sys.modules["shop_alchemy"].Item = item
            return {"Item": item}, {"engine": engine, "session": Session(engine), "conn": engine.connect()}
        if "pony" in code:
            return {"Item": pony_shop()}, {}
        if "TypeInfo" in code:
            return {}, {"conn": busy_connection()}
        if "tortoise" in code:
            from tortoise import fields, models

            meta = type("Meta", (), {"table": "item"})
            made = {"__module__": "shop_tortoise", "Meta": meta, "id": fields.IntField(primary_key=True), "name": fields.TextField(null=True)}
            item = type("Item", (models.Model,), made)
            sys.modules["shop_tortoise"] = types.ModuleType("shop_tortoise")
            sys.modules["shop_tortoise"].Item = item
            return {"Item": item}, {}
        return {"names": lambda: ["a", "b"]}, {"dsn": URL}

    def run(self, code, files):
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        scope, given = self.names(code)
        exec(compile(code, "snippet", "exec"), scope)
        if "peewee" in code and "Item" not in scope:
            import peewee

            meta = type("Meta", (), {"database": scope["db"], "table_name": "item"})
            scope["Item"] = type("Item", (peewee.Model,), {"Meta": meta, "name": peewee.TextField(null=True)})
        run = scope["run"]
        values = [given[name] for name in inspect.signature(run).parameters]
        self.turn += 1
        self.control.execute("TRUNCATE item")
        start = self.mark("start")
        if inspect.iscoroutinefunction(run):
            asyncio.run(self.within_tortoise(run, values) if "tortoise" in code else run(*values))
        else:
            run(*values)
        self.close(code, scope)
        end = self.mark("end")
        with open(job["log"]) as log:
            seen = [match.upper() for match in SEEN.findall(log.read()[start:end])]
        counts = {"SAVEPOINT": seen.count("SAVEPOINT"), "RELEASE": seen.count("RELEASE"), "ROLLBACK TO": seen.count("ROLLBACK TO")}
        return counts, self.control.execute("SELECT name, price FROM item ORDER BY name, price").fetchall()

    async def within_tortoise(self, run, values):
        from tortoise import Tortoise

        await Tortoise.init(db_url=f"asyncpg://postgres@/shop?host={job['socket']}", modules={"models": ["shop_tortoise"]})
        try:
            await run(*values)
        finally:
            await Tortoise.close_connections()

    def close(self, code, scope):
        if "django" in code:
            from django.db import connection

            connection.close()
        if "db" in scope and hasattr(scope["db"], "close"):
            scope["db"].close()


runner = Runner()
for snippet in job["snippets"]:
    try:
        seen, rows = runner.run(snippet["code"], snippet.get("files", {}))
        print(json.dumps({"title": snippet["title"], "seen": seen, "rows": rows}), flush=True)
    except Exception as error:  # what a snippet raises is said, and the next one runs
        print(json.dumps({"title": snippet["title"], "error": f"{type(error).__name__}: {error}"}), flush=True)
