-- Everything PL/pgSQL has, in forms that a reader of it may stumble over. Compared with libpg_query, line by line.
CREATE FUNCTION s.everything(a int, b text DEFAULT 'x''y', OUT c int, OUT d text) RETURNS SETOF record LANGUAGE plpgsql AS $body$
#variable_conflict use_column
<<outer_block>>
DECLARE
  begin_date date := now();  -- begin; end;
  "end" int = 1;
  loop_count CONSTANT integer NOT NULL DEFAULT 10;
  exception text; -- not a handler section
  "when" s.t%ROWTYPE;
  col s.t.id%TYPE;
  many numeric(10, 2)[];
  alias_of ALIAS FOR $1;
  cur CURSOR (k int, v text) FOR SELECT * FROM t WHERE id = k AND name = v FOR UPDATE;
  cur2 NO SCROLL CURSOR IS SELECT 1 AS begin, 2 AS "end";
  ref refcursor;
  r record; notice text; row_count int;
BEGIN
  exception := 'a'; exception = 'b;';
  /* BEGIN EXCEPTION /* nested */ END; */
  many[1] := CASE WHEN a > 1 THEN 2 ELSE CASE a WHEN 3 THEN 4 END END;
  r := row(1); "when" := r;
  $1 := a + 1;
  IF a = 1 AND (CASE WHEN true THEN b ELSE 'c' END) = 'c' THEN
    NULL;
  ELSEIF exists (SELECT FROM t WHERE CASE WHEN x THEN y END) THEN
    PERFORM f(a), g(b) FROM t WHERE id = a;
  ELSIF a IS DISTINCT FROM 3 THEN PERFORM 1; ELSE
    RAISE EXCEPTION 'no: %', b USING ERRCODE = 'unique_violation', HINT = 'end;';
  END IF;
  CASE a
    WHEN 1, 2 THEN INSERT INTO t (id) VALUES (1) RETURNING id INTO STRICT c;
    WHEN 3 THEN
      BEGIN
        DELETE FROM t;
      END;
    ELSE UPDATE t SET "end" = 1 WHERE CURRENT OF cur;
  END CASE;
  CASE WHEN a > 1 THEN c := 1; WHEN a > 2 THEN d := 'x'; END CASE;
  <<rows>>
  FOR r IN SELECT id, CASE WHEN x THEN 1 END AS "loop" FROM t FOR UPDATE LOOP
    EXIT rows WHEN r.id = 3;
    CONTINUE WHEN r.id = 4; CONTINUE rows;
  END LOOP rows;
  FOR i IN REVERSE 10..1 BY 2 LOOP NULL; END LOOP;
  FOR i IN a..(SELECT max(id) FROM t) LOOP c := i; END LOOP;
  FOR i IN -1..+1 LOOP END LOOP;
  FOR r IN cur(1, v => 'x') LOOP END LOOP;
  FOR r IN EXECUTE 'SELECT ' || quote_ident(b) USING a, b LOOP RETURN NEXT; END LOOP;
  FOR a, b IN INSERT INTO t VALUES (1) RETURNING id, name LOOP END LOOP;
  FOREACH c SLICE 1 IN ARRAY ARRAY[1, 2] LOOP END LOOP;
  WHILE a < 10 LOOP a := a+1; END LOOP;
  LOOP
    EXIT; -- at once
  END LOOP;
  OPEN cur(1, 'a'); OPEN ref FOR SELECT 1; OPEN ref NO SCROLL FOR EXECUTE format('SELECT %L', b) USING a;
  FETCH NEXT FROM cur INTO r; FETCH ABSOLUTE -1 FROM ref INTO c, d; MOVE FORWARD 2 FROM cur; CLOSE cur;
  GET DIAGNOSTICS row_count = ROW_COUNT;
  EXECUTE format('UPDATE %I SET x = %L', b, a) INTO STRICT r USING a;
  SELECT INTO r * FROM t; SELECT id INTO STRICT c FROM t;
  ASSERT a > 0, 'a;b';
  CALL p(a); DO $x$ BEGIN NULL; END $x$;
  COMMIT; ROLLBACK AND CHAIN;
  LOCK TABLE t; SET LOCAL work_mem = '1MB'; TRUNCATE t;
  <<inner_block>>
  DECLARE x int := f(1); BEGIN
    x := 1/0;
  EXCEPTION
    WHEN division_by_zero OR SQLSTATE '23505' THEN
      GET STACKED DIAGNOSTICS notice = MESSAGE_TEXT;
      RAISE;
    WHEN unique_violation THEN RAISE NOTICE 'end; %', notice;
    WHEN OTHERS THEN
      BEGIN
        RAISE EXCEPTION USING MESSAGE = 'x';
      EXCEPTION WHEN raise_exception THEN NULL; END;
  END inner_block;
  RETURN;
END outer_block;
$body$;

CREATE OR REPLACE FUNCTION old_style() RETURNS SETOF int AS '
declare
  v text := ''it''''s'';
begin
  return query execute ''select 1'' using v;
  return query select 1; return next 2;
  begin
    perform 1; exception when others then null;
  end;
  raise division_by_zero; raise sqlstate ''22012'';
  raise exception ''%'', v; raise info ''when''; raise;
end' LANGUAGE 'plpgsql';

DO LANGUAGE plpgsql $$ BEGIN IF true THEN CREATE TABLE IF NOT EXISTS t (id int); END IF; END $$;

CREATE FUNCTION makes() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE FUNCTION made() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
  CREATE RULE ru AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 2);
  EXECUTE $x$ CREATE FUNCTION inner_one() RETURNS void LANGUAGE plpgsql AS $y$ BEGIN NULL; EXCEPTION WHEN OTHERS THEN NULL; END $y$ $x$;
END $$;
