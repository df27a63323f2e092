// Further ways to write down that noted() runs once, never or for each row: what a person may say and a random program does not.

type Text = (n: number) => string;
const series: Text = (n) => `generate_series(1, ${n}) AS g`;

/** Statements of SQL. */
export const SPELT: Record<string, Text> = {
  // Names.
  'a quoted name': (n) => `SELECT "noted"(g) FROM ${series(n)}`,
  'an escaped name': (n) => `SELECT U&"not\\0065d"(g) FROM ${series(n)}`,
  'a name in capitals': (n) => `SELECT NOTED(g) FROM ${series(n)}`,
  'a name with its schema': (n) => `SELECT public . noted /* of all */ (g) FROM ${series(n)}`,
  'an argument by name': (n) => `SELECT noted(v => g) FROM ${series(n)}`,
  'an argument by name as of old': (n) => `SELECT noted(v := g) FROM ${series(n)}`,
  'a default of a parameter': (n) => `SELECT lazily() FROM ${series(n)}`,
  'a default of a parameter that is given': (n) => `SELECT lazily(1) FROM ${series(n)}`,
  'many arguments': (n) => `SELECT variously(g, 2, 3) FROM ${series(n)}`,
  'an array for many arguments': (n) => `SELECT variously(VARIADIC ARRAY[g, 2]) FROM ${series(n)}`,
  'a function as a column': (n) => `SELECT s.described FROM src AS s LIMIT ${n}`,
  'a function as a column of a row': () => 'SELECT (s).described FROM src AS s',
  'a function of the whole row': () => 'SELECT described(s) FROM src AS s',
  'a function of another row': () => 'SELECT described(s) FROM seventy AS s',
  'all columns of what it gives': () => 'SELECT (paired(1)).*',
  'one column of what it gives': () => 'SELECT (paired(1)).a',
  'all columns of what it gives, in FROM': () => 'SELECT * FROM paired(1)',
  'all columns for each row': (n) => `SELECT (paired(g)).* FROM ${series(n)}`,
  // Values.
  'two calls beside each other': () => 'SELECT noted(1), noted(2)',
  'two calls that are added': () => 'SELECT noted(1) + noted(2)',
  'an array of calls': () => 'SELECT (ARRAY[noted(1), noted(2)])[1]',
  'a row of calls': () => 'SELECT ROW(noted(1), noted(2))',
  'IN of calls': () => 'SELECT 3 IN (noted(1), noted(2))',
  'IN of calls of which the first is it': () => 'SELECT 1 IN (noted(1), noted(2))',
  'BETWEEN calls': () => 'SELECT 3 BETWEEN noted(1) AND noted(9)',
  'ANY of an array of calls': (n) => `SELECT g = ANY (ARRAY[noted(g), noted(g)]) FROM ${series(n)}`,
  'false AND': () => 'SELECT false AND noted(1) > 0',
  'true OR': () => 'SELECT true OR noted(1) > 0',
  'VALUES of calls': () => 'VALUES (noted(1)), (noted(2))',
  'VALUES of calls in FROM': () => 'SELECT * FROM (VALUES (noted(1)), (noted(2)), (3)) AS t (v)',
  'one row by CASE': (n) => `SELECT CASE WHEN g = 1 THEN noted(g) ELSE 0 END FROM ${series(n)}`,
  'CASE of a value': (n) => `SELECT CASE noted(g) WHEN 1 THEN 2 WHEN 2 THEN 3 END FROM ${series(n)}`,
  'CASE whose condition is a constant': (n) => `SELECT CASE WHEN true THEN 0 ELSE noted(g) END FROM ${series(n)}`,
  'no row': () => 'SELECT noted(1) WHERE false',
  'no row by numbers': (n) => `SELECT noted(g) FROM ${series(n)} WHERE 1 = 0`,
  'LIMIT 0': (n) => `SELECT noted(g) FROM ${series(n)} LIMIT 0`,
  'LIMIT ALL': (n) => `SELECT noted(g) FROM ${series(n)} LIMIT ALL`,
  'LIMIT NULL': (n) => `SELECT noted(g) FROM ${series(n)} LIMIT NULL`,
  'LIMIT of a sum': (n) => `SELECT noted(g) FROM ${series(n)} LIMIT 1 + 1`,
  'WITH TIES': (n) => `SELECT noted(g) FROM ${series(n)} ORDER BY g / 100 FETCH FIRST 1 ROWS WITH TIES`,
  'FETCH FIRST ROW': (n) => `SELECT noted(g) FROM ${series(n)} FETCH FIRST ROW ONLY`,
  'OFFSET beyond all': (n) => `SELECT noted(g) FROM ${series(n)} OFFSET 1000`,
  // Aggregates and windows.
  'an aggregate with FILTER': (n) => `SELECT sum(noted(g)) FILTER (WHERE g < 3) FROM ${series(n)}`,
  'a FILTER that never holds': (n) => `SELECT sum(noted(g)) FILTER (WHERE false) FROM ${series(n)}`,
  'an aggregate of distinct values': (n) => `SELECT count(DISTINCT noted(g)) FROM ${series(n)}`,
  'an aggregate in an order': (n) => `SELECT array_agg(g ORDER BY noted(g)) FROM ${series(n)}`,
  'an aggregate of rows': (n) => `SELECT json_agg(noted(g)) FROM ${series(n)}`,
  'an aggregate of groups': (n) => `SELECT max(noted(g)) FROM ${series(n)} GROUP BY g % 2`,
  'beside an aggregate of groups': (n) => `SELECT noted(count(*)::int) FROM ${series(n)} GROUP BY g % 2`,
  'a percentile': (n) => `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY noted(g)) FROM ${series(n)}`,
  'a window over it': (n) => `SELECT sum(noted(g)) OVER () FROM ${series(n)}`,
  'a named window': (n) => `SELECT rank() OVER w FROM ${series(n)} WINDOW w AS (PARTITION BY noted(g))`,
  'GROUPING SETS': (n) => `SELECT sum(noted(g)) FROM ${series(n)} GROUP BY GROUPING SETS ((), (g))`,
  'an aggregate of one\'s own': (n) => `SELECT summed(g) FROM ${series(n)}`,
  'an aggregate of one\'s own, of no rows': () => 'SELECT summed(id) FROM src WHERE false',
  'an operator of one\'s own': (n) => `SELECT g @+ 1 FROM ${series(n)}`,
  'a cast of one\'s own': (n) => `SELECT ROW(g)::kilo::int FROM ${series(n)}`,
  // Where rows come from.
  'rows of an aggregate': (n) => `SELECT noted(v) FROM (SELECT unnest(array_agg(g)) AS v FROM ${series(n)}) AS s`,
  'one row of an aggregate': (n) => `SELECT noted(v) FROM (SELECT max(g) AS v FROM ${series(n)}) AS s`,
  'rows of an array of a query': (n) => `SELECT noted(v) FROM unnest(ARRAY(SELECT g FROM ${series(n)})) AS v`,
  'two arrays': () => 'SELECT noted(a) FROM unnest(ARRAY[1, 2, 3], ARRAY[1, 2, 3, 4]) AS s (a, b)',
  'an array of arrays': () => 'SELECT noted(a) FROM unnest(ARRAY[[1, 2], [3, 4]]) AS a',
  'an array that is repeated': () => 'SELECT noted(a) FROM unnest(array_fill(1, ARRAY[70])) AS a',
  'elements of JSON': () => "SELECT noted(v::int) FROM jsonb_array_elements_text('[1, 2, 3]') AS v",
  'a text that is cut': () => "SELECT noted(v::int) FROM string_to_table('1,2,3', ',') AS v",
  'a text that is split': () => "SELECT noted(v::int) FROM regexp_split_to_table('1,2,3', ',') AS v",
  'numbers with their places': (n) => `SELECT noted(o::int) FROM generate_series(1, ${n}) WITH ORDINALITY AS g (v, o)`,
  'ROWS FROM': () => 'SELECT noted(a) FROM ROWS FROM (generate_series(1, 3), generate_series(1, 70)) AS s (a, b)',
  'ROWS FROM that is short': () => 'SELECT noted(a) FROM ROWS FROM (generate_series(1, 3), generate_series(1, 10)) AS s (a, b)',
  'ROWS FROM for each row': () => 'SELECT noted(a) FROM generate_series(1, 3) AS g, ROWS FROM (generate_series(1, 2), generate_series(1, 4)) AS s (a, b)',
  'days': () => "SELECT noted(1) FROM generate_series('2024-01-01'::date, '2024-03-31'::date, '1 day') AS d",
  'TABLE': () => 'SELECT noted(id) FROM (TABLE src) AS s',
  ONLY: () => 'SELECT noted(id) FROM ONLY src',
  'one of a table': () => 'SELECT noted(n) FROM acc WHERE id = 1',
  'one of a table by a query': () => 'SELECT noted(n) FROM acc WHERE id = (SELECT min(id) FROM acc)',
  'some of a table by a query': () => 'SELECT noted(id) FROM src WHERE id IN (SELECT id FROM src LIMIT 5)',
  'a self join': () => 'SELECT noted(a.id) FROM src AS a NATURAL JOIN src AS b',
  'a self join by USING': () => 'SELECT noted(a.id) FROM src AS a JOIN src AS b USING (id)',
  'a LEFT JOIN LATERAL': (n) => `SELECT v FROM ${series(n)} LEFT JOIN LATERAL noted(g) AS v ON true`,
  'a LATERAL with a LIMIT': (n) => `SELECT v FROM ${series(n)}, LATERAL (SELECT noted(id) AS v FROM src LIMIT 1) AS s`,
  'a LATERAL of the row with a LIMIT': (n) =>
    `SELECT v FROM ${series(n)}, LATERAL (SELECT noted(id) AS v FROM src WHERE id >= g LIMIT 1) AS s`,
  EXCEPT: (n) => `SELECT noted(g) FROM ${series(n)} EXCEPT SELECT 1`,
  INTERSECT: (n) => `SELECT noted(g) FROM ${series(n)} INTERSECT SELECT 1`,
  'UNION of the same': () => 'SELECT noted(1) UNION SELECT noted(1)',
  'a LIMIT of a UNION': (n) => `(SELECT noted(g) FROM ${series(n)}) UNION ALL SELECT 1 LIMIT 1`,
  'OFFSET 0': (n) => `SELECT count(*) FROM (SELECT noted(g) AS v FROM ${series(n)} OFFSET 0) AS s`,
  'a recursive CTE with a LIMIT': () =>
    'WITH RECURSIVE w (i) AS (SELECT 1 UNION ALL SELECT noted(i + 1) FROM w) SELECT i FROM w LIMIT 5',
  'a CTE that is not materialized': (n) =>
    `WITH w AS NOT MATERIALIZED (SELECT noted(g) AS v FROM ${series(n)}) SELECT a.v FROM w AS a LIMIT 1`,
  'a CTE of a CTE': (n) => `WITH a AS (SELECT noted(g) AS v FROM ${series(n)}), b AS (SELECT v FROM a) SELECT sum(v) FROM b`,
  'SELECT INTO a table': (n) => `SELECT noted(g) AS v INTO TEMP made FROM ${series(n)}`,
  // Views.
  'a view with it': () => 'SELECT * FROM showing',
  'a view with it in WHERE': () => 'SELECT * FROM choosing',
  'a view with it that nobody asks': () => 'SELECT n FROM showing',
  'a view of a view': () => 'SELECT * FROM of_choosing',
  'a view of which one row is asked': () => 'SELECT * FROM choosing LIMIT 1',
  'an UPDATE through a view that chooses': () => 'UPDATE choosing SET n = 1',
  'a DELETE through a view that chooses': () => 'DELETE FROM choosing',
  'a view that checks by a view': (n) => `INSERT INTO cascading (n) SELECT g FROM ${series(n)}`,
  'a view that checks itself alone': (n) => `INSERT INTO locally (n) SELECT g FROM ${series(n)}`,
  'a materialized view that is made': () => 'CREATE MATERIALIZED VIEW gathered AS SELECT pathed(n) FROM seventy',
  'a materialized view that is refreshed': () => 'REFRESH MATERIALIZED VIEW kept',
  'a materialized view that is asked': () => 'SELECT * FROM kept',
  // Writing.
  'RETURNING': (n) => `INSERT INTO log SELECT 'x' FROM ${series(n)} RETURNING noted(1)`,
  'RETURNING of an UPDATE': () => 'UPDATE seventy SET n = 1 RETURNING noted(n)',
  'RETURNING of what is not there': () => 'DELETE FROM seventy WHERE n = 1000 RETURNING noted(n)',
  'SET of several to DEFAULT': () => 'UPDATE seventy SET (n, d) = (1, DEFAULT)',
  'SET of a row to DEFAULT': () => 'UPDATE seventy SET (n, d) = ROW (1, DEFAULT)',
  'SET of several to a query': () => 'UPDATE seventy SET (n, d) = (SELECT noted(1), 2)',
  'DEFAULT of an upsert': () => 'INSERT INTO unique_one (id, d) VALUES (1, 1), (2, 1) ON CONFLICT (id) DO UPDATE SET d = DEFAULT',
  'an upsert whose default is computed anyway': () => 'INSERT INTO unique_one (id) VALUES (1), (2) ON CONFLICT DO NOTHING',
  'an upsert that only some rows go through': () =>
    'INSERT INTO acc (id) VALUES (1), (2) ON CONFLICT (id) DO UPDATE SET n = 1 WHERE noted(acc.id) < 0',
  'an INSERT of a few': (n) => `INSERT INTO defaulted (n) SELECT g FROM ${series(n)} LIMIT 3`,
  'an INSERT of some': (n) => `INSERT INTO defaulted (n) SELECT g FROM ${series(n)} WHERE g < 3`,
  'an INSERT of a VALUES in FROM': () => 'INSERT INTO defaulted (n) SELECT v FROM (VALUES (1), (2)) AS t (v)',
  'an INSERT of a query in VALUES': (n) => `INSERT INTO log VALUES ((SELECT count(noted(g)) FROM ${series(n)})::text)`,
  'an UPDATE of some': () => 'UPDATE seventy SET n = noted(n) WHERE n IN (SELECT n FROM seventy LIMIT 5)',
  'an UPDATE of one': () => 'UPDATE acc SET n = noted(n) WHERE id = 1',
  'an UPDATE of places': () => 'UPDATE seventy SET n = noted(n) WHERE ctid = ANY (ARRAY(SELECT ctid FROM seventy LIMIT 5))',
  'a generated column': (n) => `INSERT INTO computed (n) SELECT g FROM ${series(n)}`,
  'a generated column of an UPDATE': () => 'UPDATE generated SET n = n + 1',
  'a generated column of an UPDATE of another': () => 'UPDATE generated SET m = 1',
  'a check of an UPDATE': () => 'UPDATE checking SET n = n + 1',
  'a check of an UPDATE of another': () => 'UPDATE checking SET m = 1',
  'a default that a child has': (n) => `INSERT INTO heir (n) SELECT g FROM ${series(n)}`,
  'a trigger that a child has not': (n) => `INSERT INTO heir (n, d) SELECT g, 1 FROM ${series(n)}`,
  'rows of children': () => 'DELETE FROM elder',
  'an index that computes': (n) => `INSERT INTO indexed (n) SELECT g FROM ${series(n)}`,
  'an index of some rows': (n) => `INSERT INTO partly (n) SELECT g FROM ${series(n)}`,
  'rows that move out': () => 'UPDATE leaving SET n = n + 100',
  'rows that move, and an UPDATE trigger': () => 'UPDATE updating SET n = n + 100',
  'rows that stay, and an UPDATE trigger': () => 'UPDATE updating SET m = 1',
  'COPY of a query': (n) => `COPY (SELECT noted(g) FROM ${series(n)}) TO '/dev/null'`,
  'COPY of a table': () => "COPY seventy TO '/dev/null'",
  'COPY into a table': () => "COPY defaulted (n) FROM PROGRAM 'seq 70'",
  'COPY of some': () => "COPY log FROM PROGRAM 'seq 70' WHERE noted(what::int) < 0",
  // MERGE.
  'MERGE that inserts': () => 'MERGE INTO defaulted AS d USING src ON d.n = src.id WHEN NOT MATCHED THEN INSERT (n) VALUES (src.id)',
  'MERGE that inserts what it computes': () =>
    'MERGE INTO base AS b USING src ON b.n = src.id WHEN NOT MATCHED THEN INSERT (n) VALUES (noted(src.id))',
  'MERGE that inserts defaults': () =>
    'MERGE INTO defaulted AS d USING src ON d.n = src.id WHEN NOT MATCHED THEN INSERT DEFAULT VALUES',
  'MERGE that inserts a DEFAULT': () =>
    'MERGE INTO defaulted AS d USING src ON d.n = src.id WHEN NOT MATCHED THEN INSERT VALUES (src.id, DEFAULT)',
  'MERGE that gives it': () =>
    'MERGE INTO defaulted AS d USING src ON d.n = src.id WHEN NOT MATCHED THEN INSERT VALUES (src.id, 1)',
  'MERGE that sets a DEFAULT': () =>
    'MERGE INTO seventy AS s USING src ON s.n = src.id WHEN MATCHED THEN UPDATE SET d = DEFAULT',
  'MERGE whose other arm has it': () =>
    'MERGE INTO seventy AS s USING src ON s.n = src.id WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT VALUES (noted(1), 1)',
  'MERGE with an arm for deletes that is not taken': () =>
    'MERGE INTO watched USING src ON watched.n = src.id WHEN MATCHED AND src.id > 1000 THEN DELETE WHEN MATCHED THEN UPDATE SET n = 1',
  'MERGE of what has no source': () =>
    'MERGE INTO watched USING (SELECT 1 AS id) AS s ON watched.n = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE',
  'MERGE with RETURNING': () =>
    'MERGE INTO seventy AS s USING src ON s.n = src.id WHEN MATCHED THEN UPDATE SET n = 1 RETURNING noted(s.n)',
  'MERGE joined by it': () =>
    'MERGE INTO base AS b USING src ON b.n = noted(src.id) WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN DO NOTHING',
  'MERGE of one row': () => 'MERGE INTO acc USING (VALUES (1)) AS v (id) ON acc.id = v.id WHEN MATCHED THEN UPDATE SET n = noted(1)',
  // Domains.
  'a domain in a column': (n) => `INSERT INTO domained SELECT g FROM ${series(n)}`,
  'an array of a domain': () => "SELECT '{1,2,3}'::small[]",
  'an array that becomes one of a domain': () => 'SELECT ARRAY[1, 2, 3]::small[]',
  'an array of a domain in a column': () => "INSERT INTO arrays VALUES ('{1,2,3}'), ('{4}')",
  'an array of a domain of a query': (n) => `INSERT INTO arrays SELECT array_agg(g) FROM ${series(n)}`,
  'a row of a domain': (n) => `SELECT ROW(g)::boxed FROM ${series(n)}`,
  'a row of a domain in a column': (n) => `INSERT INTO boxes SELECT ROW(g)::boxed FROM ${series(n)}`,
  'a field of a domain': (n) => `INSERT INTO boxes (b.v) SELECT g FROM ${series(n)}`,
  'a domain of a domain': (n) => `SELECT g::smaller FROM ${series(n)}`,
  'a domain of NULL': () => 'SELECT NULL::small',
  'a domain with a default': (n) => `INSERT INTO presumed (m) SELECT g FROM ${series(n)}`,
  'a column of a domain that is not given': (n) => `INSERT INTO wide (m) SELECT g FROM ${series(n)}`,
  // Cascades and truncation.
  'TRUNCATE CASCADE': () => 'TRUNCATE chief CASCADE',
  'TRUNCATE of a table with a trigger': () => 'TRUNCATE emptied',
  'TRUNCATE CASCADE to a trigger': () => 'TRUNCATE owner CASCADE',
  'TRUNCATE CASCADE of what refers to itself': () => 'TRUNCATE tree CASCADE',
  'TRUNCATE CASCADE to what is farther away': () => 'TRUNCATE owner CASCADE; TRUNCATE far_owner CASCADE',
  'TRUNCATE of two': () => 'TRUNCATE emptied, owner, owned',
  'a cascade of SET DEFAULT': () => 'DELETE FROM captain WHERE id = 1',
  'a cascade to itself': () => 'DELETE FROM tree WHERE id = 1',
  // Rules and triggers.
  'a rule for UPDATE': () => 'UPDATE ruling SET n = 1',
  'a rule for DELETE': () => 'DELETE FROM ruling',
  'a rule that asks': () => 'INSERT INTO asking VALUES (1)',
  'INSTEAD OF UPDATE': () => 'UPDATE managing SET n = 1',
  'INSTEAD OF DELETE': () => 'DELETE FROM managing',
  'a trigger with WHEN': (n) => `INSERT INTO whenever (n) SELECT g FROM ${series(n)}`,
  'a trigger of an upsert that hits': () => 'INSERT INTO upserted VALUES (1), (2) ON CONFLICT (id) DO UPDATE SET n = 1',
  'a trigger of an upsert that is not there': () => 'INSERT INTO upserted VALUES (8), (9) ON CONFLICT (id) DO UPDATE SET n = 1',
  'a BEFORE trigger of an upsert that does nothing': () => 'INSERT INTO preceded VALUES (1), (2) ON CONFLICT DO NOTHING',
  'a deferred trigger': (n) => `INSERT INTO late (n) SELECT g FROM ${series(n)}; SET CONSTRAINTS ALL IMMEDIATE`,
  'a trigger that is switched off': (n) =>
    `ALTER TABLE columned DISABLE TRIGGER noting; UPDATE columned SET n = ${n}`,
  'a statement trigger of no rows': () => 'INSERT INTO told SELECT 1 WHERE false',
  'a statement trigger of three rows in three statements': () =>
    'INSERT INTO told VALUES (1); INSERT INTO told VALUES (2); INSERT INTO told VALUES (3)',
  'a trigger that asks for what': () => 'UPDATE asked SET n = 1',
  'a trigger that asks for another': (n) => `INSERT INTO asked SELECT g FROM ${series(n)}`,
  'a transition table of an UPDATE': () => 'UPDATE transit SET n = n + 1',
  // Definitions.
  'an index that is made': () => 'CREATE INDEX ON seventy (pathed(n))',
  'a column that changes its type': () => 'ALTER TABLE transit ALTER n TYPE bigint USING noted(n)',
  'a column of a domain': () => 'ALTER TABLE seventy ADD COLUMN z small DEFAULT 1',
  'a column of a domain without a value': () => 'ALTER TABLE seventy ADD COLUMN z small',
  'a generated column that is added': () => 'ALTER TABLE seventy ADD COLUMN z int GENERATED ALWAYS AS (steady(n)) STORED',
  'a default that is set': () => 'ALTER TABLE seventy ALTER n SET DEFAULT noted(1)',
  'a check that is made valid': () => 'ALTER TABLE seventy ADD CONSTRAINT c CHECK (noted(n) > 0) NOT VALID; ALTER TABLE seventy VALIDATE CONSTRAINT c',
  'a check of a new table': () => 'CREATE TABLE made (n int DEFAULT noted(1) CHECK (noted(n) > 0))',
  'a copy of a table with its default': (n) =>
    `CREATE TABLE made (LIKE defaulted INCLUDING ALL); INSERT INTO made (n) SELECT g FROM ${series(n)}`,
  'a copy of a table without its default': (n) =>
    `CREATE TABLE made (LIKE defaulted); INSERT INTO made (n) SELECT g FROM ${series(n)}`,
  'a copy of a table without its default, of all else': (n) =>
    `CREATE TABLE made (LIKE defaulted INCLUDING ALL EXCLUDING DEFAULTS); INSERT INTO made (n) SELECT g FROM ${series(n)}`,
  'a copy of a copy': (n) =>
    `CREATE TABLE made (LIKE defaulted INCLUDING DEFAULTS); CREATE TABLE again (LIKE made INCLUDING DEFAULTS); INSERT INTO again (n) SELECT g FROM ${series(n)}`,
  'a copy of a table with its checks': () => 'CREATE TABLE made (LIKE checking INCLUDING CONSTRAINTS); INSERT INTO made SELECT n FROM seventy',
  'a copy of a table without its checks': () => 'CREATE TABLE made (LIKE checking); INSERT INTO made SELECT n FROM seventy',
  'a copy of a table with its generated column': (n) =>
    `CREATE TABLE made (LIKE generated INCLUDING GENERATED); INSERT INTO made (n) SELECT g FROM ${series(n)}`,
  'a copy of a table with its index': (n) => `CREATE TABLE made (LIKE indexed INCLUDING INDEXES); INSERT INTO made SELECT g FROM ${series(n)}`,
  'a copy of a table, which has no trigger': (n) => `CREATE TABLE made (LIKE whenever INCLUDING ALL); INSERT INTO made SELECT 2000 + g FROM ${series(n)}`,
  'a copy of a column of a domain': (n) => `CREATE TABLE made (LIKE domained); INSERT INTO made SELECT g FROM ${series(n)}`,
  'a copy of a table with its key': () =>
    'CREATE TABLE made (LIKE unique_one INCLUDING INDEXES); INSERT INTO made VALUES (1, 1), (2, 1); UPDATE made SET d = noted(1) WHERE id = 1',
  'a domain that is checked anew': () => 'ALTER DOMAIN plain_small ADD CHECK (noted(VALUE) > 0)',
  'a partition that is attached': () => 'ALTER TABLE strict_parts ATTACH PARTITION loose FOR VALUES FROM (0) TO (1000)',
  // Functions of SQL.
  'two statements of SQL': () => 'SELECT twofold()',
  'a query of SQL whose rows nobody asks': () => 'SELECT voiding()',
  'a table of SQL': () => 'SELECT count(*) FROM tabled(70)',
  'RETURN of SQL': (n) => `SELECT returned(g) FROM ${series(n)}`,
  'a prepared statement': (n) => `PREPARE made AS SELECT noted(g) FROM ${series(n)}; EXECUTE made; DEALLOCATE made`,
  'a prepared statement that is not run': (n) => `PREPARE made AS SELECT noted(g) FROM ${series(n)}; DEALLOCATE made`,
  'a prepared statement with values': () => 'PREPARE made (int) AS SELECT noted($1); EXECUTE made(1); EXECUTE made(2); DEALLOCATE made',
  'a cursor': (n) => `DECLARE made CURSOR FOR SELECT noted(g) FROM ${series(n)}; FETCH 5 FROM made; CLOSE made`,
  'a cursor that nobody asks': (n) => `DECLARE made CURSOR FOR SELECT noted(g) FROM ${series(n)}; CLOSE made`,
  'a cursor of which all is asked': (n) => `DECLARE made CURSOR FOR SELECT noted(g) FROM ${series(n)}; FETCH ALL FROM made; CLOSE made`,
  'DO in a string': () => "DO 'BEGIN PERFORM noted(1); END'",
  'DO in a language': () => 'DO LANGUAGE plpgsql $body$ BEGIN PERFORM noted(1); END $body$',
}; // biome-ignore format: one a line

