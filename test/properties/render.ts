// The SQL of a random program: valid, bounded in what it costs, and the same for the analysis and for the server but for probes.
import type { Program, Routine, Rows, Stmt, Transaction, Trigger } from './program.ts';
import { pythonBody } from './render-python.ts';
import { ANYWHERE, OBJECTS } from './shapes.ts';

/** Stands behind every write; the server's text asks there how many slots are taken, the analysed text does not. */
const PROBE = ' /*probe*/';
const LAST = "INSERT INTO log (what) VALUES ('last');";
/** More writes than this in one call of anything, and its loops are cut short. */
const MOST = 700;

export const TABLES = `
CREATE TABLE log (what text);
CREATE SEQUENCE ids START 100;
CREATE TABLE t0 (id int PRIMARY KEY DEFAULT nextval('ids'), n int, m int);
CREATE TABLE t1 (id int PRIMARY KEY DEFAULT nextval('ids'), n int, m int);
CREATE VIEW v0 AS SELECT id, n, m FROM t0;
CREATE VIEW v1 AS SELECT * FROM t1;
CREATE TABLE acc (id int PRIMARY KEY, n int NOT NULL DEFAULT 0) WITH (fillfactor = 10);
CREATE TABLE child (acc int REFERENCES acc (id));
CREATE TABLE src (id int);
CREATE FUNCTION noted(v int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log (what) VALUES ('noted');${PROBE}
  RETURN v;
EXCEPTION WHEN raise_exception THEN RETURN 0;
END $$;
CREATE FUNCTION steady(v int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN noted(v); END $$;
CREATE FUNCTION noting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM noted(1); RETURN NEW; END $$;
CREATE FUNCTION listed(k int) RETURNS SETOF int LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT noted(g) FROM generate_series(1, k) AS g;
END $$;
CREATE FUNCTION strictly(v int) RETURNS int STRICT LANGUAGE plpgsql AS $$ BEGIN RETURN noted(v); END $$;
CREATE FUNCTION commented() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM noted(1); END $$;
CREATE EVENT TRIGGER commented ON ddl_command_end WHEN TAG IN ('COMMENT') EXECUTE FUNCTION commented();
CREATE DOMAIN small AS int CHECK (noted(VALUE) > 0);
CREATE TABLE defaulted (n int, d int DEFAULT noted(1));
CREATE TABLE checked (n int CHECK (noted(n) > 0));
CREATE TABLE computed (n int, d int GENERATED ALWAYS AS (steady(n)) STORED);
CREATE TABLE domained (n small);
CREATE TABLE parted (n int) PARTITION BY RANGE (n);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (10);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (10) TO (1000);
CREATE TRIGGER noting AFTER INSERT ON parted FOR EACH ROW EXECUTE FUNCTION noting();
CREATE VIEW through AS SELECT n FROM src AS s (n);
CREATE TRIGGER noting INSTEAD OF INSERT ON through FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE ruled (n int);
CREATE RULE noting AS ON INSERT TO ruled DO ALSO INSERT INTO defaulted (n) VALUES (NEW.n);
INSERT INTO src SELECT generate_series(1, 70);
INSERT INTO t0 (id, n, m) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
INSERT INTO t1 (id, n, m) VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
INSERT INTO acc (id) VALUES (1), (2), (3);
${OBJECTS}`;

interface Made {
  kind: Routine['kind'];
  cost: number;
  commits: boolean;
}

interface Place {
  kind: 'function' | 'procedure' | 'sql' | 'trigger' | 'do' | 'script';
  /** 0 may write log only, 1 also t1, 2 everything: so that triggers never fire themselves. */
  tier: number;
  /** Routines that may be called. */
  callable: number;
  returns: string;
  handlers: number;
  /** No transaction block is open around: a procedure that commits may be called. */
  alone?: boolean;
  /** It stands in the script's own file. */
  inScript?: boolean;
  loops: string[];
  /** Labels that EXIT may name. */
  labels: string[];
}

export interface Rendered {
  schema: string;
  /** Each a transaction: its statements. */
  script: string[][];
  /** It has statements that fail without saying so: what runs is less than what is written. */
  fails: boolean;
  /** Nothing stands under a condition, and every number of turns and rows is written. */
  straight: boolean;
  /** Before each COMMIT: everything that is open has a transaction ID, so that levels can be counted. */
  counted: boolean[];
}

