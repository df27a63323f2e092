// Statements in which noted() runs once, never, for each row or until something has enough: SQL alone, not how often it is.

type Text = (n: number) => string;
const series: Text = (n) => `generate_series(1, ${n}) AS g`;

/** What may stand after SELECT, or after PERFORM. */
export const ASKED: Record<string, Text> = {
  'a LIMIT': (n) => `noted(g) FROM ${series(n)} LIMIT 3`,
  'FETCH FIRST': (n) => `noted(g) FROM ${series(n)} FETCH FIRST 2 ROWS ONLY`,
  'sorted, and a LIMIT': (n) => `noted(g) FROM ${series(n)} ORDER BY g LIMIT 3`,
  'sorted by it, and a LIMIT': (n) => `g FROM ${series(n)} ORDER BY noted(g) LIMIT 3`,
  'an OFFSET': (n) => `noted(g) FROM ${series(n)} OFFSET 60`,
  'in WHERE': (n) => `g FROM ${series(n)} WHERE noted(g) > 0`,
  'in WHERE, and a LIMIT': (n) => `g FROM ${series(n)} WHERE noted(g) > 0 LIMIT 2`,
  'in ORDER BY': (n) => `g FROM ${series(n)} ORDER BY noted(g)`,
  'in HAVING': (n) => `count(*) FROM ${series(n)} HAVING noted(1) > 0`,
  'in HAVING of groups': (n) => `count(*) FROM ${series(n)} GROUP BY g HAVING noted(1) > 0`,
  'in GROUP BY': (n) => `count(*) FROM ${series(n)} GROUP BY noted(g)`,
  'beside an aggregate': (n) => `noted(count(*)::int) FROM ${series(n)}`,
  'in an aggregate': (n) => `sum(noted(g)) FROM ${series(n)}`,
  'in FILTER': (n) => `count(*) FILTER (WHERE noted(g) > 0) FROM ${series(n)}`,
  'in EXISTS': (n) => `1 WHERE EXISTS (SELECT noted(g) FROM ${series(n)})`,
  'in WHERE of EXISTS': (n) => `1 WHERE EXISTS (SELECT 1 FROM ${series(n)} WHERE noted(g) > 0)`,
  'a scalar query': (n) => `(SELECT noted(1)) FROM ${series(n)}`,
  'a scalar query of the row': (n) => `(SELECT noted(g)) FROM ${series(n)}`,
  'a scalar query of a table and the row': (n) => `(SELECT noted(g) FROM src WHERE id = 1) FROM ${series(n)}`,
  'a scalar query in WHERE': (n) => `1 FROM ${series(n)} WHERE g > (SELECT noted(1))`,
  'a constant argument': (n) => `noted(1) FROM ${series(n)}`,
  'an arm of CASE that is never taken': (n) => `CASE WHEN g < 0 THEN noted(g) END FROM ${series(n)}`,
  'an arm of CASE of a constant': (n) => `CASE WHEN false THEN noted(g) END FROM ${series(n)}`,
  'the condition of CASE': (n) => `CASE WHEN noted(g) > 0 THEN 1 ELSE noted(g) END FROM ${series(n)}`,
  'the second of COALESCE': (n) => `COALESCE(g, noted(g)) FROM ${series(n)}`,
  'the first of COALESCE': (n) => `COALESCE(noted(g), 1) FROM ${series(n)}`,
  'after AND': (n) => `1 FROM ${series(n)} WHERE g < 0 AND noted(g) > 0`,
  'after OR': (n) => `1 FROM ${series(n)} WHERE g > 0 OR noted(g) > 0`,
  'WHERE false': (n) => `noted(g) FROM ${series(n)} WHERE false`,
  'WHERE of another': (n) => `noted(g) FROM ${series(n)} WHERE g > 1000`,
  'in IN': (n) => `1 WHERE 1 IN (SELECT noted(g) FROM ${series(n)})`,
  'in NOT IN': (n) => `1 WHERE 1 NOT IN (SELECT noted(g) FROM ${series(n)})`,
  'in an array of a query': (n) => `1 = ANY (ARRAY(SELECT noted(g) FROM ${series(n)}))`,
  'a function in FROM': () => '* FROM noted(1) AS v',
  LATERAL: (n) => `count(*) FROM ${series(n)}, LATERAL noted(g) AS v`,
  'no LATERAL': (n) => `count(*) FROM ${series(n)}, noted(1) AS v`,
  'a lateral query': (n) => `count(*) FROM ${series(n)} CROSS JOIN LATERAL (SELECT noted(g)) AS s (v)`,
  'a query whose column nobody asks for': (n) => `count(*) FROM (SELECT noted(g) AS v FROM ${series(n)}) AS s`,
  'a query with a LIMIT around': (n) => `v FROM (SELECT noted(g) AS v FROM ${series(n)}) AS s LIMIT 2`,
  'a CTE that nobody asks': (n) => `(WITH w AS (SELECT noted(g) AS v FROM ${series(n)}) SELECT 1)`,
  'a CTE': (n) => `(WITH w AS (SELECT noted(g) AS v FROM ${series(n)}) SELECT count(*) FROM w)`,
  'a CTE that is asked twice': (n) =>
    `(WITH w AS (SELECT noted(g) AS v FROM ${series(n)}) SELECT count(*) FROM w AS a JOIN w AS b USING (v))`,
  'a CTE of which one row is asked': (n) =>
    `(WITH w AS MATERIALIZED (SELECT noted(g) AS v FROM ${series(n)}) SELECT v FROM w LIMIT 1)`,
  'a recursive CTE': (n) =>
    `(WITH RECURSIVE w (i) AS (SELECT 1 UNION ALL SELECT noted(i + 1) FROM w WHERE i < ${n}) SELECT count(*) FROM w)`,
  'a JOIN': (n) => `count(*) FROM ${series(n)} JOIN generate_series(1, 2) AS b ON noted(g) = b`,
  'two lists': () => 'noted(a) FROM generate_series(1, 8) AS a, generate_series(1, 9) AS b',
  'UNION ALL': (n) => `noted(g) FROM ${series(n)} UNION ALL SELECT noted(1)`,
  UNION: (n) => `noted(g) FROM ${series(n)} UNION SELECT noted(1)`,
  VALUES: () => 'noted(v) FROM (VALUES (1), (2), (3)) AS t (v)',
  'a series in the list': (n) => `noted(generate_series(1, ${n}))`,
  'an array': () => 'noted(v) FROM unnest(ARRAY[1, 2, 3]) AS v',
  'an array of a cast': () => "noted(v) FROM unnest('{1,2,3}'::int[]) AS v",
  DISTINCT: (n) => `DISTINCT noted(g) FROM ${series(n)}`,
  'DISTINCT ON': (n) => `DISTINCT ON (g % 2) noted(g) FROM ${series(n)}`,
  'a window': (n) => `row_number() OVER (ORDER BY noted(g)) FROM ${series(n)}`,
  'a series with a step': (n) => `noted(g) FROM generate_series(1, ${n}, 2) AS g`,
  'a series downwards': (n) => `noted(g) FROM generate_series(${n}, 1) AS g`,
  'a series that goes downwards': (n) => `noted(g) FROM generate_series(${n}, 1, -1) AS g`,
  'a series from 0': (n) => `noted(g) FROM generate_series(0, ${n}) AS g`,
  'NULLIF and GREATEST': (n) => `GREATEST(NULLIF(noted(g), 0), 1) FROM ${series(n)}`,
  'an overload': (n) => `kind(g) FROM ${series(n)}`,
  'an overload for text': (n) => `kind(g::text) FROM ${series(n)}`,
  'an overload for a literal': (n) => `kind('a'::text) FROM ${series(n)}`,
  'an overload for numbers': (n) => `kind(1.5) FROM ${series(n)}`,
  'two calls': (n) => `noted(noted(g)) FROM ${series(n)}`,
  'rows of rows': (n) => `listed(3) FROM generate_series(1, ${Math.ceil(n / 3)}) AS g`,
  'rows in a scalar query': (n) => `(SELECT count(*) FROM listed(${n}))`,
  'rows of which one is asked': (n) => `* FROM listed(${n}) LIMIT 1`,
  'rows in the list of which one is asked': (n) => `listed(${n}) LIMIT 1`,
  'rows one by one': (n) => `count(*) FROM stepping(${n})`,
  'rows one by one up to a RETURN': (n) => `count(*) FROM stopping(${n})`,
  'rows of SQL of which one is asked': (n) => `plainly(${n}) LIMIT 1`,
  'rows of SQL': (n) => `count(*) FROM plainly(${n})`,
  'one row of SQL': (n) => `firstly(${n})`,
  'an atomic body': (n) => `atomically(g) FROM ${series(n)}`,
  'NULL for a strict one': (n) => `strictly(NULL) FROM ${series(n)}`,
  'a value for a strict one': (n) => `strictly(g) FROM ${series(n)}`,
}; // biome-ignore format: one a line