/** Of PL/pgSQL, where `x` is an integer of its own. */
export const CODED: Record<string, Text> = {
  'a condition to leave': (n) => `FOR x IN 1..${n} LOOP EXIT WHEN noted(x) > 3; END LOOP;`,
  'a condition to go on': (n) => `FOR x IN 1..${n} LOOP CONTINUE WHEN noted(x) > 3; PERFORM noted(1); END LOOP;`,
  'a counter': (n) => `x := 0; LOOP x := x + 1; PERFORM noted(x); EXIT WHEN x >= ${n}; END LOOP;`,
  'a counter that is asked first': (n) => `x := 0; WHILE x < ${n} LOOP PERFORM noted(x); x := x + 1; END LOOP;`,
  'a loop of three': () => 'FOREACH x IN ARRAY ARRAY[1, 2, 3] LOOP PERFORM noted(x); END LOOP;',
  'a loop of a text': () => "FOREACH x IN ARRAY string_to_array('1,2,3', ',')::int[] LOOP PERFORM noted(x); END LOOP;",
  'a loop of an array in a text': () => "FOREACH x IN ARRAY '{1,2,3}'::int[] LOOP PERFORM noted(x); END LOOP;",
  'a loop downwards by steps': () => 'FOR x IN REVERSE 70..1 BY 2 LOOP PERFORM noted(x); END LOOP;',
  'a loop with bounds of variables': (n) => `DECLARE a int := 1; b int := ${n}; BEGIN FOR i IN a..b LOOP PERFORM noted(i); END LOOP; END;`,
  'a loop with bounds of constants': () => 'DECLARE b CONSTANT int := 3; BEGIN FOR i IN 1..b LOOP PERFORM noted(i); END LOOP; END;',
  'a loop with a bound of a sum': () => 'FOR x IN 1..2 + 1 LOOP PERFORM noted(x); END LOOP;',
  'a loop over VALUES': () => 'FOR x IN VALUES (1), (2), (3) LOOP PERFORM noted(x); END LOOP;',
  'a loop over RETURNING': (n) => `FOR x IN INSERT INTO base SELECT g FROM ${series(n)} RETURNING n LOOP PERFORM noted(x); END LOOP;`,
  'a loop over a LIMIT': (n) => `FOR x IN SELECT g FROM ${series(n)} LIMIT 3 LOOP PERFORM noted(x); END LOOP;`,
  'a loop over an aggregate': (n) => `FOR x IN SELECT max(g) FROM ${series(n)} LOOP PERFORM noted(x); END LOOP;`,
  'a loop over a key': () => 'FOR x IN SELECT n FROM acc WHERE id = 1 LOOP PERFORM noted(x); END LOOP;',
  'a loop in a loop': () => 'FOR x IN 1..7 LOOP FOR y IN 1..10 LOOP PERFORM noted(y); END LOOP; END LOOP;',
  'a loop as long as a loop': () => 'FOR x IN 1..7 LOOP FOR y IN 1..x LOOP PERFORM noted(y); END LOOP; END LOOP;',
  'a loop that tries again': () =>
    'LOOP BEGIN PERFORM noted(1); EXIT; EXCEPTION WHEN unique_violation THEN CONTINUE; END; END LOOP;',
  'a loop that tries three times': () =>
    "FOR x IN 1..3 LOOP BEGIN PERFORM noted(1); RAISE 'x'; EXIT; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;",
  'SELECT INTO STRICT': () => 'SELECT noted(1) INTO STRICT x;',
  'INTO at the end': () => 'SELECT noted(1) INTO x;',
  'a record\'s field': () => 'DECLARE r acc; BEGIN r.n := noted(1); END;',
  'RAISE USING': () => "RAISE NOTICE USING MESSAGE = noted(1)::text;",
  'RAISE of no level that is heard': () => "SET LOCAL client_min_messages = error; RAISE NOTICE '%', noted(1);",
  'IF of it': () => 'IF noted(1) > 5 THEN NULL; END IF;',
  'IF that holds': () => 'IF true THEN PERFORM noted(1); END IF;',
  'IF of NULL': () => 'IF NULL THEN PERFORM noted(1); END IF;',
  'IF of numbers': () => 'IF 1 = 2 THEN PERFORM noted(1); END IF;',
  'CASE WHEN it': () => 'CASE WHEN noted(1) = 1 THEN NULL; ELSE NULL; END CASE;',
  'CASE of constants': () => 'CASE 1 WHEN 2 THEN PERFORM noted(1); ELSE NULL; END CASE;',
  'CASE in a value': () => 'x := CASE WHEN false THEN noted(1) ELSE 2 END;',
  'a query of no rows': () => 'PERFORM noted(1) WHERE false;',
  'a query in a condition': (n) => `IF (SELECT count(noted(g)) FROM ${series(n)}) > 3 THEN NULL; END IF;`,
  'RETURN': () => 'RETURN; PERFORM noted(1);',
  'after RETURN in a branch': () => 'IF true THEN RETURN; END IF; PERFORM noted(1);',
  'after an EXIT out of a block': () => '<<b>> BEGIN EXIT b; PERFORM noted(1); END;',
  'EXECUTE of parts': (n) => `EXECUTE 'SELECT noted(g) ' || 'FROM ${series(n)}';`,
  'EXECUTE concat': (n) => `EXECUTE concat('SELECT noted(g) ', 'FROM ${series(n)}');`,
  'EXECUTE of a variable': (n) => `DECLARE q text := 'SELECT noted(g) FROM ${series(n)}'; BEGIN EXECUTE q; END;`,
  'EXECUTE of a variable that grows': (n) =>
    `DECLARE q text := 'SELECT noted(g) '; BEGIN q := q || 'FROM ${series(n)}'; EXECUTE q; END;`,
  'EXECUTE of a name': () => "DECLARE f text := 'noted'; BEGIN EXECUTE 'SELECT ' || quote_ident(f) || '(1)'; END;",
  'EXECUTE of a table': () => "EXECUTE format('INSERT INTO %I (n) SELECT id FROM src', 'defaulted');",
  'EXECUTE of a table in a variable': () =>
    "DECLARE t text := 'defaulted'; BEGIN EXECUTE format('INSERT INTO %I (n) SELECT id FROM src', t); END;",
  'EXECUTE for each table': () =>
    "DECLARE t text; BEGIN FOREACH t IN ARRAY ARRAY['defaulted', 'base'] LOOP EXECUTE format('INSERT INTO %I (n) SELECT id FROM src', t); END LOOP; END;",
  'EXECUTE with INTO and a LIMIT': (n) => `EXECUTE 'SELECT noted(g) FROM ${series(n)} LIMIT 1' INTO x;`,
  'FETCH of some': (n) => `DECLARE u CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; MOVE FORWARD 5 FROM u; CLOSE u; END;`,
  'FETCH LAST again': (n) =>
    `DECLARE u SCROLL CURSOR FOR SELECT noted(g) FROM ${series(n)}; BEGIN OPEN u; FETCH LAST FROM u INTO x; FETCH FIRST FROM u INTO x; FETCH LAST FROM u INTO x; CLOSE u; END;`,
  'FETCH PRIOR': () =>
    'DECLARE u SCROLL CURSOR FOR SELECT noted(id) FROM src; BEGIN OPEN u; FETCH u INTO x; FETCH u INTO x; FETCH PRIOR FROM u INTO x; CLOSE u; END;',
  'a cursor that is opened for a query': (n) => `DECLARE u refcursor; BEGIN OPEN u FOR SELECT noted(g) FROM ${series(n)}; LOOP FETCH u INTO x; EXIT WHEN NOT FOUND; END LOOP; END;`,
  'a row that is there already': () =>
    'BEGIN INSERT INTO base SELECT 1 WHERE NOT EXISTS (SELECT FROM src); EXCEPTION WHEN unique_violation THEN NULL; END;',
  'a row of an empty table': () =>
    'CREATE TEMP TABLE bare (n int); BEGIN INSERT INTO base SELECT n FROM bare LIMIT 1; EXCEPTION WHEN unique_violation THEN NULL; END;',
  'a row of no group': () =>
    'BEGIN INSERT INTO base SELECT max(id) FROM src HAVING count(*) > 1000; EXCEPTION WHEN unique_violation THEN NULL; END;',
  'a row of a query that has none': () =>
    'BEGIN WITH a AS (SELECT 1 AS n WHERE false) INSERT INTO base SELECT n FROM a; EXCEPTION WHEN unique_violation THEN NULL; END;',
  'a table that is locked already': () =>
    'LOCK TABLE base; BEGIN LOCK TABLE base; EXCEPTION WHEN lock_not_available THEN NULL; END;',
  'a trigger that is on already': () =>
    'BEGIN ALTER TABLE elder ENABLE TRIGGER noting; EXCEPTION WHEN undefined_object THEN NULL; END;',
  'statistics of an empty table': () =>
    'CREATE TEMP TABLE bare (n int); BEGIN ANALYZE bare; EXCEPTION WHEN undefined_table THEN NULL; END;',
  'indexes of a table that has none': () =>
    'CREATE TEMP TABLE bare (n int); BEGIN REINDEX TABLE bare; EXCEPTION WHEN undefined_table THEN NULL; END;',
  'a comment that is none': () =>
    'BEGIN COMMENT ON TABLE base IS NULL; EXCEPTION WHEN undefined_table THEN NULL; END;',
  'a right on all of nothing': () =>
    'CREATE SCHEMA none; BEGIN GRANT SELECT ON ALL TABLES IN SCHEMA none TO public; EXCEPTION WHEN undefined_object THEN NULL; END;',
  'a function by its name and type': () => "PERFORM by_proc('noted'::regproc);",
  'a function by its name in a loop': (n) => `FOR x IN 1..${n} LOOP PERFORM by_proc('noted'); END LOOP;`,
  'another function by its name': (n) => `FOR x IN 1..${n} LOOP PERFORM by_proc('steadily'); END LOOP;`,
  'a function by a name that is joined': (n) => `FOR x IN 1..${n} LOOP PERFORM by_joined('noted'); END LOOP;`,
  'a text that grows': (n) => `FOR x IN 1..${n} LOOP PERFORM by_part('noted(1)'); END LOOP;`,
  'a table by its name': () => "PERFORM filling('defaulted');",
  'another table by its name': () => "PERFORM filling('base');",
  'a row handed over': () => 'DECLARE r src; BEGIN SELECT * INTO r FROM src LIMIT 1; PERFORM described(r); END;',
  'another row handed over': () => 'DECLARE r seventy; BEGIN SELECT * INTO r FROM seventy LIMIT 1; PERFORM described(r); END;',
  'a row of a loop': () => 'DECLARE r src%ROWTYPE; BEGIN FOR r IN SELECT * FROM src LOOP PERFORM described(r); END LOOP; END;',
  'a callee that fails before': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN PERFORM failing(); PERFORM noted(1); EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP;`,
  'a callee that always fails after its own': () =>
    'FOR x IN 1..70 LOOP BEGIN PERFORM failing_late(); EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP;',
  'a callee that fails in one arm': (n) =>
    `FOR x IN 1..${n} LOOP BEGIN PERFORM failing_if(false); PERFORM noted(1); EXCEPTION WHEN raise_exception THEN NULL; END; END LOOP;`,
  'an assertion that fails': () => 'BEGIN FOR x IN 1..70 LOOP BEGIN ASSERT false; PERFORM noted(1); EXCEPTION WHEN assert_failure THEN NULL; END; END LOOP; END;',
  'a division by zero': () => 'BEGIN FOR x IN 1..70 LOOP PERFORM noted(1); x := 1 / 0; END LOOP; EXCEPTION WHEN division_by_zero THEN NULL; END;',
  'a cast that fails': () => "FOR x IN 1..70 LOOP BEGIN x := 'a'::int; PERFORM noted(1); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;",
  'a block that reads': (n) => `FOR x IN 1..${n} LOOP BEGIN PERFORM 1 FROM src; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a block that writes nothing': (n) => `FOR x IN 1..${n} LOOP BEGIN UPDATE src SET id = 1 WHERE false; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a block that writes once': () => 'BEGIN INSERT INTO log VALUES (1); EXCEPTION WHEN OTHERS THEN NULL; END;',
  'a block that locks': () => 'FOR x IN 1..70 LOOP BEGIN PERFORM 1 FROM src WHERE id = x FOR UPDATE; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;',
  'a block that makes a table': () => 'FOR x IN 1..3 LOOP BEGIN CREATE TEMP TABLE made (n int) ON COMMIT DROP; DROP TABLE made; EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;',
  'a block around a loop': () => 'BEGIN FOR x IN 1..70 LOOP INSERT INTO log VALUES (x); END LOOP; EXCEPTION WHEN OTHERS THEN NULL; END;',
  'a block that only notifies': (n) => `FOR x IN 1..${n} LOOP BEGIN PERFORM pg_notify('a', 'b'); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a block that asks for a number': (n) => `FOR x IN 1..${n} LOOP BEGIN PERFORM nextval('ids'); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a block that sets': (n) => `FOR x IN 1..${n} LOOP BEGIN PERFORM set_config('a.b', 'c', true); EXCEPTION WHEN OTHERS THEN NULL; END; END LOOP;`,
  'a procedure with a value': () => 'CALL giving(x);',
  'a function that gives a record': () => 'SELECT a INTO x FROM paired(1);',
  'RETURN QUERY EXECUTE': () => 'PERFORM * FROM executing(70);',
  'rows of a callee that are gone through': () => 'FOR x IN SELECT * FROM stepping(70) LOOP NULL; END LOOP;',
  'rows of a callee of which one is looked at': () => 'FOR x IN SELECT * FROM stepping(70) LOOP EXIT; END LOOP;',
  'a DO in a DO': () => "EXECUTE 'DO ''BEGIN PERFORM noted(1); PERFORM noted(2); END''';",
}; // biome-ignore format: one a line