export const unprobed = (text: string) => text.replaceAll(PROBE, '');
export const probed = (text: string) => text.replace(/( \/\*probe\*\/)/g, ' PERFORM probe();');

export function render(program: Program, python = false): Rendered {
  const made: Made[] = [];
  const triggerCost = [0, 0];
  let names = 0;
  let fails = false;
  let straight = true;
  let cost = 0;
  let commits = false;

  const costOfRow = (table: string) => 1 + (/^[tv][01]$/.test(table) ? triggerCost[Number(table[1])]! : 0);
  const tableFor = ({ table, view }: { table: number; view?: boolean }, { tier }: Place) =>
    tier === 0 ? 'log' : `${view ? 'v' : 't'}${tier === 1 ? 1 : table}`;
  const spend = (n: number) => {
    cost += n;
  };

  function insert(table: string, rows: Rows): string {
    const each = costOfRow(table);
    const n = rows.how === 'table' ? Math.min(rows.n, 70) : rows.n;
    const most = Math.max(1, Math.min(n, Math.floor(MOST / each)));
    spend(most * each);
    const [columns, values] = table === 'log' ? ['what', "'x'"] : ['n, m', '1, 1'];
    if (rows.how === 'values')
      return `INSERT INTO ${table} (${columns}) VALUES ${Array(Math.min(most, 13)).fill(`(${values})`).join(', ')};`;
    if (rows.how === 'table') straight = false;
    const from = rows.how === 'select' ? `generate_series(1, ${most})` : `src WHERE id <= ${most}`;
    return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${from};`;
  }

  /** What runs noted() for each row. */
  function into({ what, rows }: Extract<Stmt, { k: 'into' }>, at: Place): string {
    const n = Math.min(rows.n, 70);
    spend(n * 3);
    const select = at.kind === 'sql' || at.kind === 'script' ? 'SELECT' : 'PERFORM';
    if (what === 'listed') return `${select} count(*) FROM listed(${n});`;
    if (what === 'strict')
      return `${select} strictly(NULL${rows.how === 'table' ? '::int' : ''}) FROM generate_series(1, ${n}) AS g;`;
    // The trigger may be newer than a script in a file of its own, or not.
    if (what === 'commented')
      return at.kind === 'script' || at.inScript ? write(at) : "COMMENT ON TABLE src IS 'x';";
    if (rows.how === 'table') straight = false;
    const from =
      rows.how === 'table' ? `id FROM src WHERE id <= ${n}` : `g FROM generate_series(1, ${n}) AS g`;
    if (what === 'merged')
      return `MERGE INTO defaulted USING (SELECT ${from}) AS s (v) ON defaulted.n = -1 WHEN NOT MATCHED THEN INSERT (n) VALUES (s.v);`;
    if (rows.how === 'values')
      return `INSERT INTO ${what} (n) VALUES ${Array(Math.min(n, 13)).fill('(1)').join(', ')};`;
    return `INSERT INTO ${what} (n) SELECT ${from};`;
  }

  /** Where it stands nothing else does: what is written of it is in one text, and how often it runs is not asked. */
  function shape({ of, which, n }: Extract<Stmt, { k: 'shape' }>, at: Place): string | null {
    const text = ANYWHERE[of][which]!(n);
    // Of a statement by itself each call is taken to be a statement.
    if (at.alone) return null;
    if (/\bt1\b/.test(text) || (of === 'coded' && (at.kind === 'sql' || at.kind === 'script'))) return null;
    straight = false;
    spend(Math.max(n, 70) * 3);
    if (of !== 'asked') return of === 'whole' ? `${text};` : text;
    return `${at.kind === 'sql' || at.kind === 'script' ? 'SELECT' : 'PERFORM'} ${text};`;
  }

  const WHICH = { one: ' WHERE id = 1', all: '', none: ' WHERE id = -1' };

  /** A plain SQL statement, or null where it is none. */
  function plain(stmt: Stmt, at: Place): string | null {
    switch (stmt.k) {
      case 'write':
        spend(1);
        return "INSERT INTO log (what) VALUES ('x');";
      case 'insert':
        return insert(tableFor(stmt, at), stmt.rows);
      case 'update':
      case 'delete': {
        const table = tableFor(stmt, at);
        if (stmt.which !== 'none') straight = false;
        spend(costOfRow(table) * (stmt.which === 'all' ? 10 : 1));
        if (table === 'log')
          return `UPDATE log SET what = 'y'${stmt.which === 'none' ? ' WHERE false' : ''};`;
        return stmt.k === 'update'
          ? `UPDATE ${table} SET ${stmt.column} = ${stmt.column} + 1${WHICH[stmt.which]};`
          : `DELETE FROM ${table}${WHICH[stmt.which]};`;
      }
      case 'upsert': {
        const table = stmt.into === 'acc' || at.tier === 0 ? 'acc' : tableFor({ table: stmt.into }, at);
        spend(costOfRow(table));
        straight = false;
        const id = stmt.hits ? 2 : `(SELECT max(id) + 1 FROM ${table})`;
        const update = `UPDATE SET n = ${table}.n + 1${stmt.where ? ` WHERE ${table}.n % 2 = 0` : ''}`;
        return `INSERT INTO ${table} (id, n) VALUES (${id}, 0) ON CONFLICT (id) DO ${
          stmt.does === 'nothing' ? 'NOTHING' : update
        };`;
      }
      case 'into':
        return into(stmt, at);
      case 'shape':
        return shape(stmt, at);
      case 'child':
        spend(1);
        return 'INSERT INTO child (acc) VALUES (1);';
      case 'change':
        spend(1);
        return 'UPDATE acc SET n = n + 1 WHERE id = 1;';
      default:
        return null;
    }
  }

  function call(stmt: Extract<Stmt, { k: 'call' }>, at: Place): string {
    const to = made[stmt.to % Math.max(1, at.callable)];
    const name = `r${stmt.to % Math.max(1, at.callable)}`;
    if (!to || at.callable === 0) return write(at);
    if (to.kind === 'procedure') {
      if (at.kind === 'sql' || (to.commits && !at.alone && (at.kind !== 'procedure' || at.handlers > 0)))
        return write(at);
      if (to.commits) commits = true;
      spend(to.cost);
      return `CALL ${name}();`;
    }
    const most = Math.max(1, Math.min(stmt.n, Math.floor(MOST / Math.max(1, to.cost))));
    const select = at.kind === 'sql' || at.kind === 'script' ? 'SELECT' : 'PERFORM';
    switch (stmt.how) {
      case 'rows':
        spend(to.cost * most);
        return `${select} ${name}() FROM generate_series(1, ${most}) AS g;`;
      case 'table':
        straight = false;
        spend(to.cost * most);
        return `${select} ${name}() FROM src WHERE id <= ${most};`;
      case 'assign':
        spend(to.cost);
        return select === 'PERFORM' ? `x := ${name}();` : `SELECT ${name}();`;
      default:
        spend(to.cost);
        return `${select} ${name}();`;
    }
  }

  function write(at: Place): string {
    return withProbe(plain({ k: 'write' }, at)!, at);
  }
  const withProbe = (sql: string, at: Place) =>
    at.kind === 'script' || at.kind === 'sql' ? sql : sql + PROBE;

  function list(body: Stmt[], at: Place): string {
    return body.map((stmt) => one(stmt, at)).join('\n');
  }

  function one(stmt: Stmt, at: Place): string {
    const sql = plain(stmt, at);
    if (sql !== null) return withProbe(sql, at);
    switch (stmt.k) {
      case 'read':
        return at.kind === 'sql' || at.kind === 'script'
          ? 'SELECT count(*) FROM log;'
          : 'PERFORM count(*) FROM log;';
      case 'call':
        return call(stmt, at);
      case 'lock': {
        spend(1);
        const select = at.kind === 'sql' || at.kind === 'script' ? 'SELECT' : 'PERFORM';
        return withProbe(`${select} n FROM acc WHERE id = 1 FOR ${stmt.strength};`, at);
      }
      default:
        return at.kind === 'sql' || at.kind === 'script' ? write(at) : code(stmt, at);
    }
  }

  function code(stmt: Stmt, at: Place): string {
    switch (stmt.k) {
      case 'execute':
        spend(1);
        return `EXECUTE 'INSERT INTO log (what) VALUES (''x'')';${PROBE}`;
      case 'block': {
        const body = list(stmt.body, { ...at, handlers: at.handlers + 1 });
        const handler = stmt.handler === 'rethrow' ? 'RAISE;' : list(stmt.handler, at);
        return `BEGIN\n${body}\nEXCEPTION WHEN ${stmt.catches} THEN\n${handler || 'NULL;'}\nEND;`;
      }
      case 'labelled': {
        const label = `l${names++}`;
        return `<<${label}>>\nBEGIN\n${list(stmt.body, { ...at, labels: [...at.labels, label] })}\nEND;`;
      }
      case 'loop':
        return loop(stmt, at);
      case 'if': {
        straight = false;
        const otherwise = stmt.else ? `\nELSE\n${list(stmt.else, at)}` : '';
        return `IF ${stmt.when} THEN\n${list(stmt.then, at)}${otherwise}\nEND IF;`;
      }
      case 'fail': {
        if (at.handlers === 0) return write(at);
        straight = false;
        if (stmt.how === 'raise') return "RAISE EXCEPTION 'no';";
        fails = true;
        return stmt.how === 'divide' ? 'PERFORM 1 / 0;' : 'INSERT INTO acc (id) VALUES (3);';
      }
      case 'leave':
        return leave(stmt, at);
      case 'commit':
        if (at.kind !== 'procedure' || at.handlers > 0) return write(at);
        commits = true;
        return stmt.rollback ? 'ROLLBACK;' : 'COMMIT;';
      default:
        return 'NULL;';
    }
  }

  function leave(stmt: Extract<Stmt, { k: 'leave' }>, at: Place): string {
    if (stmt.when) straight = false;
    if (stmt.how === 'return')
      return stmt.when ? `IF ${stmt.when} THEN RETURN${at.returns}; END IF;` : `RETURN${at.returns};`;
    const when = stmt.when ? ` WHEN ${stmt.when}` : '';
    const among = stmt.how === 'exit' ? at.labels : at.loops;
    if (among.length === 0) return write(at);
    if (stmt.out === 0 && at.loops.length > 0) return `${stmt.how.toUpperCase()}${when};`;
    return `${stmt.how.toUpperCase()} ${among[Math.max(0, among.length - stmt.out)] ?? among.at(-1)}${when};`;
  }

  function loop(stmt: Extract<Stmt, { k: 'loop' }>, at: Place): string {
    const label = `l${names++}`;
    const before = cost;
    const body = list(stmt.body, { ...at, loops: [...at.loops, label], labels: [...at.labels, label] });
    const each = cost - before;
    const n = Math.max(Math.min(stmt.times, 1), Math.min(stmt.times, Math.floor(MOST / Math.max(1, each))));
    cost = before + each * n;
    // What a cursor locks may be there or not, and a COMMIT in the body closes it.
    const how = stmt.how === 'cursor' && at.kind === 'procedure' ? 'table' : stmt.how;
    if (how === 'table' || how === 'while' || how === 'exit when' || how === 'cursor') straight = false;
    const i = `i${names++}`;
    const count = `c := ${i}; `;
    const tag = `<<${label}>>\n`;
    switch (how) {
      case 'for':
        return `${tag}FOR ${i} IN 1..${n} LOOP ${count}\n${body}\nEND LOOP;`;
      case 'query':
        return `${tag}FOR c IN SELECT generate_series(1, ${n}) LOOP\n${body}\nEND LOOP;`;
      case 'table':
        return `${tag}FOR c IN SELECT id FROM src WHERE id <= ${n} LOOP\n${body}\nEND LOOP;`;
      case 'foreach':
        return n === 0 || n > 20
          ? `${tag}FOR ${i} IN 1..${n} LOOP ${count}\n${body}\nEND LOOP;`
          : `${tag}FOREACH c IN ARRAY ARRAY[${Array.from({ length: n }, (_, j) => j).join(', ')}] LOOP\n${body}\nEND LOOP;`;
      case 'dynamic':
        return `${tag}FOR c IN EXECUTE 'SELECT generate_series(1, ${n})' LOOP\n${body}\nEND LOOP;`;
      case 'while':
        return `DECLARE ${i} int := 0;\nBEGIN\n${tag}WHILE ${i} < ${n} LOOP ${i} := ${i} + 1; ${count}\n${body}\nEND LOOP;\nEND;`;
      case 'cursor': {
        const fetch = `FETCH u${i} INTO c; EXIT WHEN NOT FOUND;`;
        const open = `OPEN u${i} FOR SELECT id FROM acc WHERE id <= ${n} FOR UPDATE;`;
        const change = `UPDATE acc SET n = n + 1 WHERE CURRENT OF u${i};${PROBE}`;
        return `DECLARE u${i} refcursor;\nBEGIN\n${open}\n${tag}LOOP ${fetch}\n${change}\n${body}\nEND LOOP;\nEND;`;
      }
      case 'exit when':
        return `DECLARE ${i} int := 0;\nBEGIN\n${tag}LOOP EXIT WHEN ${i} >= ${n}; ${i} := ${i} + 1; ${count}\n${body}\nEND LOOP;\nEND;`;
    }
  }

  // ---- objects

  function routine(one: Routine, index: number): string {
    const kind = one.kind === 'python' ? 'function' : one.kind;
    cost = 0;
    commits = false;
    const at: Place = {
      kind, tier: Math.min(index, 2), callable: index, returns: kind === 'procedure' ? '' : ' 1', handlers: 0, loops: [], labels: [],
    }; // biome-ignore format: one place
    const name = `r${index}`;
    if (python && one.kind === 'python') return inPython(one, name, at);
    const body = list(one.body, at);
    if (kind === 'sql') {
      made.push({ kind, cost, commits: false });
      return `CREATE FUNCTION ${name}() RETURNS int LANGUAGE sql AS $$\n${body}\nSELECT 1;\n$$;`;
    }
    const depth = commits ? 0 : Math.min(one.recursion, Math.floor(MOST / Math.max(1, cost)));
    made.push({ kind, cost: cost * (depth + 1), commits });
    const parameters = depth > 0 ? `depth int DEFAULT ${depth}` : '';
    const self = kind === 'procedure' ? `CALL ${name}(depth - 1);` : `PERFORM ${name}(depth - 1);`;
    if (depth > 0) straight = false;
    const again = depth > 0 ? `\nIF depth > 0 THEN ${self} END IF;` : '';
    const head = kind === 'procedure' ? 'PROCEDURE' : 'FUNCTION';
    const returns = kind === 'procedure' ? '' : ' RETURNS int';
    return `CREATE ${head} ${name}(${parameters})${returns} LANGUAGE plpgsql AS $$\nDECLARE c int := 0; x int;\nBEGIN\n${body}${again}${
      kind === 'procedure' ? '' : '\nRETURN 0;'
    }\nEND $$;`;
  }

  function inPython({ body }: Routine, name: string, place: Place): string {
    const text = pythonBody(body, {
      sql: (stmt, handled) => one(stmt, { ...place, kind: 'sql', handlers: handled ? 1 : 0 }),
      turns(times, inner) {
        const before = cost;
        const turn = inner();
        const each = cost - before;
        const n = Math.min(times, Math.max(1, Math.floor(MOST / Math.max(1, each))));
        cost = before + each * n;
        return { n, body: turn };
      },
      failing(how) {
        fails = true;
        straight = false;
        return how === 'duplicate' ? 'INSERT INTO acc (id) VALUES (3)' : 'SELECT 1 / 0';
      },
    });
    made.push({ kind: 'function', cost, commits: false });
    return `CREATE FUNCTION ${name}() RETURNS int LANGUAGE plpython3u AS $$\n${text}\n$$;`;
  }

  function trigger(one: Trigger, index: number): string {
    const instead = one.timing === 'INSTEAD OF';
    const row = one.each === 'ROW' || instead;
    const deferred = one.deferred && one.timing === 'AFTER' && row;
    const over = one.over && one.timing === 'AFTER' && !row && one.verbs.length === 1 && !one.column;
    const kept = instead || (one.timing === 'BEFORE' && row);
    const result = kept && !one.skips ? ' COALESCE(NEW, OLD)' : ' NULL';
    if ((one.skips && kept) || over || one.outermost) straight = false;
    const tier = one.table === 1 ? 0 : 1;
    cost = 0;
    const at: Place = {
      kind: 'trigger', tier, callable: Math.min(made.length, tier + 1), returns: result, handlers: 0, loops: [], labels: [],
    }; // biome-ignore format: one place
    const all = list(one.body, at);
    const body = over ? `FOR c IN SELECT 1 FROM changed LOOP\n${all}\nEND LOOP;` : all;
    triggerCost[one.table]! += cost;
    const verbs = one.verbs.map((verb) =>
      verb === 'UPDATE' && one.column && !instead ? `UPDATE OF ${one.column}` : verb,
    );
    const onNew = one.when?.includes('NEW') && (!row || one.verbs.includes('DELETE'));
    const when = one.when && !onNew && !instead ? ` WHEN (${one.when})` : '';
    if (when) straight = false;
    const first = one.outermost ? `IF pg_trigger_depth() > 1 THEN RETURN${result}; END IF;\n` : '';
    const referencing = over
      ? ` REFERENCING ${one.verbs[0] === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed`
      : '';
    return [
      `CREATE FUNCTION g${index}() RETURNS trigger LANGUAGE plpgsql AS $$\nDECLARE c int := 0; x int;\nBEGIN\n${first}${body}\nRETURN${result};\nEND $$;`,
      `CREATE ${deferred ? 'CONSTRAINT ' : ''}TRIGGER g${index} ${one.timing} ${verbs.join(' OR ')} ON ${instead ? 'v' : 't'}${one.table}${
        deferred ? ' DEFERRABLE INITIALLY DEFERRED' : ''
      }${referencing} FOR EACH ${row ? 'ROW' : 'STATEMENT'}${when} EXECUTE FUNCTION g${index}();`,
    ].join('\n');
  }

  // ---- the script

  function transaction({ how, items }: Transaction): string[] {
    const out: string[] = how === 'block' ? ['BEGIN;'] : [];
    let open: string[] = [];
    for (const item of how === 'alone' ? items.slice(-1) : items) {
      const at: Place = {
        kind: 'script', tier: 2, callable: made.length, returns: '', handlers: how === 'block' ? 1 : 0, loops: [], labels: [],
      }; // biome-ignore format: one place
      switch (item.k) {
        case 'savepoint':
          if (how === 'alone') break;
          open.push(item.name);
          out.push(`SAVEPOINT ${item.name};`);
          break;
        case 'release':
        case 'rollback to': {
          const index = open.lastIndexOf(item.name);
          if (index < 0) break;
          open = open.slice(0, item.k === 'release' ? index : index + 1);
          out.push(`${item.k.toUpperCase()} ${item.name};`);
          break;
        }
        case 'do':
          out.push(
            `DO $$\nDECLARE c int := 0; x int;\nBEGIN\n${list(item.body, { ...at, kind: 'do', handlers: 0, inScript: true })}\nEND $$;`,
          );
          break;
        case 'plain':
          out.push(one(item.stmt, { ...at, alone: how === 'alone' }));
          break;
        case 'prepared': {
          const text = plain(item.stmt, at) ?? write(at);
          const name = `q${names++}`;
          // Which rows a call has is known where it runs, not where it is prepared.
          out.push(`PREPARE ${name} AS ${text.startsWith('COMMENT') ? write(at) : text}`);
          for (let i = 0; i < item.times; i++) out.push(`EXECUTE ${name};`);
          break;
        }
        case 'fetched': {
          if (how === 'alone') break;
          const name = `u${names++}`;
          spend(70);
          const order = item.sorted ? ' ORDER BY 1' : '';
          out.push(
            `DECLARE ${name} CURSOR FOR SELECT noted(g) FROM generate_series(1, 70) AS g${order};`,
            `FETCH ${item.some} FROM ${name};`,
          );
          if (item.more !== null) out.push(`MOVE FORWARD ${item.more} IN ${name};`);
          out.push(`CLOSE ${name};`);
          break;
        }
        case 'error':
          if (open.length === 0) break;
          fails = true;
          out.push('SELECT 1 / 0;', `ROLLBACK TO ${open.at(-1)};`);
      }
    }
    if (how === 'block') {
      // What is open gets a transaction ID now, so that the levels can be counted.
      if (items.length % 2 === 1) out.push(LAST);
      out.push('COMMIT;');
    }
    return out;
  }

  const triggers = program.triggers
    .map((each, i) => ({ each, i }))
    .sort((a, b) => b.each.table - a.each.table);
  // Triggers call what their tier may call: r0, and r1 for t0.
  const schema: string[] = [];
  const all = program.routines;
  schema.push(...all.slice(0, 1).map((each, i) => routine(each, i)));
  schema.push(...triggers.filter(({ each }) => each.table === 1).map(({ each, i }) => trigger(each, i)));
  schema.push(...all.slice(1, 2).map((each) => routine(each, 1)));
  schema.push(...triggers.filter(({ each }) => each.table === 0).map(({ each, i }) => trigger(each, i)));
  schema.push(...all.slice(2).map((each, i) => routine(each, i + 2)));
  const script = program.script.map(transaction).filter((statements) => statements.length > 0);
  const counted = script.map((statements) => statements.at(-2) === LAST);
  return { schema: schema.join('\n'), script, fails, straight, counted };
}