/** Statements that are whole. */
export const WHOLE: Record<string, Text> = {
  'RETURNING in a CTE': (n) =>
    `WITH w AS (INSERT INTO log (what) SELECT 'x' FROM ${series(n)} RETURNING noted(1) AS v) INSERT INTO log SELECT v::text FROM w WHERE v < 0`,
  'a CTE that writes and is not asked': (n) =>
    `WITH w AS (INSERT INTO defaulted (n) SELECT g FROM ${series(n)} RETURNING 1) INSERT INTO log SELECT 'x' WHERE false`,
  'a value that is given': (n) => `INSERT INTO defaulted (n, d) SELECT g, 1 FROM ${series(n)}`,
  'DEFAULT is given': () => 'INSERT INTO defaulted (n, d) VALUES (1, DEFAULT), (2, 5)',
  'DEFAULT VALUES': () => 'INSERT INTO defaulted DEFAULT VALUES',
  'SET DEFAULT': () => 'UPDATE seventy SET d = DEFAULT',
  'SET of it': () => 'UPDATE seventy SET n = noted(n)',
  'SET of a query': () => 'UPDATE seventy SET n = (SELECT noted(1))',
  'DELETE by it': () => 'DELETE FROM seventy WHERE noted(n) < 0',
  'USING': () => 'DELETE FROM seventy USING generate_series(1, 3) AS g WHERE noted(g) < 0',
  'UPDATE FROM': () => 'UPDATE seventy SET n = v FROM (SELECT noted(g) AS v FROM generate_series(1, 5) AS g) AS s WHERE seventy.n = s.v',
  'an upsert that hits': () => 'INSERT INTO acc (id) VALUES (1), (2), (3) ON CONFLICT (id) DO UPDATE SET n = noted(1)',
  'an upsert that does not hit': (n) => `INSERT INTO t1 (n, m) SELECT 1, 1 FROM ${series(n)} ON CONFLICT (id) DO UPDATE SET n = noted(1)`,
  'a cascade': () => 'DELETE FROM boss WHERE id = 1',
  'a cascade that finds nothing': () => 'DELETE FROM boss WHERE id = 2',
  'a cascade of SET NULL': () => 'DELETE FROM chief WHERE id = 1',
  'a cascade of updates': () => 'UPDATE boss SET id = 7 WHERE id = 1',
  'an update of a parent that moves no key': () => "UPDATE boss SET name = 'x' WHERE id = 1",
  'through a view': (n) => `INSERT INTO simple (n) SELECT g FROM ${series(n)}`,
  'through a view that checks': (n) => `INSERT INTO narrow (n) SELECT g FROM ${series(n)}`,
  'INSTEAD rule': (n) => `INSERT INTO instead (n) SELECT g FROM ${series(n)}`,
  'INSTEAD NOTHING': (n) => `INSERT INTO nothing (n) SELECT g FROM ${series(n)}`,
  'rows that move': () => 'UPDATE moving SET n = n + 100',
  'rows that stay': () => 'UPDATE moving SET m = 1',
  'MERGE that updates': (n) =>
    `MERGE INTO seventy USING (SELECT ${series(n).replace('generate_series', 'g FROM generate_series')}) AS s (v) ON seventy.n = s.v WHEN MATCHED THEN UPDATE SET n = noted(v)`,
  'MERGE that deletes': () =>
    'MERGE INTO watched USING src ON watched.n = src.id WHEN MATCHED THEN DELETE',
  'MERGE that does nothing': () =>
    'MERGE INTO watched USING src ON watched.n = src.id WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT (n) VALUES (1)',
  'MERGE with a condition': () =>
    'MERGE INTO watched USING src ON watched.n = src.id WHEN MATCHED AND noted(watched.n) < 0 THEN DELETE',
  'a trigger for deletes': () => 'DELETE FROM watched',
  'a trigger for inserts alone': (n) => `INSERT INTO watched (n) SELECT g FROM ${series(n)}`,
  'TRUNCATE': () => 'TRUNCATE watched',
  'a statement trigger': (n) => `INSERT INTO told (n) SELECT g FROM ${series(n)}`,
  'a statement trigger that goes through the rows': (n) => `INSERT INTO gone (n) SELECT g FROM ${series(n)}`,
  'a trigger of a column': () => 'UPDATE columned SET n = 1',
  'a trigger of another column': () => 'UPDATE columned SET m = 1',
  'a trigger that a BEFORE trigger keeps from firing': (n) => `INSERT INTO skipped (n) SELECT g FROM ${series(n)}`,
  'a trigger on a trigger': (n) => `INSERT INTO first (n) SELECT g FROM ${series(n)}`,
  'CREATE TABLE AS': (n) => `CREATE TEMP TABLE made ON COMMIT DROP AS SELECT noted(g) FROM ${series(n)}`,
  'CREATE TABLE AS without data': (n) => `CREATE TEMP TABLE made ON COMMIT DROP AS SELECT noted(g) FROM ${series(n)} WITH NO DATA`,
  'a column with a default': () => 'ALTER TABLE seventy ADD COLUMN z int DEFAULT noted(1)',
  'a check on rows that are there': () => 'ALTER TABLE seventy ADD CHECK (noted(n) > 0)',
  'a check that is not asked yet': () => 'ALTER TABLE seventy ADD CHECK (noted(n) > 0) NOT VALID',
  'a view is made': () => 'CREATE VIEW pg_temp.seen AS SELECT noted(n) FROM seventy',
  'EXPLAIN': (n) => `EXPLAIN SELECT noted(g) FROM ${series(n)}`,
  'EXPLAIN ANALYZE': (n) => `EXPLAIN ANALYZE SELECT noted(g) FROM ${series(n)}`,
}; // biome-ignore format: one a line