/** What these need besides the tables of render.ts. */
export const OBJECTS = `
CREATE FUNCTION lazily(v int DEFAULT noted(1)) RETURNS int LANGUAGE sql AS $$ SELECT v $$;
CREATE FUNCTION variously(VARIADIC v int[]) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN noted(v[1]); END $$;
CREATE FUNCTION described(s src) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN noted(1); END $$;
CREATE FUNCTION described(s seventy) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
CREATE TYPE pair AS (a int, b int, c int);
CREATE FUNCTION paired(v int) RETURNS pair LANGUAGE plpgsql AS $$ BEGIN RETURN ROW (noted(v), 2, 3); END $$;
CREATE FUNCTION summing(state int, v int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN state + noted(v); END $$;
CREATE AGGREGATE summed (int) (SFUNC = summing, STYPE = int, INITCOND = '0');
CREATE FUNCTION adding(a int, b int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN noted(a) + b; END $$;
CREATE OPERATOR @+ (LEFTARG = int, RIGHTARG = int, FUNCTION = adding);
CREATE TYPE kilo AS (v int);
CREATE FUNCTION of_kilo(k kilo) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN noted(k.v); END $$;
CREATE CAST (kilo AS int) WITH FUNCTION of_kilo(kilo);
CREATE VIEW showing AS SELECT n, noted(n) AS v FROM seventy;
CREATE VIEW choosing AS SELECT n FROM seventy WHERE noted(n) > 0;
CREATE VIEW of_choosing AS SELECT n + 1 AS n FROM choosing;
CREATE VIEW cascading AS SELECT n FROM narrow WITH CASCADED CHECK OPTION;
CREATE VIEW checked_not AS SELECT n FROM base WHERE noted(n) > 0;
CREATE VIEW locally AS SELECT n FROM checked_not WHERE n > 0 WITH LOCAL CHECK OPTION;
CREATE FUNCTION pathed(v int) RETURNS int IMMUTABLE LANGUAGE plpgsql SET search_path = public AS $$ BEGIN RETURN noted(v); END $$;
CREATE MATERIALIZED VIEW kept AS SELECT pathed(n) AS v FROM seventy WITH NO DATA;
REFRESH MATERIALIZED VIEW kept;
CREATE TABLE unique_one (id int PRIMARY KEY, d int DEFAULT noted(1));
INSERT INTO unique_one VALUES (1, 1), (2, 1);
CREATE TABLE generated (n int, m int, d int GENERATED ALWAYS AS (steady(n)) STORED);
INSERT INTO generated (n) SELECT generate_series(1, 70);
CREATE TABLE checking (n int CHECK (noted(n) > 0), m int);
INSERT INTO checking (n) SELECT generate_series(1, 70);
CREATE TABLE elder (n int, d int DEFAULT noted(1));
CREATE TRIGGER noting AFTER INSERT OR DELETE ON elder FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE heir () INHERITS (elder);
CREATE TRIGGER noting AFTER DELETE ON heir FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO heir VALUES (1, 1), (2, 2), (3, 3);
CREATE TABLE indexed (n int);
CREATE INDEX ON indexed (pathed(n));
CREATE TABLE partly (n int);
CREATE INDEX ON partly (n) WHERE pathed(n) > 0;
CREATE TABLE leaving (n int, m int) PARTITION BY RANGE (n);
CREATE TABLE leaving_low PARTITION OF leaving FOR VALUES FROM (0) TO (100);
CREATE TABLE leaving_high PARTITION OF leaving FOR VALUES FROM (100) TO (1000);
CREATE TRIGGER noting AFTER DELETE ON leaving FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO leaving SELECT generate_series(1, 70);
CREATE TABLE updating (n int, m int) PARTITION BY RANGE (n);
CREATE TABLE updating_low PARTITION OF updating FOR VALUES FROM (0) TO (100);
CREATE TABLE updating_high PARTITION OF updating FOR VALUES FROM (100) TO (1000);
CREATE TRIGGER noting AFTER UPDATE ON updating FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO updating SELECT generate_series(1, 70);
CREATE TABLE arrays (a small[]);
CREATE TYPE boxed AS (v small);
CREATE TABLE boxes (b boxed);
CREATE DOMAIN smaller AS small CHECK (VALUE < 1000);
CREATE DOMAIN presuming AS int DEFAULT noted(1);
CREATE TABLE presumed (n presuming, m int);
CREATE TABLE wide (n small, m int);
CREATE DOMAIN plain_small AS int;
CREATE TABLE plainly_small (n plain_small);
INSERT INTO plainly_small SELECT generate_series(1, 70);
CREATE TABLE emptied (n int);
CREATE TRIGGER noting AFTER TRUNCATE ON emptied FOR EACH STATEMENT EXECUTE FUNCTION noting();
CREATE TABLE owner (id int PRIMARY KEY);
CREATE TABLE owned (owner int REFERENCES owner (id));
CREATE TRIGGER noting AFTER TRUNCATE ON owned FOR EACH STATEMENT EXECUTE FUNCTION noting();
CREATE TABLE far_owner (id int PRIMARY KEY);
ALTER TABLE owner ADD COLUMN far int REFERENCES far_owner (id);
CREATE TABLE captain (id int PRIMARY KEY);
CREATE TABLE crew (captain int DEFAULT 2 REFERENCES captain (id) ON DELETE SET DEFAULT);
CREATE TRIGGER noting AFTER UPDATE ON crew FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO captain VALUES (1), (2);
INSERT INTO crew SELECT 1 FROM generate_series(1, 70);
CREATE TABLE tree (id int PRIMARY KEY, parent int REFERENCES tree (id) ON DELETE CASCADE);
CREATE TRIGGER noting AFTER DELETE ON tree FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO tree SELECT g, NULLIF(g - 1, 0) FROM generate_series(1, 70) AS g;
CREATE TABLE ruling (n int);
CREATE RULE updating AS ON UPDATE TO ruling DO ALSO INSERT INTO defaulted (n) VALUES (NEW.n);
CREATE RULE deleting AS ON DELETE TO ruling DO INSTEAD SELECT noted(OLD.n);
INSERT INTO ruling SELECT generate_series(1, 70);
CREATE TABLE asking (n int);
CREATE RULE asking AS ON INSERT TO asking DO ALSO SELECT noted(id) FROM src;
CREATE VIEW managing AS SELECT n FROM seventy;
CREATE TRIGGER noting INSTEAD OF UPDATE OR DELETE ON managing FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE whenever (n int);
CREATE TRIGGER noting AFTER INSERT ON whenever FOR EACH ROW WHEN (NEW.n > 1000) EXECUTE FUNCTION noting();
CREATE TABLE upserted (id int PRIMARY KEY, n int);
CREATE TRIGGER noting AFTER UPDATE ON upserted FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO upserted VALUES (1), (2);
CREATE TABLE preceded (id int PRIMARY KEY);
CREATE TRIGGER noting BEFORE INSERT ON preceded FOR EACH ROW EXECUTE FUNCTION noting();
INSERT INTO preceded VALUES (1), (2);
CREATE TABLE late (n int);
CREATE CONSTRAINT TRIGGER noting AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION noting();
CREATE TABLE asked (n int);
CREATE FUNCTION asking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN PERFORM noted(1); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER asking BEFORE INSERT OR UPDATE ON asked FOR EACH ROW EXECUTE FUNCTION asking();
INSERT INTO asked SELECT generate_series(1, 70);
CREATE TABLE transit (n int);
CREATE TRIGGER going AFTER UPDATE ON transit REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION going();
INSERT INTO transit SELECT generate_series(1, 70);
CREATE TABLE strict_parts (n int CHECK (noted(n) > 0)) PARTITION BY RANGE (n);
CREATE TABLE loose (n int CONSTRAINT strict_parts_n_check CHECK (noted(n) > 0));
INSERT INTO loose SELECT generate_series(1, 70);
CREATE FUNCTION twofold() RETURNS int LANGUAGE sql AS $$ SELECT noted(1); SELECT noted(2) $$;
CREATE FUNCTION voiding() RETURNS void LANGUAGE sql AS $$ SELECT noted(g) FROM generate_series(1, 70) AS g $$;
CREATE FUNCTION tabled(k int) RETURNS TABLE (v int) LANGUAGE sql AS $$ SELECT noted(g) FROM generate_series(1, k) AS g $$;
CREATE FUNCTION returned(v int) RETURNS int LANGUAGE sql RETURN noted(v);
CREATE FUNCTION by_proc(which regproc) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('SELECT %s(1)', which); END $$;
CREATE FUNCTION by_joined(which text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT ' || quote_ident(which) || '(1)'; END $$;
CREATE FUNCTION by_part(what text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT ' || what; END $$;
CREATE FUNCTION filling(which text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN EXECUTE format('INSERT INTO %I (n) SELECT id FROM src', which); END $$;
CREATE FUNCTION failing_late() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM noted(1); RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION failing_if(really boolean) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF really THEN RAISE EXCEPTION 'no'; END IF; END $$;
CREATE FUNCTION steadily(v int) RETURNS int LANGUAGE sql AS $$ SELECT v $$;
CREATE PROCEDURE giving(INOUT v int) LANGUAGE plpgsql AS $$ BEGIN v := noted(1); END $$;
CREATE FUNCTION executing(k int) RETURNS SETOF int LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY EXECUTE 'SELECT noted(g) FROM generate_series(1, $1) AS g' USING k; END $$;
`;
