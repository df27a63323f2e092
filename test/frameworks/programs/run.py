"""Runs generated programs on the real framework and says what was sent to the server, and from which lines.

Each line of standard input is {"id", "files"}, each line of standard output the events of one; it knows nothing of the
analyser. The first line is {"socket", "probe", "framework"}.
"""

import importlib.abc
import importlib.machinery
import json
import os
import re
import sys
import weakref

os.environ["PSYCOPG_IMPL"] = "python"  # whose calls can be watched
import psycopg
from psycopg.pq import TransactionStatus, pq_ctypes

job = json.loads(sys.stdin.readline())
WORDS = re.compile(r"\s*(BEGIN|COMMIT|ROLLBACK TO|ROLLBACK|SAVEPOINT|RELEASE)\b(?: SAVEPOINT)?\s*(\S*)", re.I)


class Programs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a program in memory; those of the last one are forgotten, but for models and engines."""

    files: dict = {}

    def begin(self, files):
        self.files = files
        kept = ("app.models", "app.db")
        for name in [name for name in sys.modules if name.startswith("app.") and name not in kept]:
            del sys.modules[name]
            delattr(sys.modules["app"], name[4:])

    def find_spec(self, name, path=None, target=None):
        file = name.replace(".", "/") + ".py"
        if name != "app" and file not in self.files:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=name == "app", origin=file)
        if name == "app":
            spec.submodule_search_locations = ["app"]
        return spec

    def exec_module(self, module):
        if module.__name__ != "app":
            file = module.__spec__.origin
            module.__file__ = file
            exec(compile(self.files[file], file, "exec"), module.__dict__)


    def line(self, file, number):
        return self.files[file].split("\n")[number - 1].strip() if file in self.files else ""


class Watch:
    def __init__(self):
        self.events, self.lines, self.control, self.deaf = [], set(), None, False
        self.opening = None  # where the one that is sent now was asked for

    def stack(self):
        """Lines of the program, innermost first; a decorated function that is not entered yet stands with its own line."""
        found, frame = [], sys._getframe(1)
        while frame:
            file = frame.f_code.co_filename
            if file.startswith("app/"):
                found.append(f"{file}:{frame.f_lineno}")
            elif file.endswith("contextlib.py") and "func" in frame.f_locals and not found:
                code = getattr(frame.f_locals["func"], "__code__", None)
                if code and programs.line(code.co_filename, code.co_firstlineno).startswith("@"):
                    found.append(f"{code.co_filename}:{code.co_firstlineno}")
            frame = frame.f_back
        return found

    def note(self, event, **more):
        if not self.deaf:
            self.events.append({"do": event, "at": self.opening or self.stack(), **more})

    def sent(self, connection, query):
        if self.deaf:
            return
        found = WORDS.match(query.decode())
        word = found[1].upper() if found else ""
        idle = connection.transaction_status == TransactionStatus.IDLE
        if word == "BEGIN" or (word in ("COMMIT", "ROLLBACK", "ROLLBACK TO") and not idle):
            self.look(connection.backend_pid)
        if word:
            self.note(word, name=found[2].strip('"'), pid=connection.backend_pid)
        elif idle:
            self.note("statement", pid=connection.backend_pid)

    def look(self, pid):
        self.deaf = True
        try:
            slots, overflowed, locks, multi = self.control.execute(job["probe"].replace("PID", str(pid))).fetchone()
        finally:
            self.deaf = False
        self.events.append({"do": "look", "at": [], "pid": pid, "slots": slots, "overflowed": overflowed, "locks": locks, "multi": multi})

    def trace(self, frame, event, _):
        if not frame.f_code.co_filename.startswith("app/"):
            return None
        self.lines.add(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return self.trace


watch = Watch()
programs = Programs()
sys.meta_path.insert(0, programs)

for method in ("send_query", "send_query_params", "send_query_prepared"):

    def watched(real):
        def send(self, command, *args, **named):
            watch.sent(self, command)
            return real(self, command, *args, **named)

        return send

    setattr(pq_ctypes.PGconn, method, watched(getattr(pq_ctypes.PGconn, method)))

prepare = pq_ctypes.PGconn.send_prepare


def prepared(self, name, command, *args, **named):
    watch.sent(self, command)  # what begins a pipeline
    return prepare(self, name, command, *args, **named)


pq_ctypes.PGconn.send_prepare = prepared

init = psycopg.Connection.__init__


def connected(self, *args, **named):
    init(self, *args, **named)
    self.prepare_threshold = None
    mine = weakref.proxy(self)
    self.add_notice_handler(lambda notice: watch.note("BLOCK", pid=mine.info.backend_pid) if notice.message_primary == "block" else None)


psycopg.Connection.__init__ = connected


def django_program(files):
    from django.db import connections

    import app.run

    try:
        app.run.run()
    finally:
        for alias in connections:
            connections[alias].close()


def django_setup(files):
    import django
    from django.conf import settings
    from django.db import transaction

    database = {"ENGINE": "django.db.backends.postgresql", "NAME": "shop", "HOST": job["socket"], "USER": "postgres"}
    settings.configure(
        DATABASES={"default": database, "other": database.copy()},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=["app"],
        USE_TZ=True,
    )
    django.setup()
    enter = transaction.Atomic.__enter__

    def entered(self):
        connection = transaction.get_connection(self.using)
        outermost = not connection.in_atomic_block
        enter(self)
        if outermost:
            watch.note("begin", pid=connection.connection.info.backend_pid)

    transaction.Atomic.__enter__ = entered
    return django_program


def sqlalchemy_program(files):
    from sqlalchemy.orm import close_all_sessions

    import app.run
    from app.db import engine

    try:
        app.run.run()
    finally:
        close_all_sessions()
        engine.dispose()


def sqlalchemy_setup(files):
    from sqlalchemy import event
    from sqlalchemy.engine import Connection
    from sqlalchemy.orm.session import Session, SessionTransaction, SessionTransactionOrigin

    from app.db import engine

    with engine.connect():  # the first one asks the server what it is
        pass

    # A session asks for a connection, and for a savepoint, with the first statement inside.
    making, binding, beginning = SessionTransaction.__init__, SessionTransaction._connection_for_bind, Connection._autobegin
    by_itself, asking = [False], Session.begin

    def begun(connection):
        if not by_itself[-1]:
            watch.note("begin", pid=connection.connection.dbapi_connection.info.backend_pid)

    def autobegun(self):
        by_itself.append(True)
        try:
            return beginning(self)
        finally:
            by_itself.pop()

    def asked(self, nested=False):
        by_itself.append(nested)
        try:
            return asking(self, nested=nested)
        finally:
            by_itself.pop()

    def made(self, *args, **named):
        making(self, *args, **named)
        self.asked_at = watch.stack()
        self.begun_by_itself = by_itself[-1] or self.origin is SessionTransactionOrigin.AUTOBEGIN

    def bound(self, *args, **named):
        outer, watch.opening = watch.opening, self.asked_at
        by_itself.append(self.begun_by_itself)
        try:
            return binding(self, *args, **named)
        finally:
            by_itself.pop()
            watch.opening = outer

    event.listen(engine, "begin", begun)
    Connection._autobegin, Session.begin = autobegun, asked
    SessionTransaction.__init__, SessionTransaction._connection_for_bind = made, bound
    return sqlalchemy_program


core_setup = sqlalchemy_setup


def psycopg_program(files):
    import app.run

    app.run.run()


def psycopg_setup(files):
    enter = psycopg.Transaction._enter_gen

    def entered(self):
        if self.pgconn.transaction_status == TransactionStatus.IDLE:
            watch.note("begin", pid=self.pgconn.backend_pid)
        return enter(self)

    psycopg.Transaction._enter_gen = entered
    return psycopg_program


def main():
    watch.control = psycopg.connect(host=job["socket"], user="postgres", dbname="shop", autocommit=True)
    os.environ.update(PGHOST=job["socket"], PGUSER="postgres", PGDATABASE="shop", PGOPTIONS="-c lock_timeout=100")
    run = None
    for line in sys.stdin:
        program = json.loads(line)
        programs.begin(program["files"])
        if run is None:
            run = globals()[job["framework"] + "_setup"](program["files"])
        watch.deaf = True
        watch.control.execute(job["reset"])
        watch.deaf = False
        watch.events, watch.lines, error = [], set(), None
        sys.settrace(watch.trace)
        try:
            run(program["files"])
        except BaseException as caught:  # what a program raises is said, and the next one runs
            error = f"{type(caught).__name__}: {caught}"
        finally:
            sys.settrace(None)
        print(json.dumps({"id": program["id"], "events": watch.events, "lines": sorted(watch.lines), "error": error}), flush=True)


main()