/** What PL/pgSQL says besides, `x` is an integer of its own. */
export const CODED: Record<string, Text> = {
  'SELECT INTO': (n) => `SELECT noted(g) INTO x FROM ${series(n)};`,
  'EXECUTE INTO': (n) => `EXECUTE 'SELECT noted(g) FROM ${series(n)}' INTO x;`,
  'EXECUTE USING': (n) => `EXECUTE 'SELECT noted($1) FROM generate_series(1, $2) AS g' USING 1, ${n};`,
  'EXECUTE format': (n) => `EXECUTE format('SELECT %I(%L::int) FROM ${series(n)}', 'noted', '1');`,
  'EXECUTE of a DO': () => "EXECUTE 'DO $d$ BEGIN PERFORM noted(1); END $d$';",
  'an assignment from a query': (n) => `x := noted(g) FROM ${series(n)} LIMIT 1;`,
  'an assignment of a query': (n) => `x := (SELECT count(noted(g)) FROM ${series(n)});`,
  'a query that is left': (n) => `FOR x IN SELECT noted(g) FROM ${series(n)} LOOP EXIT; END LOOP;`,
  'a query that is gone through': (n) => `FOR x IN SELECT noted(g) FROM ${series(n)} LOOP NULL; END LOOP;`,
  'a query that is left after some': (n) =>
    `FOR x IN SELECT noted(g) FROM ${series(n)} LOOP EXIT WHEN x > 20; END LOOP;`,
  'a loop that is left at once': (n) => `FOR x IN 1..${n} LOOP PERFORM noted(1); EXIT; END LOOP;`,
  'a loop that is left before': (n) => `FOR x IN 1..${n} LOOP EXIT; PERFORM noted(1); END LOOP;`,
  'a loop that goes on before': (n) => `FOR x IN 1..${n} LOOP CONTINUE; PERFORM noted(1); END LOOP;`,
  'a loop that goes on after': (n) => `FOR x IN 1..${n} LOOP PERFORM noted(1); CONTINUE; END LOOP;`,
  'a loop that goes on from a loop': (n) =>
    `<<o>> FOR x IN 1..${n} LOOP PERFORM noted(1); FOR y IN 1..5 LOOP CONTINUE o; END LOOP; PERFORM noted(2); END LOOP;`,
  'a loop that is left from a loop': (n) =>
    `<<o>> FOR x IN 1..${n} LOOP FOR y IN 1..5 LOOP PERFORM noted(1); EXIT o; END LOOP; END LOOP;`,
  'a loop that is left from a block': (n) =>
    `<<o>> FOR x IN 1..${n} LOOP BEGIN PERFORM noted(1); EXIT o; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a loop that is left from a handler': (n) =>
    `<<o>> FOR x IN 1..${n} LOOP BEGIN PERFORM noted(1); RAISE 'x'; EXCEPTION WHEN OTHERS THEN EXIT o; END; END LOOP;`,
  'a loop without an end': () => 'LOOP PERFORM noted(1); EXIT; END LOOP;',
  'a labelled block that is left': (n) =>
    `<<b>> BEGIN FOR x IN 1..${n} LOOP PERFORM noted(1); EXIT b; END LOOP; PERFORM noted(2); END;`,
  'RETURN from a loop': (n) => `FOR x IN 1..${n} LOOP PERFORM noted(1); RETURN; END LOOP;`,
  'RETURN from a block': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN PERFORM noted(1); RETURN; EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP;`,
  'an error that leaves the loop': (n) =>
    `BEGIN FOR x IN 1..${n} LOOP PERFORM noted(1); RAISE 'x'; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;`,
  'an error in a callee': (n) =>
    `BEGIN FOR x IN 1..${n} LOOP PERFORM noted(1); PERFORM failing(); END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;`,
  'an error in a callee that nobody catches but each turn': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN PERFORM noted(1); PERFORM failing(); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'after an error': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN PERFORM failing(); PERFORM noted(1); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'after an error of the block': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN RAISE 'x'; PERFORM noted(1); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a handler that is not run': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN NULL; EXCEPTION WHEN OTHERS THEN PERFORM noted(1); END; END LOOP;`,
  'a handler that is run': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN RAISE 'x'; EXCEPTION WHEN OTHERS THEN PERFORM noted(1); END; END LOOP;`,
  'a handler with a block': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN RAISE 'x'; EXCEPTION WHEN OTHERS THEN BEGIN INSERT INTO log VALUES ('x'); EXCEPTION WHEN OTHERS THEN NULL; END; END; END LOOP;`,
  'a handler that raises again': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN BEGIN PERFORM noted(1); RAISE 'x'; EXCEPTION WHEN OTHERS THEN RAISE; END; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a handler that raises another': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN BEGIN PERFORM failing(); EXCEPTION WHEN OTHERS THEN PERFORM noted(1); RAISE EXCEPTION 'y'; END; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a handler for another error': (n) =>
    `BEGIN FOR x IN 1..${n} LOOP BEGIN PERFORM noted(1); RAISE 'x'; EXCEPTION WHEN division_by_zero THEN NULL; END; END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;`,
  'IF EXISTS': (n) => `IF EXISTS (SELECT 1 FROM ${series(n)} WHERE noted(g) > 0) THEN NULL; END IF;`,
  'IF NOT FOUND': (n) => `PERFORM 1 FROM src WHERE id = -1; IF NOT FOUND THEN PERFORM noted(g) FROM ${series(n)}; END IF;`,
  'IF false': (n) => `IF false THEN PERFORM noted(g) FROM ${series(n)}; END IF;`,
  'IF of two': (n) => `FOR x IN 1..${n} LOOP IF noted(1) > 0 OR noted(2) > 0 THEN NULL; END IF; END LOOP;`,
  'IF of two where the second is not asked': (n) =>
    `FOR x IN 1..${n} LOOP IF false AND noted(2) > 0 THEN NULL; END IF; END LOOP;`,
  'ELSIF': (n) => `FOR x IN 1..${n} LOOP IF true THEN NULL; ELSIF noted(2) > 0 THEN NULL; END IF; END LOOP;`,
  'CASE': (n) => `FOR x IN 1..${n} LOOP CASE x WHEN 1 THEN PERFORM noted(1); ELSE NULL; END CASE; END LOOP;`,
  'CASE of it': (n) => `FOR x IN 1..${n} LOOP CASE noted(x) WHEN -1 THEN NULL; ELSE NULL; END CASE; END LOOP;`,
  'a condition of WHILE': () => 'WHILE noted(1) > 1 LOOP NULL; END LOOP;',
  'a condition of WHILE that holds': (n) => `x := 0; WHILE noted(x) < ${n} LOOP x := x + 1; END LOOP;`,
  'WHILE false': () => 'WHILE false LOOP PERFORM noted(1); END LOOP;',
  'the bounds of a loop': (n) => `FOR x IN noted(1)..noted(${n}) LOOP NULL; END LOOP;`,
  'a loop downwards': (n) => `FOR x IN REVERSE ${n}..1 LOOP PERFORM noted(1); END LOOP;`,
  'a loop that has no turn': (n) => `FOR x IN ${n}..1 LOOP PERFORM noted(1); END LOOP;`,
  'a loop downwards that has no turn': (n) => `FOR x IN REVERSE 1..${n} LOOP PERFORM noted(1); END LOOP;`,
  'a loop by steps': (n) => `FOR x IN 1..${n} BY 7 LOOP PERFORM noted(1); END LOOP;`,
  'FOREACH over a query': (n) =>
    `DECLARE a int[] := ARRAY(SELECT noted(g) FROM ${series(n)}); BEGIN FOREACH x IN ARRAY a LOOP NULL; END LOOP; END;`,
  'FOREACH SLICE': () =>
    'DECLARE a int[]; BEGIN FOREACH a SLICE 1 IN ARRAY ARRAY[[1, 2], [3, 4], [5, 6]] LOOP PERFORM noted(1); END LOOP; END;',
  'FOR over array_length': () =>
    'DECLARE a int[] := ARRAY[4, 5, 6]; BEGIN FOR i IN 1..array_length(a, 1) LOOP PERFORM noted(a[i]); END LOOP; END;',
  'a default in a loop': (n) => `FOR x IN 1..${n} LOOP DECLARE y int := noted(1); BEGIN NULL; END; END LOOP;`,
  'a default': () => 'DECLARE y int := noted(1); BEGIN NULL; END;',
  'a domain for a variable': (n) => `FOR x IN 1..${n} LOOP DECLARE y small := 1; BEGIN NULL; END; END LOOP;`,
  'a domain for a variable that is NULL': (n) => `FOR x IN 1..${n} LOOP DECLARE y small; BEGIN NULL; END; END LOOP;`,
  'a cast to a domain': (n) => `PERFORM g::small FROM ${series(n)};`,
  RAISE: () => "RAISE NOTICE '%', noted(1);",
  'RAISE DEBUG': () => "RAISE DEBUG '%', noted(1);",
  ASSERT: () => 'ASSERT noted(1) > 0;',
  'an array element': (n) => `DECLARE a int[]; BEGIN FOR x IN 1..${n} LOOP a[x] := noted(x); END LOOP; END;`,
  'a cursor that is opened': (n) => `DECLARE u CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; CLOSE u; END;`,
  'a cursor that is not opened': (n) => `DECLARE u CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN NULL; END;`,
  'a cursor that is asked once': (n) =>
    `DECLARE u CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; FETCH u INTO x; CLOSE u; END;`,
  'a cursor that moves': (n) =>
    `DECLARE u CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; MOVE FORWARD ALL FROM u; CLOSE u; END;`,
  'a cursor that moves to a place': (n) =>
    `DECLARE u SCROLL CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; FETCH ABSOLUTE 5 FROM u INTO x; CLOSE u; END;`,
  'a cursor that goes to the end': (n) =>
    `DECLARE u SCROLL CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; FETCH LAST FROM u INTO x; CLOSE u; END;`,
  'a cursor in a loop': (n) =>
    `DECLARE u CURSOR FOR SELECT noted(g) AS v FROM ${series(n)}; BEGIN FOR r IN u LOOP NULL; END LOOP; END;`,
  'a cursor in a loop that is left': (n) =>
    `DECLARE u CURSOR FOR SELECT noted(g) AS v FROM ${series(n)}; BEGIN FOR r IN u LOOP EXIT; END LOOP; END;`,
  'a cursor with a parameter': (n) =>
    `DECLARE u CURSOR (k int) FOR SELECT noted(g) AS v FROM generate_series(1, k) AS g; BEGIN FOR r IN u(${n}) LOOP NULL; END LOOP; END;`,
  'a cursor with a parameter by name': (n) =>
    `DECLARE u CURSOR (k int) FOR SELECT noted(g) AS v FROM generate_series(1, k) AS g; BEGIN OPEN u(k := ${n}); LOOP FETCH u INTO x; EXIT WHEN NOT FOUND; END LOOP; CLOSE u; END;`,
  'a cursor whose argument is it': () =>
    'DECLARE u CURSOR (k int) FOR SELECT 1 FROM src WHERE id = k; BEGIN OPEN u(noted(1)); CLOSE u; END;',
  'a cursor of dynamic SQL': (n) =>
    `DECLARE u refcursor; BEGIN OPEN u FOR EXECUTE 'SELECT noted(g) FROM ${series(n)}'; FETCH u INTO x; FETCH u INTO x; CLOSE u; END;`,
  'a loop over dynamic SQL': (n) =>
    `DECLARE r record; BEGIN FOR r IN EXECUTE 'SELECT noted(g) FROM ${series(n)}' LOOP NULL; END LOOP; END;`,
  'a loop over dynamic SQL that is left': (n) =>
    `DECLARE r record; BEGIN FOR r IN EXECUTE 'SELECT noted(g) FROM ${series(n)}' LOOP EXIT; END LOOP; END;`,
  'an overload for a variable': (n) => `FOR x IN 1..${n} LOOP PERFORM kind(x); END LOOP;`,
  'an overload for a variable that is text': (n) =>
    `DECLARE s text := 'a'; BEGIN FOR x IN 1..${n} LOOP PERFORM kind(s); END LOOP; END;`,
  'an overload for a record': (n) =>
    `DECLARE r record; BEGIN FOR r IN SELECT g AS v FROM ${series(n)} LOOP PERFORM kind(r.v); END LOOP; END;`,
  'an overload for a row': (n) =>
    `DECLARE r log; BEGIN r.what := 'a'; FOR x IN 1..${n} LOOP PERFORM kind(r.what); END LOOP; END;`,
  'an overload for a column': (n) => `PERFORM kind(what) FROM (SELECT 'a'::text AS what FROM ${series(n)}) AS s;`,
  'a procedure': (n) => `FOR x IN 1..${n} LOOP CALL doing(); END LOOP;`,
  'a procedure with a flag': (n) => `FOR x IN 1..${n} LOOP CALL flagged(false); END LOOP;`,
  'a procedure with the flag': (n) => `FOR x IN 1..${n} LOOP CALL flagged(true); END LOOP;`,
  'a function whose name is handed over': (n) => `FOR x IN 1..${n} LOOP PERFORM by_name('noted'); END LOOP;`,
  'a function whose name is handed over that is another': (n) => `FOR x IN 1..${n} LOOP PERFORM by_name('abs'); END LOOP;`,
  'text that is handed over': (n) => `FOR x IN 1..${n} LOOP PERFORM by_text('SELECT noted(1)'); END LOOP;`,
  'an assignment that casts': (n) => `DECLARE y numeric; BEGIN FOR x IN 1..${n} LOOP y := noted(1); END LOOP; END;`,
  'a recursion': () => 'PERFORM deeper(70);',
  'a recursion that is not deep': () => 'PERFORM deeper(3);',
}; // biome-ignore format: one a line

