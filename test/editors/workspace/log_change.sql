CREATE TABLE change_log (order_id int PRIMARY KEY, at timestamptz DEFAULT now());

CREATE FUNCTION log_change(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    INSERT INTO change_log (order_id) VALUES (p_id);
  EXCEPTION WHEN unique_violation THEN
    UPDATE change_log SET at = now() WHERE order_id = p_id;
  END;
END $$;