/** What these need besides the tables of render.ts. */
export const OBJECTS = `
CREATE FUNCTION kind(v int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN noted(v); END $$;
CREATE FUNCTION kind(v text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
CREATE FUNCTION kind(v numeric) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 2; END $$;
CREATE FUNCTION failing() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION stepping(k int) RETURNS SETOF int LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..k LOOP
    PERFORM noted(i);
    RETURN NEXT i;
  END LOOP;
END $$;
CREATE FUNCTION stopping(k int) RETURNS SETOF int LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..k LOOP
    PERFORM noted(i);
    RETURN NEXT i;
    RETURN;
  END LOOP;
END $$;
CREATE FUNCTION plainly(k int) RETURNS SETOF int LANGUAGE sql AS $$ SELECT noted(g) FROM generate_series(1, k) AS g $$;
CREATE FUNCTION firstly(k int) RETURNS int LANGUAGE sql AS $$ SELECT noted(g) FROM generate_series(1, k) AS g $$;
CREATE FUNCTION atomically(v int) RETURNS int LANGUAGE sql BEGIN ATOMIC; SELECT noted(v); END;
CREATE PROCEDURE doing() LANGUAGE plpgsql AS $$ BEGIN PERFORM noted(1); END $$;
CREATE PROCEDURE flagged(really boolean) LANGUAGE plpgsql AS $$ BEGIN IF really THEN PERFORM noted(1); END IF; END $$;
CREATE FUNCTION by_name(which text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('SELECT %I(1)', which); END $$;
CREATE FUNCTION by_text(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE what; END $$;
CREATE FUNCTION deeper(k int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM noted(k);
  IF k > 1 THEN PERFORM deeper(k - 1); END IF;
END $$;
CREATE TABLE seventy (n int, d int DEFAULT noted(1));
CREATE TABLE boss (id int PRIMARY KEY, name text);
CREATE TABLE staff (boss int REFERENCES boss (id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TRIGGER noting AFTER DELETE OR UPDATE ON staff FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE chief (id int PRIMARY KEY);
CREATE TABLE squad (chief int REFERENCES chief (id) ON DELETE SET NULL);
CREATE TRIGGER noting AFTER UPDATE ON squad FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE base (n int);
CREATE VIEW simple AS SELECT n FROM base;
CREATE VIEW narrow AS SELECT n FROM base WHERE noted(n) > 0 WITH CHECK OPTION;
CREATE TABLE instead (n int);
CREATE RULE other AS ON INSERT TO instead DO INSTEAD INSERT INTO defaulted (n) VALUES (NEW.n);
CREATE TABLE nothing (n int DEFAULT noted(1));
CREATE TRIGGER noting AFTER INSERT ON nothing FOR EACH ROW EXECUTE FUNCTION noting();
CREATE RULE no AS ON INSERT TO nothing DO INSTEAD NOTHING;
CREATE TABLE moving (n int, m int) PARTITION BY RANGE (n);
CREATE TABLE moving_low PARTITION OF moving FOR VALUES FROM (0) TO (100);
CREATE TABLE moving_high PARTITION OF moving FOR VALUES FROM (100) TO (1000);
CREATE TRIGGER noting AFTER INSERT ON moving FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE watched (n int);
CREATE TRIGGER noting AFTER DELETE ON watched FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE told (n int);
CREATE TRIGGER noting AFTER INSERT ON told FOR EACH STATEMENT EXECUTE FUNCTION noting();
CREATE FUNCTION going() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM noted(n) FROM added;
  RETURN NULL;
END $$;
CREATE TABLE gone (n int);
CREATE TRIGGER going AFTER INSERT ON gone REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION going();
CREATE TABLE columned (n int, m int);
CREATE TRIGGER noting AFTER UPDATE OF n ON columned FOR EACH ROW EXECUTE FUNCTION noting();
CREATE FUNCTION skipping() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TABLE skipped (n int);
CREATE TRIGGER a_skipping BEFORE INSERT ON skipped FOR EACH ROW EXECUTE FUNCTION skipping();
CREATE TRIGGER b_noting BEFORE INSERT ON skipped FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TRIGGER c_noting AFTER INSERT ON skipped FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE first (n int);
CREATE TABLE second (n int);
CREATE FUNCTION passing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO second VALUES (NEW.n); RETURN NEW; END $$;
CREATE TRIGGER passing AFTER INSERT ON first FOR EACH ROW EXECUTE FUNCTION passing();
CREATE TRIGGER noting BEFORE INSERT ON second FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO seventy SELECT g, 1 FROM generate_series(1, 70) AS g;
INSERT INTO boss VALUES (1, 'a'), (2, 'b');
INSERT INTO staff SELECT 1 FROM generate_series(1, 70);
INSERT INTO chief VALUES (1);
INSERT INTO squad SELECT 1 FROM generate_series(1, 70);
INSERT INTO moving SELECT g, 1 FROM generate_series(1, 70) AS g;
INSERT INTO watched SELECT g FROM generate_series(1, 70) AS g;
INSERT INTO columned SELECT g, 1 FROM generate_series(1, 70) AS g;
`;

/** What is said too much or too little, and why; whoever cures one takes it away here. */
export const KNOWN = new Map<string, string>([
  ['an overload', 'the type of what a function in FROM gives is not known'],
  ['an overload for a record', 'the type of what a query gives to a record is not known'],
  ['rows that move', 'an UPDATE that moves a row fires what INSERT and DELETE fire'],
  ['IF of two where the second is not asked', 'conditions are taken to hold now and then'],
  ['a condition of WHILE', 'conditions are taken to hold now and then'],
]);

/** A scrolling cursor computes again what it goes back to. */
const ONCE = /^(CREATE|ALTER|TRUNCATE|EXPLAIN|MERGE INTO seventy)|RETURN;|SCROLL/;
const plain = (all: Record<string, Text>) =>
  Object.entries(all).flatMap(([name, text]) => (KNOWN.has(name) || ONCE.test(text(1)) ? [] : [text]));

/** Those of which all is said that is so, and that may run anywhere, again and again. */
export const ANYWHERE = { asked: plain(ASKED), whole: plain(WHOLE), coded: plain(CODED) };
